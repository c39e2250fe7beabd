/* SPDX-License-Identifier: BSD-3-Clause
 * Builds the stages, exchanges and views of a direction from its geometry. */
#include <stdlib.h>

#include "base/memory.h"
#include "local/planes.h"
#include "pipeline/views.h"
#include "pipeline/pipelines.h"
#include "request/problem.h"

/* Bytes from row to row of an array of the caller. */
static ptrdiff_t row_bytes(const pf_geometry *g, pfft3d_side side) {
  const pfft3d_box *b = &g->box[side];
  ptrdiff_t row = 0;
  for (int a = 0; a < 3; a++)
    if (b->stride[a] > 1 && (!row || b->stride[a] < row)) row = b->stride[a];
  return row * (ptrdiff_t)pfft3d_element_bytes(&g->decision.problem, side);
}

/* Whether its rows begin within cache lines: streaming stores then write many parts of lines, which
 * take as long as whole ones. */
static int rows_split_lines(const pf_geometry *g, pfft3d_side side) {
  return row_bytes(g, side) % PF_ALIGN != 0;
}

/* Whether such rows are so short that streaming stores would write parts of lines for the most. The
 * cache takes them in 0.5 to 0.6 of the time with rows of 144 bytes, 0.8 with 176, and 0.7 to 1.0
 * with 272; with 400 in 1.05 to 1.15, with 528 in 1.0.  (Zen 3, 1 and 2 ranks, with messages and
 * without, real and complex fields of 256^2 to 1024^2 such rows, in both precisions.)  It has to
 * hold the rows of hundreds of points, whose lines become whole with the next tile. */
static int rows_are_scraps(const pf_geometry *g) {
  ptrdiff_t most = 5 * PF_ALIGN, held = (ptrdiff_t)pf_cache_bytes() / 512;
  for (int side = 0; side < 2; side++) {
    ptrdiff_t row = row_bytes(g, (pfft3d_side)side);
    if (rows_split_lines(g, (pfft3d_side)side) && row < most && row < held) return 1;
  }
  return 0;
}

/* Of a large last-level cache, which many cores share, so much is ours (measured with 480 MiB). */
enum { most_whole = 80 << 20, most_split = 96 << 20 };

/* The ranks that use one last-level cache. */
static int cache_ranks(const pf_pipelines *p) {
  int ranks = p->geometry.ranks;
  return pf_cache_ranks(p->node_ranks > 0 && p->node_ranks < ranks ? p->node_ranks : ranks);
}

/* Bytes of their arrays and work memory. */
static size_t cache_use(const pf_pipelines *p, int in_place) {
  const pf_geometry *g = &p->geometry;
  return ((in_place ? 1 : 2) * g->user_bytes + g->work_bytes) * (size_t)cache_ranks(p);
}

/* Intel's last-level caches are large, but far: a core reads lines from there, or claims them, at
 * half the rate of streaming stores. */
static int far_last_level(void) {
  return pf_cache_claims();
}

/* Whether ranks read what others have written there. */
static int hands_over_far(const pf_geometry *g) {
  return g->decision.exchange->direct && g->ranks > 1 && far_last_level();
}

/* How much of the last-level cache these may take for stores into it to pay.  On Zen 5 with 32 MiB
 * one rank, which has the bandwidth of memory for itself, gains up to 60^3 points, and real fields,
 * whose rows split lines, up to 96^3 (0.75 of the time at 64^3); two ranks gain up to 96^3 and
 * 112^3.  On a Xeon with 300 MiB one rank loses: 1.45 of the time at 96^3, real fields 1.1 at 96^3
 * and 112^3, 1.3 at 128^3. */
static size_t worth_keeping(int split, int ranks) {
  if (ranks == 1 && far_last_level()) return 4 * pf_cache_bytes();
  size_t sixth = pf_cache_last() / 6, most = split ? most_split : most_whole;
  size_t ours = sixth * (ranks > 1 ? 8 : split ? 4 : 2);
  return ours < most ? ours : most;
}

