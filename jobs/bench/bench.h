/* SPDX-License-Identifier: BSD-3-Clause
 * The comparison with packaged peers: common declarations.
 *
 * A contender is one implementation of the transform of a problem's field in both directions.  The
 * contenders of a group alternate (A B C A B C ...) in one job, on the same data, which is computed
 * again before each transform, outside the timed region, as an in-place transform destroys it; all
 * contenders then start with their input in the same cache levels.  A turn is one transform, or for
 * small fields many in a row, as the caches would otherwise hold other contenders' data.  Only
 * plans with the same order are compared: transposed with transposed, natural with natural.  Lines
 * are compared in all their layouts at once, with FFTW-MPI in natural and in scrambled order. */
#ifndef BENCH_H
#define BENCH_H

#include <pfft3d_tune.h>
#include <stdint.h>

#include <jansson.h>

enum {
  MAX_SIZES = 64,
  MAX_NAMES = 16,
  MAX_CONTENDERS = 64, /* contenders of a group */
  MAX_WAYS = 1024,     /* ways of pfft3d, over all groups */
  MAX_BATCH = 64,
  MAX_REPS = 1000,
  SAMPLES = 4, /* elements of a line's result that are summed by the definition */
  NAME = 80
};

/* How a line and its spectrum are distributed over the ranks. */
typedef enum dealing { BLOCK_BLOCK, CYCLIC_CYCLIC, BLOCK_SCRAMBLED, DEALINGS } dealing;

typedef struct options {
  ptrdiff_t size[MAX_SIZES][3];
  int sizes;
  ptrdiff_t line[MAX_SIZES]; /* points */
  int lines;
  char engine[MAX_NAMES][NAME], algo[MAX_NAMES][NAME];
  int engines, algos;     /* algos == 0: all exchanges of the registry */
  int grid[MAX_NAMES][2]; /* process grids of pencils, in addition to slabs */
  int grids;
  int order[2], kind[2], precision[2]; /* by pfft3d_order, _kind, _precision: requested */
  int batch;                           /* 1: no batch is timed */
  int reps, warmup, patient;
  int in_a_row; /* transforms of a turn; 0: by the size */
  int overlap;  /* also time the parts of each plan: its passes only, and its bytes only */
  uint64_t seed;
  double time_limit; /* of a plan of FFTW-MPI in seconds; negative: none */
  char wisdom[512];  /* file of FFTW's wisdom; empty: none */
  char out[512];
} options;

/* The current comparison. */
typedef struct bench {
  options opt;
  MPI_Comm comm;
  int rank, ranks, ranks_on_node;
  int line; /* the problem is a line, 1 x 1 x N, in any order */
  ptrdiff_t n[3];
  pfft3d_kind kind;
  pfft3d_order order;
} bench;

/* One configuration of pfft3d for the current problem. */
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
  double error; /* relative L2 difference from FFTW-MPI's result; a wrong one is not timed */
  int wrong, count;
  double *seconds, *late; /* of each repeat: its median and, of several in a row, 99th percentile */
  double min, median;
  double p99;   /* 99th percentile, of 100 or more transforms: in a row, else repeats */
  double ratio; /* median of the best of FFTW-MPI in the same group, for as many fields, over this
                   median */
  double
      scrambled; /* for lines: the same for FFTW-MPI in scrambled order; ratio: in natural order */
  int exchanges; /* as pfft3d counted them */
  double passes; /* passes over memory, as pfft3d counted them; 0: not counted */
  double gain;   /* for batches: median of its fields one by one over this median */
} result;

typedef enum family { FFTW, SPFFT, PFFT3D, COPY, PART } family;

