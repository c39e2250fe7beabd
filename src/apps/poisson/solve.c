/* SPDX-License-Identifier: BSD-3-Clause
 * The eigenvectors of the second derivative, or of its stencil, are the vectors of a transform
 * along each axis (domain.h): with L1 = F D F^T the equation L1 X + X L1 = B becomes D X' + X' D =
 * B', a division of every component (Demmel's lecture on the FFT, CS 267).  The division takes no
 * pass over memory, because the backward transform multiplies while it reads. */
#include "apps/poisson/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "apps/poisson/free.h"
#include "apps/poisson/stretched.h"

/* ---- factors ---- */

static void inverse_eigenvalues(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                                double *factor) {
  const solver *s = context;
  const double *last = s->lambda[2] + lo[2];
  for (ptrdiff_t i = lo[0]; i < lo[0] + len[0]; i++)
    for (ptrdiff_t j = lo[1]; j < lo[1] + len[1]; j++, factor += len[2]) {
      double sum = s->lambda[0][i] + s->lambda[1][j] + s->d.shift[0];
      for (ptrdiff_t k = 0; k < len[2]; k++) factor[k] = 1 / (sum + last[k]);
      if (s->singular && !i && !j && !lo[2]) factor[0] = 0; /* the mean */
    }
}

/* ---- lambda ---- */

/* The modes of this rank, by their position in the array, with their global indices k. */
#define FOR_MODES(b, at, k)                                                                       \
  for (ptrdiff_t k[3] = {(b)->lo[0]}; k[0] < (b)->lo[0] + (b)->len[0]; k[0]++)                    \
    for (k[1] = (b)->lo[1]; k[1] < (b)->lo[1] + (b)->len[1]; k[1]++)                              \
      for (ptrdiff_t at = ((k[2] = (b)->lo[2]), place_of(b, k)); k[2] < (b)->lo[2] + (b)->len[2]; \
           k[2]++, at += (b)->stride[2])

static ptrdiff_t place_of(const pfft3d_box *b, const ptrdiff_t k[3]) {
  ptrdiff_t at = b->offset;
  for (int a = 0; a < 3; a++) at += (k[a] - b->lo[a]) * b->stride[a];
  return at;
}

static double eigenvalue(const solver *s, const ptrdiff_t k[3]) {
  return s->lambda[0][k[0]] + s->lambda[1][k[1]] + s->lambda[2][k[2]];
}

/* Divides the spectrum by complex numbers: the factors of a transform are real. */
static void divide(solver *s) {
  FOR_MODES(&s->spectrum, at, k) {
    double re = eigenvalue(s, k) + s->d.shift[0], im = s->d.shift[1], size = re * re + im * im;
    double x = solver_get(s, 2 * at), y = solver_get(s, 2 * at + 1);
    solver_put(s, 2 * at, (x * re + y * im) / size);
    solver_put(s, 2 * at + 1, (y * re - x * im) / size);
  }
}

/* Finds the smallest eigenvalue with lambda, and fails if it is 0 but for rounding. */
static int check_lambda(solver *s, pfft3d_error *e) {
  const double limit = (solver_is_single(s) ? 1e-6 : 1e-13) * fabs(s->d.shift[0]);
  long bad[4] = {s->a->ranks, 0, 0, 0};
  s->least = INFINITY;
  FOR_MODES(&s->spectrum, at, k) {
    double off = hypot(eigenvalue(s, k) + s->d.shift[0], s->d.shift[1]);
    (void)at;
    if (off < s->least) s->least = off;
    if (!(off <= limit)) continue;
    bad[0] = s->a->rank;
    for (int a = 0; a < 3; a++) bad[1 + a] = (long)k[a];
  }
  MPI_Allreduce(MPI_IN_PLACE, &s->least, 1, MPI_DOUBLE, MPI_MIN, s->a->comm);
  return solver_refuse(s, bad, e);
}

/* ---- plans ---- */

static void set_problem(const domain *d, int is_complex, pfft3d_problem *p) {
  for (int a = 0; a < 3; a++) {
    p->n[a] = domain_open(d, a) ? 2 * d->n[a] : d->n[a];
    p->axis[a] = d->side[a] ? d->side[a]->kind : PFFT3D_NONE;
  }
  if (d->grid) {
    p->axis[d->grid->axis] = PFFT3D_NONE;
    if (d->dims == 1) p->axis[0] = PFFT3D_DCT2; /* of one point: plans transform something */
  }
  p->kind = is_complex ? PFFT3D_C2C : PFFT3D_R2C;
}

