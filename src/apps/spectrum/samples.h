/* SPDX-License-Identifier: BSD-3-Clause
 * What a spectrum is of: fields, vectors and particles in the datasets of --input and --with. */
#ifndef PF_APPS_SPECTRUM_SAMPLES_H
#define PF_APPS_SPECTRUM_SAMPLES_H

#include "app/run/field_run.h"
#include "apps/spectrum/deposit.h"
#include "apps/spectrum/modes.h"

/* A field of `components` datasets, or the density contrast of particles. */
typedef struct sample {
  field_input *first;
  int components; /* 0: particles */
  particles particles;
  deposit d;          /* what has become of them */
  double mean[2];     /* of the first component */
  double seconds;     /* of this rank: contrast, mean and energy */
  long double energy; /* sum of |f|^2, of both grids of particles */
} sample;

typedef struct samples {
  field_input in[2][MOST_FIELDS]; /* of --input and --with */
  int inputs[2];
  sample sample[MOST_FIELDS];
  int count;
  int dims;
  ptrdiff_t n[3];
  double length[3];
  pfft3d_numbers numbers;
} samples;

/** Collective on a->comm. Inspects all datasets, which samples_close() closes, also after an error.
 *  Errors, in a->error: those of field_probe(), DATA, USAGE. */
int samples_probe(app *a, samples *s);
void samples_close(samples *s);

/** Collective on a->comm. Reads component `number` of a sample, or puts its particles on the grid,
 *  into array[0], packed; of particles array[1] gets the grid that is half a cell further unless it
 *  is NULL.  Adds to its energy.  Errors, in a->error: those of field_read() and deposit_run();
 *  DATA for weights with the sum 0. */
int samples_read(app *a, samples *s, sample *one, int number, const run *r, const rows *part,
                 void *const array[2]);

/** Local. V sum w^2 / (sum w)^2 of particles; 0 of fields. */
double samples_noise(const samples *s, const sample *one);

/** Local. The volume V of the box. */
double samples_volume(const samples *s);

#endif
