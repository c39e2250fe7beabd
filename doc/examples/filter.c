/* SPDX-License-Identifier: BSD-3-Clause
 * Takes the noise out of a signal: transforms it, drops all components that are small beside the
 * largest one, and transforms back.
 *
 *     mpirun -n 4 filter noisy.h5 filtered.h5 0.1 [clean.h5]
 *
 * Dropped are components below 0.1 of the largest one.  With the clean signal at hand it says how
 * much of the noise is gone, and fails if that is less than theory promises.  signal.md tells the
 * story. */
#include <complex.h>
#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEAKS = 8 }; /* that are listed */
typedef struct peak {
  double k, amplitude;
} peak;

/* The line, and this rank's part of it in space and of its half spectrum. */
typedef struct filter {
  pfft3d_dataset *dataset;
  pfft3d_dataset_info input;
  pfft3d_plan *plan;
  pfft3d_box space, spectrum;
  double *noisy; /* stays as it was read */
  void *work;    /* first the spectrum, then the signal without noise */
  int rank, ranks;
  pfft3d_error error;
} filter;

/* Blocks on both sides, neighbours together: as a file is read and written, and so that the index k
 * of a component is plain. */
static int make_plan(filter *f) {
  char text[80]; /* one size: one dimension, in blocks and in natural order unless it says more */
  pfft3d_request *request = NULL;
  snprintf(text, sizeof text, "r2c:d:%td", f->input.n[2]);
  int status = pfft3d_request_create(&request, &f->error);
  if (!status) status = pfft3d_request_parse(request, text, &f->error);
  if (!status) status = pfft3d_request_scale(request, 1, 1 / (double)f->input.n[2]);
  if (!status) status = pfft3d_plan_create(MPI_COMM_WORLD, request, &f->plan, &f->error);
  pfft3d_request_destroy(&request);
  if (status) return status;
  pfft3d_plan_box(f->plan, PFFT3D_SPACE, f->rank, &f->space);
  pfft3d_plan_box(f->plan, PFFT3D_SPECTRUM, f->rank, &f->spectrum);
  void *array = NULL;
  if (pfft3d_alloc(f->plan, &array, &f->error) || pfft3d_alloc(f->plan, &f->work, &f->error))
    return f->error.status;
  f->noisy = array;
  return PFFT3D_OK;
}

static int read_input(filter *f, const char *name) {
  if (pfft3d_dataset_probe(MPI_COMM_WORLD, name, &f->dataset, &f->error)) return f->error.status;
  pfft3d_dataset_get_info(f->dataset, &f->input, sizeof f->input);
  if (f->input.dims != 1 || f->input.numbers != PFFT3D_REAL) {
    f->error.status = PFFT3D_ERR_DATA;
    snprintf(f->error.text, sizeof f->error.text, "'%.200s' is no line of real numbers", name);
    return PFFT3D_ERR_DATA;
  }
  if (make_plan(f)) return f->error.status;
  return pfft3d_dataset_read(f->dataset, PFFT3D_DOUBLE, PFFT3D_REAL, &f->space, f->noisy,
                             &f->error);
}

/* The amplitude of component k: |F| = a N/2 for a sin kt or a cos kt, whose other half is F[N-k];
 * the mean and a cos (N/2)t have none. */
static double amplitude(const filter *f, ptrdiff_t k, double complex F) {
  ptrdiff_t n = f->input.n[2];
  return (k == 0 || 2 * k == n ? 1 : 2) * cabs(F) / (double)n;
}

/* Lists what is left, the first ones of all ranks. */
static void print_peaks(const filter *f, const peak mine[PEAKS], long kept) {
  peak *all = calloc((size_t)f->ranks * PEAKS, sizeof *all);
  if (!all) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_MEMORY);
  MPI_Gather(mine, 2 * PEAKS, MPI_DOUBLE, all, 2 * PEAKS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < f->ranks * PEAKS && f->rank == 0; i++)
    if (all[i].amplitude > 0) {
      printf("  k = %.0f: amplitude %.4f\n", all[i].k, all[i].amplitude);
      kept--;
    }
  if (f->rank == 0 && kept > 0) printf("  and %ld more\n", kept);
  free(all);
}

