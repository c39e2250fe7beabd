/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks read consecutive parts of the particles, and send each to all ranks that have cells around
 * it; the receivers add the shares of their own cells, of both grids if there are two.  So no sums
 * of ghost cells travel, and thin parts need no other treatment.  A round is so small that one rank
 * can receive all its particles; its order, and thus each sum, follows from the number of ranks. */
#include "apps/spectrum/deposit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "apps/spectrum/spline.h"

enum { ROUND = 1 << 17, ROUND_OF_ALL = 1 << 21 };
enum { MOST_PARTS = SPLINE_MOST + 1 }; /* cells of a particle along an axis, with both grids */

/* The ranks' parts of an axis of cells. */
typedef struct cut {
  int *part;                  /* of each cell */
  int parts;                  /* their number */
  int (*reached)[MOST_PARTS]; /* by particles between this cell and the next; -1: no more */
} cut;

/* The ranks of axes 0 and 1 (axis 2 is not cut). */
typedef struct owners {
  cut cut[2];
  int *rank; /* of parts (p, q): rank[p * parts[1] + q] */
} owners;

/* Buffers of a round. */
typedef struct mail {
  ptrdiff_t most; /* particles that a rank reads */
  int figures;    /* of a particle: its position in cells, and its weight unless all are 1 */
  double *position, *column, *weight;
  double *packet[2];        /* figures to send, and received ones */
  size_t fits[2];           /* figures that fit into them */
  int *count[2], *start[2]; /* to and from each rank, in figures */
} mail;

/* ---- ranks of the cells ---- */

/* Lists the parts with cells of particles between cell c and the next one. */
static void find_reached(const deposit *d, cut *t, ptrdiff_t n, ptrdiff_t c) {
  double half = 0.5 * d->order, from = floor((double)c - half + (d->density[1] ? 0.5 : 1));
  double to = ceil((double)c + 2 - half) + d->order - 2;
  int count = 0;
  for (ptrdiff_t i = (ptrdiff_t)from; i <= (ptrdiff_t)to; i++) {
    int part = t->part[(i % n + n) % n], known = 0;
    for (int k = 0; k < count; k++) known |= t->reached[c][k] == part;
    if (!known) t->reached[c][count++] = part;
  }
  for (; count < MOST_PARTS; count++) t->reached[c][count] = -1;
}

static void open_cut(const app *a, const deposit *d, const pfft3d_plan *plan, int axis, cut *t) {
  ptrdiff_t n = d->n[axis];
  pfft3d_box box;
  t->part = app_malloc(a, (size_t)n, sizeof(int));
  t->reached = app_malloc(a, (size_t)n, sizeof *t->reached);
  for (int r = 0; r < a->ranks; r++) {
    pfft3d_plan_box(plan, PFFT3D_SPACE, r, &box);
    if (box.len[0] && box.len[1] && box.len[2]) t->part[box.lo[axis]] = 1;
  }
  t->part[0] = 0;
  for (ptrdiff_t i = 1; i < n; i++) t->part[i] += t->part[i - 1];
  t->parts = t->part[n - 1] + 1;
  for (ptrdiff_t i = 0; i < n; i++) find_reached(d, t, n, i);
}

static void find_owners(const app *a, const deposit *d, const pfft3d_plan *plan, owners *o) {
  pfft3d_box box;
  for (int axis = 0; axis < 2; axis++) open_cut(a, d, plan, axis, &o->cut[axis]);
  int parts = o->cut[1].parts;
  o->rank = app_malloc(a, (size_t)o->cut[0].parts * (size_t)parts, sizeof(int));
  for (int r = 0; r < a->ranks; r++) {
    pfft3d_plan_box(plan, PFFT3D_SPACE, r, &box);
    if (!box.len[0] || !box.len[1] || !box.len[2]) continue;
    o->rank[o->cut[0].part[box.lo[0]] * parts + o->cut[1].part[box.lo[1]]] = r;
  }
}

