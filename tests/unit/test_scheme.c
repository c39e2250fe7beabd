/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Routes by walking them: for every scheme, grid of ranks, kind, order, direction and wish, axes
 * are whole when they are transformed, each is transformed once, and the way ends where the layout
 * of the other side says.  No communication. */
#include "geometry/scheme.h"

#include "redist.h"
#include "support.h"

/* A route to be walked, and what is known of it on the way. */
typedef struct {
  const pf_scheme *scheme;
  pfft3d_problem p;
  int grid[2];
  pf_wish wish;
  int direction;
  int cut[3];    /* the dimension of the grid that cuts each axis now */
  char axes[16]; /* transformed so far, in their order */
} walk;

static const char *name_of(const walk *w) {
  static char text[160];
  char problem[100];
  snprintf(text, sizeof text, "%s %s on %dx%d, order %d anywhere %d early %d fixed %d direction %d",
           w->scheme->name, pfft3d_problem_print(&w->p, problem, sizeof problem), w->grid[0],
           w->grid[1], (int)w->wish.order, w->wish.anywhere, w->wish.early, w->wish.fixed,
           w->direction);
  return text;
}

/* A dimension of one part cuts nothing. */
static int cut_of(const walk *w, int axis) {
  return w->cut[axis] == PF_WHOLE || w->grid[w->cut[axis]] == 1 ? PF_WHOLE : w->cut[axis];
}

static void begin(walk *w, pfft3d_side side) {
  pf_layout l;
  pf_field_layout(&w->p, w->wish.order, w->grid, side, &l);
  memcpy(w->cut, l.dim, sizeof w->cut);
  w->axes[0] = '\0';
}

/* A stage: its planes, its lines and its tiles are along three axes. */
static void take_step(walk *w, const pf_route_stage *s) {
  CHECK((s->outer == 0 || s->outer == 1) && s->axes >= 0 && s->axes <= 2, "%s: outer %d, %d axes",
        name_of(w), s->outer, s->axes);
  for (int k = 0; k < s->axes || k == 0; k++) {
    int line = s->axis[k], tile = s->tile[k];
    CHECK(line >= 0 && line < 3 && tile >= 0 && tile < 3 && line != tile && line != s->outer &&
              tile != s->outer,
          "%s: planes along %d, lines along %d, tiles along %d", name_of(w), s->outer, line, tile);
    if (k >= s->axes) continue; /* it only moves */
    CHECK(cut_of(w, line) == PF_WHOLE, "%s: axis %d is cut", name_of(w), line);
    size_t used = strlen(w->axes);
    if (used < sizeof w->axes - 1) snprintf(w->axes + used, 2, "%d", line);
  }
}

/* An exchange: of a form that the tests of lower layers know, between what is cut and what is not.
 */
static void take_exchange(walk *w, const pf_route *r, int k) {
  int from = r->exchange[k].from, to = r->exchange[k].to, dim = r->exchange[k].dim, known = 0;
  for (int f = 0; f < FORMS; f++)
    known += forms[f].from == from && forms[f].to == to && forms[f].outer == r->stage[k].outer &&
             forms[f].next == r->stage[k + 1].outer;
  CHECK(known == 1, "%s: exchange %d from %d to %d, planes along %d and then %d", name_of(w), k,
        from, to, r->stage[k].outer, r->stage[k + 1].outer);
  CHECK(dim == 0 || dim == 1, "%s: dimension %d", name_of(w), dim);
  if (!known || (dim != 0 && dim != 1)) return;
  CHECK(cut_of(w, from) == (w->grid[dim] > 1 ? dim : PF_WHOLE) && cut_of(w, to) == PF_WHOLE,
        "%s: exchange %d from %d to %d along %d where they are cut along %d and %d", name_of(w), k,
        from, to, dim, w->cut[from], w->cut[to]);
  w->cut[from] = PF_WHOLE;
  w->cut[to] = dim;
  int half = w->p.kind == PFFT3D_R2C && w->direction == PFFT3D_FORWARD;
  CHECK(!half || strchr(w->axes, '2'), "%s: exchange %d moves the half spectrum before it is there",
        name_of(w), k);
}

/* Each axis once; one of a single plane may be left out.  The one that is real on one side comes
 * first, or last. */
static void check_axes(const walk *w) {
  for (int a = 0; a < 3; a++) {
    const char *first = strchr(w->axes, '0' + a);
    int may_miss = a == 0 && w->p.n[0] == 1;
    CHECK(first ? !strchr(first + 1, '0' + a) : may_miss, "%s: axes %s", name_of(w), w->axes);
  }
  if (w->p.kind != PFFT3D_R2C) return;
  char where = w->direction ? w->axes[strlen(w->axes) - 1] : w->axes[0];
  CHECK(where == '2', "%s: axes %s", name_of(w), w->axes);
}

