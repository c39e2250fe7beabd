/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers, sizes and names in requests, and suggestions for misspelt words. */
#ifndef PF_REQUEST_TEXT_H
#define PF_REQUEST_TEXT_H

#include "base/status.h"

/** Local. Reads a whole number from @p least to @p most at *text and advances it; returns 0 if
 * there is none. */
int pf_number_take(const char **text, long long least, long long most, ptrdiff_t *number);

/** Local. Reads one to three sizes, "64x48x50", from *text into n and dims of a problem and
 * advances *text; returns 0 on failure. */
int pf_sizes_parse(const char **text, pfft3d_problem *p);

/** Local. Prints the names of a list, "a, b and c", to `out`, which it returns. */
const char *pf_list_print(pfft3d_list list, char *out, size_t size);

/** Local. Copies a registered name or "auto"; longer text is truncated. */
void pf_name_set(char field[16], const char *name);

/** Local. Reads a registered name, an alias of one, or "auto".  Otherwise USAGE with the valid
 * names. */
int pf_name_parse(pfft3d_list list, const char *word, char field[16], pfft3d_error *e);

/* The word that was typed, and the nearest valid word by edit distance. */
typedef struct pf_words {
  const char *typed, *nearest;
  int distance;
  char valid[256];
} pf_words;

/** Local. pf_words_add(): adds a valid word.  pf_words_try(): a word that is not listed, but may be
 * the nearest one.  pf_words_hint(): adds "did you mean '...'?" to an
 * error if the nearest word is similar enough. */
void pf_words_add(pf_words *w, const char *word);
void pf_words_try(pf_words *w, const char *word);
void pf_words_hint(const pf_words *w, pfft3d_error *e);

#endif
