/* SPDX-License-Identifier: BSD-3-Clause
 * How the indices of an axis are divided among ranks: into parts that follow each other, one for
 * each rank, any of which may be empty.  A rule gives the cuts from the number of parts, or a list
 * names them.  Arithmetic only. */
#ifndef PF_LAYOUT_CUTS_H
#define PF_LAYOUT_CUTS_H

#include <stddef.h>

/* Part of an axis: indices lo .. lo+len-1. */
typedef struct pf_range {
  ptrdiff_t lo, len;
} pf_range;

/** Local. Part @p part of n indices split into @p parts: with q = n / parts, r = n % parts, the
 *  first r parts hold q+1 indices, the others q.  Empty parts have lo = n, as has part number
 *  @p parts.  (Blocks of ceil(n / parts) would leave ranks idle while others hold more than
 *  necessary.) */
static inline pf_range pf_split(ptrdiff_t n, int parts, int part) {
  /* cppcheck-suppress zerodivcond ; there is at least one part */
  ptrdiff_t q = n / parts, r = n % parts; /* NOLINT(clang-analyzer-core.DivideZero) */
  pf_range range;
  range.lo = part < r ? part * (q + 1) : part * q + r;
  range.len = part < r ? q + 1 : q;
  if (part == parts) range = (pf_range){n, 0};
  return range;
}

/** Local. The part that holds @p index, 0 <= index < n. */
int pf_split_owner(ptrdiff_t n, int parts, ptrdiff_t index);

/** Local. The number of non-empty parts: min(n, parts). */
int pf_split_used(ptrdiff_t n, int parts);

/* The ways to cut an axis:
 *   PF_CUTS_BALANCED  pf_split()
 *   PF_CUTS_CEIL      blocks of ceil(n / parts), as FFTW-MPI has them: the last block may be
 *                     shorter, and blocks after it are empty
 *   PF_CUTS_GIVEN     a list */
typedef enum pf_cuts_rule { PF_CUTS_BALANCED, PF_CUTS_CEIL, PF_CUTS_GIVEN } pf_cuts_rule;

/* All zero: balanced. */
typedef struct pf_cuts {
  pf_cuts_rule rule;
  const ptrdiff_t *at; /* PF_CUTS_GIVEN: part k is at[k] .. at[k+1]-1, for all parts; borrowed */
} pf_cuts;

/** Local. Part @p part of n indices; part number @p parts is empty.  Dry runs for many ranks call
 * it most of the time: balanced parts are computed inline. */
pf_range pf_cuts_part_other(const pf_cuts *c, ptrdiff_t n, int parts, int part);
static inline pf_range pf_cuts_part(const pf_cuts *c, ptrdiff_t n, int parts, int part) {
  return c->rule == PF_CUTS_BALANCED ? pf_split(n, parts, part)
                                     : pf_cuts_part_other(c, n, parts, part);
}

/** Local. The part that holds @p index, 0 <= index < n. */
int pf_cuts_owner(const pf_cuts *c, ptrdiff_t n, int parts, ptrdiff_t index);

/** Local. The first part after @p part that has another length; @p parts if there is none. */
int pf_cuts_next(const pf_cuts *c, ptrdiff_t n, int parts, int part);

/** Local. The length of the longest part. */
ptrdiff_t pf_cuts_longest(const pf_cuts *c, ptrdiff_t n, int parts);

/** Local. The number of parts that are not empty. */
int pf_cuts_used(const pf_cuts *c, ptrdiff_t n, int parts);

/** Local. Nonzero if the rules are the same, and, for lists, the arrays (compared by address). */
int pf_cuts_same(const pf_cuts *a, const pf_cuts *b);

#endif
