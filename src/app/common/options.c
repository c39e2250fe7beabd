/* SPDX-License-Identifier: BSD-3-Clause
 * Queries about options that were given. */
#include "app/common/options.h"

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
