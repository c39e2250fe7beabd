/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Transpositions of distributed matrices, element by element and by global index, with every
 * exchange, in and out of place, forward and backward; where this build has FFTW-MPI, also against
 * fftw_mpi_plan_many_transpose(), whose arguments they have.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 30 by default. */
#include "cases.h"
#include "pfft3d_redist.h"
#ifdef PF_FFTW_MPI
#include <fftw3-mpi.h>
#endif

static int rank, ranks;

/* The part of n lines that a rank holds. */
static ptrdiff_t first_of(ptrdiff_t n, ptrdiff_t block) {
  ptrdiff_t each = block ? block : (n + ranks - 1) / ranks;
  return each * rank < n ? each * rank : n;
}
static ptrdiff_t count_of(ptrdiff_t n, ptrdiff_t block) {
  ptrdiff_t each = block ? block : (n + ranks - 1) / ranks, rest = n - first_of(n, block);
  return rest < each ? rest : each;
}

/* Element k of the tuple in row i and column j of the matrix. */
static double number(ptrdiff_t i, ptrdiff_t j, ptrdiff_t k) {
  return (double)(10000 * i + 100 * j + k + 1);
}

/* What this rank must have on a side (1: of the result), in numbers: [lines][others][howmany], or
 * [others][lines][howmany]. */
static double *side_of(const pfft3d_transpose_spec *t, int side, size_t room) {
  ptrdiff_t n = side ? t->n1 : t->n0, others = side ? t->n0 : t->n1;
  ptrdiff_t lo = first_of(n, side ? t->block1 : t->block0);
  ptrdiff_t lines = count_of(n, side ? t->block1 : t->block0), many = t->howmany ? t->howmany : 1;
  int swapped = side ? t->transposed_out : t->transposed_in;
  double *x = get(room * sizeof *x);
  for (size_t i = 0; i < room; i++) x[i] = -1;
  for (ptrdiff_t i = 0; i < lines; i++)
    for (ptrdiff_t j = 0; j < others; j++)
      for (ptrdiff_t k = 0; k < many; k++)
        x[(swapped ? j * lines + i : i * others + j) * many + k] =
            side ? number(j, lo + i, k) : number(lo + i, j, k);
  return x;
}

static size_t room_of(const pfft3d_transpose_spec *t) {
  ptrdiff_t many = t->howmany ? t->howmany : 1;
  ptrdiff_t in = count_of(t->n0, t->block0) * t->n1, out = count_of(t->n1, t->block1) * t->n0;
  return (size_t)((in > out ? in : out) * many);
}

static void test_one(const pfft3d_transpose_spec *t) {
  pfft3d_redist *r;
  pfft3d_error e;
  size_t room = room_of(t);
  double *want[2] = {side_of(t, 0, room), side_of(t, 1, room)}, *have = get(room * sizeof *have);
  int status = pfft3d_transpose_create(MPI_COMM_WORLD, t, &r, &e);
  CHECK(!status, "%s: %s", t->exchange, e.text);
  for (int turn = 0; turn < 4 && !status; turn++) {
    int d = turn % 2, in_place = turn > 1 && t->in_place;
    for (size_t i = 0; i < room; i++) have[i] = in_place ? want[d][i] : -1;
    CHECK(!pfft3d_redist_execute(r, (pfft3d_direction)d, in_place ? have : want[d], have), "run");
    size_t wrong = 0;
    for (size_t i = 0; i < room; i++) wrong += want[!d][i] >= 0 && have[i] != want[!d][i];
    CHECK(!wrong, "%td x %td x %td, blocks %td and %td, stored %d %d, %s, direction %d: %zu wrong",
          t->n0, t->n1, t->howmany, t->block0, t->block1, t->transposed_in, t->transposed_out,
          t->exchange, d, wrong);
  }
  pfft3d_redist_destroy(&r);
  free(want[0]), free(want[1]), free(have);
}

/* A block that is long enough for n lines, now and then much too long. */
static ptrdiff_t roll_block(dice *d, ptrdiff_t n) {
  ptrdiff_t least = (n + ranks - 1) / ranks;
  return percent(d, 50) ? 0 : least + roll(d, 3) + (percent(d, 10) ? n : 0);
}

static pfft3d_transpose_spec roll_spec(dice *d) {
  pfft3d_transpose_spec t = {.n0 = 1 + roll(d, 40),
                             .n1 = 1 + roll(d, 40),
                             .howmany = roll(d, 5),
                             .element = sizeof(double),
                             .transposed_in = roll(d, 2),
                             .transposed_out = roll(d, 2)};
  t.block0 = roll_block(d, t.n0);
  t.block1 = roll_block(d, t.n1);
  return t;
}

