/* SPDX-License-Identifier: BSD-3-Clause
 * ranks: 1 2 3
 * The user's file of wisdom: plans that leave a choice ask it, the same on all ranks, unless they
 * say otherwise; files that cannot be used are no error; each is read once.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "planner/wisdom.h"
#include "support.h"

enum { NAME = 256, MOST = 256, THREADS = 8 };

static char folder[NAME - 64];
static int rank, ranks, broadcasts;
static const char open_request[] = "c2c:d:12x10x8",
                  named[] = "c2c:d:12x10x8 decomp=slab exchange=packed";

/* Counts messages of planning: all ranks take part in it. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  broadcasts++;
  return PMPI_Bcast(buffer, count, type, root, comm);
}

/* The file that this rank has for its own: a name, or "" for none. */
static void use(const char *name) {
  char path[NAME];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  setenv("PFFT3D_WISDOM", name[0] ? path : "none", 1);
}

/* Makes a plan and returns who decided, the same on all ranks; *d: what. */
static pfft3d_decided_by decide(const char *text, pfft3d_decision *d, char reason[NAME]) {
  pfft3d_plan *plan;
  pfft3d_error e = {0};
  int status = pfft3d_plan_create_text(MPI_COMM_WORLD, text, &plan, &e);
  CHECK(!status, "%s: %s", text, e.text);
  if (status) return PFFT3D_BY_REQUEST;
  int by[2] = {(int)pfft3d_plan_decided_by(plan), -(int)pfft3d_plan_decided_by(plan)}, all[2];
  MPI_Allreduce(by, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(all[0] == -all[1], "%s: ranks differ", text);
  if (d) pfft3d_plan_decision(plan, d);
  if (reason) snprintf(reason, NAME, "%s", pfft3d_plan_reason(plan));
  pfft3d_plan_destroy(&plan);
  return (pfft3d_decided_by)by[0];
}

static void expect(const char *text, pfft3d_decided_by should) {
  pfft3d_decided_by by = decide(text, NULL, NULL);
  CHECK(by == should, "%s: decided by %d instead of %d", text, (int)by, (int)should);
}

/* Keeps the last candidate of the model, which nobody would take without wisdom. */
static pfft3d_candidate keep(const char *name) {
  static pfft3d_candidate list[MOST];
  char path[NAME];
  pfft3d_request *r;
  pfft3d_wisdom *w;
  pfft3d_error e;
  CHECK(!pfft3d_request_create(&r, &e) && !pfft3d_request_parse(r, open_request, &e), "%s", e.text);
  int count = pfft3d_candidates(r, ranks, list, MOST);
  CHECK(count > (ranks > 1) && count <= MOST, "%d candidates", count);
  pfft3d_candidate best = list[count - 1];
  best.measured = 1.5e-3;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  CHECK(!pfft3d_wisdom_create(&w, &e) && !pfft3d_wisdom_add(MPI_COMM_WORLD, r, &best, w, &e) &&
            !pfft3d_wisdom_write(MPI_COMM_WORLD, path, w, &e),
        "%s", e.text);
  pfft3d_wisdom_destroy(&w);
  pfft3d_request_destroy(&r);
  return best;
}

static void test_asked(const pfft3d_candidate *best) {
  pfft3d_decision d;
  char reason[NAME];
  use("good");
  CHECK(decide(open_request, &d, reason) == PFFT3D_BY_WISDOM, "%s", reason);
  CHECK(!strcmp(d.scheme, best->decision.scheme) && !strcmp(d.algo, best->decision.algo) &&
            d.local == best->decision.local,
        "%s %s instead of %s %s", d.scheme, d.algo, best->decision.scheme, best->decision.algo);
  CHECK(!strncmp(reason, "wisdom: 0.0015 s", 16), "%s", reason);
  expect("c2c:d:12x10x9", PFFT3D_BY_MODEL);
  expect("c2c:d:12x10x8 order=transposed", PFFT3D_BY_MODEL);
  expect("c2c:d:12x10x8 wisdom=user", PFFT3D_BY_WISDOM);
}

/* The key, the environment, the function; fixed choices and named ones do not ask. */
static void test_not_asked(void) {
  pfft3d_request *r;
  pfft3d_plan *plan;
  pfft3d_error e;
  char text[NAME];
  expect("c2c:d:12x10x8 wisdom=none", PFFT3D_BY_MODEL);
  expect("c2c:d:12x10x8 deterministic", PFFT3D_BY_MODEL);
  expect(named, PFFT3D_BY_REQUEST);
  expect("c2c:d:12x10x8 decomp=pencil exchange=packed", PFFT3D_BY_REQUEST);
  CHECK(!pfft3d_request_create(&r, &e) && !pfft3d_request_parse(r, open_request, &e), "%s", e.text);
  for (int k = 0; k < 3; k++) { /* none; the user's, required; the user's again */
    if (k < 2)
      pfft3d_request_wisdom(r, NULL, k, &e);
    else
      pfft3d_request_set(r, "wisdom", "user", &e);
    CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e), "%s", e.text);
    CHECK((pfft3d_plan_decided_by(plan) == PFFT3D_BY_WISDOM) == (k > 0), "%d", k);
    pfft3d_plan_destroy(&plan);
    pfft3d_request_print(r, text, sizeof text);
    CHECK(!strcmp(text, k ? open_request : "c2c:d:12x10x8 wisdom=none"), "%s", text);
  }
  pfft3d_request_wisdom(r, NULL, 1, &e);
  pfft3d_request_set(r, "size", "12x10x7", &e);
  CHECK(pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e) == PFFT3D_ERR_WISDOM, "%s", e.text);
  pfft3d_request_destroy(&r);
  use("");
  expect(open_request, PFFT3D_BY_MODEL);
}

