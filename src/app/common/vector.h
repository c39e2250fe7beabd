/* SPDX-License-Identifier: BSD-3-Clause
 * Operations on vector fields: a function of the components of each mode. */
#ifndef PF_APP_COMMON_VECTOR_H
#define PF_APP_COMMON_VECTOR_H

#include <pfft3d.h>

#include "app/common/app.h"

/* The components of a mode, (re, im) each, and its wave vector, a number for each component. */
typedef void vector_mode(const double *k, int dims, double (*z)[2]);

typedef struct vector_op {
  const char *option, *value; /* value: of the option, NULL: it has none */
  int scalar_in;              /* of a field, not of a vector */
  int scalar_out[2];          /* in two dimensions, in three */
  vector_mode *mode;
} vector_op;

/** Local. The operation that the options name, or NULL; the part of a field without curl. */
const vector_op *vector_find(const options *o);
const vector_op *vector_potential(void);

/* A field's wave vectors: component c points along axis along[c]. */
typedef struct vector_waves {
  int dims, along[3]; /* axes of three, also for fields of two dimensions */
  double *wave[3];    /* 2 pi k/L for each mode of an axis; 0 for half as many cycles as points */
} vector_waves;

/** Local. Prepares tables for a field of n points and @p length; @p m: extents of the spectrum.
 *  Errors: USAGE, of --along. */
int vector_open(const app *a, vector_waves *w, int dims, const ptrdiff_t n[3], const ptrdiff_t m[3],
                const double length[3], pfft3d_error *e);
void vector_close(vector_waves *w);

/** Local. Replaces the spectra of the components, in this rank's box, by those of the result. */
void vector_apply(const vector_op *op, const vector_waves *w, const pfft3d_box *box, int single,
                  void *const array[3]);

#endif