static void free_owners(owners *o) {
  for (int axis = 0; axis < 2; axis++) {
    free(o->cut[axis].part);
    free(o->cut[axis].reached);
  }
  free(o->rank);
}

/* The ranks that have cells of a particle; returns their number. */
static int receivers(const owners *o, const double place[3], int rank[MOST_PARTS * MOST_PARTS]) {
  const int *p = o->cut[0].reached[(ptrdiff_t)place[0]];
  const int *q = o->cut[1].reached[(ptrdiff_t)place[1]];
  int count = 0;
  for (int i = 0; i < MOST_PARTS && p[i] >= 0; i++)
    for (int k = 0; k < MOST_PARTS && q[k] >= 0; k++)
      rank[count++] = o->rank[p[i] * o->cut[1].parts + q[k]];
  return count;
}

/* ---- a round ---- */

/* Positions in cells of the periodic grid, from 0 to less than n; 0 along missing axes.  Nonzero if
 * the particle is in the box. */
static int find_place(const deposit *d, const double *position, double place[3]) {
  int inside = 1;
  for (int axis = 0; axis < 3; axis++) {
    int column = axis - (3 - d->dims);
    double n = (double)d->n[axis];
    place[axis] = 0;
    if (column < 0) continue;
    double x = position[column] / d->length[axis];
    inside &= x >= 0 && x <= 1;
    x *= d->fold;
    x = (x - floor(x)) * n;
    place[axis] = x < n ? x : 0; /* a tiny negative number has been rounded to 1 */
  }
  return inside;
}

/* Replaces the positions of a round by positions in cells, three numbers each, and adds up weights;
 * returns the number of particles that stay. */
static ptrdiff_t find_places(deposit *d, mail *m, ptrdiff_t count) {
  ptrdiff_t kept = 0;
  double place[3];
  for (ptrdiff_t i = 0; i < count; i++) {
    int inside = find_place(d, &m->position[i * d->dims], place);
    d->strangers += !inside;
    if (!inside && d->outside == OUTSIDE_DROP) continue;
    double weight = m->weight ? m->weight[i] : 1;
    if (m->weight) m->weight[kept] = weight;
    memcpy(&m->column[3 * kept++], place, sizeof place);
    d->weight += weight;
    d->square += (long double)weight * weight;
  }
  d->particles += (double)kept;
  return kept;
}

/* Enlarges a packet to so many figures; its contents may be lost. */
static double *enlarge(const app *a, mail *m, int side, int figures) {
  size_t needed = (size_t)figures;
  if (needed > m->fits[side]) {
    free(m->packet[side]);
    m->fits[side] = needed + needed / 8;
    m->packet[side] = app_malloc(a, m->fits[side], sizeof(double));
  }
  return m->packet[side];
}

/* Sorts particles by receiver into packet 0, in two passes: counts, then figures. */
static void sort_out(const app *a, const owners *o, mail *m, ptrdiff_t count) {
  int to[MOST_PARTS * MOST_PARTS], *next = m->start[0];
  size_t bytes = (size_t)m->figures * sizeof(double);
  double *out = NULL;
  memset(m->count[0], 0, (size_t)a->ranks * sizeof(int));
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t i = 0; i < count; i++) {
      const double *place = &m->column[3 * i];
      const double figures[4] = {place[0], place[1], place[2], m->weight ? m->weight[i] : 1};
      int ranks = receivers(o, place, to);
      for (int r = 0; r < ranks; r++) {
        if (pass) memcpy(&out[next[to[r]]], figures, bytes), next[to[r]] += m->figures;
        if (!pass) m->count[0][to[r]] += m->figures;
      }
    }
    next[0] = 0; /* the counts are the same again after the second pass */
    for (int r = 1; r < a->ranks; r++) next[r] = next[r - 1] + m->count[0][r - 1];
    if (!pass) out = enlarge(a, m, 0, next[a->ranks - 1] + m->count[0][a->ranks - 1]);
  }
}

