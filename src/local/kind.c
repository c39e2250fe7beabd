/* SPDX-License-Identifier: BSD-3-Clause
 * The steps before and after the complex transforms of each real-to-real kind.  w(a, b) is
 * exp(-pi i a/b), n the points of a line, x the input and y the result.
 *
 * dct2   T_i = x_2i, T_(n-1-i) = x_(2i+1); one transform of n points;
 *        y_k = w(k,2n) T_k + conj(w(k,2n)) T_(n-k)
 * dct3   the transpose of it, with the other sign
 * dct4   n even, h = n/2: p_j = w(j,n) (x_2j + i x_(n-1-2j)), q_j = conj(w(j,n)) (x_2j - i
 *        x_(n-1-2j)), a transform of h points of each, which are P and Q; with u = w(4k+1,4n)
 *        y_2k = u P_k + conj(u) Q_(-k), y_(n-1-2k) = i (u P_k - conj(u) Q_(-k))
 *        n odd: the half of 2n points that is not 0 in two transforms E and O of n points;
 *        y_k = w(2k+1,4n) Z_k + conj(w(2k+1,4n)) Z_(2n-1-k), Z_2m = E_m, Z_(2m+1) = O_m
 * dct1   the even extension of 2N points, N = n-1, in two transforms of N points for its even and
 *        odd frequencies: a_j = x_j + x_(N-j) and b_j = (x_j - x_(N-j)) w(j,N)
 * dst1   as dct1, with the odd extension, N = n+1
 * dst2   dct2 of (-1)^j x_j, in reverse; dst3 its transpose
 * dst4   (-1)^k dct4 of x in reverse
 * r2hc   X the dft of x: y_k = (X_k + X_(n-k))/2, y_(n-k) = (X_k - X_(n-k))/2i
 * hc2r   the dft with the other sign of y_k + i y_(n-k)
 * dht    y_k = ((1+i) X_k + (1-i) X_(n-k))/2
 *
 * None of these has the running sums of the shortest algorithms for types I, whose errors grow with
 * the square root of n.
 * Source: Makhoul, IEEE Trans. Acoust. Speech Signal Process. 28(1), 1980, for types II and III;
 * Britanak, Yip and Rao, Discrete Cosine and Sine Transforms, 2007, chapter 4. */
#include "local/kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "local/twiddle.h"

typedef struct entry {
  const char *name, *formula;
  pf_kind_type type;
  int sine;
  pfft3d_axis_kind inverse;
} entry;

static const entry kinds[PF_KINDS] = {
    {"dft", "sum x_j exp(-2 pi i j k/n)", PF_COMPLEX, 0, PFFT3D_DFT},
    {"none", "no transform", PF_COMPLEX, 0, PFFT3D_NONE},
    {"dct1", "x_0 + (-1)^k x_(n-1) + 2 sum_(0<j<n-1) x_j cos(pi j k/(n-1)), n > 1", PF_TYPE1, 0,
     PFFT3D_DCT1},
    {"dct2", "2 sum x_j cos(pi (j+1/2) k/n)", PF_TYPE2, 0, PFFT3D_DCT3},
    {"dct3", "x_0 + 2 sum_(j>0) x_j cos(pi j (k+1/2)/n)", PF_TYPE3, 0, PFFT3D_DCT2},
    {"dct4", "2 sum x_j cos(pi (j+1/2) (k+1/2)/n)", PF_TYPE4, 0, PFFT3D_DCT4},
    {"dst1", "2 sum x_j sin(pi (j+1) (k+1)/(n+1))", PF_TYPE1, 1, PFFT3D_DST1},
    {"dst2", "2 sum x_j sin(pi (j+1/2) (k+1)/n)", PF_TYPE2, 1, PFFT3D_DST3},
    {"dst3", "(-1)^k x_(n-1) + 2 sum_(j<n-1) x_j sin(pi (j+1) (k+1/2)/n)", PF_TYPE3, 1,
     PFFT3D_DST2},
    {"dst4", "2 sum x_j sin(pi (j+1/2) (k+1/2)/n)", PF_TYPE4, 1, PFFT3D_DST4},
    {"dht", "sum x_j (cos(2 pi j k/n) + sin(2 pi j k/n))", PF_HARTLEY, 0, PFFT3D_DHT},
    {"r2hc", "sum x_j cos(2 pi j k/n) for 2 k <= n, else sum x_j sin(2 pi j k/n)", PF_TO_HALF, 0,
     PFFT3D_HC2R},
    {"hc2r", "the inverse of r2hc, times n", PF_FROM_HALF, 0, PFFT3D_R2HC},
};

