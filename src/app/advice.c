/* SPDX-License-Identifier: BSD-3-Clause
 * Advice about idle ranks.  An axis gives work to as many ranks as it has indices: with slabs those
 * of the axes that are cut, one on each side, with pencils those of two axes on each side. */
#include "advice.h"

#include <stdio.h>
#include <string.h>

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b) {
  return a < b ? a : b;
}

/* The most parts into which the numbers of a grid of ranks can cut both sides. */
static void most_parts(const pfft3d_problem *p, pfft3d_order order, ptrdiff_t most[2]) {
  ptrdiff_t m[3];
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, m);
  int transposed = order == PFFT3D_TRANSPOSED;
  most[0] = least(p->n[0], transposed ? m[1] : m[0]);
  most[1] = least(p->n[1], transposed ? m[2] : m[1]);
}

/* The grid that leaves the fewest of the ranks idle; of several the one nearest to a square. */
static void best_grid(const ptrdiff_t most[2], int ranks, int grid[2]) {
  grid[0] = grid[1] = 1;
  for (int p0 = 1; p0 <= ranks && p0 <= most[0]; p0++) {
    int p1 = (int)least(ranks / p0, most[1]);
    int used = p0 * p1, before = grid[0] * grid[1];
    int squarer = (p0 > p1 ? p0 : p1) < (grid[0] > grid[1] ? grid[0] : grid[1]);
    if (used > before || (used == before && squarer)) grid[0] = p0, grid[1] = p1;
  }
}

/* Adds what would use more ranks than are used now, where something would. */
static void add_remedy(const pfft3d_problem *p, const pfft3d_decision *d, int ranks, int idle,
                       char text[ADVICE_SIZE]) {
  ptrdiff_t most[2];
  int grid[2];
  size_t used = strlen(text);
  most_parts(p, d->order, most);
  best_grid(most, ranks, grid);
  if (grid[0] * grid[1] <= ranks - idle) return;
  used += (size_t)snprintf(text + used, ADVICE_SIZE - used, "; --decomp pencil --pgrid %dx%d uses ",
                           grid[0], grid[1]);
  if (grid[0] * grid[1] == ranks)
    snprintf(text + used, ADVICE_SIZE - used, "all");
  else
    snprintf(text + used, ADVICE_SIZE - used, "%d", grid[0] * grid[1]);
}

/* The exchange named like another decomposition. */
static int may_be_misread(const pfft3d_decision *d) {
  return strcmp(d->scheme, "slab") == 0 && strcmp(d->algo, "pencils") == 0;
}

void advice_idle(const pfft3d_problem *p, const pfft3d_decision *d, int ranks, int idle,
                 char text[ADVICE_SIZE]) {
  ptrdiff_t most[2];
  most_parts(p, d->order, most);
  if (strcmp(d->scheme, "slab") == 0) {
    int axis = p->n[0] == 1;
    snprintf(text, ADVICE_SIZE, "%d of %d ranks are idle: there are only %td %s to share", idle,
             ranks, most[axis], axis ? "rows" : "planes");
  } else {
    snprintf(text, ADVICE_SIZE, "%d of %d ranks are idle: their grid is %dx%d", idle, ranks,
             d->grid[0], d->grid[1]);
    if (d->grid[0] > most[0] || d->grid[1] > most[1])
      snprintf(text + strlen(text), ADVICE_SIZE - strlen(text),
               ", there are only %td x %td parts to share", most[0], most[1]);
  }
  if (!may_be_misread(d)) add_remedy(p, d, ranks, idle, text); /* else advice_pencils() does */
}

int advice_pencils(const pfft3d_problem *p, const pfft3d_decision *d, int ranks, int idle,
                   char text[ADVICE_SIZE]) {
  if (!idle || !may_be_misread(d)) return 1;
  snprintf(text, ADVICE_SIZE,
           "'pencils' names an exchange, one message per row; the array is cut into slabs");
  add_remedy(p, d, ranks, idle, text);
  return 0;
}
