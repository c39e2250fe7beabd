/* SPDX-License-Identifier: BSD-3-Clause
 * Tables in an HDF5 file: a group for each, with a dataset of doubles for each column.  The file is
 * created before the work with the lengths of the box, whose number is known; the tables follow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/report/report.h"
#include "apps/spectrum/spectrum.h"

static const pfft3d_axis unnamed[3] = {
    {"", NULL, NULL, NULL}, {"", NULL, NULL, NULL}, {"", NULL, NULL, NULL}};

/* Rank 0 writes alone, which is much faster than MPI-IO for a few numbers; and in double precision
 * whatever the precision of the fields is. */
static app alone(const app *a) {
  app b = *a;
  b.comm = MPI_COMM_SELF;
  b.ranks = 1;
  options_put(&b.opt, "precision", "double", &b.error);
  return b;
}

/* Collective. The outcome of rank 0, on all ranks. */
static int share(app *a, const app *b) {
  if (!a->rank) app_take(&a->error, &b->error);
  MPI_Bcast(&a->error, sizeof a->error, MPI_BYTE, 0, a->comm);
  return a->error.status;
}

static const char *group_of(const app *a) {
  const char *path = options_path(a->opt.output);
  return path ? path : "";
}

int spectrum_create(job *j) {
  app b = alone(j->a);
  const char *name = j->a->opt.output, *group = group_of(j->a);
  int file = (int)(*group ? group - name : (ptrdiff_t)strlen(name));
  char path[FIELD_PATH], whole[FILE_SIZE + FIELD_PATH];
  if (file > 4 && strncmp(name + file - 4, ".npy", 4) == 0)
    return app_fail(&j->a->error, PFFT3D_ERR_USAGE,
                    "--output '%.100s': tables have many columns: an HDF5 file has room for them",
                    name);
  snprintf(path, sizeof path, "%.500s/length", group);
  snprintf(whole, sizeof whole, "%.*s%s%s", file, name, *group ? "" : ":", path);
  pfft3d_output_spec wish = {.name = whole,
                             .path = path,
                             .numbers = PFFT3D_REAL,
                             .dims = 1,
                             .n = {1, 1, j->s.dims},
                             .axes = unnamed};
  if (!b.rank) field_create(&b, NULL, &wish, &j->out);
  return share(j->a, &b);
}

/* Writes the column before, and adds one. */
static int add_column(app *b, job *j, const char *path, double **values, ptrdiff_t *count,
                      const json_t *table, size_t column) {
  ptrdiff_t all = (ptrdiff_t)json_array_size(report_at(table, "rows"));
  pfft3d_box box = {.len = {1, 1, *count}, .stride = {*count, *count, 1}};
  pfft3d_output_spec next = {
      .path = path, .numbers = PFFT3D_REAL, .dims = 1, .n = {1, 1, all}, .axes = unnamed};
  if (field_write_next(b, &j->out, &box, *values, NULL, &next)) return b->error.status;
  free(*values);
  *values = app_malloc(b, (size_t)all, sizeof(double));
  *count = all;
  for (ptrdiff_t i = 0; i < all; i++) (*values)[i] = spectrum_cell(table, (size_t)i, column);
  return PFFT3D_OK;
}

/* A table without rows has no datasets. */
static int add_table(app *b, job *j, const char *name, const json_t *table, double **values,
                     ptrdiff_t *count) {
  size_t i;
  const json_t *column;
  char path[FIELD_PATH + 100];
  if (!json_array_size(report_at(table, "rows"))) return PFFT3D_OK;
  json_array_foreach(report_at(table, "columns"), i, column) {
    snprintf(path, sizeof path, "%.500s/%s/%s", group_of(b), name, json_string_value(column));
    if (add_column(b, j, path, values, count, table, i)) return b->error.status;
  }
  return PFFT3D_OK;
}

static void write_all(app *b, job *j) {
  const char *name;
  json_t *table;
  ptrdiff_t count = j->s.dims;
  double *values = app_malloc(b, (size_t)count, sizeof(double));
  memcpy(values, &j->s.length[3 - count], (size_t)count * sizeof(double));
  int status = add_table(b, j, "power", j->table, &values, &count);
  json_object_foreach(j->tables, name, table) if (!status) status =
      add_table(b, j, name, table, &values, &count);
  const pfft3d_box box = {.len = {1, 1, count}, .stride = {count, count, 1}};
  if (!status) field_write(b, &j->out, &box, values);
  free(values);
}

int spectrum_write(job *j) {
  app b = alone(j->a);
  if (!b.rank) write_all(&b, j);
  return share(j->a, &b);
}
