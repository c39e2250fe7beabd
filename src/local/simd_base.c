/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for whatever the compiler's flags promise: SSE2 on x86-64, NEON on ARM, plain code
 * elsewhere. */
#define PF_VL      2
#define PF_NAME(x) x##_base
#if defined(__SSE2__)
#include <emmintrin.h>
#define PF_ISA_NAME     "sse2"
#define PF_STREAM(p, v) _mm_stream_pd(p, (__m128d)(v))
#else
#if defined(__ARM_NEON)
#define PF_ISA_NAME "neon"
#else
#define PF_ISA_NAME "plain"
#endif
#define PF_STREAM(p, v) (*(vec_any *)(p) = (v))
#endif
static int available_base(void) {
  return 1;
}
#include "local/simd_kernel.h"
