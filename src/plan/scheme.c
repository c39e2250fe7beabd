/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of schemes. */
#include "plan/scheme.h"

#include <string.h>

#define PF_SCHEME(name) extern const pf_scheme pf_scheme_##name;
#include "plan/scheme_list.h"
#undef PF_SCHEME

static const pf_scheme *const schemes[] = {
#define PF_SCHEME(name) &pf_scheme_##name,
#include "plan/scheme_list.h"
#undef PF_SCHEME
};

const pf_scheme *pf_scheme_at(int index) {
  int count = (int)(sizeof schemes / sizeof *schemes);
  return index >= 0 && index < count ? schemes[index] : NULL;
}

const pf_scheme *pf_scheme_find(const char *name) {
  for (int i = 0; pf_scheme_at(i); i++)
    if (!strcmp(pf_scheme_at(i)->name, name)) return pf_scheme_at(i);
  return NULL;
}

static const pf_method methods[] = {
    {"transpose", "as a matrix: one to three exchanges of everything"},
    {"butterfly", "halves with a partner: log2 P exchanges, on a power of two of ranks"}};

const pf_method *pf_method_at(int index) {
  int count = (int)(sizeof methods / sizeof *methods);
  return index >= 0 && index < count ? &methods[index] : NULL;
}

const pf_method *pf_method_find(const char *name) {
  for (int i = 0; pf_method_at(i); i++)
    if (!strcmp(pf_method_at(i)->name, name)) return pf_method_at(i);
  return NULL;
}

/* Tiles lie across axis 2 where lines do not run along it; rows are taken along the axis that is
 * left. */
void pf_route_add_stage(pf_route *r, int outer, const char *axes) {
  pf_route_stage *s = &r->stage[r->stages++];
  *s = (pf_route_stage){.outer = outer, .axis = {2}, .line = {2}, .tile = {1 - outer}};
  for (; axes[s->axes]; s->axes++) {
    s->axis[s->axes] = s->line[s->axes] = axes[s->axes] - '0';
    s->tile[s->axes] = axes[s->axes] == '2' ? 1 - outer : 2;
  }
}

void pf_route_add_exchange(pf_route *r, int from, int to, int dim) {
  int k = r->stages - 1;
  r->exchange[k].from = from;
  r->exchange[k].to = to;
  r->exchange[k].dim = dim;
}

void pf_scheme_cut(pf_layout *l, const pfft3d_problem *p, const int grid[2], pfft3d_side side,
                   int first, int second, int transposed) {
  *l = (pf_layout){.grid = {grid[0], grid[1]},
                   .dim = {PF_WHOLE, PF_WHOLE, PF_WHOLE},
                   .storage = {transposed, !transposed, 2}};
  pfft3d_problem_extents(p, side, l->n);
  if (first != PF_WHOLE) l->dim[first] = 0;
  if (second != PF_WHOLE) l->dim[second] = 1;
}
