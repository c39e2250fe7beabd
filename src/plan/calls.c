/* SPDX-License-Identifier: BSD-3-Clause
 * The public calls that transform, and arrays for them. */
#include <stdint.h>

#include "plan/plan.h"
#include "request/axes.h"

int pf_plan_check_run(const pfft3d_plan *plan, pfft3d_direction direction, const void *in,
                      const void *out) {
  if (!plan || (direction != PFFT3D_FORWARD && direction != PFFT3D_BACKWARD) || pf_mpi_ready(NULL))
    return PFFT3D_ERR_USAGE;
  if (plan->half_way) return PFFT3D_ERR_USAGE;
  int side = direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;
  size_t a_bytes = plan->outline.side_bytes[side], b_bytes = plan->outline.side_bytes[!side];
  if ((!in && a_bytes) || (!out && b_bytes)) return PFFT3D_ERR_USAGE;
  if (a != b && a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes) return PFFT3D_ERR_USAGE;
  return PFFT3D_OK;
}

/* A whole transform. */
static int run(pfft3d_plan *plan, pfft3d_direction direction, const void *in, void *out) {
  if (!plan->timeline) return pf_plan_run(plan, direction, in, out, 1);
  ptrdiff_t call = pf_plan_call(plan, PF_CALL_EXECUTE, direction);
  int status = pf_plan_run(plan, direction, in, out, 1);
  pf_timeline_return(plan->timeline, call);
  return status;
}

int pfft3d_execute(pfft3d_plan *plan, pfft3d_direction direction, const void *in, void *out) {
  PF_TRY(pf_plan_check_run(plan, direction, in, out));
  return run(plan, direction, in, out);
}

/* A backward transform of the product with a multiplier. */
static int run_multiplied(pfft3d_plan *plan, const pf_multiplier *multiplier, const void *in,
                          void *out) {
  PF_TRY(pf_plan_check_run(plan, PFFT3D_BACKWARD, in, out));
  if (plan->outline.vector[0].ranks) return PFFT3D_ERR_USAGE;
  pf_pipelines *p = pf_plan_pipelines_at(plan, 0);
  pf_pipelines_multiply(p, multiplier);
  int status = run(plan, PFFT3D_BACKWARD, in, out);
  pf_pipelines_multiply(p, NULL);
  return status;
}

int pfft3d_execute_multiplier(pfft3d_plan *plan, const double *const multiplier[3], const void *in,
                              void *out) {
  pf_multiplier m = {.factors = NULL};
  if (!multiplier) return PFFT3D_ERR_USAGE;
  for (int a = 0; a < 3; a++)
    if (!(m.factor[a] = multiplier[pf_axes_axis_back(plan && plan->permuted, a)]))
      return PFFT3D_ERR_USAGE;
  return run_multiplied(plan, &m, in, out);
}

/* The caller's function, with the caller's axes.  The order of its factors is the same. */
typedef struct permuted_factors {
  pfft3d_factors function;
  void *context;
} permuted_factors;

static void call_permuted(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                          double *factor) {
  const permuted_factors *t = context;
  ptrdiff_t first[3] = {lo[0], lo[1], lo[2]}, extent[3] = {len[0], len[1], len[2]};
  pf_axes_sizes_back(1, first);
  pf_axes_sizes_back(1, extent);
  t->function(t->context, first, extent, factor);
}

int pfft3d_execute_factors(pfft3d_plan *plan, pfft3d_factors factors, void *context, const void *in,
                           void *out) {
  permuted_factors permuted = {factors, context};
  pf_multiplier m = {.factors = factors, .context = context};
  if (!factors) return PFFT3D_ERR_USAGE;
  if (plan && plan->permuted) m = (pf_multiplier){.factors = call_permuted, .context = &permuted};
  return run_multiplied(plan, &m, in, out);
}

int pfft3d_plan_measure(pfft3d_plan *plan, pfft3d_direction direction, pfft3d_part part,
                        const void *in, void *out, double *seconds) {
  if (!plan || !seconds || (part != PFFT3D_PART_PASSES && part != PFFT3D_PART_RAW_ALLTOALL))
    return PFFT3D_ERR_USAGE;
  PF_TRY(pf_plan_check_run(plan, direction, in, out));
  *seconds = 0;
  if (part == PFFT3D_PART_RAW_ALLTOALL) return pf_plan_raw(plan, direction, seconds);
  MPI_Barrier(plan->comm);
  double start = MPI_Wtime();
  int status = pf_plan_run(plan, direction, in, out, 0);
  *seconds = MPI_Wtime() - start;
  MPI_Barrier(plan->comm); /* other ranks may still store into receive buffers of the next run */
  return status;
}

/* ---- arrays ---- */

int pfft3d_alloc(pfft3d_plan *plan, void **array, pfft3d_error *error) {
  pfft3d_error e;
  void *made = NULL;
  pf_error_clear(&e);
  if (!plan) pf_fail(&e, PFFT3D_ERR_USAGE, "plan: is NULL");
  if (!e.status && !pf_mpi_ready(&e) && plan) {
    const pf_outline *o = &plan->outline;
    if (!array) pf_fail(&e, PFFT3D_ERR_USAGE, "array: no address for it");
    pf_arrays_add(&plan->array, plan->comm, o->user_bytes, o->shared, &made, &e);
  }
  if (array) *array = made;
  return pf_error_out(&e, error);
}

void pfft3d_free(pfft3d_plan *plan, void *array) {
  if (plan) pf_arrays_drop(&plan->array, array);
}
