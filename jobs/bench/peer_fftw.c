/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW-MPI, and bare copies of its arrays.
 *
 * Planned with MEASURE and PATIENT (ESTIMATE is far slower), in place and out of place; out of
 * place it may destroy its input, which gives its planner the widest choice.  All variants share
 * two arrays.  What one plan has learnt is forgotten before the next, so that planning times and
 * choices are each variant's own. */
#include <complex.h> /* before fftw3-mpi.h, which then takes C's complex type */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { PLANS = 4, COPIES = 2 };

typedef struct variant {
  const char *name;
  unsigned flags;
  int in_place;
} variant;

static const variant variants[PLANS] = {
    {"FFTW-MPI MEASURE, in place", FFTW_MEASURE, 1},
    {"FFTW-MPI MEASURE, out of place", FFTW_MEASURE | FFTW_DESTROY_INPUT, 0},
    {"FFTW-MPI PATIENT, in place", FFTW_PATIENT, 1},
    {"FFTW-MPI PATIENT, out of place", FFTW_PATIENT | FFTW_DESTROY_INPUT, 0}};

/* By variant and direction; the arrays of all variants, and the elements each holds. */
static struct {
  fftw_plan plan[PLANS][2];
  double *array[2];
  size_t copied; /* doubles of the local box */
} own;

static int run_plan(contender *c, pfft3d_direction d) {
  fftw_plan *plan = c->state;
  fftw_execute(plan[d]);
  return 0;
}

static int run_memcpy(contender *c, pfft3d_direction d) {
  memcpy(c->array[!d][0], c->array[d][0], own.copied * sizeof(double));
  return 0;
}

/* Writes around the caches.  Stores of this kind have no portable form; without them there is
 * memcpy only, which uses them itself for large blocks. */
static int run_stream(contender *c, pfft3d_direction d) {
  const double *from = c->array[d][0];
  double *to = c->array[!d][0];
  size_t i = 0;
#if defined(__SSE2__)
  typedef double pair __attribute__((vector_size(16)));
  for (; i + 2 <= own.copied; i += 2)
    __builtin_ia32_movntpd(to + i, *(const pair *)(const void *)(from + i));
  __builtin_ia32_sfence();
#endif
  for (; i < own.copied; i++) to[i] = from[i];
  return 0;
}

/* Boxes of FFTW's block distribution; its number of elements to allocate, complex ones.  Rows of a
 * real field are padded to the bytes of their half spectrum, out of place too. */
static size_t boxes(const bench *b, pfft3d_box box[2]) {
  ptrdiff_t n[3], l0, s0, l1, s1;
  extents(b, PFFT3D_SPECTRUM, n);
  const ptrdiff_t elements =
      fftw_mpi_local_size_3d_transposed(n[0], n[1], n[2], b->comm, &l0, &s0, &l1, &s1);
  const ptrdiff_t row = b->kind == PFFT3D_R2C ? 2 * n[2] : n[2];
  box[PFFT3D_SPACE] =
      (pfft3d_box){.lo = {s0, 0, 0}, .len = {l0, n[1], b->n[2]}, .stride = {n[1] * row, row, 1}};
  box[PFFT3D_SPECTRUM] =
      (pfft3d_box){.lo = {s0, 0, 0}, .len = {l0, n[1], n[2]}, .stride = {n[1] * n[2], n[2], 1}};
  if (b->order == PFFT3D_TRANSPOSED)
    box[PFFT3D_SPECTRUM] =
        (pfft3d_box){.lo = {0, s1, 0}, .len = {n[0], l1, n[2]}, .stride = {n[2], n[0] * n[2], 1}};
  return (size_t)elements;
}

double fftw_bytes(const bench *b) {
  pfft3d_box box[2];
  return 4.0 * 16 * (double)boxes(b, box); /* two arrays, a reference, a buffer of FFTW's */
}

static fftw_plan make(const bench *b, const variant *v, pfft3d_direction d) {
  const int forward = d == PFFT3D_FORWARD;
  const ptrdiff_t *n = b->n;
  double *in = own.array[v->in_place ? 0 : d], *out = own.array[v->in_place ? 0 : !d];
  unsigned flags = v->flags;
  if (b->order == PFFT3D_TRANSPOSED)
    flags |= forward ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN;
  if (b->kind == PFFT3D_C2C)
    return fftw_mpi_plan_dft_3d(n[0], n[1], n[2], (fftw_complex *)in, (fftw_complex *)out, b->comm,
                                forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
  if (forward)
    return fftw_mpi_plan_dft_r2c_3d(n[0], n[1], n[2], in, (fftw_complex *)out, b->comm, flags);
  return fftw_mpi_plan_dft_c2r_3d(n[0], n[1], n[2], (fftw_complex *)in, out, b->comm, flags);
}

static int open_variant(const bench *b, const variant *v, fftw_plan plan[2], contender *c) {
  double seconds;
  note(b, "planning %s", v->name);
  fftw_forget_wisdom();
  const double start = MPI_Wtime();
  for (int d = 0; d < 2; d++) plan[d] = make(b, v, (pfft3d_direction)d);
  seconds = MPI_Wtime() - start;
  fftw_forget_wisdom();
  MPI_Allreduce(&seconds, &c->plan_s, 1, MPI_DOUBLE, MPI_MAX, b->comm);
  if (plan[0] && plan[1]) return 1;
  note(b, "%s: FFTW made no plan", v->name);
  return 0;
}

int fftw_open(const bench *b, contender *c) {
  pfft3d_box box[2];
  int count = 0;
  const size_t elements = boxes(b, box);
  for (int k = 0; k < 2; k++) own.array[k] = bench_alloc(elements * 16);
  own.copied = 0; /* the mean of both sides */
  for (int k = 0; k < 2; k++)
    own.copied +=
        (size_t)(box[k].len[0] * box[k].len[1] * box[k].len[2] * parts_of(b, (pfft3d_side)k));
  own.copied /= 2;
  for (int k = 0; k < PLANS + COPIES; k++) {
    const variant *v = k < PLANS ? &variants[k] : NULL;
    contender *one = &c[count];
    const int copy = k - PLANS;
    *one = (contender){.family = copy < 0 ? FFTW : COPY,
                       .grid = {b->ranks, 1},
                       .fields = 1,
                       .batch = 1,
                       .box = {box[0], box[1]},
                       .array = {{own.array[0]}, {own.array[1]}},
                       .run = copy < 0 ? run_plan
                              : copy   ? run_stream
                                       : run_memcpy};
    if (copy < 0) {
      if (k > 1 && !b->opt.patient) continue;
      one->state = own.plan[k];
      if (v->in_place) one->array[1][0] = own.array[0];
      if (!open_variant(b, v, own.plan[k], one)) continue;
    }
    snprintf(one->name, NAME, "%s", copy < 0 ? v->name : copy ? "copy, streaming" : "copy, memcpy");
    snprintf(one->series, NAME, "%s", copy < 0 ? "FFTW-MPI, its best" : "copy");
    count++;
  }
  return count;
}

void fftw_close(void) {
  for (int k = 0; k < PLANS; k++)
    for (int d = 0; d < 2; d++) {
      if (own.plan[k][d]) fftw_destroy_plan(own.plan[k][d]);
      own.plan[k][d] = NULL;
    }
  for (int k = 0; k < 2; k++) free(own.array[k]);
}
