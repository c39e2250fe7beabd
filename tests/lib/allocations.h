/* SPDX-License-Identifier: BSD-3-Clause
 * Allocations of the library, counted, remembered until they are freed, and made to fail.  A
 * program that includes this has lib/allocations.c among its sources and the linker's --wrap
 * options of tests/local.mk, which lead every call of malloc and its relatives from the program's
 * own objects, the library's among them, to functions there; those of MPI, FFTW and HDF5 stay as
 * they are. */
#ifndef PF_TESTS_ALLOCATIONS_H
#define PF_TESTS_ALLOCATIONS_H

#include "support.h"

typedef struct allocations {
  long count, fail; /* calls so far, and the one that fails; 0: none */
  long frees;       /* calls of free() */
  long live;        /* not freed */
  int hit;          /* whether one has failed */
} allocations;
extern allocations memory;

#endif
