/* SPDX-License-Identifier: BSD-3-Clause
 * Components on their way to the ranks that hold their places in the spectrum. */
#ifndef PF_APPS_COMPRESS_OWNERS_H
#define PF_APPS_COMPRESS_OWNERS_H

#include "app/common/app.h"
#include "apps/compress/components.h"

/** Collective on a->comm. Puts @p count valid components of this rank, and those of all others,
 *  into the spectrum of the plan, which c->array holds. */
void owners_send(const app *a, const pfft3d_plan *plan, const components *c, const component *item,
                 ptrdiff_t count);

#endif
