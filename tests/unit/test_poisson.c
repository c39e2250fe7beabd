/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Poisson's equation inside the program, for every combination of boundary conditions in one, two
 * and three dimensions: the stencil, with ghost values by the definition of each condition, is
 * applied to the solution for a random right-hand side; the continuous operator meets its
 * eigenfunctions; free space a direct sum.  Uneven sizes, more ranks than planes, both precisions,
 * complex numbers, all exchanges and decompositions by turns. */
#include <math.h>

#include "apps/poisson/solve.h"
#include "cells.h"
#include "support.h"

enum { KINDS = 9, SYMMETRIC = 5 };
static const double pi = 3.14159265358979323846;

/* The definitions: intervals minus points, the place of point 0, u(ghost) = sign * u(point) beyond
 * the low and the high end, where the point is so many from the end. */
static const struct {
  const char *name;
  int more;
  double start;
  int sine; /* the waves: sines or cosines */
  struct {
    int ghost, sign;
  } end[2];
  int singular;
  double part; /* of a half wave that the first wave lacks */
} kinds[KINDS] = {{"periodic", 0, 0, 0, {{0, 1}, {0, 1}}, 1, 0},
                  {"dirichlet", 1, 1, 1, {{0, 0}, {0, 0}}, 0, 0},
                  {"dirichlet-cell", 0, 0.5, 1, {{0, -1}, {0, -1}}, 0, 0},
                  {"neumann", 0, 0.5, 0, {{0, 1}, {0, 1}}, 1, 0},
                  {"neumann-node", -1, 0, 0, {{1, 1}, {1, 1}}, 1, 0},
                  {"dirichlet-neumann", 0, 0.5, 1, {{0, -1}, {0, 1}}, 0, 0.5},
                  {"neumann-dirichlet", 0, 0.5, 0, {{0, 1}, {0, -1}}, 0, 0.5},
                  {"dirichlet-neumann-node", 0, 1, 1, {{0, 0}, {1, 1}}, 0, 0.5},
                  {"neumann-dirichlet-node", 0, 0, 0, {{1, 1}, {0, 0}}, 0, 0.5}};

typedef struct setting {
  app a;
  domain d;
  int kind[3]; /* -1: no axis */
  int numbers;
  double limit;
  ptrdiff_t points;
  double *f, *u; /* whole fields */
} setting;

static const char *name_of(const setting *s) {
  static char text[200];
  char sides[80], size[64];
  snprintf(text, sizeof text, "%s %s %s %d numbers, limit %g", domain_print_sides(&s->d, sides, 80),
           domain_print_size(&s->d, size, 64), s->d.second ? "second" : "spectral", s->numbers,
           s->limit);
  return text;
}

static double step_of(const setting *s, int a) {
  return s->kind[a] < 0 ? 1 : s->d.length[a] / (double)(s->d.n[a] + kinds[s->kind[a]].more);
}

static double random_at(ptrdiff_t i) {
  return (double)(mix((uint64_t)i + 77) % 2001) / 1000 - 1;
}

static ptrdiff_t place_at(const setting *s, const ptrdiff_t i[3]) {
  return (i[0] * s->d.n[1] + i[1]) * s->d.n[2] + i[2];
}

#define FOR_ALL(s, i)                                          \
  for (ptrdiff_t i[3] = {0, 0, 0}; i[0] < (s)->d.n[0]; i[0]++) \
    for (i[1] = 0; i[1] < (s)->d.n[1]; i[1]++)                 \
      for (i[2] = 0; i[2] < (s)->d.n[2]; i[2]++)

/* ---- running it ---- */

