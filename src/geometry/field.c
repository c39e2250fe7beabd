/* SPDX-License-Identifier: BSD-3-Clause
 * The geometry of fields that are cut into slabs or pencils: boxes, the order of the axes, and the
 * data that each exchange moves. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "local/stage.h"
#include "geometry/field.h"
#include "request/problem.h"

/* ---- boxes ---- */

static void field_layout(const pf_decision *d, pfft3d_side side, pf_layout *l) {
  pf_field_layout(&d->problem, d->names.order, d->names.grid, side, l);
  for (int a = 0; a < 3; a++)
    if (l->dim[a] != PF_WHOLE)
      l->cuts[a] = pf_cut_wish_of(&d->cuts, d->names.order, side, a, l->n[a]);
}

int pf_field_check_cuts(const pf_decision *d, pfft3d_error *e) {
  for (int side = 0; side < 2; side++) {
    pf_layout l;
    field_layout(d, (pfft3d_side)side, &l);
    PF_TRY(pf_cut_wish_check(&d->cuts, (pfft3d_side)side, &l, e));
  }
  return PFFT3D_OK;
}

/* The fraction of the axes along a dimension of the grid that ranks at a coordinate hold, summed
 * over both sides. */
static double share_at(const pf_layout l[2], int dim, int coordinate) {
  double sum = 0;
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++)
      if (l[side].dim[a] == dim)
        sum += (double)pf_cuts_part(&l[side].cuts[a], l[side].n[a], l[side].grid[dim], coordinate)
                   .len /
               (double)l[side].n[a];
  return sum;
}

int pf_field_heaviest(const pf_decision *d) {
  pf_layout l[2];
  int at[2] = {0, 0};
  if (!pf_cut_wish_lists(&d->cuts)) return 0;
  for (int side = 0; side < 2; side++) field_layout(d, (pfft3d_side)side, &l[side]);
  for (int dim = 0; dim < 2; dim++)
    for (int c = 1; c < d->names.grid[dim]; c++)
      if (share_at(l, dim, c) > share_at(l, dim, at[dim])) at[dim] = c;
  return at[0] * d->names.grid[1] + at[1];
}

/* Bytes of one field of a side, padding included; returns 1 on overflow. */
static int field_bytes(const pf_geometry *g, pfft3d_side side, int rank, size_t *bytes) {
  const pfft3d_array *array = &g->decision.array[side];
  pfft3d_box box;
  int failed = 0;
  pf_layout_box(&g->layout[side], rank, &box);
  *bytes =
      pfft3d_element_bytes(&g->decision.problem, side) * (array->every ? (size_t)array->every : 1);
  for (int a = 0; a < 3; a++)
    failed |= pf_mul(*bytes, (size_t)array->below[a] + (size_t)box.len[a] + (size_t)array->above[a],
                     bytes);
  return failed || *bytes > (size_t)PTRDIFF_MAX / 8;
}

/* Bytes from field to field.  By default equal on both sides, so that a batch can be transformed in
 * place in several groups. */
static size_t field_distance(const pf_geometry *g, pfft3d_side side, int rank) {
  size_t element = pfft3d_element_bytes(&g->decision.problem, side), bytes, other;
  ptrdiff_t given = g->decision.array[side].distance;
  if (given) return (size_t)given * element;
  field_bytes(g, side, rank, &bytes);
  if (g->decision.array[!side].distance) return bytes;
  field_bytes(g, !side, rank, &other);
  return ((bytes > other ? bytes : other) + g->element - 1) / g->element * g->element;
}

void pf_field_box(const pf_geometry *g, pfft3d_side side, int rank, pfft3d_box *box) {
  const pfft3d_array *array = &g->decision.array[side];
  ptrdiff_t stride = array->every ? array->every : 1;
  pf_layout_box(&g->layout[side], rank, box);
  for (int k = 2; k >= 0; k--) {
    int a = g->layout[side].storage[k];
    box->stride[a] = stride;
    box->offset += array->below[a] * stride;
    stride *= array->below[a] + box->len[a] + array->above[a];
  }
  box->distance =
      (ptrdiff_t)(field_distance(g, side, rank) / pfft3d_element_bytes(&g->decision.problem, side));
}

