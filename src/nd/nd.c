/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of any number of dimensions: a list of plans, each of a view of the array in which the
 * axes of a group of neighbouring dimensions are axes of their own, and those before them, and
 * after them, are one axis, which is not transformed. */
#include "pfft3d_nd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "layout/cuts.h"
#include "request/problem.h"
#include "request/request.h"

enum { DIMS = 8, ARRAYS = 16 };

/* Neighbouring dimensions that are transformed together. */
typedef struct group {
  int first, count;
  int all; /* nonzero: by all ranks; else each rank has whole lines */
  pfft3d_plan *plan;
  int real[2]; /* by side: elements are real numbers */
} group;

struct pfft3d_nd {
  MPI_Comm comm;
  int dims, ranks, rank, groups;
  ptrdiff_t n[2][DIMS]; /* by side */
  pfft3d_axis_kind kind[DIMS];
  int half;          /* the dimension of half a spectrum; -1: none */
  group group[DIMS]; /* in the order of forward transforms */
  size_t part;       /* bytes of a real number */
  size_t bytes;
  void *work; /* an array, for transforms that cannot be in place */
  void *array[ARRAYS];
  int arrays;
};

/* ---- Groups ------------------------------------------------------------------------------- */

static ptrdiff_t product(const ptrdiff_t *n, int from, int to) {
  ptrdiff_t all = 1;
  for (int k = from; k < to; k++) all *= n[k];
  return all;
}

/* The dimension of half a spectrum: as given, else the last one with a dft. */
static int find_half(pfft3d_nd *d, int given, pfft3d_error *e) {
  int any_real = 0, long_dft = 0;
  d->half = -1;
  for (int k = 0; k < d->dims; k++) {
    any_real |= pf_kind_is_real(d->kind[k]);
    long_dft |= d->kind[k] == PFFT3D_DFT && d->n[0][k] > 1;
    if (d->kind[k] == PFFT3D_DFT) d->half = k;
  }
  if (any_real && !long_dft) { /* real numbers on both sides */
    for (int k = 0; k < d->dims; k++)
      if (d->kind[k] == PFFT3D_DFT) d->kind[k] = PFFT3D_NONE;
    d->half = -1;
  }
  if (!given || d->half < 0) return PFFT3D_OK;
  PF_CHECK(given > 0 && given <= d->dims && d->kind[given - 1] == PFFT3D_DFT, e, PFFT3D_ERR_USAGE,
           "half of a spectrum along axis %d: it has no dft", given - 1);
  d->half = given - 1;
  return PFFT3D_OK;
}

/* Divides the dimensions into groups, so that a group has its dimension of half a spectrum last;
 * the group with that dimension is the first one. */
static void divide(pfft3d_nd *d) {
  /* with a cosine or sine transform in its group, the spectrum would be real */
  int alone = d->half >= 0 && d->n[0][d->half] == 1 ? d->half : -1;
  for (int k = 0, last; k < d->dims; k = last + 1) {
    int most = d->dims - k <= 3 ? 3 : 2;
    last = k;
    if (d->kind[k] == PFFT3D_NONE) continue;
    for (int b = k; b < k + most && b < d->dims && last != d->half; b++) {
      if (b == alone && b > k) break;
      if (d->kind[b] != PFFT3D_NONE) last = b;
    }
    d->group[d->groups++] =
        (group){.first = k, .count = last - k + 1, .all = k == 0 && d->n[0][0] > 1, .real = {0, 0}};
    if (k > d->half || d->half > last || d->groups == 1) continue;
    group half = d->group[d->groups - 1];
    memmove(d->group + 1, d->group, (size_t)(d->groups - 1) * sizeof half);
    d->group[0] = half;
  }
}

/* ---- Plans -------------------------------------------------------------------------------- */

/* The indices of dimension 0 that a rank has on a side: as the plan of all ranks has them. */
static pf_range rows_of(const pfft3d_nd *d, int side, int rank) {
  pfft3d_problem p;
  pfft3d_box box;
  for (int k = 0; k < d->groups; k++) {
    if (!d->group[k].all) continue;
    pfft3d_plan_problem(d->group[k].plan, &p);
    pfft3d_plan_box(d->group[k].plan, (pfft3d_side)side, rank, &box);
    return (pf_range){box.lo[3 - p.dims], box.len[3 - p.dims]};
  }
  return pf_split(d->n[side][0], d->ranks, rank);
}

