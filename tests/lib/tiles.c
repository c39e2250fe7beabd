/* SPDX-License-Identifier: BSD-3-Clause
 * Random boxes; see tiles.h. */
#include "tiles.h"

static void swap(tiles *t, int a, int b) {
  const tiles old = *t;
  memcpy(t->lo[a], old.lo[b], sizeof old.lo[0]);
  memcpy(t->len[a], old.len[b], sizeof old.len[0]);
  memcpy(t->lo[b], old.lo[a], sizeof old.lo[0]);
  memcpy(t->len[b], old.len[a], sizeof old.len[0]);
}

void roll_tiles(dice *d, int ranks, int dims, const ptrdiff_t n[TILE_AXES], tiles *t) {
  int count = 1, filled = 1 + roll(d, ranks);
  memset(t, 0, sizeof *t);
  memcpy(t->len[0], n, sizeof t->len[0]);
  for (; count < filled; count++) {
    int from = roll(d, count), a = roll(d, dims);
    ptrdiff_t cut = roll(d, (int)t->len[from][a] + 1); /* 0 or all: one is empty */
    if (percent(d, 10) && t->len[from][a]) cut = 1;
    memcpy(t->lo[count], t->lo[from], sizeof t->lo[0]);
    memcpy(t->len[count], t->len[from], sizeof t->len[0]);
    t->len[from][a] = cut;
    t->lo[count][a] += cut;
    t->len[count][a] -= cut;
  }
  for (int k = ranks - 1; k > 0; k--) swap(t, k, roll(d, k + 1));
}

/* Parts of one or two axes: often what a decomposition has. */
static void grid_tiles(dice *d, int ranks, const ptrdiff_t n[TILE_AXES], tiles *t) {
  int rows = 1 + roll(d, ranks), columns, first = roll(d, 2);
  while (ranks % rows) rows--;
  columns = ranks / rows;
  memset(t, 0, sizeof *t);
  for (int k = 0; k < ranks; k++) {
    const int part[2] = {k / columns, k % columns}, parts[2] = {rows, columns};
    memcpy(t->len[k], n, sizeof t->len[0]);
    for (int i = 0; i < 2; i++) {
      ptrdiff_t all = n[first + i], more = all % parts[i];
      t->len[k][first + i] = all / parts[i] + (part[i] < more);
      t->lo[k][first + i] = all / parts[i] * part[i] + (part[i] < more ? part[i] : more);
    }
  }
}

/* The same rolls on every rank, for boxes of different lengths. */
static void roll_memory(dice *d, ptrdiff_t batch, pfft3d_box *box) {
  static const int orders[6][3] = {{2, 1, 0}, {2, 0, 1}, {1, 2, 0},
                                   {1, 0, 2}, {0, 1, 2}, {0, 2, 1}};
  int order = percent(d, 50) ? 0 : roll(d, 6), vectors = percent(d, 25), apart = percent(d, 40);
  ptrdiff_t stride = vectors ? batch + roll(d, 2) : 1 + roll(d, 2), gap[3];
  ptrdiff_t offset = roll(d, 4), more = roll(d, 9);
  for (int k = 0; k < 3; k++) gap[k] = roll(d, 2);
  if (percent(d, 40)) return; /* all zero: in C order */
  for (int k = 0; k < 3; k++) {
    int a = orders[order][k];
    box->stride[a] = stride;
    stride *= box->len[a] + gap[k] + (box->len[a] == 0);
  }
  box->offset = offset;
  if (vectors)
    box->distance = 1;
  else if (apart)
    box->distance = stride + more;
}

void roll_boxes(dice *d, int rank, int ranks, int side, pfft3d_request *r) {
  ptrdiff_t n[TILE_AXES] = {1, 1, 1, 1}, batch = r->problem.batch > 1 ? r->problem.batch : 1;
  tiles t;
  pfft3d_box box = {.offset = 0};
  pfft3d_problem_extents(&r->problem, (pfft3d_side)side, n);
  if (percent(d, 30))
    grid_tiles(d, ranks, n, &t);
  else
    roll_tiles(d, ranks, 3, n, &t);
  memcpy(box.lo, t.lo[rank], sizeof box.lo);
  memcpy(box.len, t.len[rank], sizeof box.len);
  roll_memory(d, batch, &box);
  CHECK(!pfft3d_request_box(r, (pfft3d_side)side, &box, NULL), "box of side %d", side);
  r->array[side] = (pfft3d_array){.every = 0};
  if (!side) r->padded = 0;
}
