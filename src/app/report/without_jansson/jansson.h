/* SPDX-License-Identifier: BSD-3-Clause
 * In place of jansson's header in a build without it: the values that reports are made of, with the
 * names and meanings of jansson's manual, but for JSON itself, which is neither read nor written.
 * Reports are then text and CSV. */
#ifndef PF_APP_REPORT_WITHOUT_JANSSON_H
#define PF_APP_REPORT_WITHOUT_JANSSON_H

#include <stddef.h>

typedef struct json_t json_t;
typedef long long json_int_t;
typedef enum json_type {
  JSON_OBJECT,
  JSON_ARRAY,
  JSON_STRING,
  JSON_INTEGER,
  JSON_REAL,
  JSON_TRUE,
  JSON_FALSE,
  JSON_NULL
} json_type;

/* Makers return NULL without memory, for numbers that are not finite, and for text that is not
 * UTF-8.  Functions with _new at the end take the reference of the value, which may be NULL: -1
 * then. */
json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text);
json_t *json_sprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *json_integer(json_int_t value);
json_t *json_real(double value);
json_t *json_true(void);
json_t *json_false(void);
json_t *json_boolean(int value);
json_t *json_null(void);
/* The letters s s? i I f b n o O, objects and arrays, without spaces. */
json_t *json_pack(const char *format, ...);

json_t *json_incref(json_t *value);
void json_decref(json_t *value);

/* -1 for NULL */
int json_typeof(const json_t *value);
#define json_is_object(value)  (json_typeof(value) == JSON_OBJECT)
#define json_is_array(value)   (json_typeof(value) == JSON_ARRAY)
#define json_is_string(value)  (json_typeof(value) == JSON_STRING)
#define json_is_integer(value) (json_typeof(value) == JSON_INTEGER)
#define json_is_real(value)    (json_typeof(value) == JSON_REAL)
#define json_is_number(value)  (json_is_integer(value) || json_is_real(value))
#define json_is_true(value)    (json_typeof(value) == JSON_TRUE)
#define json_is_false(value)   (json_typeof(value) == JSON_FALSE)
#define json_is_boolean(value) (json_is_true(value) || json_is_false(value))
#define json_is_null(value)    (json_typeof(value) == JSON_NULL)
const char *json_string_value(const json_t *value);
json_int_t json_integer_value(const json_t *value);
double json_real_value(const json_t *value);
double json_number_value(const json_t *value);
int json_equal(const json_t *a, const json_t *b);

size_t json_array_size(const json_t *array);
json_t *json_array_get(const json_t *array, size_t index);
int json_array_append(json_t *array, json_t *value);
int json_array_append_new(json_t *array, json_t *value);
#define json_array_foreach(array, index, value) \
  for (index = 0; (value = json_array_get(array, index)) != NULL; index++)

size_t json_object_size(const json_t *object);
json_t *json_object_get(const json_t *object, const char *key);
int json_object_set(json_t *object, const char *key, json_t *value);
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_update_new(json_t *object, json_t *other);
int json_object_del(json_t *object, const char *key);
/* Ours: the key at an index, and its value; NULL beyond the last. */
const char *json_object_key(const json_t *object, size_t index);
json_t *json_object_value(const json_t *object, size_t index);
#define json_object_foreach(object, key, value)                                        \
  for (size_t value##_at = 0; (key = json_object_key(object, value##_at)) != NULL &&   \
                              (value = json_object_value(object, value##_at)) != NULL; \
       value##_at++)

#endif
