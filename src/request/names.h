/* SPDX-License-Identifier: BSD-3-Clause
 * The names of schemes for fields, and of methods for lines. */
#ifndef PF_REQUEST_NAMES_H
#define PF_REQUEST_NAMES_H

typedef struct pf_named {
  const char *name, *summary;
} pf_named;

/** Local. The entries in order, NULL past the end; by name, NULL if unknown. */
const pf_named *pf_decomp_at(int index);
const pf_named *pf_decomp_find(const char *name);
const pf_named *pf_method_at(int index);
const pf_named *pf_method_find(const char *name);

#endif
