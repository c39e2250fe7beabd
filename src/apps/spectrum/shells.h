/* SPDX-License-Identifier: BSD-3-Clause
 * The power of a field in shells of wavenumbers. */
#ifndef PF_APPS_SPECTRUM_SHELLS_H
#define PF_APPS_SPECTRUM_SHELLS_H

#include "app/common/app.h"

/* Sums over the modes of a shell.  The squares of numbers are beyond a double before their powers
 * are, which have the volume as a factor. */
typedef struct shell {
  long double modes, k, power;
} shell;

typedef struct shells {
  pfft3d_problem problem;
  double length[3];  /* of the axes that the field has; 1 for the others */
  double volume;     /* their product */
  double unit;       /* the smallest wavenumber but 0: 2 pi over the longest length */
  double *wave[3];   /* square of the wavenumber of each mode along each axis, in units */
  double *repair[3]; /* what the assignment to the grid has damped its power by, inverse */
  int logarithmic;   /* shells, ten per factor of 10; else one per unit */
  int fields;        /* that were added, components of a vector */
  int count;         /* of shells; shell 0 is mode 0 */
  shell *shell;
  long double energy; /* sum of |F|^2 over all modes but 0, as they are */
} shells;

/** Local. Prepares shells for a problem, with lengths for its last @p dims axes; @p window is a
 *  WINDOW_....  To be freed with shells_close(), also after an error.  Errors: USAGE, for more
 *  shells than anybody can use, or lengths whose ratio is beyond a double when squared. */
int shells_open(const app *a, shells *s, const pfft3d_problem *p, const double length[3], int dims,
                int window, pfft3d_error *e);
void shells_close(shells *s);

/** Local. Adds the modes of a spectrum that this rank holds in the box @p b. */
void shells_add(shells *s, const pfft3d_box *b, const void *spectrum);

/** Collective on a->comm. Sums over all ranks. */
void shells_collect(const app *a, shells *s);

#endif
