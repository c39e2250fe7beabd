/* SPDX-License-Identifier: BSD-3-Clause
 * Requests and decisions as text: one table of keys, each with the reader and the printer of its
 * value.  To add a key, add a line. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "request/problem.h"
#include "request/request.h"
#include "request/names.h"
#include "request/text.h"

enum { VALUE = 512 }; /* bytes of a printed value */

/* The texts that contain a key. */
enum {
  PROBLEM = 1,  /* printed as part of the problem */
  DECISION = 2, /* part of decisions, too */
  HIDDEN = 4    /* for tests: not listed */
};

typedef struct pf_key pf_key;
struct pf_key {
  const char *name, *alias;
  int (*read)(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e);
  void (*print)(const pf_key *k, const pfft3d_request *r, char out[VALUE]); /* "": not set */
  const char *valid; /* words of a choice, "c2c|r2c"; else the form of a value */
  size_t offset;
  long long least, most; /* bounds of numbers; for names, least is their pfft3d_list */
  int flags;
  int count;    /* of numbers, joined by "x" */
  size_t bytes; /* of each: an int or a ptrdiff_t */
};

static void *member(const pf_key *k, pfft3d_request *r) {
  return (char *)r + k->offset;
}

static const void *member_of(const pf_key *k, const pfft3d_request *r) {
  return (const char *)r + k->offset;
}

static int fail_value(const pf_key *k, const char *value, pfft3d_error *e) {
  return pf_fail(e, PFFT3D_ERR_USAGE, "%s '%.40s': must be %s", k->name, value, k->valid);
}

/* ---- choices ---- */

static int read_choice(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  char words[VALUE], *rest = words, *word;
  pf_words valid = {.typed = value};
  snprintf(words, sizeof words, "%s", k->valid);
  for (int number = 0; (word = strsep(&rest, "|")) != NULL; number++) {
    if (strcmp(word, value) == 0) {
      memcpy(member(k, r), &number, sizeof number);
      return PFFT3D_OK;
    }
    pf_words_add(&valid, word);
  }
  pf_words_hint(&valid, e);
  return pf_fail(e, PFFT3D_ERR_USAGE, "%s '%.40s': unknown; valid are %s", k->name, value,
                 valid.valid);
}

static void print_choice(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  const char *word = k->valid;
  int number;
  memcpy(&number, member_of(k, r), sizeof number);
  for (; number > 0 && *word; number--) { /* invalid values are printed, too */
    word += strcspn(word, "|");
    word += *word == '|';
  }
  snprintf(out, VALUE, "%.*s", (int)strcspn(word, "|"), word);
}

/* For one dimension, "scrambled" is another name of transposed order. */
static int read_order(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  return read_choice(k, strcmp(value, "scrambled") ? value : "transposed", r, e);
}

/* The first word has the value 1; 0: not set. */
static int read_local(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  PF_TRY(read_choice(k, value, r, e));
  r->decision.local++;
  return PFFT3D_OK;
}

static void print_local(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  pfft3d_request from_0 = *r;
  out[0] = 0;
  if (!r->decision.local) return;
  from_0.decision.local--;
  print_choice(k, &from_0, out);
}

/* ---- names of registries ---- */

static int read_name(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  return pf_name_parse((pfft3d_list)k->least, value, member(k, r), e);
}

static void print_name(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  snprintf(out, VALUE, "%.15s", (const char *)member_of(k, r));
}

/* A decomposition and a method share one member, the scheme of a decision: its name tells which of
 * them is set, even for a line with a decomposition, which is no valid request. */
static int is_method(const pfft3d_request *r) {
  if (pf_decomp_find(r->decision.scheme)) return 0;
  return pf_is_line(r) || pf_method_find(r->decision.scheme) != NULL;
}

static void print_scheme(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  out[0] = 0;
  if (is_method(r) == (k->least == PFFT3D_METHODS)) print_name(k, r, out);
}

/* ---- numbers ---- */

