/* SPDX-License-Identifier: BSD-3-Clause
 * Plans: their operators, buffers and outlines.  Everything that can fail fails here; all ranks
 * agree on the status. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pipeline/views.h"

/* ---- operators ---- */

int pf_plan_operator(pfft3d_plan *p, const pf_step_ops *ops, void *data) {
  PF_ASSERT(p->operators < PF_OPERATORS);
  p->operator[p->operators] =(pf_operator){ops, data};
  return p->operators++;
}

pf_setting pf_plan_setting(pfft3d_plan *p) {
  return (pf_setting){
      .comm = p->comm, .node_ranks = p->node_ranks, .arrays = &p->array, .refused = &p->refused};
}

int pf_plan_pipelines(pfft3d_plan *p, const pf_setting *s, const pf_decision *d,
                      pf_pipelines **made, pfft3d_error *e) {
  PF_TRY(pf_pipelines_create(s, d, made, e));
  pf_plan_operator(p, &pf_step_pipeline, *made);
  if (pf_views_of(d->scheme)->before) pf_plan_operator(p, &pf_step_edges, *made);
  return PFFT3D_OK;
}

int pf_plan_redist(pfft3d_plan *p, const pf_redist_wish *w, int *operation, pfft3d_error *e) {
  pfft3d_redist *redist;
  PF_TRY(pf_refuse(&p->refused, pf_redist_make(p->comm, w, &redist, e)));
  *operation = pf_plan_operator(p, &pf_step_redist, redist);
  return PFFT3D_OK;
}

int pf_plan_buffer(pfft3d_plan *p, int number, size_t bytes, size_t shared, pfft3d_error *e) {
  p->buffer_bytes += bytes;
  return pf_arrays_add(&p->array, p->comm, bytes, shared, &p->buffer[number], e);
}

/* ---- plans for fields ---- */

pf_outline pf_outline_of(const pf_geometry *g) {
  const pf_decision *d = &g->decision;
  pf_outline o = {.problem = d->problem,
                  .decision = d->names,
                  .ranks = g->ranks,
                  .rank = g->rank,
                  .threads = d->threads,
                  .element = g->element,
                  .user_bytes = g->user_bytes,
                  .shared = pf_geometry_reaches(g) ? g->shared_array : 0};
  memcpy(o.array, d->array, sizeof o.array);
  memcpy(o.box, g->box, sizeof o.box);
  memcpy(o.vector, g->vector, sizeof o.vector);
  memcpy(o.side_bytes, g->side_bytes, sizeof o.side_bytes);
  return o;
}

int pf_plan_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e) {
  const pf_setting s = pf_plan_setting(p);
  const pf_end in = {PF_INPUT, 0}, out = {PF_OUTPUT, 0};
  pf_pipelines *made;
  PF_TRY(pf_plan_pipelines(p, &s, d, &made, e));
  p->outline = pf_outline_of(&made->geometry);
  for (int way = 0; way < 2; way++) pf_list_add_pipeline(p, &p->list[way], made, way, in, out);
  return PFFT3D_OK;
}

/* ---- beginning and end ---- */

/* Resets a plan to its members before anything is built. */
static void set_empty(pfft3d_plan *p) {
  pfft3d_plan empty = {.comm = p->comm,
                       .order = p->order,
                       .permuted = p->permuted,
                       .node_ranks = p->node_ranks,
                       .cuts = p->cuts,
                       .boxes = p->boxes};
  *p = empty;
}

void pf_plan_clear(pfft3d_plan *p) {
  if (p->half_way) pf_run_abandon(&p->run);
  pf_plan_unrecord(p);
  for (int k = 0; k < p->operators; k++)
    if (p->operator[k].ops->destroy) p->operator[k].ops->destroy(p->operator[k].data);
  for (int side = 0; side < 2; side++) free(p->outline.given[side]);
  pf_arrays_free(&p->array);
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
  *plan = p;
  return PFFT3D_OK;
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
