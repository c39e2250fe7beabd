/* SPDX-License-Identifier: BSD-3-Clause
 * From a request to the geometry of a plan, for any rank of any number of ranks, without MPI. */
#include "plan/geometry.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/shared.h"
#include "local/stage.h"
#include "planner/decide.h"
#include "plan/matrix.h"

/* ---- boxes ---- */

size_t pfft3d_element_bytes(const pfft3d_problem *p, pfft3d_side side) {
  if (!p) return 0;
  size_t number = pf_element(p->precision);
  return p->kind == PFFT3D_R2C && side == PFFT3D_SPACE ? number / 2 : number;
}

void pfft3d_problem_extents(const pfft3d_problem *p, pfft3d_side side, ptrdiff_t n[3]) {
  if (!n) return;
  for (int a = 0; a < 3; a++) n[a] = p ? p->n[a] : 0;
  if (p && p->kind == PFFT3D_R2C && side == PFFT3D_SPECTRUM) n[2] = p->n[2] / 2 + 1;
}

/* Bytes of one field of a side, with everything around it; 1 when they are too many. */
static int field_bytes(const pf_geometry *o, pfft3d_side side, int rank, size_t *bytes) {
  const pfft3d_array *array = &o->array[side];
  pfft3d_box box;
  int failed = 0;
  pf_layout_box(&o->layout[side], rank, &box);
  *bytes = pfft3d_element_bytes(&o->problem, side) * (array->every ? (size_t)array->every : 1);
  for (int a = 0; a < 3; a++)
    failed |= pf_mul(*bytes, (size_t)array->below[a] + (size_t)box.len[a] + (size_t)array->above[a],
                     bytes);
  return failed || *bytes > (size_t)PTRDIFF_MAX / 8;
}

/* From field to field.  By default they are as many bytes apart on both sides, so that a batch can
 * be transformed in place in several goes. */
static size_t field_distance(const pf_geometry *o, pfft3d_side side, int rank) {
  size_t element = pfft3d_element_bytes(&o->problem, side), bytes, other;
  ptrdiff_t given = o->array[side].distance;
  if (given) return (size_t)given * element;
  field_bytes(o, side, rank, &bytes);
  if (o->array[!side].distance) return bytes;
  field_bytes(o, !side, rank, &other);
  return ((bytes > other ? bytes : other) + o->element - 1) / o->element * o->element;
}

void pf_geometry_box(const pf_geometry *o, pfft3d_side side, int rank, pfft3d_box *box) {
  const pfft3d_array *array = &o->array[side];
  ptrdiff_t stride = array->every ? array->every : 1;
  pf_layout_box(&o->layout[side], rank, box);
  for (int k = 2; k >= 0; k--) {
    int a = o->layout[side].storage[k];
    box->stride[a] = stride;
    box->offset += array->below[a] * stride;
    stride *= array->below[a] + box->len[a] + array->above[a];
  }
  box->distance =
      (ptrdiff_t)(field_distance(o, side, rank) / pfft3d_element_bytes(&o->problem, side));
}

/* Bytes from the beginning of the caller's array to its end.  Nothing else of an array is larger,
 * so that everything fits 64 bits when this does. */
static int array_bytes(const pf_geometry *o, pfft3d_side side, int rank, size_t *bytes) {
  size_t field, other, fields, all;
  pfft3d_box box;
  *bytes = 0;
  if (field_bytes(o, side, rank, &field) || field_bytes(o, !side, rank, &other)) return 1;
  if (pf_mul((size_t)o->array[side].distance, 8 * o->element, &fields)) return 1;
  if (pf_mul(field_distance(o, side, rank), (size_t)o->problem.batch - 1, &fields)) return 1;
  if (pf_add(field, fields, &all)) return 1;
  pf_layout_box(&o->layout[side], rank, &box);
  if (pf_box_elements(&box)) *bytes = all;
  return all > (size_t)PTRDIFF_MAX / 8;
}

/* Fields that go together: as many as stay in some cache between the stages (the third level has
 * several times the second per core), but so many that a message is worth its start.  The caches
 * are those of common processors: ranks on unlike ones must come to the same number.  Fields at
 * unlike distances cannot be transformed in place one by one. */