/* Cells of a particle along each axis, counted from the first one of this rank, and its shares. */
typedef struct cloud {
  ptrdiff_t cell[3][SPLINE_MOST];
  double share[3][SPLINE_MOST];
} cloud;

static inline __attribute__((always_inline)) void find_cloud(const deposit *d, const double *place,
                                                             double shift, int order, cloud *c) {
  for (int axis = 0; axis < 3; axis++) {
    ptrdiff_t n = d->n[axis], first = spline_shares(order, place[axis] - shift, c->share[axis]);
    for (int k = 0; k < order; k++) {
      ptrdiff_t cell = first + k;
      while (cell < 0) cell += n;
      while (cell >= n) cell -= n;
      c->cell[axis][k] = cell - d->box.lo[axis];
    }
  }
}

/* Row p, q of the cells of a cloud, by axes 0 and 1; NULL: another rank has it. */
static inline double *row_at(const deposit *d, double *density, const cloud *c, int p, int q) {
  const pfft3d_box *b = &d->box;
  ptrdiff_t i = c->cell[0][p], j = c->cell[1][q];
  if (i < 0 || i >= b->len[0] || j < 0 || j >= b->len[1]) return NULL;
  return &density[(i * b->len[1] + j) * b->len[2]];
}

/* Adds particles to a grid that lies half a cell further if `grid` is 1; a loop for each order.
 * Most of its time would be waiting for memory: the rows of a particle are asked for some particles
 * ahead. */
static inline __attribute__((always_inline)) void add_all(const deposit *d, const mail *m, int grid,
                                                          const double *in, int total, int order) {
  enum { AHEAD = 16 };
  cloud ring[AHEAD];
  double *density = d->density[grid];
  int count = total / m->figures;
  for (int i = 0; i < count + AHEAD; i++) {
    cloud *c = &ring[i % AHEAD];
    if (i >= AHEAD) {
      const double *figures = &in[(ptrdiff_t)(i - AHEAD) * m->figures];
      double weight = m->figures == 4 ? figures[3] : 1;
      for (int p = 0; p < order; p++)
        for (int q = 0; q < order; q++) {
          double *row = row_at(d, density, c, p, q),
                 part = weight * c->share[0][p] * c->share[1][q];
          for (int k = 0; k < order && row; k++) row[c->cell[2][k]] += part * c->share[2][k];
        }
    }
    if (i >= count) continue;
    find_cloud(d, &in[(ptrdiff_t)i * m->figures], 0.5 * grid, order, c);
    for (int p = 0; p < order; p++)
      for (int q = 0; q < order; q++) {
        const double *row = row_at(d, density, c, p, q);
        if (row) __builtin_prefetch(&row[c->cell[2][0]], 1);
      }
  }
}

static void add(const deposit *d, const mail *m, const double *in, int total) {
  for (int grid = 0; grid < 2 && d->density[grid]; grid++) switch (d->order) {
      case 1: add_all(d, m, grid, in, total, 1); break;
      case 2: add_all(d, m, grid, in, total, 2); break;
      case 3: add_all(d, m, grid, in, total, 3); break;
      default: add_all(d, m, grid, in, total, SPLINE_MOST);
    }
}

/* Sends the particles of a round to their receivers, and adds all received ones. */
static void exchange(const app *a, deposit *d, const owners *o, mail *m, ptrdiff_t count) {
  int total = 0;
  double start = MPI_Wtime();
  sort_out(a, o, m, count);
  MPI_Alltoall(m->count[0], 1, MPI_INT, m->count[1], 1, MPI_INT, a->comm);
  for (int r = 0; r < a->ranks; r++) m->start[1][r] = total, total += m->count[1][r];
  double *in = enlarge(a, m, 1, total);
  MPI_Alltoallv(m->packet[0], m->count[0], m->start[0], MPI_DOUBLE, in, m->count[1], m->start[1],
                MPI_DOUBLE, a->comm);
  double sent = MPI_Wtime();
  add(d, m, in, total);
  d->seconds[0] += sent - start;
  d->seconds[1] += MPI_Wtime() - sent;
}

