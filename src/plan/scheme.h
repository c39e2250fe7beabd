/* SPDX-License-Identifier: BSD-3-Clause
 * A scheme turns a problem into passes and exchanges in turn.  It is data: which axes each stage
 * transforms, and which axis each exchange cuts before and after.  It knows nothing of how an
 * exchange works.  To add one: write its file, add a line to scheme_list.h. */
#ifndef PF_PLAN_SCHEME_H
#define PF_PLAN_SCHEME_H

#include "base/status.h"
#include "exchange/memory.h"
#include "local/engine.h"

enum { PF_STAGES = PF_EXCHANGES + 1 }; /* of a direction, at most */

/* Planes along `outer`; in each, axis[k] is transformed, whose lines run along line[k] of the views
 * in tiles across tile[k], for k < axes.  With no axes the data is only moved, in rows along
 * line[0] across tile[0]. */
typedef struct pf_route_stage {
  int outer, axes;
  int axis[2], line[2], tile[2];
} pf_route_stage;

/* stage 0, exchange 0, stage 1, exchange 1, ...: always one stage more than exchanges. */
typedef struct pf_route {
  int stages;
  pf_route_stage stage[PF_STAGES];
  struct {
    int from, to; /* the axis that is cut before and after */
    int dim;      /* the dimension of the grid along which the ranks exchange */
  } exchange[PF_EXCHANGES];
} pf_route;

/* What the scheme of a plan has to respect. */
typedef struct pf_wish {
  pfft3d_order order;
  int anywhere; /* the last stage can write to the output of any rank */
  int early;    /* rows shall be done one after another, not all at the end of a plane */
  int fixed;    /* the same order of axes on every grid */
} pf_wish;

struct pf_geometry;
struct pf_pipeline;

typedef struct pf_scheme {
  const char *name, *summary;

  /* Local. The grid of ranks: fills in what is 0 in grid[].  Errors: USAGE when a grid that was
   * asked for cannot be. */
  int (*grid)(const pfft3d_request *r, int ranks, int grid[2], pfft3d_error *e);

  /* Local. How a side of a field is laid out on a grid. */
  void (*layout)(const pfft3d_problem *p, pfft3d_order order, const int grid[2], pfft3d_side side,
                 pf_layout *layout);

  /* Local. The stages and exchanges from the input layout of a direction to its output layout. */
  void (*route)(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                pfft3d_direction direction, pf_route *route);

  /* Local. Works out a geometry: boxes, routes, stages, and what exchanges carry.  Errors:
   * UNAVAILABLE. */
  int (*geometry)(struct pf_geometry *g, pfft3d_error *e);

  /* Local. The transform of lines along an axis in a direction. */
  pf_fft_spec (*fft)(const struct pf_geometry *g, pfft3d_direction direction, int axis);

  /* Local. Segments that the views of a direction have, at most. */
  size_t (*segments)(const struct pf_geometry *g, pfft3d_direction direction);

  /* Local. The views that the stages of a direction read and write. */
  void (*views)(const pfft3d_plan *p, pfft3d_direction direction, struct pf_pipeline *w);

  /* Local. What is special about stage k, which is there but for that; NULL: nothing. */
  void (*stage)(const pfft3d_plan *p, pfft3d_direction direction, int k, struct pf_pipeline *w);

  /* Collective on p->comm; the caller agrees on the status.  What a plan needs besides; NULL:
   * nothing.  Errors: MEMORY, INTERNAL. */
  int (*prepare)(pfft3d_plan *p, pfft3d_error *e);

  /* Collective on p->comm. What goes on before the first stage of a run, and behind the last one;
   * NULL: nothing.  Return an MPI error code. */
  int (*before)(pfft3d_plan *p, struct pf_pipeline *w, const char *in);
  int (*after)(pfft3d_plan *p, struct pf_pipeline *w, char *out);
} pf_scheme;

/* Lines as matrices (matrix.c), which is no choice of a decomposition. */
extern const pf_scheme pf_scheme_matrix;

/** Local. The registered schemes, in order; NULL past the end.  By name: NULL when unknown. */
const pf_scheme *pf_scheme_at(int index);
const pf_scheme *pf_scheme_find(const char *name);

/* How lines are done: line/line.c knows both. */
typedef struct pf_method {
  const char *name, *summary;
} pf_method;
const pf_method *pf_method_at(int index);
const pf_method *pf_method_find(const char *name);

/** Local. Adds a stage to a route: planes along @p outer, `axes` as in "21": first axis 2, then
 * axis 1; "" only moves.  And an exchange, which the next stage follows. */
void pf_route_add_stage(pf_route *r, int outer, const char *axes);
void pf_route_add_exchange(pf_route *r, int from, int to, int dim);

/** Local. The axes that a layout cuts along dimension 0 and 1 of the grid (PF_WHOLE: none), in C
 *  order or, transposed, [i1][i0][i2]. */
void pf_scheme_cut(pf_layout *l, const pfft3d_problem *p, const int grid[2], pfft3d_side side,
                   int first, int second, int transposed);

#endif