static int read_numbers(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  const char *at = value;
  for (int i = 0; i < k->count; i++) {
    ptrdiff_t number;
    if ((i && *at++ != 'x') || !pf_number_take(&at, k->least, k->most, &number))
      return fail_value(k, value, e);
    if (k->bytes == sizeof(int))
      ((int *)member(k, r))[i] = (int)number;
    else
      ((ptrdiff_t *)member(k, r))[i] = number;
  }
  return *at ? fail_value(k, value, e) : PFFT3D_OK;
}

/* 0: not set. */
static void print_numbers(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  const int *narrow = member_of(k, r);
  const ptrdiff_t *wide = member_of(k, r);
  size_t used = 0;
  int given = 1;
  for (int i = 0; i < k->count; i++) {
    ptrdiff_t number = k->bytes == sizeof(int) ? narrow[i] : wide[i];
    used += (size_t)snprintf(out + used, VALUE - used, "%s%td", i ? "x" : "", number);
    given = given && number;
  }
  if (!given) out[0] = 0;
}

/* The grid of slabs is redundant. */
static void print_grid(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  out[0] = 0;
  if (strcmp(r->decision.scheme, "slab") != 0 && !is_method(r)) print_numbers(k, r, out);
}

static int read_seconds(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  char *end;
  double seconds = pf_strtod(value, &end);
  if (end == value || *end || !(seconds >= (double)k->least && seconds <= (double)k->most))
    return fail_value(k, value, e);
  *(double *)member(k, r) = seconds;
  return PFFT3D_OK;
}

static void print_seconds(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  pf_locale l = pf_locale_plain();
  snprintf(out, VALUE, "%.17g", *(const double *)member_of(k, r));
  pf_locale_restore(&l);
}

/* Devices are numbered from 0; the member has the number plus 1, 0: not set. */
static int read_device(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  PF_TRY(read_numbers(k, value, r, e));
  r->device++;
  return PFFT3D_OK;
}

static void print_device(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  (void)k;
  out[0] = 0;
  if (r->device) snprintf(out, VALUE, "%d", r->device - 1);
}

/* ---- the problem ---- */

static void print_problem(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  (void)k;
  pfft3d_problem_print(&r->problem, out, VALUE);
}

static int read_problem(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  (void)k;
  r->share = (pf_share){0, 0};
  return pfft3d_problem_parse(value, &r->problem, e);
}

static int read_sizes(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  const char *at = value;
  if (!pf_sizes_parse(&at, &r->problem) || *at) return fail_value(k, value, e);
  return PFFT3D_OK;
}

static int read_dims(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  PF_TRY(read_numbers(k, value, r, e));
  for (int a = 0; a < 3 - p->dims; a++)
    PF_CHECK(p->n[a] == 1, e, PFFT3D_ERR_USAGE,
             "dims %d: the sizes are %tdx%tdx%td, the first of which must be 1", p->dims, p->n[0],
             p->n[1], p->n[2]);
  return PFFT3D_OK;
}

/* ---- cuts ---- */

static int read_cuts(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  return pf_cut_wish_read(member(k, r), value, e);
}

static void print_cuts(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  pf_cut_wish_print(member_of(k, r), out, VALUE);
}

/* ---- kinds ---- */

static void print_kinds(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  (void)k;
  pf_kinds_print(&r->problem, out, VALUE);
}

static int read_kinds(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  (void)k;
  return pf_kinds_parse(value, &r->problem, e);
}

/* ---- kept modes ---- */

static void print_keep(const pf_key *k, const pfft3d_request *r, char out[VALUE]) {
  int first = pf_problem_first(&r->problem);
  size_t used = 0;
  (void)k;
  out[0] = 0;
  for (int a = first; a < 3 && pf_problem_cut(&r->problem); a++)
    used += (size_t)snprintf(out + used, VALUE - used, "%s%td", a > first ? "," : "",
                             pf_problem_modes(&r->problem, a));
}

static int read_keep(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  (void)k;
  return pf_keep_parse(value, &r->problem, &r->share, e);
}

/* ---- the table ---- */

