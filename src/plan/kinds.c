/* SPDX-License-Identifier: BSD-3-Clause
 * The kinds of the axes of a problem. */
#include <stdio.h>
#include <string.h>

#include "local/engine.h"
#include "plan/problem.h"
#include "plan/text.h"

static int first_axis(const pfft3d_problem *p) {
  return p->dims == 1 || p->dims == 2 ? 3 - p->dims : 0;
}

/* One point has no frequencies: its dft is one of complex numbers only where there are no others.
 */
static int has_dft(const pfft3d_problem *p) {
  int all = 1;
  for (int a = first_axis(p); a < 3; a++) {
    if (p->axis[a] == PFFT3D_DFT && p->n[a] > 1) return 1;
    all = all && p->axis[a] == PFFT3D_DFT;
  }
  return all;
}

int pf_problem_scalar(const pfft3d_problem *p) {
  return p->kind == PFFT3D_R2C && !has_dft(p);
}

pfft3d_axis_kind pf_problem_axis(const pfft3d_problem *p, int axis) {
  if (axis >= first_axis(p) && p->axis[axis] != PFFT3D_DFT) return p->axis[axis];
  return pf_problem_scalar(p) ? PFFT3D_NONE : PFFT3D_DFT;
}

int pf_problem_half(const pfft3d_problem *p) {
  return p->kind == PFFT3D_R2C && has_dft(p);
}

size_t pf_problem_element(const pfft3d_problem *p) {
  return pf_element(p->precision) / (pf_problem_scalar(p) ? 2 : 1);
}

static int read_kind(const char *word, pfft3d_axis_kind *kind, pfft3d_error *e) {
  char name[16];
  PF_TRY(pf_name_parse(PFFT3D_KINDS, word, name, e));
  for (int k = 0; k < PF_KINDS; k++)
    if (!strcmp(name, pf_kind_at(k, NULL))) *kind = (pfft3d_axis_kind)k;
  return PFFT3D_OK;
}

int pf_kinds_parse(const char *text, pfft3d_problem *p, pfft3d_error *e) {
  int first = first_axis(p), count = 0;
  pfft3d_axis_kind kind[3] = {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT};
  char words[80], *rest = words, *word;
  snprintf(words, sizeof words, "%s", text);
  for (; (word = strsep(&rest, ",")) != NULL && count <= 3 - first; count++)
    if (count < 3 - first) PF_TRY(read_kind(word, &kind[first + count], e));
  PF_CHECK(count == 1 || count == 3 - first, e, PFFT3D_ERR_USAGE,
           "kind '%.60s': must be one for all axes, or %d", text, 3 - first);
  for (int a = 0; a < 3; a++)
    p->axis[a] = a < first ? PFFT3D_DFT : count == 1 ? kind[first] : kind[a];
  return PFFT3D_OK;
}

void pf_kinds_print(const pfft3d_problem *p, char *out, size_t size) {
  int first = first_axis(p), plain = 1;
  out[0] = 0;
  for (int a = first; a < 3; a++) plain = plain && p->axis[a] == PFFT3D_DFT;
  for (int a = first; a < 3 && !plain; a++) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", a > first ? "," : "",
             pf_kind_at((int)p->axis[a], NULL));
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
    PF_CHECK(p->dims != 1 || kind == PFFT3D_DFT, e, PFFT3D_ERR_UNAVAILABLE,
             "kind %s: one dimension has dft only; a field 1x1xN takes all kinds",
             pf_kind_at(kind, NULL));
    transformed = transformed || kind != PFFT3D_NONE;
  }
  PF_CHECK(transformed, e, PFFT3D_ERR_USAGE, "kind none for all axes: nothing to transform");
  PF_CHECK(!pf_problem_half(p) || p->axis[2] == PFFT3D_DFT, e, PFFT3D_ERR_UNAVAILABLE,
           "kind %s of axis 2: a real field with a dft along another axis needs one along axis 2",
           pf_kind_at((int)p->axis[2], NULL));
  return PFFT3D_OK;
}

double pfft3d_problem_points(const pfft3d_problem *p) {
  double product = p ? 1 : 0;
  for (int a = 0; p && a < 3; a++) product *= pf_kind_logical(pf_problem_axis(p, a), p->n[a]);
  return product;
}
