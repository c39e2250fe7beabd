/* SPDX-License-Identifier: BSD-3-Clause
 * pfft3d.hpp: transforms against sums by the definition, arrays that do not fit, errors, moves,
 * transpositions.  Any number of ranks; prints "ok" on success. */
#include <pfft3d.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace {
using complex = std::complex<double>;
constexpr std::ptrdiff_t N[3] = {4, 5, 6};
int wrong = 0;

void expect(bool right, const char *what) {
  if (!right) wrong++, std::printf("wrong: %s\n", what);
}

/* A number for each point of the field. */
double field(const std::ptrdiff_t i[3]) {
  return std::sin(1 + i[0] + 7 * i[1] * i[2]);
}

/* All indices of a box with the offset of their elements. */
template <class Visit>
void each(const pfft3d::box &b, Visit visit) {
  std::ptrdiff_t i[3];
  for (i[0] = b.lo[0]; i[0] < b.lo[0] + b.len[0]; i[0]++)
    for (i[1] = b.lo[1]; i[1] < b.lo[1] + b.len[1]; i[1]++)
      for (i[2] = b.lo[2]; i[2] < b.lo[2] + b.len[2]; i[2]++) {
        std::ptrdiff_t at = b.offset;
        for (int a = 0; a < 3; a++) at += (i[a] - b.lo[a]) * b.stride[a];
        visit(i, at);
      }
}

complex by_definition(const std::ptrdiff_t k[3]) {
  complex sum = 0;
  const pfft3d::box whole = {{0, 0, 0}, {N[0], N[1], N[2]}, {0, 0, 0}, 0, 0};
  each(whole, [&](const std::ptrdiff_t *i, std::ptrdiff_t) {
    double turns = 0;
    for (int a = 0; a < 3; a++) turns += double(i[a] * k[a]) / double(N[a]);
    sum += field(i) * std::polar(1.0, -2 * std::acos(-1.0) * turns);
  });
  return sum;
}

