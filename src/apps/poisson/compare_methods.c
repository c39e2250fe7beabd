/* SPDX-License-Identifier: BSD-3-Clause
 * poisson --iterative: the algorithms of Demmel's table for N unknowns in two dimensions, timed. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "apps/poisson/exact.h"
#include "apps/poisson/iterative.h"
#include "apps/poisson/poisson.h"

static const double share = 1e-6, patience = 60; /* of the residual; seconds for one solution */

static const struct method {
  const char *name;
  iterative_method *solve; /* NULL: by transforms */
  iterative_count *sweeps; /* NULL: the same on all grids: time is proportional to points */
} methods[] = {{"Jacobi", iterative_jacobi, iterative_jacobi_count},
               {"SOR", iterative_sor, iterative_sor_count},
               {"CG", iterative_cg, iterative_cg_count},
#ifdef PF_HAVE_HYPRE
               {"multigrid", iterative_multigrid, NULL},
#endif
               {"FFT", NULL, NULL}};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct result {
  double seconds, residual; /* the median of solutions */
  long steps;
  json_t *times; /* of all solutions; NULL: the method was stopped */
} result;

static void sheet_make(const app *a, sheet *s, const domain *d) {
  double **arrays[] = {&s->f, &s->u, &s->work[0], &s->work[1], &s->work[2]};
  exact x;
  for (int k = 0; k < 2; k++) {
    s->n[k] = d->n[k + 1];
    s->weight[k] = 1 / (domain_step(d, k + 1) * domain_step(d, k + 1));
  }
  s->patience = patience;
  for (int k = 0; k < 5; k++)
    *arrays[k] = app_malloc(a, (size_t)iterative_elements(s), sizeof(double));
  exact_make(a, &x, d);
  for (ptrdiff_t i = 0; i < s->n[0]; i++)
    for (ptrdiff_t j = 0; j < s->n[1]; j++)
      s->f[(i + 1) * (s->n[1] + 2) + j + 1] = exact_laplacian(&x, (const ptrdiff_t[]){0, i, j});
  exact_free(&x);
}

static void sheet_free(sheet *s) {
  free(s->f);
  free(s->u);
  for (int k = 0; k < 3; k++) free(s->work[k]);
}

/* Solves by transforms; the result is in s->u. */
static int solve_fft(app *a, sheet *s, const domain *d, double *seconds) {
  solver v;
  if (!solver_open(a, &v, d, 0, &a->error)) {
    for (int k = 0; k <= 1; k++) { /* the first run is the warm-up */
      double *array = solver_array(&v);
      for (ptrdiff_t i = 0; i < s->n[0]; i++)
        memcpy(array + i * s->n[1], s->f + (i + 1) * (s->n[1] + 2) + 1,
               (size_t)s->n[1] * sizeof(double));
      solver_run(&v);
      for (ptrdiff_t i = 0; i < s->n[0]; i++)
        memcpy(s->u + (i + 1) * (s->n[1] + 2) + 1, array + i * s->n[1],
               (size_t)s->n[1] * sizeof(double));
    }
    *seconds = v.seconds;
  }
  solver_close(&v);
  return a->error.status;
}

static int fail(app *a, const struct method *m, long why) {
  if (why == ITERATIVE_MEMORY)
    return app_fail(&a->error, PFFT3D_ERR_MEMORY, "%s: cannot allocate its matrix", m->name);
  return app_fail(&a->error, PFFT3D_ERR_INTERNAL, "%s: the library reports an error", m->name);
}

/* One solution in s->u, from u = 0. */
static int solve_once(app *a, const struct method *m, sheet *s, const domain *d, result *r,
                      double *seconds) {
  memset(s->u, 0, (size_t)iterative_elements(s) * sizeof(double));
  s->seconds = -1;
  watch_kick("solving");
  if (!m->solve) return solve_fft(a, s, d, seconds);
  s->start = MPI_Wtime();
  r->steps = m->solve(s, share);
  *seconds = s->seconds < 0 ? MPI_Wtime() - s->start : s->seconds;
  return r->steps < 0 && r->steps != ITERATIVE_STOPPED ? fail(a, m, r->steps) : PFFT3D_OK;
}

