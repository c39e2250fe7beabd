/* SPDX-License-Identifier: BSD-3-Clause
 * The files of --json and --csv. A report is written to a temporary file in the same directory
 * and renamed when it is complete, so that under its name there is always a complete report, new
 * or old. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/report/report.h"

static void print_json(const json_t *report, FILE *f) {
  json_dumpf(report, f, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  fputc('\n', f);
}

/* One of the two, on rank 0. */
typedef struct destination {
  const char *option;
  watch_slot slot;
  void (*print)(const json_t *report, FILE *f);
  FILE *f;                  /* NULL: not asked for */
  char path[PATH_MAX];      /* the report itself, symbolic links resolved */
  char neighbour[PATH_MAX]; /* the temporary file; empty: the report is not a regular file */
  int is_new;               /* the report does not exist yet: f is the temporary file */
} destination;

static destination destinations[] = {
    {.option = "json", .slot = WATCH_JSON, .print = print_json},
    {.option = "csv", .slot = WATCH_CSV, .print = report_csv},
};
enum { JSON, CSV, DESTINATIONS };

static const char *name_of(const app *a, const destination *d) {
  return d == &destinations[JSON] ? a->opt.json : a->opt.csv;
}

/* Whether the report goes there, and not a table that the command writes. */
static int is_ours(const app *a, const destination *d) {
  return d == &destinations[JSON] || !a->commands[a->opt.command]->own_csv;
}

/* Chooses an unused name in the directory of d->path; the watchdog removes the file. In
 * containers a process may have the id of a killed one that has left its file. */
static void name_neighbour(destination *d) {
  enum { TRIES = 1000 };
  const char *slash = strrchr(d->path, '/'), *base = slash ? slash + 1 : d->path;
  struct stat s;
  for (int k = 0; k < TRIES; k++) {
    snprintf(d->neighbour, sizeof d->neighbour, "%.*s.%.200s.pfft3d-%ld-%d", (int)(base - d->path),
             d->path, base, (long)getpid(), k);
    if (lstat(d->neighbour, &s)) break;
  }
  watch_file(d->slot, d->neighbour);
}

static void open_place(destination *d, const char *name) {
  struct stat s;
  d->is_new = lstat(name, &s) != 0 && errno == ENOENT && name[strlen(name) - 1] != '/' &&
              strlen(name) < sizeof d->path;
  if (d->is_new) {
    snprintf(d->path, sizeof d->path, "%s", name);
    name_neighbour(d);
    d->f = fopen(d->neighbour, "wx");
    if (!d->f) watch_file(d->slot, NULL);
  } else {
    d->f = fopen(name, "a");
    if (d->f && fstat(fileno(d->f), &s) == 0 && S_ISREG(s.st_mode) && realpath(name, d->path))
      name_neighbour(d);
  }
}

static int open_file(app *a, destination *d) {
  const char *name = name_of(a, d);
  if (!name[0] || strcmp(name, "-") == 0) return PFFT3D_OK;
  open_place(d, name);
  if (d->f) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_OUTPUT, "cannot write the report of --%s to '%.150s': %s",
                  d->option, name, strerror(errno));
}

/* Splits a name into its directory and the rest, which is returned. */
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

/* The file of FILE:/DATASET. */
static const char *file_of(const char *name, char file[FILE_SIZE]) {
  char *path = NULL;
  snprintf(file, FILE_SIZE, "%s", name);
  for (char *c = strstr(file, ":/"); c; c = strstr(c + 1, ":/")) path = c;
  if (path) *path = 0;
  return file;
}

/* The output must not replace a file that is read or written under another option.  That it is not
 * the input, or a snapshot of another run, is seen where it is made. */
static int check_output(app *a) {
  const options *o = &a->opt;
  char out[FILE_SIZE], file[FILE_SIZE];
  const char *const others[][2] = {{o->with, "the second input"},
                                   {o->spectra, "the file of --spectra"}};
  for (int k = 0; k < 2 && o->output[0]; k++)
    if (others[k][0][0] && report_same_file(file_of(o->output, out), file_of(others[k][0], file)))
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--output '%.150s': that is %s", out,
                      others[k][1]);
  return PFFT3D_OK;
}

