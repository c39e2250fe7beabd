/* SPDX-License-Identifier: BSD-3-Clause
 * Lines under test: transforms of one dimension in long double, the index of every element by the
 * public header, and runs of a plan that are compared with both. */
#ifndef PF_TESTS_LINE_TRIAL_H
#define PF_TESTS_LINE_TRIAL_H

#include "trial.h"

/* ---- references ---- */

/* Local. The DFT of a line, in place. */
void dft_line_by_factors(wide *x, ptrdiff_t n, int sign);

/* Local. As dft_line_by_factors(), by FFTW if it is available. */
void dft_line(wide *x, ptrdiff_t n, int sign);

pfft3d_problem line_problem(ptrdiff_t n, int kind, int precision);

/* Collective. The data of a line of any kind and their transforms, which one rank computes for all;
 * free with oracle_free(). */
void line_oracle(oracle *o, const pfft3d_problem *p, uint64_t seed);

/* Collective. Oracles of `lines` lines of a batch, o[0] ...; every second one is 2^-20 times as
 * small as its neighbours. */
void line_oracles(oracle *o, ptrdiff_t lines, const pfft3d_problem *p, uint64_t seed);

/* ---- requests ---- */

/* The ways to distribute a line. */
typedef struct line_form {
  pfft3d_distribution layout[2];
  pfft3d_order order;
} line_form;
enum { LINE_FORMS = 6 };
extern const line_form line_forms[LINE_FORMS];

pfft3d_request line_request(const pfft3d_problem *p, const line_form *f, const char *method,
                            const char *algo, const char *engine);

/* Local. Positions of the lines of a batch, by the number `way`: default, with gaps, or with
 * different gaps on both sides. */
void line_distances(pfft3d_request *r, uint64_t way);

/* Local. The names of a request for messages. */
const char *line_name(const pfft3d_request *r);

/* Local. Nonzero if a request can be planned.  Named engines may refuse their lengths; butterfly
 * has conditions, which it reports, and may refuse large factors of a rank's number of elements. */
int line_possible(const pfft3d_request *r, int ranks);

/* Collective on MPI_COMM_WORLD. A plan must be refused: with one of two statuses, with these words
 * in its text or hint (NULL: any), the same on all ranks; `hint`: there must be one. */
void line_refused(const pfft3d_request *r, int want, int or_else, const char *words, int hint);

/* ---- indices of elements ---- */

/* A plan for a line under test, or for a batch of them: t.o is then an oracle for each line. */
typedef struct line_trial {
  trial t;
  pfft3d_decision decided;
  ptrdiff_t count[2], *index[2]; /* by side: elements on this rank, and their indices */
  unsigned char *first[2];       /* by direction: the first result */
} line_trial;

/* Local. For messages: the request, and the decision. */
const char *line_words(const line_trial *l);

/* Collective on comm. The plan of a trial, with the indices of its elements. */
line_trial line_trial_make(MPI_Comm comm, const pfft3d_request *r, const oracle *o);

void line_trial_free(line_trial *l);

/* ---- runs ---- */

/* Local. The lines of the batch. */
ptrdiff_t line_batch(const line_trial *l);

/* Local. Offset of a line of the batch in this rank's array of a side, in bytes. */
size_t line_offset(const line_trial *l, int side, ptrdiff_t line);

/* Local. Writes this rank's part of a whole line to an array. */
void line_fill(const line_trial *l, int side, const long double *line, void *array);

/* Collective on the trial's comm. The relative L2 error against scale * want of the line at the
 * start of @p array; NaN gives NaN. */
double line_error(const line_trial *l, int side, const void *array, const long double *want,
                  double scale);

/* Collective. One transform of the oracle's input, compared with its output.  `shift` as in
 * trial_run(). */
void line_run(line_trial *l, int direction, trial_how how, int shift);

/* Collective. Transforms the lines of a batch, after runs in both directions, one by one with the
 * same decision: the bits must be equal. */
void line_alone(const line_trial *l);

#endif
