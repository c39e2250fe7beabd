/* SPDX-License-Identifier: BSD-3-Clause
 * Step 5 in C++: a turbulent flow from the Taylor-Green vortex on.  step5_taylor_green.c is the
 * same in C, with the same numbers, and has the comments. */
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <pfft3d.hpp>
#include <vector>

namespace {
using complex = std::complex<double>;
template <class T>
using vector_field = std::array<std::vector<T>, 3>;
constexpr int N = 16, steps = 10;
constexpr double nu = 0.000625, dt = 0.01, points = double(N) * N * N;

/* All indices of a box, with the place of each in its array. */
template <class Visit>
void each(const pfft3d::box &b, Visit visit) {
  std::array<std::ptrdiff_t, 3> i{};
  for (i[0] = b.lo[0]; i[0] < b.lo[0] + b.len[0]; i[0]++)
    for (i[1] = b.lo[1]; i[1] < b.lo[1] + b.len[1]; i[1]++)
      for (i[2] = b.lo[2]; i[2] < b.lo[2] + b.len[2]; i[2]++) {
        std::ptrdiff_t at = 0;
        for (std::size_t a = 0; a < 3; a++) at += (i[a] - b.lo[a]) * b.stride[a];
        visit(i, static_cast<std::size_t>(at));
      }
}

class flow {
 public:
  flow()
      : plan_(MPI_COMM_WORLD,
              pfft3d::request("r2c:d:16x16x16 order=transposed").scale(1 / points, 1)),
        modes_(plan_.elements(pfft3d::spectrum)),
        keep_(modes_, 1) {
    for (auto *field : {&u_, &w_})
      for (auto &part : *field) part.resize(plan_.elements(pfft3d::space));
    for (auto *field : {&U_, &change_})
      for (auto &part : *field) part.resize(modes_);
    for (auto &part : k_) part.resize(modes_);
    each(plan_.local(pfft3d::space), [&](auto i, std::size_t at) {
      std::array<double, 3> x{};
      for (std::size_t a = 0; a < 3; a++) x[a] = 2 * std::acos(-1) * double(i[a]) / N;
      u_[0][at] = std::sin(x[0]) * std::cos(x[1]) * std::cos(x[2]);
      u_[1][at] = -std::cos(x[0]) * std::sin(x[1]) * std::cos(x[2]);
    });
    each(plan_.local(pfft3d::spectrum), [&](auto i, std::size_t at) {
      for (std::size_t a = 0; a < 3; a++) {
        k_[a][at] = double(2 * i[a] <= N ? i[a] : i[a] - N);
        if (std::abs(k_[a][at]) >= N / 3.0) keep_[at] = 0;
      }
    });
    for (std::size_t c = 0; c < 3; c++) plan_.forward(u_[c], U_[c]);
  }

  /* Runge-Kutta of order 4. */
  void step() {
    constexpr std::array<double, 4> weight{dt / 6, dt / 3, dt / 3, dt / 6},
        ahead{dt / 2, dt / 2, dt};
    const auto start = U_;
    auto sum = U_;
    for (std::size_t stage = 0; stage < 4; stage++) {
      differentiate();
      for (std::size_t c = 0; c < 3; c++)
        for (std::size_t i = 0; i < modes_; i++) {
          sum[c][i] += weight[stage] * change_[c][i];
          U_[c][i] = start[c][i] + ahead[stage] * change_[c][i];
        }
    }
    U_ = std::move(sum);
  }

  double energy() {
    double sum = 0;
    for (std::size_t c = 0; c < 3; c++) {
      plan_.backward(U_[c], u_[c]);
      for (double value : u_[c]) sum += value * value;
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum / 2 / points;
  }

 private:
  void differentiate() {
    constexpr complex I(0, 1);
    auto &work = change_[0];
    for (std::size_t c = 0; c < 3; c++) {
      const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
      plan_.backward(U_[c], u_[c]);
      for (std::size_t i = 0; i < modes_; i++)
        work[i] = I * (k_[d][i] * U_[e][i] - k_[e][i] * U_[d][i]);
      plan_.backward(work, w_[c]);
    }
    for (std::size_t i = 0; i < u_[0].size(); i++) {
      const std::array<double, 3> u{u_[0][i], u_[1][i], u_[2][i]}, w{w_[0][i], w_[1][i], w_[2][i]};
      for (std::size_t c = 0; c < 3; c++)
        w_[c][i] = u[(c + 1) % 3] * w[(c + 2) % 3] - u[(c + 2) % 3] * w[(c + 1) % 3];
    }
    for (std::size_t c = 0; c < 3; c++) plan_.forward(w_[c], change_[c]);
    for (std::size_t i = 0; i < modes_; i++) {
      double k2 = 0;
      complex along = 0;
      for (std::size_t c = 0; c < 3; c++) {
        k2 += k_[c][i] * k_[c][i];
        along += k_[c][i] * change_[c][i];
      }
      along /= std::max(k2, 1.0);
      for (std::size_t c = 0; c < 3; c++)
        change_[c][i] = keep_[i] * (change_[c][i] - along * k_[c][i]) - nu * k2 * U_[c][i];
    }
  }

  pfft3d::plan plan_;
  std::size_t modes_;
  std::vector<double> keep_;
  vector_field<double> u_, w_, k_;
  vector_field<complex> U_, change_;
};

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double energy = 0;
  {
    flow f; /* ends before MPI does */
    for (int s = 0; s < steps; s++) f.step();
    energy = f.energy();
  }
  if (rank == 0) std::printf("energy at t = 0.1: %.10f\n", energy);
  MPI_Finalize();
  return !(std::abs(energy - 0.124953117517) < 1e-11);
}