/* Collective. Solves for s->f into s->u, both whole on all ranks. */
static void solve(setting *s) {
  solver v;
  pfft3d_error e = {0};
  int single = options_precision(&s->a.opt) == PFFT3D_SINGLE;
  CHECK(!solver_open(&s->a, &v, &s->d, s->numbers == 2, &e), "%s: %s", name_of(s), e.text);
  if (!e.status) note_met(&v.r.decision);
  memset(s->u, 0, (size_t)(s->points * s->numbers) * sizeof *s->u);
  for (int in = 1; in >= 0 && !e.status; in--) {
    void *array = solver_array(&v);
    ptrdiff_t at = 0;
    const pfft3d_box *b = &v.rows.part;
    FOR_ALL(s, i) {
      int inside = 1;
      for (int a = 0; a < 3; a++) inside &= i[a] >= b->lo[a] && i[a] < b->lo[a] + b->len[a];
      for (int c = 0; c < s->numbers && inside; c++, at++) {
        ptrdiff_t whole = place_at(s, i) * s->numbers + c;
        if (in && single) ((float *)array)[at] = (float)s->f[whole];
        if (in && !single) ((double *)array)[at] = s->f[whole];
        if (!in) s->u[whole] = single ? (double)((float *)array)[at] : ((double *)array)[at];
      }
    }
    if (in) solver_run(&v);
  }
  MPI_Allreduce(MPI_IN_PLACE, s->u, (int)(s->points * s->numbers), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  solver_close(&v);
}

/* ---- oracles ---- */

/* u at an index that may be one beyond either end of one axis. */
static double value_at(const setting *s, const double *u, const ptrdiff_t i[3], int c) {
  ptrdiff_t at[3] = {i[0], i[1], i[2]};
  double sign = 1;
  for (int a = 0; a < 3; a++) {
    ptrdiff_t n = s->d.n[a], beyond = at[a] < 0 ? -1 : at[a] >= n;
    if (!beyond) continue;
    if (s->kind[a] == 0) {
      at[a] = beyond < 0 ? n - 1 : 0;
      continue;
    }
    ptrdiff_t mirror = kinds[s->kind[a]].end[beyond > 0].ghost;
    sign = kinds[s->kind[a]].end[beyond > 0].sign;
    at[a] = beyond < 0 ? mirror : n - 1 - mirror;
  }
  return sign * u[place_at(s, at) * s->numbers + c];
}

static double stencil_at(const setting *s, const double *u, const ptrdiff_t i[3], int c) {
  double sum = 0;
  for (int a = 0; a < 3; a++) {
    ptrdiff_t up[3] = {i[0], i[1], i[2]}, down[3] = {i[0], i[1], i[2]};
    double h = step_of(s, a);
    if (s->kind[a] < 0) continue;
    up[a]++, down[a]--;
    sum += (value_at(s, u, up, c) - 2 * value_at(s, u, i, c) + value_at(s, u, down, c)) / (h * h);
  }
  return sum;
}

/* The mean by which a constant is orthogonal to all other eigenvectors. */
static double mean_of(const setting *s, const double *f, int c) {
  double sum = 0, all = 0;
  FOR_ALL(s, i) {
    double w = 1;
    for (int a = 0; a < 3; a++)
      if (s->kind[a] == 4 && (i[a] == 0 || i[a] == s->d.n[a] - 1)) w /= 2;
    sum += w * f[place_at(s, i) * s->numbers + c];
    all += w;
  }
  return sum / all;
}

static int singular(const setting *s) {
  for (int a = 0; a < 3; a++)
    if (s->kind[a] >= 0 && !kinds[s->kind[a]].singular) return 0;
  return 1;
}

static void test_stencil(setting *s) {
  double worst = 0, scale = 0, most = 0;
  for (ptrdiff_t i = 0; i < s->points * s->numbers; i++) s->f[i] = random_at(i);
  solve(s);
  for (int a = 0; a < 3; a++)
    if (s->kind[a] >= 0) scale += 4 / (step_of(s, a) * step_of(s, a));
  for (int c = 0; c < s->numbers; c++) {
    double dropped = singular(s) ? mean_of(s, s->f, c) : 0;
    if (singular(s)) most = fmax(most, fabs(mean_of(s, s->u, c)));
    FOR_ALL(s, i) {
      double u = s->u[place_at(s, i) * s->numbers + c];
      double off = stencil_at(s, s->u, i, c) - s->f[place_at(s, i) * s->numbers + c] + dropped;
      if (!(fabs(off) <= worst)) worst = fabs(off);
      if (!(fabs(u) * scale <= most)) most = fmax(most, fabs(u) * scale);
    }
    CHECK(!singular(s) || fabs(mean_of(s, s->u, c)) <= s->limit, "%s: mean %g", name_of(s),
          mean_of(s, s->u, c));
  }
  CHECK(worst <= s->limit * (1 + most), "%s: residual %g of %g", name_of(s), worst, most);
}

/* An eigenfunction of the axis, and minus its eigenvalue. */
static double wave_at(const setting *s, int a, int wave, ptrdiff_t i, double *square) {
  if (s->kind[a] < 0) return *square = 0, 1;
  double x = ((double)i + kinds[s->kind[a]].start) * step_of(s, a),
         k = pi * (wave - kinds[s->kind[a]].part) / s->d.length[a];
  if (s->kind[a] == 0) k *= 2;
  *square = k * k;
  return s->kind[a] == 0 ? cos(k * x + 0.7) : kinds[s->kind[a]].sine ? sin(k * x) : cos(k * x);
}

static void test_spectral(setting *s) {
  double *want = get((size_t)(s->points * s->numbers) * sizeof *want), worst = 0;
  for (int wave = 1; wave <= 2; wave++) FOR_ALL(s, i)
  for (int c = 0; c < s->numbers; c++) {
    double u = 1 + c, sum = 0, square;
    for (int a = 0; a < 3; a++) {
      u *= wave_at(s, a, s->d.n[a] > 4 ? wave + (a == 1) : 1, i[a], &square);
      sum += square;
    }
    ptrdiff_t at = place_at(s, i) * s->numbers + c;
    want[at] = (wave > 1 ? want[at] : 0) + u;
    s->f[at] = (wave > 1 ? s->f[at] : 0) - sum * u;
  }
  solve(s);
  for (ptrdiff_t i = 0; i < s->points * s->numbers; i++)
    if (!(fabs(s->u[i] - want[i]) <= worst)) worst = fabs(s->u[i] - want[i]);
  CHECK(worst <= 10 * s->limit, "%s: error %g", name_of(s), worst);
  free(want);
}

/* ---- cases ---- */

static void set_app(setting *s, int number, const char *algo, const char *scheme) {
  memset(&s->a, 0, sizeof s->a);
  s->a.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(MPI_COMM_WORLD, &s->a.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s->a.ranks);
  options *o = &s->a.opt;
  o->algo.count = o->engine.count = 1;
  snprintf(o->algo.name[0], NAME_SIZE, "%s", algo);
  snprintf(o->engine.name[0], NAME_SIZE, "auto");
  int single = number % 4 == 3;
  snprintf(o->wish, sizeof o->wish, "decomp=%s precision=%s ", scheme,
           single ? "single" : "double");
  o->norm = NORM_NONE;
  o->quiet = 1;
  s->limit = single ? 2e-5 : 1e-13;
  s->numbers = number % 5 == 4 ? 2 : 1;
}

static void test_case(const int kind[3], int dims, int number) {
  static const ptrdiff_t n[3] = {5, 9, 6};
  static const double length[3] = {1, 0.7, 2};
  setting s = {.d = {.dims = dims, .n = {1, 1, 1}}};
  char sides[80] = "";
  FOR_SHARE(PFFT3D_EXCHANGES, algo)
  FOR_SHARE(PFFT3D_SCHEMES, scheme) {
    set_app(&s, number, algo, scheme);
    s.points = 1;
    for (int a = 0, k = 3 - dims; a < 3; a++) {
      s.kind[a] = a < k ? -1 : kind[a - k];
      s.d.n[a] = a < k ? 1 : n[a];
      s.d.length[a] = length[a];
      s.points *= s.d.n[a];
    }
    for (int a = 0; a < dims; a++)
      snprintf(sides + strlen(sides), sizeof sides - strlen(sides), "%s%s", a ? "," : "",
               kinds[kind[a]].name);
    CHECK(!domain_sides(&s.d, sides, NULL), "%s", sides);
    s.d.second = (number + s.a.ranks) % 2;
    s.f = get((size_t)(s.points * s.numbers) * sizeof *s.f);
    s.u = get((size_t)(s.points * s.numbers) * sizeof *s.u);
    if (s.d.second)
      test_stencil(&s);
    else
      test_spectral(&s);
    free(s.f);
    free(s.u);
    sides[0] = 0;
  }
}

static void test_all(void) {
  int number = 0;
  for (int dims = 1; dims <= 3; dims++)
    for (int k = 0; k < (dims == 1   ? KINDS
                         : dims == 2 ? KINDS * KINDS
                                     : KINDS * KINDS * KINDS);
         k++) {
      const int kind[3] = {k % KINDS, k / KINDS % KINDS, k / KINDS / KINDS};
      int mixed = 0;
      for (int a = 0; a < dims; a++) mixed |= kind[a] >= SYMMETRIC;
      /* with mixed ends a share of the many, another one in each dimension */
      if (!mixed || dims == 1 || k % 7 == dims) test_case(kind, dims, number++);
    }
}

/* The sum over all charges; the mean of 1/r over a cube of side 1 is 2.3800774. */
static void test_open(int number) {
  setting s = {.d = {.dims = 3, .n = {5, 4, 3}, .length = {2.5, 2, 1.5}}, .kind = {-1, -1, -1}};
  double h = 0.5, worst = 0;
  s.points = 60;
  set_app(&s, number, "auto", "auto");
  CHECK(!domain_sides(&s.d, "open", NULL), "open");
  ptrdiff_t all = s.points * s.numbers;
  s.f = get((size_t)all * sizeof *s.f);
  s.u = get((size_t)all * sizeof *s.u);
  for (ptrdiff_t i = 0; i < all; i++) s.f[i] = random_at(i);
  solve(&s);
  for (int c = 0; c < s.numbers; c++) FOR_ALL(&s, i) {
      double sum = 0;
      FOR_ALL(&s, j) {
        double r2 = 0, share = 2.38007744 * h * h;
        for (int a = 0; a < 3; a++) r2 += h * h * (double)((i[a] - j[a]) * (i[a] - j[a]));
        if (r2 > 0) share = h * h * h / sqrt(r2);
        sum -= s.f[place_at(&s, j) * s.numbers + c] * share / (4 * pi);
      }
      worst = fmax(worst, fabs(s.u[place_at(&s, i) * s.numbers + c] - sum));
    }
  CHECK(worst < 1e-8, "free space, %d numbers: error %g", s.numbers, worst);
  free(s.f);
  free(s.u);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_all();
  test_open(0);
  test_open(4); /* complex numbers */
  return check_result();
}
