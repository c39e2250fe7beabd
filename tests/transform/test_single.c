/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Single precision: every scheme, exchange, engine, order and direction, in place and out of place,
 * against the DFT by its definition of the same (rounded) numbers in long double. */
#include "support.h"

enum { GUARD = 16, BY_DEFINITION = 8000 }; /* floats */
static const float poison = -31.5f;

typedef struct {
  ptrdiff_t n[3], elements;
  float *field;
  wide *want[2];
} problem;

static void make_problem(problem *p, const ptrdiff_t n[3]) {
  memcpy(p->n, n, sizeof p->n);
  p->elements = n[0] * n[1] * n[2];
  p->field = get(2 * (size_t)p->elements * sizeof *p->field);
  for (ptrdiff_t g = 0; g < 2 * p->elements; g++) p->field[g] = (float)value_of((uint64_t)g);
  for (int d = 0; d < 2; d++) {
    p->want[d] = get((size_t)p->elements * sizeof *p->want[d]);
    for (ptrdiff_t g = 0; g < p->elements; g++)
      p->want[d][g] = (wide){p->field[2 * g], p->field[2 * g + 1]};
    dft_field(p->want[d], n, d ? 1 : -1);
  }
}

/* Collective. The relative L2 error over all ranks. */
static double error_of(const problem *p, const pfft3d_box *box, const float *out, int direction,
                       double scale) {
  double sum[2] = {0, 0}, all[2];
  FOR_BOX(box, p->n, g, at) {
    wide w = p->want[direction][g];
    double re = out[2 * at] - (double)w.re * scale, im = out[2 * at + 1] - (double)w.im * scale;
    sum[0] += re * re + im * im;
    sum[1] += (double)(w.re * w.re + w.im * w.im) * scale * scale;
  }
  MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all[0] == 0 ? 0 : sqrt(all[0] / all[1]);
}

static void transform(pfft3d_plan *plan, const problem *p, const pfft3d_request *r, int direction,
                      int in_place) {
  int rank;
  pfft3d_box from, to;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pfft3d_plan_box(plan, (pfft3d_side)direction, rank, &from);
  pfft3d_plan_box(plan, (pfft3d_side)!direction, rank, &to);
  size_t most = pfft3d_plan_elements(plan, PFFT3D_SPACE), used = (size_t)box_elements(&to);
  if (pfft3d_plan_elements(plan, PFFT3D_SPECTRUM) > most)
    most = pfft3d_plan_elements(plan, PFFT3D_SPECTRUM);
  float *in = get((2 * most + GUARD) * sizeof *in), *out = in;
  if (!in_place) out = get((2 * most + GUARD) * sizeof *out);
  for (size_t i = 0; i < 2 * most + GUARD; i++) in[i] = out[i] = poison;
  FOR_BOX(&from, p->n, g, at)
  for (int c = 0; c < 2; c++) in[2 * at + c] = p->field[2 * g + c];
  int status = pfft3d_execute(plan, (pfft3d_direction)direction, in, out);
  CHECK(!status, "%s: status %d", request_name(r), status);
  double error = error_of(p, &to, out, direction, r->scale[direction]);
  double limit = error_limit(p->elements, is_smooth(p->elements)) * 0x1p29; /* 2^-24 for 2^-53 */
  CHECK(error <= limit, "%s direction %d in place %d: error %.3g, allowed %.3g", request_name(r),
        direction, in_place, error, limit);
  size_t end = 2 * (in_place ? most : used);
  for (size_t k = end; k < end + GUARD; k++)
    CHECK(out[k] == poison, "%s: written behind the output", request_name(r));
  if (!in_place) free(out);
  free(in);
}

static void test_grid(const ptrdiff_t n[3]) {
  problem p;
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make_problem(&p, n);
  FOR_LIST(PFFT3D_SCHEMES, scheme)
  FOR_SHARE(PFFT3D_EXCHANGES, algo)
  FOR_LIST(PFFT3D_ENGINES, engine)
  for (int order = 0; order < 2; order++) {
    pfft3d_request r = make_request(n, scheme, algo, engine, (pfft3d_order)order);
    pfft3d_explanation x;
    r.problem.precision = PFFT3D_SINGLE;
    r.scale[PFFT3D_BACKWARD] = 0.5;
    if (p.elements > BY_DEFINITION && !strcmp(engine, "naive")) continue;
    if (pfft3d_explain(&r, ranks, &x, NULL)) continue; /* the engine cannot do these lengths */
    CHECK(x.user_bytes <= 8.0 * (double)p.elements, "%s: %g bytes", request_name(&r), x.user_bytes);
    pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
    for (int k = 0; k < 4; k++) transform(plan, &p, &r, k / 2, k % 2);
    pfft3d_plan_destroy(&plan);
  }
  free(p.field);
  free(p.want[0]);
  free(p.want[1]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t grid[][3] = {{1, 1, 1},    {2, 3, 5},   {1, 8, 1},
                                      {16, 2, 9},   {3, 16, 10}, {17, 1, 19},
                                      {12, 13, 11}, {8, 12, 36}, {32, 48, 64}};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) test_grid(grid[k]);
  return check_result();
}
