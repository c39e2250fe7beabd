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

typedef struct pf_simd_plan {
  ptrdiff_t n;
  int rows;                      /* lines are contiguous */
  int swap;                      /* backward: real and imaginary parts change places */
  int passes;                    /* two at least, the last of radix 1 if need be */
  ptrdiff_t butterflies;         /* of all passes */
  int radix[PF_SIMD_PASSES];     /* of pass s, on sub-transforms of radix[0]*..*radix[s-1] points */
  void *twiddle[PF_SIMD_PASSES]; /* [point of the sub-transform][radix - 1], as pairs */
  int32_t *input;                /* the point that position k of the tile begins with */
  int32_t *place;                /* the position of an input point: digits reversed */
  double memory[];
} pf_simd_plan;

/* The kernels of one instruction set. */
typedef struct pf_simd_isa {
  const char *name;
  int (*available)(void);
  void (*run)(const pf_simd_plan *p, void *tile, const pf_job *job);
} pf_simd_isa;

extern const pf_simd_isa pf_simd_avx512, pf_simd_avx2, pf_simd_base;
extern const pf_simd_isa pf_simd_avx512_single, pf_simd_avx2_single, pf_simd_base_single;

#endif
