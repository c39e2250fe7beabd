/* SPDX-License-Identifier: BSD-3-Clause
 * Real lines inside complex ones. */
#ifndef PF_LINE_REAL_H
#define PF_LINE_REAL_H

#include "layout/vector.h"

/** Local. Real numbers as complex ones, and the real parts of complex ones. */
void pf_line_widen(ptrdiff_t count, pfft3d_precision precision, const char *from, char *to);
void pf_line_narrow(ptrdiff_t count, pfft3d_precision precision, const char *from, char *to);

/** Local. Half of the spectrum of n real points, elements of a rank: those that stand for two get
 *  the weight of two, so that the real part of a transform of them alone is that of all. */
void pf_line_weigh(const pf_vector *v, int rank, ptrdiff_t n, pfft3d_precision precision,
                   const char *from, char *to);

#endif
