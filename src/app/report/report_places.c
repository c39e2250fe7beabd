/* SPDX-License-Identifier: BSD-3-Clause
 * Files that options name.  No file is written under two names, and no file that is read is
 * written: all options that name files are in one list, and every file that is written is compared
 * with the files before it in the list. */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "app/common/message.h"
#include "app/report/report.h"

enum { READ, WRITTEN };
enum { PLAIN, DATASET, STREAM }; /* other forms of names */

typedef struct place {
  const char *option;
  const char *name; /* "": not given */
  const char *what; /* its contents, for messages if another option would replace it; NULL: the
                       option itself is named */
  int use;          /* READ or WRITTEN */
  int form; /* DATASET: FILE:/PATH, the path of a dataset in the file; STREAM: "-" is stdout */
} place;

/* Splits a name into its directory and the rest; returns the rest. */
static const char *split(const char *name, char directory[PATH_MAX]) {
  const char *slash = strrchr(name, '/');
  snprintf(directory, PATH_MAX, "%.*s", slash ? (int)(slash - name) + 1 : 1, slash ? name : ".");
  return slash ? slash + 1 : name;
}

int report_same_file(const char *x, const char *y) {
  char in[2][PATH_MAX];
  struct stat a, b;
  if (strcmp(x, y) == 0) return 1;
  int there[2] = {!stat(x, &a), !stat(y, &b)};
  if ((there[0] && !S_ISREG(a.st_mode)) || (there[1] && !S_ISREG(b.st_mode)))
    return 0; /* devices */
  if (!there[0] && !there[1] && strcmp(split(x, in[0]), split(y, in[1])) == 0) {
    there[0] = !stat(in[0], &a); /* the same name in the same directory, once it exists */
    there[1] = !stat(in[1], &b);
  }
  return there[0] && there[1] && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The file of FILE:/DATASET, FILE[SELECTION]. */
static const char *file_of(const place *p, char file[FILE_SIZE]) {
  const char *path = p->form == DATASET ? options_path(p->name) : NULL, *end = NULL;
  struct stat st;
  if (path)
    end = path - 1;
  else if (p->form == DATASET && p->use == READ && stat(p->name, &st))
    end = strrchr(p->name, '[');
  snprintf(file, FILE_SIZE, "%.*s", end ? (int)(end - p->name) : (int)strlen(p->name), p->name);
  return file;
}

static int is_stdout(const place *p) {
  return p->form == STREAM && strcmp(p->name, "-") == 0;
}

/* Fails if the file of `p`, which is written, is also the file of another entry. */
static int check_pair(const place *p, const place *other, pfft3d_error *e) {
  char file[FILE_SIZE], others[FILE_SIZE];
  if (!p->name[0] || !other->name[0] || is_stdout(p) != is_stdout(other)) return PFFT3D_OK;
  if (is_stdout(p))
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s - and --%s -: only one of them can have stdout",
                    p->option, other->option);
  if (!report_same_file(file_of(p, file), file_of(other, others))) return PFFT3D_OK;
  if (!other->what)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s and --%s: both name '%.100s'", p->option,
                    other->option, file);
  return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.150s': that is %s", p->option, file, other->what);
}

/* Fails if this is an additional output file of the command. */
static int check_beside(const app *a, const place *p, pfft3d_error *e) {
  const command *c = a->commands[a->opt.command];
  char file[FILE_SIZE];
  const char *what = c->beside && p->name[0] ? c->beside(&a->opt, file_of(p, file)) : NULL;
  if (!what) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.150s': that is %s", p->option, file, what);
}

int report_places(app *a) {
  const options *o = &a->opt;
  const char *wisdom = strcmp(o->wisdom, "none") == 0 ? "" : o->wisdom;
  const place list[] = {
      {"input", o->input, "the input", READ, DATASET},
      {"with", o->with, "the second input", READ, DATASET},
      {"", o->argument[0], "a report to be compared", READ, PLAIN},
      {"", o->argument[1], "a report to be compared", READ, PLAIN},
      {"machine", o->machine_file, "the description of the machine", READ, PLAIN},
      {"compare", o->original, "the output to compare with", READ, PLAIN},
      {"wisdom", wisdom, "the wisdom", READ, PLAIN},
      {"restart", o->restart, "the snapshot to go on from", READ, PLAIN},
      {"spectra", o->spectra, "the file of --spectra", WRITTEN, STREAM},
      {"statistics", o->statistics, "the file of --statistics", WRITTEN, STREAM},
      {"output", o->output, "the output", WRITTEN, DATASET},
      {"png", o->png, "the picture", WRITTEN, PLAIN},
      {"csv", o->csv, NULL, WRITTEN, STREAM},
      {"json", o->json, NULL, WRITTEN, STREAM},
  };
  const size_t count = sizeof list / sizeof *list;
  for (size_t k = 0; k < count; k++)
    for (size_t j = 0; j < k && list[k].use == WRITTEN; j++) {
      int goes_on = list[k].name == o->output &&
                    (list[j].name == o->restart || (o->into && list[j].use == READ));
      if (!goes_on && check_pair(&list[k], &list[j], &a->error)) return a->error.status;
    }
  for (size_t k = 0; k < count; k++)
    if (check_beside(a, &list[k], &a->error)) return a->error.status;
  return PFFT3D_OK;
}
