/* SPDX-License-Identifier: BSD-3-Clause
 * Allocations of the library: counted, listed until they are freed, and made to fail.  A program
 * that includes this has lib/allocations.c among its sources and the linker's --wrap options of
 * tests/local.mk, which redirect calls of malloc and its relatives from the program's own objects,
 * including the library's, to functions there; calls from MPI, FFTW and HDF5 are not redirected. */
#ifndef PF_TESTS_ALLOCATIONS_H
#define PF_TESTS_ALLOCATIONS_H

#include "support.h"

typedef struct allocations {
  long count, fail; /* calls so far; number of the call that fails, 0: none */
  long frees;       /* calls of free() */
  long live;        /* allocations that are not freed */
  int hit;          /* nonzero: a call has failed */
} allocations;
extern allocations memory;

#endif
