/* SPDX-License-Identifier: BSD-3-Clause
 * poisson --manufactured: the right-hand side of an exact solution on a grid, and on grids of a
 * half and a quarter as many intervals; the errors, and the order of convergence. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "apps/poisson/exact.h"
#include "apps/poisson/poisson.h"

enum { LEVELS = 3 };
static const double pi = 3.14159265358979323846;

typedef struct level {
  domain d;
  pfft3d_problem problem;
  int single; /* nonzero: some numbers have single precision */
  double error;
  double least; /* of eigenvalues with lambda, the smallest; 0: without lambda */
  json_t *entry;
} level;

/* The domain with half as many intervals along axes with an even number. */
static domain coarser(const domain *fine) {
  domain d = *fine;
  d.grid = NULL;
  for (int a = 0; a < 3; a++) {
    if (!d.side[a]) continue;
    ptrdiff_t intervals = d.n[a] + d.side[a]->more;
    d.n[a] = intervals % 2 ? d.n[a] / 2 : intervals / 2 - d.side[a]->more;
  }
  return d;
}

/* The mean distance of points. */
static double step_of(const domain *d) {
  double product = 1;
  for (int a = 0; a < 3; a++)
    if (d->side[a]) product *= domain_step(d, a);
  return pow(product, 1.0 / d->dims);
}

/* ---- points of this rank ---- */

/* The points of this rank, by their number in the packed array, with their indices x. */
#define FOR_POINTS(s, at, x)                                                                     \
  for (ptrdiff_t at = 0, x[3]; at < rows_points(&(s)->rows) && index_of(&(s)->rows.part, at, x); \
       at++)

static int index_of(const pfft3d_box *b, ptrdiff_t number, ptrdiff_t x[3]) {
  for (int a = 2; a >= 0; a--) {
    x[a] = b->lo[a] + number % b->len[a];
    number /= b->len[a];
  }
  return 1;
}

static void fill(solver *s, const exact *x) {
  int single = s->r.problem.precision == PFFT3D_SINGLE;
  void *array = solver_array(s);
  FOR_POINTS(s, at, i) {
    double u = exact_solution(x, i),
           f[2] = {exact_laplacian(x, i) + s->d.shift[0] * u, s->d.shift[1] * u};
    for (int c = 0; c < s->numbers; c++) number_set(array, single, at * s->numbers + c, f[c]);
  }
}

/* The mean of the exact solution if it is unique up to a constant only; else 0. */
static double exact_mean(const solver *s, const exact *x) {
  const domain *d = &s->d;
  double sum[2] = {0, 0};
  if (!domain_singular(d)) return 0;
  FOR_POINTS(s, at, i) {
    double weight =
        domain_weight(d, 0, i[0]) * domain_weight(d, 1, i[1]) * domain_weight(d, 2, i[2]);
    sum[0] += weight * exact_solution(x, i);
    sum[1] += weight;
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, s->a->comm);
  return sum[0] / sum[1];
}

/* The largest error over the largest value; NaN if any value is NaN. */
static double find_error(const solver *s, const exact *x) {
  int single = s->r.problem.precision == PFFT3D_SINGLE;
  const void *array = solver_array(s);
  double mean = exact_mean(s, x), most[3] = {0, 0, 0}; /* error, value, 1 if any is NaN */
  FOR_POINTS(s, at, i) {
    double have = number_get(array, single, at * s->numbers);
    double beside = s->numbers == 2 ? number_get(array, single, at * 2 + 1) : 0;
    double want = exact_solution(x, i) - mean, error = hypot(have - want, beside);
    most[0] = fmax(most[0], error);
    most[1] = fmax(most[1], fabs(want));
    if (isnan(error)) most[2] = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, s->a->comm);
  return most[2] > 0 ? NAN : most[1] > 0 ? most[0] / most[1] : most[0];
}

/* ---- levels ---- */

