/* SPDX-License-Identifier: BSD-3-Clause
 * MPI-IO, and HDF5 on top of it, fail beyond 2 GiB per rank and call: a box is moved in rounds of
 * at most 1 GiB. */
#include "hdf5/rounds.h"

#include "base/hooks.h"

/* A thin box consists of many short runs in the file.  MPI-IO needs about 50 bytes for each: the
 * number of runs in a round is limited. */
enum { RUNS = 1 << 20 };

size_t pf_io_round_bytes(void) {
  return pf_hooks.round_bytes ? pf_hooks.round_bytes : (size_t)1 << 30;
}

int pf_io_box_of(int dims, const ptrdiff_t *n, const pfft3d_box *box, const pfft3d_block *block,
                 pf_io_box *out, pfft3d_error *e) {
  int first = pf_io_axes(dims) - dims;
  *out = (pf_io_box){.axes = pf_io_axes(dims)};
  PF_CHECK(box || block, e, PFFT3D_ERR_USAGE, "cannot move a box: it is NULL");
  if (!block && dims > 3)
    pf_hint(e, "pfft3d_dataset_read_block() and pfft3d_output_write_block() take any dimensions");
  PF_CHECK(block || dims <= 3, e, PFFT3D_ERR_USAGE,
           "cannot move a box of three dimensions of an array of %d", dims);
  for (int a = 0; a < out->axes; a++) {
    out->n[a] = n[a];
    out->lo[a] = !block ? box->lo[a] : a < first ? 0 : block->lo[a - first];
    out->len[a] = !block ? box->len[a] : a < first ? 1 : block->len[a - first];
  }
  return PFFT3D_OK;
}

static int is_empty(const pf_io_box *box) {
  int empty = 0;
  for (int a = 0; a < box->axes; a++) empty = empty || box->len[a] == 0;
  return empty;
}

int pf_io_check_box(const pf_io_box *box, const void *array, pfft3d_error *e) {
  for (int a = 0; a < box->axes; a++)
    PF_CHECK(box->lo[a] >= 0 && box->len[a] >= 0 && box->len[a] <= box->n[a] - box->lo[a], e,
             PFFT3D_ERR_USAGE, "the box exceeds the array: [%td, %td + %td) of %td along axis %d",
             box->lo[a], box->lo[a], box->len[a], box->n[a], a);
  if (is_empty(box)) return PFFT3D_OK;
  PF_CHECK(array, e, PFFT3D_ERR_USAGE, "cannot move a box: its array is NULL");
  return PFFT3D_OK;
}

pf_io_rounds pf_io_split_box(const pf_io_box *box, size_t element, size_t most) {
  pf_io_rounds r = {0, 1, 0, 0};
  size_t bytes = pf_io_round_bytes();
  if (is_empty(box)) return r;
  ptrdiff_t limit = (ptrdiff_t)((most < bytes ? most : bytes) / element), inner = 1, run = 1;
  int last = box->axes - 1, whole = 1;
  for (int a = last; a >= 1; a--) {
    inner *= box->len[a];
    if (whole) run = inner; /* contiguous in the file */
    whole = whole && box->len[a] == box->n[a];
  }
  if (run < limit / RUNS) limit = run * RUNS;
  for (; r.axis < last && inner > limit; r.axis++) inner /= box->len[r.axis + 1];
  if (limit > inner) r.step = limit / inner;
  r.count = r.per_axis = (box->len[r.axis] - 1) / r.step + 1;
  for (int a = 0; a < r.axis; a++) r.count *= box->len[a];
  return r;
}

pf_io_round pf_io_round_at(const pf_io_rounds *r, const pf_io_box *box, ptrdiff_t k) {
  pf_io_round p = {.count = 1};
  ptrdiff_t outer = k / r->per_axis, left;
  for (int a = 0; a < box->axes; a++) p.size[a] = box->len[a];
  for (int a = r->axis - 1; a >= 0; outer /= box->len[a], a--) {
    p.start[a] = outer % box->len[a];
    p.size[a] = 1;
  }
  p.start[r->axis] = k % r->per_axis * r->step;
  left = box->len[r->axis] - p.start[r->axis];
  p.size[r->axis] = left < r->step ? left : r->step;
  for (int a = 0; a < box->axes; a++) {
    p.offset = p.offset * box->len[a] + p.start[a];
    p.count *= p.size[a];
    p.start[a] += box->lo[a];
  }
  return p;
}
