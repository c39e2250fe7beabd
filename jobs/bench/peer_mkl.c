/* SPDX-License-Identifier: BSD-3-Clause
 * oneMKL's cluster FFT, in builds with oneMKL: in place with a workspace of the caller's, the
 * fastest of its ways.  Fields are distributed as in FFTW-MPI; transposed spectra are in the order
 * [i1][i2][i0]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run.h"
#include "bench.h"
#include "config.h"

#ifdef PF_HAVE_MKL_CDFT
#include <mkl_cdft_types.h>

/* Those of mkl_cdft.h, which includes the mpi.h of its own folder, whichever MPI that is of. */
MKL_LONG DftiCreateDescriptorDM(MPI_Comm, DFTI_DESCRIPTOR_DM_HANDLE *, enum DFTI_CONFIG_VALUE,
                                enum DFTI_CONFIG_VALUE, MKL_LONG, ...);
MKL_LONG DftiGetValueDM(DFTI_DESCRIPTOR_DM_HANDLE, int, ...);
MKL_LONG DftiSetValueDM(DFTI_DESCRIPTOR_DM_HANDLE, int, ...);
MKL_LONG DftiCommitDescriptorDM(DFTI_DESCRIPTOR_DM_HANDLE);
MKL_LONG DftiComputeForwardDM(DFTI_DESCRIPTOR_DM_HANDLE, void *, ...);
MKL_LONG DftiComputeBackwardDM(DFTI_DESCRIPTOR_DM_HANDLE, void *, ...);
MKL_LONG DftiFreeDescriptorDM(DFTI_DESCRIPTOR_DM_HANDLE *);

typedef struct opened {
  DFTI_DESCRIPTOR_DM_HANDLE handle;
  void *data, *work;
} opened;

static double bytes(const bench *b, const way *w) {
  (void)w;
  if (is_line(b)) return 0;
  return 2 * 2 * 16 * pfft3d_problem_points(&b->problem) /
         b->a.ranks; /* with room for uneven parts */
}

static int transform(contender *c, pfft3d_direction d) {
  const opened *o = c->state;
  return (int)(d == PFFT3D_FORWARD ? DftiComputeForwardDM : DftiComputeBackwardDM)(o->handle,
                                                                                   o->data);
}

static ptrdiff_t value(const opened *o, int what) {
  MKL_LONG found = 0;
  DftiGetValueDM(o->handle, what, &found);
  return found;
}

/* The descriptor with its arrays; returns DFTI's error. */
static MKL_LONG describe(const bench *b, opened *o) {
  const int real = b->problem.kind == PFFT3D_R2C, transposed = b->order == PFFT3D_TRANSPOSED;
  MKL_LONG n[3];
  for (int a = 0; a < 3; a++) n[a] = b->problem.n[a];
  MKL_LONG code = DftiCreateDescriptorDM(b->a.comm, &o->handle, DFTI_DOUBLE,
                                         real ? DFTI_REAL : DFTI_COMPLEX, (MKL_LONG)3, n);
  if (!code && transposed) code = DftiSetValueDM(o->handle, DFTI_TRANSPOSE, DFTI_ALLOW);
  if (code) return code;
  const size_t elements = (size_t)value(o, CDFT_LOCAL_SIZE) + 1;
  o->data = bench_alloc(b, elements * 16);
  o->work = bench_alloc(b, elements * 16);
  code = DftiSetValueDM(o->handle, CDFT_WORKSPACE, o->work);
  return code ? code : DftiCommitDescriptorDM(o->handle);
}

static void release(opened *o) {
  if (o->handle) DftiFreeDescriptorDM(&o->handle);
  free(o->data);
  free(o->work);
  free(o);
}

static int open_it(const bench *b, const way *w, contender *c) {
  const int real = b->problem.kind == PFFT3D_R2C;
  ptrdiff_t n[3];
  opened *o = bench_alloc(b, sizeof *o);
  (void)w;
  double seconds = -MPI_Wtime();
  const double worst = run_max(&b->a, (double)describe(b, o));
  seconds += MPI_Wtime();
  if (worst > 0) {
    note(b, "oneMKL left out: its error %.0f", worst);
    release(o);
    return 0;
  }
  pfft3d_problem_extents(&b->problem, PFFT3D_SPECTRUM, n);
  const ptrdiff_t row = real ? 2 * n[2] : n[2], lo = value(o, CDFT_LOCAL_X_START);
  const ptrdiff_t len = value(o, CDFT_LOCAL_NX), out = value(o, CDFT_LOCAL_OUT_X_START);
  pfft3d_box field = {
      .lo = {lo, 0, 0}, .len = {len, n[1], b->problem.n[2]}, .stride = {n[1] * row, row, 1}};
  pfft3d_box spectrum = {
      .lo = {lo, 0, 0}, .len = {len, n[1], n[2]}, .stride = {n[1] * n[2], n[2], 1}};
  if (b->order == PFFT3D_TRANSPOSED)
    spectrum = (pfft3d_box){.lo = {0, out, 0},
                            .len = {n[0], value(o, CDFT_LOCAL_OUT_NX), n[2]},
                            .stride = {1, n[2] * n[0], n[0]}};
  *c = (contender){.name = "oneMKL, in place",
                   .series = "oneMKL",
                   .problem = b->problem,
                   .grid = {b->a.ranks, 1},
                   .fields = 1,
                   .batch = 1,
                   .box = {field, spectrum},
                   .array = {{o->data}, {o->data}},
                   .state = o,
                   .plan_s = run_max(&b->a, seconds),
                   .run = transform};
  return 1;
}

static void close_it(contender *c) {
  release(c->state);
}

const peer peer_mkl = {
    .name = "oneMKL", .word = "mkl", .bytes = bytes, .open = open_it, .close = close_it};

#else
static double bytes(const bench *b, const way *w) {
  (void)b, (void)w;
  return 0;
}

const peer peer_mkl = {.name = "oneMKL", .word = "mkl", .bytes = bytes};
#endif