/* A report or a picture must not replace a file that the run reads or writes. */
static int check_place(app *a, const char *option, const char *name) {
  const options *o = &a->opt;
  const struct {
    const char *name, *what;
  } others[] = {{o->input, "the input"},
                {o->with, "the second input"},
                {o->output, "the output"},
                {o->restart, "the snapshot to go on from"},
                {strcmp(o->spectra, "-") ? o->spectra : "", "the file of --spectra"},
                {o->machine_file, "the description of the machine"},
                {o->original, "the output to compare with"},
                {o->png, "the picture"},
                {o->wisdom, "the wisdom"}};
  for (size_t k = 0; k < sizeof others / sizeof *others && name[0]; k++) {
    char file[FILE_SIZE];
    if (k < 3)
      file_of(others[k].name, file);
    else
      snprintf(file, sizeof file, "%s", others[k].name);
    if (file[0] && others[k].name != name && report_same_file(name, file))
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s '%.150s': that is %s", option, name,
                      others[k].what);
  }
  if (strcmp(option, "json") == 0 && name[0] && o->csv[0] && report_same_file(name, o->csv))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--json and --csv: both name '%.100s'", name);
  return PFFT3D_OK;
}

int report_open(app *a) {
  if (check_output(a)) return a->error.status;
  for (int k = 0; k < DESTINATIONS; k++)
    if (check_place(a, destinations[k].option, name_of(a, &destinations[k])))
      return a->error.status;
  if (check_place(a, "png", a->opt.png)) return a->error.status;
  for (int k = 0; k < DESTINATIONS; k++)
    if (is_ours(a, &destinations[k]) && open_file(a, &destinations[k])) return a->error.status;
  return PFFT3D_OK;
}

/* Prints and closes; 0 or errno. */
static int print_file(const destination *d, FILE *f, const json_t *report) {
  errno = 0;
  d->print(report, f);
  int code = fflush(f) != 0 || ferror(f) ? errno : 0;
  if (fclose(f) != 0 && !code) code = errno;
  return code;
}

/* Prints to the temporary file and renames it; 0 or errno. */
static int print_new(const destination *d, FILE *whole, const json_t *report) {
  int code = print_file(d, whole, report);
  if (!code && rename(d->neighbour, d->path)) code = errno;
  if (code) unlink(d->neighbour);
  return code;
}

/* Replaces a report by a new file with the same permissions; 0 or errno. */
static int replace_file(const destination *d, FILE *whole, const json_t *report) {
  struct stat s;
  int code = fstat(fileno(d->f), &s) || fchmod(fileno(whole), s.st_mode & 0777) ? errno : 0;
  if (code) {
    fclose(whole);
    unlink(d->neighbour);
  } else {
    code = print_new(d, whole, report);
  }
  fclose(d->f);
  return code;
}

/* Writes a report opened by report_open(), and closes it; 0 or errno. An old report stays until
 * the new one is complete, unless no file can be created in its directory. */
static int finish_file(const destination *d, const json_t *report) {
  if (d->is_new) return print_new(d, d->f, report);
  if (d->neighbour[0]) {
    FILE *whole = fopen(d->neighbour, "wx");
    if (whole) return replace_file(d, whole, report);
    int code = errno;
    if (code == EACCES || code == EPERM) code = ftruncate(fileno(d->f), 0) ? errno : 0;
    if (code) {
      fclose(d->f);
      return code;
    }
  }
  return print_file(d, d->f, report);
}

int report_write(app *a, const json_t *report) {
  for (int k = 0; k < DESTINATIONS; k++) {
    destination *d = &destinations[k];
    int code = d->f ? finish_file(d, report) : 0;
    if (code)
      app_fail(&a->error, PFFT3D_ERR_IO, "cannot write the report '%.150s': %s", name_of(a, d),
               strerror(code));
    else if (d->f)
      watch_file(d->slot, NULL);
  }
  for (int k = 0; k < DESTINATIONS; k++)
    if (strcmp(name_of(a, &destinations[k]), "-") == 0) {
      if (is_ours(a, &destinations[k])) destinations[k].print(report, stdout);
      return 1;
    }
  return 0;
}
