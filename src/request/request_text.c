/* SPDX-License-Identifier: BSD-3-Clause
 * Requests and decisions as text, and what else walks the table of keys. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "request/keys.h"
#include "request/names.h"
#include "request/text.h"

/* ---- reading ---- */

static int is_key(const pf_key *k, const char *word) {
  return strcmp(k->name, word) == 0 || (k->alias && strcmp(k->alias, word) == 0);
}

/* The key of a word, or NULL. */
static const pf_key *find_key(const char *word) {
  for (const pf_key *k = pf_keys; k->name; k++)
    if (k->read && is_key(k, word)) return k;
  return NULL;
}

static int unknown_key(const char *word, int flags, pfft3d_error *e) {
  pf_words valid = {.typed = word};
  for (const pf_key *k = pf_keys; k->name; k++) {
    if (!k->read || (k->flags & flags) != flags || k->flags & PF_KEY_HIDDEN) continue;
    pf_words_add(&valid, k->name);
    if (k->alias) pf_words_try(&valid, k->alias);
  }
  pf_words_hint(&valid, e);
  return pf_fail(e, PFFT3D_ERR_USAGE, "unknown key '%.30s'; valid are %s", word, valid.valid);
}

/* Sets a key that has all these flags. */
static int set(const char *name, const char *value, int flags, pfft3d_request *r, pfft3d_error *e) {
  const pf_key *k = find_key(name);
  return k && (k->flags & flags) == flags ? k->read(k, value, r, e) : unknown_key(name, flags, e);
}

/* Sets a word without a value: a problem, a yes/no key, or, as older versions wrote them, a
 * decomposition or a method. */
static int set_bare(const char *word, int flags, pfft3d_request *r, pfft3d_error *e) {
  if (strchr(word, ':') && !flags) return set("problem", word, flags, r, e);
  const pf_key *k = flags ? NULL : find_key(word);
  if (k && k->valid && strcmp(k->valid, PF_KEY_FLAG) == 0) return set(word, "yes", flags, r, e);
  if (pf_method_find(word)) return set("method", word, flags, r, e);
  return set("decomp", word, flags, r, e);
}

/* Words may come in any order.  These keys are read first: `problem` also sets sizes, and the
 * readers of other keys depend on all three. */
static const char *const first_keys[] = {"problem", "size", "dims"};
enum { FIRST_KEYS = sizeof first_keys / sizeof *first_keys };

static int round_of(const char *word) {
  size_t length = strcspn(word, "=");
  if (!word[length]) return strchr(word, ':') ? 0 : FIRST_KEYS;
  for (int k = 0; k < FIRST_KEYS; k++)
    if (strlen(first_keys[k]) == length && !strncmp(word, first_keys[k], length)) return k;
  return FIRST_KEYS;
}

/* Reads the words of a text that belong to this round, restricted to keys with these flags. */
static int read_round(const char *text, int round, int flags, pfft3d_request *r, pfft3d_error *e) {
  static const char blanks[] = " \t\r\n";
  char word[PF_VALUE + 64];
  for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
    size_t length = strcspn(text, blanks);
    PF_CHECK(length < sizeof word, e, PFFT3D_ERR_USAGE, "'%.40s...': longer than %zu characters",
             text, sizeof word - 1);
    memcpy(word, text, length);
    word[length] = 0;
    text += length;
    if (round_of(word) != round) continue;
    char *equals = strchr(word, '=');
    if (equals) *equals = 0;
    PF_TRY(equals ? set(word, equals + 1, flags, r, e) : set_bare(word, flags, r, e));
  }
  return PFFT3D_OK;
}

static int read_words(const char *text, int flags, pfft3d_request *r, pfft3d_error *e) {
  for (int round = 0; round <= FIRST_KEYS; round++) PF_TRY(read_round(text, round, flags, r, e));
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
  if (!read_words(text, PF_KEY_DECISION, &r, &e)) *d = r.decision;
  return pf_error_out(&e, error);
}