/* Runs --reps solutions, or fewer, up to the first that takes more than a second. */
static int time_method(app *a, const struct method *m, sheet *s, const domain *d, result *r) {
  double *seconds = app_malloc(a, (size_t)a->opt.reps, sizeof *seconds);
  int count = 0;
  while (count < a->opt.reps && !solve_once(a, m, s, d, r, &seconds[count]))
    if (seconds[count++] > 1 || r->steps == ITERATIVE_STOPPED) break;
  if (!a->error.status && r->steps != ITERATIVE_STOPPED) {
    r->times = run_times(a, seconds, count, &r->seconds);
    r->residual = iterative_residual(s);
  }
  free(seconds);
  return a->error.status;
}

static json_t *entry_of(const struct method *m, const domain *d, const result *r) {
  return json_pack("{s:s,s:[I,I],s:I,s:I,s:o,s:o}", "algorithm", m->name, "n", (json_int_t)d->n[1],
                   (json_int_t)d->n[2], "unknowns", (json_int_t)d->n[1] * d->n[2], "iterations",
                   (json_int_t)r->steps, "residual", report_real(r->residual), "time_s", r->times);
}

static void print_text(const app *a, const json_t *report) {
  size_t i;
  json_t *item;
  char size[64], time[32];
  (void)a;
  printf("Five-point stencil, u = 0 on the sides, until the residual is %.0e of the first one\n\n",
         share);
  printf("%12s  %-9s  %11s  %10s  %9s\n", "grid", "method", "iterations", "time", "residual");
  json_array_foreach(report_at(report, "runs"), i, item) {
    report_list_text(report_at(item, "n"), size, sizeof size);
    printf("%12s  %-9s  %11.0f  %10s  %9.1e\n", size, report_word(item, "algorithm"),
           report_number(item, "iterations"),
           report_seconds(report_number(item, "time_s.median"), time),
           report_number(item, "residual"));
  }
}

/* Times methods that are expected to end in time; rate: seconds per point of methods that cannot be
 * stopped, from the last grid with enough points.  Without a report only these run, for their rate.
 */
static int run_grid(app *a, const ptrdiff_t n[2], json_t *report, double rate[METHODS]) {
  enum { ENOUGH = 1000 };
  domain d = {.dims = 2, .n = {1, n[0], n[1]}, .second = 1};
  sheet s;
  domain_sides(&d, "dirichlet", &a->error);
  options_lengths("1", d.dims, d.length, &a->error);
  sheet_make(a, &s, &d);
  double points = (double)(d.n[1] * d.n[2]);
  for (int m = 0; m < METHODS && !a->error.status; m++) {
    const struct method *w = &methods[m];
    result r = {.steps = 0};
    if (!report && w->sweeps) continue;
    s.sweeps = w->sweeps ? w->sweeps(&s, share) : 0;
    s.estimate = rate[m] * points;
    app_progress(a, "%s on %tdx%td", w->name, d.n[1], d.n[2]);
    if (s.estimate <= patience && time_method(a, w, &s, &d, &r)) break;
    if (r.times && points >= ENOUGH) rate[m] = w->sweeps ? 0 : r.seconds / points;
    if (!r.times)
      app_warn(a, "%s on %tdx%td is left out: it would take about %.0f s", w->name, d.n[1], d.n[2],
               s.estimate);
    else if (report)
      report_add(report, entry_of(w, &d, &r));
    else
      json_decref(r.times);
  }
  sheet_free(&s);
  return a->error.status;
}

int poisson_iterative(app *a) {
  static const ptrdiff_t usual[][2] = {{31, 31}, {63, 63}, {127, 127}, {255, 255}};
  const extents_list *l = &a->opt.grid_list;
  int count = l->count ? l->count : (int)(sizeof usual / sizeof *usual);
  double rate[METHODS] = {0};
  if (a->ranks > 1)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--iterative: runs on one rank, there are %d",
                    a->ranks);
  if (options_precision(&a->opt) == PFFT3D_SINGLE)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--iterative: in double precision only");
  for (int k = 0; k < l->count; k++)
    if (l->n[k][0] > 1)
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--iterative: grids have two dimensions, N0xN1");
  json_t *report = report_begin(a);
  report_given(a, report);
  if (l->count && l->n[0][1] * l->n[0][2] > usual[2][0] * usual[2][1])
    run_grid(a, usual[2], NULL, rate);
  for (int k = 0; k < count && !a->error.status; k++)
    run_grid(a, l->count ? l->n[k] + 1 : usual[k], report, rate);
  if (!a->error.status)
    report_end(a, report, print_text);
  else
    json_decref(report);
  return a->error.status;
}
