/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for x86 with AVX2 and fused multiply-add. */
#ifdef PF_SINGLE
#define PF_NAME(x) x##_avx2_single
#else
#define PF_NAME(x) x##_avx2
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(PF_NO_AVX)
#pragma GCC target("avx2,fma")
#include <immintrin.h>
#define PF_VECTOR       32
#define PF_ISA_NAME     "avx2"
#define PF_STREAM(p, v) _mm256_stream_si256((__m256i *)(p), (__m256i)(v))
static int PF_NAME(available)(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#include "local/simd_kernel.h"
#else
#include "local/simd.h"
static int PF_NAME(available)(void) {
  return 0;
}
const pf_simd_isa PF_NAME(pf_simd) = {.name = "avx2", .available = PF_NAME(available)};
#endif
