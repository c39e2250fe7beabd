/* SPDX-License-Identifier: BSD-3-Clause
 * Source of the scheme: Canuto, Hussaini, Quarteroni and Zang, Spectral Methods (2007); the
 * distributed form of Mortensen and Langtangen, Comput. Phys. Commun. 203 (2016).  Modes that
 * dealiasing drops are modes that the plan does not keep: they are never stored nor sent. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* madvise */
#endif
#include "apps/turbulence/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/request.h"
#include "app/common/timeline.h"

static const double two_pi = 6.28318530717958647692;

/* ---- plans ---- */

/* The largest wave number of an axis that the terms keep: |k| < n/3, or |k| < n/2.  A mode of n/2
 * waves is also the mode of -n/2 waves: its derivative is no mode of a real field, and would be in
 * the state but not on the grid. */
static ptrdiff_t largest_wave(const flow_terms *t, int axis) {
  return (t->n[axis] - 1) / (t->dealias == DEALIAS_DROP ? 3 : 2);
}

static pfft3d_request *make_request(const app *a, const flow_terms *t, int dims, int batch) {
  pfft3d_problem p = {
      .kind = PFFT3D_R2C, .precision = options_precision(&a->opt), .dims = dims, .batch = batch};
  for (int k = 0; k < 3; k++) {
    ptrdiff_t modes = 2 * largest_wave(t, k) + 1;
    p.n[k] = t->dealias == DEALIAS_PAD && k >= 3 - dims ? (3 * t->n[k] + 1) / 2 : t->n[k];
    p.keep[k] = modes >= p.n[k] ? 0 : modes;
  }
  pfft3d_request *r = options_request(a, &p);
  pfft3d_request_parse(r, "order=transposed joined", NULL);
  /* two dimensions as pencils leave ranks idle, and sums would depend on their number */
  if (dims == 2 && !options_given(&a->opt, "decomp") && !options_given(&a->opt, "pgrid"))
    pfft3d_request_parse(r, "decomp=slab", NULL);
  return r;
}

/* ---- tables ---- */

static void put(const flow *f, void *array, ptrdiff_t at, double value) {
  number_set(array, f->real == sizeof(float), at, value);
}

/* Copies values of an axis, each twice. */
static void put_twice(const flow *f, void *array, const double *value, int axis) {
  for (ptrdiff_t i = 0; i < 2 * f->spectrum.len[axis]; i++) put(f, array, i, value[i / 2]);
}

/* The axes of rows in planes of an axis and of their elements: in two dimensions transforms leave
 * the modes of axis 1 side by side. */
static int row_axis(const flow *f, int axis) {
  return f->dims == 2 ? 2 : !axis;
}

static int along_axis(const flow *f) {
  return f->dims == 2 ? 1 : 2;
}

/* The state: rows of all components, each at a cache line, in the order of the transforms. */
static void lay_out(flow *f) {
  enum { line = 64 };
  pfft3d_box *b = &f->spectrum;
  int first = f->first, rows = row_axis(f, first), along = along_axis(f);
  ptrdiff_t each = line / (2 * (ptrdiff_t)f->real);
  b->distance = (b->len[along] + each - 1) / each * each;
  b->stride[rows] = f->components * b->distance;
  b->stride[first] = b->len[rows] * b->stride[rows];
  b->stride[along] = 1;
  b->offset = 0;
}

/* Bytes of an array of the state. */
static size_t state_bytes(const flow *f) {
  const pfft3d_box *b = &f->spectrum;
  return (size_t)(b->len[f->first] * b->stride[f->first]) * 2 * f->real;
}