/* Bytes after the last element up to the address of the next element of the same field. */
static size_t unused_bytes(const pf_geometry *g, pfft3d_side side) {
  ptrdiff_t every = g->decision.array[side].every;
  return every ? (size_t)(every - 1) * pfft3d_element_bytes(&g->decision.problem, side) : 0;
}

/* Bytes of the caller's array, the largest of all sizes: if it fits 64 bits, all sizes do. */
static int array_bytes(const pf_geometry *g, pfft3d_side side, int rank, size_t *bytes) {
  size_t field, other, fields, all;
  pfft3d_box box;
  *bytes = 0;
  if (field_bytes(g, side, rank, &field) || field_bytes(g, !side, rank, &other)) return 1;
  if (pf_mul((size_t)g->decision.array[side].distance, 8 * g->element, &fields)) return 1;
  if (pf_mul(field_distance(g, side, rank), (size_t)g->decision.problem.batch - 1, &fields))
    return 1;
  if (pf_add(field, fields, &all)) return 1;
  all -= unused_bytes(g, side); /* another array may begin there */
  pf_layout_box(&g->layout[side], rank, &box);
  if (pf_box_elements(&box)) *bytes = all;
  return all > (size_t)PTRDIFF_MAX / 8;
}

size_t pf_field_array_bytes(const pf_geometry *g, pfft3d_side side, int rank) {
  size_t bytes;
  array_bytes(g, side, rank, &bytes);
  return bytes;
}

/* Fields per group: as many as stay in cache between the stages (the third level has several times
 * the second per core), but enough that messages are not dominated by latency.  The cache size is a
 * constant: ranks on different processors must get the same number.  Fields whose distances differ
 * between the sides cannot be transformed in place one by one; a function between two transforms
 * needs the planes of all fields. */
static ptrdiff_t fields_together(const pf_geometry *g) {
  enum { worth = 16 * 1024, caches = 16 * 1024 * 1024 };
  ptrdiff_t batch = g->fields, most = batch;
  pfft3d_box box;
  if (g->decision.array[0].distance || g->decision.array[1].distance) return batch;
  if (g->decision.joined) return batch;
  pf_layout_box(&g->layout[PFFT3D_SPECTRUM], PF_LARGEST, &box);
  double bytes = (double)pf_box_elements(&box) * (double)g->element;
  double message =
      pf_exchange_message_bytes(g->decision.exchange, bytes / g->ranks,
                                (double)box.len[g->decision.names.order != PFFT3D_TRANSPOSED],
                                (double)box.len[2] * (double)g->element);
  double cached = caches / bytes, needed = worth / message;
  if (needed < cached) needed = cached;
  if (needed < (double)batch) most = needed < 1 ? 1 : (ptrdiff_t)needed;
  while (batch % most) most--;
  return most;
}

static int field_boxes(pf_geometry *g, pfft3d_error *e) {
  const pfft3d_problem *p = &g->decision.problem;
  for (int side = 0; side < 2; side++)
    field_layout(&g->decision, (pfft3d_side)side, &g->layout[side]);
  for (int side = 0; side < 2; side++) {
    size_t largest;
    PF_CHECK(!array_bytes(g, (pfft3d_side)side, PF_LARGEST, &largest) &&
                 pf_layout_fits(&g->layout[side], 8 * g->element * (size_t)p->batch),
             e, PFFT3D_ERR_UNAVAILABLE,
             "grid %tdx%tdx%td on %d ranks: a rank's part exceeds what 64 bits can address",
             p->n[0], p->n[1], p->n[2], g->ranks);
    array_bytes(g, (pfft3d_side)side, g->rank, &g->side_bytes[side]);
    pf_field_box(g, (pfft3d_side)side, g->rank, &g->box[side]);
    if (largest > g->shared_array) g->shared_array = largest;
  }
  return PFFT3D_OK;
}

/* The number of fields, if a batch is interleaved element by element on both sides and rows are
 * never cut: it is handled as one field with longer rows.  Otherwise 1, also with kept modes, which
 * are dropped in each field separately. */
static ptrdiff_t components_of(const pf_geometry *g) {
  const pfft3d_problem *p = &g->decision.problem;
  for (int side = 0; side < 2; side++) {
    const pfft3d_array *array = &g->decision.array[side];
    int cut = g->layout[side].dim[2];
    if (array->every != p->batch || array->distance != 1) return 1;
    if (cut != PF_WHOLE && g->layout[side].grid[cut] > 1) return 1;
  }
  for (int a = 0; a < 3; a++)
    if (p->keep[a] && p->keep[a] != p->n[a]) return 1;
  int slab = g->decision.names.grid[1] == 1 && p->n[0] > 1 && pf_problem_first(p) == 0;
  return slab ? p->batch : 1;
}

