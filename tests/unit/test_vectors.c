/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd on lines of every shape: all instruction sets with fused multiply-adds have the same
 * bits, also with a factor that is rounded, and points that are images have those of points that
 * are written out.  The radices, which decide on the bits, are those of the length alone. */
#include <stdlib.h>
#include <string.h>

#include "base/hooks.h"
#include "base/memory.h"
#include "local/engine.h"
#include "local/simd.h"
#include "support.h"

typedef struct shape {
  ptrdiff_t n;
  int rows, transpose, real, weighs, images; /* images: of both sides */
  int sign, single;
} shape;

/* One side of a tile: an address for each row or for each point, and what they point into. */
typedef struct side {
  char *memory, **at;
  size_t run, bytes;
} side;

static size_t number_of(const shape *s) {
  return s->single ? sizeof(float) : sizeof(double);
}

static side make_side(const shape *s, int rows, ptrdiff_t width) {
  ptrdiff_t runs = rows ? width : s->n + 1, numbers = 2 * (rows ? s->n + 2 : 2 * width);
  size_t run = ((size_t)numbers * number_of(s) + 63) / 64 * 64;
  side x = {pf_alloc(run * (size_t)runs), get((size_t)runs * sizeof *x.at), run,
            run * (size_t)runs};
  memset(x.memory, 0, x.bytes);
  for (ptrdiff_t k = 0; k < runs; k++) x.at[k] = x.memory + (size_t)k * run;
  return x;
}

static void free_side(side *x) {
  pf_free(x->memory);
  free(x->at);
}

static void fill(const shape *s, const side *x) {
  for (size_t k = 0; k < x->bytes / number_of(s); k++)
    if (s->single)
      ((float *)(void *)x->memory)[k] = (float)value_of(k);
    else
      ((double *)(void *)x->memory)[k] = value_of(k);
}

/* Columns whose points from `images` on become their images: conjugates in the opposite order; and
 * such images the points.  The address is that of the first line. */
static void turn_images(const shape *s, const side *x, ptrdiff_t images, ptrdiff_t width, int to) {
  size_t number = number_of(s);
  for (ptrdiff_t k = images; k < s->n; k++) {
    char *at = x->memory + (size_t)k * x->run, other[4096];
    for (ptrdiff_t j = 0; j < width; j++)
      memcpy(other + (size_t)(width - 1 - j) * 2 * number, at + (size_t)j * 2 * number, 2 * number);
    for (ptrdiff_t j = 0; j < width; j++)
      if (s->single)
        ((float *)(void *)other)[2 * j + 1] *= -1;
      else
        ((double *)(void *)other)[2 * j + 1] *= -1;
    memcpy(at, other, (size_t)width * 2 * number);
    x->at[k] = to ? at + (size_t)(width - 1) * 2 * number : at;
  }
}

static const pf_engine *simd(void) {
  int k = 0;
  while (strcmp(pf_engine_at(k)->name, "simd") != 0) k++;
  return pf_engine_at(k);
}

/* The results of a tile; NULL: there is no such transform. */
static char *transformed(const shape *s, size_t *bytes) {
  enum { most = 4096 };
  static double weights[2 * most];
  const pf_weights both = {weights, weights + most};
  pf_fft_spec spec = {.engine = simd(),
                      .precision = s->single ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                      .n = s->n,
                      .sign = s->sign,
                      .rows = s->rows,
                      .real = s->real,
                      .transpose = s->transpose};
  pf_fft f;
  if (pf_fft_create(&f, &spec, 1, NULL)) abort();
  side from = make_side(s, s->rows, f.width), to = make_side(s, s->rows || f.transpose, f.width);
  ptrdiff_t images = s->images ? s->n / 2 + 1 : s->n;
  for (int k = 0; k < 2 * most; k++) weights[k] = 1 + value_of((uint64_t)k);
  fill(s, &from);
  if (s->images) turn_images(s, &from, images, f.width, 1), turn_images(s, &to, images, f.width, 1);
  pf_job job = {.from = {.at = from.at}, .to = {.at = to.at}, .scale = 1. / 3};
  if (s->images) job.from.images = job.to.images = images;
  if (s->weighs) job.weights = &both;
  void *tile = pf_alloc(f.bytes);
  memset(tile, 0, f.bytes);
  int able = f.transpose == s->transpose && (f.weighs || !s->weighs) && (f.skips || !s->images);
  if (able) pf_fft_run(&f, tile, &job);
  if (s->images) turn_images(s, &to, images, f.width, 0);
  char *result = able ? get(to.bytes) : NULL;
  if (able) memcpy(result, to.memory, to.bytes);
  *bytes = to.bytes;
  pf_free(tile);
  free_side(&from);
  free_side(&to);
  pf_fft_destroy(&f);
  return result;
}

