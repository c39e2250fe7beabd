/* SPDX-License-Identifier: BSD-3-Clause
 * The periodic convolution of fields of n and m points on a grid of at least n + m - 1 points
 * equals the free convolution.  Correlation is the sum over j of a[j + lag] conj b[j], with lags
 * from 1 - m to n - 1. */
#include "apps/filter/padding.h"

#include "app/common/options.h"

ptrdiff_t padding_size(ptrdiff_t n) {
  for (ptrdiff_t size = n > 2 ? n + n % 2 : n;; size += 2) {
    ptrdiff_t rest = size;
    for (int p = 2; p <= 7; p++)
      while (rest % p == 0) rest /= p;
    if (rest == 1) return size;
  }
}

padding padding_make(const ptrdiff_t n[3], const ptrdiff_t m[3], int mode, int mirrored,
                     int centre) {
  padding p;
  for (int a = 0; a < 3; a++) {
    ptrdiff_t first = mirrored ? 1 - m[a] : 0,
              zero = centre ? m[a] / 2 : 0; /* of the full result */
    p.grid[a] = mode == MODE_CIRCULAR ? n[a] : padding_size(n[a] + m[a] - 1);
    p.out[a] = mode == MODE_FULL ? n[a] + m[a] - 1 : n[a];
    p.offset[a] = mode == MODE_CIRCULAR ? (mirrored ? -zero : zero)
                  : mode == MODE_FULL   ? first
                                        : first + (m[a] - 1) / 2;
  }
  return p;
}