/* An unchecked problem may have any number here. */
static const entry *entry_of(pfft3d_axis_kind kind) {
  return &kinds[(unsigned)kind < PF_KINDS ? (unsigned)kind : PFFT3D_DFT];
}

const char *pf_kind_at(int index, const char **summary) {
  if (index < 0 || index >= PF_KINDS) return NULL;
  if (summary) *summary = kinds[index].formula;
  return kinds[index].name;
}

int pf_kind_is_real(pfft3d_axis_kind kind) {
  return entry_of(kind)->type != PF_COMPLEX;
}

int pf_kind_is_sine(pfft3d_axis_kind kind) {
  return entry_of(kind)->sine;
}

pf_kind_type pf_kind_type_of(pfft3d_axis_kind kind) {
  return entry_of(kind)->type;
}

pfft3d_axis_kind pf_kind_inverse(pfft3d_axis_kind kind) {
  return entry_of(kind)->inverse;
}

int pf_kind_keeps_all(pfft3d_axis_kind kind) {
  return kind == PFFT3D_NONE || entry_of(kind)->type >= PF_HARTLEY;
}

double pf_kind_logical(pfft3d_axis_kind kind, ptrdiff_t n) {
  if (kind == PFFT3D_NONE) return 1;
  if (kind == PFFT3D_DFT || entry_of(kind)->type >= PF_HARTLEY) return (double)n;
  return 2 * ((double)n + (kind == PFFT3D_DST1) - (kind == PFFT3D_DCT1));
}

ptrdiff_t pf_kind_least(pfft3d_axis_kind kind) {
  return kind == PFFT3D_DCT1 ? 2 : 1;
}

void pf_kind_shape(pfft3d_axis_kind kind, ptrdiff_t n, pf_kind_steps *s) {
  pf_kind_type type = entry_of(kind)->type;
  int two = type == PF_TYPE1 || type == PF_TYPE4;
  *s = (pf_kind_steps){.n = n, .m = n, .runs = two ? 2 : 1, .sign = -1};
  if (type == PF_TYPE3 || type == PF_FROM_HALF) s->sign = 1;
  if (type == PF_TYPE4 && n % 2 == 0) s->m = n / 2;
  if (type == PF_TYPE1) s->m = entry_of(kind)->sine ? n + 1 : n - 1;
}

ptrdiff_t pf_kind_points(pfft3d_axis_kind kind, ptrdiff_t n) {
  pf_kind_steps s;
  if (!pf_kind_is_real(kind)) return n;
  pf_kind_shape(kind, n, &s);
  return s.m;
}

/* ---- entries ---- */

/* exp(-pi i a/b) times i^quarters. */
static void root(ptrdiff_t a, ptrdiff_t b, int quarters, double w[2]) {
  long double r[2];
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): b is a length */
  pf_root(a % (2 * b), 2 * b, r);
  for (int k = 0; k < quarters; k++) {
    long double re = r[0];
    r[0] = -r[1];
    r[1] = re;
  }
  w[0] = (double)r[0];
  w[1] = (double)r[1];
}

static void conjugate(double w[2]) {
  w[1] = -w[1];
}

static pf_pair *append(pf_kind_steps *s, int after, ptrdiff_t in0, ptrdiff_t in1) {
  pf_pair *p = &s->pair[after][s->pairs[after]++];
  *p = (pf_pair){.in = {(int32_t)in0, (int32_t)in1}, .out = {0, -1}};
  return p;
}

/* Rows of the matrix for y = u A + conj(u) B and y = i (u A - conj(u) B), u = w(a, b). */
static void sum_row(double m[2][2], ptrdiff_t a, ptrdiff_t b) {
  root(a, b, 0, m[0]);
  root(a, b, 0, m[1]);
  conjugate(m[1]);
}

