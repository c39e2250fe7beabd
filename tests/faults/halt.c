/* SPDX-License-Identifier: BSD-3-Clause
 * Stops the process that looks at a file, by LD_PRELOAD, just before HDF5 opens it, so that a test
 * can look at that process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int looks(void) {
  char words[4096] = "";
  FILE *f = fopen("/proc/self/cmdline", "r");
  size_t n = f ? fread(words, 1, sizeof words - 1, f) : 0;
  if (f) fclose(f);
  size_t first = strlen(words) + 1;
  return n > first && strcmp(words + first, "probe-input") == 0;
}

hid_t H5Fopen(const char *name, unsigned flags, hid_t access) {
  static hid_t (*real)(const char *, unsigned, hid_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "H5Fopen");
  if (looks()) {
    if (getenv("HDF5_DRIVER") || getenv("HDF5_PLUGIN_PATH")) abort(); /* it should know neither */
    raise(SIGSTOP);
  }
  return real(name, flags, access);
}
