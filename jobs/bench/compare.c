/* SPDX-License-Identifier: BSD-3-Clause
 * One problem: all contenders in groups that fit into memory, each with FFTW-MPI; first checked
 * against FFTW-MPI, then timed alternately. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* A contender or several that may join a group. */
typedef struct candidate {
  way way;          /* algo NULL: SpFFT */
  int first, count; /* its contenders while open */
} candidate;

typedef struct group {
  contender all[MAX_CONTENDERS];
  int peers, count; /* FFTW-MPI and the copies come first */
  double copy_s;    /* a pass: the faster of the copies */
  void *reference;
  sums sums; /* for lines, in addition to the reference */
  struct {
    char engine[16];
    pfft3d_precision precision;
    ptrdiff_t n[3];
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

/* Computes the input and transforms it; seconds of the slowest rank, or -1 after a failure. */
static double one_run(const bench *b, contender *c, pfft3d_direction d) {
  double mine[2], all[2];
  field_fill(b, b->opt.seed + (uint64_t)d, c, input_side(d));
  MPI_Barrier(b->comm);
  const double start = MPI_Wtime();
  mine[1] = c->run(c, d);
  mine[0] = c->family == PART ? c->part_s : MPI_Wtime() - start;
  MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, b->comm);
  return all[1] != 0 ? -1 : all[0];
}

/* The error of a result, relative to FFTW-MPI's, which comes first and is kept.  For a line
 * FFTW-MPI's is compared with sums by the definition, too, as it decides on the others. */
static double error_of(const bench *b, group *g, pfft3d_direction d, contender *c) {
  const pfft3d_side side = input_side(!d);
  const uint64_t seed = b->opt.seed + (uint64_t)d;
  if (!b->line) {
    if (c == g->all) memcpy(g->reference, c->array[side][0], field_bytes(b, c, side));
    return field_compare(b, side, &g->all[0], g->reference, c);
  }
  if (c > g->all) return line_compare(b, d, seed, &g->sums, g->reference, c);
  line_sums(b, seed, d, &g->sums);
  return line_gather(b, side, c, &g->sums, g->reference);
}

/* Compares results with FFTW-MPI's first variant.  Two correct ones differ only by rounding, which
 * grows like u sqrt(log2 N), u = 2^-53 or, in single precision, 2^-24. */
static void check(const bench *b, group *g, pfft3d_direction d) {
  const double points = (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
  for (int i = 0; i < g->count; i++) {
    contender *c = &g->all[i];
    result *r = &c->result[d];
    if (c->family == COPY || c->family == PART) continue;
    const int failed = one_run(b, c, d) < 0;
    r->error = error_of(b, g, d, c);
    if (c->family == PFFT3D) pfft3d_counts(b, c, d);
    const double u = c->precision == PFFT3D_SINGLE ? 0x1p-24 : 0x1p-53;
    r->wrong = failed || !(r->error <= 16 * u * sqrt(log2(fmax(points, 2))));
    if (r->wrong) note(b, "%s is wrong (difference %.1e): not timed", c->name, r->error);
  }
}

int in_a_row(const bench *b, int fields) {
  const double points = fields * (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
  return b->opt.in_a_row ? b->opt.in_a_row : points <= 0x1p20 ? 100 : 1;
}

static double median_of(double *seconds, int count) {
  qsort(seconds, (size_t)count, sizeof *seconds, by_value);
  return (seconds[count / 2] + seconds[(count - 1) / 2]) / 2;
}

/* The 99th percentile of sorted seconds; 0 if there are too few. */
static double p99_of(const double *seconds, int count) {
  return count < 100 ? 0 : seconds[(count * 99 + 99) / 100 - 1];
}

/* One turn of a contender; sets the 99th percentile. */
static double repeat(const bench *b, contender *c, pfft3d_direction d, double *late) {
  double seconds[MAX_REPS];
  const int count = in_a_row(b, c->fields);
  for (int k = 0; k < count; k++) seconds[k] = one_run(b, c, d);
  const double median = median_of(seconds, count);
  *late = p99_of(seconds, count);
  return median;
}

static void time_in_turns(const bench *b, group *g, pfft3d_direction d) {
  const int reps = b->opt.reps;
  for (int i = 0; i < g->count; i++) {
    result *r = &g->all[i].result[d];
    r->seconds = bench_alloc(2 * (size_t)reps * sizeof(double)); /* freed when the group closes */
    r->late = r->seconds + reps;
    r->count = 0;
  }
  for (int rep = -b->opt.warmup; rep < reps; rep++)
    for (int i = 0; i < g->count; i++) {
      result *r = &g->all[i].result[d];
      if (r->wrong) continue;
      double late;
      const double seconds = repeat(b, &g->all[i], d, &late);
      if (rep < 0) continue;
      r->late[r->count] = late;
      r->seconds[r->count++] = seconds;
    }
}

/* For a batch: relative to the one-by-one transforms that follow it in the list. */
static double gain_of(const group *g, int i, pfft3d_direction d) {
  const result *r = &g->all[i].result[d], *other = r;
  if (g->all[i].family != PFFT3D || g->all[i].batch == 1 || i + 1 >= g->count) return 0;
  other = &g->all[i + 1].result[d];
  return r->count && other->count ? other->median / r->median : 0;
}

/* Sets minimum, median and 99th percentile of a result that has times. */
static void sum_up(result *r) {
  double sorted[MAX_REPS], late[MAX_REPS];
  memcpy(sorted, r->seconds, (size_t)r->count * sizeof *sorted);
  memcpy(late, r->late, (size_t)r->count * sizeof *late);
  r->median = median_of(sorted, r->count);
  r->min = sorted[0];
  r->p99 = median_of(late, r->count);
  if (r->p99 <= 0) r->p99 = p99_of(sorted, r->count);
}

/* The best time over the time of a result. */
static double ratio_of(double best, const result *r) {
  return r->count && isfinite(best) ? best / r->median : 0;
}

static void evaluate(group *g, pfft3d_direction d) {
  enum { PLAIN, SCRAMBLED, FIELDS, RIVALS }; /* the last: for batches */
  double best[RIVALS] = {INFINITY, INFINITY, INFINITY}, copy = INFINITY;
  for (int i = 0; i < g->count; i++) {
    const contender *c = &g->all[i];
    result *r = &g->all[i].result[d];
    if (r->wrong || r->count == 0) continue;
    sum_up(r);
    const int order = c->dealing == BLOCK_SCRAMBLED ? SCRAMBLED : PLAIN;
    double *rival = &best[c->fields > 1 ? FIELDS : order];
    if (c->family == FFTW) *rival = fmin(*rival, r->median);
    if (c->family == COPY) copy = fmin(copy, r->median);
  }
  for (int i = 0; i < g->count; i++) {
    result *r = &g->all[i].result[d];
    r->ratio = ratio_of(best[g->all[i].fields > 1 ? FIELDS : PLAIN], r);
    r->scrambled = ratio_of(best[SCRAMBLED], r);
    r->gain = gain_of(g, i, d);
  }
  g->copy_s = d == 0 ? copy : fmin(copy, g->copy_s);
}

/* A line as the array in which it is transformed: the lines of the array have the lengths of the
 * split. */
static bench as_array(const bench *b, const contender *c) {
  bench array = *b;
  if (b->line && c->family == PFFT3D)
    for (int a = 0; a < 3; a++) array.n[a] = a < 2 && c->split[a] > 0 ? c->split[a] : 1;
  return array;
}

/* The in-cache times of a contender's engine, measured once per problem and split. */
static const double *engine_times(const bench *b, group *g, const contender *c) {
  const int most = (int)(sizeof g->known / sizeof g->known[0]);
  int k = 0;
  while (k < g->known_count &&
         (strcmp(g->known[k].engine, c->engine) != 0 || g->known[k].precision != c->precision ||
          memcmp(g->known[k].n, b->n, sizeof b->n) != 0))
    k++;
  if (k == g->known_count) {
    if (k == most) return g->known[0].line_s;
    memcpy(g->known[k].engine, c->engine, sizeof g->known[k].engine);
    g->known[k].precision = c->precision;
    memcpy(g->known[k].n, b->n, sizeof b->n);
    limits_engine(b, c->engine, c->precision, g->known[k].line_s);
    g->known_count++;
  }
  return g->known[k].line_s;
}

/* The limits of a contender: its transforms and the copies of its passes.  A convolution transforms
 * twice. */
static void find_limits(const bench *b, group *g, const contender *c, limits *l) {
  static const double none[3] = {0, 0, 0};
  const bench array = as_array(b, c);
  const int twice = b->line && c->family == PFFT3D && array.n[0] * array.n[1] != b->n[2];
  limits_scale(&array, c, g->copy_s, c->family == PFFT3D ? engine_times(&array, g, c) : none, l);
  for (int a = 0; a < 3 && twice; a++) l->fft_s[a] *= 2;
}

/* Opens as many candidates from `next` on as fit into memory; returns the next one. */
static int open_group(const bench *b, group *g, candidate *list, int next, int count) {
  int opened = 0;
  g->count = g->peers;
  for (; next < count && g->count + 4 <= MAX_CONTENDERS; next++) {
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
    limits l;
    find_limits(b, g, &g->all[i], &l);
    report_contender(b, report, &g->all[i], &l);
  }
  for (int k = known; k < g->known_count; k++) {
    bench array = *b;
    memcpy(array.n, g->known[k].n, sizeof array.n);
    report_limits(&array, g->known[k].engine, g->known[k].precision, g->known[k].line_s);
  }
}

/* Adds a way on slabs and on every requested grid, in every requested precision, alone and in a
 * batch. */
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

/* Adds ways for lines: natural order from both layouts, and scrambled order. */
static int list_dealings(const bench *b, way w, candidate *list, int count) {
  for (int k = 0; k < DEALINGS; k++)
    for (int precision = 0; precision < 2; precision++) {
      const int order = k == BLOCK_SCRAMBLED ? PFFT3D_TRANSPOSED : PFFT3D_NATURAL;
      if (!b->opt.order[order] || !b->opt.precision[precision] || count == MAX_WAYS) continue;
      w.dealing = (dealing)k;
      w.precision = (pfft3d_precision)precision;
      w.batch = 1;
      list[count++] = (candidate){.way = w};
    }
  return count;
}

/* Every requested exchange with every requested engine, and SpFFT. */
static int list_candidates(const bench *b, candidate *list) {
  const options *o = &b->opt;
  int count = 0;
  if (!b->line) list[count++] = (candidate){.way = {.algo = NULL}};
  for (int k = 0;; k++) {
    const char *algo =
        o->algos ? (k < o->algos ? o->algo[k] : NULL) : pfft3d_list_name(PFFT3D_EXCHANGES, k, NULL);
    if (!algo) break;
    for (int e = 0; e < o->engines; e++) {
      const way w = {.algo = algo, .engine = o->engine[e]};
      count = b->line ? list_dealings(b, w, list, count) : list_ways(b, w, list, count);
    }
  }
  if (count == MAX_WAYS) note(b, "only %d ways are compared", count);
  return count;
}

void compare(const bench *b, json_t *report) {
  static candidate list[MAX_WAYS];
  char size[NAME];
  const int count = list_candidates(b, list);
  size_text(b, size, sizeof size);
  if (!memory_fits(b, fftw_bytes(b))) {
    note(b, "%s left out: not even FFTW-MPI fits into memory", size);
    return;
  }
  group *g = bench_alloc(sizeof *g);
  g->peers = fftw_open(b, g->all);
  if (g->all[0].family != FFTW || g->all[0].dealing != BLOCK_BLOCK) {
    note(b, "%s left out: nothing to compare with", size);
    fftw_close();
    free(g);
    return;
  }
  const size_t before = field_bytes(b, &g->all[0], PFFT3D_SPACE);
  const size_t after = field_bytes(b, &g->all[0], PFFT3D_SPECTRUM);
  const size_t whole = b->line ? (size_t)b->n[2] * 16 : 0;
  g->reference = bench_alloc(whole ? whole : before > after ? before : after);
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
