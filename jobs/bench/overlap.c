/* SPDX-License-Identifier: BSD-3-Clause
 * How much of the communication overlapped with computation.  With c for the passes only and w for
 * an all-to-all of the same bytes only, timed alternately with the transforms themselves, running
 * one after the other takes c + w, and nothing is faster than the longer of them: so overlap gains
 * at most the bound (c + w) / max(c, w).  If cores also serve the network, only a part of the bound
 * can be reached. */
#include <math.h>
#include <string.h>

#include "bench.h"

/* The contenders of a plan are adjacent: out of place, in place, passes only, bytes only. */
enum { PLAN = 4, PASSES = 2, BYTES = 3 };

static int is_plan(const results *r, int i) {
  return i + PLAN <= r->count && is_ours(&r->all[i]) && r->all[i + BYTES].role == PART;
}

/* The better of a plan's two contenders. */
static double best_of(const contender *c, int d) {
  return fmin(c[0].result[d].median, c[1].result[d].median);
}

static int is_alike(const contender *c, const contender *o) {
  return strcmp(c->size, o->size) == 0 && strcmp(c->engine, o->engine) == 0 &&
         c->order == o->order && c->kind == o->kind &&
         c->problem.precision == o->problem.precision && c->grid[0] == o->grid[0] &&
         c->grid[1] == o->grid[1];
}

/* The transform of the same problem by exchange packed, if there is one. */
static double packed_median(const results *r, const contender *like, int d) {
  for (int i = 0; i < r->count; i++)
    if (is_plan(r, i) && strstr(r->all[i].name, " packed ") && is_alike(&r->all[i], like))
      return best_of(&r->all[i], d);
  return 0;
}

static void print_plan(const results *r, const contender *p, int d) {
  const double t = best_of(p, d), packed = packed_median(r, p, d);
  const double c = p[PASSES].result[d].median, w = p[BYTES].result[d].median;
  const double ratio = p->result[d].ratio * p->result[d].median / t; /* the better one's */
  if (!(t > 0) || !(c > 0) || !(w > 0)) return;
  printf("%-14s%-5s%-12s%-10s%9.3f%9.3f%9.3f%7.2f%8.0f%%", p->size, p->kind, p->order,
         direction_name[d], 1e3 * c, 1e3 * w, 1e3 * t, (c + w) / fmax(c, w), 100 * fmax(c, w) / t);
  if (packed > 0)
    printf("%8.2f", packed / t);
  else
    printf("%8s", "-");
  printf("%8.2f  %s\n", ratio, p->series);
}

void report_overlap(const results *r) {
  printf(
      "\nOverlap, medians in ms: passes alone, bytes alone, transform; the bound on what overlap "
      "gains, and how\nmuch of it was reached; over exchange packed, and over the best of "
      "FFTW-MPI\n");
  printf("%-14s%-5s%-12s%-10s%9s%9s%9s%7s%9s%8s%8s\n", "size", "kind", "order", "direction",
         "passes", "bytes", "both", "bound", "reached", "packed", "FFTW");
  for (int i = 0; i < r->count; i++)
    for (int d = 0; d < 2 && is_plan(r, i); d++) print_plan(r, &r->all[i], d);
}
