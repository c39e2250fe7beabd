/* SPDX-License-Identifier: BSD-3-Clause
 * The names of temporary files, so that pfft3d_remove_temporary() can remove them when a signal
 * ends the program.
 *
 * There is one list in a process.  It belongs to the core library, which exports these functions
 * for libpfft3d_hdf5; applications have no use for them. */
#ifndef PF_BASE_TEMPORARY_H
#define PF_BASE_TEMPORARY_H

/** Local. Adds a file to the list; called before the file is created, so that it never exists
 *  unlisted.  Returns its slot, negative if the list is full or the name too long: the file then
 *  remains if a signal ends the program. */
int pfft3d_internal_temporary_add(const char *name);

/** Local. Removes the file of a slot from the list: it is complete, or deleted.  Negative slots are
 *  ignored. */
void pfft3d_internal_temporary_drop(int slot);

static inline int pf_temporary_add(const char *name) {
  return pfft3d_internal_temporary_add(name);
}
static inline void pf_temporary_drop(int slot) {
  pfft3d_internal_temporary_drop(slot);
}

#endif
