/* SPDX-License-Identifier: BSD-3-Clause
 * The initial field of NAS FT: pseudo-random numbers in the order of the original. Each rank
 * generates its own part by jumping ahead. */
#ifndef PF_APPS_NAS_NAS_FIELD_H
#define PF_APPS_NAS_NAS_FIELD_H

#include <pfft3d_tune.h>
#include <stdint.h>

/** Local. The state of the generator after this number of steps. */
uint64_t nas_random_state(uint64_t steps);

/** Local. Fills this rank's box of a field of n[0] x n[1] x n[2] complex numbers in @p array,
 *  with @p threads threads. Real and imaginary parts are in (0, 1), in the order of the generator
 *  along axis 2. */
void nas_fill(const ptrdiff_t n[3], const pfft3d_box *box, int threads, double *array);

#endif
