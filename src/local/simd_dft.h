/* SPDX-License-Identifier: BSD-3-Clause
 * Butterflies of the kernels of engine simd.  Included by simd_kernel.h only. */

/* Forward DFTs of R vectors, in place, in natural order, for all R up to 16, so that a length has
 * few passes. */

/* a - b, with AVX-512 as a fused multiply-add of the same result: AMD processors add and multiply
 * in different units, and butterflies mostly add.  Compilers must not see the 1. */
INLINE vec minus(vec a, vec b) {
#if PF_VECTOR == 64
  vec one = (vec){0} + 1;
  __asm__("" : "+v"(one));
  return one * a - b;
#else
  return a - b;
#endif
}

/* (a, b) <- (a + b, a - b) */
#define SUM_DIFF(a, b)    \
  do {                    \
    vec d_ = minus(a, b); \
    a = a + b;            \
    b = d_;               \
  } while (0)

INLINE void dft1(vec *r, vec *i) {
  (void)r, (void)i;
}

INLINE void dft2(vec *r, vec *i) {
  SUM_DIFF(r[0], r[1]);
  SUM_DIFF(i[0], i[1]);
}

INLINE void dft4(vec *r, vec *i) {
  SUM_DIFF(r[0], r[2]);
  SUM_DIFF(i[0], i[2]);
  SUM_DIFF(r[1], r[3]);
  SUM_DIFF(i[1], i[3]);
  SUM_DIFF(r[0], r[1]); /* outputs 0 and 2 */
  SUM_DIFF(i[0], i[1]);
  vec r1 = r[2] + i[3], i1 = minus(i[2], r[3]), r3 = minus(r[2], i[3]), i3 = i[2] + r[3];
  r[2] = r[1], i[2] = i[1];
  r[1] = r1, i[1] = i1;
  r[3] = r3, i[3] = i3;
}

INLINE void dft8(vec *r, vec *i) {
  const real h = (real)0.70710678118654752440;
  vec er[4] = {r[0], r[2], r[4], r[6]}, ei[4] = {i[0], i[2], i[4], i[6]};
  vec or [4] = {r[1], r[3], r[5], r[7]}, oi[4] = {i[1], i[3], i[5], i[7]};
  dft4(er, ei);
  dft4(or, oi);
  vec a = or [1], b = oi[1], c = or [3], d = oi[3], e = or [2];
  or [1] = h * (a + b), oi[1] = h * (b - a); /* times exp(-i pi/4) */
  or [2] = oi[2], oi[2] = -e;                /* times -i */
  or [3] = h * (d - c), oi[3] = -h * (c + d);
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) {
    r[k] = er[k] + or [k], i[k] = ei[k] + oi[k];
    r[k + 4] = er[k] - or [k], i[k + 4] = ei[k] - oi[k];
  }
}

/* Odd prime R: pairs (j, R-j) share sums s and differences d, outputs k and R-k share products. */
#define DFT_ODD(R, ...)                                                   \
  INLINE void dft##R(vec *r, vec *i) {                                    \
    enum { half = (R - 1) / 2 };                                          \
    static const real cs[R][2] = {__VA_ARGS__};                           \
    vec sr[half], si[half], dr[half], di[half], r0 = r[0], i0 = i[0];     \
    vec tr = r0, ti = i0;                                                 \
    _Pragma("GCC unroll 16") for (int j = 0; j < half; j++) {             \
      sr[j] = r[j + 1] + r[R - 1 - j], si[j] = i[j + 1] + i[R - 1 - j];   \
      dr[j] = r[j + 1] - r[R - 1 - j], di[j] = i[j + 1] - i[R - 1 - j];   \
      tr += sr[j], ti += si[j];                                           \
    }                                                                     \
    r[0] = tr, i[0] = ti;                                                 \
    _Pragma("GCC unroll 16") for (int k = 1; k <= half; k++) {            \
      vec ar = r0, ai = i0, br = cs[k][1] * di[0], bi = cs[k][1] * dr[0]; \
      _Pragma("GCC unroll 16") for (int j = 0; j < half; j++) {           \
        int m = (j + 1) * k % R;                                          \
        ar += cs[m][0] * sr[j], ai += cs[m][0] * si[j];                   \
        if (j > 0) br += cs[m][1] * di[j], bi += cs[m][1] * dr[j];        \
      }                                                                   \
      r[k] = ar + br, i[k] = ai - bi;                                     \
      r[R - k] = ar - br, i[R - k] = ai + bi;                             \
    }                                                                     \
  }

