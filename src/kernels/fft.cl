/* SPDX-License-Identifier: BSD-3-Clause
 * The FFTs of devices: one text for OpenCL C and for CUDA (nvcc or NVRTC), in double precision or
 * (PF_SINGLE) single.
 *
 * Many lines of n = 2^bits points lie one behind the other; or many matrices of 2^bits points, whose
 * columns are transformed: then rows have 2^inner points (else inner is 0), and what is said below of
 * points and strides holds for rows.  A launch is one stage of all lines, a work item one butterfly:
 * nothing has to be waited for inside a launch, and the next launch begins when all items of this
 * one are done.  Neighbouring items read neighbouring points, so that the
 * device reads whole rows of its memory (coalesced access); where they write depends on the
 * algorithm, and is what distinguishes them.
 *
 * All kernels have the same arguments: what to read and where to write, a table of roots of unity
 * (root p of 2m points at [m + p]), the number of butterflies, log2 of the points of a line or
 * matrix, log2 of what is done (inner at first), inner, and the sign of the exponent.
 * Sources: OpenCL Optimization Case Study: Fast Fourier Transform, part 1 (AMD); Govindaraju and
 * others, High performance discrete Fourier transforms on graphics processors, SC08. */
#ifdef __CUDACC__
#define KERNEL  extern "C" __global__ void
#define GLOBAL
#define INLINE  static __device__ inline
#define ITEM()  ((count)blockIdx.x * blockDim.x + threadIdx.x)
#else
#define KERNEL  __kernel void
#define GLOBAL  __global
#define INLINE  static inline
#define ITEM()  get_global_id(0)
#ifndef PF_SINGLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#endif

#ifdef PF_SINGLE
typedef float real;
typedef float2 number;
#define HALF_ROOT 0.70710678f
#else
typedef double real;
typedef double2 number;
#define HALF_ROOT 0.70710678118654752440
#endif
/* Of points of all lines: short numbers are faster where they suffice. */
#ifdef PF_SHORT
typedef unsigned int count;
#else
typedef unsigned long count;
#endif

/* ---- numbers ---- */

