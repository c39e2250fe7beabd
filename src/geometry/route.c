/* SPDX-License-Identifier: BSD-3-Clause
 * Routes of fields: the order in which axes are transformed, and the axes that are cut before and
 * after each exchange.  slab.c and pencil.c give the reasons. */
#include "request/problem.h"
#include "geometry/scheme.h"

#include <string.h>

void pf_field_layout(const pfft3d_problem *p, pfft3d_order order, const int grid[2],
                     pfft3d_side side, pf_layout *l) {
  static const int dim[2][3] = {{0, 1, PF_WHOLE}, {PF_WHOLE, 0, 1}};
  int transposed = side == PFFT3D_SPECTRUM && order == PFFT3D_TRANSPOSED;
  *l = (pf_layout){.grid = {grid[0], grid[1]}, .storage = {transposed, !transposed, 2}};
  if (transposed && pf_problem_first(p) == 1) /* two dimensions: rows along axis 1 */
    memcpy(l->storage, (const int[]){0, 2, 1}, sizeof l->storage);
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

/* Nonzero if axis 0 has one point and may be omitted to save work: its transform is no factor, and
 * other axes are transformed, because transforms apply scales and multipliers. */
static int is_flat(const pfft3d_problem *p) {
  int others = p->axis[1] != PFFT3D_NONE || p->axis[2] != PFFT3D_NONE;
  return p->n[0] == 1 && !pf_kind_is_real(pf_problem_axis(p, 0)) && others;
}

/* Nonzero if a spectrum has fewer elements than a field: backward, axes grow as they are
 * transformed, axis 2 last. */
static int grows(const pfft3d_problem *p) {
  return pf_problem_half(p) || pf_problem_cut(p);
}

/* Nonzero if axes should be moved before any of them has grown.  A fixed order of axes transforms
 * axis 1 first, which is necessary if the last stage can write anywhere. */
static int grows_late(const pfft3d_problem *p, const pf_wish *wish) {
  return pf_problem_cut(p) && !wish->fixed;
}

/* Nonzero if axis 0 must be transformed on the complex side of axis 1, the half axis: after it
 * forward, before it backward. */
static int zero_outside(const pfft3d_problem *p) {
  return pf_problem_half_axis(p) == 1 && pf_problem_axis(p, 0) == PFFT3D_DFT && !is_flat(p);
}

/* ---- slabs ---- */

/* Backward from natural order, with axis `cut`, 0 or 1, distributed over the same dimension of the
 * grid: transforms the other one of axes 0 and 1, at once or `late`, then `cut`, then axis 2.
 * Exchanges to the other axis and back; the second exchange is omitted if the last stage can write
 * to any rank. */
static void natural_reversed(pf_route *r, int cut, int anywhere, int late) {
  const char *axis[] = {"0", "1"}, *two[] = {"02", "12"};
  add_stage(r, cut, late && !anywhere ? "" : axis[!cut]);
  add_exchange(r, cut, !cut, cut);
  add_stage(r, !cut, anywhere ? two[cut] : axis[cut]);
  if (anywhere) return;
  add_exchange(r, !cut, cut, cut);
  add_stage(r, cut, late ? two[!cut] : "2");
}

/* Backward, with axis 2 last. */
static void backward_reversed(const pfft3d_problem *p, const pf_wish *wish, pf_route *r) {
  if (wish->order == PFFT3D_TRANSPOSED || (wish->alone && !wish->fixed)) { /* planes stay whole */
    add_stage(r, 1, "0");
    add_exchange(r, 1, 0, 0);
    add_stage(r, 0, "12");
  } else {
    int outside = zero_outside(p);
    natural_reversed(r, 0, wish->anywhere && !outside, grows_late(p, wish) || outside);
  }
}

static void slab_route(const pfft3d_problem *p, const pf_wish *wish, pfft3d_direction direction,
                       pf_route *r) {
  *r = (pf_route){.stages = 0};
  int reverse = grows(p) || (wish->fixed && wish->order == PFFT3D_TRANSPOSED);
  if (reverse && direction == PFFT3D_BACKWARD) {
    backward_reversed(p, wish, r);
    return;
  }
  int a = direction == PFFT3D_BACKWARD && wish->order == PFFT3D_TRANSPOSED; /* axis that is cut
                                                                               at first */
  char both[] = {'2', (char)('0' + !a), '\0'}, last[] = {(char)('0' + a), '\0'};
  if (wish->early && !wish->fixed && !pf_problem_half(p)) both[0] = both[1], both[1] = '2';
  add_stage(r, a, both);
  add_exchange(r, a, !a, 0);
  add_stage(r, !a, last);
  if (wish->order == PFFT3D_TRANSPOSED || wish->anywhere) return;
  add_exchange(r, !a, a, 0);
  add_stage(r, a, "");
}

/* ---- pencils ---- */

/* A grid of one row of `ranks` ranks: axis 0 is complete from the beginning and needs no transform
 * if its length is 1. */
static void one_row(const pfft3d_problem *p, int ranks, const pf_wish *wish, int backward,
                    pf_route *r) {
  int flat = is_flat(p), reverse = backward && wish->order == PFFT3D_TRANSPOSED;
  if (reverse) {
    add_stage(r, 0, "1");
    add_exchange(r, 2, 1, 1);
    add_stage(r, !flat, flat ? "2" : !grows(p) ? "20" : "02");
    return;
  }
  int last = backward && grows(p), late = grows_late(p, wish); /* last: axis 2 */
  if (last && !flat && p->n[0] >= ranks) {                     /* like slabs: rows remain whole */
    natural_reversed(r, 1, wish->anywhere, late);
    return;
  }
  const char *first = wish->early && !pf_problem_half(p) ? "02" : "20";
  const char *before = flat || late ? "" : "0", *after = late && !flat ? "02" : "2";
  add_stage(r, !flat, last ? before : flat ? "2" : first);
  add_exchange(r, 1, 2, 1);
  add_stage(r, 0, "1");
  if (!last && (wish->order == PFFT3D_TRANSPOSED || wish->anywhere)) return;
  add_exchange(r, 2, 1, 1);
  add_stage(r, last && after[0] == '0', last ? after : "");
}

/* Forward; backward from transposed order is the reverse.  An axis 0 of one point is not
 * transformed, as in one_row(): otherwise a multiplier would be applied there, with other rounding
 * than on that grid. */
static void full_grid(const pfft3d_problem *p, const pf_wish *wish, int backward, pf_route *r) {
  int last = backward && (grows(p) || wish->order == PFFT3D_TRANSPOSED); /* axis 2 */
  int late = backward && (grows_late(p, wish) || zero_outside(p) ||
                          wish->order == PFFT3D_TRANSPOSED); /* axis 1 */
  const char *zero = is_flat(p) ? "" : "0";
  if (!backward || wish->order == PFFT3D_NATURAL) {
    add_stage(r, 0, last ? "" : "2");
    add_exchange(r, 1, 2, 1);
    add_stage(r, 0, late ? "" : "1");
    add_exchange(r, 0, 1, 0);
  }
  add_stage(r, 1, zero);
  if (!backward && wish->order == PFFT3D_TRANSPOSED) return;
  add_exchange(r, 1, 0, 0);
  add_stage(r, 0, late ? "1" : "");
  add_exchange(r, 2, 1, 1);
  add_stage(r, 0, last ? "2" : "");
}

void pf_route_pencil(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                     pfft3d_direction direction, pf_route *r) {
  int backward = direction == PFFT3D_BACKWARD;
  *r = (pf_route){.stages = 0};
  int flat = grid[0] == 1 && is_flat(p);
  if (wish->fixed && !flat)
    full_grid(p, wish, backward, r);
  else if (grid[1] == 1 && p->n[0] > 1)
    slab_route(p, wish, direction, r);
  else if (grid[0] == 1 && !zero_outside(p))
    one_row(p, grid[1], wish, backward, r);
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

/* ---- axes that are not transformed ---- */

static void drop_axes(const pfft3d_problem *p, pf_route_stage *s) {
  int kept = 0;
  for (int i = 0; i < s->axes; i++) {
    if (pf_problem_axis(p, s->axis[i]) == PFFT3D_NONE) continue;
    s->axis[kept] = s->axis[i];
    s->line[kept] = s->line[i];
    s->tile[kept] = s->tile[i];
    kept++;
  }
  s->axes = kept;
  if (kept) return;
  s->line[0] = 2; /* rows are moved */
  s->tile[0] = 1 - s->outer;
}

/* Appends the axes of a stage to another stage, with the same distribution of the data.  Returns 0
 * if this is impossible. */
static int append_axes(pf_route_stage *to, const pf_route_stage *from) {
  pf_route_stage both = {.outer = to->axes ? to->outer : from->outer, .line = {2}};
  both.tile[0] = 1 - both.outer;
  if (to->axes + from->axes > 2 || (to->axes && from->axes && to->outer != from->outer)) return 0;
  for (int i = 0; i < to->axes + from->axes; i++) {
    const pf_route_stage *s = i < to->axes ? to : from;
    int k = i < to->axes ? i : i - to->axes;
    both.axis[i] = s->axis[k];
    both.line[i] = s->line[k];
    both.tile[i] = s->tile[k];
  }
  both.axes = to->axes + from->axes;
  *to = both;
  return 1;
}

static void remove_stages(pf_route *r, int first, int count) {
  for (int k = first; k + count < r->stages; k++) r->stage[k] = r->stage[k + count];
  for (int k = first - 1; k + count < r->stages - 1; k++) r->exchange[k] = r->exchange[k + count];
  r->stages -= count;
}

/* A stage without axes between an exchange and its reverse is useless, and so are both exchanges;
 * so is the last stage without axes, if writing to other ranks reverses the exchange before it. */
void pf_route_prune(const pfft3d_problem *p, int same, pf_route *r) {
  int before[PF_STAGES], kept = 1;
  for (int a = 0; a < 3; a++) kept = kept && pf_problem_axis(p, a) != PFFT3D_NONE;
  if (kept) return;
  for (int k = 0; k < r->stages; k++) {
    before[k] = r->stage[k].axes;
    drop_axes(p, &r->stage[k]);
  }
  int last = r->stages - 1;
  if (!same) return;
  if (last == 1 && before[last] && !r->stage[last].axes) remove_stages(r, last, 1);
  for (int k = r->stages - 2; k > 0; k--) {
    int reversed = k < r->stages - 1 && r->exchange[k - 1].from == r->exchange[k].to &&
                   r->exchange[k - 1].to == r->exchange[k].from;
    if (r->stage[k].axes || !reversed || !append_axes(&r->stage[k - 1], &r->stage[k + 1])) continue;
    remove_stages(r, k, 2);
    k = r->stages - 1;
  }
}
