/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots in HDF5. */
#include "apps/turbulence/snapshot.h"

#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/report/report.h"

#define SNAPSHOT_SCHEMA "pfft3d.snapshot/1"
static const char *const dealiasing[] = {"2/3", "3/2", "none"};
static const char *const forcings[] = {"none", "linear", "shells"};
enum { MOST_TRIED = 100000 }; /* names of later snapshots that are tried */
static const char *const equation[] = {"Navier-Stokes, periodic box (2 pi)^2, vorticity",
                                       "Navier-Stokes, periodic box (2 pi)^3, rotational form"};

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

/* Elements that are side by side in both are copied at once. */
static void copy_modes(const flow *f, int component, void *packed, int spread) {
  const ptrdiff_t *len = f->spectrum.len, side = f->spectrum.stride[2] == 1 ? len[2] : 1;
  const size_t bytes = (size_t)side * 2 * f->real;
  char *at = packed;
  for (ptrdiff_t i = 0; i < len[0] * len[1]; i++)
    for (ptrdiff_t k = 0; k < len[2]; k += side, at += bytes) {
      const ptrdiff_t x[3] = {i / len[1], i % len[1], k};
      void *modes = flow_mode(f, f->fields.u, component, x);
      memcpy(spread ? modes : at, spread ? at : modes, bytes);
    }
}

/* ---- writing ---- */

/* The attributes of a snapshot, and their texts. */
enum { MOST_ATTRIBUTES = 20, TEXT = 80 };
typedef struct words {
  pfft3d_attribute attribute[MOST_ATTRIBUTES + 1];
  char text[MOST_ATTRIBUTES][TEXT];
  int count;
} words;

static void put_word(words *w, const char *name, const char *form, ...) {
  va_list list;
  char *text = w->text[w->count];
  va_start(list, form);
  vsnprintf(text, TEXT, form, list);
  va_end(list);
  w->attribute[w->count++] = (pfft3d_attribute){name, text};
}

