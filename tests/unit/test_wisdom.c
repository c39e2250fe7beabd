/* SPDX-License-Identifier: BSD-3-Clause
 * ranks: 1 2 3
 * Wisdom: what is kept is found by the same question on the same ranks, and by no other; files
 * that others could have written are refused, damaged ones ignored, foreign ones left alone. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "planner/wisdom.h"
#include "support.h"

enum { NAME = 256, MOST = 256 };

static char folder[NAME - 64];
static int rank;

static const char *in_folder(const char *name, char out[NAME]) {
  snprintf(out, NAME, "%s/%s", folder, name);
  return out;
}

static void on_root(int failed, const char *what) {
  CHECK(!failed, "%s", what);
  MPI_Barrier(MPI_COMM_WORLD);
}
#define ON_ROOT(call) on_root(rank == 0 && (call) != 0, #call)

static int write_text(const char *file, const char *text, size_t length) {
  FILE *f = fopen(file, "w");
  int failed = !f || fwrite(text, 1, length, f) != length;
  return (f && fclose(f) != 0) || failed;
}

static pfft3d_wisdom *make(void) {
  pfft3d_wisdom *w;
  pfft3d_error e;
  CHECK(pfft3d_wisdom_create(&w, &e) == PFFT3D_OK && w, "%s", e.text);
  return w;
}

static pfft3d_wisdom *read_new(const char *file, int status) {
  pfft3d_wisdom *w = make();
  pfft3d_error e;
  int found = pfft3d_wisdom_read(MPI_COMM_WORLD, file, w, &e);
  CHECK(found == status, "%s: %d instead of %d: %s", file, found, status, e.text);
  return w;
}

static pfft3d_request field_request(void) {
  const ptrdiff_t n[3] = {12, 10, 8};
  return make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
}

/* The last candidate of the model, which nobody would take without wisdom. */
static pfft3d_candidate unlikely(const pfft3d_request *r) {
  static pfft3d_candidate list[MOST];
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int count = pfft3d_candidates(r, ranks, list, MOST);
  CHECK(count > (ranks > 1) && count <= MOST, "%d candidates", count);
  list[count - 1].measured = 1.5e-3;
  return list[count - 1];
}

static void add(pfft3d_wisdom *w, const pfft3d_request *r, const pfft3d_candidate *c) {
  pfft3d_error e;
  CHECK(pfft3d_wisdom_add(MPI_COMM_WORLD, r, c, w, &e) == PFFT3D_OK, "%s", e.text);
}

static void write_to(const char *file, pfft3d_wisdom *w, int status) {
  pfft3d_error e;
  int found = pfft3d_wisdom_write(MPI_COMM_WORLD, file, w, &e);
  CHECK(found == status, "%s: %d instead of %d: %s", file, found, status, e.text);
}

/* ---- questions and answers ---- */

/* Whether a plan for this request comes from wisdom. */
static int is_known(pfft3d_request r, const pfft3d_wisdom *w, pfft3d_decision *d) {
  r.wisdom = w;
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  int known = strncmp(pfft3d_plan_reason(plan), "wisdom: ", 8) == 0;
  pfft3d_plan_decision(plan, d);
  pfft3d_plan_destroy(&plan);
  return known;
}

static void test_same_question(const pfft3d_wisdom *w, const pfft3d_candidate *best) {
  const pfft3d_request asked = field_request();
  pfft3d_decision d;
  char is[160], should[160];
  pfft3d_decision_print(&best->decision, should, sizeof should);
  for (int named = 0; named < 8; named++) { /* more of the decision, as the answer has it */
    pfft3d_request r = asked;
    r.node_ranks = named % 3 ? 4 : 0; /* more than there are: one node, as it was found */
    if (named & 1) memcpy(r.decision.scheme, best->decision.scheme, sizeof r.decision.scheme);
    if (named & 2) memcpy(r.decision.algo, best->decision.algo, sizeof r.decision.algo);
    if (named & 4) memcpy(r.decision.engine, best->decision.engine, sizeof r.decision.engine);
    if ((named & 3) == 3 && strcmp(r.decision.scheme, "slab") == 0) continue; /* nothing is open */
    CHECK(is_known(r, w, &d), "%s", request_name(&r));
    CHECK(strcmp(pfft3d_decision_print(&d, is, sizeof is), should) == 0, "%s instead of %s", is,
          should);
  }
}

