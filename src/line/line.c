/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for lines: checks a request, chooses a matrix, and makes the operators. */
#include "line/line.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hooks.h"
#include "base/memory.h"
#include "line/work.h"
#include "request/text.h"

/* ---- choices ---- */

static int check_plain(const pfft3d_array *a) {
  for (int k = 0; k < 3; k++)
    if (a->below[k] || a->above[k]) return 0;
  return a->every <= 1;
}

int pf_line_check(const pfft3d_request *r, int ranks, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  PF_TRY(pf_request_check(r, ranks, e));
  PF_CHECK(p->n[0] == 1 && p->n[1] == 1, e, PFFT3D_ERR_USAGE,
           "line of %tdx%tdx%td: the first two sizes must be 1", p->n[0], p->n[1], p->n[2]);
  PF_CHECK(p->n[2] <= PTRDIFF_MAX / 1024, e, PFFT3D_ERR_UNAVAILABLE,
           "size %td: more bytes than 64 bits can count", p->n[2]);
  PF_CHECK(check_plain(&r->array[0]) && check_plain(&r->array[1]) && !r->padded, e,
           PFFT3D_ERR_USAGE, "line: its arrays cannot have anything around or between elements");
  const int *grid = r->decision.grid;
  PF_CHECK((!grid[0] || grid[0] == 1) && (!grid[1] || grid[1] == ranks), e, PFFT3D_ERR_USAGE,
           "process grid %dx%d: a line has one axis to cut, among all %d rank%s", grid[0], grid[1],
           ranks, ranks > 1 ? "s" : "");
  for (int side = 0; side < 2; side++)
    PF_CHECK(r->layout[side] == PFFT3D_BLOCK || r->layout[side] == PFFT3D_CYCLIC, e,
             PFFT3D_ERR_USAGE, "layout %d: unknown; valid are block (0) and cyclic (1)",
             (int)r->layout[side]);
  return PFFT3D_OK;
}

static pf_vector vector_of(const pfft3d_request *r, pfft3d_side side, int ranks) {
  ptrdiff_t n[3];
  pfft3d_problem_extents(&r->problem, side, n);
  int scrambled = side == PFFT3D_SPECTRUM && r->decision.order == PFFT3D_TRANSPOSED;
  pf_distribution distribution = r->layout[side] == PFFT3D_CYCLIC ? PF_CYCLIC : PF_BLOCK;
  pf_vector v = {.distribution = ranks == 1 || scrambled ? PF_COLUMNS : distribution,
                 .ranks = ranks,
                 .total = n[2],
                 .row = 1};
  if (v.distribution == PF_BLOCK)
    v.cuts = pf_cut_wish_of(&r->cuts, PFFT3D_NATURAL, side, 2, v.total);
  return v;
}

/* Lists of cuts are for vectors in blocks. */
static int check_cuts(const pfft3d_request *r, const pf_line_choice *c, pfft3d_error *e) {
  for (int side = 0; side < 2; side++) {
    const pf_vector *v = &c->caller[side];
    int blocks = v->distribution == PF_BLOCK;
    pf_layout l = {.n = {1, 1, v->total},
                   .grid = {1, v->ranks},
                   .dim = {PF_WHOLE, PF_WHOLE, blocks ? 1 : PF_WHOLE}};
    PF_CHECK(blocks || v->ranks == 1 || !r->cuts.list[side][2], e, PFFT3D_ERR_USAGE,
             "cuts of axis 2 of the %s: only blocks have cuts, not cyclic or transposed order",
             side == PFFT3D_SPACE ? "field" : "spectrum");
    PF_TRY(pf_cut_wish_check(&r->cuts, (pfft3d_side)side, &l, e));
  }
  return PFFT3D_OK;
}

/* Nonzero if pipelines, not a local step, read or write the caller's array of a side. */
static int touches(const pf_line_choice *c, int real, int side) {
  if (c->reals) return 1;
  if (c->half && side == PFFT3D_SPECTRUM) return c->caller[0].ranks == 1;
  return side == PFFT3D_SPECTRUM || (c->half ? !pf_half_pairs(c) : !real);
}

/* The distances between the lines of a batch.  By default they have the same bytes on both sides,
 * enough for the longest part of any rank, which rank 0 has; so they are equal on all ranks. */
