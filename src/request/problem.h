/* SPDX-License-Identifier: BSD-3-Clause
 * What follows from a problem alone. */
#ifndef PF_REQUEST_PROBLEM_H
#define PF_REQUEST_PROBLEM_H

#include "layout/cuts.h"
#include "local/kind.h"

/** Local. The first axis that a problem has: 2, 1 or 0 for one, two or three dimensions. */
int pf_problem_first(const pfft3d_problem *p);

/** Local. The kind of an axis: dft for leading axes that the problem has not; where elements are
 * real on both sides, none instead of the dft of one point. */
pfft3d_axis_kind pf_problem_axis(const pfft3d_problem *p, int axis);

/** Local. Whether elements of both sides are real numbers: a real field without a dft axis. */
int pf_problem_scalar(const pfft3d_problem *p);

/** Local. The sign of the exponents of a direction, -1 or 1. */
int pf_problem_sign(const pfft3d_problem *p, pfft3d_direction direction);

/** Local. The axis along which the spectrum is half of one, of a real field with a dft axis: the
 * last of those; -1 if it is whole.  Whether it is half of one. */
int pf_problem_half_axis(const pfft3d_problem *p);
int pf_problem_half(const pfft3d_problem *p);

/** Local. The modes that the spectrum has along an axis, as those of a DFT of so many points: all
 * n, or what is kept.  Whether any axis has fewer than n. */
ptrdiff_t pf_problem_modes(const pfft3d_problem *p, int axis);
int pf_problem_cut(const pfft3d_problem *p);

/** Local. The points of a transformed line, in the order of the whole spectrum, that the spectrum
 *  does not have: one range, in the middle of a dft, at the end of the other kinds and of half a
 *  spectrum.  Its length is 0 if all are kept. */
pf_range pf_problem_dropped(const pfft3d_problem *p, int axis);

/** Local. Bytes of an element between the stages of a transform. */
size_t pf_problem_element(const pfft3d_problem *p);

/** Local. Reads "K0,K1,K2", or one kind for all axes, of a problem whose dimensions are known.
 *  Errors: USAGE, with the valid kinds. */
int pf_kinds_parse(const char *text, pfft3d_problem *p, pfft3d_error *e);

/** Local. Writes them, "" if all are dft; at most @p size bytes. */
void pf_kinds_print(const pfft3d_problem *p, char *out, size_t size);

/** Local. Rejects kinds that a problem cannot have.  Errors: USAGE, UNAVAILABLE. */
int pf_kinds_check(const pfft3d_problem *p, pfft3d_error *e);

/* A share of the modes of each axis, rounded down to 1 or more: part / of.  0 / 0: none is named.
 */
typedef struct pf_share {
  ptrdiff_t part, of;
} pf_share;

/** Local. Reads the modes that a problem of known dimensions keeps, "K0,K1,K2" or one number for
 * all axes; or a share of them, "2/3", which pf_keep_share() applies.  Errors: USAGE. */
int pf_keep_parse(const char *text, pfft3d_problem *p, pf_share *share, pfft3d_error *e);

/** Local. Keeps a share of the modes of a problem whose sizes and kinds are known; all of axes that
 *  are not transformed.  Does nothing if none is named. */
void pf_keep_share(const pf_share *share, pfft3d_problem *p);

/** Local. Rejects modes that a problem has not.  Errors: USAGE, UNAVAILABLE. */
int pf_keep_check(const pfft3d_problem *p, pfft3d_error *e);

#endif
