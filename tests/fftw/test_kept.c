/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The plans that the drop-in keeps: they are found again, and where only some ranks have one,
 * because the ranks ask for unlike things, none is made and all of them go on. */
#include "fftw3_mpi/call.h"
#include "support.h"

/* There is no original here. */
pf_function pf_original(const char *name) {
  (void)name;
  return NULL;
}

static int ranks, rank;

/* The transposition of a matrix of 2x2 numbers. */
static pf_kept *keep(int in_place, int old) {
  static double a[4], b[4];
  static const ptrdiff_t n[2] = {2, 2};
  pf_call c = {.name = "plan_transpose",
               .family = PF_TRANSPOSE,
               .precision = PFFT3D_DOUBLE,
               .rank = 2,
               .n = n,
               .howmany = 1,
               .in = a,
               .out = in_place ? a : b,
               .comm = MPI_COMM_WORLD};
  pf_form form;
  pfft3d_error e = {.status = PFFT3D_OK};
  const char *reason = pf_translate(&c, ranks, rank, &form);
  CHECK(!reason, "a transposition: %s", reason);
  pf_kept *kept = pf_cache_get(MPI_COMM_WORLD, &form, old, &e);
  CHECK(!e.status, "a transposition, %s: %s", in_place ? "in place" : "apart", e.text);
  pf_form_free(&form);
  return kept;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(!keep(1, 1), "an old plan before there is one");
  pf_kept *first = keep(1, 0);
  CHECK(first, "no plan");
  CHECK(!keep(0, 1), "an old plan of another kind");
  int unlike = ranks > 1;
  if (unlike) CHECK(!keep(rank % 2, 0), "a plan where only some ranks have it already");
  if (unlike) CHECK(!keep(rank % 2, 1), "an old plan that only some ranks have");
  pf_kept *again = keep(1, 1);
  CHECK(again == first, "another plan for the same");
  double a[4] = {0, 0, 0, 0};
  int mine = rank < 2; /* a row; one rank has both */
  for (int k = 0; k < 4; k++) a[k] = ranks == 1 ? k : 2 * rank + k;
  CHECK(!pf_cache_execute(first, PFFT3D_FORWARD, a, a), "it does not run");
  CHECK(!mine || (a[0] == (ranks == 1 ? 0 : rank) && a[1] == 2 + (ranks == 1 ? 0 : rank)),
        "%g %g in column %d", a[0], a[1], rank);
  pf_cache_release(again);
  pf_cache_release(first);
  CHECK(keep(1, 1) == first, "a plan that is not in use is gone");
  return check_result();
}
