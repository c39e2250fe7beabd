/* SPDX-License-Identifier: BSD-3-Clause
 * Dry runs: the maximum of each figure over the geometries of ranks. */
#include "planner/planner.h"

static double larger(double a, double b) {
  return a > b ? a : b;
}

static void add_rank(const pf_geometry *g, pfft3d_explanation *x) {
  const pf_pipeline_geometry *w = &g->pipeline[PFFT3D_FORWARD];
  size_t sides = g->side_bytes[0] + g->side_bytes[1];
  x->messages = larger(x->messages, w->messages.messages);
  x->bytes = larger(x->bytes, w->messages.bytes);
  if (w->messages.messages && (x->bytes_min == 0 || w->messages.bytes_min < x->bytes_min))
    x->bytes_min = w->messages.bytes_min;
  x->bytes_max = larger(x->bytes_max, w->messages.bytes_max);
  x->user_bytes = larger(x->user_bytes, (double)g->user_bytes);
  x->work_bytes = larger(x->work_bytes, (double)g->work_bytes);
  if (sides) x->passes = larger(x->passes, w->traffic / (double)sides);
}

/* Rank 0 has the largest part. */
static void add_cost(const pfft3d_request *request, const pf_geometry *g, pfft3d_explanation *x) {
  pf_cost c = pf_model_pipeline(g, PFFT3D_FORWARD, &request->machine);
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
 * it has along every axis.  Therefore the coordinates where the length along any axis changes
 * suffice for a dimension of the grid.  Returns their number. */
static int corner_coordinates(const pf_geometry *g, int dim, int at[]) {
  int count = 0, parts = g->decision.names.grid[dim];
  add_coordinate(0, at, &count);
  add_coordinate(parts - 1, at, &count);
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) {
      int longer = (int)(g->layout[side].n[a] % parts); /* number of longer parts */
      if (!longer) continue;
      add_coordinate(longer - 1, at, &count);
      add_coordinate(longer, at, &count);
    }
  return count;
}

enum { corners = 2 + 2 * 3 * 2 }; /* the ends, and both sides of each change */

/* The ranks at these coordinates of both dimensions. */
static int corner_ranks(const pf_geometry *g, int rank[corners * corners]) {
  int at[2][corners], count[2], ranks = 0;
  for (int dim = 0; dim < 2; dim++) count[dim] = corner_coordinates(g, dim, at[dim]);
  for (int i = 0; i < count[0]; i++)
    for (int j = 0; j < count[1]; j++)
      rank[ranks++] = at[0][i] * g->decision.names.grid[1] + at[1][j];
  return ranks;
}

/* Adds the ranks of all coordinates where a length changes. */
static void add_corners(const pf_geometry *g, pfft3d_explanation *x, pfft3d_error *e) {
  int rank[corners * corners], count = corner_ranks(g, rank);
  pf_geometry other;
  for (int i = 0; i < count; i++) {
    if (pf_geometry_make(&g->decision, g->ranks, rank[i], &other, e)) return;
    add_rank(&other, x);
  }
}

/* Adds ranks that send for their nodes, which may be anywhere on the grid: all ranks unless there
 * are too many, else those of the nodes around each change of a length. */
static void add_nodes(const pf_geometry *g, pfft3d_explanation *x, pfft3d_error *e) {
  enum { few = 1 << 18 };
  int each = g->memory.node_ranks, nodes = (g->ranks - 1) / each + 1;
  int rank[corners * corners], count = corner_ranks(g, rank);
  pf_geometry other;
  for (int node = 0; node < nodes; node++) {
    int first = node * each, there = (double)g->ranks * nodes <= few || node >= nodes - 2;
    for (int i = 0; i < count && !there; i++)
      there = rank[i] / each - node <= 1 && node - rank[i] / each <= 1;
    if (!there) continue;
    for (int k = 0; k < each && k < g->ranks - first; k++) {
      if (pf_geometry_make(&g->decision, g->ranks, first + k, &other, e)) return;
      add_rank(&other, x);
    }
  }
}

static int by_node(const pf_geometry *g) {
  return g->memory.sequence[PFFT3D_FORWARD].count &&
         pf_exchange_terms_of(&g->memory, PFFT3D_FORWARD, 0).by_node;
}

static int explain_field(const pf_resolved *r, int ranks, pfft3d_explanation *x, pfft3d_error *e) {
  pf_geometry g;
  PF_TRY(pf_geometry_make(&r->field, ranks, 0, &g, e));
  add_cost(&r->request, &g, x);
  (by_node(&g) ? add_nodes : add_corners)(&g, x, e);
  x->decision = r->request.decision;
  x->wire = pf_geometry_wire_precision(&g);
  x->idle_ranks = ranks - pf_geometry_busy(&g);
  x->exchanges = g.pipeline[PFFT3D_FORWARD].crossings;
  return e->status;
}

int pfft3d_explain(const pfft3d_request *request, int ranks, pfft3d_explanation *x, size_t size,
                   pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_explanation found = {0};
  pf_resolved r;
  pf_error_clear(&e);
  pf_request_valid(request, &e);
  if (!x || !size) pf_fail(&e, PFFT3D_ERR_USAGE, "explanation: no room for it");
  if (e.status || !x) return pf_error_out(&e, error);
  if (!pf_dry_run(request, ranks, &r, found.reason, &e)) {
    found.machine = r.request.machine;
    found.machine.node_ranks = r.request.node_ranks;
    (pf_is_line(request) ? pf_line_explain : explain_field)(&r, ranks, &found, &e);
  }
  pf_struct_out(x, size, &found, sizeof found);
  return pf_error_out(&e, error);
}

int pfft3d_explain_box(const pfft3d_request *request, int ranks, pfft3d_side side, int rank,
                       pfft3d_box *box) {
  pf_resolved r;
  pf_geometry g;
  pfft3d_error e;
  char reason[PF_REASON];
  pf_error_clear(&e);
  if (pf_request_valid(request, &e)) return e.status;
  if (!box || rank < 0 || rank >= ranks || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM))
    return PFFT3D_ERR_USAGE;
  PF_TRY(pf_dry_run(request, ranks, &r, reason, &e));
  if (pf_is_line(request)) {
    pf_vector_box(&r.line.vector[side], rank, box);
    return PFFT3D_OK;
  }
  PF_TRY(pf_geometry_make(&r.field, ranks, rank, &g, &e));
  *box = g.box[side];
  return PFFT3D_OK;
}
