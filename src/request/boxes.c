/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes of the caller: checks, and the boxes of all ranks. */
#include "request/boxes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "layout/cuts.h"
#include "layout/layout.h"
#include "request/tiles.h"

static const char *const side_name[2] = {"field", "spectrum"};

/* ---- one box ---- */

ptrdiff_t pf_box_span(const pfft3d_box *box) {
  ptrdiff_t last = 0;
  for (int a = 0; a < 3; a++) last += (box->len[a] - 1) * box->stride[a];
  return pf_box_elements(box) ? last + 1 : 0;
}

size_t pf_box_bytes(const pfft3d_problem *p, pfft3d_side side, const pfft3d_box *box) {
  ptrdiff_t more = p->batch > 1 ? p->batch - 1 : 0;
  if (!pf_box_elements(box)) return 0;
  return (size_t)(box->offset + more * box->distance + pf_box_span(box)) *
         pfft3d_element_bytes(p, side);
}

pf_part pf_box_part(const pfft3d_problem *p, pfft3d_side side, const pfft3d_box *box) {
  ptrdiff_t bytes = (ptrdiff_t)pfft3d_element_bytes(p, side);
  pf_part part = {.len = {p->batch > 1 ? p->batch : 1}, .offset = box->offset * bytes};
  part.stride[0] = box->distance * bytes;
  for (int a = 0; a < 3; a++) {
    part.lo[1 + a] = box->lo[a];
    part.len[1 + a] = box->len[a];
    part.stride[1 + a] = box->stride[a] * bytes;
  }
  return part;
}

int pf_box_fits(const pfft3d_problem *p, const pfft3d_box *mine, const pfft3d_box *planned) {
  int same = mine->offset == planned->offset;
  if (!pf_box_elements(mine) && !pf_box_elements(planned)) return 1;
  for (int a = 0; a < 3; a++)
    same = same && mine->lo[a] == planned->lo[a] && mine->len[a] == planned->len[a] &&
           (mine->len[a] == 1 || mine->stride[a] == planned->stride[a]);
  return same && (p->batch <= 1 || !mine->distance || mine->distance == planned->distance);
}

/* ---- requests ---- */

int pf_boxes_wanted(const pfft3d_request *r, int side) {
  return r->boxed[side] || r->bricks[0];
}

/* A box without strides gets the strides of an array in C order. */
static pfft3d_box with_strides(pfft3d_box box) {
  ptrdiff_t stride = 1;
  if (box.stride[0] || box.stride[1] || box.stride[2]) return box;
  for (int a = 2; a >= 0; a--) {
    box.stride[a] = stride;
    stride = (ptrdiff_t)((size_t)stride * (size_t)box.len[a]); /* overflow is checked later */
  }
  return box;
}

int pf_array_countable(ptrdiff_t offset, int axes, const ptrdiff_t len[], const ptrdiff_t stride[],
                       ptrdiff_t element) {
  ptrdiff_t sum = offset, more;
  if (offset < 0 && __builtin_sub_overflow((ptrdiff_t)0, offset, &sum)) return 0;
  for (int a = 0; a < axes; a++)
    if (__builtin_mul_overflow(len[a] ? len[a] : 1, stride[a], &more) ||
        __builtin_add_overflow(sum, more, &sum))
      return 0;
  return !__builtin_mul_overflow(sum, element, &more);
}

/* Counts all fields of a batch, with the largest elements of any type, 16 bytes. */
static int is_countable(const pfft3d_problem *p, const pfft3d_box *box) {
  ptrdiff_t len[] = {box->len[0], box->len[1], box->len[2], p->batch}, all;
  ptrdiff_t stride[] = {box->stride[0], box->stride[1], box->stride[2], box->distance};
  return !__builtin_mul_overflow((ptrdiff_t)16, p->batch > 1 ? p->batch : 1, &all) &&
         pf_array_countable(box->offset, 4, len, stride, all);
}

