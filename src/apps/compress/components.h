/* SPDX-License-Identifier: BSD-3-Clause
 * The components of a distributed spectrum, in an order that contains each of them once.
 *
 * The spectrum of a real field has F[-k] = conj F[k]: such a pair counts as two components of one
 * size, and its index is the smaller of both global indices, (k0 n1 + k1) n2 + k2 with k of the
 * full spectrum.  Components are ordered from the largest to the smallest; equal ones by their
 * index. */
#ifndef PF_APPS_COMPRESS_COMPONENTS_H
#define PF_APPS_COMPRESS_COMPONENTS_H

#include <pfft3d_tune.h>
#include <stdint.h>

typedef struct component {
  uint64_t index;
  double value[2];
} component;

/* Key of the order: smaller keys come first. */
typedef struct rank_key {
  uint64_t size; /* bits of the square of the modulus, inverted */
  uint64_t index;
} rank_key;

typedef struct components {
  int half, single; /* half: half a spectrum, of a real field; single: floats */
  ptrdiff_t n[3];   /* of the field */
  pfft3d_box box;   /* of this rank's part */
  void *array;
  double scale; /* a power of two by which moduli are multiplied, so that no square overflows */
} components;

/* Components of one row of the spectrum. */
typedef struct component_row {
  component *item; /* memory for the components of a row */
  int *weight;     /* 1, or 2 for a pair */
  ptrdiff_t count;
} component_row;

/** Local. Describes the spectrum of plan @p p on a rank, with scale 1. */
components components_of(const pfft3d_plan *plan, const pfft3d_problem *p, int rank, void *array);

/** Local. Rows of this rank's part; 0 if it is empty. */
ptrdiff_t components_rows(const components *c);

/** Local. Finds the components of row number @p row. */
void components_row(const components *c, ptrdiff_t row, component_row *r);

/** Local. The square of the scaled modulus. */
double component_power(const components *c, const component *x);

/** Local. The key of a component; rank_key_before(): nonzero if x comes before y. */
rank_key component_key(const components *c, const component *x);
int rank_key_before(rank_key x, rank_key y);

/** Local. The stored elements of a component: their indices k, and nonzero in conjugate[] if the
 * element is the conjugate.  Returns their number: 2 for pairs in the planes k2 = 0 and n2/2 of
 * half a spectrum, else 1. */
int components_places(const components *c, uint64_t index, ptrdiff_t k[2][3], int conjugate[2]);

/** Local. Nonzero if a component can have this index: no mirror image has a smaller one. */
int components_valid(const components *c, uint64_t index);

/** Local. Sets element k of this rank's part to the value of a component. */
void components_put(const components *c, const ptrdiff_t k[3], const double value[2],
                    int conjugate);

#endif
