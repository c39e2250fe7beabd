/* SPDX-License-Identifier: BSD-3-Clause
 * From a request to the outline of a plan, for any rank of any number of ranks, without MPI. */
#include "plan/outline.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/window.h"
#include "local/stage.h"
#include "plan/text.h"

static int check_request(const pfft3d_request *r, int ranks, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  size_t elements = 1;
  PF_CHECK(
      p->kind == PFFT3D_C2C && (p->precision == PFFT3D_DOUBLE || p->precision == PFFT3D_SINGLE), e,
      PFFT3D_ERR_USAGE, "kind %d, precision %d: unknown", (int)p->kind, (int)p->precision);
  PF_CHECK(ranks >= 1, e, PFFT3D_ERR_USAGE, "number of ranks %d: must be 1 or more", ranks);
  PF_CHECK(r->decision.order == PFFT3D_TRANSPOSED || r->decision.order == PFFT3D_NATURAL, e,
           PFFT3D_ERR_USAGE, "order %d: unknown", (int)r->decision.order);
  PF_CHECK(r->threads >= 1 && r->threads <= 4096, e, PFFT3D_ERR_USAGE,
           "number of threads %d: must be 1 to 4096", r->threads);
#ifndef _OPENMP
  PF_CHECK(r->threads == 1, e, PFFT3D_ERR_UNAVAILABLE, "%d threads: this build has no OpenMP",
           r->threads);
#endif
  for (int a = 0; a < 3; a++) {
    PF_CHECK(p->n[a] >= 1, e, PFFT3D_ERR_USAGE, "grid size %td along axis %d: must be 1 or more",
             p->n[a], a);
    PF_CHECK(!pf_mul(elements, (size_t)p->n[a], &elements) && elements <= (size_t)PTRDIFF_MAX, e,
             PFFT3D_ERR_USAGE, "grid %tdx%tdx%td: more elements than 64 bits can count", p->n[0],
             p->n[1], p->n[2]);
  }
  return PFFT3D_OK;
}

/* Shared memory beats any message.  Without a network model the rule is: one message per plane and
 * destination, unless that makes messages so small that their start costs more than their bytes. */
static const char *auto_algo(const pf_redist *r, size_t element, int sharing) {
  if (sharing) return "shared";
  double bytes = (double)pf_redist_rows(r, 0).len * (double)r->row * (double)element;
  return bytes >= 16 * 1024 ? "slabs" : "packed";
}

static const pf_engine *find_engine(const char *name, const ptrdiff_t n[3],
                                    pfft3d_precision precision) {
  for (int i = 0; pf_engine_at(i); i++) {
    const pf_engine *engine = pf_engine_at(i);
    if (strcmp(name, "auto") && strcmp(name, engine->name)) continue;
    if (engine->supports(n[0], precision) && engine->supports(n[1], precision) &&
        engine->supports(n[2], precision))
      return engine;
  }
  return NULL;
}

/* The exchanges of a way.  The second one's buffers are memories that are free by then: it sends
 * from the caller's output where that is large enough, and receives where the first one sent from.
 * Its own rows stay where the first exchange would have put them. */
static void outline_exchanges(pf_outline *o, pf_outline_way *w, const ptrdiff_t n[3], size_t out) {
  for (int k = 0; k < w->route.steps - 1; k++) {
    pf_redist *r = &w->redist[k];
    int a = w->route.exchange[k].from, b = w->route.exchange[k].to;
    const pf_step *step = &w->route.step[k];
    *r = (pf_redist){.ranks = o->ranks, .me = o->rank, .from = a, .to = b, .own_apart = k > 0};
    r->n_from = n[a];
    r->n_to = n[b];
    r->row = n[3 - a - b];
    int last = step->axes - 1; /* rows are done tile by tile, or all at the end of a plane */
    r->group = last >= 0 && step->tile[last] == b
                   ? o->engine->width(n[step->axis[last]], o->precision)
                   : 1;
    if (o->exchange->direct) {
      w->send[k] = w->recv[k] = PF_SLOT_WINDOW;
      continue;
    }
    size_t send = (size_t)pf_redist_send_elements(r) * o->element;
    size_t recv = (size_t)pf_redist_recv_elements(r) * o->element;
    w->send[k] = k == 0 ? PF_SLOT_SEND : send <= out ? PF_SLOT_OUT : PF_SLOT_EXTRA;
    w->recv[k] = k == 0 ? PF_SLOT_RECV : PF_SLOT_SEND;
    if (w->send[k] != PF_SLOT_OUT && send > o->bytes[w->send[k]]) o->bytes[w->send[k]] = send;
    if (recv > o->bytes[w->recv[k]]) o->bytes[w->recv[k]] = recv;
  }
}

