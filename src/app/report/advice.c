/* SPDX-License-Identifier: BSD-3-Clause
 * Advice about idle ranks and layouts. An axis can be cut into as many parts as it has indices.
 * Slabs cut one axis on each side, pencils two. */
#include "app/report/advice.h"

#include <stdio.h>
#include <string.h>

static const char *are(ptrdiff_t count) {
  return count == 1 ? "is" : "are";
}

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b) {
  return a < b ? a : b;
}

/* The largest process grid without idle ranks on either side. */
static void most_parts(const pfft3d_problem *p, pfft3d_order order, ptrdiff_t most[2]) {
  ptrdiff_t m[3];
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, m);
  int transposed = order == PFFT3D_TRANSPOSED;
  most[0] = least(p->n[0], transposed ? m[1] : m[0]);
  most[1] = least(p->n[1], transposed ? m[2] : m[1]);
}

/* The process grid with the fewest idle ranks; of several the one closest to a square. */
static void best_grid(const ptrdiff_t most[2], int ranks, int grid[2]) {
  grid[0] = grid[1] = 1;
  for (int p0 = 1; p0 <= ranks && p0 <= most[0]; p0++) {
    int p1 = (int)least(ranks / p0, most[1]);
    int used = p0 * p1, before = grid[0] * grid[1];
    int squarer = (p0 > p1 ? p0 : p1) < (grid[0] > grid[1] ? grid[0] : grid[1]);
    if (used > before || (used == before && squarer)) grid[0] = p0, grid[1] = p1;
  }
}

/* Adds the process grid that would use more ranks, if there is one. */
static void add_remedy(const run_spec *made, int ranks, int idle, char text[ADVICE_SIZE]) {
  ptrdiff_t most[2];
  int grid[2];
  size_t used = strlen(text);
  most_parts(&made->problem, made->decision.order, most);
  best_grid(most, ranks, grid);
  if (grid[0] * grid[1] <= ranks - idle) return;
  used += (size_t)snprintf(text + used, ADVICE_SIZE - used, "; --decomp pencil --pgrid %dx%d uses ",
                           grid[0], grid[1]);
  if (grid[0] * grid[1] == ranks)
    snprintf(text + used, ADVICE_SIZE - used, "all");
  else
    snprintf(text + used, ADVICE_SIZE - used, "%d", grid[0] * grid[1]);
}

/* Advice for a line: it is too short, or its array is cut along a side that is too short. */
static void idle_line(const run_spec *made, int ranks, int idle, char text[ADVICE_SIZE]) {
  ptrdiff_t n = made->problem.n[2], m[3];
  pfft3d_problem_extents(&made->problem, PFFT3D_SPECTRUM, m);
  snprintf(text, ADVICE_SIZE, "%d of %d ranks %s idle", idle, ranks, are(idle));
  size_t used = strlen(text);
  ptrdiff_t points = least(n, m[2]);
  if (points < ranks)
    snprintf(text + used, ADVICE_SIZE - used, ": there %s only %td point%s%s to share", are(points),
             points, points > 1 ? "s" : "", m[2] < n ? " of the spectrum" : "");
  else
    snprintf(text + used, ADVICE_SIZE - used,
             ": in scrambled order there are only %d parts to share; natural order uses all",
             ranks - idle);
}

void advice_idle(const run_spec *made, int ranks, int idle, char text[ADVICE_SIZE]) {
  const pfft3d_problem *p = &made->problem;
  const pfft3d_decision *d = &made->decision;
  ptrdiff_t most[2];
  if (made->problem.dims == 1) {
    idle_line(made, ranks, idle, text);
    return;
  }
  int bricks = made->bricks && made->bricks[0];
  if (bricks || (made->cuts && made->cuts[0])) {
    snprintf(text, ADVICE_SIZE, "%d of %d ranks %s idle: the %s leave them nothing", idle, ranks,
             are(idle), bricks ? "bricks" : "cuts");
    return;
  }
  most_parts(p, d->order, most);
  if (strcmp(d->scheme, "slab") == 0) {
    int axis = p->n[0] == 1;
    snprintf(text, ADVICE_SIZE, "%d of %d ranks %s idle: there %s only %td %s%s to share", idle,
             ranks, are(idle), are(most[axis]), most[axis], axis ? "row" : "plane",
             most[axis] == 1 ? "" : "s");
  } else {
    snprintf(text, ADVICE_SIZE, "%d of %d ranks %s idle: their grid is %dx%d", idle, ranks,
             are(idle), d->grid[0], d->grid[1]);
    if (d->grid[0] > most[0] || d->grid[1] > most[1])
      snprintf(text + strlen(text), ADVICE_SIZE - strlen(text),
               ", there are only %td x %td parts to share", most[0], most[1]);
  }
  add_remedy(made, ranks, idle, text);
}

int advice_layout(const run_spec *made, int ranks, char text[ADVICE_SIZE]) {
  run_spec blocks = *made;
  pfft3d_explanation as_made, with_blocks;
  int natural = made->decision.order == PFFT3D_NATURAL;
  if (made->problem.dims != 1 || (made->layout[PFFT3D_SPACE] == PFFT3D_BLOCK &&
                                  (!natural || made->layout[PFFT3D_SPECTRUM] == PFFT3D_BLOCK)))
    return 1;
  blocks.layout[PFFT3D_SPACE] = blocks.layout[PFFT3D_SPECTRUM] = PFFT3D_BLOCK;
  if (request_explain(made, ranks, &as_made, NULL) ||
      request_explain(&blocks, ranks, &with_blocks, NULL) ||
      as_made.exchanges <= with_blocks.exchanges)
    return 1;
  snprintf(text, ADVICE_SIZE,
           "cyclic layouts fit where the number of ranks divides N, best where its square does: "
           "these take %d exchanges, blocks %d",
           as_made.exchanges, with_blocks.exchanges);
  return 0;
}
