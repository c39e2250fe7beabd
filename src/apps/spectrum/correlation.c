/* SPDX-License-Identifier: BSD-3-Clause
 * Correlation functions by a transform back: xi(x) is the sum of P(k)/V exp(ikx) over all modes
 * (Wiener and Khinchin), then averaged over shells of distances as wide as a cell, up to half the
 * shortest side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "apps/spectrum/spectrum.h"

enum { SUM_POINTS, SUM_R, SUM_XI }; /* SUM_XI: a column for each multipole of each pair */

/* Shells of distances. */
typedef struct distances {
  double step[3], width; /* of cells; of shells */
  int count, poles, columns;
  long double *sum; /* `columns` for each shell */
} distances;

static void open_distances(const job *j, distances *d) {
  double shortest = INFINITY;
  for (int k = 0; k < 3; k++) {
    double length = j->m.length[k];
    d->step[k] = length / (double)j->s.n[k];
    if (j->s.n[k] < 2) continue;
    d->width = fmax(d->width, d->step[k]);
    shortest = fmin(shortest, length);
  }
  if (isinf(shortest)) d->width = shortest = 1;
  d->count = (int)(0.5 * shortest / d->width + 1e-9) + 1;
  d->poles = j->m.wish.los >= 0 ? MULTIPOLES : 1;
  d->columns = SUM_XI + d->poles * j->tally[0].pairs;
  d->sum = app_malloc(j->a, (size_t)d->count * (size_t)d->columns, sizeof(long double));
}

/* The square of the distance of point i along an axis. */
static double distance2(const job *j, const distances *d, int axis, ptrdiff_t i) {
  ptrdiff_t n = j->s.n[axis];
  double steps = (double)(2 * i <= n ? i : i - n);
  return steps * steps * d->step[axis] * d->step[axis];
}

/* Adds the correlation function of a pair in the array `second`; `again`: the distances have been
 * counted. */
static void add_points(const job *j, distances *d, int pair, int again) {
  int single = j->r.problem.precision == PFFT3D_SINGLE, los = j->m.wish.los;
  int parts = j->s.numbers == PFFT3D_REAL ? 1 : 2;
  pfft3d_box b;
  double pole[MULTIPOLES];
  pfft3d_plan_box(j->r.plan, PFFT3D_SPACE, j->a->rank, &b);
  for (ptrdiff_t i = 0; i < b.len[0] * b.len[1] * b.len[2]; i++) {
    const ptrdiff_t at[3] = {i / b.len[2] / b.len[1], i / b.len[2] % b.len[1], i % b.len[2]};
    ptrdiff_t place = b.offset;
    double r2 = 0, along2 = 0;
    for (int k = 0; k < 3; k++) {
      double one = distance2(j, d, k, b.lo[k] + at[k]);
      place += at[k] * b.stride[k];
      r2 += one;
      if (k == los) along2 = one;
    }
    double r = sqrt(r2) / d->width;
    if (!(r < d->count - 0.5)) continue;
    long double *sum = &d->sum[(int)(r + 0.5) * d->columns];
    double value = number_get(j->second, single, parts * place);
    modes_legendre(r2 > 0 ? along2 / r2 : 0, pole);
    for (int l = 1; l < d->poles && !(r2 > 0); l++) pole[l] = 0; /* no direction */
    if (!again) sum[SUM_POINTS]++, sum[SUM_R] += r;
    for (int l = 0; l < d->poles; l++) sum[SUM_XI + d->poles * pair + l] += value * pole[l];
  }
}

/* Collective. Transforms the product of two fields back: of a vector the sum of all components. */
static void transform_pair(job *j, distances *d, int f, int g) {
  app *a = j->a;
  const sample *one = &j->s.sample[f];
  int parts = j->fields == 1 && one->components > 1 ? one->components : 1;
  double points = (double)pfft3d_problem_points(&j->r.problem);
  double noise = f == g ? spectrum_subtracted(j, f) / samples_volume(&j->s) * points * points : 0;
  pfft3d_box b;
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, a->rank, &b);
  for (int c = 0; c < parts; c++) {
    mode_product p = {.array = {j->array[f + c], j->array[g + c]},
                      .plain = {j->spectra.plain[f], j->spectra.plain[g]},
                      .factor = 1 / points,
                      .noise = noise};
    modes_product(&j->m, &b, &p, j->second);
    run_execute(a, &j->r, PFFT3D_BACKWARD, j->second, j->second);
    add_points(j, d, modes_pair(j->fields, f, g), g > 0 || c > 0);
  }
}

static void put(json_t *columns, json_t *row, int first, json_t *value, const char *name) {
  json_array_append_new(row, value);
  if (first) json_array_append_new(columns, json_string(name));
}

/* Puts the averages of a pair over a shell, in all multipoles. */
static void put_pair(const job *j, const distances *d, const long double *sum, int f, int g,
                     json_t *columns, json_t *row, int first) {
  char end[COLUMN_END], name[COLUMN_END + 4];
  for (int l = 0; l < d->poles; l++) {
    int column = SUM_XI + d->poles * modes_pair(j->fields, f, g) + l;
    snprintf(name, sizeof name, "xi%s", spectrum_ending(f, g, l, end));
    put(columns, row, first, report_real((double)(sum[column] / sum[SUM_POINTS])), name);
  }
}

static json_t *make_table(const job *j, const distances *d) {
  json_t *list = json_array(), *columns = json_array();
  for (int i = 0; i < d->count; i++) {
    const long double *sum = &d->sum[i * d->columns];
    if (!(sum[SUM_POINTS] > 0)) continue;
    int first = !json_array_size(list);
    json_t *row = json_array();
    double r = (double)(sum[SUM_R] / sum[SUM_POINTS] * d->width);
    put(columns, row, first, json_real(r), "r_mean");
    for (int f = 0; f < j->fields; f++) {
      put_pair(j, d, sum, f, f, columns, row, first);
      for (int g = 0; g < f; g++) put_pair(j, d, sum, g, f, columns, row, first);
    }
    put(columns, row, first, report_count((double)sum[SUM_POINTS]), "points");
    json_array_append_new(list, row);
  }
  return json_pack("{s:o,s:o}", "columns", columns, "rows", list);
}

int spectrum_correlate(job *j) {
  distances d = {.width = 0};
  open_distances(j, &d);
  watch_kick("transforming back");
  app_progress(j->a, "transforming back");
  for (int f = 0; f < j->fields; f++)
    for (int g = f; g < j->fields; g++) transform_pair(j, &d, f, g);
  MPI_Allreduce(MPI_IN_PLACE, d.sum, d.count * d.columns, MPI_LONG_DOUBLE, MPI_SUM, j->a->comm);
  json_object_set_new(j->tables, "correlation", make_table(j, &d));
  free(d.sum);
  return j->a->error.status;
}
