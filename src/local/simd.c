/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd: one line per vector lane; for lengths with factors 2, 3, 5, 7, 11, 13 directly, for
 * others by convolution (rader.c, chirp.c).  A tile in cache is transformed in place by a few
 * passes of large radix (simd_kernel.h), as planned by simd_plan.c and simd_radices.c. */
#include "local/simd.h"

#include "base/memory.h"

enum { longest = 1 << 20 };

static int supports(ptrdiff_t n, pfft3d_precision precision) {
  (void)precision;
  return n <= longest;
}

static int reals(ptrdiff_t n) {
  return pf_simd_factors(n);
}

/* Rows of several fields: tiles are larger by this factor. */
static int many(ptrdiff_t n, ptrdiff_t fields) {
  return fields <= longest / n && pf_simd_factors(n);
}

static ptrdiff_t width(ptrdiff_t n, pfft3d_precision precision) {
  (void)n;
  return pf_simd_width(precision);
}

/* One of plain, rader and chirp is set. */
typedef struct state {
  const pf_simd_isa *isa;
  pf_simd_plan *plain;
  pf_rader *rader;
  pf_chirp *chirp;
} state;

static void destroy(pf_fft *f) {
  state *s = f->state;
  pf_free(s->plain);
  pf_rader_free(s->rader);
  pf_chirp_free(s->chirp);
  pf_free(s);
}

static int plan(pf_fft *f, int estimate, pfft3d_error *e) {
  (void)estimate;
  state *s = f->state = pf_alloc(sizeof *s);
  const pf_fft_spec spec = {.n = f->n / f->many,
                            .sign = f->sign,
                            .precision = f->precision,
                            .rows = f->rows,
                            .transpose = f->transpose,
                            .real = f->real,
                            .many = f->many};
  int small = pf_simd_factors(spec.n);
  if (s) {
    if (small)
      s->plain = pf_simd_plan_make(&spec, &f->bytes);
    else if (pf_rader_fits(f->n))
      s->rader = pf_rader_make(f, &f->bytes);
    else
      s->chirp = pf_chirp_make(f, &f->bytes);
    if (s->plain) s->isa = pf_simd_isa_for(s->plain, f->precision);
    f->several = s->plain && s->plain->several && !f->around;
    if (s->plain || s->rader || s->chirp) return PFFT3D_OK;
    destroy(f);
  }
  f->state = NULL;
  return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the tables of %td points", f->n);
}

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  const state *s = f->state;
  if (s->plain)
    s->isa->run(s->plain, tile, job);
  else if (s->rader)
    pf_rader_run(s->rader, f, tile, job);
  else
    pf_chirp_run(s->chirp, f, tile, job);
}

const pf_engine pf_engine_simd = {
    .name = "simd",
    .summary = "one line per vector lane, any length; convolution beyond the factors 2 to 13",
    .fetches = 1,
    .longest = longest,
    .supports = supports,
    .reals = reals,
    .many = many,
    .real_columns = reals,
    .transposes = pf_simd_factors,
    .weighs = pf_simd_factors,
    .skips = pf_simd_factors,
    .width = width,
    .plan = plan,
    .run = run,
    .destroy = destroy};
