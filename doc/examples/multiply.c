/* SPDX-License-Identifier: BSD-3-Clause
 * Multiplies whole numbers of millions of digits, or polynomials, which are the same but for
 * carries:
 *
 *     mpirun -n 4 multiply a.h5 b.h5 product.h5 10000     digits of base 10000, the lowest first
 *     mpirun -n 4 multiply p.h5 q.h5 product.h5           whole coefficients, the lowest first
 *
 * Digits of a product are a convolution, one real transform for each factor and one back, of a
 * distributed line.  Only the convolution at each index matters, so the spectra may stay in the
 * order in which the transform leaves them (order=transposed), which saves an exchange.
 *
 * Rounding is seen: every digit of the convolution has to be near a whole number.  Then the product
 * is compared with the factors modulo three primes, at the base, or for polynomials at some point.
 */
#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRIMES = 3 };
static const uint64_t prime[PRIMES] = {2147483647, 1000000007, 998244353};

typedef struct job {
  int rank, ranks;
  long long base; /* 0: polynomials */
  pfft3d_dataset *factor[2];
  ptrdiff_t length[2], product; /* in digits */
  pfft3d_plan *plan;
  pfft3d_box box; /* this rank's digits of the padded line */
  ptrdiff_t spectrum;
  double *array[2];
  uint64_t residue[3][PRIMES];
  pfft3d_error error;
} job;

static int fail(job *j, int status, const char *text) {
  snprintf(j->error.text, sizeof j->error.text, "%s", text);
  return j->error.status = status;
}

