/* SPDX-License-Identifier: BSD-3-Clause
 * The views of a field: the caller's arrays, the buffers of the exchanges, the plane of a stage
 * with two axes, and the outputs of all ranks if the last stage writes them. */
#include <string.h>

#include "geometry/field.h"
#include "pipeline/views.h"

/* The output boxes of all ranks, cut along the axis that is complete in the last stage, in shared
 * memory with @p bytes bytes for each rank. */
static pf_view outputs_view(const pf_geometry *g, pfft3d_direction direction, pf_slot slot,
                            size_t bytes, pf_segment *segment) {
  const pf_exchange_sequence *q = &g->memory.sequence[direction];
  const pf_redist *r = &q->redist[q->count - 1];
  pfft3d_side side = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  size_t element = pfft3d_element_bytes(&g->decision.problem, side);
  pf_view v = {.element = element,
               .fields = g->fields,
               .cut = r->from,
               .count = r->ranks,
               .segment = segment};
  pfft3d_box after = {.offset = 0}, box;
  after.lo[r->to] = pf_redist_after(r, r->me, r->to).lo;
  memcpy(v.len, g->pipeline[direction].end, sizeof v.len);
  const pf_layout *out = &g->layout[side];
  for (int d = 0; d < r->ranks; d++) {
    segment[d] =
        (pf_segment){.part = pf_cuts_part(&out->cuts[r->from], out->n[r->from], r->ranks, d)};
    pf_field_box(g, side, d, &box);
    box = pf_geometry_rows(g, &box);
    box.offset += d * (ptrdiff_t)(pf_shared_part(bytes) / element);
    pf_view_redirect(&v, d, &after, slot, &box);
  }
  return v;
}

/* The results of the last stage, which replace its input, and this rank's results among them.  If
 * the input is in this rank's part, other ranks compute some of its results; if it is in the parts
 * of the ranks that stored it, they get theirs there, and this rank has all its own in its part. */
static void results_views(const pf_geometry *g, pf_pipeline *w, pf_segment *segment) {
  const pf_exchange_memory *m = &g->memory;
  int last = w->sequence->count - 1, direction = (int)w->direction;
  const pf_redist *r = &w->sequence->redist[last];
  int pulled = pf_exchange_pulls(m->ops, r);
  pfft3d_side side = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  const pf_layout *out = &g->layout[side];
  size_t element = pfft3d_element_bytes(&g->decision.problem, side);
  ptrdiff_t times = (ptrdiff_t)(w->sequence->wire[last] / element);
  pf_view *whole = pulled ? &w->results : &w->staged[1];
  pf_view *parts = pulled ? &w->staged[1] : &w->results;
  w->staged[1] = (pf_view){.element = element, .fields = r->batch, .cut = r->from};
  memcpy(w->staged[1].len, w->geometry->end, sizeof w->staged[1].len);
  w->results = w->staged[1];
  w->results.cut = r->to;
  whole->segment = segment;
  parts->segment = segment + 1;
  pf_location at =
      m->ops->memory->locate(m, direction, last, pulled ? r->me : 0, pulled ? 0 : r->me);
  pf_exchange_add_part(whole, (pf_range){0, pulled ? r->len[r->to] : w->geometry->end[r->from]},
                       &at, times);
  for (int d = 0; d < r->ranks; d++) {
    at = m->ops->memory->locate(m, direction, last, pulled ? d : 0, pulled ? r->me : d);
    pf_range planes =
        pf_cuts_part(&out->cuts[r->from], out->n[r->from], r->ranks, pulled ? d : r->me);
    if (!pulled) at.spot.offset += planes.lo * at.spot.stride[r->from];
    pf_exchange_add_part(parts, pulled ? planes : pf_redist_after(r, d, r->to), &at, times);
  }
}

static pf_view plane_view(const pf_geometry *g, pfft3d_direction direction, int outer,
                          pf_segment *segment) {
  pfft3d_box plane = {.offset = 0}; /* any index of the outer axis is the same plane */
  const pf_pipeline_geometry *w = &g->pipeline[direction];
  memcpy(plane.len, w->plane, sizeof plane.len);
  plane.stride[1 - outer] = pf_plane_stride(plane.len[2], w->plane_element);
  plane.stride[2] = 1;
  return pf_view_whole(&plane, w->plane_element, 1, PF_SLOT_PLANE, segment);
}

/* Nonzero if two views of one segment have all elements at the same addresses. */
static int same_addresses(const pf_view *a, const pf_view *b) {
  const pf_segment *s = a->segment, *t = b->segment;
  return a->element == b->element && s->offset == t->offset && s->field == t->field &&
         !memcmp(s->stride, t->stride, sizeof s->stride);
}

