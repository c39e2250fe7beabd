/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * NAS FT inside: the random field of every rank is bit for bit that of one generator from beginning
 * to end, and a checksum that is off is seen. */
#include "apps/nas/nas_class.h"
#include "apps/nas/nas_field.h"
#include "support.h"

/* ---- the field ---- */

/* The generator as its definition says, in decimal: x <- 5^13 x mod 2^46. */
static double *sequence(ptrdiff_t numbers) {
  double *all = get((size_t)numbers * sizeof *all);
  unsigned __int128 x = 314159265, modulus = (unsigned __int128)1 << 46;
  for (ptrdiff_t i = 0; i < numbers; i++) {
    x = x * 1220703125u % modulus;
    all[i] = (double)(uint64_t)x / 70368744177664.0;
  }
  return all;
}

static void check_field(const ptrdiff_t n[3], const char *scheme, const int grid[2], int threads) {
  int rank;
  ptrdiff_t numbers = 2 * n[0] * n[1] * n[2], wrong = 0;
  pfft3d_request r = make_request(n, scheme, "packed", "auto", PFFT3D_TRANSPOSED);
  pfft3d_box box;
  memcpy(r.decision.grid, grid, sizeof r.decision.grid);
  r.array[PFFT3D_SPACE].above[2] = 3; /* rows do not follow each other */
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &box);
  size_t elements = pfft3d_plan_elements(plan, PFFT3D_SPACE);
  double *all = sequence(numbers), *mine = get(2 * elements * sizeof *mine);
  memset(mine, 0xFF, 2 * elements * sizeof *mine);
  nas_fill(n, &box, threads, mine);
  FOR_BOX(&box, n, g, at) wrong += memcmp(mine + 2 * (box.offset + at), all + 2 * g, 16) != 0;
  CHECK(!wrong, "%s: %td of %td elements differ from the sequence", request_name(&r), wrong,
        box_elements(&box));
  for (ptrdiff_t i = 0; i < 2 * (ptrdiff_t)elements; i++) wrong += isnan(mine[i]) != 0;
  CHECK(wrong == 2 * ((ptrdiff_t)elements - box_elements(&box)), "%s: written between rows",
        request_name(&r));
  free(all);
  free(mine);
  pfft3d_plan_destroy(&plan);
}

static void test_field(int ranks) {
  static const ptrdiff_t sizes[][3] = {{8, 6, 10}, {5, 7, 3}, {4, 32, 64}, {2, 2, 1}};
  static const int any[2] = {0, 0};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int threads = 1; threads <= 2; threads++) {
      check_field(sizes[k], "slab", any, threads);
      check_field(sizes[k], "pencil", any, threads);
      check_field(sizes[k], "pencil", (const int[2]){1, ranks}, threads);
    }
}

/* Far into the sequence: k + m steps are k steps, then m. */
static void test_jumps(void) {
  static const uint64_t far[] = {0, 1, 2, 1023, 1u << 20, ((uint64_t)1 << 35) - 7};
  for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
    unsigned __int128 x = nas_random_state(far[k]), modulus = (unsigned __int128)1 << 46;
    for (int m = 1; m <= 100; m++) {
      x = x * 1220703125u % modulus;
      CHECK(nas_random_state(far[k] + (uint64_t)m) == (uint64_t)x, "%llu steps and %d",
            (unsigned long long)far[k], m);
    }
  }
  /* The multiplier has the largest order there is: 2^44 steps come back, half of them do not. */
  CHECK(nas_random_state((uint64_t)1 << 44) == 314159265, "2^44 steps do not come back");
  CHECK(nas_random_state((uint64_t)1 << 43) != 314159265, "2^43 steps come back");
}

/* ---- the verdict ---- */

static void test_classes(void) {
  static const struct {
    char letter;
    int log2_points, iterations;
  } want[] = {{'S', 18, 6},  {'W', 19, 6},  {'A', 23, 6}, {'B', 25, 20},
              {'C', 27, 20}, {'D', 31, 25}, {'E', 34, 25}};
  int worst;
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    nas_class c = nas_class_of(want[k].letter);
    CHECK(c.letter == want[k].letter && c.iterations == want[k].iterations, "class %c",
          want[k].letter);
    CHECK(c.n[0] * c.n[1] * c.n[2] == (ptrdiff_t)1 << want[k].log2_points, "class %c: size",
          want[k].letter);
    CHECK(nas_error(&c, (const double(*)[2])c.checksum, &worst) == 0, "class %c", c.letter);
    for (int t = 0; t < c.iterations; t++)
      for (int part = 0; part < 2; part++) {
        nas_class off = c;
        double error, size = hypot(c.checksum[t][0], c.checksum[t][1]);
        CHECK(size > 100 && size < 2000, "class %c: no checksum %d", c.letter, t + 1);
        off.checksum[t][part] += 3e-12 * size;
        error = nas_error(&c, (const double(*)[2])off.checksum, &worst);
        CHECK(error > 2.9e-12 && error < 3.1e-12 && worst == t + 1, "class %c: %g in %d", c.letter,
              error, worst);
        off.checksum[t][part] = NAN;
        error = nas_error(&c, (const double(*)[2])off.checksum, &worst);
        CHECK(!(error <= 1e300) && worst == t + 1, "class %c: %g with NaN", c.letter, error);
      }
  }
  CHECK(!nas_class_of('F').iterations && !nas_class_of(0).iterations, "class F");
}

/* The formula of the original, with logarithms of powers of two. */
static void test_rate(void) {
  nas_class c = nas_class_of('B');
  double ln = 25 * 0.69314718055994530942, n = 33554432;
  double want = 1e-6 * n * (14.8157 + 7.19641 * ln + (5.23518 + 7.21113 * ln) * 20) / 4;
  CHECK(fabs(nas_mops(&c, 4) - want) < 1e-9 * want, "%g, not %g", nas_mops(&c, 4), want);
}

int main(int argc, char **argv) {
  int level, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  test_field(ranks);
  test_jumps();
  test_classes();
  test_rate();
  return check_result();
}
