/* SPDX-License-Identifier: BSD-3-Clause
 * The points of a field in the array of a plan, which may be larger: complex numbers in place of
 * real ones, or a grid of which the field is a part.  Files hold the points alone. */
#ifndef PF_APP_COMMON_ROWS_H
#define PF_APP_COMMON_ROWS_H

#include <pfft3d.h>

typedef struct rows {
  pfft3d_box box;        /* of this rank in the array; strides in its elements */
  pfft3d_box part;       /* the points of the field in it, stored alone in C order */
  size_t bytes, element; /* of a point alone, and of an element of the array */
} rows;

/** Local. Describes the part of @p box that lies within n. */
rows rows_make(const pfft3d_box *box, const ptrdiff_t n[3], size_t bytes, size_t element);

/** Local. Number of points. */
ptrdiff_t rows_points(const rows *r);

/** Local. Spreads points that stand alone at the beginning of an array over it, all else 0; and
 *  collects them there again. */
void rows_spread(const rows *r, void *array);
void rows_collect(const rows *r, void *array);

/** Local. How many numbers of points that stand alone, doubles or floats, are not finite. */
double rows_nonfinite(const rows *r, int single, const void *array);

#endif
