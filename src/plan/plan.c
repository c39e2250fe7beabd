/* SPDX-License-Identifier: BSD-3-Clause
 * Building plans from decisions, what they tell, and their arrays.  Everything that can fail fails
 * here, and all ranks learn of it in pf_agree() at the end of each step. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- building ---- */

static int make_grid_comms(pfft3d_plan *p, pfft3d_error *e) {
  const pf_geometry *g = &p->geometry;
  const int *grid = g->decision.names.grid;
  int code = MPI_SUCCESS;
  for (int dim = 0; dim < 2; dim++) {
    p->grid[dim] = p->comm;
    if (grid[dim] == g->ranks) continue; /* all of them */
    if (grid[dim] == 1) {
      p->grid[dim] = g->used ? MPI_COMM_SELF : MPI_COMM_NULL;
      continue;
    }
    int color = g->used ? g->coordinate[1 - dim] : MPI_UNDEFINED;
    if (code == MPI_SUCCESS)
      code = MPI_Comm_split(p->comm, color, g->coordinate[dim], &p->grid[dim]);
  }
  memcpy(p->store.grid, p->grid, sizeof p->grid);
  if (code != MPI_SUCCESS) pf_fail_mpi(e, code, "MPI_Comm_split");
  return pf_agree(p->comm, e);
}

static void free_grid_comms(pfft3d_plan *p) {
  for (int dim = 0; dim < 2; dim++)
    if (p->grid[dim] != p->comm && p->grid[dim] != MPI_COMM_NULL && p->grid[dim] != MPI_COMM_SELF)
      MPI_Comm_free(&p->grid[dim]);
}

int pf_plan_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e) {
  int rank, ranks;
  MPI_Comm_rank(p->comm, &rank);
  MPI_Comm_size(p->comm, &ranks);
  pf_geometry_make(d, ranks, rank, &p->geometry, e);
  p->geometry.memory.uneven = p->node_ranks == 0;
  PF_TRY(pf_agree(p->comm, e));
  PF_TRY(pf_agree_hash(p->comm, pf_geometry_hash(&p->geometry), "the plan that they made", e));
  PF_TRY(pf_memory_agree(p->comm, p->geometry.work_bytes, e));
  pf_exchange_store_create(&p->store, &p->geometry.memory, p->comm, e);
  p->refused = e->status == PFFT3D_ERR_UNAVAILABLE;
  if (e->status) return e->status;
  PF_TRY(make_grid_comms(p, e));
  PF_TRY(pf_plan_ffts(p, e));
  if (d->scheme->prepare) {
    d->scheme->prepare(p, e);
    PF_TRY(pf_agree(p->comm, e));
  }
  return pf_pipelines_create(p, e);
}

static void free_worker(pf_worker *w) {
  for (int s = PF_SLOT_PLANE; s < PF_SLOTS; s++) pf_free(w->memory.base[s]);
  for (int k = 0; k < 4; k++) pf_free(w->at[k]);
  pf_free(w->collect);
  pf_free(w->factors);
  free(w->run);
  pf_free(w->spare);
  pf_free(w->tile);
}

/* What is known before anything is built. */
static void set_empty(pfft3d_plan *p) {
  pfft3d_plan empty = {
      .comm = p->comm, .grid = {p->comm, p->comm}, .order = p->order, .node_ranks = p->node_ranks};
  *p = empty;
  p->arrays = p->array;
}

void pf_plan_clear(pfft3d_plan *p) {
  if (p->composite) p->composite->destroy(p);
  for (int d = 0; d < 2; d++) pf_pipeline_destroy(&p->pipeline[d]);
  for (int k = 0; k < p->ffts; k++) pf_fft_destroy(&p->fft[k]);
  pf_exchange_store_destroy(&p->store);
  for (int t = 0; p->worker && t < p->geometry.decision.threads; t++) free_worker(&p->worker[t]);
  free(p->worker);
  free(p->fft);
  free(p->request);
  pf_roots_free(&p->roots);
  free_grid_comms(p);
  set_empty(p);
}

int pf_plan_open(MPI_Comm comm, pfft3d_plan **plan, pfft3d_error *e) {
  pfft3d_plan *p = calloc(1, sizeof *p);
  MPI_Comm own;
  *plan = NULL;
  int code = MPI_Comm_dup(comm, &own);
  if (code != MPI_SUCCESS) {
    free(p);
    return pf_fail_mpi(e, code, "MPI_Comm_dup");
  }
  pf_errors_return(own);
  if (!p) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  if (pf_agree(own, e) || !p) {
    free(p);
    MPI_Comm_free(&own);
    return e->status;
  }
  p->comm = own;
  set_empty(p);
  *plan = p;
  return PFFT3D_OK;
}

