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

/* Where rows that stay on this rank rest between two exchanges: in the receive buffer of the first,
 * in the block that it would have put there. */
static pfft3d_box own_block(const pf_redist *r) {
  pf_range planes = pf_redist_planes(r, r->me), rows = pf_redist_rows(r, r->me);
  pfft3d_box box = {{0}, {0}, {0}};
  int third = 3 - r->from - r->to;
  box.lo[r->from] = planes.lo;
  box.lo[r->to] = rows.lo;
  box.len[r->from] = planes.len;
  box.len[r->to] = rows.len;
  box.len[third] = r->row;
  box.stride[r->from] = rows.len * r->row;
  box.stride[r->to] = r->row;
  box.stride[third] = 1;
  return box;
}

/* The box between exchange k-1 and k: cut along the axis that k cuts before. */
static pfft3d_box box_before(const pf_redist *r) {
  pf_range planes = pf_redist_planes(r, r->me);
  pfft3d_box box = {{0}, {0}, {0}};
  box.lo[r->from] = planes.lo;
  box.len[r->from] = planes.len;
  return box;
}

static pfft3d_box box_after(const pf_redist *r) {
  pf_range rows = pf_redist_rows(r, r->me);
  pfft3d_box box = {{0}, {0}, {0}};
  box.lo[r->to] = rows.lo;
  box.len[r->to] = rows.len;
  return box;
}

/* The output boxes of all ranks, as the last stage sees them: cut along the axis that is whole for
 * it.  The part of rank d begins at d * part. */
static pf_view scattered_view(const pfft3d_plan *p, pf_way *w, int side, pf_slot slot, size_t part,
                              pf_segment *segment) {
  const pf_redist *r = &w->outline->redist[w->steps - 2];
  pf_view v = pf_view_recv(r, slot, segment);
  pfft3d_box after = box_after(r), box;
  for (int d = 0; d < r->ranks; d++) {
    pf_layout_box(&p->outline.layout[side], d, &box);
    pf_view_redirect(&v, d, &after, slot, d * (ptrdiff_t)(part / p->outline.element), &box);
  }
  return v;
}

/* An exchange that writes to its receivers: one more or less, a box of the window. */
static void make_direct_views(const pfft3d_plan *p, int out, pf_way *w, pf_segment *segment) {
  const pf_outline *o = &p->outline;
  const pf_redist *r = &w->outline->redist[0];
  pf_parts parts = pf_outline_parts(o, r);
  w->view[view_send(0)] = pf_view_send_direct(r, &parts, PF_SLOT_WINDOW, segment);
  segment += r->ranks;
  w->view[view_recv(0)] = pf_view_recv_direct(r, &parts, PF_SLOT_WINDOW, segment++);
  if (!o->scattered) return;
  w->view[view_out(w->steps)] = scattered_view(p, w, out, PF_SLOT_PEERS, o->shared_array, segment);
  segment += r->ranks;
  w->staged = scattered_view(p, w, out, PF_SLOT_STAGED, o->bytes[PF_SLOT_WINDOW], segment);
}

static void make_views(const pfft3d_plan *p, pfft3d_direction direction, pf_way *w) {
  const pf_outline *o = &p->outline;
  const pf_outline_way *ow = &o->way[direction];
  pf_segment *segment = w->segments;
  int in = direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  w->view[view_in] = pf_view_whole(&o->box[in], PF_SLOT_IN, segment++);
  w->view[view_out(w->steps)] = pf_view_whole(&o->box[!in], PF_SLOT_OUT, segment++);
  pfft3d_box plane = {{0}, {0}, {0}}; /* any index of the outer axis is the same plane */
  for (int a = 0; a < 3; a++) plane.len[a] = o->layout[0].n[a];
  int outer = ow->route.step[0].outer;
  plane.stride[1 - outer] = pf_plane_stride(plane.len[2], o->element);
  plane.stride[2] = 1;
  w->view[view_plane] = pf_view_whole(&plane, PF_SLOT_PLANE, segment++);
  if (o->exchange->direct) {
    make_direct_views(p, !in, w, segment);
    return;
  }
  for (int k = 0; k < w->steps - 1; k++) {
    const pf_redist *r = &ow->redist[k];
    pf_view *send = &w->view[view_send(k)], *recv = &w->view[view_recv(k)];
    *send = pf_view_send(r, ow->send[k], ow->recv[k], segment);
    segment += r->ranks;
    *recv = pf_view_recv(r, ow->recv[k], segment);
    segment += r->ranks;
    if (!r->own_apart) continue;
    pfft3d_box own = own_block(&ow->redist[0]), before = box_before(r), after = box_after(r);
    ptrdiff_t offset = pf_redist_recv_offset(&ow->redist[0], r->me);
    pf_view_redirect(send, r->me, &before, ow->recv[0], offset, &own);
    pf_view_redirect(recv, r->me, &after, ow->recv[0], offset, &own);
  }
}

