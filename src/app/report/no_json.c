/* SPDX-License-Identifier: BSD-3-Clause
 * JSON in a build without jansson: an error.  Reports are text and CSV there, of the values of
 * without_jansson/jansson.c. */
#include "app/common/message.h"
#include "app/report/report.h"

int report_json_there(const char *what, pfft3d_error *e) {
  app_hint(e, "install it (Debian: libjansson-dev), then configure and build again");
  return app_fail(e, PFFT3D_ERR_UNAVAILABLE, "cannot %s JSON: this build has no jansson", what);
}

void report_json_print(const json_t *value, FILE *f) {
  (void)value, (void)f;
}

json_t *report_json_read(report_json *j) {
  (void)j;
  return NULL;
}
