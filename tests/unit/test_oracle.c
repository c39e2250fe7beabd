/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The references of the other tests against the definition of the DFT, all in long double. */
#include "line_trial.h"
#include "reference.h"

/* || a - b || / || b || */
static double distance(const wide *a, const wide *b, ptrdiff_t count) {
  long double sum = 0, all = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    long double re = a[i].re - b[i].re, im = a[i].im - b[i].im;
    sum += re * re + im * im;
    all += b[i].re * b[i].re + b[i].im * b[i].im;
  }
  return (double)sqrtl(sum / all);
}

static wide *make_field(ptrdiff_t count, uint64_t seed) {
  wide *x = get((size_t)count * sizeof *x);
  for (ptrdiff_t i = 0; i < count; i++)
    x[i] = (wide){value_of(mix(seed) + 2 * (uint64_t)i), value_of(mix(seed) + 2 * (uint64_t)i + 1)};
  return x;
}

/* A hundredth of what a transform in double precision may be off by. */
static void test_size(const ptrdiff_t n[3], int sign) {
  ptrdiff_t all = n[0] * n[1] * n[2];
  wide *want = make_field(all, (uint64_t)all), *x = make_field(all, (uint64_t)all);
  dft_field(want, n, sign);
  reference_field(x, n, sign);
  double error = distance(x, want, all);
  CHECK(error <= 1e-2 * 0x1p-53, "%tdx%tdx%td: %.3g", n[0], n[1], n[2], error);
  free(x);
  if (n[0] * n[1] == 1) {
    x = make_field(all, (uint64_t)all);
    dft_line_by_factors(x, all, sign);
    error = distance(x, want, all);
    CHECK(error <= 1e-2 * 0x1p-53, "a line of %td by its factors: %.3g", all, error);
    free(x);
  }
  free(want);
}

/* Lines along axis 0 and along axis 2 of 3 of n. */
static void test_lines(ptrdiff_t n, int sign) {
  const struct { ptrdiff_t along, across; } at[] = {{3, 1}, {1, n}};
  for (int k = 0; k < 2; k++) {
    wide *want = make_field(3 * n, (uint64_t)n), *x = make_field(3 * n, (uint64_t)n);
    dft_lines(want, n, at[k].along, 3, at[k].across, sign);
    reference_lines(x, n, at[k].along, 3, at[k].across, sign);
    double error = distance(x, want, 3 * n);
    CHECK(error <= 1e-2 * 0x1p-53, "3 lines of %td, every %td: %.3g", n, at[k].along, error);
    free(want);
    free(x);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t prime[] = {13, 61, 127, 173, 179, 509, 1021};
  for (int sign = -1; sign <= 1; sign += 2) {
    for (ptrdiff_t k = 0; k < 512; k++)
      test_size((ptrdiff_t[]){1 + k / 64, 1 + k / 8 % 8, 1 + k % 8}, sign);
    for (ptrdiff_t n = 9; n <= 200; n++) test_size((ptrdiff_t[]){1, 1, n}, sign);
    for (size_t k = 0; k < sizeof prime / sizeof *prime; k++) {
      test_size((ptrdiff_t[]){1, 1, prime[k]}, sign);
      test_size((ptrdiff_t[]){prime[k], 3, 2}, sign);
      test_size((ptrdiff_t[]){2, prime[k], 5}, sign);
      test_lines(prime[k], sign);
    }
  }
  return check_result();
}