/* Modes and points as planes of an axis. */
static void describe_planes(flow *f, int axis, const pfft3d_box *left, const pfft3d_box *product) {
  enum { caches = 4 << 20 };
  const pfft3d_box *b = &f->spectrum, *s = &f->space;
  const int rows = row_axis(f, axis), along = along_axis(f);
  flow_modes *m = &f->modes[axis];
  flow_points *p = &f->points[axis];
  *m = (flow_modes){.dims = f->dims,
                    .scalar = f->terms.scalar.present,
                    .axis = {axis, rows, along},
                    .rows = {b->len[axis], b->len[rows]},
                    .stride = {b->stride[axis], b->stride[rows]},
                    .length = b->len[along],
                    .distance = b->distance,
                    .past = state_bytes(f) > caches,
                    .from = left->stride[rows],
                    .to = f->taken.stride[rows],
                    .decay = f->decay[axis],
                    .force = &f->force,
                    .gradient = f->terms.scalar.gradient};
  *p = (flow_points){.dims = f->dims,
                     .scalar = f->terms.scalar.present,
                     .planes = s->len[axis],
                     .rows = s->len[!axis],
                     .length = s->len[2],
                     .number = {axis ? 1 : s->len[1], axis ? s->len[1] : 1},
                     .from = s->stride[!axis],
                     .to = product->stride[!axis]};
  for (int k = 0; k < f->dims; k++)
    p->inverse_step[k] = (double)f->r.problem.n[3 - f->dims + k] / two_pi;
  if (s->len[!axis] == 0 || s->len[2] == 0) p->planes = 0;
}

static void describe(flow *f) {
  const pfft3d_box left = f->spectrum;
  pfft3d_box product;
  pfft3d_plan_box(f->back.plan, PFFT3D_SPECTRUM, f->a->rank, &f->taken);
  pfft3d_plan_box(f->r.plan, PFFT3D_SPACE, f->a->rank, &product);
  f->first = f->dims == 3 && left.stride[1] > left.stride[0];
  lay_out(f);
  for (int axis = 0; axis < 2; axis++) describe_planes(f, axis, &left, &product);
}

/* The axis whose indices have a sum of their own: that along which slabs are cut. */
static int sum_axis(const flow *f) {
  return 3 - f->dims;
}

static void make_tables(flow *f) {
  const app *a = f->a;
  const pfft3d_box *b = &f->spectrum;
  size_t rows = (size_t)(f->points[0].planes * f->points[0].rows),
         planes = (size_t)f->r.problem.n[sum_axis(f)];
  const int along = along_axis(f);
  for (int k = 0; k < 3; k++) {
    f->wave[k] = app_malloc(a, (size_t)b->len[k], sizeof(double));
    for (int d = 0; d < FLOW_DECAYS; d++)
      f->factor[d][k] = app_malloc(a, (size_t)b->len[k], sizeof(double));
    for (ptrdiff_t i = 0; i < b->len[k]; i++) f->wave[k][i] = (double)flow_wave(f, k, b->lo[k] + i);
  }
  f->wave2 = app_malloc(a, 2 * (size_t)b->len[along], f->real);
  put_twice(f, f->wave2, f->wave[along], along);
  f->sums = app_malloc(a, 3 * rows + 2 * planes, sizeof(double));
  for (int d = 0; d < FLOW_DECAYS; d++)
    f->along[d] = app_malloc(a, 2 * (size_t)b->len[along], f->real);
  for (int axis = 0; axis < 2; axis++) {
    flow_modes *m = &f->modes[axis];
    f->points[axis].energy = f->sums;
    f->points[axis].enstrophy = f->sums + rows;
    f->points[axis].speed = f->sums + 2 * rows;
    m->k2 = f->wave2;
    for (int k = 0; k < 2; k++) m->k[k] = f->wave[m->axis[k]];
    for (int d = 0; d < FLOW_DECAYS; d++) {
      f->decay[axis][d].along = f->along[d];
      for (int k = 0; k < 2; k++) f->decay[axis][d].factor[k] = f->factor[d][m->axis[k]];
    }
  }
}

