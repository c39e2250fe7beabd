/* SPDX-License-Identifier: BSD-3-Clause
 * Making plans of lines as matrices. */
#include "plan/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/text.h"

/* Inside a node memory beats any message.  Else a message for the piece of each line, which leaves
 * earliest, unless that is so small that its start costs more than its bytes. */
static const char *resolve_algo(const pf_matrix_request *r, int ranks, int sharing) {
  enum { worth = 8 * 1024 };
  if (strcmp(r->algo, "auto") != 0) return r->algo;
  if (sharing || ranks == 1) return "shared";
  ptrdiff_t points = r->matrix.n[0] < r->matrix.n[1] ? r->matrix.n[0] : r->matrix.n[1];
  ptrdiff_t piece = points / ranks * (ptrdiff_t)pf_wire_element(r->problem.precision, r->wire);
  return piece >= worth ? "pencils" : "packed";
}

int pf_matrix_resolve(const pf_matrix_request *r, int ranks, int rank, int sharing, pf_geometry *o,
                      pfft3d_error *e) {
  *o = (pf_geometry){.ranks = ranks, .rank = rank, .threads = r->threads, .cap = r->cap};
  o->node_ranks = r->node_ranks > 0 ? r->node_ranks : 1;
  o->problem = r->problem;
  o->matrix = r->matrix;
  o->engine = r->engine;
  o->element = pf_element(r->problem.precision);
  o->shared_array = r->array;
  const char *algo = resolve_algo(r, ranks, sharing);
  o->exchange = pf_exchange_find(algo);
  if (!o->exchange) return pf_fail(e, PFFT3D_ERR_INTERNAL, "no algo '%s'", algo);
  o->wire = pf_geometry_wire(o, r->wire);
  o->decision.order = PFFT3D_NATURAL;
  pf_name_set(o->decision.scheme, "transpose");
  pf_name_set(o->decision.algo, algo);
  pf_name_set(o->decision.engine, r->engine->name);
  memcpy(o->decision.split, r->matrix.n, sizeof r->matrix.n);
  return pf_matrix_geometry(o, e);
}

/* With "auto" shared memory is tried first; where it cannot be had, messages take its place. */
static int build_buffers(pfft3d_plan *p, const pf_matrix_request *r, int sharing, pfft3d_error *e) {
  int rank, ranks;
  MPI_Comm_rank(p->comm, &rank);
  MPI_Comm_size(p->comm, &ranks);
  pf_matrix_resolve(r, ranks, rank, sharing, &p->geometry, e);
  PF_TRY(pf_agree(p->comm, e));
  PF_TRY(pf_memory_agree(p->comm, p->geometry.work_bytes, e));
  if (pf_plan_buffers(p, e) != PFFT3D_ERR_UNAVAILABLE || !sharing) return e->status;
  pf_error_clear(e);
  return build_buffers(p, r, 0, e);
}

/* Rows that are not there are zero for ever. */
static void clear_edges(pfft3d_plan *p) {
  const pf_geometry *o = &p->geometry;
  int window = o->exchange->place == PF_PLACE_OWNERS;
  char *base = window ? p->shared.base : p->buffer[PF_SLOT_EDGES];
  ptrdiff_t at = pf_matrix_edge_at(o, o->rank, 0);
  memset(base + at * (ptrdiff_t)o->element, 0, (size_t)pf_matrix_edges(o).size * o->element);
}

/* A head to be sent, and what other ranks have of a row: a message for each rank, and one more for
 * each portion of either that is full. */
static size_t most_requests(const pf_geometry *o) {
  const pf_redist any = {.batch = 1, .from = 2};
  const pf_vector *v = o->matrix.side;
  ptrdiff_t cap = pf_exchange_counting(&any, o->cap).cap;
  ptrdiff_t row = v[0].row > v[1].row ? v[0].row : v[1].row;
  return (size_t)(o->ranks + 2 + 2 * (row / cap));
}

int pf_matrix_build(pfft3d_plan *p, const pf_matrix_request *r, pfft3d_error *e) {
  memcpy(p->scale, r->scale, sizeof p->scale);
  p->estimate = r->estimate;
  PF_TRY(build_buffers(p, r, !strcmp(r->algo, "auto"), e));
  clear_edges(p);
  PF_TRY(pf_plan_lines(p, e));
  PF_TRY(pf_plan_ffts(p, e));
  p->request = calloc(most_requests(&p->geometry), sizeof *p->request);
  if (!p->request) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the edges of a matrix");
  if (!e->status && !r->matrix.moves) pf_roots_make(&p->roots, r->matrix.n[0] * r->matrix.n[1], e);
  PF_TRY(pf_agree(p->comm, e));
  return pf_plan_pipelines(p, e);
}

int pf_matrix_create(MPI_Comm comm, const pf_matrix_request *r, pfft3d_plan *owner,
                     pfft3d_plan **plan, pfft3d_error *e) {
  pfft3d_plan *p = calloc(1, sizeof *p);
  *plan = NULL;
  if (!p) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  if (pf_agree(comm, e) || !p) {
    free(p);
    return e->status;
  }
  int code = MPI_Comm_dup(comm, &p->comm);
  if (code != MPI_SUCCESS) {
    free(p);
    return pf_fail_mpi(e, code, "MPI_Comm_dup");
  }
  pf_errors_return(p->comm);
  p->line[0] = p->line[1] = p->comm;
  p->node_ranks = r->node_ranks;
  p->node = MPI_COMM_NULL;
  p->arrays = owner ? &owner->array : &p->array;
  if (owner) p->machine = owner->machine;
  if (!pf_matrix_build(p, r, e)) *plan = p;
  if (!*plan) pfft3d_plan_destroy(&p);
  return e->status;
}
