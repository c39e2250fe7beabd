/* SPDX-License-Identifier: BSD-3-Clause
 * Selects the components that are kept, in the order of their indices. */
#ifndef PF_APPS_COMPRESS_SELECT_H
#define PF_APPS_COMPRESS_SELECT_H

#include "app/common/app.h"
#include "apps/compress/components.h"

/* The kept components of all ranks; energies are sums of squares of scaled moduli over the full
 * spectrum. */
typedef struct selection {
  rank_key first_dropped;  /* components with smaller keys are kept */
  double kept;             /* their number; pairs count twice */
  double energy, dropped;  /* of kept, and of all other components */
  component *item;         /* this rank's share of kept components, by index; pairs once */
  ptrdiff_t count, before; /* their number on this rank, and on the ranks before it */
  double stored;           /* their number on all ranks */
} selection;

/** Collective on a->comm. Selects the first components, at most @p wanted; a pair is kept or
 * dropped as a whole, and nothing after the first component that does not fit is kept.
 * select_free() frees *s. */
void select_largest(const app *a, const components *c, double wanted, selection *s);
void select_free(selection *s);

#endif
