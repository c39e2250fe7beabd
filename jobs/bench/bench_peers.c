/* SPDX-License-Identifier: BSD-3-Clause
 * Compares pfft3d with packaged peers (FFTW-MPI, and SpFFT where it was found) on this machine:
 *
 *     mpirun -n 2 bench_peers --sizes 128,256x256x200 --out DIR
 *     mpirun -n 2 bench_peers --line 2^24,3^15 --out DIR
 *
 * Options and pitfalls of comparisons are in jobs/README.md. */
#include <errno.h>
#include <fftw3-mpi.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const char default_sizes[] = "64,128,200,250x243x225,256,384,480,512";

static const char help[] =
    "bench_peers [OPTIONS]: pfft3d beside FFTW-MPI and SpFFT, repeats in turns\n"
    "  --sizes LIST    N or N0xN1xN2, commas between (64,128,200,250x243x225,256,384,480,512)\n"
    "  --line LIST     lines of N or B^E points, commas between; fields only with --sizes too\n"
    "  --order NAME    transposed, natural or both (both)\n"
    "  --type NAME     c2c, r2c or both (c2c)\n"
    "  --pgrid LIST    pencils of pfft3d beside slabs, on grids P1xP2 of ranks, commas between\n"
    "  --precision LIST  of pfft3d: double, single or both names (double)\n"
    "  --batch B       B fields in one transform beside B transforms, 2 to 64\n"
    "  --engine LIST   engines of pfft3d (auto)\n"
    "  --algo LIST     exchanges of pfft3d (all that are registered)\n"
    "  --reps N        timed repeats of each contender (9)\n"
    "  --warmup N      repeats before them (1)\n"
    "  --in-a-row N    transforms of a repeat, whose median counts (100 up to 2^20 points, else "
    "1)\n"
    "  --patient       plan FFTW-MPI with PATIENT too: seconds to minutes per plan\n"
    "  --overlap       time passes and bytes of each plan by themselves too, and say how much of\n"
    "                  the one went on behind the other: for ranks with a network between them\n"
    "  --fftw-time-limit S  seconds for a plan of FFTW-MPI, about (none)\n"
    "  --fftw-wisdom FILE   reuse FFTW's wisdom in FILE, and keep it there (none)\n"
    "  --seed N        of the data (1)\n"
    "  --out DIR       an existing folder for bench.json and the data of the picture (.)\n";

static int usage(const bench *b, const char *what, const char *value) {
  note(b, "%s: '%s'", what, value);
  return PFFT3D_ERR_USAGE;
}

/* ---- Words of lists ---- */

static int add_size(bench *b, const char *word) {
  bench_options *o = &b->opt;
  char text[128];
  pfft3d_problem p;
  if (o->sizes == MOST_SIZES) return usage(b, "too many sizes", word);
  if (strchr(word, 'x'))
    snprintf(text, sizeof text, "c2c:d:%s", word);
  else
    snprintf(text, sizeof text, "c2c:d:%.30sx%.30sx%.30s", word, word, word);
  if (pfft3d_problem_parse(text, &p, NULL)) return usage(b, "no size", word);
  if (p.n[0] == 1 || p.n[1] == 1) /* FFTW-MPI takes what remains for a field of its own */
    return usage(b, "axes 0 and 1 must have two points at least", word);
  memcpy(o->size[o->sizes++], p.n, sizeof p.n);
  return 0;
}

/* "2^24" or "16777216"; 0 for anything else or too long a line. */
static ptrdiff_t parse_points(const char *word) {
  const ptrdiff_t most = (ptrdiff_t)1 << 31; /* products of indices fit into 64 bits */
  long base, exponent = 1;
  char *end;
  base = strtol(word, &end, 10);
  if (end > word && *end == '^') {
    word = end + 1;
    exponent = strtol(word, &end, 10);
  }
  if (end == word || *end || base < 2 || base > most || exponent < 1) return 0;
  ptrdiff_t points = 1;
  for (long k = 0; k < exponent; k++) {
    if (points > most / base) return 0;
    points *= base;
  }
  return points;
}

static int add_line(bench *b, const char *word) {
  bench_options *o = &b->opt;
  const ptrdiff_t points = parse_points(word);
  if (o->lines == MOST_SIZES) return usage(b, "too many lines", word);
  if (!points) return usage(b, "no length from 2 to 2^31", word);
  o->line[o->lines++] = points;
  return 0;
}