/* Whether they stay in the last-level cache from one run to the next. */
static int all_fit(const pf_pipelines *p, int in_place) {
  const pf_geometry *g = &p->geometry;
  int split = rows_split_lines(g, PFFT3D_SPACE) || rows_split_lines(g, PFFT3D_SPECTRUM);
  return cache_use(p, in_place) <= worth_keeping(split, cache_ranks(p));
}

/* Stores bypass the cache unless an array of the caller is smaller than twice the second-level
 * cache, or all stay in the last-level cache: what is read again soon then stays there.  (Measured
 * at 8^3 to 256^3 on 1 and 2 ranks, with caches of 2 and 480 MiB, of which 60 to 100 seem to be
 * ours, and with the lines claimed that are stored (claims()).  Stores into the cache take 0.82 of
 * the time at 72^3 and at 96^3, 0.94 at 112^3, and in place 0.88 at 128^3; for real fields 0.75 to
 * 0.87 from 96^3 to 144^3; out of place 1.1 at 128^3, and 1.45 at 160^3.  Without claims they
 * took 1.5 at 64^3 with a cache of 1 MiB, and 1.4 at 128^3 with one of 2 MiB.)  Results bypass it
 * where ranks write each other's arrays in turns; where the last-level cache is far, already from
 * one second-level cache on, if their rows are whole lines (Xeon, two ranks: 0.93 at 64^3, 0.91 at
 * 96^3, backward real fields 0.92 at 128^3, 1.02 at 96^3). */
static int streams(const pf_pipelines *p, const pf_pipeline *w, int in_place) {
  const pf_geometry *g = &p->geometry;
  pfft3d_side results = w->direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  int reach = w->geometry->pull || w->geometry->push;
  if (rows_are_scraps(g)) return 0;
  if (hands_over_far(g) && !rows_split_lines(g, results)) return g->user_bytes >= pf_cache_bytes();
  return g->user_bytes >= 2 * pf_cache_bytes() && (reach || !all_fit(p, in_place));
}

/* Whether what a stage hands on to the next one is still in the last-level cache then, where
 * results bypass it: either nobody but this rank reads it, and it fits in there with both arrays of
 * the caller: three arrays, padded, in a fifth of the cache. Streaming stores would send it to
 * memory.  Or one array and the work memory fit, and results are written to other ranks' arrays, or
 * a third stage moves what an exchange has brought.
 * (Measured on one rank: lines of 2^18 to 2^21 points take 0.77 to 0.98 of the time, fields of 64^3
 * to 128^3 points 0.90 to 1.02; where they do not fit, streaming stores take 0.9 of the time at
 * 136^3, and 0.66 at 192^3.  With two ranks on one cache it is no gain, and 128^3 points take twice
 * as long where these read each other's results.  Natural order on two ranks with 32 MiB: 0.84 at
 * 64^3, 0.8 at 80^3 and 96^3, 1.2 at 128^3, where it does not fit; lines 1.3.  With messages 0.77
 * to 0.97 at 96^3.) */
static int stays(const pf_pipelines *p, const pf_pipeline *w) {
  const pf_geometry *g = &p->geometry;
  size_t last = pf_cache_last();
  size_t near = far_last_level() ? 3 * pf_cache_bytes() : last;
  if (g->ranks == 1) return g->user_bytes <= (near < last / 14 ? near : last / 14);
  if (g->vector[0].ranks) return 0;
  if (w->geometry->push) return cache_use(p, 1) <= (last < most_whole ? last : most_whole);
  if (w->stages < 3 || g->decision.exchange->direct) return 0;
  return cache_use(p, 1) <= worth_keeping(0, cache_ranks(p));
}

/* Of the second-level cache of this processor. */
static ptrdiff_t cache_places(ptrdiff_t distance) {
  return pf_cache_places(distance, (ptrdiff_t)pf_cache_bytes() / pf_cache_ways(), pf_cache_ways());
}

/* Number of neighbouring lines that can be prefetched together: two such strips have to stay in the
 * second-level cache.  0 if they do not fit. */