typedef struct contender contender;
struct contender {
  char name[NAME];   /* in tables */
  char series[NAME]; /* in the picture; the best of a series counts */
  char engine[16];   /* of pfft3d, or empty */
  family family;
  pfft3d_precision precision;
  int grid[2];        /* the ranks as a grid: P x 1 for slabs */
  int fields, batch;  /* fields in a run, and in one transform */
  dealing dealing;    /* of a line */
  pfft3d_part part;   /* of family PART: the timed part of the previous contender's plan */
  double part_s;      /* its seconds, without preparation */
  ptrdiff_t split[2]; /* extents of a line as the array that pfft3d uses */
  pfft3d_box box[2];  /* by side; for lines only the number of elements, and the first of a block */
  void *array[2][MAX_BATCH]; /* by side and field; in place the same array for both sides */
  double plan_s;             /* both directions */
  void *state;               /* private to the family */
  result result[2];          /* by direction */
  /* Collective. Transforms the fields of one side into those of the other; 0 on success. */
  int (*run)(contender *c, pfft3d_direction d);
};

/* ---- field.c: data, and comparison of arrays ---- */

/** Local. Zeroed memory on huge pages if available, for free(); ends the job without memory, as the
 *  memory was checked before. */
void *bench_alloc(size_t bytes);
/** Local. Extents of the global array on a side: half a spectrum for kind r2c. */
void extents(const bench *b, pfft3d_side side, ptrdiff_t n[3]);
/** Local. Real numbers of an element on a side. */
int parts_of(const bench *b, pfft3d_side side);
/** Local. Bytes of a field of a box, from its first element to the end of its last. */
size_t field_bytes(const bench *b, const contender *c, pfft3d_side side);
/** Local. Fills all fields of a side with pseudo-random numbers in (-0.5, 0.5) that depend on seed
 *  and index, times a factor for each field.  A half spectrum belongs to a real field. */
void field_fill(const bench *b, uint64_t seed, contender *c, pfft3d_side side);
/** Collective. || field - reference || / || reference ||, the worst of all fields of @p c, each
 * over its factor.  @p reference is one field, laid out as on this side of @p owner; distributions
 * and orders may differ in any way.  NaN gives NaN, and so does an element that not exactly one
 * rank holds. */
double field_compare(const bench *b, pfft3d_side side, const contender *owner,
                     const void *reference, const contender *c);
/** Local. A number of a contender's array, and 64 well mixed bits of an index. */
double number_get(const contender *c, const void *array, ptrdiff_t at);
void number_put(const contender *c, void *array, ptrdiff_t at, double x);
uint64_t mix(uint64_t x);
/** Collective. Nonzero if all nodes have @p bytes available for each of their ranks. */
int memory_fits(const bench *b, double bytes);

/* ---- line.c: as field.c for lines, whose elements may be on any rank ---- */

/* Some elements of a result by the definition, and the root of the sum of squares of the input. */
typedef struct sums {
  ptrdiff_t k[SAMPLES];
  double value[SAMPLES][2], norm;
} sums;

/** Local. As field_fill(), which calls it; @p salt are the mixed bits of the seed. */
void line_fill(const bench *b, uint64_t salt, contender *c, pfft3d_side side);
/** Collective. The sums for the data of a seed, in as many steps as there are points for each
 *  sample. */
void line_sums(const bench *b, uint64_t seed, pfft3d_direction d, sums *s);
/** Collective. The result of @p c, whose order is known, as a whole in natural order on all ranks;
 *  returns the largest difference from the sums, relative to the mean element. */
double line_gather(const bench *b, pfft3d_side side, const contender *c, const sums *s,
                   double *whole);
/** Collective. As field_compare(), with the whole reference.  If the order of the spectrum is
 *  unknown: forward, the sums must occur in the result; backward, the result must be the data of @p
 *  seed, after a forward transform that is computed again. */
double line_compare(const bench *b, pfft3d_direction d, uint64_t seed, const sums *s,
                    const double *whole, contender *c);

/* ---- the families: each opens its contenders at `c` and returns their number; 0 with a line on
 * stderr if it cannot.  Collective. ---- */

/** FFTW-MPI in and out of place, MEASURE and, if requested, PATIENT; for lines the same in
 *  scrambled order; for batches the same for the fields one by one, each with its own arrays, and
 *  for all in one plan, interleaved; then plain copies. */
int fftw_open(const bench *b, contender *c);
void fftw_close(void);
double fftw_bytes(const bench *b); /* Local. Per rank. */