/* The factors for a time step; 1 if viscosity is a term of the equation. */
static void set_factors(flow *f, double dt) {
  int exact = f->a->opt.integrating_factor, along = along_axis(f);
  if (f->factor_dt >= 0 && (!exact || fabs(f->factor_dt - dt) <= 0)) return;
  for (int d = 0; d < FLOW_DECAYS; d++) {
    double coefficient = f->terms.nu / (d == FLOW_DIFFUSION ? f->terms.scalar.schmidt : 1);
    for (int k = 0; k < 3; k++)
      for (ptrdiff_t i = 0; i < f->spectrum.len[k]; i++)
        f->factor[d][k][i] = exact ? exp(-coefficient * f->wave[k][i] * f->wave[k][i] * dt / 2) : 1;
    put_twice(f, f->along[d], f->factor[d][along], along);
    for (int axis = 0; axis < 2; axis++) f->decay[axis][d].coefficient = exact ? 0 : coefficient;
  }
  f->factor_dt = dt;
}

/* ---- memory ---- */

/* Allocates an array, on large pages if the system has them. */
static void *get_array(size_t bytes) {
  const size_t page = (size_t)1 << 21;
  void *p = NULL;
  if (posix_memalign(&p, bytes < page ? 64 : page, bytes ? bytes : 64)) return NULL;
#ifdef MADV_HUGEPAGE
  if (bytes >= page) madvise(p, bytes, MADV_HUGEPAGE);
#endif
  return p;
}

static int get_arrays(flow *f, pfft3d_error *e) {
  size_t bytes = state_bytes(f);
  pfft3d_error mine = {0};
  f->fields =
      (flow_fields){.u = get_array(bytes), .stage = get_array(bytes), .sum = get_array(bytes)};
  int missing = !f->fields.u || !f->fields.stage || !f->fields.sum;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, f->a->comm);
  if (f->fields.u) memset(f->fields.u, 0, bytes);
  if (missing)
    app_fail(&mine, PFFT3D_ERR_MEMORY, "cannot allocate %zu bytes for the modes of a flow",
             3 * bytes);
  return missing ? app_take(e, &mine) : PFFT3D_OK;
}

/* The forward transforms by the options, and backward ones of more fields on the same boxes. */
static int open_runs(const app *a, flow *f, pfft3d_error *e) {
  char batch[16];
  pfft3d_request *request = make_request(a, &f->terms, f->dims, f->of_product);
  if (!run_open(a, &f->r, request, NORM_FORWARD, 1, e)) {
    snprintf(batch, sizeof batch, "%d", f->on_grid);
    pfft3d_request_set(request, "batch", batch, NULL);
    request_decide(request, &f->r.decision);
    pfft3d_request_wisdom(request, a->opt.known, 0, NULL);
    if (run_open(a, &f->back, request, NORM_FORWARD, 1, e)) run_close(&f->r);
  }
  if (!e->status) timeline_record(a, f->r.plan, 1), timeline_record(a, f->back.plan, 1);
  pfft3d_request_destroy(&request);
  return e->status;
}

/* The numbers of components. */
static void count_components(flow *f) {
  int scalar = f->terms.scalar.present;
  f->dims = f->terms.n[0] == 1 ? 2 : 3;
  f->components = (f->dims == 3 ? 3 : 1) + scalar;
  f->on_grid = (f->dims == 3 ? 6 : 3) + scalar;
  f->of_product = f->dims * (1 + scalar);
}

int flow_open(const app *a, flow *f, const flow_terms *terms, pfft3d_error *e) {
  *f = (flow){.a = a, .terms = *terms, .factor_dt = -1};
  count_components(f);
  if (open_runs(a, f, e)) return e->status;
  int single = f->r.problem.precision == PFFT3D_SINGLE;
  f->loops = single ? &flow_loops_single : &flow_loops_double;
  f->real = single ? sizeof(float) : sizeof(double);
  pfft3d_plan_box(f->back.plan, PFFT3D_SPACE, a->rank, &f->space);
  pfft3d_plan_box(f->r.plan, PFFT3D_SPECTRUM, a->rank, &f->spectrum);
  pfft3d_plan_extents(f->r.plan, PFFT3D_SPECTRUM, f->extent);
  for (int k = 0; k < 3; k++) f->kept[k] = largest_wave(terms, k);
  describe(f);
  make_tables(f);
  return get_arrays(f, e);
}

