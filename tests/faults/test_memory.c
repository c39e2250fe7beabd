/* SPDX-License-Identifier: BSD-3-Clause
 * ranks: 1 2 3 6
 * Memory that is not there: the k-th allocation of one rank fails, for every k and every rank, in
 * everything that the library does.  All ranks must return the same status and text, keep nothing,
 * and succeed the next time; where the memory only would have helped, the result is the right one.
 *
 * Arguments [step [task]]: every step-th k (on one rank all of them, on few 23, else 127), and one
 * task by name. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "allocations.h"
#include "pfft3d_redist.h"
#include "plan/plan.h"
#ifdef PF_HAVE_HDF5
#include "pfft3d_hdf5.h"
#endif

enum { LIMIT = 30 };

/* ---- tasks ---- */

static int rank, ranks;
static char folder[200], doing[400];

/* Collective. One thing that the library does from beginning to end, with what it made checked and
 * freed; returns its status. */
typedef struct task {
  char name[100];
  int (*run)(const struct task *t, MPI_Comm comm, pfft3d_error *e);
  pfft3d_request request;
  int any; /* transforms do not give back what they got, times the points */
} task;

static const char *in_folder(const char *name) {
  static char path[2][500];
  static int turn;
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

/* Collective. The status of a local call, made everybody's. */
static int share(MPI_Comm comm, int status, pfft3d_error *e) {
  int worst;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, comm);
  if (worst) *e = (pfft3d_error){.status = worst, .text = "a local call failed"};
  return worst;
}

/* Forward and backward: `in` must be what it was.  The array of an empty rank has one element,
 * which no transform writes. */
static void check_round(pfft3d_plan *plan, const pfft3d_request *r, double *in, double *out) {
  size_t numbers = pfft3d_plan_bytes(plan) / sizeof *in;
  pfft3d_box box;
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &box);
  size_t used =
      box.len[0] && box.len[1] && box.len[2] ? pfft3d_plan_elements(plan, PFFT3D_SPACE) : 0;
  used = used * pfft3d_element_bytes(&r->problem, PFFT3D_SPACE) / sizeof *in;
  double points = (double)(r->problem.n[0] * r->problem.n[1] * r->problem.n[2]), worst = 0;
  memset(in, 0, numbers * sizeof *in);
  for (size_t i = 0; i < used; i++) in[i] = value_of(i + (uint64_t)rank * 1000);
  int status = pfft3d_execute(plan, PFFT3D_FORWARD, in, out);
  if (!status) status = pfft3d_execute(plan, PFFT3D_BACKWARD, out, in);
  for (size_t i = 0; i < used; i++) {
    worst = check_worse(worst, fabs(in[i] / points - value_of(i + (uint64_t)rank * 1000)));
  }
  CHECK(!status && worst < 1e-13, "%s: status %d, error %g", doing, status, worst);
}

static void check_zeros(pfft3d_plan *plan, void *array) {
  memset(array, 0, pfft3d_plan_bytes(plan));
  for (int d = 0; d < 2; d++)
    CHECK(!pfft3d_execute(plan, (pfft3d_direction)d, array, array), "%s", doing);
}

static int run_plan(const task *t, MPI_Comm comm, pfft3d_error *e) {
  pfft3d_plan *plan;
  void *array[2] = {NULL, NULL};
  int status = pfft3d_plan_create(comm, &t->request, &plan, e);
  CHECK(!status == !!plan, "%s: status %d, but the plan is %p", doing, status, (void *)plan);
  for (int i = 0; i < 2 && !status; i++) status = pfft3d_alloc(plan, &array[i], e);
  double seconds;
  if (!status && !t->any)
    status = share(comm,
                   pfft3d_plan_measure(plan, PFFT3D_FORWARD, PFFT3D_PART_RAW_ALLTOALL, array[0],
                                       array[1], &seconds),
                   e);
  if (!status && !t->any) check_round(plan, &t->request, array[0], array[1]);
  if (!status && t->any) check_zeros(plan, array[0]);
  for (int i = 0; i < 2 && plan; i++) pfft3d_free(plan, array[i]);
  pfft3d_plan_destroy(&plan);
  return status;
}

