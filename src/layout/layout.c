/* SPDX-License-Identifier: BSD-3-Clause
 * Balanced splits, boxes on a rank grid, tables of a redistribution. */
#include "layout/layout.h"

#include <stdint.h>

pf_range pf_split(ptrdiff_t n, int parts, int part) {
  ptrdiff_t q = n / parts, r = n % parts;
  pf_range range;
  range.lo = part < r ? part * (q + 1) : part * q + r;
  range.len = part < r ? q + 1 : q;
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

void pf_layout_box(const pf_layout *l, int rank, pfft3d_box *box) {
  int coord[2] = {rank / l->grid[1], rank % l->grid[1]};
  ptrdiff_t stride = 1;
  for (int a = 0; a < 3; a++) {
    int d = l->dim[a];
    pf_range part =
        d == PF_WHOLE ? (pf_range){0, l->n[a]} : pf_split(l->n[a], l->grid[d], coord[d]);
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
  size_t bytes = size;
  for (int a = 0; a < 3; a++) { /* rank 0 holds the largest box */
    int d = l->dim[a];
    ptrdiff_t len = d == PF_WHOLE ? l->n[a] : pf_split(l->n[a], l->grid[d], 0).len;
    if (__builtin_mul_overflow(bytes, (size_t)len, &bytes)) return 0;
  }
  return bytes <= (size_t)PTRDIFF_MAX;
}

pf_range pf_redist_planes(const pf_redist *r, int rank) {
  return pf_split(r->n_from, r->ranks, rank);
}

pf_range pf_redist_rows(const pf_redist *r, int rank) {
  return pf_split(r->n_to, r->ranks, rank);
}

ptrdiff_t pf_redist_send_offset(const pf_redist *r, int other) {
  ptrdiff_t rows = pf_redist_rows(r, other).lo;
  if (other > r->me) rows -= pf_redist_rows(r, r->me).len;
  return pf_redist_planes(r, r->me).len * rows * r->row;
}

ptrdiff_t pf_redist_recv_offset(const pf_redist *r, int other) {
  ptrdiff_t planes = pf_redist_planes(r, other).lo;
  if (r->own_apart && other > r->me) planes -= pf_redist_planes(r, r->me).len;
  return planes * pf_redist_rows(r, r->me).len * r->row;
}

ptrdiff_t pf_redist_send_elements(const pf_redist *r) {
  return pf_redist_planes(r, r->me).len * (r->n_to - pf_redist_rows(r, r->me).len) * r->row;
}

ptrdiff_t pf_redist_recv_elements(const pf_redist *r) {
  ptrdiff_t planes = r->n_from - (r->own_apart ? pf_redist_planes(r, r->me).len : 0);
  return planes * pf_redist_rows(r, r->me).len * r->row;
}

ptrdiff_t pf_redist_first_row(const pf_redist *r, int rank) {
  ptrdiff_t row = pf_redist_rows(r, (rank + 1) % r->ranks).lo;
  return row >= r->n_to ? 0 : row / r->group * r->group;
}