static int run_level(app *a, level *l) {
  solver s;
  exact x;
  int reps = (int)a->opt.reps;
  double *seconds = app_malloc(a, (size_t)reps, sizeof *seconds);
  if (!solver_open(a, &s, &l->d, 0, &a->error)) {
    exact_make(a, &x, &s.d);
    for (int k = 0; k < reps; k++) {
      fill(&s, &x);
      solver_run(&s);
      seconds[k] = s.seconds;
    }
    l->error = find_error(&s, &x);
    l->problem = s.r.problem;
    l->single = solver_is_single(&s);
    l->least = s.least;
    l->entry = poisson_entry(&s, seconds, reps);
    json_object_set_new(l->entry, "h", json_real(step_of(&l->d)));
    json_object_set_new(l->entry, "error", report_real(l->error));
    char problem[160];
    json_object_set_new(l->entry, "problem",
                        json_string(pfft3d_problem_print(&l->problem, problem, sizeof problem)));
    exact_free(&x);
  }
  solver_close(&s);
  free(seconds);
  return a->error.status;
}

/* ---- checks ---- */

/* Nonzero if the values of all axes, or of all open ones, are equal, up to a relative
 * difference of `share`. */
static int alike(const domain *d, const double value[3], double share, int open) {
  double least = INFINITY, most = 0;
  for (int k = 0; k < 3; k++) {
    if (!d->side[k] || (open && !domain_open(d, k))) continue;
    least = fmin(least, value[k]);
    most = fmax(most, value[k]);
  }
  return most <= least * (1 + share);
}

/* Nonzero if the measured order is the order of the steps.  The ratio of intervals must be the same
 * for all axes.  The ball of free space touches only the nearest sides: with different steps, or
 * steps too wide for it, errors of several kinds cancel. */
static int has_order(const domain *fine, const domain *coarse) {
  double ratio[3], step[3], across[3], diameter = INFINITY;
  for (int k = 0; k < 3; k++) {
    double scale = sqrt(domain_factor(fine, k));
    step[k] = domain_step(fine, k) / scale;
    ratio[k] = domain_step(coarse, k) / scale / step[k];
    if (domain_open(fine, k)) diameter = fmin(diameter, fine->length[k] / scale);
  }
  if (!alike(fine, ratio, 1e-9, 0)) return 0;
  if (fine->open && !alike(fine, step, 0.1, 1)) return 0;
  for (int k = 0; k < 3; k++) {
    int open = domain_open(fine, k);
    across[k] = open ? diameter / step[k] * (1 + 1e-9) : (double)fine->n[k];
    if (fine->side[k] && across[k] < (!open ? 32 : fine->open == 2 ? 96 : 64)) return 0;
  }
  return 1;
}

static int is_resolved(const domain *d) {
  for (int k = 0; k < 3; k++)
    if (d->side[k] && d->n[k] < (domain_open(d, k) ? 64 : 32)) return 0;
  return 1;
}

/* The error of the solution from rounding of the right-hand side, which is as large as the second
 * derivative along the shortest axis and is divided by the smallest eigenvalue. */
static double rounding(const level *l) {
  const domain *d = &l->d;
  double regular = 0, most = 0, least = INFINITY;
  for (int k = 0; k < 3; k++) {
    if (!d->side[k]) continue;
    double length = d->length[k] / sqrt(domain_factor(d, k));
    double wave = (d->side[k]->kind == PFFT3D_DFT ? 2 : 1) / length;
    most = fmax(most, wave);
    least = fmin(least, wave);
    double first = d->side[k]->first > 0 ? d->side[k]->first / length : wave;
    if (domain_regular(d->side[k])) regular = hypot(regular, first);
  }
  double share = most / (l->least > 0 ? sqrt(l->least) / pi : regular > 0 ? regular : least);
  return (l->single ? FLT_EPSILON : DBL_EPSILON) * fmax(share * share, 1);
}

/* The finest grid: stencils and free space must converge with the second order at least, the
 * spectral solution must be exact but for rounding.  If rounding dominates the error, the order is
 * not checked; if it may be 1 %, the solution is not. An error that is not finite always fails. */