#define R_(x) (real) x
/* cos and sin of 2 pi m/R */
DFT_ODD(3, {1, 0}, {R_(-0.5), R_(0.86602540378443864676)}, {R_(-0.5), R_(-0.86602540378443864676)})
DFT_ODD(5, {1, 0}, {R_(0.30901699437494742410), R_(0.95105651629515357212)},
        {R_(-0.80901699437494742410), R_(0.58778525229247312917)},
        {R_(-0.80901699437494742410), R_(-0.58778525229247312917)},
        {R_(0.30901699437494742410), R_(-0.95105651629515357212)})
DFT_ODD(7, {1, 0}, {R_(0.62348980185873353053), R_(0.78183148246802980871)},
        {R_(-0.22252093395631440429), R_(0.97492791218182360702)},
        {R_(-0.90096886790241912624), R_(0.43388373911755812048)},
        {R_(-0.90096886790241912624), R_(-0.43388373911755812048)},
        {R_(-0.22252093395631440429), R_(-0.97492791218182360702)},
        {R_(0.62348980185873353053), R_(-0.78183148246802980871)})

DFT_ODD(11, {1, 0}, {R_(0.84125353283118116886), R_(0.54064081745559758211)},
        {R_(0.41541501300188642553), R_(0.90963199535451837141)},
        {R_(-0.14231483827328514044), R_(0.98982144188093273238)},
        {R_(-0.65486073394528506406), R_(0.75574957435425828377)},
        {R_(-0.95949297361449738989), R_(0.28173255684142969771)},
        {R_(-0.95949297361449738989), R_(-0.28173255684142969771)},
        {R_(-0.65486073394528506406), R_(-0.75574957435425828377)},
        {R_(-0.14231483827328514044), R_(-0.98982144188093273238)},
        {R_(0.41541501300188642553), R_(-0.90963199535451837141)},
        {R_(0.84125353283118116886), R_(-0.54064081745559758211)})
DFT_ODD(13, {1, 0}, {R_(0.8854560256532098959), R_(0.46472317204376854566)},
        {R_(0.56806474673115580251), R_(0.82298386589365639458)},
        {R_(0.12053668025532305335), R_(0.9927088740980539928)},
        {R_(-0.35460488704253562597), R_(0.93501624268541482344)},
        {R_(-0.74851074817110109863), R_(0.66312265824079520238)},
        {R_(-0.97094181742605202716), R_(0.23931566428755776715)},
        {R_(-0.97094181742605202716), R_(-0.23931566428755776715)},
        {R_(-0.74851074817110109863), R_(-0.66312265824079520238)},
        {R_(-0.35460488704253562597), R_(-0.93501624268541482344)},
        {R_(0.12053668025532305335), R_(-0.9927088740980539928)},
        {R_(0.56806474673115580251), R_(-0.82298386589365639458)},
        {R_(0.8854560256532098959), R_(-0.46472317204376854566)})

/* Times exp(-2 pi i m/n); w: its cos and sin. */
INLINE void rotate(const real w[2], vec *r, vec *i) {
  vec a = *r;
  *r = w[0] * a + w[1] * *i;
  *i = w[0] * *i - w[1] * a;
}

/* N = A B: B transforms of A points (point q of transform k is q B + k STEP), then A transforms of
 * B points; result k of transform q is number q TO_A + k TO_B, mod N.  If A and B have no common
 * factor: STEP is A, TO_A is 1 mod A and 0 mod B, TO_B the reverse, and there are no factors in
 * between (I. J. Good, J. R. Statist. Soc. B 20, 1958).  Else STEP and TO_A are 1, TO_B is A, and
 * the last arguments are the roots for q k = 0 .. (A-1)(B-1). */
