/* SPDX-License-Identifier: BSD-3-Clause
 * Names of registries, and the nearest word by Levenshtein distance. */
#include "request/text.h"

#include <stdio.h>
#include <string.h>

#include "exchange/exchange.h"
#include "local/engine.h"
#include "exchange/exchange.h"
#include "local/engine.h"
#include "request/names.h"

/* ---- words ---- */

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

void pf_words_try(pf_words *w, const char *word) {
  int d = distance(w->typed, word);
  if (!w->nearest || d < w->distance) w->nearest = word, w->distance = d;
}

void pf_words_add(pf_words *w, const char *word) {
  size_t used = strlen(w->valid);
  pf_words_try(w, word);
  snprintf(w->valid + used, sizeof w->valid - used, "%s%s", used ? ", " : "", word);
}

void pf_words_hint(const pf_words *w, pfft3d_error *e) {
  if (w->nearest && w->distance <= (int)strlen(w->nearest) / 2)
    pf_hint(e, "did you mean '%s'?", w->nearest);
}

/* ---- names ---- */

static const pf_engine *device_engine(int index) {
  int i = 0;
  while (pf_engine_at(i) && !(pf_engine_at(i)->device && !index--)) i++;
  return pf_engine_at(i);
}

static const pf_exchange_ops *storing_exchange(int index) {
  int i = 0;
  while (pf_exchange_at(i) && !(pf_exchange_at(i)->stores && !index--)) i++;
  return pf_exchange_at(i);
}

const char *pfft3d_list_name(pfft3d_list list, int index, const char **summary) {
  const char *name = NULL, *text = NULL;
  if (list == PFFT3D_EXCHANGES || list == PFFT3D_STORING_EXCHANGES) {
    const pf_exchange_ops *x =
        list == PFFT3D_EXCHANGES ? pf_exchange_at(index) : storing_exchange(index);
    if (x) name = x->name, text = x->summary;
  } else if (list == PFFT3D_ENGINES) {
    const pf_engine *x = pf_engine_at(index);
    if (x && !x->device) name = x->name, text = x->summary;
  } else if (list == PFFT3D_DEVICE_ENGINES) {
    const pf_engine *x = device_engine(index);
    if (x) name = x->name, text = x->summary;
  } else if (list == PFFT3D_SCHEMES) {
    const pf_named *x = pf_decomp_at(index);
    if (x) name = x->name, text = x->summary;
  } else if (list == PFFT3D_METHODS) {
    const pf_named *x = pf_method_at(index);
    if (x) name = x->name, text = x->summary;
  } else if (list == PFFT3D_KINDS) {
    name = pf_kind_at(index, &text);
  }
  if (summary) *summary = text;
  return name;
}

const char *pf_list_print(pfft3d_list list, char *out, size_t size) {
  const char *name = pfft3d_list_name(list, 0, NULL), *next;
  out[0] = 0;
  for (int i = 1; name; i++, name = next) {
    size_t used = strlen(out);
    next = pfft3d_list_name(list, i, NULL);
    snprintf(out + used, size - used, "%s%s", i == 1 ? "" : next ? ", " : " and ", name);
  }
  return out;
}

void pf_name_set(char field[16], const char *name) {
  snprintf(field, 16, "%s", name);
}

int pf_name_parse(pfft3d_list list, const char *word, char field[16], pfft3d_error *e) {
  static const char *const what[] = {"exchange", "engine", "decomposition", "method", "kind"};
  static const char *const alias[][2] = {
      {"alltoall", "packed"}, {"slab", "slabs"}, {"pencil", "pencils"}};
  const char *name = word, *known;
  for (size_t i = 0; list == PFFT3D_EXCHANGES && i < sizeof alias / sizeof *alias; i++)
    if (!strcmp(word, alias[i][0])) name = alias[i][1];
  int open = list != PFFT3D_KINDS, found = open && !strcmp(name, "auto");
  pf_words words = {.typed = name};
  for (int i = 0; (known = pfft3d_list_name(list, i, NULL)) != NULL; i++) {
    found = found || !strcmp(name, known);
    pf_words_add(&words, known);
  }
  for (int i = 0; list == PFFT3D_ENGINES && device_engine(i); i++) {
    found = found || !strcmp(name, device_engine(i)->name);
    pf_words_add(&words, device_engine(i)->name);
  }
  if (found) {
    pf_name_set(field, name);
    return PFFT3D_OK;
  }
  if (list == PFFT3D_EXCHANGES) pf_words_try(&words, alias[0][0]);
  pf_words_hint(&words, e);
  /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): no list of a part comes here */
  return pf_fail(e, PFFT3D_ERR_USAGE, "%s '%.40s': unknown; valid are %s%s", what[list], word,
                 words.valid, open ? ", auto" : "");
}