/** One plan of pfft3d, out of place and in place, and with opt.overlap its parts; or, for a batch,
 * two plans: for all fields together and for one field after another, both out of place, each with
 * its own arrays. */
int pfft3d_open(const bench *b, const way *w, contender *c);
void pfft3d_close(contender *c);
/** Collective. Sets passes over memory and exchanges per transform since the last call, the maximum
 *  over ranks. */
void pfft3d_counts(const bench *b, contender *c, pfft3d_direction d);
double pfft3d_bytes(const bench *b, const way *w);
/** Local. The global index of an element of a line. */
ptrdiff_t pfft3d_index(const bench *b, const contender *c, pfft3d_side side, ptrdiff_t i);

/** SpFFT with all indices; in transposed order only: its spectrum is never cut along axis 0. */
int spfft_open(const bench *b, contender *c);
void spfft_close(contender *c);
double spfft_bytes(const bench *b); /* 0 in a build without SpFFT or for unsupported problems */

/* ---- limits.c ---- */

/* A lower bound of pfft3d's time: the cost of its passes if only copies to and from memory and
 * transforms in cache took time, one after the other (sum) or overlapping (max). */
typedef struct limits {
  double copy_s, fft_s[3]; /* a pass over the local array; the transforms along each axis */
  double sum_s, max_s;
} limits;

/** Collective. Times the transforms of the engine in cache, all ranks at once: seconds of a line
 *  along each axis. */
void limits_engine(const bench *b, const char *engine, pfft3d_precision precision,
                   double line_s[3]);
/** Local. Sets l->copy_s and l->fft_s of a contender from times of a pass over the local array of
 *  one field in double precision, and of a line. */
void limits_scale(const bench *b, const contender *c, double copy_s, const double line_s[3],
                  limits *l);
/** Local. The limits from copy_s, fft_s and passes. */
void limits_combine(limits *l, double passes);

/* ---- tile.c: Local.  A tile of lines in cache and an engine's bare forward transform of it, of
 * complex or (real != 0) real numbers; open returns NULL if the engine does not support this
 * length. ---- */

typedef struct tile tile;
tile *tile_open(const char *engine, pfft3d_precision precision, ptrdiff_t n, int real);
ptrdiff_t tile_lines(const tile *t);
void tile_reset(tile *t); /* moderate numbers: repeated transforms make them grow */
void tile_run(tile *t);
void tile_close(tile *t);

/* ---- compare.c ---- */

/** Collective. Compares all contenders on one problem; results go to `report`. */
void compare(const bench *b, json_t *report);

/* ---- report.c, summary.c and overlap.c: rank 0 writes; others return immediately ---- */

extern const char *const direction_name[2],
    *const order_name[2], *const kind_name[2],
                              *const precision_name[2], /* by the numbers of pfft3d.h */
                                  *const dealing_name[DEALINGS],
                                      *const line_kind; /* word in place of the kind of fields */
json_t *report_new(const bench *b);
/** Adds a contender's results, and prints its line of the table. */
void report_contender(const bench *b, json_t *report, const contender *c, const limits *l);
void report_heading(const bench *b);
void report_limits(const bench *b, const char *engine, pfft3d_precision precision,
                   const double line_s[3]);
/** Prints the results for the parts of the plans. */
void report_overlap(const json_t *report);
/** Prints the final table. */
void report_summary(const bench *b, const json_t *report);
/** Writes bench.json and the picture's data, from the report so far; PFFT3D_OK, OUTPUT, or CHECK if
 * a result of pfft3d was wrong. */
int report_write(const bench *b, const json_t *report);
/** Local. "128x128x128", or the points of a line. */
const char *size_text(const bench *b, char *text, size_t size);
/** Local. Transforms of a turn, each of so many fields. */
int in_a_row(const bench *b, int fields);
/** Local. Floating-point operations of one field, counted as usual: 5 N log2 N, half of it for real
 *  fields. */
double flops_of(const bench *b);
/** Local. A number (0 if missing) and a text ("") of a JSON object. */
double json_number(const json_t *object, const char *name);
const char *json_text(const json_t *object, const char *name);
/** A line on stderr, from rank 0. */
void note(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