static const char *other_name(pfft3d_list list, const char *name) {
  FOR_LIST(list, other) if (strcmp(other, name) != 0) return other;
  return "";
}

static void test_other_questions(const pfft3d_wisdom *w, const pfft3d_candidate *best) {
  enum { OTHERS = 15 };
  pfft3d_request r[OTHERS];
  pfft3d_decision d;
  int k = 0, ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < OTHERS; i++) r[i] = field_request();
  r[k++].problem.n[2] = 9;
  r[k++].problem.kind = PFFT3D_R2C;
  r[k++].problem.precision = PFFT3D_SINGLE;
  r[k++].problem.batch = 2;
  r[k++].decision.order = PFFT3D_NATURAL;
  r[k++].decision.chunk = 4096;
  r[k++].wire = PFFT3D_SINGLE;
  r[k++].array[0].above[2] = 2;
  r[k++].joined = 1;
  r[k++].deterministic = 1;
  r[k++].node_ranks = ranks > 1; /* one rank is one node, whatever is said */
  r[k].problem.dims = 1;
  memcpy(r[k].problem.n, ((ptrdiff_t[3]){1, 1, 960}), sizeof r[k].problem.n);
  k++;
  snprintf(r[k++].decision.algo, 16, "%s", other_name(PFFT3D_EXCHANGES, best->decision.algo));
  snprintf(r[k++].decision.scheme, 16, "%s", other_name(PFFT3D_SCHEMES, best->decision.scheme));
  snprintf(r[k++].decision.engine, 16, "%s", other_name(PFFT3D_ENGINES, best->decision.engine));
  CHECK(k == OTHERS, "%d", k);
  for (int i = 0; i < OTHERS; i++) {
    pfft3d_request needs = r[i];
    pfft3d_plan *plan;
    pfft3d_error e;
    if (ranks == 1 && i == 10) continue;
    CHECK(!is_known(r[i], w, &d), "%d: %s", i, request_name(&r[i]));
    needs.wisdom = w;
    needs.wisdom_required = 1;
    int status = pfft3d_plan_create(MPI_COMM_WORLD, &needs, &plan, &e);
    CHECK(status == PFFT3D_ERR_WISDOM && !plan, "%d: status %d: %s", i, status, e.text);
  }
}

/* Other ranks ask other questions. */
static void test_fewer_ranks(const pfft3d_wisdom *w) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2 || rank > 0) return;
  pfft3d_request r = field_request();
  r.wisdom = w;
  pfft3d_plan *plan = make_plan(MPI_COMM_SELF, &r);
  CHECK(strncmp(pfft3d_plan_reason(plan), "wisdom", 6) != 0, "%s", pfft3d_plan_reason(plan));
  pfft3d_plan_destroy(&plan);
}

/* Entries that carry the right checksum and say what cannot be: another program may have its own
 * idea of what is possible. */
static void test_impossible(const pfft3d_wisdom *w) {
  static const char *const answer[] = {
      "pencil,grid=1000x1000,algo=packed,engine=simd,order=transposed",
      "slab,algo=packed,engine=simd,order=natural",
      "slab,algo=unheard,engine=simd,order=transposed",
      "auto,algo=auto,engine=auto,order=transposed",
      "transpose,split=12x80,algo=packed,engine=simd,order=transposed",
      "nonsense",
      "slab,,algo=packed,chunk=-1",
  };
  pfft3d_wisdom *wrong = make();
  pfft3d_decision d;
  pfft3d_error e = {0};
  for (size_t i = 0; i < sizeof answer / sizeof *answer; i++) {
    pf_wisdom_entry entry = w->entry[0];
    snprintf(entry.decision, sizeof entry.decision, "%s", answer[i]);
    wrong->count = 0;
    pf_wisdom_put(wrong, &entry, &e);
    CHECK(!is_known(field_request(), wrong, &d), "%s", answer[i]);
  }
  pfft3d_wisdom_destroy(&wrong);
}

