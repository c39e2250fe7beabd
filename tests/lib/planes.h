/* SPDX-License-Identifier: BSD-3-Clause
 * A function of planes for pfft3d_execute_between(), and the equivalent for whole arrays. */
#ifndef PF_TESTS_PLANES_H
#define PF_TESTS_PLANES_H

#include "support.h"

/* Data of the function about its sides: boxes, batches, numbers of an element (2: complex). */
typedef struct mapping {
  pfft3d_box from, to;
  ptrdiff_t fields[2], parts;
  int single, threads;
  long calls[8]; /* number of calls by each thread */
} mapping;

/* Local. For a plane, with a mapping as the context: field g of the result is a sum over all
 * fields, with weights that depend on the index. */
void combine(void *context, const pfft3d_plane *p);

/* Local. As combine(), for whole arrays. */
void combine_all(mapping *m, const void *from, void *to);

/* Local. Fills an array with numbers from -0.5 to 0.5 that depend on the seed. */
void fill_numbers(void *array, size_t bytes, int single, uint64_t seed);

/* Local. Nonzero if the elements of a box, of so many bytes, have the same bits in both arrays. */
int same_elements(const pfft3d_box *box, ptrdiff_t fields, size_t element, const void *a,
                  const void *b);

#endif
