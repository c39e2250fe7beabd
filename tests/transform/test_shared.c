/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Exchanges over shared memory where they could go wrong: outputs that are shared arrays, are none,
 * or are on some ranks only; ranks that are late; many transforms in a row.  Without
 * `deterministic` the bits must be those of another exchange that takes the axes in the same order:
 * those that send while they transform begin with axis 1, the others with axis 2. */
#include <sys/resource.h>
#include <unistd.h>

#include "exchange/exchange.h"
#include "support.h"

static int rank;

/* The same numbers on any exchange: of the global index. */
static void fill(const pfft3d_plan *plan, double *array, int run) {
  pfft3d_box b;
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &b);
  for (ptrdiff_t i = 0; i < b.len[0]; i++)
    for (ptrdiff_t j = 0; j < b.len[1]; j++)
      for (ptrdiff_t k = 0; k < b.len[2]; k++) {
        double *x = array + 2 * (i * b.stride[0] + j * b.stride[1] + k * b.stride[2]);
        x[0] = (double)((b.lo[0] + i) * 7 + j * 13 + k * 29 + run) / 31;
        x[1] = (double)((b.lo[0] + i) * j - k + 3 * run) / 17;
      }
}

/* One transform of run number `run`; late: this rank comes late. */
static void transform(pfft3d_plan *plan, int direction, double *in, double *out, int run,
                      int late) {
  if (late) usleep(5000);
  fill(plan, in, run);
  CHECK(!pfft3d_execute(plan, (pfft3d_direction)direction, in, out), "execute");
}

/* The arrays of a case: [0] and [1] from pfft3d_alloc(), [2] the caller's own. */
enum { SHARED, SWAPPED, OWN, MIXED, IN_PLACE, CASES };

static void test_case(pfft3d_plan *plan, pfft3d_plan *reference, int direction, int which,
                      double *array[3], double *want, size_t bytes) {
  double *in = array[0], *out = array[1];
  if (which == SWAPPED && rank % 2) in = array[1], out = array[0];
  if (which == OWN || (which == MIXED && rank == 0)) out = array[2];
  if (which == IN_PLACE) out = in;
  for (int run = 0; run < 6; run++) {
    transform(reference, direction, want, want, run, 0);
    transform(plan, direction, in, out, run, run % 3 == rank % 3 && run < 3);
    CHECK(!bytes || !memcmp(out, want, bytes), "case %d direction %d run %d: other bits", which,
          direction, run);
  }
}

static void test_exchange(const ptrdiff_t n[3], const char *algo, pfft3d_order order) {
  pfft3d_request r = make_request(n, "auto", algo, "auto", order);
  pf_grain grain = pf_exchange_find(algo)->grain; /* by it, axes come in this order or that */
  const char *like = grain == PF_GRAIN_LINE   ? "pencils"
                     : grain > PF_GRAIN_BLOCK ? "slabs"
                                              : "packed";
  pfft3d_request other = make_request(n, "auto", like, "auto", order);
  other.node_ranks = r.node_ranks; /* they decide on the grid of pencils */
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  pfft3d_plan *reference = make_plan(MPI_COMM_WORLD, &other);
  void *array[2];
  size_t elements = pfft3d_plan_elements(plan, PFFT3D_SPACE);
  size_t spectrum = pfft3d_plan_elements(plan, PFFT3D_SPECTRUM);
  if (spectrum > elements) elements = spectrum;
  double *own = calloc(elements, 16), *want = calloc(elements, 16);
  for (int k = 0; k < 2; k++) CHECK(!pfft3d_alloc(plan, &array[k], NULL), "no array");
  double *arrays[3] = {array[0], array[1], own};
  for (int direction = 0; direction < 2; direction++) {
    pfft3d_box b;
    pfft3d_plan_box(plan, direction ? PFFT3D_SPACE : PFFT3D_SPECTRUM, rank, &b);
    size_t bytes = 16 * (size_t)box_elements(&b);
    for (int which = 0; which < CASES; which++)
      if (!direction || order == PFFT3D_NATURAL) /* fill() knows the layout of the field only */
        test_case(plan, reference, direction, which, arrays, want, bytes);
  }
  for (int k = 0; k < 2; k++) pfft3d_free(plan, array[k]);
  free(own);
  free(want);
  pfft3d_plan_destroy(&plan);
  pfft3d_plan_destroy(&reference);
}

/* A file that may not be as large as what is shared: an exchange of that name is refused, one that
 * is left open is another one; no signal ends the process.  (From three ranks on MPICH makes files
 * of its own for collectives, and dies.) */
static void test_small_files(void) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 2 && getenv("HYDRA")) return;
  struct rlimit most, small;
  pfft3d_plan *plan;
  pfft3d_error e;
  getrlimit(RLIMIT_FSIZE, &most);
  small = most;
  small.rlim_cur = 64 << 10;
  setrlimit(RLIMIT_FSIZE, &small);
  static const char *const text[] = {"c2c:d:64x64x64", "c2c:d:64x64x64 exchange=shared",
                                     "c2c:d:64x64x64 exchange=rma"};
  int status[3];
  for (int k = 0; k < 3; k++) {
    status[k] = pfft3d_plan_create_text(MPI_COMM_WORLD, text[k], &plan, &e);
    CHECK(!status[k] || strstr(e.text, "ulimit"), "%s: %d: %s", text[k], status[k], e.text);
    pfft3d_plan_destroy(&plan);
  }
  setrlimit(RLIMIT_FSIZE, &most);
  CHECK(!status[0], "auto: %d", status[0]);
  CHECK(status[1] == PFFT3D_ERR_UNAVAILABLE, "shared: %d", status[1]);
  CHECK(ranks == 1 || status[2] == PFFT3D_ERR_UNAVAILABLE, "rma: %d", status[2]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static const ptrdiff_t grid[][3] = {{16, 12, 20}, {2, 9, 5}, {5, 1, 7}, {33, 24, 40}};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) FOR_LIST(PFFT3D_EXCHANGES, algo)
  for (int order = 0; order < 2; order++)
    if (!strcmp(algo, "shared") || (algo_i_ + (int)k + order) % 3 == 0) /* others in turn */
      test_exchange(grid[k], algo, (pfft3d_order)order);
  test_small_files();
  return check_result();
}
