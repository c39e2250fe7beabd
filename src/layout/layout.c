/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes on a rank grid, tables of a redistribution. */
#include "layout/layout.h"

#include <stdint.h>

int pf_layout_coordinates(const pf_layout *l, int rank, int coordinate[2]) {
  coordinate[0] = rank / l->grid[1];
  coordinate[1] = rank % l->grid[1];
  return coordinate[0] < l->grid[0];
}

/* The part of an axis at a coordinate of its grid dimension, or the longest part. */
static pf_range part_of(const pf_layout *l, int axis, int rank, const int coordinate[2]) {
  int d = l->dim[axis];
  ptrdiff_t n = l->n[axis];
  if (d == PF_WHOLE) return (pf_range){0, n};
  if (rank == PF_LARGEST) return (pf_range){0, pf_cuts_longest(&l->cuts[axis], n, l->grid[d])};
  return pf_cuts_part(&l->cuts[axis], n, l->grid[d], coordinate[d]);
}

void pf_layout_box(const pf_layout *l, int rank, pfft3d_box *box) {
  int coord[2] = {0, 0}, used = rank == PF_LARGEST || pf_layout_coordinates(l, rank, coord);
  ptrdiff_t stride = 1;
  *box = (pfft3d_box){.offset = 0};
  for (int a = 0; a < 3; a++) {
    pf_range part = used ? part_of(l, a, rank, coord) : (pf_range){l->n[a], 0};
    box->lo[a] = part.lo;
    box->len[a] = part.len;
  }
  for (int k = 2; k >= 0; k--) {
    int a = l->storage[k];
    box->stride[a] = stride;
    stride *= box->len[a];
  }
}

ptrdiff_t pf_box_elements(const pfft3d_box *box) {
  return box->len[0] * box->len[1] * box->len[2];
}

int pf_layout_fits(const pf_layout *l, size_t size) {
  static const int nowhere[2];
  size_t bytes = size;
  for (int a = 0; a < 3; a++)
    if (__builtin_mul_overflow(bytes, (size_t)part_of(l, a, PF_LARGEST, nowhere).len, &bytes))
      return 0;
  return bytes <= (size_t)PTRDIFF_MAX;
}

pf_range pf_rows_part(const pf_rows *r, int parts, int part) {
  pf_range of = pf_cuts_part(&r->cuts, r->total, parts, part);
  ptrdiff_t lo = (of.lo + r->row - 1) / r->row, end = (of.lo + of.len + r->row - 1) / r->row;
  return (pf_range){lo, end - lo};
}

/* ---- redistributions ---- */

static pf_range cut(const pf_redist *r, int rank, int axis) {
  if (axis > 0 && r->rows[axis - 1].row) return pf_rows_part(&r->rows[axis - 1], r->ranks, rank);
  return pf_cuts_part(&r->cuts[axis], r->len[axis], r->ranks, rank);
}

/* Of equal blocks the first has most rows, as it begins with a row. */
static ptrdiff_t most_rows(const pf_rows *r, int parts) {
  int tried = r->cuts.rule == PF_CUTS_GIVEN ? parts : 1;
  ptrdiff_t most = 0;
  for (int k = 0; k < tried; k++) {
    ptrdiff_t rows = pf_rows_part(r, parts, k).len;
    if (rows > most) most = rows;
  }
  return most;
}

static ptrdiff_t longest_cut(const pf_redist *r, int axis) {
  if (axis > 0 && r->rows[axis - 1].row) return most_rows(&r->rows[axis - 1], r->ranks);
  return pf_cuts_longest(&r->cuts[axis], r->len[axis], r->ranks);
}

pf_range pf_redist_before(const pf_redist *r, int rank, int axis) {
  return axis == r->from ? cut(r, rank, axis) : (pf_range){0, r->len[axis]};
}

pf_range pf_redist_after(const pf_redist *r, int rank, int axis) {
  return axis == r->to ? cut(r, rank, axis) : (pf_range){0, r->len[axis]};
}

static ptrdiff_t longest_of_axes(const pf_redist *r, int axis, int after) {
  return axis == (after ? r->to : r->from) ? longest_cut(r, axis) : r->len[axis];
}

ptrdiff_t pf_redist_longest_before(const pf_redist *r, int axis) {
  return r->ops->longest(r, axis, 0);
}

ptrdiff_t pf_redist_longest_after(const pf_redist *r, int axis) {
  return r->ops->longest(r, axis, 1);
}

