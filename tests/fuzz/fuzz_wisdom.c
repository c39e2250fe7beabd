/* SPDX-License-Identifier: BSD-3-Clause
 * Files of wisdom.  The first byte says what the others are:
 *
 *   f  a file: what is taken for whole is, byte for byte, what would be written
 *   e  lines of one, which get the right checksums: likewise, and with one byte of it changed the
 *      file is never taken for whole
 *   l  what was asked and answered, for a question that is asked then: the answer is found */
#include <string.h>

#include "fuzz.h"
#include "request/request.h"
#include "planner/wisdom.h"

enum { RANKS = 4, MOST = 8192 };

/* Whether a text is whole; if so, *w has its entries. */
static int parse(const char *text, size_t length, pfft3d_wisdom *w) {
  pf_wisdom_verdict v = {0};
  pfft3d_error e = {0};
  char *copy = malloc(length ? length : 1); /* so that tools see its end */
  if (!copy) exit(99);
  memcpy(copy, text, length);
  *w = (pfft3d_wisdom){0};
  MUST(!pf_wisdom_parse(copy, length, w, &v, &e), "%s", e.text);
  free(copy);
  MUST((v.state == PF_WISDOM_WHOLE) == !v.why[0], "state %d: '%s'", (int)v.state, v.why);
  MUST(v.state == PF_WISDOM_WHOLE || (w->count == 0 && !w->entry), "%d entries: %s", w->count,
       v.why);
  return v.state == PF_WISDOM_WHOLE;
}

/* What is whole is what would be written. */
static int try_file(const char *text, size_t length) {
  pfft3d_wisdom w;
  size_t again;
  int whole = parse(text, length, &w);
  if (whole) {
    char *copy = pf_wisdom_print(&w, &again);
    MUST(copy && again == length && memcmp(copy, text, length) == 0, "%zu bytes, then %zu", length,
         again);
    free(copy);
  }
  free(w.entry);
  return whole;
}

/* ---- files with the right checksums ---- */

static unsigned long long fnv(const char *text, size_t length) {
  unsigned long long h = 14695981039346656037u;
  for (size_t k = 0; k < length; k++) h = (h ^ (unsigned char)text[k]) * 1099511628211u;
  return h;
}

/* Makes a file of lines in `out`; its length. */
static size_t forge(const char *lines, size_t length, char out[2 * MOST]) {
  size_t used = (size_t)sprintf(out, "pfft3d-wisdom 2\n");
  int count = 0;
  for (size_t at = 0; at < length && used < MOST; count++) {
    const char *end = memchr(lines + at, '\n', length - at);
    size_t size = end ? (size_t)(end - lines) - at : length - at;
    memcpy(out + used, lines + at, size);
    used += size;
    used += (size_t)sprintf(out + used, " check=%016llx\n", fnv(out + used - size, size));
    at += size + 1;
  }
  return used + (size_t)sprintf(out + used, "end count=%d check=%016llx\n", count, fnv(out, used));
}

static void try_entries(const uint8_t *data, size_t size) {
  char text[2 * MOST];
  bytes b = {data, data + size};
  size_t place = take_byte(&b) << 8;
  place |= take_byte(&b);
  unsigned change = take_byte(&b);
  size_t length = forge((const char *)b.at, (size_t)(b.end - b.at), text);
  try_file(text, length);
  text[place % length] ^= (char)(change ? change : 1);
  MUST(!try_file(text, length), "byte %zu was changed, and the file is whole", place % length);
}

/* ---- answers ---- */

static pfft3d_request make_request(unsigned kind) {
  static const char *const algo[] = {"auto", "packed", "slabs", "pencils"};
  pfft3d_request r;
  pf_request_init(&r);
  r.problem.dims = kind & 1 ? 1 : 3;
  r.problem.n[0] = r.problem.n[1] = pf_is_line(&r) ? 1 : 8;
  r.problem.n[2] = pf_is_line(&r) ? 4096 : 8;
  r.problem.kind = kind & 2 ? PFFT3D_R2C : PFFT3D_C2C;
  strcpy(r.decision.algo, algo[kind >> 2 & 3]);
  r.decision.order = kind & 16 ? PFFT3D_NATURAL : PFFT3D_TRANSPOSED;
  r.node_ranks = kind & 32 ? 2 : RANKS;
  return r;
}

/* Words of the input, into a field of an entry. */
static void take_words(bytes *b, char *field, size_t size) {
  size_t used = 0;
  for (unsigned c; (c = take_byte(b)) != 0 && c != '\n';)
    if (used + 1 < size) field[used++] = (char)c;
  field[used] = 0;
}

static void try_lookup(const uint8_t *data, size_t size) {
  static pf_wisdom_entry entry = {.nanoseconds = 5, .date = "2026-01-01T00:00:00Z"};
  bytes b = {data, data + size};
  pfft3d_request r = make_request(take_byte(&b));
  pfft3d_wisdom w = {0};
  pfft3d_explanation x;
  pfft3d_error e = {0};
  pf_wisdom_question(&r, RANKS, entry.question, sizeof entry.question);
  while (b.at < b.end && w.count < 8) {
    take_words(&b, entry.asked, sizeof entry.asked);
    take_words(&b, entry.decision, sizeof entry.decision);
    MUST(!pf_wisdom_put(&w, &entry, &e), "%s", e.text);
  }
  pfft3d_decision d = r.decision;
  if (pf_wisdom_find(&w, RANKS, &r, &d)) {
    char text[256];
    MUST(d.order == r.decision.order, "order %d", (int)d.order);
    MUST(!strcmp(r.decision.algo, "auto") || !strcmp(r.decision.algo, d.algo), "algo %s", d.algo);
    r.decision = d;
    MUST(!pfft3d_explain(&r, RANKS, &x, sizeof x, &e), "%s: %s",
         pfft3d_decision_print(&d, text, sizeof text), e.text);
  }
  free(w.entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > MOST) return -1;
  if (data[0] == 'f') try_file((const char *)data + 1, size - 1);
  if (data[0] == 'e') try_entries(data + 1, size - 1);
  if (data[0] == 'l') try_lookup(data + 1, size - 1);
  return 0;
}