#define AT(m)                   offsetof(pfft3d_request, m)
#define FLAG                    "no|yes"
#define CHOICE(m, words, flags) read_choice, print_choice, words, AT(m), 0, 0, flags, 0, 0
#define NAME(m, list, flags)    read_name, print_name, NULL, AT(m), list, 0, flags, 0, 0
#define MOST_SIZE               PTRDIFF_MAX
#define NUMBERS(count, m, least, most, flags) \
  AT(m), least, most, flags, count, sizeof(((pfft3d_request *)NULL)->m) / (count)

/* clang-format off */
static const pf_key keys[] = {
  {"problem", NULL, read_problem, print_problem, "as in c2c:d:64x64x64", 0, 0, 0, PROBLEM, 0, 0},
  {"type", NULL, CHOICE(problem.kind, "c2c|r2c", PROBLEM)},
  {"precision", NULL, CHOICE(problem.precision, "double|single", PROBLEM)},
  {"size", NULL, read_sizes, print_numbers, "one to three numbers from 1 on, as in 64x64x64", NUMBERS(3, problem.n, 1, MOST_SIZE, PROBLEM)},
  {"dims", NULL, read_dims, print_numbers, "1, 2 or 3", NUMBERS(1, problem.dims, 1, 3, PROBLEM)},
  {"batch", NULL, read_numbers, print_numbers, "a number from 1 to 1048576", NUMBERS(1, problem.batch, 1, 1 << 20, PROBLEM)},
  {"layout", NULL, CHOICE(layout[PFFT3D_SPACE], "block|cyclic", 0)},
  {"out-layout", NULL, CHOICE(layout[PFFT3D_SPECTRUM], "block|cyclic", 0)},
  {"padded", NULL, CHOICE(padded, FLAG, 0)},
  {"decomp", NULL, read_name, print_scheme, NULL, AT(decision.scheme), PFFT3D_SCHEMES, 0, DECISION, 0, 0},
  {"method", NULL, read_name, print_scheme, NULL, AT(decision.scheme), PFFT3D_METHODS, 0, DECISION, 0, 0},
  {"grid", "pgrid", read_numbers, print_grid, "two numbers from 1 on, as in grid=4x2", NUMBERS(2, decision.grid, 1, INT_MAX, DECISION)},
  {"cuts", NULL, read_cuts, print_cuts, NULL, AT(cuts), 0, 0, 0, 0, 0},
  {"bricks", NULL, read_numbers, print_numbers, "three numbers from 1 on, as in bricks=2x1x2", NUMBERS(3, bricks, 1, INT_MAX, 0)},
  {"kind", NULL, read_kinds, print_kinds, "a kind for each axis, as in dct2,dct2,dft", 0, 0, 0, PROBLEM, 0, 0},
  {"sign", NULL, CHOICE(problem.sign, "-1|+1", PROBLEM)},
  {"keep", NULL, read_keep, print_keep, "modes of each axis, as in 32,32,32, or a fraction, as in 2/3", 0, 0, 0, PROBLEM, 0, 0},
  {"split", NULL, read_numbers, print_numbers, "two numbers from 1 on, as in split=4x2", NUMBERS(2, decision.split, 1, MOST_SIZE, DECISION)},
  {"exchange", "algo", NAME(decision.algo, PFFT3D_EXCHANGES, DECISION)},
  {"chunk", NULL, read_numbers, print_numbers, "a number of bytes from 1 on, as in chunk=65536", NUMBERS(1, decision.chunk, 1, MOST_SIZE, DECISION)},
  {"local", NULL, read_local, print_local, "messages|stores|auto", AT(decision.local), 0, 0, DECISION, 0, 0},
  {"engine", NULL, NAME(decision.engine, PFFT3D_ENGINES, DECISION)},
  {"device", NULL, read_device, print_device, "a number from 0 on", NUMBERS(1, device, 0, INT_MAX - 1, 0)},
  {"order", NULL, read_order, print_choice, "transposed|natural", AT(decision.order), 0, 0, DECISION, 0, 0},
  {"threads", NULL, read_numbers, print_numbers, "a number from 1 to 4096", NUMBERS(1, threads, 1, 4096, 0)},
  {"wire", NULL, CHOICE(wire, "double|single|same", 0)},
  {"deterministic", NULL, CHOICE(deterministic, FLAG, 0)},
  {"joined", NULL, CHOICE(joined, FLAG, 0)},
  {"node-ranks", NULL, read_numbers, print_numbers, "a number from 0 on", NUMBERS(1, node_ranks, 0, INT_MAX, 0)},
  {"plan-budget", NULL, read_seconds, print_seconds, "seconds, 0 or more", AT(plan_budget), 0, 1000000, 0, 0, 0},
  {"max-count", NULL, read_numbers, print_numbers, "a number from 1 on", NUMBERS(1, max_count, 1, INT_MAX, HIDDEN)},
};
/* clang-format on */
enum { KEYS = sizeof keys / sizeof keys[0] };

