/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of the command poisson. */
#ifndef PF_APPS_POISSON_POISSON_H
#define PF_APPS_POISSON_POISSON_H

#include <jansson.h>

#include "app/common/app.h"
#include "apps/poisson/solve.h"

/** Collective on a->comm. Solves for the dataset of --input, and writes --output.  Returns
 *  a->error.status. */
int poisson_file(app *a);

/** Collective on a->comm. Compares with exact solutions on three grids, --grid the finest. */
int poisson_manufactured(app *a);

/** On one rank. Times iterative methods and the FFT on squares of many sizes. */
int poisson_iterative(app *a);

enum { POISSON_EQUATION = 200 };

/** Collective on a->comm. Sets the members of a domain with known `dims` and n from the options.
 *  grid_free() frees d->grid.  Errors: USAGE; DATA for sizes of a file; those of
 *  poisson_coordinates(). */
int poisson_domain(app *a, domain *d, int of_file);

/** Collective on a->comm. Reads --coordinates into d->grid, for grid_free().  Errors, in a->error:
 *  those of field_probe() and field_read(); USAGE, DATA; MEMORY.  coordinates.c */
int poisson_coordinates(app *a, domain *d);

/** Local. The grid of a domain with half as many intervals as a finer one: every second edge. */
grid *poisson_coarser(const app *a, const domain *fine, const domain *d);

/** Local. Writes the equation, "laplacian(u) - 4 u = f", or with coefficients "2 u_00 + 3 u_11 =
 * f"; returns out. */
char *poisson_equation(const app *a, const domain *d, char *out, size_t size);

/** Local. "second", "spectral", or "none" in free space. */
const char *poisson_stencil(const domain *d);

/** Local. Adds "problem", "bc", "stencil" and the options that change what runs to a report. */
void poisson_head(const app *a, json_t *report, const domain *d, const pfft3d_problem *p);

/** Collective on a->comm. An entry of "runs": plan, boundaries, times of `reps` solutions, and the
 * error of rounding in messages. */
json_t *poisson_entry(const solver *s, const double *seconds, int reps);

/** Local. A warning, if the mean of the right-hand side was dropped. */
void poisson_warn(const solver *s);

#endif
