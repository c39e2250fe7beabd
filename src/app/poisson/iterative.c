/* SPDX-License-Identifier: BSD-3-Clause
 * The textbook's algorithms (J. Demmel, Applied Numerical Linear Algebra, 6.5 and 6.6): Jacobi,
 * successive over-relaxation in red-black order with the best factor, conjugate gradients. */
#include "app/poisson/iterative.h"

#include <math.h>
#include <string.h>

#define FOR_ROWS(s, row) \
  for (ptrdiff_t row = (s)->n[1] + 3; row < ((s)->n[0] + 1) * ((s)->n[1] + 2); row += (s)->n[1] + 2)

ptrdiff_t iterative_elements(const sheet *s) {
  return (s->n[0] + 2) * (s->n[1] + 2);
}

/* The weighted sum of the four neighbours. */
static inline double around(const sheet *s, const double *u, ptrdiff_t at) {
  ptrdiff_t row = s->n[1] + 2;
  return s->weight[0] * (u[at - row] + u[at + row]) + s->weight[1] * (u[at - 1] + u[at + 1]);
}

static double centre(const sheet *s) {
  return 2 * (s->weight[0] + s->weight[1]);
}

static double product(const sheet *s, const double *x, const double *y) {
  double sum = 0;
  FOR_ROWS(s, row) for (ptrdiff_t i = row; i < row + s->n[1]; i++) sum += x[i] * y[i];
  return sum;
}

double iterative_residual(const sheet *s) {
  double sum = 0, c = centre(s);
  FOR_ROWS(s, row) for (ptrdiff_t i = row; i < row + s->n[1]; i++) {
    double r = s->f[i] - around(s, s->u, i) + c * s->u[i];
    sum += r * r;
  }
  return sqrt(sum / product(s, s->f, s->f));
}

/* What changes in a step is the residual over the centre of the stencil. */
long iterative_jacobi(sheet *s, double share) {
  double c = centre(s), goal = share * share * product(s, s->f, s->f) / (c * c), sum;
  double *from = s->u, *to = s->work[0];
  long steps = 0;
  memset(to, 0, (size_t)iterative_elements(s) * sizeof *to);
  do {
    sum = 0;
    FOR_ROWS(s, row) for (ptrdiff_t i = row; i < row + s->n[1]; i++) {
      to[i] = (around(s, from, i) - s->f[i]) / c;
      sum += (to[i] - from[i]) * (to[i] - from[i]);
    }
    double *swap = from;
    from = to;
    to = swap;
    steps++;
  } while (sum > goal);
  if (from != s->u) memcpy(s->u, from, (size_t)iterative_elements(s) * sizeof *from);
  return steps;
}

long iterative_sor(sheet *s, double share) {
  static const double pi = 3.14159265358979323846;
  double c = centre(s), goal = share * share * product(s, s->f, s->f) / (c * c), sum;
  double radius = 2 *
                  (s->weight[0] * cos(pi / (double)(s->n[0] + 1)) +
                   s->weight[1] * cos(pi / (double)(s->n[1] + 1))) /
                  c;
  double omega = 2 / (1 + sqrt(1 - radius * radius));
  long steps = 0;
  do {
    sum = 0;
    for (int colour = 0; colour < 2; colour++) {
      ptrdiff_t first = colour;
      FOR_ROWS(s, row) {
        for (ptrdiff_t i = row + first; i < row + s->n[1]; i += 2) {
          double change = (around(s, s->u, i) - s->f[i]) / c - s->u[i];
          s->u[i] += omega * change;
          sum += change * change;
        }
        first = !first;
      }
    }
    steps++;
  } while (sum > goal);
  return steps;
}

/* Of -laplacian(u) = -f, which is positive definite. */
long iterative_cg(sheet *s, double share) {
  double *r = s->work[0], *p = s->work[1], *q = s->work[2], c = centre(s);
  size_t bytes = (size_t)iterative_elements(s) * sizeof *r;
  double rr = product(s, s->f, s->f), goal = share * share * rr;
  long steps = 0;
  memset(r, 0, bytes);
  FOR_ROWS(s, row) for (ptrdiff_t i = row; i < row + s->n[1]; i++) r[i] = -s->f[i];
  memcpy(p, r, bytes);
  while (rr > goal) {
    double pq = 0, next = 0;
    FOR_ROWS(s, row) for (ptrdiff_t i = row; i < row + s->n[1]; i++) {
      q[i] = c * p[i] - around(s, p, i);
      pq += p[i] * q[i];
    }
    double alpha = rr / pq;
    FOR_ROWS(s, row) for (ptrdiff_t i = row; i < row + s->n[1]; i++) {
      s->u[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i];
    }
    FOR_ROWS(s, row) for (ptrdiff_t i = row; i < row + s->n[1]; i++) p[i] = r[i] + next / rr * p[i];
    rr = next;
    steps++;
  }
  return steps;
}
