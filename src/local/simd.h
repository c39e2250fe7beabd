/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd, interface between its planner and its kernels: one kernel source is compiled for
 * several instruction sets, and one of them is chosen at run time. */
#ifndef PF_LOCAL_SIMD_H
#define PF_LOCAL_SIMD_H

#include <stdint.h>

#include "local/engine.h"

/* Lines of a tile, one per lane of the widest vector: the points of all lines with one index are
 * two cache lines in memory.  In the tile they are stored as all real parts, then all imaginary
 * parts. */
enum { PF_LANES_DOUBLE = 8, PF_LANES_SINGLE = 16, PF_SIMD_PASSES = 32 };

/* The largest radix with its own butterfly, and the largest prime that is computed by the
 * definition: up to this size that is faster than a convolution. */
enum { PF_SIMD_RADIX = 16, PF_SIMD_PRIME = 127 };

/* Real rows of at least so many points, a multiple of 64, are transposed once by kernels with
 * vectors of up to 8 numbers; rows of 32, 64 and 128 points only by kernels with vectors of 8. */
enum { PF_FOUR_STEP_REALS = 256 };

typedef struct pf_simd_plan {
  ptrdiff_t n;
  int rows;                  /* lines are contiguous */
  int transpose;             /* output lines are rows */
  int real;                  /* two lines of real numbers are combined into one complex line */
  int several;               /* run() takes pf_job.more */
  int is_short;              /* lines fit into registers (simd_short.h, simd_short_real.h) */
  int gathers;               /* all points are copied to the tile before the first pass */
  int swap;                  /* backward: real and imaginary parts are exchanged */
  int passes;                /* at least two, the last of radix 1 if necessary */
  ptrdiff_t many;            /* rows have the points of so many fields side by side, a tile stores
                                one field after the other; n is the length of one */
  ptrdiff_t butterflies;     /* number of butterflies in all passes, of all fields */
  ptrdiff_t blocks;          /* of so many points are combined by the last pass */
  int radix[PF_SIMD_PASSES]; /* of pass s, on sub-transforms of radix[0]*..*radix[s-1] points */
  void *twiddle[PF_SIMD_PASSES]; /* [point of the sub-transform][radix - 1], as pairs */
  int four_step;                 /* rows may be transposed once (simd_four_step.h), ... */
  int whole;                     /* ... by a function for their length (simd_whole.h), ... */
  void *grouped[PF_SIMD_PASSES]; /* ... with these factors, grouped by block */
  void *roots[PF_SIMD_PASSES];   /* for a large prime radix: cos and sin of 2 pi k/radix */
  int32_t *input;                /* the input point stored at position k of the tile */
  int32_t *position;             /* the position of an input point: digits reversed */
  int32_t *order;                /* several fields: the position of an output point ... */
  int32_t *mirror;               /* ... and the point n-k of the same field; NULL: one field */
  double memory[];
} pf_simd_plan;

/** Local. The plan for a length without prime factors beyond PF_SIMD_PRIME; reads n, sign,
 *  precision, rows, transpose, real and many of @p spec; free it with pf_free().  NULL if there is
 *  no memory.  @p bytes returns the size of a tile. */
pf_simd_plan *pf_simd_plan_make(const pf_fft_spec *spec, size_t *bytes);

/** Local. Lines of a tile. */
ptrdiff_t pf_simd_width(pfft3d_precision precision);

/** Local. Nonzero if such a plan exists for n. */
int pf_simd_factors(ptrdiff_t n);

/** Local. The relative cost of a transform of n points; INFINITY if n has prime factors beyond the
 *  radices. */
double pf_simd_cost(ptrdiff_t n);

/** Local. The radices for a length, from the first pass on; the first radix is @p first unless it
 * is 0. There are at least two, and the last one has its own butterfly: a radix of 1 is appended if
 * necessary.  Lengths up to PF_SIMD_RADIX have one radix, as do lines in registers. Returns their
 * number. */
int pf_simd_radices(ptrdiff_t n, int first, int radix[PF_SIMD_PASSES]);

/* Lines, stored as rows or columns. */
typedef struct pf_simd_side {
  pf_lines lines;
  int rows;
} pf_simd_side;

/* The kernels of one instruction set. */
typedef struct pf_simd_isa {
  const char *name;
  int (*available)(void);
  void (*run)(const pf_simd_plan *p, void *tile, const pf_job *job);
  /* to = from * factor * scale; factor: a pair for each of n points, the same for all lines. */
  void (*multiply)(ptrdiff_t n, const pf_simd_side *from, const pf_simd_side *to,
                   const void *factors, double scale);
} pf_simd_isa;

/** Local. Writes a pair into a table of either precision and advances the table pointer. */
void pf_simd_put(char **table, pfft3d_precision precision, long double re, long double im);

/** Local. The best instruction set of this machine. */
const pf_simd_isa *pf_simd_isa_of(pfft3d_precision precision);

/** Local. The fastest instruction set for a plan. */
const pf_simd_isa *pf_simd_isa_for(const pf_simd_plan *p, pfft3d_precision precision);

/** Local, for tests, before any plan is made: ignores the best @p count instruction sets of this
 *  machine.  Returns the name of the best remaining one; NULL, and ignores none, if none
 *  remains. */
const char *pf_simd_leave_out(int count);

/** Local. The kernel of a convolution: the transform of m points, pairs (re, im), computed in
 * double as one line of a tile whose other lines are 0, and stored in a precision.  1 if there is
 * no memory. */
int pf_simd_spectrum(ptrdiff_t m, const double *points, pfft3d_precision precision, char *out);

/* Lengths with other prime factors, by convolution. */
typedef struct pf_chirp pf_chirp;

/** Local. NULL if there is no memory. @p bytes returns the size of a tile. */
pf_chirp *pf_chirp_make(const pf_fft *f, size_t *bytes);
void pf_chirp_run(const pf_chirp *c, const pf_fft *f, void *tile, const pf_job *job);
void pf_chirp_free(pf_chirp *c);

/* Prime lengths n for which n-1 has small factors, by convolution. */
typedef struct pf_rader pf_rader;

/** Local. Nonzero if n is a prime number. */
int pf_is_prime(ptrdiff_t n);

/** Local. Nonzero if n is such a length. */
int pf_rader_fits(ptrdiff_t n);
pf_rader *pf_rader_make(const pf_fft *f, size_t *bytes);
void pf_rader_run(const pf_rader *c, const pf_fft *f, void *tile, const pf_job *job);
void pf_rader_free(pf_rader *c);

extern const pf_simd_isa pf_simd_avx512, pf_simd_avx2, pf_simd_base;
extern const pf_simd_isa pf_simd_avx512_single, pf_simd_avx2_single, pf_simd_base_single;

#endif
