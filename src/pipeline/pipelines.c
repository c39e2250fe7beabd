/* SPDX-License-Identifier: BSD-3-Clause
 * Builds pipelines from decisions.  Everything that can fail fails here; all ranks agree on the
 * status in pf_agree() at the end of each step. */
#include "pipeline/pipelines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pipeline/views.h"

static int make_grid_comms(pf_pipelines *p, pfft3d_error *e) {
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

static void free_grid_comms(pf_pipelines *p) {
  for (int dim = 0; dim < 2; dim++)
    if (p->grid[dim] != p->comm && p->grid[dim] != MPI_COMM_SELF) pf_comm_free(&p->grid[dim]);
}

static size_t spread_bytes(const pf_geometry *g) {
  if (g->components == 1) return 0;
  return (size_t)(g->box[PFFT3D_SPECTRUM].len[2] * g->components) * sizeof(double);
}

int pf_refuse(int *refused, int status) {
  *refused |= status == PFFT3D_ERR_UNAVAILABLE || status == PFFT3D_ERR_MEMORY;
  return status;
}

static int build(pf_pipelines *p, const pf_setting *s, const pf_decision *d, pfft3d_error *e) {
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
  if (pf_refuse(s->refused, e->status)) return e->status;
  PF_TRY(make_grid_comms(p, e));
  PF_TRY(pf_pipelines_ffts(p, e));
  p->copy = pf_alloc(p->geometry.copy_bytes);
  p->spread = pf_alloc(spread_bytes(&p->geometry));
  if (!p->copy || !p->spread)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a copy of the input and of factors");
  PF_TRY(pf_agree(p->comm, e));
  if (pf_views_of(d->scheme)->prepare) {
    pf_views_of(d->scheme)->prepare(p, e);
    PF_TRY(pf_agree(p->comm, e));
  }
  int status = pf_pipelines_connect(p, e);
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

void pf_pipelines_destroy(pf_pipelines *p) {
  if (!p) return;
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
  free_grid_comms(p);
  if (p->copied) pf_comm_free(&p->comm);
  free(p);
}

/* Makes pipelines with a communicator only: the setting's, or a copy of MPI_COMM_SELF, which other
 * code may use, too. */
static int open_pipelines(const pf_setting *s, pf_pipelines **made, pfft3d_error *e) {
  pf_pipelines *p = *made = calloc(1, sizeof *p);
  MPI_Comm own = MPI_COMM_NULL;
  int copied = s->comm == MPI_COMM_SELF;
  if (!p) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  if (copied) {
    int code = MPI_Comm_dup(s->comm, &own);
    if (code != MPI_SUCCESS) own = MPI_COMM_NULL;
    if (!pf_mpi(e, code, "MPI_Comm_dup")) pf_errors_return(own);
  }
  if (pf_agree(s->comm, e) || !p) {
    if (own != MPI_COMM_NULL) MPI_Comm_free(&own);
    free(p);
    *made = NULL;
    return e->status;
  }
  p->comm = p->grid[0] = p->grid[1] = copied ? own : s->comm;
  p->copied = copied;
  p->node_ranks = s->node_ranks;
  p->arrays = s->arrays;
  return PFFT3D_OK;
}

int pf_pipelines_create(const pf_setting *s, const pf_decision *d, pf_pipelines **made,
                        pfft3d_error *e) {
  PF_TRY(open_pipelines(s, made, e));
  if (!build(*made, s, d, e)) return PFFT3D_OK;
  pf_pipelines_destroy(*made);
  *made = NULL;
  return e->status;
}
