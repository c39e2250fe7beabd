/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW for lines, or matrices, that are transformed one by one.  It plans by measuring, for some
 * seconds at most, on arrays of its own; very long lines by estimate. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "apps/kernels/fftw_lines.h"

#include <stdint.h>

#include "app/common/message.h"
#include "kernels/kernel.h"

#ifdef PF_HAVE_FFTW
#include <complex.h> /* before fftw3.h, which then takes C's complex type */
#include <fftw3.h>

enum { SECONDS = 5, MEASURED = 1 << 24 };

/* Lines may begin at addresses that are not aligned to vectors. */
#define FLAGS(l) ((l)->n % 8 ? FFTW_UNALIGNED : 0u)

#define FFTW_OF(fftw)                                                                \
  static void *fftw##_make(const lines *l, void *in, void *out) {                    \
    ptrdiff_t rows = (ptrdiff_t)l->rows, columns = (ptrdiff_t)l->n / rows;           \
    fftw##_iodim64 axis[2] = {{rows, columns, columns}, {columns, 1, 1}};            \
    unsigned how = l->n <= MEASURED ? FFTW_MEASURE : FFTW_ESTIMATE;                  \
    fftw##_set_timelimit(SECONDS);                                                   \
    return fftw##_plan_guru64_dft(2, axis, 0, NULL, in, out, FFTW_FORWARD,           \
                                  how | FFTW_PRESERVE_INPUT | FLAGS(l));             \
  }                                                                                  \
  static void fftw##_line(const void *plan, const lines *l, size_t b) {              \
    fftw##_complex *in = l->in, *out = l->out;                                       \
    fftw##_execute_dft((fftw##_plan)(uintptr_t)plan, in + b * l->n, out + b * l->n); \
  }

FFTW_OF(fftw)
FFTW_OF(fftwf)

void *fftw_lines_make(const lines *l, pfft3d_error *e) {
  int is_double = l->precision == PFFT3D_DOUBLE;
  size_t bytes = l->n * (is_double ? 2 * sizeof(double) : 2 * sizeof(float));
  void *in = pf_kernel_take(bytes, e), *out = in ? pf_kernel_take(bytes, e) : NULL, *plan = NULL;
  if (out) plan = (is_double ? fftw_make : fftwf_make)(l, in, out);
  if (out && !plan) app_note(e, PFFT3D_ERR_UNAVAILABLE, "fftw: made no plan for %zu points", l->n);
  pf_kernel_drop(in);
  pf_kernel_drop(out);
  return plan;
}

void fftw_lines_free(void *plan, pfft3d_precision precision) {
  if (precision == PFFT3D_DOUBLE)
    fftw_destroy_plan(plan);
  else
    fftwf_destroy_plan(plan);
}

void fftw_lines_run(const void *plan, const lines *l, int threads) {
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1 && l->batch > 1)
#endif
  for (size_t b = 0; b < l->batch; b++)
    (l->precision == PFFT3D_DOUBLE ? fftw_line : fftwf_line)(plan, l, b);
}
#else
void *fftw_lines_make(const lines *l, pfft3d_error *e) {
  (void)l;
  app_note(e, PFFT3D_ERR_UNAVAILABLE, "fftw: this build has none");
  return NULL;
}

void fftw_lines_free(void *plan, pfft3d_precision precision) {
  (void)plan, (void)precision;
}

void fftw_lines_run(const void *plan, const lines *l, int threads) {
  (void)plan, (void)l, (void)threads;
}
#endif