/* A grid that is open asks wisdom, which decides only if it has an answer. */
static void test_grid(void) {
  pfft3d_request r = field_request();
  strcpy(r.decision.scheme, "pencil");
  strcpy(r.decision.algo, "packed");
  pfft3d_wisdom *w = make();
  pfft3d_candidate best = unlikely(&r);
  r.wisdom = w;
  for (int k = 0; k < 4; k++) {
    pfft3d_plan *plan;
    pfft3d_error e;
    r.wisdom_required = k % 2;
    if (k == 2) add(w, &r, &best);
    CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e), "%d: %s", k, e.text);
    if (!plan) continue;
    pfft3d_decided_by by = pfft3d_plan_decided_by(plan);
    CHECK(by == (k < 2 ? PFFT3D_BY_REQUEST : PFFT3D_BY_WISDOM), "%d: by %d", k, (int)by);
    CHECK(!pfft3d_plan_reason(plan)[0] == (k < 2), "%d: '%s'", k, pfft3d_plan_reason(plan));
    pfft3d_plan_destroy(&plan);
  }
  pfft3d_wisdom_destroy(&w);
}

/* Decisions that are no answers to the request are not added. */
static void test_no_answer(void) {
  pfft3d_request r = field_request();
  pfft3d_wisdom *w = make();
  pfft3d_error e;
  const pfft3d_candidate best = unlikely(&r);
  for (int k = 0; k < 6; k++) {
    pfft3d_candidate c = best;
    pfft3d_decision *d = &c.decision;
    if (k == 0) strcpy(d->algo, "a b=c\n");
    if (k == 1) strcpy(d->algo, "auto");
    if (k == 2) strcpy(d->engine, "unheard");
    if (k == 3) d->order = PFFT3D_NATURAL;
    if (k == 4) strcpy(d->scheme, "butterfly");
    if (k == 5) strcpy(d->scheme, "pencil"), d->grid[0] = d->grid[1] = 1000;
    int status = pfft3d_wisdom_add(MPI_COMM_WORLD, &r, &c, w, &e);
    CHECK(status == PFFT3D_ERR_USAGE && e.status == status, "%d: status %d", k, status);
    CHECK(!pfft3d_wisdom_count(w), "%d: %d entries", k, pfft3d_wisdom_count(w));
  }
  pfft3d_wisdom_destroy(&w);
}

static void test_line(void) {
  pfft3d_request r = field_request(), other;
  pfft3d_wisdom *w = make();
  pfft3d_decision d;
  memcpy(r.problem.n, ((ptrdiff_t[3]){1, 1, 1009}), sizeof r.problem.n);
  r.problem.dims = 1;
  pfft3d_candidate best = unlikely(&r);
  add(w, &r, &best);
  CHECK(is_known(r, w, &d), "%s", request_name(&r));
  CHECK(!strcmp(d.algo, best.decision.algo) && !strcmp(d.scheme, best.decision.scheme), "%s %s",
        d.scheme, d.algo);
  other = r;
  other.layout[0] = PFFT3D_CYCLIC;
  CHECK(!is_known(other, w, &d), "another layout");
  pfft3d_wisdom_destroy(&w);
}

/* ---- files ---- */

static void expect_notice(const pfft3d_wisdom *w, const char *words) {
  CHECK(strstr(pfft3d_wisdom_notice(w), words), "'%s' has no '%s'", pfft3d_wisdom_notice(w), words);
}

/* Reads what is no wisdom: no entries, and a notice. */
static void expect_ignored(const char *file, const char *words) {
  pfft3d_wisdom *w = read_new(file, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(w) == 0, "%s: %d entries", file, pfft3d_wisdom_count(w));
  expect_notice(w, words);
  pfft3d_wisdom_destroy(&w);
}

