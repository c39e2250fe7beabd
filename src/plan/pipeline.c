/* SPDX-License-Identifier: BSD-3-Clause
 * From the geometry of a direction to stages and exchanges joined by views. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/plan.h"

enum { tag = 71 }; /* one per exchange of a transform; constant, so never near MPI_TAG_UB */

/* Places of the views in way->view. */
enum { view_in = 0, view_plane = 2 * PF_STEPS };
static int view_send(int k) {
  return 1 + 2 * k;
}
static int view_recv(int k) {
  return 2 + 2 * k;
}
static int view_out(int steps) {
  return 2 * steps - 1;
}

/* Where lines that stay on this rank rest between two exchanges: in the receive buffer of the
 * first, in the block that it would have put there. */
static pfft3d_box own_block(const pf_redist *r) {
  pf_spot at = pf_redist_recv_spot(r, r->me);
  pfft3d_box box = {.offset = at.offset, .distance = at.field};
  for (int a = 0; a < 3; a++) {
    pf_range part = a == r->from ? pf_redist_before(r, r->me, a) : pf_redist_after(r, r->me, a);
    box.lo[a] = part.lo;
    box.len[a] = part.len;
    box.stride[a] = at.stride[a];
  }
  return box;
}

/* Where the box before, and after, an exchange begins. */
static pfft3d_box box_before(const pf_redist *r) {
  pfft3d_box box = {.offset = 0};
  box.lo[r->from] = pf_redist_before(r, r->me, r->from).lo;
  return box;
}

static pfft3d_box box_after(const pf_redist *r) {
  pfft3d_box box = {.offset = 0};
  box.lo[r->to] = pf_redist_after(r, r->me, r->to).lo;
  return box;
}

/* The output boxes of all ranks, as the last stage sees them: cut along the axis that is whole for
 * it.  The part of rank d begins at d * part bytes. */
static pf_view scattered_view(const pfft3d_plan *p, const pf_pipeline *w, int side, pf_slot slot,
                              size_t part, pf_segment *segment) {
  const pf_redist *r = &w->geometry->redist[w->steps - 2];
  size_t element = pfft3d_element_bytes(&p->geometry.problem, (pfft3d_side)side);
  pf_view v = pf_view_recv(r, element, slot, segment);
  pfft3d_box after = box_after(r), box;
  v.fields = p->geometry.problem.batch;
  v.len[2] = p->geometry.layout[side].n[2]; /* rows can have become real */
  for (int d = 0; d < r->ranks; d++) {
    pf_geometry_box(&p->geometry, (pfft3d_side)side, d, &box);
    box.offset += d * (ptrdiff_t)(part / element);
    pf_view_redirect(&v, d, &after, slot, &box);
  }
  return v;
}

/* An exchange that writes to its receivers: one more or less, a box of the window, whose halves are
 * used in turn. */
static pf_segment *make_direct_views(const pfft3d_plan *p, pf_pipeline *w, int k,
                                     pf_segment *segment) {
  const pf_geometry *o = &p->geometry;
  const pf_redist *r = &w->geometry->redist[k];
  pf_parts parts = pf_geometry_parts(o, w->geometry, k);
  pf_slot slot = k % 2 ? PF_SLOT_STAGED : PF_SLOT_SHARED;
  w->view[view_send(k)] = pf_view_send_direct(r, &parts, o->element, slot, segment);
  segment += r->ranks;
  w->view[view_recv(k)] = pf_view_recv_direct(r, &parts, o->element, slot, segment++);
  return segment;
}

static pf_segment *make_message_views(const pfft3d_plan *p, pf_pipeline *w, int k,
                                      pf_segment *segment) {
  const pf_pipeline_geometry *ow = w->geometry;
  const pf_redist *r = &ow->redist[k];
  pf_view *send = &w->view[view_send(k)], *recv = &w->view[view_recv(k)];
  *send = pf_view_send(r, p->geometry.wire, ow->send[k], ow->recv[k], segment);
  segment += r->ranks;
  *recv = pf_view_recv(r, p->geometry.wire, ow->recv[k], segment);
  send->narrow = recv->narrow = p->geometry.wire < p->geometry.element;
  segment += r->ranks;
  if (!r->own_apart || r->me == r->ranks) return segment;
  pfft3d_box own = own_block(&ow->redist[0]), before = box_before(r), after = box_after(r);
  pf_view_redirect(send, r->me, &before, ow->recv[0], &own);
  pf_view_redirect(recv, r->me, &after, ow->recv[0], &own);
  return segment;
}

