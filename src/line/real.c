/* SPDX-License-Identifier: BSD-3-Clause
 * Real lines computed as complex ones: forward, real numbers become complex ones; backward, the
 * real parts are kept.  Elements of a half spectrum that have a mirror image are doubled: the real
 * part of the transform then equals the transform of the full spectrum.  Elements without one get
 * the imaginary part 0, which affects only the imaginary part of the transform. */
#include "line/work.h"

#define REAL_LINES(type)                                                                       \
  static void widen_##type(ptrdiff_t count, const type *from, type *to) {                      \
    for (ptrdiff_t i = 0; i < count; i++) to[2 * i] = from[i], to[2 * i + 1] = 0;              \
  }                                                                                            \
  static void narrow_##type(ptrdiff_t count, const type *from, type *to) {                     \
    for (ptrdiff_t i = 0; i < count; i++) to[i] = from[2 * i];                                 \
  }                                                                                            \
  static void weigh_##type(const pf_line *line, ptrdiff_t count, const type *from, type *to) { \
    const pf_vector *v = &line->choice.caller[PFFT3D_SPECTRUM];                                \
    for (ptrdiff_t i = 0; i < count; i++) {                                                    \
      ptrdiff_t k = pf_vector_index(v, line->rank, i);                                         \
      int single = k == 0 || 2 * k == line->n;                                                 \
      to[2 * i] = single ? from[2 * i] : 2 * from[2 * i];                                      \
      to[2 * i + 1] = single ? 0 : 2 * from[2 * i + 1];                                        \
    }                                                                                          \
  }                                                                                            \
  static void work_##type(const pf_line *line, pf_line_action action, const type *from,        \
                          type *to) {                                                          \
    int side = action == PF_LINE_WEIGH ? PFFT3D_SPECTRUM : PFFT3D_SPACE;                       \
    ptrdiff_t count = pf_vector_count(&line->choice.caller[side], line->rank);                 \
    if (action == PF_LINE_WIDEN) widen_##type(count, from, to);                                \
    if (action == PF_LINE_NARROW) narrow_##type(count, from, to);                              \
    if (action == PF_LINE_WEIGH) weigh_##type(line, count, from, to);                          \
  }

REAL_LINES(double)
REAL_LINES(float)

void pf_line_real(const pf_line *line, pf_line_action action, const void *from, void *to) {
  if (line->precision == PFFT3D_DOUBLE)
    work_double(line, action, from, to);
  else
    work_float(line, action, from, to);
}