/* ---- directions ---- */

/* Nonzero if lines along an axis have real points.  With a half spectrum, axes other than the half
 * axis have them if they are transformed on its real side. */
static int real_points(const pf_geometry *g, pfft3d_direction direction, int axis) {
  const pf_route *r = &g->pipeline[direction].route;
  int half = pf_problem_half_axis(&g->decision.problem), passed = 0;
  for (int k = 0; k < r->stages && half >= 0 && axis != half; k++)
    for (int i = 0; i < r->stage[k].axes; i++) {
      if (r->stage[k].axis[i] == axis) return passed == (direction == PFFT3D_BACKWARD);
      passed |= r->stage[k].axis[i] == half;
    }
  return pf_problem_scalar(&g->decision.problem);
}

/* Nonzero if real lines must not be transformed in pairs, in which the larger line passes its
 * rounding errors to the other: if both would belong to different fields, as columns of interleaved
 * fields do, or if lines are independent because an axis is not transformed, unless they are
 * joined. */
static int keeps_apart(const pf_geometry *g, int axis) {
  const pfft3d_problem *p = &g->decision.problem;
  int independent = axis != 2 && g->components > 1;
  for (int a = 0; a < 3 && !g->decision.joined; a++)
    independent |= p->n[a] > 1 && pf_problem_axis(p, a) == PFFT3D_NONE;
  return independent;
}

pf_fft_spec pf_field_fft(const pf_geometry *g, pfft3d_direction direction, int axis) {
  const pfft3d_problem *p = &g->decision.problem;
  pfft3d_axis_kind kind = pf_problem_axis(p, axis);
  int dft = kind == PFFT3D_DFT;
  return (pf_fft_spec){.engine = g->decision.engine,
                       .precision = p->precision,
                       .n = p->n[axis],
                       .sign = dft ? pf_problem_sign(p, direction) : 0,
                       .kind = direction == PFFT3D_FORWARD ? kind : pf_kind_inverse(kind),
                       .many = axis == 2 ? g->components : 1,
                       .rows = axis == 2, /* contiguous in memory; other axes are columns */
                       .real = axis == pf_problem_half_axis(p),
                       .scalar = real_points(g, direction, axis),
                       .alone = g->decision.deterministic || keeps_apart(g, axis)};
}

/* The part of the array that this rank holds.  An axis has the extent of the direction's input
 * until it is transformed, then the extent of the output; the element has the input's size until
 * the half axis is transformed. */
typedef struct holding {
  size_t element;
  ptrdiff_t n[3];
  int dim[3];
  pf_cuts cuts[3];
  ptrdiff_t len[3];
} holding;

static void set_lengths(const pf_geometry *g, holding *h) {
  for (int a = 0; a < 3; a++) {
    int dim = h->dim[a];
    h->len[a] = h->n[a];
    if (dim != PF_WHOLE)
      h->len[a] =
          pf_cuts_part(&h->cuts[a], h->n[a], g->decision.names.grid[dim], g->coordinate[dim]).len;
  }
}

static holding first_holding(const pf_geometry *g, int direction) {
  const pf_layout *l = &g->layout[direction]; /* a direction begins on its side */
  holding h = {.element = pfft3d_element_bytes(&g->decision.problem, (pfft3d_side)direction)};
  memcpy(h.n, l->n, sizeof h.n);
  h.n[2] *= g->components;
  memcpy(h.dim, l->dim, sizeof h.dim);
  memcpy(h.cuts, l->cuts, sizeof h.cuts);
  set_lengths(g, &h);
  return h;
}

/* Elements of this rank, in all fields. */
static double elements_of(const pf_geometry *g, const holding *h) {
  double held = (double)h->len[0] * (double)h->len[1] * (double)h->len[2];
  return g->used ? held * (double)g->fields : 0;
}

