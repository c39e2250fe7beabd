/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme slab: one axis is cut, two are local.
 *
 * Forward, the field cut along axis 0:
 *
 *   stage 0   for each plane i0: axes 1 and 2; a finished row (i0, i1, :) goes to the owner of i1
 *   exchange  axis 0 cut -> axis 1 cut
 *   stage 1   for each i1: axis 0
 *
 * The spectrum is then cut along axis 1: transposed order, the cheapest.  Natural order adds a
 * second exchange and a stage that only moves rows; if the last stage can write to the output of
 * any rank, it does that instead.  With axis 1 first, rows are complete one by one and can be sent
 * early.  Backward from transposed order is the same with axes 0 and 1 swapped.  Real fields start
 * and end with axis 2, which is real on one side: their backward route is the reverse of the
 * forward one, on one rank in natural order, too.
 *
 * A field of one plane (n0 is 1) is cut along axis 1 instead, and its spectrum along axis 2: that
 * is a pencil decomposition with a grid of one row.
 *
 * One exchange moves V (1 - 1/P) bytes of the V that a rank holds.  Ranks beyond the number of
 * planes are idle.  Source: the transpose algorithm of the parallel 3D FFT, e.g. Bell, Bonachea,
 * Nishtala and Yelick, IPDPS 2006. */
#include "geometry/field.h"

static int grid(const pfft3d_request *r, int ranks, int grid[2], pfft3d_error *e) {
  int flat = r->problem.n[0] == 1, want[2] = {flat ? 1 : ranks, flat ? ranks : 1};
  int open = !grid[0] && !grid[1];
  PF_CHECK(open || (grid[0] == want[0] && grid[1] == want[1]), e, PFFT3D_ERR_USAGE,
           "grid %dx%d: slabs on %d ranks are a grid of %dx%d; other grids take pencils", grid[0],
           grid[1], ranks, want[0], want[1]);
  grid[0] = want[0];
  grid[1] = want[1];
  return PFFT3D_OK;
}

const pf_scheme pf_scheme_slab = {.name = "slab",
                                  .grid = grid,
                                  .route = pf_route_slab,
                                  .geometry = pf_field_geometry,
                                  .fft = pf_field_fft};
