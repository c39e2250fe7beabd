/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom in the program: the path of its file, and messages about it. */
#ifndef PF_APP_COMMON_WISDOM_H
#define PF_APP_COMMON_WISDOM_H

#include "app/common/app.h"

/** Collective on a->comm. Sets a->opt.wisdom to the name of the file: --wisdom's, else the user's
 *  own, "" if there is none. If the command makes plans, reads the file into a->opt.known and
 *  prints at most one notice. Errors, in a->error: PERMISSION, WISDOM, IO. */
int wisdom_open(app *a);

/** Local. Frees the wisdom of wisdom_open(). */
void wisdom_close(app *a);

/** Collective on a->comm. Checks, before anything is measured, that wisdom can be written; creates
 *  the user's own directory for it. Errors, in a->error: PERMISSION, OUTPUT. */
int wisdom_ready(app *a);

/** Collective on a->comm. Adds the best candidate of a request to the file. Errors, in a->error. */
int wisdom_keep(app *a, const pfft3d_request *request, const pfft3d_candidate *best);

#endif
