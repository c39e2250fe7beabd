/* SPDX-License-Identifier: BSD-3-Clause
 * A run of turbulence: steps from a time to another, and the output during them. */
#ifndef PF_APPS_TURBULENCE_MARCH_H
#define PF_APPS_TURBULENCE_MARCH_H

#include "apps/turbulence/flow.h"
#include "apps/turbulence/snapshot.h"
#include "apps/turbulence/table.h"

enum { MARCH_TIMES = 1000 }; /* steps whose times the report lists: the last ones */

typedef struct march {
  app *a;
  flow f;
  snapshots shots;
  int there; /* the first snapshot is the file from which the run continues */
  table series, spectra, scales;
  double from;
  double budget;   /* the first energy, and all that the force has added */
  double variance; /* of the scalar, at first */
  double cfl;      /* of the last row */
  double dt;       /* of the last step, or of the next one */
  double last_due; /* time of the last snapshot */
  double peak[2];  /* the largest dissipation, and its time */
  long long steps; /* of this run */
  double *seconds; /* of the last MARCH_TIMES steps on this rank, without files */
  double *phase;   /* FLOW_PHASES of each */
  double total[2]; /* of all steps: of transforms, of everything */
} march;

/** Collective. Runs from m->from, with the modes of the flow, to --time, with velocity and
 * vorticity on the grid.  Errors, in a->error: CHECK if the flow diverges; errors of files. */
int march_run(march *m);

#endif
