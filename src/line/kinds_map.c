/* SPDX-License-Identifier: BSD-3-Clause
 * Index maps of lines with a kind: each redistribution numbers the elements in an order in which a
 * rank has few runs on both sides. */
#include <string.h>

#include "line/kinds.h"

/* Numbers lo .. lo+len-1 of a redistribution; in the array of a rank they are at `at`, at + step,
 * ... */
typedef struct run {
  ptrdiff_t lo, len, at, step;
} run;

/* ---- steps ---- */

pfft3d_direction pf_kind_inside(const pf_kind_line *k, pfft3d_direction direction) {
  if (k->type == PF_TYPE2 || k->type == PF_TO_HALF) return direction;
  int back = k->type == PF_TYPE3 || k->type == PF_FROM_HALF;
  return back && direction == PFFT3D_FORWARD ? PFFT3D_BACKWARD : PFFT3D_FORWARD;
}

/* Types I and IV, and dht, are their own transposes. */
pf_moves_step pf_kind_step(const pf_kind_line *k, pfft3d_direction direction, int leave) {
  int back = pf_kind_inside(k, direction) == PFFT3D_BACKWARD, side = leave ^ (int)direction;
  pf_kind_map map = leave != back ? PF_KIND_RESULTS : PF_KIND_POINTS;
  pf_moves_step none = {-1, PFFT3D_FORWARD};
  if (k->type == PF_TYPE4) {
    if (k->n % 2 && !leave) return none;
    map = k->n % 2 ? PF_KIND_RESULTS : PF_KIND_POINTS;
  }
  if (k->type == PF_TYPE1 && !k->sine && leave) return none;
  return (pf_moves_step){pf_kind_move(map, side), leave ? PFFT3D_BACKWARD : PFFT3D_FORWARD};
}

int pf_kind_moves(const pf_kind_line *k, int which) {
  for (int d = 0; d < 2; d++)
    for (int leave = 0; leave < 2; leave++)
      if (pf_kind_step(k, (pfft3d_direction)d, leave).which == which) return 1;
  return 0;
}

static pf_kind_map map_of(int which) {
  return which / 2 ? PF_KIND_RESULTS : PF_KIND_POINTS;
}

/* ---- runs of a rank ---- */

/* The range of i with 2 i + rest in a block. */
static pf_range every_second(pf_range block, int rest) {
  ptrdiff_t first = (block.lo - rest + 1) / 2, end = (block.lo + block.len - rest + 1) / 2;
  return (pf_range){first, end > first ? end - first : 0};
}

static pf_range part_of(pf_range block, ptrdiff_t lo, ptrdiff_t end) {
  ptrdiff_t last = block.lo + block.len;
  if (block.lo > lo) lo = block.lo;
  if (last < end) end = last;
  return (pf_range){lo, end > lo ? end - lo : 0};
}

/* Elements i of a range in descending order: element i is number top - i, at first + step i. */
static run downward(pf_range r, ptrdiff_t top, ptrdiff_t first, ptrdiff_t step) {
  ptrdiff_t last = r.lo + r.len - 1;
  return (run){top - last, r.len, first + step * last, -step};
}

/* Elements i of a range in ascending order: element i is number i + offset, at first + step i. */
static run upward(pf_range r, ptrdiff_t offset, ptrdiff_t first, ptrdiff_t step) {
  return (run){r.lo + offset, r.len, first + step * r.lo, step};
}

/* Elements with even indices in their order, then the others in reverse. */
static void split_parity(const pf_kind_line *k, pf_range block, run out[2]) {
  pf_range even = every_second(block, 0), odd = every_second(block, 1);
  ptrdiff_t top = k->n - 1; /* odd element 2 i + 1 has number n - 1 - i */
  out[0] = upward(even, 0, -block.lo, 2);
  out[1] = downward(odd, top, 1 - block.lo, 2);
}

static void caller_runs(const pf_kind_line *k, int which, pf_range block, run out[2]) {
  ptrdiff_t n = k->n;
  pf_kind_map map = map_of(which);
  out[1] = (run){0, 0, 0, 1};
  int reordered = k->type == PF_TYPE2 || k->type == PF_TYPE3;
  if (k->type == PF_TYPE4 || (reordered && map == PF_KIND_POINTS)) {
    split_parity(k, block, out);
  } else if (k->type == PF_TYPE1 && map == PF_KIND_POINTS) {
    pf_range inner = k->sine ? block : part_of(block, 1, n - 1);
    out[0] = upward(block, 0, -block.lo, 1);
    out[1] = downward(inner, k->sine ? 2 * n - 1 : 2 * (n - 1), -block.lo, 1);
  } else if (k->type != PF_TYPE1 && k->sine) {
    out[0] = downward(block, n - 1, -block.lo, 1);
  } else {
    out[0] = upward(block, 0, -block.lo, 1);
  }
}