int pf_plan_create_part(MPI_Comm comm, const pf_decision *d, pfft3d_plan *owner, pfft3d_plan **plan,
                        pfft3d_error *e) {
  PF_TRY(pf_plan_open(comm, plan, e));
  if (owner) (*plan)->arrays = owner->array;
  (*plan)->node_ranks = owner ? owner->node_ranks : d->node_ranks;
  if (!pf_plan_build(*plan, d, e)) return PFFT3D_OK;
  if (owner) owner->refused = (*plan)->refused;
  pfft3d_plan_destroy(plan);
  return e->status;
}

void pfft3d_plan_destroy(pfft3d_plan **plan) {
  pfft3d_plan *p = *plan;
  if (!p) return;
  pf_plan_clear(p);
  free(p->order);
  MPI_Comm_free(&p->comm);
  free(p);
  *plan = NULL;
}

/* ---- what it tells ---- */

static int rank_in_order(const pfft3d_plan *p, int rank) {
  return p->order ? p->order[rank] : rank;
}

int pfft3d_plan_box(const pfft3d_plan *plan, pfft3d_side side, int rank, pfft3d_box *box) {
  if (rank < 0 || rank >= plan->geometry.ranks || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM))
    return PFFT3D_ERR_USAGE;
  pf_geometry_box(&plan->geometry, side, rank_in_order(plan, rank), box);
  return PFFT3D_OK;
}

ptrdiff_t pfft3d_line_global_index(const pfft3d_plan *plan, pfft3d_side side, int rank,
                                   ptrdiff_t i) {
  if (rank < 0 || rank >= plan->geometry.ranks || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM))
    return -1;
  const pf_vector *v = &plan->geometry.vector[side];
  int ordered = rank_in_order(plan, rank);
  if (!v->ranks || i < 0 || i >= pf_vector_count(v, ordered)) return -1;
  return pf_vector_index(v, ordered, i);
}

size_t pfft3d_plan_elements(const pfft3d_plan *plan, pfft3d_side side) {
  size_t bytes = plan->geometry.side_bytes[side];
  return bytes ? bytes / pfft3d_element_bytes(&plan->geometry.decision.problem, side) : 1;
}

size_t pfft3d_plan_bytes(const pfft3d_plan *plan) {
  size_t least = plan->geometry.element;
  return plan->geometry.user_bytes > least ? plan->geometry.user_bytes : least;
}

void pfft3d_plan_decision(const pfft3d_plan *plan, pfft3d_decision *d) {
  *d = plan->geometry.decision.names;
}

const char *pfft3d_plan_reason(const pfft3d_plan *plan) {
  return plan->reason;
}

pfft3d_decided_by pfft3d_plan_decided_by(const pfft3d_plan *plan) {
  return plan->decided_by;
}

/* ---- arrays ---- */

/* An array of all ranks' parts in shared memory, if there is room for one more; else this rank's
 * alone, which costs a copy in each transform. */
static void *alloc_shared(pfft3d_plan *p, size_t bytes, pfft3d_error *e) {
  for (int k = 0; k < PF_ARRAYS; k++)
    if (!p->array[k].base) {
      if (pf_shared_create(p->comm, p->geometry.shared_array, &p->array[k], e)) return NULL;
      return p->array[k].base + (size_t)p->geometry.rank * p->array[k].part;
    }
  return pf_alloc(bytes);
}

int pfft3d_alloc(pfft3d_plan *plan, void **array, pfft3d_error *error) {
  return pf_plan_alloc(plan, plan->geometry.user_bytes, array, error);
}

int pf_plan_alloc(pfft3d_plan *plan, size_t bytes, void **array, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  *array = NULL;
  if (pf_geometry_reaches(&plan->geometry))
    *array = alloc_shared(plan, bytes, &e);
  else if (!pf_memory_agree(plan->comm, bytes, &e))
    *array = pf_alloc(bytes);
  if (!*array && !e.status)
    pf_fail(&e, PFFT3D_ERR_MEMORY, "no memory for an array of %zu bytes", bytes);
  if (pf_agree(plan->comm, &e) && *array) {
    pfft3d_free(plan, *array);
    *array = NULL;
  }
  return pf_error_out(&e, error);
}

int pf_plan_find_array(const pfft3d_plan *p, const void *array) {
  for (int k = 0; k < PF_ARRAYS; k++)
    if (p->arrays[k].base &&
        p->arrays[k].base + (size_t)p->geometry.rank * p->arrays[k].part == (const char *)array)
      return k;
  return -1;
}

void pfft3d_free(pfft3d_plan *plan, void *array) {
  int k = plan && array ? pf_plan_find_array(plan, array) : -1;
  if (k >= 0)
    pf_shared_destroy(&plan->array[k]);
  else
    pf_free(array);
}
