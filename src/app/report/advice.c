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
static void most_parts(const pfft3d_problem *p, int transposed, ptrdiff_t most[2]) {
  ptrdiff_t m[3];
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, m);
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
static void add_remedy(const ptrdiff_t most[2], int ranks, int idle, char text[ADVICE_SIZE]) {
  int grid[2];
  size_t used = strlen(text);
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
static void idle_line(const pfft3d_problem *p, int ranks, int idle, char text[ADVICE_SIZE]) {
  ptrdiff_t n = p->n[2], m[3];
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, m);
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

void advice_idle(const pfft3d_request *made, int ranks, int idle, char text[ADVICE_SIZE]) {
  pfft3d_problem p;
  ptrdiff_t most[2];
  char grid[64];
  pfft3d_request_problem(made, &p);
  if (p.dims == 1) {
    idle_line(&p, ranks, idle, text);
    return;
  }
  int bricks = !request_is(made, "bricks", "");
  if (bricks || !request_is(made, "cuts", "balanced")) {
    snprintf(text, ADVICE_SIZE, "%d of %d ranks %s idle: the %s leave them nothing", idle, ranks,
             are(idle), bricks ? "bricks" : "cuts");
    return;
  }
  most_parts(&p, !request_is(made, "order", "natural"), most);
  if (request_is(made, "decomp", "slab")) {
    int axis = p.n[0] == 1;
    snprintf(text, ADVICE_SIZE, "%d of %d ranks %s idle: there %s only %td %s%s to share", idle,
             ranks, are(idle), are(most[axis]), most[axis], axis ? "row" : "plane",
             most[axis] == 1 ? "" : "s");
  } else {
    long long part[2] = {0, 0};
    sscanf(pfft3d_request_get(made, "grid", grid, sizeof grid), "%lldx%lld", &part[0], &part[1]);
    snprintf(text, ADVICE_SIZE, "%d of %d ranks %s idle: their grid is %s", idle, ranks, are(idle),
             grid);
    if (part[0] > most[0] || part[1] > most[1])
      snprintf(text + strlen(text), ADVICE_SIZE - strlen(text),
               ", there are only %td x %td parts to share", most[0], most[1]);
  }
  add_remedy(most, ranks, idle, text);
}

int advice_layout(const pfft3d_request *made, int ranks, char text[ADVICE_SIZE]) {
  pfft3d_request *blocks;
  pfft3d_problem p;
  pfft3d_explanation as_made, with_blocks;
  int natural = request_is(made, "order", "natural");
  pfft3d_request_problem(made, &p);
  if (p.dims != 1 || (request_is(made, "layout", "block") &&
                      (!natural || request_is(made, "out-layout", "block"))))
    return 1;
  if (pfft3d_explain(made, ranks, &as_made, sizeof as_made, NULL) ||
      pfft3d_request_copy(made, &blocks, NULL))
    return 1;
  pfft3d_request_parse(blocks, "layout=block out-layout=block", NULL);
  int status = pfft3d_explain(blocks, ranks, &with_blocks, sizeof with_blocks, NULL);
  pfft3d_request_destroy(&blocks);
  if (status || as_made.exchanges <= with_blocks.exchanges) return 1;
  snprintf(text, ADVICE_SIZE,
           "cyclic layouts fit where the number of ranks divides N, best where its square does: "
           "these take %d exchanges, blocks %d",
           as_made.exchanges, with_blocks.exchanges);
  return 0;
}
