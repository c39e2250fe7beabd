/* SPDX-License-Identifier: BSD-3-Clause
 * Step 6 in C++: a picture of a head.  step6_picture.c is the same in C, with the same numbers, and
 * has the comments. */
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <memory>
#include <pfft3d.hpp>
#include <pfft3d_hdf5.h>
#include <string>
#include <vector>

namespace {
using complex = std::complex<double>;
struct close {
  void operator()(pfft3d_dataset *d) const { pfft3d_dataset_free(&d); }
};
using dataset = std::unique_ptr<pfft3d_dataset, close>;

dataset open(const char *name) {
  pfft3d_dataset *found = nullptr;
  pfft3d::detail::call(pfft3d_dataset_probe, MPI_COMM_WORLD, name, &found);
  return dataset(found);
}

void smooth(const pfft3d::box &b, const ptrdiff_t n[3], double scale, pfft3d::span<complex> v) {
  complex *at = v.data();
  const auto squared = [](ptrdiff_t k, ptrdiff_t size) {
    return std::pow(double(2 * k <= size ? k : k - size) / double(size), 2);
  };
  for (ptrdiff_t k0 = b.lo[0]; k0 < b.lo[0] + b.len[0]; k0++)
    for (ptrdiff_t k1 = b.lo[1]; k1 < b.lo[1] + b.len[1]; k1++)
      for (ptrdiff_t k2 = b.lo[2]; k2 < b.lo[2] + b.len[2]; k2++, at++)
        *at *= squared(k0, n[0]) + squared(k1, n[1]) + squared(k2, n[2]) <= 1.0 / 64 ? scale : 0;
}

void draw(const char *name, const pfft3d::box &b, const double *before, const double *after) {
  std::ofstream f(name, std::ios::binary);
  f << "P5\n" << 2 * b.len[2] << ' ' << b.len[1] << "\n255\n";
  for (ptrdiff_t i1 = b.len[1] - 1; i1 >= 0; i1--)
    for (const double *side : {before, after})
      for (ptrdiff_t i2 = 0; i2 < b.len[2]; i2++)
        f.put(char(std::clamp(std::floor(side[i1 * b.len[2] + i2] + 0.5), 0.0, 255.0)));
  if (!f.flush()) throw pfft3d::error(PFFT3D_ERR_IO, std::string("cannot write ") + name);
}

void picture(const char *input, const char *output) {
  const dataset found = open(input);
  pfft3d_dataset_info info{};
  pfft3d_dataset_get_info(found.get(), &info, sizeof info);
  const ptrdiff_t *n = info.n;
  pfft3d::plan plan(MPI_COMM_WORLD, "r2c:d:" + std::to_string(n[0]) + "x" + std::to_string(n[1]) +
                                        "x" + std::to_string(n[2]) + " decomp=slab");
  auto u = plan.alloc<double>(pfft3d::space);
  auto v = plan.alloc<complex>(pfft3d::spectrum);
  const pfft3d::box b = plan.local(pfft3d::space);

  pfft3d::detail::call(pfft3d_dataset_read, found.get(), PFFT3D_DOUBLE, PFFT3D_REAL, &b,
                       static_cast<void *>(u.data()));
  const ptrdiff_t plane = b.len[1] * b.len[2], middle = n[0] / 2 - b.lo[0];
  const bool mine = middle >= 0 && middle < b.len[0];
  std::vector<double> before;
  if (mine) before.assign(u.begin() + middle * plane, u.begin() + (middle + 1) * plane);

  plan.forward(u, v);
  smooth(plan.local(pfft3d::spectrum), n, 1 / (double(n[0]) * double(n[1]) * double(n[2])), v);
  plan.backward(v, u);
  if (mine) draw(output, b, before.data(), u.data() + middle * plane);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  try {
    if (argc != 3)
      throw pfft3d::error(PFFT3D_ERR_USAGE, "usage: step6_picture INPUT.h5 OUTPUT.pgm");
    picture(argv[1], argv[2]);
  } catch (const pfft3d::error &e) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::fprintf(stderr, "step6_picture: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, e.status());
  }
  MPI_Finalize();
}