void flow_close(flow *f) {
  if (f->begun == FLOW_FORWARD) run_end(f->a, &f->r, PFFT3D_FORWARD, f->r.array[0]);
  for (int k = 0; k < 3; k++) {
    free(f->wave[k]);
    for (int d = 0; d < FLOW_DECAYS; d++) free(f->factor[d][k]);
  }
  free(f->wave2);
  for (int d = 0; d < FLOW_DECAYS; d++) free(f->along[d]);
  free(f->sums);
  free(f->fields.u);
  free(f->fields.stage);
  free(f->fields.sum);
  if (f->a) run_close(&f->r);
  if (f->a) run_close(&f->back);
  memset(f, 0, sizeof *f);
}

/* ---- planes ---- */

/* The work on planes, and the seconds that one thread takes for it. */
typedef struct work {
  flow *f;
  int stage, measures, multiplies;
  double dt, seconds;
} work;

static void on_modes(void *context, const pfft3d_plane *p) {
  work *w = context;
  double start = p->thread ? 0 : MPI_Wtime();
  w->f->loops->advance(&w->f->modes[p->axis], &w->f->fields, p, w->stage, w->dt);
  if (!p->thread) w->seconds += MPI_Wtime() - start;
}

static void on_points(void *context, const pfft3d_plane *p) {
  work *w = context;
  double start = p->thread ? 0 : MPI_Wtime();
  if (w->measures) w->f->loops->measure(&w->f->points[p->axis], p);
  if (w->multiplies) w->f->loops->product(&w->f->points[p->axis], p);
  if (!p->thread) w->seconds += MPI_Wtime() - start;
}

/* Runs joined transforms: time outside the function counts as transforms. */
static void join(flow *f, int product, work *w) {
  const app *a = f->a;
  void *grid[] = {f->back.array[0], f->back.array[0]}, *modes[] = {f->r.array[0], grid[0]};
  double start = MPI_Wtime();
  w->f = f;
  w->seconds = 0;
  if (product)
    run_between(a, &f->back, PFFT3D_BACKWARD, &f->r, on_points, w, grid);
  else
    run_between(a, &f->r, PFFT3D_FORWARD, &f->back, on_modes, w, modes);
  f->begun = product ? FLOW_FORWARD : FLOW_BACK;
  f->phase[product ? FLOW_PRODUCT : FLOW_UPDATE] += w->seconds;
  f->phase[FLOW_FFT] += MPI_Wtime() - start - w->seconds;
}

/* Runs the work on planes of the grid in an array. */
static void do_points(flow *f, work *w) {
  double start = MPI_Wtime();
  int threads = (int)options_number(&f->a->opt, "threads");
  (void)threads;
  w->f = f;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (ptrdiff_t i = 0; i < f->points[0].planes; i++) {
    char *at =
        (char *)f->back.array[0] + (size_t)(f->space.offset + i * f->space.stride[0]) * f->real;
    on_points(w, &(pfft3d_plane){.index = i,
                                 .thread = 1,
                                 .from = at,
                                 .to = at,
                                 .from_distance = f->space.distance,
                                 .to_distance = f->space.distance});
  }
  f->phase[FLOW_PRODUCT] += MPI_Wtime() - start;
}

/* ---- the force ---- */

/* The rate of a force with a given power, from the energy of the modes that it drives. */
static void set_force(flow *f, void *array) {
  const flow_force *force = &f->terms.force;
  f->force = (flow_rate){0};
  if (force->kind == FORCING_LINEAR)
    f->force = (flow_rate){.rate = force->strength, .band = HUGE_VAL};
  if (force->kind != FORCING_SHELLS) return;
  double energy = flow_band(f, array, 1, force->shells);
  f->force.band = force->shells * force->shells;
  if (energy > 0) f->force.rate = force->strength / (2 * energy);
}

