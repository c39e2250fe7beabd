/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Strided copies: every combination of strides, alignments and lengths around a cache line, with
 * plain and streaming stores; nothing but the rectangle may change. */
#include "local/move.h"

#include "base/memory.h"
#include "support.h"

enum { ROOM = 2048 }; /* pairs in each array */

typedef struct {
  ptrdiff_t along, across;
} strides;

static void test_move(double *to, double *from, double *want, strides a, strides b,
                      ptrdiff_t points, ptrdiff_t lines, ptrdiff_t shift, int stream) {
  for (int i = 0; i < 2 * ROOM; i++) {
    from[i] = i;
    to[i] = want[i] = -1 - i;
  }
  for (ptrdiff_t j = 0; j < lines; j++)
    for (ptrdiff_t i = 0; i < points; i++)
      for (int c = 0; c < 2; c++)
        want[shift + 2 * (i * a.along + j * a.across) + c] =
            from[2 * (i * b.along + j * b.across) + c];
  pf_move((pf_strided){to + shift, a.along, a.across}, (pf_strided){from, b.along, b.across},
          points, lines, stream);
  pf_move_fence();
  CHECK(!memcmp(to, want, 2 * ROOM * sizeof *to),
        "%td x %td, to %td %td, from %td %td, shift %td doubles, stream %d", points, lines, a.along,
        a.across, b.along, b.across, shift, stream);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const strides stride[] = {{1, 40}, {40, 1}, {1, 33}, {35, 2}};
  double *to = pf_alloc(2 * ROOM * sizeof *to), *from = pf_alloc(2 * ROOM * sizeof *from);
  double *want = pf_alloc(2 * ROOM * sizeof *want);
  for (int k = 0; k < 16; k++)
    for (ptrdiff_t points = 0; points <= 17; points++)
      for (ptrdiff_t lines = 1; lines <= 9; lines += 4)
        for (ptrdiff_t shift = 0; shift < 10; shift++) /* odd ones: a pair is not aligned */
          for (int stream = 0; stream < 2; stream++)
            test_move(to, from, want, stride[k / 4], stride[k % 4], points, lines, shift, stream);
  pf_free(to);
  pf_free(from);
  pf_free(want);
  return check_result();
}
