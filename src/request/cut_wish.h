/* SPDX-License-Identifier: BSD-3-Clause
 * The cuts that a request asks for: a rule for all axes, and lists for single ones.  Lists are
 * immutable and counted by reference: copies of a request, and its plans, share them. */
#ifndef PF_REQUEST_CUT_WISH_H
#define PF_REQUEST_CUT_WISH_H

#include "base/status.h"
#include "layout/layout.h"

typedef struct pf_cut_list {
  long holders;
  int parts;
  ptrdiff_t at[]; /* parts + 1 */
} pf_cut_list;

/* All zero: balanced. */
typedef struct pf_cut_wish {
  pf_cuts_rule rule;
  pf_cut_list *list[2][3]; /* by pfft3d_side and axis; NULL: by the rule */
} pf_cut_wish;

/** Local. Takes a reference to the lists; pf_cut_wish_drop() releases it and sets *w to zero. */
void pf_cut_wish_hold(const pf_cut_wish *w);
void pf_cut_wish_drop(pf_cut_wish *w);

/** Local. Replaces the list of an axis by a copy of the caller's list; 0 parts: by the rule.
 * Errors: USAGE, MEMORY. */
int pf_cut_wish_put(pf_cut_wish *w, const pfft3d_cuts *cuts, pfft3d_error *e);

/** Local. Nonzero if any list is given; pf_cut_wish_any(): or a rule other than balanced. */
int pf_cut_wish_lists(const pf_cut_wish *w);
int pf_cut_wish_any(const pf_cut_wish *w);

/** Local. A hash of all cuts. */
unsigned long long pf_cut_wish_hash(const pf_cut_wish *w);

/** Local. The cuts of an axis of a side, of n indices: in natural order the spectrum has the cuts
 * of the field, if it has no list and the axis has the same length. */
pf_cuts pf_cut_wish_of(const pf_cut_wish *w, pfft3d_order order, pfft3d_side side, int axis,
                       ptrdiff_t n);

/** Local. The number of parts in the lists along a dimension of the grid; 0 without lists. */
int pf_cut_wish_parts(const pf_cut_wish *w, pfft3d_order order, int dim);

/** Local. Checks the lists against the array of a side that is distributed over a grid.  Errors:
 *  USAGE. */
int pf_cut_wish_check(const pf_cut_wish *w, pfft3d_side side, const pf_layout *l, pfft3d_error *e);

/** Local. Reads "balanced", "ceil" and lists "0:0,5,16" or "spectrum1:0,8,16", separated by "/",
 * from a text; pf_cut_wish_print() prints them, or "lists" if the text does not fit @p size bytes.
 * Errors: USAGE, MEMORY. */
int pf_cut_wish_read(pf_cut_wish *w, const char *text, pfft3d_error *e);
void pf_cut_wish_print(const pf_cut_wish *w, char *out, size_t size);

#endif
