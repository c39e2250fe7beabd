/* SPDX-License-Identifier: BSD-3-Clause
 * One problem: all contenders in groups that fit into memory, FFTW-MPI in each of them; first
 * checked against FFTW-MPI, then timed in turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* Somebody who may join a group. */
typedef struct candidate {
  const char *algo, *engine; /* algo NULL: SpFFT */
  int first, count;          /* its contenders while open */
} candidate;

typedef struct group {
  contender all[MAX_CONTENDERS];
  int peers, count; /* FFTW-MPI and the copies come first */
  double copy_s;    /* a pass: the faster of the copies */
  double *reference;
  struct {
    char engine[16];
    double fft_s[3];
  } known[MAX_NAMES];
  int known_count;
} group;

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int input_side(pfft3d_direction d) {
  return d == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
}

/* Makes the input anew and transforms it; seconds of the slowest rank, or -1 where it failed. */
static double one_run(const bench *b, contender *c, pfft3d_direction d) {
  const int side = input_side(d);
  double mine[2], all[2];
  field_fill(b, b->opt.seed + (uint64_t)d, &c->box[side], c->array[side]);
  MPI_Barrier(b->comm);
  const double start = MPI_Wtime();
  mine[1] = c->run(c, d);
  mine[0] = MPI_Wtime() - start;
  MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, b->comm);
  return all[1] != 0 ? -1 : all[0];
}

/* Compares results with FFTW-MPI's first variant.  Two right ones differ by rounding only, which
 * grows like u sqrt(log2 N), u = 2^-53. */
static void check(const bench *b, group *g, pfft3d_direction d) {
  const int side = !input_side(d), axis = distributed_axis(b, (pfft3d_side)side);
  const contender *first = &g->all[0];
  const double points = (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
  const double limit = 16 * 0x1p-53 * sqrt(log2(fmax(points, 2)));
  for (int i = 0; i < g->count; i++) {
    contender *c = &g->all[i];
    result *r = &c->result[d];
    if (c->family == COPY) continue;
    const int failed = one_run(b, c, d) < 0;
    if (i == 0)
      memcpy(g->reference, c->array[side],
             (size_t)(c->box[side].len[0] * c->box[side].len[1] * c->box[side].len[2]) * 16);
    r->error =
        field_compare(b, axis, &first->box[side], g->reference, &c->box[side], c->array[side]);
    if (c->family == PFFT3D) r->passes = pfft3d_passes(b, c, d);
    r->wrong = failed || !(r->error <= limit);
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
    r->ratio = r->count && isfinite(best) ? best / r->median : 0;
  }
  g->copy_s = d == 0 ? copy : fmin(copy, g->copy_s);
}

/* The in-cache times of an engine, measured once per problem. */
static const double *engine_times(const bench *b, group *g, const char *engine) {
  int k = 0;
  while (k < g->known_count && strcmp(g->known[k].engine, engine) != 0) k++;
  if (k == g->known_count) {
    if (k == MAX_NAMES) return g->known[0].fft_s;
    memcpy(g->known[k].engine, engine, sizeof g->known[k].engine);
    limits_engine(b, engine, g->known[k].fft_s);
    g->known_count++;
  }
  return g->known[k].fft_s;
}

/* Opens as many of the candidates from `next` on as memory takes; returns the next one. */
static int open_group(const bench *b, group *g, candidate *list, int next, int count) {
  int opened = 0;
  g->count = g->peers;
  for (; next < count && g->count + 2 <= MAX_CONTENDERS; next++) {
    candidate *c = &list[next];
    const double bytes = c->algo ? pfft3d_bytes(b, c->algo, c->engine) : spfft_bytes(b);
    const char *name = c->algo ? c->algo : "SpFFT";
    c->count = 0;
    if (!c->algo && bytes <= 0) continue;
    if (!memory_fits(b, bytes)) {
      if (opened) break; /* it will be in the next group */
      note(b, "%s left out: it does not fit into memory", name);
      continue;
    }
    c->first = g->count;
    c->count = c->algo ? pfft3d_open(b, c->algo, c->engine, &g->all[g->count])
                       : spfft_open(b, &g->all[g->count]);
    g->count += c->count;
    opened += c->count > 0;
  }
  return next;
}

static void close_group(group *g, candidate *list, int count) {
  for (int k = 0; k < count; k++) {
    contender *c = &g->all[list[k].first];
    if (list[k].count == 0) continue;
    if (list[k].algo)
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
    limits l = {.copy_s = g->copy_s};
    if (g->all[i].family == PFFT3D)
      memcpy(l.fft_s, engine_times(b, g, g->all[i].engine), sizeof l.fft_s);
    report_contender(b, report, &g->all[i], &l);
  }
  for (int k = known; k < g->known_count; k++)
    report_limits(b, g->known[k].engine, g->known[k].fft_s);
}

/* Every wanted exchange with every wanted engine, and SpFFT. */
static int list_candidates(const bench *b, candidate *list) {
  const options *o = &b->opt;
  int count = 0;
  list[count++] = (candidate){.algo = NULL};
  for (int k = 0; count < MAX_CONTENDERS; k++) {
    const char *algo =
        o->algos ? (k < o->algos ? o->algo[k] : NULL) : pfft3d_list_name(PFFT3D_EXCHANGES, k, NULL);
    if (!algo) break;
    for (int e = 0; e < o->engines && count < MAX_CONTENDERS; e++)
      list[count++] = (candidate){.algo = algo, .engine = o->engine[e]};
  }
  return count;
}

void compare(const bench *b, json_t *report) {
  candidate list[MAX_CONTENDERS];
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
  const pfft3d_box *box = g->all[0].box; /* of the larger side: the reference serves both */
  ptrdiff_t elements = 0;
  for (int k = 0; k < 2; k++) {
    const ptrdiff_t here = box[k].len[0] * box[k].len[1] * box[k].len[2];
    if (here > elements) elements = here;
  }
  g->reference = bench_alloc((size_t)elements * 16);
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