static int fetch_width(ptrdiff_t n, ptrdiff_t stride, ptrdiff_t element) {
  ptrdiff_t cache = (ptrdiff_t)pf_cache_bytes(), places = cache_places(stride * element);
  ptrdiff_t tile = 2 * PF_ALIGN / element;
  for (int width = PF_STRIP; width >= PF_STRIP / 4; width /= 2)
    if (2 * n <= places && 2 * n * width * element <= cache / 2) return width;
  /* For long lines only the next tile, in addition to the current one. */
  return 2 * n <= places && 2 * n * tile * element <= cache ? (int)tile : 0;
}

/* Points from which on a strip costs more than it saves, and claims of whole tiles more than those
 * of butterflies (at 64^3 points the latter take 1.03 of the time). */
enum { long_line = 512 };

/* Lines that lie side by side and are read from main memory. */
static void read_columns(pf_pass *pass) {
  int width = 0;
  if (pass->fft->engine->fetches)
    width = fetch_width(pass->fft->n, pass->from->segment[0].stride[pass->line],
                        (ptrdiff_t)pass->from->element);
  if (pass->from->narrow) width = 0; /* copied in any case: strips have the longest runs */
  pass->fetch = width;
  pass->near =
      !width && !pass->from->narrow && pass->fft->engine->fetches && pass->fft->n >= long_line;
  pass->strip = width || pass->near ? 0 : PF_STRIP;
}

/* Rows that are far apart are short runs; the processor prefetches by itself within longer ones
 * only, and not their beginnings: where arrays do not stay in cache, one rank on Zen 5 takes 0.88
 * of the time at 128^3, and 0.92 at 256^3. */
static void read_rows(pf_pass *pass, int from_memory) {
  ptrdiff_t apart = pass->from->segment[0].stride[pass->tile];
  ptrdiff_t element = (ptrdiff_t)pass->from->element, length = pass->from->len[pass->line];
  int needed = from_memory || apart > 2 * length || pass->fft->many > 1;
  if (pass->fft->engine->fetches && needed && length * element >= PF_ALIGN) pass->fetch = 1;
}

/* Whether a stage reads small arrays, which this rank alone has written: they are in its cache. */
static int in_cache(const pf_geometry *g, int k) {
  return g->user_bytes <= pf_cache_bytes() / 4 && (k == 0 || g->ranks == 1);
}

/* Whether the lines that a stage writes are not in the cache of this rank alone: then it requests
 * them while it computes, unless its stores bypass the cache.  AMD's processors need that only for
 * arrays from four second-level caches on, or where the last one holds them no longer.  (Zen 3 with
 * 512 KiB and 32 MiB, two ranks: 0.75 to 0.97 of the time at 64^3 and 72^3, real fields 0.82 to
 * 0.93 at 80^3 and 96^3, with messages 0.95 to 1.06; below, 0.9 forward and 1.0 backward.) */
static int claims(const pf_pipelines *p, const pf_pipeline *w, int k) {
  const pf_geometry *g = &p->geometry;
  int held = g->user_bytes < 4 * pf_cache_bytes() && cache_use(p, 0) <= pf_cache_last() / 3 * 2;
  if (held && !pf_cache_claims()) return 0;
  int others = k < w->stages - 1 && g->ranks > 1 &&
               (g->decision.exchange->direct || w->sequence->redist[k].near.len > 1);
  return others || g->user_bytes > pf_cache_bytes() / 4;
}

/* Whether columns are written to places that the cache cannot hold all at once: those that are
 * claimed first would be gone when they are stored. */
static int crowded(const pf_pass *pass) {
  if (!pass->fft || pass->fft->rows || pass->transpose || pass->fft->n < long_line) return 0;
  ptrdiff_t distance = pass->to->segment[0].stride[pass->line] * (ptrdiff_t)pass->to->element;
  return cache_places(distance) < 2 * pass->fft->n;
}

