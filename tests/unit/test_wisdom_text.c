/* SPDX-License-Identifier: BSD-3-Clause
 * ranks: 1
 * The text of wisdom: what was written is read again; nothing else is, whichever byte is changed
 * and wherever it is cut off, and nothing that only carries the right checksums. */
#include <ctype.h>

#include "planner/wisdom.h"
#include "support.h"

enum { ENTRIES = 3 };

static pf_wisdom_entry make_entry(int number, int day) {
  pf_wisdom_entry entry = {.nanoseconds = 1000 + number};
  snprintf(entry.question, sizeof entry.question, "problem=c2c:d:%dx8x8 ranks=2 version=0 cpu=x",
           number + 1);
  strcpy(entry.asked, "decomp=auto,exchange=auto,engine=auto,order=transposed");
  strcpy(entry.decision, "decomp=slab,exchange=packed,engine=simd,order=transposed");
  snprintf(entry.date, sizeof entry.date, "2026-01-%02dT12:00:00Z", day);
  return entry;
}

static void put(pfft3d_wisdom *w, pf_wisdom_entry entry) {
  pfft3d_error e = {0};
  CHECK(pf_wisdom_put(w, &entry, &e) == PFFT3D_OK, "%s", e.text);
}

static pf_wisdom_state parse(const char *text, size_t length, pfft3d_wisdom *w, char why[128]) {
  pf_wisdom_verdict v = {0};
  pfft3d_error e = {0};
  *w = (pfft3d_wisdom){0};
  CHECK(pf_wisdom_parse(text, length, w, &v, &e) == PFFT3D_OK, "%s", e.text);
  memcpy(why, v.why, 128);
  CHECK((v.state == PF_WISDOM_WHOLE) == !why[0], "state %d: '%s'", (int)v.state, why);
  CHECK(v.state == PF_WISDOM_WHOLE || w->count == 0, "%d entries of '%s'", w->count, why);
  return v.state;
}

/* A copy of its own length, so that tools see what is read behind its end. */
static pf_wisdom_state parse_copy(const char *text, size_t length) {
  char *copy = malloc(length ? length : 1), why[128];
  pfft3d_wisdom w;
  if (!copy) MPI_Abort(MPI_COMM_WORLD, 1);
  memcpy(copy, text, length);
  pf_wisdom_state state = parse(copy, length, &w, why);
  free(copy);
  free(w.entry);
  return state;
}

/* ---- what was written ---- */

static void test_round_trip(const char *text, size_t length) {
  pfft3d_wisdom w;
  char why[128];
  size_t again;
  CHECK(parse(text, length, &w, why) == PF_WISDOM_WHOLE, "%s", why);
  CHECK(w.count == ENTRIES, "%d entries", w.count);
  char *copy = pf_wisdom_print(&w, &again);
  CHECK(copy && again == length && memcmp(copy, text, length) == 0, "%zu of %zu bytes", again,
        length);
  free(copy);
  free(w.entry);
  w = (pfft3d_wisdom){0};
  copy = pf_wisdom_print(&w, &again);
  CHECK(copy && parse_copy(copy, again) == PF_WISDOM_WHOLE, "no entries, %zu bytes", again);
  free(copy);
}

static void test_mutations(char *text, size_t length) {
  for (size_t at = 0; at < length; at++) {
    char was = text[at];
    for (int value = 0; value < 256; value++) {
      if ((char)value == was) continue;
      text[at] = (char)value;
      CHECK(parse_copy(text, length) != PF_WISDOM_WHOLE, "byte %zu is %d", at, value);
    }
    text[at] = was;
    CHECK(parse_copy(text, at) != PF_WISDOM_WHOLE, "cut off after %zu bytes", at);
    char *less = malloc(length);
    if (!less) MPI_Abort(MPI_COMM_WORLD, 1);
    memcpy(less, text, at);
    memcpy(less + at, text + at + 1, length - at - 1);
    CHECK(parse_copy(less, length - 1) != PF_WISDOM_WHOLE, "without byte %zu", at);
    free(less);
  }
}

