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
 * order.  Natural order takes both exchanges back.  A grid of one column is the way of slabs; with
 * one row, axis 0 is whole from the beginning and joins stage 0: so these, too, cross memory twice.
 *
 * Up to n0 n1 ranks have work.  The two exchanges move V (1 - 1/P2) and V (1 - 1/P1) bytes of the V
 * that a rank holds, in P2 - 1 and P1 - 1 messages at best instead of P - 1: slabs are better as
 * long as V/P is larger than latency times bandwidth.
 * Source: Plimpton and Pollock, fftMPI; Pekurovsky, SIAM J. Sci. Comput. 34(4), 2012 (P3DFFT). */
#include <limits.h>
#include <math.h>

#include "plan/field.h"

/* Parts of an axis that is n0 long on one side and n1 on the other: more would only be empty. */
static int useful_parts(ptrdiff_t n0, ptrdiff_t n1, int ranks) {
  ptrdiff_t longer = n0 > n1 ? n0 : n1;
  return longer < ranks ? (int)longer : ranks;
}

/* Ranks that hold something on both sides. */
static double busy(const ptrdiff_t n[3], int rows, int columns) {
  double space = (double)pf_split_used(n[0], rows) * (double)pf_split_used(n[1], columns);
  double spectrum = (double)pf_split_used(n[1], rows) * (double)pf_split_used(n[2], columns);
  return space < spectrum ? space : spectrum;
}

/* The grid with the most busy ranks, then the shortest longest part, then the fewest partners. */
static void best_grid(const ptrdiff_t n[3], int ranks, int grid[2]) {
  double most = 0, least = INFINITY;
  int fewest = INT_MAX;
  int given[2] = {grid[0], grid[1]};
  int last = given[0] ? given[0] : useful_parts(n[0], n[1], ranks);
  for (int rows = given[0] ? given[0] : 1; rows <= last; rows++) {
    int columns = given[1] ? given[1] : useful_parts(n[1], n[2], ranks / rows);
    if (rows > ranks / columns) continue;
    double use = busy(n, rows, columns);
    double part = (double)pf_split(n[0], rows, 0).len * (double)pf_split(n[1], columns, 0).len;
    if (use < most ||
        (use == most && (part > least || (part == least && rows + columns >= fewest))))
      continue;
    grid[0] = rows;
    grid[1] = columns;
    most = use, least = part, fewest = rows + columns;
  }
}

static int grid(const pfft3d_request *r, int ranks, int grid[2], pfft3d_error *e) {
  ptrdiff_t n[3];
  pfft3d_problem_extents(&r->problem, PFFT3D_SPECTRUM, n);
  PF_CHECK(grid[0] >= 0 && grid[1] >= 0 && (!grid[0] || !grid[1] || grid[0] <= ranks / grid[1]) &&
               grid[0] <= ranks && grid[1] <= ranks,
           e, PFFT3D_ERR_USAGE, "grid %dx%d: not possible on %d rank%s", grid[0], grid[1], ranks,
           ranks > 1 ? "s" : "");
  if (!grid[0] || !grid[1]) best_grid(n, ranks, grid);
  return PFFT3D_OK;
}

static void layout(const pfft3d_problem *p, pfft3d_order order, const int grid[2], pfft3d_side side,
                   pf_layout *l) {
  int turned = side == PFFT3D_SPECTRUM && order == PFFT3D_TRANSPOSED;
  pf_scheme_cut(l, p, grid, side, turned ? 1 : 0, turned ? 2 : 1, turned);
}

/* One column: slabs. */
static int one_column(const pfft3d_problem *p, const int grid[2]) {
  return grid[1] == 1 && p->n[0] > 1;
}

/* One row: axis 0 is whole from the beginning; where it is 1 there is nothing to do along it. */
static void one_row(const pfft3d_problem *p, const pf_wish *wish, int backward, pf_route *r) {
  int flat = p->n[0] == 1, reverse = backward && wish->order == PFFT3D_TRANSPOSED;
  if (reverse) {
    pf_route_add_stage(r, 0, "1");
    pf_route_add_exchange(r, 2, 1, 1);
    pf_route_add_stage(r, !flat, flat ? "2" : p->kind == PFFT3D_C2C ? "20" : "02");
    return;
  }
  int half = backward && p->kind == PFFT3D_R2C; /* axis 2 must be the last */
  const char *first = wish->early && p->kind == PFFT3D_C2C ? "02" : "20";
  pf_route_add_stage(r, !flat, half ? (flat ? "" : "0") : flat ? "2" : first);
  pf_route_add_exchange(r, 1, 2, 1);
  pf_route_add_stage(r, 0, "1");
  if (!half && (wish->order == PFFT3D_TRANSPOSED || wish->anywhere)) return;
  pf_route_add_exchange(r, 2, 1, 1);
  pf_route_add_stage(r, 0, half ? "2" : "");
}

/* Forward; backward, from the transposed order, the same in reverse.  Along an axis 0 of one point
 * there is nothing to do, as in one_row(): else a multiplier would be multiplied there, and round
 * otherwise than on that grid. */
static void full_grid(const pfft3d_problem *p, const pf_wish *wish, int backward, pf_route *r) {
  int half = backward && p->kind == PFFT3D_R2C;
  const char *zero = p->n[0] == 1 ? "" : "0";
  if (!backward || wish->order == PFFT3D_NATURAL) {
    pf_route_add_stage(r, 0, half ? "" : "2");
    pf_route_add_exchange(r, 1, 2, 1);
    pf_route_add_stage(r, 0, "1");
    pf_route_add_exchange(r, 0, 1, 0);
  }
  pf_route_add_stage(r, 1, zero);
  if (!backward && wish->order == PFFT3D_TRANSPOSED) return;
  pf_route_add_exchange(r, 1, 0, 0);
  pf_route_add_stage(r, 0, wish->order == PFFT3D_TRANSPOSED ? "1" : "");
  pf_route_add_exchange(r, 2, 1, 1);
  pf_route_add_stage(r, 0, wish->order == PFFT3D_TRANSPOSED || half ? "2" : "");
}

static void route(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                  pfft3d_direction direction, pf_route *r) {
  int backward = direction == PFFT3D_BACKWARD;
  *r = (pf_route){.stages = 0};
  int flat = grid[0] == 1 && p->n[0] == 1;
  if (wish->fixed && !flat)
    full_grid(p, wish, backward, r);
  else if (one_column(p, grid))
    pf_scheme_find("slab")->route(p, grid, wish, direction, r);
  else if (grid[0] == 1)
    one_row(p, wish, backward, r);
  else
    full_grid(p, wish, backward, r);
}

const pf_scheme pf_scheme_pencil = {
    .name = "pencil",
    .summary = "two axes cut on a grid of ranks: two exchanges, or four in natural order",
    .grid = grid,
    .layout = layout,
    .route = route,
    PF_SCHEME_OF_FIELDS};
