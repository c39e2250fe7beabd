/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd, between its planner and its kernels: one kernel source, compiled for several
 * instruction sets, chosen when the program runs. */
#ifndef PF_LOCAL_SIMD_H
#define PF_LOCAL_SIMD_H

#include <stdint.h>

#include "local/engine.h"

/* A tile holds 8 lines, one per lane: point k is 8 real parts, then 8 imaginary parts. */
enum { PF_LANES = 8, PF_POINT = 2 * PF_LANES, PF_SIMD_PASSES = 32 };

typedef struct pf_simd_plan {
  ptrdiff_t n;
  int passes;
  ptrdiff_t butterflies;
  int radix[PF_SIMD_PASSES]; /* of pass s, on sub-transforms of radix[0]*..*radix[s-1] points */
  double *twiddle[PF_SIMD_PASSES]; /* [point of the sub-transform][radix - 1], as pairs */
  int32_t *place;                  /* where input point i goes in the tile: digits reversed */
  int swap;                        /* backward: real and imaginary parts change places on the way
                                      in and out, which turns a forward transform around */
  double memory[];
} pf_simd_plan;

/* The kernels of one instruction set. */
typedef struct pf_simd_isa {
  const char *name;
  int (*available)(void);
  /* Full tiles of 8 lines that lie side by side (columns) or are contiguous (rows) in memory. */
  void (*gather_columns)(const pf_simd_plan *p, double *tile, const pf_piece *piece);
  void (*gather_rows)(const pf_simd_plan *p, double *tile, const pf_piece *piece);
  void (*scatter_columns)(const pf_simd_plan *p, const double *tile, const pf_piece *piece,
                          int stream);
  void (*scatter_rows)(const pf_simd_plan *p, const double *tile, const pf_piece *piece,
                       int stream);
  void (*run)(const pf_simd_plan *p, double *tile, const pf_fetch *fetch);
} pf_simd_isa;

extern const pf_simd_isa pf_simd_avx512, pf_simd_avx2, pf_simd_base;

#endif
