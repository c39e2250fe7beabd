/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * MPI makes no more communicators: what is created then is refused on all ranks, with a reason, and
 * is NULL; the next attempt works.
 *
 * The functions below stand before MPI's own: call number `refused` of them fails, from 0 on. */
#include <string.h>
#include <unistd.h>

#include "pfft3d_redist.h"
#include "pfft3d_tune.h"
#include "support.h"

static int refused = -1, calls;

static int is_refused(MPI_Comm *made) {
  if (calls++ != refused) return 0;
  *made = MPI_COMM_NULL;
  return 1;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
  return is_refused(made) ? MPI_ERR_INTERN : PMPI_Comm_dup(comm, made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  return is_refused(made) ? MPI_ERR_INTERN : PMPI_Comm_split(comm, color, key, made);
}

static int no_types;

int MPI_Type_commit(MPI_Datatype *type) {
  return no_types ? MPI_ERR_INTERN : PMPI_Type_commit(type);
}

/* Each creates something on a communicator, says whether there is any afterwards, and frees it. */

static int plan(MPI_Comm comm, const char *text, int *there, pfft3d_error *e) {
  pfft3d_plan *p = NULL;
  int status = pfft3d_plan_create_text(comm, text, &p, e);
  *there = p != NULL;
  pfft3d_plan_destroy(&p);
  return status;
}

static int transpose(MPI_Comm comm, const char *text, int *there, pfft3d_error *e) {
  (void)text;
  pfft3d_transpose_spec s = {.n0 = 12, .n1 = 10, .element = 8};
  pfft3d_redist *r = NULL;
  int status = pfft3d_transpose_create(comm, &s, &r, e);
  *there = r != NULL;
  pfft3d_redist_destroy(&r);
  return status;
}

static int halo(MPI_Comm comm, const char *text, int *there, pfft3d_error *e) {
  (void)text;
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  pfft3d_halo_spec s = {.dims = 1, .n = {3 * ranks}, .element = 8, .below = {1}, .above = {1}};
  s.box = (pfft3d_region){.lo = {3 * rank}, .len = {3}};
  pfft3d_redist *r = NULL;
  int status = pfft3d_halo_create(comm, &s, &r, e);
  *there = r != NULL;
  pfft3d_redist_destroy(&r);
  return status;
}

static int machine(MPI_Comm comm, const char *text, int *there, pfft3d_error *e) {
  (void)text;
  pfft3d_machine m = {.node_ranks = 0}; /* nothing is known */
  *there = 0;
  return pfft3d_machine_measure(comm, &m, e);
}

static const struct {
  const char *name, *text; /* of a plan */
  int (*make)(MPI_Comm comm, const char *text, int *there, pfft3d_error *e);
} makers[] = {
    {"a plan of a field", "c2c:d:12x10x8 decomp=pencil exchange=slabs", plan},
    {"a plan of a line", "c2c:d:144 exchange=packed", plan},
    {"a transposition", NULL, transpose},
    {"ghost cells", NULL, halo},
    {"figures of a machine", NULL, machine},
    {"a line in which each rank has plans of its own", "c2c:d:4096 method=butterfly", plan}};

/* Every call in turn, until there is none of that number; a new communicator, which knows nothing
 * of what was found out before. */
static void test_maker(size_t k) {
  for (int n = 0, failed = 1; failed; n++) {
    MPI_Comm comm;
    pfft3d_error e = {0};
    int there;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    calls = 0, refused = n;
    int status = makers[k].make(comm, makers[k].text, &there, &e);
    failed = calls > n;
    refused = -1;
    CHECK(n || failed, "%s: no communicator is made", makers[k].name);
    if (failed)
      CHECK(status == PFFT3D_ERR_INTERNAL && !there && strstr(e.text, "MPI_Comm_"),
            "%s: call %d: status %d, '%s'", makers[k].name, n, status, e.text);
    status = makers[k].make(comm, makers[k].text, &there, &e);
    CHECK(!status, "%s: after call %d: status %d, '%s'", makers[k].name, n, status, e.text);
    PMPI_Comm_free(&comm);
  }
}

/* No other rank waits for a data type: a program that has seen the failure goes on, whatever time
 * it takes. */
static void test_types(void) {
  const char *text = "c2c:d:12x10x8 exchange=alltoallw";
  pfft3d_error e = {0};
  int rank, ranks, there;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pfft3d_grace(0.2);
  no_types = rank == ranks - 1;
  int status = plan(MPI_COMM_WORLD, text, &there, &e);
  no_types = 0;
  CHECK(status == PFFT3D_ERR_INTERNAL && !there && strstr(e.text, "MPI_Type_"), "%d, '%s'",
        status, e.text);
  usleep(500000);
  CHECK(!plan(MPI_COMM_WORLD, text, &there, &e), "afterwards: '%s'", e.text);
  pfft3d_grace(60);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  size_t count = sizeof makers / sizeof *makers - (ranks == 3); /* for powers of two */
  for (size_t k = 0; k < count; k++) test_maker(k);
  test_types();
  return check_result();
}
