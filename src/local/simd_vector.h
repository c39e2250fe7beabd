/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors of the kernels of engine simd, with PF_VECTOR bytes of doubles or (PF_SINGLE) floats:
 * interleaving and deinterleaving of pairs, transposes of small blocks.  Included by simd_kernel.h
 * only. */
#ifdef PF_SINGLE
typedef float real;
enum { lanes = PF_LANES_SINGLE };
#define PF_VL (PF_VECTOR / 4)
#else
typedef double real;
enum { lanes = PF_LANES_DOUBLE };
#define PF_VL (PF_VECTOR / 8)
#endif
enum { pair = 2 * lanes }; /* numbers per point of a tile: real parts, then imaginary parts */

typedef real vec __attribute__((vector_size(PF_VECTOR), may_alias));
typedef real vec_any __attribute__((vector_size(PF_VECTOR), aligned(sizeof(real)), may_alias));

#define INLINE static inline __attribute__((always_inline))
/* Rare cases, kept out of the functions that every transform runs: these become slower as they
 * grow. */
#define APART static __attribute__((noinline))

/* ---- shuffles ---- */

#if PF_VL == 16
#define SPLIT_RE  0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define SPLIT_IM  1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define JOIN_LOW  0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define JOIN_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LIST_1A   0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define LIST_1B   1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define LIST_2A   0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define LIST_2B   2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LIST_4A   0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define LIST_4B   4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define ZIP_LOW   0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23
#define ZIP_HIGH  8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31
#define UNZIP_A   0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29
#define UNZIP_B   2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31
#define LIST_8A   0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define LIST_8B   8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#elif PF_VL == 8
#define SPLIT_RE  0, 2, 4, 6, 8, 10, 12, 14
#define SPLIT_IM  1, 3, 5, 7, 9, 11, 13, 15
#define JOIN_LOW  0, 8, 1, 9, 2, 10, 3, 11
#define JOIN_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define LIST_1A   0, 8, 2, 10, 4, 12, 6, 14
#define LIST_1B   1, 9, 3, 11, 5, 13, 7, 15
#define LIST_2A   0, 1, 8, 9, 4, 5, 12, 13
#define LIST_2B   2, 3, 10, 11, 6, 7, 14, 15
#define ZIP_LOW   0, 1, 8, 9, 2, 3, 10, 11
#define ZIP_HIGH  4, 5, 12, 13, 6, 7, 14, 15
#define UNZIP_A   0, 1, 4, 5, 8, 9, 12, 13
#define UNZIP_B   2, 3, 6, 7, 10, 11, 14, 15
#define LIST_4A   0, 1, 2, 3, 8, 9, 10, 11
#define LIST_4B   4, 5, 6, 7, 12, 13, 14, 15
#elif PF_VL == 4
#define SPLIT_RE  0, 2, 4, 6
#define SPLIT_IM  1, 3, 5, 7
#define JOIN_LOW  0, 4, 1, 5
#define JOIN_HIGH 2, 6, 3, 7
#define LIST_1A   0, 4, 2, 6
#define LIST_1B   1, 5, 3, 7
#define LIST_2A   0, 1, 4, 5
#define LIST_2B   2, 3, 6, 7
#define ZIP_LOW   0, 1, 4, 5
#define ZIP_HIGH  2, 3, 6, 7
#define UNZIP_A   0, 1, 4, 5
#define UNZIP_B   2, 3, 6, 7
#else
#define SPLIT_RE  0, 2
#define SPLIT_IM  1, 3
#define JOIN_LOW  0, 2
#define JOIN_HIGH 1, 3
#define LIST_1A   0, 2
#define LIST_1B   1, 3
#define ZIP_LOW   0, 1
#define ZIP_HIGH  2, 3
#define UNZIP_A   0, 1
#define UNZIP_B   2, 3
#endif

/* The same within 16 bytes, in one instruction: numbers of the two vectors alternate (of floats, in
 * pairs).  Lane l has pair MIXED[l] of both vectors.  The order is symmetric, MIXED[VL-1-l] = VL-1
 * - MIXED[l]: lines in reverse order are lanes in reverse order (load_image()). */
#if PF_VL == 2
#define PART_RE   SPLIT_RE
#define PART_IM   SPLIT_IM
#define PAIR_LOW  JOIN_LOW
#define PAIR_HIGH JOIN_HIGH
#define MIXED     0, 1
#elif !defined PF_SINGLE
#define PART_RE   LIST_1A
#define PART_IM   LIST_1B
#define PAIR_LOW  LIST_1A
#define PAIR_HIGH LIST_1B
#if PF_VL == 8
#define MIXED 0, 4, 1, 5, 2, 6, 3, 7
#else
#define MIXED 0, 2, 1, 3
#endif
#elif PF_VL == 16
#define PART_RE   0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define PART_IM   1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31
#define PAIR_LOW  0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define PAIR_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define MIXED     0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15
#elif PF_VL == 8
#define PART_RE   0, 2, 8, 10, 4, 6, 12, 14
#define PART_IM   1, 3, 9, 11, 5, 7, 13, 15
#define PAIR_LOW  0, 8, 1, 9, 4, 12, 5, 13
#define PAIR_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define MIXED     0, 1, 4, 5, 2, 3, 6, 7
#else
#define PART_RE   SPLIT_RE
#define PART_IM   SPLIT_IM
#define PAIR_LOW  JOIN_LOW
#define PAIR_HIGH JOIN_HIGH
#define MIXED     0, 1, 2, 3
#endif

/* Elements in descending order: of a whole vector, and of two vectors from the first element of the
 * second. */
#if PF_VL == 16
#define REVERSE 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define MIRROR  16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1
#elif PF_VL == 8
#define REVERSE 7, 6, 5, 4, 3, 2, 1, 0
#define MIRROR  8, 7, 6, 5, 4, 3, 2, 1
#elif PF_VL == 4
#define REVERSE 3, 2, 1, 0
#define MIRROR  4, 3, 2, 1
#else
#define REVERSE 1, 0
#define MIRROR  2, 1
#endif

#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* Exchanges the off-diagonal blocks of pairs of rows at a distance: one step of a transpose. */
#define SWAP_BLOCKS(x, distance)                                                  \
  _Pragma("GCC unroll 16") for (int r = 0; r < PF_VL; r++) if (!(r & distance)) { \
    vec a_ = x[r], b_ = x[r + distance];                                          \
    x[r] = SHUFFLE(a_, b_, LIST_##distance##A);                                   \
    x[r + distance] = SHUFFLE(a_, b_, LIST_##distance##B);                        \
  }

/* Transposes a block of PF_VL x PF_VL numbers. */
INLINE void transpose(vec x[PF_VL]) {
  SWAP_BLOCKS(x, 1)
#if PF_VL >= 4
  SWAP_BLOCKS(x, 2)
#endif
#if PF_VL >= 8
  SWAP_BLOCKS(x, 4)
#endif
#if PF_VL >= 16
  SWAP_BLOCKS(x, 8)
#endif
}