static ptrdiff_t fields_together(const pf_geometry *o) {
  enum { worth = 16 * 1024, caches = 16 * 1024 * 1024 };
  ptrdiff_t batch = o->problem.batch, most = batch;
  pfft3d_box box;
  pf_layout_box(&o->layout[PFFT3D_SPECTRUM], 0, &box);
  double bytes = (double)pf_box_elements(&box) * (double)o->element, message = bytes / o->ranks;
  if (o->exchange->grain == PF_GRAIN_PLANE || o->exchange->grain == PF_GRAIN_PART)
    message /= (double)box.len[o->layout[1].storage[1]];
  if (o->exchange->grain == PF_GRAIN_LINE) message = (double)box.len[2] * (double)o->element;
  if (o->array[0].distance || o->array[1].distance) return batch;
  double cached = caches / bytes, needed = worth / message;
  if (o->exchange->place == PF_PLACE_OWNERS || needed < cached) needed = cached;
  if (needed < (double)batch) most = needed < 1 ? 1 : (ptrdiff_t)needed;
  while (batch % most) most--;
  return most;
}

static int geometry_boxes(pf_geometry *o, pfft3d_error *e) {
  const pfft3d_problem *p = &o->problem;
  for (int side = 0; side < 2; side++)
    o->scheme->layout(p, o->decision.order, o->decision.grid, (pfft3d_side)side, &o->layout[side]);
  for (int side = 0; side < 2; side++) {
    size_t largest;
    PF_CHECK(!array_bytes(o, (pfft3d_side)side, 0, &largest) &&
                 pf_layout_fits(&o->layout[side], 8 * o->element * (size_t)p->batch),
             e, PFFT3D_ERR_UNAVAILABLE,
             "grid %tdx%tdx%td on %d ranks: a rank's part exceeds what 64 bits can address",
             p->n[0], p->n[1], p->n[2], o->ranks);
    array_bytes(o, (pfft3d_side)side, o->rank, &o->side_bytes[side]);
    pf_geometry_box(o, (pfft3d_side)side, o->rank, &o->box[side]);
    if (o->side_bytes[side] > o->user_bytes) o->user_bytes = o->side_bytes[side];
    if (largest > o->shared_array) o->shared_array = largest;
  }
  o->shared_array = pf_shared_part(o->shared_array);
  return PFFT3D_OK;
}

/* ---- the way ---- */

pf_fft_spec pf_geometry_fft(const pf_geometry *o, pfft3d_direction direction, int axis) {
  if (o->matrix.n[0]) return pf_matrix_fft(o, direction, axis);
  return (pf_fft_spec){.engine = o->engine,
                       .precision = o->problem.precision,
                       .n = o->problem.n[axis],
                       .sign = direction == PFFT3D_FORWARD ? -1 : 1,
                       .rows = axis == 2, /* contiguous in memory: all others are columns */
                       .real = axis == 2 && o->problem.kind == PFFT3D_R2C,
                       .alone = o->alone};
}

/* What a rank at a place of the grid holds of the array between the stages, in complex numbers. */
typedef struct holding {
  ptrdiff_t n[3];
  int dim[3];
  ptrdiff_t len[3];
} holding;

static void set_lengths(const pf_geometry *o, holding *h, const int place[2]) {
  for (int a = 0; a < 3; a++)
    h->len[a] = h->dim[a] == PF_WHOLE
                    ? h->n[a]
                    : pf_split(h->n[a], o->decision.grid[h->dim[a]], place[h->dim[a]]).len;
}

static holding first_holding(const pf_geometry *o, int direction, const int place[2]) {
  const pf_layout *in = &o->layout[direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM];
  holding h;
  pfft3d_problem_extents(&o->problem, PFFT3D_SPECTRUM, h.n);
  memcpy(h.dim, in->dim, sizeof h.dim);
  set_lengths(o, &h, place);
  return h;
}

/* Exchange k of a direction, as a rank at this place sees it; moves the holding on. */
static pf_redist next_redist(const pf_geometry *o, int direction, const pf_route *route, int k,
                             holding *h, const int place[2]) {
  int a = route->exchange[k].from, b = route->exchange[k].to, dim = route->exchange[k].dim;
  const pf_step *step = &route->step[k];
  int last = step->axes - 1; /* lines are done tile by tile, or all at the end of a plane */
  pf_redist r = {.ranks = o->decision.grid[dim],
                 .me = o->used ? place[dim] : o->decision.grid[dim],
                 .from = a,
                 .to = b,
                 .outer = step->outer,
                 .next = route->step[k + 1].outer,
                 .batch = o->group,
                 .group = 1,
                 .message = o->decision.chunk,
                 .boxes = o->exchange->place == PF_PLACE_BOXES};
  memcpy(r.len, h->len, sizeof r.len);
  r.len[a] = h->n[a];
  r.len[b] = h->n[b];
  if (last >= 0 && step->tile[last] == 1 - step->outer) {
    pf_fft_spec spec = pf_geometry_fft(o, (pfft3d_direction)direction, step->axis[last]);
    r.group = pf_fft_width(&spec);
  }
  r.own_apart = k == 1 && route->steps == 3 && o->exchange->place != PF_PLACE_OWNERS &&
                a == route->exchange[0].to && b == route->exchange[0].from &&
                o->exchange->place != PF_PLACE_NODES;
  h->dim[a] = PF_WHOLE;
  h->dim[b] = dim;
  set_lengths(o, h, place);
  return r;
}

