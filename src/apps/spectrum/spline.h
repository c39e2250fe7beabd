/* SPDX-License-Identifier: BSD-3-Clause
 * The B-splines by which particles are assigned to a grid, and sums of their transforms over the
 * images of a mode.  Order 1 is the nearest grid point (NGP), 2 cloud in cell (CIC), 3 a triangular
 * cloud (TSC), 4 piecewise cubic (PCS): Hockney and Eastwood, Computer Simulation Using Particles,
 * 1988, 5-3. */
#ifndef PF_APPS_SPECTRUM_SPLINE_H
#define PF_APPS_SPECTRUM_SPLINE_H

#include <stddef.h>

enum { SPLINE_MOST = 4 }; /* the highest order of an assignment */

/** Local. The shares of a particle at @p x, in cells, in the `order` cells from the one on that is
 *  returned, at whole numbers: the recurrence of Cox and de Boor for equal distances (de Boor, A
 *  Practical Guide to Splines, chapter X).  Inline, so that loops over particles have constant
 *  orders. */
static inline ptrdiff_t spline_shares(int order, double x, double *share) {
  double y = x - 0.5 * order + 1;
  ptrdiff_t first = (ptrdiff_t)y;
  first -= (double)first > y;
  double u = y - (double)first;
  share[0] = 1;
  for (int q = 1; q < order; q++) {
    double saved = 0;
    for (int r = 0; r < q; r++) {
      double part = share[r] / q;
      share[r] = saved + (r + 1 - u) * part;
      saved = (u + q - 1 - r) * part;
    }
    share[q] = saved;
  }
  return first;
}

/** Local. The sum of W^2(theta + pi m) over all whole m, with W = (sin x / x)^order, the transform
 *  of an assignment; with the sign (-1)^m if @p odd is nonzero.  theta is pi k / n for mode k of n
 *  points.  These are the sums of Jing, Astrophys. J. 620, 2005, eq. 20, by Poisson's formula: a
 *  cosine series with the spline of twice the order at whole numbers, or between them. */
double spline_images(int order, double theta, int odd);

#endif
