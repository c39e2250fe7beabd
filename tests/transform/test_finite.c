/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * No exceptions of floating point where data is finite, however often a plan runs: programs that
 * trap them would end.  Nor from what a transform ignores: the imaginary parts of modes 0 and n/2
 * of a half axis.  What is no number spoils all that depends on it, and the smallest numbers count.
 */
#include <fenv.h>
#include <float.h>

#include "support.h"

enum { TIMES = 700 };

static const int wrong = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;

static int rank;

static void *array_of(pfft3d_plan *plan) {
  void *array = NULL;
  pfft3d_error e;
  CHECK(!pfft3d_alloc(plan, &array, &e), "%s", e.text);
  if (!array) MPI_Abort(MPI_COMM_WORLD, 1);
  return array;
}

static pfft3d_plan *plan_of(const char *text) {
  pfft3d_plan *plan;
  pfft3d_error e;
  CHECK(!pfft3d_plan_create_text(MPI_COMM_WORLD, text, &plan, &e), "%s: %s", text, e.text);
  if (!plan) MPI_Abort(MPI_COMM_WORLD, 1);
  return plan;
}

/* Again and again: what is left in places of no line must not grow. */
static void test_repeats(const char *text) {
  pfft3d_plan *plan = plan_of(text);
  double *in = array_of(plan), *out = array_of(plan);
  int single = strstr(text, ":s:") != NULL, at = TIMES;
  for (size_t i = 0; i < pfft3d_plan_bytes(plan) / (single ? 4 : 8); i++)
    if (single)
      ((float *)in)[i] = (float)value_of(i + (size_t)(1000 * rank));
    else
      in[i] = value_of(i + (size_t)(1000 * rank));
  for (int direction = 0; direction < 2; direction++) {
    feclearexcept(wrong);
    for (int k = 0; k < TIMES; k++) {
      CHECK(!pfft3d_execute(plan, (pfft3d_direction)direction, in, out), "%s", text);
      if (at == TIMES && fetestexcept(wrong)) at = k;
    }
    CHECK(at == TIMES, "%s: exceptions from run %d on, direction %d", text, at, direction);
  }
  for (int k = 0; k < TIMES; k++) /* in place, where the numbers overflow in the end */
    CHECK(!pfft3d_execute(plan, PFFT3D_BACKWARD, out, out), "%s", text);
  pfft3d_plan_destroy(&plan);
}

/* What a backward transform of a half axis ignores may be anything. */
static void test_ignored(const char *text, ptrdiff_t modes) {
  pfft3d_plan *plan = plan_of(text);
  double *in = array_of(plan), *out = array_of(plan);
  pfft3d_box space, spectrum;
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &space);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &spectrum);
  const ptrdiff_t *s = spectrum.stride;
  for (ptrdiff_t i = 0; box_elements(&spectrum) && i < spectrum.len[1]; i++)
    for (ptrdiff_t j = 0; j < spectrum.len[2]; j++) {
      ptrdiff_t mode = spectrum.lo[1] + i, at = spectrum.offset + i * s[1] + j * s[2];
      in[2 * at] = 1 + (double)mode;
      in[2 * at + 1] = mode == 0 || mode == modes - 1 ? NAN : 1;
    }
  CHECK(!pfft3d_execute(plan, PFFT3D_BACKWARD, in, out), "%s", text);
  long bad = 0;
  for (ptrdiff_t i = 0; box_elements(&space) && i < space.len[1]; i++)
    for (ptrdiff_t j = 0; j < space.len[2]; j++)
      bad += !isfinite(out[space.offset + i * space.stride[1] + j * space.stride[2]]);
  CHECK(!bad, "%s: %ld results are not finite", text, bad);
  pfft3d_plan_destroy(&plan);
}

/* Lines of an axis without a transform are independent: a line of no numbers spoils itself alone.
 */
static void test_independent(const char *text) {
  pfft3d_plan *plan = plan_of(text);
  double *in = array_of(plan), *out = array_of(plan);
  pfft3d_box space, spectrum;
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &space);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &spectrum);
  long bad = 0;
  for (ptrdiff_t i = 0; box_elements(&space) && i < space.len[1]; i++)
    for (ptrdiff_t j = 0; j < space.len[2]; j++)
      in[space.offset + i * space.stride[1] + j * space.stride[2]] =
          space.lo[1] + i == 3 ? NAN : value_of((uint64_t)(100 * i + j));
  CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, in, out), "%s", text);
  int parts = strstr(text, "dct") ? 1 : 2; /* numbers of an element */
  for (ptrdiff_t i = 0; box_elements(&spectrum) && i < spectrum.len[1]; i++)
    for (ptrdiff_t j = 0; j < spectrum.len[2]; j++)
      if (spectrum.lo[1] + i != 3)
        bad += !isfinite(
            out[parts * (spectrum.offset + i * spectrum.stride[1] + j * spectrum.stride[2])]);
  CHECK(!bad, "%s: %ld results of other lines are no numbers", text, bad);
  pfft3d_plan_destroy(&plan);
}

