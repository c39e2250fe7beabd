/* SPDX-License-Identifier: BSD-3-Clause
 * The classes of NAS FT with their checksums, and the error of a run. */
#ifndef PF_APPS_NAS_NAS_CLASS_H
#define PF_APPS_NAS_NAS_CLASS_H

#include <stddef.h>

enum { NAS_ITERATIONS = 25 };

/* A class of the benchmark. */
typedef struct nas_class {
  char letter;
  ptrdiff_t n[3]; /* as a field in C order: the original's z, y, x */
  int iterations;
  double checksum[NAS_ITERATIONS][2];
} nas_class;

/** Local. The class of this letter; all zero if there is none. */
nas_class nas_class_of(char letter);

/** Local. The rate by the benchmark's own count of operations. */
double nas_mops(const nas_class *c, double seconds);

/** Local. The largest |sum - reference| / |reference| of all iterations; *worst is its iteration,
 *  from 1. NaN if any sum is NaN. */
double nas_error(const nas_class *c, const double (*sum)[2], int *worst);

#endif
