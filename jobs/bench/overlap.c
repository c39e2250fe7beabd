/* SPDX-License-Identifier: BSD-3-Clause
 * How much of the communication overlapped with computation.  With c for the passes only and w for
 * an all-to-all of the same bytes only, timed alternately with the transforms themselves, running
 * one after the other takes c + w, and nothing is faster than the longer of them: so overlap gains
 * at most the bound (c + w) / max(c, w).  If cores also serve the network, only a part of the bound
 * can be reached. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

/* The contenders of a plan are adjacent: out of place, in place, passes only, bytes only. */
enum { PLAN = 4, PASSES = 2, BYTES = 3 };

static double median_of(const json_t *results, size_t i, int d) {
  const json_t *r = json_object_get(json_array_get(results, i), direction_name[d]);
  return json_number(r, "median_s");
}

static int is_plan(const json_t *results, size_t i) {
  return strcmp(json_text(json_array_get(results, i + BYTES), "family"), "part") == 0 &&
         strcmp(json_text(json_array_get(results, i), "family"), "pfft3d") == 0;
}

/* The better of a plan's two contenders. */
static double best_of(const json_t *results, size_t i, int d) {
  return fmin(median_of(results, i, d), median_of(results, i + 1, d));
}

/* The transform of the same problem by exchange packed, if there is one. */
static double packed_median(const json_t *results, size_t like, int d) {
  static const char *const same[] = {"size", "order", "kind", "precision", "engine", "pgrid"};
  const json_t *wanted = json_array_get(results, like);
  for (size_t i = 0; i + PLAN <= json_array_size(results); i++) {
    const json_t *entry = json_array_get(results, i);
    int match = is_plan(results, i) && strstr(json_text(entry, "contender"), " packed ");
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
      match =
          match && json_equal(json_object_get(entry, same[k]), json_object_get(wanted, same[k]));
    if (match) return best_of(results, i, d);
  }
  return 0;
}

static void print_plan(const json_t *results, size_t i, int d) {
  const json_t *entry = json_array_get(results, i);
  const double t = best_of(results, i, d), packed = packed_median(results, i, d);
  const double c = median_of(results, i + PASSES, d), w = median_of(results, i + BYTES, d);
  const double ratio = json_number(json_object_get(entry, direction_name[d]), "ratio") *
                       median_of(results, i, d) / t; /* the better one's */
  if (!(t > 0) || !(c > 0) || !(w > 0)) return;
  printf("%-14s%-5s%-12s%-10s%9.3f%9.3f%9.3f%7.2f%8.0f%%", json_text(entry, "size"),
         json_text(entry, "kind"), json_text(entry, "order"), direction_name[d], 1e3 * c, 1e3 * w,
         1e3 * t, (c + w) / fmax(c, w), 100 * fmax(c, w) / t);
  if (packed > 0)
    printf("%8.2f", packed / t);
  else
    printf("%8s", "-");
  printf("%8.2f  %s\n", ratio, json_text(entry, "series"));
}

void report_overlap(const json_t *report) {
  const json_t *results = json_object_get(report, "results");
  printf(
      "\nOverlap, medians in ms: passes alone, bytes alone, transform; the bound on what overlap "
      "gains, and how\nmuch of it was reached; over exchange packed, and over the best of "
      "FFTW-MPI\n");
  printf("%-14s%-5s%-12s%-10s%9s%9s%9s%7s%9s%8s%8s\n", "size", "kind", "order", "direction",
         "passes", "bytes", "both", "bound", "reached", "packed", "FFTW");
  for (size_t i = 0; i + PLAN <= json_array_size(results); i++)
    for (int d = 0; d < 2 && is_plan(results, i); d++) print_plan(results, i, d);
}
