/* SPDX-License-Identifier: BSD-3-Clause
 * The files that Open MPI's MPI-IO makes for one that ranks open together: it removes them when
 * they close it, and nobody does when the run is stopped before. */
#ifndef PF_IO_BESIDE_H
#define PF_IO_BESIDE_H

#include "base/status.h"

enum { PF_BESIDE = 3 };
typedef struct pf_beside {
  int slot[PF_BESIDE]; /* among what is under way */
} pf_beside;

extern const pf_beside pf_beside_none;

/** Collective on comm, by the ranks that are about to open a file through MPI-IO, or some of them
 *  with rank 0 the same. Notes what is to go when the program is stopped until pf_beside_drop().
 *  @p alone: nobody else can have a file of this name in any directory.  Nothing is noted with
 *  another MPI.  Errors: INTERNAL. */
int pf_beside_note(MPI_Comm comm, const char *file, int alone, pf_beside *b, pfft3d_error *e);

/** Local. The file is closed, or gone; twice is once. */
void pf_beside_drop(pf_beside *b);

#endif
