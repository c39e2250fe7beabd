/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a matrix that lie on two ranks or are not full.  A row belongs to the rank where it
 * begins: before a run the next ranks send it their parts (the heads of their blocks), and after
 * the run they get them back. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/matrix.h"

enum { tag_edges = 78 }; /* unlike those of the exchanges (exchange/memory.c) */

/* ---- preparing ---- */

/* Missing rows remain zero. */
static void clear_edges(pfft3d_plan *p) {
  const pf_geometry *g = &p->geometry;
  memset(pf_exchange_store_edges(&p->store), 0, (size_t)pf_matrix_edges(g).size * g->element);
}

/* Upper bound of the requests for a head to be sent and the parts of a row on other ranks: one
 * message per rank, and one for each full portion. */
static size_t most_requests(const pf_geometry *g) {
  const pf_vector *v = g->vector;
  ptrdiff_t row = v[0].row > v[1].row ? v[0].row : v[1].row;
  return (size_t)(g->ranks + 2 + 2 * (row / pf_matrix_edge_counting(g).cap));
}

int pf_matrix_prepare(pfft3d_plan *p, pfft3d_error *e) {
  const pf_geometry *g = &p->geometry;
  const pf_matrix *m = &g->decision.matrix;
  clear_edges(p);
  p->request = calloc(most_requests(g), sizeof *p->request);
  if (!p->request) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the edges of a matrix");
  for (int d = 0; d < 2; d++) {
    pf_exchange *x = &p->pipeline[d].edges;
    *x = (pf_exchange){.size = g->element,
                       .counting = {.cap = g->decision.max_count},
                       .comm = p->comm,
                       .tag = tag_edges};
    PF_TRY(pf_exchange_create_plain(x, e));
  }
  return m->moves ? PFFT3D_OK : pf_roots_make(&p->roots, m->n[0] * m->n[1], e);
}

/* ---- running ---- */

static char *edge(pfft3d_plan *p, ptrdiff_t at) {
  return pf_exchange_store_edges(&p->store) + at * (ptrdiff_t)p->geometry.element;
}

/* Sends heads to the rank where their row begins, or back. */
static int exchange_heads(pfft3d_plan *p, pf_exchange *x, const pf_vector *v, int output) {
  int rank = p->geometry.rank, code = MPI_SUCCESS;
  pf_range head = pf_vector_head(v, rank), last = pf_vector_last(v, rank);
  MPI_Request *next = p->request;
  if (head.len > 0) {
    int owner = pf_split_owner(v->total, v->ranks, head.lo / v->row * v->row);
    pf_message m = {owner, 0, head.len, 0};
    code = pf_exchange_message(x, output ? PF_RECEIVE : PF_SEND, &m, &next);
  }
  for (int r = rank + 1; r < v->ranks && last.len && code == MPI_SUCCESS; r++) {
    pf_range other = pf_vector_head(v, r);
    if (other.lo >= last.lo + last.len) break;
    pf_message m = {r, other.lo - last.lo, other.len, 0};
    code = pf_exchange_message(x, output ? PF_SEND : PF_RECEIVE, &m, &next);
  }
  return code == MPI_SUCCESS ? pf_exchange_wait_all(p->request, next - p->request) : code;
}

/* This rank's part of its last row. */
static pf_range own_part(const pf_vector *v, int rank) {
  pf_range block = pf_vector_block(v, rank), last = pf_vector_last(v, rank);
  return (pf_range){last.lo, last.len ? block.lo + block.len - last.lo : 0};
}

int pf_matrix_before(pfft3d_plan *p, pf_pipeline *w, const char *in) {
  const pf_geometry *g = &p->geometry;
  const pf_vector *v = pf_matrix_vector(g, (int)w->direction, 0);
  size_t size = g->element;
  char *row = edge(p, pf_matrix_edges(g).in);
  if (v->distribution != PF_BLOCK) {
    ptrdiff_t rest = pf_vector_rest(v, g->rank), width = pf_vector_width(v, g->rank);
    if (!(v->total % v->row)) return MPI_SUCCESS;
    memset(row, 0, (size_t)width * size);
    if (rest) memcpy(row, in + (size_t)(v->total / v->row * width) * size, (size_t)rest * size);
    return MPI_SUCCESS;
  }
  pf_range own = own_part(v, g->rank), block = pf_vector_block(v, g->rank);
  if (own.len) {
    memset(row, 0, (size_t)v->row * size);
    memcpy(row, in + (own.lo - block.lo) * (ptrdiff_t)size, (size_t)own.len * size);
  }
  memcpy(&w->edges.send, &in, sizeof in); /* never written to */
  w->edges.recv = row;
  return exchange_heads(p, &w->edges, v, 0);
}

int pf_matrix_after(pfft3d_plan *p, pf_pipeline *w, char *out) {
  const pf_geometry *g = &p->geometry;
  const pf_vector *v = pf_matrix_vector(g, (int)w->direction, 1);
  size_t size = g->element;
  char *row = edge(p, pf_matrix_edges(g).out);
  if (v->distribution != PF_BLOCK) {
    ptrdiff_t rest = pf_vector_rest(v, g->rank), width = pf_vector_width(v, g->rank);
    if (rest) memcpy(out + (size_t)(v->total / v->row * width) * size, row, (size_t)rest * size);
    return MPI_SUCCESS;
  }
  pf_range own = own_part(v, g->rank), block = pf_vector_block(v, g->rank);
  if (own.len) memcpy(out + (own.lo - block.lo) * (ptrdiff_t)size, row, (size_t)own.len * size);
  w->edges.send = row;
  w->edges.recv = out;
  return exchange_heads(p, &w->edges, v, 1);
}
