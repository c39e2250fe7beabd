/* SPDX-License-Identifier: BSD-3-Clause
 * An engine transforms the lines of one tile while they are in cache, between reading them from one
 * location in memory and writing them to another.  It knows nothing of layouts or MPI.  To add one:
 * write its file, add a line to engine_list.h. */
#ifndef PF_LOCAL_ENGINE_H
#define PF_LOCAL_ENGINE_H

#include <stddef.h>

#include "base/status.h"
#include "layout/cuts.h"
#include "local/kind.h"
#include "local/twiddle.h"

typedef struct pf_engine pf_engine;

enum { PF_WIDEST = 64 }; /* maximum number of lines of a tile */

/* A planned transform of tiles of `width` lines of n points.  In memory the lines are rows (their
 * points contiguous) or columns (lines side by side, points with the same index contiguous). */
typedef struct pf_fft {
  const pf_engine *engine;
  pfft3d_precision precision;
  ptrdiff_t n;
  int sign; /* -1 forward, +1 backward */
  int rows;
  int transpose;         /* input lines are columns, output lines are rows */
  int weighs;            /* the engine applies pf_job.weights */
  int skips;             /* the engine skips pf_lines.gap and handles images */
  ptrdiff_t many;        /* fields whose points rows hold side by side; n is the sum over them */
  int several;           /* the engine also transforms pf_job.more tiles: set by plan() */
  int real;              /* from n real numbers to n/2+1 complex ones, or backward */
  pfft3d_axis_kind kind; /* dft, or a real-to-real transform, which has no sign */
  size_t element; /* bytes of a point: a real number in real-to-real transforms of real lines */
  ptrdiff_t width;
  int device;                     /* device number, for engines that need one */
  const struct pf_around *around; /* NULL: the engine runs it itself */
  size_t bytes; /* bytes of the tile buffer, which is private to the engine: aligned to PF_ALIGN,
                   zero or last used by the same fft */
  void *state;  /* private to the engine */
} pf_fft;

/* Points first, first + step, ... of a row, which are contiguous in memory. */
typedef struct pf_run {
  ptrdiff_t first, step, count;
} pf_run;

/* Addresses of the lines of a tile, plus an offset in bytes: for columns of each point, for rows of
 * each line.  Rows that result from a transpose may consist of several runs: at[r * width + j] is
 * then the address of run r of line j. */
typedef struct pf_lines {
  char *const *at;
  ptrdiff_t offset;
  int aligned; /* all addresses are multiples of a cache line */
  int runs;    /* 0: whole rows */
  const pf_run *run;
  const pf_range *gap; /* with pf_fft.skips, points that are not stored: those of rows, which have
                          no address then, are read as 0; those of columns to be written have no
                          address; NULL: none */
  ptrdiff_t images; /* > 0, columns with pf_fft.skips: points from here on are conjugated, with the
                       order of lines reversed: line j is at at[] - offset - j elements */
} pf_lines;

/* Data of later tiles, in rows of whole cache lines, to be prefetched while this tile is computed.
 * The hardware prefetches only where the program is reading, so without this hint memory would be
 * idle during computation. */
typedef struct pf_fetch {
  char *const *at; /* address of each row */
  ptrdiff_t offset, rows;
  int lines;          /* cache lines (PF_ALIGN bytes) in each row */
  ptrdiff_t mirrored; /* last rows, images (pf_lines): offset and lines count backward */
} pf_fetch;

/* Factors on the input points of a tile: point i of line j is multiplied by point[i] * line[j]. */
typedef struct pf_weights {
  const double *point, *line;
} pf_weights;

