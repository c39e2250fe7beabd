/* SPDX-License-Identifier: BSD-3-Clause
 * The values of reports in a build without jansson.  Arrays, and objects, which keep the order of
 * their keys, are lists: those of reports are short. */
#include "app/report/without_jansson/jansson.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json_t {
  json_type type;
  int references;
  json_int_t integer;
  double real;
  char *text;
  size_t count;   /* of an array or an object */
  json_t **value; /* allocated: a power of two */
  char **key;     /* of an object */
};

/* ---- Single values ------------------------------------------------------------------------ */

static json_t *make(json_type type) {
  json_t *v = calloc(1, sizeof *v);
  if (v) {
    v->type = type;
    v->references = 1;
  }
  return v;
}

json_t *json_object(void) {
  return make(JSON_OBJECT);
}

json_t *json_array(void) {
  return make(JSON_ARRAY);
}

json_t *json_true(void) {
  return make(JSON_TRUE);
}

json_t *json_false(void) {
  return make(JSON_FALSE);
}

json_t *json_boolean(int value) {
  return make(value ? JSON_TRUE : JSON_FALSE);
}

json_t *json_null(void) {
  return make(JSON_NULL);
}

json_t *json_integer(json_int_t value) {
  json_t *v = make(JSON_INTEGER);
  if (v) v->integer = value;
  return v;
}

json_t *json_real(double value) {
  json_t *v = isfinite(value) ? make(JSON_REAL) : NULL;
  if (v) v->real = value;
  return v;
}

/* The bytes of the character at c, 0 if it is not UTF-8 (RFC 3629, section 4). */
static size_t character(const unsigned char *c) {
  static const struct {
    unsigned char first, last, low, high; /* of the first byte; of the second one */
    size_t bytes;
  } forms[] = {
      {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    if (*c < forms[k].first || *c > forms[k].last) continue;
    if (forms[k].bytes > 1 && (c[1] < forms[k].low || c[1] > forms[k].high)) return 0;
    for (size_t i = 2; i < forms[k].bytes; i++)
      if (c[i] < 0x80 || c[i] > 0xbf) return 0;
    return forms[k].bytes;
  }
  return 0;
}

json_t *json_string(const char *text) {
  if (!text) return NULL;
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    size_t bytes = character(c);
    if (!bytes) return NULL;
    c += bytes;
  }
  json_t *v = make(JSON_STRING);
  if (v) v->text = strdup(text);
  if (v && !v->text) {
    free(v);
    return NULL;
  }
  return v;
}

json_t *json_sprintf(const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(list);
  json_t *v = json_string(text);
  free(text);
  return v;
}

json_t *json_incref(json_t *v) {
  if (v) v->references++;
  return v;
}

void json_decref(json_t *v) {
  if (!v || --v->references > 0) return;
  for (size_t k = 0; k < v->count; k++) {
    json_decref(v->value[k]);
    if (v->key) free(v->key[k]);
  }
  free(v->value);
  free(v->key);
  free(v->text);
  free(v);
}

int json_typeof(const json_t *v) {
  return v ? (int)v->type : -1;
}

const char *json_string_value(const json_t *v) {
  return json_is_string(v) ? v->text : NULL;
}

json_int_t json_integer_value(const json_t *v) {
  return json_is_integer(v) ? v->integer : 0;
}

double json_real_value(const json_t *v) {
  return json_is_real(v) ? v->real : 0;
}

double json_number_value(const json_t *v) {
  return json_is_integer(v) ? (double)v->integer : json_real_value(v);
}

int json_equal(const json_t *a, const json_t *b) {
  if (!a || !b || a->type != b->type || a->count != b->count || a->integer != b->integer ||
      a->real != b->real || (a->text && strcmp(a->text, b->text) != 0))
    return 0;
  for (size_t k = 0; k < a->count; k++)
    if (!json_equal(a->value[k], a->key ? json_object_get(b, a->key[k]) : b->value[k])) return 0;
  return 1;
}

/* ---- Arrays and objects ------------------------------------------------------------------- */

/* Appends a value whose reference it takes; the key is NULL in an array. */
static int append(json_t *list, const char *key, json_t *value) {
  size_t n = list->count, room = 2 * n;
  char *name = key ? strdup(key) : NULL;
  int ok = value && (!key || name);
  if (ok && (n & (n - 1)) == 0) { /* 0, or full */
    if (!room) room = 1;
    json_t **values = realloc(list->value, room * sizeof(json_t *));
    if (values) list->value = values;
    char **keys = key ? realloc(list->key, room * sizeof(char *)) : NULL;
    if (keys) list->key = keys;
    ok = values && (!key || keys);
  }
  if (!ok) {
    free(name);
    json_decref(value);
    return -1;
  }
  list->value[n] = value;
  if (key) list->key[n] = name;
  list->count++;
  return 0;
}