static void default_distances(const pfft3d_request *r, pf_line_choice *c) {
  ptrdiff_t number = (ptrdiff_t)pf_element(r->problem.precision), bytes[2], element[2];
  for (int side = 0; side < 2; side++) {
    element[side] = (ptrdiff_t)pfft3d_element_bytes(&r->problem, (pfft3d_side)side);
    bytes[side] = pf_vector_longest(&c->caller[side]) * element[side];
    bytes[side] = (bytes[side] + number - 1) / number * number;
  }
  ptrdiff_t longest = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  for (int side = 0; side < 2; side++) {
    ptrdiff_t given = r->array[side].distance;
    ptrdiff_t open = (r->array[!side].distance ? bytes[side] : longest) / element[side];
    c->distance[side] = given ? given : open;
  }
}

int pf_line_distances(const pfft3d_request *r, pf_line_choice *c, pfft3d_error *e) {
  size_t number = pf_element(r->problem.precision), all;
  default_distances(r, c);
  for (int side = 0; side < 2 && c->batch > 1; side++) {
    ptrdiff_t longest = pf_vector_longest(&c->caller[side]), distance = c->distance[side];
    PF_CHECK(distance >= longest, e, PFFT3D_ERR_USAGE,
             "array: a line every %td elements: the longest part has %td", distance, longest);
    PF_CHECK(!pf_mul((size_t)distance, (size_t)c->batch * number, &all) &&
                 all <= (size_t)PTRDIFF_MAX / 8,
             e, PFFT3D_ERR_UNAVAILABLE, "batch of %td: more bytes than 64 bits can count",
             c->batch);
  }
  return PFFT3D_OK;
}

/* Sets the distances in the caller's arrays, and between steps. */
static int choose_distances(const pfft3d_request *r, pf_line_choice *c, pfft3d_error *e) {
  PF_TRY(pf_line_distances(r, c, e));
  for (int side = 0; side < 2; side++) {
    ptrdiff_t inside = pf_vector_longest(&c->vector[side]);
    if (inside > c->inside) c->inside = inside;
  }
  if (c->half) c->inside = pf_half_buffer(c, 0);
  int pairs = c->half && c->batch > 1 && touches(c, 1, PFFT3D_SPACE);
  PF_CHECK(!pairs || c->distance[0] % 2 == 0, e, PFFT3D_ERR_USAGE,
           "array: a line every %td real numbers: must be even, as their number is",
           c->distance[0]);
  return PFFT3D_OK;
}

static int choose(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e) {
  *c = (pf_line_choice){.decision = r->decision, .batch = r->problem.batch ? r->problem.batch : 1};
  PF_TRY(pf_decision_names(r, &c->decision, e));
  if (!strcmp(c->decision.scheme, "auto")) pf_name_set(c->decision.scheme, "transpose");
  for (int side = 0; side < 2; side++) c->vector[side] = vector_of(r, (pfft3d_side)side, ranks);
  PF_TRY(pf_line_method(r, ranks, c, e));
  if (!c->butterfly) memcpy(c->decision.split, c->split, sizeof c->split);
  for (int side = 0; side < 2; side++) {
    pf_vector *v = &c->vector[side];
    if (!c->butterfly) {
      /* A convolution has the same rows on both sides. */
      v->row = c->split[c->chirp || side == PFFT3D_SPACE];
      c->unfit[side] = v->distribution == PF_CYCLIC && v->row % ranks != 0;
    }
    c->caller[side] = *v;
    c->caller[side].total = vector_of(r, (pfft3d_side)side, ranks).total;
  }
  PF_TRY(check_cuts(r, c, e));
  const pf_exchange_ops *exchange = pf_exchange_find(c->decision.algo); /* NULL: not decided yet */
  if (exchange) PF_TRY(pf_decision_local(exchange, &c->decision, e));
  c->narrow = c->half && !c->butterfly && ranks > 1 && r->wire == PFFT3D_SINGLE &&
              r->problem.precision == PFFT3D_DOUBLE && exchange && !exchange->direct;
  return choose_distances(r, c, e);
}

int pf_line_choose(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e) {
  PF_TRY(pf_line_check(r, ranks, e));
  return choose(r, ranks, c, e);
}

int pf_line_choose_inside(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e) {
  pfft3d_request one = *r;
  one.problem.batch = 1;
  PF_TRY(pf_line_check(&one, ranks, e));
  return choose(r, ranks, c, e);
}

