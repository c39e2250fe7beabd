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

static const double two_pi = 6.28318530717958647692;

/* ---- plans ---- */

/* The largest wave number of an axis that the terms keep: |k| < n/3, or |k| < n/2.  A mode of n/2
 * waves is also the mode of -n/2 waves: its derivative is no mode of a real field, and would be in
 * the state but not on the grid. */
static ptrdiff_t largest_wave(const flow_terms *t, int axis) {
  return (t->n[axis] - 1) / (t->dealias == DEALIAS_DROP ? 3 : 2);
}

static pfft3d_request *make_request(const app *a, const flow_terms *t) {
  pfft3d_problem p = {
      .kind = PFFT3D_R2C, .precision = options_precision(&a->opt), .dims = 3, .batch = 3};
  for (int k = 0; k < 3; k++) {
    ptrdiff_t modes = 2 * largest_wave(t, k) + 1;
    p.n[k] = t->dealias == DEALIAS_PAD ? (3 * t->n[k] + 1) / 2 : t->n[k];
    p.keep[k] = modes >= p.n[k] ? 0 : modes;
  }
  pfft3d_request *r = options_request(a, &p);
  pfft3d_request_parse(r, "order=transposed joined", NULL);
  return r;
}

ptrdiff_t flow_wave(const flow *f, int axis, ptrdiff_t index) {
  ptrdiff_t modes = f->extent[axis];
  return axis == 2 || index < (modes + 1) / 2 ? index : index - modes;
}

double flow_weight(ptrdiff_t k2) {
  return k2 == 0 ? 1 : 2;
}

/* ---- tables ---- */

static void put(const flow *f, void *array, ptrdiff_t at, double value) {
  number_set(array, f->real == sizeof(float), at, value);
}

/* Copies values of axis 2, each twice. */
static void put_twice(const flow *f, void *array, const double *value) {
  for (ptrdiff_t i = 0; i < 2 * f->spectrum.len[2]; i++) put(f, array, i, value[i / 2]);
}

/* The state: rows of all components, each at a cache line, in the order of the transforms. */
static void lay_out(flow *f) {
  enum { line = 64 };
  pfft3d_box *b = &f->spectrum;
  int first = f->first;
  ptrdiff_t each = line / (2 * (ptrdiff_t)f->real);
  b->distance = (b->len[2] + each - 1) / each * each;
  b->stride[!first] = 3 * b->distance;
  b->stride[first] = b->len[!first] * b->stride[!first];
  b->stride[2] = 1;
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
  flow_modes *m = &f->modes[axis];
  flow_points *p = &f->points[axis];
  *m = (flow_modes){.first = axis,
                    .rows = {b->len[axis], b->len[!axis]},
                    .stride = {b->stride[axis], b->stride[!axis]},
                    .length = b->len[2],
                    .distance = b->distance,
                    .past = state_bytes(f) > caches,
                    .from = left->stride[!axis],
                    .to = f->taken.stride[!axis]};
  *p = (flow_points){.planes = s->len[axis],
                     .rows = s->len[!axis],
                     .length = s->len[2],
                     .number = {axis ? 1 : s->len[1], axis ? s->len[1] : 1},
                     .from = s->stride[!axis],
                     .to = product->stride[!axis]};
  for (int k = 0; k < 3; k++) p->inverse_step[k] = (double)f->r.problem.n[k] / two_pi;
  if (s->len[!axis] == 0 || s->len[2] == 0) p->planes = 0;
}

static void describe(flow *f) {
  const pfft3d_box left = f->spectrum;
  pfft3d_box product;
  pfft3d_plan_box(f->back.plan, PFFT3D_SPECTRUM, f->a->rank, &f->taken);
  pfft3d_plan_box(f->r.plan, PFFT3D_SPACE, f->a->rank, &product);
  f->first = left.stride[1] > left.stride[0];
  lay_out(f);
  for (int axis = 0; axis < 2; axis++) describe_planes(f, axis, &left, &product);
}

static void make_tables(flow *f) {
  const app *a = f->a;
  const pfft3d_box *b = &f->spectrum;
  size_t rows = (size_t)(f->points[0].planes * f->points[0].rows),
         planes = (size_t)f->r.problem.n[0];
  for (int k = 0; k < 3; k++) {
    f->wave[k] = app_malloc(a, (size_t)b->len[k], sizeof(double));
    f->factor[k] = app_malloc(a, (size_t)b->len[k], sizeof(double));
    for (ptrdiff_t i = 0; i < b->len[k]; i++) f->wave[k][i] = (double)flow_wave(f, k, b->lo[k] + i);
  }
  f->wave2 = app_malloc(a, 2 * (size_t)b->len[2], f->real);
  f->factor2 = app_malloc(a, 2 * (size_t)b->len[2], f->real);
  put_twice(f, f->wave2, f->wave[2]);
  f->sums = app_malloc(a, 3 * rows + 2 * planes, sizeof(double));
  for (int axis = 0; axis < 2; axis++) {
    flow_modes *m = &f->modes[axis];
    f->points[axis].energy = f->sums;
    f->points[axis].enstrophy = f->sums + rows;
    f->points[axis].speed = f->sums + 2 * rows;
    m->k2 = f->wave2;
    m->factor2 = f->factor2;
    for (int k = 0; k < 2; k++) m->k[k] = f->wave[k], m->factor[k] = f->factor[k];
  }
}

