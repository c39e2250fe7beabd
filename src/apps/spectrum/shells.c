/* SPDX-License-Identifier: BSD-3-Clause
 * Shells.  All modes count, also in the corners of the cube of wavenumbers: the sum of power times
 * modes over all shells is the volume times the variance of the field (Parseval).  In half a
 * spectrum, modes with a mirror image that is not stored count twice.
 *
 * Assignment of particles to a grid damps mode k by prod sinc(k_a h_a / 2)^p (Hockney and Eastwood,
 * Computer Simulation Using Particles, 5-3-3). */
#include "apps/spectrum/shells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

static const double pi = 3.14159265358979323846;
enum { MOST_SHELLS = 1 << 22, PER_DECADE = 10 };

/* ---- shells of modes ---- */

static int shell_of(const shells *s, double waves2) {
  if (waves2 == 0) return 0;
  if (!s->logarithmic) return (int)(sqrt(waves2) + 0.5);
  return 1 + (int)(0.5 * PER_DECADE * log10(waves2) + 1e-9);
}

static void set_axis(const app *a, shells *s, int axis, double unit_length, int window) {
  ptrdiff_t m[3], n = s->problem.n[axis];
  pfft3d_problem_extents(&s->problem, PFFT3D_SPECTRUM, m);
  s->wave[axis] = app_malloc(a, (size_t)m[axis], sizeof(double));
  s->repair[axis] = app_malloc(a, (size_t)m[axis], sizeof(double));
  for (ptrdiff_t k = 0; k < m[axis]; k++) {
    double waves = (double)(2 * k <= n ? k : k - n), half = pi * waves / (double)n;
    double sinc = k == 0 ? 1 : sin(half) / half;
    s->wave[axis][k] = pow(waves * unit_length / s->length[axis], 2);
    s->repair[axis][k] = pow(sinc, -2 * window);
  }
}

int shells_open(const app *a, shells *s, const pfft3d_problem *p, const double length[3], int dims,
                int window, pfft3d_error *e) {
  double longest = 0, most = 0;
  *s = (shells){.problem = *p, .volume = 1, .logarithmic = a->opt.bins == BINS_LOG};
  for (int k = 0; k < 3; k++) {
    s->length[k] = k < 3 - dims ? 1 : length[k];
    s->volume *= s->length[k];
    if (k >= 3 - dims) longest = fmax(longest, s->length[k]);
  }
  s->unit = 2 * pi / longest;
  for (int k = 0; k < 3; k++) {
    set_axis(a, s, k, longest, window);
    most += s->wave[k][p->n[k] / 2];
  }
  if (!isfinite(most))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--length: the ratio of the lengths, squared, is beyond double precision");
  if (!s->logarithmic && !(most < 0.9 * MOST_SHELLS * MOST_SHELLS)) {
    app_hint(e, "--bins log has ten per factor of 10");
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--length: the longest axis is so long that there are "
                    "more than %d shells of one fundamental mode",
                    MOST_SHELLS);
  }
  s->count = shell_of(s, most) + 2;
  s->shell = app_malloc(a, (size_t)s->count, sizeof *s->shell);
  return PFFT3D_OK;
}

void shells_close(shells *s) {
  for (int k = 0; k < 3; k++) {
    free(s->wave[k]);
    free(s->repair[k]);
  }
  free(s->shell);
  memset(s, 0, sizeof *s);
}

/* ---- sums ---- */

/* A row of modes. */
#define ADD_ROW(number, name)                                                                   \
  static void name(shells *s, const number *row, ptrdiff_t stride, ptrdiff_t lo, ptrdiff_t len, \
                   double waves2, double repair) {                                              \
    int half = s->problem.kind == PFFT3D_R2C;                                                   \
    for (ptrdiff_t k = lo; k < lo + len; k++, row += 2 * stride) {                              \
      double weight = half && k && 2 * k != s->problem.n[2] ? 2 : 1;                            \
      long double re = row[0], im = row[1], square = re * re + im * im;                         \
      double all = waves2 + s->wave[2][k];                                                      \
      shell *one = &s->shell[shell_of(s, all)];                                                 \
      if (all > 0) s->energy += weight * square;                                                \
      one->power += weight * square * repair * s->repair[2][k];                                 \
      if (s->fields) continue;                                                                  \
      one->modes += weight;                                                                     \
      one->k += weight * sqrt(all);                                                             \
    }                                                                                           \
  }
ADD_ROW(double, add_doubles)
ADD_ROW(float, add_floats)

void shells_add(shells *s, const pfft3d_box *b, const void *spectrum) {
  int single = s->problem.precision == PFFT3D_SINGLE;
  for (ptrdiff_t i = 0; i < b->len[0]; i++)
    for (ptrdiff_t j = 0; j < b->len[1]; j++) {
      ptrdiff_t at = 2 * (b->offset + i * b->stride[0] + j * b->stride[1]);
      double waves2 = s->wave[0][b->lo[0] + i] + s->wave[1][b->lo[1] + j];
      double repair = s->repair[0][b->lo[0] + i] * s->repair[1][b->lo[1] + j];
      if (single)
        add_floats(s, (const float *)spectrum + at, b->stride[2], b->lo[2], b->len[2], waves2,
                   repair);
      else
        add_doubles(s, (const double *)spectrum + at, b->stride[2], b->lo[2], b->len[2], waves2,
                    repair);
    }
  s->fields++;
}

void shells_collect(const app *a, shells *s) {
  MPI_Allreduce(MPI_IN_PLACE, &s->shell[0].modes, 3 * s->count, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
  MPI_Allreduce(MPI_IN_PLACE, &s->energy, 1, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
}
