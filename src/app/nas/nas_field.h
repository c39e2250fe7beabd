/* SPDX-License-Identifier: BSD-3-Clause
 * The initial field of NAS FT: pseudo-random numbers in the order of the original, of which every
 * rank makes its own by jumping ahead. */
#ifndef PF_APP_NAS_NAS_FIELD_H
#define PF_APP_NAS_NAS_FIELD_H

#include <pfft3d_tune.h>
#include <stdint.h>

/** Local. The state of the generator behind so many steps. */
uint64_t nas_random_state(uint64_t steps);

/** Local. Puts a box of the field, an array of n[0] x n[1] x n[2] complex numbers whose fastest
 * axis is 2, to its places in @p array; on so many threads.  Both parts are in (0, 1): the numbers
 * of the generator in turn. */
void nas_fill(const ptrdiff_t n[3], const pfft3d_box *box, int threads, double *array);

#endif
