/* SPDX-License-Identifier: BSD-3-Clause
 * The textbook's algorithms (J. Demmel, Applied Numerical Linear Algebra, 6.5 and 6.6): Jacobi,
 * successive over-relaxation in red-black order with the best factor, conjugate gradients. */
#include "apps/poisson/iterative.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

#include "app/common/watch.h"

static const double pi = 3.14159265358979323846;

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

/* ---- expected time ---- */

/* 1 minus the spectral radius of Jacobi's iteration, without loss: 1 - cos x = 2 sin(x/2)^2. */
static double gap_of(const sheet *s) {
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    double half = sin(pi / 2 / (double)(s->n[k] + 1));
    sum += 4 * s->weight[k] * half * half;
  }
  return sum / centre(s);
}

/* The root of 1 minus the squared radius: the best factor is 2 / (1 + root), with the radius
 * (1 - root) / (1 + root). */
static double root_of(const sheet *s) {
  double gap = gap_of(s);
  return sqrt(gap * (2 - gap));
}

double iterative_jacobi_count(const sheet *s, double share) {
  return log(share) / log1p(-gap_of(s));
}

/* Measured: 1.3 to 1.5 times the number that follows from the radius, a double eigenvalue; and 0.35
 * to 0.5 times the bound by the condition, which no smooth right-hand side reaches. */
double iterative_sor_count(const sheet *s, double share) {
  return -1.5 * log(share) / (2 * atanh(root_of(s)));
}

double iterative_cg_count(const sheet *s, double share) {
  double gap = gap_of(s);
  return 0.5 * log(2 / share) / 2 * sqrt((2 - gap) / gap);
}

/* Reads the clock after some updates; the first quarter of a second shows the rate. */
static int is_too_slow(sheet *s, long steps) {
  enum { UPDATES = 1 << 18 };
  if (steps % (1 + UPDATES / (s->n[0] * s->n[1]))) return 0;
  watch_kick("solving");
  double spent = MPI_Wtime() - s->start;
  s->estimate = spent / (double)steps * fmax(s->sweeps, (double)steps);
  return spent > 0.25 && s->estimate > s->patience;
}

/* ---- methods ---- */

/* The change in a step is the residual over the centre of the stencil. */
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
    if (is_too_slow(s, ++steps)) return ITERATIVE_STOPPED;
  } while (sum > goal);
  if (from != s->u) memcpy(s->u, from, (size_t)iterative_elements(s) * sizeof *from);
  return steps;
}

long iterative_sor(sheet *s, double share) {
  double c = centre(s), goal = share * share * product(s, s->f, s->f) / (c * c), sum;
  double omega = 2 / (1 + root_of(s));
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
    if (is_too_slow(s, ++steps)) return ITERATIVE_STOPPED;
  } while (sum > goal);
  return steps;
}

/* Solves -laplacian(u) = -f, which is positive definite. */
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
    if (is_too_slow(s, ++steps)) return ITERATIVE_STOPPED;
  }
  return steps;
}