/* What is left is as the layout says; or the last stage writes to boxes that are cut along the axis
 * of its last exchange, by all ranks alike. */
static void check_end(walk *w, const pf_route *r) {
  int last = r->stages - 2, same = 1, foreign = 1;
  pf_layout l;
  pfft3d_side side = w->direction ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  pf_field_layout(&w->p, w->wish.order, w->grid, side, &l);
  for (int a = 0; a < 3; a++) {
    int want = l.dim[a] != PF_WHOLE && w->grid[l.dim[a]] > 1 ? l.dim[a] : PF_WHOLE;
    same = same && cut_of(w, a) == want;
    int boxes = last >= 0 && a == r->exchange[last].from ? r->exchange[last].dim : PF_WHOLE;
    foreign = foreign && want == boxes;
  }
  CHECK(same || w->wish.anywhere, "%s: ends cut %d %d %d, not %d %d %d", name_of(w), w->cut[0],
        w->cut[1], w->cut[2], l.dim[0], l.dim[1], l.dim[2]);
  CHECK(same || (foreign && w->grid[r->exchange[last].dim] == w->grid[0] * w->grid[1]),
        "%s: ends cut %d %d %d, for boxes cut %d %d %d", name_of(w), w->cut[0], w->cut[1],
        w->cut[2], l.dim[0], l.dim[1], l.dim[2]);
  CHECK(same || w->wish.order == PFFT3D_NATURAL, "%s: transposed, and not where it ends",
        name_of(w));
}

static void take_route(walk *w) {
  pf_route r;
  begin(w, w->direction ? PFFT3D_SPECTRUM : PFFT3D_SPACE);
  w->scheme->route(&w->p, w->grid, &w->wish, (pfft3d_direction)w->direction, &r);
  CHECK(r.stages >= 2 && r.stages <= PF_STAGES, "%s: %d steps", name_of(w), r.stages);
  for (int k = 0; k < r.stages; k++) {
    take_step(w, &r.stage[k]);
    if (k < r.stages - 1) take_exchange(w, &r, k);
  }
  check_axes(w);
  check_end(w, &r);
}

/* With `fixed` and `early`, as deterministic plans wish, axes come in the same order on every grid,
 * whether the last stage can write anywhere or not.  An axis of one point is left out on all of
 * them or on none: a multiplier belongs to the first one that there is. */
static void check_fixed(const walk *w, char order[2][2][2][2][8]) {
  char *first = order[w->p.kind][w->p.n[0] == 1][w->direction][w->wish.order];
  if (!w->wish.fixed || !w->wish.early) return;
  if (!first[0]) snprintf(first, 8, "%.7s", w->axes);
  CHECK(!strcmp(first, w->axes), "%s: axes %s, on another grid %s", name_of(w), w->axes, first);
}

static void test_grid(const pf_scheme *scheme, const ptrdiff_t n[3], int rows, int columns,
                      char order[2][2][2][2][8]) {
  for (int k = 0; k < 64; k++) {
    walk w = {.scheme = scheme,
              .p = {.kind = (pfft3d_kind)(k & 1), .n = {n[0], n[1], n[2]}, .batch = 1},
              .grid = {rows, columns},
              .direction = k >> 1 & 1};
    w.wish = (pf_wish){.order = (pfft3d_order)(k >> 2 & 1),
                       .anywhere = k >> 3 & 1,
                       .early = k >> 4 & 1,
                       .fixed = k >> 5 & 1};
    take_route(&w);
    check_fixed(&w, order);
  }
}

/* ---- grids ---- */

static void refused(const pf_scheme *s, const pfft3d_request *r, int ranks, int rows, int columns) {
  int grid[2] = {rows, columns};
  pfft3d_error e;
  pf_error_clear(&e);
  int status = s->grid(r, ranks, grid, &e);
  CHECK(status == PFFT3D_ERR_USAGE && strstr(e.text, "grid "), "%s: %dx%d of %d: status %d: %s",
        s->name, rows, columns, ranks, status, e.text);
}

