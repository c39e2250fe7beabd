/* ranks: 1 2 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Plans come and go, in thousands, of every kind: no communicator, window, file descriptor, mapping
 * or memory stays behind.  Several live at once on different communicators.
 *
 * Arguments: [cycles], in each of three rounds, 400 by default. */
#include <dirent.h>

#include "trial.h"

static int ranks;

/* ---- what a process holds ---- */

/* All of it is back where it was when every plan is gone. */
typedef struct {
  MPI_Fint comm;    /* index that the next communicator gets: MPI reuses the lowest one free */
  long files, maps; /* descriptors, mappings: windows over shared memory are both */
  size_t heap;      /* bytes from malloc in use, mapped ones included */
  long resident;    /* KiB */
} holdings;

static long count_files(void) {
  long count = 0;
  DIR *d = opendir("/proc/self/fd");
  while (d && readdir(d)) count++;
  if (d) closedir(d);
  return count;
}

static long resident_kib(void) {
  char line[200];
  long kib = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
  if (f) fclose(f);
  return kib;
}

static holdings take_stock(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  holdings h = {.comm = MPI_Comm_c2f(comm),
                .files = count_files(),
                .maps = shared_maps(""),
                .heap = heap_bytes(),
                .resident = resident_kib()};
  MPI_Comm_free(&comm);
  return h;
}

static long smaller(long a, long b) {
  return a < b ? a : b;
}

/* Bounds below a small leak for each of many cycles, between the ends of three rounds of them.  MPI
 * takes memory of its own in chunks now and then (Open MPI 64 KiB, MPICH's UCX more); a leak grows
 * in either round. */
static void compare_stock(const holdings *a, const holdings *b, const holdings *c, long cycles) {
  long heap = smaller((long)(b->heap - a->heap), (long)(c->heap - b->heap));
  long resident = smaller(b->resident - a->resident, c->resident - b->resident);
  long heap_most = 96 * 1024 + 8 * cycles, resident_most = 1024 + cycles / 8;
  CHECK(c->comm == a->comm, "the next communicator is number %d, was %d, after %ld cycles",
        (int)c->comm, (int)a->comm, 2 * cycles);
  CHECK(c->files <= a->files, "%ld more open files after %ld cycles", c->files - a->files,
        2 * cycles);
  CHECK(c->maps <= a->maps, "%ld more shared mappings after %ld cycles", c->maps - a->maps,
        2 * cycles);
  CHECK(heap <= heap_most, "%ld bytes more from malloc after %ld cycles, allowed %ld", heap, cycles,
        heap_most);
  CHECK(resident <= resident_most, "%ld KiB more resident after %ld cycles, allowed %ld", resident,
        cycles, resident_most);
}

/* ---- plans in turn ---- */

static int algos, engines;

/* As a line: lengths that fit a matrix, and that need several, and the butterfly where it can be.
 */
static pfft3d_request turn_line(pfft3d_request r, long k) {
  static const ptrdiff_t length[] = {48, 49, 30, 521, 16};
  int halves = r.problem.kind == PFFT3D_C2C && (ranks & (ranks - 1)) == 0;
  r.problem.dims = 1;
  r.problem.batch = 1;
  r.problem.n[0] = r.problem.n[1] = 1;
  r.problem.n[2] = length[k / 4 % 5];
  r.layout[0] = (pfft3d_distribution)(k / 8 % 2);
  r.layout[1] = (pfft3d_distribution)(k / 16 % 2);
  r.decision.grid[0] = r.decision.grid[1] = 0;
  strcpy(r.decision.scheme,
         halves && r.problem.n[2] % ranks == 0 && k % 8 == 3 ? "butterfly" : "auto");
  return r;
}

/* Request number k: kinds, precisions, cuts, exchanges, orders and engines all take turns. */
static pfft3d_request turn(long k) {
  static const ptrdiff_t grid[][3] = {{4, 3, 6}, {5, 4, 8}, {1, 6, 4}, {3, 5, 7}};
  cut list[CUTS];
  int cuts = list_cuts(ranks, list);
  pfft3d_problem p = {.kind = (pfft3d_kind)(k % 2), .batch = 1 + k / 3 % 2};
  long way = k / 2;
  memcpy(p.n, grid[k % 4], sizeof p.n);
  p.precision = (pfft3d_precision)(k / 5 % 2);
  const char *algo = pfft3d_list_name(PFFT3D_EXCHANGES, (int)(way % algos), NULL);
  const char *engine = pfft3d_list_name(PFFT3D_ENGINES, (int)(k / 7 % engines), NULL);
  pfft3d_request r = cut_request(&p, &list[way / algos % cuts], algo, engine, (int)(k / 11 % 2));
  r.deterministic = k % 3 > 0;
  return r;
}

