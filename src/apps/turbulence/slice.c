/* SPDX-License-Identifier: BSD-3-Clause
 * A plane of the vorticity, collected on rank 0. */
#include "apps/turbulence/slice.h"

#include <math.h>
#include <stdlib.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/picture.h"

/* The size of the vorticity; in two dimensions the vorticity. */
static double value_of(const flow *f, ptrdiff_t at) {
  double sum = 0;
  if (f->dims == 2) return number_get(flow_grid(f, 2), f->real == sizeof(float), at);
  for (int c = 0; c < 3; c++) {
    double w = number_get(flow_grid(f, 3 + c), f->real == sizeof(float), at);
    sum += w * w;
  }
  return sqrt(sum);
}

int slice_draw(app *a, const flow *f) {
  if (!a->opt.png[0]) return PFFT3D_OK;
  const double two_pi = 6.28318530717958647692;
  const ptrdiff_t *n = f->r.problem.n, plane = n[0] / 2;
  const pfft3d_box *b = &f->space;
  double *values = app_malloc(a, (size_t)(n[1] * n[2]), sizeof *values);
  char title[80], x[24] = "pi";
  if (plane >= b->lo[0] && plane < b->lo[0] + b->len[0])
    for (ptrdiff_t j = 0; j < b->len[1]; j++)
      for (ptrdiff_t k = 0; k < b->len[2]; k++)
        values[(b->lo[1] + j) * n[2] + b->lo[2] + k] =
            value_of(f, (plane - b->lo[0]) * b->stride[0] + j * b->stride[1] + k * b->stride[2]);
  for (ptrdiff_t j = 0; j < n[1]; j++) /* every value is on one rank, 0 elsewhere */
    MPI_Allreduce(MPI_IN_PLACE, values + j * n[2], (int)n[2], MPI_DOUBLE, MPI_SUM, a->comm);
  if (2 * plane != n[0]) snprintf(x, sizeof x, "%.3f", two_pi * (double)plane / (double)n[0]);
  int used = snprintf(title, sizeof title, "vorticity at t = %.4g", f->now.t);
  if (f->dims == 3) used += snprintf(title + used, sizeof title - (size_t)used, ", x = %s", x);
  snprintf(title + used, sizeof title - (size_t)used, ", viscosity %.4g", f->terms.nu);
  const picture p = {.title = title, .label = {f->dims == 2 ? "y" : "z", f->dims == 2 ? "x" : "y"}};
  const picture_map map = {.values = values,
                           .rows = n[1],
                           .columns = n[2],
                           .step = {two_pi / (double)n[2], two_pi / (double)n[1]},
                           .label = f->dims == 2 ? "vorticity" : "|vorticity|",
                           .palette = f->dims == 2 ? PICTURE_SIGNED : PICTURE_VIRIDIS};
  picture_draw_map(a, &p, &map);
  free(values);
  return a->error.status;
}
