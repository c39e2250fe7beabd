/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of schemes. */
#include "geometry/scheme.h"

#include <string.h>

#define PF_SCHEME(name, summary) extern const pf_scheme pf_scheme_##name;
#include "request/scheme_list.h"
#undef PF_SCHEME

static const pf_scheme *const schemes[] = {
#define PF_SCHEME(name, summary) &pf_scheme_##name,
#include "request/scheme_list.h"
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