/* ---- reading ---- */

static int is_key(const pf_key *k, const char *word) {
  return strcmp(k->name, word) == 0 || (k->alias && strcmp(k->alias, word) == 0);
}

static int unknown_key(const char *word, int flags, pfft3d_error *e) {
  pf_words valid = {.typed = word};
  for (int i = 0; i < KEYS; i++) {
    if ((keys[i].flags & flags) != flags || keys[i].flags & HIDDEN) continue;
    pf_words_add(&valid, keys[i].name);
  }
  pf_words_hint(&valid, e);
  return pf_fail(e, PFFT3D_ERR_USAGE, "unknown key '%.30s'; valid are %s", word, valid.valid);
}

/* Sets a key that has all these flags. */
static int set(const char *name, const char *value, int flags, pfft3d_request *r, pfft3d_error *e) {
  for (int i = 0; i < KEYS; i++)
    if (is_key(&keys[i], name) && (keys[i].flags & flags) == flags)
      return keys[i].read(&keys[i], value, r, e);
  return unknown_key(name, flags, e);
}

/* Sets a word without a value: a problem, a yes/no key, or, as older versions wrote them, a
 * decomposition or a method. */
static int set_bare(const char *word, int flags, pfft3d_request *r, pfft3d_error *e) {
  if (strchr(word, ':') && !flags) return set("problem", word, flags, r, e);
  for (int i = 0; i < KEYS && !flags; i++)
    if (keys[i].valid && strcmp(keys[i].valid, FLAG) == 0 && is_key(&keys[i], word))
      return set(word, "yes", flags, r, e);
  if (pf_method_find(word)) return set("method", word, flags, r, e);
  return set("decomp", word, flags, r, e);
}

/* Words may come in any order.  These keys are read first: `problem` also sets sizes, and the
 * readers of other keys depend on all three. */
static const char *const first_keys[] = {"problem", "size", "dims"};
enum { FIRST_KEYS = sizeof first_keys / sizeof *first_keys };

static int turn_of(const char *word) {
  size_t length = strcspn(word, "=");
  if (!word[length]) return strchr(word, ':') ? 0 : FIRST_KEYS;
  for (int k = 0; k < FIRST_KEYS; k++)
    if (strlen(first_keys[k]) == length && !strncmp(word, first_keys[k], length)) return k;
  return FIRST_KEYS;
}

/* Reads the words of a text that belong to round `turn`, restricted to keys with these flags. */
static int read_turn(const char *text, int turn, int flags, pfft3d_request *r, pfft3d_error *e) {
  static const char blanks[] = " \t\r\n";
  char word[VALUE + 64];
  for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
    size_t length = strcspn(text, blanks);
    PF_CHECK(length < sizeof word, e, PFFT3D_ERR_USAGE, "'%.40s...': longer than %zu characters",
             text, sizeof word - 1);
    memcpy(word, text, length);
    word[length] = 0;
    text += length;
    if (turn_of(word) != turn) continue;
    char *equals = strchr(word, '=');
    if (equals) *equals = 0;
    PF_TRY(equals ? set(word, equals + 1, flags, r, e) : set_bare(word, flags, r, e));
  }
  return PFFT3D_OK;
}

