/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Plans and redistributions that are destroyed after MPI_Finalize give back all memory that does
 * not belong to MPI: buffers of every exchange, and what ranks share. */
#include <string.h>

#include "pfft3d_redist.h"
#include "support.h"

enum { MOST = 40, FIELD = 64 * 64 * 64 * 16 };

static int make_plans(pfft3d_plan *plan[MOST]) {
  static const char *const local[] = {"messages", "stores"};
  int plans = 0;
  FOR_LIST(PFFT3D_EXCHANGES, exchange)
  for (int k = 0; k < 2; k++) {
    char text[120];
    pfft3d_error e;
    snprintf(text, sizeof text, "c2c:d:64x64x64 exchange=%s decomp=slab local=%s", exchange,
             local[k]);
    int status = pfft3d_plan_create_text(MPI_COMM_WORLD, text, &plan[plans], &e);
    if (status == PFFT3D_ERR_UNAVAILABLE) continue;
    CHECK(!status, "%s: %s", text, e.text);
    void *in;
    CHECK(!pfft3d_alloc(plan[plans], &in, &e), "%s", e.text);
    memset(in, 0, pfft3d_plan_bytes(plan[plans]));
    CHECK(!pfft3d_execute(plan[plans], PFFT3D_FORWARD, in, in), "%s", text);
    pfft3d_free(plan[plans++], in);
  }
  return plans;
}

int main(int argc, char **argv) {
  pfft3d_plan *plan[MOST];
  pfft3d_redist *redist;
  pfft3d_error e;
  int ranks;
#ifdef MPICH
  printf("MPICH ends programs that have persistent requests in MPI_Finalize\n");
  return 77;
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  size_t before = heap_bytes();
  int plans = make_plans(plan);
  pfft3d_transpose_spec s = {.n0 = 512, .n1 = 512, .element = 16, .exchange = "packed"};
  CHECK(!pfft3d_transpose_create(MPI_COMM_WORLD, &s, &redist, &e), "%s", e.text);
  CHECK(plans > 1, "%d plans", plans);
  CHECK(ranks == 1 || shared_maps("memfd:pfft3d") > 0, "nothing is shared");
  size_t there = heap_bytes();
  CHECK(there > before + (size_t)(FIELD / ranks), "%zu bytes for all plans", there - before);
  int status = check_result();
  long failed = check_failed;
  for (int k = 0; k < plans; k++) pfft3d_plan_destroy(&plan[k]);
  pfft3d_redist_destroy(&redist);
  size_t left = heap_bytes();
  CHECK(left < before + (1 << 20), "%zu of %zu bytes are left", left - before, there - before);
  CHECK(shared_maps("memfd:pfft3d") == 0, "%ld maps of shared memory are left",
        shared_maps("memfd:pfft3d"));
  return status || check_failed != failed;
}
