/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Little memory: what is left to the library takes an exchange that needs less, and what cannot be
 * is refused before it is allocated.  The function below stands before MPI's own: sums of what the
 * ranks of a node need are far too much above a limit. */
#include "pfft3d_redist.h"
#include "support.h"

static double limit = INFINITY;

int MPI_Reduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  int rank, code = PMPI_Reduce(mine, all, count, type, op, root, comm);
  MPI_Comm_rank(comm, &rank);
  double *sum = all;
  if (rank == root && count == 1 && type == MPI_DOUBLE && op == MPI_SUM && *sum > limit)
    *sum = 1e18;
  return code;
}

static int rank, ranks;

enum { N = 1 << 17 }; /* elements of 8 bytes: 1 MiB */

/* A line of numbers, of which every rank has a part, to the first rank. */
static pfft3d_redist *gather(int in_place, pfft3d_error *e) {
  ptrdiff_t lo = N * rank / ranks, len = N * (rank + 1) / ranks - lo;
  pfft3d_redist *r = NULL;
  pfft3d_redist_spec s = {.dims = 1, .n = {N}, .element = sizeof(double), .in_place = in_place};
  s.from = (pfft3d_region){.lo = {lo}, .len = {len}, .stride = {1}};
  s.to = (pfft3d_region){.len = {rank ? 0 : N}, .stride = {1}};
  pfft3d_redist_create(MPI_COMM_WORLD, &s, &r, e);
  return r;
}

/* A window would have the whole line on all ranks, in each direction that alternates. */
static void test_gather(void) {
  pfft3d_error e;
  limit = 2.5 * N * sizeof(double);
  pfft3d_redist *r = gather(0, &e);
  CHECK(r, "%s", e.text);
  double *x = get((N + 1) * sizeof *x), *y = get((N + 1) * sizeof *y);
  ptrdiff_t lo = N * rank / ranks, len = N * (rank + 1) / ranks - lo;
  for (ptrdiff_t i = 0; i < len; i++) x[i] = value_of((uint64_t)(lo + i));
  if (r) CHECK(!pfft3d_redist_execute(r, PFFT3D_FORWARD, x, y), "it does not run");
  long bad = 0;
  for (ptrdiff_t i = 0; r && !rank && i < N; i++) bad += y[i] != value_of((uint64_t)i);
  CHECK(!bad, "%ld of the elements are wrong", bad);
  pfft3d_redist_destroy(&r);
  free(x);
  free(y);
}

/* What stays on a rank goes by way of a buffer, which counts. */
static void test_in_place(void) {
  pfft3d_error e;
  limit = 0.2 * N * sizeof(double);
  pfft3d_redist *r = gather(1, &e);
  CHECK(!r && e.status == PFFT3D_ERR_MEMORY, "in place: status %d", e.status);
  pfft3d_redist_destroy(&r);
}

/* A whole spectrum on one rank: the exchange is left to the planner. */
static void test_boxes(void) {
  pfft3d_request *r;
  pfft3d_plan *plan = NULL;
  pfft3d_error e;
  const ptrdiff_t n[3] = {16, 32, 64};
  pfft3d_box whole = {.lo = {0, 0, 0}, .len = {rank ? 0 : n[0], rank ? 0 : n[1], rank ? 0 : n[2]}};
  for (int named = 0; named < 2; named++) {
    CHECK(!pfft3d_request_create(&r, &e), "%s", e.text);
    CHECK(!pfft3d_request_parse(r, "c2c:d:16x32x64 decomp=slab order=natural", &e), "%s", e.text);
    if (named) pfft3d_request_parse(r, "exchange=shared", &e);
    CHECK(!pfft3d_request_box(r, PFFT3D_SPECTRUM, &whole, &e), "%s", e.text);
    limit = 2.6 * 16 * 32 * 64 * 16;
    pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e);
    if (named)
      CHECK(ranks < 4 || (!plan && e.status == PFFT3D_ERR_MEMORY), "named: status %d", e.status);
    else
      CHECK(plan, "%s", e.text);
    pfft3d_plan_destroy(&plan);
    pfft3d_request_destroy(&r);
  }
}

int main(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  test_gather();
  test_in_place();
  test_boxes();
  return check_result();
}
