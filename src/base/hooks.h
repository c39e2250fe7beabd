/* SPDX-License-Identifier: BSD-3-Clause
 * Settings that only tests change, alike on all ranks, while there are no plans. */
#ifndef PF_BASE_HOOKS_H
#define PF_BASE_HOOKS_H

#include <stddef.h>

/* 0: as usual. */
extern struct pf_hooks {
  int amd;             /* 1 + the result of pf_amd() */
  ptrdiff_t max_count; /* the largest count of an MPI call: small grids then take the paths of large
                          arrays, whose counts exceed INT_MAX */
  size_t round_bytes;  /* the largest part of a file that a rank moves at a time */
  int mpi_io;          /* contiguous data is read through MPI-IO on a single node, too */
  int patience;        /* seconds to wait for a reply of the program that inspects files */
} pf_hooks;

#endif
