/* SPDX-License-Identifier: BSD-3-Clause
 * A product of one function per axis.  Continued by the boundary conditions (odd at walls where it
 * is 0, even where its derivative is 0) each is analytic and periodic, but no eigenvector: the
 * spectral solution converges to rounding, the solution of the stencil with h^2.  Along open axes
 * exp(-32 r^2/R^2), which is 0 beyond the box but for rounding, or (1 - r^2/R^2)^4 in a ball; in
 * free space without lambda the potential of a charge (1 - r^2/R^2)^3 in a ball, a polynomial
 * inside and -q / (4 pi r) outside. */
#include "apps/poisson/exact.h"

#include <math.h>
#include <stdlib.h>

#include "app/common/message.h"

static const double pi = 3.14159265358979323846;
/* (1 - t)^3 in powers of t. */
enum { POWERS = 4, DECAY = 32 };
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

/* Along open axes: the distance from the centre of the box, in lengths of the equation without
 * coefficients. */
static void tabulate(const exact *x, int axis, ptrdiff_t i) {
  const domain *d = x->d;
  if (domain_open(d, axis))
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
  for (int a = 0; a < 3; a++)
    if (domain_open(d, a)) least = fmin(least, d->length[a] / sqrt(domain_factor(d, a)));
  return least / 2;
}

/* The square of the distance from the centre over R, along open axes. */
static double square(const exact *x, const ptrdiff_t i[3]) {
  double sum = 0, r = ball(x->d);
  for (int a = 0; a < 3; a++)
    if (domain_open(x->d, a)) sum += x->value[a][i[a]] * x->value[a][i[a]];
  return sum / (r * r);
}

/* Free space along all three axes without lambda: the potential of the charged ball. */
static int is_ball(const domain *d) {
  return d->open == 3 && !domain_shifted(d);
}

static double potential(const exact *x, const ptrdiff_t i[3]) {
  double r2 = square(x, i), inside = r2 < 1 ? r2 : 1, charge = 0, sum = 0, term = inside;
  for (int k = 0; k < POWERS; k++) {
    charge += power[k] / (2 * k + 3);
    sum += power[k] * (term - 1) / ((2 * k + 2) * (2 * k + 3));
    term *= inside;
  }
  return ball(x->d) * ball(x->d) * (r2 < 1 ? sum - charge : -charge / sqrt(r2));
}

/* A function of t = r^2/R^2 along the open axes, with its derivatives: one that can be resolved to
 * rounding, or one that is 0 beyond the box. */
static void profile(const exact *x, double t, double g[3]) {
  double left = t < 1 ? 1 - t : 0;
  if (domain_spectral(x->d)) {
    g[0] = exp(-DECAY * t);
    g[1] = -DECAY * g[0];
    g[2] = -DECAY * g[1];
  } else {
    g[0] = left * left * left * left;
    g[1] = -4 * left * left * left;
    g[2] = 12 * left * left;
  }
}

/* The product over the other axes; of `second` for axis a. */
static double product(const exact *x, const ptrdiff_t i[3], int a) {
  double all = 1;
  for (int b = 0; b < 3; b++)
    if (!domain_open(x->d, b)) all *= (b == a ? x->second : x->value)[b][i[b]];
  return all;
}

double exact_solution(const exact *x, const ptrdiff_t i[3]) {
  double g[3] = {1, 0, 0};
  if (is_ball(x->d)) return potential(x, i);
  if (x->d->open) profile(x, square(x, i), g);
  return g[0] * product(x, i, -1);
}

double exact_laplacian(const exact *x, const ptrdiff_t i[3]) {
  const domain *d = x->d;
  double sum = 0;
  if (is_ball(d)) {
    double left = 1 - square(x, i);
    return left > 0 ? left * left * left : 0;
  }
  for (int a = 0; a < 3; a++)
    if (!domain_open(d, a)) sum += domain_factor(d, a) * product(x, i, a);
  if (!d->open) return sum;
  double g[3], r = ball(d), t = square(x, i);
  profile(x, t, g);
  return g[0] * sum + (4 * t * g[2] + 2 * d->open * g[1]) / (r * r) * product(x, i, -1);
}
