/* SPDX-License-Identifier: BSD-3-Clause
 * Reports as JSON, by jansson. */
#include <string.h>

#include "app/report/report.h"

int report_json_there(const char *what, pfft3d_error *e) {
  (void)what, (void)e;
  return PFFT3D_OK;
}

void report_json_print(const json_t *value, FILE *f) {
  json_dumpf(value, f, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  fputc('\n', f);
}

/* For the parser, which must not read more than the limit. */
static size_t read_some(void *buffer, size_t size, void *data) {
  report_json *j = data;
  size_t got = fread(buffer, 1, size, j->f);
  j->bytes += got;
  return ferror(j->f) || j->bytes > j->most ? (size_t)-1 : got;
}

json_t *report_json_read(report_json *j) {
  json_error_t wrong;
  json_t *value = json_load_callback(read_some, j, JSON_REJECT_DUPLICATES, &wrong);
  if (value) return value;
  for (char *p = wrong.text; *p; p++)
    if (*p < ' ' || *p > '~') *p = '?';
  snprintf(j->wrong, sizeof j->wrong, "%s", wrong.text);
  j->line = wrong.line;
  return NULL;
}
