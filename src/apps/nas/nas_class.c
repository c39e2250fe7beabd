/* SPDX-License-Identifier: BSD-3-Clause
 * The classes of NAS FT.  The build makes nas_checksums.h, with sizes, iterations and checksums,
 * from data/nas_ft_checksums.csv. */
#include "apps/nas/nas_class.h"

#include <math.h>
#include <string.h>

/* One line of the table. */
static const struct {
  char letter[2];
  ptrdiff_t n[3];
  int iterations, iteration;
  double sum[2];
} table[] = {
#define NAS_CHECKSUM(letter, nx, ny, nz, iterations, iteration, re, im) \
  {#letter, {nz, ny, nx}, iterations, iteration, {re, im}},
#include "nas_checksums.h"
#undef NAS_CHECKSUM
};

nas_class nas_class_of(char letter) {
  nas_class c = {0};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (table[k].letter[0] != letter || table[k].iteration > NAS_ITERATIONS) continue;
    c.letter = letter;
    memcpy(c.n, table[k].n, sizeof c.n);
    c.iterations = table[k].iterations;
    memcpy(c.checksum[table[k].iteration - 1], table[k].sum, sizeof table[k].sum);
  }
  return c;
}

double nas_mops(const nas_class *c, double seconds) {
  double n = (double)c->n[0] * (double)c->n[1] * (double)c->n[2];
  double once = 14.8157 + 7.19641 * log(n), each = 5.23518 + 7.21113 * log(n);
  return 1e-6 * n * (once + each * c->iterations) / seconds;
}

double nas_error(const nas_class *c, const double (*sum)[2], int *worst) {
  double largest = 0;
  *worst = 1;
  for (int t = 0; t < c->iterations; t++) {
    const double *want = c->checksum[t];
    double error = hypot(sum[t][0] - want[0], sum[t][1] - want[1]) / hypot(want[0], want[1]);
    if (error <= largest) continue; /* false for NaN */
    largest = error;
    *worst = t + 1;
    if (isnan(error)) break;
  }
  return largest;
}