static void inside_runs(const pf_kind_line *k, int which, pf_range block, run out[2]) {
  ptrdiff_t n = k->n, first = -block.lo;
  pf_kind_map map = map_of(which);
  out[1] = (run){0, 0, 0, 1};
  if (k->type == PF_TYPE4 && n % 2 == 0) {
    out[0] = upward(block, 0, 2 * first, 2);         /* x_2j */
    out[1] = upward(block, n / 2, 2 * first + 1, 2); /* x_(n-1-2j) */
  } else if (k->type == PF_TYPE4) {
    out[0] = upward(block, 0, 2 * first + k->sine, 2);
  } else if (map == PF_KIND_POINTS && k->type == PF_TYPE1 && k->sine) { /* without 0 and n + 1 */
    out[0] = upward(part_of(block, 1, n + 1), -1, first, 1);
    out[1] = upward(part_of(block, n + 2, 2 * n + 2), -2, first, 1);
  } else if (map == PF_KIND_POINTS) {
    out[0] = upward(block, 0, first, 1);
  } else if (k->type == PF_TYPE1) {
    out[0] = upward(part_of(block, 1, n + 1), -1, 2 * first + 1, 2);
  } else {
    out[0] = upward(block, 0, 2 * first, 2);
    out[1] = downward(part_of(block, 1, (n + 1) / 2), n, 2 * first + 1, 2);
  }
}

/* ---- parts ---- */

void pf_kind_extents(const pf_kind_line *k, int which, ptrdiff_t n[PF_AXES]) {
  int extended = k->type == PF_TYPE1 && map_of(which) == PF_KIND_POINTS;
  n[0] = k->inside.batch / k->parts;
  n[1] = k->parts;
  n[2] = 1;
  n[3] = extended ? k->points - 2 * k->sine : k->n;
}

/* Strides in numbers: of lines, of real and imaginary parts, and of elements. */
static void make_parts(const ptrdiff_t n[PF_AXES], const ptrdiff_t stride[3], ptrdiff_t size,
                       const run *r, pf_part *part) {
  for (int k = 0; k < PF_KIND_RUNS; k++)
    part[k] = (pf_part){
        .lo = {0, 0, 0, r[k].lo},
        .len = {n[0], n[1], 1, r[k].len},
        .offset = r[k].at * stride[2] * size,
        .stride = {stride[0] * size, stride[1] * size, size, r[k].step * stride[2] * size}};
}

void pf_kind_parts(const pf_kind_line *k, const pf_line_choice *c, int which, int rank,
                   pf_part part[2][PF_KIND_RUNS]) {
  const pf_line_choice *in = &k->inside;
  pfft3d_side side = map_of(which) == PF_KIND_POINTS ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  ptrdiff_t size = (ptrdiff_t)pf_element(k->inner.problem.precision) / 2, n[PF_AXES];
  ptrdiff_t numbers = (ptrdiff_t)pfft3d_element_bytes(&k->inner.problem, side) / size;
  ptrdiff_t apart = in->distance[side] * numbers;
  const ptrdiff_t outer[] = {c->distance[which % 2] * k->parts, 1, k->parts};
  const ptrdiff_t inner[] = {apart * k->parts, apart, 1};
  run r[PF_KIND_RUNS];
  pf_kind_extents(k, which, n);
  caller_runs(k, which, pf_split(k->n, c->caller[0].ranks, rank), r);
  make_parts(n, outer, size, r, part[0]);
  inside_runs(k, which, pf_split(in->caller[side].total, c->caller[0].ranks, rank), r);
  make_parts(n, inner, size, r, part[1]);
}

int pf_kind_dry(const pf_kind_line *k, const pf_line_choice *c, int which, const pf_geometry *g,
                pf_moves_dry *m, pfft3d_error *e) {
  PF_TRY(pf_moves_dry_open(g, PF_KIND_RUNS, m, e));
  for (int rank = 0; rank < g->ranks; rank++) {
    pf_part part[2][PF_KIND_RUNS];
    pf_kind_parts(k, c, which, rank, part);
    for (int side = 0; side < 2; side++)
      memcpy(&m->parts[side].part[PF_KIND_RUNS * rank], part[side], sizeof part[side]);
  }
  return pf_moves_dry_measure(m, pf_element(k->inner.problem.precision) / 2, 0, e);
}
