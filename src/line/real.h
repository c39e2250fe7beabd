/* SPDX-License-Identifier: BSD-3-Clause
 * Real lines computed as complex ones. */
#ifndef PF_LINE_REAL_H
#define PF_LINE_REAL_H

#include "layout/vector.h"

/** Local. Convert real numbers to complex ones, and complex ones to their real parts. */
void pf_line_widen(ptrdiff_t count, pfft3d_precision precision, const char *from, char *to);
void pf_line_narrow(ptrdiff_t count, pfft3d_precision precision, const char *from, char *to);

/** Local. Weights a rank's part of half the spectrum of n real points: elements that stand for two
 * are doubled, so that the real part of their transform is that of the full spectrum. */
void pf_line_weigh(const pf_vector *v, int rank, ptrdiff_t n, pfft3d_precision precision,
                   const char *from, char *to);

#endif
