/* SPDX-License-Identifier: BSD-3-Clause
 * What the options ask the library for: the only place where requests are made of options. */
#ifndef PF_APP_COMMON_REQUEST_H
#define PF_APP_COMMON_REQUEST_H

#include "app/common/options.h"

/** Local. The request that the options ask for, with the given exchange and engine; c2c where the
 *  type is TYPE_AUTO; for a line where they have its size, with the first method asked for. */
pfft3d_request options_request(const options *o, const char *algo, const char *engine);

/** Local. The requests for all methods, exchanges and engines asked for, at most @p most of them;
 *  how many. */
int options_requests(const options *o, pfft3d_request *list, int most);

/** Local. Sets the factors on the results of request @p r, whose problem is complete: by NORM_...
 * As those of numpy, @p norm names the direction that divides by the number of points, or both by
 * its root. */
void request_normalize(pfft3d_request *r, int norm);

/** Local. The word for the factors of a request, "none" where both are 1. */
const char *request_norm(const pfft3d_request *r);

#endif
