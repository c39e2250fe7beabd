/* SPDX-License-Identifier: BSD-3-Clause
 * The choice for lines with a kind: the inner line, and the caller's distribution. */
#include "line/kinds.h"

#include <string.h>

/* The points and the type of numbers of the inner line. */
static void choose_inside(pf_kind_line *k, pfft3d_problem *p) {
  ptrdiff_t n = k->n;
  int halves = k->type == PF_TYPE4 && n % 2 == 0;
  k->points = k->type == PF_TYPE1 ? 2 * (k->sine ? n + 1 : n - 1) : halves ? n / 2 : n;
  p->kind = k->type == PF_TYPE4 ? PFFT3D_C2C : PFFT3D_R2C;
  p->n[2] = k->points;
  p->axis[2] = PFFT3D_DFT;
  p->batch = k->parts * (p->batch ? p->batch : 1);
}

static int check(const pfft3d_request *r, pfft3d_error *e) {
  const char *kind = pf_kind_at((int)r->problem.axis[2], NULL);
  for (int side = 0; side < 2; side++) {
    e->hint[0] = '\0';
    pf_hint(e, "both layouts of such a line are block");
    PF_CHECK(r->layout[side] == PFFT3D_BLOCK, e, PFFT3D_ERR_UNAVAILABLE,
             "layout cyclic: a line of kind %s is in blocks", kind);
  }
  e->hint[0] = '\0';
  pf_hint(e, "order natural is for all kinds");
  PF_CHECK(r->decision.order == PFFT3D_NATURAL, e, PFFT3D_ERR_UNAVAILABLE,
           "order transposed: the spectrum of a line of kind %s is in natural order", kind);
  e->hint[0] = '\0';
  pf_hint(e, "leave out the cuts");
  PF_CHECK(!pf_cut_wish_any(&r->cuts), e, PFFT3D_ERR_UNAVAILABLE,
           "cuts: a line of kind %s is divided evenly", kind);
  e->hint[0] = '\0';
  return PFFT3D_OK;
}

int pf_kind_line_choose(const pfft3d_request *r, int ranks, pf_kind_line *k, pf_line_choice *c,
                        pfft3d_error *e) {
  pfft3d_axis_kind kind = r->problem.axis[2];
  int real = r->problem.kind == PFFT3D_R2C;
  *k = (pf_kind_line){.kind = kind,
                      .type = pf_kind_type_of(kind),
                      .sine = pf_kind_is_sine(kind),
                      .n = r->problem.n[2],
                      .parts = real ? 1 : 2,
                      .inner = *r};
  PF_TRY(pf_line_check(r, ranks, e));
  PF_TRY(check(r, e));
  choose_inside(k, &k->inner.problem);
  memset(k->inner.array, 0, sizeof k->inner.array);
  k->inner.scale[0] = k->inner.scale[1] = 1;
  PF_TRY(pf_line_choose_inside(&k->inner, ranks, &k->inside, e));
  *c = (pf_line_choice){.batch = r->problem.batch ? r->problem.batch : 1};
  memcpy(c->split, k->inside.split, sizeof c->split);
  c->decision = k->inside.decision;
  for (int side = 0; side < 2; side++)
    c->vector[side] = c->caller[side] = (pf_vector){.ranks = ranks, .total = k->n, .row = 1};
  return pf_line_distances(r, c, e);
}
