/* SPDX-License-Identifier: BSD-3-Clause
 * The keys that identify a run of a report. */
#include <stdio.h>
#include <string.h>

#include "app/compare/compare.h"
#include "app/report/report.h"

/* In the order of output. */
static const char *const names[COMPARE_KEYS] = {"problem", "class",  "method",     "algo",
                                                "wire",    "decomp", "pgrid",      "engine",
                                                "order",   "layout", "out_layout", "direction"};
enum { PROBLEM = COMPARE_PROBLEM, METHOD = 2, WIRE = 4, DECOMP = 5, PGRID = 6 };

const char *compare_key_name(int k) {
  return names[k];
}

const json_t *compare_key_value(const json_t *run, int k) {
  return report_at(run, k == WIRE ? "exchange.wire" : names[k]);
}

const char *compare_key_none(int k) {
  return k == WIRE ? "double" : "none";
}

void compare_key(const json_t *run, const json_t *problem, run_key *key) {
  for (int k = 0; k < COMPARE_KEYS; k++)
    compare_word(compare_key_value(run, k), key->word[k], sizeof key->word[k]);
  if (!key->word[PROBLEM][0] && problem)
    compare_word(problem, key->word[PROBLEM], sizeof key->word[PROBLEM]);
  /* only if data is rounded when sent; reports of older versions lack it */
  if (strstr(key->word[PROBLEM], ":s:") || strcmp(key->word[WIRE], "single") != 0)
    key->word[WIRE][0] = 0;
  /* only pencils have a choice of process grids; lines have their method twice */
  if (strcmp(key->word[DECOMP], "pencil") != 0) key->word[PGRID][0] = 0;
  if (key->word[METHOD][0]) key->word[DECOMP][0] = 0;
}

char *compare_label(const run_key *key, char out[COMPARE_LABEL]) {
  size_t used = 0;
  out[0] = 0;
  for (int k = 0; k < COMPARE_KEYS; k++)
    if (key->word[k][0])
      used +=
          (size_t)snprintf(out + used, COMPARE_LABEL - used, "%s%s", used ? " " : "", key->word[k]);
  return out;
}

char *compare_word(const json_t *value, char *out, size_t size) {
  report_plain(value, out, size);
  for (char *p = out; *p; p++)
    if (*p < ' ' || *p > '~') *p = '?';
  return out;
}
