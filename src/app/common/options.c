/* SPDX-License-Identifier: BSD-3-Clause
 * Queries about the options on the command line. */
#include "app/common/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

const char *list_find(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *p = list; (p = strstr(p, name)); p += length)
    if ((p == list || p[-1] == ' ') && strchr("= ", p[length])) return p;
  return NULL;
}

const char *options_path(const char *name) {
  const char *path = NULL;
  for (const char *c = strstr(name, ":/"); c; c = strstr(c + 1, ":/")) path = c + 1;
  return path;
}

int options_given(const options *o, const char *name) {
  return list_find(o->given, name) != NULL;
}

/* ---- keys of the request ---- */

/* The library's words name the key, or the list of a name: KEY 'VALUE': ... */
static void refuse(const char *key, const pfft3d_error *why, pfft3d_error *e) {
  const char *value = strchr(why->text, '\'');
  int named = value && value - why->text == (ptrdiff_t)strcspn(why->text, " ") + 1;
  app_note(e, why->status, "--%s%s %s", key, named ? "" : ":", named ? value : why->text);
  if (why->hint[0]) app_hint(e, "%s", why->hint);
}

int options_spell(const char *key, const char *value, char *spelt, size_t size, pfft3d_error *e) {
  pfft3d_request *r = NULL;
  pfft3d_error why;
  if (pfft3d_request_create(&r, &why) || pfft3d_request_set(r, key, value, &why))
    refuse(key, &why, e);
  else
    pfft3d_request_get(r, key, spelt, size);
  pfft3d_request_destroy(&r);
  return why.status;
}

int options_put(options *o, const char *key, const char *value, pfft3d_error *e) {
  const char *old = list_find(o->wish, key);
  if (options_spell(key, value, NULL, 0, e)) return e->status;
  if (old) {
    char *from = o->wish + (old - o->wish);
    const char *next = old + strcspn(old, " ") + 1;
    memmove(from, next, strlen(next) + 1);
  }
  size_t used = strlen(o->wish), room = sizeof o->wish - used;
  if (strchr(value, ' ') || strlen(value) >= FILE_SIZE || strlen(key) + strlen(value) + 2 >= room)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': longer than %d characters, or with blanks",
                    key, value, FILE_SIZE - 1);
  snprintf(o->wish + used, room, "%s=%s ", key, value);
  return PFFT3D_OK;
}

/* The value of a key, which ends with a blank; "" if it is not set. */
static const char *value_of(const options *o, const char *key) {
  const char *found = list_find(o->wish, key);
  return found ? found + strlen(key) + 1 : "";
}

const char *options_key(const options *o, const char *key, char value[FILE_SIZE]) {
  const char *found = value_of(o, key);
  snprintf(value, FILE_SIZE, "%.*s", (int)strcspn(found, " "), found);
  return value;
}

int options_is(const options *o, const char *key, const char *word) {
  char value[FILE_SIZE];
  return strcmp(options_key(o, key, value), word) == 0;
}

long long options_number(const options *o, const char *key) {
  return strtoll(value_of(o, key), NULL, 10);
}

pfft3d_precision options_precision(const options *o) {
  return options_is(o, "precision", "single") ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
}

/* ---- problems ---- */

int options_problems(const options *o) {
  const extents_list *l = o->size_list.count ? &o->size_list : &o->grid_list;
  return l->count ? l->count : 1;
}

void options_select(options *o, int number) {
  if (number < o->size_list.count)
    o->size = o->size_list.n[number][2];
  else if (number < o->grid_list.count)
    memcpy(o->grid, o->grid_list.n[number], sizeof o->grid);
}

int options_is_device(const char *engine) {
  const char *name;
  for (int i = 0; (name = pfft3d_list_name(PFFT3D_DEVICE_ENGINES, i, NULL)); i++)
    if (strcmp(name, engine) == 0) return 1;
  return 0;
}

int options_axes(const char *key, const char *text, pfft3d_problem *p, pfft3d_error *e) {
  char problem[200];
  pfft3d_problem shape = *p;
  pfft3d_request *r = NULL;
  pfft3d_error why;
  int count = 1, axes = p->n[0] > 1 ? 3 : p->n[1] > 1 ? 2 : 1;
  if (!*text) return PFFT3D_OK;
  for (const char *at = text; *at; at++) count += *at == ',';
  if (p->dims == 1)
    axes = 1; /* a line */
  else if (count > 1 && count > axes)
    axes = count < 3 ? count : 3;
  shape.dims = axes;
  pfft3d_problem_print(&shape, problem, sizeof problem);
  if (pfft3d_request_create(&r, &why) || pfft3d_request_set(r, "problem", problem, &why) ||
      pfft3d_request_set(r, key, text, &why)) {
    refuse(key, &why, e);
  } else {
    pfft3d_request_problem(r, &shape);
    memcpy(p->axis, shape.axis, sizeof p->axis);
    memcpy(p->keep, shape.keep, sizeof p->keep);
  }
  pfft3d_request_destroy(&r);
  return why.status;
}

int options_values(const char *option, const char *text, int dims, char word[3][40],
                   pfft3d_error *e) {
  int count = 0, good = 1;
  for (const char *at = text; good; at++) {
    size_t length = strcspn(at, ",");
    good = count < dims && length > 0 && length < 40;
    if (good) snprintf(word[count++], 40, "%.*s", (int)length, at);
    at += length;
    if (!*at) break;
  }
  if (good && (count == 1 || count == dims)) return count;
  app_note(e, PFFT3D_ERR_USAGE,
           dims > 1 ? "--%s '%.80s': expected one value, or %d with commas"
                    : "--%s '%.80s': expected one value",
           option, text, dims);
  return 0;
}

int options_complex(const char *text, double v[2]) {
  char *end = NULL;
  if (!*text || strspn(text, "0123456789.eE+-i") != strlen(text)) return 0;
  double first = strtod(text, &end);
  if (end == text || !isfinite(first)) return 0;
  v[0] = first;
  v[1] = 0;
  if (!*end) return 1;
  const char *second = end;
  if (strcmp(second, "i") == 0) {
    v[0] = 0;
    v[1] = first;
    return 2;
  }
  v[1] = strtod(second, &end);
  return (*second == '+' || *second == '-') && end > second && strcmp(end, "i") == 0 &&
                 isfinite(v[1])
             ? 2
             : 0;
}

double options_length(const char *text, char **end) {
  char *rest;
  double length = strtod(text, &rest);
  if (strncmp(rest, "pi", 2) == 0) {
    length = (rest == text ? 1 : length) * 3.14159265358979323846;
    rest += 2;
  }
  *end = rest;
  return length;
}

int options_reals(const char *option, const char *text, int dims, double value[3],
                  pfft3d_error *e) {
  char word[3][40], *end;
  int count = options_values(option, text, dims, word, e);
  for (int a = 0; a < dims && count; a++)
    value[3 - dims + a] = options_length(word[count == 1 ? 0 : a], &end);
  return e->status;
}

int options_lengths(const char *text, int dims, double length[3], pfft3d_error *e) {
  return options_reals("length", text, dims, length, e);
}