/* Checks the box of this rank on a side. */
static int check_box(const pfft3d_request *r, int side, pfft3d_error *e) {
  const pfft3d_box *given = &r->box[side], box = with_strides(*given);
  ptrdiff_t n[3];
  pfft3d_problem_extents(&r->problem, (pfft3d_side)side, n);
  for (int a = 0; a < 3; a++) {
    PF_CHECK(
        box.len[a] >= 0 && box.lo[a] >= 0 && box.len[a] <= n[a] && box.lo[a] <= n[a] - box.len[a],
        e, PFFT3D_ERR_USAGE, "box of the %s: %td indices from %td on along axis %d, which has %td",
        side_name[side], box.len[a], box.lo[a], a, n[a]);
    PF_CHECK(box.stride[a] >= 0 && (box.stride[a] || box.len[a] <= 1 || !pf_box_elements(&box)), e,
             PFFT3D_ERR_USAGE,
             "box of the %s: stride %td of axis %d with %td indices: must be 1 or more",
             side_name[side], box.stride[a], a, box.len[a]);
  }
  PF_CHECK(box.offset >= 0 && box.distance >= 0, e, PFFT3D_ERR_USAGE,
           "box of the %s: offset %td and distance %td: must be 0 or more", side_name[side],
           box.offset, box.distance);
  PF_CHECK(is_countable(&r->problem, &box), e, PFFT3D_ERR_USAGE,
           "box of the %s: an array of more bytes than 64 bits can count", side_name[side]);
  return PFFT3D_OK;
}

int pf_boxes_check(const pfft3d_request *r, int ranks, pfft3d_error *e) {
  static const pfft3d_array plain;
  const int *bricks = r->bricks;
  double count = (double)bricks[0] * bricks[1] * bricks[2];
  if (!pf_boxes_wanted(r, 0) && !pf_boxes_wanted(r, 1)) return PFFT3D_OK;
  PF_CHECK(!pf_is_line(r), e, PFFT3D_ERR_UNAVAILABLE,
           "boxes: one dimension is distributed as layout and out-layout say; a field 1x1xN takes "
           "boxes");
  PF_CHECK(!bricks[0] || (!r->boxed[0] && !r->boxed[1]), e, PFFT3D_ERR_USAGE,
           "bricks and boxes: both say where the %s lies", side_name[!r->boxed[0]]);
  PF_CHECK(count <= ranks, e, PFFT3D_ERR_USAGE, "bricks %dx%dx%d: need %.0f ranks, there are %d",
           bricks[0], bricks[1], bricks[2], count, ranks);
  for (int side = 0; side < 2; side++) {
    if (!pf_boxes_wanted(r, side)) continue;
    PF_CHECK(!memcmp(&r->array[side], &plain, sizeof plain), e, PFFT3D_ERR_USAGE,
             "array of the %s: it has a box, whose strides say where elements lie",
             side_name[side]);
    PF_CHECK(side || !r->padded, e, PFFT3D_ERR_USAGE,
             "padded: the field has a box, whose strides say where elements lie");
    if (r->boxed[side]) PF_TRY(check_box(r, side, e));
  }
  return PFFT3D_OK;
}

/* ---- the boxes of ranks ---- */

/* The brick of a rank: balanced parts of all axes. */
static pfft3d_box brick_of(const pfft3d_request *r, int side, int rank) {
  const int *bricks = r->bricks;
  const int at[3] = {rank / bricks[2] / bricks[1], rank / bricks[2] % bricks[1], rank % bricks[2]};
  pfft3d_box box = {.offset = 0};
  ptrdiff_t n[3];
  pfft3d_problem_extents(&r->problem, (pfft3d_side)side, n);
  for (int a = 0; a < 3; a++) {
    pf_range part = at[0] < bricks[0] ? pf_split(n[a], bricks[a], at[a]) : (pf_range){n[a], 0};
    box.lo[a] = part.lo;
    box.len[a] = part.len;
  }
  return with_strides(box);
}

