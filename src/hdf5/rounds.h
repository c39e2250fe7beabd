/* SPDX-License-Identifier: BSD-3-Clause
 * A box is moved in rounds of limited size.  The elements of a round are contiguous in memory and
 * form a box in the file. */
#ifndef PF_HDF5_ROUNDS_H
#define PF_HDF5_ROUNDS_H

#include <stddef.h>

#include "base/status.h"

/* How a box is split: a round has `step` indices of `axis`, one index of each axis before it, and
 * all indices of each axis after it. */
typedef struct pf_io_rounds {
  int axis;
  ptrdiff_t step, per_axis, count; /* indices per round; rounds along `axis`, and in all */
} pf_io_rounds;

/* A round: a box of the file, and the offset of its elements in the array of the whole box. */
typedef struct pf_io_round {
  ptrdiff_t start[3], size[3], offset, count;
} pf_io_round;

/** Local. USAGE unless the box is a part of an array of n, and is empty or has an array. */
int pf_io_check_box(const ptrdiff_t n[3], const pfft3d_box *box, const void *array,
                    pfft3d_error *e);

/** Local. The most bytes that a rank moves per round. */
size_t pf_io_round_bytes(void);

/** Local. Splits a box of an array of n so that a round has at most @p most bytes, and at most
 *  pf_io_round_bytes(); @p element is the larger of the bytes of an element in memory and in the
 *  file.  No rounds if the box is empty. */
pf_io_rounds pf_io_split_box(const ptrdiff_t n[3], const pfft3d_box *box, size_t element,
                             size_t most);

/** Local. Round k, from 0, of the box. */
pf_io_round pf_io_round_at(const pf_io_rounds *r, const pfft3d_box *box, ptrdiff_t k);

#endif
