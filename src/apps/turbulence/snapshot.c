/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots in HDF5. */
#include "apps/turbulence/snapshot.h"

#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/report/report.h"

#define SNAPSHOT_SCHEMA "pfft3d.snapshot/1"
static const char *const components[] = {"u", "v", "w"};
static const char *const dealiasing[] = {"2/3", "3/2", "none"};
enum { MOST_TRIED = 100000 }; /* names of later snapshots that are tried */
static const char equation[] = "Navier-Stokes, periodic box (2 pi)^3, rotational form";

/* ---- copies of modes ---- */

/* The modes of this rank as a box in C order, and copies of a component: packed, or with the
 * strides of the state. */
static pfft3d_box packed_box(const flow *f) {
  pfft3d_box b = f->spectrum;
  b.stride[2] = 1;
  b.stride[1] = b.len[2];
  b.stride[0] = b.len[1] * b.len[2];
  b.offset = b.distance = 0;
  return b;
}

static void copy_modes(const flow *f, int component, void *packed, int spread) {
  const ptrdiff_t *len = f->spectrum.len;
  size_t row = (size_t)len[2] * 2 * f->real;
  char *at = packed;
  for (ptrdiff_t i = 0; i < len[0]; i++)
    for (ptrdiff_t j = 0; j < len[1]; j++, at += row) {
      void *modes = flow_mode(f, component, (const ptrdiff_t[]){i, j, 0});
      if (spread)
        memcpy(modes, at, row);
      else
        memcpy(at, modes, row);
    }
}

/* ---- writing ---- */

/* Texts of the attributes. */
typedef struct words {
  char grid[80], nu[40], time[40], step[32], number[16];
} words;

static void put_words(const flow *f, const snapshots *s, words *w) {
  const ptrdiff_t *n = f->terms.n;
  snprintf(w->grid, sizeof w->grid, "%tdx%tdx%td", n[0], n[1], n[2]);
  snprintf(w->nu, sizeof w->nu, "%.17g", f->terms.nu);
  snprintf(w->time, sizeof w->time, "%.17g", f->now.t);
  snprintf(w->step, sizeof w->step, "%lld", f->now.step);
  snprintf(w->number, sizeof w->number, "%d", s->number);
}

/* One dataset: the first creates the file. */
typedef struct piece {
  const char *path;
  pfft3d_numbers numbers;
  const ptrdiff_t *n;
  const pfft3d_box *box;
  const void *array;
} piece;

static int write_piece(const app *a, pfft3d_output **output, pfft3d_output_spec *spec,
                       const piece *p, pfft3d_error *e) {
  spec->path = p->path;
  spec->numbers = p->numbers;
  memcpy(spec->n, p->n, sizeof spec->n);
  int status = *output ? pfft3d_output_add(*output, spec, sizeof *spec, e)
                       : pfft3d_output_create(a->comm, spec, sizeof *spec, output, e);
  spec->name = NULL;
  return status ? status : pfft3d_output_write(*output, p->box, p->array, e);
}

static int write_file(app *a, const snapshots *s, flow *f, const char *name, pfft3d_error *e) {
  words w = {0};
  put_words(f, s, &w);
  const pfft3d_attribute attributes[] = {{"schema", SNAPSHOT_SCHEMA},
                                         {"pfft3d_version", pfft3d_version()},
                                         {"equation", equation},
                                         {"grid", w.grid},
                                         {"dealias", dealiasing[f->terms.dealias]},
                                         {"nu", w.nu},
                                         {"time", w.time},
                                         {"step", w.step},
                                         {"snapshot", w.number},
                                         {NULL, NULL}};
  pfft3d_output_spec spec = {.name = name,
                             .precision = options_precision(&a->opt),
                             .dims = 3,
                             .overwrite = s->replace,
                             .attributes = attributes};
  pfft3d_output *output = NULL;
  const pfft3d_box modes = packed_box(f);
  for (int k = 0; k < 6 && !e->status; k++) {
    char path[32];
    int c = k % 3, on_grid = k < 3;
    snprintf(path, sizeof path, "%s/%s", on_grid ? "" : "/spectrum", components[c]);
    if (!on_grid) copy_modes(f, c, f->fields.sum, 0);
    const piece p = {.path = path,
                     .numbers = on_grid ? PFFT3D_REAL : PFFT3D_COMPLEX,
                     .n = on_grid ? f->r.problem.n : f->extent,
                     .box = on_grid ? &f->space : &modes,
                     .array = on_grid ? flow_grid(f, c) : f->fields.sum};
    write_piece(a, &output, &spec, &p, e);
  }
  if (!e->status) pfft3d_output_commit(&output, e);
  pfft3d_output_discard(&output);
  return e->status;
}