/* The lengths that this rank has of a side. */
static void mine(const pfft3d_nd *d, int side, ptrdiff_t n[DIMS]) {
  memcpy(n, d->n[side], sizeof d->n[side]);
  n[0] = rows_of(d, side, d->rank).len;
}

/* The problem of a group, where the array has the lengths n; those of this rank, unless it is one
 * of all ranks. */
static pfft3d_problem problem_of(const pfft3d_nd *d, const group *g, const ptrdiff_t n[DIMS],
                                 const pfft3d_problem *wish) {
  ptrdiff_t before = product(n, 0, g->first), after = product(n, g->first + g->count, d->dims);
  pfft3d_problem p = {.kind = g->real[PFFT3D_SPACE] ? PFFT3D_R2C : PFFT3D_C2C,
                      .precision = wish->precision,
                      .sign = g->real[PFFT3D_SPACE] ? 0 : wish->sign,
                      .batch = 1};
  /* one dimension alone has no sign +1: then a second one, of one point */
  int has_before = before > 1, axis = 3;
  int has_after = after > 1 || (g->all && g->count == 1 && p.sign > 0);
  p.dims = g->all ? g->count + has_after : 3;
  if (has_before && g->count + has_after == 3) p.batch = before;
  for (int a = 0; a < 3; a++) p.n[a] = 1;
  if (has_after) {
    p.axis[--axis] = PFFT3D_NONE;
    p.n[axis] = after;
  }
  for (int k = g->first + g->count; k-- > g->first;) {
    p.axis[--axis] = d->kind[k];
    p.n[axis] = n[k];
  }
  if (has_before && p.batch == 1) {
    p.axis[--axis] = PFFT3D_NONE;
    p.n[axis] = before;
  }
  return p;
}

/* Makes the plan of group k, after that of all ranks.  Only the first group changes the lengths. */
static int make_plan(pfft3d_nd *d, int k, const pfft3d_request *wish, pfft3d_error *e) {
  pfft3d_request *r = NULL;
  group *g = &d->group[k];
  ptrdiff_t n[DIMS];
  if (g->all)
    memcpy(n, d->n[k > 0], sizeof n);
  else
    mine(d, k > 0, n);
  if (n[0] == 0) return PFFT3D_OK; /* this rank has nothing */
  PF_TRY(pfft3d_request_copy(wish, &r, e));
  r->problem = problem_of(d, g, n, &wish->problem);
  snprintf(r->decision.scheme, sizeof r->decision.scheme, r->problem.dims > 1 ? "slab" : "auto");
  memset(r->decision.grid, 0, sizeof r->decision.grid);
  if (!g->all) snprintf(r->decision.algo, sizeof r->decision.algo, "auto");
  if (r->problem.batch > 1) /* in C order on both sides */
    for (int side = 0; side < 2; side++) {
      ptrdiff_t sides[3];
      pfft3d_problem_extents(&r->problem, (pfft3d_side)side, sides);
      r->array[side].distance = sides[0] * sides[1] * sides[2];
    }
  if (k > 0) pfft3d_request_scales(r, 1, 1, NULL);
  pfft3d_plan_create(g->all ? d->comm : MPI_COMM_SELF, r, &g->plan, e);
  pfft3d_request_destroy(&r);
  return e->status;
}

/* Collective. Makes all plans; agreed. */
static int make_plans(pfft3d_nd *d, const pfft3d_request *wish, pfft3d_error *e) {
  int real = wish->problem.kind == PFFT3D_R2C;
  for (int k = 0; k < d->groups; k++) {
    d->group[k].real[PFFT3D_SPACE] = real;
    real = real && d->half < 0;
    d->group[k].real[PFFT3D_SPECTRUM] = real;
  }
  for (int all = 1; all >= 0; all--)
    for (int k = 0; k < d->groups && !e->status; k++)
      if (d->group[k].all == all) make_plan(d, k, wish, e);
  return pf_agree(d->comm, e);
}

/* Bytes of this rank's array of a side. */
static int side_bytes(const pfft3d_nd *d, int side, size_t *bytes, pfft3d_error *e) {
  const group *g = &d->group[side ? d->groups - 1 : 0];
  ptrdiff_t n[DIMS];
  mine(d, side, n);
  *bytes = d->part * (g->real[side] ? 1 : 2);
  for (int k = 0; k < d->dims; k++)
    PF_CHECK(!pf_mul(*bytes, (size_t)n[k], bytes) && *bytes < PTRDIFF_MAX, e, PFFT3D_ERR_USAGE,
             "an array of %d dimensions: its size overflows", d->dims);
  return PFFT3D_OK;
}

