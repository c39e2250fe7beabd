/* SPDX-License-Identifier: BSD-3-Clause
 * References independent of the library: whole small fields of every kind with their transforms in
 * long double, the layouts by the public header, and copies between whole fields and the boxes of
 * ranks.  Every rank has all of it. */
#ifndef PF_TESTS_ORACLE_H
#define PF_TESTS_ORACLE_H

#include "reference.h"

/* A problem with its data.  Whole arrays are in C order of the natural index, one field after
 * another; a direction starts from the side of the same number. */
typedef struct oracle {
  pfft3d_problem problem;
  ptrdiff_t n[2][3];               /* extents of a side */
  ptrdiff_t elements[2];           /* of one field */
  int parts[2];                    /* numbers in an element: 1 real, 2 complex */
  ptrdiff_t fields;                /* fields of the batch */
  long double *given[2], *want[2]; /* by direction: input, and output before scaling */
  double limit;                    /* relative L2 error allowed for each field */
  double less[2];                  /* by direction: factor by which the allowed error of a small
                                      result grows if it is part of a larger one */
} oracle;

/* ---- transforms ---- */

/* Local. Completes the spectrum of a real field from one half: F[-k] = conj F[k]; if both are
 * given, they become their mean, the part that a real field has. */
void fill_hermitian(const pfft3d_problem *p, wide *full);

/* Local. The relative L2 error allowed for each field of a problem if numbers are rounded to
 * `precision` at least once. */
double oracle_limit(const pfft3d_problem *p, pfft3d_precision precision);

/* o->limit, or the limit for the library of an engine. */
double oracle_allowed(const oracle *o, const char *engine);

/* Local. The extents of a problem, without any data. */
void oracle_shape(oracle *o, const pfft3d_problem *p);

/* Collective on comm. Computes the data of a problem from a seed: different numbers in every field,
 * rounded to the problem's precision.  Half spectra are arbitrary, and contain parts that no real
 * field has.  Each transform is computed by one rank, in turn, for all. */
void oracle_make(MPI_Comm comm, oracle *o, const pfft3d_problem *p, uint64_t seed);

void oracle_free(oracle *o);

/* ---- numbers in arrays ---- */

/* Local. Bytes of a real number, and of an element of a side. */
size_t number_bytes(const oracle *o);
size_t element_bytes(const oracle *o, int side);

/* Every element of a box of all fields: g its index in the whole arrays, `at` its offset in the
 * array, in elements. */
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

/* Local. Copies the part of whole fields that is in a box to an array. */
void place_box(const oracle *o, int side, const pfft3d_box *box, const long double *fields,
               void *array);

/* Local. One number of an array. */
double number_at(const oracle *o, const void *array, ptrdiff_t i);

/* Local. Marks the bytes of an array that belong to elements of a box. */
void mark_box(const oracle *o, int side, const pfft3d_box *box, unsigned char *map);

/* Local. Bytes from the start of an array to the end of the last element of a box. */
size_t box_reach(const oracle *o, int side, const pfft3d_box *box);

/* Collective on comm. The maximum of the relative L2 errors of all fields against scale * want; any
 * NaN gives NaN. */
double fields_error(MPI_Comm comm, const oracle *o, int side, const pfft3d_box *box,
                    const void *array, const long double *want, double scale);

/* ---- layouts ---- */

/* A way to cut a field. */
typedef struct cut {
  const char *scheme;
  int grid[2];
} cut;
enum { CUTS = 16 };

/* Local. Slabs, pencils on every grid of all ranks, and one with idle ranks; returns their
 * number. */
int list_cuts(int ranks, cut list[CUTS]);

/* Local. A request for a problem, a cut and other settings. */
pfft3d_request cut_request(const pfft3d_problem *p, const cut *c, const char *algo,
                           const char *engine, int order);

/* Local. Part `part` of n indices cut into `parts`: the first n mod parts hold one more. */
void cut_axis(ptrdiff_t n, int parts, int part, ptrdiff_t *lo, ptrdiff_t *len);

/* Local. As cut_axis(), by a request's list or rule for an axis; of `by` = {indices, parts, part},
 * into an axis of a box. */
void cut_side(const pfft3d_request *r, int side, int axis, const ptrdiff_t by[3], pfft3d_box *box);

/* Local. Cuts an axis of a side into parts that depend on a number; every third list has empty
 * parts in pairs, and the first is often empty. */
void roll_cut_list(pfft3d_request *r, int side, int axis, int parts, uint64_t number);

/* Local. A rule that depends on a number, and lists for all axes that the decomposition of a field
 * cuts, for some of them or for none; for an open grid, none. */
void roll_field_cuts(pfft3d_request *r, int ranks, uint64_t number);

/* Local. The part of a side that a rank holds, and its position in one field. */
pfft3d_box expected_field(const oracle *o, const pfft3d_request *r, int ranks, int side, int rank);

/* Local. The box of a rank by the public header, for a request with its grid named. A box that this
 * rank has named has its own distance, which may be 0: not set. Slabs are pencils on a grid of one
 * column, or of one row if axis 0 is a single plane. */
pfft3d_box expected_box(const oracle *o, const pfft3d_request *r, int ranks, int side, int rank);

/* Local. Number of elements of all fields in which two arrays differ. */
ptrdiff_t differences(const oracle *o, int side, const pfft3d_box *box, const char *a,
                      const char *b);

/* Local. Nonzero if a box agrees with the expected one in all members that say where elements
 * are. */
int same_box(const pfft3d_box *a, const pfft3d_box *b, ptrdiff_t fields);

#endif