/* Rank 0: files that later snapshots would replace, or their list. */
static int find_later(const app *a, const snapshots *s, const flow *f, pfft3d_error *e) {
  char name[FILE_SIZE], list[PATH_MAX];
  double every = a->opt.every, left = a->opt.end_time - f->now.t;
  double count = every > 0 ? ceil(left / every) : 1;
  if (s->replace) return PFFT3D_OK;
  const char *found = access(snapshot_list(s, list), F_OK) == 0 ? list : NULL;
  for (int k = 1; !found && snapshot_series(s) && k <= count && k < MOST_TRIED; k++)
    if (access(snapshot_name(s, s->number + k, name), F_OK) == 0) found = name;
  if (!found) return PFFT3D_OK;
  app_hint(e, "--force replaces it");
  return app_fail(e, PFFT3D_ERR_OUTPUT, "cannot create '%.200s': it exists", found);
}

int snapshot_try(app *a, const snapshots *s, const flow *f) {
  char name[FILE_SIZE];
  const ptrdiff_t *n = f->r.problem.n, *m = f->extent;
  const pfft3d_output_spec spec = {.name = snapshot_name(s, s->number, name),
                                   .path = components[0],
                                   .precision = options_precision(&a->opt),
                                   .numbers = PFFT3D_REAL,
                                   .dims = 1,
                                   .n = {1, 1, 3 * (n[0] * n[1] * n[2] + 2 * m[0] * m[1] * m[2])},
                                   .overwrite = s->replace};
  pfft3d_output *output = NULL;
  if (!s->name[0]) return PFFT3D_OK;
  watch_kick("reserving a snapshot");
  pfft3d_output_create(a->comm, &spec, sizeof spec, &output, &a->error);
  pfft3d_output_discard(&output);
  if (a->error.status) return a->error.status;
  if (a->rank == 0) find_later(a, s, f, &a->error);
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  return a->error.status;
}

int snapshot_write(app *a, snapshots *s, flow *f) {
  char name[FILE_SIZE];
  pfft3d_error mine = {0};
  if (!s->name[0]) return PFFT3D_OK;
  watch_kick("writing a snapshot");
  snapshot_name(s, s->number, name);
  if (write_file(a, s, f, name, &mine)) {
    int there = access(name, F_OK) == 0 && !s->replace; /* 0: the disk is full */
    MPI_Bcast(&there, 1, MPI_INT, 0, a->comm);
    if (s->written && mine.status == PFFT3D_ERR_OUTPUT && !there) mine.status = PFFT3D_ERR_IO;
    if (s->written) app_hint(&mine, "the snapshot before this one is complete: --restart goes on");
    return app_take(&a->error, &mine);
  }
  if (a->rank == 0) xdmf_write(s, f, &a->error);
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  s->number += snapshot_series(s);
  s->written++;
  s->replace |= !snapshot_series(s);
  return a->error.status;
}

/* ---- reading ---- */

static int no_snapshot(app *a, const char *name, const char *why) {
  return app_fail(&a->error, PFFT3D_ERR_DATA, "'%.150s' is no snapshot of turbulence: %s", name,
                  why);
}

