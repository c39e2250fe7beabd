/* SPDX-License-Identifier: BSD-3-Clause
 * The method of a line: its engine, the lengths of the matrix, and the treatment of real numbers.
 */
#include <string.h>

#include "base/memory.h"
#include "line/line.h"
#include "request/text.h"

static int cyclic(const pf_line_choice *c, int side) {
  return c->vector[side].distribution == PF_CYCLIC;
}

/* A length that the engine does not support is computed as a convolution of supported lengths. */
static int choose_split(const pfft3d_request *r, pf_line_choice *c, pfft3d_error *e) {
  ptrdiff_t n = c->vector[0].total, long_enough = 2 * n - 1;
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
    pf_split_task t = {
        .n = n,
        .ranks = r->deterministic ? 1 : c->vector[0].ranks,
        .cyclic = {!r->deterministic && cyclic(c, 0), !r->deterministic && cyclic(c, 1)},
        .engine = c->engine,
        .precision = r->problem.precision};
    c->chirp = !pf_line_split(&t, c->split);
    if (c->chirp) pf_line_split_above(long_enough, t.ranks, t.cyclic, c->split);
    if (c->chirp && c->half && c->split[0] * c->split[1] == 2 * n) /* has another meaning */
      pf_line_split_above(2 * n + 1, t.ranks, t.cyclic, c->split);
  }
  pf_hint(e, pf_name_open(r->decision.engine)
                 ? "a split may make shorter lines"
                 : "another engine may take longer lines, a split may make shorter ones");
  for (int k = 0; k < 2; k++)
    PF_TRY(pf_engine_check(c->engine, c->split[k], r->problem.precision, e));
  e->hint[0] = '\0';
  return PFFT3D_OK;
}

/* The local transform is the transform of a single rank; the stages change blocks on one side to
 * cyclic on the other. */
static int choose_butterfly(const pfft3d_request *r, pf_line_choice *c, pfft3d_error *e) {
  int ranks = c->vector[0].ranks;
  ptrdiff_t n = c->vector[0].total;
  pf_split_task t = {
      .n = n / ranks, .ranks = 1, .engine = c->engine, .precision = r->problem.precision};
  pf_hint(e, "method transpose takes any size on any number of ranks");
  PF_CHECK((ranks & (ranks - 1)) == 0, e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: %d ranks are no power of two", ranks);
  PF_CHECK(r->problem.kind == PFFT3D_C2C || c->half, e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: for complex numbers, and for an even number of real ones in blocks");
  PF_CHECK(n % ranks == 0, e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: %d ranks do not divide the size %td%s", ranks, n,
           c->half ? ", which is half of the real numbers" : "");
  PF_CHECK(!r->decision.split[0] && !r->decision.split[1], e, PFFT3D_ERR_USAGE,
           "method butterfly: takes no split");
  PF_CHECK(!pf_cut_wish_lists(&r->cuts), e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: takes no cuts");
  PF_CHECK(pf_line_split(&t, c->split), e, PFFT3D_ERR_UNAVAILABLE,
           "method butterfly: %td points on a rank have too large factors", n / ranks);
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

/* Chooses the first engine of the given name, or any, that supports the line.  If none does, the
 * error is that of the engine with the longest lines. */
static int choose_engine(const pfft3d_request *r, pf_line_choice *c, pfft3d_error *e) {
  const char *name = c->decision.engine;
  int halves = c->vector[0].ranks > 1 && !strcmp(c->decision.scheme, "butterfly");
  pfft3d_error refused;
  ptrdiff_t longest = 0;
  for (int i = 0; pf_engine_at(i); i++) {
    if ((pf_engine_at(i)->device || strcmp(name, "auto")) && strcmp(name, pf_engine_at(i)->name))
      continue;
    c->engine = pf_engine_at(i);
    pf_error_clear(e);
    (halves ? choose_butterfly : choose_split)(r, c, e);
    if (e->status != PFFT3D_ERR_UNAVAILABLE) break;
    if (c->engine->longest <= longest) continue;
    longest = c->engine->longest;
    refused = *e;
  }
  if (e->status == PFFT3D_ERR_UNAVAILABLE && longest) *e = refused;
  PF_CHECK(c->engine, e, PFFT3D_ERR_UNAVAILABLE, "this build has no engine");
  PF_TRY(e->status);
  pf_name_set(c->decision.engine, c->engine->name);
  return PFFT3D_OK;
}

/* Real numbers of an even length are transformed in pairs, unless a split of the whole length is
 * given.  A cyclic vector has the numbers of a pair on two ranks: pairing them and sending mirror
 * images takes more bytes than halving the other exchanges saves.  Cuts of the numbers may separate
 * pairs. */
static void choose_half(const pfft3d_request *r, pf_line_choice *c) {
  const ptrdiff_t *split = r->decision.split, n = r->problem.n[2];
  size_t product;
  int whole = split[0] > 0 && split[1] > 0 &&
              !pf_mul((size_t)split[0], (size_t)split[1], &product) && product == (size_t)n;
  int cyclic =
      r->layout[PFFT3D_SPACE] == PFFT3D_CYCLIC && (r->deterministic || c->vector[0].ranks > 1);
  int cuts = pf_cut_wish_any(&r->cuts);
  c->half = r->problem.kind == PFFT3D_R2C && n % 2 == 0 && !whole && !cyclic && !cuts && !c->reals;
  for (int side = 0; side < 2 && c->half; side++) c->vector[side].total = n / 2;
}

/* Nonzero if a matrix of real numbers is possible: it has half of the bytes in every exchange and
 * pass, and no pass over mirror images.  Not with `deterministic`, because it depends on the number
 * of ranks, which must divide the rows of a cyclic vector.  Nor with a scrambled spectrum: a rank
 * has neighbouring columns, half of them mirror images, and every rank would need lines from every
 * other. */
static int may_be_real(const pfft3d_request *r, const pf_line_choice *c) {
  const pf_exchange_ops *exchange = pf_exchange_find(c->decision.algo);
  const ptrdiff_t *split = r->decision.split, n = r->problem.n[2];
  size_t product;
  int other = split[0] > 0 && split[1] > 0 &&
              (pf_mul((size_t)split[0], (size_t)split[1], &product) || product != (size_t)n);
  return r->problem.kind == PFFT3D_R2C && exchange && !other && c->vector[0].ranks > 1 &&
         !r->deterministic && strcmp(c->decision.scheme, "butterfly") != 0 &&
         c->vector[PFFT3D_SPECTRUM].distribution != PF_COLUMNS;
}

/* Nonzero if it is possible with the split: the length has factors, and the number of ranks divides
 * the rows of a cyclic vector. */
static int is_real(const pf_line_choice *c, int ranks) {
  return !c->chirp && !c->engine->device &&
         !(cyclic(c, PFFT3D_SPACE) && c->split[1] % ranks != 0) &&
         !(cyclic(c, PFFT3D_SPECTRUM) && c->split[0] % ranks != 0);
}

int pf_line_method(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e) {
  pf_line_choice other = *c;
  c->reals = may_be_real(r, c);
  choose_half(r, c);
  if (!c->reals || (!choose_engine(r, c, e) && is_real(c, ranks)))
    return c->reals ? e->status : choose_engine(r, c, e);
  pf_error_clear(e);
  *c = other;
  choose_half(r, c);
  return choose_engine(r, c, e);
}
