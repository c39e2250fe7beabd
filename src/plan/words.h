/* SPDX-License-Identifier: BSD-3-Clause
 * Words that name things in requests: keys, values, and what the user may have meant. */
#ifndef PF_PLAN_WORDS_H
#define PF_PLAN_WORDS_H

#include "base/status.h"

/* The word that is nearest to what was typed, and its distance in edits. */
typedef struct pf_nearest {
  const char *typed, *word;
  int distance;
} pf_nearest;

/** Local. Takes a word if it is nearer than the one before. */
void pf_nearest_try(pf_nearest *n, const char *word);

/** Local. Adds "did you mean '...'?" to a failure if the nearest word is likely to be meant. */
void pf_nearest_hint(const pf_nearest *n, pfft3d_error *e);

/** Local. Appends a word to a list with commas. */
void pf_word_append(char *list, size_t size, const char *word);

#endif
