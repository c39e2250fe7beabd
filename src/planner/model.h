/* SPDX-License-Identifier: BSD-3-Clause
 * What a transform costs on a machine, by arithmetic. */
#ifndef PF_PLANNER_MODEL_H
#define PF_PLANNER_MODEL_H

#include "plan/plan.h"

/* Seconds of one direction. */
typedef struct pf_cost {
  double seconds;   /* of all */
  double passes;    /* of the stages by themselves */
  double exchanges; /* of the exchanges by themselves; what is hidden counts in both */
} pf_cost;

/** Local. Stage k of a direction by itself, on the rank of the geometry. */
double pf_model_stage(const pf_geometry *g, pfft3d_direction d, int k, const pfft3d_machine *m);

/** Local. What exchange k of a direction moves through memory besides: where MPI packs datatypes,
 *  or a node sends from memory that its ranks share. */
double pf_model_memory(const pf_geometry *g, pfft3d_direction d, int k, const pfft3d_machine *m);

/** Local. A direction; of balanced splits rank 0 has the largest part, so that an geometry of rank
 * 0 gives the seconds of all ranks. */
pf_cost pf_model_pipeline(const pf_geometry *g, pfft3d_direction d, const pfft3d_machine *m);

/** Local. Bytes that take as long to travel, between nodes where there are several, as their
 * message to start: latency times bandwidth. */
double pf_model_worth(const pf_geometry *g, const pfft3d_machine *m);

/** Local. Tells a plan what its parts cost on a machine, where a simulation charges that. */
void pf_model_simulate(pfft3d_plan *p, const pfft3d_machine *m);

#endif
