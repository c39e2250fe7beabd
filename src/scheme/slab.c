/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme slab: one axis is cut, two are local.
 *
 * Forward, the field cut along axis 0:
 *
 *   stage 0   for each plane i0: axis 1, then the contiguous rows of axis 2; a finished row
 *             (i0, i1, :) goes to the owner of i1
 *   exchange  axis 0 cut -> axis 1 cut
 *   stage 1   for each i1: axis 0
 *
 * The spectrum is then cut along axis 1: the transposed order, the cheapest.  Natural order takes a
 * second exchange back and a stage that only moves rows to their places; a single rank reaches it
 * by writing stage 1 there.  Backward from the transposed order is the same way with axes 0 and 1
 * swapped, so rows leave as early as forward.
 *
 * One exchange moves V (1 - 1/P) bytes of the V that a rank holds.  On more ranks than planes some
 * hold nothing.  Source: the transpose algorithm of the parallel 3D FFT, e.g. Bell, Bonachea,
 * Nishtala and Yelick, IPDPS 2006. */
#include "scheme/scheme.h"

static void layout(const pfft3d_problem *p, pfft3d_order order, int ranks, pfft3d_side side,
                   pf_layout *l) {
  int cut = side == PFFT3D_SPECTRUM && order == PFFT3D_TRANSPOSED; /* axis 1, else axis 0 */
  *l = (pf_layout){
      .grid = {ranks, 1}, .dim = {PF_WHOLE, PF_WHOLE, PF_WHOLE}, .storage = {cut, !cut, 2}};
  for (int a = 0; a < 3; a++) l->n[a] = p->n[a];
  l->dim[cut] = 0;
}

static void route(const pfft3d_problem *p, const pf_wish *wish, pfft3d_direction direction,
                  pf_route *r) {
  (void)p;
  int swap = direction == PFFT3D_BACKWARD && wish->order == PFFT3D_TRANSPOSED;
  int a = swap ? 1 : 0, b = !a; /* cut at first, cut at last */
  *r = (pf_route){.steps = 2};
  r->step[0] = wish->early ? (pf_step){.outer = a, .axes = 2, .axis = {b, 2}, .tile = {2, b}}
                           : (pf_step){.outer = a, .axes = 2, .axis = {2, b}, .tile = {b, 2}};
  r->exchange[0].from = a;
  r->exchange[0].to = b;
  r->step[1] = (pf_step){.outer = b, .axes = 1, .axis = {a}, .tile = {2}};
  if (wish->order == PFFT3D_TRANSPOSED || wish->anywhere) return;
  r->steps = 3;
  r->exchange[1].from = b;
  r->exchange[1].to = a;
  r->step[2] = (pf_step){.outer = a, .axes = 0, .axis = {2}, .tile = {b}};
}

const pf_scheme pf_scheme_slab = {.name = "slab",
                                  .summary = "one axis cut: one exchange, or two in natural order",
                                  .layout = layout,
                                  .route = route};