ptrdiff_t pf_plane_stride(ptrdiff_t n, size_t element) {
  ptrdiff_t line = PF_ALIGN / (ptrdiff_t)element, aligned = (n + line - 1) / line * line;
  if (n < 4 * line) return n; /* padding would be more than the row */
  return aligned % (8 * line) == 0 ? aligned + 2 * line : aligned;
}

/* Bytes that cross the border of the caches: every stage reads and writes the box of its planes, an
 * exchange reads what it sends and writes what it receives. */
static void outline_traffic(pf_outline *o, pf_outline_way *w, const ptrdiff_t n[3]) {
  double element = (double)o->element;
  for (int k = 0; k < w->route.steps; k++) {
    const pf_step *s = &w->route.step[k];
    int b = 3 - s->outer - 2;
    double planes = (double)pf_split(n[s->outer], o->ranks, o->rank).len;
    size_t plane = (size_t)((n[b] + 7) / 8 * 8 * pf_plane_stride(n[2], o->element)) * o->element;
    w->traffic += 2 * planes * (double)n[b] * (double)n[2] * element;
    if (s->axes == 2 && plane > pf_cache_bytes())
      w->traffic += 2 * planes * (double)n[b] * (double)n[2] * element;
    if (s->axes == 2 && plane > o->bytes[PF_SLOT_PLANE]) o->bytes[PF_SLOT_PLANE] = plane;
    for (int i = 0; i < s->axes; i++) {
      size_t strip = (size_t)(n[s->axis[i]] * PF_STRIP_STRIDE) * o->element;
      if (s->tile[i] == 2 && strip > o->bytes[PF_SLOT_STRIP]) o->bytes[PF_SLOT_STRIP] = strip;
    }
    if (k == w->route.steps - 1) break;
    const pf_redist *r = &w->redist[k];
    pf_message_count c = o->exchange->count(r, o->element);
    if (o->exchange->direct) continue;
    double other_planes = (double)(n[r->from] - pf_redist_planes(r, o->rank).len);
    double received = other_planes * (double)(pf_redist_rows(r, o->rank).len * r->row) * element;
    w->traffic += c.bytes + received;
    if (c.messages && (!w->messages.messages || c.bytes_min < w->messages.bytes_min))
      w->messages.bytes_min = c.bytes_min;
    if (c.bytes_max > w->messages.bytes_max) w->messages.bytes_max = c.bytes_max;
    w->messages.messages += c.messages;
    w->messages.bytes += c.bytes;
  }
}

/* With other ranks two halves take turns; one rank alone needs to fear nobody. */
size_t pf_outline_halves(const pf_outline *o) {
  return o->ranks > 1 ? 2 : 1;
}

