/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures in PNG files, drawn by gnuplot, which rank 0 starts. */
#ifndef PF_APP_COMMON_PICTURE_H
#define PF_APP_COMMON_PICTURE_H

#include "app/common/app.h"

/* The labels of a picture. */
typedef struct picture {
  const char *title, *label[2]; /* labels of x and y */
  int logarithmic[2];
  int slope_thirds; /* a guide to the eye on logarithmic axes: y ~ x^(slope_thirds / 3); 0: none */
} picture;

/* A line through points; on logarithmic axes only positive values are drawn. */
typedef struct picture_line {
  const char *name; /* in the key; NULL: none */
  const double *x, *y;
  int count;
  int points; /* points without a line */
} picture_line;

/* A map of rows x columns values, row 0 at the bottom. */
typedef struct picture_map {
  const double *values;
  ptrdiff_t rows, columns;
  double first[2], step[2]; /* x and y of the first value; steps between values */
  const char *label;        /* label of the values */
  enum { PICTURE_VIRIDIS, PICTURE_GRAY, PICTURE_SIGNED } palette; /* signed: 0 is white */
} picture_map;

/** Collective on a->comm, before any work. Starts the picture @p file: finds gnuplot and checks
 *  that the file can be written.  One of the functions below draws the picture, or it is removed at
 *  the end of a failed run.  Errors, in a->error: UNAVAILABLE, OUTPUT. */
int picture_open(app *a, const char *file);

/** Collective on a->comm; the values of rank 0 are used. Draws the picture and renames it to its
 *  final name.  Errors, in a->error: IO. */
int picture_draw_lines(app *a, const picture *p, const picture_line *lines, int count);
int picture_draw_map(app *a, const picture *p, const picture_map *map);

#endif
