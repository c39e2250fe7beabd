/* SPDX-License-Identifier: BSD-3-Clause
 * The periodic grid on which two fields are convolved, and the part of the result that is stored.
 */
#ifndef PF_APPS_FILTER_PADDING_H
#define PF_APPS_FILTER_PADDING_H

#include <stddef.h>

typedef struct padding {
  ptrdiff_t grid[3];
  ptrdiff_t out[3];    /* size of the result, */
  ptrdiff_t offset[3]; /* point of the periodic convolution or correlation that is its point 0 */
} padding;

/** Local. For fields of sizes n and m; the second one is mirrored if @p mirrored, as in
 * correlations and deconvolutions; @p mode is a MODE_...; in MODE_CIRCULAR no m is larger than n,
 * and point m/2 of the second field is its zero if @p centre, else point 0. */
padding padding_make(const ptrdiff_t n[3], const ptrdiff_t m[3], int mode, int mirrored,
                     int centre);

/** Local. The least size from @p n on with the prime factors 2, 3, 5 and 7 only; sizes above 2 are
 * even. */
ptrdiff_t padding_size(ptrdiff_t n);

#endif
