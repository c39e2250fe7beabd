/* SPDX-License-Identifier: BSD-3-Clause
 * From the outline of a direction to stages and exchanges joined by views. */
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
static pf_view scattered_view(const pfft3d_plan *p, const pf_way *w, int side, pf_slot slot,
                              size_t part, pf_segment *segment) {
  const pf_redist *r = &w->outline->redist[w->steps - 2];
  size_t element = pfft3d_element_bytes(&p->outline.problem, (pfft3d_side)side);
  pf_view v = pf_view_recv(r, element, slot, segment);
  pfft3d_box after = box_after(r), box;
  v.fields = p->outline.problem.batch;
  v.len[2] = p->outline.layout[side].n[2]; /* rows can have become real */
  for (int d = 0; d < r->ranks; d++) {
    pf_outline_box(&p->outline, (pfft3d_side)side, d, &box);
    box.offset += d * (ptrdiff_t)(part / element);
    pf_view_redirect(&v, d, &after, slot, &box);
  }
  return v;
}

/* An exchange that writes to its receivers: one more or less, a box of the window, whose halves are
 * used in turn. */
static pf_segment *make_direct_views(const pfft3d_plan *p, pf_way *w, int k, pf_segment *segment) {
  const pf_outline *o = &p->outline;
  const pf_redist *r = &w->outline->redist[k];
  pf_parts parts = pf_outline_parts(o, w->outline, k);
  pf_slot slot = k % 2 ? PF_SLOT_STAGED : PF_SLOT_WINDOW;
  w->view[view_send(k)] = pf_view_send_direct(r, &parts, o->element, slot, segment);
  segment += r->ranks;
  w->view[view_recv(k)] = pf_view_recv_direct(r, &parts, o->element, slot, segment++);
  return segment;
}

static pf_segment *make_message_views(const pfft3d_plan *p, pf_way *w, int k, pf_segment *segment) {
  const pf_outline_way *ow = w->outline;
  const pf_redist *r = &ow->redist[k];
  pf_view *send = &w->view[view_send(k)], *recv = &w->view[view_recv(k)];
  *send = pf_view_send(r, p->outline.wire, ow->send[k], ow->recv[k], segment);
  segment += r->ranks;
  *recv = pf_view_recv(r, p->outline.wire, ow->recv[k], segment);
  send->narrow = recv->narrow = p->outline.wire < p->outline.element;
  segment += r->ranks;
  if (!r->own_apart || r->me == r->ranks) return segment;
  pfft3d_box own = own_block(&ow->redist[0]), before = box_before(r), after = box_after(r);
  pf_view_redirect(send, r->me, &before, ow->recv[0], &own);
  pf_view_redirect(recv, r->me, &after, ow->recv[0], &own);
  return segment;
}

/* Over the memory of a node: blocks for ranks of the own node go to where these will read them. */
static pf_segment *make_node_views(const pfft3d_plan *p, pf_way *w, int k, pf_segment *segment) {
  const pf_redist *r = &w->outline->redist[k];
  const pf_mates *m = &w->outline->mates[k];
  pf_view *send = &w->view[view_send(k)], *recv = &w->view[view_recv(k)];
  ptrdiff_t part = (ptrdiff_t)(p->outline.bytes[PF_SLOT_WINDOW] / p->outline.wire);
  segment = make_message_views(p, w, k, segment);
  pf_range near = pf_mates_span(m, m->me, m->me / m->node);
  for (int d = (int)near.lo; d < near.lo + near.len; d++) {
    send->segment[d].slot = w->outline->recv[k];
    send->segment[d].offset = pf_mates_offset(m, r, part, d);
  }
  for (int s = 0; s < r->ranks; s++) recv->segment[s].offset += m->me % m->node * part;
  return segment;
}

static void make_views(const pfft3d_plan *p, pfft3d_direction direction, pf_way *w) {
  const pf_outline *o = &p->outline;
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
    const pf_step *step = &w->outline->route.step[k];
    const pf_view *held = k ? &w->view[view_recv(k - 1)] : &w->view[view_send(0)];
    if (step->axes < 2) continue;
    memcpy(plane.len, held->len, sizeof plane.len);
    plane.stride[1 - step->outer] = pf_plane_stride(plane.len[2], o->element);
    plane.stride[2] = 1;
    w->view[view_plane] = pf_view_whole(&plane, o->element, 1, PF_SLOT_PLANE, segment++);
  }
  if (!o->scattered[direction]) return;
  pf_slot other = w->steps % 2 ? PF_SLOT_WINDOW : PF_SLOT_STAGED; /* whose turn it is */
  w->scattered = scattered_view(p, w, !in, PF_SLOT_PEERS, o->shared_array, segment);
  segment += o->ranks;
  w->staged = scattered_view(p, w, !in, other, o->bytes[PF_SLOT_WINDOW], segment);
}

