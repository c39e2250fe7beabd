/* SPDX-License-Identifier: BSD-3-Clause
 * Routes of fields: in which order the axes are transformed, and which are cut before and after
 * each exchange.  slab.c and pencil.c explain why. */
#include "plan/scheme.h"

/* Tiles lie across axis 2 unless lines run along it; then across the remaining axis. */
void pf_route_add_stage(pf_route *r, int outer, const char *axes) {
  pf_route_stage *s = &r->stage[r->stages++];
  *s = (pf_route_stage){.outer = outer, .axis = {2}, .line = {2}, .tile = {1 - outer}};
  for (; axes[s->axes]; s->axes++) {
    s->axis[s->axes] = s->line[s->axes] = axes[s->axes] - '0';
    s->tile[s->axes] = axes[s->axes] == '2' ? 1 - outer : 2;
  }
}

void pf_route_add_exchange(pf_route *r, int from, int to, int dim) {
  int k = r->stages - 1;
  r->exchange[k].from = from;
  r->exchange[k].to = to;
  r->exchange[k].dim = dim;
}

void pf_scheme_cut(pf_layout *l, const pfft3d_problem *p, const int grid[2], pfft3d_side side,
                   pf_cut_axes cut) {
  *l = (pf_layout){.grid = {grid[0], grid[1]},
                   .dim = {PF_WHOLE, PF_WHOLE, PF_WHOLE},
                   .storage = {cut.transposed, !cut.transposed, 2}};
  pfft3d_problem_extents(p, side, l->n);
  if (cut.first != PF_WHOLE) l->dim[cut.first] = 0;
  if (cut.second != PF_WHOLE) l->dim[cut.second] = 1;
}

/* ---- slabs ---- */

/* Backward from a half spectrum in natural order: exchanges to axis 1 and back. */
static void natural_half(pf_route *r) {
  pf_route_add_stage(r, 0, "1");
  pf_route_add_exchange(r, 0, 1, 0);
  pf_route_add_stage(r, 1, "0");
  pf_route_add_exchange(r, 1, 0, 0);
  pf_route_add_stage(r, 0, "2");
}

/* Backward, with axis 2 last. */
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

static void slab_route(const pfft3d_problem *p, const pf_wish *wish, pfft3d_direction direction,
                       pf_route *r) {
  *r = (pf_route){.stages = 0};
  int reverse = p->kind == PFFT3D_R2C || (wish->fixed && wish->order == PFFT3D_TRANSPOSED);
  if (reverse && direction == PFFT3D_BACKWARD) {
    backward_half(wish, r);
    return;
  }
  int a = direction == PFFT3D_BACKWARD && wish->order == PFFT3D_TRANSPOSED; /* axis that is cut
                                                                               at first */
  char both[] = {'2', (char)('0' + !a), '\0'}, last[] = {(char)('0' + a), '\0'};
  if (wish->early && !wish->fixed && p->kind == PFFT3D_C2C) both[0] = both[1], both[1] = '2';
  pf_route_add_stage(r, a, both);
  pf_route_add_exchange(r, a, !a, 0);
  pf_route_add_stage(r, !a, last);
  if (wish->order == PFFT3D_TRANSPOSED || wish->anywhere) return;
  pf_route_add_exchange(r, !a, a, 0);
  pf_route_add_stage(r, a, "");
}

/* ---- pencils ---- */

/* A grid of one column: slabs. */
static int one_column(const pfft3d_problem *p, const int grid[2]) {
  return grid[1] == 1 && p->n[0] > 1;
}

/* A grid of one row: axis 0 is complete from the beginning and needs no transform if its length
 * is 1. */
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

/* Forward; backward from transposed order is the reverse.  An axis 0 of one point is not
 * transformed, as in one_row(): otherwise a multiplier would be applied there, with other rounding
 * than on that grid. */
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

void pf_route_pencil(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                     pfft3d_direction direction, pf_route *r) {
  int backward = direction == PFFT3D_BACKWARD;
  *r = (pf_route){.stages = 0};
  int flat = grid[0] == 1 && p->n[0] == 1;
  if (wish->fixed && !flat)
    full_grid(p, wish, backward, r);
  else if (one_column(p, grid))
    slab_route(p, wish, direction, r);
  else if (grid[0] == 1)
    one_row(p, wish, backward, r);
  else
    full_grid(p, wish, backward, r);
}

void pf_route_slab(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                   pfft3d_direction direction, pf_route *r) {
  if (p->n[0] == 1)
    pf_route_pencil(p, grid, wish, direction, r);
  else
    slab_route(p, wish, direction, r);
}
