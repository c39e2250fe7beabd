/* SPDX-License-Identifier: BSD-3-Clause
 * Builds the stages, exchanges and views of a direction from its geometry. */
#include <stdlib.h>

#include "local/planes.h"
#include "pipeline/views.h"
#include "pipeline/pipelines.h"
#include "request/problem.h"

static void make_stage(const pf_pipelines *p, int k, pf_pipeline *w) {
  const pf_geometry *g = &p->geometry;
  const pf_route_stage *stage = &w->geometry->route.stage[k];
  pf_stage *s = &w->stage[k];
  s->outer = stage->outer;
  s->planes = g->used ? w->from[k].len[stage->outer] : 0;
  s->fields = g->group;
  s->by_field = g->decision.exchange->direct;
  s->at_once = g->decision.threads;
  s->entry = p->worker[0].entries > 1 ? (int)w->direction * PF_STAGES + k : 0;
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
  }
  const pf_views_ops *views = pf_views_of(g->decision.scheme);
  if (views->stage) views->stage(p, k, w);
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

/* Makes one plane of a view in which lines and planes lie side by side; returns 0 if they do not.
 */
static int flat_view(const pf_view *v, const pf_stage *s, pf_view *flat) {
  int tile = s->pass[0].tile;
  if (v->chunk || v->narrow || v->cut == tile || (v->count > 1 && v->cut == s->outer)) return 0;
  for (int k = 0; k < v->count; k++) {
    const pf_segment *part = &v->segment[k];
    if (part->stride[tile] != 1 || part->stride[s->outer] != v->len[tile]) return 0;
    if (part->conjugate || part->lines.len) return 0;
  }
  *flat = *v;
  flat->len[tile] *= v->len[s->outer];
  flat->len[s->outer] = 1;
  return 1;
}

/* One plane has one partial tile at most, and fewer beginnings: worth it if planes have partial
 * tiles or few.  (One rank, Zen 5, real fields forward: 8^3 0.71 of the time, 16^3 0.79, 64^3 0.88,
 * 128^3 0.86; complex ones 8^3 0.88, 16^3 0.91, but 64^3 1.03.) */
static int is_worth_it(const pf_stage *s) {
  ptrdiff_t lines = s->pass[0].from->len[s->pass[0].tile], width = s->pass[0].fft->width;
  return s->planes > 1 && (lines % width || lines < 4 * width);
}

/* Finds the views of a stage whose planes can be one. */
static void flatten(const pf_pipelines *p, pf_pipeline *w, int keeps, int k) {
  const pf_stage *s = &w->stage[k];
  const pf_pass *pass = &s->pass[0];
  pf_flat *flat = &w->flat[keeps][k];
  int reached = (k == 0 && w->geometry->pull) || (k == w->stages - 1 && w->geometry->push);
  if (s->passes > 1 || !pass->fft || pass->fft->rows || pass->transpose || s->last_lines) return;
  if (pf_fft_in_pairs(pass->fft)) return; /* pairs are those of a plane */
  if (pass->gap[0].len || pass->gap[1].len || pass->reflections || pass->roots) return;
  if (reached || p->geometry.decision.threads > 1 || p->geometry.decision.exchange->post) return;
  if (p->geometry.decision.engine->device || !is_worth_it(s)) return;
  if (!flat_view(pf_stage_from(w, k, keeps), s, &flat->from) ||
      !flat_view(pf_stage_to(w, k, keeps), s, &flat->to))
    flat->from.count = 0;
  w->flattens |= flat->from.count > 0;
}

/* In the views of an exchange, one segment for each rank and one for missing points, and as many
 * for mirror images; in arrays of all ranks and in their parts of shared memory, two for each rank.
 */
static size_t most_segments(const pf_pipeline *w, int ranks) {
  int reached = w->geometry->pull + w->geometry->push;
  return 9 + ((size_t)ranks + 1) * (size_t)(4 * w->sequence->count + 4 * reached);
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
  views->views(p, w);
  for (int k = 0; k < w->stages; k++) make_stage(p, k, w);
  for (int k = 0; k < w->stages; k++)
    for (int keeps = 0; keeps < 2; keeps++)
      if (!keeps || w->kept.count) flatten(p, w, keeps, k);
  pf_stores_decide(p, w);
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