/* Input, window and output that stay in cache together are better written there; larger ones go
 * around it. */
static int worth_streaming(const pf_outline *o) {
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
  for (int width = PF_STRIP; width >= PF_STRIP / 4; width /= 2)
    if (2 * n <= places && 2 * n * width * element <= cache / 2) return width;
  return 0;
}

/* Lines side by side that come from main memory. */
static void read_together(pf_pass *pass) {
  int width = 0;
  if (pass->fft->engine->fetches)
    width = fetch_width(pass->fft->n, pass->from->segment[0].stride[pass->line],
                        (ptrdiff_t)pf_element(pass->fft->precision));
  pass->fetch = width;
  pass->strip = width ? 0 : PF_STRIP;
}

static void make_stage(const pfft3d_plan *p, pfft3d_direction direction, int k, pf_way *w) {
  const pf_step *step = &p->outline.way[direction].route.step[k];
  pf_stage *s = &w->stage[k];
  const pf_view *from = &w->view[k == 0 ? view_in : view_recv(k - 1)];
  const pf_view *to = &w->view[k == w->steps - 1 ? view_out(w->steps) : view_send(k)];
  s->element = p->outline.element;
  s->outer = step->outer;
  s->planes = from->len[step->outer];
  s->at_once = p->outline.threads;
  s->passes = step->axes ? step->axes : 1;
  for (int i = 0; i < s->passes; i++) {
    pf_pass *pass = &s->pass[i];
    int final = i == s->passes - 1;
    *pass = (pf_pass){.line = step->axis[i], .tile = step->tile[i], .scale = 1};
    pass->fft = step->axes ? pf_plan_find_fft(p, direction, pass->line) : NULL;
    pass->from = i == 0 ? from : &w->view[view_plane];
    pass->to = final ? to : &w->view[view_plane];
    pass->stream = final && worth_streaming(&p->outline);
    if (pass->fft && pass->tile == 2 &&
        (i == 0 || p->outline.bytes[PF_SLOT_PLANE] > pf_cache_bytes()))
      read_together(pass);
  }
}

/* The factor goes to the last pass that transforms anything. */
static void set_scale(pf_way *w, double scale) {
  for (int k = w->steps - 1; k >= 0; k--)
    for (int i = w->stage[k].passes - 1; i >= 0; i--)
      if (w->stage[k].pass[i].fft) {
        w->stage[k].pass[i].scale = scale;
        return;
      }
}

int pf_way_create(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e) {
  pf_way *w = &p->way[direction];
  const pf_outline_way *ow = &p->outline.way[direction];
  w->outline = ow;
  w->steps = ow->route.steps;
  size_t segments = 4 + 4 * (size_t)(w->steps - 1) * (size_t)p->outline.ranks;
  w->segments = calloc(segments, sizeof *w->segments);
  if (!w->segments) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu segments", segments);
  make_views(p, direction, w);
  for (int k = 0; k < w->steps; k++) make_stage(p, direction, k, w);
  set_scale(w, p->scale[direction]);
  for (int k = 0; k < w->steps - 1; k++)
    PF_TRY(pf_exchange_create(&w->exchange[k], p->outline.exchange, &ow->redist[k],
                              p->outline.element, p->comm, tag + k, e));
  return PFFT3D_OK;
}

void pf_way_destroy(pf_way *w) {
  for (int k = 0; k < PF_EXCHANGES; k++) pf_exchange_destroy(&w->exchange[k]);
  free(w->segments);
  w->segments = NULL;
}