/* ---- steps ---- */

void flow_start(flow *f) {
  const flow_modes *m = &f->modes[f->first];
  set_force(f, f->fields.u);
  f->mean_energy = flow_band(f, f->fields.u, 0, 0);
  for (ptrdiff_t i = 0; i < m->rows[0]; i++) {
    ptrdiff_t at = f->taken.offset + i * f->taken.stride[f->first];
    const pfft3d_plane p = {.axis = f->first,
                            .index = i,
                            .to = (char *)f->back.array[0] + (size_t)at * 2 * f->real,
                            .to_distance = f->taken.distance};
    f->loops->start(m, &f->fields, &p);
  }
  run_begin(f->a, &f->back, PFFT3D_BACKWARD, f->back.array[0]);
  f->begun = FLOW_BACK;
}

/* Sums over rows of a plane, in two dimensions over a row, planes of all ranks, and then over
 * planes: the result is the same for every number of slabs and threads. */
static void add_up(flow *f) {
  const pfft3d_box *b = &f->space;
  const ptrdiff_t *n = f->r.problem.n, planes = n[sum_axis(f)];
  const ptrdiff_t rows = f->points[0].planes * f->points[0].rows;
  double *energy = f->sums + 3 * rows, *enstrophy = energy + planes, speed = 0;
  memset(energy, 0, 2 * (size_t)planes * sizeof *energy);
  for (ptrdiff_t r = 0; r < rows; r++) {
    ptrdiff_t plane = f->dims == 2 ? b->lo[1] + r : b->lo[0] + r / b->len[1];
    energy[plane] += f->points[0].energy[r];
    enstrophy[plane] += f->points[0].enstrophy[r];
    speed = fmax(speed, f->points[0].speed[r]);
  }
  MPI_Allreduce(MPI_IN_PLACE, energy, (int)(2 * planes), MPI_DOUBLE, MPI_SUM, f->a->comm);
  f->now.speed = run_max(f->a, speed);
  f->now.energy = f->now.enstrophy = 0;
  for (ptrdiff_t k = 0; k < planes; k++) {
    f->now.energy += energy[k];
    f->now.enstrophy += enstrophy[k];
  }
  double points = (double)n[0] * (double)n[1] * (double)n[2];
  f->now.energy /= 2 * points;
  f->now.enstrophy /= 2 * points;
  f->now.input = f->force.rate > 0 ? f->terms.force.strength : 0;
  if (f->terms.force.kind == FORCING_LINEAR) f->now.input *= 2 * (f->now.energy - f->mean_energy);
}

void flow_measure(flow *f, int stop) {
  work w = {.measures = 1, .multiplies = !stop};
  double start = MPI_Wtime();
  if (stop) {
    run_end(f->a, &f->back, PFFT3D_BACKWARD, f->back.array[0]);
    f->begun = FLOW_NONE;
    f->phase[FLOW_FFT] += MPI_Wtime() - start;
    do_points(f, &w);
  } else {
    join(f, 1, &w);
  }
  start = MPI_Wtime();
  add_up(f);
  f->phase[FLOW_PRODUCT] += MPI_Wtime() - start;
}

void flow_product(flow *f) {
  do_points(f, &(work){.multiplies = 1});
  double start = MPI_Wtime();
  run_begin(f->a, &f->r, PFFT3D_FORWARD, f->back.array[0]);
  f->begun = FLOW_FORWARD;
  f->phase[FLOW_FFT] += MPI_Wtime() - start;
}

void flow_step(flow *f, double dt) {
  set_factors(f, dt);
  for (int stage = 0; stage < 4; stage++) {
    if (stage) join(f, 1, &(work){.multiplies = 1});
    join(f, 0, &(work){.stage = stage, .dt = dt});
    set_force(f, stage < 3 ? f->fields.stage : f->fields.u);
  }
  f->now.step++;
}