/* Bytes from plane to plane of a view; 0 if it does not begin with the first plane, or if elements
 * of other planes lie between those of one. */
static ptrdiff_t plane_bytes(const pf_view *v, int outer) {
  const pf_segment *s = v->segment;
  ptrdiff_t extent = 1 + s->offset;
  for (int a = 0; a < 3; a++)
    if (a != outer) extent += (v->len[a] - 1) * s->stride[a];
  return extent <= s->stride[outer] ? s->stride[outer] * (ptrdiff_t)v->element : 0;
}

/* One rank needs no memory between its two stages: the first one writes into the output array,
 * where the second one works in place.  Both axes of a plane are transformed in cache, so that the
 * planes of a real field may lie closer together than those of its spectrum: where they move apart,
 * the last one is the first. */
static void keep_in_output(const pf_geometry *g, pf_pipeline *w, pf_segment *segment) {
  int backward = w->direction == PFFT3D_BACKWARD;
  if (g->ranks != 1 || w->stages != 2) return;
  const pf_view *space = backward ? &w->to[1] : &w->from[0], *between = &w->to[0];
  const pf_view *spectrum = backward ? &w->from[0] : &w->to[1];
  if (memcmp(between->len, spectrum->len, sizeof spectrum->len) || between->narrow) return;
  if (between->element != spectrum->element) return;
  w->kept = *spectrum;
  w->kept.segment = segment;
  *segment = spectrum->segment[0];
  segment->slot = PF_SLOT_OUT;
  const pf_route_stage *stage = &w->geometry->route.stage[backward];
  ptrdiff_t near = plane_bytes(space, stage->outer), far = plane_bytes(spectrum, stage->outer);
  int same = same_addresses(space, spectrum), one = g->fields == 1 && g->decision.threads == 1;
  int apart = near > 0 && near <= far; /* not in transposed order */
  int possible[] = {same || (apart && !backward), same || (apart && one && stage->axes == 2)};
  for (int k = 0; k < 2; k++) w->keeps[k] = possible[k] && pf_stores_keep(g, k, same);
  w->descends = !same && !backward;
}

static void views(const pf_pipelines *p, pf_pipeline *w) {
  const pf_geometry *g = &p->geometry;
  const pf_exchange_memory *m = &g->memory;
  pfft3d_direction direction = w->direction;
  pf_segment *segment = w->segment;
  int in = direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM, last = w->stages - 1;
  const pfft3d_problem *problem = &g->decision.problem;
  size_t element[2] = {pfft3d_element_bytes(problem, PFFT3D_SPACE),
                       pfft3d_element_bytes(problem, PFFT3D_SPECTRUM)};
  pfft3d_box from = pf_geometry_rows(g, &g->box[in]), to = pf_geometry_rows(g, &g->box[!in]);
  w->from[0] = pf_view_whole(&from, element[in], g->fields, PF_SLOT_IN, segment++);
  w->to[last] = pf_view_whole(&to, element[!in], g->fields, PF_SLOT_OUT, segment++);
  int narrow = pf_geometry_wire_precision(g) != problem->precision;
  for (int k = 0; k < last; k++) {
    w->to[k] = pf_exchange_send_view(m, direction, k, segment);
    segment += w->to[k].count;
    w->from[k + 1] = pf_exchange_recv_view(m, direction, k, segment);
    segment += w->from[k + 1].count;
    w->to[k].narrow = w->from[k + 1].narrow = narrow;
  }
  for (int k = 0; k < w->stages; k++) {
    const pf_route_stage *stage = &w->geometry->route.stage[k];
    if (stage->axes == 2) w->plane = plane_view(g, direction, stage->outer, segment++);
  }
  keep_in_output(g, w, segment++);
  if (!w->geometry->push) return;
  pf_slot other = pf_exchange_staged_slot(m, direction);
  w->reached[1] = outputs_view(g, direction, PF_SLOT_PEERS, g->shared_array, segment);
  segment += g->ranks;
  if (w->geometry->fits)
    results_views(g, w, segment);
  else
    w->staged[1] = outputs_view(g, direction, other, m->bytes[PF_SLOT_SHARED], segment);
}

const pf_views_ops pf_field_views = {.views = views};

const pf_views_ops *pf_views_of(const pf_scheme *scheme) {
  return scheme == &pf_scheme_matrix ? &pf_matrix_views : &pf_field_views;
}