/* ---- what only looks like it ---- */

static unsigned long long fnv(const char *text) {
  unsigned long long h = 14695981039346656037u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211u;
  return h;
}

/* A file of these lines, with all checksums right; its last line has their number. */
static void forge(char *out, size_t size, const char *first, const char *const *line, int lines,
                  int count) {
  size_t used = (size_t)snprintf(out, size, "%s\n", first);
  for (int i = 0; i < lines; i++)
    used += (size_t)snprintf(out + used, size - used, "%s check=%016llx\n", line[i], fnv(line[i]));
  unsigned long long all = fnv(out);
  snprintf(out + used, size - used, "end count=%d check=%016llx\n", count, all);
}

#define HEAD   "pfft3d-wisdom 2"
#define FRONT  "problem=c2c:d:8x8x8 ranks=2 asked=auto decision=slab"
#define RIGHT  FRONT " nanoseconds=5 date=2026-01-01T00:00:00Z"
#define LETTER "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"

static pf_wisdom_state forged(const char *first, const char *line, int lines, int count) {
  static char text[8192];
  const char *const all[] = {line, line, line};
  forge(text, sizeof text, first, all, lines, count);
  return parse_copy(text, strlen(text));
}

static void test_forged(void) {
  static const char *const wrong[] = {
      "",
      "problem=",
      FRONT,
      "x" RIGHT,
      FRONT " nanoseconds=0 date=2026",
      FRONT " nanoseconds=-5 date=2026",
      FRONT " nanoseconds=05 date=2026",
      FRONT " nanoseconds=+5 date=2026",
      FRONT " nanoseconds=99999999999999999999 date=2026",
      FRONT " nanoseconds=1e3 date=2026",
      FRONT " nanoseconds=5 date=",
      FRONT " nanoseconds=5 date=2026-01-01T00:00:00Z and more",
      FRONT " date=2026 nanoseconds=5",
      "problem=x asked=" LETTER LETTER LETTER " decision=slab nanoseconds=5 date=2026",
      "problem=x asked=auto decision=" LETTER LETTER LETTER " nanoseconds=5 date=2026",
      "problem=" LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER
      " asked=auto decision=slab nanoseconds=5 date=2026",
      "problem=" LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER LETTER
          LETTER LETTER LETTER " asked=auto decision=slab nanoseconds=5 date=2026",
      RIGHT "\t",
      RIGHT "\xe4",
  };
  CHECK(forged(HEAD, RIGHT, 1, 1) == PF_WISDOM_WHOLE, "this one is right");
  CHECK(forged(HEAD, RIGHT, 0, 0) == PF_WISDOM_WHOLE, "and nothing too");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CHECK(forged(HEAD, wrong[i], 1, 1) == PF_WISDOM_DAMAGED, "'%s'", wrong[i]);
  CHECK(forged(HEAD, RIGHT, 1, 2) == PF_WISDOM_DAMAGED, "one entry of two");
  CHECK(forged(HEAD, RIGHT, 1, 0) == PF_WISDOM_DAMAGED, "one entry of none");
  CHECK(forged(HEAD, RIGHT, 2, 2) == PF_WISDOM_DAMAGED, "two answers to one question");
  CHECK(forged("pfft3d-wisdom 3", RIGHT, 1, 1) == PF_WISDOM_FOREIGN, "a newer format");
  CHECK(forged("pfft3d-wisdom 1", RIGHT, 1, 1) == PF_WISDOM_FOREIGN, "an older format");
  CHECK(forged("pfft3d-wisdom 10", RIGHT, 1, 1) == PF_WISDOM_FOREIGN, "another one");
  CHECK(forged("pfft3d-wisdom", RIGHT, 1, 1) == PF_WISDOM_FOREIGN, "no format");
  CHECK(forged("(fftw-3.3.10 fftw_wisdom", RIGHT, 1, 1) == PF_WISDOM_FOREIGN, "somebody else's");
}

