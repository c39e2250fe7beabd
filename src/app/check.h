/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of a plan's numbers that do not trust the plan: against sums and formulas that are known
 * without any FFT.  Errors are relative, in the L2 norm. */
#ifndef PFFT3D_APP_CHECK_H
#define PFFT3D_APP_CHECK_H

#include <jansson.h>

#include "field.h"
#include "run.h"

/* What is checked: one direction of a run, from `in` to `out` (the same array: in place). */
typedef struct check_target {
  const app *a;
  const run *r;
  pfft3d_direction direction;
  int sign;        /* of the exponent: -1 forward, +1 backward */
  double scale;    /* that the plan applies in this direction */
  double elements; /* N */
  ptrdiff_t n[3];
  pfft3d_precision precision; /* of the arrays */
  void *in, *out;
  pfft3d_box in_box, out_box;
} check_target;

/* Some outputs of the transform of the seeded field by direct summation, and its energy.  They
 * depend on grid, seed and direction alone: made once, used for every plan. */
enum { CHECK_SAMPLES_MAX = 17 };
typedef struct check_reference {
  int count;
  ptrdiff_t k[CHECK_SAMPLES_MAX][3];
  long double complex value[CHECK_SAMPLES_MAX];
  long double energy;
  field f;
} check_reference;

typedef struct check_value {
  const char *name;
  double error;
} check_value;

/** Local. The target for transforms from in to out. */
check_target check_aim(const app *a, const run *r, pfft3d_direction d, void *in, void *out);

/** Local. The error that a correct transform stays below. */
double check_limit(const pfft3d_problem *p);

/** Collective. Sums `count` numbers over all ranks. */
void check_sum(const app *a, long double *v, int count);

/** Collective. Direct sums at index 0 and `samples` more that follow from the seed (at most
 *  CHECK_SAMPLES_MAX - 1). */
void check_prepare(const check_target *t, int samples, check_reference *ref);

/** Collective. Transforms the seeded field and looks at its energy (Parseval) and at the sampled
 *  outputs, which stay in t->out. */
void check_seeded(const check_target *t, const check_reference *ref, double *parseval,
                  double *sampled);

/** Collective. After check_seeded(): transforms back and compares with the seeded field. */
double check_roundtrip(const check_target *t, const check_reference *ref);

/** Collective. Transforms the field f and compares with g, whose norm is known. */
double check_pair(const check_target *t, const field *f, const field *g, double norm);

/** Collective. A plane wave of index k becomes one peak of height N. */
double check_wave(const check_target *t, const ptrdiff_t k[3]);

/** Collective. A peak at j becomes a plane wave. */
double check_impulse(const check_target *t, const ptrdiff_t j[3]);

/** Local. An index that follows from seed and number. */
void check_index(const ptrdiff_t n[3], uint64_t seed, int number, ptrdiff_t k[3]);

/** Local. The "check" object: every error by name, "limit", "pass".  A failure is recorded in
 *  a->error, said of `what`; NaN fails. */
json_t *check_report(app *a, const check_value *v, int count, double limit, const char *what);

#endif
