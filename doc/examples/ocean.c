/* SPDX-License-Identifier: BSD-3-Clause
 * A sea: waves of all lengths and directions with random phases, each with its own speed, added up
 * by one Fourier transform per frame.
 *
 *     mpirun -n 2 ocean 1024 64 [heights.h5] [jonswap|phillips] [SECONDS]
 *
 * computes 64 frames of 1024 x 1024 heights, SECONDS (0.1) apart, over 400 m x 400 m.  The spectrum
 * h of a frame is h0(k) exp(-i w t) + conj h0(-k) exp(i w t) with w^2 = g |k|, so that h(-k) = conj
 * h(k) and the heights are real (J. Tessendorf, Simulating ocean water, 2001, in whose paper waves
 * run along -k).  Times exp(i k x), which the backward transform adds up, the first part runs along
 * k.  |h0(k)|^2 is half of what the sea has at k on average: a spectrum measured in the North Sea
 * (JONSWAP, Hasselmann et al. 1973, with the wind) or the one of Phillips (1958, with and against
 * it).
 *
 * The mean square of the heights is the sum of |h|^2 over all k in every frame, which is checked,
 * and on average the integral of the spectrum. */
#include <complex.h>
#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81, length = 400, wind = 12, fetch = 80e3, pi = 3.14159265358979;

typedef struct ocean {
  int n, frames, phillips, rank, ranks;
  double step; /* seconds from frame to frame */
  pfft3d_plan *plan;
  pfft3d_box space, spectrum;
  ptrdiff_t modes;       /* of this rank */
  double complex *h0[2]; /* of k and, conjugated, of -k, at the time of the frame */
  double complex *turn;  /* exp(i w t) for the step */
  double *weight;        /* times that a mode counts: 2 where -k is not stored */
  double complex *h;     /* the spectrum, in place the heights */
  double integral;       /* of the spectrum: the expected variance */
  double uncertainty;    /* standard deviation of the variance of a sea from it */
  pfft3d_error error;
} ocean;

/* ---- the sea ---- */

