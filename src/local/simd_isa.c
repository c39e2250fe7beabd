/* SPDX-License-Identifier: BSD-3-Clause
 * The instruction sets of engine simd; one is chosen at run time. */
#include "local/simd.h"

#include "base/memory.h"

ptrdiff_t pf_simd_width(pfft3d_precision precision) {
  return precision == PFFT3D_DOUBLE ? PF_LANES_DOUBLE : PF_LANES_SINGLE;
}

static const pf_simd_isa *const isas[][2] = {{&pf_simd_avx512, &pf_simd_avx512_single},
                                             {&pf_simd_avx2, &pf_simd_avx2_single},
                                             {&pf_simd_base, &pf_simd_base_single}};
enum { ISAS = sizeof isas / sizeof *isas };

/* The number of available instruction sets to ignore; set by tests only. */
static int left_out;

const char *pf_simd_leave_out(int count) {
  int there = 0;
  for (int k = 0; k < ISAS; k++) there += isas[k][0]->available();
  left_out = count < there ? count : 0;
  return count < there ? pf_simd_isa_of(PFFT3D_DOUBLE)->name : NULL;
}

const pf_simd_isa *pf_simd_isa_of(pfft3d_precision precision) {
  int better = left_out, k = 0;
  while (k < ISAS - 1 && (!isas[k][0]->available() || better-- > 0))
    k++; /* the last one is always available */
  return isas[k][precision == PFFT3D_SINGLE];
}

/* Kernels with vectors of 16 numbers cannot transpose rows once.  On rows of 2^k points, from 32
 * on, kernels with vectors of 8 take 0.65 to 0.96 of their time on Zen 4, which computes 64 bytes
 * in two halves, but 0.95 to 1.3 on Sapphire Rapids. */
const pf_simd_isa *pf_simd_isa_for(const pf_simd_plan *p, pfft3d_precision precision) {
  const pf_simd_isa *best = pf_simd_isa_of(precision);
  int narrow = pf_amd() && p->four_step && (p->n & (p->n - 1)) == 0;
  if (!narrow || best != &pf_simd_avx512_single) return best;
  return pf_simd_avx2_single.available() ? &pf_simd_avx2_single : best;
}