/* ---- Creation ----------------------------------------------------------------------------- */

static int check_wish(const pfft3d_request *r, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  static const pfft3d_array none;
  const char *wrong = p->batch > 1                                            ? "a batch"
                      : p->keep[0] || p->keep[1] || p->keep[2] || r->share.of ? "kept modes"
                      : r->boxed[0] || r->boxed[1] || r->bricks[0]            ? "boxes"
                      : pf_cut_wish_any(&r->cuts)                             ? "cuts"
                      : r->padded || memcmp(&r->array[0], &none, sizeof none) != 0 ||
                              memcmp(&r->array[1], &none, sizeof none) != 0
                          ? "arrays of the caller"
                      : r->layout[0] != PFFT3D_BLOCK || r->layout[1] != PFFT3D_BLOCK ||
                              r->decision.order != PFFT3D_NATURAL
                          ? "other layouts than natural blocks"
                          : NULL;
  PF_CHECK(!wrong, e, PFFT3D_ERR_USAGE, "an array of any dimensions: not with %s", wrong);
  return PFFT3D_OK;
}

static int check_spec(pfft3d_nd *d, const pfft3d_request *wish, const pfft3d_nd_spec *spec,
                      pfft3d_error *e) {
  int count = 1;
  size_t all = 2 * sizeof(double);
  PF_CHECK(spec->dims >= 1 && spec->dims <= DIMS, e, PFFT3D_ERR_USAGE,
           "an array of %d dimensions: it can have 1 to %d", spec->dims, DIMS);
  PF_TRY(check_wish(wish, e));
  d->dims = spec->dims;
  d->kind[0] = PFFT3D_DFT;
  if (spec->kind) PF_TRY(pf_kinds_list(spec->kind, DIMS, d->kind, &count, e));
  PF_CHECK(count == 1 || count == d->dims, e, PFFT3D_ERR_USAGE,
           "kind '%.60s': must be one for all axes, or %d", spec->kind, d->dims);
  for (int k = 0; k < d->dims; k++) {
    if (count == 1) d->kind[k] = d->kind[0];
    PF_CHECK(spec->n[k] >= 1, e, PFFT3D_ERR_USAGE, "size %td along axis %d: must be at least 1",
             spec->n[k], k);
    PF_CHECK(!pf_mul(all, (size_t)spec->n[k], &all) && all < PTRDIFF_MAX, e, PFFT3D_ERR_USAGE,
             "an array of %d dimensions: its size overflows", d->dims);
    d->n[0][k] = d->n[1][k] = spec->n[k];
  }
  d->part = wish->problem.precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double);
  d->half = -1;
  if (wish->problem.kind == PFFT3D_R2C) PF_TRY(find_half(d, spec->half, e));
  if (d->half >= 0) d->n[1][d->half] = d->n[0][d->half] / 2 + 1;
  divide(d);
  PF_CHECK(d->groups, e, PFFT3D_ERR_USAGE, "kind '%.60s': no axis is transformed", spec->kind);
  return PFFT3D_OK;
}

/* Collective. */
static int create(MPI_Comm comm, const pfft3d_request *wish, const pfft3d_nd_spec *spec,
                  pfft3d_nd *d, pfft3d_error *e) {
  size_t bytes[2];
  if (!d) pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory for a plan");
  if (!e->status) check_spec(d, wish, spec, e);
  PF_TRY(pf_agree(comm, e));
  PF_TRY(pf_mpi(e, MPI_Comm_dup(comm, &d->comm), "MPI_Comm_dup"));
  pf_errors_return(d->comm);
  MPI_Comm_size(comm, &d->ranks);
  MPI_Comm_rank(comm, &d->rank);
  PF_TRY(make_plans(d, wish, e));
  for (int side = 0; side < 2 && !e->status; side++) side_bytes(d, side, &bytes[side], e);
  PF_TRY(pf_agree(comm, e));
  d->bytes = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  if (d->bytes == 0) d->bytes = d->part;
  const group *last = &d->group[d->groups - 1];
  int changes = d->group[0].real[0] != last->real[1];
  return changes ? pfft3d_nd_alloc(d, &d->work, e) : PFFT3D_OK;
}