/* Two normal random numbers that belong to a mode, on whatever rank it lies. */
static double complex normal_numbers(const ocean *o, ptrdiff_t k0, ptrdiff_t k1) {
  uint64_t x = ((uint64_t)((k0 + o->n) % o->n) * (uint64_t)o->n + (uint64_t)((k1 + o->n) % o->n));
  double u[2];
  for (int i = 0; i < 2; i++) { /* splitmix64 (Steele, Lea and Flood, 2014) */
    uint64_t z = (2 * x + (uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    u[i] = ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
  }
  return sqrt(-2 * log(u[0])) * cexp(2 * pi * I * u[1]);
}

/* Energy of the waves at a wave vector per area of the k plane, in m^4; the wind blows along
 * axis 1. */
static double spectrum(const ocean *o, double kx, double ky) {
  double k = hypot(kx, ky), across = kx / k;
  if (!(k > 0)) return 0;
  if (o->phillips) {
    double largest = wind * wind / gravity, smallest = length / 2000;
    return 4e-3 * exp(-1 / (k * k * largest * largest) - k * k * smallest * smallest) * across *
           across / (k * k * k * k);
  }
  if (across <= 0) return 0;
  double alpha = 0.076 * pow(wind * wind / (fetch * gravity), 0.22);
  double peak = 22 * cbrt(gravity * gravity / (wind * fetch)), w = sqrt(gravity * k);
  double width = w <= peak ? 0.07 : 0.09;
  double near = exp(-(w - peak) * (w - peak) / (2 * width * width * peak * peak));
  double s = alpha * gravity * gravity / pow(w, 5) * exp(-1.25 * pow(peak / w, 4)) * pow(3.3, near);
  return s * gravity / (2 * w) / k * 2 / pi * across * across; /* S(w) dw/dk / k, spread by cos^2 */
}

/* The mean of |h0(k)|^2 for the frequencies k0 and k1; none at n/2, which has no sign. */
static double half_energy(const ocean *o, ptrdiff_t k0, ptrdiff_t k1) {
  double dk = 2 * pi / length;
  if (2 * k0 == o->n || 2 * k0 == -o->n || 2 * k1 == o->n || 2 * k1 == -o->n) return 0;
  return spectrum(o, dk * (double)k1, dk * (double)k0) * dk * dk / 2;
}

/* The amplitudes of this rank's modes.  The variance is the sum of |h(k)|^2, each exponentially
 * distributed, so its standard deviation is the root of the sum of squares; |h(-k)|^2 is the same.
 */
static void make_modes(ocean *o) {
  double sum[2] = {0, 0};
  const pfft3d_box *b = &o->spectrum;
  ptrdiff_t at = 0;
  for (ptrdiff_t k1 = b->lo[2]; k1 < b->lo[2] + b->len[2]; k1++)
    for (ptrdiff_t i = b->lo[1]; i < b->lo[1] + b->len[1]; i++, at++) {
      ptrdiff_t k0 = 2 * i > o->n ? i - o->n : i;
      double energy[2] = {half_energy(o, k0, k1), half_energy(o, -k0, -k1)};
      o->h0[0][at] = sqrt(energy[0] / 2) * normal_numbers(o, k0, k1);
      o->h0[1][at] = sqrt(energy[1] / 2) * conj(normal_numbers(o, -k0, -k1));
      double omega = sqrt(gravity * 2 * pi / length * hypot((double)k0, (double)k1));
      o->turn[at] = cexp(I * omega * o->step);
      o->weight[at] = k1 > 0 && 2 * k1 < o->n ? 2 : 1;
      sum[0] += o->weight[at] * (energy[0] + energy[1]);
      sum[1] += 2 * o->weight[at] * (energy[0] + energy[1]) * (energy[0] + energy[1]);
    }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  o->integral = sum[0];
  o->uncertainty = sqrt(sum[1]);
}

/* ---- frames ---- */

/* Multiplies a number by one of modulus 1; C's own product would look for infinities. */
static double complex turned(double complex x, double c, double s) {
  return creal(x) * c - cimag(x) * s + (creal(x) * s + cimag(x) * c) * I; /* clang has no CMPLX() */
}

/* The heights of a frame, and the waves a step later; returns the sum of |h|^2 over this rank's
 * modes. */
static double make_frame(ocean *o) {
  double sum = 0;
  for (ptrdiff_t i = 0; i < o->modes; i++) {
    double c = creal(o->turn[i]), s = cimag(o->turn[i]);
    double complex h = o->h0[0][i] + o->h0[1][i];
    sum += o->weight[i] * (creal(h) * creal(h) + cimag(h) * cimag(h));
    o->h[i] = h;
    o->h0[0][i] = turned(o->h0[0][i], c, -s);
    o->h0[1][i] = turned(o->h0[1][i], c, s);
  }
  if (pfft3d_execute(o->plan, PFFT3D_BACKWARD, o->h, o->h))
    MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_INTERNAL);
  return sum;
}

/* The sum of the squares of this rank's heights, over the number of all. */
static double mean_square(const ocean *o) {
  const double *height = (const double *)o->h;
  double sum = 0;
  for (ptrdiff_t i = 0; i < o->space.len[1] * o->space.len[2]; i++) sum += height[i] * height[i];
  return sum / ((double)o->n * (double)o->n);
}

/* Fields of one frame after the other along axis 0 of one dataset. */
static int create_output(ocean *o, const char *name, pfft3d_output **output) {
  const pfft3d_attribute attributes[] = {
      {"axes", "time, y, x"}, {"spectrum", o->phillips ? "phillips" : "jonswap"}, {NULL, NULL}};
  pfft3d_output_spec spec = {.name = name,
                             .path = "/heights",
                             .numbers = PFFT3D_REAL,
                             .dims = 3,
                             .n = {o->frames, o->n, o->n},
                             .overwrite = 1,
                             .attributes = attributes};
  return pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, output, &o->error);
}

static int write_frame(ocean *o, pfft3d_output *output, int frame) {
  pfft3d_box box = o->space; /* 1 x rows x n */
  box.lo[0] = frame;
  return pfft3d_output_write(output, &box, o->h, &o->error);
}

