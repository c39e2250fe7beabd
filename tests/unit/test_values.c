/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The values that reports are made of, as text: those of jansson, and once more, with -DOWN, those
 * that take its place in a build without it (app/report/without_jansson). */
#include <float.h>
#include <string.h>

#ifdef OWN
#include "app/report/without_jansson/jansson.h"
#else
#include <jansson.h>
#endif

#include "check.h"

typedef struct text {
  char all[4096];
  size_t used;
} text;

static void add(text *t, const char *words) {
  t->used += (size_t)snprintf(t->all + t->used, sizeof t->all - t->used, "%s", words);
}

static void put(text *t, const json_t *v) {
  char number[64];
  size_t i;
  const char *key;
  json_t *member;
  if (json_is_object(v)) {
    add(t, "{");
    json_object_foreach((json_t *)v, key, member) {
      add(t, key);
      add(t, ":");
      put(t, member);
      add(t, ";");
    }
    add(t, "}");
  }
  if (json_is_array(v)) {
    add(t, "[");
    json_array_foreach(v, i, member) {
      put(t, member);
      add(t, ";");
    }
    add(t, "]");
  }
  if (json_is_string(v)) add(t, json_string_value(v));
  snprintf(number, sizeof number, "%lld", (long long)json_integer_value(v));
  if (json_is_integer(v)) add(t, number);
  snprintf(number, sizeof number, "%.17g", json_real_value(v));
  if (json_is_real(v)) add(t, number);
  if (json_is_boolean(v)) add(t, json_is_true(v) ? "true" : "false");
  if (json_is_null(v)) add(t, "null");
}

/* Frees the value. */
static void expect(json_t *v, const char *wanted) {
  text t = {.used = 0};
  put(&t, v);
  CHECK(strcmp(t.all, wanted) == 0, "'%s' instead of '%s'", t.all, wanted);
  json_decref(v);
}

static void test_single(void) {
  json_t *number = json_integer(3), *real = json_real(0.25), *word = json_string("no");
  CHECK(json_number_value(number) == 3 && json_number_value(real) == 0.25, "numbers");
  CHECK(json_is_number(number) && json_is_number(real) && !json_is_number(word), "kinds");
  CHECK(json_number_value(word) == 0 && !json_string_value(number) && !json_is_string(number),
        "else");
  CHECK(!json_is_real(number) && !json_is_integer(real) && !json_is_object(word), "else");
  json_decref(number);
  json_decref(real);
  json_decref(word);
  expect(json_integer(-4611686018427387904LL), "-4611686018427387904");
  expect(json_real(DBL_MAX), "1.7976931348623157e+308");
  CHECK(!json_real((double)NAN) && !json_real(-HUGE_VAL), "no number");
  expect(json_sprintf("%s of %d %%", "part", 7), "part of 7 %");
}

static void test_text(void) {
  static const char *const right[] = {"",       "a",          "\u00e9",
                                      "\u20ac", "\U0001f600", "\xf4\x8f\xbf\xbf"};
  static const char *const wrong[] = {"\x80",
                                      "\xc3",
                                      "\xc0\xaf",
                                      "\xe0\x80\xaf",
                                      "\xed\xa0\x80",
                                      "\xf0\x80\x80\xaf",
                                      "\xf4\x90\x80\x80",
                                      "a\xff",
                                      "\xe2\x82",
                                      "\xf8\x88\x80\x80\x80"};
  for (size_t k = 0; k < sizeof right / sizeof *right; k++) expect(json_string(right[k]), right[k]);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    CHECK(!json_string(wrong[k]), "text %zu is not UTF-8", k);
  CHECK(!json_string(NULL), "no text");
}

