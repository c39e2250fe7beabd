/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes are copied plane by plane.  A plane has the axis that is densest in the target and the one
 * that is densest in the source: if that is the same one, rows are copied, and the second axis is
 * the next densest; else it is a transposition. */
#include "local/move_box.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "local/move.h"

enum { AXES = PF_BOX_AXES };

static ptrdiff_t distance(ptrdiff_t stride) {
  return stride < 0 ? -stride : stride;
}

/* The axis with the shortest stride, in any direction, without those of one index and one other;
 * -1: none. */
static int densest(const ptrdiff_t stride[AXES], const ptrdiff_t len[AXES], int other) {
  int best = -1;
  for (int a = AXES - 1; a >= 0; a--)
    if (a != other && len[a] > 1 && (best < 0 || distance(stride[a]) < distance(stride[best])))
      best = a;
  return best;
}

/* The two axes of a plane: any, if fewer have several indices. */
static void plane_axes(const pf_boxed *to, const pf_boxed *from, const ptrdiff_t len[AXES],
                       int axis[2]) {
  axis[0] = densest(to->stride, len, -1);
  if (axis[0] < 0) axis[0] = AXES - 1;
  axis[1] = densest(from->stride, len, axis[0]);
  if (axis[1] < 0) axis[1] = axis[0] ? 0 : 1;
}

/* Whether all places are multiples of a number that pf_move() takes as an element. */
static int is_number(const pf_boxed *to, const pf_boxed *from, size_t size) {
  size_t align = size == 16 ? 8 : size;
  uintptr_t bits = (uintptr_t)to->data | (uintptr_t)from->data;
  if (size != 4 && size != 8 && size != 16) return 0;
  for (int a = 0; a < AXES; a++) {
    if (to->stride[a] % (ptrdiff_t)size || from->stride[a] % (ptrdiff_t)size) return 0;
  }
  return bits % align == 0;
}

/* A plane; len[] are its points along the first axis and its lines along the second. */
static void move_plane(const pf_boxed *to, const pf_boxed *from, const int axis[2],
                       const ptrdiff_t len[2], size_t size, int stream) {
  ptrdiff_t each = (ptrdiff_t)size;
  ptrdiff_t in = from->stride[axis[0]], out = to->stride[axis[0]];
  ptrdiff_t below = from->stride[axis[1]], above = to->stride[axis[1]];
  if ((in == each && out == each) || len[0] == 1) {
    for (ptrdiff_t j = 0; j < len[1]; j++)
      pf_move_run(to->data + j * above, from->data + j * below, size * (size_t)len[0], stream);
  } else if (is_number(to, from, size)) {
    pf_move((pf_strided){to->data, out / each, above / each, size},
            (pf_strided){from->data, in / each, below / each, size}, len[0], len[1],
            (pf_move_mode){.stream = stream});
  } else {
    for (ptrdiff_t j = 0; j < len[1]; j++)
      for (ptrdiff_t i = 0; i < len[0]; i++)
        memcpy(to->data + j * above + i * out, from->data + j * below + i * in, size);
  }
}

void pf_move_box(pf_boxed to, pf_boxed from, const ptrdiff_t len[AXES], size_t size) {
  int axis[2], other[2], count = 0;
  for (int a = 0; a < AXES; a++)
    if (len[a] == 0) return;
  plane_axes(&to, &from, len, axis);
  for (int a = 0; a < AXES; a++)
    if (a != axis[0] && a != axis[1]) other[count++ % 2] = a;
  int stream = (size_t)(len[0] * len[1] * len[2] * len[3]) * size > pf_cache_bytes();
  const ptrdiff_t plane[2] = {len[axis[0]], len[axis[1]]};
  const char *data = from.data;
  char *target = to.data;
  for (ptrdiff_t i = 0; i < len[other[0]]; i++)
    for (ptrdiff_t j = 0; j < len[other[1]]; j++) {
      to.data = target + i * to.stride[other[0]] + j * to.stride[other[1]];
      ptrdiff_t at = i * from.stride[other[0]] + j * from.stride[other[1]];
      from.data += data + at - from.data;
      move_plane(&to, &from, axis, plane, size, stream);
    }
  if (stream) pf_move_fence();
}