static void write_text(const char *name, const char *text, mode_t mode) {
  char path[NAME];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  CHECK(f && fputs(text, f) >= 0 && !fclose(f) && !chmod(path, mode), "%s: %s", path,
        strerror(errno));
}

/* Files that cannot be used are no error, and what is wrong is said where it is a file. */
static void test_broken(void) {
  static const char *const name[] = {"cut", "notes", "open", "pipe", "folder", "link", "missing"};
  static const char *const words[] = {"is ignored: it is cut off",
                                      "is ignored: it is no wisdom",
                                      "is refused: others may write",
                                      "is ignored: it is no regular file",
                                      "is ignored: it is no regular file",
                                      NULL,
                                      NULL};
  char path[NAME], reason[NAME];
  if (rank == 0) {
    write_text("cut", "pfft3d-wisdom 2\nproblem=", 0600);
    write_text("notes", "some notes\n", 0600);
    write_text("open", "pfft3d-wisdom 2\n", 0622);
    snprintf(path, sizeof path, "%s/pipe", folder);
    CHECK(!mkfifo(path, 0600), "%s", strerror(errno));
    snprintf(path, sizeof path, "%s/folder", folder);
    CHECK(!mkdir(path, 0700), "%s", strerror(errno));
    snprintf(path, sizeof path, "%s/link", folder);
    CHECK(!symlink("nothing", path), "%s", strerror(errno));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 7; k++) {
    use(rank == 0 ? name[k] : "good"); /* the others have better ones, which do not count */
    CHECK(decide(open_request, NULL, reason) == PFFT3D_BY_MODEL, "%s: %s", name[k], reason);
    CHECK(words[k] ? strstr(reason, words[k]) != NULL : !strstr(reason, "wisdom"), "%s: %s",
          name[k], reason);
    use(rank == 0 ? "good" : name[k]);
    expect(open_request, PFFT3D_BY_WISDOM);
  }
}