static int make_frames(ocean *o, pfft3d_output *output) {
  double seconds = 0, worst = 0, variance = 0;
  for (int f = 0; f < o->frames; f++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), sum[2];
    sum[0] = make_frame(o);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds += MPI_Wtime() - start;
    sum[1] = mean_square(o);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    worst = fmax(worst, fabs(sum[1] / sum[0] - 1));
    variance += sum[1] / o->frames;
    if (output && write_frame(o, output, f)) return o->error.status;
  }
  if (o->rank == 0)
    printf(
        "variance %.6f m^2: of the spectrum %.6f, sd %.6f; significant wave height %.2f m\n"
        "heights and spectrum agree within %.1e\n%d frames of %d x %d on %d ranks: %.1f frames/s\n",
        variance, o->integral, o->uncertainty, 4 * sqrt(variance), worst, o->frames, o->n, o->n,
        o->ranks, o->frames / seconds);
  if (worst <= 1e-12 && fabs(variance - o->integral) <= 6 * o->uncertainty) return PFFT3D_OK;
  snprintf(o->error.text, sizeof o->error.text,
           "the heights do not have the energy of the spectrum");
  return o->error.status = PFFT3D_ERR_CHECK;
}

/* ---- all of it ---- */

/* In transposed order, which saves an exchange, the spectrum is cut along axis 2 and stored
 * [k1][k0]. */
static int make_plan(ocean *o) {
  char text[80];
  snprintf(text, sizeof text, "r2c:d:%dx%d order=transposed", o->n, o->n);
  if (pfft3d_plan_create_text(MPI_COMM_WORLD, text, &o->plan, &o->error)) return o->error.status;
  pfft3d_plan_box(o->plan, PFFT3D_SPACE, o->rank, &o->space);
  pfft3d_plan_box(o->plan, PFFT3D_SPECTRUM, o->rank, &o->spectrum);
  o->modes = o->spectrum.len[1] * o->spectrum.len[2];
  size_t room = (size_t)o->modes + 1;
  void *array = NULL;
  if (pfft3d_alloc(o->plan, &array, &o->error)) return o->error.status;
  o->h = array;
  for (int i = 0; i < 2; i++) o->h0[i] = malloc(room * sizeof *o->h0[i]);
  o->turn = malloc(room * sizeof *o->turn);
  o->weight = malloc(room * sizeof *o->weight);
  if (!o->h0[0] || !o->h0[1] || !o->turn || !o->weight)
    MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_MEMORY);
  return PFFT3D_OK;
}

static int run(ocean *o, int argc, char **argv) {
  pfft3d_output *output = NULL;
  o->n = argc > 2 ? atoi(argv[1]) : 0;
  o->frames = argc > 2 ? atoi(argv[2]) : 0;
  o->phillips = argc > 4 && strcmp(argv[4], "phillips") == 0;
  o->step = argc > 5 ? atof(argv[5]) : 0.1;
  if (o->n < 2 || o->n > 32768 || o->frames < 1 || !(o->step >= 0) || argc > 6 ||
      (argc > 4 && !o->phillips && strcmp(argv[4], "jonswap") != 0)) {
    snprintf(o->error.text, sizeof o->error.text,
             "usage: ocean POINTS FRAMES [heights.h5|none] [jonswap|phillips] [SECONDS]");
    return o->error.status = PFFT3D_ERR_USAGE;
  }
  if (argc > 3 && strcmp(argv[3], "none") != 0 && create_output(o, argv[3], &output))
    return o->error.status;
  if (!make_plan(o)) {
    make_modes(o);
    int status = make_frames(o, output);
    if (!status && output) pfft3d_output_commit(&output, &o->error);
  }
  pfft3d_output_discard(&output);
  return o->error.status;
}

int main(int argc, char **argv) {
  ocean o = {.plan = NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &o.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &o.ranks);
  int status = run(&o, argc, argv);
  if (status && o.rank == 0) fprintf(stderr, "ocean: %s\n", o.error.text);
  if (o.h) pfft3d_free(o.plan, o.h);
  if (o.plan) pfft3d_plan_destroy(&o.plan);
  for (int i = 0; i < 2; i++) free(o.h0[i]);
  free(o.turn);
  free(o.weight);
  MPI_Finalize();
  return status;
}
