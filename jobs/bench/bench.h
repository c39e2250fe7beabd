/* SPDX-License-Identifier: BSD-3-Clause
 * The comparison with packaged peers: common declarations.
 *
 * A contender is one implementation of the transform of a problem's field in both directions.  The
 * contenders of a group alternate (A B C A B C ...) in one job, on the same data, which is computed
 * again before each transform, outside the timed region, as an in-place transform destroys it; all
 * contenders then start with their input in the same cache levels.  A turn is one transform, or for
 * small fields many in a row, as the caches would otherwise hold other contenders' data.  Only
 * plans with the same order are compared: transposed with transposed, natural with natural.  Lines
 * are compared in all their layouts at once, with FFTW-MPI in natural and in scrambled order.
 *
 * Data, checks and statistics are those of the program (src/app); peers are plug-ins of one file
 * each (peer_list.h). */
#ifndef BENCH_H
#define BENCH_H

#include <pfft3d_tune.h>

#include "app/common/app.h"

enum {
  MOST_SIZES = 64,
  MOST_NAMES = 16,
  MOST_CONTENDERS = 64, /* contenders of a group */
  MOST_WAYS = 1024,     /* ways of the peers, over all groups */
  MOST_BATCH = 64,
  MOST_REPS = 1000,
  NAME = 80
};

/* How a line and its spectrum are distributed over the ranks. */
typedef enum dealing { BLOCK_BLOCK, CYCLIC_CYCLIC, BLOCK_SCRAMBLED, DEALINGS } dealing;

/* Lists begin with the number of their entries. */
typedef struct size_list {
  int count;
  ptrdiff_t n[MOST_SIZES][3];
} size_list;
typedef struct word_list {
  int count;
  char word[MOST_NAMES][NAME];
} word_list;
typedef struct grid_list {
  int count;
  int ranks[MOST_NAMES][2];
} grid_list;

typedef struct bench_options {
  size_list sizes, lines;              /* lines: 1 x 1 x N */
  word_list engines, algos, peers;     /* none: all exchanges, all peers of this build */
  grid_list grids;                     /* process grids of pencils, in addition to slabs */
  int order[2], kind[2], precision[2]; /* by pfft3d_order, _kind, _precision: requested */
  int batch;                           /* 1: no batch is timed */
  int reps, warmup, patient;
  int in_a_row;       /* transforms of a turn; 0: by the size */
  int overlap;        /* also time the parts of each plan: its passes only, and its bytes only */
  long seed;          /* of the data */
  int time_limit;     /* of a plan of FFTW-MPI in seconds; negative: none */
  const char *wisdom; /* file of FFTW's wisdom; empty: none */
  const char *out;
} bench_options;

/* The current comparison. */
typedef struct bench {
  app a; /* for the program's functions: communicator, ranks, seed */
  bench_options opt;
  int ranks_on_node;
  pfft3d_problem problem; /* in double precision; a line, 1 x 1 x N, in any order, has dims 1 */
  pfft3d_order order;
} bench;

static inline int is_line(const bench *b) {
  return b->problem.dims == 1;
}

/* One configuration of a peer for the current problem; all zero for a peer that has only one. */
typedef struct way {
  const char *algo, *engine;
  int grid[2]; /* 0 x 0: slabs */
  pfft3d_precision precision;
  int batch; /* > 1: compared with as many single transforms */
  dealing dealing;
} way;

/* Results of a contender in one direction.  Times: maximum over ranks of each repeat; for several
 * in a row their median. */
typedef struct result {
  double error; /* the largest of its checks; a wrong result is not timed */
  int wrong, count;
  double *seconds, *late; /* of each repeat: its median and, of several in a row, 99th percentile */
  double min, median;
  double p99;   /* 99th percentile, of 100 or more transforms: in a row, else repeats */
  double ratio; /* median of the best of FFTW-MPI in the same group, for as many fields, over
                   this median */
  double
      scrambled; /* for lines: the same for FFTW-MPI in scrambled order; ratio: in natural order */
  int exchanges; /* as pfft3d counted them */
  double passes; /* passes over memory, as pfft3d counted them; 0: not counted */
  double sum_s, max_s; /* a lower bound: passes and transforms one after another, overlapping */
  double gain;         /* for batches: median of its fields one by one over this median */
} result;

typedef enum role { TRANSFORM, COPY, PART } role;

typedef struct peer peer;
typedef struct contender contender;
struct contender {
  /* Set by its peer. */
  char name[NAME];   /* in tables */
  char series[NAME]; /* in the picture; the best of a series counts */
  char engine[16];   /* of pfft3d, or empty */
  role role;
  pfft3d_problem problem;  /* of one field */
  int grid[2];             /* the ranks as a grid: P x 1 for slabs */
  int fields, batch;       /* fields in a run, and in one transform */
  dealing dealing;         /* of a line */
  int unordered;           /* the order of the spectrum is unknown */
  pfft3d_part part;        /* of a PART: the timed part of the previous contender's plan */
  double part_s;           /* its seconds, without preparation */
  ptrdiff_t split[2];      /* extents of a line as the array that pfft3d uses */
  pfft3d_box box[2];       /* by side; for lines with a plan only the number of elements counts */
  const pfft3d_plan *line; /* of a line: gives the indices of elements; or NULL */
  void *array[2][MOST_BATCH]; /* by side and field; in place the same array for both sides */
  double plan_s;              /* both directions */
  void *state;                /* private to the peer */
  /* Collective. Transforms the fields of one side into those of the other; 0 on success. */
  int (*run)(contender *c, pfft3d_direction d);

