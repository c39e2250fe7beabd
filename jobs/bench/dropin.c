/* SPDX-License-Identifier: BSD-3-Clause
 * Compares programs that call FFTW-MPI, with the drop-in and without: calls of this program go to
 * pfft3d, which is loaded before FFTW, and calls through FFTW's own library to FFTW. Both alternate
 * on the same arrays, in blocks of transforms so that small ones stay in cache; before, their
 * results for the same random numbers are compared. Arguments: TURNS (9), the largest number of
 * points (256^3), the smallest (0), and words, one of which the name of a problem must have;
 * jobs/bench.sh --drop-in starts it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/statistics.h"
#include "turns.h"

typedef enum { C2C, R2C, C2R, R2R, TRANSPOSE } family;

typedef struct {
  const char *name;
  family what;
  ptrdiff_t n[3], howmany;  /* fewer dimensions: 0 at the end */
  int in_place, transposed; /* the spectrum, of c2r the input */
} problem;

/* At each of sizes[], in all three dimensions; and others. */
static const problem problems[] = {
    {"c2c transposed, out of place", C2C, {0, 0, 0}, 1, 0, 1},
    {"c2c transposed, in place", C2C, {0, 0, 0}, 1, 1, 1},
    {"c2c natural, out of place", C2C, {0, 0, 0}, 1, 0, 0},
    {"c2c natural, in place", C2C, {0, 0, 0}, 1, 1, 0},
    {"r2c transposed, out of place", R2C, {0, 0, 0}, 1, 0, 1},
    {"r2c transposed, in place", R2C, {0, 0, 0}, 1, 1, 1},
    {"c2r transposed, out of place", C2R, {0, 0, 0}, 1, 0, 1},
    {"c2r transposed, in place", C2R, {0, 0, 0}, 1, 1, 1},
    {"dct2 transposed, out of place", R2R, {0, 0, 0}, 1, 0, 1},
    {"r2c transposed, 3 fields", R2C, {0, 0, 0}, 3, 1, 1},
    {"c2r transposed, 3 fields", C2R, {0, 0, 0}, 3, 1, 1},
    {"c2c transposed, 3 fields", C2C, {0, 0, 0}, 3, 1, 1},
    {"c2c transposed, 15 fields", C2C, {0, 0, 0}, 15, 1, 1},
};
/* At each of sides[], in two dimensions, and of lengths[]. */
static const problem planes[] = {
    {"2D c2c transposed, out of place", C2C, {0, 0, 0}, 1, 0, 1},
    {"2D c2c natural, in place", C2C, {0, 0, 0}, 1, 1, 0},
    {"2D r2c transposed, out of place", R2C, {0, 0, 0}, 1, 0, 1},
    {"2D c2r transposed, in place", C2R, {0, 0, 0}, 1, 1, 1},
    {"2D c2c transposed, 3 fields", C2C, {0, 0, 0}, 3, 1, 1},
};
static const problem lines[] = {
    {"1D c2c, out of place", C2C, {0, 0, 0}, 1, 0, 0},
    {"1D c2c, in place", C2C, {0, 0, 0}, 1, 1, 0},
    {"1D c2c, 3 fields", C2C, {0, 0, 0}, 3, 0, 0},
};
static const problem others[] = {
    {"c2c transposed, out of place", C2C, {250, 243, 225}, 1, 0, 1},
    {"c2c natural, in place", C2C, {250, 243, 225}, 1, 1, 0},
    {"transpose of a matrix, out of place", TRANSPOSE, {4096, 4096, 1}, 2, 0, 0},
    {"transpose of a matrix, in place", TRANSPOSE, {4096, 4096, 1}, 2, 1, 0},
};
static const ptrdiff_t sizes[] = {8, 16, 32, 48, 64, 80, 96, 128, 256};
static const ptrdiff_t sides[] = {32, 64, 128, 256, 512, 1024, 2048, 4096};
static const ptrdiff_t lengths[] = {1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20};

/* The original functions. */
static struct {
  fftw_plan (*dft)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, fftw_complex *,
                   fftw_complex *, MPI_Comm, int, unsigned);
  fftw_plan (*r2c)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, double *,
                   fftw_complex *, MPI_Comm, unsigned);
  fftw_plan (*c2r)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, fftw_complex *,
                   double *, MPI_Comm, unsigned);
  fftw_plan (*r2r)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, double *, double *,
                   MPI_Comm, const fftw_r2r_kind *, unsigned);
  fftw_plan (*transpose)(ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, double *, double *,
                         MPI_Comm, unsigned);
} original;

static void *find(const char *name) {
  void *library = dlopen("libfftw3_mpi.so.3", RTLD_LAZY | RTLD_NOLOAD);
  void *symbol = library ? dlsym(library, name) : NULL;
  if (symbol) return symbol;
  fprintf(stderr, "no %s in FFTW's library\n", name);
  exit(69);
}