/* The factors for a time step; 1 if viscosity is a term of the equation. */
static void set_factors(flow *f, double dt) {
  int exact = f->a->opt.integrating_factor;
  if (f->factor_dt >= 0 && (!exact || fabs(f->factor_dt - dt) <= 0)) return;
  for (int k = 0; k < 3; k++)
    for (ptrdiff_t i = 0; i < f->spectrum.len[k]; i++)
      f->factor[k][i] = exact ? exp(-f->terms.nu * f->wave[k][i] * f->wave[k][i] * dt / 2) : 1;
  put_twice(f, f->factor2, f->factor[2]);
  for (int axis = 0; axis < 2; axis++) f->modes[axis].viscosity = exact ? 0 : f->terms.nu;
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

/* The forward transforms by the options, and backward ones of twice as many fields on the same
 * boxes. */
static int open_runs(const app *a, flow *f, pfft3d_error *e) {
  pfft3d_request *request = make_request(a, &f->terms);
  if (!run_open(a, &f->r, request, NORM_FORWARD, 1, e)) {
    pfft3d_request_set(request, "batch", "6", NULL);
    request_decide(request, &f->r.decision);
    pfft3d_request_wisdom(request, a->opt.known, 0, NULL);
    if (run_open(a, &f->back, request, NORM_FORWARD, 1, e)) run_close(&f->r);
  }
  pfft3d_request_destroy(&request);
  return e->status;
}

int flow_open(const app *a, flow *f, const flow_terms *terms, pfft3d_error *e) {
  *f = (flow){.a = a, .terms = *terms, .factor_dt = -1};
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
    free(f->factor[k]);
  }
  free(f->wave2);
  free(f->factor2);
  free(f->sums);
  free(f->fields.u);
  free(f->fields.stage);
  free(f->fields.sum);
  if (f->a) run_close(&f->r);
  if (f->a) run_close(&f->back);
  memset(f, 0, sizeof *f);
}

void *flow_mode(const flow *f, int component, const ptrdiff_t i[3]) {
  const pfft3d_box *b = &f->spectrum;
  ptrdiff_t at = b->offset + component * b->distance + i[0] * b->stride[0] + i[1] * b->stride[1] +
                 i[2] * b->stride[2];
  return (char *)f->fields.u + (size_t)at * 2 * f->real;
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

const void *flow_grid(const flow *f, int component) {
  ptrdiff_t at = f->space.offset + component * f->space.distance;
  return (const char *)f->back.array[0] + (size_t)at * f->real;
}

/* Runs the work on planes of the grid in an array. */
static void do_points(flow *f, work *w) {
  double start = MPI_Wtime();
  int threads = (int)options_number(&f->a->opt, "threads");
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

/* ---- steps ---- */

void flow_start(flow *f) {
  const flow_modes *m = &f->modes[f->first];
  for (ptrdiff_t i = 0; i < m->rows[0]; i++) {
    ptrdiff_t at = f->taken.offset + i * f->taken.stride[m->first];
    const pfft3d_plane p = {.axis = m->first,
                            .index = i,
                            .to = (char *)f->back.array[0] + (size_t)at * 2 * f->real,
                            .to_distance = f->taken.distance};
    f->loops->start(m, &f->fields, &p);
  }
  run_begin(f->a, &f->back, PFFT3D_BACKWARD, f->back.array[0]);
  f->begun = FLOW_BACK;
}

/* Sums over rows of a plane, planes of all ranks, and then over planes: the result is the same for
 * every number of slabs and threads. */
static void add_up(flow *f) {
  const pfft3d_box *b = &f->space;
  const ptrdiff_t planes = f->r.problem.n[0];
  const ptrdiff_t *n = f->r.problem.n;
  const ptrdiff_t rows = f->points[0].planes * f->points[0].rows;
  double *energy = f->sums + 3 * rows, *enstrophy = energy + planes, speed = 0;
  memset(energy, 0, 2 * (size_t)planes * sizeof *energy);
  for (ptrdiff_t r = 0; r < rows; r++) {
    ptrdiff_t plane = b->lo[0] + r / b->len[1];
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
  }
  f->now.step++;
}

/* ---- spectrum ---- */

int flow_shells(const flow *f) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (double)f->kept[k] * (double)f->kept[k];
  return (int)lround(sqrt(sum)) + 1;
}

double *flow_spectrum(const flow *f) {
  int shells = flow_shells(f);
  double *energy = app_malloc(f->a, (size_t)shells, sizeof *energy);
  const ptrdiff_t *len = f->spectrum.len;
  int single = f->real == sizeof(float);
  for (ptrdiff_t i = 0, x[3]; i < len[0] * len[1] * len[2]; i++) {
    double k2 = 0, sum = 0;
    x[0] = i / (len[1] * len[2]), x[1] = i / len[2] % len[1], x[2] = i % len[2];
    for (int c = 0; c < 3; c++) {
      const void *u = flow_mode(f, c, x);
      double re = number_get(u, single, 0), im = number_get(u, single, 1);
      k2 += f->wave[c][x[c]] * f->wave[c][x[c]];
      sum += re * re + im * im;
    }
    energy[lround(sqrt(k2))] += flow_weight(f->spectrum.lo[2] + x[2]) * sum / 2;
  }
  MPI_Allreduce(MPI_IN_PLACE, energy, shells, MPI_DOUBLE, MPI_SUM, f->a->comm);
  return energy;
}
