/* SPDX-License-Identifier: BSD-3-Clause
 * poisson --manufactured: the right-hand side of an exact solution on a grid, and on grids of a
 * half and a quarter as many intervals; the errors, and the order of convergence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/watch.h"
#include "app/poisson/exact.h"
#include "app/poisson/poisson.h"
#include "app/report/report.h"

enum { LEVELS = 3 };

/* Points per axis from which on results are judged. */
static int resolved(const domain *d) {
  return d->open ? 64 : 32;
}

/* The domain with half as many intervals, where their number is even. */
static domain coarser(const domain *fine) {
  domain d = *fine;
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

/* The points of this rank, numbered as they stand alone, with their indices x. */
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
  int single = s->r.request.problem.precision == PFFT3D_SINGLE;
  void *array = solver_array(s);
  FOR_POINTS(s, at, i) {
    number_set(array, single, at, exact_right_side(x, i));
  }
}

/* The mean of the exact solution, where it is determined but for a constant; else 0. */
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

/* The largest error over the largest value; NaN if there is one. */
static double find_error(const solver *s, const exact *x) {
  int single = s->r.request.problem.precision == PFFT3D_SINGLE;
  const void *array = solver_array(s);
  double mean = exact_mean(s, x), most[3] = {0, 0, 0}; /* error, value, and whether any is NaN */
  FOR_POINTS(s, at, i) {
    double have = number_get(array, single, at);
    double want = exact_solution(x, i) - mean, error = fabs(have - want);
    most[0] = fmax(most[0], error);
    most[1] = fmax(most[1], fabs(want));
    if (isnan(error)) most[2] = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, s->a->comm);
  return most[2] > 0 ? NAN : most[1] > 0 ? most[0] / most[1] : most[0];
}

/* ---- levels ---- */

static int run_level(app *a, const domain *d, json_t **entry, double *error) {
  solver s;
  exact x;
  int reps = (int)a->opt.reps;
  double *seconds = app_malloc(a, (size_t)reps, sizeof *seconds);
  if (!solver_open(a, &s, d, 0, &a->error)) {
    exact_make(a, &x, &s.d);
    for (int k = 0; k < reps; k++) {
      fill(&s, &x);
      solver_run(&s);
      seconds[k] = s.seconds;
    }
    *error = find_error(&s, &x);
    *entry = poisson_entry(&s, seconds, reps);
    json_object_set_new(*entry, "h", json_real(step_of(d)));
    json_object_set_new(*entry, "error", report_real(*error));
    char problem[160];
    json_object_set_new(
        *entry, "problem",
        json_string(pfft3d_problem_print(&s.r.request.problem, problem, sizeof problem)));
    exact_free(&x);
  }
  solver_close(&s);
  free(seconds);
  return a->error.status;
}

/* Whether all axes have the same share of the intervals of the finer grid: else its order is that
 * of no distance of points. */
static int halved_alike(const domain *fine, const domain *coarse) {
  double ratio[2] = {INFINITY, 0};
  for (int k = 0; k < 3; k++) {
    if (!fine->side[k]) continue;
    double r = domain_step(coarse, k) / domain_step(fine, k);
    ratio[0] = fmin(ratio[0], r);
    ratio[1] = fmax(ratio[1], r);
  }
  return ratio[1] <= ratio[0] * (1 + 1e-9);
}

/* The finest grid: stencils and free space must converge with the second order, the spectral
 * solution must be exact but for rounding. */
static void judge(app *a, const domain d[LEVELS], json_t *entry, double order, double error) {
  int spectral = !d->second && !d->open, single = a->opt.precision == PFFT3D_SINGLE;
  double limit = !spectral ? 0.05 : single ? 1e-4 : 1e-11;
  double off = spectral ? error : fabs(order - 2);
  int known = spectral || (!single && halved_alike(&d[0], &d[1])); /* rounding hides the order */
  for (int k = 0; k < 3; k++) known &= !d->side[k] || d->n[k] >= resolved(d);
  if (known)
    json_object_set_new(entry, "check",
                        json_pack("{s:o,s:f,s:b}", spectral ? "solution" : "convergence",
                                  report_real(off), "limit", limit, "pass", off <= limit));
  if (known && !(off <= limit))
    app_fail(&a->error, PFFT3D_ERR_CHECK, "check failed: %s %.3g, %s", spectral ? "error" : "order",
             spectral ? error : order,
             spectral ? "limit 1e-11 (1e-4 in single precision)" : "expected 2.00 within 0.05");
}

static void print_text(const app *a, const json_t *report) {
  size_t i;
  json_t *item;
  char size[64], time[32];
  const json_t *runs = report_at(report, "runs");
  const json_t *last = json_array_get(runs, json_array_size(runs) - 1);
  report_text_head(a, report);
  printf("laplacian(u) = f, bc %s, stencil %s\n\n", report_word(last, "bc"),
         report_word(last, "stencil"));
  printf("%16s  %9s  %11s  %6s  %10s\n", "grid", "h", "error", "order", "time");
  json_array_foreach(runs, i, item) {
    const json_t *order = report_at(item, "convergence");
    report_list_text(report_at(item, "n"), size, sizeof size);
    printf("%16s  %9.3g  %11.3e  ", size, report_number(item, "h"), report_number(item, "error"));
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
        "not checked: a coarse grid, rounding, or axes that are not halved alike hide the order\n");
}

int poisson_manufactured(app *a) {
  domain d[LEVELS] = {{.dims = 0}};
  json_t *entry[LEVELS] = {NULL}, *report = report_begin(a);
  double error[LEVELS], order = NAN;
  memcpy(d[0].n, a->opt.grid, sizeof d[0].n);
  d[0].dims = d[0].n[0] > 1 ? 3 : d[0].n[1] > 1 ? 2 : 1;
  for (int k = 0; k < LEVELS; k++) {
    if (k)
      d[k] = coarser(&d[k - 1]);
    else if (poisson_domain(a, &d[0], 0))
      break;
    for (int axis = 0; axis < 3; axis++)
      if (d[k].side[axis] && d[k].n[axis] < 2)
        app_fail(&a->error, PFFT3D_ERR_USAGE,
                 "--manufactured: the coarsest grid would have less than 2 points along an axis");
    if (a->error.status) break;
  }
  for (int k = LEVELS - 1; k >= 0 && !a->error.status; k--) {
    if (run_level(a, &d[k], &entry[k], &error[k])) break;
    int spectral = !d[k].second && !d[k].open;
    if (k < LEVELS - 1)
      order = log(error[k + 1] / error[k]) / log(step_of(&d[k + 1]) / step_of(&d[k]));
    if (k < LEVELS - 1 && !spectral)
      json_object_set_new(entry[k], "convergence", report_real(order));
    if (k == 0) {
      json_object_set(report, "problem", json_object_get(entry[0], "problem"));
      judge(a, d, entry[0], order, error[0]);
    }
    report_add(report, entry[k]);
  }
  if (!a->error.status || a->error.status == PFFT3D_ERR_CHECK)
    report_end(a, report, print_text);
  else
    json_decref(report);
  return a->error.status;
}