/* Opens a component of the modes; *dataset is NULL after an error. */
static int probe(app *a, const char *file, const char *component, pfft3d_dataset **dataset,
                 pfft3d_dataset_info *info) {
  char name[FILE_SIZE + 32];
  snprintf(name, sizeof name, "%s:/spectrum/%s", file, component);
  if (pfft3d_dataset_probe(a->comm, name, dataset, &a->error)) return a->error.status;
  pfft3d_dataset_get_info(*dataset, info, sizeof *info);
  return PFFT3D_OK;
}

/* The value of an attribute; NaN if it is no number. */
static double number_of(const pfft3d_dataset *d, const char *attribute) {
  char text[40], *end;
  if (pfft3d_dataset_attribute(d, attribute, text, sizeof text, NULL)) text[0] = 0;
  double value = strtod(text, &end);
  return end == text || *end ? (double)NAN : value;
}

static int take_info(app *a, const char *name, const pfft3d_dataset *d, snapshot_info *info) {
  char text[80];
  double t = number_of(d, "time"), step = number_of(d, "step"), nu = number_of(d, "nu"),
         number = number_of(d, "snapshot");
  *info = (snapshot_info){.t = t, .terms = {.nu = nu, .dealias = -1}};
  if (!pfft3d_dataset_attribute(d, "schema", text, sizeof text, NULL) &&
      strcmp(text, SNAPSHOT_SCHEMA) != 0)
    return no_snapshot(a, name, "its schema is not " SNAPSHOT_SCHEMA);
  pfft3d_dataset_attribute(d, "dealias", text, sizeof text, NULL);
  for (int k = 0; k < 3; k++)
    if (strcmp(text, dealiasing[k]) == 0) info->terms.dealias = k;
  pfft3d_dataset_attribute(d, "grid", text, sizeof text, NULL);
  ptrdiff_t *n = info->terms.n;
  if (sscanf(text, "%tdx%tdx%td", &n[0], &n[1], &n[2]) != 3 || info->terms.dealias < 0)
    return no_snapshot(a, name, "its attributes name no grid, or no dealiasing");
  for (int k = 0; k < 3; k++)
    if (n[k] < 4 || n[k] > 1 << 24) return no_snapshot(a, name, "its grid is not one");
  if (!(t >= 0 && t <= 1e9) || !(nu >= 0 && nu <= 1e6) || !(step >= 0 && step <= 1e15) ||
      !(number >= 0 && number <= 1e9))
    return no_snapshot(a, name, "its attributes name no time, step, or viscosity");
  info->step = (long long)step;
  info->number = (int)number;
  return PFFT3D_OK;
}

int snapshot_look(app *a, const char *name, snapshot_info *info) {
  pfft3d_dataset *d = NULL;
  pfft3d_dataset_info shape;
  watch_kick("looking at the snapshot");
  if (!probe(a, name, components[0], &d, &shape)) take_info(a, name, d, info);
  pfft3d_dataset_free(&d);
  return a->error.status;
}

static int read_component(app *a, const char *name, flow *f, int c) {
  pfft3d_dataset *d = NULL;
  pfft3d_dataset_info info = {0};
  const pfft3d_box box = packed_box(f);
  if (!probe(a, name, components[c], &d, &info)) {
    if (info.numbers != PFFT3D_COMPLEX || memcmp(info.n, f->extent, sizeof info.n) != 0)
      no_snapshot(a, name, "its modes are not those of its grid");
    else if (!pfft3d_dataset_read(d, options_precision(&a->opt), PFFT3D_COMPLEX, &box,
                                  f->fields.sum, &a->error)) {
      pfft3d_dataset_get_info(d, &info, sizeof info);
      if (info.nonfinite > 0)
        app_fail(&a->error, PFFT3D_ERR_DATA,
                 "'%.150s' has values that are not finite in /spectrum/%s: %.0f of them", name,
                 components[c], info.nonfinite);
      copy_modes(f, c, f->fields.sum, 1);
    }
  }
  pfft3d_dataset_free(&d);
  return a->error.status;
}

int snapshot_read(app *a, const char *name, flow *f) {
  watch_kick("reading the snapshot");
  for (int c = 0; c < 3; c++)
    if (read_component(a, name, f, c)) return a->error.status;
  return PFFT3D_OK;
}
