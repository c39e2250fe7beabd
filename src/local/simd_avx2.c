/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for x86 with AVX2 and fused multiply-add. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx2,fma")
#include <immintrin.h>
#define PF_VL           4
#define PF_NAME(x)      x##_avx2
#define PF_ISA_NAME     "avx2"
#define PF_STREAM(p, v) _mm256_stream_pd(p, (__m256d)(v))
static int available_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#include "local/simd_kernel.h"
#else
#include "local/simd.h"
static int available_avx2(void) {
  return 0;
}
const pf_simd_isa pf_simd_avx2 = {.name = "avx2", .available = available_avx2};
#endif
