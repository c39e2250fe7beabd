/* SPDX-License-Identifier: BSD-3-Clause
 * The fields of a run that text and CSV show, in one table: name, unit, and where it stands in the
 * tree. */
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

/* How a field appears in the text of a run: on the line `line` (none: in CSV only), between the
 * words before and after.  ALWAYS: also in the brief text.  MORE: left out when 0.  NEW: left out
 * when it equals the field before it (the end of a range, the maximum of one repeat). */
enum { ALWAYS = 1, MORE = 2, NEW = 4 };
typedef struct report_field {
  const char *path;
  unit unit;
  const char *line, *before, *after;
  int flags;
} report_field;

/* Ends with a field without a path. */
extern const report_field report_fields[];

#endif
