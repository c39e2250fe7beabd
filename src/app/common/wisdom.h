/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom in the program: where its file is, and what users hear of it. */
#ifndef PF_APP_COMMON_WISDOM_H
#define PF_APP_COMMON_WISDOM_H

#include "app/common/app.h"

/** Collective on a->comm. Finds the name of the file, in a->opt.wisdom: that of --wisdom, else the
 *  user's own, "" where there is none.  Where the command makes plans, reads it for all of them,
 *  into a->opt.known; says at most one line about it.  Errors, in a->error: PERMISSION, WISDOM, IO.
 */
int wisdom_open(app *a);

/** Local. Frees what wisdom_open() has read. */
void wisdom_close(app *a);

/** Collective on a->comm. Finds out, before anything is measured, whether wisdom can be kept; makes
 *  the user's own directory for it.  Errors, in a->error: PERMISSION, OUTPUT. */
int wisdom_ready(app *a);

/** Collective on a->comm. Keeps the best candidate of a request.  Errors, in a->error. */
int wisdom_keep(app *a, const pfft3d_request *request, const pfft3d_candidate *best);

#endif
