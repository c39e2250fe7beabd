/* SPDX-License-Identifier: BSD-3-Clause
 * The axis with a grid is not transformed.  In transposed order a rank has whole lines of it in the
 * spectrum, and a plane between the forward and the backward transform is in cache: there its lines
 * are solved, GRID_LANES numbers at once, so no pass over memory is needed for them
 * (pfft3d_execute_between()).  Where planes would be cut across the lines, whole arrays are solved
 * between two transforms of one plan. */
#include "apps/poisson/stretched.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

/* The memory of a thread for the lines of a tile. */
typedef struct tile {
  double *f, *pivot;
  double complex *line, *work; /* of lines that are solved by themselves */
} tile;

struct stretched {
  run back; /* the plan of the backward transform; none: that of the solver */
  int joined;
  int parts; /* numbers in an element of the spectrum */
  pfft3d_box from, to;
  int threads;
  tile *tile;
  void *memory;
  double complex mean; /* sum of the line that has one, on its rank */
};

/* ---- plans ---- */

/* The axis with the largest stride. */
static int slowest(const pfft3d_box *b) {
  int axis = 0;
  for (int a = 1; a < 3; a++)
    if (b->stride[a] > b->stride[axis]) axis = a;
  return axis;
}

/* The other two axes than that of the grid; first the one with the larger stride. */
static void other_axes(const solver *s, const pfft3d_box *b, int other[2]) {
  int axis = s->d.grid->axis;
  other[0] = axis == 0 ? 1 : 0;
  other[1] = axis == 2 ? 1 : 2;
  if (b->stride[other[0]] >= b->stride[other[1]]) return;
  int first = other[1];
  other[1] = other[0];
  other[0] = first;
}

/* Nonzero if all ranks have whole lines. */
static int is_whole(const solver *s) {
  const pfft3d_box *b = &s->spectrum;
  int axis = s->d.grid->axis, cut;
  cut = b->len[0] * b->len[1] * b->len[2] > 0 && b->len[axis] != s->d.n[axis];
  MPI_Allreduce(MPI_IN_PLACE, &cut, 1, MPI_INT, MPI_MAX, s->a->comm);
  return !cut;
}

static int allocate(solver *s, pfft3d_error *e) {
  struct stretched *t = s->stretched;
  const size_t n = (size_t)s->d.grid->n, numbers = (4 * GRID_LANES + 6) * n;
  int missing;
  t->threads = (int)options_number(&s->a->opt, "threads");
  if (t->threads < 1) t->threads = 1;
  t->tile = calloc((size_t)t->threads, sizeof *t->tile);
  t->memory = calloc((size_t)t->threads * numbers + 8, sizeof(double));
  missing = !t->tile || !t->memory;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, s->a->comm);
  if (missing)
    return app_fail(e, PFFT3D_ERR_MEMORY, "cannot allocate memory for lines of %zu points", n);
  for (int k = 0; k < t->threads; k++) {
    double *base = (double *)t->memory + (size_t)k * numbers;
    t->tile[k] = (tile){.f = base, .pivot = base + GRID_LANES * n};
    t->tile[k].line = (double complex *)(void *)(base + 2 * GRID_LANES * n);
    t->tile[k].work = t->tile[k].line + GRID_LANES * n;
  }
  return PFFT3D_OK;
}

/* ---- lines ---- */

/* What lambda and the eigenvalues of the other axes are together. */
static double complex shift_of(const solver *s, const ptrdiff_t k[3]) {
  double sum = s->d.shift[0];
  for (int a = 0; a < 3; a++)
    if (a != s->d.grid->axis) sum += s->lambda[a][k[a]];
  return sum + s->d.shift[1] * I;
}

/* Nonzero if the line of this mode has a singular matrix: the constant. */
static int has_mean(const solver *s, const ptrdiff_t k[3]) {
  for (int a = 0; a < 3; a++)
    if (a != s->d.grid->axis && k[a]) return 0;
  return s->singular;
}

/* Moves numbers between elements of an array, whose lines and points have these strides, and the
 * rows of a tile. */
#define DEFINE_MOVES(name, type)                                                                  \
  static void gather_##name(const type *from, const ptrdiff_t stride[2], ptrdiff_t n, int lines,  \
                            int parts, double *to) {                                              \
    for (ptrdiff_t i = 0; i < n; i++)                                                             \
      for (int e = 0; e < lines; e++)                                                             \
        for (int c = 0; c < parts; c++)                                                           \
          to[i * GRID_LANES + e * parts + c] = from[(i * stride[1] + e * stride[0]) * parts + c]; \
  }                                                                                               \
  static void scatter_##name(const double *from, const ptrdiff_t stride[2], ptrdiff_t n,          \
                             int lines, int parts, type *to) {                                    \
    for (ptrdiff_t i = 0; i < n; i++)                                                             \
      for (int e = 0; e < lines; e++)                                                             \
        for (int c = 0; c < parts; c++)                                                           \
          to[(i * stride[1] + e * stride[0]) * parts + c] =                                       \
              (type)from[i * GRID_LANES + e * parts + c];                                         \
  }
