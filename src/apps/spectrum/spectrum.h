/* SPDX-License-Identifier: BSD-3-Clause
 * A run of command spectrum: what it has read and added up, and the tables that it makes. */
#ifndef PF_APPS_SPECTRUM_SPECTRUM_H
#define PF_APPS_SPECTRUM_SPECTRUM_H

#include <jansson.h>

#include "app/common/vector.h"
#include "app/run/run.h"
#include "apps/spectrum/samples.h"

enum { MOST_TALLIES = 3 };
enum { SPECTRUM_SEND, SPECTRUM_ASSIGN, SPECTRUM_FFT, SPECTRUM_SUM, SPECTRUM_PHASES };

typedef struct job {
  app *a;
  samples s;
  modes m;
  int fields;                /* of the tallies: samples; a vector is one */
  tally tally[MOST_TALLIES]; /* the first one has shells */
  int tallies;
  tally compressive; /* of the part without curl, with --parts */
  spectra spectra;
  run r;
  rows rows;
  void *array[MOST_FIELDS]; /* of the fields that are kept; the first one is the plan's */
  void *second;             /* of the second grid, and of correlations; may be NULL */
  vector_waves waves;
  long double energy, found;       /* sums of squares, before and after the transforms */
  double seconds[SPECTRUM_PHASES]; /* on this rank */
  json_t *check, *table, *tables;
  field_output out;
} job;

/** Local. The power of a pair of fields in a bin, V <F_i conj F_j> / N^2: of multipole 2 * pole. */
long double spectrum_power(const job *j, const tally *t, int bin, int pair, int pole);

/** Local. Energy of a shell of vectors: half its part of the mean square. */
long double spectrum_energy(const job *j, const tally *t, int bin);

/** Local. The power of the shot noise of a field that is subtracted; 0: none is. */
double spectrum_subtracted(const job *j, int field);

/** Local. The end of the name of a column of fields f and g, in multipole 2 * pole: "", "_2",
 * "_12_l2". */
enum { COLUMN_END = 40 };
const char *spectrum_ending(int f, int g, int pole, char text[COLUMN_END]);

/** Local. Makes the table and the other tables: {"columns", "rows"} each. */
void spectrum_tables(job *j);

/** Collective on a->comm. Adds the table of correlation functions; the spectra stay. */
int spectrum_correlate(job *j);

/** Collective on a->comm. Creates --output, if it is given; writes all tables to it.  Errors, in
 *  a->error: those of field_create() and field_write(), USAGE. */
int spectrum_create(job *j);
int spectrum_write(job *j);

/** Local. A number of a table; NaN if it is null. */
double spectrum_cell(const json_t *table, size_t row, size_t column);

/** Local. Prints the report of a run. */
void spectrum_print(const app *a, const json_t *report);

/** Collective on a->comm. Draws the table. */
int spectrum_draw(job *j);

/** Local. The wavenumber up to which the cube of modes is complete, from axes of several points; 0
 *  without such an axis. */
double spectrum_complete(const job *j);

#endif
