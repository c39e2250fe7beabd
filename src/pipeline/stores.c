/* SPDX-License-Identifier: BSD-3-Clause
 * How passes use the caches: which data bypasses them, which lines are prefetched or copied
 * together, and which are requested before they are written.  The numbers that a transform computes
 * do not depend on it.
 *
 * Each decision is a list of rules, and the first rule whose facts all hold decides.  The comment
 * of a rule has the time with it over the time without it, and the processor; "Caches" in
 * doc/design.md has all measurements.  Everything is decided when a pipeline is made, for runs out
 * of place and in place, because it depends on nothing else in a run. */
#include "base/memory.h"
#include "pipeline/pipelines.h"

typedef enum fact {
  ALWAYS,
  /* sizes: of an array of the caller, with L2 and L3 for the L2 and the last-level cache */
  OVER_QUARTER_L2,
  UNDER_1_L2,
  UNDER_2_L2,
  OVER_4_L2,
  ARRAYS_FIT_L3, /* three arrays, padded, fit a fifth of L3 */
  ALL_FIT_L3,    /* all arrays and the work memory stay in L3 from run to run */
  WORK_FITS_L3,  /* one array and the work memory do */
  STAGED_FIT_L3, /* the same, in a larger part of L3 */
  HELD,          /* an array is smaller than 4 L2, and all fit two thirds of L3 */
  PLANE_FITS_L2, /* the data between the two passes of a stage */
  /* rows of the caller's arrays */
  SHORT_ROWS,
  WHOLE_LINES, /* those of the results begin at cache lines */
  /* ranks and stages */
  ONE_RANK,
  DIRECT,       /* ranks read what others have written */
  SLOW_READERS, /* they do, where L3 is slow */
  OTHER_L3,     /* they do, and not all share one L3 */
  LINE,         /* the problem has one dimension */
  REACHES,      /* a stage reads or writes the caller's arrays of all ranks */
  PUSHES,       /* the last stage writes them */
  TWO_STAGES,   /* or one */
  OTHERS_READ,  /* other ranks read what this stage writes */
  OWN_SMALL,    /* this rank has written what the stage reads, and its L2 holds it */
  CACHED_RESULTS,
  KEPT,         /* the lines that are written were just read */
  AUTO_REQUEST, /* the processor requests the lines of waiting stores itself */
  /* passes */
  MOVES, /* without a transform */
  ROWS,
  FIRST,
  FACTS
} fact;

typedef struct rule {
  fact when[3]; /* the facts that are left out are ALWAYS */
  int verdict;
} rule;

enum { CACHE, STREAM };

/* Streaming stores of the last stage, which writes the results. */
static const rule results[] = {
    {{KEPT}, CACHE},                                  /* 0.5 to 0.9, L3 of 480 MiB */
    {{SHORT_ROWS}, CACHE},                            /* 0.5 to 1.0, Zen 3 */
    {{SLOW_READERS, WHOLE_LINES, UNDER_1_L2}, CACHE}, /* Xeon */
    {{SLOW_READERS, WHOLE_LINES}, STREAM},            /* 0.91 to 1.02, Xeon */
    {{UNDER_2_L2}, CACHE},
    {{REACHES}, STREAM},
    {{ALL_FIT_L3}, CACHE}, /* 0.75 to 0.94, Zen 5 and L3 of 480 MiB */
    {{ALWAYS}, STREAM},    /* 0.69 to 0.91, L3 of 480 MiB */
};

/* Streaming stores of the other stages, whose data the next stage reads. */
static const rule between[] = {
    {{KEPT}, CACHE},                     /* 0.5 to 0.9, L3 of 480 MiB */
    {{OTHER_L3}, STREAM},                /* 0.6 to 0.93, Zen 5 */
    {{SLOW_READERS, OVER_4_L2}, STREAM}, /* 0.82 to 1.0, Xeon */
    {{SLOW_READERS}, CACHE},             /* 0.91 to 1.03, Xeon */
    {{CACHED_RESULTS}, CACHE},
    {{ONE_RANK, ARRAYS_FIT_L3}, CACHE}, /* 0.77 to 1.02 */
    {{ONE_RANK}, STREAM},               /* 0.66 to 0.9 */
    {{LINE}, STREAM},                   /* 0.77, L3 of 32 MiB */
    {{PUSHES, STAGED_FIT_L3}, CACHE},   /* 0.8 to 0.84, L3 of 32 MiB */
    {{PUSHES}, STREAM},                 /* 0.83, L3 of 32 MiB */
    {{TWO_STAGES}, STREAM},
    {{DIRECT}, STREAM},      /* 0.5 */
    {{WORK_FITS_L3}, CACHE}, /* 0.77 to 0.97 */
    {{ALWAYS}, STREAM},
};

