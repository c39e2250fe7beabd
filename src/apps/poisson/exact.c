/* SPDX-License-Identifier: BSD-3-Clause
 * A product of one function per axis.  Continued by the boundary conditions (odd at walls where it
 * is 0, even where its derivative is 0) each is analytic and periodic, but no eigenvector: the
 * spectral solution converges to rounding, the solution of the stencil with h^2.  In free space the
 * potential of a charge (1 - r^2/R^2)^3 in a ball, a polynomial inside and -q / (4 pi r) outside.
 */
#include "apps/poisson/exact.h"

#include <math.h>
#include <stdlib.h>

#include "app/common/message.h"

static const double pi = 3.14159265358979323846;
/* (1 - t)^3 in powers of t. */
enum { POWERS = 4 };
static const double power[POWERS] = {1, -3, 3, -1};

static void tabulate_one(const domain *d, int axis, ptrdiff_t i, double *value, double *second) {
  const boundary *b = d->side[axis];
  double k = pi / d->length[axis], x = k * domain_place(d, axis, i);
  *value = 1;
  *second = 0;
  if (!b) return;
  if (b->kind == PFFT3D_DFT) {
    k *= 2;
    x = 2 * x + 0.3; /* neither odd nor even */
    *value = exp(sin(x));
    *second = k * k * (cos(x) * cos(x) - sin(x)) * *value;
  } else if (b->end[0] != b->end[1]) {
    k /= 2;
    x /= 2;
    if (b->end[0] == END_NEUMANN) x = pi / 2 - x;
    *value = sin(x) * exp(cos(2 * x));
    *second =
        k * k * exp(cos(2 * x)) *
        (sin(x) * (4 * sin(2 * x) * sin(2 * x) - 4 * cos(2 * x) - 1) - 4 * sin(2 * x) * cos(x));
  } else if (domain_regular(b)) {
    *value = sin(x) * exp(cos(x));
    *second = k * k * (sin(x) * sin(x) - 3 * cos(x) - 1) * *value;
  } else {
    *value = exp(cos(x));
    *second = k * k * (sin(x) * sin(x) - cos(x)) * *value;
  }
}

/* In free space: the distance from the centre of the box, in lengths of the equation without
 * coefficients. */
static void tabulate(const exact *x, int axis, ptrdiff_t i) {
  const domain *d = x->d;
  if (d->open)
    x->value[axis][i] =
        (domain_place(d, axis, i) - d->length[axis] / 2) / sqrt(domain_factor(d, axis));
  else
    tabulate_one(d, axis, i, &x->value[axis][i], &x->second[axis][i]);
}

void exact_make(const app *a, exact *x, const domain *d) {
  *x = (exact){.d = d};
  for (int axis = 0; axis < 3; axis++) {
    x->value[axis] = app_malloc(a, (size_t)d->n[axis], sizeof(double));
    x->second[axis] = app_malloc(a, (size_t)d->n[axis], sizeof(double));
    for (ptrdiff_t i = 0; i < d->n[axis]; i++) tabulate(x, axis, i);
  }
}

void exact_free(exact *x) {
  for (int a = 0; a < 3; a++) {
    free(x->value[a]);
    free(x->second[a]);
  }
}

/* R: the ball touches the sides. */
static double ball(const domain *d) {
  double least = INFINITY;
  for (int a = 0; a < 3; a++) least = fmin(least, d->length[a] / sqrt(domain_factor(d, a)));
  return least / 2;
}

/* The distance from the centre over R. */
static double radius(const exact *x, const ptrdiff_t i[3]) {
  double r0 = x->value[0][i[0]], r1 = x->value[1][i[1]], r2 = x->value[2][i[2]];
  return sqrt(r0 * r0 + r1 * r1 + r2 * r2) / ball(x->d);
}

double exact_solution(const exact *x, const ptrdiff_t i[3]) {
  if (!x->d->open) return x->value[0][i[0]] * x->value[1][i[1]] * x->value[2][i[2]];
  double r = radius(x, i), inside = r < 1 ? r : 1, charge = 0, sum = 0;
  double term = inside * inside;
  for (int k = 0; k < POWERS; k++) {
    charge += power[k] / (2 * k + 3);
    sum += power[k] * (term - 1) / ((2 * k + 2) * (2 * k + 3));
    term *= inside * inside;
  }
  return ball(x->d) * ball(x->d) * (r < 1 ? sum - charge : -charge / r);
}

double exact_laplacian(const exact *x, const ptrdiff_t i[3]) {
  double sum = 0;
  if (x->d->open) {
    double r = radius(x, i), left = 1 - r * r;
    return left > 0 ? left * left * left : 0;
  }
  for (int a = 0; a < 3; a++) {
    double term = domain_factor(x->d, a);
    for (int b = 0; b < 3; b++) term *= (b == a ? x->second : x->value)[b][i[b]];
    sum += term;
  }
  return sum;
}
