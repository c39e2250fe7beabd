/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * No exceptions of floating point where data is finite, however often a plan runs: programs that
 * trap them would end.  Nor from what a transform ignores: the imaginary parts of modes 0 and n/2
 * of a half axis. */
#include <fenv.h>

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

int main(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
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
