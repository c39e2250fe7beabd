/* SPDX-License-Identifier: BSD-3-Clause
 * Which calls come from pfft3d's own code: the executable and libpfft3d, by the address that they
 * return to.  PFFT3D_FAULT_IN=library: the executable is not ours. */
#ifndef PF_TESTS_OWN_H
#define PF_TESTS_OWN_H

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_RANGES = 8 };

static struct {
  int ranges;
  struct {
    uintptr_t from, to;
  } range[OWN_RANGES];
} own;

/* dl_iterate_phdr() callback; the executable comes first, if it is ours. */
static int own_note(struct dl_phdr_info *info, size_t size, void *first) {
  (void)size;
  int ours = *(int *)first || strstr(info->dlpi_name, "libpfft3d");
  *(int *)first = 0;
  for (int i = 0; ours && i < info->dlpi_phnum && own.ranges < OWN_RANGES; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
    own.range[own.ranges].from = info->dlpi_addr + p->p_vaddr;
    own.range[own.ranges++].to = info->dlpi_addr + p->p_vaddr + p->p_memsz;
  }
  return 0;
}

/* Before anything is counted. */
static void own_find(void) {
  const char *in = getenv("PFFT3D_FAULT_IN");
  int first = !in || strcmp(in, "library") != 0;
  dl_iterate_phdr(own_note, &first);
}

static int is_own(const void *caller) {
  uintptr_t at = (uintptr_t)caller;
  for (int i = 0; i < own.ranges; i++)
    if (at >= own.range[i].from && at < own.range[i].to) return 1;
  return 0;
}

#endif
