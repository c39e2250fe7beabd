/* SPDX-License-Identifier: BSD-3-Clause
 * A plan under test against the oracle.  Arrays are filled with bytes 0xFF, which are NaN in both
 * precisions, before the elements of the input are written: reads around and between them change
 * the result, and writes there are detected. */
#ifndef PF_TESTS_TRIAL_H
#define PF_TESTS_TRIAL_H

#include "oracle.h"

/* Arrays of a transform: two of the caller or of the library, or one. */
typedef enum trial_how { APART, IN_PLACE, LIBRARY, LIBRARY_IN_PLACE, HOWS } trial_how;
extern const char *const trial_hows[HOWS];

typedef struct trial {
  MPI_Comm comm;
  const pfft3d_request *request;
  const oracle *o;
  pfft3d_plan *plan;
  pfft3d_box box[2];
  int rank, ranks;
  double *multiplier[3]; /* for backward transforms, whose inputs are divided by it; NULL: none */
  int ran[2];            /* by direction: nonzero after a run; bits: trial_bits() of the first */
  uint64_t bits[2];
} trial;

/* An array with guards, and a map of its bytes: 1 for elements. */
typedef struct guarded {
  unsigned char *base, *at, *map;
  size_t bytes; /* bytes including guards */
  void *owned;  /* array owned by the library */
} guarded;

/* Collective on comm. The plan of a trial; its boxes are compared with the expected ones, unless
 * the request leaves the cut open. */
trial trial_make(MPI_Comm comm, const pfft3d_request *r, const oracle *o);

/* Local. From now on backward transforms have a multiplier: powers of two, which cause no rounding,
 * so that the expected results are the same. */
void trial_weigh(trial *t);

/* Collective. One transform, with the multiplier if there is one, whose form depends on the sizes,
 * after all memory of the plan was overwritten. */
int trial_execute(const trial *t, int direction, const void *in, void *out);

void trial_free(trial *t);

/* Collective for arrays of the library, else local.  `shift` offsets the caller's arrays by that
 * many numbers, as only their alignment is required. */
guarded guarded_make(const trial *t, trial_how how, size_t bytes, int shift);

void guarded_free(const trial *t, guarded *a);

/* Local. The first byte outside the elements that was written, or -1. */
ptrdiff_t guarded_written(const guarded *a);

/* Collective. One transform of the oracle's input, compared with its output, and in bits with the
 * first run.  With `shift` ranks without elements pass NULL. */
void trial_run(trial *t, int direction, trial_how how, int shift);

/* Local. Nonzero if a request can be planned; only engine simd may refuse, because of its
 * lengths. */
int trial_possible(const pfft3d_request *r, int ranks);

#endif
