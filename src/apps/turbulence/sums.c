/* SPDX-License-Identifier: BSD-3-Clause
 * Sums over modes.  Each index of the axis along which slabs of the spectrum are cut has a sum of
 * its own, and these are added in order: results are the same for every number of slabs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "apps/turbulence/flow.h"

enum { MOST_SUMS = 4, MOST_COMPONENTS = 4 };

/* A mode, with the components of the state. */
typedef struct mode {
  double k[3], k2, weight;
  double u[MOST_COMPONENTS][2];
} mode;

/* MOST_SUMS sums over the modes with least <= |k| <= most. */
typedef struct sums {
  const flow *f;
  double least, most;
  void (*add)(const flow *f, const mode *m, double *sum);
} sums;

static double square(const double z[2]) {
  return z[0] * z[0] + z[1] * z[1];
}

/* In two dimensions |u| is |omega| / |k|. */
static double energy_of(const flow *f, const mode *m) {
  double sum = square(m->u[0]);
  if (f->dims == 2) return m->k2 > 0 ? m->weight * sum / (2 * m->k2) : 0;
  return m->weight * (sum + square(m->u[1]) + square(m->u[2])) / 2;
}

static void read_mode(const flow *f, void *array, const ptrdiff_t i[3], mode *m) {
  m->k2 = 0;
  for (int a = 0; a < 3; a++) {
    m->k[a] = f->wave[a][i[a]];
    m->k2 += m->k[a] * m->k[a];
  }
  m->weight = flow_weight(f->spectrum.lo[2] + i[2]);
  for (int c = 0; c < f->components; c++)
    for (int part = 0; part < 2; part++)
      m->u[c][part] = number_get(flow_mode(f, array, c, i), f->real == sizeof(float), part);
}

/* The axis along which slabs of the spectrum are cut. */
static int cut_axis(const flow *f) {
  return f->dims == 2 ? 2 : 1;
}

/* Adds the modes of this rank to the sums of their indices along the axis of slabs. */
static void add_own(const sums *s, void *array, double *sum) {
  const flow *f = s->f;
  const pfft3d_box *b = &f->spectrum;
  const int cut = cut_axis(f);
  mode m = {.weight = 0};
  for (ptrdiff_t i = 0, x[3]; i < b->len[0] * b->len[1]; i++) {
    x[0] = i / b->len[1], x[1] = i % b->len[1];
    if (fabs(f->wave[0][x[0]]) > s->most || fabs(f->wave[1][x[1]]) > s->most) continue;
    for (x[2] = 0; x[2] < b->len[2] && f->wave[2][x[2]] <= s->most; x[2]++) {
      read_mode(f, array, x, &m);
      if (m.k2 < s->least * s->least || m.k2 > s->most * s->most) continue;
      s->add(f, &m, sum + MOST_SUMS * (b->lo[cut] + x[cut]));
    }
  }
}

static void add_up(const sums *s, void *array, double total[MOST_SUMS]) {
  const ptrdiff_t count = MOST_SUMS * s->f->extent[cut_axis(s->f)];
  double *sum = app_malloc(s->f->a, (size_t)count, sizeof *sum);
  add_own(s, array, sum);
  MPI_Allreduce(MPI_IN_PLACE, sum, (int)count, MPI_DOUBLE, MPI_SUM, s->f->a->comm);
  memset(total, 0, MOST_SUMS * sizeof *total);
  for (ptrdiff_t i = 0; i < count; i++) total[i % MOST_SUMS] += sum[i];
  free(sum);
}

/* ---- the sums ---- */

static void add_energy(const flow *f, const mode *m, double *sum) {
  sum[0] += energy_of(f, m);
}

double flow_band(const flow *f, void *array, double least, double most) {
  const sums s = {.f = f, .least = least, .most = most, .add = add_energy};
  double total[MOST_SUMS];
  add_up(&s, array, total);
  return total[0];
}

/* u along x, of the vorticity in two dimensions. */
static void velocity_of(const flow *f, const mode *m, double u[2]) {
  const double ky = f->dims == 2 && m->k2 > 0 ? m->k[2] / m->k2 : 0;
  u[0] = f->dims == 2 ? -ky * m->u[0][1] : m->u[0][0];
  u[1] = f->dims == 2 ? ky * m->u[0][0] : m->u[0][1];
}

static void add_all(const flow *f, const mode *m, double *sum) {
  if (m->k2 > 0) sum[0] += energy_of(f, m) / sqrt(m->k2);
  if (!f->terms.scalar.present) return;
  const double *c = m->u[f->components - 1];
  double u[2];
  velocity_of(f, m, u);
  sum[1] += m->weight * square(c);
  sum[2] += m->weight * m->k2 * square(c);
  sum[3] += m->weight * (u[0] * c[0] + u[1] * c[1]);
}

flow_sums flow_add(const flow *f) {
  const sums s = {.f = f, .most = HUGE_VAL, .add = add_all};
  double total[MOST_SUMS];
  add_up(&s, f->fields.u, total);
  return (flow_sums){.over_k = total[0],
                     .variance = total[1],
                     .dissipation = 2 * f->terms.nu / f->terms.scalar.schmidt * total[2],
                     .flux = total[3]};
}

/* ---- spectrum ---- */

int flow_shells(const flow *f) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (double)f->kept[k] * (double)f->kept[k];
  return (int)lround(sqrt(sum)) + 1;
}

double *flow_spectrum(const flow *f) {
  int shells = flow_shells(f);
  double *energy = app_malloc(f->a, (size_t)shells, sizeof *energy);
  const ptrdiff_t *len = f->spectrum.len;
  mode m = {.weight = 0};
  for (ptrdiff_t i = 0; i < len[0] * len[1] * len[2]; i++) {
    const ptrdiff_t x[3] = {i / (len[1] * len[2]), i / len[2] % len[1], i % len[2]};
    read_mode(f, f->fields.u, x, &m);
    energy[lround(sqrt(m.k2))] += energy_of(f, &m);
  }
  MPI_Allreduce(MPI_IN_PLACE, energy, shells, MPI_DOUBLE, MPI_SUM, f->a->comm);
  return energy;
}
