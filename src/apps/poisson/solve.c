/* SPDX-License-Identifier: BSD-3-Clause
 * The eigenvectors of the second derivative, or of its stencil, are the vectors of a transform
 * along each axis (domain.h): with L1 = F D F^T the equation L1 X + X L1 = B becomes D X' + X' D =
 * B', a division of every component (Demmel's lecture on the FFT, CS 267).  The division takes no
 * pass over memory, because the backward transform multiplies while it reads.
 *
 * Free space, by Hockney and Eastwood (Computer Simulation Using Particles, 6-5-4): on a grid of
 * twice the size, all points beyond the domain 0, the periodic convolution with 1/r equals the free
 * convolution.  The kernel is even, so its transform is real. */
#include "apps/poisson/solve.h"
#include "apps/poisson/stretched.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"

static const double pi = 3.14159265358979323846;

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

/* The transform of 1/r as factors.  In transposed order this rank has all that are requested. */
static void kernel_values(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                          double *factor) {
  const solver *s = context;
  const pfft3d_box *b = &s->spectrum;
  for (ptrdiff_t i = lo[0] - b->lo[0]; i < lo[0] - b->lo[0] + len[0]; i++)
    for (ptrdiff_t j = lo[1] - b->lo[1]; j < lo[1] - b->lo[1] + len[1]; j++) {
      const double *row = s->kernel + i * b->stride[0] + j * b->stride[1];
      for (ptrdiff_t k = lo[2] - b->lo[2]; k < lo[2] - b->lo[2] + len[2]; k++)
        *factor++ = row[k * b->stride[2]];
    }
}

/* ---- numbers of arrays in both precisions ---- */

static int is_single(const solver *s) {
  return s->r.problem.precision == PFFT3D_SINGLE;
}

static double get(const solver *s, ptrdiff_t at) {
  return number_get(s->r.array[0], is_single(s), at);
}

static void put(const solver *s, ptrdiff_t at, double value) {
  number_set(s->r.array[0], is_single(s), at, value);
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
    double x = get(s, 2 * at), y = get(s, 2 * at + 1);
    put(s, 2 * at, (x * re + y * im) / size);
    put(s, 2 * at + 1, (y * re - x * im) / size);
  }
}

int solver_refuse(const solver *s, long bad[4], pfft3d_error *e) {
  char words[80] = "";
  int rank = (int)bad[0];
  MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_MIN, s->a->comm);
  if (rank == s->a->ranks) return PFFT3D_OK;
  MPI_Bcast(bad, 4, MPI_LONG, rank, s->a->comm);
  for (int a = 3 - s->d.dims; a < 3; a++) {
    size_t used = strlen(words);
    snprintf(words + used, sizeof words - used, "%s%ld", used ? "," : "", bad[1 + a]);
  }
  return app_fail(e, PFFT3D_ERR_USAGE,
                  "--lambda %.17g: the operator is singular: it is minus the eigenvalue of mode %s",
                  s->d.shift[0], words);
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

/* ---- free space ---- */

/* The integral of 1/r over a box from the origin to (x, y, z). */
static double corner(double x, double y, double z) {
  double r = sqrt(x * x + y * y + z * z);
  return y * z * log((x + r) / hypot(y, z)) + z * x * log((y + r) / hypot(z, x)) +
         x * y * log((z + r) / hypot(x, y)) - x * x / 2 * atan(y * z / (x * r)) -
         y * y / 2 * atan(z * x / (y * r)) - z * z / 2 * atan(x * y / (z * r));
}

/* The integral of exp(-k r)/r over a ball as large as a cell, over that of 1/r. */
static double screened(double k, double volume) {
  double x = k * cbrt(0.75 / pi * volume);
  return x < 1e-3 ? 1 - 2 * x / 3 : 2 * (1 - (1 + x) * exp(-x)) / (x * x);
}

/* The potential of a cell of charge 1 at an index; at index 0 the mean over the cell.  With
 * coefficients c, lengths x / sqrt(c) have the equation without them. */
static double potential(const domain *d, const ptrdiff_t i[3]) {
  double h[3], r2 = 0, k = sqrt(-d->shift[0]);
  for (int a = 0; a < 3; a++) {
    h[a] = domain_step(d, a) / sqrt(domain_factor(d, a));
    double x = h[a] * (double)(i[a] < d->n[a] ? i[a] : 2 * d->n[a] - i[a]);
    r2 += x * x;
  }
  double volume = h[0] * h[1] * h[2];
  if (r2 > 0) return -volume * exp(-k * sqrt(r2)) / (4 * pi * sqrt(r2));
  return -8 * corner(h[0] / 2, h[1] / 2, h[2] / 2) / (4 * pi) * screened(k, volume);
}

