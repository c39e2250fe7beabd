/* SPDX-License-Identifier: BSD-3-Clause
 * A scheme turns a problem into passes and exchanges in turn.  It is data: which axes each stage
 * transforms, and which axis each exchange cuts before and after.  It knows nothing of how an
 * exchange works.  To add one: write its file, add a line to scheme_list.h. */
#ifndef PF_SCHEME_SCHEME_H
#define PF_SCHEME_SCHEME_H

#include "base/status.h"
#include "layout/layout.h"

enum { PF_STEPS = 3, PF_EXCHANGES = PF_STEPS - 1 };

/* Planes along `outer`; in each, lines along axis[k] in tiles across tile[k], for k < axes.  With
 * no axes the data is only moved, in rows along axis[0] across tile[0]. */
typedef struct pf_step {
  int outer, axes;
  int axis[2], tile[2];
} pf_step;

/* step 0, exchange 0, step 1, exchange 1, ...: always one step more than exchanges. */
typedef struct pf_route {
  int steps;
  pf_step step[PF_STEPS];
  struct {
    int from, to; /* the axis that is cut before and after */
  } exchange[PF_EXCHANGES];
} pf_route;

/* What the scheme of a plan has to respect. */
typedef struct pf_wish {
  pfft3d_order order;
  int anywhere; /* the last stage can write to the output of any rank */
  int early;    /* rows shall be done one after another, not all at the end of a plane */
} pf_wish;

typedef struct pf_scheme {
  const char *name, *summary;

  /* Local. How a side is laid out on so many ranks. */
  void (*layout)(const pfft3d_problem *p, pfft3d_order order, int ranks, pfft3d_side side,
                 pf_layout *layout);

  /* Local. The way from the input layout of a direction to its output layout. */
  void (*route)(const pfft3d_problem *p, const pf_wish *wish, pfft3d_direction direction,
                pf_route *route);
} pf_scheme;

/** Local. The registered schemes, in order; NULL past the end.  By name: NULL when unknown. */
const pf_scheme *pf_scheme_at(int index);
const pf_scheme *pf_scheme_find(const char *name);

#endif
