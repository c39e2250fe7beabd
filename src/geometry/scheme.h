/* SPDX-License-Identifier: BSD-3-Clause
 * A scheme maps a problem to alternating passes and exchanges.  It is data: the axes that each
 * stage transforms, and the axes that are cut before and after each exchange.  It does not depend
 * on how an exchange works.  To add one: write its file, add a line to scheme_list.h. */
#ifndef PF_GEOMETRY_SCHEME_H
#define PF_GEOMETRY_SCHEME_H

#include "request/request.h"
#include "exchange/memory.h"
#include "local/engine.h"

enum { PF_STAGES = PF_EXCHANGES + 1 }; /* of a direction, at most */

/* Planes along `outer`; in each, axis[k] is transformed for k < axes, with lines along line[k] of
 * the views in tiles across tile[k].  Without axes the data is only moved, in rows along line[0]
 * across tile[0]. */
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

/* Constraints on the route of a plan. */
typedef struct pf_wish {
  pfft3d_order order;
  int anywhere; /* the last stage can write to the output of any rank */
  int alone;    /* there is one rank */
  int early;    /* rows should be completed one by one, not all at the end of a plane */
  int fixed;    /* the same order of axes on every grid */
} pf_wish;

struct pf_geometry;

typedef struct pf_scheme {
  const char *name;

  /* Local. The grid of ranks: replaces zeros in grid[].  Errors: USAGE if a requested grid is
   * impossible. */
  int (*grid)(const pfft3d_request *r, int ranks, int grid[2], pfft3d_error *e);

  /* Local. The stages and exchanges from the input layout of a direction to its output layout. */
  void (*route)(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                pfft3d_direction direction, pf_route *route);

  /* Local. Computes a geometry: boxes, routes, stages, and the data of exchanges.  Errors:
   * UNAVAILABLE. */
  int (*geometry)(struct pf_geometry *g, pfft3d_error *e);

  /* Local. The transform of lines along an axis in a direction. */
  pf_fft_spec (*fft)(const struct pf_geometry *g, pfft3d_direction direction, int axis);
} pf_scheme;

/* Lines as matrices (matrix_geometry.c); not a decomposition that users can select. */
extern const pf_scheme pf_scheme_matrix;

/** Local. The registered schemes, in order; NULL past the end.  By name; NULL if unknown. */
const pf_scheme *pf_scheme_at(int index);
const pf_scheme *pf_scheme_find(const char *name);

/** Local. As pf_scheme.route, for slabs and for pencils. */
void pf_route_slab(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                   pfft3d_direction direction, pf_route *r);
void pf_route_pencil(const pfft3d_problem *p, const int grid[2], const pf_wish *wish,
                     pfft3d_direction direction, pf_route *r);

/** Local. Removes from a route the axes that are not transformed and, if both sides are distributed
 *  in the @p same way, exchanges that only these axes need. */
void pf_route_prune(const pfft3d_problem *p, int same, pf_route *r);

/** Local. The layout of a side of a field on a grid: axes 0 and 1 are cut; in transposed order the
 * spectrum is cut along axes 1 and 2 and stored as [i1][i0][i2]. */
void pf_field_layout(const pfft3d_problem *p, pfft3d_order order, const int grid[2],
                     pfft3d_side side, pf_layout *l);

#endif
