/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks read consecutive parts of the particles, and send each to the ranks that have one of the
 * cells around it; the receivers add the shares of their own cells.  A round is so small that one
 * rank can receive all its particles. */
#include "apps/spectrum/deposit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

enum { ROUND = 1 << 16, ROUND_OF_ALL = 1 << 21 };
enum { FIGURES = 4 }; /* of a particle: its position in cells, its weight */

/* The ranks' parts of axes 0 and 1 (axis 2 is not cut). */
typedef struct owners {
  int *part[2]; /* of each index */
  int parts[2];
  int *rank; /* of parts (p, q): rank[p * parts[1] + q] */
} owners;

/* Buffers of a round. */
typedef struct mail {
  ptrdiff_t most; /* particles that a rank reads */
  double *position, *weight;
  double *out, *in;
  int *count[2], *start[2]; /* to and from each rank, in figures */
} mail;

/* ---- ranks of the cells ---- */

static void find_owners(const app *a, const deposit *d, const pfft3d_plan *plan, owners *o) {
  pfft3d_box box;
  for (int axis = 0; axis < 2; axis++)
    o->part[axis] = app_malloc(a, (size_t)d->n[axis], sizeof(int));
  for (int r = 0; r < a->ranks; r++) {
    pfft3d_plan_box(plan, PFFT3D_SPACE, r, &box);
    if (!box.len[0] || !box.len[1] || !box.len[2]) continue;
    for (int axis = 0; axis < 2; axis++) o->part[axis][box.lo[axis]] = 1;
  }
  for (int axis = 0; axis < 2; axis++) {
    o->part[axis][0] = 0;
    for (ptrdiff_t i = 1; i < d->n[axis]; i++) o->part[axis][i] += o->part[axis][i - 1];
    o->parts[axis] = o->part[axis][d->n[axis] - 1] + 1;
  }
  o->rank = app_malloc(a, (size_t)o->parts[0] * (size_t)o->parts[1], sizeof(int));
  for (int r = 0; r < a->ranks; r++) {
    pfft3d_plan_box(plan, PFFT3D_SPACE, r, &box);
    if (!box.len[0] || !box.len[1] || !box.len[2]) continue;
    o->rank[o->part[0][box.lo[0]] * o->parts[1] + o->part[1][box.lo[1]]] = r;
  }
}

static void free_owners(owners *o) {
  free(o->part[0]);
  free(o->part[1]);
  free(o->rank);
}

/* The two cells along an axis around a particle at x, in cells, and its shares. */
static void neighbours(double x, ptrdiff_t n, ptrdiff_t cell[2], double share[2]) {
  double whole = floor(x);
  cell[0] = (ptrdiff_t)whole;
  cell[1] = cell[0] + 1 < n ? cell[0] + 1 : 0;
  share[1] = x - whole;
  share[0] = 1 - share[1];
}

/* The ranks that have cells of a particle; returns their number, at most 4. */
static int receivers(const deposit *d, const owners *o, const double place[3], int rank[4]) {
  ptrdiff_t cell[2][2];
  double share[2];
  int count = 0;
  for (int axis = 0; axis < 2; axis++) neighbours(place[axis], d->n[axis], cell[axis], share);
  for (int corner = 0; corner < 4; corner++) {
    int p = o->part[0][cell[0][corner / 2]], q = o->part[1][cell[1][corner % 2]], known = 0;
    int r = o->rank[p * o->parts[1] + q];
    for (int i = 0; i < count; i++) known |= rank[i] == r;
    if (!known) rank[count++] = r;
  }
  return count;
}

/* ---- a round ---- */

/* Positions in cells of the periodic grid, from 0 to less than n; 0 along missing axes. */
static void find_place(const deposit *d, const double *position, double place[3]) {
  for (int axis = 0; axis < 3; axis++) {
    int column = axis - (3 - d->dims);
    double n = (double)d->n[axis];
    place[axis] = 0;
    if (column < 0) continue;
    double x = position[column] / d->length[axis];
    x = (x - floor(x)) * n;
    place[axis] = x < n ? x : 0; /* a tiny negative number has been rounded to 1 */
  }
}

/* Sorts particles by receiver, in two passes: counts, then figures. */
static void sort_out(const app *a, deposit *d, const owners *o, mail *m, ptrdiff_t count) {
  double figures[FIGURES];
  int to[4], *next = m->start[0];
  memset(m->count[0], 0, (size_t)a->ranks * sizeof(int));
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t i = 0; i < count; i++) {
      find_place(d, &m->position[i * d->dims], figures);
      figures[3] = m->weight ? m->weight[i] : 1;
      int ranks = receivers(d, o, figures, to);
      for (int r = 0; r < ranks; r++) {
        if (!pass)
          m->count[0][to[r]] += FIGURES;
        else
          memcpy(&m->out[next[to[r]]], figures, sizeof figures), next[to[r]] += FIGURES;
      }
      if (pass) d->weight += figures[3], d->square += (long double)figures[3] * figures[3];
    }
    next[0] = 0; /* the counts are the same again after the second pass */
    for (int r = 1; r < a->ranks; r++) next[r] = next[r - 1] + m->count[0][r - 1];
  }
}

