/* SPDX-License-Identifier: BSD-3-Clause
 * Which components are kept, and the kept ones in the order of their indices. */
#ifndef PF_APPS_COMPRESS_SELECT_H
#define PF_APPS_COMPRESS_SELECT_H

#include "app/common/app.h"
#include "apps/compress/components.h"

/* What was kept, on all ranks; energies are sums of squares of scaled moduli over the full
 * spectrum.
 */
typedef struct selection {
  rank_key first_dropped;  /* kept is what comes before */
  double kept;             /* components; pairs count twice */
  double energy, dropped;  /* of the kept ones, and of all others */
  component *item;         /* this rank's share of the kept ones, by index; pairs once */
  ptrdiff_t count, before; /* how many, and how many ranks before hold */
  double stored;           /* on all ranks */
} selection;

/** Collective on a->comm. Selects the first components, as many as fit into @p wanted; a pair is
 *  kept or dropped as a whole, and nothing after the first that does not fit is kept.  To be closed
 *  with select_free(). */
void select_largest(const app *a, const components *c, double wanted, selection *s);
void select_free(selection *s);

#endif
