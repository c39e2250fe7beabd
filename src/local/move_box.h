/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of boxes of elements of any size between arrays with any order of their axes. */
#ifndef PF_LOCAL_MOVE_BOX_H
#define PF_LOCAL_MOVE_BOX_H

#include "local/move.h"

enum { PF_BOX_AXES = 4 };

/* One side of a copy: the first element, and the stride of each axis in bytes. */
typedef struct pf_boxed {
  char *data;
  ptrdiff_t stride[PF_BOX_AXES];
  size_t size; /* bytes of an element */
} pf_boxed;

/** Local. Copies the elements of a box; the arrays must not overlap.  If the sizes of an element
 *  differ (4 and 8 bytes: real numbers; 8 and 16: complex), elements are converted, and the loss is
 *  added to *loss. */
void pf_move_box(pf_boxed to, pf_boxed from, const ptrdiff_t len[PF_BOX_AXES], pf_loss *loss);

#endif
