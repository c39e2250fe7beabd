/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions for tests: the forms that the schemes use, and where layout.h says that every
 * element lies, worked out without src/layout. */
#ifndef PF_TESTS_REDIST_H
#define PF_TESTS_REDIST_H

#include "layout/layout.h"
#include "support.h"

/* Which axis is cut before and after, and the planes of the sender and of the receiver. */
typedef struct form {
  int from, to, outer, next;
  const char *name;
} form;

/* All that routes may hold: test_scheme knows these, and nothing else, from here. */
enum { FORMS = 6 };
extern const form forms[FORMS];

/* Local. Redistribution of a form, with one line in each group. */
pf_redist make_redist(const form *f, const ptrdiff_t n[3], ptrdiff_t batch, int ranks, int me);

/* Local. "1 to 2 ..., 3x4x5*2, rank 1 of 3". */
const char *redist_name(const form *f, const pf_redist *r);

/* Local. Part k of n: the first n mod ranks parts hold one more than the others. */
pf_range share(ptrdiff_t n, int ranks, int k);

/* Local. The same for the axis of a redistribution that is cut, by its rule or its list. */
pf_range share_axis(const pf_redist *r, int axis, int k);

/* Cuts of both axes of a redistribution for a number: balanced, ceil, or lists of random parts, of
 * which many are empty.  The lists are those of the last call; 0 leaves all balanced. */
void roll_cuts(pf_redist *r, uint64_t number);

/* Local. The part of an axis that goes from one rank to another. */
pf_range share_of(const pf_redist *r, int sender, int receiver, int axis);

/* Local. Elements of a block, of all fields. */
ptrdiff_t block_size(const pf_redist *r, int sender, int receiver);

/* Local. Where field b of the element with global indices lies in the send buffer of this rank,
 * which has it for rank d, or in the receive buffer, which has it from rank s. */
ptrdiff_t sent_place(const pf_redist *r, int d, const ptrdiff_t global[3], ptrdiff_t b);

ptrdiff_t received_place(const pf_redist *r, int s, const ptrdiff_t global[3], ptrdiff_t b);

#endif
