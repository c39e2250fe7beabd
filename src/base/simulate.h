/* SPDX-License-Identifier: BSD-3-Clause
 * Runs on simulated machines (tests/smpi): there the clock stands still while a rank computes, and
 * what the model of costs says of it is charged instead, bit by bit and before any message leaves
 * that was waiting for it.  On real machines nothing of this is left. */
#ifndef PF_BASE_SIMULATE_H
#define PF_BASE_SIMULATE_H

#include "config.h"

/* Seconds of a stage. */
typedef struct pf_load {
  double flops; /* flop/s of this rank, in which a simulation counts */
  double step;  /* of a step, */
  double tile;  /* of one of its tiles; */
  double left;  /* of this step, not yet done */
  double owed;  /* done, and not yet charged */
} pf_load;

#ifdef PF_SIMULATE
#include <mpi.h>
enum { PF_SIMULATED = 1 };

/* All ranks are threads of one process, whose number the simulation hides. */
#undef getpid

static inline void pf_load_tile(pf_load *l) {
  double seconds = l->tile < l->left ? l->tile : l->left;
  l->owed += seconds;
  l->left -= seconds;
}

/* A step begins; it ends with what is left of the one before. */
static inline void pf_load_step(pf_load *l, int begins) {
  l->owed += l->left;
  l->left = begins ? l->step : 0;
}

/* The clock of this rank moves on. */
static inline void pf_load_pay(pf_load *l) {
  if (l->owed > 0) smpi_execute_flops_benched(l->owed * l->flops);
  l->owed = 0;
}
#else
enum { PF_SIMULATED = 0 };
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
