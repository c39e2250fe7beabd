/* SPDX-License-Identifier: BSD-3-Clause
 * Queries about options that were given. */
#include "app/common/options.h"

#include <stdio.h>
#include <string.h>

const char *list_find(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *p = list; (p = strstr(p, name)); p += length)
    if ((p == list || p[-1] == ' ') && strchr("= ", p[length])) return p;
  return NULL;
}

int options_given(const options *o, const char *name) {
  return list_find(o->given, name) != NULL;
}

int options_problems(const options *o) {
  const extents_list *l = o->size_list.count ? &o->size_list : &o->grid_list;
  return l->count ? l->count : 1;
}

void options_select(options *o, int number) {
  if (number < o->size_list.count)
    o->size = o->size_list.n[number][2];
  else if (number < o->grid_list.count)
    memcpy(o->grid, o->grid_list.n[number], sizeof o->grid);
}

int options_kinds(const char *text, pfft3d_problem *p, pfft3d_error *e) {
  char problem[200];
  pfft3d_problem parsed;
  const ptrdiff_t *n = p->n;
  int count = 1, axes = n[0] > 1 ? 3 : n[1] > 1 ? 2 : 1;
  if (!*text) return PFFT3D_OK;
  for (const char *at = text; *at; at++) count += *at == ',';
  if (count > 1 && count > axes) axes = count < 3 ? count : 3;
  if (axes == 3)
    snprintf(problem, sizeof problem, "c2c:d:%tdx%tdx%td:%s", n[0], n[1], n[2], text);
  else if (axes == 2)
    snprintf(problem, sizeof problem, "c2c:d:%tdx%td:%s", n[1], n[2], text);
  else
    snprintf(problem, sizeof problem, "c2c:d:%td:%s", n[2], text);
  int status = pfft3d_problem_parse(problem, &parsed, e);
  if (!status) memcpy(p->axis, parsed.axis, sizeof p->axis);
  return status;
}