static int allocate(const pfft3d_request *r, int ranks, pf_boxes *b, pfft3d_error *e) {
  *b = (pf_boxes){.ranks = ranks};
  for (int side = 0; side < 2; side++) {
    if (!pf_boxes_wanted(r, side)) continue;
    b->box[side] = malloc((size_t)ranks * sizeof *b->box[side]);
    if (!b->box[side]) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d boxes", ranks);
  }
  return PFFT3D_OK;
}

int pf_boxes_dry(const pfft3d_request *r, int ranks, pf_boxes *b, pfft3d_error *e) {
  *b = (pf_boxes){.ranks = ranks};
  PF_TRY(pf_boxes_check(r, ranks, e));
  PF_CHECK(!r->boxed[0] && !r->boxed[1], e, PFFT3D_ERR_USAGE,
           "boxes: a dry run does not know those of other ranks; it takes bricks");
  PF_TRY(allocate(r, ranks, b, e));
  for (int side = 0; side < 2; side++)
    for (int k = 0; b->box[side] && k < ranks; k++) b->box[side][k] = brick_of(r, side, k);
  return PFFT3D_OK;
}

/* Checks that the boxes of a side tile its array. */
static int check_tiles(MPI_Comm comm, const pfft3d_request *r, const pf_boxes *b, int side,
                       pfft3d_error *e) {
  static const char *const what[2] = {"boxes of the field", "boxes of the spectrum"};
  ptrdiff_t n[PF_AXES] = {1, 1, 1, 1};
  const pf_tiling t = {n, what[side], ""};
  pf_parts all;
  int rank;
  MPI_Comm_rank(comm, &rank);
  pf_part mine = pf_box_part(&r->problem, (pfft3d_side)side, &b->box[side][rank]);
  mine.len[0] = 1; /* the same box in all fields of a batch */
  pfft3d_problem_extents(&r->problem, (pfft3d_side)side, n + 1);
  if (!pf_parts_gather(comm, &mine, 1, &all, e)) pf_parts_check(comm, &all, &t, e);
  pf_parts_free(&all);
  return e->status;
}

int pf_boxes_gather(MPI_Comm comm, const pfft3d_request *r, pf_boxes *b, pfft3d_error *e) {
  int rank, ranks;
  *b = (pf_boxes){.ranks = 0};
  if (!pf_boxes_wanted(r, 0) && !pf_boxes_wanted(r, 1)) return PFFT3D_OK;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (!e->status) allocate(r, ranks, b, e);
  PF_TRY(pf_agree(comm, e));
  for (int side = 0; side < 2 && !e->status; side++) {
    pfft3d_box *all = b->box[side];
    int bytes = (int)sizeof *all;
    if (!all) continue;
    all[rank] = r->boxed[side] ? with_strides(r->box[side]) : brick_of(r, side, rank);
    pf_mpi(e, MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, bytes, MPI_BYTE, comm),
           "MPI_Allgather");
    if (!pf_agree(comm, e)) check_tiles(comm, r, b, side, e);
  }
  return e->status;
}

int pf_boxes_order(pf_boxes *b, const int *order, pfft3d_error *e) {
  for (int side = 0; side < 2 && order; side++) {
    pfft3d_box *from = b->box[side], *to;
    if (!from) continue;
    to = malloc((size_t)b->ranks * sizeof *to);
    if (!to) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d boxes", b->ranks);
    for (int k = 0; k < b->ranks; k++) to[order[k]] = from[k];
    free(from);
    b->box[side] = to;
  }
  return PFFT3D_OK;
}

void pf_boxes_free(pf_boxes *b) {
  for (int side = 0; side < 2; side++) free(b->box[side]);
  *b = (pf_boxes){.ranks = 0};
}

unsigned long long pf_boxes_hash(const pf_boxes *b) {
  unsigned long long hash = pf_hash(PF_HASH_START, &b->ranks, sizeof b->ranks);
  for (int side = 0; side < 2; side++)
    if (b->box[side]) {
      hash = pf_hash(hash, &side, sizeof side);
      hash = pf_hash(hash, b->box[side], (size_t)b->ranks * sizeof *b->box[side]);
    }
  return hash;
}
