/* SPDX-License-Identifier: BSD-3-Clause
 * Compares pfft3d with packaged peers (FFTW-MPI, and SpFFT where it was found) on this machine:
 *
 *     mpirun -n 2 bench_peers --sizes 128,256x256x200 --out DIR
 *
 * Options and traps of comparing are told in jobs/README.md. */
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
    "  --order NAME    transposed, natural or both (both)\n"
    "  --engine LIST   engines of pfft3d (auto)\n"
    "  --algo LIST     exchanges of pfft3d (all that are registered)\n"
    "  --reps N        timed repeats of each contender (9)\n"
    "  --warmup N      repeats before them (1)\n"
    "  --patient       plan FFTW-MPI with PATIENT too: seconds to minutes per plan\n"
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

static int parse_sizes(bench *b, const char *list) {
  options *o = &b->opt;
  char *copy = strdup(list), *rest = copy, *word;
  int status = copy ? 0 : PFFT3D_ERR_MEMORY;
  o->sizes = 0;
  while (!status && (word = strsep(&rest, ", "))) {
    char text[128];
    pfft3d_problem p;
    if (!*word) continue;
    if (o->sizes == MAX_SIZES) {
      status = usage(b, "too many sizes", list);
      break;
    }
    if (strchr(word, 'x'))
      snprintf(text, sizeof text, "c2c:d:%s", word);
    else
      snprintf(text, sizeof text, "c2c:d:%.30sx%.30sx%.30s", word, word, word);
    if (pfft3d_problem_parse(text, &p, NULL))
      status = usage(b, "no size", word);
    else
      memcpy(o->size[o->sizes++], p.n, sizeof p.n);
  }
  free(copy);
  qsort(o->size, (size_t)o->sizes, sizeof o->size[0], by_points); /* lines of a picture */
  return status;
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

static int parse_order(bench *b, const char *text) {
  const int both = strcmp(text, "both") == 0;
  b->opt.order[PFFT3D_TRANSPOSED] = both || strcmp(text, "transposed") == 0;
  b->opt.order[PFFT3D_NATURAL] = both || strcmp(text, "natural") == 0;
  if (!b->opt.order[0] && !b->opt.order[1]) return usage(b, "no order", text);
  return 0;
}

static int parse_option(bench *b, int key, const char *value) {
  options *o = &b->opt;
  long number = 0;
  int status = 0;
  switch (key) {
    case 's': return parse_sizes(b, value);
    case 'o': return parse_order(b, value);
    case 'e': return parse_names(b, PFFT3D_ENGINES, value, o->engine, &o->engines);
    case 'a': return parse_names(b, PFFT3D_EXCHANGES, value, o->algo, &o->algos);
    case 'p': o->patient = 1; return 0;
    case 'O': snprintf(o->out, sizeof o->out, "%s", value); return 0;
    case 'r':
      status = parse_number(b, value, 1, MAX_REPS, &number);
      o->reps = (int)number;
      return status;
    case 'w':
      status = parse_number(b, value, 0, MAX_REPS, &number);
      o->warmup = (int)number;
      return status;
    case 'S':
      status = parse_number(b, value, 0, LONG_MAX, &number);
      o->seed = (uint64_t)number;
      return status;
    default: return PFFT3D_ERR_USAGE;
  }
}

/* 0 to go on, -1 when help was given, else a status. */
static int parse(bench *b, int argc, char **argv) {
  static const struct option known[] = {{"sizes", required_argument, NULL, 's'},
                                        {"order", required_argument, NULL, 'o'},
                                        {"engine", required_argument, NULL, 'e'},
                                        {"algo", required_argument, NULL, 'a'},
                                        {"reps", required_argument, NULL, 'r'},
                                        {"warmup", required_argument, NULL, 'w'},
                                        {"patient", no_argument, NULL, 'p'},
                                        {"seed", required_argument, NULL, 'S'},
                                        {"out", required_argument, NULL, 'O'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  b->opt = (options){.engine = {"auto"}, .engines = 1, .reps = 9, .warmup = 1, .seed = 1};
  snprintf(b->opt.out, sizeof b->opt.out, ".");
  int status = parse_sizes(b, default_sizes) | parse_order(b, "both"), key;
  opterr = b->rank == 0;
  while (!status && (key = getopt_long(argc, argv, "", known, NULL)) != -1) {
    if (key == 'h') {
      if (b->rank == 0) fputs(help, stdout);
      return -1;
    }
    status = parse_option(b, key, optarg);
  }
  if (!status && optind < argc) status = usage(b, "unknown word", argv[optind]);
  return status;
}

static int run(bench *b) {
  json_t *report = report_new(b);
  for (int k = 0; k < b->opt.sizes; k++)
    for (int order = 0; order < 2; order++) {
      if (!b->opt.order[order]) continue;
      memcpy(b->n, b->opt.size[k], sizeof b->n);
      b->order = (pfft3d_order)order;
      compare(b, report);
    }
  report_summary(b, report);
  int status = report_write(b, report);
  MPI_Bcast(&status, 1, MPI_INT, 0, b->comm);
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
