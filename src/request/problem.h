/* SPDX-License-Identifier: BSD-3-Clause
 * Properties that follow from a problem alone. */
#ifndef PF_REQUEST_PROBLEM_H
#define PF_REQUEST_PROBLEM_H

#include "layout/cuts.h"
#include "local/kind.h"

/** Local. The first axis that a problem has: 2, 1 or 0 for one, two or three dimensions. */
int pf_problem_first(const pfft3d_problem *p);

/** Local. The kind of an axis: dft for leading axes that the problem does not have; none for a dft
 * of one point if elements are real on both sides. */
pfft3d_axis_kind pf_problem_axis(const pfft3d_problem *p, int axis);

/** Local. Nonzero if elements of both sides are real numbers: a real field without a dft axis. */
int pf_problem_scalar(const pfft3d_problem *p);

/** Local. The sign of the exponents of a direction, -1 or 1. */
int pf_problem_sign(const pfft3d_problem *p, pfft3d_direction direction);

/** Local. The axis along which half of the spectrum is stored: the last dft axis of a real field,
 * -1 for a whole spectrum.  pf_problem_half(): nonzero if half is stored. */
int pf_problem_half_axis(const pfft3d_problem *p);
int pf_problem_half(const pfft3d_problem *p);

/** Local. The number of modes that the spectrum has along an axis, counted as for a complex DFT: n,
 * or the kept modes.  pf_problem_cut(): nonzero if any axis has fewer than n. */
ptrdiff_t pf_problem_modes(const pfft3d_problem *p, int axis);
int pf_problem_cut(const pfft3d_problem *p);

/** Local. The points of a transformed line, in the order of the whole spectrum, that the spectrum
 *  does not have: one range, in the middle of a dft, at the end of the other kinds and of half a
 *  spectrum.  Its length is 0 if all are kept. */
pf_range pf_problem_dropped(const pfft3d_problem *p, int axis);

/** Local. Bytes of an element between the stages of a transform. */
size_t pf_problem_element(const pfft3d_problem *p);

/** Local. Reads a list of at most @p most names of kinds.  Errors: USAGE, with the valid kinds. */
int pf_kinds_list(const char *text, int most, pfft3d_axis_kind *kind, int *count, pfft3d_error *e);

/** Local. Reads "K0,K1,K2", or one kind for all axes, of a problem whose dimensions are known.
 *  Errors: USAGE, with the valid kinds. */
int pf_kinds_parse(const char *text, pfft3d_problem *p, pfft3d_error *e);

/** Local. Writes the kinds, "" if all are dft; at most @p size bytes. */
void pf_kinds_print(const pfft3d_problem *p, char *out, size_t size);

/** Local. Rejects kinds that a problem cannot have.  Errors: USAGE, UNAVAILABLE. */
int pf_kinds_check(const pfft3d_problem *p, pfft3d_error *e);

/* A share of the modes of each axis, rounded down to 1 or more: part / of.  0 / 0: not given. */
typedef struct pf_share {
  ptrdiff_t part, of;
} pf_share;

/** Local. Reads the modes that a problem of known dimensions keeps, "K0,K1,K2" or one number for
 * all axes; or a share of them, "2/3", which pf_keep_share() applies.  Errors: USAGE. */
int pf_keep_parse(const char *text, pfft3d_problem *p, pf_share *share, pfft3d_error *e);

/** Local. Keeps a share of the modes of a problem whose sizes and kinds are known, and all elements
 * along axes that are not transformed.  Does nothing if no share is given. */
void pf_keep_share(const pf_share *share, pfft3d_problem *p);

/** Local. Rejects kept modes that a problem cannot have.  Errors: USAGE, UNAVAILABLE. */
int pf_keep_check(const pfft3d_problem *p, pfft3d_error *e);

#endif
