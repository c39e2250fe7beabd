/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of a plan's results against sums and formulas that need no FFT. Errors are relative, in
 * the L2 norm. */
#ifndef PF_APP_CHECK_CHECK_H
#define PF_APP_CHECK_CHECK_H

#include <jansson.h>

#include "app/check/field.h"
#include "app/run/run.h"

/* The object of a check: one direction of any transform, from `in` to `out` (the same array: in
 * place). */
typedef struct check_target check_target;
struct check_target {
  const app *a;
  const pfft3d_problem *problem;
  /* Collective. Transforms the whole batch between in and out, in either direction. */
  void (*execute)(const check_target *t, pfft3d_direction d, const void *in, void *out);
  const void *with;        /* for execute() */
  const pfft3d_plan *line; /* NULL, or the plan that gives the indices of a line's elements */
  pfft3d_precision wire;   /* of data between ranks */
  pfft3d_direction direction;
  pfft3d_side in_side, out_side;
  int sign;                    /* sign of the exponent: -1 forward, +1 backward */
  double scale, round;         /* factors of this direction, and of both together */
  double elements;             /* N of one field: the factor of a round trip */
  pfft3d_axis_kind axis[2][3]; /* kinds in this direction, and in the opposite one */
  ptrdiff_t n[3], out_n[3];    /* of the field; of the output, which may be half a spectrum */
  ptrdiff_t span[3];         /* indices below are in the field, and they and their mirror images are
                                kept in the spectrum */
  const pfft3d_problem *cut; /* the problem, if its spectrum has dropped modes; else NULL */
  ptrdiff_t batch;
  pfft3d_precision precision; /* of the arrays */
  field_type in_type, out_type;
  void *in, *out;
  void *const *apart[2]; /* by side: NULL, or the fields of the batch, each an array for its box */
  pfft3d_box in_box, out_box;
};

/* Some outputs of the transform of the seeded fields by direct summation, and the energy of the
 * fields. They depend on problem, seed and direction only: computed once, used for all plans. */
enum { CHECK_SAMPLES_MAX = 17 };
typedef struct check_known {
  long double complex value[CHECK_SAMPLES_MAX];
  long double energy;
} check_known;
typedef struct check_reference {
  int count;
  ptrdiff_t k[CHECK_SAMPLES_MAX][3];
  check_known *known; /* one for each field of the batch; NULL: not prepared */
  field f;            /* the first field of the batch */
} check_reference;

typedef struct check_value {
  const char *name;
  double error; /* CHECK_NOTHING: not applicable */
} check_value;

/* The error of checks that do not apply with dropped modes: forward transforms then do not conserve
 * energy and cannot be inverted; waves and shifts are no inputs of backward ones. */
enum { CHECK_NOTHING = -1 };

/** Local. The target for unscaled transforms of a problem between two boxes, by side.  The caller
 *  sets `in` and `out` (or `apart`), `execute`, `with`, and `line`. */
check_target check_aim_at(const app *a, const pfft3d_problem *p, pfft3d_direction d,
                          const pfft3d_box box[2]);

/** Local. The target for transforms of a run from in to out. */
check_target check_aim(const app *a, const run *r, pfft3d_direction d, void *in, void *out);

/** Local. The limit on errors of a correct transform, with this precision of data between ranks. */
double check_limit(const pfft3d_problem *p, pfft3d_precision wire);

/** Collective. Sums `count` numbers over all ranks. */
void check_sum(const app *a, long double *v, int count);

/** Local. *worst becomes the larger of both; NaN wins. */
void check_worse(double *worst, double error);

/** Collective. The largest relative error of `count` pairs, each this rank's part of the square
 *  of an error and of the square of its reference; NaN wins. Overwrites the pairs. */
double check_worst(const app *a, long double (*pair)[2], ptrdiff_t count);

/** Local. This rank's part of sum |.|^2 over all fields of the input and the output; half a
 *  spectrum contributes as part of the whole spectrum. */
long double check_energy_in(const check_target *t);
long double check_energy_out(const check_target *t);

/** Local. Fills the input with the batch whose first field is @p f. */
void check_fill(const check_target *t, const field *f);

/** Collective. check_fill(), then the transform. */
void check_transform(const check_target *t, const field *f);

/** Collective. Direct sums at index 0 and `samples` more that follow from the seed (at most
 *  CHECK_SAMPLES_MAX - 1), of every field of the batch. */
void check_prepare(const check_target *t, int samples, check_reference *ref);

/** Local. Frees the memory of check_prepare(); *ref may be all zero. */
void check_forget(check_reference *ref);

/** Collective. Transforms the seeded fields and checks their energy (Parseval) and the sampled
 *  outputs. The result remains in t->out. */
void check_seeded(const check_target *t, const check_reference *ref, double *parseval,
                  double *sampled);

/** Collective. After check_seeded(): transforms back and compares with the seeded fields. *largest,
 *  which may be NULL, returns the largest error of an element. */
double check_roundtrip(const check_target *t, const check_reference *ref, double *largest);

/** Collective. Plane waves, the first of index k, must become a peak of height N each; real waves
 *  two peaks of height N/2; half a spectrum holds those in its half. */
double check_wave(const check_target *t, const ptrdiff_t k[3]);

/** Collective. Peaks, the first at j, must become plane waves. */
double check_impulse(const check_target *t, const ptrdiff_t j[3]);

/** Local. A pseudo-random index from seed and number. */
void check_index(const ptrdiff_t n[3], uint64_t seed, int number, ptrdiff_t k[3]);

/** Local. The "check" object: every error by name, "limit", "pass". A failure (also NaN) is
 *  recorded in a->error, with `what` in its text. */
json_t *check_report(app *a, const check_value *v, int count, double limit, const char *what);

/* Sums of squares before and after a transform. */
typedef struct check_energy {
  long double in, ignored, out; /* ignored: a part of the input */
  long double factor;           /* by which the transform multiplies the sum */
  double points;                /* number of elements of the input */
  int single;                   /* nonzero: numbers, or those between ranks, in single precision */
} check_energy;

/** Local. check_report() of the conservation of energy (Parseval).  Values below the smallest
 *  normal number have fewer digits: the limit is larger by that much, and a warning says so. */
json_t *check_conserved(app *a, const check_energy *e, double limit, const char *what);

#endif