  /* Set by the comparison. */
  const peer *peer;
  char size[NAME];          /* "128x128x128", or the points of a line */
  const char *kind, *order; /* for lines: "line", and the layouts */
  int in_a_row;             /* transforms of a turn */
  double flops;             /* of all fields */
  double copy_s, fft_s[3];  /* a pass over the local array; the transforms along each axis */
  result result[2];         /* by direction */
};

/* A library that is compared: `const peer peer_NAME` in peer_NAME.c.  The first of the list is
 * FFTW-MPI, with which all others are compared. */
struct peer {
  const char *name; /* in reports */
  const char *word; /* as an option */
  int ways; /* nonzero: it is tried with all exchanges, engines, grids, precisions and batches */
  /* Local. Bytes per rank; 0 in a build without the peer, or for problems that it cannot take. */
  double (*bytes)(const bench *b, const way *w);
  /* Collective. Opens its contenders at `c` and returns their number; 0 with a line on stderr if it
   * cannot. */
  int (*open)(const bench *b, const way *w, contender *c);
  void (*close)(contender *c);
  /* Collective. Sets passes and exchanges per transform since the last call, the maximum over
   * ranks.  NULL: it counts none. */
  void (*counts)(const bench *b, contender *c, pfft3d_direction d);
};

/* Nonzero if a contender is pfft3d itself. */
static inline int is_ours(const contender *c) {
  return c->role == TRANSFORM && c->peer->counts;
}

/* ---- compare.c ---- */

/* The results of all problems so far, on all ranks. */
typedef struct results {
  contender *all;
  int count;
} results;

/** Local. Peer number @p k of the list; NULL past the end. */
const peer *peer_at(int k);
/** Collective. Compares all contenders on one problem. */
void compare(const bench *b, results *r);
/** Local. Transforms of a turn, each of so many fields. */
int in_a_row(const bench *b, int fields);
/** Local. Zeroed memory on huge pages if available, for free(); ends the job without memory, as the
 *  memory was checked before. */
void *bench_alloc(const bench *b, size_t bytes);
/** Local. A line on stderr, from rank 0. */
void note(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- verify.c ---- */

/** Collective. Checks a contender in one direction: sets `error` and `wrong` of its result. */
void verify(const bench *b, contender *c, pfft3d_direction d);
/** Collective. Fills the input of a direction with the seeded fields. */
void verify_fill(const bench *b, contender *c, pfft3d_direction d);
/** Local. Forgets what is known of the current problem. */
void verify_forget(void);

/* ---- limits.c ---- */

/* Seconds of a line along each axis in an engine's cache; for one problem or split. */
typedef struct line_times {
  char engine[16];
  pfft3d_precision precision;
  ptrdiff_t n[3];
  double line_s[3];
} line_times;

/* Those that are known. */
typedef struct known_times {
  line_times all[2 * MOST_NAMES];
  int count;
} known_times;

/** Collective. Sets copy_s and fft_s of a contender, and the limits of its results: the cost of its
 *  passes if only copies to and from memory and transforms in cache took time.  @p copy_s: a pass
 *  over the local array of one field in double precision. */
void limits_find(const bench *b, known_times *known, double copy_s, contender *c);

/* A computation that is repeated in cache. */
typedef struct subject {
  void (*run)(void *with);
  void *with, *input;
  int single;
  ptrdiff_t numbers; /* of the input */
  ptrdiff_t lines;   /* that it transforms */
  void (*close)(void *with);
} subject;

/* ---- tile.c ---- */

/** Local. Makes a tile of lines in cache and an engine's bare forward transform of it, of complex
 * or (real != 0) real numbers; returns 0 if the engine does not support this length. */
int tile_open(const bench *b, const char *engine, pfft3d_precision precision, ptrdiff_t n, int real,
              subject *s);

/* ---- report.c, summary.c and overlap.c: Local, for rank 0 ---- */

/* By the numbers of pfft3d.h. */
extern const char *const direction_name[2],
    *const order_name[2], *const kind_name[2], *const precision_name[2],
                                                   *const dealing_name[DEALINGS];
extern const char line_kind[]; /* word in place of the kind of fields */

/** Local. "FFTW-MPI", "copy", ... */
const char *family_of(const contender *c);
void report_title(const bench *b);
void report_heading(const bench *b);
/** Prints a contender's line of the table. */
void report_contender(const bench *b, const contender *c);
void report_lines(const bench *b, const line_times *t);
/** Prints the final table, and the results for the parts of the plans. */
void report_summary(const bench *b, const results *r);
void report_overlap(const results *r);
/** Writes bench.json and the picture's data, from the results so far; PFFT3D_OK, OUTPUT, or CHECK
 *  if a result of pfft3d was wrong. */
int report_files(const bench *b, const results *r);
/** Writes the data of the picture of one kind and order; PFFT3D_OK or OUTPUT. */
int report_picture(const bench *b, const results *r, const char *kind, const char *order);

#endif
