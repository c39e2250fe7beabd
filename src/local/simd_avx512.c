/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for x86 with AVX-512. */
#ifdef PF_SINGLE
#define PF_NAME(x) x##_avx512_single
#else
#define PF_NAME(x) x##_avx512
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(PF_NO_AVX)
#pragma GCC target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512")
#include <immintrin.h>
#define PF_VECTOR       64
#define PF_ISA_NAME     "avx512"
#define PF_STREAM(p, v) _mm512_stream_si512((void *)(p), (__m512i)(v))
static int PF_NAME(available)(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
}
#include "local/simd_kernel.h"
#else
#include "local/simd.h"
static int PF_NAME(available)(void) {
  return 0;
}
const pf_simd_isa PF_NAME(pf_simd) = {.name = "avx512", .available = PF_NAME(available)};
#endif
