/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes of the caller that differ from the boxes of a decomposition: sizes and messages, without
 * MPI. */
#include <stdlib.h>

#include "redist/boxed.h"
#include "geometry/field.h"

/* ---- boxes ---- */

int pf_boxed_fit(const pf_geometry *g, int side) {
  const pf_boxes *boxes = g->decision.boxes;
  if (!boxes || !boxes->box[side]) return 0;
  for (int k = 0; k < g->ranks; k++) {
    pfft3d_box planned;
    pf_field_box(g, (pfft3d_side)side, k, &planned);
    if (!pf_box_fits(&g->decision.problem, &boxes->box[side][k], &planned)) return 0;
  }
  return 1;
}

/* The caller's boxes of a side. Distances that are 0 are set: contiguous fields if they move, else
 * as in the plan. */
static pfft3d_box *copy_boxes(const pf_geometry *g, int side, int moves) {
  pfft3d_box *copy = malloc((size_t)g->ranks * sizeof *copy);
  for (int k = 0; k < g->ranks && copy; k++) {
    pfft3d_box planned;
    copy[k] = g->decision.boxes->box[side][k];
    if (copy[k].distance) continue;
    pf_field_box(g, (pfft3d_side)side, k, &planned);
    copy[k].distance = moves ? pf_box_span(&copy[k]) : planned.distance;
  }
  return copy;
}

/* Bytes of a rank's array of a side: of the caller, and of the plan. */
static size_t caller_bytes(const pf_geometry *g, const pf_boxed_geometry *b, int side, int rank) {
  if (!b->box[side]) return pf_field_array_bytes(g, (pfft3d_side)side, rank);
  return pf_box_bytes(&g->decision.problem, (pfft3d_side)side, &b->box[side][rank]);
}

/* Nonzero if an array of the caller contains only the elements of its box. */
static int is_dense(const pf_geometry *g, const pf_boxed_geometry *b, int side, int rank) {
  static const pfft3d_array plain;
  const pfft3d_problem *p = &g->decision.problem;
  size_t element = pfft3d_element_bytes(p, (pfft3d_side)side);
  if (!b->box[side]) {
    const pfft3d_array *a = &g->decision.array[side];
    for (int k = 0; k < 3; k++)
      if (a->below[k] || a->above[k]) return 0;
    return a->every == plain.every && a->distance == plain.distance;
  }
  const pfft3d_box *box = &b->box[side][rank];
  ptrdiff_t fields = p->batch > 1 ? p->batch : 1;
  return caller_bytes(g, b, side, rank) == (size_t)(fields * pf_box_elements(box)) * element;
}

/* Nonzero if the boxes that the plan stores in the caller's output of a direction fit into it. */
static int has_room(const pf_geometry *g, const pf_boxed_geometry *b, int direction, int rank) {
  int in = direction, out = !direction;
  size_t bytes = caller_bytes(g, b, out, rank);
  if (!is_dense(g, b, out, rank)) return 0;
  for (int side = 0; side < 2; side++)
    if ((side == in ? b->moves[in] : 1) && pf_field_array_bytes(g, (pfft3d_side)side, rank) > bytes)
      return 0;
  return 1;
}

int pf_boxed_geometry_make(const pf_geometry *g, pf_boxed_geometry *b, pfft3d_error *e) {
  const pf_boxes *boxes = g->decision.boxes;
  *b = (pf_boxed_geometry){.in_output = !g->decision.exchange->boxes};
  for (int side = 0; side < 2; side++) {
    if (!boxes || !boxes->box[side]) continue;
    b->moves[side] = !pf_boxed_fit(g, side);
    b->box[side] = copy_boxes(g, side, b->moves[side]);
    if (!b->box[side]) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d boxes", g->ranks);
  }
  for (int k = 0; k < g->ranks; k++)
    for (int side = 0; side < 2; side++) {
      size_t bytes = caller_bytes(g, b, side, k);
      if (bytes > b->shared_array) b->shared_array = bytes;
      b->in_output = b->in_output && has_room(g, b, side, k);
      if (k != g->rank) continue;
      b->side_bytes[side] = bytes;
      if (bytes > b->user_bytes) b->user_bytes = bytes;
    }
  if ((b->moves[0] || b->moves[1]) && !b->in_output) b->work_bytes = g->user_bytes;
  return PFFT3D_OK;
}

void pf_boxed_geometry_free(pf_boxed_geometry *b) {
  for (int side = 0; side < 2; side++) free(b->box[side]);
  *b = (pf_boxed_geometry){.moves = {0, 0}};
}

int pf_boxed_narrow(const pf_geometry *g) {
  int narrow = pf_geometry_wire_precision(g) != g->decision.problem.precision;
  return narrow && !g->decision.exchange->boxes;
}

/* ---- redistributions of a dry run ---- */

int pf_boxed_move_make(const pf_geometry *g, const pf_boxed_geometry *b, int side, pf_moves_dry *m,
                       pfft3d_error *e) {
  const pfft3d_problem *p = &g->decision.problem;
  PF_TRY(pf_moves_dry_open(g, 1, m, e));
  for (int k = 0; k < g->ranks; k++) {
    pfft3d_box planned;
    pf_field_box(g, (pfft3d_side)side, k, &planned);
    m->parts[0].part[k] = pf_box_part(p, (pfft3d_side)side, &b->box[side][k]);
    m->parts[1].part[k] = pf_box_part(p, (pfft3d_side)side, &planned);
  }
  int narrow = pf_boxed_narrow(g);
  size_t size = pfft3d_element_bytes(p, (pfft3d_side)side) / (narrow ? 2 : 1);
  return pf_moves_dry_measure(m, size, b->in_output || narrow, e);
}