int pf_redist_next_after(const pf_redist *r, int rank) {
  return r->ops->next_after(r, rank);
}

static int next_of_axes(const pf_redist *r, int rank) {
  if (r->to > 0 && r->rows[r->to - 1].row) return rank + 1;
  return pf_cuts_next(&r->cuts[r->to], r->len[r->to], r->ranks, rank);
}

/* The shape of a block with these extents. */
static pf_block_shape shape_of(const pf_redist *r, const ptrdiff_t len[3]) {
  if (r->me == r->ranks) return (pf_block_shape){0, 0, 0, 0};
  pf_block_shape b = {len[r->outer], len[1 - r->outer], len[2] * r->batch, len[1 - r->outer]};
  if (!r->chunk || len[1] <= r->chunk) return b;
  b.planes = (len[1] + r->chunk - 1) / r->chunk;
  b.lines = r->chunk;
  b.last = len[1] - (b.planes - 1) * r->chunk;
  return b;
}

static pf_block_shape shape_of_axes(const pf_redist *r, int sender, int receiver) {
  ptrdiff_t len[3];
  for (int a = 0; a < 3; a++)
    len[a] =
        a == r->from ? pf_redist_before(r, sender, a).len : pf_redist_after(r, receiver, a).len;
  return shape_of(r, len);
}

static pf_block_shape largest_of_axes(const pf_redist *r, int receiver) {
  ptrdiff_t len[3];
  for (int a = 0; a < 3; a++)
    len[a] = a == r->from ? pf_redist_longest_before(r, a) : pf_redist_after(r, receiver, a).len;
  return shape_of(r, len);
}

pf_block_shape pf_redist_shape(const pf_redist *r, int sender, int receiver) {
  return r->ops->shape(r, sender, receiver);
}

pf_block_shape pf_redist_largest_shape(const pf_redist *r, int receiver) {
  return r->ops->largest_shape(r, receiver);
}

ptrdiff_t pf_redist_elements(const pf_redist *r, int sender, int receiver) {
  pf_block_shape b = pf_redist_shape(r, sender, receiver);
  return pf_block_shape_elements(&b);
}

int pf_redist_by_owner(const pf_redist *r) {
  return r->to == 1 - r->outer;
}

/* Elements of this rank's box, before and after, at one index of an axis. */
static ptrdiff_t slice(const pf_redist *r, int axis) {
  ptrdiff_t elements = r->batch;
  if (r->me == r->ranks) return 0;
  for (int a = 0; a < 3; a++)
    if (a != axis) {
      pf_range mine = axis == r->to ? pf_redist_before(r, r->me, a) : pf_redist_after(r, r->me, a);
      elements *= mine.len;
    }
  return elements;
}

pf_range pf_redist_peers(const pf_redist *r) {
  return r->peers.len ? r->peers : (pf_range){r->me, r->me < r->ranks};
}

int pf_redist_is_peer(const pf_redist *r, int other) {
  pf_range peers = pf_redist_peers(r);
  return other >= peers.lo && other < peers.lo + peers.len;
}

ptrdiff_t pf_redist_together(const pf_redist *r, pf_range ranks, int after) {
  int first = (int)ranks.lo, last = (int)(ranks.lo + ranks.len) - 1;
  if (ranks.len <= 0) return 0;
  pf_range a = after ? pf_redist_after(r, first, r->to) : pf_redist_before(r, first, r->from);
  pf_range b = after ? pf_redist_after(r, last, r->to) : pf_redist_before(r, last, r->from);
  return b.lo + b.len - a.lo;
}

static ptrdiff_t sum_of_axes(const pf_redist *r, pf_range ranks, int received) {
  pf_range own = {r->me, r->me >= ranks.lo && r->me < ranks.lo + ranks.len};
  return (pf_redist_together(r, ranks, !received) - pf_redist_together(r, own, !received)) *
         slice(r, received ? r->from : r->to);
}

ptrdiff_t pf_redist_for(const pf_redist *r, pf_range ranks, int received) {
  return r->ops->sum(r, ranks, received);
}

/* Indices of axis `to` on ranks below `end` for which the send buffer has no block. */
static ptrdiff_t absent_before(const pf_redist *r, int end) {
  pf_range peers = pf_redist_peers(r);
  if (end < peers.lo + peers.len) peers.len = end - peers.lo;
  return pf_redist_together(r, peers, 1);
}

ptrdiff_t pf_redist_send_offset(const pf_redist *r, int other) {
  return r->ops->offset(r, other, 0);
}

