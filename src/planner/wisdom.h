/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom: decisions that were found best, by problem and machine.
 *
 * An entry is a question (problem, ranks and machine, in words), what of the decision was asked
 * for ("auto" where it was open), and the answer.  wisdom.c asks, wisdom_text.c knows how entries
 * are written, wisdom_file.c whom to trust and how a file is replaced. */
#ifndef PF_PLANNER_WISDOM_H
#define PF_PLANNER_WISDOM_H

#include "base/status.h"

/* Bounds of what is read: characters of a line, entries, bytes of a file. */
enum { PF_WISDOM_LINE = 1280, PF_WISDOM_MOST = 1000, PF_WISDOM_BYTES = 1 << 20 };

/* One entry.  All texts are words without blanks, but for the question, which has one between two
 * words; commas stand for the blanks of a decision. */
typedef struct pf_wisdom_entry {
  char question[704];
  char asked[160], decision[160];
  long long nanoseconds; /* of a forward and a backward transform */
  char date[24];         /* "2026-01-31T23:59:59Z" */
} pf_wisdom_entry;

struct pfft3d_wisdom {
  pf_wisdom_entry *entry;
  int count, room;
  char notice[sizeof(((pfft3d_error *)0)->text)];
};

/** Local, on rank 0 of @p comm only. Looks up what a request leaves open; whether anything fits.
 *  The decision in *d is completed, and `reason` tells in words where it comes from. */
int pf_wisdom_find(const pfft3d_wisdom *w, MPI_Comm comm, const pfft3d_request *r,
                   pfft3d_decision *d, char *reason, size_t size);

/** Local. The question of a request whose nodes have been found. */
void pf_wisdom_question(const pfft3d_request *r, int ranks, char *out, size_t size);

/** Local. The words of a question that tell the machine: from this one on, to the end. */
#define PF_WISDOM_MACHINE " version="

/** Local. Those words for this machine and what runs on it. */
void pf_wisdom_machine(char *out, size_t size);

/** Local. Adds an entry, in the place of an older one for the same question.  Errors: MEMORY. */
int pf_wisdom_put(pfft3d_wisdom *w, const pf_wisdom_entry *entry, pfft3d_error *e);

/* ---- text (wisdom_text.c) ---- */

typedef enum pf_wisdom_state {
  PF_WISDOM_WHOLE,
  PF_WISDOM_DAMAGED, /* once it was wisdom */
  PF_WISDOM_FOREIGN  /* of another format, or something else */
} pf_wisdom_state;

/** Local. Takes the entries of a text of so many bytes, which need not be a string, into *w; none
 * unless it is whole.  *state says whether; `why` in words, where not.  Errors: MEMORY. */
int pf_wisdom_parse(const char *text, size_t length, pfft3d_wisdom *w, pf_wisdom_state *state,
                    char *why, size_t size, pfft3d_error *e);

/** Local. The text of all entries, the caller's to free(); NULL without memory. */
char *pf_wisdom_print(const pfft3d_wisdom *w, size_t *length);

/** Local. Writes the line of an entry, without a newline; its length, 0 where it does not fit. */
size_t pf_wisdom_line(const pf_wisdom_entry *entry, char line[PF_WISDOM_LINE]);

#endif
