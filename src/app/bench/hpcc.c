/* SPDX-License-Identifier: BSD-3-Clause
 * The G-FFT of HPC Challenge: a forward transform of random complex data is timed, and the
 * backward transform must return the data up to rounding. Its rules: 5 N log2 N operations, and
 * max |x - x0| < 16 u log2 N, with u half the distance from 1 to the next number. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "app/bench/hpcc.h"
#include "app/common/message.h"
#include "app/report/report.h"

static const double threshold = 16;

json_t *hpcc_report(app *a, const pfft3d_problem *p, const json_t *forward, const json_t *backward,
                    double largest) {
  double n = (double)p->n[2], stages = fmax(log2(n), 1); /* a line of one point is rounded, too */
  double u = (p->precision == PFFT3D_SINGLE ? FLT_EPSILON : DBL_EPSILON) / 2;
  double residual = largest / (u * stages);
  double seconds = json_number_value(report_at(forward, "time_s.median"));
  const json_t *back = report_at(backward, "time_s.median");
  int pass = residual < threshold; /* false for NaN */
  if (!pass)
    app_fail(&a->error, PFFT3D_ERR_CHECK, "check failed: HPCC residual %.2g exceeds %.1f in %s",
             fabs(residual), threshold, json_string_value(report_at(forward, "decision")));
  return json_pack("{s:o,s:o,s:f,s:f,s:o,s:o,s:o,s:f,s:b}", "size", report_count(n), "gflops",
                   report_real(seconds > 0 ? 5 * n * log2(n) / seconds / 1e9 : 0), "tuning_s",
                   json_number_value(report_at(forward, "plan_s")), "computing_s", seconds,
                   "inverse_s", back ? report_real(json_number_value(back)) : json_null(),
                   "max_error", report_real(largest), "residual", report_real(residual),
                   "threshold", threshold, "pass", pass);
}

static void line_of(const char *name, const json_t *value, const char *format) {
  if (json_is_null(value)) return;
  printf("  %-16s ", name);
  printf(format, json_number_value(value));
  printf("\n");
}

void hpcc_text(const app *a, const json_t *item) {
  const json_t *h = report_at(item, "hpcc");
  if (!h) return;
  printf("\nG-FFT, as HPC Challenge reports it: %s, %s to %s\n",
         json_string_value(report_at(item, "decision")),
         json_string_value(report_at(item, "layout")),
         json_string_value(report_at(item, "out_layout")));
  printf("  %-16s %20d\n", "Number of nodes:", a->ranks);
  line_of("Vector size:", report_at(h, "size"), "%20.0f");
  line_of("Tuning:", report_at(h, "tuning_s"), "%20.6f");
  line_of("Computing:", report_at(h, "computing_s"), "%20.6f");
  line_of("Inverse FFT:", report_at(h, "inverse_s"), "%20.6f");
  line_of("max(|x-x0|):", report_at(h, "max_error"), "%20.3e");
  line_of("Gflop/s:", report_at(h, "gflops"), "%20.3f");
  printf("  max(|x-x0|) / (u log2 N) %12.3g, threshold %.1f: %s\n",
         json_number_value(report_at(h, "residual")), threshold,
         json_is_true(report_at(h, "pass")) ? "PASSED" : "FAILED");
}