/* The smallest even number from n on with the factors 2, 3 and 5 only. */
static ptrdiff_t good_length(ptrdiff_t n) {
  for (n += n % 2;; n += 2) {
    ptrdiff_t rest = n;
    for (int p = 2; p <= 5; p++)
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

/* This rank's digits among the first `count`. */
static pfft3d_box digits(const job *j, ptrdiff_t count) {
  pfft3d_box box = j->box;
  ptrdiff_t end = box.lo[2] + box.len[2] < count ? box.lo[2] + box.len[2] : count;
  box.len[2] = end > box.lo[2] ? end - box.lo[2] : 0;
  if (!box.len[2]) box.lo[2] = 0;
  return box;
}

/* ---- residues ---- */

static uint64_t power(uint64_t x, uint64_t n, uint64_t p) {
  uint64_t y = 1;
  for (x %= p; n; n /= 2, x = x * x % p)
    if (n % 2) y = y * x % p;
  return y;
}

/* The value of the number or polynomial in the array modulo the primes. */
static void find_residues(const job *j, const double *array, ptrdiff_t count, uint64_t *residue) {
  pfft3d_box b = digits(j, count);
  for (int i = 0; i < PRIMES; i++) {
    uint64_t p = prime[i], x = (uint64_t)(j->base ? j->base : 123456789) % p, sum = 0;
    for (ptrdiff_t k = b.len[2] - 1; k >= 0; k--) {
      int64_t digit = (int64_t)array[k] % (int64_t)p;
      sum = (sum * x + (uint64_t)(digit < 0 ? digit + (int64_t)p : digit)) % p;
    }
    residue[i] = sum * power(x, (uint64_t)b.lo[2], p) % p;
  }
  MPI_Allreduce(MPI_IN_PLACE, residue, PRIMES, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < PRIMES; i++) residue[i] %= prime[i];
}

static int check_residues(job *j) {
  for (int i = 0; i < PRIMES; i++)
    if (j->residue[0][i] * j->residue[1][i] % prime[i] != j->residue[2][i])
      return fail(j, PFFT3D_ERR_CHECK, "the product is wrong modulo a prime");
  return PFFT3D_OK;
}

/* ---- the product ---- */

static int read_factor(job *j, int f) {
  pfft3d_box box = digits(j, j->length[f]);
  double *x = j->array[f];
  int bad = 0;
  memset(x, 0, pfft3d_plan_bytes(j->plan));
  if (pfft3d_dataset_read(j->factor[f], PFFT3D_DOUBLE, PFFT3D_REAL, &box, x, &j->error))
    return j->error.status;
  for (ptrdiff_t i = 0; i < box.len[2]; i++)
    bad |= j->base ? !(x[i] >= 0 && x[i] < (double)j->base && x[i] == floor(x[i]))
                   : !(fabs(x[i]) < 0x1p53 && x[i] == floor(x[i]));
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (bad)
    return fail(
        j, PFFT3D_ERR_DATA,
        j->base ? "a digit is not one of the base" : "a coefficient is not whole, or beyond 2^53");
  find_residues(j, x, j->length[f], j->residue[f]);
  return PFFT3D_OK;
}

/* The convolution in array[0], rounded; fails where it is not near whole numbers. */
static int convolve(job *j) {
  double *x = j->array[0], *y = j->array[1], far[2] = {0, 0};
  int failed = 0;
  for (int f = 0; f < 2; f++)
    failed |= pfft3d_execute(j->plan, PFFT3D_FORWARD, j->array[f], j->array[f]);
  for (ptrdiff_t i = 0; i < 2 * j->spectrum; i += 2) {
    double re = x[i] * y[i] - x[i + 1] * y[i + 1];
    x[i + 1] = x[i] * y[i + 1] + x[i + 1] * y[i];
    x[i] = re;
  }
  failed |= pfft3d_execute(j->plan, PFFT3D_BACKWARD, x, x);
  if (failed) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_INTERNAL);
  for (ptrdiff_t i = 0; i < j->box.len[2]; i++) {
    double whole = nearbyint(x[i]), distance = fabs(x[i] - whole);
    far[0] = fmax(far[0], isnan(distance) ? INFINITY : distance); /* a maximum would hide a NaN */
    far[1] = fmax(far[1], fabs(x[i]));
    x[i] = whole;
  }
  MPI_Allreduce(MPI_IN_PLACE, far, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (j->rank == 0) printf("largest distance from a whole number %.2g\n", far[0]);
  if (far[0] < 0.25 && far[1] < 0x1p52) return PFFT3D_OK;
  return fail(j, PFFT3D_ERR_CHECK, "too much rounding: take a smaller base");
}

/* Carries within the rank's digits, then what comes from the rank before, which seldom goes far. */
static void carry(job *j) {
  double *x = j->array[0];
  long long in = 0, out = 0;
  for (ptrdiff_t i = 0; i < j->box.len[2]; i++) {
    long long v = (long long)x[i] + out;
    out = v / j->base;
    x[i] = (double)(v % j->base);
  }
  if (j->rank > 0)
    MPI_Recv(&in, 1, MPI_LONG_LONG, j->rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (ptrdiff_t i = 0; in && i < j->box.len[2]; i++) {
    long long v = (long long)x[i] + in;
    in = v / j->base;
    x[i] = (double)(v % j->base);
  }
  out += in;
  if (j->rank < j->ranks - 1) MPI_Send(&out, 1, MPI_LONG_LONG, j->rank + 1, 0, MPI_COMM_WORLD);
}

/* ---- all of it ---- */

static int open_factors(job *j, char **argv) {
  for (int f = 0; f < 2; f++) {
    pfft3d_dataset_info info;
    if (pfft3d_dataset_probe(MPI_COMM_WORLD, argv[1 + f], &j->factor[f], &j->error))
      return j->error.status;
    pfft3d_dataset_get_info(j->factor[f], &info, sizeof info);
    if (info.dims != 1 || info.numbers != PFFT3D_REAL)
      return fail(j, PFFT3D_ERR_DATA, "a factor is a list of digits or coefficients");
    j->length[f] = info.n[2];
  }
  j->product = j->length[0] + j->length[1] - (j->base ? 0 : 1);
  return PFFT3D_OK;
}

static int make_plan(job *j) {
  char text[100];
  pfft3d_request *request = NULL;
  ptrdiff_t n = good_length(j->product);
  snprintf(text, sizeof text, "r2c:d:%td order=transposed", n);
  int status = pfft3d_request_create(&request, &j->error);
  if (!status) status = pfft3d_request_parse(request, text, &j->error);
  if (!status) status = pfft3d_request_scale(request, 1, 1 / (double)n);
  if (!status) status = pfft3d_plan_create(MPI_COMM_WORLD, request, &j->plan, &j->error);
  pfft3d_request_destroy(&request);
  if (status) return status;
  pfft3d_box spectrum;
  pfft3d_plan_box(j->plan, PFFT3D_SPACE, j->rank, &j->box);
  pfft3d_plan_box(j->plan, PFFT3D_SPECTRUM, j->rank, &spectrum);
  j->spectrum = spectrum.len[0] * spectrum.len[1] * spectrum.len[2];
  for (int f = 0; f < 2 && !status; f++) {
    void *array = NULL;
    status = pfft3d_alloc(j->plan, &array, &j->error);
    j->array[f] = array;
  }
  return status;
}

static int write_product(job *j, const char *name) {
  pfft3d_output *output = NULL;
  pfft3d_output_spec spec = {.name = name,
                             .path = "/product",
                             .numbers = PFFT3D_REAL,
                             .dims = 1,
                             .n = {1, 1, j->product},
                             .overwrite = 1};
  pfft3d_box box = digits(j, j->product);
  int status = pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &output, &j->error);
  if (!status) status = pfft3d_output_write(output, &box, j->array[0], &j->error);
  if (!status) status = pfft3d_output_commit(&output, &j->error);
  pfft3d_output_discard(&output);
  return status;
}

static int run(job *j, int argc, char **argv) {
  j->base = argc == 5 ? atoll(argv[4]) : 0;
  if (argc < 4 || argc > 5 || (argc == 5 && (j->base < 2 || j->base > 1000000)))
    return fail(j, PFFT3D_ERR_USAGE, "usage: multiply A.h5 B.h5 PRODUCT.h5 [BASE]");
  if (open_factors(j, argv) || make_plan(j) || read_factor(j, 0) || read_factor(j, 1))
    return j->error.status;
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  if (convolve(j)) return j->error.status;
  if (j->base) carry(j);
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - start;
  find_residues(j, j->array[0], j->product, j->residue[2]);
  if (check_residues(j) || write_product(j, argv[3])) return j->error.status;
  if (j->rank == 0)
    printf("%td times %td %s on %d ranks in %.3f s, right modulo %d primes\n", j->length[0],
           j->length[1], j->base ? "digits" : "coefficients", j->ranks, seconds, PRIMES);
  return PFFT3D_OK;
}

int main(int argc, char **argv) {
  job j = {.plan = NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
  int status = run(&j, argc, argv);
  if (status && j.rank == 0) fprintf(stderr, "multiply: %s\n", j.error.text);
  for (int f = 0; f < 2; f++) pfft3d_dataset_free(&j.factor[f]);
  if (j.plan) pfft3d_plan_destroy(&j.plan);
  MPI_Finalize();
  return status;
}
