/* SPDX-License-Identifier: BSD-3-Clause
 * Requests from options. No other file of the program turns options into requests. */
#ifndef PF_APP_COMMON_REQUEST_H
#define PF_APP_COMMON_REQUEST_H

#include "app/common/options.h"

/** Local. The request for the current problem with the given exchange and engine: c2c if the type
 *  is TYPE_AUTO; for a line the first method of the list. */
pfft3d_request options_request(const options *o, const char *algo, const char *engine);

/** Local. Fills @p list with requests for all combinations of methods, exchanges and engines
 *  asked for, at most @p most; returns their number. */
int options_requests(const options *o, pfft3d_request *list, int most);

/** Local. Sets the scales of request @p r, whose extents are set, for a NORM_... as in numpy: the
 *  direction that is divided by the number of points, or both by its square root. */
void request_normalize(pfft3d_request *r, int norm);

/** Local. The name of the normalization of a request; "none" if both scales are 1. */
const char *request_norm(const pfft3d_request *r);

#endif