ptrdiff_t pf_redist_recv_offset(const pf_redist *r, int other) {
  return r->ops->offset(r, other, 1);
}

static ptrdiff_t offset_of_axes(const pf_redist *r, int other, int received) {
  if (!received)
    return (pf_redist_after(r, other, r->to).lo - absent_before(r, other)) * slice(r, r->to);
  ptrdiff_t before = pf_redist_before(r, other, r->from).lo;
  if (r->own_apart && other > r->me) before -= pf_redist_before(r, r->me, r->from).len;
  return before * slice(r, r->from);
}

/* The location of a contiguous block at an offset. */
static pf_spot block_spot(const pf_redist *r, int sender, int receiver, ptrdiff_t offset) {
  pf_block_shape b = pf_redist_shape(r, sender, receiver);
  pf_spot s = {.offset = offset, .field = b.run / r->batch};
  int axis = r->by_next ? r->next : r->outer;
  s.stride[2] = 1;
  s.stride[1 - axis] = b.run;
  s.stride[axis] = (axis == r->outer ? b.lines : b.planes) * b.run;
  return s;
}

/* The location of a block in a box with these extents: it begins at index `first` of an axis. */
static pf_spot box_spot(const pf_redist *r, int outer, const ptrdiff_t len[3], int axis,
                        ptrdiff_t first) {
  pf_spot s = {.field = len[2]};
  s.stride[2] = 1;
  s.stride[1 - outer] = r->batch * len[2];
  s.stride[outer] = len[1 - outer] * s.stride[1 - outer];
  s.offset = first * s.stride[axis];
  return s;
}

pf_spot pf_redist_send_spot(const pf_redist *r, int other) {
  pf_range own = pf_redist_after(r, r->me, r->to), part = pf_redist_after(r, other, r->to);
  ptrdiff_t len[3];
  if (!r->boxes) return block_spot(r, r->me, other, pf_redist_send_offset(r, other));
  for (int a = 0; a < 3; a++) len[a] = pf_redist_before(r, r->me, a).len;
  len[r->to] -= own.len;
  return box_spot(r, r->outer, len, r->to, part.lo - (other > r->me ? own.len : 0));
}

pf_spot pf_redist_recv_spot(const pf_redist *r, int other) {
  pf_range own = pf_redist_before(r, r->me, r->from), part = pf_redist_before(r, other, r->from);
  ptrdiff_t len[3], absent = r->own_apart ? own.len : 0;
  if (!r->boxes) return block_spot(r, other, r->me, pf_redist_recv_offset(r, other));
  for (int a = 0; a < 3; a++) len[a] = pf_redist_after(r, r->me, a).len;
  len[r->from] -= absent;
  return box_spot(r, r->next, len, r->from, part.lo - (other > r->me ? absent : 0));
}

ptrdiff_t pf_redist_send_elements(const pf_redist *r) {
  return r->ops->elements(r, 0);
}

ptrdiff_t pf_redist_recv_elements(const pf_redist *r) {
  return r->ops->elements(r, 1);
}

static ptrdiff_t elements_of_axes(const pf_redist *r, int received) {
  if (!received) return (r->len[r->to] - absent_before(r, r->ranks)) * slice(r, r->to);
  ptrdiff_t own = r->own_apart ? pf_redist_before(r, r->me, r->from).len : 0;
  return (r->len[r->from] - own) * slice(r, r->from);
}

const pf_redist_ops pf_redist_axes = {.shape = shape_of_axes,
                                      .largest_shape = largest_of_axes,
                                      .longest = longest_of_axes,
                                      .next_after = next_of_axes,
                                      .sum = sum_of_axes,
                                      .offset = offset_of_axes,
                                      .elements = elements_of_axes};

ptrdiff_t pf_redist_lines(const pf_redist *r, ptrdiff_t plane) {
  pf_block_shape b = pf_redist_shape(r, r->me, 0);
  return r->me == r->ranks ? 0
         : r->chunk        ? pf_block_shape_plane(&b, plane)
                           : pf_redist_before(r, r->me, 1 - r->outer).len;
}

ptrdiff_t pf_redist_first_line(const pf_redist *r, int rank) {
  if (!pf_redist_by_owner(r) || rank >= r->ranks) return 0;
  ptrdiff_t line = pf_redist_after(r, (rank + 1) % r->ranks, r->to).lo;
  return line >= r->len[r->to] ? 0 : line / r->group * r->group;
}
