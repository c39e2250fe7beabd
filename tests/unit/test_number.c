/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Conversion of numbers in files: each format, in both byte orders, to doubles and floats, from one
 * memory to another and in place, against the bytes that the value has by definition. */
#include <float.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "hdf5/number.h"

#define COUNT 37

/* The bytes of integer v, or of the double, float or half with these bits. */
static void put(unsigned char *to, const pf_number *n, uint64_t bits) {
  for (size_t k = 0; k < n->bytes; k++)
    to[n->big ? n->bytes - 1 - k : k] = (unsigned char)(bits >> 8 * k);
}

/* Number i of a format: its bits, and its value. */
static double example(const pf_number *n, int i, uint64_t *bits) {
  static const struct {
    uint16_t bits;
    double value;
  } half[] = {{0x3c00, 1},          {0xc000, -2},
              {0x7bff, 65504},      {0x0400, 0x1p-14},
              {0x0001, 0x1p-24},    {0x83ff, -0x3ffp-24},
              {0x7c00, HUGE_VAL},   {0xfc00, -HUGE_VAL},
              {0x3555, 0x1.554p-2}, {0, 0}};
  uint64_t mixed = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u, top = mixed >> (64 - 8 * n->bytes);
  float f = (float)(i * 0.3 - 4);
  double d = i * 0.3 - 4;
  uint32_t word;
  *bits = top;
  if (n->kind == 'u') return (double)top;
  if (n->kind == 'i') {
    uint64_t sign = UINT64_C(1) << (8 * n->bytes - 1);
    return top & sign ? -(double)((sign - (top ^ sign))) : (double)top;
  }
  if (n->bytes == 2) {
    *bits = half[i % 10].bits;
    return half[i % 10].value;
  }
  if (n->bytes == 4) {
    memcpy(&word, &f, sizeof word);
    *bits = word;
    return f;
  }
  memcpy(bits, &d, sizeof d);
  return d;
}

static double got(const char *at, size_t bytes, int i) {
  float f;
  double d;
  memcpy(&f, at + (size_t)i * bytes, sizeof f);
  memcpy(&d, at + (size_t)i * bytes, bytes);
  return bytes == sizeof f ? f : d;
}

static void try_format(int index, size_t bytes, int in_place) {
  const pf_number *n = pf_number_at(index);
  char from[COUNT * 16], to[COUNT * 16];
  uint64_t bits;
  for (int i = 0; i < COUNT; i++) {
    double value = example(n, i, &bits);
    long double longest = value;
    if (n->bytes > 8)
      memcpy(from + (size_t)i * n->bytes, &longest, n->bytes);
    else
      put((unsigned char *)from + (size_t)i * n->bytes, n, bits);
  }
  pf_number_convert(n, from, in_place ? from : to, bytes, COUNT);
  for (int i = 0; i < COUNT; i++) {
    double value = example(n, i, &bits), result = got(in_place ? from : to, bytes, i);
    if (bytes == sizeof(float)) value = (float)value;
    CHECK(result == value, "%c%zu %s, number %d as %zu bytes%s: %.17g instead of %.17g", n->kind,
          n->bytes, n->big ? "big" : "little", i, bytes, in_place ? " in place" : "", result,
          value);
  }
}

int main(int argc, char **argv) {
  int formats = 0;
  const pf_number *n;
  char name[PF_IO_TYPE];
  MPI_Init(&argc, &argv);
  for (; (n = pf_number_at(formats)); formats++) {
    for (int k = 0; k < 4; k++) try_format(formats, k & 1 ? sizeof(float) : sizeof(double), k & 2);
    int found = pf_number_index(n->kind, n->bytes, n->big);
    CHECK(found == formats || (n->bytes == 1 && n->big && found == formats - 8), "format %d: %d",
          formats, found);
  }
  CHECK(formats == 23 && !pf_number_at(-1), "%d formats", formats);
  CHECK(pf_number_index('b', 1, 1) == pf_number_index('u', 1, 0), "truth values");
  CHECK(pf_number_index('f', 3, 0) < 0 && pf_number_index('c', 8, 0) < 0, "no such format");
  pf_number_name('f', 8, " big-endian", 1, name);
  CHECK(strcmp(name, "complex128 big-endian") == 0, "%s", name);
  pf_number_name('u', 2, "", 0, name);
  CHECK(strcmp(name, "uint16") == 0, "%s", name);
  return check_result();
}