static void test_round_trip(pfft3d_wisdom *w, const char *file) {
  char is[1024], should[1024];
  expect_ignored(file, "there is no wisdom");
  write_to(file, w, PFFT3D_OK);
  pfft3d_wisdom *again = read_new(file, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(again) == 1 && pfft3d_wisdom_count(w) == 1, "%d entries",
        pfft3d_wisdom_count(again));
  CHECK(!pfft3d_wisdom_notice(again)[0], "%s", pfft3d_wisdom_notice(again));
  CHECK(pfft3d_wisdom_line(again, 0, is, sizeof is) && pfft3d_wisdom_line(w, 0, should, 1024) &&
            strcmp(is, should) == 0,
        "'%s' instead of '%s'", is, should);
  CHECK(!pfft3d_wisdom_line(again, 1, is, sizeof is) && !pfft3d_wisdom_line(again, -1, is, 1024),
        "lines that are not there");
  pfft3d_wisdom_destroy(&again);
}

/* Writers that know nothing of each other: both entries stay. */
static void test_merge(const char *file) {
  pfft3d_request r = field_request();
  pfft3d_wisdom *w = make();
  r.problem.n[0] = 13;
  pfft3d_candidate best = unlikely(&r);
  add(w, &r, &best);
  write_to(file, w, PFFT3D_OK);
  write_to(file, w, PFFT3D_OK);
  pfft3d_wisdom_destroy(&w);
  w = read_new(file, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(w) == 2, "%d entries", pfft3d_wisdom_count(w));
  pfft3d_wisdom_destroy(&w);
}

/* What a process adds takes the place of what it added before, and of what is in a file, whatever
 * the clock of its writer said. */
static void test_replaced(const pfft3d_wisdom *known, const char *file) {
  pfft3d_request r = field_request();
  pfft3d_wisdom *w = make();
  pfft3d_error e = {0};
  pf_wisdom_entry late = known->entry[0];
  strcpy(late.date, "2999-01-01T00:00:00Z");
  pf_wisdom_put(w, &late, &e);
  write_to(file, w, PFFT3D_OK);
  pfft3d_wisdom_destroy(&w);
  w = read_new(file, PFFT3D_OK);
  CHECK(w->count == 1 && strcmp(w->entry[0].date, "2999") < 0, "%d entries of %s", w->count,
        w->count ? w->entry[0].date : "");
  pfft3d_wisdom_destroy(&w);
  w = make();
  pfft3d_candidate best = unlikely(&r);
  for (int k = 0; k < 2; k++) {
    best.measured = 2 + k;
    add(w, &r, &best);
    CHECK(w->count == 1 && w->entry[0].nanoseconds == (2 + k) * 1000000000LL, "%d: %lld", k,
          w->entry[0].nanoseconds);
  }
  write_to(file, w, PFFT3D_OK);
  pfft3d_wisdom_destroy(&w);
  w = read_new(file, PFFT3D_OK);
  CHECK(w->count == 1 && w->entry[0].nanoseconds == 3000000000LL, "the old entry stayed");
  pfft3d_wisdom_destroy(&w);
  ON_ROOT(unlink(file));
}

/* Of another machine: kept, said, and no answer to anything. */
static void test_foreign_machine(const pfft3d_wisdom *w, const char *file) {
  pfft3d_wisdom *other = make();
  pfft3d_decision d;
  pfft3d_error e = {0};
  pf_wisdom_entry entry = w->entry[0];
  char *cpu = strstr(entry.question, " cpu=");
  CHECK(cpu, "%s", entry.question);
  if (cpu) snprintf(cpu, 40, " cpu=another");
  pf_wisdom_put(other, &entry, &e);
  write_to(file, other, PFFT3D_OK);
  pfft3d_wisdom_destroy(&other);
  other = read_new(file, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(other) == 1, "%d entries", pfft3d_wisdom_count(other));
  expect_notice(other, "has nothing for this processor");
  CHECK(!is_known(field_request(), other, &d), "an answer of another machine");
  pfft3d_wisdom_destroy(&other);
}

