/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every kernel, on the first device that it can use, against a transform in long double: powers of
 * two up to 2^11, or up to 2^ARGUMENT, both precisions and signs, one line and several; matrices.
 * A kernel reads its input only, and writes its lines only.  Threads take
 * memory at the same time.  Skipped where there is no device. */
#include "device/driver.h"
#include "kernels/kernel.h"

#include <pthread.h>

#include "base/memory.h"
#include "reference.h"

/* Numbers behind the output; bits up to which all cases are tested; lines, enough for kernels that
 * take whole ones. */
enum { GUARD = 8, FEW = 6, MANY = 17 };
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

/* Line b is line 0 times 2^b, and so is its spectrum, exactly. */
static double input(size_t n, size_t b, size_t k) {
  return ldexp((float)value_of((uint64_t)(k + 4 * n)), (int)b);
}

static size_t points_of(const pf_kernel_spec *s) {
  return s->size * (s->rows ? s->rows : 1);
}

static double lines_error(const void *out, const wide *want, const pf_kernel_spec *s) {
  long double sum[2] = {0, 0};
  size_t n = points_of(s);
  for (size_t b = 0; b < s->batch; b++)
    for (size_t k = 0; k < n; k++) {
      long double w[2] = {ldexpl(want[k].re, (int)b), ldexpl(want[k].im, (int)b)};
      for (size_t c = 0; c < 2; c++) {
        size_t at = 2 * (b * n + k) + c;
        long double d = read_number(out, at, s->precision == PFFT3D_SINGLE) - w[c];
        sum[0] += d * d;
        sum[1] += w[c] * w[c];
      }
    }
  return sum[0] == 0 ? 0 : (double)sqrtl(sum[0] / sum[1]);
}

static void check_lines(const pf_kernel_spec *s, const wide *want, const void *in,
                        const void *out) {
  int single = s->precision == PFFT3D_SINGLE, loose = s->kernel->loose ? s->kernel->loose : 1;
  size_t n = points_of(s), numbers = 2 * n * s->batch, changed = 0;
  double limit = n == 1 ? 0 : loose * error_limit((ptrdiff_t)n, 1);
  double error = lines_error(out, want, s);
  if (single) limit *= 0x1p29;
  CHECK(error <= limit, "%s: n %zu x %zu, sign %d, single %d, batch %zu: error %.3g, not %.3g",
        s->kernel->name, n / s->size, s->size, s->sign, single, s->batch, error, limit);
  for (size_t i = numbers; i < numbers + GUARD; i++)
    changed += read_number(out, i, single) != poison;
  CHECK(!changed, "%s: written behind the lines", s->kernel->name);
  for (size_t i = 0; i < numbers; i++)
    changed += read_number(in, i, single) != input(n, i / 2 / n, i % (2 * n));
  CHECK(!changed, "%s: n %zu: the input has changed", s->kernel->name, s->size);
}

static void test_run(const pf_kernel_spec *s, const wide *want) {
  int single = s->precision == PFFT3D_SINGLE;
  size_t n = points_of(s), numbers = 2 * n * s->batch, bytes = (numbers + GUARD) * sizeof(double);
  void *in = pf_alloc(bytes), *out = pf_alloc(bytes);
  pf_kernel_plan p;
  pfft3d_error e;
  pf_error_clear(&e);
  int status = pf_kernel_make(&p, s, &e);
  CHECK(!status, "%s, n %zu: %s", s->kernel->name, s->size, e.text);
  for (size_t i = 0; i < numbers; i++)
    write_number(in, i, single, input(n, i / 2 / n, i % (2 * n)));
  for (int times = 0; times < 2 && !status; times++) { /* a plan can be used again */
    for (size_t i = 0; i < numbers + GUARD; i++) write_number(out, i, single, poison);
    pf_kernel_run(&p, in, out);
    CHECK(!pf_kernel_fault(&p, &e), "%s: %s", s->kernel->name, e.text);
    CHECK(p.phase[PF_TRANSFERS] > 0 && p.phase[PF_BUTTERFLY1] > 0, "%s: no phases",
          s->kernel->name);
    check_lines(s, want, in, out);
  }
  if (!status) pf_kernel_free(&p);
  pf_free(in);
  pf_free(out);
}

/* There is a device for it. */
static int can_run(const pf_kernel *k) {
  return pf_kernel_api(k) >= 0 && pf_device_count((pf_device_api)pf_kernel_api(k)) > 0;
}

