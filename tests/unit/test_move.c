/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Strided copies: every combination of strides, alignments and lengths around a cache line, with
 * plain and streaming stores; nothing but the rectangle may change. */
#include "local/move.h"

#include "base/memory.h"
#include "support.h"

enum { ROOM = 2048 }; /* pairs in each array; numbers of a pair may be halves of doubles */

typedef struct {
  ptrdiff_t along, across;
} strides;

static void test_move(float *to, float *from, float *want, strides a, strides b, ptrdiff_t points,
                      ptrdiff_t lines, ptrdiff_t shift, int stream, int numbers) {
  for (int i = 0; i < 4 * ROOM; i++) {
    from[i] = (float)i;
    to[i] = want[i] = (float)(-1 - i);
  }
  for (ptrdiff_t j = 0; j < lines; j++)
    for (ptrdiff_t i = 0; i < points; i++)
      for (int c = 0; c < numbers; c++)
        want[2 * shift + numbers * (i * a.along + j * a.across) + c] =
            from[numbers * (i * b.along + j * b.across) + c];
  size_t element = (size_t)numbers * sizeof *to;
  pf_move((pf_strided){(char *)(to + 2 * shift), a.along, a.across, element},
          (pf_strided){(char *)from, b.along, b.across, element}, points, lines,
          (pf_move_mode){.stream = stream});
  pf_move_fence();
  CHECK(!memcmp(to, want, 4 * ROOM * sizeof *to),
        "%td x %td, to %td %td, from %td %td, shift %td doubles, stream %d, %d floats", points,
        lines, a.along, a.across, b.along, b.across, shift, stream, numbers);
}

/* Complex numbers on their way to the other precision, and what they lose. */
static void test_between(void *to, void *from, void *want, strides a, strides b, ptrdiff_t points,
                         ptrdiff_t lines, ptrdiff_t shift, int stream, int narrow) {
  double *wide_from = from, *wide_want = want;
  float *small_from = from, *small_want = want;
  long double error2 = 0, norm2 = 0;
  size_t bytes = 4 * ROOM * sizeof(float), to_size = narrow ? 8 : 16;
  pf_loss loss = {0, 0};
  for (int i = 0; i < 2 * ROOM; i++) /* no floats where they are to be narrowed */
    if (narrow)
      wide_from[i] = value_of((uint64_t)i);
    else
      small_from[i] = (float)value_of((uint64_t)i);
  memset(to, 0x55, bytes);
  memset(want, 0x55, bytes);
  for (ptrdiff_t k = 0; k < 2 * points * lines; k++) {
    ptrdiff_t i = k / 2 % points, j = k / 2 / points;
    ptrdiff_t t = 2 * (shift + i * a.along + j * a.across) + k % 2;
    ptrdiff_t f = 2 * (i * b.along + j * b.across) + k % 2;
    if (!narrow) {
      wide_want[t] = small_from[f];
      continue;
    }
    small_want[t] = (float)wide_from[f];
    long double lost = (long double)wide_from[f] - (long double)small_want[t];
    error2 += lost * lost;
    norm2 += (long double)wide_from[f] * (long double)wide_from[f];
  }
  pf_move((pf_strided){(char *)to + (size_t)shift * to_size, a.along, a.across, to_size},
          (pf_strided){from, b.along, b.across, 24 - to_size}, points, lines,
          (pf_move_mode){.stream = stream, .loss = &loss});
  pf_move_fence();
  CHECK(!memcmp(to, want, bytes) && fabsl(loss.error2 - error2) <= 1e-12L * error2 &&
            fabsl(loss.norm2 - norm2) <= 1e-12L * norm2,
        "narrow %d: %td x %td, to %td %td, from %td %td, shift %td, stream %d, lost %g of %g",
        narrow, points, lines, a.along, a.across, b.along, b.across, shift, stream, loss.error2,
        loss.norm2);
}

/* A real number of an array with elements of 16 bytes, or of 8. */
static double number_at(const void *array, size_t element, ptrdiff_t at) {
  return element == 16 ? ((const double *)array)[at] : (double)((const float *)array)[at];
}

static void put_number(void *array, size_t element, ptrdiff_t at, double x) {
  if (element == 16)
    ((double *)array)[at] = x;
  else
    ((float *)array)[at] = (float)x;
}

/* A way to lie in memory, with points or lines from the last one on: bits 0 and 1 of `reversed`. */
static pf_strided reversed_view(void *array, size_t element, strides s, ptrdiff_t points,
                                ptrdiff_t lines, int reversed, ptrdiff_t shift) {
  pf_strided v = {(char *)array, s.along, s.across, element};
  if (reversed & 1) shift += (points - 1) * s.along, v.along = -s.along;
  if (reversed & 2) shift += (lines - 1) * s.across, v.across = -s.across;
  v.data += shift * (ptrdiff_t)element;
  return v;
}

/* Complex numbers in the opposite order, and their conjugates, of both precisions and between
 * them.  Bits of `how`: streaming, conjugates, element of each side, turns of each side. */
