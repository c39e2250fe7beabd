/* SPDX-License-Identifier: BSD-3-Clause
 * The points of a field in the array of a plan, which may be larger: complex numbers for real
 * points, or a grid of which the field is only a part.  In files the points are packed. */
#ifndef PF_APP_COMMON_ROWS_H
#define PF_APP_COMMON_ROWS_H

#include <pfft3d.h>

typedef struct rows {
  pfft3d_box box;        /* of this rank in the array; strides in its elements */
  pfft3d_box part;       /* the points of the field in it, packed in C order */
  size_t bytes, element; /* of a packed point, and of an element of the array */
} rows;

/** Local. Describes the part of @p box inside n. */
rows rows_make(const pfft3d_box *box, const ptrdiff_t n[3], size_t bytes, size_t element);

/** Local. Number of points. */
ptrdiff_t rows_points(const rows *r);

/** Local. Spreads points that are packed at the beginning of an array over it, with 0 elsewhere;
 *  and packs them again. */
void rows_spread(const rows *r, void *array);
void rows_collect(const rows *r, void *array);

/** Local. Number of packed numbers, doubles or floats, that are not finite. */
double rows_nonfinite(const rows *r, int single, const void *array);

#endif
