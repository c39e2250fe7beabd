/* SPDX-License-Identifier: BSD-3-Clause
 * The modes of a spectrum: wavenumbers, what assignment to a grid has done to them, and sums over
 * bins of modes. */
#ifndef PF_APPS_SPECTRUM_MODES_H
#define PF_APPS_SPECTRUM_MODES_H

#include "app/common/app.h"

enum { MOST_FIELDS = 8, MOST_PAIRS = MOST_FIELDS * (MOST_FIELDS + 1) / 2 };
enum { MULTIPOLES = 3 }; /* 0, 2, 4 */

/* The problem and the options. */
typedef struct modes_wish {
  pfft3d_problem problem;
  double length[3]; /* of its last `dims` axes */
  int dims;
  int window;   /* a WINDOW_...: its damping is divided out */
  int assigned; /* a WINDOW_...: the shot noise is that of particles so assigned */
  int interlaced;
  int flat; /* nonzero: powers are divided by the sum of W^2 over images instead */
  int los;  /* axis of the line of sight; -1: none */
} modes_wish;

typedef struct modes {
  modes_wish wish;
  double length[3];     /* of the axes that the field has; 1 for the others */
  double unit;          /* the smallest wavenumber but 0: 2 pi over the longest length */
  double *wave[3];      /* square of the wavenumber of each mode along each axis, in units */
  double *repair[3];    /* inverse of its damping by assignment to the grid */
  double *noise[2][3];  /* the sum of W^2 over its images, times `repair` squared: all of them, and
                           with a sign, as spline_images() has them */
  double (*turn[3])[2]; /* exp(-i pi k / n): the phase of a grid half a cell further */
} modes;

/* Bins of modes. */
typedef enum tally_kind {
  TALLY_SHELLS,  /* by |k| */
  TALLY_WEDGES,  /* by |k| and |mu|, the cosine of the angle with the line of sight */
  TALLY_CYLINDER /* by k across and along the line of sight */
} tally_kind;

/* Sums over the modes of a bin, `columns` each.  Squares of numbers may overflow a double where
 * their powers, with the volume as a factor, do not. */
enum { SUM_MODES, SUM_K, SUM_ALONG, SUM_NOISE }; /* SUM_ALONG: of |mu|, or of k along the line */
typedef struct tally {
  tally_kind kind;
  int logarithmic;           /* nonzero: ten shells per factor of 10; 0: one per unit */
  int across;                /* number of bins of the second coordinate */
  int count;                 /* of bins; bin 0 is mode 0 */
  int poles, pairs, columns; /* `poles` columns from SUM_NOISE on, and `poles` for each pair */
  long double *sum;
} tally;

/* The fields whose spectra are added up together. */
typedef struct spectra {
  int fields;
  const void *array[MOST_FIELDS];
  int plain[MOST_FIELDS];          /* nonzero: no assignment has damped it */
  int again;                       /* nonzero: only the powers are new */
  long double energy[MOST_FIELDS]; /* sum of |F|^2 over all modes but 0, without `repair` */
} spectra;

/** Local. Prepares the tables of modes, to be freed with modes_close(), also after an error.
 *  Errors: USAGE, for lengths whose squared ratio overflows a double. */
int modes_open(const app *a, modes *m, const modes_wish *wish, pfft3d_error *e);
void modes_close(modes *m);

/** Local. Prepares bins, for the pairs of so many fields; `across` as above, 0: 1.  To be freed
 *  with tally_close(), also after an error.  Errors: USAGE, for too many bins. */
int tally_open(const app *a, tally *t, tally_kind kind, const modes *m, int fields, int across,
               pfft3d_error *e);
void tally_close(tally *t);

/** Local. The number of the pair of fields i <= j of `fields`; the first ones are (0,0), (0,1). */
int modes_pair(int fields, int i, int j);

/** Local. Adds the modes that this rank holds in the box @p b to `count` tallies. */
void modes_add(const modes *m, spectra *s, const pfft3d_box *b, tally *const *t, int count);

/** Collective on a->comm. Sums over all ranks. */
void tally_collect(const app *a, tally *t);

/** Local. A sum of a bin; the first one of a pair. */
long double *tally_at(const tally *t, int bin, int column);
int tally_column(const tally *t, int pair);

/** Local. Joins the spectra of two grids, the second one half a cell further along each axis, in
 *  the first array: half of the images of each mode cancel (Sefusatti, Crocce, Scoccimarro and
 *  Couchman, Mon. Not. R. Astron. Soc. 460, 2016; Hockney and Eastwood, 7-8).  *energy gets the sum
 * of |F|^2 of both. */
void modes_interlace(const modes *m, const pfft3d_box *b, void *first, const void *second,
                     long double *energy);

/* The product of two fields, minus shot noise, times a factor. */
typedef struct mode_product {
  const void *array[2];
  int plain[2];
  double factor, noise;
} mode_product;

/** Local. Writes factor (F_0 conj F_1 - noise) to @p out, its real part without what damps it, with
 * the noise of each mode; 0 for mode 0. */
void modes_product(const modes *m, const pfft3d_box *b, const mode_product *p, void *out);

/** Local. (2l + 1) times the Legendre polynomials l = 0, 2, 4 at mu. */
void modes_legendre(double mu2, double value[MULTIPOLES]);

#endif