static void test_mirror(void *to, void *from, void *want, strides a, strides b, ptrdiff_t points,
                        ptrdiff_t lines, ptrdiff_t shift, int how) {
  size_t to_size = how & 4 ? 16 : 8, from_size = how & 8 ? 16 : 8;
  pf_loss loss = {0, 0};
  pf_move_mode mode = {.stream = how & 1, .loss = &loss, .conjugate = how >> 1 & 1};
  pf_strided u = reversed_view(to, to_size, a, points, lines, how >> 4 & 3, shift);
  pf_strided v = reversed_view(from, from_size, b, points, lines, how >> 6 & 3, 0);
  for (ptrdiff_t i = 0; i < 2 * ROOM; i++) put_number(from, from_size, i, value_of((uint64_t)i));
  memset(to, 0x55, 4 * ROOM * sizeof(float));
  memset(want, 0x55, 4 * ROOM * sizeof(float));
  for (ptrdiff_t k = 0; k < 2 * points * lines; k++) {
    ptrdiff_t i = k / 2 % points, j = k / 2 / points;
    ptrdiff_t t = (u.data - (char *)to) / (ptrdiff_t)to_size + i * u.along + j * u.across;
    ptrdiff_t f = (v.data - (char *)from) / (ptrdiff_t)from_size + i * v.along + j * v.across;
    double x = number_at(from, from_size, 2 * f + k % 2);
    put_number(want, to_size, 2 * t + k % 2, k % 2 && mode.conjugate ? -x : x);
  }
  pf_move(u, v, points, lines, mode);
  pf_move_fence();
  CHECK(!memcmp(to, want, 4 * ROOM * sizeof(float)),
        "mirror %d: %td x %td, to %td %td, from %td %td, shift %td", how, points, lines, u.along,
        u.across, v.along, v.across, shift);
}

static void test_mirrors(void *to, void *from, void *want) {
  static const strides stride[] = {{1, 140}, {7, 1}, {3, 450}};
  static const ptrdiff_t points[] = {1, 2, 5, 17, 64, 65, 131};
  for (int how = 0; how < 256; how++)
    for (int k = 0; k < 9; k++)
      for (size_t p = 0; p < sizeof points / sizeof *points; p++)
        for (ptrdiff_t lines = 1; lines <= 3; lines++)
          test_mirror(to, from, want, stride[k / 3], stride[k % 3], points[p], lines,
                      (ptrdiff_t)p % 5, how);
}

/* As long as several buffers of those that are streamed. */
static void test_long_runs(float *to, float *from, float *want) {
  static const strides run = {1, 600};
  for (ptrdiff_t points = 120; points < 600; points += 7)
    for (ptrdiff_t shift = 0; shift < 9; shift++)
      for (int mode = 0; mode < 4; mode++)
        test_between(to, from, want, run, run, points, 1, shift, mode % 2, mode / 2);
}

/* Rows that are streamed a tile after the other, the first of which need not be that of line 0, and
 * of which the last may be narrow; one row has no place. */
static void test_portions(char *to, char *tile, char *want, ptrdiff_t row, ptrdiff_t shift,
                          ptrdiff_t width, ptrdiff_t start) {
  enum { ROWS = 3, STEP = 4 * PF_ALIGN };
  char *at[ROWS];
  memset(to, 0x55, ROWS * 1024 + 1024);
  memset(want, 0x55, ROWS * 1024 + 1024);
  for (ptrdiff_t k = 0; k < ROWS; k++) {
    at[k] = k == 1 ? NULL : to + shift + k * row;
    for (ptrdiff_t i = 0; i < row && at[k]; i++) want[shift + k * row + i] = (char)(7 * k + i);
  }
  ptrdiff_t tiles = (row + width - 1) / width;
  for (ptrdiff_t i = 0; i < tiles; i++) {
    ptrdiff_t t = (start + i) % tiles * width, bytes = row - t < width ? row - t : width;
    for (ptrdiff_t k = 0; k < ROWS; k++)
      for (ptrdiff_t b = 0; b < bytes; b++) tile[PF_ALIGN + k * STEP + b] = (char)(7 * k + t + b);
    pf_move_portions(&(pf_portions){.to = at,
                                    .offset = t,
                                    .from = tile + PF_ALIGN,
                                    .step = STEP,
                                    .count = ROWS,
                                    .bytes = bytes,
                                    .begins = i == 0 || t == 0,
                                    .ends = t + bytes == row || i == tiles - 1});
  }
  pf_move_fence();
  CHECK(!memcmp(to, want, ROWS * 1024 + 1024), "row of %td bytes at %td, tiles of %td from %td on",
        row, shift, width, start);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const strides stride[] = {{1, 40}, {40, 1}, {1, 33}, {35, 2}};
  float *to = pf_alloc(4 * ROOM * sizeof *to), *from = pf_alloc(4 * ROOM * sizeof *from);
  float *want = pf_alloc(4 * ROOM * sizeof *want);
  for (int k = 0; k < 16; k++)
    for (ptrdiff_t points = 0; points <= 17; points++)
      for (ptrdiff_t lines = 1; lines <= 9; lines += 4)
        for (ptrdiff_t shift = 0; shift < 10; shift++) /* odd ones: a pair is not aligned */
          for (int mode = 0; mode < 4; mode++)         /* streaming or not, single or double */
            test_move(to, from, want, stride[k / 4], stride[k % 4], points, lines, shift, mode % 2,
                      mode < 2 ? 2 : 4);
  for (int k = 0; k < 16; k++)
    for (ptrdiff_t points = 0; points <= 17; points++)
      for (ptrdiff_t lines = 1; lines <= 9; lines += 4)
        for (ptrdiff_t shift = 0; shift < 4; shift++)
          for (int mode = 0; mode < 4; mode++)
            test_between(to, from, want, stride[k / 4], stride[k % 4], points, lines, shift,
                         mode % 2, mode / 2);
  for (ptrdiff_t row = 4; row < 1000; row += 20)
    for (ptrdiff_t shift = 0; shift <= 64; shift += 4)
      for (ptrdiff_t width = 64; width <= 128; width += 64)
        for (ptrdiff_t start = 0; start == 0 || start < (row + width - 1) / width; start += 3)
          test_portions((char *)to, (char *)from, (char *)want, row, shift, width, start);
  test_long_runs(to, from, want);
  test_mirrors(to, from, want);
  pf_free(to);
  pf_free(from);
  pf_free(want);
  return check_result();
}
