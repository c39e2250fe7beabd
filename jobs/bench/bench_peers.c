/* SPDX-License-Identifier: BSD-3-Clause
 * Compares pfft3d with FFTW-MPI, and with oneMKL and SpFFT in builds with them, on this machine:
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
    "bench_peers [OPTIONS]: pfft3d beside FFTW-MPI, oneMKL and SpFFT, repeats in turns\n"
    "  --sizes LIST    N or N0xN1xN2, commas between (64,128,200,250x243x225,256,384,480,512)\n"
    "  --line LIST     lines of N or B^E points, commas between; fields only with --sizes too\n"
    "  --order NAME    transposed, natural or both (both)\n"
    "  --type NAME     c2c, r2c or both (c2c)\n"
    "  --pgrid LIST    pencils of pfft3d beside slabs, on grids P1xP2 of ranks, commas between\n"
    "  --precision LIST  of pfft3d: double, single or both names (double)\n"
    "  --batch B       B fields in one transform beside B transforms, 2 to 64\n"
    "  --peers LIST    beside FFTW-MPI: mkl, spfft (all of this build)\n"
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

/* ---- Options ---- */

/* A list, which is first set to 0, of words for `add`; or a flag (low > high), a text (text != 0),
 * or a whole number from low to high. */
typedef struct option_row option_row;
struct option_row {
  const char *name;
  size_t at, bytes; /* in the options */
  /* `of` is there: a list, or what was chosen. */
  int (*add)(const bench *b, const option_row *row, const char *word, void *of);
  const char *const *names; /* to choose from */
  pfft3d_list registry;     /* of names, ... */
  int peers;                /* ... or those of the peers */
  int text;
  long low, high;
};

