/* SPDX-License-Identifier: BSD-3-Clause
 * The names of schemes and methods, whose code is in geometry/ and line/. */
#include "request/names.h"

#include <stddef.h>
#include <string.h>

static const pf_named schemes[] = {
#define PF_SCHEME(name, summary) {#name, summary},
#include "request/scheme_list.h"
#undef PF_SCHEME
    {NULL, NULL}};

static const pf_named methods[] = {
    {"transpose", "as a matrix: one to three exchanges of everything"},
    {"butterfly", "halves with a partner: log2 P exchanges, on a power of two of ranks"},
    {NULL, NULL}};

static const pf_named *at(const pf_named *list, int index) {
  int count = 0;
  while (list[count].name) count++;
  return index >= 0 && index < count ? &list[index] : NULL;
}

static const pf_named *find(const pf_named *list, const char *name) {
  while (list->name && strcmp(list->name, name)) list++;
  return list->name ? list : NULL;
}

const pf_named *pf_decomp_at(int index) {
  return at(schemes, index);
}

const pf_named *pf_decomp_find(const char *name) {
  return find(schemes, name);
}

const pf_named *pf_method_at(int index) {
  return at(methods, index);
}

const pf_named *pf_method_find(const char *name) {
  return find(methods, name);
}
