/* ranks: 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * A line of 2^24 points, by properties of the DFT (Ergun, STOC 1995, checks them for the same
 * reason) in place of a reference: impulses, a shift, and some outputs by direct sums.
 *
 * Argument: another length, any number below 2^31. */
#include "line_trial.h"

static ptrdiff_t n = (ptrdiff_t)1 << 24;
static int rank;

/* ---- roots of unity: exp(-2 pi i k/n) as a product of two from small tables ---- */

enum { LOW = 4096 };
static wide *high, low[LOW];

static wide product(wide a, wide b) {
  return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static wide angle_of(ptrdiff_t k) {
  long double angle = -2 * acosl(-1.0L) * (long double)k / (long double)n;
  return (wide){cosl(angle), sinl(angle)};
}

static void make_roots(void) {
  high = get((size_t)(n / LOW + 1) * sizeof *high);
  for (ptrdiff_t k = 0; k <= n / LOW; k++) high[k] = angle_of(k * LOW);
  for (ptrdiff_t k = 0; k < LOW; k++) low[k] = angle_of(k);
}

static wide root_of(ptrdiff_t k) {
  return product(high[k / LOW], low[k % LOW]);
}

/* ---- a plan with its arrays ---- */

typedef struct {
  const pfft3d_request *r;
  pfft3d_plan *plan;
  ptrdiff_t count[2];
  double *in, *out;
  double limit;
} large;

static ptrdiff_t index_of(const large *l, int side, ptrdiff_t i) {
  return pfft3d_plan_index(l->plan, (pfft3d_side)side, rank, i);
}

static void transform(const large *l) {
  int status = pfft3d_execute(l->plan, PFFT3D_FORWARD, l->in, l->out);
  CHECK(!status, "%s: status %d", line_name(l->r), status);
}

/* 1 at j0 and 0 elsewhere: every element of the spectrum is a root of unity, but for the roundings
 * of the few twiddles that it is a product of. */
static void test_impulse(const large *l, ptrdiff_t j0) {
  double worst = 0;
  ptrdiff_t at = -1;
  for (ptrdiff_t i = 0; i < l->count[PFFT3D_SPACE]; i++) {
    l->in[2 * i] = index_of(l, PFFT3D_SPACE, i) == j0;
    l->in[2 * i + 1] = 0;
  }
  transform(l);
  for (ptrdiff_t i = 0; i < l->count[PFFT3D_SPECTRUM]; i++) {
    ptrdiff_t k = index_of(l, PFFT3D_SPECTRUM, i);
    wide want = root_of(k * j0 % n);
    double re = (double)(l->out[2 * i] - want.re), im = (double)(l->out[2 * i + 1] - want.im);
    double error = sqrt(re * re + im * im);
    if (isnan(worst) || error <= worst) continue;
    worst = error, at = k;
  }
  CHECK(worst <= 16 * 0x1p-53, "%s: impulse at %td: element %td is wrong by %.3g, allowed %.3g",
        line_name(l->r), j0, at, worst, 16 * 0x1p-53);
}

/* The field of value_of(), moved up by s. */
static void fill_shifted(const large *l, ptrdiff_t s) {
  for (ptrdiff_t i = 0; i < l->count[PFFT3D_SPACE]; i++) {
    uint64_t j = (uint64_t)((index_of(l, PFFT3D_SPACE, i) - s + n) % n);
    l->in[2 * i] = value_of(2 * j);
    l->in[2 * i + 1] = value_of(2 * j + 1);
  }
}

/* A shift by s turns element k by s k/n; *first is the spectrum of the field as it was. */
static void test_shift(const large *l, const double *first, ptrdiff_t s) {
  double sum[2] = {0, 0}, all[2];
  fill_shifted(l, s);
  transform(l);
  for (ptrdiff_t i = 0; i < l->count[PFFT3D_SPECTRUM]; i++) {
    ptrdiff_t k = index_of(l, PFFT3D_SPECTRUM, i);
    wide want = root_of(k * s % n);
    want = product(want, (wide){first[2 * i], first[2 * i + 1]});
    double re = (double)(l->out[2 * i] - want.re), im = (double)(l->out[2 * i + 1] - want.im);
    sum[0] += re * re + im * im;
    sum[1] += (double)(want.re * want.re + want.im * want.im);
  }
  MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double error = sqrt(all[0] / all[1]);
  CHECK(error <= 2 * l->limit, "%s: shift by %td: error %.3g, allowed %.3g", line_name(l->r), s,
        error, 2 * l->limit); /* both spectra have one */
}

/* One element of the spectrum by its definition, against the mean size of all. */
static void test_sample(const large *l, ptrdiff_t k) {
  long double sum[4] = {0, 0, 0, 0}, all[4];
  for (ptrdiff_t i = 0; i < l->count[PFFT3D_SPACE]; i++) {
    ptrdiff_t j = index_of(l, PFFT3D_SPACE, i);
    wide a = {l->in[2 * i], l->in[2 * i + 1]};
    a = product(a, root_of(j * k % n));
    sum[0] += a.re;
    sum[1] += a.im;
  }
  for (ptrdiff_t i = 0; i < l->count[PFFT3D_SPECTRUM]; i++)
    if (index_of(l, PFFT3D_SPECTRUM, i) == k) sum[2] = l->out[2 * i], sum[3] = l->out[2 * i + 1];
  MPI_Allreduce(sum, all, 4, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double size = sqrt(2.0 / 3 * (double)n), error = (double)hypotl(all[0] - all[2], all[1] - all[3]);
  CHECK(error <= 8 * l->limit * size, "%s: element %td is wrong by %.3g of the mean, allowed %.3g",
        line_name(l->r), k, error / size, 8 * l->limit);
}

static void test_form(const line_form *f) {
  pfft3d_problem p = line_problem(n, PFFT3D_C2C, PFFT3D_DOUBLE);
  pfft3d_request r = line_request(&p, f, "auto", "auto", "auto");
  large l = {.r = &r, .plan = make_plan(MPI_COMM_WORLD, &r), .limit = error_limit(n, is_smooth(n))};
  size_t bytes = pfft3d_plan_bytes(l.plan);
  double *first;
  l.in = get(bytes);
  l.out = get(bytes);
  for (int side = 0; side < 2; side++) {
    pfft3d_box box;
    pfft3d_plan_box(l.plan, (pfft3d_side)side, rank, &box);
    l.count[side] = box.len[2];
  }
  test_impulse(&l, 1);
  test_impulse(&l, n / 3 * 2 + 5);
  fill_shifted(&l, 0);
  transform(&l);
  for (int k = 0; k < 3; k++) test_sample(&l, (ptrdiff_t)(mix((uint64_t)k) % (uint64_t)n));
  first = l.out;
  l.out = get(bytes);
  test_shift(&l, first, n / 7 + 3);
  free(first);
  free(l.in);
  free(l.out);
  pfft3d_plan_destroy(&l.plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) n = atol(argv[1]);
  make_roots();
  test_form(&line_forms[0]);
  test_form(&line_forms[5]);
  free(high);
  return check_result();
}
