/* SPDX-License-Identifier: BSD-3-Clause
 * Step 4 in C++: the periodic Poisson problem, in place.  step4_poisson.c is the same in C, with
 * the same numbers, and has the comments. */
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <pfft3d.hpp>

namespace {
using complex = std::complex<double>;
constexpr std::array<std::ptrdiff_t, 3> n{32, 24, 27};

/* All elements of a box, with their indices. */
template <class Visit>
void each(const pfft3d::box &b, pfft3d::span<complex> array, Visit visit) {
  std::array<std::ptrdiff_t, 3> i{};
  for (i[0] = b.lo[0]; i[0] < b.lo[0] + b.len[0]; i[0]++)
    for (i[1] = b.lo[1]; i[1] < b.lo[1] + b.len[1]; i[1]++)
      for (i[2] = b.lo[2]; i[2] < b.lo[2] + b.len[2]; i[2]++) {
        std::ptrdiff_t at = 0;
        for (std::size_t a = 0; a < 3; a++) at += (i[a] - b.lo[a]) * b.stride[a];
        visit(i, array[at]);
      }
}

std::array<double, 3> position(const std::array<std::ptrdiff_t, 3> &i) {
  std::array<double, 3> x{};
  for (std::size_t a = 0; a < 3; a++) x[a] = 6.283185307179586 * double(i[a]) / double(n[a]);
  return x;
}

double solution(const std::array<double, 3> &x) {
  return std::exp(std::sin(x[0])) * std::sin(x[1]) * std::cos(2 * x[2]);
}

double right_side(const std::array<double, 3> &x) {
  const double c = std::cos(x[0]);
  return (5 - c * c + std::sin(x[0])) * solution(x);
}

/* Returns the largest error. */
double solve() {
  pfft3d::request request("c2c:d:32x24x27 order=transposed");
  request.scale(1, 1 / double(n[0] * n[1] * n[2]));
  pfft3d::plan plan(MPI_COMM_WORLD, request);
  auto u = plan.alloc<complex>(pfft3d::space); /* holds the larger of both sides */
  const pfft3d::span<complex> v(u.data(), plan.elements(pfft3d::spectrum));

  each(plan.local(pfft3d::space), u, [](auto i, complex &z) { z = right_side(position(i)); });
  plan.forward(u, v);
  each(plan.local(pfft3d::spectrum), v, [](auto k, complex &z) {
    double k2 = 0;
    for (std::size_t a = 0; a < 3; a++)
      k2 += std::pow(double(2 * k[a] <= n[a] ? k[a] : k[a] - n[a]), 2);
    z = k2 > 0 ? z / k2 : 0;
  });
  plan.backward(v, u);
  double worst = 0;
  each(plan.local(pfft3d::space), u, [&worst](auto i, complex &z) {
    const double error = std::abs(z - solution(position(i)));
    worst = std::max(worst, std::isnan(error) ? HUGE_VAL : error); /* a maximum would hide a NaN */
  });
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double worst = solve(); /* plans end before MPI does */
  if (rank == 0) std::printf("largest error of the solution: %.1e\n", worst);
  MPI_Finalize();
  return !(worst < 1e-12);
}
