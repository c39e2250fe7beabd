/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Long calls say that they move on: each candidate and repeat that is timed, each round of a file
 * that is written or read, so that a watchdog can tell them from those that hang. */
#ifdef HAVE_CONFIG_H
#include "base/hooks.h"
#include "config.h"
#endif
#include "support.h"
#ifdef PF_HAVE_HDF5
#include "hdf5/hooks.h"
#include "pfft3d_hdf5.h"
#endif

static long moves;
static int world_ranks;

static void moved(void) {
  moves++;
}

static void test_tune(int repeats, int expected) {
  enum { MOST = 3 };
  pfft3d_candidate list[MOST];
  pfft3d_error e;
  pfft3d_request r = make_request((ptrdiff_t[]){8, 6, 10}, "auto", "auto", "auto", PFFT3D_NATURAL);
  int count = pfft3d_candidates(&r, world_ranks, list, MOST);
  count = count < MOST ? count : MOST;
  moves = 0;
  int status = pfft3d_tune(MPI_COMM_WORLD, &r, list, count, repeats, 600, &e);
  CHECK(status == 0 && count > 0, "%s", e.text);
  for (int i = 0; i < count; i++)
    CHECK(list[i].repeats == expected && list[i].measured > 1e-9 && list[i].measured < 600,
          "%d repeats: %d of %g s", repeats, list[i].repeats, list[i].measured);
  CHECK(moves >= count * (expected + 2), "%ld moves for %d candidates, %d repeats", moves, count,
        expected);
}

#ifdef PF_HAVE_HDF5
/* A field that takes this number of rounds. */
static void test_files(const char *directory) {
  enum { ROUNDS = 6, ROW = 512 };
  char name[300];
  pfft3d_error e;
  pfft3d_output *out;
  pfft3d_dataset *d;
  snprintf(name, sizeof name, "%s/pfft3d-moves-%d.h5:/x", directory, world_ranks);
  pfft3d_output_spec spec = {.name = name, .dims = 3, .n = {ROUNDS * world_ranks, 1, ROW / 16}};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pfft3d_box box = {
      .lo = {rank * ROUNDS, 0, 0}, .len = {ROUNDS, 1, ROW / 16}, .stride = {ROW / 16, ROW / 16, 1}};
  void *array = calloc(ROUNDS, ROW);
  pf_hooks.round_bytes = ROW;
  moves = 0;
  CHECK(!pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e), "%s", e.text);
  CHECK(!pfft3d_output_write(out, &box, array, &e), "%s", e.text);
  CHECK(moves >= ROUNDS, "%ld moves while writing %d rounds", moves, ROUNDS);
  CHECK(!pfft3d_output_commit(&out, &e), "%s", e.text);
  moves = 0;
  CHECK(!pfft3d_dataset_probe(MPI_COMM_WORLD, name, &d, &e), "%s", e.text);
  CHECK(!pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e), "%s", e.text);
  pfft3d_dataset_free(&d);
  CHECK(moves >= ROUNDS, "%ld moves while reading %d rounds", moves, ROUNDS);
  pf_hooks.round_bytes = 0;
  free(array);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) *strchr(name, ':') = 0, remove(name);
}
#endif

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  pfft3d_on_progress(moved);
  test_tune(4, 4);
  test_tune(0, 1);
  test_tune(-5, 1);
#ifdef PF_HAVE_HDF5
  const char *tmp = getenv("TMPDIR");
  test_files(tmp && *tmp ? tmp : "/tmp");
#endif
  pfft3d_on_progress(NULL);
  return check_result();
}
