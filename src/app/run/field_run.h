/* SPDX-License-Identifier: BSD-3-Clause
 * A plan for a field in a file, and the entries of reports for files. */
#ifndef PF_APP_RUN_FIELD_RUN_H
#define PF_APP_RUN_FIELD_RUN_H

#include "app/common/field_file.h"
#include "app/common/rows.h"
#include "app/run/run.h"

/** Local. The problem of a field with these numbers: dft on all axes, half of a spectrum for real
 *  fields.  n has leading axes of length 1 in fewer dimensions. */
pfft3d_problem field_problem(const app *a, pfft3d_numbers numbers, const ptrdiff_t n[3]);

/** Collective on a->comm. Plans a problem with the spectrum in transposed order, a factor of 1/N in
 *  the backward transform, and one array.  Errors: those of run_open(). */
int field_plan(const app *a, const pfft3d_problem *p, run *r, pfft3d_error *e);

/** Local. The position of this rank's part of a field of n points, packed in C order, in the array
 *  of a plan, whose grid may be larger. */
rows field_rows(const app *a, const run *r, const ptrdiff_t n[3]);

/** Local. The number of complex numbers of the spectrum that this rank holds, contiguous from the
 *  beginning of the array. */
ptrdiff_t field_modes(const app *a, const run *r);

/** Collective on a->comm. Adds "phases.read" and "phases.write" to the entry @p item of "runs",
 *  and "input" and "output" to the report; @p out may be NULL. */
void field_report(const app *a, const field_input *in, const field_output *out, json_t *item,
                  json_t *report);

/** Local. Ends a line of text with the seconds of reading and of writing, if any, of an entry of
 *  "runs". */
void field_print_times(const json_t *item);

#endif
