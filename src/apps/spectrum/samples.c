/* SPDX-License-Identifier: BSD-3-Clause
 * Fields and particles.  Of particles the datasets tell their roles by their shapes: N x 3 are
 * positions, and so are three of N that stand before any other; a dataset of N behind them has
 * weights; one of the shape of the grid is a field on it. */
#include "apps/spectrum/samples.h"

#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/vector_file.h"

/* ---- particles ---- */

static int is_field(const samples *s, const pfft3d_dataset_info *p) {
  return p->dims == s->dims && p->numbers == PFFT3D_REAL && memcmp(p->n, s->n, sizeof s->n) == 0;
}

static int is_positions(const samples *s, const pfft3d_dataset_info *p) {
  return p->dims == 2 && p->n[2] == s->dims && p->numbers == PFFT3D_REAL;
}

static int is_column(const pfft3d_dataset_info *p, ptrdiff_t count) {
  return p->dims == 1 && p->numbers == PFFT3D_REAL && (count < 0 || p->n[2] == count);
}

/* The number of datasets that have the positions of particles, from `in` on; 0: none. */
static int find_positions(const samples *s, const field_input *in, int left, particles *p) {
  int columns = 0;
  p->position = (field_input *)in;
  p->count = in->info.n[1];
  if (is_positions(s, &in->info)) return 1;
  p->count = in->info.n[2];
  while (columns < s->dims && columns < left && is_column(&in[columns].info, p->count)) columns++;
  p->columns = columns == s->dims ? columns : 0;
  return p->columns;
}

static int no_positions(app *a, const samples *s, const pfft3d_dataset_info *p) {
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "'%.100s:%.100s' holds no positions on a grid of %d dimensions: expected real "
                  "numbers, N x %d",
                  p->file, p->path, s->dims, s->dims);
}

/* The samples in the datasets of one option. */
static int find_samples(app *a, samples *s, field_input *in, int left) {
  while (left > 0) {
    sample *one = &s->sample[s->count];
    if (s->count == MOST_FIELDS)
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "more than %d fields", MOST_FIELDS);
    *one = (sample){.first = in};
    int used = find_positions(s, in, left, &one->particles);
    if (!used && is_field(s, &in->info)) used = one->components = 1;
    if (!used) return no_positions(a, s, &in->info);
    in += used, left -= used;
    s->count++;
    if (one->components || !left || is_positions(s, &in->info) || is_field(s, &in->info)) continue;
    const pfft3d_dataset_info *p = &one->first->info, *w = &in->info;
    if (!is_column(w, one->particles.count))
      return app_fail(&a->error, PFFT3D_ERR_DATA,
                      "'%.100s:%.100s' holds no weights of %td particles: expected as many real "
                      "numbers",
                      w->file, w->path, one->particles.columns ? p->n[2] : p->n[1]);
    one->particles.weight = in;
    in++, left--;
  }
  return PFFT3D_OK;
}

/* A particle would be in the same cell several times. */
static int check_grid(app *a, const samples *s) {
  static const char *const names[] = {"", "ngp", "cic", "tsc", "pcs"};
  int order = a->opt.deposit;
  for (int k = 3 - s->dims; k < 3; k++)
    if (s->n[k] < order && order > WINDOW_CIC)
      return app_fail(&a->error, PFFT3D_ERR_USAGE,
                      "--grid: %td cells along an axis are too few for %s, which shares a particle "
                      "among %d",
                      s->n[k], names[order], order);
  return PFFT3D_OK;
}

static int set_grid(app *a, samples *s) {
  memcpy(s->n, a->opt.grid, sizeof s->n);
  s->dims = s->n[0] > 1 ? 3 : s->n[1] > 1 ? 2 : 1;
  s->numbers = PFFT3D_REAL;
  return check_grid(a, s);
}

static int check_particles(app *a, samples *s) {
  for (int k = 0; k < 2; k++) {
    if (find_samples(a, s, s->in[k], s->inputs[k])) return a->error.status;
    for (int i = 0; i < s->inputs[k]; i++)
      if (!is_field(s, &s->in[k][i].info)) s->in[k][i].precision = PFFT3D_DOUBLE;
  }
  return PFFT3D_OK;
}

/* ---- fields ---- */

static int check_fields(app *a, samples *s) {
  const pfft3d_dataset_info *first = &s->in[0][0].info;
  field_input all[2 * MOST_FIELDS];
  int count = 0;
  for (int k = 0; k < 2; k++) {
    memcpy(&all[count], s->in[k], (size_t)s->inputs[k] * sizeof *all);
    count += s->inputs[k];
  }
  memcpy(s->n, first->n, sizeof s->n);
  s->dims = first->dims;
  if (vector_check(a, all, count, &s->numbers)) return a->error.status;
  for (int k = 0; k < 2; k++) {
    int each = a->opt.each ? 1 : s->inputs[k];
    for (int i = 0; i < s->inputs[k]; i += each) {
      if (s->count == MOST_FIELDS)
        return app_fail(&a->error, PFFT3D_ERR_USAGE, "more than %d fields", MOST_FIELDS);
      s->sample[s->count++] = (sample){.first = &s->in[k][i], .components = each};
    }
  }
  for (int i = 0; i < s->count; i++)
    if (s->count > 1 && s->sample[i].components > 1) {
      app_hint(&a->error, "--each takes the datasets of --input as fields of their own");
      return app_fail(&a->error, PFFT3D_ERR_USAGE,
                      "cross spectra are of single fields, not of vectors");
    }
  if (!a->opt.parts || s->sample[0].components == s->dims) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_DATA, "--parts: %d component%s of a field of %d dimensions",
                  s->inputs[0], s->inputs[0] > 1 ? "s" : "", s->dims);
}

