/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme slab: one axis is cut, two are local.
 *
 * Forward, the field cut along axis 0:
 *
 *   stage 0   for each plane i0: axes 1 and 2; a finished row (i0, i1, :) goes to the owner of i1
 *   exchange  axis 0 cut -> axis 1 cut
 *   stage 1   for each i1: axis 0
 *
 * The spectrum is then cut along axis 1: the transposed order, the cheapest.  Natural order takes a
 * second exchange back and a stage that only moves rows to their places; where the last stage can
 * write to any rank's output it does that instead.  With axis 1 first, rows are done one after
 * another and can leave early.  Backward from the transposed order is the same way with axes 0 and
 * 1 swapped.  Real fields start and end with axis 2, which is real on one side: their backward way
 * is the forward one in reverse.
 *
 * A field of one plane (n0 is 1) is cut along axis 1 instead, and its spectrum along axis 2: that
 * is a pencil decomposition with a grid of one row.
 *
 * One exchange moves V (1 - 1/P) bytes of the V that a rank holds.  On more ranks than planes some
 * hold nothing.  Source: the transpose algorithm of the parallel 3D FFT, e.g. Bell, Bonachea,
 * Nishtala and Yelick, IPDPS 2006. */
#include "plan/field.h"

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

static void layout(const pfft3d_problem *p, pfft3d_order order, const int grid[2], pfft3d_side side,
                   pf_layout *l) {
  int turned = side == PFFT3D_SPECTRUM && order == PFFT3D_TRANSPOSED;
  if (p->n[0] == 1)
    pf_scheme_cut(l, p, grid, side, PF_WHOLE, turned ? 2 : 1, turned);
  else
    pf_scheme_cut(l, p, grid, side, turned, PF_WHOLE, turned);
}

/* Out and back by way of axis 1. */
static void natural_half(pf_route *r) {
  pf_route_add_stage(r, 0, "1");
  pf_route_add_exchange(r, 0, 1, 0);
  pf_route_add_stage(r, 1, "0");
  pf_route_add_exchange(r, 1, 0, 0);
  pf_route_add_stage(r, 0, "2");
}

/* Axis 2 last. */
static void backward_half(const pf_wish *wish, pf_route *r) {
  if (wish->order == PFFT3D_TRANSPOSED) {
    pf_route_add_stage(r, 1, "0");
    pf_route_add_exchange(r, 1, 0, 0);
    pf_route_add_stage(r, 0, "12");
  } else if (wish->anywhere) {
    pf_route_add_stage(r, 0, "1");
    pf_route_add_exchange(r, 0, 1, 0);
    pf_route_add_stage(r, 1, "02");
  } else {
    natural_half(r);
  }
}

static void route(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                  pfft3d_direction direction, pf_route *r) {
  *r = (pf_route){.stages = 0};
  if (p->n[0] == 1) {
    pf_scheme_find("pencil")->route(p, grid, wish, direction, r);
    return;
  }
  int reverse = p->kind == PFFT3D_R2C || (wish->fixed && wish->order == PFFT3D_TRANSPOSED);
  if (reverse && direction == PFFT3D_BACKWARD) {
    backward_half(wish, r);
    return;
  }
  int a = direction == PFFT3D_BACKWARD && wish->order == PFFT3D_TRANSPOSED; /* cut at first */
  char both[] = {'2', (char)('0' + !a), '\0'}, last[] = {(char)('0' + a), '\0'};
  if (wish->early && !wish->fixed && p->kind == PFFT3D_C2C) both[0] = both[1], both[1] = '2';
  pf_route_add_stage(r, a, both);
  pf_route_add_exchange(r, a, !a, 0);
  pf_route_add_stage(r, !a, last);
  if (wish->order == PFFT3D_TRANSPOSED || wish->anywhere) return;
  pf_route_add_exchange(r, !a, a, 0);
  pf_route_add_stage(r, a, "");
}

const pf_scheme pf_scheme_slab = {.name = "slab",
                                  .summary = "one axis cut: one exchange, or two in natural order",
                                  .grid = grid,
                                  .layout = layout,
                                  .route = route,
                                  PF_SCHEME_OF_FIELDS};