static int add_grid(bench *b, const char *word) {
  bench_options *o = &b->opt;
  int *grid = o->grid[o->grids], length = 0;
  if (o->grids == MOST_NAMES) return usage(b, "too many grids", word);
  if (sscanf(word, "%4dx%4d%n", &grid[0], &grid[1], &length) != 2 || grid[0] < 1 || grid[1] < 1 ||
      word[length])
    return usage(b, "no grid of ranks", word);
  if (grid[0] * grid[1] > b->a.ranks) return usage(b, "a grid of more ranks than there are", word);
  o->grids++;
  return 0;
}

static int add_name(bench *b, pfft3d_list list, const char *word, char (*names)[NAME], int *count) {
  const char *known = "auto";
  if (*count == MOST_NAMES || strlen(word) >= NAME) return usage(b, "names too long or many", word);
  for (int k = 0; known && strcmp(known, word) != 0; k++) known = pfft3d_list_name(list, k, NULL);
  if (!known) return usage(b, "unknown name", word);
  snprintf(names[(*count)++], NAME, "%s", word);
  return 0;
}

static int add_engine(bench *b, const char *word) {
  return add_name(b, PFFT3D_ENGINES, word, b->opt.engine, &b->opt.engines);
}

static int add_algo(bench *b, const char *word) {
  return add_name(b, PFFT3D_EXCHANGES, word, b->opt.algo, &b->opt.algos);
}

/* One of two known names, or `both`. */
static int add_choice(const bench *b, const char *word, const char *const names[2], int wanted[2]) {
  const int both = strcmp(word, "both") == 0;
  int known = both;
  for (int k = 0; k < 2; k++) {
    const int named = strcmp(word, names[k]) == 0;
    if (named || both) wanted[k] = 1;
    known |= named;
  }
  if (known) return 0;
  note(b, "'%s': must be %s, %s or both", word, names[0], names[1]);
  return PFFT3D_ERR_USAGE;
}

static int add_order(bench *b, const char *word) {
  return add_choice(b, word, order_name, b->opt.order);
}

static int add_kind(bench *b, const char *word) {
  return add_choice(b, word, kind_name, b->opt.kind);
}

static int add_precision(bench *b, const char *word) {
  return add_choice(b, word, precision_name, b->opt.precision);
}

/* ---- Options ---- */

/* A list of words, whose number or choices at an offset in the options are first set to 0, each for
 * `add`; or a flag (low > high), a text (text != 0), or a whole number from low to high. */
typedef struct option_row {
  const char *name;
  size_t at, bytes;
  int (*add)(bench *b, const char *word);
  int text, low, high;
} option_row;