static void test_damaged(pfft3d_wisdom *w, const char *file) {
  struct stat before, after;
  ON_ROOT(write_text(file, "some notes\n", 11));
  expect_ignored(file, "no wisdom of pfft3d");
  write_to(file, w, PFFT3D_ERR_OUTPUT);
  CHECK(rank || (!stat(file, &after) && after.st_size == 11), "it was replaced");
  ON_ROOT(write_text(file, "pfft3d-wisdom 7\n", 16));
  expect_ignored(file, "its format is '7'");
  write_to(file, w, PFFT3D_ERR_OUTPUT);
  ON_ROOT(write_text(file, "pfft3d-wisdom 2\nhalf a li", 25));
  expect_ignored(file, "line 2");
  ON_ROOT(chmod(file, 0640));
  write_to(file, w, PFFT3D_OK);
  expect_notice(w, "begins anew");
  CHECK(rank || (!stat(file, &after) && (after.st_mode & 0777) == 0640), "mode %o", after.st_mode);
  pfft3d_wisdom *again = read_new(file, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(again) == 1, "%d entries", pfft3d_wisdom_count(again));
  pfft3d_wisdom_destroy(&again);
  pfft3d_wisdom *nothing = make();
  CHECK(rank || !stat(file, &before), "no file");
  write_to(file, nothing, PFFT3D_OK);
  CHECK(rank || (!stat(file, &after) && after.st_ino == before.st_ino), "replaced by nothing new");
  pfft3d_wisdom_destroy(&nothing);
}

/* Refused in reading and writing, on all ranks. */
static void expect_refused(const char *file, pfft3d_wisdom *w) {
  pfft3d_wisdom *none = read_new(file, PFFT3D_ERR_PERMISSION);
  CHECK(pfft3d_wisdom_count(none) == 0, "%d entries", pfft3d_wisdom_count(none));
  pfft3d_wisdom_destroy(&none);
  write_to(file, w, PFFT3D_ERR_PERMISSION);
}

static void test_permission(pfft3d_wisdom *w, const char *file) {
  ON_ROOT(chmod(file, 0660));
  expect_refused(file, w);
  ON_ROOT(chmod(file, 0602));
  expect_refused(file, w);
  ON_ROOT(chmod(file, 0600));
  ON_ROOT(chmod(folder, 0777));
  expect_refused(file, w);
  ON_ROOT(chmod(folder, 01777)); /* as /tmp: nobody else can rename our files */
  write_to(file, w, PFFT3D_OK);
  ON_ROOT(chmod(folder, 0700));
  struct stat s; /* of another user, if this namespace knows that one */
  ON_ROOT(chown(file, 54321, (gid_t)-1) && !geteuid() && errno != EINVAL);
  if (stat(file, &s) || s.st_uid != 54321) return;
  expect_refused(file, w);
  ON_ROOT(chown(file, 0, (gid_t)-1));
}

static void test_odd_names(pfft3d_wisdom *w, const char *file) {
  char name[NAME];
  ON_ROOT(symlink(file, in_folder("link", name)));
  write_to(name, w, PFFT3D_OK);
  struct stat s;
  CHECK(rank || (!lstat(name, &s) && S_ISLNK(s.st_mode)), "the link was replaced");
  pfft3d_wisdom *again = read_new(name, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(again) == 1, "%d entries", pfft3d_wisdom_count(again));
  pfft3d_wisdom_destroy(&again);
  ON_ROOT(unlink(name));
  ON_ROOT(symlink("nowhere", name));
  write_to(name, w, PFFT3D_ERR_IO);
  ON_ROOT(unlink(name));
  ON_ROOT(mkfifo(in_folder("pipe", name), 0600));
  expect_ignored(name, "no regular file");
  write_to(name, w, PFFT3D_ERR_OUTPUT);
  ON_ROOT(unlink(name));
  expect_ignored(folder, "no regular file");
  expect_ignored(in_folder("missing/wisdom", name), "there is no wisdom");
  write_to(name, w, PFFT3D_ERR_OUTPUT);
}

