/* SPDX-License-Identifier: BSD-3-Clause
 * How a box is cut into rounds: pieces of a limited size, each contiguous in memory and a box again
 * in the file. */
#ifndef PF_HDF5_ROUNDS_H
#define PF_HDF5_ROUNDS_H

#include <stddef.h>

#include "base/status.h"

/* `step` indices along `axis`, at one index of every axis before it.  `lines` pieces make up the
 * axis. */
typedef struct pf_transfer {
  int axis;
  ptrdiff_t step, lines, count;
} pf_transfer;

/* One of them: a box of the file, and where its elements begin in the array of the whole box. */
typedef struct pf_portion {
  ptrdiff_t start[3], size[3], at, count;
} pf_portion;

/** Local. USAGE unless the box is a part of n, and empty or with an array to it. */
int pf_io_check_box(const ptrdiff_t n[3], const pfft3d_box *box, const void *array,
                    pfft3d_error *e);

/** Local. What pf_io_set_round_bytes() said. */
size_t pf_io_round_bytes(void);

/** Local. Cuts a box of an array of n so that a piece has at most @p most bytes, and no more than
 *  pf_io_set_round_bytes() said; an element takes @p element, in memory or in the file, whichever
 *  is more.  Without rounds when the box is empty. */
pf_transfer pf_io_cut(const ptrdiff_t n[3], const pfft3d_box *box, size_t element, size_t most);

/** Local. Piece k, from 0, of the box. */
pf_portion pf_io_piece(const pf_transfer *r, const pfft3d_box *box, ptrdiff_t k);

#endif