/* Of so many cases one is tested. */
static int share_of(const pf_kernel *k, int turn) {
  /* libraries compile for each size, this one longest */
  if (k->any_size) return k->factors ? 48 : turn > 2 * FEW ? 24 : 8;
  return turn > FEW ? 2 : 1;
}

static void test_size(size_t rows, size_t columns, int turn) {
  size_t n = rows * columns;
  wide *want = get(n * sizeof *want);
  for (int sign = -1; sign <= 1; sign += 2) {
    for (size_t k = 0; k < n; k++) want[k] = (wide){input(n, 0, 2 * k), input(n, 0, 2 * k + 1)};
    reference_field(want, (ptrdiff_t[]){1, (ptrdiff_t)rows, (ptrdiff_t)columns}, sign);
    for (int i = 0; pf_kernel_at(i); i++)
      for (int way = 0; way < 4; way++) {
        pf_kernel_spec s = {.kernel = pf_kernel_at(i),
                            .precision = way % 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                            .size = columns,
                            .rows = rows,
                            .batch = way / 2 ? MANY : 1,
                            .sign = sign,
                            .threads = 1,
                            .device = -1};
        if (!can_run(s.kernel) || !pf_kernel_supports(s.kernel, columns) ||
            !pf_kernel_supports(s.kernel, rows))
          continue;
        int share = share_of(s.kernel, turn);
        if (!take_all() && (way + (sign > 0) * 4 + i + turn) % share) continue;
        test_run(&s, want);
      }
  }
  free(want);
}

/* What cannot be done is said in one line, and leaves nothing. */
static void test_refused(void) {
  for (int i = 0; pf_kernel_at(i); i++) {
    pf_kernel_spec s = {
        .kernel = pf_kernel_at(i), .batch = 1, .sign = -1, .threads = 1, .device = -1};
    pf_kernel_plan p;
    pfft3d_error e;
    if (!can_run(s.kernel) || s.kernel->longest) continue;
    pf_error_clear(&e);
    s.size = (size_t)1 << 45;
    CHECK(pf_kernel_make(&p, &s, &e) == PFFT3D_ERR_MEMORY && !p.state, "%s: %s", s.kernel->name,
          e.text);
    CHECK(strstr(e.text, "device '") && strstr(e.text, "TiB wanted"), "%s", e.text);
    pf_error_clear(&e);
    s.size = 16;
    s.device = 60;
    CHECK(pf_kernel_make(&p, &s, &e) == PFFT3D_ERR_UNAVAILABLE && !p.state, "%s", s.kernel->name);
  }
}

static void *take_and_drop(void *device) {
  for (int k = 0; k < 20000; k++) {
    pf_device_memory m;
    if (pf_device_take(device, 64, 0, &m, NULL)) return device;
    pf_device_drop(&m);
  }
  return NULL;
}

/* Plans in several threads: in the end as much memory is free as before. */
static void test_threads(void) {
  enum { THREADS = 4 };
  const pf_device_wanted wanted = {.api = PF_OPENCL, .index = -1, .precision = PFFT3D_SINGLE};
  pthread_t thread[THREADS];
  pf_device *d;
  pfft3d_error e = {0};
  if (!pf_device_count(PF_OPENCL)) return;
  CHECK(!pf_device_open(&wanted, &d, &e), "%s", e.text);
  double before = d->taken;
  for (int k = 0; k < THREADS; k++) pthread_create(&thread[k], NULL, take_and_drop, d);
  for (int k = 0; k < THREADS; k++) {
    void *failed;
    pthread_join(thread[k], &failed);
    CHECK(!failed, "no memory in thread %d", k);
  }
  CHECK(d->taken == before, "%g bytes are taken, %g were", d->taken, before);
}

int main(int argc, char **argv) {
  pf_device_facts facts;
  if (!pf_device_facts_of(0, &facts)) {
    puts("no device (Debian: pocl-opencl-icd, libgl1-mesa-dri)");
    return 77;
  }
  MPI_Init(&argc, &argv);
  static const size_t sizes[] = {3, 12, 101};
  static const size_t matrix[][2] = {{4, 8}, {32, 2}, {2, 64}, {64, 32}, {6, 20}};
  int most = argc > 1 ? atoi(argv[1]) : take_all() ? 16 : 11;
  for (int bits = 0; bits <= most; bits++) test_size(1, (size_t)1 << bits, bits);
  for (int k = 0; k < 3; k++) test_size(1, sizes[k], k);
  for (int k = 0; k < 5; k++) test_size(matrix[k][0], matrix[k][1], 2 * FEW + k);
  test_refused();
  test_threads();
  return check_result();
}
