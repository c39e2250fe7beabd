/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *pf_load(const char *const *files, const pf_symbol *symbols, size_t count) {
  static char why[320];
  void *library = NULL;
  for (; *files && !library; files++) library = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  for (size_t k = 0; k < count; k++) {
    void *function = dlsym(library, symbols[k].name);
    memcpy(symbols[k].pointer, &function, sizeof function);
    if (function) continue;
    snprintf(why, sizeof why, "%s has no %s: it is too old, or too new", files[-1],
             symbols[k].name);
    return why;
  }
  return NULL;
}
