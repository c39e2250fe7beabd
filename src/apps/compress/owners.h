/* SPDX-License-Identifier: BSD-3-Clause
 * Sends components to the ranks that hold their elements of the spectrum. */
#ifndef PF_APPS_COMPRESS_OWNERS_H
#define PF_APPS_COMPRESS_OWNERS_H

#include "app/common/app.h"
#include "apps/compress/components.h"

/** Collective on a->comm. Stores @p count valid components of this rank, and the components of all
 * other ranks, in the spectrum of the plan, c->array. */
void owners_send(const app *a, const pfft3d_plan *plan, const components *c, const component *item,
                 ptrdiff_t count);

#endif