static void find_original(void) {
  *(void **)&original.dft = find("fftw_mpi_plan_many_dft");
  *(void **)&original.r2c = find("fftw_mpi_plan_many_dft_r2c");
  *(void **)&original.c2r = find("fftw_mpi_plan_many_dft_c2r");
  *(void **)&original.r2r = find("fftw_mpi_plan_many_r2r");
  *(void **)&original.transpose = find("fftw_mpi_plan_many_transpose");
}

static int my_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/* Dimensions. */
static int rank_of(const problem *p) {
  return p->n[1] == 0 ? 1 : p->n[2] == 0 ? 2 : 3;
}

/* A plan of a problem: the drop-in's, or FFTW's own. */
static fftw_plan make_plan(const problem *p, int ours, double *in, double *out) {
  static const fftw_r2r_kind kind[] = {FFTW_REDFT10, FFTW_REDFT10, FFTW_REDFT10};
  unsigned transposed = p->what == C2R ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
  unsigned flags = FFTW_MEASURE | FFTW_DESTROY_INPUT | (p->transposed ? transposed : 0);
  int rank = rank_of(p);
  fftw_complex *ci = (fftw_complex *)in, *co = (fftw_complex *)out;
  MPI_Comm comm = MPI_COMM_WORLD;
  if (p->what == C2C)
    return (ours ? fftw_mpi_plan_many_dft : original.dft)(rank, p->n, p->howmany, 0, 0, ci, co,
                                                          comm, FFTW_FORWARD, flags);
  if (p->what == R2C)
    return (ours ? fftw_mpi_plan_many_dft_r2c : original.r2c)(rank, p->n, p->howmany, 0, 0, in, co,
                                                              comm, flags);
  if (p->what == C2R)
    return (ours ? fftw_mpi_plan_many_dft_c2r : original.c2r)(rank, p->n, p->howmany, 0, 0, ci, out,
                                                              comm, flags);
  if (p->what == R2R)
    return (ours ? fftw_mpi_plan_many_r2r : original.r2r)(rank, p->n, p->howmany, 0, 0, in, out,
                                                          comm, kind, flags);
  return (ours ? fftw_mpi_plan_many_transpose : original.transpose)(p->n[0], p->n[1], p->howmany, 0,
                                                                    0, in, out, comm, flags);
}

static double points_of(const problem *p) {
  double points = (double)p->n[0];
  for (int k = 1; k < rank_of(p); k++) points *= (double)p->n[k];
  return points;
}

/* Numbers in this rank's arrays; *result: in the output. */
static ptrdiff_t numbers_of(const problem *p, ptrdiff_t *result) {
  ptrdiff_t at[4], n[3] = {p->n[0], p->n[1], p->n[2]};
  int rank = rank_of(p), half = p->what == R2C || p->what == C2R;
  ptrdiff_t each = half || p->what == C2C ? 2 : 1;
  if (rank == 1) {
    ptrdiff_t size = fftw_mpi_local_size_many_1d(n[0], p->howmany, MPI_COMM_WORLD, FFTW_FORWARD, 0,
                                                 &at[0], &at[1], &at[2], &at[3]);
    *result = each * at[2] * p->howmany;
    return each * size;
  }
  if (half) n[rank - 1] = n[rank - 1] / 2 + 1;
  ptrdiff_t size = fftw_mpi_local_size_many_transposed(rank, n, p->howmany, 0, 0, MPI_COMM_WORLD,
                                                       &at[0], &at[1], &at[2], &at[3]);
  int turned = (p->transposed && p->what != C2R) || p->what == TRANSPOSE;
  *result = each * p->howmany * (turned ? at[2] * n[0] : at[0] * n[1]) * (rank == 3 ? n[2] : 1);
  return each * size;
}

/* The largest difference of the results of both plans for the same random numbers, relative to the
 * largest number; infinite for NaN.  Rows of c2r have gaps. */
static double difference(const problem *p, const fftw_plan plan[2], double *in, const double *out) {
  ptrdiff_t result, numbers = numbers_of(p, &result), last = p->n[rank_of(p) - 1];
  ptrdiff_t row = p->what == C2R ? 2 * (last / 2 + 1) * p->howmany : result;
  ptrdiff_t used = p->what == C2R ? last * p->howmany : result;
  double *kept = fftw_alloc_real((size_t)result + 1);
  turns_error error = {0, 0};
  for (int ours = 0; ours < 2; ours++) {
    srand48(7 + my_rank());
    for (ptrdiff_t k = 0; k < numbers; k++) in[k] = drand48() - 0.5;
    fftw_execute(plan[ours]);
    if (!ours) memcpy(kept, out, (size_t)result * sizeof *out);
  }
  for (ptrdiff_t k = 0; k < result; k++)
    if (k % row < used) turns_pair(&error, kept[k], out[k]);
  fftw_free(kept);
  return turns_relative(error);
}

