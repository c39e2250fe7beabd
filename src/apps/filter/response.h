/* SPDX-License-Identifier: BSD-3-Clause
 * The response of a filter: its factor for each frequency. */
#ifndef PF_APPS_FILTER_RESPONSE_H
#define PF_APPS_FILTER_RESPONSE_H

#include <pfft3d.h>

#include "app/common/app.h"
#include "app/common/options.h"
#include "app/common/vector.h"

typedef struct response {
  const char *name; /* of the option; NULL: none was given */
  char value[96];   /* of the option, as text */
  double sigma;
  double low, high;    /* a band of frequencies, both inclusive */
  int stop;            /* nonzero: the band is removed */
  int orders[3], axes; /* orders of derivatives, as given, and their number */
  int order[3];        /* along each axis */
  int dims;            /* of the field, whose leading axes have one point */
  ptrdiff_t n[3];      /* of the field */
  double length[3];    /* of the field */
  double *factor[3];   /* for each axis, of separable filters; else the square of the frequency */
  double bound[2];     /* on that square */
  int separable, turn; /* turn: nonzero: factors are multiplied by i */
  const vector_op *vector; /* not NULL: an operation on vectors, without factors */
  vector_waves waves;      /* for it */
} response;

/** Local. Reads the one filter that the options name.  Errors: USAGE. */
int response_choose(response *r, const options *o, pfft3d_error *e);

/** Local. Prepares a filter for a field whose `dims`, n and length are set, with tables for the
 * extents m of the spectrum; ends the run if memory for them is missing.  Errors: USAGE. */
int response_prepare(const app *a, response *r, const ptrdiff_t m[3], pfft3d_error *e);
void response_free(response *r);

/** Local. Factors of a filter that is not separable, a pfft3d_factors. */
void response_factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3], double *factor);

#endif
