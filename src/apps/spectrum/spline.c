/* SPDX-License-Identifier: BSD-3-Clause
 * Sums over images. */
#include "apps/spectrum/spline.h"

#include <math.h>

double spline_images(int order, double theta, int odd) {
  double value[2 * SPLINE_MOST], x = odd ? 0.5 : 0, sum = 0;
  ptrdiff_t first = spline_shares(2 * order, x, value);
  for (int r = 0; r < 2 * order; r++) sum += value[r] * cos(2 * theta * ((double)(first + r) - x));
  return sum;
}
