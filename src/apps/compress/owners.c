/* SPDX-License-Identifier: BSD-3-Clause
 * The boxes of all ranks form a grid: along every axis an index lies in one interval, found by
 * bisection, and the numbers of the three intervals identify the rank. */
#include "apps/compress/owners.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

typedef struct grid {
  ptrdiff_t *lo[3]; /* first indices of intervals, in ascending order */
  ptrdiff_t count[3];
  int *rank;
} grid;

/* Indices of an element, and its value. */
typedef struct parcel {
  ptrdiff_t k[3];
  double value[2];
  int conjugate;
} parcel;

static int by_value(const void *x, const void *y) {
  ptrdiff_t p = *(const ptrdiff_t *)x, q = *(const ptrdiff_t *)y;
  return (p > q) - (p < q);
}

/* The interval that contains index k. */
static ptrdiff_t interval(const grid *g, int axis, ptrdiff_t k) {
  ptrdiff_t first = 0, end = g->count[axis];
  while (end - first > 1) {
    ptrdiff_t middle = (first + end) / 2;
    if (g->lo[axis][middle] <= k)
      first = middle;
    else
      end = middle;
  }
  return first;
}

static int *place(const grid *g, const ptrdiff_t k[3]) {
  return &g->rank[(interval(g, 0, k[0]) * g->count[1] + interval(g, 1, k[1])) * g->count[2] +
                  interval(g, 2, k[2])];
}

static int is_empty(const pfft3d_box *b) {
  return !b->len[0] || !b->len[1] || !b->len[2];
}

static grid make_grid(const app *a, const pfft3d_plan *plan) {
  grid g = {.rank = NULL};
  pfft3d_box box;
  for (int axis = 0; axis < 3; axis++) {
    ptrdiff_t *lo = app_malloc(a, (size_t)a->ranks, sizeof *lo), count = 0, kept = 0;
    for (int r = 0; r < a->ranks; r++) {
      pfft3d_plan_box(plan, PFFT3D_SPECTRUM, r, &box);
      if (!is_empty(&box)) lo[count++] = box.lo[axis];
    }
    qsort(lo, (size_t)count, sizeof *lo, by_value);
    for (ptrdiff_t i = 0; i < count; i++)
      if (!i || lo[i] != lo[i - 1]) lo[kept++] = lo[i];
    g.lo[axis] = lo;
    g.count[axis] = kept;
  }
  g.rank = app_malloc(a, (size_t)(g.count[0] * g.count[1] * g.count[2]), sizeof *g.rank);
  for (int r = 0; r < a->ranks; r++) {
    pfft3d_plan_box(plan, PFFT3D_SPECTRUM, r, &box);
    if (!is_empty(&box)) *place(&g, box.lo) = r;
  }
  return g;
}

static void free_grid(grid *g) {
  for (int axis = 0; axis < 3; axis++) free(g->lo[axis]);
  free(g->rank);
}

/* Sends the parcels, and stores received parcels in the spectrum. */
static void deliver(const app *a, const components *c, const parcel *out, const int *count) {
  int *got = app_malloc(a, 3 * (size_t)a->ranks, sizeof *got), *from = got + a->ranks,
      *to = from + a->ranks;
  ptrdiff_t sent = 0, sum = 0;
  MPI_Datatype type;
  MPI_Alltoall(count, 1, MPI_INT, got, 1, MPI_INT, a->comm);
  for (int r = 0; r < a->ranks; r++) {
    from[r] = (int)sent;
    to[r] = (int)sum;
    sent += count[r];
    sum += got[r];
    if (sum > INT_MAX)
      app_die(a, PFFT3D_ERR_UNAVAILABLE, "cannot take %td components: use more ranks", sum);
  }
  parcel *in = app_malloc(a, (size_t)sum, sizeof *in);
  MPI_Type_contiguous((int)sizeof *in, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(out, count, from, type, in, got, to, type, a->comm);
  MPI_Type_free(&type);
  for (ptrdiff_t i = 0; i < sum; i++) components_put(c, in[i].k, in[i].value, in[i].conjugate);
  free(in);
  free(got);
}

void owners_send(const app *a, const pfft3d_plan *plan, const components *c, const component *item,
                 ptrdiff_t count) {
  grid g = make_grid(a, plan);
  int *number = app_malloc(a, (size_t)a->ranks, sizeof *number);
  ptrdiff_t *at = app_malloc(a, (size_t)a->ranks + 1, sizeof *at), k[2][3];
  int conjugate[2];
  if (count > INT_MAX / 2)
    app_die(a, PFFT3D_ERR_UNAVAILABLE, "cannot send %td components: use more ranks", count);
  for (ptrdiff_t i = 0; i < count; i++)
    for (int p = components_places(c, item[i].index, k, conjugate) - 1; p >= 0; p--)
      number[*place(&g, k[p])]++;
  for (int r = 0; r < a->ranks; r++) at[r + 1] = at[r] + number[r];
  parcel *out = app_malloc(a, (size_t)at[a->ranks], sizeof *out);
  for (ptrdiff_t i = 0; i < count; i++)
    for (int p = components_places(c, item[i].index, k, conjugate) - 1; p >= 0; p--) {
      parcel *x = &out[at[*place(&g, k[p])]++];
      memcpy(x->k, k[p], sizeof x->k);
      memcpy(x->value, item[i].value, sizeof x->value);
      x->conjugate = conjugate[p];
    }
  deliver(a, c, out, number);
  free(out);
  free(at);
  free(number);
  free_grid(&g);
}
