/* SPDX-License-Identifier: BSD-3-Clause
 * Tables. */
#include "app/turbulence/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/common/message.h"

static int cannot_write(const table *t, int status, pfft3d_error *e) {
  const char *name = strcmp(t->name, "-") == 0 ? "stdout" : t->name;
  return app_fail(e, status, "cannot write '%.150s': %s", name, strerror(errno));
}

/* Finds the end of the rows that remain, in a file that is open for update. */
static int skip_rows(table *t, const char *header, double from, pfft3d_error *e) {
  char line[512];
  long end = 0;
  if (!fgets(line, sizeof line, t->file)) line[0] = 0;
  line[strcspn(line, "\r\n")] = 0;
  if (line[0] && strcmp(line, header) != 0)
    return app_fail(e, PFFT3D_ERR_DATA, "cannot continue '%.150s': it has other columns than %s",
                    t->name, header);
  if (line[0]) end = ftell(t->file);
  while (end > 0 && fgets(line, sizeof line, t->file)) {
    char *rest;
    double first = strtod(line, &rest);
    if (rest == line || !strchr(line, '\n') || !(first < from)) break;
    end = ftell(t->file);
  }
  if (fflush(t->file) || ftruncate(fileno(t->file), end) || fseek(t->file, end, SEEK_SET))
    return cannot_write(t, PFFT3D_ERR_IO, e);
  return end ? -1 : PFFT3D_OK; /* whether there is a header */
}

int table_open(const app *a, table *t, const char *name, const char *header, double from,
               pfft3d_error *e) {
  int has_header = 0;
  *t = (table){.name = name};
  if (a->rank != 0 || !name[0]) return PFFT3D_OK;
  if (strcmp(name, "-") == 0) {
    t->file = stdout;
  } else {
    if (from >= 0) t->file = fopen(name, "r+");
    if (t->file) {
      has_header = skip_rows(t, header, from, e) < 0;
      if (e->status) return e->status;
    } else {
      t->file = fopen(name, "w");
    }
  }
  if (!t->file) return cannot_write(t, PFFT3D_ERR_OUTPUT, e);
  if (!has_header && (fprintf(t->file, "%s\n", header) < 0 || fflush(t->file)))
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
  if (!file || file == stdout) return PFFT3D_OK;
  return fclose(file) ? cannot_write(t, PFFT3D_ERR_IO, e) : PFFT3D_OK;
}
