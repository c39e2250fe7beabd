/* SPDX-License-Identifier: BSD-3-Clause
 * Single numbers of an array of floats (single) or of doubles, for loops independent of their
 * type. */
#ifndef PF_APP_COMMON_NUMBER_H
#define PF_APP_COMMON_NUMBER_H

#include <stddef.h>

static inline double number_get(const void *array, int single, ptrdiff_t at) {
  return single ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

static inline void number_set(void *array, int single, ptrdiff_t at, double value) {
  if (single)
    ((float *)array)[at] = (float)value;
  else
    ((double *)array)[at] = value;
}

#endif