static void difference_row(double m[2][2], ptrdiff_t a, ptrdiff_t b) {
  root(a, b, 1, m[0]);
  root(a, b, 1, m[1]);
  conjugate(m[1]); /* -i conj(u) = conj(i u) */
}

/* The row for conj(u) (A - i B), or for u (A + i B), u = w(a, b). */
static void rotated_row(double m[2][2], ptrdiff_t a, ptrdiff_t b, int conjugated) {
  root(a, b, 0, m[0]);
  root(a, b, 1, m[1]);
  if (!conjugated) return;
  conjugate(m[0]);
  conjugate(m[1]);
}

static void scale_row(double m[2][2], double factor) {
  for (int k = 0; k < 4; k++) m[k / 2][k % 2] *= factor;
}

/* ---- types II and III ---- */

static void type2(pf_kind_steps *s, int sine) {
  ptrdiff_t n = s->n;
  for (ptrdiff_t j = 0; j < n; j++) {
    int32_t x = (int32_t)j;
    s->move[0][j % 2 ? n - 1 - j / 2 : j / 2] = sine && j % 2 ? ~x : x;
  }
  for (ptrdiff_t k = 0; 2 * k <= n; k++) {
    int single = k == 0 || 2 * k == n;
    pf_pair *p = append(s, 1, k, single ? k : n - k);
    p->out[0] = (int32_t)(sine ? n - 1 - k : k);
    if (!single) p->out[1] = (int32_t)(sine ? k - 1 : n - k);
    sum_row(p->m[0], k, 2 * n);
    difference_row(p->m[1], k, 2 * n);
  }
}

static void type3(pf_kind_steps *s, int sine) {
  ptrdiff_t n = s->n;
  for (ptrdiff_t k = 0; 2 * k <= n; k++) {
    int single = k == 0 || 2 * k == n;
    ptrdiff_t other = single ? k : n - k;
    pf_pair *p = append(s, 0, sine ? n - 1 - k : k, sine ? n - 1 - other : other);
    p->out[0] = (int32_t)k;
    if (!single) p->out[1] = (int32_t)other;
    rotated_row(p->m[0], k, 2 * n, 1);
    rotated_row(p->m[1], k, 2 * n, 0);
    if (k == 0) p->m[0][1][0] = p->m[0][1][1] = 0; /* x_0 is not part of a pair */
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    int32_t t = (int32_t)(k % 2 ? n - 1 - k / 2 : k / 2);
    s->move[1][k] = sine && k % 2 ? ~t : t;
  }
}

/* ---- type IV ---- */

static void type4_even(pf_kind_steps *s, int sine) {
  ptrdiff_t n = s->n, h = s->m;
  for (ptrdiff_t j = 0; j < h; j++) {
    ptrdiff_t a = 2 * j, b = n - 1 - 2 * j;
    pf_pair *p = append(s, 0, sine ? b : a, sine ? a : b);
    p->out[0] = (int32_t)j;
    p->out[1] = (int32_t)(h + j);
    rotated_row(p->m[0], j, n, 0);
    rotated_row(p->m[1], j, n, 1);
  }
  for (ptrdiff_t k = 0; k < h; k++) {
    pf_pair *p = append(s, 1, k, h + (h - k) % h);
    p->out[0] = (int32_t)(2 * k);
    p->out[1] = (int32_t)(n - 1 - 2 * k);
    sum_row(p->m[0], 4 * k + 1, 4 * n);
    difference_row(p->m[1], 4 * k + 1, 4 * n);
    if (sine) scale_row(p->m[1], -1); /* an odd point */
  }
}

