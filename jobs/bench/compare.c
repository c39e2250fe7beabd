/* SPDX-License-Identifier: BSD-3-Clause
 * One problem: all contenders in groups that fit into memory, FFTW-MPI in each of them; first
 * checked against FFTW-MPI, then timed in turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* Somebody who may join a group. */
typedef struct candidate {
  way way;          /* algo NULL: SpFFT */
  int first, count; /* its contenders while open */
} candidate;

typedef struct group {
  contender all[MAX_CONTENDERS];
  int peers, count; /* FFTW-MPI and the copies come first */
  double copy_s;    /* a pass: the faster of the copies */
  void *reference;
  struct {
    char engine[16];
    pfft3d_precision precision;
    double line_s[3];
  } known[2 * MAX_NAMES];
  int known_count;
} group;

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static pfft3d_side input_side(pfft3d_direction d) {
  return d == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
}

/* Makes the input anew and transforms it; seconds of the slowest rank, or -1 where it failed. */
static double one_run(const bench *b, contender *c, pfft3d_direction d) {
  double mine[2], all[2];
  field_fill(b, b->opt.seed + (uint64_t)d, c, input_side(d));
  MPI_Barrier(b->comm);
  const double start = MPI_Wtime();
  mine[1] = c->run(c, d);
  mine[0] = MPI_Wtime() - start;
  MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, b->comm);
  return all[1] != 0 ? -1 : all[0];
}

/* Compares results with FFTW-MPI's first variant.  Two right ones differ by rounding only, which
 * grows like u sqrt(log2 N), u = 2^-53 or, in single precision, 2^-24. */
