/* SPDX-License-Identifier: BSD-3-Clause
 * The common part of all modes of the command poisson. */
#include "apps/poisson/poisson.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/common/message.h"
#include "app/report/report.h"

int poisson_domain(app *a, domain *d, int of_file) {
  const options *o = &a->opt;
  d->second = o->stencil == 1;
  if (domain_sides(d, o->bc, &a->error) ||
      options_lengths(o->length[0] ? o->length : "1", d->dims, d->length, &a->error) ||
      options_reals("coefficients", o->coefficients[0] ? o->coefficients : "1", d->dims, d->factor,
                    &a->error))
    return a->error.status;
  memcpy(d->shift, o->lambda, sizeof d->shift);
  if (d->open && (d->shift[0] > 0 || d->shift[1] != 0))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--lambda and --bc open: %s",
                    "in free space lambda is real and not positive");
  if (d->open == d->dims && d->open > 1 && options_given(o, "stencil"))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--stencil and --bc open: %s",
                    "free space is a sum over all points, without a stencil");
  if (domain_check(d, of_file ? PFFT3D_ERR_DATA : PFFT3D_ERR_USAGE, &a->error))
    return a->error.status;
  return poisson_coordinates(a, d);
}

void poisson_warn(const solver *s) {
  char imaginary[40] = "";
  if (!solver_dropped(s)) return;
  if (s->numbers == 2) snprintf(imaginary, sizeof imaginary, " %+.6gi", s->mean[1]);
  app_warn(s->a, "no solution: the mean of the right-hand side is %.6g%s, not 0; it was dropped",
           s->mean[0], imaginary);
}

const char *poisson_stencil(const domain *d) {
  return d->open == d->dims && d->open > 1 ? "none" : d->second ? "second" : "spectral";
}

char *poisson_equation(const app *a, const domain *d, char *out, size_t size) {
  size_t used = 0;
  snprintf(out, size, "laplacian(u)");
  for (int k = 3 - d->dims; k < 3 && options_given(&a->opt, "coefficients"); k++)
    used += (size_t)snprintf(out + used, size - used, "%s%.9g u_%d%d", used ? " + " : "",
                             domain_factor(d, k), k - (3 - d->dims), k - (3 - d->dims));
  used = strlen(out);
  if (d->shift[1] != 0)
    snprintf(out + used, size - used, " + (%.9g%+.9gi) u", d->shift[0], d->shift[1]);
  else if (domain_shifted(d))
    snprintf(out + used, size - used, " %c %.9g u", d->shift[0] < 0 ? '-' : '+', fabs(d->shift[0]));
  used = strlen(out);
  snprintf(out + used, size - used, " = f");
  return out;
}

void poisson_head(const app *a, json_t *report, const domain *d, const pfft3d_problem *p) {
  char sides[80], equation[POISSON_EQUATION];
  report_problem(a, report, p);
  json_object_del(report, "seed");
  json_object_set_new(report, "equation",
                      json_string(poisson_equation(a, d, equation, sizeof equation)));
  json_object_set_new(report, "bc", json_string(domain_print_sides(d, sides, sizeof sides)));
  json_object_set_new(report, "stencil", json_string(poisson_stencil(d)));
  if (d->grid) json_object_set_new(report, "coordinates", report_words(a->opt.coordinates));
  if (options_given(&a->opt, "wall-values"))
    json_object_set_new(report, "wall_values", report_words(a->opt.wall_values));
  if (d->shift[1] != 0)
    json_object_set_new(report, "lambda", json_pack("[f,f]", d->shift[0], d->shift[1]));
  else if (domain_shifted(d))
    json_object_set_new(report, "lambda", json_real(d->shift[0]));
}

json_t *poisson_entry(const solver *s, const double *seconds, int reps) {
  const domain *d = &s->d;
  char sides[80];
  double middle;
  json_t *j = run_describe(&s->r.decision, PFFT3D_BACKWARD), *n = json_array(),
         *length = json_array();
  for (int a = 3 - d->dims; a < 3; a++) {
    json_array_append_new(n, json_integer((json_int_t)d->n[a]));
    json_array_append_new(length, json_real(d->length[a]));
  }
  json_object_update_new(
      j, json_pack("{s:s,s:o,s:o,s:s,s:s,s:f,s:o}", "direction", "both", "n", n, "length", length,
                   "bc", domain_print_sides(d, sides, sizeof sides), "stencil", poisson_stencil(d),
                   "plan_s", s->r.plan_s, "mean", report_real(s->mean[0])));
  if (s->numbers == 2) json_object_set_new(j, "mean_imaginary", report_real(s->mean[1]));
  json_object_set_new(j, "time_s", run_times(s->a, seconds, reps, &middle));
  json_object_set_new(j, "exchange", run_wire_report(s->a, &s->r));
  return j;
}
