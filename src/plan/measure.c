/* SPDX-License-Identifier: BSD-3-Clause
 * What a plan did, and what its parts cost by themselves. */
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "plan/plan.h"

int pfft3d_plan_stats(pfft3d_plan *plan, pfft3d_direction direction, int reset,
                      pfft3d_stats *stats) {
  if (direction != PFFT3D_FORWARD && direction != PFFT3D_BACKWARD) return PFFT3D_ERR_USAGE;
  const pf_outline *o = &plan->outline;
  pf_way *w = &plan->way[direction];
  *stats = w->stats;
  stats->exchanges = o->ranks > 1 ? w->steps - 1 : 0;
  stats->work_bytes = o->work_bytes + (plan->tile_bytes + plan->spare_bytes + plan->strip_bytes) *
                                          (size_t)o->threads;
  stats->stages = w->steps;
  for (int k = 0; k < w->steps; k++) {
    const pf_step *step = &w->outline->route.step[k];
    for (int i = 0; i < step->axes; i++) stats->stage[k].axes[i] = (char)('0' + step->axis[i]);
  }
  if (stats->executions && o->user_bytes)
    stats->passes = stats->traffic / (double)stats->executions / (2 * (double)o->user_bytes);
  if (reset) w->stats = (pfft3d_stats){0};
  return PFFT3D_OK;
}

/* An all-to-all of the bytes that the first exchange moves, own rows included, from the caller's
 * input to the receive buffer: both have the right size.  MPI_Alltoall where all blocks are alike.
 */
static int raw_alltoall(pfft3d_plan *p, const pf_redist *r, const void *in) {
  size_t ranks = (size_t)r->ranks;
  ptrdiff_t planes = pf_redist_planes(r, r->me).len, rows = pf_redist_rows(r, r->me).len;
  if (pf_redist_planes(r, 0).len > INT_MAX / r->n_to ||
      pf_redist_rows(r, 0).len > INT_MAX / r->n_from)
    return PFFT3D_ERR_UNAVAILABLE;
  int *count = calloc(4 * ranks, sizeof *count);
  if (!count) return PFFT3D_ERR_MEMORY;
  int *at = count + ranks, *to_count = at + ranks, *to_at = to_count + ranks;
  for (int k = 0; k < r->ranks; k++) {
    count[k] = (int)(planes * pf_redist_rows(r, k).len);
    at[k] = (int)(planes * pf_redist_rows(r, k).lo);
    to_count[k] = (int)(rows * pf_redist_planes(r, k).len);
    to_at[k] = (int)(rows * pf_redist_planes(r, k).lo);
  }
  MPI_Datatype row = p->way[0].exchange[0].row_type;
  char *window = p->window.base ? p->window.base + (size_t)r->me * p->window.part : NULL;
  char *to = window ? window : p->buffer[PF_SLOT_RECV];
  int even = r->n_from % r->ranks == 0 && r->n_to % r->ranks == 0;
  int code = even ? MPI_Alltoall(in, count[0], row, to, count[0], row, p->comm)
                  : MPI_Alltoallv(in, count, at, row, to, to_count, to_at, row, p->comm);
  free(count);
  return code == MPI_SUCCESS ? PFFT3D_OK : PFFT3D_ERR_INTERNAL;
}

int pfft3d_plan_measure(pfft3d_plan *plan, pfft3d_direction direction, pfft3d_part part,
                        const void *in, void *out, double *seconds) {
  const pf_outline_way *w = &plan->outline.way[direction];
  int status = PFFT3D_OK;
  MPI_Barrier(plan->comm);
  double start = MPI_Wtime();
  if (part == PFFT3D_PART_PASSES)
    status = pf_way_run(plan, direction, in, out, 0);
  else
    for (int k = 0; k < w->route.steps - 1 && plan->outline.ranks > 1 && !status; k++)
      status = raw_alltoall(plan, &w->redist[0], in);
  *seconds = MPI_Wtime() - start;
  return status;
}
