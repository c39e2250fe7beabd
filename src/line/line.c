/* SPDX-License-Identifier: BSD-3-Clause
 * What to do for a line: checks a request, chooses a matrix, and makes the plans around it. */
#include "line/line.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "planner/decide.h"
#include "line/work.h"
#include "planner/resolve.h"
#include "plan/text.h"

/* ---- choices ---- */

static int check_plain(const pfft3d_array *a) {
  for (int k = 0; k < 3; k++)
    if (a->below[k] || a->above[k]) return 0;
  return a->every <= 1 && !a->distance;
}

static int check(const pfft3d_request *r, int ranks, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  PF_TRY(pf_request_check(r, ranks, e));
  PF_CHECK(p->n[0] == 1 && p->n[1] == 1, e, PFFT3D_ERR_USAGE,
           "line of %tdx%tdx%td: the first two sizes must be 1", p->n[0], p->n[1], p->n[2]);
  PF_CHECK(p->n[2] <= PTRDIFF_MAX / 1024, e, PFFT3D_ERR_UNAVAILABLE,
           "size %td: more bytes than 64 bits can count", p->n[2]);
  PF_CHECK(p->batch <= 1, e, PFFT3D_ERR_USAGE, "line with a batch of %td: one at a time", p->batch);
  PF_CHECK(check_plain(&r->array[0]) && check_plain(&r->array[1]) && !r->padded, e,
           PFFT3D_ERR_USAGE, "line: its arrays cannot have anything around or between elements");
  for (int side = 0; side < 2; side++)
    PF_CHECK(r->layout[side] == PFFT3D_BLOCK || r->layout[side] == PFFT3D_CYCLIC, e,
             PFFT3D_ERR_USAGE, "layout %d: unknown; valid are block (0) and cyclic (1)",
             (int)r->layout[side]);
  return PFFT3D_OK;
}

/* The next engine of this name, or any. */
static const pf_engine *find_engine(const char *name, int *i) {
  for (; pf_engine_at(*i); (*i)++)
    if (!strcmp(name, "auto") || !strcmp(name, pf_engine_at(*i)->name)) return pf_engine_at((*i)++);
  return NULL;
}

/* A length that the engine cannot do itself is done by a convolution of those that it can. */
static int choose_split(const pfft3d_request *r, int ranks, const int cyclic[2], pf_line_choice *c,
                        pfft3d_error *e) {
  ptrdiff_t n = r->problem.n[2], long_enough = 2 * n - 1;
  const ptrdiff_t *given = r->decision.split;
  if (given[0] || given[1]) {
    size_t product;
    PF_CHECK(given[0] > 0 && given[1] > 0 &&
                 !pf_mul((size_t)given[0], (size_t)given[1], &product) &&
                 (product == (size_t)n || product >= (size_t)long_enough),
             e, PFFT3D_ERR_USAGE,
             "split %tdx%td: its product must be %td or, for a convolution, at least %td", given[0],
             given[1], n, long_enough);
    memcpy(c->split, given, sizeof c->split);
    c->chirp = product != (size_t)n;
  } else {
    int any[2] = {cyclic[0] && !r->deterministic, cyclic[1] && !r->deterministic};
    c->chirp = !pf_line_split(n, r->deterministic ? 1 : ranks, any, c->engine, r->problem.precision,
                              c->split);
    if (c->chirp) pf_line_split_above(long_enough, r->deterministic ? 1 : ranks, any, c->split);
  }
  pf_hint(e, "another engine may take longer lines, a split may make shorter ones");
  for (int k = 0; k < 2; k++)
    PF_CHECK(c->engine->supports(c->split[k], r->problem.precision), e, PFFT3D_ERR_UNAVAILABLE,
             "engine '%s': cannot do lines of %td points", c->engine->name, c->split[k]);
  e->hint[0] = '\0';
  return PFFT3D_OK;
}