static void type4_odd(pf_kind_steps *s, int sine) {
  ptrdiff_t n = s->n;
  for (ptrdiff_t j = 0; j < n; j++) {
    ptrdiff_t x = sine ? n - 1 - j : j;
    pf_pair *p = append(s, 0, x, x);
    p->out[0] = (int32_t)j;
    p->out[1] = (int32_t)(n + j);
    root(j, 2 * n, 0, p->m[0][0]);
    root(3 * j % (4 * n), 2 * n, 0, p->m[1][0]);
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    ptrdiff_t m = k / 2, other = n - 1 - m;
    pf_pair *p = append(s, 1, k % 2 ? n + m : m, k % 2 ? other : n + other);
    p->out[0] = (int32_t)k;
    sum_row(p->m[0], 2 * k + 1, 4 * n);
    if (sine && k % 2) scale_row(p->m[0], -1);
  }
}

/* ---- type I ---- */

static void type1(pf_kind_steps *s, int sine) {
  ptrdiff_t N = s->m;
  int quarters = sine ? 1 : 0;
  for (ptrdiff_t j = 0; j < N; j++) {
    int outside = sine && j == 0; /* x_0 and x_N are 0 in the odd extension */
    pf_pair *p = append(s, 0, outside ? 0 : j - sine, outside ? 0 : N - j - sine);
    p->out[0] = (int32_t)j;
    p->out[1] = (int32_t)(N + j);
    if (outside) continue;
    for (int b = 0; b < 2; b++) {
      root(b * j, N, quarters, p->m[b][0]);
      memcpy(p->m[b][1], p->m[b][0], sizeof p->m[b][1]);
      if (b != sine) p->m[b][1][0] *= -1, p->m[b][1][1] *= -1;
    }
  }
  for (ptrdiff_t k = 0; k < s->n; k++) {
    ptrdiff_t f = k + sine;
    s->move[1][k] = (int32_t)(f % 2 * N + f / 2);
  }
}

/* ---- the real DFT in real numbers ---- */

/* y_k and y_(n-k) from X_k and X_(n-k), by the four numbers of each kind; for k = 0 and n/2 both
 * are the same point. */
static void half_complex(pf_kind_steps *s, pf_kind_type type) {
  static const double rows[][2][2][2] = {
      [PF_HARTLEY] = {{{.5, .5}, {.5, -.5}}, {{.5, -.5}, {.5, .5}}},
      [PF_TO_HALF] = {{{.5, 0}, {.5, 0}}, {{0, -.5}, {0, .5}}},
      [PF_FROM_HALF] = {{{1, 0}, {0, 1}}, {{1, 0}, {0, -1}}}};
  ptrdiff_t n = s->n;
  int after = type != PF_FROM_HALF;
  for (ptrdiff_t k = 0; k < n; k++) s->move[!after][k] = (int32_t)k;
  for (ptrdiff_t k = 0; 2 * k <= n; k++) {
    int single = k == 0 || 2 * k == n;
    pf_pair *p = append(s, after, k, single ? k : n - k);
    p->out[0] = (int32_t)k;
    if (!single) p->out[1] = (int32_t)(n - k);
    memcpy(p->m, rows[type], sizeof p->m);
    if (single && !after) p->m[0][1][1] = 0;
  }
}

/* ---- all ---- */

int pf_kind_steps_make(pfft3d_axis_kind kind, ptrdiff_t n, pf_kind_steps *s, pfft3d_error *e) {
  pf_kind_type type = entry_of(kind)->type;
  int sine = entry_of(kind)->sine;
  pf_kind_shape(kind, n, s);
  size_t most = (size_t)(s->m > n ? s->m : n) + 1;
  for (int after = 0; after < 2; after++) {
    s->pair[after] = calloc(most, sizeof *s->pair[after]);
    s->move[after] = calloc(most, sizeof *s->move[after]);
    if (!s->pair[after] || !s->move[after])
      return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the tables of %td points", n);
  }
  if (type >= PF_HARTLEY)
    half_complex(s, type);
  else if (type == PF_TYPE1)
    type1(s, sine);
  else if (type == PF_TYPE4)
    (n % 2 ? type4_odd : type4_even)(s, sine);
  else
    (type == PF_TYPE2 ? type2 : type3)(s, sine);
  return PFFT3D_OK;
}

void pf_kind_steps_free(pf_kind_steps *s) {
  for (int after = 0; after < 2; after++) {
    free(s->pair[after]);
    free(s->move[after]);
    s->pair[after] = NULL;
    s->move[after] = NULL;
  }
}