/* Lists longer than one, with each length on the way. */
static void test_lists(void) {
  char key[16], wanted[1024] = "{", *end = wanted + 1;
  json_t *list = json_array(), *object = json_object(), *shared = json_string("x");
  for (int k = 0; k < 40; k++) {
    snprintf(key, sizeof key, "k%d", k);
    CHECK(!json_array_append_new(list, json_integer(k)), "append");
    CHECK(!json_object_set_new(object, key, json_integer(k)), "set");
    CHECK(json_array_size(list) == (size_t)k + 1 && json_object_size(object) == (size_t)k + 1,
          "size");
    CHECK(json_integer_value(json_array_get(list, (size_t)k)) == k, "%d", k);
    if (k % 3 == 0) CHECK(!json_object_del(object, key), "del %s", key);
    if (k % 3 == 0) CHECK(!json_object_set_new(object, key, json_integer(-k)), "set %s", key);
    end += sprintf(end, "%s:%d;", key, k % 3 == 0 ? -k : k);
  }
  CHECK(!json_array_get(list, 40) && !json_object_get(object, "k40"), "beyond");
  CHECK(json_object_del(object, "k40") == -1, "no key");
  CHECK(json_array_append_new(list, NULL) == -1 && json_object_set_new(object, "n", NULL) == -1,
        "NULL");
  CHECK(json_array_append_new(object, json_null()) == -1, "no array");
  CHECK(json_object_set_new(list, "n", json_null()) == -1, "no object");
  CHECK(json_array_size(object) == 0 && json_object_size(list) == 0 && json_array_size(NULL) == 0,
        "no lists");
  snprintf(end, 2, "}");
  expect(object, wanted);
  json_decref(list);
  list = json_array();
  json_array_append(list, shared);
  json_array_append(list, shared);
  object = json_object();
  json_object_set(object, "a", shared);
  json_object_set_new(object, "list", list);
  json_object_set(object, "a", shared);
  json_decref(shared);
  expect(object, "{a:x;list:[x;x;];}");
}

static void test_objects(void) {
  json_t *a = json_pack("{s:i,s:i}", "one", 1, "two", 2),
         *b = json_pack("{s:i,s:i}", "two", 2, "one", 1);
  CHECK(json_equal(a, b) && !json_equal(a, NULL), "the order of keys");
  json_object_set_new(b, "one", json_real(1));
  CHECK(!json_equal(a, b), "1 and 1.0");
  expect(json_incref(b), "{two:2;one:1;}");
  CHECK(!json_object_update_new(a, b), "update");
  json_object_update_new(a, json_pack("{s:n}", "three"));
  CHECK(json_object_update_new(a, json_array()) == -1, "no object");
  expect(a, "{one:1;two:2;three:null;}");
  a = json_pack("[s,[i],{s:b}]", "x", 4, "y", 1);
  b = json_pack("[s,[i],{s:b}]", "x", 4, "y", 1);
  CHECK(json_equal(a, b), "equal");
  json_array_append_new(b, json_real(1));
  CHECK(!json_equal(a, b), "longer");
  json_array_append_new(a, json_real(2));
  CHECK(!json_equal(a, b), "1.0 and 2.0");
  json_object_set_new(json_array_get(b, 2), "y", json_false());
  CHECK(!json_equal(a, b), "deep");
  json_decref(a);
  json_decref(b);
  a = json_pack("{s:i,s:i,s:i,s:i,s:i}", "a", 1, "b", 2, "c", 3, "d", 4, "e", 5);
  CHECK(!json_object_del(a, "b") && !json_object_del(a, "a"), "del");
  json_object_set_new(a, "b", json_integer(6));
  expect(a, "{c:3;d:4;e:5;b:6;}");
}

static void test_pack(void) {
  json_t *kept = json_integer(5);
  expect(
      json_pack("{s:s,s:[f,f],s:I,s:{s:o,s:O},s:b,s:n,s:[],s:s?,s:s?}", "text", "word", "pair", 0.5,
                -2.0, "long", (json_int_t)1 << 40, "in", "o", json_true(), "O", kept, "b", 0, "n",
                "e", "none", NULL, "some", "s"),
      "{text:word;pair:[0.5;-2;];long:1099511627776;in:{o:true;O:5;};b:false;n:null;e:[];none:null;"
      "some:s;}");
  expect(kept, "5");
  CHECK(!json_pack("{s:f}", "a", (double)NAN) && !json_pack("[i,s]", 1, "\xff"), "what cannot be");
  CHECK(!json_pack("{s:i,s:o,s:i}", "a", 1, "b", NULL, "c", 2), "NULL");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_single();
  test_text();
  test_lists();
  test_objects();
  test_pack();
  return check_result();
}
