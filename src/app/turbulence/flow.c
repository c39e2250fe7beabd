/* SPDX-License-Identifier: BSD-3-Clause
 * Source of the scheme: Canuto, Hussaini, Quarteroni and Zang, Spectral Methods (2007); the
 * distributed form of Mortensen and Langtangen, Comput. Phys. Commun. 203 (2016).  Modes that
 * dealiasing drops are modes that the plan does not keep: they are never stored nor sent. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* madvise */
#endif
#include "app/turbulence/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/request.h"

static const double two_pi = 6.28318530717958647692;

/* ---- plans ---- */

/* The largest wave number of an axis that the terms keep: |k| < n/3, |k| < n/2, or n/2. */
static ptrdiff_t largest_wave(const flow_terms *t, int axis) {
  ptrdiff_t n = t->n[axis];
  return t->dealias == DEALIAS_DROP ? (n - 1) / 3 : t->dealias == DEALIAS_PAD ? (n - 1) / 2 : n / 2;
}

static run_spec make_request(const app *a, const flow_terms *t) {
  const options *o = &a->opt;
  run_spec s = options_request(o, o->algo.name[0], o->engine.name[0]);
  s.problem.kind = PFFT3D_R2C;
  s.problem.batch = 3;
  for (int k = 0; k < 3; k++) {
    ptrdiff_t modes = 2 * largest_wave(t, k) + 1;
    s.problem.n[k] = t->dealias == DEALIAS_PAD ? (3 * t->n[k] + 1) / 2 : t->n[k];
    s.problem.keep[k] = t->dealias == DEALIAS_NONE || modes >= s.problem.n[k] ? 0 : modes;
  }
  s.decision.order = PFFT3D_TRANSPOSED;
  request_normalize(&s, NORM_FORWARD);
  return s;
}

ptrdiff_t flow_wave(const flow *f, int axis, ptrdiff_t index) {
  ptrdiff_t modes = f->extent[axis];
  return axis == 2 || index < (modes + 1) / 2 ? index : index - modes;
}

double flow_weight(const flow *f, ptrdiff_t k2) {
  return k2 == 0 || 2 * k2 == f->r.request.problem.n[2] ? 1 : 2;
}

/* ---- tables ---- */

static void put(const flow *f, void *array, ptrdiff_t at, double value) {
  number_set(array, f->real == sizeof(float), at, value);
}

/* Copies values of axis 2, each twice. */
static void put_twice(const flow *f, void *array, const double *value) {
  for (ptrdiff_t i = 0; i < 2 * f->spectrum.len[2]; i++) put(f, array, i, value[i / 2]);
}

static void describe(flow *f) {
  const pfft3d_box *b = &f->spectrum, *s = &f->space;
  int first = b->stride[1] > b->stride[0], threads = (int)f->a->opt.threads;
  f->modes = (flow_modes){.first = first,
                          .second = !first,
                          .rows = {b->len[first], b->len[!first]},
                          .stride = {b->stride[first], b->stride[!first]},
                          .length = b->len[2],
                          .distance = b->distance,
                          .offset = b->offset,
                          .threads = threads};
  f->points = (flow_points){.rows = s->len[0] * s->len[1],
                            .length = s->len[2],
                            .stride = s->stride[1],
                            .distance = s->distance,
                            .threads = threads};
  for (int k = 0; k < 3; k++)
    f->points.inverse_step[k] = (double)f->r.request.problem.n[k] / two_pi;
  if (s->len[2] == 0) f->points.rows = 0;
}

static void make_tables(flow *f) {
  const app *a = f->a;
  const pfft3d_box *b = &f->spectrum;
  size_t rows = (size_t)f->points.rows, planes = (size_t)f->r.request.problem.n[0];
  for (int k = 0; k < 3; k++) {
    f->wave[k] = app_malloc(a, (size_t)b->len[k], sizeof(double));
    f->factor[k] = app_malloc(a, (size_t)b->len[k], sizeof(double));
    for (ptrdiff_t i = 0; i < b->len[k]; i++) f->wave[k][i] = (double)flow_wave(f, k, b->lo[k] + i);
  }
  f->wave2 = app_malloc(a, 2 * (size_t)b->len[2], f->real);
  f->factor2 = app_malloc(a, 2 * (size_t)b->len[2], f->real);
  put_twice(f, f->wave2, f->wave[2]);
  f->sums = app_malloc(a, 3 * rows + 2 * planes, sizeof(double));
  f->points.energy = f->sums;
  f->points.enstrophy = f->sums + rows;
  f->points.speed = f->sums + 2 * rows;
  f->modes.k2 = f->wave2;
  f->modes.factor2 = f->factor2;
  for (int k = 0; k < 2; k++) f->modes.k[k] = f->wave[k], f->modes.factor[k] = f->factor[k];
}

/* The factors for a time step; ones where viscosity is a term of the equation. */
static void set_factors(flow *f, double dt) {
  int exact = f->a->opt.integrating_factor;
  if (f->factor_dt >= 0 && (!exact || fabs(f->factor_dt - dt) <= 0)) return;
  for (int k = 0; k < 3; k++)
    for (ptrdiff_t i = 0; i < f->spectrum.len[k]; i++)
      f->factor[k][i] = exact ? exp(-f->terms.nu * f->wave[k][i] * f->wave[k][i] * dt / 2) : 1;
  put_twice(f, f->factor2, f->factor[2]);
  f->modes.viscosity = exact ? 0 : f->terms.nu;
  f->factor_dt = dt;
}

/* ---- memory ---- */