int pf_geometry_receives(const pf_pipeline_geometry *w, pf_slot slot) {
  for (int k = 0; k < w->route.steps - 1; k++)
    if (w->recv[k] == slot) return 1;
  return 0;
}

/* The ranks of the nodes, when exchange k is next. */
static pf_node_map next_node_map(const pf_geometry *o, const pf_route *route, int k,
                                 const holding *h) {
  int dim = route->exchange[k].dim, third = 3 - route->exchange[k].from - route->exchange[k].to;
  return (pf_node_map){.ranks = o->ranks,
                       .me = o->rank,
                       .node = o->node_ranks,
                       .grid = {o->decision.grid[0], o->decision.grid[1]},
                       .dim = dim,
                       .cut = h->dim[third] == 1 - dim ? third : PF_WHOLE,
                       .n = h->n[third]};
}

/* Three memories in turn: an exchange sends from what the one before the last received in, and
 * receives where the last one sent from.  The third is the caller's output where that is large
 * enough and has nothing in it that must stay, and the exchange does not need one of the plan. */
static void assign_slots(pf_geometry *o, pf_pipeline_geometry *w, int out) {
  static const pf_slot turn[] = {PF_SLOT_SEND, PF_SLOT_EXTRA, PF_SLOT_RECV};
  size_t bytes[PF_SLOTS] = {0};
  for (int k = 0; k < w->route.steps - 1; k++) {
    const pf_redist *r = &w->redist[k];
    size_t send = (size_t)pf_redist_send_elements(r) * o->wire;
    size_t recv = (size_t)pf_redist_recv_elements(r) * o->wire;
    w->send[k] = turn[k % 3];
    w->recv[k] = turn[(k + 2) % 3];
    if (send > bytes[w->send[k]]) bytes[w->send[k]] = send;
    if (recv > bytes[w->recv[k]]) bytes[w->recv[k]] = recv;
  }
  const pfft3d_box *box = &o->box[out];
  size_t plain = (size_t)(pf_box_elements(box) * o->group) *
                 pfft3d_element_bytes(&o->problem, (pfft3d_side)out);
  int own = o->exchange->fixed || (o->exchange->windows && pf_geometry_receives(w, PF_SLOT_EXTRA));
  if (!own && bytes[PF_SLOT_EXTRA] <= plain && o->group == o->problem.batch &&
      o->side_bytes[out] == plain) {
    bytes[PF_SLOT_EXTRA] = 0;
    for (int k = 0; k < w->route.steps - 1; k++) {
      if (w->send[k] == PF_SLOT_EXTRA) w->send[k] = PF_SLOT_OUT;
      if (w->recv[k] == PF_SLOT_EXTRA) w->recv[k] = PF_SLOT_OUT;
    }
  }
  for (int s = 0; s < PF_SLOTS; s++)
    if (bytes[s] > o->bytes[s]) o->bytes[s] = bytes[s];
}

ptrdiff_t pf_plane_stride(ptrdiff_t n, size_t element) {
  ptrdiff_t line = PF_ALIGN / (ptrdiff_t)element, aligned = (n + line - 1) / line * line;
  if (n < 4 * line) return n; /* padding would be more than the row */
  return aligned % (8 * line) == 0 ? aligned + 2 * line : aligned;
}

/* What a stage of two axes keeps in cache between them, and what passes copy to read it in longer
 * runs.  Returns whether the plane is too large for the cache. */