int pf_line_simple(const pfft3d_request *r, const pf_line_choice *c) {
  return !c->butterfly && !c->chirp && !c->unfit[0] && !c->unfit[1] &&
         (r->problem.kind == PFFT3D_C2C || c->reals);
}

static ptrdiff_t elements(const pf_line_choice *c, int side, ptrdiff_t count) {
  return count ? (c->batch - 1) * c->distance[side] + count : 0;
}

ptrdiff_t pf_line_elements(const pf_line_choice *c, int side, int rank) {
  return elements(c, side, pf_vector_count(&c->caller[side], rank));
}

/* Elements of the rank that has the most. */
static ptrdiff_t most_elements(const pf_line_choice *c, int side) {
  return elements(c, side, pf_vector_longest(&c->caller[side]));
}

int pf_line_works(const pf_line_choice *c) {
  return c->butterfly || (c->half && c->caller[0].ranks > 1) ? 3 : 2;
}

/* ---- parts ---- */

/* The matrix of pipelines that redistribute a side, with rows that the ranks divide. */
static void reorder_part(const pf_vector *v, pf_matrix *m) {
  ptrdiff_t each = 8, row;
  PF_ASSERT(v->ranks > 0);
  while (each < 1024 && each * each * v->ranks < v->total &&
         2 * each * v->ranks <= v->total / v->ranks)
    each *= 2;
  row = each * v->ranks;
  *m = (pf_matrix){.n = {row, v->total / row + (v->total % row > 0)}, .moves = 1};
  m->side[0] = m->side[1] = *v;
  m->side[0].row = m->side[1].row = row;
  m->side[PFFT3D_SPACE].distribution = PF_CYCLIC;
  m->side[PFFT3D_SPECTRUM].distribution = PF_BLOCK;
}

/* The common part of all decisions. */
static pf_decision part_decision(const pfft3d_request *r, const pf_line_choice *c,
                                 const pf_exchange_ops *exchange) {
  int ranks = c->vector[0].ranks;
  pf_decision d = {.problem = r->problem,
                   .names = {.order = PFFT3D_NATURAL,
                             .grid = {1, ranks},
                             .chunk = c->decision.chunk,
                             .local = c->decision.local},
                   .scheme = &pf_scheme_matrix,
                   .exchange = exchange,
                   .engine = c->engine,
                   .matrix = {.n = {c->split[0], c->split[1]}},
                   .settings = r->settings};
  d.scale[0] = d.scale[1] = 1;
  if (c->butterfly) d.wire = PFFT3D_DOUBLE; /* never narrowed */
  if (!c->reals) d.problem.kind = PFFT3D_C2C;
  d.problem.batch = pf_line_together(c);
  pf_name_set(d.names.scheme, pf_scheme_matrix.name);
  pf_name_set(d.names.algo, exchange->name);
  pf_name_set(d.names.engine, c->engine->name);
  return d;
}

/* Sets the distance between lines, in complex numbers, on each side of pipelines: as in the
 * caller's array, or as between steps. */
static void part_distances(const pfft3d_request *r, const pf_line_choice *c, pf_line_plan which,
                           pf_decision *d) {
  int core = which == PF_LINE_CORE, out = which == PF_LINE_REORDER_OUT;
  if (d->problem.batch == 1) return;
  for (int side = 0; side < 2; side++) {
    int outer = core ? side : out; /* pipelines that reorder have their outer side in space */
    int theirs = touches(c, r->problem.kind == PFFT3D_R2C, outer) &&
                 (core ? !c->unfit[side] : side == PFFT3D_SPACE);
    ptrdiff_t given = c->distance[outer] / (c->half && outer == PFFT3D_SPACE ? 2 : 1);
    d->array[side].distance = theirs ? given : c->inside;
  }
}

int pf_line_part(const pfft3d_request *r, const pf_line_choice *c, pf_line_plan which,
                 pf_decision *d) {
  int core = which == PF_LINE_CORE || which == PF_LINE_CORE_OUT, out = which >= PF_LINE_CORE_OUT;
  int alone = c->butterfly && core; /* pipelines of each rank by itself */
  ptrdiff_t points = c->split[0] * c->split[1];
  *d = part_decision(r, c, pf_exchange_find(alone ? "shared" : c->decision.algo));
  pf_vector *side = d->matrix.side;
  if (!core) {
    reorder_part(&c->vector[out], &d->matrix);
  } else if (c->chirp) {
    side[PFFT3D_SPACE] = pf_line_inside(c, out);
    side[PFFT3D_SPECTRUM] = (pf_vector){.distribution = PF_COLUMNS,
                                        .ranks = c->vector[0].ranks,
                                        .total = points,
                                        .row = c->split[0]};
  } else {
    memcpy(d->scale, r->scale, sizeof d->scale);
    if (alone) d->names.grid[1] = 1;
    for (int k = 0; k < 2; k++)
      side[k] = alone ? (pf_vector){.distribution = PF_COLUMNS,
                                    .ranks = 1,
                                    .total = points,
                                    .row = c->split[!k]}
                      : pf_line_inside(c, k);
  }
  memcpy(d->names.split, d->matrix.n, sizeof d->matrix.n);
  part_distances(r, c, which, d);
  return core ? c->chirp || which == PF_LINE_CORE : c->unfit[out];
}

