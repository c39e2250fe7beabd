/* SPDX-License-Identifier: BSD-3-Clause
 * The registries of schemes, and of methods for one dimension. */
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