static void add(const deposit *d, const double *figures) {
  ptrdiff_t cell[3][2];
  double share[3][2];
  const pfft3d_box *b = &d->box;
  for (int axis = 0; axis < 3; axis++)
    neighbours(figures[axis], d->n[axis], cell[axis], share[axis]);
  for (int corner = 0; corner < 8; corner++) {
    const int side[3] = {corner / 4, corner / 2 % 2, corner % 2};
    double part = figures[3];
    ptrdiff_t at = 0;
    int mine = 1;
    for (int axis = 0; axis < 3; axis++) {
      ptrdiff_t i = cell[axis][side[axis]] - b->lo[axis];
      mine &= i >= 0 && i < b->len[axis];
      at = at * b->len[axis] + i;
      part *= share[axis][side[axis]];
    }
    if (mine) d->density[at] += part;
  }
}

/* Sends particles to their receivers, and adds received particles. */
static void exchange(const app *a, const deposit *d, mail *m) {
  int total = 0;
  MPI_Alltoall(m->count[0], 1, MPI_INT, m->count[1], 1, MPI_INT, a->comm);
  for (int r = 0; r < a->ranks; r++) m->start[1][r] = total, total += m->count[1][r];
  m->in = app_malloc(a, (size_t)total, sizeof(double));
  MPI_Alltoallv(m->out, m->count[0], m->start[0], MPI_DOUBLE, m->in, m->count[1], m->start[1],
                MPI_DOUBLE, a->comm);
  for (int i = 0; i < total; i += FIGURES) add(d, &m->in[i]);
  free(m->in);
}

/* ---- all rounds ---- */

static void make_mail(const app *a, const deposit *d, int weights, ptrdiff_t mine, mail *m) {
  ptrdiff_t limit = ROUND_OF_ALL / a->ranks > 1 ? ROUND_OF_ALL / a->ranks : 1;
  m->most = limit < ROUND ? limit : ROUND;
  if (mine < m->most) m->most = mine > 0 ? mine : 1;
  size_t most = (size_t)m->most;
  m->position = app_malloc(a, most * (size_t)d->dims, sizeof(double));
  m->weight = weights ? app_malloc(a, most, sizeof(double)) : NULL;
  m->out = app_malloc(a, most * 4, FIGURES * sizeof(double));
  for (int k = 0; k < 2; k++) {
    m->count[k] = app_malloc(a, (size_t)a->ranks, sizeof(int));
    m->start[k] = app_malloc(a, (size_t)a->ranks, sizeof(int));
  }
}

static void free_mail(mail *m) {
  free(m->position);
  free(m->weight);
  free(m->out);
  for (int k = 0; k < 2; k++) {
    free(m->count[k]);
    free(m->start[k]);
  }
}

int deposit_run(app *a, deposit *d, const pfft3d_plan *plan, field_input *positions,
                field_input *weights) {
  owners o = {.rank = NULL};
  mail m = {.most = 0};
  ptrdiff_t all = positions->info.n[1], share = all / a->ranks + (all % a->ranks > 0);
  ptrdiff_t next = share * a->rank < all ? share * a->rank : all;
  ptrdiff_t end = next + share < all ? next + share : all;
  d->particles = (double)all;
  find_owners(a, d, plan, &o);
  make_mail(a, d, weights != NULL, share, &m);
  for (ptrdiff_t done = 0; done < share && !a->error.status; done += m.most) {
    ptrdiff_t count = end - next < m.most ? end - next : m.most;
    const pfft3d_box lines = {.lo = {0, next, 0}, .len = {1, count, d->dims}};
    const pfft3d_box numbers = {.lo = {0, 0, next}, .len = {1, 1, count}};
    if (field_read(a, positions, PFFT3D_REAL, &lines, m.position, NULL) ||
        (weights && field_read(a, weights, PFFT3D_REAL, &numbers, m.weight, NULL)))
      break;
    sort_out(a, d, &o, &m, count);
    exchange(a, d, &m);
    next += count;
  }
  long double sums[2] = {d->weight, d->square};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
  d->weight = sums[0];
  d->square = sums[1];
  free_owners(&o);
  free_mail(&m);
  return a->error.status;
}