/* The larger one of two errors; NaN is larger than any number, and stays. */
double worse(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

/* Forward by the definition, backward returns the field; Out and In are kinds of containers. */
template <class U, class V>
void transform(pfft3d::plan &plan, U &u, V &v) {
  each(plan.local(pfft3d::space),
       [&](const std::ptrdiff_t *i, std::ptrdiff_t at) { u[at] = field(i); });
  plan.forward(std::as_const(u), v);
  double worst = 0;
  each(plan.local(pfft3d::spectrum), [&](const std::ptrdiff_t *k, std::ptrdiff_t at) {
    worst = worse(worst, std::abs(v[at] - by_definition(k)));
  });
  expect(worst < 1e-12, "forward");
  std::fill(u.begin(), u.end(), 0);
  plan.backward(v, u);
  worst = 0;
  each(plan.local(pfft3d::space), [&](const std::ptrdiff_t *i, std::ptrdiff_t at) {
    worst = worse(worst, std::abs(u[at] - field(i)));
  });
  expect(worst < 1e-14, "backward");
}

template <class Call>
void refused(int status, const std::string &words, Call call) {
  try {
    call();
    expect(false, words.c_str());
  } catch (const pfft3d::error &e) {
    expect(e.status() == status && std::string(e.what()).find(words) != std::string::npos,
           e.what());
  }
}

void plans() {
  pfft3d::request request("r2c:d:4x5x6");
  request.set("order", "transposed").scale(1, 1.0 / (4 * 5 * 6));
  pfft3d::plan made(MPI_COMM_WORLD, request), plan = std::move(made);
  refused(64, "plan", [&] { made.text(); });
  const pfft3d::request kept = std::move(request);
  refused(64, "request", [&] { request.text(); });
  auto u = plan.alloc<double>(pfft3d::space);
  auto v = plan.alloc<complex>(pfft3d::spectrum);
  transform(plan, u, v);
  std::vector<double> a(plan.elements(pfft3d::space));
  std::vector<complex> b(plan.elements(pfft3d::spectrum));
  transform(plan, a, b);
  const auto n = plan.extents(pfft3d::spectrum);
  expect(n[0] == 4 && n[1] == 5 && n[2] == 4, "extents");
  plan.backward(b, a,
                {std::vector<double>(4, 2), std::vector<double>(5, 3), std::vector<double>(4, 1)});
  double worst = 0;
  each(plan.local(pfft3d::space), [&](const std::ptrdiff_t *i, std::ptrdiff_t at) {
    worst = worse(worst, std::abs(a[at] - 6 * field(i)));
  });
  expect(worst < 1e-13, "multiplier");
  refused(64, "not the length", [&] { plan.backward(b, a, {}); });
  refused(64, "not the type", [&] { plan.alloc<float>(pfft3d::space); });
  refused(64, "not the type", [&] { plan.forward(b, b); });
  refused(64, "the plan needs", [&] { plan.forward(a, pfft3d::span<complex>()); });
  refused(64, "not the type", [&] { plan.alloc<std::array<double, 2>>(pfft3d::spectrum); });
  expect(plan.text().find("order=transposed") != std::string::npos, "text");
  int rank = 0; /* words that one rank alone has wrong are an error on all */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  refused(64, rank ? "" : "engin", [&] {
    pfft3d::plan other(MPI_COMM_WORLD, rank ? "c2c:d:4x4x4" : "c2c:d:4x4x4 engin=simd");
  });
  pfft3d::plan cosines(MPI_COMM_WORLD, "r2c:s:4x5x6:dct2");
  expect(
      cosines.holds<float>(pfft3d::spectrum) && !cosines.holds<std::complex<float>>(pfft3d::space),
      "holds");
  pfft3d::plan single(MPI_COMM_WORLD, "c2c:s:4x5x6");
  expect(single.holds<std::complex<float>>(pfft3d::space) && !single.holds<long>(pfft3d::space),
         "holds what only has the size");
}

/* More ranks than planes: those without elements pass arrays without any. */
void no_elements(int ranks) {
  pfft3d::plan plan(MPI_COMM_WORLD, "c2c:d:2x1x4 decomp=slab exchange=packed");
  const auto size = [&](pfft3d_side side) {
    const auto b = plan.local(side);
    return std::size_t(b.len[0] * b.len[1] * b.len[2]);
  };
  std::vector<complex> u(size(pfft3d::space), 1), v(size(pfft3d::spectrum));
  int empty = u.empty() || v.empty(), any = 0;
  MPI_Allreduce(&empty, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  expect(any == (ranks > 2), "a rank without elements");
  plan.forward(u, v);
  plan.backward(v, u);
  for (const auto &x : u) expect(x == 8.0, "there and back with ranks without elements");
  const pfft3d::plan moved = std::move(plan);
  refused(64, "execute", [&] { plan.forward(std::vector<complex>(), std::vector<complex>()); });
}

void errors() {
  refused(64, "valid are", [] { pfft3d::request("c2c:d:4x4x4 engine=fast"); });
  refused(64, "", [] { pfft3d::plan(MPI_COMM_NULL, "c2c:d:4x4x4"); });
  refused(64, "other grids",
          [] { pfft3d::plan(MPI_COMM_WORLD, "c2c:d:4x4x4 decomp=slab grid=64x64"); });
}

void transposition(int rank, int ranks) {
  pfft3d_transpose_spec spec{};
  spec.n0 = 7, spec.n1 = 3, spec.element = sizeof(int);
  pfft3d::redistribution r(MPI_COMM_WORLD, spec);
  const int block[2] = {(7 + ranks - 1) / ranks, (3 + ranks - 1) / ranks};
  std::vector<int> u(std::size_t(block[0] * 3)), v(std::size_t(block[1] * 7));
  for (std::size_t i = 0; i < u.size(); i++) u[i] = rank * block[0] * 3 + int(i);
  r.forward(u.data(), v.data());
  for (int i = rank * block[1]; i < std::min(3, (rank + 1) * block[1]); i++)
    for (int j = 0; j < 7; j++)
      expect(v[std::size_t((i - rank * block[1]) * 7 + j)] == j * 3 + i, "transposition");
}
}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  plans();
  no_elements(ranks);
  errors();
  transposition(rank, ranks);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (!wrong && !rank) std::puts("ok");
  return wrong != 0;
}