/* A matrix of 7 x 6 pairs, by an exchange, in the precision of `wire`. */
static int run_transpose(const task *t, MPI_Comm comm, pfft3d_error *e) {
  enum { N0 = 7, N1 = 6, PAIR = 2 };
  double in[N0 * N1 * PAIR], out[N0 * N1 * PAIR], worst = 0;
  pfft3d_redist *r;
  pfft3d_transpose_spec s = {.n0 = N0,
                             .n1 = N1,
                             .howmany = PAIR,
                             .element = sizeof *in,
                             .exchange = t->request.decision.algo,
                             .wire = t->request.wire};
  int status = pfft3d_transpose_create(comm, &s, &r, e);
  CHECK(!status == !!r, "%s: status %d, but it is %p", doing, status, (void *)r);
  if (status) return status;
  int each[2] = {(N0 + ranks - 1) / ranks, (N1 + ranks - 1) / ranks};
  int first = rank * each[0] * N1 * PAIR;
  for (int i = 0; i < each[0] * N1 * PAIR; i++) in[i] = value_of((uint64_t)(first + i));
  CHECK(!pfft3d_redist_execute(r, PFFT3D_FORWARD, in, out), "%s", doing);
  for (int j = 0; j < each[1] && rank * each[1] + j < N1; j++)
    for (int i = 0; i < N0 * PAIR; i++) {
      int at = i / PAIR * N1 + rank * each[1] + j;
      double want = value_of((uint64_t)(at * PAIR + i % PAIR));
      worst = check_worse(worst, fabs(out[j * N0 * PAIR + i] - want));
    }
  CHECK(worst <= (s.wire == PFFT3D_SINGLE ? 1e-7 : 0), "%s: error %g", doing, worst);
  pfft3d_redist_destroy(&r);
  return status;
}

/* Ghost cells of two rows on each rank, around the ends. */
static int run_halo(const task *t, MPI_Comm comm, pfft3d_error *e) {
  double array[4][3] = {{0}};
  pfft3d_redist *r;
  pfft3d_halo_spec s = {.dims = 2,
                        .n = {2 * ranks, 3},
                        .element = sizeof **array,
                        .box = {.lo = {2 * rank, 0}, .len = {2, 3}},
                        .below = {1, 0},
                        .above = {1, 0},
                        .periodic = {1, 0},
                        .exchange = t->request.decision.algo};
  int status = pfft3d_halo_create(comm, &s, &r, e);
  CHECK(!status == !!r, "%s: status %d, but it is %p", doing, status, (void *)r);
  if (status) return status;
  for (int i = 0; i < 6; i++) array[1 + i / 3][i % 3] = 2 * rank + i / 3;
  CHECK(!pfft3d_redist_execute(r, PFFT3D_FORWARD, array, array), "%s", doing);
  for (int i = 0; i < 12; i++) {
    double want = (2 * rank + i / 3 - 1 + 2 * ranks) % (2 * ranks);
    CHECK(array[i / 3][i % 3] == want, "%s: row %d has %g, not %g", doing, i / 3,
          array[i / 3][i % 3], want);
  }
  pfft3d_redist_destroy(&r);
  return status;
}

static int run_measure(const task *t, MPI_Comm comm, pfft3d_error *e) {
  pfft3d_machine m = {.name = ""};
  (void)t;
  int status = pfft3d_machine_measure(comm, &m, e);
  CHECK(status || m.memory > 0, "%s: nothing was measured", doing);
  return status;
}

static int run_tune(const task *t, MPI_Comm comm, pfft3d_error *e) {
  pfft3d_candidate list[64];
  int count = pfft3d_candidates(&t->request, ranks, list, 64), failed = count < 0;
  if (share(comm, failed ? PFFT3D_ERR_MEMORY : 0, e)) return e->status;
  if (count > 4) count = 4;
  int status = pfft3d_tune(comm, &t->request, list, count, 1, 0.001, e);
  int hit = memory.hit; /* a candidate without memory is left out */
  MPI_Allreduce(MPI_IN_PLACE, &hit, 1, MPI_INT, MPI_MAX, comm);
  CHECK(status || hit || list[0].measured > 0, "%s: nothing was timed", doing);
  return status;
}

