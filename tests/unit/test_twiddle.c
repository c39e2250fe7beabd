/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Roots of unity: the tables of two levels give every root right to the last bit, and so do the
 * factors of tiles, which are made from them, in both precisions. */
#include "local/twiddle.h"

#include <math.h>

#include "base/memory.h"
#include "support.h"

/* By the definition, from an angle in long double: good to 1e-19 times the angle. */
static void define(ptrdiff_t m, ptrdiff_t n, long double w[2]) {
  long double angle = 2 * 3.141592653589793238462643383279502884L * (long double)m / (long double)n;
  w[0] = cosl(angle);
  w[1] = -sinl(angle);
}

static double worst(const double x[2], const long double w[2]) {
  double re = (double)fabsl((long double)x[0] - w[0]), im = (double)fabsl((long double)x[1] - w[1]);
  return check_worse(re, im);
}

/* Units in the last place of 1: half of one is the best there is. */
static void test_roots(ptrdiff_t n) {
  pf_roots r;
  double hi[2], lo[2], most = 0, rest = 0;
  long double w[2];
  if (pf_roots_make(&r, n, NULL)) abort();
  for (ptrdiff_t k = 0; k < 20000 && k < n; k++) {
    ptrdiff_t m = n <= 20000 ? k : (ptrdiff_t)((double)n / 20000 * (double)k) + k % 7;
    pf_roots_at(&r, m, hi, lo);
    define(m, n, w);
    most = check_worse(most, worst(hi, w) / 0x1p-53);
    w[0] -= (long double)hi[0], w[1] -= (long double)hi[1];
    rest = check_worse(rest, worst(lo, w));
  }
  CHECK(most <= 0.51, "%td roots: %g units in the last place", n, most);
  CHECK(rest <= 0x1p-58, "%td roots: both parts together are off by %g", n, rest);
  pf_roots_free(&r);
}

static void test_factors(ptrdiff_t n, ptrdiff_t points, ptrdiff_t first, ptrdiff_t step,
                         pfft3d_precision precision, int sign) {
  enum { width = 4 };
  pf_roots r;
  double most = 0, unit = precision == PFFT3D_DOUBLE ? 0x1p-53 : 0x1p-24;
  if (pf_roots_make(&r, n, NULL)) abort();
  void *memory = pf_alloc(pf_factors_bytes(points, width, precision));
  double *tile = pf_alloc((size_t)(2 * points * width) * sizeof *tile);
  float *small = (float *)tile;
  for (ptrdiff_t i = 0; i < 2 * points * width; i++)
    if (precision == PFFT3D_DOUBLE)
      tile[i] = i % 2 == 0;
    else
      small[i] = i % 2 == 0;
  const pf_factors_spec spec = {points, width, precision, first, step, 0};
  pf_factors f = pf_factors_make(&r, &spec, memory);
  pf_factors_apply(&f, sign, tile, width, 1);
  for (ptrdiff_t k = 0; k < points; k++)
    for (ptrdiff_t j = 0; j < width; j++) {
      ptrdiff_t i = 2 * (k * width + j);
      double x[2] = {precision == PFFT3D_DOUBLE ? tile[i] : (double)small[i],
                     precision == PFFT3D_DOUBLE ? tile[i + 1] : (double)small[i + 1]};
      long double w[2];
      define((first + j * step) * k % n, n, w);
      if (sign > 0) w[1] = -w[1];
      most = check_worse(most, worst(x, w) / unit);
    }
  CHECK(most <= 0.7, "%td factors of root %td, lines %td + %td j, %s, sign %d: %g units", points, n,
        first, step, precision == PFFT3D_DOUBLE ? "double" : "single", sign, most);
  pf_free(tile);
  pf_free(memory);
  pf_roots_free(&r);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t sizes[] = {1,
                                    2,
                                    3,
                                    4,
                                    5,
                                    7,
                                    8,
                                    12,
                                    60,
                                    97,
                                    1000,
                                    4096,
                                    6561,
                                    10007,
                                    1 << 20,
                                    14348907,
                                    10000000,
                                    1 << 24,
                                    (ptrdiff_t)1 << 36};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) test_roots(sizes[k]);
  for (int p = 0; p < 2; p++)
    for (int sign = -1; sign <= 1; sign += 2) {
      test_factors(1, 1, 0, 1, (pfft3d_precision)p, sign);
      test_factors(12, 3, 0, 1, (pfft3d_precision)p, sign);
      test_factors(1000, 25, 36, 1, (pfft3d_precision)p, sign);
      test_factors(14348907, 2187, 6557, 1, (pfft3d_precision)p, sign);
      test_factors(1 << 24, 4096, 4076, 1, (pfft3d_precision)p, sign);
      test_factors(1 << 24, 4096, 3, 1000, (pfft3d_precision)p, sign);
    }
  return check_result();
}
