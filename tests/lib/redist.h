/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions for tests: the forms that the schemes use, and the position of every element by
 * layout.h, computed without src/layout. */
#ifndef PF_TESTS_REDIST_H
#define PF_TESTS_REDIST_H

#include "layout/layout.h"
#include "support.h"

/* Which axis is cut before and after, and the planes of the sender and of the receiver. */
typedef struct form {
  int from, to, outer, next;
  const char *name;
} form;

/* All possible forms in routes: test_scheme uses only these. */
enum { FORMS = 6 };
extern const form forms[FORMS];

/* Local. Redistribution of a form, with one line in each group. */
pf_redist make_redist(const form *f, const ptrdiff_t n[3], ptrdiff_t batch, int ranks, int me);

/* Local. "1 to 2 ..., 3x4x5*2, rank 1 of 3". */
const char *redist_name(const form *f, const pf_redist *r);

/* Local. Part k of n: the first n mod ranks parts hold one more than the others. */
pf_range share(ptrdiff_t n, int ranks, int k);

/* Local. As share(), for the cut axis of a redistribution, by its rule or its list. */
pf_range share_axis(const pf_redist *r, int axis, int k);

/* Cuts of both axes of a redistribution for a number: balanced, ceil, or lists of random parts,
 * many of them empty.  The lists are valid until the next call; 0: all balanced. */
void roll_cuts(pf_redist *r, uint64_t number);

/* Local. The part of an axis that goes from one rank to another. */
pf_range share_of(const pf_redist *r, int sender, int receiver, int axis);

/* Local. Elements of a block, of all fields. */
ptrdiff_t block_size(const pf_redist *r, int sender, int receiver);

/* Local. Offset of field b of the element with these global indices in this rank's send buffer, for
 * rank d, or in its receive buffer, from rank s. */
ptrdiff_t sent_offset(const pf_redist *r, int d, const ptrdiff_t global[3], ptrdiff_t b);

ptrdiff_t received_offset(const pf_redist *r, int s, const ptrdiff_t global[3], ptrdiff_t b);

#endif
