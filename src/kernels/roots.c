/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of roots of unity, correct to the last bit or nearly so.
 *
 * Textbooks multiply: w := w * w_m for the next root.  Each product is rounded, and after m steps
 * the error has grown m-fold: at 2^26 points single results are off by 1e-3 of their value.  Here
 *
 *     exp(i (a + b)) = exp(i a) exp(i b),   a = 128 steps, 256 steps, ...;  b = 0 .. 127 steps
 *
 * in long double, so there is one sine and cosine for 128 roots, and one product for each. */
#include <math.h>

#include "kernels/number.h"

enum { BLOCK = 128 };

typedef struct wide {
  long double re, im;
} wide;

static wide root(size_t k, size_t n, int sign) {
  const long double two_pi = 6.283185307179586476925286766559005768L;
  long double angle = two_pi * ((long double)k / (long double)n);
  return (wide){cosl(angle), (long double)sign * sinl(angle)};
}

/* w[k] = exp(sign 2 pi i k/n) for k < count. */
static void fill(number *w, size_t count, size_t n, int sign) {
  wide fine[BLOCK];
  for (size_t l = 0; l < BLOCK && l < count; l++) fine[l] = root(l, n, sign);
  for (size_t first = 0; first < count; first += BLOCK) {
    wide c = root(first, n, sign);
    for (size_t l = 0; l < BLOCK && first + l < count; l++)
      w[first + l] = (number){(real)(c.re * fine[l].re - c.im * fine[l].im),
                              (real)(c.re * fine[l].im + c.im * fine[l].re)};
  }
}

/* PF_ALL_ROOTS: w[k] = exp(sign 2 pi i k/n), k < n.
 * PF_STAGE_ROOTS: the roots of all stages of an FFT, one stage after another, so that each stage
 * reads contiguous roots:
 *
 *     index      0   1   2 3   4 5 6 7   8 ...         m/2 ... m-1
 *     stage m    -   2    4       8       16  ...      exp(sign 2 pi i j/m), j < m/2
 *
 * The last stage is computed; every second root of it belongs to the previous stage. */
void PF_KERNEL(roots)(void *table, size_t n, int sign, pf_roots_wanted wanted) {
  number *w = table;
  if (wanted == PF_ALL_ROOTS) fill(w, n, n, sign);
  if (wanted != PF_STAGE_ROOTS || n < 2) return;
  fill(w + n / 2, n / 2, n, sign);
  for (size_t k = n / 2 - 1; k > 0; k--) w[k] = w[2 * k];
}