/* Neither a file nor its absence costs a message. */
static void test_messages(void) {
  static const char *const texts[] = {named, open_request};
  for (int k = 0; k < 2; k++) {
    int count[2];
    for (int with = 0; with < 2; with++) {
      use(with ? k ? "missing" : "good" : "");
      broadcasts = 0;
      decide(texts[k], NULL, NULL);
      count[with] = broadcasts;
    }
    CHECK(count[0] == count[1], "%s: %d and %d broadcasts", texts[k], count[0], count[1]);
  }
}

/* The name follows the environment; each rank has its own HOME. */
static void test_names(void) {
  char out[NAME], should[NAME + 32];
  unsetenv("PFFT3D_WISDOM");
  snprintf(out, sizeof out, "%s/home-%d", folder, rank);
  setenv("HOME", out, 1);
  setenv("XDG_CACHE_HOME", "relative", 1);
  snprintf(should, sizeof should, "%s/.cache/pfft3d/wisdom", out);
  CHECK(pfft3d_wisdom_file(out, sizeof out) == out && !strcmp(out, should), "%s", out);
  CHECK(!pfft3d_wisdom_file(out, strlen(should)) && !out[0], "it does not fit");
  expect(open_request, PFFT3D_BY_MODEL);
  setenv("XDG_CACHE_HOME", rank == 0 ? folder : "/nowhere", 1);
  CHECK(pfft3d_wisdom_file(out, sizeof out) && strstr(out, "/pfft3d/wisdom"), "%s", out);
  expect(open_request, PFFT3D_BY_WISDOM);
  setenv("PFFT3D_WISDOM", "", 1);
  CHECK(pfft3d_wisdom_file(out, sizeof out) && strstr(out, "/pfft3d/wisdom"), "%s", out);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  CHECK(!pfft3d_wisdom_file(out, sizeof out) && !out[0], "%s", out);
  expect(open_request, PFFT3D_BY_MODEL);
}

static void *ask(void *found) {
  *(const pfft3d_wisdom **)found = pf_wisdom_user();
  return NULL;
}

/* Threads that ask at the same time read it once, and once only: it may be gone later. */
static void test_once(void) {
  pthread_t thread[THREADS];
  const pfft3d_wisdom *found[THREADS];
  char path[NAME];
  keep("late");
  use("late");
  for (int i = 0; i < THREADS; i++)
    CHECK(!pthread_create(&thread[i], NULL, ask, &found[i]), "no thread");
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++)
    CHECK(found[i] && found[i] == found[0] && pfft3d_wisdom_count(found[i]) == 1, "thread %d", i);
  snprintf(path, sizeof path, "%s/late", folder);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(!unlink(path), "%s", strerror(errno));
  MPI_Barrier(MPI_COMM_WORLD);
  expect(open_request, PFFT3D_BY_WISDOM);
}

static void clean(void) {
  static const char *const names[] = {"good", "cut",  "notes",        "open",
                                      "pipe", "link", "pfft3d/wisdom"};
  static const char *const folders[] = {"folder", "pfft3d", ""};
  char path[NAME];
  for (int k = 0; k < 7; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[k]);
    CHECK(!unlink(path), "%s: %s", path, strerror(errno));
  }
  for (int k = 0; k < 3; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, folders[k]);
    CHECK(!rmdir(path), "%s: %s", path, strerror(errno));
  }
}

int main(int argc, char **argv) {
  char path[NAME];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.120s/pfft3d-user-XXXXXX", temporary ? temporary : "/tmp");
  CHECK(rank != 0 || mkdtemp(folder), "%s", strerror(errno));
  MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "%s/pfft3d", folder);
  CHECK(rank != 0 || !mkdir(path, 0700), "%s", strerror(errno));
  MPI_Barrier(MPI_COMM_WORLD);
  const pfft3d_candidate best = keep("good");
  keep("pfft3d/wisdom");
  test_asked(&best);
  test_not_asked();
  test_broken();
  test_messages();
  test_once();
  test_names();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) clean();
  return check_result();
}