static void make_stage(const pf_pipelines *p, int k, pf_pipeline *w) {
  const pf_geometry *g = &p->geometry;
  const pf_route_stage *stage = &w->geometry->route.stage[k];
  pf_stage *s = &w->stage[k];
  s->outer = stage->outer;
  s->planes = g->used ? w->from[k].len[stage->outer] : 0;
  s->fields = g->group;
  s->by_field = g->decision.exchange->direct;
  s->at_once = g->decision.threads;
  s->place = p->worker[0].places > 1 ? (int)w->direction * PF_STAGES + k : 0;
  s->passes = stage->axes ? stage->axes : 1;
  for (int i = 0; i < s->passes; i++) {
    pf_pass *pass = &s->pass[i];
    int final = i == s->passes - 1;
    *pass = (pf_pass){.line = stage->line[i], .tile = stage->tile[i], .scale = 1};
    if (stage->axes)
      pass->gap[w->direction == PFFT3D_FORWARD] =
          pf_problem_dropped(&g->decision.problem, stage->axis[i]);
    pass->fft = stage->axes ? pf_pipelines_find_fft(p, w->direction, stage->axis[i]) : NULL;
    pass->from = i == 0 ? &w->from[k] : &w->plane;
    pass->to = final ? &w->to[k] : &w->plane;
    if (!pass->fft) continue;
    if (in_cache(g, k)) continue;
    if (pass->fft->rows && i == 0) read_rows(pass, w->large[0]);
    if (!pass->fft->rows && (i == 0 || g->memory.bytes[PF_SLOT_PLANE] > pf_cache_bytes()))
      read_columns(pass);
  }
  const pf_views_ops *views = pf_views_of(g->decision.scheme);
  if (views->stage) views->stage(p, k, w);
}

/* Whether ranks with another last-level cache read what a stage hands on: they find it in memory
 * sooner than in the cache of this one.  (Zen 5, two ranks, 200 ns for a line between their caches:
 * streaming stores take 0.6 to 0.85 of the time at 32^3 and 48^3, 0.85 to 0.93 at 64^3, and real
 * fields 0.85 at 96^3.  With one cache, and 46 ns, they take 1.15 to 1.25.) */
static int crosses_caches(const pf_pipelines *p) {
  const pf_geometry *g = &p->geometry;
  return g->decision.exchange->direct && cache_ranks(p) < g->ranks &&
         g->user_bytes >= pf_cache_bytes() / 4;
}

/* Whether what a stage hands on bypasses the cache.  Where the last-level cache is far: unless the
 * second-level caches hold a quarter of it.  (Xeon, two ranks: 0.9 at 128^3, in natural order 0.82,
 * real fields 0.9; 1.1 at 64^3, 0.97 to 1.03 at 96^3.  Four ranks: 1.0 at 128^3.) */
static int hands_to_memory(const pf_pipelines *p, const pf_pipeline *w) {
  if (crosses_caches(p)) return 1;
  if (hands_over_far(&p->geometry)) return p->geometry.user_bytes > 4 * pf_cache_bytes();
  return w->streams && !w->stays;
}

void pf_pipeline_stores(const pf_pipelines *p, pf_pipeline *w, int in_place) {
  const pf_geometry *g = &p->geometry;
  w->streams = w->large[in_place];
  for (int k = 0; k < w->stages; k++) {
    pf_pass *pass = &w->stage[k].pass[w->stage[k].passes - 1];
    int final = k == w->stages - 1;
    pass->stream = final ? w->streams : hands_to_memory(p, w);
    pass->claim = !pass->stream && claims(p, w, k);
    pass->claim_near = pass->claim && crowded(pass) ? 2 : 0;
    pass->claim &= !pass->claim_near;
    pass->late = k == w->stages - 1 || !g->decision.exchange->post;
  }
}

/* The factor is applied in the last pass that transforms; in lines of one point only if there are
 * no others, so that results are bitwise those of routes that omit them. */
static void set_scale(pf_pipeline *w, double scale) {
  for (ptrdiff_t least = 2; least > 0; least--)
    for (int k = w->stages - 1; k >= 0; k--)
      for (int i = w->stage[k].passes - 1; i >= 0; i--)
        if (w->stage[k].pass[i].fft && w->stage[k].pass[i].fft->n >= least) {
          w->stage[k].pass[i].scale = scale;
          return;
        }
}

/* In the views of an exchange, one segment for each rank and one for missing points, and as many
 * for mirror images; in arrays of all ranks and in their place in shared memory, two for each rank.
 */