static int add_size(const bench *b, const option_row *row, const char *word, void *of) {
  size_list *list = of;
  char text[128];
  pfft3d_problem p;
  (void)row;
  if (list->count == MOST_SIZES) return usage(b, "too many sizes", word);
  if (strchr(word, 'x'))
    snprintf(text, sizeof text, "c2c:d:%s", word);
  else
    snprintf(text, sizeof text, "c2c:d:%.30sx%.30sx%.30s", word, word, word);
  if (pfft3d_problem_parse(text, &p, NULL)) return usage(b, "no size", word);
  if (p.n[0] == 1 || p.n[1] == 1) /* FFTW-MPI takes what remains for a field of its own */
    return usage(b, "axes 0 and 1 must have two points at least", word);
  memcpy(list->n[list->count++], p.n, sizeof p.n);
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

static int add_line(const bench *b, const option_row *row, const char *word, void *of) {
  size_list *list = of;
  const ptrdiff_t points = parse_points(word), n[3] = {1, 1, points};
  (void)row;
  if (list->count == MOST_SIZES) return usage(b, "too many lines", word);
  if (!points) return usage(b, "no length from 2 to 2^31", word);
  memcpy(list->n[list->count++], n, sizeof n);
  return 0;
}

static int add_grid(const bench *b, const option_row *row, const char *word, void *of) {
  grid_list *list = of;
  int *grid = list->ranks[list->count], length = 0;
  (void)row;
  if (list->count == MOST_NAMES) return usage(b, "too many grids", word);
  if (sscanf(word, "%4dx%4d%n", &grid[0], &grid[1], &length) != 2 || grid[0] < 1 || grid[1] < 1 ||
      word[length])
    return usage(b, "no grid of ranks", word);
  if (grid[0] * grid[1] > b->a.ranks) return usage(b, "a grid of more ranks than there are", word);
  list->count++;
  return 0;
}

/* Nonzero for `auto` and the names of the row's registry, or the peers of this build. */
static int is_known(const bench *b, const option_row *row, const char *word) {
  const char *known = row->peers ? NULL : "auto";
  for (int k = 0; known && strcmp(known, word) != 0; k++)
    known = pfft3d_list_name(row->registry, k, NULL);
  for (int k = 0; row->peers && !known && peer_at(k); k++)
    if (!strcmp(peer_at(k)->word, word) && peer_at(k)->open) known = word;
  return known != NULL;
}

static int add_name(const bench *b, const option_row *row, const char *word, void *of) {
  word_list *list = of;
  if (list->count == MOST_NAMES || strlen(word) >= NAME)
    return usage(b, "names too long or many", word);
  if (!is_known(b, row, word)) return usage(b, "unknown name, or not in this build", word);
  snprintf(list->word[list->count++], NAME, "%s", word);
  return 0;
}

/* One of two known names, or `both`. */
static int add_choice(const bench *b, const option_row *row, const char *word, void *of) {
  const int both = strcmp(word, "both") == 0;
  int *wanted = of, known = both;
  for (int k = 0; k < 2; k++) {
    const int named = strcmp(word, row->names[k]) == 0;
    if (named || both) wanted[k] = 1;
    known |= named;
  }
  if (known) return 0;
  note(b, "'%s': must be %s, %s or both", word, row->names[0], row->names[1]);
  return PFFT3D_ERR_USAGE;
}

#define AT(member) offsetof(bench_options, member), sizeof(((bench_options *)NULL)->member)
static const option_row rows[] = {
    {"sizes", AT(sizes), .add = add_size},
    {"line", AT(lines), .add = add_line},
    {"order", AT(order), .add = add_choice, .names = order_name},
    {"type", AT(kind), .add = add_choice, .names = kind_name},
    {"precision", AT(precision), .add = add_choice, .names = precision_name},
    {"pgrid", AT(grids), .add = add_grid},
    {"peers", AT(peers), .add = add_name, .peers = 1},
    {"engine", AT(engines), .add = add_name, .registry = PFFT3D_ENGINES},
    {"algo", AT(algos), .add = add_name, .registry = PFFT3D_EXCHANGES},
    {"batch", AT(batch), .low = 1, .high = MOST_BATCH},
    {"reps", AT(reps), .low = 1, .high = MOST_REPS},
    {"warmup", AT(warmup), .high = MOST_REPS},
    {"in-a-row", AT(in_a_row), .low = 1, .high = MOST_REPS},
    {"patient", AT(patient), .low = 1},
    {"overlap", AT(overlap), .low = 1},
    {"fftw-time-limit", AT(time_limit), .high = INT_MAX},
    {"fftw-wisdom", AT(wisdom), .text = 1},
    {"seed", AT(seed), .high = LONG_MAX},
    {"out", AT(out), .text = 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

static int is_flag(const option_row *row) {
  return row->low > row->high;
}

/* Calls `add` for every word of a list. */
static int read_list(bench *b, const char *list, const option_row *row) {
  char *copy = strdup(list), *rest = copy, *word;
  void *of = (char *)&b->opt + row->at;
  int status = copy ? 0 : PFFT3D_ERR_MEMORY, words = 0;
  memset(of, 0, row->bytes);
  while (!status && (word = strsep(&rest, ", "))) {
    if (!*word) continue;
    words++;
    status = row->add(b, row, word, of);
  }
  free(copy);
  return status || words ? status : usage(b, "an empty list", row->name);
}

static int read_option(bench *b, const char *value, const option_row *row) {
  void *at = (char *)&b->opt + row->at;
  char *end;
  if (row->add) return read_list(b, value, row);
  if (row->text) {
    *(const char **)at = value;
    return 0;
  }
  errno = 0;
  const long number = is_flag(row) ? 1 : strtol(value, &end, 10);
  if (!is_flag(row) && (errno || *end || end == value || number < row->low || number > row->high))
    return usage(b, "a number out of range", value);
  if (row->bytes == sizeof number)
    *(long *)at = number;
  else
    *(int *)at = (int)number;
  return 0;
}

static int by_points(const void *a, const void *b) {
  const ptrdiff_t *x = a, *y = b;
  const double u = (double)x[0] * (double)x[1] * (double)x[2];
  const double v = (double)y[0] * (double)y[1] * (double)y[2];
  return (u > v) - (u < v);
}

/* 0 to continue, -1 after help, else a status. */
static int read_options(bench *b, int argc, char **argv) {
  bench_options *o = &b->opt;
  struct option known[ROWS + 2] = {{"help", no_argument, NULL, 0}};
  for (int k = 0; k < ROWS; k++)
    known[k + 1] =
        (struct option){rows[k].name, is_flag(&rows[k]) ? no_argument : required_argument, NULL, 0};
  *o = (bench_options){.engines = {1, {"auto"}},
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
  if (!status && !o->sizes.count && !o->lines.count) status = read_list(b, default_sizes, rows);
  for (int k = 0; k < 2; k++) { /* lines of a picture */
    size_list *list = k ? &o->lines : &o->sizes;
    qsort(list->n, (size_t)list->count, sizeof list->n[0], by_points);
  }
  b->a.opt.seed = o->seed;
  return status;
}

/* ---- All problems ---- */

/* Compares all kinds and orders of a size, of lines all together; results are saved before the next
 * one begins.  FFTW-MPI has no lines of real numbers.  Returns the status so far. */
static int measure(bench *b, const ptrdiff_t n[3], int dims, results *r) {
  const bench_options *o = &b->opt;
  int status = PFFT3D_OK;
  for (int i = 0; i < (dims == 1 ? 1 : 4) && status != PFFT3D_ERR_OUTPUT; i++) {
    b->problem =
        (pfft3d_problem){.kind = (pfft3d_kind)(i / 2), .dims = dims, .n = {n[0], n[1], n[2]}};
    b->order = (pfft3d_order)(i % 2);
    if (dims == 3 && (!o->kind[b->problem.kind] || !o->order[b->order])) continue;
    compare(b, r);
    status = b->a.rank == 0 ? report_files(b, r) : PFFT3D_OK;
    MPI_Bcast(&status, 1, MPI_INT, 0, b->a.comm);
  }
  return status;
}

static int run(bench *b, results *r) {
  const bench_options *o = &b->opt;
  const int sizes = o->sizes.count, count = sizes + o->lines.count;
  int status = PFFT3D_OK;
  for (int k = 0; k < count && status != PFFT3D_ERR_OUTPUT; k++)
    status = k < sizes ? measure(b, o->sizes.n[k], 3, r) : measure(b, o->lines.n[k - sizes], 1, r);
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