static int geometry_cache(pf_geometry *o, const pf_step *s, const holding *h) {
  int b = 1 - s->outer;
  size_t rows = (size_t)((h->len[b] + 7) / 8 * 8);
  size_t plane = rows * (size_t)pf_plane_stride(h->len[2], o->element) * o->element;
  if (s->axes == 2 && plane > o->bytes[PF_SLOT_PLANE]) o->bytes[PF_SLOT_PLANE] = plane;
  for (int i = 0; i < s->axes; i++) {
    size_t strip = pf_strip_bytes(h->n[s->axis[i]], o->element);
    if (s->tile[i] == 2 && strip > o->bytes[PF_SLOT_STRIP]) o->bytes[PF_SLOT_STRIP] = strip;
  }
  return s->axes == 2 && plane > pf_cache_bytes();
}

/* A dimension of one part cuts nothing. */
static int same_cuts(const holding *h, const pf_layout *l) {
  for (int a = 0; a < 3; a++) {
    int here = h->dim[a] != PF_WHOLE && l->grid[h->dim[a]] > 1 ? h->dim[a] : PF_WHOLE;
    int there = l->dim[a] != PF_WHOLE && l->grid[l->dim[a]] > 1 ? l->dim[a] : PF_WHOLE;
    if (here != there) return 0;
  }
  return 1;
}

size_t pf_wire_element(pfft3d_precision precision, pfft3d_precision wire) {
  return pf_element(precision == PFFT3D_SINGLE || wire == PFFT3D_SINGLE ? PFFT3D_SINGLE
                                                                        : PFFT3D_DOUBLE);
}

/* What is stored into the memory of its owner stays as it is. */
size_t pf_geometry_wire(const pf_geometry *o, pfft3d_precision wire) {
  int sends = o->ranks > 1 && o->exchange->place != PF_PLACE_OWNERS;
  return sends ? pf_wire_element(o->problem.precision, wire) : o->element;
}

pfft3d_precision pf_geometry_wire_precision(const pf_geometry *o) {
  return o->wire < o->element ? PFFT3D_SINGLE : o->problem.precision;
}

void pf_geometry_add_messages(pf_message_count *sum, const pf_message_count *c) {
  if (c->messages && (!sum->messages || c->bytes_min < sum->bytes_min))
    sum->bytes_min = c->bytes_min;
  if (c->bytes_max > sum->bytes_max) sum->bytes_max = c->bytes_max;
  sum->messages += c->messages;
  sum->bytes += c->bytes;
}

/* By the convention of 5 n log2 n. */
void pf_geometry_add_stage(const pf_geometry *o, pf_pipeline_geometry *w, int k, double bytes,
                           double points) {
  const pf_step *step = &w->route.step[k];
  for (int i = 0; i < step->axes; i++)
    w->flops[k] += 5 * points * log2((double)o->layout[PFFT3D_SPACE].n[step->axis[i]]);
  w->bytes[k] += bytes;
  w->traffic += bytes;
}

void pf_geometry_add_exchange(pf_pipeline_geometry *w, int k, const pf_message_count *sent,
                              double received) {
  w->sent[k] = *sent;
  w->received[k] = received;
  w->traffic += sent->bytes + received;
  pf_geometry_add_messages(&w->messages, sent);
}

/* Bytes that cross the border of the caches: every stage reads and writes what this rank holds, an
 * exchange reads what it sends and writes what it receives. */
static void geometry_way(pf_geometry *o, int direction) {
  pf_pipeline_geometry *w = &o->pipeline[direction];
  int out = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  holding h = first_holding(o, direction, o->place);
  double batch = (double)o->problem.batch, groups = batch / (double)o->group;
  int nodes = o->exchange->place == PF_PLACE_NODES;
  for (int k = 0; k < w->route.steps; k++) {
    double held = (double)h.len[0] * (double)h.len[1] * (double)h.len[2] * batch;
    double bytes = o->used ? held * (double)o->element : 0, real = bytes;
    double wired = o->used ? held * (double)o->wire : 0;
    if (o->used && o->problem.kind == PFFT3D_R2C)
      real = held / (double)h.n[2] * (double)o->problem.n[2] * (double)o->element / 2;
    int last = k == w->route.steps - 1;
    double field = out == PFFT3D_SPECTRUM ? real : bytes; /* at the beginning, */
    double result = out == PFFT3D_SPACE ? real : bytes;   /* and at the end */
    double moved = (k ? wired : field) + (last ? result : wired);
    if (geometry_cache(o, &w->route.step[k], &h)) moved += 2 * bytes;
    pf_geometry_add_stage(o, w, k, moved, o->used ? held : 0);
    if (last) break;
    pf_redist *r = &w->redist[k];
    w->node_map[k] = next_node_map(o, &w->route, k, &h);
    *r = next_redist(o, direction, &w->route, k, &h, o->place);
    w->send[k] = w->recv[k] = PF_SLOT_SHARED;
    if (o->exchange->place == PF_PLACE_OWNERS) continue;
    pf_redist others = *r;
    others.own_apart = 1;
    double received = (double)pf_redist_recv_elements(&others) * (double)o->wire;
    pf_message_count c = nodes ? pf_geometry_node_messages(o, w, k, &received)
                               : pf_exchange_count(o->exchange, r, o->wire, o->cap);
    c.messages *= groups;
    c.bytes *= groups;
    pf_geometry_add_exchange(w, k, &c, received * groups);
  }
  o->scattered[direction] = o->ranks > 1 && !same_cuts(&h, &o->layout[out]);
  if (o->exchange->place != PF_PLACE_OWNERS && !nodes) assign_slots(o, w, out);
}