/* Seconds of one transform, of a block of them on the slowest rank. */
static double block(fftw_plan plan, int count) {
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int k = 0; k < count; k++) fftw_execute(plan);
  return turns_since(start) / count;
}

/* Returns nonzero if both results agree; else nothing is timed. */
static int run(const problem *p, int turns) {
  ptrdiff_t result, numbers = numbers_of(p, &result);
  size_t bytes = (size_t)numbers * sizeof(double);
  double *in = fftw_alloc_real((size_t)numbers);
  double *out = p->in_place ? in : fftw_alloc_real((size_t)numbers);
  double seconds[2][TURNS_MOST], planning[2], ratio[TURNS_MOST];
  fftw_plan plan[2];
  int count = 1;
  char text[64], *words;
  for (int ours = 0; ours < 2; ours++) {
    planning[ours] = -MPI_Wtime();
    plan[ours] = make_plan(p, ours, in, out);
    planning[ours] += MPI_Wtime();
  }
  double error = difference(p, plan, in, out);
  memset(in, 0, bytes); /* so that no number grows without limit */
  memset(out, 0, bytes);
  if (!(error <= 1e-12)) turns = 0;
  double once = block(plan[0], 1);
  while (count < 100 && once * count < 0.02) count *= 2;
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int t = -1; t < turns; t++) {
    int k = t < 0 ? 0 : t;
    for (int ours = 0; ours < 2; ours++) seconds[ours][k] = block(plan[ours], count);
    ratio[k] = seconds[0][k] / seconds[1][k];
  }
  double median[2] = {0, 0};
  for (int ours = 0; ours < 2 && turns; ours++) median[ours] = stat_median(seconds[ours], turns);
  words = fftw_sprint_plan(plan[1]);
  int used = snprintf(text, sizeof text, "%td", p->n[0]);
  for (int k = 1; k < rank_of(p); k++)
    used += snprintf(text + used, sizeof text - (size_t)used, "x%td", p->n[k]);
  if (my_rank() == 0 && !turns)
    printf("%-12s %-36s WRONG, difference %.1e\n", text, p->name, error);
  if (my_rank() == 0 && turns)
    printf("%-12s %-36s %10.3f %10.3f %8.2f %8.2f %9.1f %8.1f  %s\n", text, p->name,
           1e3 * median[0], 1e3 * median[1], stat_median(ratio, turns),
           seconds[0][0] / seconds[1][0], 1e3 * planning[0], 1e3 * planning[1],
           words && strncmp(words, "(pfft3d ", 8) == 0 ? "pfft3d" : "FFTW");
  fflush(stdout);
  free(words);
  for (int ours = 0; ours < 2; ours++) fftw_destroy_plan(plan[ours]);
  if (!p->in_place) fftw_free(out);
  fftw_free(in);
  return turns > 0;
}

/* The problems to run. */
typedef struct {
  int turns;
  double least, most; /* points */
  char **word;        /* NULL at the end; none: all */
} wish;

/* Runs problems of a list, each with some sizes in so many dimensions; 0: with their own. Returns
 * nonzero if any was wrong. */
static int run_list(const wish *w, const problem *list, size_t count, const ptrdiff_t *side,
                    size_t sides_count, int dims) {
  int wrong = 0;
  for (size_t s = 0; s < sides_count; s++)
    for (size_t k = 0; k < count; k++) {
      problem p = list[k];
      int named = !*w->word;
      for (int d = 0; d < dims; d++) p.n[d] = side[s];
      for (char **word = w->word; *word; word++) named |= strstr(p.name, *word) != NULL;
      if (named && points_of(&p) >= w->least && points_of(&p) <= w->most)
        wrong |= !run(&p, w->turns);
    }
  return wrong;
}

int main(int argc, char **argv) {
  int rank, ranks, wrong = 0;
  wish w = {.turns = turns_of(argc, argv),
            .most = argc > 2 ? atof(argv[2]) : 256.0 * 256 * 256,
            .least = argc > 3 ? atof(argv[3]) : 0,
            .word = argv + (argc > 4 ? 4 : argc)};
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  find_original();
  if (rank == 0)
    printf("%d ranks, medians of %d turns, FFTW with MEASURE and DESTROY_INPUT\n", ranks, w.turns);
  turns_load("before: ");
  if (rank == 0)
    printf("%-12s %-36s %10s %10s %8s %8s %9s %8s  %s\n", "size", "problem", "FFTW ms", "ours ms",
           "ratio", "of least", "plan ms", "ours ms", "done by");
#define LIST(list) list, sizeof(list) / sizeof *(list)
  wrong |= run_list(&w, LIST(problems), LIST(sizes), 3);
  wrong |= run_list(&w, LIST(planes), LIST(sides), 2);
  wrong |= run_list(&w, LIST(lines), LIST(lengths), 1);
  wrong |= run_list(&w, LIST(others), sizes, 1, 0);
  turns_load("after: ");
  MPI_Finalize();
  return wrong;
}