static void compare(const shape *s, const char *a, const char *b, size_t bytes, const char *what) {
  CHECK(!a == !b && (!a || !memcmp(a, b, bytes)),
        "%td points, %s, transpose %d, real %d, weights %d, images %d, sign %d, single %d: %s",
        s->n, s->rows ? "rows" : "columns", s->transpose, s->real, s->weighs, s->images, s->sign,
        s->single, what);
}

/* Both best instruction sets, as AMD's processors use them and as other ones do; the third one has
 * no fused multiply-adds. */
static int test_sets(shape s) {
  size_t bytes;
  char *result[4];
  int count = 0, sets = 0;
  for (const char *name;
       sets < 2 && (name = pf_simd_leave_out(sets)) && strncmp(name, "avx", 3) == 0; sets++)
    for (int amd = 0; amd < 2; amd++) {
      pf_hooks.amd = 1 + amd;
      result[count++] = transformed(&s, &bytes);
    }
  pf_hooks.amd = 0;
  for (int k = 1; k < count; k++)
    compare(&s, result[0], result[k], bytes, "other bits with other vectors");
  for (int k = 0; k < count; k++) free(result[k]);
  return sets == 2;
}

/* Images beside the points that they are of. */
static void test_images(shape s) {
  size_t bytes;
  for (int k = 0; pf_simd_leave_out(k); k++) {
    char *plain = transformed(&s, &bytes);
    s.images = 1;
    char *images = transformed(&s, &bytes);
    CHECK(!images == !pf_simd_factors(s.n), "%td points: images or none", s.n);
    if (images) compare(&s, plain, images, bytes, "images");
    free(plain);
    free(images);
    s.images = 0;
  }
}

/* Radices of a length: their product, and that none but the given first one could be cheaper with
 * its neighbour as one pass.  After a first one kernels of rows know radices up to 13. */
static void test_radices(void) {
  for (ptrdiff_t n = 1; n <= 4000; n++)
    for (int first = 0; first <= 8 && pf_simd_factors(n); first += 8) {
      int radix[PF_SIMD_PASSES];
      ptrdiff_t product = 1;
      if (first && (n % 32 || pf_simd_cost(n) == INFINITY)) continue;
      int passes = pf_simd_radices(n, first, radix), merged = 0, unknown = 0;
      for (int i = 0; i < passes; i++) {
        product *= radix[i];
        unknown |= first && radix[i] > 13;
        for (int k = !!first; k < i; k++) merged |= radix[i] > 1 && radix[i] * radix[k] <= 12;
      }
      CHECK(product == n && passes >= 2 && radix[passes - 1] <= PF_SIMD_RADIX &&
                (!first || radix[0] == first) && !merged && !unknown,
            "%td points, first %d: %d passes, of radices %d, %d, ...", n, first, passes, radix[0],
            radix[1]);
    }
}

int main(int argc, char **argv) {
  static const ptrdiff_t longer[] = {100, 127, 128, 131, 256, 320, 512, 1024};
  int compared = 0;
  MPI_Init(&argc, &argv);
  test_radices();
  for (ptrdiff_t k = 1; k < 80 + (ptrdiff_t)(sizeof longer / sizeof *longer); k++)
    for (int way = 0; way < 64; way++) {
      shape s = {.n = k < 80 ? k : longer[k - 80],
                 .sign = way & 1 ? 1 : -1,
                 .single = way >> 1 & 1,
                 .rows = way >> 2 & 1,
                 .real = way >> 3 & 1,
                 .transpose = way >> 4 & 1,
                 .weighs = way >> 5 & 1};
      if (s.rows && s.transpose) continue;
      compared += test_sets(s);
      if (!s.rows && !s.real && !s.transpose) test_images(s);
    }
  if (!compared) printf("only one instruction set with fused multiply-adds here\n");
  return check_result();
}