/* The parts of a window and of shared arrays are alike on all ranks: as large as rank 0 needs. */
static void outline_window(pf_outline *o) {
  size_t largest = 0;
  for (int d = 0; d < 2; d++) {
    const pf_redist *r = &o->way[d].redist[0];
    size_t rows = (size_t)(r->n_from * pf_redist_rows(r, 0).len);
    size_t bytes = rows * (size_t)pf_plane_stride(r->row, o->element) * o->element;
    if (bytes > largest) largest = bytes;
  }
  for (int side = 0; side < 2; side++) {
    pfft3d_box box;
    pf_layout_box(&o->layout[side], 0, &box);
    size_t bytes = (size_t)pf_box_elements(&box) * o->element;
    if (bytes > o->shared_array) o->shared_array = bytes;
  }
  o->shared_array = pf_window_part(o->shared_array);
  if (o->scattered && o->shared_array > largest) largest = o->shared_array;
  o->half = (largest + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  o->bytes[PF_SLOT_WINDOW] = pf_window_part(pf_outline_halves(o) * o->half + PF_ALIGN);
}

pf_parts pf_outline_parts(const pf_outline *o, const pf_redist *r) {
  return (pf_parts){(ptrdiff_t)(o->bytes[PF_SLOT_WINDOW] / o->element),
                    pf_plane_stride(r->row, o->element)};
}

static int outline_decision(const pfft3d_request *request, int sharing, pf_outline *o,
                            pfft3d_error *e) {
  pfft3d_decision *d = &o->decision;
  const pfft3d_problem *p = &request->problem;
  *d = request->decision;
  const pfft3d_decision *wish = &request->decision;
  PF_TRY(pf_name_parse(PFFT3D_SCHEMES, wish->scheme, strlen(wish->scheme), d->scheme, e));
  PF_TRY(pf_name_parse(PFFT3D_EXCHANGES, wish->algo, strlen(wish->algo), d->algo, e));
  PF_TRY(pf_name_parse(PFFT3D_ENGINES, wish->engine, strlen(wish->engine), d->engine, e));
  if (!strcmp(d->scheme, "auto")) strcpy(d->scheme, pf_scheme_at(0)->name);
  o->scheme = pf_scheme_find(d->scheme);
  o->engine = find_engine(d->engine, p->n, p->precision);
  if (!o->engine) {
    pf_hint(e, "engine fftw takes every length");
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "engine '%s': cannot do a length of %tdx%tdx%td",
                   d->engine, p->n[0], p->n[1], p->n[2]);
  }
  strcpy(d->engine, o->engine->name);
  pf_route route;
  pf_wish any = {.order = d->order, .anywhere = 1};
  o->scheme->route(p, &any, PFFT3D_FORWARD, &route);
  if (!strcmp(d->algo, "auto")) {
    int a = route.exchange[0].from, b = route.exchange[0].to;
    pf_redist r = {.ranks = o->ranks, .n_from = p->n[a], .n_to = p->n[b], .row = p->n[3 - a - b]};
    strcpy(d->algo, auto_algo(&r, o->element, sharing));
  }
  o->exchange = pf_exchange_find(d->algo);
  return PFFT3D_OK;
}

int pf_outline_make(const pfft3d_request *request, int ranks, int rank, int sharing, pf_outline *o,
                    pfft3d_error *e) {
  const pfft3d_problem *p = &request->problem;
  *o = (pf_outline){.ranks = ranks,
                    .rank = rank,
                    .threads = request->threads,
                    .precision = p->precision,
                    .element = pf_element(p->precision)};
  PF_TRY(check_request(request, ranks, e));
  PF_TRY(outline_decision(request, sharing, o, e));
  pf_wish wish = {.order = o->decision.order, .anywhere = ranks == 1 || o->exchange->direct};
  wish.early = (ranks > 1 && o->exchange->early) || request->deterministic;
  o->scattered = ranks > 1 && wish.anywhere && wish.order == PFFT3D_NATURAL;
  for (int side = 0; side < 2; side++) {
    o->scheme->layout(p, o->decision.order, ranks, (pfft3d_side)side, &o->layout[side]);
    PF_CHECK(pf_layout_fits(&o->layout[side], 8 * o->element), e, PFFT3D_ERR_UNAVAILABLE,
             "grid %tdx%tdx%td on %d ranks: a rank's part exceeds what 64 bits can address",
             p->n[0], p->n[1], p->n[2], ranks);
    pf_layout_box(&o->layout[side], rank, &o->box[side]);
    size_t bytes = (size_t)pf_box_elements(&o->box[side]) * o->element;
    if (bytes > o->user_bytes) o->user_bytes = bytes;
  }
  for (int d = 0; d < 2; d++) {
    pf_outline_way *w = &o->way[d];
    pfft3d_side out = d == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
    o->scheme->route(p, &wish, (pfft3d_direction)d, &w->route);
    outline_exchanges(o, w, p->n, (size_t)pf_box_elements(&o->box[out]) * o->element);
    for (int k = 0; k < w->route.steps - 1; k++)
      if (!o->exchange->supports(&w->redist[k], o->element, e)) return e->status;
    outline_traffic(o, w, p->n);
  }
  if (o->exchange->direct) outline_window(o);
  for (int s = 0; s < PF_SLOTS; s++)
    o->work_bytes += o->bytes[s] * (s < PF_SLOT_PLANE ? 1 : (size_t)o->threads);
  return PFFT3D_OK;
}
