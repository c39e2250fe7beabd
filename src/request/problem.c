/* SPDX-License-Identifier: BSD-3-Clause
 * Properties that follow from a problem alone: sizes, and the kinds of its axes. */
#include "request/problem.h"

#include "local/engine.h"

int pf_problem_first(const pfft3d_problem *p) {
  return p->dims == 1 || p->dims == 2 ? 3 - p->dims : 0;
}

/* A dft of one point changes nothing: with cosine or sine transforms along other axes, elements
 * stay real. */
static int has_dft(const pfft3d_problem *p) {
  int dft = 0, others = 0;
  for (int a = pf_problem_first(p); a < 3; a++) {
    if (p->axis[a] == PFFT3D_DFT && p->n[a] > 1) return 1;
    dft = dft || p->axis[a] == PFFT3D_DFT;
    others = others || (p->axis[a] != PFFT3D_DFT && p->axis[a] != PFFT3D_NONE);
  }
  return dft && !others;
}

int pf_problem_scalar(const pfft3d_problem *p) {
  return p->kind == PFFT3D_R2C && !has_dft(p);
}

pfft3d_axis_kind pf_problem_axis(const pfft3d_problem *p, int axis) {
  if (axis >= pf_problem_first(p) && p->axis[axis] != PFFT3D_DFT) return p->axis[axis];
  return pf_problem_scalar(p) ? PFFT3D_NONE : PFFT3D_DFT;
}

int pf_problem_sign(const pfft3d_problem *p, pfft3d_direction direction) {
  return (direction == PFFT3D_BACKWARD) == (p->sign > 0) ? -1 : 1;
}

int pf_problem_half_axis(const pfft3d_problem *p) {
  int axis = 2;
  if (p->kind != PFFT3D_R2C || !has_dft(p)) return -1;
  while (p->axis[axis] != PFFT3D_DFT) axis--;
  return axis;
}

int pf_problem_half(const pfft3d_problem *p) {
  return pf_problem_half_axis(p) >= 0;
}

size_t pf_problem_element(const pfft3d_problem *p) {
  return pf_element(p->precision) / (pf_problem_scalar(p) ? 2 : 1);
}

size_t pfft3d_element_bytes(const pfft3d_problem *p, pfft3d_side side) {
  if (!p) return 0;
  size_t number = pf_element(p->precision);
  int real = p->kind == PFFT3D_R2C && (side == PFFT3D_SPACE || pf_problem_scalar(p));
  return real ? number / 2 : number;
}

ptrdiff_t pf_problem_modes(const pfft3d_problem *p, int axis) {
  return p->keep[axis] ? p->keep[axis] : p->n[axis];
}

int pf_problem_cut(const pfft3d_problem *p) {
  int cut = 0;
  for (int a = 0; a < 3; a++) cut = cut || pf_problem_modes(p, a) != p->n[a];
  return cut;
}

pf_range pf_problem_dropped(const pfft3d_problem *p, int axis) {
  ptrdiff_t n = p->n[axis], modes = pf_problem_modes(p, axis), first = modes;
  if (axis == pf_problem_half_axis(p))
    n = n / 2 + 1, modes = first = modes / 2 + 1;
  else if (pf_problem_axis(p, axis) == PFFT3D_DFT)
    first = (modes + 1) / 2; /* the others are negative */
  return (pf_range){first, n - modes};
}

void pfft3d_problem_extents(const pfft3d_problem *p, pfft3d_side side, ptrdiff_t n[3]) {
  if (!n) return;
  for (int a = 0; a < 3; a++) {
    n[a] = p ? p->n[a] : 0;
    if (!p || side != PFFT3D_SPECTRUM) continue;
    n[a] = pf_problem_modes(p, a);
    if (a == pf_problem_half_axis(p)) n[a] = n[a] / 2 + 1;
  }
}

int pf_kinds_check(const pfft3d_problem *p, pfft3d_error *e) {
  int transformed = 0;
  for (int a = 0; a < 3; a++) {
    int kind = (int)pf_problem_axis(p, a);
    PF_CHECK(kind >= 0 && kind < PF_KINDS, e, PFFT3D_ERR_USAGE, "kind %d of axis %d: unknown", kind,
             a);
    PF_CHECK(p->n[a] >= pf_kind_least((pfft3d_axis_kind)kind), e, PFFT3D_ERR_USAGE,
             "kind %s of axis %d: %td point is too short, it needs %td", pf_kind_at(kind, NULL), a,
             p->n[a], pf_kind_least((pfft3d_axis_kind)kind));
    transformed = transformed || (kind != PFFT3D_NONE && (p->dims != 1 || a == 2));
  }
  PF_CHECK(p->sign >= -1 && p->sign <= 1, e, PFFT3D_ERR_USAGE, "sign %d: must be -1 or +1",
           p->sign);
  PF_CHECK(p->sign < 1 || p->kind == PFFT3D_C2C, e, PFFT3D_ERR_USAGE,
           "sign +1: the spectrum of a real field (r2c) is that of sign -1, whose conjugate it is");
  PF_CHECK(p->sign < 1 || p->dims != 1, e, PFFT3D_ERR_UNAVAILABLE,
           "sign +1: one dimension has -1 only; a field 1x1xN has both");
  PF_CHECK(transformed, e, PFFT3D_ERR_USAGE, "kind none for all axes: nothing to transform");
  return PFFT3D_OK;
}

void pf_keep_share(const pf_share *share, pfft3d_problem *p) {
  for (int a = 0; share->of && a < 3; a++) {
    /* quotient and remainder separately: the product n * part might not fit 64 bits */
    ptrdiff_t n = p->n[a],
              modes = n / share->of * share->part + n % share->of * share->part / share->of;
    if (pf_kind_keeps_all(pf_problem_axis(p, a))) modes = n;
    p->keep[a] = modes ? modes : 1;
  }
}

int pf_keep_check(const pfft3d_problem *p, pfft3d_error *e) {
  for (int a = 0; a < 3; a++) {
    PF_CHECK(p->keep[a] >= 0 && p->keep[a] <= p->n[a], e, PFFT3D_ERR_USAGE,
             "keep %td along axis %d: must be 1 to %td, the modes that there are", p->keep[a], a,
             p->n[a]);
    pfft3d_axis_kind kind = pf_problem_axis(p, a);
    PF_CHECK(!pf_kind_keeps_all(kind) || pf_problem_modes(p, a) == p->n[a], e, PFFT3D_ERR_USAGE,
             "keep %td along axis %d: must be %td, since its kind is %s", p->keep[a], a, p->n[a],
             pf_kind_at((int)kind, NULL));
  }
  PF_CHECK(p->dims != 1 || !pf_problem_cut(p), e, PFFT3D_ERR_UNAVAILABLE,
           "keep %td: the spectrum of one dimension is always kept as a whole; a field 1x1xN keeps "
           "any part of it",
           p->keep[2]);
  return PFFT3D_OK;
}

double pfft3d_problem_points(const pfft3d_problem *p) {
  double product = p ? 1 : 0;
  for (int a = 0; p && a < 3; a++) product *= pf_kind_logical(pf_problem_axis(p, a), p->n[a]);
  return product;
}