/* Input, window and output that stay in cache together are better written there; larger ones go
 * around it. */
int pf_way_streams(const pf_outline *o) {
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
void pf_way_read_together(pf_pass *pass) {
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

static void make_stage(const pfft3d_plan *p, pfft3d_direction direction, int k, pf_way *w) {
  const pf_step *step = &p->outline.way[direction].route.step[k];
  pf_stage *s = &w->stage[k];
  const pf_view *from = &w->view[k == 0 ? view_in : view_recv(k - 1)];
  const pf_view *to = &w->view[k == w->steps - 1 ? view_out(w->steps) : view_send(k)];
  s->outer = step->outer;
  s->planes = p->outline.used ? from->len[step->outer] : 0;
  s->fields = p->outline.group;
  s->by_field = p->outline.exchange->place == PF_PLACE_OWNERS;
  s->at_once = p->outline.threads;
  s->passes = step->axes ? step->axes : 1;
  for (int i = 0; i < s->passes; i++) {
    pf_pass *pass = &s->pass[i];
    int final = i == s->passes - 1;
    *pass = (pf_pass){.line = step->axis[i], .tile = step->tile[i], .scale = 1};
    pass->fft = step->axes ? pf_plan_find_fft(p, direction, pass->line) : NULL;
    pass->from = i == 0 ? from : &w->view[view_plane];
    pass->to = final ? to : &w->view[view_plane];
    pass->stream = final && pf_way_streams(&p->outline);
    if (pass->fft && pass->fft->rows && i == 0) read_rows(pass);
    if (pass->fft && pass->tile == 2 &&
        (i == 0 || p->outline.bytes[PF_SLOT_PLANE] > pf_cache_bytes()))
      pf_way_read_together(pass);
  }
}

/* The factor goes to the last pass that transforms anything: lines of one point only where there
 * are no others, so that the bits are those of routes that leave them out. */
static void set_scale(pf_way *w, double scale) {
  for (ptrdiff_t least = 2; least > 0; least--)
    for (int k = w->steps - 1; k >= 0; k--)
      for (int i = w->stage[k].passes - 1; i >= 0; i--)
        if (w->stage[k].pass[i].fft && w->stage[k].pass[i].fft->n >= least) {
          w->stage[k].pass[i].scale = scale;
          return;
        }
}

/* Messages need the ranks of a line of the grid; the barrier of stores into windows, all. */
static MPI_Comm comm_of(const pfft3d_plan *p, const pf_outline_way *w, int k) {
  return p->outline.exchange->place == PF_PLACE_OWNERS ? p->comm
                                                       : p->line[w->route.exchange[k].dim];
}

int pf_way_connect(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e) {
  pf_way *w = &p->way[direction];
  const pf_outline_way *ow = w->outline;
  set_scale(w, p->scale[direction]);
  for (int k = 0; k < w->steps - 1; k++) {
    if (p->outline.exchange->place == PF_PLACE_NODES) {
      pf_node_memory node = {ow->mates[k], p->node, p->window.part};
      pf_exchange_create_nodes(&w->exchange[k], p->outline.exchange, &ow->redist[k],
                               p->outline.wire, p->outline.cap, &node, p->comm, tag + k, e);
    } else {
      pf_fixed fixed = {p->buffer[ow->send[k]], p->buffer[ow->recv[k]], p->remote[ow->recv[k]].win};
      pf_exchange_create(&w->exchange[k], p->outline.exchange, &ow->redist[k], p->outline.wire,
                         p->outline.cap, comm_of(p, ow, k), tag + k, &fixed, e);
    }
    PF_TRY(pf_agree(p->comm, e));
  }
  return PFFT3D_OK;
}

int pf_way_create(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e) {
  pf_way *w = &p->way[direction];
  const pf_outline_way *ow = &p->outline.way[direction];
  w->outline = ow;
  w->steps = ow->route.steps;
  size_t segments = 4 + 2 * (size_t)w->steps * ((size_t)p->outline.ranks + 1);
  w->segments = calloc(segments, sizeof *w->segments);
  if (!w->segments) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu segments", segments);
  make_views(p, direction, w);
  for (int k = 0; k < w->steps; k++) make_stage(p, direction, k, w);
  return PFFT3D_OK;
}

void pf_way_destroy(pf_way *w) {
  for (int k = 0; k < PF_EXCHANGES; k++) pf_exchange_destroy(&w->exchange[k]);
  pf_exchange_destroy(&w->heads);
  free(w->segments);
  w->segments = NULL;
}
