/* SPDX-License-Identifier: BSD-3-Clause
 * A function of planes for pfft3d_execute_between(), and the same for whole arrays. */
#ifndef PF_TESTS_PLANES_H
#define PF_TESTS_PLANES_H

#include "support.h"

/* What a function knows of its sides: boxes, batches, numbers of an element (2: complex). */
typedef struct mapping {
  pfft3d_box from, to;
  ptrdiff_t fields[2], parts;
  int single, threads;
  long calls[8]; /* of each thread */
} mapping;

/* Local. Of a plane, with a mapping as the context: field g of the result is a sum over all fields,
 * with weights that depend on the place. */
void combine(void *context, const pfft3d_plane *p);

/* Local. The same for whole arrays. */
void combine_all(mapping *m, const void *from, void *to);

/* Local. Numbers from -0.5 to 0.5 that depend on the seed, all over an array. */
void fill_numbers(void *array, size_t bytes, int single, uint64_t seed);

/* Local. Whether the elements of a box, of so many bytes, have the same bits in both arrays. */
int same_elements(const pfft3d_box *box, ptrdiff_t fields, size_t element, const void *a,
                  const void *b);

#endif
