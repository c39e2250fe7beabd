/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of boxes of elements of any size between arrays with any order of their axes. */
#ifndef PF_LOCAL_MOVE_BOX_H
#define PF_LOCAL_MOVE_BOX_H

#include <stddef.h>

enum { PF_BOX_AXES = 4 };

/* One side of a copy: the first element, and bytes from an index to the next along each axis. */
typedef struct pf_boxed {
  char *data;
  ptrdiff_t stride[PF_BOX_AXES];
} pf_boxed;

/** Local. Copies the elements of a box, of `size` bytes each; the arrays must not overlap. */
void pf_move_box(pf_boxed to, pf_boxed from, const ptrdiff_t len[PF_BOX_AXES], size_t size);

#endif