/* Transforms an axis: adds the flops to stage k, and changes the holding. */
static void transform_axis(pf_geometry *g, int direction, int k, int axis, holding *h) {
  const pfft3d_problem *p = &g->decision.problem;
  int half = axis == pf_problem_half_axis(p);
  int scalar = real_points(g, (pfft3d_direction)direction, axis);
  ptrdiff_t many = axis == 2 ? g->components : 1;
  double lines = h->n[axis] ? elements_of(g, h) / (double)h->n[axis] * (double)many : 0;
  ptrdiff_t length = half ? p->n[axis] / 2 + 1 : p->n[axis];
  double points = (double)length;
  pf_geometry_add_flops(&g->pipeline[direction], k, scalar ? lines * points / 2 : lines * points,
                        p->n[axis]);
  h->n[axis] = g->layout[!direction].n[axis] * many;
  if (half) h->element = pfft3d_element_bytes(p, (pfft3d_side)!direction);
  set_lengths(g, h);
}

/* The cuts of an axis after an exchange: the cuts of the output if it is cut along the same
 * dimension of the grid, else by the rule. */
static pf_cuts cuts_after(const pf_geometry *g, int direction, int axis, int dim) {
  const pf_layout *out = &g->layout[!direction];
  return out->dim[axis] == dim ? out->cuts[axis] : (pf_cuts){g->decision.cuts.rule, NULL};
}

/* Nonzero if blocks should have the planes of the receiver.  The sender then stores columns with a
 * stride of one plane of a block: their lines must not compete for few sets of its L2 cache.  All
 * ranks must agree, so 16 ways of 64 KiB are assumed. */
static int suits_receiver(const pf_redist *r, size_t wire) {
  enum { ways = 16, way = 64 << 10 };
  if (r->to != r->next || r->from != r->outer) return 0;
  ptrdiff_t apart = pf_redist_longest_before(r, r->from) * r->len[2] * r->batch * (ptrdiff_t)wire;
  return pf_cache_lines(apart, way, ways) >= r->len[r->to];
}

/* Exchange k of a direction; updates the holding. */
static pf_redist next_redist(const pf_geometry *g, int direction, int k, holding *h) {
  const pf_route *route = &g->pipeline[direction].route;
  int a = route->exchange[k].from, b = route->exchange[k].to, dim = route->exchange[k].dim;
  const pf_route_stage *stage = &route->stage[k];
  int last = stage->axes - 1; /* lines are complete tile by tile, or all at the end of a plane */
  pf_redist r = {.ops = &pf_redist_axes,
                 .ranks = g->decision.names.grid[dim],
                 .me = g->used ? g->coordinate[dim] : g->decision.names.grid[dim],
                 .from = a,
                 .to = b,
                 .outer = stage->outer,
                 .next = route->stage[k + 1].outer,
                 .batch = g->group,
                 .group = 1,
                 .message = g->decision.names.chunk,
                 .one_node = g->memory.node_ranks >= g->ranks};
  pf_cuts after = cuts_after(g, direction, b, dim);
  memcpy(r.len, h->len, sizeof r.len);
  r.cuts[a] = h->cuts[a];
  r.cuts[b] = after;
  r.len[a] = h->n[a];
  r.len[b] = h->n[b];
  if (last >= 0 && stage->tile[last] == 1 - stage->outer) {
    pf_fft_spec spec = pf_field_fft(g, (pfft3d_direction)direction, stage->axis[last]);
    r.group = pf_fft_width(&spec);
  }
  /* Not in the first of two: own rows stay in its blocks, and the planes of both must be equal. */
  if (k == route->stages - 2 && g->decision.exchange->grain == PF_GRAIN_BLOCK)
    r.by_next = suits_receiver(&r, pf_geometry_wire(g, h->element));
  h->dim[a] = PF_WHOLE;
  h->dim[b] = dim;
  h->cuts[b] = after;
  set_lengths(g, h);
  return r;
}

/* The node map of exchange k. */
static pf_node_map next_node_map(const pf_geometry *g, const pf_route *route, int k,
                                 const holding *h) {
  int dim = route->exchange[k].dim, third = 3 - route->exchange[k].from - route->exchange[k].to;
  return (pf_node_map){.ranks = g->ranks,
                       .me = g->rank,
                       .node = g->memory.node_ranks,
                       .grid = {g->decision.names.grid[0], g->decision.names.grid[1]},
                       .dim = dim,
                       .cut = h->dim[third] == 1 - dim ? third : PF_WHOLE,
                       .n = h->n[third],
                       .cuts = h->cuts[third]};
}