/* Over the memory of a node: blocks for ranks of the own node go to where these will read them. */
static pf_segment *make_node_views(const pfft3d_plan *p, pf_pipeline *w, int k,
                                   pf_segment *segment) {
  const pf_redist *r = &w->geometry->redist[k];
  const pf_node_map *m = &w->geometry->node_map[k];
  pf_view *send = &w->view[view_send(k)], *recv = &w->view[view_recv(k)];
  ptrdiff_t part = (ptrdiff_t)(p->geometry.bytes[PF_SLOT_SHARED] / p->geometry.wire);
  segment = make_message_views(p, w, k, segment);
  pf_range near = pf_node_map_span(m, m->me, m->me / m->node);
  for (int d = (int)near.lo; d < near.lo + near.len; d++) {
    send->segment[d].slot = w->geometry->recv[k];
    send->segment[d].offset = pf_node_map_offset(m, r, part, d);
  }
  for (int s = 0; s < r->ranks; s++) recv->segment[s].offset += m->me % m->node * part;
  return segment;
}

static void make_views(const pfft3d_plan *p, pfft3d_direction direction, pf_pipeline *w) {
  const pf_geometry *o = &p->geometry;
  pf_segment *segment = w->segments;
  int in = direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  size_t element[2];
  for (int side = 0; side < 2; side++)
    element[side] = pfft3d_element_bytes(&o->problem, (pfft3d_side)side);
  ptrdiff_t all = o->problem.batch;
  w->view[view_in] = pf_view_whole(&o->box[in], element[in], all, PF_SLOT_IN, segment++);
  w->view[view_out(w->steps)] =
      pf_view_whole(&o->box[!in], element[!in], all, PF_SLOT_OUT, segment++);
  pfft3d_box plane = {.offset = 0}; /* any index of the outer axis is the same plane */
  for (int k = 0; k < w->steps; k++) {
    if (k < w->steps - 1)
      segment = (o->exchange->place == PF_PLACE_OWNERS  ? make_direct_views
                 : o->exchange->place == PF_PLACE_NODES ? make_node_views
                                                        : make_message_views)(p, w, k, segment);
    const pf_step *step = &w->geometry->route.step[k];
    const pf_view *held = k ? &w->view[view_recv(k - 1)] : &w->view[view_send(0)];
    if (step->axes < 2) continue;
    memcpy(plane.len, held->len, sizeof plane.len);
    plane.stride[1 - step->outer] = pf_plane_stride(plane.len[2], o->element);
    plane.stride[2] = 1;
    w->view[view_plane] = pf_view_whole(&plane, o->element, 1, PF_SLOT_PLANE, segment++);
  }
  if (!o->scattered[direction]) return;
  pf_slot other = w->steps % 2 ? PF_SLOT_SHARED : PF_SLOT_STAGED; /* whose turn it is */
  w->scattered = scattered_view(p, w, !in, PF_SLOT_PEERS, o->shared_array, segment);
  segment += o->ranks;
  w->staged = scattered_view(p, w, !in, other, o->bytes[PF_SLOT_SHARED], segment);
}

/* Input, window and output that stay in cache together are better written there; larger ones go
 * around it. */
int pf_pipeline_streams(const pf_geometry *o) {
  return o->user_bytes > pf_cache_bytes() / 4;
}

static ptrdiff_t common_divisor(ptrdiff_t a, ptrdiff_t b) {
  return b ? common_divisor(b, a % b) : a;
}

/* How many neighbouring lines can be fetched ahead together: two such strips have to stay in the
 * second-level cache, where rows at a stride of many powers of two compete for few places.  0 when
 * they cannot. */
static int fetch_width(ptrdiff_t n, ptrdiff_t stride, ptrdiff_t element) {
  ptrdiff_t cache = (ptrdiff_t)pf_cache_bytes(), way = cache / pf_cache_ways();
  ptrdiff_t places = way / common_divisor(stride * element, way) * pf_cache_ways();
  ptrdiff_t tile = 2 * PF_ALIGN / element;
  for (int width = PF_STRIP; width >= PF_STRIP / 4; width /= 2)
    if (2 * n <= places && 2 * n * width * element <= cache / 2) return width;
  /* Of long lines the next tile alone, beside the one that is worked on. */
  return 2 * n <= places && 2 * n * tile * element <= cache ? (int)tile : 0;
}

/* Lines side by side that come from main memory. */
void pf_pipeline_read_together(pf_pass *pass) {
  int width = 0;
  if (pass->fft->engine->fetches)
    width = fetch_width(pass->fft->n, pass->from->segment[0].stride[pass->line],
                        (ptrdiff_t)pf_element(pass->fft->precision));
  enum { long_line = 2048 };         /* strips of fewer lines are hardly better than tiles */
  if (pass->from->narrow) width = 0; /* copied in any case, so in strips: those run longest */
  pass->fetch = width;
  pass->near =
      !width && !pass->from->narrow && pass->fft->engine->fetches && pass->fft->n >= long_line;
  pass->strip = width || pass->near ? 0 : PF_STRIP;
}

/* Rows that are far apart are short runs for the processor, which fetches ahead by itself within
 * longer ones. */
