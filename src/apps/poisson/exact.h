/* SPDX-License-Identifier: BSD-3-Clause
 * Exact solutions of Poisson's equation for every domain. */
#ifndef PF_APPS_POISSON_EXACT_H
#define PF_APPS_POISSON_EXACT_H

#include "app/common/app.h"
#include "apps/poisson/domain.h"

/* Values along each axis, from which the solution and the right-hand side are computed. */
typedef struct exact {
  const domain *d;
  double *value[3], *second[3]; /* a function of each axis and its second derivative */
} exact;

/** Local. Fills the tables, which exact_free() frees. */
void exact_make(const app *a, exact *x, const domain *d);
void exact_free(exact *x);

/** Local. u and the sum of its second derivatives with their coefficients at a point; u has any
 * constant if the domain determines none. */
double exact_solution(const exact *x, const ptrdiff_t i[3]);
double exact_laplacian(const exact *x, const ptrdiff_t i[3]);

#endif