/* Sets the size of the plane that a stage of two axes keeps in cache between them.  Returns the
 * bytes of main memory that it costs if it is too large: on all machines over `held` bytes. */
static double keep_plane(pf_geometry *g, int direction, const pf_route_stage *s, const holding *h) {
  const size_t rows = (size_t)((h->len[1 - s->outer] + 7) / 8 * 8), held = 2 << 20;
  size_t plane = rows * (size_t)pf_plane_stride(h->len[2], h->element) * h->element;
  memcpy(g->pipeline[direction].plane, h->len, sizeof h->len);
  g->pipeline[direction].plane_element = h->element;
  if (plane > g->memory.bytes[PF_SLOT_PLANE]) g->memory.bytes[PF_SLOT_PLANE] = plane;
  return plane > held ? 2 * elements_of(g, h) * (double)h->element : 0;
}

/* Sets the size of the copies that passes of a stage make to read longer runs. */
static void keep_strips(pf_geometry *g, int direction, const pf_route_stage *s) {
  for (int i = 0; i < s->axes; i++) {
    pf_fft_spec spec = pf_field_fft(g, (pfft3d_direction)direction, s->axis[i]);
    size_t strip = pf_strip_bytes(spec.n, g->element, pf_fft_width(&spec));
    if (s->tile[i] == 2 && strip > g->memory.bytes[PF_SLOT_STRIP])
      g->memory.bytes[PF_SLOT_STRIP] = strip;
  }
}

/* Transforms the axes of stage k.  Returns its bytes of main memory. */
static double field_stage(pf_geometry *g, int direction, int k, holding *h) {
  const pf_route *route = &g->pipeline[direction].route;
  const pf_route_stage *s = &route->stage[k];
  double wired = (double)pf_geometry_wire(g, g->element) / (double)g->element, between = 0;
  double read = elements_of(g, h) * (double)h->element * (k ? wired : 1);
  for (int i = 0; i < s->axes; i++) {
    transform_axis(g, direction, k, s->axis[i], h);
    if (i == 0 && s->axes == 2) between = keep_plane(g, direction, s, h);
  }
  keep_strips(g, direction, s);
  int last = k == route->stages - 1;
  return read + between + elements_of(g, h) * (double)h->element * (last ? 1 : wired);
}

/* Nonzero if two distributions are equal; a dimension of one part cuts nothing. */
static int same_cuts(const holding *h, const pf_layout *l) {
  for (int a = 0; a < 3; a++) {
    int here = h->dim[a] != PF_WHOLE && l->grid[h->dim[a]] > 1 ? h->dim[a] : PF_WHOLE;
    int there = l->dim[a] != PF_WHOLE && l->grid[l->dim[a]] > 1 ? l->dim[a] : PF_WHOLE;
    if (here != there) return 0;
  }
  return 1;
}

/* Bytes of the caller's output if it has no padding and can serve as a buffer; else 0. */
static size_t plain_output(const pf_geometry *g, int side) {
  size_t plain = (size_t)(pf_box_elements(&g->box[side]) * g->group * g->components) *
                 pfft3d_element_bytes(&g->decision.problem, (pfft3d_side)side);
  return g->group == g->fields && g->side_bytes[side] == plain ? plain : 0;
}

/* Nonzero if each plane that the last stage reads can hold its results, stored with the input's
 * strides.  In the parts of other ranks a result must replace the same element, because the stage
 * may not have read other elements yet. */
static int has_room(const pf_geometry *g, const pf_redist *last, const holding *before,
                    const holding *after, const pf_layout *out) {
  int from = last->from;
  if (pf_exchange_pulls(g->decision.exchange, last) &&
      (out->n[from] != last->len[from] || !pf_cuts_same(&out->cuts[from], &last->cuts[from])))
    return 0;
  return after->n[from] <= before->n[from] && (double)after->n[2] * (double)after->element <=
                                                  (double)before->n[2] * (double)before->element;
}