static void read_rows(pf_pass *pass) {
  ptrdiff_t apart = pass->from->segment[0].stride[pass->tile];
  ptrdiff_t element = (ptrdiff_t)pass->from->element, length = pass->from->len[pass->line];
  if (pass->fft->engine->fetches && apart > 2 * length && length * element >= PF_ALIGN)
    pass->fetch = 1;
}

static void make_stage(const pfft3d_plan *p, pfft3d_direction direction, int k, pf_pipeline *w) {
  const pf_step *step = &p->geometry.pipeline[direction].route.step[k];
  pf_stage *s = &w->stage[k];
  const pf_view *from = &w->view[k == 0 ? view_in : view_recv(k - 1)];
  const pf_view *to = &w->view[k == w->steps - 1 ? view_out(w->steps) : view_send(k)];
  s->outer = step->outer;
  s->planes = p->geometry.used ? from->len[step->outer] : 0;
  s->fields = p->geometry.group;
  s->by_field = p->geometry.exchange->place == PF_PLACE_OWNERS;
  s->at_once = p->geometry.threads;
  s->passes = step->axes ? step->axes : 1;
  for (int i = 0; i < s->passes; i++) {
    pf_pass *pass = &s->pass[i];
    int final = i == s->passes - 1;
    *pass = (pf_pass){.line = step->axis[i], .tile = step->tile[i], .scale = 1};
    pass->fft = step->axes ? pf_plan_find_fft(p, direction, pass->line) : NULL;
    pass->from = i == 0 ? from : &w->view[view_plane];
    pass->to = final ? to : &w->view[view_plane];
    pass->stream = final && pf_pipeline_streams(&p->geometry);
    if (pass->fft && pass->fft->rows && i == 0) read_rows(pass);
    if (pass->fft && pass->tile == 2 &&
        (i == 0 || p->geometry.bytes[PF_SLOT_PLANE] > pf_cache_bytes()))
      pf_pipeline_read_together(pass);
  }
}

/* The factor goes to the last pass that transforms anything: lines of one point only where there
 * are no others, so that the bits are those of routes that leave them out. */
static void set_scale(pf_pipeline *w, double scale) {
  for (ptrdiff_t least = 2; least > 0; least--)
    for (int k = w->steps - 1; k >= 0; k--)
      for (int i = w->stage[k].passes - 1; i >= 0; i--)
        if (w->stage[k].pass[i].fft && w->stage[k].pass[i].fft->n >= least) {
          w->stage[k].pass[i].scale = scale;
          return;
        }
}

/* Messages need the ranks of a line of the grid; the barrier of stores into windows, all. */
static MPI_Comm comm_of(const pfft3d_plan *p, const pf_pipeline_geometry *w, int k) {
  return p->geometry.exchange->place == PF_PLACE_OWNERS ? p->comm
                                                        : p->line[w->route.exchange[k].dim];
}

int pf_pipeline_connect(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e) {
  pf_pipeline *w = &p->pipeline[direction];
  const pf_pipeline_geometry *ow = w->geometry;
  set_scale(w, p->scale[direction]);
  for (int k = 0; k < w->steps - 1; k++) {
    if (p->geometry.exchange->place == PF_PLACE_NODES) {
      pf_node_memory node = {ow->node_map[k], p->node, p->shared.part};
      pf_exchange_create_nodes(&w->exchange[k], p->geometry.exchange, &ow->redist[k],
                               p->geometry.wire, p->geometry.cap, &node, p->comm, tag + k, e);
    } else {
      pf_fixed fixed = {p->buffer[ow->send[k]], p->buffer[ow->recv[k]], p->remote[ow->recv[k]].win};
      pf_exchange_create(&w->exchange[k], p->geometry.exchange, &ow->redist[k], p->geometry.wire,
                         p->geometry.cap, comm_of(p, ow, k), tag + k, &fixed, e);
    }
    PF_TRY(pf_agree(p->comm, e));
  }
  return PFFT3D_OK;
}

int pf_pipeline_create(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e) {
  pf_pipeline *w = &p->pipeline[direction];
  const pf_pipeline_geometry *ow = &p->geometry.pipeline[direction];
  w->geometry = ow;
  w->steps = ow->route.steps;
  size_t segments = 4 + 2 * (size_t)w->steps * ((size_t)p->geometry.ranks + 1);
  w->segments = calloc(segments, sizeof *w->segments);
  if (!w->segments) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu segments", segments);
  make_views(p, direction, w);
  for (int k = 0; k < w->steps; k++) make_stage(p, direction, k, w);
  return PFFT3D_OK;
}

void pf_pipeline_destroy(pf_pipeline *w) {
  for (int k = 0; k < PF_EXCHANGES; k++) pf_exchange_destroy(&w->exchange[k]);
  pf_exchange_destroy(&w->heads);
  free(w->segments);
  w->segments = NULL;
}