static int make_eigenvalues(solver *s, pfft3d_error *e) {
  ptrdiff_t n[3];
  pfft3d_plan_extents(s->r.plan, PFFT3D_SPECTRUM, n);
  for (int a = 0; a < 3; a++) {
    s->lambda[a] = app_malloc(s->a, (size_t)n[a], sizeof(double));
    for (ptrdiff_t k = 0; k < n[a]; k++) s->lambda[a][k] = domain_eigenvalue(&s->d, a, k);
  }
  return e->status;
}

int solver_open(const app *a, solver *s, const domain *d, int is_complex, pfft3d_error *e) {
  pfft3d_problem p = {.precision = options_precision(&a->opt), .dims = 3, .batch = 1};
  is_complex |= d->shift[1] != 0;
  *s = (solver){.a = a, .d = *d, .numbers = is_complex ? 2 : 1, .singular = domain_singular(d)};
  set_problem(d, is_complex, &p);
  if (solver_plan(s, &s->r, &p, NULL, 1, e)) return e->status;
  pfft3d_box box;
  pfft3d_plan_box(s->r.plan, PFFT3D_SPACE, a->rank, &box);
  pfft3d_plan_box(s->r.plan, PFFT3D_SPECTRUM, a->rank, &s->spectrum);
  size_t number = solver_is_narrow(s) ? sizeof(float) : sizeof(double);
  s->rows =
      rows_make(&box, d->n, number * (size_t)s->numbers, number * (p.kind == PFFT3D_C2C ? 2 : 1));
  if (make_eigenvalues(s, e)) return e->status;
  if (d->open) return free_open(s, e);
  if (d->grid) return stretched_open(s, e);
  return domain_shifted(d) ? check_lambda(s, e) : PFFT3D_OK;
}

void solver_close(solver *s) {
  for (int a = 0; a < 3; a++) free(s->lambda[a]);
  free(s->kernel);
  stretched_close(s);
  run_close(&s->r);
  memset(s, 0, sizeof *s);
}

/* ---- solutions ---- */

/* Gets the component of the mean from the rank that holds it. */
static void find_mean(solver *s) {
  const pfft3d_box *b = &s->spectrum;
  const pfft3d_problem *p = &s->r.problem;
  int mine = b->len[0] && b->len[1] && b->len[2] && !b->lo[0] && !b->lo[1] && !b->lo[2];
  int parts = solver_parts(s);
  s->mean[0] = s->mean[1] = 0;
  for (int c = 0; c < parts && mine; c++)
    s->mean[c] = solver_get(s, parts * b->offset + c) / pfft3d_problem_points(p);
  MPI_Allreduce(MPI_IN_PLACE, s->mean, 2, MPI_DOUBLE, MPI_SUM, s->a->comm);
}

/* Squares of doubles overflow from 1e154 on, and are 0 below 1e-162. */
static void find_size(solver *s) {
  long double sum[2] = {0, (long double)rows_points(&s->rows)};
  for (ptrdiff_t i = 0; i < rows_points(&s->rows) * s->numbers; i++) {
    long double x = solver_get(s, i);
    sum[0] += x * x;
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_LONG_DOUBLE, MPI_SUM, s->a->comm);
  s->size = (double)sqrtl(sum[0] / sum[1]);
}

/* A mean within rounding becomes 0; a mean that is not finite is kept. */
static void forget_rounding(solver *s) {
  int single = solver_is_single(s) || s->coarse;
  double mean = hypot(s->mean[0], s->mean[1]);
  if (isfinite(mean) && mean <= (single ? 1e-5 : 1e-12) * s->size) s->mean[0] = s->mean[1] = 0;
}

/* The division and the backward transform. */
static void invert(solver *s, void *array) {
  if (s->d.shift[1] != 0) {
    divide(s);
    run_execute(s->a, &s->r, PFFT3D_BACKWARD, array, array);
  } else {
    run_factors(s->a, &s->r, s->d.open ? free_factors : inverse_eigenvalues, s, array, array);
  }
}

/* Returns seconds of waiting for the mean. */
static double run_transforms(solver *s, void *array) {
  double middle = 0, later = 0;
  run_execute(s->a, &s->r, PFFT3D_FORWARD, array, array);
  if (s->singular) {
    middle = MPI_Wtime();
    find_mean(s);
    forget_rounding(s);
    later = MPI_Wtime();
  }
  invert(s, array);
  return later - middle;
}

void solver_run(solver *s) {
  void *array = s->r.array[0];
  double aside = 0;
  if (s->walls) walls_apply(s->walls, &s->d, &s->rows.part, s->numbers, solver_is_narrow(s), array);
  if (s->singular) find_size(s);
  rows_spread(&s->rows, array);
  MPI_Barrier(s->a->comm);
  double start = MPI_Wtime();
  if (s->stretched)
    stretched_run(s);
  else
    aside = run_transforms(s, array);
  s->seconds = MPI_Wtime() - start - aside;
  if (s->stretched && s->singular) forget_rounding(s);
  rows_collect(&s->rows, array);
}
