/* SPDX-License-Identifier: BSD-3-Clause
 * Number formats, and their conversion: a format is three members of a table, so that HDF5 is not
 * needed where it has not decoded the data. */
#include "hdf5/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int pf_number_native_big(void) {
  return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* The order is that of pf_h5_number_type(), and part of the replies of the process that inspects
 * files. */
const pf_number *pf_number_at(int index) {
  static const pf_number numbers[] = {
      {'i', 1, 0},
      {'i', 2, 0},
      {'i', 4, 0},
      {'i', 8, 0},
      {'u', 1, 0},
      {'u', 2, 0},
      {'u', 4, 0},
      {'u', 8, 0},
      {'i', 1, 1},
      {'i', 2, 1},
      {'i', 4, 1},
      {'i', 8, 1},
      {'u', 1, 1},
      {'u', 2, 1},
      {'u', 4, 1},
      {'u', 8, 1},
      {'f', 4, 0},
      {'f', 8, 0},
      {'f', 4, 1},
      {'f', 8, 1},
      {'f', 2, 0},
      {'f', 2, 1},
      {'f', sizeof(long double), __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__}};
  return index >= 0 && (size_t)index < sizeof numbers / sizeof *numbers ? &numbers[index] : NULL;
}

int pf_number_index(char kind, size_t bytes, int big) {
  const pf_number *n;
  char like = kind == 'b' ? 'u' : kind;
  for (int k = 0; (n = pf_number_at(k)); k++)
    if (n->kind == like && n->bytes == bytes && (bytes == 1 || n->big == big)) return k;
  return -1;
}

void pf_number_name(char kind, size_t bytes, const char *order, int is_complex,
                    char out[PF_IO_TYPE]) {
  const char *word = is_complex ? "complex" : kind == 'f' ? "float" : kind == 'u' ? "uint" : "int";
  snprintf(out, PF_IO_TYPE, "%s%zu%s", word, (is_complex ? 16 : 8) * bytes, order);
}

/* Copies a number of at most 16 bytes, in the order of this processor. */
static inline void take(void *to, const char *from, size_t bytes, int swap) {
  char *c = to;
  memcpy(to, from, bytes);
  for (size_t k = 0; swap && k < bytes / 2; k++) {
    char other = c[k];
    c[k] = c[bytes - 1 - k];
    c[bytes - 1 - k] = other;
  }
}

/* IEEE 754: a sign, 5 bits of exponent, 10 of fraction. */
static double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                 : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                : ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

/* Longer numbers from the first to the last, others from the last to the first: in place, too, none
 * is overwritten before it is read. */
#define CONVERT(type, value)                                                                    \
  for (ptrdiff_t k = 0; k < count; k++) {                                                       \
    type x;                                                                                     \
    ptrdiff_t i = sizeof x > bytes ? k : count - 1 - k;                                         \
    take(&x, (const char *)from + i * (ptrdiff_t)sizeof x, sizeof x, swap);                     \
    double wide = (double)(value);                                                              \
    float narrow = (float)(value);                                                              \
    memcpy((char *)to + i * (ptrdiff_t)bytes, single ? (void *)&narrow : (void *)&wide, bytes); \
  }                                                                                             \
  break

void pf_number_convert(const pf_number *format, const void *from, void *to, size_t bytes,
                       ptrdiff_t count) {
  const int swap = format->big != pf_number_native_big(), single = bytes == sizeof(float);
  if (format->kind == 'f' && format->bytes == bytes && !swap) {
    memmove(to, from, (size_t)count * bytes);
    return;
  }
  switch (format->kind << 8 | (int)format->bytes) {
    case 'i' << 8 | 1: CONVERT(int8_t, x);
    case 'i' << 8 | 2: CONVERT(int16_t, x);
    case 'i' << 8 | 4: CONVERT(int32_t, x);
    case 'i' << 8 | 8: CONVERT(int64_t, x);
    case 'u' << 8 | 1: CONVERT(uint8_t, x);
    case 'u' << 8 | 2: CONVERT(uint16_t, x);
    case 'u' << 8 | 4: CONVERT(uint32_t, x);
    case 'u' << 8 | 8: CONVERT(uint64_t, x);
    case 'f' << 8 | 2: CONVERT(uint16_t, half_value(x));
    case 'f' << 8 | 4: CONVERT(float, x);
    case 'f' << 8 | 8: CONVERT(double, x);
    default: CONVERT(long double, x);
  }
}
