/* SPDX-License-Identifier: BSD-3-Clause
 * Common parts of tests: fields defined by global index, the transform by its definition in long
 * double, error limits, communicators of all kinds, and requests from the registries. */
#ifndef PF_TESTS_SUPPORT_H
#define PF_TESTS_SUPPORT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cells.h"
#include "check.h"
#include "pfft3d_tune.h"
#include "request/request.h"

/* Local. 64 well mixed bits of an index (the finaliser of splitmix64). */
static inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Local. A number in [-1, 1) for an index: the same on every rank. */
static inline double value_of(uint64_t index) {
  return (double)(int64_t)mix(index) * 0x1p-63;
}

/* Local. malloc that ends the test if there is no memory; 0 bytes give a pointer, too. */
void *get(size_t bytes);

/* Local. Nonzero if n has no prime factor above 7. */
int is_smooth(ptrdiff_t n);

/* Local. Nonzero if an engine is a kernel of the textbooks: it passes lines that are no powers of
 * two to engine simd, and one case in four is enough of the others. */
int is_textbook(const char *engine);

/* Local. The relative L2 error allowed for `points` points in all.  The rounding errors of an FFT
 * grow like u sqrt(log2 n), u = 2^-53 (Gentleman and Sande 1966; Schatzman 1996), with a factor of
 * 0.2 to 0.6 for good twiddles and radices up to 7: c = 1 detects a single wrong digit. Large prime
 * factors go through a convolution, two transforms and a product: c = 2. */
double error_limit(ptrdiff_t points, int smooth);

/* A complex number of the reference. */
typedef struct wide {
  long double re, im;
} wide;

/* Local. exp(2 pi i k/n) for k = 0 .. n-1, until the next call. */
const wide *roots(ptrdiff_t n);

/* Local. The DFT of `lines` lines by its definition, in place: point i of line j is
 * x[i * along + j * across]. */
void dft_lines(wide *x, ptrdiff_t n, ptrdiff_t along, ptrdiff_t lines, ptrdiff_t across, int sign);

/* Local. The 3D DFT of a whole field in C order, in place: the definition, axis after axis. */
void dft_field(wide *x, const ptrdiff_t n[3], int sign);

/* Local. Elements of a box, and the global index of one of them. */
ptrdiff_t box_elements(const pfft3d_box *b);

/* Every element (i0, i1, i2) of a box: its global index g and its offset `at` in the local
 * array. */
#define FOR_BOX(b, n, g, at)                                                                     \
  for (ptrdiff_t i0_ = 0; i0_ < (b)->len[0]; i0_++)                                              \
    for (ptrdiff_t i1_ = 0; i1_ < (b)->len[1]; i1_++)                                            \
      for (ptrdiff_t i2_ = 0,                                                                    \
                     g = ((i0_ + (b)->lo[0]) * (n)[1] + i1_ + (b)->lo[1]) * (n)[2] + (b)->lo[2], \
                     at = i0_ * (b)->stride[0] + i1_ * (b)->stride[1];                           \
           i2_ < (b)->len[2]; i2_++, g++, at += (b)->stride[2])

/* Local. Copies the part of a whole field (pairs of doubles in C order) that a box holds. */
void take_box(const pfft3d_box *b, const ptrdiff_t n[3], const double *field, double *array);

/* Collective on comm. || a - scale * b || / || scale * b || over all boxes, b a whole field; NaN in
 * a gives NaN. */
double box_error(MPI_Comm comm, const pfft3d_box *box, const ptrdiff_t n[3], const double *a,
                 const double *b, double scale);

/* Collective on MPI_COMM_WORLD. Communicators that must not affect a transform; the caller frees
 * it.  0: all ranks; 1: in reversed order; 2: even and odd ranks separately, reversed. */
enum { COMM_KINDS = 3 };
MPI_Comm make_comm(int kind);

/* Local. A request for a grid with everything named. */
pfft3d_request make_request(const ptrdiff_t n[3], const char *scheme, const char *algo,
                            const char *engine, pfft3d_order order);

/* Local. The names of a request for messages: "c2c:d:4x4x4 slab algo=...". */
const char *request_name(const pfft3d_request *r);

/* Local. The dry run of a request, which must succeed. */
pfft3d_explanation explained(const pfft3d_request *r, int ranks);

/* Local. Bytes from malloc in use, mapped ones included; mappings of shared memory, of files whose
 * names contain a word. */
size_t heap_bytes(void);
long shared_maps(const char *word);

/* Collective on comm. Creates a plan; if that fails, the test ends with the reason. */
pfft3d_plan *make_plan(MPI_Comm comm, const pfft3d_request *r);

#endif