int samples_probe(app *a, samples *s) {
  const char *name[2] = {a->opt.input, a->opt.with};
  if (a->opt.deposit && set_grid(a, s)) return a->error.status;
  for (int k = 0; k < 2 && name[k][0]; k++)
    if (vector_probe(a, name[k], 0, s->in[k], MOST_FIELDS, &s->inputs[k])) return a->error.status;
  if (a->opt.deposit ? check_particles(a, s) : check_fields(a, s)) return a->error.status;
  for (int k = 0; k < 3; k++) s->length[k] = 1;
  return a->opt.length[0] ? options_lengths(a->opt.length, s->dims, s->length, &a->error)
                          : PFFT3D_OK;
}

void samples_close(samples *s) {
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < s->inputs[k]; i++) field_close(&s->in[k][i]);
}

/* ---- reading ---- */

double samples_volume(const samples *s) {
  double volume = 1;
  for (int k = 3 - s->dims; k < 3; k++) volume *= s->length[k];
  return volume;
}

double samples_noise(const samples *s, const sample *one) {
  const deposit *d = &one->d;
  return one->components ? 0 : (double)(samples_volume(s) * d->square / d->weight / d->weight);
}

static void warn_of_strangers(const app *a, const sample *one) {
  const deposit *d = &one->d;
  if (d->strangers > 0.01 * (double)one->particles.count)
    app_warn(a, "%.0f of %td particles of '%.100s:%.100s' lie outside the box (--length): %s",
             d->strangers, one->particles.count, one->first->info.file, one->first->info.path,
             d->outside == OUTSIDE_DROP ? "they are left out" : "they are wrapped around");
}

/* Puts particles on one grid or two, and replaces densities by their contrast. */
static int read_particles(app *a, const samples *s, sample *one, const run *r, const rows *part,
                          void *const array[2]) {
  deposit *d = &one->d;
  int single = r->problem.precision == PFFT3D_SINGLE, grids = array[1] ? 2 : 1;
  ptrdiff_t count = rows_points(part);
  *d = (deposit){.dims = s->dims,
                 .order = a->opt.deposit,
                 .fold = (int)a->opt.fold,
                 .outside = a->opt.outside,
                 .box = part->part};
  memcpy(d->n, s->n, sizeof d->n);
  memcpy(d->length, s->length, sizeof d->length);
  for (int g = 0; g < grids; g++) {
    d->density[g] = single ? app_malloc(a, (size_t)count, sizeof(double)) : array[g];
    memset(d->density[g], 0, (size_t)count * sizeof(double));
  }
  app_progress(a, "putting particles on the grid");
  int status = deposit_run(a, d, r->plan, &one->particles);
  if (!status && !(d->weight > 0))
    status =
        app_fail(&a->error, PFFT3D_ERR_DATA, "the weights of the particles sum to %Lg", d->weight);
  double start = MPI_Wtime();
  double mean = (double)(d->weight / (long double)pfft3d_problem_points(&r->problem));
  for (int g = 0; g < grids; g++) {
    for (ptrdiff_t i = 0; i < count && !status; i++)
      number_set(array[g], single, i, d->density[g][i] / mean - 1);
    if (single) free(d->density[g]);
  }
  one->seconds += MPI_Wtime() - start;
  if (!status) warn_of_strangers(a, one);
  return status;
}

/* Collective. Adds to the sum of squares; and, of the first component, sets the mean. */
static void measure(const app *a, const samples *s, sample *one, const run *r, const rows *part,
                    const void *array, int first) {
  int parts = s->numbers == PFFT3D_REAL ? 1 : 2, single = r->problem.precision == PFFT3D_SINGLE;
  ptrdiff_t count = rows_points(part) * parts;
  long double sum[3] = {0};
  for (ptrdiff_t i = 0; i < count; i++) {
    double value = number_get(array, single, i);
    sum[0] += (long double)value * value;
    sum[1 + i % parts] += value;
  }
  check_sum(a, sum, 3);
  one->energy += sum[0];
  for (int k = 0; k < 2 && first; k++)
    one->mean[k] = (double)(sum[1 + k] / (long double)pfft3d_problem_points(&r->problem));
}

int samples_read(app *a, samples *s, sample *one, int number, const run *r, const rows *part,
                 void *const array[2]) {
  int status = one->components
                   ? field_read(a, &one->first[number], s->numbers, &part->part, array[0], NULL)
                   : read_particles(a, s, one, r, part, array);
  if (status) return status;
  double start = MPI_Wtime();
  measure(a, s, one, r, part, array[0], number == 0);
  if (!one->components && array[1]) measure(a, s, one, r, part, array[1], 0);
  one->seconds += MPI_Wtime() - start;
  return PFFT3D_OK;
}