static void put_words(const flow *f, const snapshots *s, words *w) {
  const flow_terms *t = &f->terms;
  char size[TEXT];
  if (f->dims == 2)
    snprintf(size, sizeof size, "%tdx%td", t->n[1], t->n[2]);
  else
    snprintf(size, sizeof size, "%tdx%tdx%td", t->n[0], t->n[1], t->n[2]);
  put_word(w, "schema", "%s", SNAPSHOT_SCHEMA);
  put_word(w, "pfft3d_version", "%s", pfft3d_version());
  put_word(w, "equation", "%s", equation[f->dims == 3]);
  put_word(w, "grid", "%s", size);
  put_word(w, "dealias", "%s", dealiasing[t->dealias]);
  put_word(w, "nu", "%.17g", t->nu);
  put_word(w, "time", "%.17g", f->now.t);
  put_word(w, "step", "%lld", f->now.step);
  put_word(w, "snapshot", "%d", s->number);
  if (t->force.kind) {
    put_word(w, "forcing", "%s", forcings[t->force.kind]);
    put_word(w, "forcing_strength", "%.17g", t->force.strength);
    put_word(w, "forcing_shells", "%d", t->force.shells);
  }
  if (t->scalar.present) {
    put_word(w, "schmidt", "%.17g", t->scalar.schmidt);
    put_word(w, "scalar_gradient", "%.17g", t->scalar.gradient);
  }
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
  words w = {.count = 0};
  put_words(f, s, &w);
  pfft3d_output_spec spec = {.name = name,
                             .precision = options_precision(&a->opt),
                             .dims = f->dims,
                             .overwrite = s->replace,
                             .attributes = w.attribute};
  pfft3d_output *output = NULL;
  const pfft3d_box modes = packed_box(f);
  const int points = flow_grid_names(f);
  for (int k = 0; k < points + f->components && !e->status; k++) {
    char path[32];
    int on_grid = k < points, c = k - points;
    const char *field = on_grid ? flow_grid_name(f, k, &c) : flow_name(f, c);
    snprintf(path, sizeof path, "%s/%s", on_grid ? "" : "/spectrum", field);
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
  const pfft3d_output_spec spec = {
      .name = snapshot_name(s, s->number, name),
      .path = "u",
      .precision = options_precision(&a->opt),
      .numbers = PFFT3D_REAL,
      .dims = 1,
      .n = {1, 1, flow_grid_names(f) * n[0] * n[1] * n[2] + f->components * 2 * m[0] * m[1] * m[2]},
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
static int probe(const app *a, const char *file, const char *component, pfft3d_dataset **dataset,
                 pfft3d_error *e) {
  char name[FILE_SIZE + 32];
  snprintf(name, sizeof name, "%s:/spectrum/%s", file, component);
  return pfft3d_dataset_probe(a->comm, name, dataset, e);
}

/* The value of an attribute; NaN if it is no number. */
static double number_of(const pfft3d_dataset *d, const char *attribute) {
  char text[40], *end;
  if (pfft3d_dataset_attribute(d, attribute, text, sizeof text, NULL)) text[0] = 0;
  double value = strtod(text, &end);
  return end == text || *end ? (double)NAN : value;
}

/* The number of the text of an attribute in a list; -1 if it is none of them. */
static int choice_of(const pfft3d_dataset *d, const char *attribute, const char *const list[3]) {
  char text[TEXT] = "";
  if (pfft3d_dataset_attribute(d, attribute, text, sizeof text, NULL)) return -1;
  for (int k = 0; k < 3; k++)
    if (strcmp(text, list[k]) == 0) return k;
  return -1;
}

static int take_grid(const pfft3d_dataset *d, ptrdiff_t n[3]) {
  char text[TEXT] = "";
  pfft3d_dataset_attribute(d, "grid", text, sizeof text, NULL);
  int axes = sscanf(text, "%tdx%tdx%td", &n[0], &n[1], &n[2]);
  if (axes == 2) n[2] = n[1], n[1] = n[0], n[0] = 1;
  for (int k = 3 - axes; k < 3 && axes >= 2; k++)
    if (n[k] < 4 || n[k] > 1 << 24) return 0;
  return axes >= 2;
}

/* A force or a scalar, which older snapshots lack; 0 for values that are none. */
static int take_more(const pfft3d_dataset *d, flow_terms *t) {
  int kind = choice_of(d, "forcing", forcings);
  double strength = number_of(d, "forcing_strength"), shells = number_of(d, "forcing_shells");
  if (kind > FORCING_NONE) {
    if (!(strength >= 0 && strength <= 1e9 && shells >= 1 && shells <= 1 << 20)) return 0;
    t->force = (flow_force){.kind = kind, .strength = strength, .shells = (int)shells};
  }
  double schmidt = number_of(d, "schmidt"), gradient = number_of(d, "scalar_gradient");
  if (isnan(schmidt)) return 1;
  t->scalar = (flow_scalar){.present = 1, .schmidt = schmidt, .gradient = gradient};
  return schmidt > 0 && schmidt <= 1e9 && gradient >= 0 && gradient <= 1e9;
}

static int take_info(app *a, const char *name, const pfft3d_dataset *d, snapshot_info *info) {
  char text[80];
  double t = number_of(d, "time"), step = number_of(d, "step"), nu = number_of(d, "nu"),
         number = number_of(d, "snapshot");
  *info = (snapshot_info){.t = t, .terms = {.nu = nu, .scalar.schmidt = 1}};
  if (!pfft3d_dataset_attribute(d, "schema", text, sizeof text, NULL) &&
      strcmp(text, SNAPSHOT_SCHEMA) != 0)
    return no_snapshot(a, name, "its schema is not " SNAPSHOT_SCHEMA);
  info->terms.dealias = choice_of(d, "dealias", dealiasing);
  if (info->terms.dealias < 0 || !take_grid(d, info->terms.n))
    return no_snapshot(a, name, "its attributes name no grid, or no dealiasing");
  if (!(t >= 0 && t <= 1e9) || !(nu >= 0 && nu <= 1e6) || !(step >= 0 && step <= 1e15) ||
      !(number >= 0 && number <= 1e9))
    return no_snapshot(a, name, "its attributes name no time, step, or viscosity");
  if (!take_more(d, &info->terms))
    return no_snapshot(a, name, "its attributes of a force or a scalar are none");
  info->step = (long long)step;
  info->number = (int)number;
  return PFFT3D_OK;
}

/* The first component of the state in three dimensions, or in two. */
int snapshot_look(app *a, const char *name, snapshot_info *info) {
  pfft3d_dataset *d = NULL;
  pfft3d_error other = {0};
  watch_kick("looking at the snapshot");
  if (!probe(a, name, "u", &d, &a->error) || !probe(a, name, "omega", &d, &other)) {
    a->error = (pfft3d_error){0};
    take_info(a, name, d, info);
  }
  pfft3d_dataset_free(&d);
  return a->error.status;
}

static int read_component(app *a, const char *name, flow *f, int c) {
  pfft3d_dataset *d = NULL;
  pfft3d_dataset_info info = {0};
  const pfft3d_box box = packed_box(f);
  if (!probe(a, name, flow_name(f, c), &d, &a->error)) {
    pfft3d_dataset_get_info(d, &info, sizeof info);
    if (info.numbers != PFFT3D_COMPLEX || memcmp(info.n, f->extent, sizeof info.n) != 0)
      no_snapshot(a, name, "its modes are not those of its grid");
    else if (!pfft3d_dataset_read(d, options_precision(&a->opt), PFFT3D_COMPLEX, &box,
                                  f->fields.sum, &a->error)) {
      pfft3d_dataset_get_info(d, &info, sizeof info);
      if (info.nonfinite > 0)
        app_fail(&a->error, PFFT3D_ERR_DATA,
                 "'%.150s' has values that are not finite in /spectrum/%s: %.0f of them", name,
                 flow_name(f, c), info.nonfinite);
      copy_modes(f, c, f->fields.sum, 1);
    }
  }
  pfft3d_dataset_free(&d);
  return a->error.status;
}

int snapshot_read(app *a, const char *name, flow *f, int components) {
  watch_kick("reading the snapshot");
  for (int c = 0; c < components; c++)
    if (read_component(a, name, f, c)) return a->error.status;
  return PFFT3D_OK;
}
