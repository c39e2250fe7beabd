/* SPDX-License-Identifier: BSD-3-Clause
 * The transforms of all kinds of axes by their definitions, in long double. */
#ifndef PF_TESTS_KINDS_H
#define PF_TESTS_KINDS_H

#include "support.h"

/* Local. A real-to-real transform, by FFTW's formula, of the real and the imaginary parts of
 * `lines` lines of n points, in place; points are `along` elements apart, lines `across`. */
void kind_lines(wide *x, pfft3d_axis_kind kind, ptrdiff_t n, ptrdiff_t along, ptrdiff_t lines,
                ptrdiff_t across);

/* Local. A whole field in C order along all axes, in place; backward: direction 1. */
void kind_field(wide *x, const pfft3d_problem *p, int direction);

/* Local. The kind of the inverse transform, up to a factor. */
pfft3d_axis_kind kind_back(pfft3d_axis_kind kind);

/* Local. Nonzero if the spectrum of a real field is half of one, as with a dft axis; else it is
 * real. */
int has_half(const pfft3d_problem *p);

/* Local. The axis along which the spectrum is half of one: the last one with a dft; -1: none. */
int half_axis(const pfft3d_problem *p);

#endif
