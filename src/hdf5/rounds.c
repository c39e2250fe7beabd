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

static int is_empty(const pfft3d_box *box) {
  return box->len[0] == 0 || box->len[1] == 0 || box->len[2] == 0;
}

int pf_io_check_box(const ptrdiff_t n[3], const pfft3d_box *box, const void *array,
                    pfft3d_error *e) {
  PF_CHECK(box, e, PFFT3D_ERR_USAGE, "cannot move a box: it is NULL");
  for (int a = 0; a < 3; a++)
    PF_CHECK(box->lo[a] >= 0 && box->len[a] >= 0 && box->len[a] <= n[a] - box->lo[a], e,
             PFFT3D_ERR_USAGE, "the box exceeds the array: [%td, %td + %td) of %td along axis %d",
             box->lo[a], box->lo[a], box->len[a], n[a], a);
  if (is_empty(box)) return PFFT3D_OK;
  PF_CHECK(array, e, PFFT3D_ERR_USAGE, "cannot move a box: its array is NULL");
  return PFFT3D_OK;
}

pf_io_rounds pf_io_split_box(const ptrdiff_t n[3], const pfft3d_box *box, size_t element,
                             size_t most) {
  pf_io_rounds r = {0, 1, 0, 0};
  size_t bytes = pf_io_round_bytes();
  if (is_empty(box)) return r;
  ptrdiff_t limit = (ptrdiff_t)((most < bytes ? most : bytes) / element);
  ptrdiff_t inner = box->len[1] * box->len[2];
  ptrdiff_t run = box->len[2] < n[2] ? box->len[2] : inner; /* contiguous in the file */
  if (run < limit / RUNS) limit = run * RUNS;
  for (; r.axis < 2 && inner > limit; r.axis++) inner /= box->len[r.axis + 1];
  if (limit > inner) r.step = limit / inner;
  r.count = r.per_axis = (box->len[r.axis] - 1) / r.step + 1;
  for (int a = 0; a < r.axis; a++) r.count *= box->len[a];
  return r;
}

pf_io_round pf_io_round_at(const pf_io_rounds *r, const pfft3d_box *box, ptrdiff_t k) {
  pf_io_round p = {.count = 1};
  ptrdiff_t outer = k / r->per_axis, left;
  for (int a = 0; a < 3; a++) {
    p.start[a] = 0;
    p.size[a] = box->len[a];
  }
  for (int a = r->axis - 1; a >= 0; outer /= box->len[a], a--) {
    p.start[a] = outer % box->len[a];
    p.size[a] = 1;
  }
  p.start[r->axis] = k % r->per_axis * r->step;
  left = box->len[r->axis] - p.start[r->axis];
  p.size[r->axis] = left < r->step ? left : r->step;
  for (int a = 0; a < 3; a++) {
    p.offset = p.offset * box->len[a] + p.start[a];
    p.count *= p.size[a];
    p.start[a] += box->lo[a];
  }
  return p;
}
