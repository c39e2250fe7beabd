/* SPDX-License-Identifier: BSD-3-Clause
 * Nearest words by Levenshtein distance. */
#include "plan/words.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 31 }; /* characters that are compared */

static int distance(const char *a, const char *b) {
  int row[MOST + 1], rows = (int)strnlen(a, MOST), columns = (int)strnlen(b, MOST);
  for (int j = 0; j <= columns; j++) row[j] = j;
  for (int i = 0; i < rows; i++) {
    int diagonal = row[0]++;
    for (int j = 0; j < columns; j++) {
      int best = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      if (diagonal + 1 < best) best = diagonal + 1;
      if (row[j] + 1 < best) best = row[j] + 1;
      row[j + 1] = best;
    }
  }
  return row[columns];
}

void pf_nearest_try(pf_nearest *n, const char *word) {
  int d = distance(n->typed, word);
  if (!n->word || d < n->distance) n->word = word, n->distance = d;
}

void pf_nearest_hint(const pf_nearest *n, pfft3d_error *e) {
  if (n->word && n->distance <= (int)strlen(n->word) / 2) pf_hint(e, "did you mean '%s'?", n->word);
}

void pf_word_append(char *list, size_t size, const char *word) {
  size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}
