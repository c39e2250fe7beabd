/* SPDX-License-Identifier: BSD-3-Clause
 * The comparison with packaged peers: what its parts share.
 *
 * A contender is one way to transform the field of a problem in both directions.  All contenders
 * of a group take turns (A B C A B C ...) in one job, on the same data, which is made anew before
 * each repeat, outside the timed region: it survives no in-place transform, and all contenders
 * then start with their input in the same places of the caches.  What is compared keeps the same
 * order contract: transposed with transposed, natural with natural. */
#ifndef BENCH_H
#define BENCH_H

#include <pfft3d.h>
#include <stdint.h>

#include <jansson.h>

enum { MAX_SIZES = 64, MAX_NAMES = 16, MAX_CONTENDERS = 64, MAX_REPS = 1000, NAME = 80 };

typedef struct options {
  ptrdiff_t size[MAX_SIZES][3];
  int sizes;
  char engine[MAX_NAMES][NAME], algo[MAX_NAMES][NAME];
  int engines, algos; /* algos == 0: every exchange of the registry */
  int order[2];       /* by pfft3d_order: wanted */
  int reps, warmup, patient;
  uint64_t seed;
  char out[512];
} options;

/* What is being compared at the moment. */
typedef struct bench {
  options opt;
  MPI_Comm comm;
  int rank, ranks, ranks_on_node;
  ptrdiff_t n[3];
  pfft3d_order order;
} bench;

/* What was found of a contender in one direction.  Times: max over ranks of each repeat. */
typedef struct result {
  double error; /* relative L2 difference from FFTW-MPI's result; a wrong one is not timed */
  int wrong, count;
  double *seconds;
  double min, median;
  double ratio;  /* median of the best of FFTW-MPI in the same group over this median */
  double passes; /* over memory, as pfft3d counted them; 0 where nobody counts */
} result;

typedef enum family { FFTW, SPFFT, PFFT3D, COPY } family;

typedef struct contender contender;
struct contender {
  char name[NAME];   /* in tables */
  char series[NAME]; /* of the picture: the best of a series counts */
  char engine[16];   /* of pfft3d, or empty */
  family family;
  pfft3d_box box[2]; /* by side */
  double *array[2];  /* by side; the same one in place */
  double plan_s;     /* both directions */
  void *state;       /* the family's */
  result result[2];  /* by direction */
  /* Collective. Transforms array[one side] into array[other side]; 0 when all went well. */
  int (*run)(contender *c, pfft3d_direction d);
};

/* ---- field.c: data, and what is the same of two arrays ---- */

/** Local. Zeroed memory on huge pages where they can be had, for free(); ends the job when there is
 *  none, for lack of memory was looked for before. */
void *bench_alloc(size_t bytes);
/** Local. Fills a box with pseudo-random numbers in (-0.5, 0.5) that belong to seed and index. */
void field_fill(const bench *b, uint64_t seed, const pfft3d_box *box, double *array);
/** Collective. || array - reference || / || reference || of two arrays which may be distributed
 *  differently along @p axis and stored in different orders; NaN gives NaN. */
double field_compare(const bench *b, int axis, const pfft3d_box *reference_box,
                     const double *reference, const pfft3d_box *box, const double *array);
/** Local. The axis that is distributed on a side. */
int distributed_axis(const bench *b, pfft3d_side side);
/** Collective. Whether all nodes can still give @p bytes to each of their ranks. */
int memory_fits(const bench *b, double bytes);

/* ---- the families: each opens its contenders at `c` and returns how many; 0 with a line on
 * stderr where it cannot.  Collective. ---- */

/** FFTW-MPI in and out of place, MEASURE and, if asked for, PATIENT; then bare copies. */
int fftw_open(const bench *b, contender *c);
void fftw_close(void);
double fftw_bytes(const bench *b); /* Local. Per rank. */

/** One plan of pfft3d, out of place and in place. */
int pfft3d_open(const bench *b, const char *algo, const char *engine, contender *c);
void pfft3d_close(contender *c);
/** Collective. Passes over memory per transform since the last call, the most of all ranks. */
double pfft3d_passes(const bench *b, const contender *c, pfft3d_direction d);
double pfft3d_bytes(const bench *b, const char *algo, const char *engine);

/** SpFFT with all indices; in transposed order only: its spectrum is never cut along axis 0. */
int spfft_open(const bench *b, contender *c);
void spfft_close(contender *c);
double spfft_bytes(const bench *b); /* 0 in a build without it or where it cannot do this */

/* ---- limits.c ---- */

/* The least time of pfft3d: what its passes would cost if nothing but the copy to and from memory
 * and the transform in cache took time, one after the other (sum) or hidden behind each other
 * (max). */
typedef struct limits {
  double copy_s, fft_s[3]; /* a pass over the local array; the transforms along each axis */
  double sum_s, max_s;
} limits;

/** Collective. Times the transforms of the engine in cache, all ranks at once. */
void limits_engine(const bench *b, const char *engine, double fft_s[3]);
/** Local. The limits from copy_s, fft_s and passes. */
void limits_combine(limits *l, double passes);

/* ---- tile.c: Local.  A tile of lines in cache and an engine's bare transform of it; open gives
 * NULL where the engine cannot do this length. ---- */

typedef struct tile tile;
tile *tile_open(const char *engine, ptrdiff_t n);
ptrdiff_t tile_lines(const tile *t);
void tile_reset(tile *t); /* moderate numbers: repeated transforms make them grow */
void tile_run(tile *t);
void tile_close(tile *t);

/* ---- compare.c ---- */

/** Collective. Compares everybody on one problem; results go to `report`. */
void compare(const bench *b, json_t *report);

/* ---- report.c and summary.c: rank 0 writes; others return at once ---- */

json_t *report_new(const bench *b);
/** Adds a contender's results, and prints its line of the table. */
void report_contender(const bench *b, json_t *report, const contender *c, const limits *l);
void report_heading(const bench *b);
void report_limits(const bench *b, const char *engine, const double fft_s[3]);
/** Prints the final table. */
void report_summary(const bench *b, const json_t *report);
/** Writes bench.json and the picture's data, frees the report; PFFT3D_OK, OUTPUT, or CHECK where a
 *  result of pfft3d was wrong. */
int report_write(const bench *b, json_t *report);
/** Local. A number (0 where there is none) and a text ("") of a JSON object. */
double json_number(const json_t *object, const char *name);
const char *json_text(const json_t *object, const char *name);
/** A line on stderr, from rank 0. */
void note(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
