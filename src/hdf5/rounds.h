/* SPDX-License-Identifier: BSD-3-Clause
 * A box is moved in rounds of limited size.  The elements of a round are contiguous in memory and
 * form a box in the file. */
#ifndef PF_HDF5_ROUNDS_H
#define PF_HDF5_ROUNDS_H

#include <stddef.h>

#include "base/status.h"
#include "pfft3d_hdf5.h"

enum { PF_IO_DIMS = 8 }; /* most dimensions of a stored array */

/** Local. The axes of an array of @p dims dimensions: at least three, leading ones of length 1. */
static inline int pf_io_axes(int dims) {
  return dims < 3 ? 3 : dims;
}

/* A box of an array of n, whose elements are contiguous in memory, in C order. */
typedef struct pf_io_box {
  int axes;
  ptrdiff_t n[PF_IO_DIMS], lo[PF_IO_DIMS], len[PF_IO_DIMS];
} pf_io_box;

/* How a box is split: a round has `step` indices of `axis`, one index of each axis before it, and
 * all indices of each axis after it. */
typedef struct pf_io_rounds {
  int axis;
  ptrdiff_t step, per_axis, count; /* indices per round; rounds along `axis`, and in all */
} pf_io_rounds;

/* A round: a box of the file, and the offset of its elements in the array of the whole box. */
typedef struct pf_io_round {
  ptrdiff_t start[PF_IO_DIMS], size[PF_IO_DIMS], offset, count;
} pf_io_round;

/** Local. The box of an array of n, whose axes pf_io_axes(dims) tells, that @p box is, or @p part
 * if that is not NULL.  USAGE: both are NULL; a box of more than three dimensions. */
int pf_io_box_of(int dims, const ptrdiff_t *n, const pfft3d_box *box, const pfft3d_block *block,
                 pf_io_box *out, pfft3d_error *e);

/** Local. USAGE unless the box is a part of the array, and is empty or has an array. */
int pf_io_check_box(const pf_io_box *box, const void *array, pfft3d_error *e);

/** Local. The most bytes that a rank moves per round. */
size_t pf_io_round_bytes(void);

/** Local. Splits a box so that a round has at most @p most bytes, and at most
 *  pf_io_round_bytes(); @p element is the larger of the bytes of an element in memory and in the
 *  file.  No rounds if the box is empty. */
pf_io_rounds pf_io_split_box(const pf_io_box *box, size_t element, size_t most);

/** Local. Round k, from 0, of the box. */
pf_io_round pf_io_round_at(const pf_io_rounds *r, const pf_io_box *box, ptrdiff_t k);

#endif
