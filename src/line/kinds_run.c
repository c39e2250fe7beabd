/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for lines with a kind: their steps. */
#include <stdlib.h>
#include <string.h>

#include "line/kinds.h"
#include "line/work.h"

/* The data of the steps around the inner line. */
typedef struct kind_work {
  pf_kind_line kind;
  pf_line_choice outer;
  pf_roots roots;
  double scale[2];
  int rank, threads;
} kind_work;

enum { BEFORE, AFTER };

/* Applies the factors before or after the inner line to the lines in its buffer. */
static int run(void *data, const pf_step_run *r) {
  const kind_work *w = data;
  int way = r->step->way, after = r->step->action == AFTER;
  int inside = (int)pf_kind_inside(&w->kind, (pfft3d_direction)way);
  pf_kind_pass s = {.k = &w->kind,
                    .outer = &w->outer,
                    .roots = &w->roots,
                    .rank = w->rank,
                    .side = after ? !inside : inside,
                    .from = way,
                    .threads = w->threads,
                    .scale = w->scale[way],
                    .at = r->to};
  if (after) memcpy(&s.at, &r->from, sizeof s.at); /* a buffer */
  if (after)
    pf_kind_after(&s, r->to);
  else
    pf_kind_before(&s, r->from);
  return PFFT3D_OK;
}

static void destroy(void *data) {
  kind_work *w = data;
  pf_roots_free(&w->roots);
  free(w);
}

static const pf_step_ops local = {.name = "local", .run = run, .destroy = destroy};

/* ---- building ---- */

/* Adds a redistribution to the plan's operators. */
static int make_redist(pfft3d_plan *p, const kind_work *w, int which, int *operation,
                       pfft3d_error *e) {
  pf_part part[2][PF_KIND_RUNS];
  pf_redist_wish wish = {.size = (ptrdiff_t)pf_element(w->kind.inner.problem.precision) / 2,
                         .exchange = w->outer.decision.algo,
                         .node_ranks = p->node_ranks,
                         .count = {PF_KIND_RUNS, PF_KIND_RUNS},
                         .part = {part[0], part[1]}};
  pf_kind_extents(&w->kind, which, wish.n);
  pf_kind_parts(&w->kind, &w->outer, which, w->rank, part);
  return pf_plan_redist(p, &wish, operation, e);
}

/* The buffers of the inner line, by its side. */
enum { FIRST_BUFFER = 3 };

/* The buffer of a side, with the bytes from line to line. */
static pf_end buffer_of(const pf_line *line, const pf_kind_line *k, int side) {
  size_t element = pfft3d_element_bytes(&k->inner.problem, (pfft3d_side)side);
  return (pf_end){FIRST_BUFFER + side, (size_t)line->choice.distance[side] * element};
}

/* Adds a redistribution, if there is one, and factors; after the inner line in reverse order. */
static void add_end(pfft3d_plan *p, const kind_work *w, const int redist[], int factors, int way,
                    int after, pf_end inside) {
  pf_list *l = &p->list[way];
  pf_moves_step move = pf_kind_step(&w->kind, (pfft3d_direction)way, after);
  const pf_end in = {PF_INPUT, 0}, out = {PF_OUTPUT, 0};
  for (int k = 0; k < 2; k++) {
    int moves = k == after; /* 0: factors */
    if (moves && move.which < 0) continue;
    pf_step *s = pf_list_add(l, moves ? redist[move.which] : factors);
    s->way = moves ? (int)move.way : way;
    s->action = after ? AFTER : BEFORE;
    s->from = after || (!moves && move.which >= 0) ? inside : in;
    s->to = !after || (!moves && move.which >= 0) ? inside : out;
    if (moves || after) continue;
    s->traffic = pf_kind_traffic(&w->kind, (pfft3d_direction)way, w->rank);
  }
}

static int make_steps(pfft3d_plan *p, const pfft3d_request *r, kind_work *w, int factors,
                      pfft3d_error *e) {
  pf_line *line;
  int redist[PF_KIND_MOVES];
  PF_TRY(pf_line_make(p, &w->kind.inner, &w->kind.inside, &line, e));
  p->outline = pf_line_outline(r, &w->outer, p->comm);
  w->rank = p->outline.rank;
  for (int side = 0; side < 2; side++)
    PF_TRY(pf_plan_buffer(p, FIRST_BUFFER + side, line->side_bytes[side],
                          line->reach ? line->shared : 0, e));
  pf_roots_make(&w->roots, 8 * w->kind.n, e);
  PF_TRY(pf_agree(p->comm, e));
  for (int which = 0; which < PF_KIND_MOVES; which++)
    if (pf_kind_moves(&w->kind, which)) PF_TRY(make_redist(p, w, which, &redist[which], e));
  for (int way = 0; way < 2; way++) {
    pfft3d_direction inside = pf_kind_inside(&w->kind, (pfft3d_direction)way);
    const pf_end from = buffer_of(line, &w->kind, (int)inside),
                 to = buffer_of(line, &w->kind, !inside);
    add_end(p, w, redist, factors, way, 0, from);
    pf_line_add(p, &p->list[way], line, inside, from, to);
    add_end(p, w, redist, factors, way, 1, to);
  }
  return PFFT3D_OK;
}

int pf_kind_line_build(pfft3d_plan *p, const pfft3d_request *r, const pf_kind_line *k,
                       const pf_line_choice *c, pfft3d_error *e) {
  kind_work *w = calloc(1, sizeof *w);
  if (!w) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  if (pf_agree(p->comm, e) || !w) {
    free(w);
    return e->status;
  }
  w->kind = *k;
  w->outer = *c;
  w->threads = r->threads;
  memcpy(w->scale, r->scale, sizeof w->scale);
  return make_steps(p, r, w, pf_plan_operator(p, &local, w), e);
}
