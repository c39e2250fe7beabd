/* SPDX-License-Identifier: BSD-3-Clause
 * The contenders: kernels, and for comparison engine simd and FFTW. */
#ifndef PF_APPS_KERNELS_CONTENDER_H
#define PF_APPS_KERNELS_CONTENDER_H

#include "app/common/app.h"
#include "apps/kernels/reference.h"
#include "kernels/kernel.h"

typedef struct contender contender;

/* The operations of a kind of contender. */
typedef struct contender_kind {
  int (*open)(contender *c, const app *a, const lines *l, pfft3d_error *e);
  void (*run)(contender *c, const lines *l);
  void (*close)(contender *c);
} contender_kind;

struct contender {
  const char *name;
  char device[96]; /* "cpu", or the name of a device */
  const contender_kind *kind;
  const pf_kernel *kernel; /* NULL: engine simd or FFTW */
  int threads;
  int is_open;
  /* the plan: one of these */
  pf_kernel_plan plan;
  pfft3d_plan *line;
  void *fftw;
  pfft3d_precision precision;
  /* its results */
  int reps;
  double *seconds, *phase; /* of each repeat; PF_PHASES of each */
  line_errors errors;
};

/** Local. Contender number `index`; returns 0 past the end. */
int contender_at(int index, contender *c);

/** Local. NULL if a contender supports such lines; else a text with the sizes that it supports. */
const char *contender_takes(const contender *c, const lines *l);

/** Local. The expected seconds if the run would take too long; else 0. */
double contender_patience(const contender *c, const lines *l);

/** Local. Makes the plan, none on failure (MEMORY, UNAVAILABLE).  contender_close() frees only the
 * plan. */
int contender_open(contender *c, const app *a, const lines *l, pfft3d_error *e);
void contender_close(contender *c);

/** Local. Transforms the lines; returns the seconds. */
double contender_run(contender *c, const lines *l);

#endif
