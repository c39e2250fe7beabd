/* SPDX-License-Identifier: BSD-3-Clause
 * Requests of the library from options.  Commands copy and vary them with the library's functions;
 * no other file of the program turns options into requests. */
#ifndef PF_APP_COMMON_REQUEST_H
#define PF_APP_COMMON_REQUEST_H

#include "app/common/app.h"

/** Local. A request with all keys that options set, their machine and their wisdom, for problem
 *  @p p, or for the current one of the options if @p p is NULL: c2c if the options name no type.
 *  Of several methods, exchanges and engines it has the first ones.  The caller destroys it.  Ends
 *  the program if there is no memory. */
pfft3d_request *options_request(const app *a, const pfft3d_problem *p);

/** Local. Fills @p list with requests for all combinations of the methods, exchanges and engines in
 *  the options, at most @p most; returns their number.  requests_destroy() destroys them. */
int options_requests(const app *a, pfft3d_request **list, int most);
void requests_destroy(pfft3d_request **list, int count);

/** Local. A copy, which the caller destroys.  Ends the program if there is no memory. */
pfft3d_request *request_copy(const app *a, const pfft3d_request *r);

/** Local. Leaves no choice but this decision. */
void request_decide(pfft3d_request *r, const pfft3d_decision *d);

/** Local. The name of a request in messages: its exchange, for a line with the method. */
const char *request_label(const pfft3d_request *r, char name[2 * NAME_SIZE]);

/** Local. Nonzero if the value of a key is this word. */
int request_is(const pfft3d_request *r, const char *key, const char *word);

/** Local. Sets the scales of a request for a NORM_..., as in numpy: one direction is divided by the
 *  number of points, or both by its square root.  @p scale returns them, by pfft3d_direction. */
void request_normalize(pfft3d_request *r, int norm, double scale[2]);

#endif