static int make_kernel(solver *s, pfft3d_error *e) {
  const pfft3d_box *b = &s->rows.box;
  int parts = s->r.problem.kind == PFFT3D_C2C ? 2 : 1;
  size_t elements = pfft3d_plan_elements(s->r.plan, PFFT3D_SPECTRUM);
  pfft3d_error mine = {0};
  s->kernel = malloc(elements * sizeof *s->kernel);
  int missing = !s->kernel;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, s->a->comm);
  if (missing)
    app_fail(&mine, PFFT3D_ERR_MEMORY, "cannot allocate %zu bytes for the kernel of free space",
             elements * sizeof *s->kernel);
  if (missing) return app_take(e, &mine);
  for (ptrdiff_t i = 0; i < b->len[0]; i++)
    for (ptrdiff_t j = 0; j < b->len[1]; j++)
      for (ptrdiff_t k = 0; k < b->len[2]; k++) {
        const ptrdiff_t at[3] = {b->lo[0] + i, b->lo[1] + j, b->lo[2] + k};
        ptrdiff_t to = b->offset + i * b->stride[0] + j * b->stride[1] + k * b->stride[2];
        put(s, parts * to, potential(&s->d, at));
        if (parts == 2) put(s, 2 * to + 1, 0);
      }
  run_execute(s->a, &s->r, PFFT3D_FORWARD, s->r.array[0], s->r.array[0]);
  for (size_t i = 0; i < elements; i++) s->kernel[i] = get(s, 2 * (ptrdiff_t)i);
  pfft3d_stats none; /* the error of rounding in messages is reported for solutions only */
  pfft3d_plan_stats(s->r.plan, PFFT3D_FORWARD, 1, &none, sizeof none);
  return PFFT3D_OK;
}

/* ---- plans ---- */

static void set_problem(const domain *d, int is_complex, pfft3d_problem *p) {
  for (int a = 0; a < 3; a++) {
    p->n[a] = d->open ? 2 * d->n[a] : d->n[a];
    p->axis[a] = d->side[a] ? d->side[a]->kind : PFFT3D_NONE;
  }
  if (d->grid) {
    p->axis[d->grid->axis] = PFFT3D_NONE;
    if (d->dims == 1) p->axis[0] = PFFT3D_DCT2; /* of one point: plans transform something */
  }
  p->kind = is_complex ? PFFT3D_C2C : PFFT3D_R2C;
}

int solver_plan(const solver *s, run *r, const pfft3d_problem *p, const pfft3d_decision *known,
                int arrays, pfft3d_error *e) {
  pfft3d_request *request = options_request(s->a, p);
  pfft3d_request_set(request, "order", "transposed", NULL);
  if (s->d.grid) stretched_request(&s->d, s->a->ranks, request);
  if (known) request_decide(request, known);
  run_open(s->a, r, request, NORM_BACKWARD, arrays, e);
  pfft3d_request_destroy(&request);
  return e->status;
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
  size_t number = is_single(s) ? sizeof(float) : sizeof(double);
  s->rows =
      rows_make(&box, d->n, number * (size_t)s->numbers, number * (p.kind == PFFT3D_C2C ? 2 : 1));
  if (d->open) return make_kernel(s, e);
  if (make_eigenvalues(s, e)) return e->status;
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

void *solver_array(const solver *s) {
  return s->r.array[0];
}

/* ---- solutions ---- */

/* Gets the component of the mean from the rank that holds it. */
static void find_mean(solver *s) {
  const pfft3d_box *b = &s->spectrum;
  const pfft3d_problem *p = &s->r.problem;
  int mine = b->len[0] && b->len[1] && b->len[2] && !b->lo[0] && !b->lo[1] && !b->lo[2];
  int parts =
      pfft3d_element_bytes(p, PFFT3D_SPECTRUM) > (is_single(s) ? sizeof(float) : sizeof(double))
          ? 2
          : 1;
  s->mean[0] = s->mean[1] = 0;
  for (int c = 0; c < parts && mine; c++)
    s->mean[c] = get(s, parts * b->offset + c) / pfft3d_problem_points(p);
  MPI_Allreduce(MPI_IN_PLACE, s->mean, 2, MPI_DOUBLE, MPI_SUM, s->a->comm);
}

/* Squares of doubles overflow from 1e154 on, and are 0 below 1e-162. */
static void find_size(solver *s) {
  long double sum[2] = {0, (long double)rows_points(&s->rows)};
  for (ptrdiff_t i = 0; i < rows_points(&s->rows) * s->numbers; i++) {
    long double x = get(s, i);
    sum[0] += x * x;
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_LONG_DOUBLE, MPI_SUM, s->a->comm);
  s->size = (double)sqrtl(sum[0] / sum[1]);
}

int solver_is_single(const solver *s) {
  return is_single(s) || run_wire(&s->r) == PFFT3D_SINGLE;
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
    run_factors(s->a, &s->r, s->kernel ? kernel_values : inverse_eigenvalues, s, array, array);
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
  if (s->walls) walls_apply(s->walls, &s->d, &s->rows.part, s->numbers, is_single(s), array);
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

int solver_dropped(const solver *s) {
  double mean = hypot(s->mean[0], s->mean[1]);
  return isfinite(mean) && mean > 0;
}
