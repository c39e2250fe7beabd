/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays of one to eight dimensions, transformed along any of them.
 *
 *     pfft3d_nd_spec spec = {.dims = 4, .n = {48, 48, 48, 48}};
 *     pfft3d_request_create(&request, &error);               c2c, double precision
 *     pfft3d_nd_create(MPI_COMM_WORLD, request, &spec, sizeof spec, &nd, &error);
 *     pfft3d_nd_alloc(nd, &array, &error);
 *     pfft3d_nd_block(nd, PFFT3D_SPACE, rank, &block);       which elements this rank holds
 *     pfft3d_nd_execute(nd, PFFT3D_FORWARD, array, array);
 *     pfft3d_nd_destroy(&nd);
 *
 * The array is in C order.  Each rank holds a block of it: some of the indices of dimension 0, the
 * first ranks one more where they do not divide, and all of every other dimension, on both sides.
 * The transform is a list of plans of up to three axes: the first one of all ranks, if dimension 0
 * is transformed, and others of each rank alone.  Two exchanges of data are needed, as for a field
 * in natural order, or none.  What <pfft3d.h> says of errors, threads and scales holds here.
 */
#ifndef PFFT3D_ND_H
#define PFFT3D_ND_H

#include <pfft3d.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A part of an array of up to eight dimensions: len[k] indices from lo[k] on along dimension k. */
typedef struct pfft3d_block {
  ptrdiff_t lo[8], len[8];
} pfft3d_block;

/** The array and the axes that are transformed.  Set it to zero first: a zero member is the default, but for
 *  `dims` and `n`.  Later versions may add members at the end. */
typedef struct pfft3d_nd_spec {
  int dims;         /**< 1 to 8 */
  ptrdiff_t n[8];   /**< lengths of the dimensions of the field, at least 1 */
  const char *kind; /**< "dft,none,dct2,dft": a name of PFFT3D_KINDS for each dimension, none for dimensions
                         that are not transformed; or one for all; NULL: dft */
  int half;         /**< of a real field: 1 + the dimension of kind dft along which the spectrum has
                         n/2+1 numbers; 0: the last one of this kind */
} pfft3d_nd_spec;

typedef struct pfft3d_nd pfft3d_nd;

/** Collective on comm.  Makes the plans.  The type, precision, sign and scales of `request` are used,
 *  and how it wishes that they are solved; its sizes and kinds are not.  It must not have a batch,
 *  kept modes, padding, boxes, cuts, arrays of the caller, cyclic or transposed layouts.  Leading
 *  dimensions that are not transformed are a batch.  The spectrum of a real field is complex if any
 *  axis has a dft.  `size` is sizeof(pfft3d_nd_spec).  The caller destroys *nd; on error it is NULL.
 *  Errors: USAGE, UNAVAILABLE, MEMORY, INTERNAL. */
int pfft3d_nd_create(MPI_Comm comm, const pfft3d_request *request, const pfft3d_nd_spec *spec, size_t size,
                     pfft3d_nd **nd, pfft3d_error *error);

/** Collective.  Frees everything, arrays of pfft3d_nd_alloc() too, and sets *nd to NULL. */
void pfft3d_nd_destroy(pfft3d_nd **nd);

/** Local.  Lengths of the dimensions of a side, `dims` of them; nonzero *real: its elements are real
 *  numbers, else pairs (re, im).  Errors: USAGE. */
int pfft3d_nd_extents(const pfft3d_nd *nd, pfft3d_side side, ptrdiff_t n[8], int *real);

/** Local.  The block of any rank on a side; its array is contiguous.  A rank without elements has
 *  len[0] = 0.  Errors: USAGE. */
int pfft3d_nd_block(const pfft3d_nd *nd, pfft3d_side side, int rank, pfft3d_block *block);

/** Local.  Bytes of an array that serves both sides.  Never 0; 0 if nd is NULL. */
size_t pfft3d_nd_bytes(const pfft3d_nd *nd);

/** Collective.  Allocates such an array, as pfft3d_alloc().  It lives until pfft3d_nd_destroy().
 *  Errors: USAGE, MEMORY; on error *array is NULL. */
int pfft3d_nd_alloc(pfft3d_nd *nd, void **array, pfft3d_error *error);

/** Collective.  Transforms this rank's block `in` to its block `out` of the other side, as
 *  pfft3d_execute() does; in == out is allowed, with an array of pfft3d_nd_bytes() bytes, as `out`
 *  always is.  `in` is not changed otherwise.  An empty rank passes arrays, too.  Errors: USAGE (a
 *  NULL pointer, on this rank alone), and those of pfft3d_execute(). */
int pfft3d_nd_execute(pfft3d_nd *nd, pfft3d_direction direction, const void *in, void *out);

/** Local.  Plan number `index` of the list, in the order of forward transforms, for its statistics
 *  and its text; it belongs to nd.  NULL past the end, and where this rank has no part in it. */
pfft3d_plan *pfft3d_nd_step(const pfft3d_nd *nd, int index);

#ifdef __cplusplus
}
#endif
#endif
