/* SPDX-License-Identifier: BSD-3-Clause
 * Builds plans from decisions.  Everything that can fail fails here; all ranks agree on the status
 * in pf_agree() at the end of each step. */
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
    if (grid[dim] == g->ranks) continue; /* all ranks */
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
    if (p->grid[dim] != p->comm && p->grid[dim] != MPI_COMM_SELF) pf_comm_free(&p->grid[dim]);
}

static size_t spread_bytes(const pf_geometry *g) {
  if (g->components == 1) return 0;
  return (size_t)(g->box[PFFT3D_SPECTRUM].len[2] * g->components) * sizeof(double);
}

int pf_plan_refuse(pfft3d_plan *p, int status) {
  p->refused |= status == PFFT3D_ERR_UNAVAILABLE || status == PFFT3D_ERR_MEMORY;
  return status;
}

int pf_plan_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e) {
  int rank, ranks;
  pf_clock_compare();
  MPI_Comm_rank(p->comm, &rank);
  MPI_Comm_size(p->comm, &ranks);
  pf_geometry_make(d, ranks, rank, &p->geometry, e);
  p->geometry.memory.uneven = p->node_ranks == 0;
  PF_TRY(pf_agree(p->comm, e));
  PF_TRY(pf_agree_hash(p->comm, pf_geometry_hash(&p->geometry), "the plan that they made", e));
  if (!pf_memory_agree(p->comm, p->geometry.work_bytes, e))
    pf_exchange_store_create(&p->store, &p->geometry.memory, p->comm, e);
  if (pf_plan_refuse(p, e->status)) return e->status;
  PF_TRY(make_grid_comms(p, e));
  PF_TRY(pf_plan_ffts(p, e));
  p->copy = pf_alloc(p->geometry.copy_bytes);
  p->spread = pf_alloc(spread_bytes(&p->geometry));
  if (!p->copy || !p->spread)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a copy of the input and of factors");
  PF_TRY(pf_agree(p->comm, e));
  if (d->scheme->prepare) {
    d->scheme->prepare(p, e);
    PF_TRY(pf_agree(p->comm, e));
  }
  int status = pf_pipelines_create(p, e);
  pf_clock_compare();
  return status;
}

static void free_worker(pf_worker *w) {
  for (int s = PF_SLOT_PLANE; s < PF_SLOTS; s++) pf_free(w->memory.base[s]);
  for (int k = 0; k < PF_ADDRESSES; k++) pf_free(w->at[k]);
  free(w->sweep);
  pf_free(w->collect);
  pf_free(w->factors);
  pf_free(w->factor);
  free(w->run);
  pf_free(w->spare);
  pf_free(w->tile);
}

/* Resets a plan to what is known before anything is built. */
static void set_empty(pfft3d_plan *p) {
  pfft3d_plan empty = {.comm = p->comm,
                       .grid = {p->comm, p->comm},
                       .order = p->order,
                       .turned = p->turned,
                       .node_ranks = p->node_ranks,
                       .cuts = p->cuts,
                       .boxes = p->boxes};
  *p = empty;
  p->arrays = &p->array;
}

void pf_plan_clear(pfft3d_plan *p) {
  pf_run_abandon(p);
  if (p->composite) p->composite->destroy(p);
  for (int d = 0; d < 2; d++) pf_pipeline_destroy(&p->pipeline[d]);
  for (int k = 0; k < p->ffts; k++) pf_fft_destroy(&p->fft[k]);
  pf_exchange_store_destroy(&p->store);
  for (int t = 0; p->worker && t < p->geometry.decision.threads; t++) free_worker(&p->worker[t]);
  free(p->worker);
  free(p->fft);
  free(p->request);
  pf_roots_free(&p->roots);
  pf_free(p->copy);
  pf_free(p->spread);
  pf_free(p->zeros);
  pf_arrays_free(&p->array);
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
  pfft3d_plan *part = *plan;
  if (!part) return e->status;
  if (owner) part->arrays = &owner->array;
  part->node_ranks = owner ? owner->node_ranks : d->node_ranks;
  if (!pf_plan_build(*plan, d, e)) return PFFT3D_OK;
  if (owner) owner->refused |= (*plan)->refused;
  pfft3d_plan_destroy(plan);
  return e->status;
}

void pfft3d_plan_destroy(pfft3d_plan **plan) {
  pfft3d_plan *p = plan ? *plan : NULL;
  if (!p) return;
  pf_plan_clear(p);
  free(p->order);
  pf_cut_wish_drop(&p->cuts);
  pf_boxes_free(&p->boxes);
  pf_comm_free(&p->comm);
  free(p);
  *plan = NULL;
}