INLINE number of_parts(real re, real im) {
  number a;
  a.x = re;
  a.y = im;
  return a;
}
INLINE number plus(number a, number b) {
  return of_parts(a.x + b.x, a.y + b.y);
}
INLINE number minus(number a, number b) {
  return of_parts(a.x - b.x, a.y - b.y);
}
INLINE number times(number a, number b) {
  return of_parts(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Times i or -i. */
INLINE number times_i(number a, int sign) {
  return sign > 0 ? of_parts(-a.y, a.x) : of_parts(a.y, -a.x);
}

/* Root j of m, on the fly. */
INLINE number root(count j, count m, int sign) {
  real angle = 2 * (real)j / (real)m;
  return of_parts(cospi(angle), sign * sinpi(angle));
}

/* ---- radix 2 after bit reversal, in place: reads and writes at distance 2^done ---- */

KERNEL bit_reversal(GLOBAL const number *x, GLOBAL number *y, GLOBAL const number *roots,
                    count items, int bits, int done, int inner, int sign) {
  count i = ITEM(), line = i >> bits, column = i & (((count)1 << inner) - 1);
  unsigned long k = i >> inner;
  if (i >= items) return;
  k = (k >> 1 & 0x5555555555555555ul) | (k & 0x5555555555555555ul) << 1;
  k = (k >> 2 & 0x3333333333333333ul) | (k & 0x3333333333333333ul) << 2;
  k = (k >> 4 & 0x0f0f0f0f0f0f0f0ful) | (k & 0x0f0f0f0f0f0f0f0ful) << 4;
  k = (k >> 8 & 0x00ff00ff00ff00fful) | (k & 0x00ff00ff00ff00fful) << 8;
  k = (k >> 16 & 0x0000ffff0000fffful) | (k & 0x0000ffff0000fffful) << 16;
  k = k >> 32 | k << 32;
  k = bits > inner ? k >> (64 - bits + inner) : 0;
  y[(line << bits) + ((count)k << inner) + column] = x[i];
}

KERNEL radix2(GLOBAL const number *x, GLOBAL number *y, GLOBAL const number *roots, count items,
              int bits, int done, int inner, int sign) {
  count i = ITEM(), middle = (count)1 << done, k = i & (middle - 1);
  if (i >= items) return;
  count at = ((i >> done) << (done + 1)) + k; /* lines follow each other like groups */
  number a = y[at], b = times(y[at + middle], roots[(middle + k) >> inner]);
  y[at] = plus(a, b);
  y[at + middle] = minus(a, b);
}

/* ---- Stockham: sorts as it goes, from x to y ---- */

KERNEL stockham2(GLOBAL const number *x, GLOBAL number *y, GLOBAL const number *roots, count items,
                 int bits, int done, int inner, int sign) {
  count i = ITEM(), middle = (count)1 << (bits - 1), stride = (count)1 << done;
  if (i >= items) return;
  count line = i >> (bits - 1), k = i & (middle - 1), p = k >> done;
  GLOBAL const number *from = x + (line << bits) + k;
  GLOBAL number *to = y + (line << bits) + k + stride * p;
  number a = from[0], b = from[middle];
  to[0] = plus(a, b);
  to[stride] = times(minus(a, b), roots[(middle >> done) + p]);
}

/* Reads `part` apart, writes `stride` apart. */
INLINE void butterfly4(GLOBAL const number *from, GLOBAL number *to, count part, count stride,
                       number w1, number w2, number w3, int sign) {
  number a = from[0], b = from[part], c = from[2 * part], d = from[3 * part];
  number sum = plus(a, c), difference = minus(a, c);
  number other = plus(b, d), rotated = times_i(minus(b, d), sign);
  to[0] = plus(sum, other);
  to[stride] = times(plus(difference, rotated), w1);
  to[2 * stride] = times(minus(sum, other), w2);
  to[3 * stride] = times(minus(difference, rotated), w3);
}

KERNEL stockham4(GLOBAL const number *x, GLOBAL number *y, GLOBAL const number *roots, count items,
                 int bits, int done, int inner, int sign) {
  count i = ITEM(), quarter = (count)1 << (bits - 2), stride = (count)1 << done;
  if (i >= items) return;
  count line = i >> (bits - 2), k = i & (quarter - 1), p = k >> done, group = quarter >> done;
  number w1 = roots[2 * group + p], w2 = roots[group + p];
  butterfly4(x + (line << bits) + k, y + (line << bits) + k + 3 * stride * p, quarter, stride, w1,
             w2, times(w1, w2), sign);
}

/* For devices that are processors: an item is a whole line, which moves from x to y and back, and stays
 * in the caches meanwhile; neighbouring points are those of its inner loop, which compilers vectorise.
 */
KERNEL stockham4_line(GLOBAL number *x, GLOBAL number *y, GLOBAL const number *roots, count items,
                      int bits, int done, int inner, int sign) {
  count line = ITEM(), n = (count)1 << bits;
  if (line >= items) return;
  GLOBAL number *from = x + (line << bits), *to = y + (line << bits), *next = from;
  for (; done + 1 < bits; done += 2) {
    count part = n >> 2, stride = (count)1 << done, group = part >> done;
    for (count p = 0; p < group; p++) {
      number w1 = roots[2 * group + p], w2 = roots[group + p], w3 = times(w1, w2);
      for (count q = 0; q < stride; q++)
        butterfly4(from + stride * p + q, to + 4 * stride * p + q, part, stride, w1, w2, w3, sign);
    }
    next = from;
    from = to;
    to = next;
  }
  if (done == bits) return;
  for (count k = 0; k < n / 2; k++) {
    number a = from[k], b = from[k + n / 2];
    to[k] = plus(a, b);
    to[k + n / 2] = minus(a, b);
  }
}

/* ---- multi-stage: 8, 4 or 2 points in registers, roots on the fly ----
 *
 * Item g of n/K reads x[g], x[g + n/K], ... and writes y[d], y[d + Ns], ..., where Ns = 2^done is
 * the product of the kernels so far and d = (g / Ns) K Ns + g % Ns.  The power k of a root that
 * point k is multiplied by is computed for k = 1, 2 and 4, and multiplied together for the others. */

INLINE void fft2(number *v) {
  number a = v[0];
  v[0] = plus(a, v[1]);
  v[1] = minus(a, v[1]);
}

INLINE void fft4(number *v, int sign) {
  number a = plus(v[0], v[2]), b = plus(v[1], v[3]);
  number c = minus(v[0], v[2]), d = times_i(minus(v[1], v[3]), sign);
  v[0] = plus(a, b);
  v[1] = plus(c, d);
  v[2] = minus(a, b);
  v[3] = minus(c, d);
}

INLINE void fft8(number *v, int sign) {
  number e[4], o[4];
  for (int k = 0; k < 4; k++) {
    e[k] = v[2 * k];
    o[k] = v[2 * k + 1];
  }
  fft4(e, sign);
  fft4(o, sign);
  o[1] = times(o[1], of_parts(HALF_ROOT, sign * HALF_ROOT));
  o[2] = times_i(o[2], sign);
  o[3] = times(o[3], of_parts(-HALF_ROOT, sign * HALF_ROOT));
  for (int k = 0; k < 4; k++) {
    v[k] = plus(e[k], o[k]);
    v[k + 4] = minus(e[k], o[k]);
  }
}

/* 2^few points. */
#define MULTISTAGE(few)                                                             \
  number v[8], w[8];                                                                \
  count i = ITEM(), step = (count)1 << (bits - few), ns = (count)1 << done;         \
  if (i >= items) return;                                                           \
  count line = i >> (bits - few), g = i & (step - 1), j = g & (ns - 1);             \
  GLOBAL const number *from = x + (line << bits) + g;                               \
  GLOBAL number *to = y + (line << bits) + ((g - j) << few) + j;                    \
  for (int k = 0; k < 1 << few; k++) v[k] = from[k * step];                         \
  if (done > inner) {                                                               \
    j >>= inner;                                                                    \
    for (int k = 1; k < 1 << few; k *= 2)                                           \
      w[k] = root(j * k, ns >> inner << few, sign);                                 \
    if (few > 1) w[3] = times(w[1], w[2]);                                          \
    if (few > 2)                                                                    \
      for (int k = 5; k < 8; k++) w[k] = times(w[k - 4], w[4]);                     \
    for (int k = 1; k < 1 << few; k++) v[k] = times(v[k], w[k]);                    \
  }                                                                                 \
  if (few == 3) fft8(v, sign);                                                      \
  if (few == 2) fft4(v, sign);                                                      \
  if (few == 1) fft2(v);                                                            \
  for (int k = 0; k < 1 << few; k++) to[k * ns] = v[k];

KERNEL multistage2(GLOBAL const number *x, GLOBAL number *y, GLOBAL const number *roots,
                   count items, int bits, int done, int inner, int sign) {
  MULTISTAGE(1)
}

KERNEL multistage4(GLOBAL const number *x, GLOBAL number *y, GLOBAL const number *roots,
                   count items, int bits, int done, int inner, int sign) {
  MULTISTAGE(2)
}

KERNEL multistage8(GLOBAL const number *x, GLOBAL number *y, GLOBAL const number *roots,
                   count items, int bits, int done, int inner, int sign) {
  MULTISTAGE(3)
}
