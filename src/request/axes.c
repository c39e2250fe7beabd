/* SPDX-License-Identifier: BSD-3-Clause
 * Fields n0 x n1 x 1 as fields of two dimensions. */
#include "request/axes.h"

#include <string.h>

#include "request/boxes.h"
#include "request/check.h"
#include "request/text.h"

/* ---- requests ---- */

static int is_flat(const pfft3d_problem *p) {
  return (p->dims == 0 || p->dims == 3) && p->n[2] == 1 && p->n[0] > 1 && p->n[1] > 1;
}

/* Nonzero if the last axis leaves all numbers unchanged, and another axis is transformed. */
static int is_idle(const pfft3d_problem *p) {
  if (pf_kind_is_real(pf_problem_axis(p, 2)) || pf_problem_half_axis(p) == 2) return 0;
  return p->axis[0] != PFFT3D_NONE || p->axis[1] != PFFT3D_NONE;
}

/* Nonzero if a single axis is to be cut.  Pencils can have work for more ranks than slabs. */
static int cuts_slabs(const pfft3d_problem *p, const pfft3d_decision *d, int ranks) {
  if (d->grid[0] || d->grid[1]) return d->grid[0] == ranks && d->grid[1] == 1;
  if (!pf_name_open(d->scheme)) return !strcmp(d->scheme, "slab");
  return p->n[0] >= ranks && p->n[1] >= ranks;
}

static int is_plain(const pfft3d_array *a) {
  return !a->below[2] && !a->above[2] && a->every <= 1;
}

static int suits(const pfft3d_request *r, int ranks) {
  pfft3d_error unsaid = {0};
  const pfft3d_problem *p = &r->problem;
  if (!is_flat(p) || !is_idle(p) || !cuts_slabs(p, &r->decision, ranks)) return 0;
  if (r->deterministic)
    return 0; /* pencils are not permuted, and rows and columns round differently */
  if (r->padded && pf_problem_half(p)) return 0;
  if (pf_boxes_wanted(r, 0) || pf_boxes_wanted(r, 1) || pf_cut_wish_lists(&r->cuts)) return 0;
  if (!is_plain(&r->array[0]) || !is_plain(&r->array[1])) return 0;
  return !pf_request_check(r, ranks, &unsaid); /* its text would name the plan's axes */
}

/* The caller's axis of an axis of the plan. */
static const int caller[3] = {2, 0, 1};

static void permute(ptrdiff_t n[3]) {
  const ptrdiff_t old[3] = {n[0], n[1], n[2]};
  for (int a = 0; a < 3; a++) n[a] = old[caller[a]];
}

int pf_axes_request(pfft3d_request *r, int ranks) {
  if (!suits(r, ranks)) return 0;
  const pfft3d_problem old = r->problem;
  r->problem.dims = 2;
  permute(r->problem.n);
  permute(r->problem.keep);
  for (int a = 0; a < 3; a++) r->problem.axis[a] = old.axis[caller[a]];
  for (int side = 0; side < 2; side++) {
    permute(r->array[side].below);
    permute(r->array[side].above);
  }
  pf_axes_decision(1, &r->decision);
  if (pf_name_open(r->decision.scheme)) pf_name_set(r->decision.scheme, "slab");
  return 1;
}

/* ---- results in the caller's axes ---- */

void pf_axes_decision(int permuted, pfft3d_decision *d) {
  const int old[2] = {d->grid[0], d->grid[1]};
  for (int dim = 0; permuted && dim < 2; dim++) d->grid[dim] = old[!dim];
}

void pf_axes_sizes_back(int permuted, ptrdiff_t n[3]) {
  const ptrdiff_t old[3] = {n[0], n[1], n[2]};
  for (int a = 0; permuted && a < 3; a++) n[caller[a]] = old[a];
}

void pf_axes_box_back(int permuted, pfft3d_box *box) {
  if (!permuted) return;
  pf_axes_sizes_back(1, box->lo);
  pf_axes_sizes_back(1, box->len);
  pf_axes_sizes_back(1, box->stride);
  box->stride[2] = 1; /* rows of one element */
}

int pf_axes_axis_back(int permuted, int axis) {
  return permuted ? caller[axis] : axis;
}

void pf_axes_digits_back(int permuted, char *axes) {
  for (; permuted && *axes; axes++) *axes = (char)('0' + caller[*axes - '0']);
}

pfft3d_problem pf_axes_problem_back(int permuted, const pfft3d_problem *p) {
  pfft3d_problem back = *p;
  if (!permuted) return back;
  back.dims = 3;
  pf_axes_sizes_back(1, back.n);
  pf_axes_sizes_back(1, back.keep);
  for (int a = 0; a < 3; a++) back.axis[caller[a]] = p->axis[a];
  return back;
}
