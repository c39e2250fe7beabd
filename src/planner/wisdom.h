/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom: decisions measured as fastest, by problem and machine.
 *
 * An entry is a question (problem, ranks and machine, as text), the requested decision ("auto" if
 * open), and the answer.  wisdom.c looks entries up, wisdom_text.c has their format, wisdom_file.c
 * decides which files are trusted and replaces them. */
#ifndef PF_PLANNER_WISDOM_H
#define PF_PLANNER_WISDOM_H

#include "base/status.h"

/* Limits: characters of a line, entries, bytes of a file. */
enum { PF_WISDOM_LINE = 1280, PF_WISDOM_MOST = 1000, PF_WISDOM_BYTES = 1 << 20 };

/* One entry.  All texts are words without blanks, except the question, which has one between two
 * words; commas replace the blanks of a decision. */
typedef struct pf_wisdom_entry {
  char question[704];
  char asked[160], decision[160];
  long long nanoseconds; /* nanoseconds of a forward and a backward transform */
  char date[24];         /* "2026-01-31T23:59:59Z" */
  int own;               /* timed by this process; not part of the text */
} pf_wisdom_entry;

struct pfft3d_wisdom {
  pf_wisdom_entry *entry;
  int count, room;
  char notice[sizeof(((pfft3d_error *)0)->text)];
};

/** Local, on rank 0 only. Looks up what a request leaves open, and completes the decision *d.
 * Returns the entry that has the answer, which belongs to the wisdom; NULL if none fits. */
const pf_wisdom_entry *pf_wisdom_find(const pfft3d_wisdom *w, int ranks, const pfft3d_request *r,
                                      pfft3d_decision *d);

/** Local. The question of a request whose nodes are known. */
void pf_wisdom_question(const pfft3d_request *r, int ranks, char *out, size_t size);

/** Local. The first word of a question that describes the machine; all following words do, too. */
#define PF_WISDOM_MACHINE " version="

/** Local. These words for this machine and its software. */
void pf_wisdom_machine(char *out, size_t size);

/** Local. Adds an entry; it replaces another one for the same question if it is newer: this
 * process's own timing is newer than entries of files, whatever their dates.  Errors: MEMORY. */
int pf_wisdom_put(pfft3d_wisdom *w, const pf_wisdom_entry *entry, pfft3d_error *e);

/** Local. The present time, in the format of dates of entries. */
void pf_wisdom_now(char date[24]);

/** Local. The entry for a timed candidate of a request whose nodes are known. */
void pf_wisdom_entry_make(const pfft3d_request *r, int ranks, const pfft3d_candidate *c,
                          pf_wisdom_entry *entry);

/** Local. The wisdom of the user's file (pfft3d_wisdom_file()), without entries if the file cannot
 * be used, and then maybe with a notice; NULL: there is none, or no memory for it.  It is read
 * once in a process and stays until the end.  Any thread may call this at any time. */
const pfft3d_wisdom *pf_wisdom_user(void);

/* ---- text (wisdom_text.c) ---- */

typedef enum pf_wisdom_state {
  PF_WISDOM_ABSENT, /* no file */
  PF_WISDOM_WHOLE,
  PF_WISDOM_DAMAGED, /* damaged wisdom */
  PF_WISDOM_FOREIGN  /* another format or content */
} pf_wisdom_state;

/* Result of reading a text. */
typedef struct pf_wisdom_verdict {
  pf_wisdom_state state;
  char why[128]; /* "" if the text is whole or absent */
  unsigned mode; /* permissions of a file */
} pf_wisdom_verdict;

/** Local. Adds the entries of a text of `length` bytes, which need not be a string, to *w; none
 * unless the text is whole.  Errors: MEMORY. */
int pf_wisdom_parse(const char *text, size_t length, pfft3d_wisdom *w, pf_wisdom_verdict *v,
                    pfft3d_error *e);

/** Local, rank 0's part of pfft3d_wisdom_read() (wisdom_file.c). Adds the entries of a file, and
 * writes the notice.  Returns what the file is.  Errors: PERMISSION, IO, MEMORY. */
pf_wisdom_state pf_wisdom_load(const char *name, pfft3d_wisdom *w, pfft3d_error *e);

/** Local. The text of all entries; the caller frees it with free(); NULL if memory is exhausted. */
char *pf_wisdom_print(const pfft3d_wisdom *w, size_t *length);

/** Local. Writes the line of an entry without a newline; returns its length, 0 if it does not fit.
 */
size_t pf_wisdom_line(const pf_wisdom_entry *entry, char line[PF_WISDOM_LINE]);

#endif