/* Drops what is smaller than `share` times the largest; returns how many components stay. */
static long drop_small(filter *f, double share) {
  double complex *F = f->work;
  double largest = 0;
  peak list[PEAKS] = {{0, 0}};
  long kept = 0;
  for (ptrdiff_t i = 0; i < f->spectrum.len[2]; i++) largest = fmax(largest, cabs(F[i]));
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (ptrdiff_t i = 0; i < f->spectrum.len[2]; i++) {
    if (cabs(F[i]) < share * largest)
      F[i] = 0; /* and with it F[N-k], its conjugate, which is not stored */
    else if (kept++ < PEAKS) {
      ptrdiff_t k = f->spectrum.lo[2] + i;
      list[kept - 1] = (peak){(double)k, amplitude(f, k, F[i])};
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &kept, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (f->rank == 0)
    printf("%ld of %td components stay, those of %g and more:\n", kept, f->input.n[2] / 2 + 1,
           2 * share * largest / (double)f->input.n[2]);
  print_peaks(f, list, kept);
  return kept;
}

static int write_output(filter *f, const char *name) {
  pfft3d_output_spec spec = {.name = name,
                             .path = f->input.path,
                             .precision = PFFT3D_DOUBLE,
                             .numbers = PFFT3D_REAL,
                             .dims = 1,
                             .overwrite = 1,
                             .source = f->dataset};
  pfft3d_output *output = NULL;
  memcpy(spec.n, f->input.n, sizeof spec.n);
  int status = pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &output, &f->error);
  if (!status) status = pfft3d_output_write(output, &f->space, f->work, &f->error);
  if (!status) status = pfft3d_output_commit(&output, &f->error);
  pfft3d_output_discard(&output);
  return status;
}

/* The root of the mean of (x - y)^2 over all points of the line. */
static double rms_difference(const filter *f, const double *x, const double *y) {
  double sum = 0;
  for (ptrdiff_t i = 0; i < f->space.len[2]; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(sum / (double)f->input.n[2]);
}

/* White noise has equal parts in all N components.  Of `kept` of the stored half, 2 kept of all, as
 * much is left; four times the expected error would be a miracle, if the transform is right. */
static int compare(filter *f, const char *name, long kept) {
  pfft3d_dataset *clean;
  if (pfft3d_dataset_probe(MPI_COMM_WORLD, name, &clean, &f->error)) return f->error.status;
  double *x = malloc((size_t)(f->space.len[2] + 1) * sizeof *x);
  if (!x) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_MEMORY);
  int status = pfft3d_dataset_read(clean, PFFT3D_DOUBLE, PFFT3D_REAL, &f->space, x, &f->error);
  if (!status) {
    double before = rms_difference(f, f->noisy, x), after = rms_difference(f, f->work, x);
    double expected = before * sqrt(2 * (double)kept / (double)f->input.n[2]);
    if (f->rank == 0)
      printf("rms error before %.4f, after %.6f (expected %.6f)\n", before, after, expected);
    if (!(after <= 4 * expected)) {
      status = f->error.status = PFFT3D_ERR_CHECK;
      snprintf(f->error.text, sizeof f->error.text, "the noise is still there");
    }
  }
  free(x);
  pfft3d_dataset_free(&clean);
  return status;
}

static int run(filter *f, int argc, char **argv) {
  double share = argc == 4 || argc == 5 ? atof(argv[3]) : 0;
  if (!(share > 0)) {
    snprintf(f->error.text, sizeof f->error.text, "usage: filter IN.h5 OUT.h5 SHARE [CLEAN.h5]");
    return f->error.status = PFFT3D_ERR_USAGE;
  }
  if (read_input(f, argv[1])) return f->error.status;
  int failed = pfft3d_execute(f->plan, PFFT3D_FORWARD, f->noisy, f->work);
  long kept = drop_small(f, share);
  failed |= pfft3d_execute(f->plan, PFFT3D_BACKWARD, f->work, f->work); /* in place */
  if (failed) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_INTERNAL);
  if (write_output(f, argv[2])) return f->error.status;
  return argc == 5 ? compare(f, argv[4], kept) : PFFT3D_OK;
}

int main(int argc, char **argv) {
  filter f = {.dataset = NULL, .plan = NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &f.ranks);
  int status = run(&f, argc, argv); /* the same on all ranks: nobody is left waiting */
  if (status && f.rank == 0) fprintf(stderr, "filter: %s\n", f.error.text);
  pfft3d_dataset_free(&f.dataset);
  if (f.plan) {
    pfft3d_free(f.plan, f.noisy);
    pfft3d_free(f.plan, f.work);
    pfft3d_plan_destroy(&f.plan);
  }
  MPI_Finalize();
  return status;
}