static void test_slab_grids(const ptrdiff_t n[3], int ranks) {
  const pf_scheme *s = pf_scheme_find("slab");
  int flat = n[0] == 1, grid[2] = {0, 0};
  pfft3d_request r = make_request(n, "slab", "auto", "auto", PFFT3D_TRANSPOSED);
  for (int again = 0; again < 2; again++) { /* what it chose it also takes */
    CHECK(!s->grid(&r, ranks, grid, NULL), "%d ranks", ranks);
    CHECK(grid[0] == (flat ? 1 : ranks) && grid[1] == (flat ? ranks : 1), "%dx%d of %d", grid[0],
          grid[1], ranks);
  }
  if (ranks == 1) return;
  refused(s, &r, ranks, flat ? ranks : 1, flat ? 1 : ranks);
  refused(s, &r, ranks, 1, 1);
}

/* Ranks that have work before, between and after the two exchanges. */
static int busy(const ptrdiff_t n[3], int rows, int columns) {
  static const int cut[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  ptrdiff_t least = rows * columns;
  for (int k = 0; k < 3; k++) {
    ptrdiff_t a = n[cut[k][0]], b = n[cut[k][1]];
    ptrdiff_t some = (a < rows ? a : rows) * (b < columns ? b : columns);
    least = some < least ? some : least;
  }
  return (int)least;
}

static void test_pencil_grids(const ptrdiff_t n[3], int ranks) {
  const pf_scheme *s = pf_scheme_find("pencil");
  pfft3d_request r = make_request(n, "pencil", "auto", "auto", PFFT3D_TRANSPOSED);
  int best[2] = {0, 0}, most = 0;
  CHECK(!s->grid(&r, ranks, best, NULL), "%d ranks", ranks);
  for (int rows = 1; rows <= ranks; rows++)
    for (int columns = 1; rows * columns <= ranks; columns++) {
      int grid[2] = {rows, columns}, half[2][2] = {{rows, 0}, {0, columns}};
      CHECK(!s->grid(&r, ranks, grid, NULL) && grid[0] == rows && grid[1] == columns,
            "%dx%d became %dx%d", rows, columns, grid[0], grid[1]);
      int work = busy(n, rows, columns);
      most = work > most ? work : most;
      for (int k = 0; k < 2; k++)
        CHECK(!s->grid(&r, ranks, half[k], NULL) && half[k][k] == (k ? columns : rows) &&
                  half[k][!k] >= 1 && half[k][0] * half[k][1] <= ranks,
              "%dx%d of %d: completed to %dx%d", k ? 0 : rows, k ? columns : 0, ranks, half[k][0],
              half[k][1]);
    }
  int work = busy(n, best[0], best[1]);
  int all = n[0] >= ranks && n[1] >= ranks && n[2] >= ranks; /* can have work */
  CHECK(best[0] * best[1] <= ranks && (all ? work == ranks : n[1] == 1 || 2 * work >= most),
        "%tdx%tdx%td on %d ranks: %dx%d leaves work to %d, others to %d", n[0], n[1], n[2], ranks,
        best[0], best[1], work, most);
  refused(s, &r, ranks, ranks + 1, 1);
  refused(s, &r, ranks, 1, ranks + 1);
  refused(s, &r, ranks, ranks + 1, 0);
  refused(s, &r, ranks, 0, ranks + 1);
  refused(s, &r, ranks, -1, 1);
  refused(s, &r, ranks, 1, -1);
  refused(s, &r, ranks, 1 << 20, 1 << 20);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t shape[][3] = {{1, 1, 1}, {1, 7, 8},  {1, 16, 1},   {5, 1, 7}, {4, 6, 9},
                                       {8, 8, 8}, {2, 30, 3}, {64, 32, 16}, {3, 1, 1}};
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
    for (int ranks = 1; ranks <= 24; ranks++) {
      test_slab_grids(shape[k], ranks);
      test_pencil_grids(shape[k], ranks);
    }
  for (int s = 0; pf_scheme_at(s); s++) {
    static char order[2][2][2][2][8];
    memset(order, 0, sizeof order);
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
      for (int ranks = 1; ranks <= 12; ranks++)
        for (int columns = 1; columns <= ranks; columns++) {
          int slab = !strcmp(pf_scheme_at(s)->name, "slab"), flat = shape[k][0] == 1;
          int rows = ranks / columns;
          if (slab && (rows != (flat ? 1 : ranks) || columns != (flat ? ranks : 1))) continue;
          test_grid(pf_scheme_at(s), shape[k], rows, columns, order);
        }
    CHECK(pf_scheme_find(pf_scheme_at(s)->name) == pf_scheme_at(s), "number %d", s);
  }
  CHECK(!pf_scheme_find("none such"), "a scheme nobody registered");
  return check_result();
}
