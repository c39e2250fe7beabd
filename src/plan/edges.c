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
  /* missing rows remain zero */
  memset(pf_exchange_store_edges(&p->store), 0, (size_t)pf_matrix_edges(g).size * g->element);
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
  if (v->distribution != PF_BLOCK) return MPI_SUCCESS;
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

/* The last row of a rank if it is not full there: `len` elements in its array from element `at` on,
 * of `width`. */
typedef struct last_row {
  ptrdiff_t at, len, width;
} last_row;

static last_row find_last(const pf_vector *v, int rank) {
  if (v->distribution != PF_BLOCK) {
    ptrdiff_t width = pf_vector_width(v, rank), rows = v->total / v->row;
    return (last_row){rows * width, pf_vector_rest(v, rank), v->total % v->row ? width : 0};
  }
  pf_range block = pf_vector_block(v, rank), last = pf_vector_last(v, rank);
  if (!last.len) return (last_row){0, 0, 0};
  return (last_row){last.lo - block.lo, block.lo + block.len - last.lo, v->row};
}

int pf_matrix_before(pfft3d_plan *p, pf_pipeline *w, const char *in) {
  const pf_geometry *g = &p->geometry;
  const pf_vector *v = pf_matrix_vector(g, (int)w->direction, 0);
  last_row l = find_last(v, g->rank);
  size_t size = g->element;
  char *row = edge(p, pf_matrix_edges(g).last[0]);
  memset(row, 0, (size_t)l.width * size);
  if (l.len) memcpy(row, in + (size_t)l.at * size, (size_t)l.len * size);
  memcpy(&w->edges.send, &in, sizeof in); /* never written to */
  w->edges.recv = row;
  return exchange_heads(p, &w->edges, v, 0);
}

int pf_matrix_after(pfft3d_plan *p, pf_pipeline *w, char *out) {
  const pf_geometry *g = &p->geometry;
  const pf_vector *v = pf_matrix_vector(g, (int)w->direction, 1);
  last_row l = find_last(v, g->rank);
  size_t size = g->element;
  char *row = edge(p, pf_matrix_edges(g).last[1]);
  if (l.len) memcpy(out + (size_t)l.at * size, row, (size_t)l.len * size);
  w->edges.send = row;
  w->edges.recv = out;
  return exchange_heads(p, &w->edges, v, 1);
}
