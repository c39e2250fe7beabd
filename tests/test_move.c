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
  pf_move((size_t)numbers * sizeof *to, (pf_strided){(char *)(to + 2 * shift), a.along, a.across},
          (pf_strided){(char *)from, b.along, b.across}, points, lines, stream);
  pf_move_fence();
  CHECK(!memcmp(to, want, 4 * ROOM * sizeof *to),
        "%td x %td, to %td %td, from %td %td, shift %td doubles, stream %d, %d floats", points,
        lines, a.along, a.across, b.along, b.across, shift, stream, numbers);
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
  pf_free(to);
  pf_free(from);
  pf_free(want);
  return check_result();
}
