/* SPDX-License-Identifier: BSD-3-Clause
 * SpFFT, if it was available at build time: for sparse spectra, used here with all indices.
 *
 * Its x, y, z are our axes 2, 1, 0.  Its field is cut into slabs along z, its spectrum into sticks
 * along z that stay whole: our transposed distribution, never our natural one.  Its spectrum has
 * the order of the list of indices: here sticks, [i1][i2][i0], which SpFFT prefers to
 * our [i1][i0][i2].  Its field is in its own memory; rows of a real field are not padded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run.h"
#include "bench.h"
#include "config.h"

#ifdef PF_HAVE_SPFFT
#include <limits.h>
#include <spfft/spfft.h>

typedef struct opened {
  SpfftTransform transform;
  double *spectrum;
} opened;

/* The planes of a rank as in pfft3d. */
static void share(const bench *b, ptrdiff_t n, ptrdiff_t *lo, ptrdiff_t *len) {
  const ptrdiff_t q = n / b->a.ranks, rest = n % b->a.ranks;
  *lo = b->a.rank * q + (b->a.rank < rest ? b->a.rank : rest);
  *len = q + (b->a.rank < rest);
}

static double bytes(const bench *b, const way *w) {
  const double local = pfft3d_problem_points(&b->problem) / b->a.ranks;
  (void)w;
  if (is_line(b) || b->order != PFFT3D_TRANSPOSED || local > INT_MAX / 4) return 0;
  return local * (3 * 16 + 16 + 3 * sizeof(int)); /* field, sticks, spectrum, exchange, indices */
}

static int transform(contender *c, pfft3d_direction d) {
  const opened *o = c->state;
  if (d == PFFT3D_BACKWARD)
    return (int)spfft_transform_backward(o->transform, o->spectrum, SPFFT_PU_HOST);
  return (int)spfft_transform_forward(o->transform, SPFFT_PU_HOST, o->spectrum, SPFFT_NO_SCALING);
}

static int *list_indices(const bench *b, const pfft3d_box *box) {
  const size_t elements = (size_t)(box->len[0] * box->len[1] * box->len[2]);
  int *index = bench_alloc(b, (elements + 1) * 3 * sizeof(int)), *at = index;
  for (ptrdiff_t i1 = 0; i1 < box->len[1]; i1++)
    for (ptrdiff_t i2 = 0; i2 < box->len[2]; i2++)
      for (ptrdiff_t i0 = 0; i0 < box->len[0]; i0++) {
        *at++ = (int)i2;
        *at++ = (int)(i1 + box->lo[1]);
        *at++ = (int)i0;
      }
  return index;
}

static int open_it(const bench *b, const way *w, contender *c) {
  const int real = b->problem.kind == PFFT3D_R2C;
  ptrdiff_t n[3];
  opened *o = bench_alloc(b, sizeof *o);
  (void)w;
  memcpy(n, b->problem.n, sizeof n);
  pfft3d_box space = {.len = {0, n[1], n[2]}, .stride = {n[1] * n[2], n[2], 1}};
  pfft3d_problem_extents(&b->problem, PFFT3D_SPECTRUM, n);
  pfft3d_box sticks = {.len = {n[0], 0, n[2]}, .stride = {1, n[2] * n[0], n[0]}};
  share(b, n[0], &space.lo[0], &space.len[0]);
  share(b, n[1], &sticks.lo[1], &sticks.len[1]);
  const size_t elements = (size_t)(sticks.len[0] * sticks.len[1] * sticks.len[2]);
  int *index = list_indices(b, &sticks);
  double *field = NULL, seconds = -MPI_Wtime();
  int code = (int)spfft_transform_create_independent_distributed(
      &o->transform, 1, b->a.comm, SPFFT_EXCH_DEFAULT, SPFFT_PU_HOST,
      real ? SPFFT_TRANS_R2C : SPFFT_TRANS_C2C, (int)b->problem.n[2], (int)n[1], (int)n[0],
      (int)space.len[0], (int)elements, SPFFT_INDEX_TRIPLETS, index);
  const int made = code == SPFFT_SUCCESS;
  seconds += MPI_Wtime();
  free(index);
  if (!code) code = (int)spfft_transform_get_space_domain(o->transform, SPFFT_PU_HOST, &field);
  const double worst = run_max(&b->a, code);
  if (worst > 0) {
    note(b, "SpFFT left out: its error %.0f", worst);
    if (made) spfft_transform_destroy(o->transform);
    free(o);
    return 0;
  }
  o->spectrum = bench_alloc(b, elements * 16);
  *c = (contender){.name = "SpFFT (its order: sticks)",
                   .series = "SpFFT",
                   .problem = b->problem,
                   .grid = {b->a.ranks, 1},
                   .fields = 1,
                   .batch = 1,
                   .box = {space, sticks},
                   .array = {{field}, {o->spectrum}},
                   .state = o,
                   .plan_s = run_max(&b->a, seconds),
                   .run = transform};
  return 1;
}

static void close_it(contender *c) {
  opened *o = c->state;
  spfft_transform_destroy(o->transform);
  free(o->spectrum);
  free(o);
}

const peer peer_spfft = {
    .name = "SpFFT", .word = "spfft", .bytes = bytes, .open = open_it, .close = close_it};

#else
static double bytes(const bench *b, const way *w) {
  (void)b, (void)w;
  return 0;
}

const peer peer_spfft = {.name = "SpFFT", .word = "spfft", .bytes = bytes};
#endif
