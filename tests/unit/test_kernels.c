/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every kernel of the processor against a transform in long double: all powers of two up to 2^12,
 * or up to 2^ARGUMENT, both precisions and signs, one line and several, 1 to 3 threads.  A kernel
 * reads its input only, writes its lines only, and its phases take no longer than the whole. */
#include "kernels/kernel.h"

#include "apps/kernels/reference.h"
#include "base/memory.h"
#include "reference.h"

enum { GUARD = 8, SQUARE = 10 }; /* numbers behind the output; bits up to which n^2 steps are few */
static const double poison = -777.25;

static double read_number(const void *at, size_t k, int single) {
  return single ? (double)((const float *)at)[k] : ((const double *)at)[k];
}

static void write_number(void *at, size_t k, int single, double x) {
  if (single)
    ((float *)at)[k] = (float)x;
  else
    ((double *)at)[k] = x;
}

/* A number that both precisions can hold. */
static double sample(size_t k) {
  return (float)value_of((uint64_t)k);
}

/* Line b is line 0 times 2^b, and so is its spectrum, exactly. */
static double input(size_t n, size_t b, size_t k) {
  return ldexp(sample(k + 4 * n), (int)b);
}

/* || result - reference || / || reference || of all lines; NaN where a number is none. */
static double lines_error(const void *out, const wide *want, size_t n, size_t batch, int single) {
  long double sum[2] = {0, 0};
  for (size_t b = 0; b < batch; b++)
    for (size_t k = 0; k < n; k++) {
      long double w[2] = {ldexpl(want[k].re, (int)b), ldexpl(want[k].im, (int)b)};
      for (size_t c = 0; c < 2; c++) {
        long double d = read_number(out, 2 * (b * n + k) + c, single) - w[c];
        sum[0] += d * d;
        sum[1] += w[c] * w[c];
      }
    }
  return sum[0] == 0 ? 0 : (double)sqrtl(sum[0] / sum[1]);
}

/* Errors of sums grow like sqrt(log n) in an FFT, like sqrt(n) in a plain sum. */
static double limit_of(const pf_kernel *k, size_t n, int single) {
  double limit = k->square ? 0x1p-53 * sqrt((double)n) : error_limit((ptrdiff_t)n, 1);
  return (n == 1 ? 0 : limit) * (single ? 0x1p29 : 1);
}

static void test_run(const pf_kernel_spec *s, const wide *want) {
  const pf_kernel *k = s->kernel;
  int single = s->precision == PFFT3D_SINGLE;
  size_t numbers = 2 * s->size * s->batch, bytes = (numbers + 2 * GUARD) * sizeof(double);
  void *in = pf_alloc(bytes), *out = pf_alloc(bytes);
  pf_kernel_plan p;
  pfft3d_error e;
  pf_error_clear(&e);
  CHECK(!pf_kernel_make(&p, s, &e), "%s: %s", k->name, e.text);
  for (size_t i = 0; i < numbers; i++)
    write_number(in, i, single, input(s->size, i / 2 / s->size, i % (2 * s->size)));
  for (int times = 0; times < 2; times++) { /* a plan can be used again */
    for (size_t i = 0; i < numbers + GUARD; i++) write_number(out, i, single, poison);
    double start = pf_kernel_clock();
    pf_kernel_run(&p, in, out);
    double seconds = pf_kernel_clock() - start, sum = 0;
    for (int phase = 0; phase < PF_PHASES; phase++) {
      CHECK(p.phase[phase] >= 0 && (p.phase[phase] == 0 || k->phases >> phase & 1),
            "%s: phase %s takes %g s", k->name, pf_phase_name((pf_phase)phase), p.phase[phase]);
      sum += p.phase[phase];
    }
    CHECK(sum <= seconds, "%s: phases of %g s in %g s", k->name, sum, seconds);
    CHECK(!k->phases == (sum == 0), "%s: no phase takes time", k->name);
  }
  double error = lines_error(out, want, s->size, s->batch, single);
  double limit = limit_of(k, s->size, single);
  CHECK(error <= limit,
        "%s: n %zu, sign %d, single %d, batch %zu, threads %d: error %.3g, not %.3g", k->name,
        s->size, s->sign, single, s->batch, s->threads, error, limit);
  for (size_t i = 0; i < GUARD; i++)
    CHECK(read_number(out, numbers + i, single) == poison, "%s: written behind the lines", k->name);
  for (size_t i = 0; i < numbers; i++)
    if (read_number(in, i, single) != input(s->size, i / 2 / s->size, i % (2 * s->size))) {
      CHECK(0, "%s: n %zu: the input has changed", k->name, s->size);
      break;
    }
  pf_kernel_free(&p);
  pf_free(in);
  pf_free(out);
}