/* The work on one tile.  from and to may be the same lines. */
typedef struct pf_job {
  pf_lines from, to;
  double scale;
  ptrdiff_t more; /* with pf_fft.several: number of further tiles, side by side with this one, to be
                     transformed; without fetch, claim, gap, images, weights and streaming stores */
  int stream;     /* use streaming stores */
  pf_fetch fetch;
  pf_fetch claim; /* output that may be in other processors' caches: prefetched for writing while
                     the tile is computed, so that stores do not wait for each line */
  int fetch_butterflies;     /* columns only: butterflies of the first pass that are prefetched */
  int claim_butterflies;     /* instead of `claim`: of the last pass, prefetched for writing */
  const pf_factors *factors; /* factors of the results of a transform with transpose; NULL: none */
  const pf_weights *weights; /* weights, if the engine applies them; NULL: all 1 */
} pf_job;

struct pf_engine {
  const char *name, *summary;
  int fetches; /* run() uses job->fetch and job->claim */
  int device;  /* runs on a device: used only if requested by name, and for planes (planes.h) */

  ptrdiff_t longest; /* maximum points of a line */

  /* For messages: lengths up to `longest` that are supported; NULL: all.  "powers of two up to" */
  const char *lengths;

  /* Local. 1 if lines of n points can be transformed; n is at most `longest`. */
  int (*supports)(ptrdiff_t n, pfft3d_precision precision);

  /* Local. Lines per tile for lines of n points: the same for any number of ranks, so that the
   * arithmetic on a line is always the same. */
  ptrdiff_t (*width)(ptrdiff_t n, pfft3d_precision precision);

  /* Local. 1 if plan() and run() support pf_fft.real for rows of n points; otherwise (or if NULL)
   * real.c implements it. */
  int (*reals)(ptrdiff_t n);

  /* Local. 1 if plan() and run() support pf_fft.real for columns, with transpose, runs, gaps and
   * factors (in tables: lines 0, 2, .., then lines 1, 3, ..); otherwise (or if NULL) real_columns.c
   * implements it. */
  int (*real_columns)(ptrdiff_t n);

  /* Local. 1 if plan() and run() support pf_fft.many for rows of n points of each of so many
   * fields, and for real rows if they support these; otherwise (or if NULL) fft.c implements it. */
  int (*many)(ptrdiff_t n, ptrdiff_t fields);

  /* Local. 1 if plan() and run() support pf_fft.transpose, runs and factors for lines of n points;
   * otherwise (or if NULL) stage.c implements them. */
  int (*transposes)(ptrdiff_t n);

  /* Local. 1 if run() supports job->weights for complex lines of n points; otherwise (or if NULL)
   * stage.c multiplies before. */
  int (*weighs)(ptrdiff_t n);

  /* Local. 1 if run() supports pf_lines.gap for lines of n points (also real lines, if it supports
   * these) and pf_lines.images; otherwise (or if NULL) stage.c implements them. */
  int (*skips)(ptrdiff_t n);

  /* Local. Fills f->state, f->bytes and f->several; all other fields are set. `estimate`: choose
   * without measuring, the same on all ranks and in all runs.  Errors: MEMORY, UNAVAILABLE. */
  int (*plan)(pf_fft *f, int estimate, pfft3d_error *e);

  /* Local. Transforms a tile of f->width lines and multiplies by job->scale.  Unused lines contain
   * arbitrary finite numbers. */
  void (*run)(const pf_fft *f, void *tile, const pf_job *job);

  void (*destroy)(pf_fft *f);

  /* Local. Exports the planner's state as text from malloc (NULL if empty), and imports it, so that
   * all ranks can use the choices of one.  NULL: the planner has no state. */
  char *(*export_wisdom)(void);
  void (*import_wisdom)(const char *text);
};

/** Local. The registered engines, in order; NULL past the end. */
const pf_engine *pf_engine_at(int index);

/** Local. Fails, with the limit of the engine, unless it transforms lines of @p n points.  Errors:
 *  UNAVAILABLE. */
int pf_engine_check(const pf_engine *engine, ptrdiff_t n, pfft3d_precision precision,
                    pfft3d_error *e);

/** Local. Bytes of a complex number. */
size_t pf_element(pfft3d_precision precision);

