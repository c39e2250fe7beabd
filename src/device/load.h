/* SPDX-License-Identifier: BSD-3-Clause
 * Libraries that are loaded on request: programs start, and builds run, without them. */
#ifndef PF_DEVICE_LOAD_H
#define PF_DEVICE_LOAD_H

#include <stddef.h>

/* A function, and the pointer to set. */
typedef struct pf_symbol {
  const char *name;
  void *pointer;
} pf_symbol;

/* For a list of functions F(name)...: members of a struct `api`, and entries of a table.  Works for
 * functions that headers rename by macros. */
#define PF_MEMBER(name)   __typeof__(&name) name;
#define PF_TEXT_OF(name)  #name
#define PF_VALUE_OF(name) PF_TEXT_OF(name)
#define PF_ENTRY(name)    {PF_VALUE_OF(name), &api.name},

/** Local. Loads the first of these files (up to NULL) that can be loaded, for good, and finds
 * `count` functions in it.  Returns NULL, or the reason of a failure, valid until the next call:
 * the loader's message for the last file, or the first missing function. */
const char *pf_load(const char *const *files, const pf_symbol *symbols, size_t count);

#endif
