/* ranks: 64 */
/* SPDX-License-Identifier: BSD-3-Clause
 * More ranks than planes: 64 ranks, most of them idle, with every exchange and both orders, against
 * serial FFTW. */
#include <complex.h> /* before fftw3.h, which then takes C's complex type */
#include <fftw3.h>

#include "support.h"

static const ptrdiff_t n[3] = {20, 24, 6};

static double *transform_serially(double *field, int sign) {
  size_t all = (size_t)(n[0] * n[1] * n[2]);
  double *out = get(2 * all * sizeof *out);
  fftw_plan plan = fftw_plan_dft_3d((int)n[0], (int)n[1], (int)n[2], (fftw_complex *)field,
                                    (fftw_complex *)out, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return out;
}

/* Forward and backward, once each; ranks without data pass NULL. */
static void test_request(const pfft3d_request *r, const double *field, double *const want[2]) {
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, r);
  pfft3d_box box[2];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int side = 0; side < 2; side++) pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box[side]);
  for (int d = 0; d < 2; d++) {
    size_t in_used = (size_t)box_elements(&box[d]), out_used = (size_t)box_elements(&box[!d]);
    double *in = in_used ? get(2 * in_used * sizeof *in) : NULL;
    double *out = out_used ? get(2 * out_used * sizeof *out) : NULL;
    for (size_t i = 0; i < 2 * out_used; i++) out[i] = NAN;
    if (in) take_box(&box[d], n, field, in);
    int status = pfft3d_execute(plan, (pfft3d_direction)d, in, out);
    CHECK(!status, "%s: status %d", request_name(r), status);
    double error = box_error(MPI_COMM_WORLD, &box[!d], n, out, want[d], 1);
    double limit = error_limit(n[0] * n[1] * n[2], 1);
    CHECK(error <= limit, "%s direction %d: error %.3g, allowed %.3g", request_name(r), d, error,
          limit);
    free(in);
    free(out);
  }
  pfft3d_plan_destroy(&plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  size_t all = (size_t)(n[0] * n[1] * n[2]);
  double *field = get(2 * all * sizeof *field);
  for (size_t g = 0; g < 2 * all; g++) field[g] = value_of(g);
  double *want[2] = {transform_serially(field, FFTW_FORWARD),
                     transform_serially(field, FFTW_BACKWARD)};
  FOR_LIST(PFFT3D_SCHEMES, scheme)
  FOR_LIST(PFFT3D_EXCHANGES, algo)
  for (int order = 0; order < 2; order++) {
    pfft3d_request r = make_request(n, scheme, algo, "fftw", (pfft3d_order)order);
    test_request(&r, field, want);
  }
  free(field);
  free(want[0]);
  free(want[1]);
  return check_result();
}