/* Wisdom of one entry to a file, and back from there. */
static int run_wisdom(const task *t, MPI_Comm comm, pfft3d_error *e) {
  pfft3d_candidate c;
  pfft3d_wisdom *first = NULL, *second = NULL;
  const char *file = in_folder("wisdom");
  int found = pfft3d_candidates(&t->request, ranks, &c, 1);
  if (share(comm, found < 1 ? PFFT3D_ERR_MEMORY : 0, e)) return e->status;
  c.measured = 1e-3;
  int status = share(comm, pfft3d_wisdom_create(&first, e), e);
  if (!status) status = share(comm, pfft3d_wisdom_create(&second, e), e);
  if (!status) status = pfft3d_wisdom_add(comm, &t->request, &c, first, e);
  if (!status) status = pfft3d_wisdom_write(comm, file, first, e);
  if (!status) status = pfft3d_wisdom_read(comm, file, second, e);
  CHECK(status || pfft3d_wisdom_count(second) == 1, "%s: %d entries were read: %s", doing,
        second ? pfft3d_wisdom_count(second) : -1, second ? pfft3d_wisdom_notice(second) : "");
  pfft3d_wisdom_destroy(&first);
  pfft3d_wisdom_destroy(&second);
  return status;
}

/* ---- files: an array of 4 x 5 numbers for each rank ---- */

#ifdef PF_HAVE_HDF5

static pfft3d_box file_box(ptrdiff_t n[3]) {
  pfft3d_box box = {.lo = {4 * rank, 0, 0}, .len = {4, 5, 1}, .stride = {5, 1, 1}};
  n[0] = 4 * ranks, n[1] = 5, n[2] = 1;
  return box;
}

static int run_output(const task *t, MPI_Comm comm, pfft3d_error *e) {
  static const pfft3d_attribute attributes[] = {{"problem", "c2c"}, {NULL, NULL}};
  pfft3d_output_spec spec = {.name = in_folder("data.h5:/group/numbers"),
                             .precision = PFFT3D_DOUBLE,
                             .numbers = PFFT3D_REAL,
                             .dims = 3,
                             .overwrite = 1,
                             .attributes = attributes};
  pfft3d_box box = file_box(spec.n);
  double array[20];
  pfft3d_output *output;
  (void)t;
  for (int i = 0; i < 20; i++) array[i] = value_of((uint64_t)(20 * rank + i));
  int status = pfft3d_output_create(comm, &spec, sizeof spec, &output, e);
  if (!status && !(status = pfft3d_output_write(output, &box, array, e)))
    return pfft3d_output_commit(&output, e);
  if (output) pfft3d_output_discard(&output);
  return status;
}

/* Collective. The attributes of data.h5 go to another file. */
static int run_copy(const task *t, MPI_Comm comm, pfft3d_error *e) {
  pfft3d_dataset *d = NULL, *copy = NULL;
  pfft3d_output *output = NULL;
  pfft3d_output_spec spec = {.name = in_folder("copy.h5"),
                             .path = "numbers",
                             .dims = 3,
                             .precision = PFFT3D_SINGLE,
                             .overwrite = 1};
  pfft3d_box box = file_box(spec.n);
  float array[40] = {0};
  char text[20] = "";
  (void)t;
  int status = pfft3d_dataset_probe(comm, in_folder("data.h5"), &d, e);
  spec.source = d;
  if (!status) status = pfft3d_output_create(comm, &spec, sizeof spec, &output, e);
  if (!status) status = pfft3d_output_write(output, &box, array, e);
  if (!status) status = pfft3d_output_commit(&output, e);
  if (output) pfft3d_output_discard(&output);
  if (!status) status = pfft3d_dataset_probe(comm, in_folder("copy.h5"), &copy, e);
  if (!status) status = pfft3d_dataset_attribute(copy, "problem", text, sizeof text, e);
  pfft3d_dataset_free(&copy);
  pfft3d_dataset_free(&d);
  CHECK(status || !strcmp(text, "c2c"), "%s: the attribute is '%s'", doing, text);
  return status;
}

static int run_input(const task *t, MPI_Comm comm, pfft3d_error *e) {
  pfft3d_dataset *d;
  ptrdiff_t n[3], wrong = 0;
  pfft3d_box box = file_box(n);
  double array[20];
  char text[20] = "";
  (void)t;
  int status = pfft3d_dataset_probe(comm, in_folder("data.h5"), &d, e);
  if (!status) status = pfft3d_dataset_attribute(d, "problem", text, sizeof text, e);
  if (!status) status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_REAL, &box, array, e);
  pfft3d_dataset_free(&d);
  for (int i = 0; i < 20 && !status; i++) wrong += array[i] != value_of((uint64_t)(20 * rank + i));
  CHECK(status || (!wrong && !strcmp(text, "c2c")), "%s: %td wrong numbers, '%s'", doing, wrong,
        text);
  return status;
}

#endif

/* ---- faults ---- */

