/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd: a tile of 8 lines, one line per vector lane, for lengths with factors 2, 3, 5, 7.
 *
 * A tile in cache is transformed in place by a few passes of large radix; see simd_kernel.h.  The
 * planner here factors n, tabulates twiddles in long double and the digit reversal, and chooses the
 * instruction set when the program runs.  Nothing is measured: the plan of a length is always the
 * same. */
#include "local/simd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { longest = 1 << 20 };

/* Radices, larger ones first: the first pass needs no twiddles.  Of 2^e as many eights as leave 1
 * or fours; a lone 2 only where e is 1.  Returns their number, or -1 when n has other factors. */
static int factor(ptrdiff_t n, int radix[PF_SIMD_PASSES]) {
  static const int choice[] = {8, 7, 5, 4, 3, 2};
  int count[9] = {0}, passes = 0, e = 0;
  for (; n % 2 == 0; n /= 2) e++;
  for (int r = 3; r <= 7; r += 2)
    for (; n % r == 0; n /= r) count[r]++;
  if (n != 1) return -1;
  count[2] = e == 1;
  count[4] = e % 3 == 2 ? 1 : e % 3 == 1 && e > 1 ? 2 : 0;
  count[8] = (e - count[2] - 2 * count[4]) / 3;
  for (size_t c = 0; c < sizeof choice / sizeof *choice; c++)
    for (int k = 0; k < count[choice[c]]; k++) radix[passes++] = choice[c];
  return passes;
}

static int supports(ptrdiff_t n) {
  int radix[PF_SIMD_PASSES];
  return n <= longest && factor(n, radix) >= 0;
}

static ptrdiff_t width(ptrdiff_t n) {
  (void)n;
  return PF_LANES;
}

static const pf_simd_isa *isa(void) {
  static const pf_simd_isa *const all[] = {&pf_simd_avx512, &pf_simd_avx2, &pf_simd_base};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k]->available()) return all[k];
  return &pf_simd_base;
}

/* exp(-2 pi i k/n) in full accuracy: the angle is first brought into the first eighth. */
static void root(ptrdiff_t k, ptrdiff_t n, double w[2]) {
  const long double two_pi = 6.283185307179586476925286766559005768L;
  k %= n;
  int eighth = (int)(8 * k / n);
  ptrdiff_t rest = 8 * k - (ptrdiff_t)eighth * n; /* of n: the angle is (eighth + rest/n) / 8 */
  long double t = two_pi / 8 * (long double)(eighth % 2 ? n - rest : rest) / (long double)n;
  long double c = cosl(t), s = sinl(t);
  if ((eighth + 1) / 2 % 2) { /* reflected at the diagonal */
    long double x = c;
    c = s, s = x;
  }
  w[0] = (double)(eighth >= 2 && eighth <= 5 ? -c : c);
  w[1] = (double)(eighth >= 4 ? s : -s);
}

/* Position p holds the input point whose mixed-radix digits are those of p in reverse. */
static void reverse_digits(pf_simd_plan *p) {
  for (ptrdiff_t at = 0; at < p->n; at++) {
    ptrdiff_t rest = at, m = p->n, weight = 1, input = 0;
    for (int s = p->passes - 1; s >= 0; s--) {
      m /= p->radix[s];
      input += rest / m * weight;
      rest %= m;
      weight *= p->radix[s];
    }
    p->place[input] = (int32_t)at;
  }
}

