/* SPDX-License-Identifier: BSD-3-Clause
 * References that owe nothing to the library: whole small fields of every kind with their
 * transforms in long double, the layouts as the public header describes them, and copies between
 * whole fields and the boxes of ranks.  Every rank has all of it. */
#ifndef PF_TESTS_ORACLE_H
#define PF_TESTS_ORACLE_H

#include "reference.h"

/* A problem with its data.  Whole arrays are in C order of the natural index, field behind field;
 * a direction starts from the side of its own number. */
typedef struct oracle {
  pfft3d_problem problem;
  ptrdiff_t n[2][3];               /* extents of a side */
  ptrdiff_t elements[2];           /* of one field */
  int parts[2];                    /* numbers in an element: 1 real, 2 complex */
  ptrdiff_t fields;                /* of the batch */
  long double *given[2], *want[2]; /* by direction: input, and output before it is scaled */
  double limit;                    /* relative L2 error allowed for each field */
  double less[2];                  /* by direction: of a small result, which is part of a larger one
                                      with its errors, so many times as much */
} oracle;

/* ---- transforms ---- */

/* Local. Completes the spectrum of a real field of which one half is there: F[-k] = conj F[k],
 * where both are given their mean, which is what remains of them in a real field. */
void fill_hermitian(const pfft3d_problem *p, wide *full);

/* Local. The relative L2 error allowed for each field of a problem, where numbers are rounded to
 * `precision` at least once. */
double oracle_limit(const pfft3d_problem *p, pfft3d_precision precision);

/* o->limit, or what the library behind an engine needs. */
double oracle_allowed(const oracle *o, const char *engine);

/* Local. The extents of a problem, without any data. */
void oracle_shape(oracle *o, const pfft3d_problem *p);

/* Local. Makes the data of a problem from a seed: other numbers in every field, rounded to the
 * problem's precision.  Half spectra are arbitrary: what cannot be in a real field is in them. */
void oracle_make(oracle *o, const pfft3d_problem *p, uint64_t seed);

void oracle_free(oracle *o);

/* ---- numbers in arrays ---- */

/* Local. Bytes of a real number, and of an element of a side. */
size_t number_bytes(const oracle *o);
size_t element_bytes(const oracle *o, int side);

/* Every element of a box of all fields: g its index in the whole arrays, `at` its place, both in
 * elements. */
#define FOR_ELEMENTS(box, n, fields, g, at)                                                        \
  for (ptrdiff_t b_ = 0; b_ < (fields); b_++)                                                      \
    for (ptrdiff_t i0_ = 0; i0_ < (box)->len[0]; i0_++)                                            \
      for (ptrdiff_t i1_ = 0; i1_ < (box)->len[1]; i1_++)                                          \
        for (ptrdiff_t                                                                             \
                 i2_ = 0,                                                                          \
                 g = ((b_ * (n)[0] + i0_ + (box)->lo[0]) * (n)[1] + i1_ + (box)->lo[1]) * (n)[2] + \
                     (box)->lo[2],                                                                 \
                 at = (box)->offset + b_ * (box)->distance + i0_ * (box)->stride[0] +              \
                      i1_ * (box)->stride[1];                                                      \
             i2_ < (box)->len[2]; i2_++, g++, at += (box)->stride[2])

/* Local. Puts the part of whole fields that a box holds to its places in an array. */
void place_box(const oracle *o, int side, const pfft3d_box *box, const long double *fields,
               void *array);

/* Local. One number of an array. */
double number_at(const oracle *o, const void *array, ptrdiff_t i);

/* Local. Marks the bytes of an array that belong to elements of a box. */
void mark_box(const oracle *o, int side, const pfft3d_box *box, unsigned char *map);

/* Local. Bytes from the start of an array to the end of the last element of a box. */
size_t box_reach(const oracle *o, int side, const pfft3d_box *box);

/* Collective on comm. The largest of the relative L2 errors of all fields against scale * want;
 * NaN anywhere gives NaN. */
double fields_error(MPI_Comm comm, const oracle *o, int side, const pfft3d_box *box,
                    const void *array, const long double *want, double scale);

/* ---- layouts ---- */

/* A way to cut a field. */
typedef struct cut {
  const char *scheme;
  int grid[2];
} cut;
enum { CUTS = 16 };

/* Local. Slabs, pencils on every grid that takes all ranks, and one that leaves some idle; returns
 * how many. */
int list_cuts(int ranks, cut list[CUTS]);

/* Local. A request for a problem, a cut and the rest. */
pfft3d_request cut_request(const pfft3d_problem *p, const cut *c, const char *algo,
                           const char *engine, int order);

/* Local. Part `part` of n indices cut into `parts`: the first n mod parts hold one more. */
void cut_axis(ptrdiff_t n, int parts, int part, ptrdiff_t *lo, ptrdiff_t *len);

/* Local. The same by what a request says of an axis: a list, or the rule; of `by` = {indices,
 * parts, part}, into an axis of a box. */
void cut_side(const pfft3d_request *r, int side, int axis, const ptrdiff_t by[3], pfft3d_box *box);

/* Local. Cuts an axis of a side into parts that depend on a number; every third list has empty
 * parts in pairs, and the first is often empty. */
void roll_cut_list(pfft3d_request *r, int side, int axis, int parts, uint64_t number);

/* Local. A rule that depends on a number, and lists for all axes that the decomposition of a field
 * cuts, for some of them or for none: for a grid that is left open, none. */
void roll_field_cuts(pfft3d_request *r, int ranks, uint64_t number);

/* Local. The part of a side that a rank holds, and where it lies in one field. */
pfft3d_box expected_field(const oracle *o, const pfft3d_request *r, int ranks, int side, int rank);

/* Local. The box of a rank as the public header describes it, for a request with its grid named.
 * The box that this rank has named comes with its own distance, which may be 0: not set.
 * Slabs are pencils on a grid of one column, or of one row where axis 0 is a single plane. */
pfft3d_box expected_box(const oracle *o, const pfft3d_request *r, int ranks, int side, int rank);

/* Local. Elements of all fields in which two arrays differ. */
ptrdiff_t differences(const oracle *o, int side, const pfft3d_box *box, const char *a,
                      const char *b);

/* Local. Whether a box is the expected one, as far as that says where elements are. */
int same_box(const pfft3d_box *a, const pfft3d_box *b, ptrdiff_t fields);

#endif
