/* SPDX-License-Identifier: BSD-3-Clause
 * Words in requests: keys, values, and suggestions for misspelt ones. */
#ifndef PF_PLAN_WORDS_H
#define PF_PLAN_WORDS_H

#include "base/status.h"

/* The word nearest to what was typed, and its edit distance. */
typedef struct pf_nearest {
  const char *typed, *word;
  int distance;
} pf_nearest;

/** Local. Keeps a word if it is nearer than the previous one. */
void pf_nearest_try(pf_nearest *n, const char *word);

/** Local. Adds the hint "did you mean '...'?" if the nearest word is close enough. */
void pf_nearest_hint(const pf_nearest *n, pfft3d_error *e);

/** Local. Appends a word to a comma-separated list. */
void pf_word_append(char *list, size_t size, const char *word);

#endif
