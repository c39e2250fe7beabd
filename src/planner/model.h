/* SPDX-License-Identifier: BSD-3-Clause
 * The predicted time of a transform on a machine. */
#ifndef PF_PLANNER_MODEL_H
#define PF_PLANNER_MODEL_H

#include "plan/plan.h"

/* Seconds of one direction. */
typedef struct pf_cost {
  double seconds;   /* total */
  double passes;    /* of the stages alone */
  double exchanges; /* of the exchanges alone; hidden time counts in both */
} pf_cost;

/** Local. Seconds of stage k of a direction alone, on the rank of the geometry. */
double pf_model_stage(const pf_geometry *g, pfft3d_direction d, int k, const pfft3d_machine *m);

/** Local. Seconds of additional copies in exchange k of a direction: MPI packs datatypes, or a node
 * sends from shared memory. */
double pf_model_memory(const pf_geometry *g, pfft3d_direction d, int k, const pfft3d_machine *m);

/** Local. Seconds of a direction.  Rank 0 has the largest part of balanced splits, so that its
 * geometry gives the seconds of all ranks. */
pf_cost pf_model_pipeline(const pf_geometry *g, pfft3d_direction d, const pfft3d_machine *m);

/** Local. Latency times bandwidth, in bytes, between nodes if there are several. */
double pf_model_worth(const pf_geometry *g, const pfft3d_machine *m);

/** Local. Sets the predicted times of a plan's parts, which a simulation charges. */
void pf_model_simulate(pfft3d_plan *p, const pfft3d_machine *m);

#endif
