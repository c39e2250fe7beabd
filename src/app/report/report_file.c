/* SPDX-License-Identifier: BSD-3-Clause
 * The files of --json and --csv. A report is written to a temporary file in the same directory and
 * renamed when it is complete, so that a file of its name is always a complete report, new or
 * old. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/report/report.h"

/* The file of one of the two options, on rank 0. */
typedef struct destination {
  const char *option;
  watch_slot slot;
  void (*print)(const json_t *report, FILE *f);
  FILE *f;                  /* NULL: not requested */
  char path[PATH_MAX];      /* the report itself, symbolic links resolved */
  char neighbour[PATH_MAX]; /* the temporary file; empty: the report is not a regular file */
  int is_new;               /* the report does not exist yet: f is the temporary file */
} destination;

static destination destinations[] = {
    {.option = "json", .slot = WATCH_JSON, .print = report_json_print},
    {.option = "csv", .slot = WATCH_CSV, .print = report_csv},
};
enum { JSON, CSV, DESTINATIONS };

static const char *name_of(const app *a, const destination *d) {
  return d == &destinations[JSON] ? a->opt.json : a->opt.csv;
}

/* Nonzero if the report goes there, and not a table that the command writes. */
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

int report_open(app *a) {
  if (report_places(a)) return a->error.status;
  if (a->opt.json[0] && report_json_there("write", &a->error)) return a->error.status;
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
