/* SPDX-License-Identifier: BSD-3-Clause
 * The plans of a solution, its array, and the refusal of a lambda. */
#include "apps/poisson/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"

int solver_is_narrow(const solver *s) {
  return s->r.problem.precision == PFFT3D_SINGLE;
}

double solver_get(const solver *s, ptrdiff_t at) {
  return number_get(s->r.array[0], solver_is_narrow(s), at);
}

void solver_put(const solver *s, ptrdiff_t at, double value) {
  number_set(s->r.array[0], solver_is_narrow(s), at, value);
}

void *solver_array(const solver *s) {
  return s->r.array[0];
}

int solver_is_single(const solver *s) {
  return solver_is_narrow(s) || run_wire(&s->r) == PFFT3D_SINGLE;
}

int solver_dropped(const solver *s) {
  double mean = hypot(s->mean[0], s->mean[1]);
  return isfinite(mean) && mean > 0;
}

int solver_parts(const solver *s) {
  size_t number = solver_is_narrow(s) ? sizeof(float) : sizeof(double);
  return pfft3d_element_bytes(&s->r.problem, PFFT3D_SPECTRUM) > number ? 2 : 1;
}

/* ---- plans ---- */

/* Lines along the axis of a grid are to be whole on one rank in the spectrum.  Fields of one and
 * two dimensions keep the last axis whole in natural order only. */
static void lay_out(const domain *d, int ranks, pfft3d_request *request) {
  char value[64];
  pfft3d_request_get(request, "decomp", value, sizeof value);
  int open = value[0] == 0 || strcmp(value, "auto") == 0, axis = d->grid->axis;
  int volume = d->n[0] > 1 && d->n[1] > 1 && d->n[2] > 1;
  if (open && (axis == 2 || !volume)) pfft3d_request_set(request, "decomp", "slab", NULL);
  snprintf(value, sizeof value, "1x%d", ranks);
  if (volume && axis == 1 && open) {
    pfft3d_request_set(request, "decomp", "pencil", NULL);
    pfft3d_request_set(request, "pgrid", value, NULL);
  }
  if (!volume && axis == 2) pfft3d_request_set(request, "order", "natural", NULL);
}

int solver_plan(const solver *s, run *r, const pfft3d_problem *p, const pfft3d_decision *known,
                int arrays, pfft3d_error *e) {
  pfft3d_request *request = options_request(s->a, p);
  pfft3d_request_set(request, "order", "transposed", NULL);
  if (s->d.grid) {
    pfft3d_request_set(request, "joined", "yes", NULL); /* lines mix in the solution anyway */
    lay_out(&s->d, s->a->ranks, request);
  }
  if (known) request_decide(request, known);
  run_open(s->a, r, request, NORM_BACKWARD, arrays, e);
  pfft3d_request_destroy(&request);
  return e->status;
}

/* ---- lambda ---- */

int solver_refuse(const solver *s, long bad[4], pfft3d_error *e) {
  char words[80] = "";
  int rank = (int)bad[0];
  MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_MIN, s->a->comm);
  if (rank == s->a->ranks) return PFFT3D_OK;
  MPI_Bcast(bad, 4, MPI_LONG, rank, s->a->comm);
  for (int a = 3 - s->d.dims; a < 3; a++) {
    size_t used = strlen(words);
    snprintf(words + used, sizeof words - used, "%s%ld", used ? "," : "", bad[1 + a]);
  }
  return app_fail(e, PFFT3D_ERR_USAGE,
                  "--lambda %.17g: the operator is singular: it is minus the eigenvalue of mode %s",
                  s->d.shift[0], words);
}
