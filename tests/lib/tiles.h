/* SPDX-License-Identifier: BSD-3-Clause
 * Random boxes that tile an array, one for each rank, and boxes of requests. */
#ifndef PF_TESTS_TILES_H
#define PF_TESTS_TILES_H

#include "cases.h"

enum { TILE_AXES = 4, TILE_RANKS = 128 };

typedef struct tiles {
  ptrdiff_t lo[TILE_RANKS][TILE_AXES], len[TILE_RANKS][TILE_AXES];
} tiles;

/* Local. Boxes that tile an array: a random box is cut at a random index of a random axis until
 * there are enough, or some ranks get none; then they are assigned to ranks at random. */
void roll_tiles(dice *d, int ranks, int dims, const ptrdiff_t n[TILE_AXES], tiles *t);

/* Local. Sets boxes of a side of a request: such boxes, or sometimes pencils on a grid, or single
 * elements as far as there are ranks.  Memory: in C order, or axes in any order with gaps; the
 * fields of a batch separate, or as components of vectors. */
void roll_boxes(dice *d, int rank, int ranks, int side, pfft3d_request *r);

#endif