static size_t most_segments(const pf_pipeline *w, int ranks) {
  int reached = w->geometry->pull + w->geometry->push;
  return 8 + ((size_t)ranks + 1) * (size_t)(4 * w->sequence->count + 4 * reached);
}

static int create(pf_pipelines *p, pfft3d_direction direction, pfft3d_error *e) {
  pf_pipeline *w = &p->pipeline[direction];
  const pf_views_ops *views = pf_views_of(p->geometry.decision.scheme);
  w->geometry = &p->geometry.pipeline[direction];
  w->sequence = &p->geometry.memory.sequence[direction];
  w->direction = direction;
  w->stages = w->geometry->route.stages;
  size_t segments = most_segments(w, p->geometry.ranks);
  w->segment = calloc(segments, sizeof *w->segment);
  if (!w->segment) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu segments", segments);
  for (int in_place = 0; in_place < 2; in_place++) w->large[in_place] = streams(p, w, in_place);
  w->stays = stays(p, w);
  views->views(p, w);
  for (int k = 0; k < w->stages; k++) make_stage(p, k, w);
  pf_pipeline_stores(p, w, 0);
  set_scale(w, p->geometry.decision.scale[direction]);
  /* Planes on a device round otherwise than tiles, and which of both a stage takes depends on the
   * decomposition and the order. */
  int planes = p->geometry.decision.engine->device && !p->geometry.decision.deterministic;
  for (int k = 0; k < w->stages && planes; k++)
    PF_TRY(pf_planes_make(&w->stage[k], &w->stage[k].on_device, e));
  return PFFT3D_OK;
}

static int has_slot(const pf_view *v, pf_slot slot) {
  for (int k = 0; k < v->count; k++)
    if (v->segment[k].slot == slot) return 1;
  return 0;
}

/* Whether all stages but the first can do without the input, all but the last without the output:
 * then a run can stop in between.  On this rank. */
static int splits(const pf_pipelines *p, const pf_pipeline *w) {
  const pf_geometry *g = &p->geometry;
  if (g->vector[0].ranks || g->components > 1 || g->group != g->fields) return 0;
  if (g->decision.engine->device || w->stages < 2 || w->geometry->pull || w->geometry->push)
    return 0;
  for (int k = 0; k < w->stages; k++) {
    if (k > 0 && (has_slot(&w->from[k], PF_SLOT_IN) || has_slot(&w->from[k], PF_SLOT_OUT)))
      return 0;
    if (k < w->stages - 1 && has_slot(&w->to[k], PF_SLOT_OUT)) return 0;
  }
  return 1;
}

/* Ranks without points have other views than the others: what all do together, all decide together.
 */
static int agree_on_splits(pf_pipelines *p, pfft3d_error *e) {
  int all[2] = {splits(p, &p->pipeline[0]), splits(p, &p->pipeline[1])};
  int code = MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MIN, p->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  for (int d = 0; d < 2; d++) p->pipeline[d].splits = all[d];
  return PFFT3D_OK;
}

int pf_pipelines_connect(pf_pipelines *p, pfft3d_error *e) {
  for (int d = 0; d < 2; d++) {
    pf_pipeline *w = &p->pipeline[d];
    create(p, (pfft3d_direction)d, e);
    PF_TRY(pf_agree(p->comm, e));
    for (int k = 0; k < w->sequence->count; k++) {
      pf_exchange_store_connect(&p->store, d, k, &w->exchange[k], e);
      PF_TRY(pf_agree(p->comm, e));
    }
  }
  return agree_on_splits(p, e);
}

void pf_pipeline_destroy(pf_pipeline *w) {
  for (int k = 0; k < PF_EXCHANGES; k++) pf_exchange_destroy(&w->exchange[k]);
  pf_exchange_destroy(&w->edges);
  for (int k = 0; k < PF_STAGES; k++) pf_planes_free(w->stage[k].on_device);
  for (int k = 0; k < PF_STAGES; k++) w->stage[k].on_device = NULL;
  free(w->segment);
  w->segment = NULL;
}