static long tried;

/* Names that are not there when all is well: those of unfinished files. */
static int unfinished(void) {
  int count = 0;
  DIR *d = opendir(folder);
  for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d))
    count += strstr(f->d_name, ".pfft3d-") != NULL;
  if (d) closedir(d);
  return count;
}

static void on_alarm(int number) {
  static const char end[] = ": ranks wait for each other\n";
  (void)number;
  ssize_t written = write(STDERR_FILENO, doing, strlen(doing));
  written = write(STDERR_FILENO, end, sizeof end - 1);
  (void)written;
  _exit(1);
}

/* Collective. Runs a task on a communicator of its own; `fail` counts allocations of this rank. */
static int attempt(const task *t, long fail, pfft3d_error *e) {
  MPI_Comm comm;
  long live = memory.live;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  memset(e, 0, sizeof *e);
  memory.hit = 0;
  memory.count = 0;
  memory.fail = fail;
  alarm(LIMIT);
  int status = t->run(t, comm, e);
  alarm(0);
  memory.fail = 0;
  MPI_Comm_free(&comm);
  CHECK(memory.live == live, "%s: %ld pieces of memory are left", doing, memory.live - live);
  return status;
}

/* Collective. All ranks say the same: out of memory, or nothing. */
static void check_same(int status, const pfft3d_error *e) {
  pfft3d_error root = *e;
  int hit = 0;
  MPI_Allreduce(&memory.hit, &hit, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Bcast(&root, (int)sizeof root, MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK(!status || status == PFFT3D_ERR_MEMORY, "%s: status %d: %s", doing, status, e->text);
  CHECK(!status || hit, "%s: status %d without a reason", doing, status);
  CHECK(status == root.status && !strcmp(e->text, root.text),
        "%s: rank 0 says %d, '%s', not %d, '%s'", doing, root.status, root.text, status, e->text);
  if (rank == 0) CHECK(!unfinished(), "%s: an unfinished file is left", doing);
  tried += hit;
}

/* Collective. Every step-th allocation of each rank in turn. */
static void try_task(const task *t, long step, long first) {
  pfft3d_error e;
  long count;
  snprintf(doing, sizeof doing, "test_memory %s, all is well", t->name);
  int status = attempt(t, 0, &e);
  if (status == PFFT3D_ERR_UNAVAILABLE) return; /* on so many ranks */
  CHECK(!status, "%s: status %d: %s", doing, status, e.text);
  attempt(t, 0, &e); /* what is kept for good is there now */
  for (int victim = 0; victim < ranks; victim++) {
    count = memory.count;
    MPI_Bcast(&count, 1, MPI_LONG, victim, MPI_COMM_WORLD);
    for (long k = 1 + (first + victim) % step; k <= count; k += step) {
      snprintf(doing, sizeof doing,
               "test_memory 1 '%s' on %d ranks, allocation %ld of %ld on rank %d", t->name, ranks,
               k, count, victim);
      status = attempt(t, rank == victim ? k : 0, &e);
      check_same(status, &e);
    }
    snprintf(doing, sizeof doing, "test_memory %s, all is well again", t->name);
    status = attempt(t, 0, &e);
    CHECK(!status, "%s: status %d: %s", doing, status, e.text);
  }
}

/* ---- which tasks there are ---- */

enum { TASKS = 100 };
static task tasks[TASKS];
static int task_count;

static task *add_task(const char *name, int (*run)(const task *, MPI_Comm, pfft3d_error *),
                      const pfft3d_request *r) {
  task *t = &tasks[task_count++];
  if (task_count > TASKS) MPI_Abort(MPI_COMM_WORLD, 99);
  *t = (task){.run = run};
  snprintf(t->name, sizeof t->name, "%s", name);
  if (r) t->request = *r;
  return t;
}

static void add_plan(pfft3d_request r, const char *more) {
  char name[100], text[290];
  snprintf(text, sizeof text, "%s", request_name(&r));
  snprintf(name, sizeof name, "%.80s%s", text, more);
  add_task(name, run_plan, &r);
}

static void list_plans(void) {
  const ptrdiff_t n[3] = {5, 6, 4}, line[3] = {1, 1, 48}, prime[3] = {1, 1, 37};
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    add_plan(make_request(n, "slab", algo, "simd", PFFT3D_NATURAL), "");
    pfft3d_request r = make_request(n, "pencil", algo, "simd", PFFT3D_TRANSPOSED);
    r.problem.kind = PFFT3D_R2C;
    add_plan(r, "");
    r = make_request(line, "transpose", algo, "simd", PFFT3D_NATURAL);
    r.problem.dims = 1;
    add_plan(r, "");
  }
  FOR_LIST(PFFT3D_ENGINES, engine)
  add_plan(make_request(n, "slab", "packed", engine, PFFT3D_NATURAL), " engines");
  pfft3d_request r = make_request(prime, "transpose", "packed", "simd", PFFT3D_NATURAL);
  r.problem.dims = 1;
  r.layout[0] = PFFT3D_CYCLIC;
  add_plan(r, " chirp");
  r.problem.kind = PFFT3D_R2C;
  add_plan(r, " chirp, real");
  r = make_request(line, "butterfly", "packed", "simd", PFFT3D_NATURAL);
  r.problem.dims = 1;
  add_plan(r, " butterfly");
  r = make_request(n, "slab", "packed", "simd", PFFT3D_NATURAL);
  r.threads = 2;
  add_plan(r, " threads");
  r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.plan_budget = 0.001;
  add_plan(r, " auto, timed");
}

/* What requests say in words, and what moves data only. */
static void list_kinds(void) {
  static const char *const text[] = {"r2c:d:6x5x4:dct2,none,dft decomp=slab exchange=packed",
                                     "c2c:d:6x5x4:dst1,dft,dct3 decomp=pencil exchange=pairwise",
                                     "r2c:d:6x5x4/4x3x3 decomp=slab exchange=slabs",
                                     "c2c:d:6x5x4 bricks=1x1x%d exchange=packed wire=single",
                                     "c2c:d:6x5x4*2 joined exchange=packed decomp=slab",
                                     "c2c:d:6x5x4 exchange=packed local=stores",
                                     "c2c:d:6x5x4 exchange=pencils cuts=ceil",
                                     "r2c:d:48:dct2 exchange=packed",
                                     "c2c:d:30:dst1 exchange=pairwise",
                                     "r2c:d:48:r2hc exchange=packed"};
  pfft3d_request r;
  pfft3d_error e;
  char words[100];
  for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
    snprintf(words, sizeof words, text[k], ranks);
    pf_request_init(&r);
    CHECK(!pfft3d_request_parse(&r, words, &e), "%s: %s", words, e.text);
    add_task(words, run_plan, &r)->any = 1;
  }
  pf_request_init(&r);
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
    snprintf(words, sizeof words, "transposition, %s", algo);
    add_task(words, run_transpose, &r);
    snprintf(words, sizeof words, "ghost cells, %s", algo);
    add_task(words, run_halo, &r);
  }
  strcpy(r.decision.algo, "packed");
  r.wire = PFFT3D_SINGLE;
  add_task("transposition, single", run_transpose, &r);
}

