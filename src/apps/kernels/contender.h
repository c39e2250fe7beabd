/* SPDX-License-Identifier: BSD-3-Clause
 * What takes part: kernels, and for comparison engine simd and FFTW. */
#ifndef PF_APPS_KERNELS_CONTENDER_H
#define PF_APPS_KERNELS_CONTENDER_H

#include "app/common/app.h"
#include "apps/kernels/reference.h"
#include "kernels/kernel.h"

typedef struct contender contender;

/* How a kind of contender is planned, run and freed. */
typedef struct contender_kind {
  int (*open)(contender *c, const app *a, const lines *l, pfft3d_error *e);
  void (*run)(contender *c, const lines *l);
  void (*close)(contender *c);
} contender_kind;

struct contender {
  const char *name;
  char device[96]; /* where it runs: "cpu", or the name of a device */
  const contender_kind *kind;
  const pf_kernel *kernel; /* NULL: none of ours */
  int threads;
  int is_open;
  /* its plan: one of these */
  pf_kernel_plan plan;
  pfft3d_plan *line;
  void *fftw;
  pfft3d_precision precision;
  /* its results */
  int reps;
  double *seconds, *phase; /* of each repeat; PF_PHASES of each */
  line_errors errors;
};

/** Local. Number `index` of all that there are; returns 0 past the end. */
int contender_at(int index, contender *c);

/** Local. NULL if it can transform such lines; else which ones it takes, in words. */
const char *contender_takes(const contender *c, const lines *l);

/** Local. About how many seconds it takes where that is too long to wait; else 0. */
double contender_patience(const contender *c, const lines *l);

/** Local. Plans; on failure (MEMORY, UNAVAILABLE) nothing is left.  contender_close() frees the
 *  plan, and nothing else. */
int contender_open(contender *c, const app *a, const lines *l, pfft3d_error *e);
void contender_close(contender *c);

/** Local. Transforms the lines; returns the seconds. */
double contender_run(contender *c, const lines *l);

#endif
