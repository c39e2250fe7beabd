/* SPDX-License-Identifier: BSD-3-Clause
 * Tables. */
#include "apps/turbulence/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/common/message.h"

static int cannot_write(const table *t, int status, pfft3d_error *e) {
  const char *name = strcmp(t->name, "-") == 0 ? "stdout" : t->name;
  return app_fail(e, status, "cannot write '%.150s': %s", name, strerror(errno));
}

/* Finds the end of the rows that remain. */
static int skip_rows(table *t, double from, pfft3d_error *e) {
  char line[512];
  if (!fgets(line, sizeof line, t->file)) line[0] = 0;
  int whole = strchr(line, '\n') != NULL;
  line[strcspn(line, "\r\n")] = 0;
  if (line[0] && strcmp(line, t->header) != 0)
    return app_fail(e, PFFT3D_ERR_DATA, "cannot continue '%.150s': it has other columns than %s",
                    t->name, t->header);
  if (line[0] && whole) t->end = ftell(t->file);
  while (t->end > 0 && fgets(line, sizeof line, t->file)) {
    char *rest;
    double first = strtod(line, &rest);
    if (rest == line || !strchr(line, '\n') || !(first < from)) break;
    t->end = ftell(t->file);
  }
  return PFFT3D_OK;
}

int table_open(const app *a, table *t, const char *name, const char *header, double from,
               pfft3d_error *e) {
  struct stat s;
  *t = (table){.name = name, .header = header};
  if (a->rank != 0 || !name[0]) return PFFT3D_OK;
  if (strcmp(name, "-") == 0) {
    t->file = stdout;
    return PFFT3D_OK;
  }
  if (lstat(name, &s) && errno == ENOENT) t->kind = TABLE_NEW;
  if (!stat(name, &s) && S_ISREG(s.st_mode)) t->kind = TABLE_OLD;
  int reads = t->kind == TABLE_OLD && from >= 0;
  int file = open(name, (reads ? O_RDWR : O_WRONLY) | O_CREAT, 0666);
  if (file < 0) t->kind = TABLE_STREAM;                         /* nothing to remove */
  t->file = file < 0 ? NULL : fdopen(file, reads ? "r+" : "w"); /* fdopen() does not truncate */
  if (!t->file) return cannot_write(t, PFFT3D_ERR_OUTPUT, e);
  return reads ? skip_rows(t, from, e) : PFFT3D_OK;
}

int table_begin(table *t, pfft3d_error *e) {
  if (!t->file) return PFFT3D_OK;
  if (t->kind == TABLE_OLD &&
      (fflush(t->file) || ftruncate(fileno(t->file), t->end) || fseek(t->file, t->end, SEEK_SET)))
    return cannot_write(t, PFFT3D_ERR_IO, e);
  t->kind = TABLE_STREAM;
  if (!t->end && (fprintf(t->file, "%s\n", t->header) < 0 || fflush(t->file)))
    return cannot_write(t, PFFT3D_ERR_IO, e);
  return PFFT3D_OK;
}

int table_row(table *t, const double *value, int count, pfft3d_error *e) {
  if (!t->file) return PFFT3D_OK;
  errno = 0;
  for (int i = 0; i < count; i++) fprintf(t->file, "%s%.17g", i ? "," : "", value[i]);
  fputc('\n', t->file);
  if (fflush(t->file) || ferror(t->file)) return cannot_write(t, PFFT3D_ERR_IO, e);
  return PFFT3D_OK;
}

int table_close(table *t, pfft3d_error *e) {
  FILE *file = t->file;
  t->file = NULL;
  if (t->kind == TABLE_NEW) unlink(t->name);
  if (!file || file == stdout) return PFFT3D_OK;
  return fclose(file) ? cannot_write(t, PFFT3D_ERR_IO, e) : PFFT3D_OK;
}
