/* SPDX-License-Identifier: BSD-3-Clause
 * Real lines computed as complex ones: widening, narrowing, weights. */
#include "line/real.h"

#define REAL_LINES(type)                                                                \
  static void widen_##type(ptrdiff_t count, const type *from, type *to) {               \
    for (ptrdiff_t i = 0; i < count; i++) to[2 * i] = from[i], to[2 * i + 1] = 0;       \
  }                                                                                     \
  static void narrow_##type(ptrdiff_t count, const type *from, type *to) {              \
    for (ptrdiff_t i = 0; i < count; i++) to[i] = from[2 * i];                          \
  }                                                                                     \
  static void weigh_##type(const pf_vector *v, int rank, ptrdiff_t n, const type *from, \
                           type *to) {                                                  \
    ptrdiff_t count = pf_vector_count(v, rank);                                         \
    for (ptrdiff_t i = 0; i < count; i++) {                                             \
      ptrdiff_t k = pf_vector_index(v, rank, i);                                        \
      type weight = k == 0 || 2 * k == n ? 1 : 2;                                       \
      to[2 * i] = weight * from[2 * i];                                                 \
      to[2 * i + 1] = weight * from[2 * i + 1];                                         \
    }                                                                                   \
  }

REAL_LINES(double)
REAL_LINES(float)

/* The caller's arrays are untyped. */
#define BY_PRECISION(name, ...)                                           \
  const void *source = from;                                              \
  void *target = to;                                                      \
  if (precision == PFFT3D_DOUBLE)                                         \
    name##_double(__VA_ARGS__, (const double *)source, (double *)target); \
  else                                                                    \
    name##_float(__VA_ARGS__, (const float *)source, (float *)target);

void pf_line_widen(ptrdiff_t count, pfft3d_precision precision, const char *from, char *to) {
  BY_PRECISION(widen, count)
}

void pf_line_narrow(ptrdiff_t count, pfft3d_precision precision, const char *from, char *to) {
  BY_PRECISION(narrow, count)
}

void pf_line_weigh(const pf_vector *v, int rank, ptrdiff_t n, pfft3d_precision precision,
                   const char *from, char *to) {
  BY_PRECISION(weigh, v, rank, n)
}
