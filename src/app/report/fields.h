/* SPDX-License-Identifier: BSD-3-Clause
 * The fields of a run in text and CSV, in one table: path in the tree, unit, and words of the
 * text. */
#ifndef PF_APP_REPORT_FIELDS_H
#define PF_APP_REPORT_FIELDS_H

typedef enum unit {
  WORD,
  COUNT,
  SECONDS,
  COLUMN_SECONDS,
  BYTES,
  GFLOPS,
  FORMULA,
  GBS,
  SHARE,
  ERROR,
  VERDICT
} unit;

/* How a field appears in the text of a run: on the line `line` (NULL: in CSV only), between the
 * words `before` and `after`. ALWAYS: also in the brief text. MORE: omitted if 0. NEW: omitted
 * if equal to the previous field (the end of a range, the maximum of one repeat). */
enum { ALWAYS = 1, MORE = 2, NEW = 4 };
typedef struct report_field {
  const char *path;
  unit unit;
  const char *line, *before, *after;
  int flags;
} report_field;

/* The last entry has no path. */
extern const report_field report_fields[];

#endif
