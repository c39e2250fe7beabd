/* SPDX-License-Identifier: BSD-3-Clause
 * Synthetic fields: functions of the global index, so that every rank can compute its part, and
 * compute it again instead of keeping a copy.
 *
 * Every field is defined as complex.  Arrays of a real transform hold its real part in space, and
 * the Hermitian part, (F[k] + conj F[-k])/2, of its spectrum, with -k along axes of kind dft only.
 * These are transforms of each other, so that relations between complex fields hold for their real
 * and Hermitian parts. */
#ifndef PF_APP_CHECK_FIELD_H
#define PF_APP_CHECK_FIELD_H

#include <complex.h>
#include <pfft3d_tune.h>
#include <stdint.h>

/* The contents of an array. */
typedef enum field_form {
  FIELD_COMPLEX,
  FIELD_REAL, /* real numbers: the real part */
  FIELD_HALF  /* complex numbers for indices 0 .. n/2 of one axis: half of the Hermitian part */
} field_form;
typedef struct field_type {
  field_form form;
  pfft3d_precision precision;
  ptrdiff_t n[3]; /* extents of the whole field */
  int half;       /* the axis of FIELD_HALF */
  int ends[3];    /* for axes with real transforms: FIELD_FIRST, FIELD_LAST; FIELD_PAIRS */
} field_type;

/* Points at the ends of an axis that count half in the conserved energy; or all except for the
 * first and the middle one count twice. */
enum { FIELD_FIRST = 1, FIELD_LAST = 2, FIELD_PAIRS = 4 };

typedef enum field_kind {
  FIELD_SEEDED, /* pseudo-random, both parts in (-0.5, 0.5), from (seed, global index) only */
  FIELD_PEAK,   /* 1 at index k, 0 elsewhere */
  FIELD_WAVE    /* exp(sign 2 pi i j.k/n), or for other kinds the transform of a peak at k */
} field_kind;

typedef struct field {
  field_kind kind;
  field_type type;
  ptrdiff_t n[3];    /* extents of the whole field */
  ptrdiff_t k[3];    /* of a peak or wave; seeded fields: a shift, element j is j + k mod n */
  ptrdiff_t span[3]; /* bounds of k of the fields of a batch */
  int sign;          /* of a wave */
  pfft3d_axis_kind axis[3]; /* of a wave; dft: spectra are mirrored */
  uint64_t seed[2];         /* seed[1] != 0: times[0] * one seeded field + times[1] * the other */
  double complex times[2];  /* a peak or wave is multiplied by times[0] */
} field;

/* Sums over all elements of an array; for half a spectrum, over the whole spectrum. */
typedef struct field_sums {
  long double difference; /* |array * scale - field|^2 */
  long double energy;     /* |field|^2 */
  long double largest;    /* largest |array * scale - field| */
} field_sums;

/* The elements of a field that an array holds, and their addresses. */
typedef struct field_place {
  pfft3d_box box;
  const pfft3d_plan *line; /* NULL, or: the plan gives the indices of the box's elements, whose
                              number alone is used */
  pfft3d_side side;        /* side of this plan, and the rank of the array */
  int rank;
  const pfft3d_problem *cut; /* NULL, or: the array holds the spectrum of this problem, with kept
                                modes only; other indices refer to the whole spectrum */
  int paired; /* for half of such a spectrum: rows whose mirror image is dropped are 0 */
} field_place;

/** Local. The index in the whole spectrum of kept mode i along an axis; and back, -1 if the mode is
 *  dropped. */
ptrdiff_t field_mode(const pfft3d_problem *p, int axis, ptrdiff_t i);
ptrdiff_t field_kept(const pfft3d_problem *p, int axis, ptrdiff_t mode);

/** Local. The axis along which the spectrum of a problem is half of one: the last one with a dft,
 *  for real fields; -1: it is whole. */
static inline int field_half_axis(const pfft3d_problem *p) {
  int axis = 2;
  if (pfft3d_element_bytes(p, PFFT3D_SPECTRUM) == pfft3d_element_bytes(p, PFFT3D_SPACE)) return -1;
  while (p->axis[axis] != PFFT3D_DFT) axis--;
  return axis;
}

/** Local. The contents of the arrays of a side. */
field_type field_type_of(const pfft3d_problem *p, pfft3d_side side);

/** Local. Element `at` of an array, counted in its own elements.  All computations are in double
 *  precision at least, whatever the type of the arrays. */
double complex field_get(field_type type, const void *array, ptrdiff_t at);

/** Local. The seeded field of this seed, of a problem's extents, for arrays of a side. */
field field_seeded(const pfft3d_problem *p, pfft3d_side side, uint64_t seed);

/** Local. Field @p number of a batch whose first one is @p f: of the same kind with other data. */
field field_of_batch(const field *f, ptrdiff_t number);

/** Local. The elements of field @p number of a batch; the functions below take a single field. */
field_place field_place_of(const field_place *place, ptrdiff_t number);

/** Local. The offset of the element of index @p k in the array; -1 if it is on another rank. */
ptrdiff_t field_find(const field_place *place, const ptrdiff_t k[3]);

/** Local. Writes the field to this rank's array with the elements @p place; `array` may be NULL if
 * it is empty.  Returns 0, or 1 if there was no memory for a table. */
int field_fill(const field *f, const field_place *place, void *array);

/** Local. Compares this rank's array, times @p scale, with the field; sums over this rank only.
 *  Returns 0, or 1 if there was no memory for a table. */
int field_compare(const field *f, const field_place *place, const void *array, double scale,
                  field_sums *sums);

/** Local. |array|^2 over this rank's elements, as a transform conserves it; half a spectrum
 *  contributes as part of the whole. */
long double field_energy(field_type type, const field_place *place, const void *array);

/* Direct sums sum_j f[j] exp(sign 2 pi i j.k/n), or of other kinds, for `count` indices k, and sum
 * |f[j]|^2. */
typedef struct field_dft_sums {
  int sign, count;
  const pfft3d_axis_kind *axis;
  const ptrdiff_t (*k)[3];
  long double complex *sum; /* `count` of them */
  long double energy;
} field_dft_sums;

/** Local. This rank's part of the sums, over the elements of @p place.  For half a spectrum the
 *  sums are over the whole: elements that represent two count twice, and the sums are real.
 *  Returns 0, or 1 if there was no memory for a table. */
int field_dft(const field *f, const field_place *place, field_dft_sums *sums);

#endif