static void judge(app *a, const level l[LEVELS], double order) {
  const domain *d = &l->d;
  int spectral = domain_spectral(d), single = l->single, finite = 1;
  double loss = rounding(l);
  double limit = !spectral ? 0.05 : fmax(single ? 1e-4 : 1e-11, fmin(loss, 0.01));
  double off = spectral ? l->error : order >= 2 ? 0 : 2 - order;
  int known = spectral ? is_resolved(d) && loss <= 0.01
                       : !single && has_order(d, &l[1].d) && !(l->error < fmax(1e-12, 10 * loss));
  for (int k = 0; k < LEVELS; k++) finite &= isfinite(l[k].error) != 0;
  if (!finite) off = NAN;
  if (!known && finite) return;
  json_object_set_new(l->entry, "check",
                      json_pack("{s:o,s:f,s:b}", spectral ? "solution" : "convergence",
                                report_real(off), "limit", limit, "pass", off <= limit));
  if (!finite)
    app_fail(&a->error, PFFT3D_ERR_CHECK, "check failed: an error that is not finite");
  else if (!(off <= limit) && spectral)
    app_fail(&a->error, PFFT3D_ERR_CHECK, "check failed: error %.3g, limit %.3g", off, limit);
  else if (!(off <= limit))
    app_fail(&a->error, PFFT3D_ERR_CHECK, "check failed: order %.3g, expected %.3g at least", order,
             2 - limit);
}

static void print_text(const app *a, const json_t *report) {
  size_t i;
  json_t *item;
  char size[64], time[32];
  const json_t *runs = report_at(report, "runs");
  const json_t *last = json_array_get(runs, json_array_size(runs) - 1);
  report_text_head(a, report);
  printf("%s, bc %s, stencil %s\n\n", report_word(report, "equation"), report_word(last, "bc"),
         report_word(last, "stencil"));
  printf("%16s  %9s  %11s  %6s  %10s\n", "grid", "h", "error", "order", "time");
  json_array_foreach(runs, i, item) {
    const json_t *order = report_at(item, "convergence");
    report_list_text(report_at(item, "n"), size, sizeof size);
    printf("%16s  %9.3g  ", size, report_number(item, "h"));
    if (json_is_number(report_at(item, "error")))
      printf("%11.3e  ", report_number(item, "error"));
    else
      printf("%11s  ", "nan");
    if (json_is_number(order))
      printf("%6.2f", json_number_value(order));
    else
      printf("%6s", i ? "-" : "");
    printf("  %10s\n", report_seconds(report_number(item, "time_s.median"), time));
  }
  if (report_at(last, "check.pass"))
    printf("check %s\n", json_is_true(report_at(last, "check.pass")) ? "PASS" : "FAIL");
  else
    printf(
        "not checked: a coarse grid, rounding, or axes that differ hide the order or the error\n");
}

/* The domains of all levels, from the finest on. */
static int make_domains(app *a, level l[LEVELS]) {
  memcpy(l->d.n, a->opt.grid, sizeof l->d.n);
  l->d.dims = l->d.n[0] > 1 ? 3 : l->d.n[1] > 1 ? 2 : 1;
  if (poisson_domain(a, &l->d, 0)) return a->error.status;
  for (int k = 0; k < LEVELS; k++) {
    if (k) {
      l[k].d = coarser(&l[k - 1].d);
      if (l[0].d.grid) l[k].d.grid = poisson_coarser(a, &l[k - 1].d, &l[k].d);
    }
    for (int axis = 0; axis < 3; axis++)
      if (l[k].d.side[axis] && l[k].d.n[axis] < 2)
        app_fail(&a->error, PFFT3D_ERR_USAGE,
                 "--manufactured: the coarsest grid would have less than 2 points along an axis");
  }
  return a->error.status;
}

int poisson_manufactured(app *a) {
  level l[LEVELS] = {{.single = 0}};
  json_t *report = report_begin(a);
  double order = NAN;
  make_domains(a, l);
  for (int k = LEVELS - 1; k >= 0 && !a->error.status; k--) {
    if (run_level(a, &l[k])) break;
    int spectral = domain_spectral(&l[k].d);
    if (k < LEVELS - 1)
      order = log(l[k + 1].error / l[k].error) / log(step_of(&l[k + 1].d) / step_of(&l[k].d));
    if (k < LEVELS - 1 && !spectral)
      json_object_set_new(l[k].entry, "convergence", report_real(order));
    if (k == 0) judge(a, l, order);
    report_add(report, l[k].entry);
  }
  if (!a->error.status || a->error.status == PFFT3D_ERR_CHECK) {
    poisson_head(a, report, &l->d, &l->problem);
    report_end(a, report, print_text);
  } else
    json_decref(report);
  for (int k = 0; k < LEVELS; k++) grid_free(l[k].d.grid);
  return a->error.status;
}