/* On large pages where the system has them. */
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
  const pfft3d_box *b = &f->spectrum;
  size_t whole = pfft3d_plan_elements(f->r.plan, PFFT3D_SPECTRUM) * 2 * f->real;
  size_t own = 6 * f->real * (size_t)(b->len[0] * b->len[1] * b->len[2]);
  pfft3d_error mine = {0};
  f->fields = (flow_fields){.u = get_array(whole),
                            .change = f->r.array[1],
                            .curl = f->r.array[0],
                            .start = get_array(own),
                            .sum = get_array(own)};
  int missing = !f->fields.u || !f->fields.start || !f->fields.sum;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, f->a->comm);
  if (!missing) memset(f->fields.u, 0, whole);
  if (missing)
    app_fail(&mine, PFFT3D_ERR_MEMORY, "cannot allocate %zu bytes for the modes of a flow",
             whole + 2 * own);
  return missing ? app_take(e, &mine) : PFFT3D_OK;
}

int flow_open(const app *a, flow *f, const flow_terms *terms, pfft3d_error *e) {
  run_spec request = make_request(a, terms);
  *f = (flow){.a = a, .terms = *terms, .factor_dt = -1};
  if (run_open(a, &f->r, &request, 2, e)) return e->status;
  int single = request.problem.precision == PFFT3D_SINGLE;
  f->loops = single ? &flow_loops_single : &flow_loops_double;
  f->real = single ? sizeof(float) : sizeof(double);
  pfft3d_plan_box(f->r.plan, PFFT3D_SPACE, a->rank, &f->space);
  pfft3d_plan_box(f->r.plan, PFFT3D_SPECTRUM, a->rank, &f->spectrum);
  pfft3d_plan_extents(f->r.plan, PFFT3D_SPECTRUM, f->extent);
  for (int k = 0; k < 3; k++) f->kept[k] = largest_wave(terms, k);
  describe(f);
  make_tables(f);
  return get_arrays(f, e);
}

void flow_close(flow *f) {
  for (int k = 0; k < 3; k++) {
    free(f->wave[k]);
    free(f->factor[k]);
  }
  free(f->wave2);
  free(f->factor2);
  free(f->sums);
  free(f->fields.u);
  free(f->fields.start);
  free(f->fields.sum);
  if (f->a) run_close(&f->r);
  memset(f, 0, sizeof *f);
}

void *flow_mode(const flow *f, int component, const ptrdiff_t i[3]) {
  const pfft3d_box *b = &f->spectrum;
  ptrdiff_t at = b->offset + component * b->distance + i[0] * b->stride[0] + i[1] * b->stride[1] +
                 i[2] * b->stride[2];
  return (char *)f->fields.u + (size_t)at * 2 * f->real;
}

/* ---- steps ---- */

void flow_start(flow *f) {
  f->loops->curl(&f->modes, &f->fields);
}

void flow_to_grid(flow *f) {
  double start = MPI_Wtime();
  run_execute(f->a, &f->r, PFFT3D_BACKWARD, f->fields.curl, f->r.array[1]);
  run_execute(f->a, &f->r, PFFT3D_BACKWARD, f->fields.u, f->r.array[0]);
  f->phase[FLOW_FFT] += MPI_Wtime() - start;
}

/* The address of the first point of the first component. */
static void *points_of(const flow *f, int array) {
  return (char *)f->r.array[array] + (size_t)f->space.offset * f->real;
}

/* Sums over rows of a plane, planes of all ranks, and only then over planes: the same for every
 * number of slabs and threads. */
static void add_up(flow *f) {
  const pfft3d_box *b = &f->space;
  const ptrdiff_t planes = f->r.request.problem.n[0];
  const ptrdiff_t *n = f->r.request.problem.n;
  double *energy = f->sums + 3 * f->points.rows, *enstrophy = energy + planes, speed = 0;
  memset(energy, 0, 2 * (size_t)planes * sizeof *energy);
  for (ptrdiff_t r = 0; r < f->points.rows; r++) {
    ptrdiff_t plane = b->lo[0] + r / b->len[1];
    energy[plane] += f->points.energy[r];
    enstrophy[plane] += f->points.enstrophy[r];
    speed = fmax(speed, f->points.speed[r]);
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

void flow_measure(flow *f, int too) {
  double start = MPI_Wtime();
  f->loops->measure(&f->points, points_of(f, 0), points_of(f, 1), too);
  add_up(f);
  f->phase[FLOW_PRODUCT] += MPI_Wtime() - start;
}

void flow_product(flow *f) {
  double start = MPI_Wtime();
  f->loops->product(&f->points, points_of(f, 0), points_of(f, 1));
  f->phase[FLOW_PRODUCT] += MPI_Wtime() - start;
}

void flow_step(flow *f, double dt) {
  set_factors(f, dt);
  for (int stage = 0; stage < 4; stage++) {
    if (stage) {
      flow_to_grid(f);
      flow_product(f);
    }
    double start = MPI_Wtime();
    run_execute(f->a, &f->r, PFFT3D_FORWARD, f->r.array[0], f->fields.change);
    double middle = MPI_Wtime();
    f->loops->advance(&f->modes, &f->fields, stage, dt);
    f->phase[FLOW_FFT] += middle - start;
    f->phase[FLOW_UPDATE] += MPI_Wtime() - middle;
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
    energy[lround(sqrt(k2))] += flow_weight(f, f->spectrum.lo[2] + x[2]) * sum / 2;
  }
  MPI_Allreduce(MPI_IN_PLACE, energy, shells, MPI_DOUBLE, MPI_SUM, f->a->comm);
  return energy;
}