static void check(const bench *b, group *g, pfft3d_direction d) {
  const pfft3d_side side = input_side(!d);
  const double points = (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
  for (int i = 0; i < g->count; i++) {
    contender *c = &g->all[i];
    result *r = &c->result[d];
    if (c->family == COPY) continue;
    const int failed = one_run(b, c, d) < 0;
    if (i == 0) memcpy(g->reference, c->array[side][0], field_bytes(b, c, side));
    r->error = field_compare(b, side, &g->all[0], g->reference, c);
    if (c->family == PFFT3D) r->passes = pfft3d_passes(b, c, d);
    const double u = c->precision == PFFT3D_SINGLE ? 0x1p-24 : 0x1p-53;
    r->wrong = failed || !(r->error <= 16 * u * sqrt(log2(fmax(points, 2))));
    if (r->wrong) note(b, "%s is wrong (difference %.1e): not timed", c->name, r->error);
  }
}

static void time_in_turns(const bench *b, group *g, pfft3d_direction d) {
  const int reps = b->opt.reps;
  for (int i = 0; i < g->count; i++) {
    result *r = &g->all[i].result[d];
    r->seconds = bench_alloc((size_t)reps * sizeof(double)); /* until the group closes */
    r->count = 0;
  }
  for (int rep = -b->opt.warmup; rep < reps; rep++)
    for (int i = 0; i < g->count; i++) {
      result *r = &g->all[i].result[d];
      if (r->wrong) continue;
      const double seconds = one_run(b, &g->all[i], d);
      if (rep >= 0) r->seconds[r->count++] = seconds;
    }
}

/* Of a batch, over the one-by-one transforms that follow it in the list. */
static double gain_of(const group *g, int i, pfft3d_direction d) {
  const result *r = &g->all[i].result[d], *other = r;
  if (g->all[i].batch == 1 || i + 1 >= g->count) return 0;
  other = &g->all[i + 1].result[d];
  return r->count && other->count ? other->median / r->median : 0;
}

static void evaluate(group *g, pfft3d_direction d) {
  double best = INFINITY, copy = INFINITY;
  for (int i = 0; i < g->count; i++) {
    const contender *c = &g->all[i];
    result *r = &g->all[i].result[d];
    if (r->wrong || r->count == 0) continue;
    double sorted[MAX_REPS];
    memcpy(sorted, r->seconds, (size_t)r->count * sizeof *sorted);
    qsort(sorted, (size_t)r->count, sizeof *sorted, by_value);
    r->min = sorted[0];
    r->median = (sorted[r->count / 2] + sorted[(r->count - 1) / 2]) / 2;
    if (c->family == FFTW) best = fmin(best, r->median);
    if (c->family == COPY) copy = fmin(copy, r->median);
  }
  for (int i = 0; i < g->count; i++) {
    result *r = &g->all[i].result[d];
    r->ratio = r->count && isfinite(best) ? best * g->all[i].fields / r->median : 0;
    r->gain = gain_of(g, i, d);
  }
  g->copy_s = d == 0 ? copy : fmin(copy, g->copy_s);
}

/* The in-cache times of a contender's engine, measured once per problem. */
static const double *engine_times(const bench *b, group *g, const contender *c) {
  const int most = (int)(sizeof g->known / sizeof g->known[0]);
  int k = 0;
  while (k < g->known_count &&
         (strcmp(g->known[k].engine, c->engine) != 0 || g->known[k].precision != c->precision))
    k++;
  if (k == g->known_count) {
    if (k == most) return g->known[0].line_s;
    memcpy(g->known[k].engine, c->engine, sizeof g->known[k].engine);
    g->known[k].precision = c->precision;
    limits_engine(b, c->engine, c->precision, g->known[k].line_s);
    g->known_count++;
  }
  return g->known[k].line_s;
}

/* Opens as many of the candidates from `next` on as memory takes; returns the next one. */
static int open_group(const bench *b, group *g, candidate *list, int next, int count) {
  int opened = 0;
  g->count = g->peers;
  for (; next < count && g->count + 2 <= MAX_CONTENDERS; next++) {
    candidate *c = &list[next];
    const char *algo = c->way.algo;
    const double bytes = algo ? pfft3d_bytes(b, &c->way) : spfft_bytes(b);
    c->count = 0;
    if (!algo && bytes <= 0) continue;
    if (!memory_fits(b, bytes)) {
      if (opened) break; /* it will be in the next group */
      note(b, "%s left out: it does not fit into memory", algo ? algo : "SpFFT");
      continue;
    }
    c->first = g->count;
    c->count = algo ? pfft3d_open(b, &c->way, &g->all[g->count]) : spfft_open(b, &g->all[g->count]);
    g->count += c->count;
    opened += c->count > 0;
  }
  return next;
}

static void close_group(group *g, candidate *list, int count) {
  for (int k = 0; k < count; k++) {
    contender *c = &g->all[list[k].first];
    if (list[k].count == 0) continue;
    if (list[k].way.algo)
      pfft3d_close(c);
    else
      spfft_close(c);
    list[k].count = 0;
  }
  for (int i = 0; i < g->count; i++)
    for (int d = 0; d < 2; d++) {
      free(g->all[i].result[d].seconds);
      memset(&g->all[i].result[d], 0, sizeof(result));
    }
}

static void run_group(const bench *b, group *g, json_t *report) {
  const int known = g->known_count;
  note(b, "timing %d contenders in turns", g->count);
  for (int d = 0; d < 2; d++) {
    check(b, g, (pfft3d_direction)d);
    time_in_turns(b, g, (pfft3d_direction)d);
    evaluate(g, (pfft3d_direction)d);
  }
  for (int i = 0; i < g->count; i++) {
    static const double none[3] = {0, 0, 0};
    const contender *c = &g->all[i];
    limits l;
    limits_scale(b, c, g->copy_s, c->family == PFFT3D ? engine_times(b, g, c) : none, &l);
    report_contender(b, report, c, &l);
  }
  for (int k = known; k < g->known_count; k++)
    report_limits(b, g->known[k].engine, g->known[k].precision, g->known[k].line_s);
}

/* Adds a way on slabs and on every wanted grid, in every wanted precision, alone and in a batch. */
static int list_ways(const bench *b, way w, candidate *list, int count) {
  const options *o = &b->opt;
  for (int grid = -1; grid < o->grids; grid++)
    for (int precision = 0; precision < 2; precision++)
      for (int batched = 0; batched <= (o->batch > 1); batched++) {
        if (!o->precision[precision] || count == MAX_WAYS) continue;
        for (int k = 0; k < 2; k++) w.grid[k] = grid < 0 ? 0 : o->grid[grid][k];
        w.precision = (pfft3d_precision)precision;
        w.batch = batched ? o->batch : 1;
        list[count++] = (candidate){.way = w};
      }
  return count;
}

/* Every wanted exchange with every wanted engine, and SpFFT. */
static int list_candidates(const bench *b, candidate *list) {
  const options *o = &b->opt;
  int count = 0;
  list[count++] = (candidate){.way = {.algo = NULL}};
  for (int k = 0;; k++) {
    const char *algo =
        o->algos ? (k < o->algos ? o->algo[k] : NULL) : pfft3d_list_name(PFFT3D_EXCHANGES, k, NULL);
    if (!algo) break;
    for (int e = 0; e < o->engines; e++)
      count = list_ways(b, (way){.algo = algo, .engine = o->engine[e]}, list, count);
  }
  if (count == MAX_WAYS) note(b, "only %d ways are compared", count);
  return count;
}

void compare(const bench *b, json_t *report) {
  static candidate list[MAX_WAYS];
  const int count = list_candidates(b, list);
  if (!memory_fits(b, fftw_bytes(b))) {
    note(b, "%tdx%tdx%td left out: not even FFTW-MPI fits into memory", b->n[0], b->n[1], b->n[2]);
    return;
  }
  group *g = bench_alloc(sizeof *g);
  g->peers = fftw_open(b, g->all);
  if (g->all[0].family != FFTW) {
    note(b, "%tdx%tdx%td left out: nothing to compare with", b->n[0], b->n[1], b->n[2]);
    fftw_close();
    free(g);
    return;
  }
  const size_t before = field_bytes(b, &g->all[0], PFFT3D_SPACE);
  const size_t after = field_bytes(b, &g->all[0], PFFT3D_SPECTRUM);
  g->reference = bench_alloc(before > after ? before : after);
  report_heading(b);
  for (int next = 0; next < count;) {
    const int first = next;
    next = open_group(b, g, list, first, count);
    run_group(b, g, report);
    close_group(g, &list[first], next - first);
  }
  fftw_close();
  free(g->reference);
  free(g);
}