/* ---- many ---- */

static void test_many(void) {
  pfft3d_wisdom w = {0};
  size_t length;
  for (int i = 0; i <= PF_WISDOM_MOST; i++) put(&w, make_entry(i, 1));
  char *text = pf_wisdom_print(&w, &length);
  CHECK(text && parse_copy(text, length) != PF_WISDOM_WHOLE, "%d entries", w.count);
  free(text);
  w.count = PF_WISDOM_MOST;
  text = pf_wisdom_print(&w, &length);
  CHECK(text && parse_copy(text, length) == PF_WISDOM_WHOLE, "%d entries", w.count);
  free(text);
  free(w.entry);
  text = calloc(PF_WISDOM_BYTES + 1, 1);
  CHECK(text && parse_copy(text, PF_WISDOM_BYTES + 1) == PF_WISDOM_FOREIGN, "too many bytes");
  free(text);
}

static void test_newer_wins(void) {
  pfft3d_wisdom w = {0};
  pf_wisdom_entry entry = make_entry(0, 10);
  put(&w, entry);
  entry = make_entry(0, 9);
  entry.nanoseconds = 1;
  put(&w, entry);
  CHECK(w.count == 1 && w.entry[0].nanoseconds == 1000, "an older one, %lld",
        w.entry[0].nanoseconds);
  entry = make_entry(0, 11);
  entry.nanoseconds = 5000;
  put(&w, entry);
  CHECK(w.count == 1 && w.entry[0].nanoseconds == 5000, "a newer one, %lld",
        w.entry[0].nanoseconds);
  entry.nanoseconds = 6000;
  put(&w, entry);
  CHECK(w.entry[0].nanoseconds == 5000, "a slower one of the same second");
  strcpy(entry.asked, "decomp=pencil,exchange=auto");
  put(&w, entry);
  CHECK(w.count == 2, "another question");
  free(w.entry);
}

/* Names of libraries and of the processor, a word each, that begins with the name. */
static void test_machine(void) {
  pf_wisdom_entry entry;
  pf_wisdom_machine(entry.question, sizeof entry.question);
  CHECK(strstr(entry.question, " cpu="), "machine '%s'", entry.question);
  for (const char *p = entry.question; (p = strchr(p, '=')); p++)
    CHECK(isalnum((unsigned char)p[1]), "'%.20s' of machine '%s'", p, entry.question);
}

/* Fields that are transformed together are another question; those that are not, have no word of it. */
static void test_joined(void) {
  static const char *const text[] = {"c2c:d:8x8x8*2", "c2c:d:8x8x8*2 joined",
                                     "c2c:d:8x8x8*2 joined=no"};
  char question[3][500];
  for (int k = 0; k < 3; k++) {
    pfft3d_request *r;
    CHECK(!pfft3d_request_create(&r, NULL) && !pfft3d_request_parse(r, text[k], NULL), "%s",
          text[k]);
    pf_wisdom_question(r, 2, question[k], sizeof question[k]);
    pfft3d_request_destroy(&r);
  }
  CHECK(!strcmp(question[0], question[2]) && strstr(question[0], "8x8x8*2 ranks=2 version="), "%s",
        question[0]);
  CHECK(strstr(question[1], " ranks=2 joined=yes version=") != NULL, "%s", question[1]);
}

int main(int argc, char **argv) {
  pfft3d_wisdom w = {0};
  size_t length;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < ENTRIES; i++) put(&w, make_entry(i, i + 1));
  char *text = pf_wisdom_print(&w, &length);
  if (!text) MPI_Abort(MPI_COMM_WORLD, 1);
  test_round_trip(text, length);
  test_mutations(text, length);
  test_forged();
  test_many();
  test_newer_wins();
  test_machine();
  test_joined();
  free(text);
  free(w.entry);
  return check_result();
}
