/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes of neighbouring ranks, and the data that they exchange. */
#include "layout/node_map.h"

int pf_node_map_nodes(const pf_node_map *m) {
  return m->ranks / m->node + (m->ranks % m->node > 0);
}

int pf_node_map_count(const pf_node_map *m, int node) {
  ptrdiff_t left = m->ranks - (ptrdiff_t)node * m->node;
  return left < m->node ? (int)left : m->node;
}

/* The coordinate of a rank along a dimension of the grid. */
static int coordinate(const pf_node_map *m, int rank, int dim) {
  return dim == 0 ? rank / m->grid[1] : rank % m->grid[1];
}

static int on_grid(const pf_node_map *m, int rank) {
  return rank / m->grid[1] < m->grid[0];
}

static int step(const pf_node_map *m) {
  return m->dim == 0 ? m->grid[1] : 1;
}

pf_redist pf_node_map_redist(const pf_node_map *m, const pf_redist *r, int rank) {
  pf_redist other = *r;
  other.me = r->ranks;
  if (!on_grid(m, rank)) return other;
  other.me = coordinate(m, rank, m->dim);
  if (m->cut != PF_WHOLE)
    other.len[m->cut] =
        pf_cuts_part(&m->cuts, m->n, m->grid[1 - m->dim], coordinate(m, rank, 1 - m->dim)).len;
  return other;
}

pf_redist pf_node_map_largest(const pf_node_map *m, const pf_redist *r) {
  pf_redist other = *r;
  other.me = 0;
  if (m->cut != PF_WHOLE) other.len[m->cut] = pf_cuts_longest(&m->cuts, m->n, m->grid[1 - m->dim]);
  return other;
}

int pf_node_map_rank(const pf_node_map *m, int rank, ptrdiff_t k) {
  return rank + (int)(k - coordinate(m, rank, m->dim)) * step(m);
}

/* The number of ranks of the row or column that begins at `first` that are below rank `end` of the
 * plan. */
static int below(const pf_node_map *m, int first, ptrdiff_t end) {
  ptrdiff_t count = end > first ? (end - first + step(m) - 1) / step(m) : 0;
  return count < m->grid[m->dim] ? (int)count : m->grid[m->dim];
}

pf_range pf_node_map_span(const pf_node_map *m, int rank, int node) {
  ptrdiff_t begin = (ptrdiff_t)node * m->node, end = begin + pf_node_map_count(m, node);
  if (!on_grid(m, rank)) return (pf_range){0, 0};
  int first = pf_node_map_rank(m, rank, 0), lo = below(m, first, begin);
  return (pf_range){lo, below(m, first, end) - lo};
}

ptrdiff_t pf_node_map_elements(const pf_node_map *m, const pf_redist *r, int from, int to) {
  ptrdiff_t sum = 0;
  int begin = from * m->node, end = begin + pf_node_map_count(m, from);
  for (int s = begin; s < end && on_grid(m, s); s++) {
    pf_redist of_s = pf_node_map_redist(m, r, s);
    sum += pf_redist_for(&of_s, pf_node_map_span(m, s, to), 0);
  }
  return sum;
}

ptrdiff_t pf_node_map_offset(const pf_node_map *m, const pf_redist *r, ptrdiff_t part, int k) {
  pf_redist of_k = *r;
  of_k.me = k;
  return pf_node_map_rank(m, m->me, k) % m->node * part + pf_redist_recv_offset(&of_k, r->me);
}

/* The messages from ranks begin .. end-1 to the others of their rows or columns: `there` ranks of
 * each row send; of each column, a number that differs by at most one. */
static double leaving(const pf_node_map *m, ptrdiff_t begin, ptrdiff_t end) {
  ptrdiff_t columns = m->grid[1], size = m->grid[m->dim];
  double sum = 0;
  if (m->dim == 0) {
    ptrdiff_t each = (end - begin) / columns, more = (end - begin) % columns;
    return (double)((columns - more) * each * (size - each) +
                    more * (each + 1) * (size - each - 1));
  }
  for (ptrdiff_t at = begin; at < end;) {
    ptrdiff_t next = (at / columns + 1) * columns, there = (next < end ? next : end) - at;
    sum += (double)(there * (size - there));
    at += there;
  }
  return sum;
}

double pf_node_map_outside(const pf_node_map *m) {
  ptrdiff_t all = (ptrdiff_t)m->grid[0] * m->grid[1], node = m->node < all ? m->node : all;
  ptrdiff_t columns = m->grid[1];
  int others = m->grid[m->dim] - 1;
  double most = 0;
  if (others < 1) return 0;
  for (ptrdiff_t begin = 0; begin < all;) {
    double sum = leaving(m, begin, begin + node < all ? begin + node : all);
    if (sum > most) most = sum;
    if (m->dim == 0 || (begin + node) % columns == 0) break;       /* the remaining nodes repeat */
    ptrdiff_t last = ((begin + node) / columns + 1) * columns - 1; /* the last rank of the next row
                                                                      that ends */
    begin = last / node * node; /* nodes inside a row are all alike */
  }
  return most / ((double)node * others);
}

double pf_node_map_inside(const pf_node_map *m) {
  int others = m->grid[m->dim] - 1;
  if (others < 1) return 0;
  pf_range mine = pf_node_map_span(m, m->me, m->me / m->node);
  return (double)(mine.len - 1) / (double)others;
}
