/* SPDX-License-Identifier: BSD-3-Clause
 * The description of pipelines in statistics, and the cost of their exchanges alone. */

#include "pipeline/pipelines.h"

#include "exchange/raw.h"

void pf_pipelines_describe(const pf_pipelines *p, pfft3d_direction direction, pfft3d_stats *stats) {
  const pf_pipeline *w = &p->pipeline[direction];
  stats->exchanges = w->geometry->crossings;
  stats->stages = w->stages;
  stats->wire = pf_geometry_wire_precision(&p->geometry);
  for (int k = 0; k < w->stages; k++) {
    const pf_route_stage *stage = &w->geometry->route.stage[k];
    for (int i = 0; i < stage->axes; i++) stats->stage[k].axes[i] = (char)('0' + stage->axis[i]);
  }
}

size_t pf_pipelines_bytes(const pf_pipelines *p) {
  size_t each = p->tile_bytes + p->spare_bytes + p->strip_bytes + p->factor_bytes;
  return p->geometry.work_bytes + each * (size_t)p->geometry.decision.threads;
}

int pf_pipelines_record(pf_pipelines *p, pf_timeline *t, pfft3d_error *e) {
  p->timeline = p->store.shared.timeline = t;
  for (int d = 0; d < 2; d++) {
    pf_pipeline *w = &p->pipeline[d];
    for (int k = 0; k < w->sequence->count; k++) PF_TRY(pf_exchange_record(&w->exchange[k], t, e));
    if (w->edges.ops) PF_TRY(pf_exchange_record(&w->edges, t, e));
  }
  return PFFT3D_OK;
}

int pf_pipelines_raw(pf_pipelines *p, pfft3d_direction direction, double *seconds) {
  const pf_pipeline *w = &p->pipeline[direction];
  pf_raw list[PF_EXCHANGES];
  *seconds = 0;
  if (p->geometry.ranks == 1) return PFFT3D_OK;
  for (int k = 0; k < w->sequence->count; k++)
    list[k] = (pf_raw){&w->exchange[k], p->grid[w->sequence->node_map[k].dim]};
  return pf_raw_alltoalls(p->comm, list, w->sequence->count, seconds);
}
