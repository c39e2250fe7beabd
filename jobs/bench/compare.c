/* SPDX-License-Identifier: BSD-3-Clause
 * One problem: all contenders in groups that fit into memory, each with FFTW-MPI; first checked,
 * then timed alternately. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "app/common/message.h"
#include "app/common/statistics.h"
#include "app/run/run.h"
#include "bench.h"

#define PEER(name) extern const peer peer_##name;
#include "peer_list.h"
#undef PEER
#define PEER(name) &peer_##name,
static const peer *const peers[] = {
#include "peer_list.h"
};
enum { PEERS = sizeof peers / sizeof *peers, ROOM = 10 /* a tenth of the memory stays free */ };

const peer *peer_at(int k) {
  return k >= 0 && k < PEERS ? peers[k] : NULL;
}

/* A contender or several that may join a group. */
typedef struct candidate {
  const peer *peer;
  way way;
  int first, count; /* its contenders while open */
} candidate;

typedef struct group {
  contender all[MOST_CONTENDERS];
  int base, count; /* FFTW-MPI and the copies come first */
  double copy_s;   /* a pass: the faster of the copies */
  known_times known;
} group;

void note(const bench *b, const char *format, ...) {
  va_list list;
  if (b->a.rank) return;
  fflush(stdout); /* both streams are often redirected to one file */
  va_start(list, format);
  fputs("bench_peers: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}

/* ---- Memory ---- */

void *bench_alloc(const bench *b, size_t bytes) {
  const size_t huge = (size_t)2 << 20, align = bytes >= huge ? huge : 64;
  const size_t rounded = (bytes / align + 1) * align;
  void *p = aligned_alloc(align, rounded);
  if (!p) app_die(&b->a, PFFT3D_ERR_MEMORY, "no memory for %zu bytes", bytes);
#ifdef MADV_HUGEPAGE
  if (align == huge) madvise(p, rounded, MADV_HUGEPAGE);
#endif
  return memset(p, 0, rounded);
}

/* Available bytes of this node, by the kernel. */
static double available(void) {
  FILE *f = fopen("/proc/meminfo", "r");
  char line[128];
  double kib = 0;
  if (!f) return INFINITY;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %lf", &kib) == 1) break;
  fclose(f);
  return kib > 0 ? kib * 1024 : INFINITY;
}

/* Collective. Nonzero if all nodes have so many bytes available for each of their ranks. */
static int memory_fits(const bench *b, double bytes) {
  return run_max(&b->a, bytes * b->ranks_on_node > available() * (1 - 1.0 / ROOM)) == 0;
}

/* ---- Times ---- */

/* Computes the input and transforms it; seconds of the slowest rank, or -1 after a failure. */
static double one_run(const bench *b, contender *c, pfft3d_direction d) {
  verify_fill(b, c, d);
  MPI_Barrier(b->a.comm);
  const double start = MPI_Wtime();
  const int failed = c->run(c, d) != 0;
  const double seconds = c->role == PART ? c->part_s : MPI_Wtime() - start;
  return run_max(&b->a, failed) > 0 ? -1 : run_max(&b->a, seconds);
}

int in_a_row(const bench *b, int fields) {
  if (b->opt.in_a_row) return b->opt.in_a_row;
  return fields * pfft3d_problem_points(&b->problem) <= 0x1p20 ? 100 : 1;
}

/* The 99th percentile of sorted seconds; 0 if there are too few. */
static double p99_of(const double *seconds, int count) {
  return count < 100 ? 0 : seconds[(count * 99 + 99) / 100 - 1];
}

/* One turn of a contender; sets the 99th percentile. */
static double repeat(const bench *b, contender *c, pfft3d_direction d, double *late) {
  double seconds[MOST_REPS];
  for (int k = 0; k < c->in_a_row; k++) seconds[k] = one_run(b, c, d);
  const double median = stat_median(seconds, c->in_a_row);
  *late = p99_of(seconds, c->in_a_row);
  return median;
}

static void time_in_turns(const bench *b, group *g, pfft3d_direction d) {
  const int reps = b->opt.reps;
  for (int i = 0; i < g->count; i++) {
    result *r = &g->all[i].result[d];
    r->seconds = app_malloc(&b->a, 2 * (size_t)reps, sizeof(double));
    r->late = r->seconds + reps;
  }
  for (int rep = -b->opt.warmup; rep < reps; rep++)
    for (int i = 0; i < g->count; i++) {
      result *r = &g->all[i].result[d];
      double late;
      if (r->wrong) continue;
      const double seconds = repeat(b, &g->all[i], d, &late);
      if (rep < 0) continue;
      r->late[r->count] = late;
      r->seconds[r->count++] = seconds;
    }
}

/* ---- Results ---- */

/* For a batch: relative to the one-by-one transforms that follow it in the list. */
static double gain_of(const group *g, int i, pfft3d_direction d) {
  const contender *c = &g->all[i];
  if (!is_ours(c) || c->batch == 1 || i + 1 >= g->count) return 0;
  const result *r = &c->result[d], *other = &c[1].result[d];
  return r->count && other->count ? other->median / r->median : 0;
}

/* Sets minimum, median and 99th percentile of a result that has times. */
static void sum_up(result *r) {
  double sorted[MOST_REPS], late[MOST_REPS];
  memcpy(sorted, r->seconds, (size_t)r->count * sizeof *sorted);
  memcpy(late, r->late, (size_t)r->count * sizeof *late);
  r->median = stat_median(sorted, r->count);
  r->min = sorted[0];
  r->p99 = stat_median(late, r->count);
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
    if (r->count == 0) continue;
    sum_up(r);
    double *rival = &best[c->fields > 1                   ? FIELDS
                          : c->dealing == BLOCK_SCRAMBLED ? SCRAMBLED
                                                          : PLAIN];
    if (c->role == COPY)
      copy = fmin(copy, r->median);
    else if (i < g->base)
      *rival = fmin(*rival, r->median);
  }
  for (int i = 0; i < g->count; i++) {
    result *r = &g->all[i].result[d];
    r->ratio = ratio_of(best[g->all[i].fields > 1 ? FIELDS : PLAIN], r);
    r->scrambled = ratio_of(best[SCRAMBLED], r);
    r->gain = gain_of(g, i, d);
  }
  g->copy_s = d == 0 ? copy : fmin(copy, g->copy_s);
}

/* ---- Groups ---- */

/* Opens contenders at the end of a group; returns their number. */
static int open_contenders(const bench *b, group *g, const peer *p, const way *w) {
  const ptrdiff_t *n = b->problem.n;
  contender *c = &g->all[g->count];
  const int count = p->open(b, w, c);
  for (int i = 0; i < count; i++, c++) {
    c->peer = p;
    c->kind = is_line(b) ? line_kind : kind_name[b->problem.kind];
    c->order = is_line(b) ? dealing_name[c->dealing] : order_name[b->order];
    c->in_a_row = in_a_row(b, c->fields);
    c->flops = c->fields * run_flops(&b->problem);
    if (is_line(b))
      snprintf(c->size, sizeof c->size, "%td", n[2]);
    else
      snprintf(c->size, sizeof c->size, "%tdx%tdx%td", n[0], n[1], n[2]);
  }
  g->count += count;
  return count;
}

/* Opens as many candidates from `next` on as fit into memory; returns the next one. */
static int open_group(const bench *b, group *g, candidate *list, int next, int count) {
  int opened = 0;
  g->count = g->base;
  for (int i = 0; i < g->base; i++) memset(g->all[i].result, 0, sizeof g->all[i].result);
  for (; next < count && g->count + 4 <= MOST_CONTENDERS; next++) {
    candidate *c = &list[next];
    const double bytes = c->peer->bytes(b, &c->way);
    c->count = 0;
    if (bytes <= 0) continue;
    if (!memory_fits(b, bytes)) {
      if (opened) break; /* it will be in the next group */
      note(b, "%s left out: it does not fit into memory",
           c->way.algo ? c->way.algo : c->peer->name);
      continue;
    }
    c->first = g->count;
    c->count = open_contenders(b, g, c->peer, &c->way);
    opened += c->count > 0;
  }
  return next;
}

static void close_group(group *g, candidate *list, int count) {
  for (int k = 0; k < count; k++)
    if (list[k].count) list[k].peer->close(&g->all[list[k].first]);
}

/* The contenders' results are kept. */
static void keep(const bench *b, const group *g, results *r) {
  contender *all = app_malloc(&b->a, (size_t)(r->count + g->count), sizeof *all);
  if (r->count) memcpy(all, r->all, (size_t)r->count * sizeof *all);
  memcpy(all + r->count, g->all, (size_t)g->count * sizeof *all);
  free(r->all);
  r->all = all;
  r->count += g->count;
}

static void run_group(const bench *b, group *g, results *r) {
  const int known = g->known.count;
  note(b, "timing %d contenders in turns", g->count);
  for (int k = 0; k < 2; k++) {
    const pfft3d_direction d = (pfft3d_direction)k;
    for (int i = 0; i < g->count; i++) {
      contender *c = &g->all[i];
      if (c->role != TRANSFORM) continue;
      verify(b, c, d);
      if (c->peer->counts) c->peer->counts(b, c, d);
    }
    time_in_turns(b, g, d);
    evaluate(g, d);
  }
  for (int i = 0; i < g->count; i++) {
    limits_find(b, &g->known, g->copy_s, &g->all[i]);
    report_contender(b, &g->all[i]);
  }
  for (int k = known; k < g->known.count; k++) report_lines(b, &g->known.all[k]);
  keep(b, g, r);
}

/* ---- Candidates ---- */

/* Adds ways: on slabs and on every requested grid, or for lines in natural order from both layouts
 * and in scrambled order; in every requested precision; alone and, for fields, in a batch. */
static int list_ways(const bench *b, const peer *p, way w, candidate *list, int count) {
  const bench_options *o = &b->opt;
  const int line = is_line(b), layouts = line ? DEALINGS : 1 + o->grids.count;
  for (int k = 0; k < layouts; k++)
    for (int precision = 0; precision < 2; precision++)
      for (int batched = 0; batched <= (!line && o->batch > 1); batched++) {
        if (count == MOST_WAYS || !o->precision[precision] ||
            (line && !o->order[k == BLOCK_SCRAMBLED ? PFFT3D_TRANSPOSED : PFFT3D_NATURAL]))
          continue;
        if (line) w.dealing = (dealing)k;
        if (!line && k) memcpy(w.grid, o->grids.ranks[k - 1], sizeof w.grid);
        w.precision = (pfft3d_precision)precision;
        w.batch = batched ? o->batch : 1;
        list[count++] = (candidate){.peer = p, .way = w};
      }
  return count;
}

/* Nonzero for a peer that takes part: pfft3d always does. */
static int takes_part(const bench *b, const peer *p) {
  const word_list *wanted = &b->opt.peers;
  for (int k = 0; k < wanted->count; k++)
    if (!strcmp(wanted->word[k], p->word)) return 1;
  return p->ways || !wanted->count;
}

/* Every peer after the first: where it has ways, with every requested exchange and engine. */
static int list_candidates(const bench *b, candidate *list) {
  const word_list *algos = &b->opt.algos, *engines = &b->opt.engines;
  int count = 0;
  for (int k = 1; k < PEERS; k++) {
    const peer *p = peers[k];
    if (!takes_part(b, p)) continue;
    if (!p->ways) list[count++] = (candidate){.peer = p};
    for (int i = 0; p->ways && (!algos->count || i < algos->count); i++) {
      const char *algo =
          algos->count ? algos->word[i] : pfft3d_list_name(PFFT3D_EXCHANGES, i, NULL);
      if (!algo) break;
      for (int e = 0; e < engines->count; e++)
        count = list_ways(b, p, (way){.algo = algo, .engine = engines->word[e]}, list, count);
    }
  }
  if (count == MOST_WAYS) note(b, "only %d ways are compared", count);
  return count;
}

void compare(const bench *b, results *r) {
  static candidate list[MOST_WAYS];
  const peer *base = peers[0];
  const int count = list_candidates(b, list);
  char problem[128];
  pfft3d_problem_print(&b->problem, problem, sizeof problem);
  if (!memory_fits(b, base->bytes(b, NULL))) {
    note(b, "%s left out: not even %s fits into memory", problem, base->name);
    return;
  }
  group *g = app_malloc(&b->a, 1, sizeof *g);
  g->base = open_contenders(b, g, base, NULL);
  if (g->base && g->all[0].role == TRANSFORM && !g->all[0].unordered) {
    if (b->a.rank == 0) report_heading(b);
    for (int next = 0; next < count;) {
      const int first = next;
      next = open_group(b, g, list, first, count);
      run_group(b, g, r);
      close_group(g, &list[first], next - first);
    }
  } else {
    note(b, "%s left out: nothing to compare with", problem);
  }
  base->close(g->all);
  verify_forget();
  free(g);
}
