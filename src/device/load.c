/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/load.h"

#include <dlfcn.h>
#include <string.h>

void *pf_load(const char *const *files, const char **why) {
  void *library = NULL;
  for (; *files && !library; files++) library = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
  *why = library ? "" : dlerror();
  return library;
}

const char *pf_load_symbols(void *library, const pf_symbol *symbols, size_t count) {
  for (size_t k = 0; k < count; k++) {
    void *function = dlsym(library, symbols[k].name);
    if (!function) return symbols[k].name;
    memcpy(symbols[k].pointer, &function, sizeof function);
  }
  return NULL;
}
