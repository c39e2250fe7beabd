/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d, transforms in two parts: a transform ends, a function of the caller changes its results
 * plane by plane, and another transform begins with them, as in the product of two fields whose
 * spectra are given.  Rules of errors, communicators and threads are those of <pfft3d.h>.
 * <pfft3d_tune.h> includes this header.
 */
#ifndef PFFT3D_BEGIN_H
#define PFFT3D_BEGIN_H

#include <pfft3d.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A plane of all fields of a batch, where one transform has ended and another one begins: the
 *  elements of this rank with local index `index` along `axis`.  Its element with local indices i
 *  along the other two axes is at from + (sum of i[a] * stride[a] + field * from_distance)
 *  elements, with the strides of the box of the plan that ends (pfft3d_plan_box()), and likewise at
 *  `to` with those of the plan that begins. */
typedef struct pfft3d_plane {
  int axis;
  ptrdiff_t index;
  int thread; /**< that calls: 0 .. threads - 1 */
  const void *from;
  void *to;
  ptrdiff_t from_distance, to_distance; /**< from field to field, in elements */
} pfft3d_plane;

/** Makes the plane p->to of the plane p->from.  With threads it is called for several planes at the
 *  same time.  It must not call this library or MPI. */
typedef void (*pfft3d_between)(void *context, const pfft3d_plane *p);

/** Collective.  pfft3d_execute() in two parts: all of it that does not need the output, then the
 *  rest.  In between the plan runs no other transform, `in` is not changed, and `out` may be `in`.
 *  The parts are for pfft3d_execute_between().  Errors: those of pfft3d_execute(); USAGE where the
 *  calls are not in this order. */
int pfft3d_execute_begin(pfft3d_plan *plan, pfft3d_direction direction, const void *in);
int pfft3d_execute_end(pfft3d_plan *plan, pfft3d_direction direction, void *out);

/** Collective.  Ends the transform that `ends` has begun in `direction`, applies a function to each
 *  plane of its results, and begins with what that makes a transform of `begins` in the other
 *  direction, which pfft3d_execute_end() or another call of this function ends:
 *
 *      pfft3d_execute_begin(a, PFFT3D_BACKWARD, spectrum);
 *      pfft3d_execute_between(a, PFFT3D_BACKWARD, b, square, NULL, field, field);
 *      pfft3d_execute_end(b, PFFT3D_FORWARD, spectrum_of_square);
 *
 *  The plans are different ones, may have different batches, and have the same box on that side on
 *  every rank.  Results are those of whole transforms with the function applied to whole arrays, to
 *  the last bit.  Where both plans can, a plane stays in cache from one transform to the other and
 *  the results never exist as arrays; `from` and `to`, arrays of the side for the first and the
 *  second plan, are scratch then; otherwise they hold the results and the output of the function.
 *  Their contents are undefined afterwards, and until the second transform has ended `to` is not
 *  changed.  `to` may be `from` where both plans have elements of the same size, and boxes of the
 *  same offset, strides and distance.
 *  Errors: those of pfft3d_execute(); USAGE where the calls are not in this order, or boxes differ.
 */
int pfft3d_execute_between(pfft3d_plan *ends, pfft3d_direction direction, pfft3d_plan *begins,
                           pfft3d_between function, void *context, void *from, void *to);

#ifdef __cplusplus
}
#endif
#endif