static void field_direction(pf_geometry *g, int direction) {
  pf_pipeline_geometry *w = &g->pipeline[direction];
  pf_exchange_sequence *q = &g->memory.sequence[direction];
  int out = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  holding h = first_holding(g, direction), before = h;
  for (int k = 0; k < w->route.stages; k++) {
    before = h;
    pf_geometry_add_bytes(w, k, field_stage(g, direction, k, &h));
    if (k == w->route.stages - 1) break;
    q->wire[k] = pf_geometry_wire(g, h.element);
    q->node_map[k] = next_node_map(g, &w->route, k, &h);
    q->redist[k] = next_redist(g, direction, k, &h);
    q->largest[k] = pf_node_map_largest(&q->node_map[k], &q->redist[k]);
    q->count++;
  }
  memcpy(w->end, h.len, sizeof h.len);
  q->output = plain_output(g, out);
  w->push = g->ranks > 1 && !same_cuts(&h, &g->layout[out]);
  w->fits =
      w->push && q->count && has_room(g, &q->redist[q->count - 1], &before, &h, &g->layout[out]);
  w->crossings = g->ranks > 1 ? q->count : 0;
}

/* Nonzero if the spectrum is distributed as the field is. */
static int same_sides(const pf_geometry *g) {
  const pf_layout *x = &g->layout[PFFT3D_SPACE], *y = &g->layout[PFFT3D_SPECTRUM];
  for (int a = 0; a < 2; a++) {
    int dim = x->dim[a];
    if (dim != y->dim[a]) return 0;
    if (dim == PF_WHOLE || x->grid[dim] == 1) continue;
    for (int part = 0, next; part < x->grid[dim]; part = next) { /* where lengths change */
      pf_range s = pf_cuts_part(&x->cuts[a], x->n[a], x->grid[dim], part);
      pf_range t = pf_cuts_part(&y->cuts[a], y->n[a], y->grid[dim], part);
      int other = pf_cuts_next(&y->cuts[a], y->n[a], y->grid[dim], part);
      next = pf_cuts_next(&x->cuts[a], x->n[a], x->grid[dim], part);
      if (other < next) next = other;
      if (s.lo != t.lo || s.len != t.len) return 0;
    }
  }
  return 1;
}

/* ---- in place ---- */

/* Nonzero if each element has the same address on both sides. */
static int same_addresses(const pf_geometry *g) {
  const pfft3d_box *a = &g->box[0], *b = &g->box[1];
  int same = pfft3d_element_bytes(&g->decision.problem, PFFT3D_SPACE) ==
             pfft3d_element_bytes(&g->decision.problem, PFFT3D_SPECTRUM);
  for (int k = 0; k < 3; k++) same = same && a->len[k] == b->len[k] && a->stride[k] == b->stride[k];
  return same && a->offset == b->offset && a->distance == b->distance;
}

/* A direction of one stage writes planes while it still reads others. */
static size_t copy_bytes(const pf_geometry *g) {
  size_t most = 0;
  if (same_addresses(g)) return 0;
  for (int d = 0; d < 2; d++)
    if (g->pipeline[d].route.stages == 1 && g->side_bytes[d] > most) most = g->side_bytes[d];
  return most;
}

/* ---- all of it ---- */

int pf_field_geometry(pf_geometry *g, pfft3d_error *e) {
  const pf_decision *d = &g->decision;
  PF_TRY(field_boxes(g, e));
  g->components = components_of(g);
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): at least 1 */
  g->fields = d->problem.batch / g->components;
  g->group = fields_together(g);
  g->used = pf_layout_coordinates(&g->layout[0], g->rank, g->coordinate);
  if (!g->used) memset(g->coordinate, 0, sizeof g->coordinate);
  const pf_layout *field = &g->layout[PFFT3D_SPACE];
  ptrdiff_t planes = pf_cuts_longest(&field->cuts[0], field->n[0], d->names.grid[0]);
  pf_wish wish = {.order = d->names.order,
                  .alone = g->ranks == 1,
                  .anywhere = g->ranks == 1 || d->exchange->direct,
                  .early = g->ranks > 1 && pf_exchange_wants_rows(d->exchange, planes),
                  .fixed = d->deterministic};
  for (int direction = 0; direction < 2; direction++) {
    d->scheme->route(&d->problem, d->names.grid, &wish, (pfft3d_direction)direction,
                     &g->pipeline[direction].route);
    pf_route_prune(&d->problem, same_sides(g), &g->pipeline[direction].route);
    field_direction(g, direction);
  }
  g->copy_bytes = copy_bytes(g);
  return PFFT3D_OK;
}