DEFINE_MOVES(double, double)
DEFINE_MOVES(single, float)

/* Solves a line of a tile by itself, into memory of its own. */
static void solve_line(solver *s, const tile *t, const ptrdiff_t k[3], int e) {
  const grid *g = s->d.grid;
  const double factor = domain_factor(&s->d, g->axis), *f = t->f + e * s->stretched->parts;
  double complex *line = t->line + e * g->n;
  for (ptrdiff_t i = 0; i < g->n; i++, f += GRID_LANES)
    line[i] = s->stretched->parts == 2 ? f[0] + f[1] * I : f[0];
  if (has_mean(s, k))
    s->stretched->mean = grid_solve_mean(g, factor, line);
  else
    grid_solve_any(g, factor, shift_of(s, k), line, t->work);
}

static void put_line(const solver *s, const tile *t, int e) {
  const int parts = s->stretched->parts;
  const double complex *line = t->line + e * s->d.grid->n;
  double *f = t->f + e * parts;
  for (ptrdiff_t i = 0; i < s->d.grid->n; i++, f += GRID_LANES) {
    f[0] = creal(line[i]);
    if (parts == 2) f[1] = cimag(line[i]);
  }
}

/* Solves the lines of a tile: mode k and the next ones along `across`. */
static void solve_tile(solver *s, const tile *t, const ptrdiff_t k[3], int across, int lines) {
  const int parts = s->stretched->parts;
  double shift[GRID_LANES];
  int alone[GRID_LANES], left = 0;
  for (int lane = 0; lane < GRID_LANES; lane++) shift[lane] = -1;
  for (int e = 0; e < lines; e++) {
    ptrdiff_t mode[3] = {k[0], k[1], k[2]};
    mode[across] += e;
    const double complex all = shift_of(s, mode);
    alone[e] = has_mean(s, mode) || creal(all) > 0 || cimag(all) != 0;
    left += !alone[e];
    if (alone[e]) solve_line(s, t, mode, e);
    for (int c = 0; c < parts && !alone[e]; c++) shift[e * parts + c] = creal(all);
  }
  if (left) grid_solve(s->d.grid, domain_factor(&s->d, s->d.grid->axis), shift, t->f, t->pivot);
  for (int e = 0; e < lines; e++)
    if (alone[e]) put_line(s, t, e);
}

/* ---- planes ---- */

static void on_plane(void *context, const pfft3d_plane *p) {
  solver *s = context;
  struct stretched *t = s->stretched;
  const tile *mine = &t->tile[p->thread];
  const pfft3d_box *x = &t->from, *y = &t->to;
  const int axis = s->d.grid->axis, across = 3 - axis - p->axis, single = solver_is_narrow(s);
  const int most = GRID_LANES / t->parts;
  const ptrdiff_t from[2] = {x->stride[across], x->stride[axis]},
                  to[2] = {y->stride[across], y->stride[axis]};
  ptrdiff_t k[3] = {0, 0, 0};
  k[p->axis] = x->lo[p->axis] + p->index;
  for (ptrdiff_t first = 0; first < x->len[across]; first += most) {
    int lines = x->len[across] - first < most ? (int)(x->len[across] - first) : most;
    ptrdiff_t a = first * from[0] * t->parts, b = first * to[0] * t->parts;
    k[across] = x->lo[across] + first;
    if (single)
      gather_single((const float *)p->from + a, from, s->d.grid->n, lines, t->parts, mine->f);
    else
      gather_double((const double *)p->from + a, from, s->d.grid->n, lines, t->parts, mine->f);
    solve_tile(s, mine, k, across, lines);
    if (single)
      scatter_single(mine->f, to, s->d.grid->n, lines, t->parts, (float *)p->to + b);
    else
      scatter_double(mine->f, to, s->d.grid->n, lines, t->parts, (double *)p->to + b);
  }
}

/* All planes of an array in place. */
static void on_array(solver *s, void *array) {
  const pfft3d_box *b = &s->stretched->from;
  size_t bytes = pfft3d_element_bytes(&s->r.problem, PFFT3D_SPECTRUM);
  int other[2];
  other_axes(s, b, other);
  if (b->len[0] * b->len[1] * b->len[2] == 0) return;
  for (ptrdiff_t i = 0; i < b->len[other[0]]; i++) {
    char *plane = (char *)array + (size_t)(b->offset + i * b->stride[other[0]]) * bytes;
    on_plane(s, &(pfft3d_plane){.axis = other[0], .index = i, .from = plane, .to = plane});
  }
}