static void test_size(size_t n, int bits) {
  wide *want = get(n * sizeof *want);
  for (int sign = -1; sign <= 1; sign += 2) {
    for (size_t k = 0; k < n; k++) want[k] = (wide){input(n, 0, 2 * k), input(n, 0, 2 * k + 1)};
    reference_field(want, (ptrdiff_t[]){1, 1, (ptrdiff_t)n}, sign);
    for (int i = 0; pf_kernel_at(i); i++)
      for (int way = 0; way < 12; way++) {
        pf_kernel_spec s = {.kernel = pf_kernel_at(i),
                            .precision = way % 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                            .size = n,
                            .batch = way / 2 % 2 ? 3 : 1,
                            .sign = sign,
                            .threads = 1 + way / 4};
        if (s.kernel->remote || !pf_kernel_supports(s.kernel, n)) continue;
        if (s.kernel->square && bits > SQUARE) continue;
        if (bits > 6 && (sign > 0) != (way + i + bits) % 2) continue; /* signs in turn */
        test_run(&s, want);
      }
  }
  free(want);
}

/* ---- the command's own reference ---- */

/* Line b of the output as it should be, i^b times line 0, rounded. */
static void write_spectrum(const lines *l) {
  static const double sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (size_t b = 0; b < l->batch; b++)
    for (size_t k = 0; k < l->n; k++)
      for (size_t c = 0; c < 2; c++)
        write_number(l->out, 2 * (b * l->n + k) + c, l->precision == PFFT3D_SINGLE,
                     sign[b % 4][c] * (double)l->want[k][(b + c) % 2]);
}

/* It is the transform of its input, and sees a point that is wrong, or no number. */
static void test_reference(size_t n, pfft3d_precision precision) {
  lines l = {.n = n, .rows = 1, .batch = 5, .precision = precision};
  wide *x = get(n * sizeof *x);
  int single = precision == PFFT3D_SINGLE;
  double sum = 0, half = single ? 0x1p-24 : 0x1p-53;
  pfft3d_error e;
  pf_error_clear(&e);
  CHECK(!lines_make(&l, 1, &e) && !lines_refer(&l, &e), "%zu points: %s", n, e.text);
  for (size_t k = 0; k < n; k++)
    x[k] = (wide){read_number(l.in, 2 * k, single), read_number(l.in, 2 * k + 1, single)};
  CHECK(x[0].re != x[n - 1].im && fabsl(x[0].re) <= 1, "random numbers");
  reference_field(x, (ptrdiff_t[]){1, 1, (ptrdiff_t)n}, -1);
  for (size_t k = 0; k < n; k++)
    sum += (double)(fabsl(x[k].re - l.want[k][0]) + fabsl(x[k].im - l.want[k][1]));
  CHECK(sum <= 1e-16 * (double)n, "%zu points: references differ by %g", n, sum);
  write_spectrum(&l);
  line_errors r = lines_compare(&l);
  CHECK(r.error <= half && r.most <= 4 * half && r.wrong == 0, "rounding: %g %g", r.error, r.most);
  size_t at = 2 * (4 * n + n / 2) + 1; /* in the last line */
  double was = read_number(l.out, at, single);
  write_number(l.out, at, single, was * 1.01);
  r = lines_compare(&l);
  CHECK(r.error > 1e-6 && r.most > 1e-6 && r.wrong == 1, "a wrong number: %g %g %g", r.error,
        r.most, r.wrong);
  CHECK(!(r.error <= lines_limit(&l, 0, 1)) && !(r.error <= lines_limit(&l, 1, 1)), "limits");
  write_number(l.out, at, single, NAN);
  r = lines_compare(&l);
  CHECK(isnan(r.error) && isnan(r.most) && r.wrong == 1, "no number: %g %g", r.error, r.most);
  lines_free(&l);
  free(x);
}

/* What kernels refuse. */
static void test_refused(void) {
  pf_kernel_plan p;
  for (int i = 0; pf_kernel_at(i); i++) {
    if (pf_kernel_at(i)->remote) continue;
    pf_kernel_spec s = {
        .kernel = pf_kernel_at(i), .size = 12, .batch = 1, .sign = -1, .threads = 1};
    pfft3d_error e;
    pf_error_clear(&e);
    int status = pf_kernel_make(&p, &s, &e);
    CHECK(status == (s.kernel->any_size ? PFFT3D_OK : PFFT3D_ERR_UNAVAILABLE), "%s: %d",
          s.kernel->name, status);
    if (!status) pf_kernel_free(&p);
    s.size = (size_t)1 << 60;
    pf_error_clear(&e);
    CHECK(pf_kernel_make(&p, &s, &e) == PFFT3D_ERR_MEMORY && !p.work && !p.roots, "%s",
          s.kernel->name);
  }
}

/* Lengths that are no powers of two, where a kernel takes them. */
static void test_any_size(void) {
  static const size_t sizes[] = {3, 5, 6, 7, 12, 60, 97};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) test_size(sizes[k], 6);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int most = argc > 1 ? atoi(argv[1]) : take_all() ? 16 : 12;
  for (int bits = 0; bits <= most; bits++) test_size((size_t)1 << bits, bits);
  test_any_size();
  for (size_t n = 1; n <= 4096; n *= 2)
    test_reference(n, n % 3 == 1 ? PFFT3D_DOUBLE : PFFT3D_SINGLE);
  test_reference(60, PFFT3D_DOUBLE);
  test_reference(97, PFFT3D_SINGLE);
  test_refused();
  return check_result();
}
