/* SPDX-License-Identifier: BSD-3-Clause
 * Routes of fields: in which order the axes are transformed, and which are cut before and after
 * each exchange.  slab.c and pencil.c explain why. */
#include "plan/scheme.h"

#include <string.h>

void pf_field_layout(const pfft3d_problem *p, pfft3d_order order, const int grid[2],
                     pfft3d_side side, pf_layout *l) {
  static const int dim[2][3] = {{0, 1, PF_WHOLE}, {PF_WHOLE, 0, 1}};
  int transposed = side == PFFT3D_SPECTRUM && order == PFFT3D_TRANSPOSED;
  *l = (pf_layout){.grid = {grid[0], grid[1]}, .storage = {transposed, !transposed, 2}};
  memcpy(l->dim, dim[transposed], sizeof l->dim);
  pfft3d_problem_extents(p, side, l->n);
}

/* Adds a stage with planes along `outer` and axes as in "21": first axis 2, then axis 1; "" only
 * moves.  Tiles lie across axis 2 unless lines run along it; then across the remaining axis. */
static void add_stage(pf_route *r, int outer, const char *axes) {
  pf_route_stage *s = &r->stage[r->stages++];
  *s = (pf_route_stage){.outer = outer, .axis = {2}, .line = {2}, .tile = {1 - outer}};
  for (; axes[s->axes]; s->axes++) {
    s->axis[s->axes] = s->line[s->axes] = axes[s->axes] - '0';
    s->tile[s->axes] = axes[s->axes] == '2' ? 1 - outer : 2;
  }
}

/* Adds an exchange, followed by the next stage. */
static void add_exchange(pf_route *r, int from, int to, int dim) {
  int k = r->stages - 1;
  r->exchange[k].from = from;
  r->exchange[k].to = to;
  r->exchange[k].dim = dim;
}

/* ---- slabs ---- */

/* Backward from a half spectrum in natural order: exchanges to axis 1 and back. */
static void natural_half(pf_route *r) {
  add_stage(r, 0, "1");
  add_exchange(r, 0, 1, 0);
  add_stage(r, 1, "0");
  add_exchange(r, 1, 0, 0);
  add_stage(r, 0, "2");
}

/* Backward, with axis 2 last. */
static void backward_half(const pf_wish *wish, pf_route *r) {
  if (wish->order == PFFT3D_TRANSPOSED) {
    add_stage(r, 1, "0");
    add_exchange(r, 1, 0, 0);
    add_stage(r, 0, "12");
  } else if (wish->anywhere) {
    add_stage(r, 0, "1");
    add_exchange(r, 0, 1, 0);
    add_stage(r, 1, "02");
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
  add_stage(r, a, both);
  add_exchange(r, a, !a, 0);
  add_stage(r, !a, last);
  if (wish->order == PFFT3D_TRANSPOSED || wish->anywhere) return;
  add_exchange(r, !a, a, 0);
  add_stage(r, a, "");
}

/* ---- pencils ---- */

/* A grid of one row: axis 0 is complete from the beginning and needs no transform if its length
 * is 1. */
static void one_row(const pfft3d_problem *p, const pf_wish *wish, int backward, pf_route *r) {
  int flat = p->n[0] == 1, reverse = backward && wish->order == PFFT3D_TRANSPOSED;
  if (reverse) {
    add_stage(r, 0, "1");
    add_exchange(r, 2, 1, 1);
    add_stage(r, !flat, flat ? "2" : p->kind == PFFT3D_C2C ? "20" : "02");
    return;
  }
  int half = backward && p->kind == PFFT3D_R2C; /* axis 2 must be the last */
  const char *first = wish->early && p->kind == PFFT3D_C2C ? "02" : "20";
  add_stage(r, !flat, half ? (flat ? "" : "0") : flat ? "2" : first);
  add_exchange(r, 1, 2, 1);
  add_stage(r, 0, "1");
  if (!half && (wish->order == PFFT3D_TRANSPOSED || wish->anywhere)) return;
  add_exchange(r, 2, 1, 1);
  add_stage(r, 0, half ? "2" : "");
}

/* Forward; backward from transposed order is the reverse.  An axis 0 of one point is not
 * transformed, as in one_row(): otherwise a multiplier would be applied there, with other rounding
 * than on that grid. */
static void full_grid(const pfft3d_problem *p, const pf_wish *wish, int backward, pf_route *r) {
  int half = backward && p->kind == PFFT3D_R2C;
  const char *zero = p->n[0] == 1 ? "" : "0";
  if (!backward || wish->order == PFFT3D_NATURAL) {
    add_stage(r, 0, half ? "" : "2");
    add_exchange(r, 1, 2, 1);
    add_stage(r, 0, "1");
    add_exchange(r, 0, 1, 0);
  }
  add_stage(r, 1, zero);
  if (!backward && wish->order == PFFT3D_TRANSPOSED) return;
  add_exchange(r, 1, 0, 0);
  add_stage(r, 0, wish->order == PFFT3D_TRANSPOSED ? "1" : "");
  add_exchange(r, 2, 1, 1);
  add_stage(r, 0, wish->order == PFFT3D_TRANSPOSED || half ? "2" : "");
}

void pf_route_pencil(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                     pfft3d_direction direction, pf_route *r) {
  int backward = direction == PFFT3D_BACKWARD;
  *r = (pf_route){.stages = 0};
  int flat = grid[0] == 1 && p->n[0] == 1;
  if (wish->fixed && !flat)
    full_grid(p, wish, backward, r);
  else if (grid[1] == 1 && p->n[0] > 1)
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