/* ---- printing ---- */

static void append(char *out, size_t size, const char *name, const char *value) {
  size_t used = strlen(out);
  snprintf(out + used, size - used, "%s%s=%s", used ? " " : "", name, value);
}

char *pfft3d_request_print(const pfft3d_request *request, char *out, size_t size) {
  pfft3d_request usual;
  char value[PF_VALUE], normal[PF_VALUE];
  if (pf_request_valid(request, NULL) || !out || !size) return NULL;
  pf_request_init(&usual);
  usual.problem = request->problem;
  pfft3d_problem_print(&request->problem, out, size);
  for (const pf_key *k = pf_keys; k->name; k++) {
    if (!k->read || k->flags & PF_KEY_PROBLEM) continue;
    k->print(k, request, value);
    k->print(k, &usual, normal);
    if (value[0] && strcmp(value, normal) != 0) append(out, size, k->name, value);
  }
  return out;
}

char *pfft3d_request_get(const pfft3d_request *request, const char *key, char *out, size_t size) {
  char value[PF_VALUE];
  if (pf_request_valid(request, NULL) || !key || !out || !size) return NULL;
  const pf_key *k = find_key(key);
  if (!k) return NULL;
  k->print(k, request, value);
  snprintf(out, size, "%s", value);
  return out;
}

char *pfft3d_decision_print(const pfft3d_decision *d, char *out, size_t size) {
  pfft3d_request r;
  char value[PF_VALUE];
  if (!d || !out || !size) return NULL;
  pf_request_init(&r);
  r.decision = *d;
  out[0] = 0;
  for (const pf_key *k = pf_keys; k->name; k++) {
    if (!(k->flags & PF_KEY_DECISION)) continue;
    k->print(k, &r, value);
    if (value[0]) append(out, size, k->name, value);
  }
  return out;
}

/* ---- questions of wisdom ---- */

void pf_keys_question(const pfft3d_request *r, char *out, size_t size) {
  char value[PF_VALUE], usual[PF_VALUE], all[2048] = "";
  pfft3d_request none;
  size_t used = 0;
  pf_request_init(&none);
  for (const pf_key *k = pf_keys; k->name; k++) {
    if (!(k->flags & PF_KEY_ASK)) continue;
    k->print(k, r, value);
    k->print(k, &none, usual);
    if (strcmp(value, usual) != 0)
      used += (size_t)snprintf(all + used, sizeof all - used, " %s=%s", k->name, value);
  }
  if (used < size)
    memcpy(out, all, used + 1);
  else
    snprintf(out, size, " keys=%016llx", pf_hash(PF_HASH_START, all, used));
}

/* ---- agreement ---- */

/* Names the first key whose value differs from that of rank 0. */
static int name_difference(MPI_Comm comm, const pfft3d_request *r, pfft3d_error *e) {
  char mine[PF_VALUE], root[PF_VALUE];
  for (const pf_key *k = pf_keys; k->name; k++) {
    k->print(k, r, mine);
    memcpy(root, mine, sizeof mine);
    int code = MPI_Bcast(root, PF_VALUE, MPI_CHAR, 0, comm); /* on ranks that differ, too */
    if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Bcast");
    if (strcmp(mine, root))
      pf_fail(e, PFFT3D_ERR_INTERNAL,
              "ranks disagree on the plan: %s is '%.180s' here, '%.180s' on rank 0", k->name, mine,
              root);
  }
  return pf_agree(comm, e);
}

int pf_keys_agree(MPI_Comm comm, const pfft3d_request *r, pfft3d_error *e) {
  char value[PF_VALUE];
  unsigned long long hash = PF_HASH_START;
  int same = 0;
  for (const pf_key *k = pf_keys; k->name; k++) {
    k->print(k, r, value);
    hash = pf_hash(hash, value, strlen(value) + 1);
  }
  PF_TRY(pf_same_hash(comm, hash, &same, e));
  return same ? PFFT3D_OK : name_difference(comm, r, e);
}