/* ---- plans ---- */

pf_outline pf_line_outline(const pfft3d_request *r, const pf_line_choice *c, MPI_Comm comm) {
  pf_outline o = {.problem = r->problem,
                  .decision = c->decision,
                  .threads = r->threads,
                  .element = pf_element(r->problem.precision)};
  MPI_Comm_size(comm, &o.ranks);
  MPI_Comm_rank(comm, &o.rank);
  o.problem.batch = c->batch;
  o.decision.grid[0] = 1;
  o.decision.grid[1] = o.ranks;
  for (int side = 0; side < 2; side++) {
    size_t element = pfft3d_element_bytes(&r->problem, (pfft3d_side)side);
    o.vector[side] = c->caller[side];
    o.box[side].distance = c->distance[side];
    o.side_bytes[side] = (size_t)pf_line_elements(c, side, o.rank) * element;
    if (o.side_bytes[side] > o.user_bytes) o.user_bytes = o.side_bytes[side];
  }
  return o;
}

/* Bytes of each rank's part of arrays that all pipelines of a line can use. */
static int shared_bytes(const pfft3d_request *r, const pf_line_choice *c, int ranks, size_t *bytes,
                        pfft3d_error *e) {
  pf_decision d;
  pf_geometry g;
  *bytes = (size_t)(pf_line_together(c) * c->inside) * pf_element(r->problem.precision);
  for (int side = 0; side < 2; side++) {
    size_t array =
        (size_t)most_elements(c, side) * pfft3d_element_bytes(&r->problem, (pfft3d_side)side);
    if (array > *bytes) *bytes = array;
  }
  for (int k = 0; k < PF_LINE_PLANS; k++)
    if (pf_line_part(r, c, (pf_line_plan)k, &d) && !(c->butterfly && k == PF_LINE_CORE)) {
      PF_TRY(pf_geometry_make(&d, ranks, 0, &g, e));
      if (g.shared_array > *bytes) *bytes = g.shared_array;
    }
  return PFFT3D_OK;
}

/* Makes pipelines of one rank.  If shared memory is unavailable even then, they use a buffer. */
static int make_alone(pfft3d_plan *p, const pf_decision *d, pf_pipelines **made, pfft3d_error *e) {
  int refused = 0;
  const pf_setting s = {MPI_COMM_SELF, d->node_ranks, NULL, &refused};
  pf_decision other = *d;
  if (pf_plan_pipelines(p, &s, d, made, e) == PFFT3D_ERR_UNAVAILABLE) {
    pf_error_clear(e);
    other.exchange = pf_exchange_find("packed");
    pf_name_set(other.names.algo, other.exchange->name);
    pf_plan_pipelines(p, &s, &other, made, e);
  }
  return pf_agree(p->comm, e);
}

/* Makes all pipelines. */
static int make_pipelines(pfft3d_plan *p, const pfft3d_request *r, pf_line *line, pfft3d_error *e) {
  const pf_line_choice *c = &line->choice;
  const pf_setting s = pf_plan_setting(p);
  const int simple = pf_line_simple(r, c);
  pf_decision d;
  for (int k = 0; k < PF_LINE_PLANS; k++) {
    if (!pf_line_part(r, c, (pf_line_plan)k, &d)) continue;
    if (c->butterfly && k == PF_LINE_CORE) {
      PF_TRY(make_alone(p, &d, &line->plan[k], e));
    } else {
      if (!simple) d.shared_array = line->shared;
      PF_TRY(pf_plan_pipelines(p, &s, &d, &line->plan[k], e));
      line->reach |= pf_geometry_reaches(&line->plan[k]->geometry);
    }
    size_t bytes = line->plan[k]->geometry.user_bytes;
    if (bytes > line->work_bytes) line->work_bytes = bytes;
  }
  if (simple) line->shared = line->plan[PF_LINE_CORE]->geometry.shared_array;
  return PFFT3D_OK;
}

