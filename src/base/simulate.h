/* SPDX-License-Identifier: BSD-3-Clause
 * Runs on simulated machines (tests/smpi): there the clock does not advance while a rank computes.
 * The time that the cost model predicts is charged instead, in small parts and always before a
 * message that depends on it is sent.  On real machines these functions are empty. */
#ifndef PF_BASE_SIMULATE_H
#define PF_BASE_SIMULATE_H

#include "config.h"

/* Predicted seconds of a stage. */
typedef struct pf_load {
  double flops; /* flop/s of this rank: the simulation counts in flop */
  double step;  /* seconds of a step */
  double tile;  /* seconds of a tile of the step */
  double left;  /* seconds of this step that are not yet done */
  double owed;  /* seconds that are done and not yet charged */
} pf_load;

#ifdef PF_SIMULATE
#include <mpi.h>
#include <simgrid/engine.h>
enum { PF_SIMULATED = 1 };

/* All ranks are threads of one process; the simulation redefines getpid(). */
#undef getpid

/* The clock of all ranks.  MPI_Wtime() of the simulation advances it by 10 ns. */
static inline double pf_simulated_time(void) {
  return simgrid_get_clock();
}

static inline void pf_load_tile(pf_load *l) {
  double seconds = l->tile < l->left ? l->tile : l->left;
  l->owed += seconds;
  l->left -= seconds;
}

/* Begins a step (begins = 1) or ends the last one (0); charges the rest of the previous step. */
static inline void pf_load_step(pf_load *l, int begins) {
  l->owed += l->left;
  l->left = begins ? l->step : 0;
}

/* Advances the clock of this rank. */
static inline void pf_load_pay(pf_load *l) {
  if (l->owed > 0) smpi_execute_flops_benched(l->owed * l->flops);
  l->owed = 0;
}
#else
enum { PF_SIMULATED = 0 };
static inline double pf_simulated_time(void) {
  return 0;
}
static inline void pf_load_tile(pf_load *l) {
  (void)l;
}
static inline void pf_load_step(pf_load *l, int begins) {
  (void)l, (void)begins;
}
static inline void pf_load_pay(pf_load *l) {
  (void)l;
}
#endif

#endif