#ifdef PF_FFTW_MPI
/* The result of FFTW for the same arguments, where it does not err: if a given block holds all
 * columns, and rows are on several ranks, each of these is told that it has all columns. */
static void test_fftw(const pfft3d_transpose_spec *t) {
  ptrdiff_t rows = t->block0 ? t->block0 : (t->n0 + ranks - 1) / ranks;
  if (t->block1 >= t->n1 && rows < t->n0) return;
  fftw_mpi_init(); /* which does nothing the second time */
  check_at_end = fftw_mpi_cleanup;
  ptrdiff_t many = t->howmany ? t->howmany : 1, lo[2], count[2], all;
  unsigned flags = (t->transposed_in ? FFTW_MPI_TRANSPOSED_IN : 0u) |
                   (t->transposed_out ? FFTW_MPI_TRANSPOSED_OUT : 0u);
  const ptrdiff_t n[2] = {t->n0, t->n1};
  all = fftw_mpi_local_size_many_transposed(2, n, many, t->block0, t->block1, MPI_COMM_WORLD,
                                            &count[0], &lo[0], &count[1], &lo[1]);
  size_t room = room_of(t);
  double *in = fftw_malloc((size_t)all * sizeof *in + 1),
         *out = fftw_malloc((size_t)all * sizeof *out + 1);
  double *given = side_of(t, 0, room), *want = side_of(t, 1, room);
  fftw_plan plan = fftw_mpi_plan_many_transpose(t->n0, t->n1, many, t->block0, t->block1, in, out,
                                                MPI_COMM_WORLD, FFTW_ESTIMATE | flags);
  CHECK(plan && count[0] == count_of(t->n0, t->block0) && count[1] == count_of(t->n1, t->block1),
        "%td and %td lines by FFTW", count[0], count[1]);
  size_t wrong = 0;
  memcpy(in, given, (size_t)(count[0] * t->n1 * many) * sizeof *in);
  fftw_execute(plan);
  for (size_t i = 0; i < room; i++) wrong += want[i] >= 0 && out[i] != want[i];
  CHECK(!wrong, "%td x %td x %td, blocks %td and %td, stored %d %d: FFTW has %zu others", t->n0,
        t->n1, many, t->block0, t->block1, t->transposed_in, t->transposed_out, wrong);
  fftw_destroy_plan(plan);
  fftw_free(in), fftw_free(out);
  free(given), free(want);
}
#else
static void test_fftw(const pfft3d_transpose_spec *t) {
  (void)t;
}
#endif

static void refuse(const pfft3d_transpose_spec *t, const char *says) {
  pfft3d_redist *r;
  pfft3d_error e;
  int status = pfft3d_transpose_create(MPI_COMM_WORLD, t, &r, &e);
  CHECK(status == PFFT3D_ERR_USAGE && !r && strstr(e.text, says), "%d: %s, not %s", status, e.text,
        says);
}

static void test_errors(void) {
  const pfft3d_transpose_spec good = {.n0 = 4 * ranks, .n1 = 5, .element = 8};
  pfft3d_transpose_spec t = good;
  t.block0 = 3;
  refuse(&t, "transpose: block0 is 3");
  t = good, t.block1 = -1;
  refuse(&t, "transpose: block1 is -1");
  t = good, t.n1 = 0;
  refuse(&t, "transpose: n1 is 0");
  t = good, t.howmany = -2;
  refuse(&t, "howmany is -2");
  t = good, t.n1 = PTRDIFF_MAX / 2;
  refuse(&t, "64 bits");
  t = good, t.element = 0;
  refuse(&t, "elements of 0 bytes");
}

static void test_case(dice *d, uint64_t seed, long number, int all) {
  (void)seed;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ranks = all;
  if (number == 0) test_errors();
  pfft3d_transpose_spec t = roll_spec(d);
  case_tell("%td x %td x %td, blocks %td and %td, stored %d %d", t.n0, t.n1, t.howmany, t.block0,
            t.block1, t.transposed_in, t.transposed_out);
  test_fftw(&t);
  FOR_LIST(PFFT3D_EXCHANGES, exchange) {
    t.exchange = exchange;
    t.in_place = strcmp(exchange, "alltoallw") != 0;
    test_one(&t);
  }
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 30, "transform/test_transpose", test_case);
}