#define DFT_PRODUCT(N, A, B, STEP, TO_A, TO_B, ...)                         \
  INLINE void dft##N(vec *r, vec *i) {                                      \
    static const real cs[][2] = {__VA_ARGS__};                              \
    vec a[N], b[N];                                                         \
    _Pragma("GCC unroll 16") for (int k = 0; k < B; k++) {                  \
      vec c[A], d[A];                                                       \
      _Pragma("GCC unroll 16") for (int q = 0; q < A; q++) {                \
        c[q] = r[(q * B + k * STEP) % N], d[q] = i[(q * B + k * STEP) % N]; \
      }                                                                     \
      dft##A(c, d);                                                         \
      _Pragma("GCC unroll 16") for (int q = 0; q < A; q++) {                \
        const int m = STEP == 1 ? k * q : 0, at = q * B + k;                \
        a[at] = m * 4 == N ? d[q] : c[q]; /* -i */                          \
        b[at] = m * 4 == N ? -c[q] : d[q];                                  \
        if (m > 0 && m * 4 != N) rotate(cs[m], &a[at], &b[at]);             \
      }                                                                     \
    }                                                                       \
    _Pragma("GCC unroll 16") for (int q = 0; q < A; q++) {                  \
      dft##B(a + q * B, b + q * B);                                         \
      _Pragma("GCC unroll 16") for (int k = 0; k < B; k++) {                \
        const int at = (q * TO_A + k * TO_B) % N;                           \
        r[at] = a[q * B + k], i[at] = b[q * B + k];                         \
      }                                                                     \
    }                                                                       \
  }

DFT_PRODUCT(6, 2, 3, 2, 3, 4, {1, 0})
DFT_PRODUCT(9, 3, 3, 1, 1, 3, {1, 0}, {R_(0.76604444311897803520), R_(0.64278760968653932632)},
            {R_(0.17364817766693034885), R_(0.98480775301220805937)}, {0},
            {R_(-0.93969262078590838405), R_(0.34202014332566873304)})
DFT_PRODUCT(10, 2, 5, 2, 5, 6, {1, 0})
DFT_PRODUCT(12, 4, 3, 4, 9, 4, {1, 0})
DFT_PRODUCT(14, 2, 7, 2, 7, 8, {1, 0})
DFT_PRODUCT(15, 3, 5, 3, 10, 6, {1, 0})
DFT_PRODUCT(16, 4, 4, 1, 1, 4, {1, 0}, {R_(0.92387953251128675613), R_(0.38268343236508977173)},
            {R_(0.70710678118654752440), R_(0.70710678118654752440)},
            {R_(0.38268343236508977173), R_(0.92387953251128675613)}, {0, 1}, {0},
            {R_(-0.70710678118654752440), R_(0.70710678118654752440)}, {0}, {0},
            {R_(-0.92387953251128675613), R_(-0.38268343236508977173)})

/* Any odd prime R, by the same formulas; cs: its R pairs.  Outputs are computed in pairs, which
 * halves the loads of sums and differences. */
static void dft_any(int R, const real *cs, vec *r, vec *i) {
  enum { most = PF_SIMD_PRIME / 2 };
  vec sr[most], si[most], dr[most], di[most], r0 = r[0], i0 = i[0];
  int half = (R - 1) / 2;
  for (int j = 0; j < half; j++) {
    sr[j] = r[j + 1] + r[R - 1 - j], si[j] = i[j + 1] + i[R - 1 - j];
    dr[j] = r[j + 1] - r[R - 1 - j], di[j] = i[j + 1] - i[R - 1 - j];
    r[0] += sr[j], i[0] += si[j];
  }
  for (int k = 1; k <= half; k += 2) {
    int l = k < half ? k + 1 : k; /* if their number is odd, the last one is computed twice */
    vec ar = r0, ai = i0, br = r0 - r0, bi = br, cr = r0, ci = i0, er = br, ei = br;
    for (int j = 0, a = k, c = l; j < half; j++) {
      const real *u = cs + 2 * a, *v = cs + 2 * c;
      ar += u[0] * sr[j], ai += u[0] * si[j], br += u[1] * di[j], bi += u[1] * dr[j];
      cr += v[0] * sr[j], ci += v[0] * si[j], er += v[1] * di[j], ei += v[1] * dr[j];
      a = a + k < R ? a + k : a + k - R; /* (j + 1) k mod R */
      c = c + l < R ? c + l : c + l - R;
    }
    r[k] = ar + br, i[k] = ai - bi;
    r[R - k] = ar - br, i[R - k] = ai + bi;
    r[l] = cr + er, i[l] = ci - ei;
    r[R - l] = cr - er, i[R - l] = ci + ei;
  }
}