/* One life: made, sometimes used, with or without arrays of the library. */
static void live(long k) {
  pfft3d_request r = k % 4 == 3 ? turn_line(turn(k), k) : turn(k);
  pfft3d_error e;
  pfft3d_plan *plan;
  void *array = NULL;
  int status = pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e);
  CHECK(!status, "cycle %ld, %s: %s", k, request_name(&r), e.text);
  if (status) return;
  if (k % 3 == 0) {
    CHECK(!pfft3d_alloc(plan, &array, NULL), "cycle %ld: no array", k);
    memset(array, 0, pfft3d_plan_bytes(plan));
    CHECK(!pfft3d_execute(plan, (pfft3d_direction)(k / 3 % 2), array, array), "cycle %ld", k);
    pfft3d_free(plan, array);
  }
  pfft3d_plan_destroy(&plan);
}

/* Refused plans leave nothing either. */
static void refuse(long k) {
  pfft3d_request r = turn(k);
  pfft3d_plan *plan;
  if (k % 2)
    r.problem.n[1] = -1;
  else
    r.problem.n[0] = r.problem.n[1] = r.problem.n[2] = 1 << 16; /* more than any memory */
  CHECK(pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, NULL) && !plan, "cycle %ld: not refused", k);
}

/* The same plans three times: after the first time MPI and FFTW have most of what they keep. */
static void test_cycles(long cycles) {
  holdings stock[3];
  for (int round = 0; round < 3; round++) {
    for (long k = 0; k < cycles; k++) {
      live(k);
      if (k % 10 == 0) refuse(k);
    }
    stock[round] = take_stock();
  }
  compare_stock(&stock[0], &stock[1], &stock[2], cycles);
}

/* ---- plans side by side ---- */

/* Plans on all ranks and on the even or odd ranks in reversed order, used alternately and destroyed
 * in another order than they were made in. */
static void test_side_by_side(void) {
  enum { PLANS = 9 };
  trial t[PLANS];
  oracle o[PLANS];
  pfft3d_request r[PLANS];
  MPI_Comm comm[PLANS];
  for (int k = 0; k < PLANS; k++) {
    static const cut open = {"auto", {0, 0}};
    r[k] = turn(17 * k + 5);
    comm[k] = make_comm(k % COMM_KINDS);
    if (k % COMM_KINDS == 2) { /* as many ranks as there are of this parity */
      pfft3d_problem p = r[k].problem;
      r[k] = cut_request(&p, &open, "auto", "auto", k % 2);
    }
    oracle_make(MPI_COMM_WORLD, &o[k], &r[k].problem, (uint64_t)k);
    t[k] = trial_make(comm[k], &r[k], &o[k]);
  }
  for (int k = 0; k < PLANS; k++) MPI_Comm_free(&comm[k]);
  for (int gone = 0; gone < PLANS; gone++) {
    for (int k = 0; k < PLANS; k++) {
      trial *one = &t[k * 4 % PLANS];
      if (!one->plan) continue;
      one->comm = make_comm(k * 4 % PLANS % COMM_KINDS); /* for the comparison only */
      trial_run(one, (gone + k) % 2, k % 2 ? IN_PLACE : APART, 0);
      MPI_Comm_free(&one->comm);
    }
    trial_free(&t[(gone * 5 + 3) % PLANS]);
  }
  for (int k = 0; k < PLANS; k++) oracle_free(&o[k]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (pfft3d_list_name(PFFT3D_EXCHANGES, algos, NULL)) algos++;
  while (pfft3d_list_name(PFFT3D_ENGINES, engines, NULL)) engines++;
  test_side_by_side();
  test_cycles(argc > 1 ? atol(argv[1]) : 200);
  return check_result();
}
