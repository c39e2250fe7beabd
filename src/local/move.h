/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of complex numbers between strided arrays, and between precisions. */
#ifndef PF_LOCAL_MOVE_H
#define PF_LOCAL_MOVE_H

#include <stddef.h>

/* One side of a move: strides in elements from point to point and from line to line. */
typedef struct pf_strided {
  char *data;
  ptrdiff_t along, across;
  size_t element; /* bytes */
} pf_strided;

/* Loss of numbers in single precision: sums of |x - float(x)|^2 and |x|^2. */
typedef struct pf_loss {
  double error2, norm2;
} pf_loss;

typedef struct pf_move_mode {
  int stream;    /* streaming stores where whole cache lines are written, for large arrays that are
                    not read soon */
  pf_loss *loss; /* incremented by the loss of a conversion to single precision */
  int conjugate; /* conjugate complex numbers */
} pf_move_mode;

/** Local. Copies points x lines elements of 4, 8 or 16 bytes; the offset between lines may be
 * negative. Elements that differ between both sides, 8 and 16 bytes for complex numbers, 4 and 8
 * for real ones, are converted between single and double precision.  After streaming,
 * pf_move_fence() must follow before another thread, rank or MPI reads the data. */
void pf_move(pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines, pf_move_mode mode);

/** Local. Copies one run of bytes; source and target must be equal or must not overlap. */
void pf_move_run(char *to, const char *from, size_t bytes, int stream);

/* Portions of `count` runs: `bytes` of each go to to[k] + offset, or are dropped if to[k] is NULL.
 * The source of run k is from + k * step; the PF_ALIGN bytes before it are a buffer for the end of
 * the previous portion, and are filled here.  All portions but the last have PF_ALIGN bytes or
 * more. */
typedef struct pf_portions {
  char *const *to;
  ptrdiff_t offset;
  char *from;
  ptrdiff_t step, count, bytes;
  int begins, ends; /* nonzero: the first and the last portion of each run */
} pf_portions;

/** Local. Streams one portion after another of runs that do not begin at cache lines: all cache
 * lines of a run but the first and the last are written as a whole. */
void pf_move_portions(const pf_portions *p);

/** Local. Makes streamed data visible to others. */
void pf_move_fence(void);

#endif
