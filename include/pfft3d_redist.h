/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d: redistributions of arrays between any boxes, transpositions, and ghost cells.  For
 * programs whose distribution is not that of a plan, or that use the exchanges of this library for
 * other data.
 *
 * An array of 1 to 4 dimensions is distributed in boxes: each rank holds one, or none.  Axes are
 * those of the array in C order; where elements lie in the memory of a rank is described by
 * strides, so that axes can be stored in any order, differently on both sides.
 *
 *     pfft3d_redist_spec s = {.dims = 2, .n = {64, 48}, .element = sizeof(double)};
 *     ... s.from and s.to: the boxes of this rank ...
 *     pfft3d_redist_create(MPI_COMM_WORLD, &s, &redist, &error);
 *     pfft3d_redist_execute(redist, PFFT3D_FORWARD, in, out);
 *     pfft3d_redist_destroy(&redist);
 *
 * Errors, error handlers and threads are as in <pfft3d.h>.
 */
#ifndef PFFT3D_REDIST_H
#define PFFT3D_REDIST_H

#include <pfft3d.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The box of a rank, and where its elements lie in an array: element i at offset + sum_a (i[a] -
 *  lo[a]) * stride[a], in elements.  All strides 0: the box alone, in C order.  A rank without
 *  elements has len 0 along some axis. */
typedef struct pfft3d_region {
  ptrdiff_t lo[4], len[4];
  ptrdiff_t stride[4]; /**< no two elements may have the same address */
  ptrdiff_t offset;    /**< of the element at lo */
} pfft3d_region;

/** A redistribution: the array and the exchange, the same on all ranks, and the boxes of this rank
 *  before and after it.  Those of all ranks must tile the array on both sides. */
typedef struct pfft3d_redist_spec {
  int dims;               /**< 1 to 4; further entries of the arrays below are ignored */
  ptrdiff_t n[4];         /**< extents of the array */
  size_t element;         /**< bytes of an element, 1 to 65536 */
  pfft3d_region from, to; /**< of this rank */
  const char *exchange;  /**< a name of PFFT3D_EXCHANGES; NULL or "auto": shared inside a node, else
                            packed */
  int in_place;          /**< not 0: executions may have in == out, which takes a further buffer */
  pfft3d_precision wire; /**< PFFT3D_SINGLE: elements are doubles, of 8 bytes, or pairs of them, of
                            16, and all are rounded to single precision, which halves the messages;
                            not by exchange shared, on one rank, or with alltoallw (UNAVAILABLE) */
} pfft3d_redist_spec;

/** Buffers and schedules of a redistribution, forward and backward. */
typedef struct pfft3d_redist pfft3d_redist;

/** Collective on comm.  Makes a redistribution.  The communicator is duplicated and may be freed
 *  afterwards.  The caller destroys it.  Errors: USAGE (boxes that overlap, with two ranks and the
 *  indices; elements that no rank has), UNAVAILABLE (the exchange, or in place with alltoallw),
 *  MEMORY, INTERNAL.  On error *redist is NULL. */
int pfft3d_redist_create(MPI_Comm comm, const pfft3d_redist_spec *spec, pfft3d_redist **redist,
                         pfft3d_error *error);

/** Collective.  Forward: moves the elements of box `from` in array `in` to box `to` in array `out`;
 *  backward: those of `to` in `in` to `from` in `out`.  The arrays must not overlap, unless in ==
 * out and in_place was set.  Memory around and between the elements is neither read nor written. An
 *  empty rank may pass NULL.  Allocates nothing.  Errors: USAGE, on this rank alone; INTERNAL. */
int pfft3d_redist_execute(pfft3d_redist *redist, pfft3d_direction direction, const void *in,
                          void *out);

/** Collective.  Frees it and sets *redist to NULL; *redist may be NULL on all ranks. */
void pfft3d_redist_destroy(pfft3d_redist **redist);

/** A transposition of an n0 x n1 matrix whose entries are tuples of `howmany` elements, with the
 *  arguments of fftw_mpi_plan_many_transpose(): rank r holds rows r * block0 .. of the matrix, as
 *  [rows][n1][howmany], and gets rows r * block1 .. of the transposed one, as [rows][n0][howmany].
 *  The same on all ranks. */
typedef struct pfft3d_transpose_spec {
  ptrdiff_t n0, n1;
  ptrdiff_t howmany;        /**< 0: 1 */
  size_t element;           /**< bytes of an element */
  ptrdiff_t block0, block1; /**< rows of each rank, fewer or none on the last ones; 0: n / ranks,
                               rounded up */
  int transposed_in;        /**< not 0: the input is stored as [n1][rows][howmany] */
  int transposed_out;       /**< not 0: the output is stored as [n0][rows][howmany] */
  const char *exchange;     /**< as in pfft3d_redist_spec */
  int in_place;
  pfft3d_precision wire; /**< likewise */
} pfft3d_transpose_spec;

/** Collective on comm.  Makes a redistribution that transposes a matrix; backward it transposes the
 *  result back.  Errors: those of pfft3d_redist_create(); USAGE also for blocks that do not hold
 * all rows. */
int pfft3d_transpose_create(MPI_Comm comm, const pfft3d_transpose_spec *spec,
                            pfft3d_redist **redist, pfft3d_error *error);

/** Ghost cells around the box of each rank: copies of elements that other ranks hold, or of
 *  elements at the other end of a periodic axis, with the same bits (there is no `wire`).  Boxes
 *  must tile the array. */
typedef struct pfft3d_halo_spec {
  int dims; /**< as in pfft3d_redist_spec */
  ptrdiff_t n[4];
  size_t element;
  pfft3d_region box; /**< of this rank, without ghost cells; strides 0: an array in C order of the
                      box with its ghost cells (offset is then ignored) */
  ptrdiff_t below[4], above[4]; /**< ghost cells before and after the box along each axis: any
                                   number, the same on all ranks */
  int periodic[4]; /**< not 0: beyond the end of the axis it begins again; 0: ghost cells outside of
                      the array are left as they are */
  const char *exchange;
} pfft3d_halo_spec;

/** Collective on comm.  Makes a redistribution that fills ghost cells, those at edges and corners
 *  included: pfft3d_redist_execute(redist, PFFT3D_FORWARD, array, array); there is no backward
 *  direction.  A rank with an empty box has no ghost cells.  Errors: those of
 *  pfft3d_redist_create(). */
int pfft3d_halo_create(MPI_Comm comm, const pfft3d_halo_spec *spec, pfft3d_redist **redist,
                       pfft3d_error *error);

#ifdef __cplusplus
}
#endif
#endif
