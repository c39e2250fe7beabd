/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes that follow from the problem alone. */
#include "local/engine.h"

size_t pfft3d_element_bytes(const pfft3d_problem *p, pfft3d_side side) {
  if (!p) return 0;
  size_t number = pf_element(p->precision);
  return p->kind == PFFT3D_R2C && side == PFFT3D_SPACE ? number / 2 : number;
}

void pfft3d_problem_extents(const pfft3d_problem *p, pfft3d_side side, ptrdiff_t n[3]) {
  if (!n) return;
  for (int a = 0; a < 3; a++) n[a] = p ? p->n[a] : 0;
  if (p && p->kind == PFFT3D_R2C && side == PFFT3D_SPECTRUM) n[2] = p->n[2] / 2 + 1;
}
