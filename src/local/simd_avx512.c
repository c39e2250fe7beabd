/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for x86 with AVX-512. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512")
#include <immintrin.h>
#define PF_VL           8
#define PF_NAME(x)      x##_avx512
#define PF_ISA_NAME     "avx512"
#define PF_STREAM(p, v) _mm512_stream_pd(p, (__m512d)(v))
static int available_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
}
#include "local/simd_kernel.h"
#else
#include "local/simd.h"
static int available_avx512(void) {
  return 0;
}
const pf_simd_isa pf_simd_avx512 = {.name = "avx512", .available = available_avx512};
#endif