/* ---- all rounds ---- */

static void make_mail(const app *a, const particles *p, ptrdiff_t mine, mail *m) {
  ptrdiff_t limit = ROUND_OF_ALL / a->ranks > 1 ? ROUND_OF_ALL / a->ranks : 1;
  m->most = limit < ROUND ? limit : ROUND;
  if (mine < m->most) m->most = mine > 0 ? mine : 1;
  size_t most = (size_t)m->most;
  m->figures = p->weight ? 4 : 3;
  m->position = app_malloc(a, most * 3, sizeof(double));
  m->column = app_malloc(a, most * 3, sizeof(double));
  m->weight = p->weight ? app_malloc(a, most, sizeof(double)) : NULL;
  for (int k = 0; k < 2; k++) {
    m->count[k] = app_malloc(a, (size_t)a->ranks, sizeof(int));
    m->start[k] = app_malloc(a, (size_t)a->ranks, sizeof(int));
  }
}

static void free_mail(mail *m) {
  free(m->position);
  free(m->column);
  free(m->weight);
  for (int k = 0; k < 2; k++) {
    free(m->packet[k]);
    free(m->count[k]);
    free(m->start[k]);
  }
}

/* Collective. Reads `count` particles from number `first` on. */
static int read_round(app *a, const deposit *d, const particles *p, const mail *m, ptrdiff_t first,
                      ptrdiff_t count) {
  const pfft3d_box lines = {.lo = {0, first, 0}, .len = {1, count, d->dims}};
  const pfft3d_box numbers = {.lo = {0, 0, first}, .len = {1, 1, count}};
  if (!p->columns && field_read(a, p->position, PFFT3D_REAL, &lines, m->position, NULL))
    return a->error.status;
  for (int c = 0; c < p->columns; c++) {
    if (field_read(a, &p->position[c], PFFT3D_REAL, &numbers, m->column, NULL))
      return a->error.status;
    for (ptrdiff_t i = 0; i < count; i++) m->position[i * d->dims + c] = m->column[i];
  }
  return m->weight ? field_read(a, p->weight, PFFT3D_REAL, &numbers, m->weight, NULL) : PFFT3D_OK;
}

/* Collective. The sums over all ranks. */
static int add_up(app *a, deposit *d, const particles *p) {
  long double sums[4] = {d->weight, d->square, d->particles, d->strangers};
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
  d->weight = sums[0];
  d->square = sums[1];
  d->particles = (double)sums[2];
  d->strangers = (double)sums[3];
  if (d->outside != OUTSIDE_ERROR || !(d->strangers > 0)) return PFFT3D_OK;
  app_hint(&a->error, "--length is the side of the box; --outside wrap takes it as periodic");
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "'%.100s:%.100s': %.0f of %td particles lie outside the box from 0 to its length",
                  p->position->info.file, p->position->info.path, d->strangers, p->count);
}

int deposit_run(app *a, deposit *d, const pfft3d_plan *plan, const particles *p) {
  owners o = {.rank = NULL};
  mail m = {.most = 0};
  ptrdiff_t all = p->count, share = all / a->ranks + (all % a->ranks > 0);
  ptrdiff_t next = share * a->rank < all ? share * a->rank : all;
  ptrdiff_t end = next + share < all ? next + share : all;
  find_owners(a, d, plan, &o);
  make_mail(a, p, share, &m);
  for (ptrdiff_t done = 0; done < share && !a->error.status; done += m.most) {
    ptrdiff_t count = end - next < m.most ? end - next : m.most;
    if (read_round(a, d, p, &m, next, count)) break;
    exchange(a, d, &o, &m, find_places(d, &m, count));
    next += count;
  }
  free_owners(&o);
  free_mail(&m);
  return a->error.status ? a->error.status : add_up(a, d, p);
}