/* Calls a function for each complex element of a side. */
static void each(pfft3d_plan *plan, pfft3d_side side, void *array, int single,
                 void visit(void *x, int single, const ptrdiff_t index[3], double *sum),
                 double *sum) {
  pfft3d_box b;
  pfft3d_plan_box(plan, side, rank, &b);
  for (ptrdiff_t i = 0; box_elements(&b) && i < b.len[0]; i++)
    for (ptrdiff_t j = 0; j < b.len[1]; j++)
      for (ptrdiff_t k = 0; k < b.len[2]; k++) {
        ptrdiff_t index[3] = {b.lo[0] + i, b.lo[1] + j, b.lo[2] + k};
        ptrdiff_t at = b.offset + i * b.stride[0] + j * b.stride[1] + k * b.stride[2];
        visit((char *)array + (size_t)(2 * at) * (single ? 4 : 8), single, index, sum);
      }
}

static void put(void *x, int single, double re) {
  if (single)
    ((float *)x)[0] = (float)re, ((float *)x)[1] = 0;
  else
    ((double *)x)[0] = re, ((double *)x)[1] = 0;
}

static double part(const void *x, int single, int k) {
  return single ? (double)((const float *)x)[k] : ((const double *)x)[k];
}

/* Numbers with one element in the middle that is none: *sum. */
static void put_spoilt(void *x, int single, const ptrdiff_t index[3], double *sum) {
  put(x, single,
      index[0] == 1 && index[1] == 1 && index[2] == 1 ? *sum : (double)(index[0] + index[2]));
}

static void count_finite(void *x, int single, const ptrdiff_t index[3], double *sum) {
  (void)index;
  *sum += isfinite(part(x, single, 0)) && isfinite(part(x, single, 1));
}

/* Multiples of the smallest number. */
static void put_least(void *x, int single, const ptrdiff_t index[3], double *sum) {
  double number = (double)(1 + index[0] + index[1] + index[2]);
  put(x, single, number * (single ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN));
  *sum += number;
}

/* Takes the first mode off the sum. */
static void take_first(void *x, int single, const ptrdiff_t index[3], double *sum) {
  if (!index[0] && !index[1] && !index[2])
    *sum -= part(x, single, 0) / (single ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN);
}

/* An infinite element, or NaN, leaves no result finite.  The first mode of the smallest numbers is
 * their sum. */
static void test_ends(const char *text) {
  int single = strstr(text, ":s:") != NULL;
  pfft3d_plan *plan = plan_of(text);
  void *in = array_of(plan), *out = array_of(plan);
  for (int k = 0; k < 3; k++) {
    double spoilt[] = {NAN, INFINITY, -INFINITY}, finite = 0;
    each(plan, PFFT3D_SPACE, in, single, put_spoilt, &spoilt[k]);
    CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, in, out), "%s", text);
    each(plan, PFFT3D_SPECTRUM, out, single, count_finite, &finite);
    CHECK(finite <= 0, "%s: %g results are finite, one element was %g", text, finite, spoilt[k]);
  }
  double sum = 0;
  each(plan, PFFT3D_SPACE, in, single, put_least, &sum);
  CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, in, out), "%s", text);
  each(plan, PFFT3D_SPECTRUM, out, single, take_first, &sum);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(fabs(sum) < 4, "%s: a sum of the smallest numbers is off by %g of them", text, sum);
  pfft3d_plan_destroy(&plan);
}

int main(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int turn = 0;
  FOR_LIST(PFFT3D_ENGINES, engine) {
    static const char *const problems[] = {"c2c:d:1x1x1000", "c2c:s:1x1x1000", "r2c:s:1x1x1000",
                                           "c2c:s:37x1x35",  "c2c:s:13x15x17", "r2c:s:13x15x17",
                                           "r2c:d:9x7x100"};
    char text[120];
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
      if (is_textbook(engine) || !strcmp(engine, "naive")) continue;
      snprintf(text, sizeof text, "%s engine=%s exchange=packed", problems[k], engine);
      test_repeats(text);
    }
    FOR_LIST(PFFT3D_EXCHANGES, exchange) {
      snprintf(text, sizeof text, "c2c:%c:5x8x6 engine=%s exchange=%s", turn++ % 2 ? 's' : 'd',
               engine, exchange);
      test_ends(text);
    }
    if (!is_textbook(engine)) {
      snprintf(text, sizeof text, "r2c:d:8x6:dft,dst2 engine=%s exchange=packed", engine);
      test_ignored(text, 5);
      snprintf(text, sizeof text, "r2c:d:32x64:none,dft engine=%s exchange=packed", engine);
      test_independent(text);
      snprintf(text, sizeof text, "r2c:d:32x64:none,dct2 engine=%s exchange=packed", engine);
      test_independent(text);
    }
  }
  test_repeats("c2c:s:1000 exchange=packed");
  test_repeats("c2c:d:1000 exchange=packed");
  test_ignored("r2c:d:262x6:dft,dst2 exchange=packed", 132);
  return check_result();
}