/* Nonzero for real lines: they are transformed in pairs, and one affects the rounding of another.
 */
static inline int pf_fft_in_pairs(const pf_fft *f) {
  return f->real || f->element < pf_element(f->precision);
}

/* The transform to plan. */
typedef struct pf_fft_spec {
  const pf_engine *engine;
  pfft3d_precision precision;
  ptrdiff_t n;
  int sign, rows, real;  /* as in pf_fft */
  pfft3d_axis_kind kind; /* a real-to-real transform itself, not its inverse; or dft */
  int scalar;            /* points are real numbers on both sides */
  int alone;      /* each real line is transformed separately: rounding errors of one do not affect
                     another */
  ptrdiff_t many; /* as in pf_fft; 0 is 1; n counts the points of one field */
  int transpose;  /* as in pf_fft, where it is set only if the engine supports it */
  int device;     /* as in pf_fft */
} pf_fft_spec;

/** Local. Nonzero if the engine itself transforms these real lines; if it transposes lines. */
int pf_fft_owns_reals(const pf_fft_spec *spec);
int pf_fft_transposes(const pf_fft_spec *spec);

/** Local. Fills in a planned transform except for the engine's part.  Errors: MEMORY. */
int pf_fft_begin(pf_fft *f, const pf_fft_spec *spec, pfft3d_error *e);

/** Local. Plans tiles. */
int pf_fft_create(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e);
void pf_fft_destroy(pf_fft *f);

/** Local. Lines of a tile. */
ptrdiff_t pf_fft_width(const pf_fft_spec *spec);

/** Local. Transforms a tile, as pf_engine.run. */
void pf_fft_run(const pf_fft *f, void *tile, const pf_job *job);

/* Transforms composed of complex transforms of the engine, with steps before and after in the tile.
 * The functions have the contracts of pf_engine. */
typedef struct pf_around {
  int (*plan)(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e);
  void (*run)(const pf_fft *f, void *tile, const pf_job *job);
  void (*destroy)(pf_fft *f);
} pf_around;

extern const pf_around pf_around_real;         /* half spectra of real rows (real.c) */
extern const pf_around pf_around_real_columns; /* of columns (real_columns.c) */
extern const pf_around pf_around_kind;         /* real-to-real transforms (kind_fft.c) */

/* A tile of complex numbers, as some engines and the passes use it: point i of line j is element
 * along * i + across * j; one of the strides is 1 and the other is padded so that it is not a power
 * of two. */
typedef struct pf_tile_shape {
  ptrdiff_t along, across;
  size_t bytes;
} pf_tile_shape;

pf_tile_shape pf_tile_shape_of(const pf_fft *f);

/** Local. The shape on the output side, which differs if the tile is transposed. */
pf_tile_shape pf_tile_shape_to(const pf_fft *f);

/** Local. The number of lines for which such a tile fits the L2 cache. */
ptrdiff_t pf_tile_width(ptrdiff_t n, pfft3d_precision precision);

/** Local. Copies the lines into such a tile, and out of it. */
void pf_tile_gather(const pf_fft *f, void *tile, const pf_lines *from);
void pf_tile_scatter(const pf_fft *f, void *tile, const pf_lines *to, int stream);

/** Local. Multiplies the first @p points points of each line of such a tile by their weights. */
void pf_tile_weigh(const pf_fft *f, void *tile, ptrdiff_t points, const pf_weights *weights);

/** Local. Multiplies all numbers of such a tile; does nothing for 1. */
void pf_tile_scale(const pf_fft *f, void *tile, double scale);

/** Local. What comes before and after the transform of such a tile: the lines of a job are gathered
 *  and multiplied by their weights; the results are scaled and scattered. */
void pf_tile_read(const pf_fft *f, void *tile, const pf_job *job);
void pf_tile_write(const pf_fft *f, void *tile, const pf_job *job);

#endif
