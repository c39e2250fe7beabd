/* SPDX-License-Identifier: BSD-3-Clause
 * The power of a field in shells of wavenumbers. */
#ifndef PF_APPS_SPECTRUM_SHELLS_H
#define PF_APPS_SPECTRUM_SHELLS_H

#include "app/common/app.h"

/* Sums over the modes of a shell.  Squares of numbers may overflow a double where their powers,
 * with the volume as a factor, do not. */
typedef struct shell {
  long double modes, k, power;
} shell;

typedef struct shells {
  pfft3d_problem problem;
  double length[3];  /* of the axes that the field has; 1 for the others */
  double volume;     /* their product */
  double unit;       /* the smallest wavenumber but 0: 2 pi over the longest length */
  double *wave[3];   /* square of the wavenumber of each mode along each axis, in units */
  double *repair[3]; /* inverse of the damping of its power by assignment to the grid */
  int logarithmic;   /* nonzero: ten shells per factor of 10; 0: one per unit */
  int fields;        /* number added, the components of a vector */
  int count;         /* of shells; shell 0 is mode 0 */
  shell *shell;
  long double energy; /* sum of |F|^2 over all modes but 0, without `repair` */
} shells;

/** Local. Prepares shells for a problem, with lengths for its last @p dims axes; @p window is a
 *  WINDOW_....  To be freed with shells_close(), also after an error.  Errors: USAGE, for too many
 * shells, or lengths whose squared ratio overflows a double. */
int shells_open(const app *a, shells *s, const pfft3d_problem *p, const double length[3], int dims,
                int window, pfft3d_error *e);
void shells_close(shells *s);

/** Local. Adds the modes of a spectrum that this rank holds in the box @p b. */
void shells_add(shells *s, const pfft3d_box *b, const void *spectrum);

/** Collective on a->comm. Sums over all ranks. */
void shells_collect(const app *a, shells *s);

#endif