int pfft3d_nd_create(MPI_Comm comm, const pfft3d_request *request, const pfft3d_nd_spec *spec,
                     size_t size, pfft3d_nd **nd, pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_nd_spec known;
  pf_error_clear(&e);
  if (nd) *nd = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (!nd)
    pf_fail(&e, PFFT3D_ERR_USAGE, "cannot transform an array: no address for its plans (NULL)");
  if (!e.status) pf_request_valid(request, &e);
  if (!e.status) pf_struct_in(&known, sizeof known, spec, size, "transform an array", &e);
  pfft3d_nd *d = calloc(1, sizeof *d);
  if (d) d->comm = MPI_COMM_NULL;
  if (create(comm, request, &known, d, &e))
    pfft3d_nd_destroy(&d);
  else if (nd)
    *nd = d;
  return pf_error_out(&e, error);
}

void pfft3d_nd_destroy(pfft3d_nd **nd) {
  pfft3d_nd *d = nd ? *nd : NULL;
  if (!d) return;
  for (int k = 0; k < d->arrays; k++) pf_free(d->array[k]);
  for (int k = 0; k < d->groups; k++) pfft3d_plan_destroy(&d->group[k].plan);
  pf_comm_free(&d->comm);
  free(d);
  *nd = NULL;
}

/* ---- Use ---------------------------------------------------------------------------------- */

int pfft3d_nd_extents(const pfft3d_nd *nd, pfft3d_side side, ptrdiff_t n[8], int *real) {
  if (!nd || !n || !real || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM))
    return PFFT3D_ERR_USAGE;
  memcpy(n, nd->n[side], sizeof nd->n[side]);
  *real = nd->group[side == PFFT3D_SPACE ? 0 : nd->groups - 1].real[side];
  return PFFT3D_OK;
}

int pfft3d_nd_block(const pfft3d_nd *nd, pfft3d_side side, int rank, pfft3d_block *block) {
  if (!nd || !block || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM) || rank < 0 ||
      rank >= nd->ranks)
    return PFFT3D_ERR_USAGE;
  pf_range rows = rows_of(nd, side, rank);
  memset(block, 0, sizeof *block);
  memcpy(block->len, nd->n[side], sizeof nd->n[side]);
  block->lo[0] = rows.lo;
  block->len[0] = rows.len;
  return PFFT3D_OK;
}

size_t pfft3d_nd_bytes(const pfft3d_nd *nd) {
  return nd ? nd->bytes : 0;
}

int pfft3d_nd_alloc(pfft3d_nd *nd, void **array, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (array) *array = NULL;
  if (!nd || !array) {
    pf_fail(&e, PFFT3D_ERR_USAGE, "cannot allocate an array: %s is NULL",
            nd ? "its address" : "nd");
    return pf_error_out(&e, error);
  }
  for (int k = 0; k < nd->groups; k++) /* no other group has larger arrays */
    if (nd->group[k].all) return pfft3d_alloc(nd->group[k].plan, array, error);
  *array = nd->arrays < ARRAYS ? pf_alloc(nd->bytes) : NULL;
  if (*array)
    nd->array[nd->arrays++] = *array;
  else
    pf_fail(&e, PFFT3D_ERR_MEMORY, "not enough memory for an array, or more than %d arrays",
            ARRAYS);
  pf_agree(nd->comm, &e);
  return pf_error_out(&e, error);
}

/* The steps of a direction go from `in` to `out`, or, where the type of the elements changes in the
 * last step, from `in` to the work array, in it, and from it to `out`. */
int pfft3d_nd_execute(pfft3d_nd *nd, pfft3d_direction direction, const void *in, void *out) {
  if (!nd || !in || !out) return PFFT3D_ERR_USAGE;
  int back = direction == PFFT3D_BACKWARD, status = PFFT3D_OK, last = nd->groups - 1;
  if (nd->work && in == out) {
    size_t bytes = 0;
    side_bytes(nd, back, &bytes, NULL);
    in = memcpy(nd->work, in, bytes);
  }
  for (int k = 0; k <= last; k++) {
    group *g = &nd->group[back ? last - k : k];
    void *to = back && nd->work && k < last ? nd->work : out;
    if (g->plan) {
      int code = pfft3d_execute(g->plan, direction, in, to);
      if (!status) status = code;
    }
    in = to;
  }
  return status;
}

pfft3d_plan *pfft3d_nd_step(const pfft3d_nd *nd, int index) {
  return nd && index >= 0 && index < nd->groups ? nd->group[index].plan : NULL;
}