/* Requests of lines before they are written, if they are not streamed. */
static const rule requests[] = {
    {{KEPT}, 0},
    {{AUTO_REQUEST, HELD}, 0}, /* 0.8 to 1.0, Zen 4 and Zen 5; 1.0 to 1.1, Zen 3 */
    {{OTHERS_READ}, 1},        /* 0.75 to 1.06, Zen 3 */
    {{OVER_QUARTER_L2}, 1},
    {{ALWAYS}, 0},
};

enum { PLAIN, BY_ROWS, BY_COLUMNS };

/* Lines that are prefetched or copied before they are transformed. */
static const rule reads[] = {
    {{MOVES}, PLAIN},         /* as they are */
    {{OWN_SMALL}, PLAIN},     /* L2 has them */
    {{ROWS, FIRST}, BY_ROWS}, /* 0.88 to 0.92, Zen 5 */
    {{ROWS}, PLAIN},          /* the first pass has written them */
    {{FIRST}, BY_COLUMNS},    /* from memory */
    {{PLANE_FITS_L2}, PLAIN}, /* L2 has them */
    {{ALWAYS}, BY_COLUMNS},   /* from memory */
};

/* The last rule of each list holds ALWAYS. */
static int decide(const rule *r, const int *holds) {
  while (!holds[r->when[0]] || !holds[r->when[1]] || !holds[r->when[2]]) r++;
  return r->verdict;
}

/* ---- facts ---- */

/* Bytes from row to row of an array of the caller. */
static ptrdiff_t row_bytes(const pf_geometry *g, int side) {
  const pfft3d_box *b = &g->box[side];
  ptrdiff_t row = 0;
  for (int a = 0; a < 3; a++)
    if (b->stride[a] > 1 && (!row || b->stride[a] < row)) row = b->stride[a];
  return row * (ptrdiff_t)pfft3d_element_bytes(&g->decision.problem, (pfft3d_side)side);
}

/* Nonzero if rows begin within cache lines: streaming stores then write many partial lines, which
 * take as long as whole ones. */
static int rows_split_lines(const pf_geometry *g, int side) {
  return row_bytes(g, side) % PF_ALIGN != 0;
}

/* Nonzero if such rows are so short that streaming stores would mostly write partial lines.  The L2
 * cache must hold the rows of hundreds of points: the next tile completes their lines. */
static int rows_are_short(const pf_geometry *g, int side) {
  ptrdiff_t row = row_bytes(g, side), held = (ptrdiff_t)pf_cache_bytes() / 512;
  return rows_split_lines(g, side) && row < 5 * PF_ALIGN && row < held;
}

/* Number of ranks that use one last-level cache. */
static int cache_ranks(const pf_pipelines *p) {
  int ranks = p->geometry.ranks;
  return pf_cache_ranks(p->node_ranks > 0 && p->node_ranks < ranks ? p->node_ranks : ranks);
}

