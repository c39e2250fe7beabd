/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors distributed over ranks. */
#include "layout/vector.h"

int pf_reversed_rank(int ranks, int rank) {
  int reversed = 0;
  for (int bit = 1; bit < ranks; bit *= 2, rank /= 2) reversed = 2 * reversed + rank % 2;
  return reversed;
}

/* The index of a rank in the order of the vector. */
static int index_of(const pf_vector *v, int rank) {
  return v->reversed ? pf_reversed_rank(v->ranks, rank) : rank;
}

pf_range pf_vector_block(const pf_vector *v, int rank) {
  return pf_cuts_part(&v->cuts, v->total, v->ranks, index_of(v, rank));
}

pf_range pf_vector_block_rows(const pf_vector *v, int rank) {
  pf_rows rows = {v->row, v->total, v->cuts};
  return pf_rows_part(&rows, v->ranks, rank);
}

ptrdiff_t pf_vector_rows(const pf_vector *v) {
  return v->total / v->row + (v->total % v->row > 0);
}

/* Elements of a rank if n are distributed cyclically. */
static ptrdiff_t cyclic(ptrdiff_t n, int ranks, int rank) {
  return n > rank ? (n - rank - 1) / ranks + 1 : 0;
}

ptrdiff_t pf_vector_width(const pf_vector *v, int rank) {
  return v->distribution == PF_CYCLIC ? v->row / v->ranks : pf_split(v->row, v->ranks, rank).len;
}

ptrdiff_t pf_vector_rest(const pf_vector *v, int rank) {
  ptrdiff_t rest = v->total % v->row, width = pf_vector_width(v, rank), count;
  if (v->distribution == PF_CYCLIC) return cyclic(rest, v->ranks, rank);
  count = rest - pf_split(v->row, v->ranks, rank).lo;
  return count < 0 ? 0 : count > width ? width : count;
}

ptrdiff_t pf_vector_count(const pf_vector *v, int rank) {
  if (v->distribution == PF_BLOCK) return pf_vector_block(v, rank).len;
  if (v->distribution == PF_CYCLIC) return cyclic(v->total, v->ranks, index_of(v, rank));
  return v->total / v->row * pf_vector_width(v, rank) + pf_vector_rest(v, rank);
}

/* Of an even split and of columns, the first rank in the order of the vector has most. */
ptrdiff_t pf_vector_longest(const pf_vector *v) {
  if (v->distribution == PF_BLOCK) return pf_cuts_longest(&v->cuts, v->total, v->ranks);
  return pf_vector_count(v, 0);
}

ptrdiff_t pf_vector_index(const pf_vector *v, int rank, ptrdiff_t i) {
  if (v->distribution == PF_BLOCK) return pf_vector_block(v, rank).lo + i;
  if (v->distribution == PF_CYCLIC) return i * v->ranks + index_of(v, rank);
  ptrdiff_t width = pf_vector_width(v, rank);
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a rank with elements has columns */
  return i / width * v->row + pf_split(v->row, v->ranks, rank).lo + i % width;
}

/* The last row of a rank's block, up to its end or the end of the vector. */
pf_range pf_vector_last(const pf_vector *v, int rank) {
  pf_range block = pf_vector_block(v, rank), rows = pf_vector_block_rows(v, rank);
  ptrdiff_t begin = (rows.lo + rows.len - 1) * v->row, end = begin + v->row;
  if (!rows.len || (block.lo + block.len) % v->row == 0) return (pf_range){block.lo, 0};
  return (pf_range){begin, (end < v->total ? end : v->total) - begin};
}

/* The elements at the beginning of a rank's block that belong to a row which begins before it. */
pf_range pf_vector_head(const pf_vector *v, int rank) {
  pf_range block = pf_vector_block(v, rank);
  ptrdiff_t end = (block.lo + v->row - 1) / v->row * v->row;
  if (end > block.lo + block.len) end = block.lo + block.len;
  return (pf_range){block.lo, end - block.lo};
}

void pf_vector_box(const pf_vector *v, int rank, pfft3d_box *box) {
  *box = (pfft3d_box){.len = {1, 1, pf_vector_count(v, rank)}, .stride = {1, 1, 1}};
  if (v->distribution == PF_BLOCK) box->lo[2] = pf_vector_block(v, rank).lo;
  box->distance = box->len[2];
}