size_t json_array_size(const json_t *array) {
  return json_is_array(array) ? array->count : 0;
}

json_t *json_array_get(const json_t *array, size_t index) {
  return index < json_array_size(array) ? array->value[index] : NULL;
}

int json_array_append_new(json_t *array, json_t *value) {
  if (json_is_array(array)) return append(array, NULL, value);
  json_decref(value);
  return -1;
}

int json_array_append(json_t *array, json_t *value) {
  return json_array_append_new(array, json_incref(value));
}

size_t json_object_size(const json_t *object) {
  return json_is_object(object) ? object->count : 0;
}

const char *json_object_key(const json_t *object, size_t index) {
  return index < json_object_size(object) ? object->key[index] : NULL;
}

json_t *json_object_value(const json_t *object, size_t index) {
  return index < json_object_size(object) ? object->value[index] : NULL;
}

/* The index of a key, the size if there is none. */
static size_t find(const json_t *object, const char *key) {
  size_t k = 0;
  while (k < json_object_size(object) && strcmp(object->key[k], key) != 0) k++;
  return k;
}

json_t *json_object_get(const json_t *object, const char *key) {
  size_t k = find(object, key);
  return k < json_object_size(object) ? object->value[k] : NULL;
}

int json_object_set_new(json_t *object, const char *key, json_t *value) {
  size_t k = find(object, key);
  if (!value || !json_is_object(object)) {
    json_decref(value);
    return -1;
  }
  if (k == object->count) return append(object, key, value);
  json_decref(object->value[k]);
  object->value[k] = value;
  return 0;
}

int json_object_set(json_t *object, const char *key, json_t *value) {
  return json_object_set_new(object, key, json_incref(value));
}

int json_object_update_new(json_t *object, json_t *other) {
  int failed = !json_is_object(object) || !json_is_object(other);
  for (size_t k = 0; !failed && k < other->count; k++)
    failed = json_object_set(object, other->key[k], other->value[k]) != 0;
  json_decref(other);
  return failed ? -1 : 0;
}

int json_object_del(json_t *object, const char *key) {
  size_t k = find(object, key);
  if (k == json_object_size(object)) return -1;
  json_t *value = object->value[k];
  free(object->key[k]);
  for (; k + 1 < object->count; k++) {
    object->value[k] = object->value[k + 1];
    object->key[k] = object->key[k + 1];
  }
  object->count--;
  json_decref(value);
  return 0;
}

/* ---- json_pack() -------------------------------------------------------------------------- */

typedef struct packing {
  const char *at;
  va_list list;
  int failed;
} packing;

static json_t *pack(packing *p);

/* The members up to the bracket that ends them. */
static json_t *pack_members(packing *p, char end) {
  json_t *all = end == '}' ? json_object() : json_array();
  while (*p->at && *p->at != end) {
    const char *key = NULL;
    if (end == '}') {
      key = va_arg(p->list, const char *);
      p->at += strlen("s:");
    }
    json_t *v = pack(p);
    int bad = key ? json_object_set_new(all, key, v) : json_array_append_new(all, v);
    if (bad) p->failed = 1;
    if (*p->at == ',') p->at++;
  }
  p->at++;
  return all;
}

static json_t *pack(packing *p) {
  switch (*p->at++) {
    case '{': return pack_members(p, '}');
    case '[': return pack_members(p, ']');
    case 's': {
      const char *text = va_arg(p->list, const char *);
      if (*p->at != '?') return json_string(text);
      p->at++;
      return text ? json_string(text) : json_null();
    }
    case 'i': return json_integer(va_arg(p->list, int));
    case 'I': return json_integer(va_arg(p->list, json_int_t));
    case 'f': return json_real(va_arg(p->list, double));
    case 'b': return json_boolean(va_arg(p->list, int));
    case 'n': return json_null();
    case 'o': return va_arg(p->list, json_t *);
    case 'O': return json_incref(va_arg(p->list, json_t *));
    default: p->failed = 1; return NULL;
  }
}

json_t *json_pack(const char *format, ...) {
  packing p = {.at = format};
  va_start(p.list, format);
  json_t *v = pack(&p);
  va_end(p.list);
  if (!p.failed) return v;
  json_decref(v);
  return NULL;
}