void stretched_run(solver *s) {
  struct stretched *t = s->stretched;
  void *array = s->r.array[0], *between = s->r.array[1];
  t->mean = 0;
  if (t->joined) {
    run_begin(s->a, &s->r, PFFT3D_FORWARD, array);
    run_between(s->a, &s->r, PFFT3D_FORWARD, &t->back, on_plane, s,
                (void *const[]){between, between});
    run_end(s->a, &t->back, PFFT3D_BACKWARD, array);
  } else {
    run_execute(s->a, &s->r, PFFT3D_FORWARD, array, array);
    on_array(s, array);
    run_execute(s->a, &s->r, PFFT3D_BACKWARD, array, array);
  }
  const double points = pfft3d_problem_points(&s->r.problem);
  s->mean[0] = creal(t->mean) / points;
  s->mean[1] = cimag(t->mean) / points;
  if (s->singular) MPI_Allreduce(MPI_IN_PLACE, s->mean, 2, MPI_DOUBLE, MPI_SUM, s->a->comm);
}

/* ---- lambda ---- */

/* Finds out whether the matrix of a line of this rank is singular but for rounding.  Only those
 * with a positive shift may be. */
static int check_lambda(solver *s, pfft3d_error *e) {
  const grid *g = s->d.grid;
  const double limit = solver_is_single(s) ? 1e-6 : 1e-13;
  int other[2];
  long bad[4] = {s->a->ranks, 0, 0, 0}; /* rank, mode */
  ptrdiff_t k[3] = {0, 0, 0};
  const pfft3d_box *b = &s->stretched->from;
  other_axes(s, b, other);
  for (ptrdiff_t i = 0; i < b->len[other[0]] * b->len[g->axis] / g->n; i++)
    for (ptrdiff_t j = 0; j < b->len[other[1]]; j++) {
      k[other[0]] = b->lo[other[0]] + i;
      k[other[1]] = b->lo[other[1]] + j;
      double complex shift = shift_of(s, k), *line = s->stretched->tile->line;
      if (!(creal(shift) >= 0) || cimag(shift) != 0 || bad[0] < s->a->ranks) continue;
      memset(line, 0, (size_t)g->n * sizeof *line);
      double left =
          grid_solve_any(g, domain_factor(&s->d, g->axis), shift, line, s->stretched->tile->work);
      if (left > limit) continue;
      k[g->axis] =
          grid_modes(g, domain_factor(&s->d, g->axis), creal(shift) - 10 * limit * s->d.shift[0]);
      bad[0] = s->a->rank;
      for (int a = 0; a < 3; a++) bad[1 + a] = (long)k[a];
    }
  return solver_refuse(s, bad, e);
}

/* ---- the whole ---- */

static int open_back(solver *s, pfft3d_error *e) {
  struct stretched *t = s->stretched;
  const domain *d = &s->d;
  t->joined = d->n[0] > 1 && d->n[1] > 1 && d->n[2] > 1 && slowest(&s->spectrum) != d->grid->axis;
  MPI_Allreduce(MPI_IN_PLACE, &t->joined, 1, MPI_INT, MPI_MIN, s->a->comm);
  if (!t->joined) return PFFT3D_OK;
  if (solver_plan(s, &t->back, &s->r.problem, &s->r.decision, 0, e) ||
      pfft3d_alloc(s->r.plan, &s->r.array[1], e))
    return e->status;
  pfft3d_plan_box(t->back.plan, PFFT3D_SPECTRUM, s->a->rank, &t->to);
  return PFFT3D_OK;
}

int stretched_open(solver *s, pfft3d_error *e) {
  struct stretched *t = app_malloc(s->a, 1, sizeof *t);
  s->stretched = t;
  t->parts = solver_parts(s);
  t->from = t->to = s->spectrum;
  if (!is_whole(s))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--coordinates: with this decomposition no rank has whole lines along axis %d",
                    s->d.grid->axis - (3 - s->d.dims));
  if (allocate(s, e) || open_back(s, e)) return e->status;
  return domain_shifted(&s->d) ? check_lambda(s, e) : PFFT3D_OK;
}

void stretched_close(solver *s) {
  struct stretched *t = s->stretched;
  if (!t) return;
  run_close(&t->back);
  free(t->tile);
  free(t->memory);
  free(t);
  s->stretched = NULL;
}
