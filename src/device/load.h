/* SPDX-License-Identifier: BSD-3-Clause
 * Libraries that are opened when somebody wants them: programs start, and builds run, where they
 * are not. */
#ifndef PF_DEVICE_LOAD_H
#define PF_DEVICE_LOAD_H

#include <stddef.h>

/* A function, and the pointer that becomes it. */
typedef struct pf_symbol {
  const char *name;
  void *pointer;
} pf_symbol;

/* For a list of functions F(name)...: members of a struct `api`, and entries of a table.  Headers
 * give some functions other names by macros, which these follow. */
#define PF_MEMBER(name)   __typeof__(&name) name;
#define PF_TEXT_OF(name)  #name
#define PF_VALUE_OF(name) PF_TEXT_OF(name)
#define PF_ENTRY(name)    {PF_VALUE_OF(name), &api.name},

/** Local. Opens the first of these files (up to NULL) that can be loaded, for good, and finds
 * `count` functions in it.  Returns NULL, or why not, until the next call: what the last file, or
 * one that it needs, is without, or the first function that is missing. */
const char *pf_load(const char *const *files, const pf_symbol *symbols, size_t count);

#endif
