/* SPDX-License-Identifier: BSD-3-Clause
 * Balanced splits, boxes on a rank grid, tables of a redistribution. */
#include "layout/layout.h"

#include <stdint.h>

pf_range pf_split(ptrdiff_t n, int parts, int part) {
  /* cppcheck-suppress zerodivcond ; there is at least one part */
  ptrdiff_t q = n / parts, r = n % parts;
  pf_range range;
  range.lo = part < r ? part * (q + 1) : part * q + r;
  range.len = part < r ? q + 1 : q;
  if (part == parts) range = (pf_range){n, 0};
  return range;
}

int pf_split_owner(ptrdiff_t n, int parts, ptrdiff_t index) {
  ptrdiff_t q = n / parts, r = n % parts;
  if (index < r * (q + 1)) return (int)(index / (q + 1));
  return (int)(r + (index - r * (q + 1)) / q);
}

int pf_split_used(ptrdiff_t n, int parts) {
  return n < parts ? (int)n : parts;
}

int pf_layout_coordinates(const pf_layout *l, int rank, int coordinate[2]) {
  coordinate[0] = rank / l->grid[1];
  coordinate[1] = rank % l->grid[1];
  return coordinate[0] < l->grid[0];
}

void pf_layout_box(const pf_layout *l, int rank, pfft3d_box *box) {
  int coord[2], used = pf_layout_coordinates(l, rank, coord);
  ptrdiff_t stride = 1;
  *box = (pfft3d_box){.offset = 0};
  for (int a = 0; a < 3; a++) {
    int d = l->dim[a];
    pf_range part =
        d == PF_WHOLE || !used ? (pf_range){0, l->n[a]} : pf_split(l->n[a], l->grid[d], coord[d]);
    box->lo[a] = part.lo;
    box->len[a] = used ? part.len : 0;
    if (!used) box->lo[a] = l->n[a];
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
  size_t bytes = size;
  for (int a = 0; a < 3; a++) { /* rank 0 holds the largest box */
    int d = l->dim[a];
    ptrdiff_t len = d == PF_WHOLE ? l->n[a] : pf_split(l->n[a], l->grid[d], 0).len;
    if (__builtin_mul_overflow(bytes, (size_t)len, &bytes)) return 0;
  }
  return bytes <= (size_t)PTRDIFF_MAX;
}

pf_range pf_rows_part(const pf_rows *r, int parts, int part) {
  pf_range of = pf_split(r->total, parts, part);
  ptrdiff_t lo = (of.lo + r->row - 1) / r->row, end = (of.lo + of.len + r->row - 1) / r->row;
  return (pf_range){lo, end - lo};
}

/* ---- redistributions ---- */

static pf_range cut(const pf_redist *r, int rank, int axis) {
  if (axis > 0 && r->rows[axis - 1].row) return pf_rows_part(&r->rows[axis - 1], r->ranks, rank);
  return pf_split(r->len[axis], r->ranks, rank);
}

pf_range pf_redist_before(const pf_redist *r, int rank, int axis) {
  return axis == r->from ? cut(r, rank, axis) : (pf_range){0, r->len[axis]};
}

pf_range pf_redist_after(const pf_redist *r, int rank, int axis) {
  return axis == r->to ? cut(r, rank, axis) : (pf_range){0, r->len[axis]};
}

pf_piece pf_redist_piece(const pf_redist *r, int sender, int receiver) {
  ptrdiff_t len[3];
  for (int a = 0; a < 3; a++)
    len[a] =
        a == r->from ? pf_redist_before(r, sender, a).len : pf_redist_after(r, receiver, a).len;
  if (r->me == r->ranks) return (pf_piece){0, 0, 0, 0};
  pf_piece b = {len[r->outer], len[1 - r->outer], len[2] * r->batch, len[1 - r->outer]};
  if (!r->chunk || len[1] <= r->chunk) return b;
  b.planes = (len[1] + r->chunk - 1) / r->chunk;
  b.lines = r->chunk;
  b.last = len[1] - (b.planes - 1) * r->chunk;
  return b;
}

ptrdiff_t pf_redist_elements(const pf_redist *r, int sender, int receiver) {
  pf_piece b = pf_redist_piece(r, sender, receiver);
  return pf_piece_elements(&b);
}

int pf_redist_by_owner(const pf_redist *r) {
  return r->to == 1 - r->outer;
}

/* Elements of a slice of one index of an axis, of this rank's box before and after. */
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

ptrdiff_t pf_redist_send_offset(const pf_redist *r, int other) {
  ptrdiff_t before = pf_redist_after(r, other, r->to).lo;
  if (other > r->me) before -= pf_redist_after(r, r->me, r->to).len;
  return before * slice(r, r->to);
}

ptrdiff_t pf_redist_recv_offset(const pf_redist *r, int other) {
  ptrdiff_t before = pf_redist_before(r, other, r->from).lo;
  if (r->own_apart && other > r->me) before -= pf_redist_before(r, r->me, r->from).len;
  return before * slice(r, r->from);
}

/* The location of a contiguous block at an offset. */
static pf_spot block_spot(const pf_redist *r, int sender, int receiver, ptrdiff_t offset) {
  pf_piece b = pf_redist_piece(r, sender, receiver);
  pf_spot s = {.offset = offset, .field = b.run / r->batch};
  s.stride[2] = 1;
  s.stride[1 - r->outer] = b.run;
  s.stride[r->outer] = b.lines * b.run;
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
  return (r->len[r->to] - pf_redist_after(r, r->me, r->to).len) * slice(r, r->to);
}

ptrdiff_t pf_redist_recv_elements(const pf_redist *r) {
  ptrdiff_t own = r->own_apart ? pf_redist_before(r, r->me, r->from).len : 0;
  return (r->len[r->from] - own) * slice(r, r->from);
}

ptrdiff_t pf_redist_lines(const pf_redist *r, ptrdiff_t plane) {
  pf_piece b = pf_redist_piece(r, r->me, 0);
  return r->me == r->ranks ? 0
         : r->chunk        ? pf_piece_plane(&b, plane)
                           : pf_redist_before(r, r->me, 1 - r->outer).len;
}

ptrdiff_t pf_redist_first_line(const pf_redist *r, int rank) {
  if (!pf_redist_by_owner(r) || rank >= r->ranks) return 0;
  ptrdiff_t line = pf_redist_after(r, (rank + 1) % r->ranks, r->to).lo;
  return line >= r->len[r->to] ? 0 : line / r->group * r->group;
}