static int plan(pf_fft *f, int estimate, pfft3d_error *e) {
  (void)estimate;
  int radix[PF_SIMD_PASSES], passes = factor(f->n, radix);
  ptrdiff_t n = f->n, numbers = 0, butterflies = 0, m = 1;
  for (int s = 0; s < passes; s++) {
    numbers += 2 * m * (radix[s] - 1);
    butterflies += n / radix[s];
    m *= radix[s];
  }
  size_t bytes =
      sizeof(pf_simd_plan) + (size_t)numbers * sizeof(double) + (size_t)n * sizeof(int32_t);
  pf_simd_plan *p = pf_alloc(bytes);
  if (!p) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the tables of %td points", n);
  f->state = p;
  f->bytes = (size_t)n * PF_POINT * sizeof(double);
  p->n = n;
  p->passes = passes;
  p->butterflies = butterflies;
  p->swap = f->sign > 0;
  memcpy(p->radix, radix, sizeof radix);
  double *w = p->memory;
  m = 1;
  for (int s = 0; s < passes; s++) {
    p->twiddle[s] = w;
    for (ptrdiff_t j = 0; j < m; j++)
      for (int q = 1; q < radix[s]; q++, w += 2) root(q * j, m * radix[s], w);
    m *= radix[s];
  }
  p->place = (int32_t *)w;
  reverse_digits(p);
  return PFFT3D_OK;
}

/* Any piece, number by number: the borders of boxes. */
static void move_slowly(const pf_simd_plan *p, double *tile, const pf_piece *piece, int in) {
  for (ptrdiff_t i = 0; i < piece->points; i++) {
    ptrdiff_t point = piece->first_point + i;
    double *re = tile + (in ? p->place[point] : point) * PF_POINT + (p->swap ? PF_LANES : 0);
    double *im = re + (p->swap ? -PF_LANES : PF_LANES);
    for (ptrdiff_t j = 0; j < piece->lines; j++) {
      double *x = (double *)piece->at.data + 2 * (i * piece->at.along + j * piece->at.across);
      if (in) {
        re[piece->first_line + j] = x[0];
        im[piece->first_line + j] = x[1];
      } else {
        x[0] = re[piece->first_line + j];
        x[1] = im[piece->first_line + j];
      }
    }
  }
}

static void gather(const pf_fft *f, void *tile, const pf_piece *piece) {
  const pf_simd_plan *p = f->state;
  if (piece->lines == PF_LANES && piece->at.across == 1)
    isa()->gather_columns(p, tile, piece);
  else if (piece->lines == PF_LANES && piece->at.along == 1)
    isa()->gather_rows(p, tile, piece);
  else
    move_slowly(p, tile, piece, 1);
}

/* Streaming stores need every vector of the piece on its own boundary. */
static int can_stream(const pf_piece *piece, ptrdiff_t stride) {
  return ((uintptr_t)piece->at.data | (size_t)stride * 2 * sizeof(double)) % PF_ALIGN == 0;
}

static void scatter(const pf_fft *f, void *tile, const pf_piece *piece, int stream) {
  const pf_simd_plan *p = f->state;
  if (piece->lines == PF_LANES && piece->at.across == 1)
    isa()->scatter_columns(p, tile, piece, stream && can_stream(piece, piece->at.along));
  else if (piece->lines == PF_LANES && piece->at.along == 1)
    isa()->scatter_rows(p, tile, piece, stream && can_stream(piece, piece->at.across));
  else
    move_slowly(p, tile, piece, 0);
}

static void run(const pf_fft *f, void *tile, double scale, const pf_fetch *fetch) {
  isa()->run(f->state, tile, fetch);
  double *x = tile;
  for (ptrdiff_t i = 0; scale != 1 && i < f->n * PF_POINT; i++) x[i] *= scale;
}

static void destroy(pf_fft *f) {
  pf_free(f->state);
}
static char *learnt(void) {
  return NULL;
}
static void learn(const char *text) {
  (void)text;
}

const pf_engine pf_engine_simd = {.name = "simd",
                                  .summary = "one line per vector lane, lengths of 2, 3, 5, 7",
                                  .fetches = 1,
                                  .supports = supports,
                                  .width = width,
                                  .plan = plan,
                                  .gather = gather,
                                  .run = run,
                                  .scatter = scatter,
                                  .destroy = destroy,
                                  .learnt = learnt,
                                  .learn = learn};