/* The local transform takes one rank; the two sides differ by what the stages do to blocks. */
static int choose_butterfly(const pfft3d_request *r, int ranks, pf_line_choice *c,
                            pfft3d_error *e) {
  static const int none[2] = {0, 0};
  ptrdiff_t n = r->problem.n[2];
  pf_hint(e, "method transpose takes any size on any number of ranks");
  PF_CHECK((ranks & (ranks - 1)) == 0, e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: %d ranks are no power of two", ranks);
  PF_CHECK(n % ranks == 0, e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: %d ranks do not divide the size %td", ranks, n);
  PF_CHECK(r->problem.kind == PFFT3D_C2C, e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: of complex numbers only");
  PF_CHECK(!r->decision.split[0] && !r->decision.split[1], e, PFFT3D_ERR_USAGE,
           "method butterfly: takes no split");
  PF_CHECK(pf_line_split(n / ranks, 1, none, c->engine, r->problem.precision, c->split), e,
           PFFT3D_ERR_UNAVAILABLE, "method butterfly: %td points on a rank have too large factors",
           n / ranks);
  e->hint[0] = '\0';
  c->butterfly = 1;
  if (r->decision.order == PFFT3D_TRANSPOSED) {
    int blocks = c->vector[PFFT3D_SPACE].distribution == PF_BLOCK;
    c->vector[PFFT3D_SPECTRUM].distribution = blocks ? PF_CYCLIC : PF_BLOCK;
    c->vector[PFFT3D_SPECTRUM].reversed = 1;
  }
  c->unfit[PFFT3D_SPECTRUM] = c->vector[0].distribution == c->vector[1].distribution;
  return PFFT3D_OK;
}

static pf_vector vector_of(const pfft3d_request *r, pfft3d_side side, int ranks) {
  ptrdiff_t n[3];
  pfft3d_problem_extents(&r->problem, side, n);
  int scrambled = side == PFFT3D_SPECTRUM && r->decision.order == PFFT3D_TRANSPOSED;
  pf_distribution distribution = r->layout[side] == PFFT3D_CYCLIC ? PF_CYCLIC : PF_BLOCK;
  return (pf_vector){ranks == 1 || scrambled ? PF_COLUMNS : distribution, ranks, n[2], 1, 0};
}

/* The first engine that can. */
static int choose_engine(const pfft3d_request *r, int ranks, const int cyclic[2], pf_line_choice *c,
                         pfft3d_error *e) {
  int next = 0, halves = ranks > 1 && !strcmp(c->decision.scheme, "butterfly");
  while ((c->engine = find_engine(c->decision.engine, &next)) != NULL) {
    pf_error_clear(e);
    if (halves)
      choose_butterfly(r, ranks, c, e);
    else
      choose_split(r, ranks, cyclic, c, e);
    if (e->status != PFFT3D_ERR_UNAVAILABLE) break;
  }
  if (e->status) return e->status;
  if (!c->engine) return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "this build has no engine");
  pf_name_set(c->decision.engine, c->engine->name);
  return PFFT3D_OK;
}

int pf_line_choose(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e) {
  *c = (pf_line_choice){.decision = r->decision};
  PF_TRY(check(r, ranks, e));
  PF_TRY(pf_decision_names(r, &c->decision, e));
  if (!strcmp(c->decision.scheme, "auto")) pf_name_set(c->decision.scheme, "transpose");
  int cyclic[2];
  for (int side = 0; side < 2; side++) {
    c->vector[side] = vector_of(r, (pfft3d_side)side, ranks);
    cyclic[side] = c->vector[side].distribution == PF_CYCLIC;
  }
  PF_TRY(choose_engine(r, ranks, cyclic, c, e));
  if (c->butterfly) return PFFT3D_OK;
  memcpy(c->decision.split, c->split, sizeof c->split);
  for (int side = 0; side < 2; side++) {
    int other =
        c->chirp || side == PFFT3D_SPACE; /* a convolution has the same rows on both sides */
    c->vector[side].row = c->split[other ? 1 : 0];
    c->unfit[side] = cyclic[side] && c->vector[side].row % ranks != 0;
  }
  return PFFT3D_OK;
}

int pf_line_simple(const pfft3d_request *r, const pf_line_choice *c) {
  return !c->butterfly && !c->chirp && !c->unfit[0] && !c->unfit[1] &&
         r->problem.kind == PFFT3D_C2C;
}

/* ---- parts ---- */

/* A plan that deals a side's elements out: rows with as many for each rank. */
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

static pf_vector inner_vector(const pf_line_choice *c, int side) {
  pf_vector v = c->vector[side];
  if (c->unfit[side]) v.distribution = PF_BLOCK;
  return v;
}

int pf_line_part(const pfft3d_request *r, const pf_line_choice *c, pf_line_plan which,
                 pf_matrix_request *m) {
  int out = which >= PF_LINE_CORE_OUT;
  *m = (pf_matrix_request){.problem = r->problem,
                           .engine = c->engine,
                           .algo = c->decision.algo,
                           .wire = c->butterfly ? PFFT3D_DOUBLE : r->wire, /* as they are */
                           .scale = {1, 1},
                           .estimate = r->deterministic,
                           .threads = r->threads,
                           .node_ranks = r->node_ranks,
                           .cap = r->max_count};
  m->problem.kind = PFFT3D_C2C;
  if (which == PF_LINE_REORDER_IN || which == PF_LINE_REORDER_OUT) {
    reorder_part(&c->vector[out], &m->matrix);
    return c->unfit[out];
  }
  m->matrix.n[0] = c->split[0];
  m->matrix.n[1] = c->split[1];
  if (c->butterfly) {
    ptrdiff_t local = c->split[0] * c->split[1];
    m->algo = "auto";
    memcpy(m->scale, r->scale, sizeof m->scale);
    for (int side = 0; side < 2; side++)
      m->matrix.side[side] = (pf_vector){PF_COLUMNS, 1, local, c->split[side ? 0 : 1], 0};
    return which == PF_LINE_CORE;
  }
  if (!c->chirp) {
    memcpy(m->scale, r->scale, sizeof m->scale);
    for (int side = 0; side < 2; side++) m->matrix.side[side] = inner_vector(c, side);
    return which == PF_LINE_CORE;
  }
  m->matrix.side[PFFT3D_SPACE] = inner_vector(c, out);
  m->matrix.side[PFFT3D_SPECTRUM] =
      (pf_vector){PF_COLUMNS, c->vector[0].ranks, c->split[0] * c->split[1], c->split[0], 0};
  return 1;
}

/* ---- plans ---- */

/* What is the caller's of a plan that takes several. */
static void geometry_top(pfft3d_plan *p, const pfft3d_request *r, const pf_line_choice *c) {
  pf_geometry *o = &p->geometry;
  const pfft3d_plan *core = p->parts->plan[PF_LINE_CORE];
  *o = (pf_geometry){.problem = r->problem, .decision = c->decision, .threads = r->threads};
  o->problem.batch = 1;
  MPI_Comm_size(p->comm, &o->ranks);
  MPI_Comm_rank(p->comm, &o->rank);
  o->cap = r->max_count;
  o->used = 1;
  o->exchange = core->geometry.exchange;
  o->engine = c->engine;
  o->element = pf_element(r->problem.precision);
  o->wire = core->geometry.wire;
  if (!c->butterfly || !strcmp(c->decision.algo, "auto"))
    pf_name_set(o->decision.algo, core->geometry.decision.algo);
  o->decision.grid[0] = 1;
  o->decision.grid[1] = o->ranks;
  for (int side = 0; side < 2; side++) {
    size_t element = pfft3d_element_bytes(&r->problem, (pfft3d_side)side);
    o->side_bytes[side] = (size_t)pf_vector_count(&c->vector[side], o->rank) * element;
    if (o->side_bytes[side] > o->user_bytes) o->user_bytes = o->side_bytes[side];
  }
}

/* Bytes of each rank's part of arrays that all plans of a line can share. */
static int shared_bytes(const pfft3d_request *r, const pf_line_choice *c, int ranks, size_t *bytes,
                        pfft3d_error *e) {
  pf_matrix_request m;
  pf_geometry o;
  *bytes = 0;
  for (int k = 0; k < PF_LINE_PLANS; k++)
    if (pf_line_part(r, c, (pf_line_plan)k, &m) && !(c->butterfly && k == PF_LINE_CORE)) {
      PF_TRY(pf_matrix_resolve(&m, ranks, 0, 1, &o, e));
      if (o.shared_array > *bytes) *bytes = o.shared_array;
    }
  return PFFT3D_OK;
}

static int make_butterfly(pfft3d_plan *p, pfft3d_error *e) {
  enum { tag = 91 };
  pf_line *line = p->parts;
  ptrdiff_t portion, elements = line->n / p->geometry.ranks;
  size_t portions = (size_t)pf_butterfly_portions(elements, p->geometry.cap, &portion);
  line->request = malloc(2 * portions * sizeof *line->request);
  if (!line->request) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu messages", 2 * portions);
  PF_TRY(pf_exchange_create_plain(&line->pairs, p->geometry.element, p->geometry.cap, p->comm, tag,
                                  e));
  return pf_roots_make(&line->roots, line->n, e);
}

static int make_parts(pfft3d_plan *p, const pfft3d_request *r, const pf_line_choice *c,
                      pfft3d_error *e) {
  pf_line *line = p->parts = calloc(1, sizeof *line);
  pf_matrix_request m;
  if (!line) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  PF_TRY(pf_agree(p->comm, e));
  line->choice = *c;
  line->n = r->problem.n[2];
  memcpy(line->scale, r->scale, sizeof line->scale);
  int scattered = 0, ranks;
  size_t shared;
  MPI_Comm_size(p->comm, &ranks);
  shared_bytes(r, c, ranks, &shared, e);
  PF_TRY(pf_agree(p->comm, e));
  for (int k = 0; k < PF_LINE_PLANS; k++)
    if (pf_line_part(r, c, (pf_line_plan)k, &m)) {
      int alone = c->butterfly && k == PF_LINE_CORE;
      if (!alone) m.array = shared;
      int status = pf_matrix_create(alone ? MPI_COMM_SELF : p->comm, &m, alone ? NULL : p,
                                    &line->plan[k], e);
      PF_TRY(alone ? pf_agree(p->comm, e) : status); /* each rank by itself: not yet agreed on */
      const int *parts = line->plan[k]->geometry.scattered;
      scattered |= !alone && (parts[0] || parts[1]);
      size_t bytes = line->plan[k]->geometry.user_bytes;
      if (bytes > line->work_bytes) line->work_bytes = bytes;
    }
  geometry_top(p, r, c);
  p->geometry.shared_array = shared;
  p->geometry.scattered[0] = scattered;
  pf_line_part(r, c, PF_LINE_CORE, &m);
  if (c->chirp) PF_TRY(pf_line_chirp_make(&line->chirp, p->comm, &m, line->n, e));
  line->works = c->butterfly ? 3 : 2;
  if (c->butterfly) make_butterfly(p, e);
  PF_TRY(pf_agree(p->comm, e));
  for (int k = 0; k < line->works; k++)
    PF_TRY(pf_plan_alloc(p, line->work_bytes, &line->work[k], e));
  return PFFT3D_OK;
}

/* By what ranks would send each other something else.  Unlike processors may round unlike. */
static unsigned long long choice_hash(const pf_line_choice *c) {
  unsigned long long hash = pf_hash(PF_HASH_START, c->split, sizeof c->split);
  hash = pf_hash(hash, &c->chirp, sizeof c->chirp);
  return pf_hash(hash, &c->butterfly, sizeof c->butterfly);
}

int pf_line_build(pfft3d_plan *p, const pfft3d_request *r, pfft3d_error *e) {
  pf_line_choice c;
  pf_matrix_request m;
  int ranks;
  MPI_Comm_size(p->comm, &ranks);
  pf_line_choose(r, ranks, &c, e);
  PF_TRY(pf_agree(p->comm, e));
  PF_TRY(pf_agree_hash(p->comm, choice_hash(&c), "the split of the line", e));
  if (!pf_line_simple(r, &c)) return make_parts(p, r, &c, e);
  pf_line_part(r, &c, PF_LINE_CORE, &m);
  PF_TRY(pf_matrix_build(p, &m, e));
  p->geometry.decision.order = r->decision.order;
  return PFFT3D_OK;
}

void pf_line_destroy(pfft3d_plan *p) {
  pf_line *line = p->parts;
  if (!line) return;
  for (int k = 0; k < PF_LINE_PLANS; k++) pfft3d_plan_destroy(&line->plan[k]);
  for (int k = 0; k < 3; k++) pfft3d_free(p, line->work[k]);
  pf_roots_free(&line->roots);
  pf_exchange_destroy(&line->pairs);
  free(line->request);
  pf_line_chirp_free(&line->chirp);
  free(line);
  p->parts = NULL;
}

const pf_vector *pf_line_vector(const pfft3d_plan *p, pfft3d_side side) {
  if (p->parts) return &p->parts->choice.vector[side];
  return p->geometry.matrix.n[0] ? &p->geometry.matrix.side[side] : NULL;
}

void pf_line_box(const pf_vector *v, int rank, pfft3d_box *box) {
  *box = (pfft3d_box){.len = {1, 1, pf_vector_count(v, rank)}, .stride = {1, 1, 1}};
  if (v->distribution == PF_BLOCK) box->lo[2] = pf_vector_block(v, rank).lo;
  box->distance = box->len[2];
}