/* Bytes of one or two arrays and the work memory of these ranks. */
static size_t cache_use(const pf_pipelines *p, size_t arrays) {
  const pf_geometry *g = &p->geometry;
  return (arrays * g->user_bytes + g->work_bytes) * (size_t)cache_ranks(p);
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Largest part of a last-level cache that is used: many cores share a large one. */
enum { most_whole = 80 << 20, most_split = 96 << 20 };

/* Largest cache_use() for which stores into the last-level cache save time; `split`: the rows split
 * lines. */
static size_t worth_keeping(const pf_pipelines *p, int split) {
  int ranks = cache_ranks(p);
  if (ranks == 1 && pf_cache_claims()) return 4 * pf_cache_bytes();
  size_t sixths = ranks > 1 ? 8 : split ? 4 : 2;
  return least(pf_cache_last() / 6 * sixths, split ? most_split : most_whole);
}

/* (One rank, Xeon with L3 of 480 MiB.  In place 0.63 to 0.9 of the time with arrays of up to 57
 * MiB, 1.06 with 62 MiB, 1.4 with 256 MiB.  Out of place the output is read from memory before it
 * is written: real fields 0.7 to 0.86 up to 16 MiB, 1.15 with 32 MiB; complex ones 0.83 to 0.9
 * within two L2 caches, 1.1 to 1.4 beyond.  Zen 5 with L3 of 32 MiB, out of place: real fields 0.8
 * with 16 MiB, 1.1 with 20 MiB; complex ones 0.7 to 0.88 with 4 to 8 MiB, 1.05 with 14 MiB.) */
int pf_stores_keep(const pf_geometry *g, int in_place, int same) {
  enum { most_in_place = 58 << 20, most_real = 20 << 20 };
  size_t array = g->user_bytes, last = pf_cache_last() / 6 * 5;
  if (g->decision.engine->device) return 0;
  if (in_place) return array <= least(last, most_in_place);
  if (!same) return array <= least(last / 3 * 2, most_real);
  return array <= least(last / 5 * 2, pf_cache_claims() ? 2 * pf_cache_bytes() - 1 : most_real);
}

/* Facts of a direction in runs out of place or in place. */
static void find_facts(const pf_pipelines *p, const pf_pipeline *w, int in_place, int *holds) {
  const pf_geometry *g = &p->geometry;
  size_t array = g->user_bytes, l2 = pf_cache_bytes(), last = pf_cache_last();
  int direct = g->decision.exchange->direct, slow = pf_cache_claims();
  int split[2] = {rows_split_lines(g, 0), rows_split_lines(g, 1)};
  holds[ALWAYS] = 1;
  holds[OVER_QUARTER_L2] = array > l2 / 4;
  holds[UNDER_1_L2] = array < l2;
  holds[UNDER_2_L2] = array < 2 * l2;
  holds[OVER_4_L2] = array > 4 * l2;
  holds[ARRAYS_FIT_L3] = array <= least(slow ? 3 * l2 : last, last / 14);
  holds[ALL_FIT_L3] = cache_use(p, in_place ? 1 : 2) <= worth_keeping(p, split[0] || split[1]);
  holds[WORK_FITS_L3] = cache_use(p, 1) <= worth_keeping(p, 0);
  holds[STAGED_FIT_L3] = cache_use(p, 1) <= least(last, most_whole);
  holds[HELD] = array < 4 * l2 && cache_use(p, 2) <= last / 3 * 2;
  holds[PLANE_FITS_L2] = g->memory.bytes[PF_SLOT_PLANE] <= l2;
  holds[SHORT_ROWS] = rows_are_short(g, 0) || rows_are_short(g, 1);
  holds[WHOLE_LINES] = !split[w->direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE];
  holds[ONE_RANK] = g->ranks == 1;
  holds[DIRECT] = direct;
  holds[SLOW_READERS] = direct && g->ranks > 1 && slow;
  holds[OTHER_L3] = direct && cache_ranks(p) < g->ranks && array >= l2 / 4;
  holds[LINE] = g->vector[0].ranks != 0;
  holds[REACHES] = w->geometry->pull || w->geometry->push;
  holds[PUSHES] = w->geometry->push;
  holds[TWO_STAGES] = w->stages < 3;
  holds[AUTO_REQUEST] = !slow;
}

/* Those of pass i of stage k. */
static void find_pass_facts(const pf_pipeline *w, int k, int i, int *holds) {
  const pf_pass *pass = &w->stage[k].pass[i];
  int others = k < w->stages - 1 && !holds[ONE_RANK];
  holds[OTHERS_READ] = others && (holds[DIRECT] || w->sequence->redist[k].peers.len > 1);
  holds[OWN_SMALL] = !holds[OVER_QUARTER_L2] && (k == 0 || holds[ONE_RANK]);
  holds[MOVES] = !pass->fft;
  holds[ROWS] = pass->fft && pass->fft->rows;
  holds[FIRST] = i == 0;
}

/* ---- passes ---- */

/* Number of lines, so many bytes apart, that the L2 cache holds. */
static ptrdiff_t cache_lines(ptrdiff_t distance) {
  return pf_cache_lines(distance, (ptrdiff_t)pf_cache_bytes() / pf_cache_ways(), pf_cache_ways());
}

/* Number of adjacent lines that can be prefetched together: two such strips must remain in the L2
 * cache.  0 if they do not fit. */
static int fetch_width(ptrdiff_t n, ptrdiff_t stride, ptrdiff_t element) {
  ptrdiff_t cache = (ptrdiff_t)pf_cache_bytes(), lines = cache_lines(stride * element);
  ptrdiff_t tile = 2 * PF_ALIGN / element;
  for (int width = PF_STRIP; width >= PF_STRIP / 4; width /= 2)
    if (2 * n <= lines && 2 * n * width * element <= cache / 2) return width;
  /* For long lines only the next tile, in addition to the current one. */
  return 2 * n <= lines && 2 * n * tile * element <= cache ? (int)tile : 0;
}

/* Points from which on a strip costs more than it saves, and requests for whole tiles cost more
 * than those for butterflies. */
enum { long_line = 512 };

/* Lines that are adjacent in main memory. */
static void read_columns(const pf_pass *pass, pf_tuning *t) {
  const pf_view *v = pass->from;
  int fetches = pass->fft->engine->fetches && !v->narrow; /* narrow ones are copied in any case */
  if (fetches)
    t->fetch = fetch_width(pass->fft->n, v->segment[0].stride[pass->line], (ptrdiff_t)v->element);
  t->fetch_butterflies = fetches && !t->fetch && pass->fft->n >= long_line;
  t->strip = t->fetch || t->fetch_butterflies ? 0 : PF_STRIP;
}

/* Processors prefetch within long rows by themselves, but not the beginnings of rows. */
static void read_rows(const pf_pass *pass, int from_memory, pf_tuning *t) {
  ptrdiff_t apart = pass->from->segment[0].stride[pass->tile];
  ptrdiff_t element = (ptrdiff_t)pass->from->element, length = pass->from->len[pass->line];
  int needed = from_memory || apart > 2 * length || pass->fft->many > 1;
  t->fetch = pass->fft->engine->fetches && needed && length * element >= PF_ALIGN;
}

/* Nonzero if columns are written to more lines than the cache holds at these distances: those that
 * are requested first would be gone when they are stored. */
static int is_crowded(const pf_pass *pass) {
  if (!pass->fft || pass->fft->rows || pass->transpose || pass->fft->n < long_line) return 0;
  ptrdiff_t distance = pass->to->segment[0].stride[pass->line] * (ptrdiff_t)pass->to->element;
  return cache_lines(distance) < 2 * pass->fft->n;
}

/* Of the last pass of a stage. */
static void write_lines(const pf_pass *pass, int stream, const int *holds, pf_tuning *t) {
  int requested = !stream && decide(requests, holds);
  int by_butterfly = requested && is_crowded(pass);
  t->stream = stream;
  t->claim = requested && !by_butterfly;
  t->claim_butterflies = by_butterfly ? 2 : 0;
}

static pf_tuning tune_pass(const pf_pipelines *p, const pf_pipeline *w, int k, int i,
                           const int *holds) {
  const pf_pass *pass = &w->stage[k].pass[i];
  pf_tuning t = {.stream = 0};
  int how = decide(reads, holds), last = k == w->stages - 1;
  if (how == BY_ROWS) read_rows(pass, w->streams[0], &t);
  if (how == BY_COLUMNS) read_columns(pass, &t);
  int complete = k == 0 || !p->geometry.decision.exchange->post; /* before the first plane */
  if (i < w->stage[k].passes - 1) {
    t.ahead = complete && p->geometry.decision.threads == 1 && pass[1].fft && pass[1].fft->rows;
    return t;
  }
  write_lines(pass, decide(last ? results : between, holds), holds, &t);
  t.late = last || !p->geometry.decision.exchange->post;
  return t;
}

/* Of runs in place or not, that keep data in the output array or not. */
static void tune_runs(const pf_pipelines *p, pf_pipeline *w, int in_place, int keeps) {
  int holds[FACTS] = {0};
  find_facts(p, w, in_place, holds);
  w->streams[in_place] = decide(results, holds);
  holds[CACHED_RESULTS] = !w->streams[in_place];
  for (int k = 0; k < w->stages; k++)
    for (int i = 0; i < w->stage[k].passes; i++) {
      find_pass_facts(w, k, i, holds);
      holds[KEPT] = keeps;
      w->tuning[keeps][in_place][k][i] = tune_pass(p, w, k, i, holds);
    }
}

void pf_stores_decide(const pf_pipelines *p, pf_pipeline *w) {
  for (int k = 0; k < 4; k++) tune_runs(p, w, k % 2, k / 2);
  pf_stores_choose(w, 0, 0);
}

void pf_stores_choose(pf_pipeline *w, int in_place, int keeps) {
  for (int k = 0; k < w->stages; k++)
    for (int i = 0; i < w->stage[k].passes; i++)
      w->stage[k].pass[i].tuning = w->tuning[keeps][in_place][k][i];
}