/* More than a file may have: the oldest are forgotten; what was timed here stays, though the clock
 * of the others was ahead. */
static void test_full(const pfft3d_wisdom *w, const char *file) {
  const pfft3d_request r = field_request();
  const pfft3d_candidate best = unlikely(&r);
  pfft3d_wisdom *many = make(), *mine = make();
  pfft3d_decision d;
  pfft3d_error e = {0};
  for (int i = 0; i < PF_WISDOM_MOST + 5; i++) {
    pf_wisdom_entry entry = w->entry[0];
    snprintf(entry.question, sizeof entry.question, "problem=%d", i);
    snprintf(entry.date, sizeof entry.date, "%04d-01-01T00:00:00Z", i < 5 ? 1990 : 2000);
    pf_wisdom_put(many, &entry, &e);
  }
  write_to(file, many, PFFT3D_OK);
  pfft3d_wisdom_destroy(&many);
  many = read_new(file, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(many) == PF_WISDOM_MOST, "%d entries", pfft3d_wisdom_count(many));
  for (int i = 0; i < many->count; i++)
    CHECK(many->entry[i].date[0] == '2', "%s stayed", many->entry[i].date);
  pfft3d_wisdom_destroy(&many);
  add(mine, &r, &best);
  strcpy(mine->entry[0].date, "1999-01-01T00:00:00Z");
  write_to(file, mine, PFFT3D_OK);
  pfft3d_wisdom_destroy(&mine);
  many = read_new(file, PFFT3D_OK);
  CHECK(pfft3d_wisdom_count(many) == PF_WISDOM_MOST && is_known(r, many, &d),
        "the new one is lost");
  pfft3d_wisdom_destroy(&many);
}

/* No lock, no part of a file. */
static void test_nothing_left(const char *const *files) {
  DIR *d = rank == 0 ? opendir(folder) : NULL;
  for (struct dirent *entry; d && (entry = readdir(d));) {
    int known = entry->d_name[0] == '.' && strlen(entry->d_name) < 3;
    for (int i = 0; files[i]; i++) known |= strcmp(entry->d_name, files[i]) == 0;
    CHECK(known, "'%s' was left", entry->d_name);
  }
  if (d) closedir(d);
}

int main(int argc, char **argv) {
  static const char *const files[] = {"good", "other", "bad", "full", NULL};
  char path[4][NAME];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.120s/pfft3d-wisdom-XXXXXX", temporary ? temporary : "/tmp");
  ON_ROOT(mkdtemp(folder) == NULL);
  MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; files[i]; i++) in_folder(files[i], path[i]);

  pfft3d_wisdom *w = make();
  pfft3d_request r = field_request();
  pfft3d_candidate best = unlikely(&r);
  pfft3d_error e;
  add(w, &r, &best);
  test_round_trip(w, path[0]);
  pfft3d_wisdom *known = read_new(path[0], PFFT3D_OK);
  test_same_question(known, &best);
  test_other_questions(known, &best);
  test_fewer_ranks(known);
  test_impossible(known);
  test_grid();
  test_no_answer();
  test_line();
  best.measured = 0;
  CHECK(pfft3d_wisdom_add(MPI_COMM_WORLD, &r, &best, w, &e) == PFFT3D_ERR_USAGE, "not timed");
  test_merge(path[0]);
  test_replaced(known, path[1]);
  test_foreign_machine(known, path[1]);
  test_damaged(w, path[2]);
  test_permission(w, path[2]);
  test_odd_names(w, path[2]);
  test_full(known, path[3]);
  test_nothing_left(files);
  pfft3d_wisdom_destroy(&known);
  pfft3d_wisdom_destroy(&w);
  CHECK(!w, "not NULL");
  for (int i = 0; files[i]; i++) ON_ROOT(unlink(path[i]));
  ON_ROOT(rmdir(folder));
  return check_result();
}
