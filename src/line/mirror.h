/* SPDX-License-Identifier: BSD-3-Clause
 * The arithmetic of elements and their mirror images: the spectrum of pairs of real numbers is
 * split into the half spectrum of the numbers, or the half spectrum is merged back. */
#ifndef PF_LINE_MIRROR_H
#define PF_LINE_MIRROR_H

#include "local/twiddle.h"

typedef struct pf_mirror {
  const pf_roots *roots; /* of 2 half */
  ptrdiff_t half;        /* element k and half - k are mirror images */
  size_t element;
  int merge;  /* 0: split */
  int single; /* precision */
  int threads;
  int stream; /* results of pairs that are not computed in place use streaming stores */
  int down;   /* begin with the last elements of a run */
} pf_mirror;

/* Elements k, k + step, ...: their numbers, the numbers of their mirror images, and the results;
 * with distances in elements. */
typedef struct pf_mirror_run {
  ptrdiff_t k, step, count;
  const char *own, *mirror;
  char *to, *image;    /* results of the images; NULL: not stored */
  ptrdiff_t across[3]; /* of own, mirror, to */
} pf_mirror_run;

/** Local. Computes any run, without results for the images. */
void pf_mirror_any(const pf_mirror *m, const pf_mirror_run *r);

/** Local. Computes neighbours (across 1, -1, 1), on all threads.  Results of images only for
 * elements up to the middle. */
void pf_mirror_neighbours(const pf_mirror *m, const pf_mirror_run *r);

/** Local. Elements 0 and half: X_0, X_M from Z_0 or back; NULL: the element is on another rank. */
void pf_mirror_ends(const pf_mirror *m, const char *zero, const char *last, char *first, char *end);

#endif
