/* SPDX-License-Identifier: BSD-3-Clause
 * Values of the tree: creation, access, and text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/report/report.h"

json_t *report_real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *report_count(double value) {
  return fabs(value) <= 0x1p53 ? json_integer((json_int_t)value) : report_real(value);
}

json_t *report_words(const char *words) {
  char text[FILE_SIZE];
  int printable = 1;
  snprintf(text, sizeof text, "%s", words);
  for (char *p = text; *p; p++) printable = printable && (unsigned char)*p >= ' ' && *p != 127;
  json_t *j = printable ? json_string(text) : NULL; /* NULL if it is not UTF-8 */
  if (j) return j;
  for (char *p = text; *p; p++)
    if (*p < ' ' || *p > '~') *p = '?';
  return json_string(text);
}

const json_t *report_at(const json_t *tree, const char *path) {
  char key[64];
  while (tree && *path) {
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    tree = json_object_get(tree, key);
    path += length + (path[length] == '.');
  }
  return tree;
}

double report_number(const json_t *tree, const char *path) {
  return json_number_value(report_at(tree, path));
}

const char *report_word(const json_t *tree, const char *path) {
  return json_string_value(report_at(tree, path));
}

char *report_seconds(double s, char out[32]) {
  if (s >= 1)
    snprintf(out, 32, "%.3f s", s);
  else if (s >= 1e-3)
    snprintf(out, 32, "%.2f ms", s * 1e3);
  else
    snprintf(out, 32, "%.1f us", s * 1e6);
  return out;
}

char *report_bytes(double bytes, char out[32]) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int u = 0;
  while (bytes >= 1024 && u < 6) bytes /= 1024, u++;
  snprintf(out, 32, bytes == floor(bytes) ? "%.0f %s" : "%.1f %s", bytes, units[u]);
  return out;
}

void report_list_text(const json_t *list, char *out, size_t size) {
  out[0] = 0;
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%.15g", i ? "x" : "",
             json_number_value(json_array_get(list, i)));
  }
}

void report_plain(const json_t *v, char *out, size_t size) {
  out[0] = 0;
  if (json_is_string(v)) snprintf(out, size, "%s", json_string_value(v));
  if (json_is_integer(v)) snprintf(out, size, "%lld", (long long)json_integer_value(v));
  if (json_is_real(v)) snprintf(out, size, "%.17g", json_real_value(v));
  if (json_is_boolean(v)) snprintf(out, size, "%s", json_is_true(v) ? "true" : "false");
  if (json_is_array(v)) report_list_text(v, out, size);
}