static void list_others(void) {
  const ptrdiff_t n[3] = {5, 6, 4};
  pfft3d_request r = make_request(n, "auto", "auto", "simd", PFFT3D_TRANSPOSED);
  add_task("measure", run_measure, NULL);
  add_task("tune", run_tune, &r);
  add_task("wisdom", run_wisdom, &r);
#ifdef PF_HAVE_HDF5
  add_task("output", run_output, NULL);
  add_task("input", run_input, NULL);
  add_task("copy", run_copy, NULL);
#endif
}

/* Rank 0 removes what the tests have left. */
static void remove_folder(void) {
  DIR *d = opendir(folder);
  for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d))
    if (f->d_name[0] != '.') unlink(in_folder(f->d_name));
  if (d) closedir(d);
  rmdir(folder);
}

int main(int argc, char **argv) {
  int level;
  long step, all;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  step = argc > 1 ? atol(argv[1]) : ranks == 1 ? 1 : ranks < 4 ? 23 : 127;
  snprintf(folder, sizeof folder, "/tmp/pfft3d-test-XXXXXX");
  if (rank == 0 && !mkdtemp(folder)) MPI_Abort(MPI_COMM_WORLD, 99);
  MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
  signal(SIGALRM, on_alarm);
  list_plans();
  list_kinds();
  list_others();
  for (int i = 0; i < task_count && step > 0; i++)
    if (argc < 3 || !strcmp(argv[2], tasks[i].name)) try_task(&tasks[i], step, i);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) remove_folder();
  long failed = check_failed;
  MPI_Allreduce(&failed, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("tried %ld wrong %ld\n", tried, all);
  return check_result();
}
