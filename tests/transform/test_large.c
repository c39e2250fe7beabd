/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * A field of any size in place, one array in all: its last element and two others are impulses,
 * every mode is compared with the sum of three waves, and the way back with the impulses.
 *
 * Argument: a problem, such as r2c:s:2160x1000x1000, which takes 17 GiB. */
#include <complex.h>

#include "support.h"

enum { IMPULSES = 3 };

static int rank;
static ptrdiff_t n[3], at[IMPULSES][3];
static double complex *root[3]; /* exp(-2 pi i k/n) along each axis */

static void prepare(void) {
  for (int a = 0; a < 3; a++) {
    root[a] = get((size_t)n[a] * sizeof *root[a]);
    for (ptrdiff_t k = 0; k < n[a]; k++) {
      long double angle = -2 * acosl(-1.0L) * (long double)k / (long double)n[a];
      root[a][k] = (double)cosl(angle) + I * (double)sinl(angle);
    }
    at[0][a] = n[a] - 1; /* the last one; the others somewhere */
    at[1][a] = n[a] / 2;
    at[2][a] = a;
  }
}

/* Three waves of height 1 at a mode. */
static double complex waves(const ptrdiff_t mode[3]) {
  double complex sum = 0;
  for (int p = 0; p < IMPULSES; p++) {
    double complex wave = 1;
    for (int a = 0; a < 3; a++) wave *= root[a][mode[a] * at[p][a] % n[a]];
    sum += wave;
  }
  return sum;
}

static int is_impulse(ptrdiff_t i, ptrdiff_t j, ptrdiff_t k) {
  int count = 0;
  for (int p = 0; p < IMPULSES; p++) count += at[p][0] == i && at[p][1] == j && at[p][2] == k;
  return count;
}

/* The largest error of a side of this rank; fills it instead for `put`. */
static double look(const pfft3d_box *b, pfft3d_side side, float *x, int real, int put) {
  double worst = 0, all = (double)n[0] * (double)n[1] * (double)n[2];
  for (ptrdiff_t i = b->lo[0]; box_elements(b) && i < b->lo[0] + b->len[0]; i++)
    for (ptrdiff_t j = b->lo[1]; j < b->lo[1] + b->len[1]; j++)
      for (ptrdiff_t k = b->lo[2]; k < b->lo[2] + b->len[2]; k++) {
        ptrdiff_t e = b->offset + (i - b->lo[0]) * b->stride[0] + (j - b->lo[1]) * b->stride[1] +
                      (k - b->lo[2]) * b->stride[2];
        int one = real && side == PFFT3D_SPACE;
        if (put) {
          x[one ? e : 2 * e] = (float)is_impulse(i, j, k);
          if (!one) x[2 * e + 1] = 0;
          continue;
        }
        double complex want =
            side == PFFT3D_SPACE ? all * is_impulse(i, j, k) : waves((ptrdiff_t[]){i, j, k});
        double complex have = one ? x[e] : x[2 * e] + I * x[2 * e + 1];
        worst = fmax(worst, cabs(have - want) <= 1e30 ? cabs(have - want) : 1e30);
      }
  return worst;
}

static void test(const char *text) {
  char whole[160];
  pfft3d_plan *plan;
  pfft3d_error e;
  pfft3d_box box[2];
  void *array;
  int real = text[0] == 'r';
  CHECK(sscanf(text, "%*[^:]:s:%tdx%tdx%td", &n[0], &n[1], &n[2]) == 3, "%s", text);
  prepare();
  snprintf(whole, sizeof whole, "%s exchange=packed", text);
  CHECK(!pfft3d_plan_create_text(MPI_COMM_WORLD, whole, &plan, &e), "%s: %s", text, e.text);
  if (!plan) return;
  for (int side = 0; side < 2; side++) pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box[side]);
  CHECK(!pfft3d_alloc(plan, &array, &e), "%s: %s", text, e.text);
  if (array) {
    double all = (double)n[0] * (double)n[1] * (double)n[2], limit = 1e-5, error;
    look(&box[0], PFFT3D_SPACE, array, real, 1);
    CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, array, array), "%s", text);
    error = look(&box[1], PFFT3D_SPECTRUM, array, real, 0);
    CHECK(error <= limit, "%s: a mode is wrong by %g", text, error);
    CHECK(!pfft3d_execute(plan, PFFT3D_BACKWARD, array, array), "%s", text);
    error = look(&box[0], PFFT3D_SPACE, array, real, 0);
    CHECK(error <= limit * all, "%s: an element is wrong by %g of %g", text, error, all);
    pfft3d_free(plan, array);
  }
  pfft3d_plan_destroy(&plan);
  for (int a = 0; a < 3; a++) free(root[a]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  test(argc > 1 ? argv[1] : "r2c:s:12x9x14");
  if (argc == 1) test("c2c:s:7x8x9");
  return check_result();
}
