/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme pencil: two axes are cut on a grid of P1 x P2 ranks, one is local.
 *
 * Forward, the field cut along axis 0 into P1 parts and along axis 1 into P2:
 *
 *   stage 0   for each plane i0: axis 2
 *   exchange  axis 1 cut -> axis 2 cut, among the P2 ranks of a row of the grid
 *   stage 1   for each plane i0: axis 1
 *   exchange  axis 0 cut -> axis 1 cut, among the P1 ranks of a column
 *   stage 2   for each i1: axis 0
 *
 * The spectrum is then cut along axis 1 into P1 parts and along axis 2 into P2: the transposed
 * order.  Natural order adds both exchanges in reverse.  A grid of one column uses the route of
 * slabs; with one row, axis 0 is complete from the beginning and is part of stage 0: both need two
 * passes.
 *
 * Up to n0 n1 ranks are used.  The two exchanges move V (1 - 1/P2) and V (1 - 1/P1) bytes of the V
 * that a rank holds, in at least P2 - 1 and P1 - 1 messages instead of P - 1: slabs are faster as
 * long as V/P is larger than latency times bandwidth.
 * Source: Plimpton and Pollock, fftMPI; Pekurovsky, SIAM J. Sci. Comput. 34(4), 2012 (P3DFFT). */
#include <limits.h>
#include <math.h>

#include "geometry/field.h"

/* The largest number of parts, not all empty, of an axis of length n0 on one side and n1 on the
 * other. */
static int useful_parts(ptrdiff_t n0, ptrdiff_t n1, int ranks) {
  ptrdiff_t longer = n0 > n1 ? n0 : n1;
  return longer < ranks ? (int)longer : ranks;
}

/* Number of ranks with a non-empty box on both sides. */
static double busy(const pf_cuts *rule, ptrdiff_t n[2][3], int rows, int columns) {
  double space =
      (double)pf_cuts_used(rule, n[0][0], rows) * (double)pf_cuts_used(rule, n[0][1], columns);
  double spectrum =
      (double)pf_cuts_used(rule, n[1][1], rows) * (double)pf_cuts_used(rule, n[1][2], columns);
  return space < spectrum ? space : spectrum;
}

/* The grid with the most busy ranks, then the smallest largest part, then the fewest partners. */
static void best_grid(const pf_cuts *rule, ptrdiff_t n[2][3], int ranks, int grid[2]) {
  double most = 0, least = INFINITY;
  int fewest = INT_MAX;
  int given[2] = {grid[0], grid[1]};
  int last = given[0] ? given[0] : useful_parts(n[0][0], n[1][1], ranks);
  for (int rows = given[0] ? given[0] : 1; rows <= last; rows++) {
    int columns = given[1] ? given[1] : useful_parts(n[0][1], n[1][2], ranks / rows);
    if (rows > ranks / columns) continue;
    double use = busy(rule, n, rows, columns);
    double part = (double)pf_cuts_longest(rule, n[0][0], rows) *
                  (double)pf_cuts_longest(rule, n[0][1], columns);
    if (use < most ||
        (use == most && (part > least || (part == least && rows + columns >= fewest))))
      continue;
    grid[0] = rows;
    grid[1] = columns;
    most = use, least = part, fewest = rows + columns;
  }
}

static int grid(const pfft3d_request *r, int ranks, int grid[2], pfft3d_error *e) {
  ptrdiff_t n[2][3]; /* by side */
  const pf_cuts rule = {r->cuts.rule, NULL};
  for (int side = 0; side < 2; side++)
    pfft3d_problem_extents(&r->problem, (pfft3d_side)side, n[side]);
  for (int dim = 0; dim < 2; dim++)
    if (!grid[dim]) grid[dim] = pf_cut_wish_parts(&r->cuts, r->decision.order, dim);
  PF_CHECK(grid[0] >= 0 && grid[1] >= 0 && (!grid[0] || !grid[1] || grid[0] <= ranks / grid[1]) &&
               grid[0] <= ranks && grid[1] <= ranks,
           e, PFFT3D_ERR_USAGE, "grid %dx%d: not possible on %d rank%s", grid[0], grid[1], ranks,
           ranks > 1 ? "s" : "");
  if (!grid[0] || !grid[1]) best_grid(&rule, n, ranks, grid);
  return PFFT3D_OK;
}

const pf_scheme pf_scheme_pencil = {.name = "pencil",
                                    .grid = grid,
                                    .route = pf_route_pencil,
                                    .geometry = pf_field_geometry,
                                    .fft = pf_field_fft};
