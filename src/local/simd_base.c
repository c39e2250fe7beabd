/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for the instruction set of the compiler flags: SSE2 on x86-64, NEON on ARM, plain
 * code elsewhere.
 *
 * Where products and sums are one instruction (NEON), gcc chooses by the code around them which to
 * join, and rows of one field would have other bits than those of several: it joins none.  (clang
 * joins within an expression, whatever is around it.) */
#if !defined __SSE2__ && !defined __clang__
#pragma GCC optimize("fp-contract=off")
#endif
#ifdef PF_SINGLE
#define PF_NAME(x) x##_base_single
#else
#define PF_NAME(x) x##_base
#endif
#define PF_VECTOR 16
#if defined(__SSE2__)
#include <emmintrin.h>
#define PF_ISA_NAME     "sse2"
#define PF_STREAM(p, v) _mm_stream_si128((__m128i *)(p), (__m128i)(v))
#else
#if defined(__ARM_NEON)
#define PF_ISA_NAME "neon"
#else
#define PF_ISA_NAME "plain"
#endif
#define PF_STREAM(p, v) (*(vec_any *)(p) = (v))
#endif
static int PF_NAME(available)(void) {
  return 1;
}
#include "local/simd_kernel.h"