/* Makes the data of local steps, and the buffers. */
static int make_local(pfft3d_plan *p, const pfft3d_request *r, pf_line *line, pfft3d_error *e) {
  const pf_line_choice *c = &line->choice;
  const pf_setting s = pf_plan_setting(p);
  pf_decision d;
  pf_line_part(r, c, PF_LINE_CORE, &d);
  if (c->chirp)
    PF_TRY(pf_refuse(&p->refused, pf_line_chirp_make(&line->chirp, &s, &d, line->n, e)));
  if (c->half) {
    size_t bytes = (size_t)(pf_line_together(c) * c->inside) * line->element;
    if (bytes > line->work_bytes) line->work_bytes = bytes;
    pf_half_make(line, e);
  }
  if (c->butterfly && !e->status) pf_butterfly_make(line, e);
  PF_TRY(pf_agree(p->comm, e));
  for (int k = 0; k < pf_line_works(c); k++) {
    PF_TRY(pf_plan_buffer(p, k, line->work_bytes, line->reach ? line->shared : 0, e));
    line->work[k] = p->buffer[k];
  }
  return PFFT3D_OK;
}

/* Hash of the choices on which messages depend: different processors may round differently. */
static unsigned long long choice_hash(const pf_line_choice *c) {
  unsigned long long hash = pf_hash(PF_HASH_START, c->split, sizeof c->split);
  hash = pf_hash(hash, &c->chirp, sizeof c->chirp);
  hash = pf_hash(hash, &c->half, sizeof c->half);
  hash = pf_hash(hash, &c->reals, sizeof c->reals);
  return pf_hash(hash, &c->butterfly, sizeof c->butterfly);
}

int pf_line_make(pfft3d_plan *p, const pfft3d_request *r, const pf_line_choice *c, pf_line **made,
                 pfft3d_error *e) {
  PF_TRY(pf_agree_hash(p->comm, choice_hash(c), "the split of the line", e));
  pf_line *line = *made = calloc(1, sizeof *line);
  if (!line) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  if (pf_agree(p->comm, e) || !line) {
    free(line);
    return e->status;
  }
  p->outline = pf_line_outline(r, c, p->comm);
  const pf_outline *o = &p->outline;
  line->local = pf_plan_operator(p, &pf_line_local, line);
  line->choice = *c;
  line->n = c->vector[PFFT3D_SPACE].total;
  memcpy(line->scale, r->scale, sizeof line->scale);
  line->kind = r->problem.kind;
  line->precision = r->problem.precision;
  line->element = o->element;
  line->comm = p->comm;
  line->rank = o->rank;
  line->ranks = o->ranks;
  line->threads = r->threads;
  line->cap = pf_hooks.max_count;
  line->arrays = &p->array;
  memcpy(line->side_bytes, o->side_bytes, sizeof line->side_bytes);
  if (!pf_line_simple(r, c)) shared_bytes(r, c, o->ranks, &line->shared, e);
  PF_TRY(pf_agree(p->comm, e));
  PF_TRY(make_pipelines(p, r, line, e));
  return pf_line_simple(r, c) ? PFFT3D_OK : make_local(p, r, line, e);
}

int pf_line_build(pfft3d_plan *p, const pfft3d_request *r, const pf_line_choice *c,
                  pfft3d_error *e) {
  pf_line *line;
  PF_TRY(pf_line_make(p, r, c, &line, e));
  pf_outline *o = &p->outline;
  if (pf_line_simple(r, c)) *o = pf_outline_of(&line->plan[PF_LINE_CORE]->geometry);
  o->decision.order = r->decision.order;
  o->shared = line->reach ? line->shared : 0;
  for (int way = 0; way < 2; way++) {
    pf_end end[2];
    for (int output = 0; output < 2; output++) {
      pfft3d_side side = way == output ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
      size_t element = pfft3d_element_bytes(&r->problem, side);
      end[output] = (pf_end){output ? PF_OUTPUT : PF_INPUT, (size_t)c->distance[side] * element};
    }
    pf_line_add(p, &p->list[way], line, (pfft3d_direction)way, end[0], end[1]);
  }
  return PFFT3D_OK;
}
