/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd, between its planner and its kernels: one kernel source, compiled for several
 * instruction sets, chosen when the program runs. */
#ifndef PF_LOCAL_SIMD_H
#define PF_LOCAL_SIMD_H

#include <stdint.h>

#include "local/engine.h"

/* Lines of a tile, one per lane of the widest vector: a point of all of them is two cache lines of
 * memory.  In the tile it is so many real parts, then as many imaginary parts. */
enum { PF_LANES_DOUBLE = 8, PF_LANES_SINGLE = 16, PF_SIMD_PASSES = 32 };

/* The largest radix with a butterfly of its own, and the largest prime that is done by the
 * definition, which beats the detour of a convolution so far. */
enum { PF_SIMD_RADIX = 13, PF_SIMD_PRIME = 127 };

typedef struct pf_simd_plan {
  ptrdiff_t n;
  int rows;                      /* lines are contiguous */
  int transpose;                 /* where they go */
  int real;                      /* two lines of real numbers on one side are one here */
  int swap;                      /* backward: real and imaginary parts change places */
  int passes;                    /* two at least, the last of radix 1 if need be */
  ptrdiff_t butterflies;         /* of all passes */
  int radix[PF_SIMD_PASSES];     /* of pass s, on sub-transforms of radix[0]*..*radix[s-1] points */
  void *twiddle[PF_SIMD_PASSES]; /* [point of the sub-transform][radix - 1], as pairs */
  void *roots[PF_SIMD_PASSES];   /* of a large prime radix: cos and sin of 2 pi k/radix */
  int32_t *input;                /* the point that position k of the tile begins with */
  int32_t *place;                /* the position of an input point: digits reversed */
  double memory[];
} pf_simd_plan;

/** Local. The plan of a length with no prime factors beyond PF_SIMD_PRIME; pf_free() it.
 *  NULL when there is no memory.  @p bytes gets the size of a tile. */
pf_simd_plan *pf_simd_plan_make(ptrdiff_t n, int sign, int rows, pfft3d_precision precision,
                                size_t *bytes);

/** Local. Lines of a tile. */
ptrdiff_t pf_simd_width(pfft3d_precision precision);

/** Local. Whether there is such a plan. */
int pf_simd_factors(ptrdiff_t n);

/* Lines that are rows or columns. */
typedef struct pf_simd_side {
  pf_lines lines;
  int rows;
} pf_simd_side;

/* The kernels of one instruction set. */
typedef struct pf_simd_isa {
  const char *name;
  int (*available)(void);
  void (*run)(const pf_simd_plan *p, void *tile, const pf_job *job);
  /* to = from * factor * scale, where each of n points of all lines has a factor, a pair. */
  void (*multiply)(ptrdiff_t n, const pf_simd_side *from, const pf_simd_side *to,
                   const void *factors, double scale);
} pf_simd_isa;

/** Local. Writes a pair into a table of either precision and moves on. */
void pf_simd_put(char **table, pfft3d_precision precision, long double re, long double im);

/** Local. The best that this machine has. */
const pf_simd_isa *pf_simd_isa_of(pfft3d_precision precision);

/** Local, for tests, before any plan is made: as if this machine had not the first @p count of
 * those that it has.  The name of the best that is left; NULL, and nothing left out, where none is.
 */
const char *pf_simd_leave_out(int count);

/* Lengths with other prime factors, by convolution. */
typedef struct pf_chirp pf_chirp;

/** Local. NULL when there is no memory.  @p bytes gets the size of a tile. */
pf_chirp *pf_chirp_make(const pf_fft *f, size_t *bytes);
void pf_chirp_run(const pf_chirp *c, const pf_fft *f, void *tile, const pf_job *job);
void pf_chirp_free(pf_chirp *c);

extern const pf_simd_isa pf_simd_avx512, pf_simd_avx2, pf_simd_base;
extern const pf_simd_isa pf_simd_avx512_single, pf_simd_avx2_single, pf_simd_base_single;

#endif
