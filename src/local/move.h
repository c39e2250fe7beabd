/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of complex numbers between strided arrays, and between precisions. */
#ifndef PF_LOCAL_MOVE_H
#define PF_LOCAL_MOVE_H

#include <stddef.h>

/* One side of a move: strides in elements from point to point and from line to line. */
typedef struct pf_strided {
  char *data;
  ptrdiff_t along, across;
} pf_strided;

/** Local. Copies points x lines complex numbers of @p element bytes each (8 or 16).  @p stream: the
 * target goes around the caches where whole cache lines are written (large arrays that nobody
 * reads soon); pf_move_fence() must follow before another thread, rank or MPI reads them. */
void pf_move(size_t element, pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines,
             int stream);

/* Loss of numbers in single precision: sums of |x - float(x)|^2 and |x|^2. */
typedef struct pf_loss {
  double error2, norm2;
} pf_loss;

/** Local. As pf_move() between elements of unlike sizes, 16 and 8: complex numbers in double and
 *  single precision.  What narrowing loses is added to *loss. */
void pf_move_between(size_t to_element, size_t from_element, pf_strided to, pf_strided from,
                     ptrdiff_t points, ptrdiff_t lines, int stream, pf_loss *loss);

/** Local. The same for one run of bytes; they must not overlap, or be the same. */
void pf_move_run(char *to, const char *from, size_t bytes, int stream);

/** Local. Makes streamed data visible to others. */
void pf_move_fence(void);

#endif
