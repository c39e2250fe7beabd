/* SPDX-License-Identifier: BSD-3-Clause
 * Candidates with plans and arrays. */
#include "planner/runner.h"

#include "base/memory.h"
#include "base/progress.h"
#include "plan/plan.h"

/* Typical numbers: no zeros, and none that overflow or underflow. */
static void fill(void *array, size_t bytes, pfft3d_precision precision) {
  unsigned state = 12345;
  size_t size = precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double);
  for (size_t i = 0; i < bytes / size; i++) {
    state = state * 1664525u + 1013904223u;
    double value = (double)(state >> 8) / (1 << 24) - 0.5;
    if (precision == PFFT3D_SINGLE)
      ((float *)array)[i] = (float)value;
    else
      ((double *)array)[i] = value;
  }
}

void pf_common_arrays_free(pf_common_arrays *common) {
  for (int i = 0; i < 2; i++) pf_free(common->array[i]);
  *common = (pf_common_arrays){.bytes = 0};
}

/* Makes the common arrays large enough; if any rank needs larger ones, all get new ones. */
static int grow(MPI_Comm comm, size_t bytes, pfft3d_precision precision, pf_common_arrays *common,
                pfft3d_error *e) {
  int larger = bytes > common->bytes;
  PF_TRY(
      pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, &larger, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce"));
  if (!larger) return PFFT3D_OK;
  pf_common_arrays made = {.bytes = bytes > common->bytes ? bytes : common->bytes};
  pf_memory_agree(comm, 2 * made.bytes, e);
  for (int i = 0; i < 2 && !e->status; i++) {
    made.array[i] = pf_alloc(made.bytes);
    if (!made.array[i])
      pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for an array of %zu bytes", made.bytes);
  }
  if (pf_agree(comm, e)) {
    pf_common_arrays_free(&made);
    return e->status;
  }
  pf_common_arrays_free(common);
  *common = made;
  fill(common->array[0], common->bytes, precision);
  return PFFT3D_OK;
}

static int find_arrays(MPI_Comm comm, const pfft3d_request *request, pf_common_arrays *common,
                       pf_runner *r, pfft3d_error *e) {
  size_t bytes = pfft3d_plan_bytes(r->plan);
  int own = !common || !pf_plan_plain(r->plan) || r->plan->outline.shared;
  if (own) {
    for (int i = 0; i < 2 && !e->status; i++) pfft3d_alloc(r->plan, &r->array[i], e);
    if (!e->status) fill(r->array[0], bytes, request->problem.precision);
    return e->status;
  }
  r->common = common;
  return grow(comm, bytes, request->problem.precision, common, e);
}

int pf_runner_open(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *c,
                   pf_common_arrays *common, pf_runner *r, pfft3d_error *e) {
  pfft3d_request one = *request;
  one.decision = c->decision;
  *r = (pf_runner){.candidate = c};
  if (!pf_make_plan(comm, &one, &r->plan, e)) find_arrays(comm, request, common, r, e);
  if (!e->status) return PFFT3D_OK;
  int skipped = e->status == PFFT3D_ERR_UNAVAILABLE || e->status == PFFT3D_ERR_MEMORY;
  pf_runner_close(r);
  if (skipped) pf_error_clear(e);
  return e->status;
}

void pf_runner_close(pf_runner *r) {
  for (int i = 0; i < 2; i++)
    if (r->plan) pfft3d_free(r->plan, r->array[i]);
  pfft3d_plan_destroy(&r->plan);
}

int pf_runner_time(MPI_Comm comm, const pf_runner *r, int times, double *seconds, pfft3d_error *e) {
  int status = PFFT3D_OK;
  void *const *array = r->common ? r->common->array : r->array;
  pf_progress();
  pf_mpi(e, MPI_Barrier(comm), "MPI_Barrier");
  double start = MPI_Wtime();
  /* from the same numbers, which therefore do not grow */
  for (int k = 0; k < 2 * times && pf_goes_on(status); k++)
    status = pf_status_of_both(
        status, pfft3d_execute(r->plan, (pfft3d_direction)(k % 2), array[0], array[1]));
  *seconds = (MPI_Wtime() - start) / times;
  pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  if (status && !pf_plan_fault(r->plan, e))
    pf_fail(e, status, "a transform failed while candidates were timed");
  return pf_agree(comm, e);
}

int pf_runner_row(double seconds) {
  enum { most = 64 };
  const double sample = 0.5e-3;
  double row = seconds > 0 ? sample / seconds : most;
  return row < 1 ? 1 : row > most ? most : (int)row;
}

double pf_median(double *v, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
      double swapped = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swapped;
    }
  return count % 2 ? v[count / 2] : (v[count / 2 - 1] + v[count / 2]) / 2;
}

void pf_candidates_sort(pfft3d_candidate *list, int count) {
  for (int i = 1; i < count; i++) {
    pfft3d_candidate c = list[i];
    int k = i;
    for (; k > 0 && c.measured > 0 &&
           (list[k - 1].measured == 0 || list[k - 1].measured > c.measured);
         k--)
      list[k] = list[k - 1];
    list[k] = c;
  }
}