static int read_words(const char *text, int flags, pfft3d_request *r, pfft3d_error *e) {
  for (int turn = 0; turn <= FIRST_KEYS; turn++) PF_TRY(read_turn(text, turn, flags, r, e));
  return PFFT3D_OK;
}

/* Replaces a request by its changed copy, which has references to its cuts, or drops the copy after
 * a failure. */
static void replace_request(pfft3d_request *request, pfft3d_request *changed, int failed) {
  pf_cut_wish_drop(failed ? &changed->cuts : &request->cuts);
  pf_keep_share(&changed->share, &changed->problem); /* sizes and kinds may have changed */
  if (!failed) *request = *changed;
}

int pfft3d_request_set(pfft3d_request *request, const char *key, const char *value,
                       pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (pf_request_valid(request, &e)) return pf_error_out(&e, error);
  pfft3d_request changed = *request;
  pf_cut_wish_hold(&changed.cuts);
  if (!key || !value)
    pf_fail(&e, PFFT3D_ERR_USAGE, "request: the %s is NULL", key ? "value" : "key");
  else
    set(key, value, 0, &changed, &e);
  replace_request(request, &changed, e.status);
  return pf_error_out(&e, error);
}

int pfft3d_request_parse(pfft3d_request *request, const char *text, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (pf_request_valid(request, &e)) return pf_error_out(&e, error);
  pfft3d_request parsed = *request;
  pf_cut_wish_hold(&parsed.cuts);
  if (text)
    read_words(text, 0, &parsed, &e);
  else
    pf_fail(&e, PFFT3D_ERR_USAGE, "request: the text is NULL");
  replace_request(request, &parsed, e.status);
  return pf_error_out(&e, error);
}

int pfft3d_decision_parse(const char *text, pfft3d_decision *d, pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_request r;
  pf_error_clear(&e);
  if (!text || !d) {
    pf_fail(&e, PFFT3D_ERR_USAGE, "decision: the %s is NULL", text ? "struct" : "text");
    return pf_error_out(&e, error);
  }
  pf_request_init(&r);
  r.decision = *d;
  if (!read_words(text, DECISION, &r, &e)) *d = r.decision;
  return pf_error_out(&e, error);
}

/* ---- printing ---- */

static void append(char *out, size_t size, const char *name, const char *value) {
  size_t used = strlen(out);
  snprintf(out + used, size - used, "%s%s=%s", used ? " " : "", name, value);
}

char *pfft3d_request_print(const pfft3d_request *request, char *out, size_t size) {
  pfft3d_request usual;
  char value[VALUE], normal[VALUE];
  if (pf_request_valid(request, NULL) || !out || !size) return NULL;
  pf_request_init(&usual);
  usual.problem = request->problem;
  pfft3d_problem_print(&request->problem, out, size);
  for (int i = 0; i < KEYS; i++) {
    if (keys[i].flags & PROBLEM) continue;
    keys[i].print(&keys[i], request, value);
    keys[i].print(&keys[i], &usual, normal);
    if (value[0] && strcmp(value, normal) != 0) append(out, size, keys[i].name, value);
  }
  return out;
}

char *pfft3d_request_get(const pfft3d_request *request, const char *key, char *out, size_t size) {
  char value[VALUE];
  if (pf_request_valid(request, NULL) || !key || !out || !size) return NULL;
  for (int i = 0; i < KEYS; i++)
    if (is_key(&keys[i], key)) {
      keys[i].print(&keys[i], request, value);
      snprintf(out, size, "%s", value);
      return out;
    }
  return NULL;
}

char *pfft3d_decision_print(const pfft3d_decision *d, char *out, size_t size) {
  pfft3d_request r;
  char value[VALUE];
  if (!d || !out || !size) return NULL;
  pf_request_init(&r);
  r.decision = *d;
  out[0] = 0;
  for (int i = 0; i < KEYS; i++) {
    if (!(keys[i].flags & DECISION)) continue;
    keys[i].print(&keys[i], &r, value);
    if (value[0]) append(out, size, keys[i].name, value);
  }
  return out;
}
