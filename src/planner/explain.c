/* SPDX-License-Identifier: BSD-3-Clause
 * Dry runs: the geometries of ranks, and the largest of each figure. */
#include <string.h>

#include "line/line.h"
#include "planner/machine.h"
#include "planner/model.h"

static double larger(double a, double b) {
  return a > b ? a : b;
}

static void add_rank(const pf_geometry *o, pfft3d_explanation *x) {
  const pf_pipeline_geometry *w = &o->pipeline[PFFT3D_FORWARD];
  size_t sides = o->side_bytes[0] + o->side_bytes[1];
  x->messages = larger(x->messages, w->messages.messages);
  x->bytes = larger(x->bytes, w->messages.bytes);
  if (w->messages.messages && (x->bytes_min == 0 || w->messages.bytes_min < x->bytes_min))
    x->bytes_min = w->messages.bytes_min;
  x->bytes_max = larger(x->bytes_max, w->messages.bytes_max);
  x->user_bytes = larger(x->user_bytes, (double)o->user_bytes);
  x->work_bytes = larger(x->work_bytes, (double)o->work_bytes);
  if (sides) x->passes = larger(x->passes, w->traffic / (double)sides);
}

/* The largest part of all has rank 0. */
static void add_cost(const pfft3d_request *request, const pf_geometry *o, pfft3d_explanation *x) {
  pf_cost c = pf_model_pipeline(o, PFFT3D_FORWARD, &request->machine);
  x->seconds = c.seconds;
  x->pass_seconds = c.passes;
  x->exchange_seconds = c.exchanges;
}

static void add_coordinate(int c, int at[], int *count) {
  for (int i = 0; i < *count; i++)
    if (at[i] == c) return;
  at[(*count)++] = c;
}

/* Balanced splits have two lengths each: what a rank sends and holds depends only on which of them
 * it has along every axis.  So of all coordinates along a dimension of the grid it is enough to
 * look at those where the length along any axis changes.  Returns their number. */
static int corner_coordinates(const pf_geometry *o, int dim, int at[]) {
  int count = 0, parts = o->decision.grid[dim];
  add_coordinate(0, at, &count);
  add_coordinate(parts - 1, at, &count);
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) {
      int longer = (int)(o->layout[side].n[a] % parts); /* so many parts are longer than others */
      if (!longer) continue;
      add_coordinate(longer - 1, at, &count);
      add_coordinate(longer, at, &count);
    }
  return count;
}

enum { corners = 2 + 2 * 3 * 2 }; /* the ends, and both sides of each change */

/* The ranks at such coordinates of both dimensions. */
static int corner_ranks(const pf_geometry *o, int rank[corners * corners]) {
  int at[2][corners], count[2], ranks = 0;
  for (int dim = 0; dim < 2; dim++) count[dim] = corner_coordinates(o, dim, at[dim]);
  for (int i = 0; i < count[0]; i++)
    for (int j = 0; j < count[1]; j++) rank[ranks++] = at[0][i] * o->decision.grid[1] + at[1][j];
  return ranks;
}

int pf_geometry_busy(const pf_geometry *o) {
  int used[2] = {o->decision.grid[0], o->decision.grid[1]};
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) {
      const pf_layout *l = &o->layout[side];
      int dim = l->dim[a], parts = dim == PF_WHOLE ? 0 : pf_split_used(l->n[a], l->grid[dim]);
      if (dim != PF_WHOLE && parts < used[dim]) used[dim] = parts;
    }
  return used[0] * used[1];
}

/* Adds the ranks of all coordinates where a length changes. */
static void add_corners(const pfft3d_request *resolved, const pf_geometry *o, pfft3d_explanation *x,
                        pfft3d_error *e) {
  int rank[corners * corners], count = corner_ranks(o, rank);
  pf_geometry other;
  for (int i = 0; i < count; i++) {
    if (pf_geometry_make(resolved, o->ranks, rank[i], 0, &other, e)) return;
    add_rank(&other, x);
  }
}

/* Ranks speak for nodes, which are at all places of the grid: all of them while they are not too
 * many, else the nodes around all changes of a length. */
static void add_nodes(const pfft3d_request *resolved, const pf_geometry *o, pfft3d_explanation *x,
                      pfft3d_error *e) {
  enum { few = 1 << 18 };
  int nodes = (o->ranks - 1) / o->node_ranks + 1;
  int rank[corners * corners], count = corner_ranks(o, rank);
  pf_geometry other;
  for (int node = 0; node < nodes; node++) {
    int first = node * o->node_ranks, there = (double)o->ranks * nodes <= few || node >= nodes - 2;
    for (int i = 0; i < count && !there; i++)
      there = rank[i] / o->node_ranks - node <= 1 && node - rank[i] / o->node_ranks <= 1;
    if (!there) continue;
    for (int k = 0; k < o->node_ranks && k < o->ranks - first; k++) {
      if (pf_geometry_make(resolved, o->ranks, first + k, 0, &other, e)) return;
      add_rank(&other, x);
    }
  }
}

/* Of a request that is one. */
static void explain(const pfft3d_request *request, int ranks, pfft3d_explanation *x,
                    pfft3d_error *e) {
  pf_geometry o;
  pfft3d_request resolved = *request;
  pf_machine_resolve(&resolved);
  x->machine = resolved.machine;
  x->machine.node_ranks = resolved.node_ranks;
  if (pf_is_line(request)) {
    pf_line_explain(&resolved, ranks, x, e);
    return;
  }
  if (pf_geometry_make(&resolved, ranks, 0, resolved.node_ranks >= ranks, &o, e)) return;
  resolved.decision = o.decision;
  add_cost(&resolved, &o, x);
  memcpy(x->reason, o.reason, sizeof x->reason);
  (o.exchange->place == PF_PLACE_NODES ? add_nodes : add_corners)(&resolved, &o, x, e);
  x->decision = o.decision;
  x->wire = pf_geometry_wire_precision(&o);
  x->idle_ranks = ranks - pf_geometry_busy(&o);
  x->exchanges = ranks > 1 ? o.pipeline[PFFT3D_FORWARD].route.steps - 1 : 0;
}

int pfft3d_explain(const pfft3d_request *request, int ranks, pfft3d_explanation *x, size_t size,
                   pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_explanation found = {0};
  pf_error_clear(&e);
  pf_request_valid(request, &e);
  if (!x || !size) pf_fail(&e, PFFT3D_ERR_USAGE, "explanation: no room for it");
  if (!e.status && x) {
    explain(request, ranks, &found, &e);
    pf_struct_out(x, size, &found, sizeof found);
  }
  return pf_error_out(&e, error);
}

int pfft3d_explain_box(const pfft3d_request *request, int ranks, pfft3d_side side, int rank,
                       pfft3d_box *box) {
  pf_geometry o;
  pfft3d_error e;
  pf_error_clear(&e);
  if (pf_request_valid(request, &e)) return e.status;
  if (!box || rank < 0 || rank >= ranks || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM))
    return PFFT3D_ERR_USAGE;
  pfft3d_request resolved = *request;
  pf_machine_resolve(&resolved);
  if (pf_is_line(request)) {
    pf_line_choice c;
    if (!pf_line_choose(&resolved, ranks, &c, &e)) pf_line_box(&c.vector[side], rank, box);
    return e.status;
  }
  if (pf_geometry_make(&resolved, ranks, rank, resolved.node_ranks >= ranks, &o, &e))
    return e.status;
  *box = o.box[side];
  return PFFT3D_OK;
}