#define AT(member) offsetof(bench_options, member), sizeof(((bench_options *)NULL)->member)
static const option_row rows[] = {
    {"sizes", AT(sizes), add_size, 0, 0, 0},
    {"line", AT(lines), add_line, 0, 0, 0},
    {"order", AT(order), add_order, 0, 0, 0},
    {"type", AT(kind), add_kind, 0, 0, 0},
    {"pgrid", AT(grids), add_grid, 0, 0, 0},
    {"precision", AT(precision), add_precision, 0, 0, 0},
    {"engine", AT(engines), add_engine, 0, 0, 0},
    {"algo", AT(algos), add_algo, 0, 0, 0},
    {"batch", AT(batch), NULL, 0, 1, MOST_BATCH},
    {"reps", AT(reps), NULL, 0, 1, MOST_REPS},
    {"warmup", AT(warmup), NULL, 0, 0, MOST_REPS},
    {"in-a-row", AT(in_a_row), NULL, 0, 1, MOST_REPS},
    {"patient", AT(patient), NULL, 0, 1, 0},
    {"overlap", AT(overlap), NULL, 0, 1, 0},
    {"fftw-time-limit", AT(time_limit), NULL, 0, 0, INT_MAX},
    {"fftw-wisdom", AT(wisdom), NULL, 1, 0, 0},
    {"seed", AT(seed), NULL, 0, 0, INT_MAX},
    {"out", AT(out), NULL, 1, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static int is_flag(const option_row *row) {
  return row->low > row->high;
}

/* Calls `add` for every word of a list. */
static int read_list(bench *b, const char *list, const option_row *row) {
  char *copy = strdup(list), *rest = copy, *word;
  int status = copy ? 0 : PFFT3D_ERR_MEMORY, words = 0;
  memset((char *)&b->opt + row->at, 0, row->bytes);
  while (!status && (word = strsep(&rest, ", "))) {
    if (!*word) continue;
    words++;
    status = row->add(b, word);
  }
  free(copy);
  return status || words ? status : usage(b, "an empty list", row->name);
}

static int read_option(bench *b, const char *value, const option_row *row) {
  void *at = (char *)&b->opt + row->at;
  char *end;
  long number = 1;
  if (row->add) return read_list(b, value, row);
  if (row->text) {
    *(const char **)at = value;
    return 0;
  }
  errno = 0;
  if (!is_flag(row)) {
    number = strtol(value, &end, 10);
    if (errno || *end || end == value || number < row->low || number > row->high)
      return usage(b, "a number out of range", value);
  }
  *(int *)at = (int)number;
  return 0;
}

static int by_points(const void *a, const void *b) {
  const ptrdiff_t *x = a, *y = b;
  const double u = (double)x[0] * (double)x[1] * (double)x[2];
  const double v = (double)y[0] * (double)y[1] * (double)y[2];
  return (u > v) - (u < v);
}

static int by_length(const void *a, const void *b) {
  const ptrdiff_t x = *(const ptrdiff_t *)a, y = *(const ptrdiff_t *)b;
  return (x > y) - (x < y);
}

/* 0 to continue, -1 after help, else a status. */
static int read_options(bench *b, int argc, char **argv) {
  bench_options *o = &b->opt;
  struct option known[ROWS + 2] = {{"help", no_argument, NULL, 0}};
  for (int k = 0; k < ROWS; k++)
    known[k + 1] =
        (struct option){rows[k].name, is_flag(&rows[k]) ? no_argument : required_argument, NULL, 0};
  *o = (bench_options){.engine = {"auto"},
                       .engines = 1,
                       .order = {1, 1},
                       .kind = {[PFFT3D_C2C] = 1},
                       .precision = {[PFFT3D_DOUBLE] = 1},
                       .batch = 1,
                       .reps = 9,
                       .warmup = 1,
                       .seed = 1,
                       .time_limit = -1,
                       .wisdom = "",
                       .out = "."};
  int status = 0, key, at;
  opterr = b->a.rank == 0;
  while (!status && (key = getopt_long(argc, argv, "", known, &at)) != -1) {
    if (key) return PFFT3D_ERR_USAGE;
    if (at == 0) {
      if (b->a.rank == 0) fputs(help, stdout);
      return -1;
    }
    status = read_option(b, optarg, &rows[at - 1]);
  }
  if (!status && optind < argc) status = usage(b, "unknown word", argv[optind]);
  if (!status && !o->sizes && !o->lines) status = read_list(b, default_sizes, &rows[0]);
  /* lines of a picture */
  qsort(o->size, (size_t)o->sizes, sizeof o->size[0], by_points);
  qsort(o->line, (size_t)o->lines, sizeof o->line[0], by_length);
  b->a.opt.seed = o->seed;
  return status;
}

/* ---- All problems ---- */

/* Results are saved before the next problem begins.  Returns the status so far. */
static int measure(bench *b, results *r) {
  compare(b, r);
  int status = b->a.rank == 0 ? report_files(b, r) : PFFT3D_OK;
  MPI_Bcast(&status, 1, MPI_INT, 0, b->a.comm);
  return status;
}

static int run(bench *b, results *r) {
  const bench_options *o = &b->opt;
  int status = PFFT3D_OK;
  for (int k = 0; k < o->sizes; k++)
    for (int i = 0; i < 4 && status != PFFT3D_ERR_OUTPUT; i++) {
      b->problem = (pfft3d_problem){.kind = (pfft3d_kind)(i / 2), .dims = 3};
      b->order = (pfft3d_order)(i % 2);
      if (!o->kind[b->problem.kind] || !o->order[b->order]) continue;
      memcpy(b->problem.n, o->size[k], sizeof b->problem.n);
      status = measure(b, r);
    }
  for (int k = 0; k < o->lines && status != PFFT3D_ERR_OUTPUT; k++) {
    /* FFTW-MPI has no lines of real numbers */
    b->problem = (pfft3d_problem){.kind = PFFT3D_C2C, .dims = 1, .n = {1, 1, o->line[k]}};
    status = measure(b, r);
  }
  if (b->a.rank == 0) report_summary(b, r);
  if (b->a.rank == 0 && o->overlap) report_overlap(r);
  return status;
}

int main(int argc, char **argv) {
  static bench b;
  static results r;
  MPI_Comm node;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  b.a.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(b.a.comm, &b.a.rank);
  MPI_Comm_size(b.a.comm, &b.a.ranks);
  MPI_Comm_split_type(b.a.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &b.ranks_on_node);
  MPI_Comm_free(&node);
  int status = read_options(&b, argc, argv);
  if (b.a.rank == 0 && !status) report_title(&b);
  if (status == 0) status = run(&b, &r);
  for (int i = 0; i < r.count; i++)
    for (int d = 0; d < 2; d++) free(r.all[i].result[d].seconds);
  free(r.all);
  fftw_mpi_cleanup();
  MPI_Finalize();
  return status > 0 ? status : 0;
}