/* ---- windows ---- */

/* With other ranks, or several exchanges, two halves take turns; one rank alone needs to fear
 * nobody. */
size_t pf_geometry_halves(const pf_geometry *o) {
  return o->ranks > 1 || o->pipeline[0].route.steps > 2 || o->pipeline[1].route.steps > 2 ? 2 : 1;
}

static ptrdiff_t window_row(const pf_geometry *o, const pf_redist *r) {
  return pf_plane_stride(pf_redist_after(r, 0, 2).len, o->wire);
}

/* Rows of other groups can be one element shorter, and then padded to more (pf_plane_stride()). */
static ptrdiff_t longest_row(const pf_geometry *o, const pf_redist *r) {
  ptrdiff_t row = window_row(o, r), n = pf_redist_after(r, 0, 2).len;
  ptrdiff_t shorter = n > 0 ? pf_plane_stride(n - 1, o->wire) : 0;
  return shorter > row ? shorter : row;
}

/* The parts of a window and of shared arrays are alike on all ranks: as large as rank 0 needs, or
 * another group with longer rows. */
static void geometry_window(pf_geometry *o) {
  static const int first[2] = {0, 0};
  size_t largest = 0;
  for (int d = 0; d < 2; d++) {
    holding h = first_holding(o, d, first);
    for (int k = 0; k < o->pipeline[d].route.steps - 1; k++) {
      pf_redist r = next_redist(o, d, &o->pipeline[d].route, k, &h, first);
      pf_parts parts = {.row = longest_row(o, &r)};
      size_t bytes = (size_t)(pf_parts_field(&parts, &r) * r.batch) * o->wire;
      if (bytes > largest) largest = bytes;
    }
  }
  if ((o->scattered[0] || o->scattered[1]) && o->shared_array > largest) largest = o->shared_array;
  o->half = (largest + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  o->bytes[PF_SLOT_SHARED] = pf_shared_part(pf_geometry_halves(o) * o->half + PF_ALIGN);
}

/* The largest box before and behind an exchange is that of rank 0; of what it sends, nothing is
 * left out: ranks that keep less for their own node send more. */
void pf_geometry_node_area(pf_geometry *o, const pf_redist *r) {
  size_t before = (size_t)r->batch * o->wire, after = before;
  for (int a = 0; a < 3; a++) {
    before *= (size_t)pf_redist_before(r, 0, a).len;
    after *= (size_t)pf_redist_after(r, 0, a).len;
  }
  if (before > o->send_area && o->ranks > o->node_ranks) o->send_area = before;
  if (after > o->half) o->half = after;
}

void pf_geometry_node_part(pf_geometry *o) {
  o->half = (o->half + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  o->bytes[PF_SLOT_SHARED] = pf_shared_part(pf_geometry_halves(o) * o->half + o->send_area);
}

pf_message_count pf_geometry_node_messages(const pf_geometry *o, pf_pipeline_geometry *w, int k,
                                           double *received) {
  w->send[k] = PF_SLOT_SEND;
  w->recv[k] = k % 2 ? PF_SLOT_STAGED : PF_SLOT_SHARED;
  *received = pf_exchange_received_nodes(&w->redist[k], &w->node_map[k], o->wire);
  return pf_exchange_count_nodes(&w->redist[k], &w->node_map[k], o->wire, o->cap);
}

/* As geometry_window(), for nodes. */
static void geometry_node_window(pf_geometry *o) {
  static const int first[2] = {0, 0};
  for (int d = 0; d < 2; d++) {
    holding h = first_holding(o, d, first);
    for (int k = 0; k < o->pipeline[d].route.steps - 1; k++) {
      pf_redist r = next_redist(o, d, &o->pipeline[d].route, k, &h, first);
      pf_geometry_node_area(o, &r);
    }
  }
  pf_geometry_node_part(o);
}

pf_parts pf_geometry_parts(const pf_geometry *o, const pf_pipeline_geometry *w, int k) {
  int dim = w->route.exchange[k].dim;
  return (pf_parts){.part = (ptrdiff_t)(o->bytes[PF_SLOT_SHARED] / o->wire),
                    .row = window_row(o, &w->redist[k]),
                    .first = dim == 0 ? o->place[1] : o->place[0] * o->decision.grid[1],
                    .step = dim == 0 ? o->decision.grid[1] : 1};
}

/* ---- all of it ---- */

/* Whether rows shall be done one after another, with axis 2 last.  That way around is slower than
 * the other; it pays where every row is a message, or a plane a large share of all. */
static int early(const pf_geometry *o) {
  enum { many = 8 };
  ptrdiff_t planes = pf_split(o->layout[PFFT3D_SPACE].n[0], o->decision.grid[0], 0).len;
  if (o->exchange->grain <= PF_GRAIN_BLOCK) return 0;
  return o->exchange->grain == PF_GRAIN_LINE || planes < many;
}

int pf_geometry_make(const pfft3d_request *request, int ranks, int rank, int sharing,
                     pf_geometry *o, pfft3d_error *e) {
  pfft3d_request r = *request;
  pf_choice choice = {0};
  if (r.problem.batch == 0) r.problem.batch = 1;
  *o = (pf_geometry){.ranks = ranks, .rank = rank, .threads = r.threads, .cap = r.max_count};
  o->node_ranks = r.node_ranks > 0 ? r.node_ranks : 1;
  PF_TRY(pf_request_check(&r, ranks, e));
  PF_TRY(pf_decide(&r, ranks, sharing, &choice, e));
  o->problem = r.problem;
  o->decision = choice.decision;
  memcpy(o->reason, choice.reason, sizeof o->reason);
  o->scheme = choice.scheme;
  o->exchange = choice.exchange;
  o->engine = choice.engine;
  o->element = pf_element(r.problem.precision);
  o->wire = pf_geometry_wire(o, r.wire);
  o->alone = r.deterministic;
  memcpy(o->array, r.array, sizeof o->array);
  if (r.padded && r.problem.kind == PFFT3D_R2C)
    o->array[PFFT3D_SPACE].above[2] += 2 - r.problem.n[2] % 2; /* to 2 (n2/2+1) */
  PF_TRY(geometry_boxes(o, e));
  o->group = fields_together(o);
  o->used = pf_layout_coordinates(&o->layout[0], rank, o->place);
  if (!o->used) memset(o->place, 0, sizeof o->place);
  int direct = o->exchange->place == PF_PLACE_OWNERS;
  pf_wish wish = {.order = o->decision.order, .anywhere = ranks == 1 || direct};
  wish.early = ranks > 1 && early(o);
  wish.fixed = r.deterministic;
  for (int d = 0; d < 2; d++) {
    o->scheme->route(&o->problem, o->decision.grid, &wish, (pfft3d_direction)d,
                     &o->pipeline[d].route);
    geometry_way(o, d);
  }
  if (direct) geometry_window(o);
  if (o->exchange->place == PF_PLACE_NODES) geometry_node_window(o);
  for (int s = 0; s < PF_SLOTS; s++)
    o->work_bytes += o->bytes[s] * (s < PF_SLOT_PLANE ? 1 : (size_t)o->threads);
  return PFFT3D_OK;
}

unsigned long long pf_geometry_hash(const pf_geometry *o) {
  char text[2][192];
  unsigned long long hash = PF_HASH_START;
  pfft3d_problem_print(&o->problem, text[0], sizeof text[0]);
  pfft3d_decision_print(&o->decision, text[1], sizeof text[1]);
  for (int i = 0; i < 2; i++) hash = pf_hash(hash, text[i], strlen(text[i]));
  hash = pf_hash(hash, &o->wire, sizeof o->wire);
  hash = pf_hash(hash, &o->group, sizeof o->group);
  hash = pf_hash(hash, &o->node_ranks, sizeof o->node_ranks);
  for (int d = 0; d < 2; d++) {
    const pf_route *r = &o->pipeline[d].route;
    hash = pf_hash(hash, r->step, sizeof r->step);
    hash = pf_hash(hash, r->exchange, sizeof r->exchange);
  }
  return hash;
}
