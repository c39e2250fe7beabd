/* SPDX-License-Identifier: BSD-3-Clause
 * Finite volumes along a line: second order where cells change smoothly (T. A. Manteuffel and A. B.
 * White, Mathematics of Computation 47, 1986).  The matrix of a line, times the volumes, is
 * symmetric and tridiagonal.  With shift <= 0 elimination needs no pivoting (G. H. Golub and C. F.
 * Van Loan, Matrix Computations, 4.3); its pivots are link[i+1] plus the rest of a row, and
 * both are positive: no difference of close numbers appears, also next to the singular matrix. */
#include "apps/poisson/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- geometry ---- */

ptrdiff_t grid_check(const double *edge, ptrdiff_t edges) {
  for (ptrdiff_t i = 0; i < edges; i++)
    if (!isfinite(edge[i]) || (i && !(edge[i] > edge[i - 1]))) return i ? i : 1;
  return 0;
}

void grid_free(grid *g) {
  if (!g) return;
  free(g->edge);
  free(g);
}

/* Points, and the bounds of their volumes: faces, or the middles between nodes. */
static void set_points(grid *g, int cells, const int value_given[2]) {
  const double *x = g->edge;
  ptrdiff_t first = cells ? 0 : value_given[0] != 0;
  for (ptrdiff_t i = 0; i < g->n; i++) {
    ptrdiff_t k = first + i, down = k ? k - 1 : k, up = k + 1 < g->edges ? k + 1 : k;
    g->place[i] = (cells ? (x[i] + x[i + 1]) / 2 : x[k]) - x[0];
    g->volume[i] = cells ? x[i + 1] - x[i] : (x[up] - x[down]) / 2;
  }
}

grid *grid_make(int axis, ptrdiff_t n, int cells, const int value_given[2], const double *edge,
                ptrdiff_t edges) {
  grid *g = calloc(1, sizeof *g);
  double *all = calloc((size_t)(edges + 3 * n + 1), sizeof *all);
  if (!g || !all) {
    free(g);
    free(all);
    return NULL;
  }
  *g = (grid){.axis = axis, .n = n, .edges = edges, .edge = all, .place = all + edges};
  g->volume = g->place + n;
  g->link = g->volume + n;
  memcpy(g->edge, edge, (size_t)edges * sizeof *edge);
  set_points(g, cells, value_given);
  for (ptrdiff_t i = 1; i < n; i++) g->link[i] = 1 / (g->place[i] - g->place[i - 1]);
  if (value_given[0]) g->link[0] = 1 / g->place[0];
  if (value_given[1]) g->link[n] = 1 / (edge[edges - 1] - edge[0] - g->place[n - 1]);
  return g;
}

/* ---- many lines ---- */

#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif
#define LANES _Pragma("omp simd") for (int k = 0; k < GRID_LANES; k++)

CLONES void grid_solve(const grid *g, double factor, const double shift[GRID_LANES], double *f,
                       double *pivot) {
  double left[GRID_LANES], last[GRID_LANES], inverse[GRID_LANES];
  LANES left[k] = last[k] = inverse[k] = 0;
  for (ptrdiff_t i = 0; i < g->n; i++) {
    const double w = g->volume[i], down = factor * g->link[i], up = factor * g->link[i + 1];
    double *y = f + i * GRID_LANES, *r = pivot + i * GRID_LANES;
    LANES {
      double carried = i ? down * inverse[k] : 0;
      left[k] = (i ? carried * left[k] : down) - shift[k] * w;
      inverse[k] = 1 / (up + left[k]);
      last[k] = carried * last[k] - w * y[k];
      y[k] = last[k];
      r[k] = inverse[k];
    }
  }
  LANES last[k] = 0;
  for (ptrdiff_t i = g->n - 1; i >= 0; i--) {
    const double up = i + 1 < g->n ? factor * g->link[i + 1] : 0;
    double *y = f + i * GRID_LANES;
    const double *r = pivot + i * GRID_LANES;
    LANES y[k] = last[k] = r[k] * (y[k] + up * last[k]);
  }
}

/* ---- one line ---- */

/* Elimination of a tridiagonal matrix with partial pivoting: a row exchange makes a second diagonal
 * above. */
double grid_solve_any(const grid *g, double factor, double complex shift, double complex *f,
                      double complex *work) {
  const ptrdiff_t n = g->n;
  double complex *main = work, *above = work + n, *second = work + 2 * n;
  double least = INFINITY, most = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    main[i] = shift * g->volume[i] - factor * (g->link[i] + g->link[i + 1]);
    above[i] = i + 1 < n ? factor * g->link[i + 1] : 0;
    second[i] = 0;
    f[i] *= g->volume[i];
    most = fmax(most, cabs(main[i]));
  }
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    double complex below = factor * g->link[i + 1];
    if (cabs(below) > cabs(main[i])) {
      double complex row[4] = {main[i], above[i], second[i], f[i]};
      main[i] = below, above[i] = main[i + 1], second[i] = above[i + 1], f[i] = f[i + 1];
      below = row[0], main[i + 1] = row[1], above[i + 1] = row[2], f[i + 1] = row[3];
    }
    double complex times = below / main[i];
    main[i + 1] -= times * above[i];
    above[i + 1] -= times * second[i];
    f[i + 1] -= times * f[i];
  }
  for (ptrdiff_t i = n - 1; i >= 0; i--) {
    least = fmin(least, cabs(main[i]));
    if (i + 1 < n) f[i] -= above[i] * f[i + 1];
    if (i + 2 < n) f[i] -= second[i] * f[i + 2];
    f[i] /= main[i];
  }
  return least / most;
}

static double complex mean_of(const grid *g, const double complex *f) {
  double complex sum = 0;
  double all = 0;
  for (ptrdiff_t i = 0; i < g->n; i++) {
    sum += g->volume[i] * f[i];
    all += g->volume[i];
  }
  return sum / all;
}

/* The flow out of all volumes up to a point determines the step to the next one. */
double complex grid_solve_mean(const grid *g, double factor, double complex *f) {
  const double complex mean = mean_of(g, f);
  double complex flow = 0, u = 0;
  for (ptrdiff_t i = 0; i < g->n; i++) {
    double complex next = flow + g->volume[i] * (f[i] - mean);
    f[i] = u;
    if (i + 1 < g->n) u += next / (factor * g->link[i + 1]);
    flow = next;
  }
  const double complex middle = mean_of(g, f);
  for (ptrdiff_t i = 0; i < g->n; i++) f[i] -= middle;
  return mean;
}

/* Sylvester's law of inertia: the positive pivots of the symmetric matrix. */
ptrdiff_t grid_modes(const grid *g, double factor, double shift) {
  ptrdiff_t count = 0;
  double pivot = 1;
  for (ptrdiff_t i = 0; i < g->n; i++) {
    double down = factor * g->link[i], up = factor * g->link[i + 1];
    pivot = shift * g->volume[i] - down - up - (i ? down * down / pivot : 0);
    if (pivot == 0) pivot = -1e-300;
    count += pivot > 0;
  }
  return count;
}
