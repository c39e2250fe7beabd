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
#include <stdio.h>
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

static int by_points(const void *a, const void *b) {
  const ptrdiff_t *x = a, *y = b;
  const double u = (double)x[0] * (double)x[1] * (double)x[2];
  const double v = (double)y[0] * (double)y[1] * (double)y[2];
  return (u > v) - (u < v);
}

/* Calls `add` for every word of a list. */
static int parse_list(bench *b, const char *list, int (*add)(bench *b, const char *word)) {
  char *copy = strdup(list), *rest = copy, *word;
  int status = copy ? 0 : PFFT3D_ERR_MEMORY;
  while (!status && (word = strsep(&rest, ", ")))
    if (*word) status = add(b, word);
  free(copy);
  return status;
}

static int add_size(bench *b, const char *word) {
  options *o = &b->opt;
  char text[128];
  pfft3d_problem p;
  if (o->sizes == MAX_SIZES) return usage(b, "too many sizes", word);
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

static int parse_sizes(bench *b, const char *list) {
  options *o = &b->opt;
  o->sizes = 0;
  const int status = parse_list(b, list, add_size);
  qsort(o->size, (size_t)o->sizes, sizeof o->size[0], by_points); /* lines of a picture */
  return status;
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

static int by_length(const void *a, const void *b) {
  const ptrdiff_t x = *(const ptrdiff_t *)a, y = *(const ptrdiff_t *)b;
  return (x > y) - (x < y);
}

static int add_line(bench *b, const char *word) {
  options *o = &b->opt;
  const ptrdiff_t points = parse_points(word);
  if (o->lines == MAX_SIZES) return usage(b, "too many lines", word);
  if (!points) return usage(b, "no length from 2 to 2^31", word);
  o->line[o->lines++] = points;
  return 0;
}

static int parse_lines(bench *b, const char *list) {
  options *o = &b->opt;
  o->lines = 0;
  const int status = parse_list(b, list, add_line);
  qsort(o->line, (size_t)o->lines, sizeof o->line[0], by_length);
  return status || o->lines ? status : usage(b, "no lines", list);
}

static int is_listed(pfft3d_list list, const char *name) {
  const char *known;
  for (int k = 0; (known = pfft3d_list_name(list, k, NULL)); k++)
    if (strcmp(known, name) == 0) return 1;
  return strcmp(name, "auto") == 0;
}

static int parse_names(const bench *b, pfft3d_list list, const char *value, char (*names)[NAME],
                       int *count) {
  for (*count = 0; *value; (*count)++) {
    const size_t length = strcspn(value, ",");
    if (*count == MAX_NAMES || length >= NAME) return usage(b, "names too long or many", value);
    snprintf(names[*count], NAME, "%.*s", (int)length, value);
    if (!is_listed(list, names[*count])) return usage(b, "unknown name", names[*count]);
    value += length + (value[length] == ',');
  }
  return *count ? 0 : usage(b, "no names", value);
}

static int parse_number(const bench *b, const char *text, long low, long high, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  if (errno || *end || end == text || *value < low || *value > high)
    return usage(b, "a number out of range", text);
  return 0;
}

/* A list of two known names, or `both` of them. */
static int parse_choice(const bench *b, const char *text, const char *const names[2], int *wanted) {
  wanted[0] = wanted[1] = strcmp(text, "both") == 0;
  for (const char *rest = text; *rest && !(wanted[0] && wanted[1]);) {
    const size_t length = strcspn(rest, ",");
    int k = 0;
    while (k < 2 && (strlen(names[k]) != length || strncmp(names[k], rest, length) != 0)) k++;
    if (k == 2) break;
    wanted[k] = 1;
    rest += length + (rest[length] == ',');
    if (!*rest) return 0;
  }
  if (wanted[0] && wanted[1]) return 0;
  note(b, "'%s': must be %s, %s or both", text, names[0], names[1]);
  return PFFT3D_ERR_USAGE;
}

static int parse_grids(bench *b, const char *list) {
  options *o = &b->opt;
  for (o->grids = 0; *list; o->grids++) {
    int *grid = o->grid[o->grids], length = 0;
    if (o->grids == MAX_NAMES) return usage(b, "too many grids", list);
    if (sscanf(list, "%4dx%4d%n", &grid[0], &grid[1], &length) != 2 || grid[0] < 1 || grid[1] < 1 ||
        (list[length] && list[length] != ','))
      return usage(b, "no grid of ranks", list);
    if (grid[0] * grid[1] > b->ranks) return usage(b, "a grid of more ranks than there are", list);
    list += length + (list[length] == ',');
  }
  return 0;
}

static int parse_option(bench *b, int key, const char *value) {
  options *o = &b->opt;
  long number = 0;
  int status = 0;
  switch (key) {
    case 's': return parse_sizes(b, value);
    case 'l': return parse_lines(b, value);
    case 'o': return parse_choice(b, value, order_name, o->order);
    case 't': return parse_choice(b, value, kind_name, o->kind);
    case 'P': return parse_choice(b, value, precision_name, o->precision);
    case 'g': return parse_grids(b, value);
    case 'e': return parse_names(b, PFFT3D_ENGINES, value, o->engine, &o->engines);
    case 'a': return parse_names(b, PFFT3D_EXCHANGES, value, o->algo, &o->algos);
    case 'p': o->patient = 1; return 0;
    case 'V': o->overlap = 1; return 0;
    case 'W': snprintf(o->wisdom, sizeof o->wisdom, "%s", value); return 0;
    case 'T':
      status = parse_number(b, value, 0, INT_MAX, &number);
      o->time_limit = (double)number;
      return status;
    case 'O': snprintf(o->out, sizeof o->out, "%s", value); return 0;
    case 'r':
      status = parse_number(b, value, 1, MAX_REPS, &number);
      o->reps = (int)number;
      return status;
    case 'w':
      status = parse_number(b, value, 0, MAX_REPS, &number);
      o->warmup = (int)number;
      return status;
    case 'R':
      status = parse_number(b, value, 1, MAX_REPS, &number);
      o->in_a_row = (int)number;
      return status;
    case 'b':
      status = parse_number(b, value, 1, MAX_BATCH, &number);
      o->batch = (int)number;
      return status;
    case 'S':
      status = parse_number(b, value, 0, LONG_MAX, &number);
      o->seed = (uint64_t)number;
      return status;
    default: return PFFT3D_ERR_USAGE;
  }
}

/* 0 to continue, -1 after help, else a status. */
static int parse(bench *b, int argc, char **argv) {
  static const struct option known[] = {{"sizes", required_argument, NULL, 's'},
                                        {"line", required_argument, NULL, 'l'},
                                        {"fftw-time-limit", required_argument, NULL, 'T'},
                                        {"fftw-wisdom", required_argument, NULL, 'W'},
                                        {"order", required_argument, NULL, 'o'},
                                        {"type", required_argument, NULL, 't'},
                                        {"pgrid", required_argument, NULL, 'g'},
                                        {"precision", required_argument, NULL, 'P'},
                                        {"batch", required_argument, NULL, 'b'},
                                        {"engine", required_argument, NULL, 'e'},
                                        {"algo", required_argument, NULL, 'a'},
                                        {"reps", required_argument, NULL, 'r'},
                                        {"warmup", required_argument, NULL, 'w'},
                                        {"in-a-row", required_argument, NULL, 'R'},
                                        {"patient", no_argument, NULL, 'p'},
                                        {"overlap", no_argument, NULL, 'V'},
                                        {"seed", required_argument, NULL, 'S'},
                                        {"out", required_argument, NULL, 'O'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  b->opt = (options){.engine = {"auto"},
                     .engines = 1,
                     .order = {1, 1},
                     .kind = {[PFFT3D_C2C] = 1},
                     .precision = {[PFFT3D_DOUBLE] = 1},
                     .batch = 1,
                     .reps = 9,
                     .warmup = 1,
                     .seed = 1,
                     .time_limit = -1};
  snprintf(b->opt.out, sizeof b->opt.out, ".");
  int status = 0, key;
  opterr = b->rank == 0;
  while (!status && (key = getopt_long(argc, argv, "", known, NULL)) != -1) {
    if (key == 'h') {
      if (b->rank == 0) fputs(help, stdout);
      return -1;
    }
    status = parse_option(b, key, optarg);
  }
  if (!status && optind < argc) status = usage(b, "unknown word", argv[optind]);
  if (!status && !b->opt.sizes && !b->opt.lines) status = parse_sizes(b, default_sizes);
  return status;
}

/* Results are saved before the next problem begins.  Returns the status so far. */
static int measure(bench *b, json_t *report) {
  compare(b, report);
  int status = report_write(b, report);
  MPI_Bcast(&status, 1, MPI_INT, 0, b->comm);
  return status;
}

static int run(bench *b) {
  json_t *report = report_new(b);
  int status = PFFT3D_OK;
  for (int k = 0; k < b->opt.sizes; k++)
    for (int i = 0; i < 4 && status != PFFT3D_ERR_OUTPUT; i++) {
      b->kind = (pfft3d_kind)(i / 2);
      b->order = (pfft3d_order)(i % 2);
      if (!b->opt.kind[b->kind] || !b->opt.order[b->order]) continue;
      memcpy(b->n, b->opt.size[k], sizeof b->n);
      status = measure(b, report);
    }
  b->line = 1;
  b->kind = PFFT3D_C2C; /* FFTW-MPI has no lines of real numbers */
  for (int k = 0; k < b->opt.lines && status != PFFT3D_ERR_OUTPUT; k++) {
    b->n[0] = b->n[1] = 1;
    b->n[2] = b->opt.line[k];
    status = measure(b, report);
  }
  report_summary(b, report);
  if (b->rank == 0 && b->opt.overlap) report_overlap(report);
  json_decref(report);
  return status;
}

int main(int argc, char **argv) {
  static bench b;
  MPI_Comm node;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  b.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(b.comm, &b.rank);
  MPI_Comm_size(b.comm, &b.ranks);
  MPI_Comm_split_type(b.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &b.ranks_on_node);
  MPI_Comm_free(&node);
  int status = parse(&b, argc, argv);
  if (status == 0) status = run(&b);
  fftw_mpi_cleanup();
  MPI_Finalize();
  return status > 0 ? status : 0;
}
