/* SPDX-License-Identifier: BSD-3-Clause
 * The generator is x <- a x mod 2^46, a = 5^13, from x = 314159265; a number is x/2^46.  So k steps
 * are one step with a^k: a row begins at its position of the sequence, and continues in several
 * interleaved sequences, which do not depend on each other.  Every number is exact: 46 bits fit
 * into a double. Source: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, section 2.3
 * (pseudorandom number generator). */
#include "apps/nas/nas_field.h"

#include <string.h>

enum { STREAMS = 8 };
static const uint64_t multiplier = 1220703125, seed = 314159265;
static const uint64_t modulus_mask = ((uint64_t)1 << 46) - 1;

/* a^k mod 2^46 */
static uint64_t power(uint64_t k) {
  uint64_t result = 1, square = multiplier;
  for (; k; k >>= 1, square *= square)
    if (k & 1) result *= square; /* modulo 2^64, a multiple of 2^46 */
  return result & modulus_mask;
}

uint64_t nas_random_state(uint64_t steps) {
  return (power(steps) * seed) & modulus_mask;
}

/* The fraction y/2^64: its upper bits as the mantissa of a number in [1, 2), less 1. */
static inline double fraction(uint64_t y) {
  uint64_t bits = (uint64_t)0x3FF << 52 | y >> 12;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value - 1;
}

/* Numbers first + 1 .. first + count of the sequence.  States are kept as y = 2^18 x, so that
 * products are modulo 2^64 as computed. */
static void fill_row(uint64_t first, ptrdiff_t count, double *to) {
  uint64_t y[STREAMS], jump = power(STREAMS);
  ptrdiff_t whole = count / STREAMS * STREAMS;
  y[0] = nas_random_state(first + 1) << 18;
  for (int s = 1; s < STREAMS; s++) y[s] = y[s - 1] * multiplier;
  for (ptrdiff_t i = 0; i < whole; i += STREAMS)
    for (int s = 0; s < STREAMS; s++) {
      to[i + s] = fraction(y[s]);
      y[s] *= jump;
    }
  for (ptrdiff_t i = whole; i < count; i++) to[i] = fraction(y[i - whole]);
}

void nas_fill(const ptrdiff_t n[3], const pfft3d_box *box, int threads, double *array) {
  const ptrdiff_t *lo = box->lo, *len = box->len;
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) collapse(2) schedule(static)
#endif
  for (ptrdiff_t i = 0; i < len[0]; i++)
    for (ptrdiff_t j = 0; j < len[1]; j++) {
      uint64_t element = (uint64_t)(((lo[0] + i) * n[1] + lo[1] + j) * n[2] + lo[2]);
      double *row = array + 2 * (box->offset + i * box->stride[0] + j * box->stride[1]);
      fill_row(2 * element, 2 * len[2], row);
    }
}
