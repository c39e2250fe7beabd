/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes are copied plane by plane.  A plane has the axes with the shortest stride in the target and
 * in the source: if they are the same axis, rows are copied, and the second axis is the next in the
 * source; else the plane is transposed. */
#include "local/move_box.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "local/move.h"

enum { AXES = PF_BOX_AXES };

static ptrdiff_t distance(ptrdiff_t stride) {
  return stride < 0 ? -stride : stride;
}

/* The axis with the shortest stride, in any direction, of those with several indices, except
 * `other`; -1: none. */
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

/* Nonzero if addresses and strides suit a number that pf_move() takes as an element. */
static int is_number(const pf_boxed *side) {
  size_t size = side->size, align = size == 16 ? 8 : size;
  if (size != 4 && size != 8 && size != 16) return 0;
  for (int a = 0; a < AXES; a++)
    if (side->stride[a] % (ptrdiff_t)size) return 0;
  return (uintptr_t)side->data % align == 0;
}

/* One element, which may lie at any address. */
static void move_one(char *to, size_t to_size, const char *from, size_t from_size, pf_loss *loss) {
  double x[2], y[2];
  if (to_size == from_size) {
    memcpy(to, from, to_size);
    return;
  }
  memcpy(x, from, from_size);
  pf_move((pf_strided){(char *)y, 1, 1, to_size}, (pf_strided){(char *)x, 1, 1, from_size}, 1, 1,
          (pf_move_mode){.loss = loss});
  memcpy(to, y, to_size);
}

/* A plane; len[] are its points along the first axis and its lines along the second. */
static void move_plane(const pf_boxed *to, const pf_boxed *from, const int axis[2],
                       const ptrdiff_t len[2], pf_move_mode mode) {
  ptrdiff_t each = (ptrdiff_t)from->size, other = (ptrdiff_t)to->size;
  ptrdiff_t in = from->stride[axis[0]], out = to->stride[axis[0]];
  ptrdiff_t below = from->stride[axis[1]], above = to->stride[axis[1]];
  if (each == other && ((in == each && out == each) || len[0] == 1)) {
    for (ptrdiff_t j = 0; j < len[1]; j++)
      pf_move_run(to->data + j * above, from->data + j * below, from->size * (size_t)len[0],
                  mode.stream);
  } else if (is_number(to) && is_number(from)) {
    pf_move((pf_strided){to->data, out / other, above / other, to->size},
            (pf_strided){from->data, in / each, below / each, from->size}, len[0], len[1], mode);
  } else {
    for (ptrdiff_t j = 0; j < len[1]; j++)
      for (ptrdiff_t i = 0; i < len[0]; i++)
        move_one(to->data + j * above + i * out, to->size, from->data + j * below + i * in,
                 from->size, mode.loss);
  }
}

void pf_move_box(pf_boxed to, pf_boxed from, const ptrdiff_t len[AXES], pf_loss *loss) {
  int axis[2], other[2], count = 0;
  for (int a = 0; a < AXES; a++)
    if (len[a] == 0) return;
  plane_axes(&to, &from, len, axis);
  for (int a = 0; a < AXES; a++)
    if (a != axis[0] && a != axis[1]) other[count++ % 2] = a;
  int stream = (size_t)(len[0] * len[1] * len[2] * len[3]) * to.size > pf_cache_bytes();
  const pf_move_mode mode = {.stream = stream, .loss = loss};
  const ptrdiff_t plane[2] = {len[axis[0]], len[axis[1]]};
  const char *data = from.data;
  char *target = to.data;
  for (ptrdiff_t i = 0; i < len[other[0]]; i++)
    for (ptrdiff_t j = 0; j < len[other[1]]; j++) {
      to.data = target + i * to.stride[other[0]] + j * to.stride[other[1]];
      ptrdiff_t at = i * from.stride[other[0]] + j * from.stride[other[1]];
      from.data += data + at - from.data;
      move_plane(&to, &from, axis, plane, mode);
    }
  if (stream) pf_move_fence();
}
