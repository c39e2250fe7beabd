/* SPDX-License-Identifier: BSD-3-Clause
 * An incompressible flow in a periodic box (2 pi)^3 by a pseudospectral method: the state is the
 * transform of the velocity, u x omega is taken on the grid (rotational form).
 *
 * A step is a chain of transforms, backward of six components, forward of three, in which planes go
 * from one to the next through the cache (pfft3d_execute_between()): only the state, three arrays
 * of three components, and what the transforms exchange goes through memory. */
#ifndef PF_APPS_TURBULENCE_FLOW_H
#define PF_APPS_TURBULENCE_FLOW_H

#include "app/common/app.h"
#include "app/run/run.h"
#include "apps/turbulence/loops.h"

/* What a flow is; all that a snapshot and the command line must agree on. */
typedef struct flow_terms {
  ptrdiff_t n[3];
  int dealias; /* DEALIAS_... */
  double nu;
} flow_terms;

/* The flow at the beginning of a step. */
typedef struct flow_state {
  double t, energy, enstrophy;
  double speed; /* the largest |u|/dx + |v|/dy + |w|/dz; times a time step: its CFL number */
  long long step;
} flow_state;

enum { FLOW_NONE, FLOW_BACK, FLOW_FORWARD };
enum { FLOW_FFT, FLOW_PRODUCT, FLOW_UPDATE, FLOW_PHASES };

typedef struct flow {
  const app *a;
  flow_terms terms;
  run back, r; /* backward transforms of velocity and vorticity; forward ones of the product */
  int begun;   /* which of them has begun: FLOW_NONE, FLOW_BACK, FLOW_FORWARD */
  const flow_loops *loops;
  size_t real;                       /* bytes of one */
  pfft3d_box space, spectrum, taken; /* of the grid; of the modes, with the strides of the state,
                                        and with those that the backward plan takes */
  ptrdiff_t kept[3];                 /* the largest wave number of each axis */
  ptrdiff_t extent[3];               /* of the spectrum */
  int first;                         /* the axis of planes in the order of memory of the modes */
  flow_modes modes[2];               /* by the axis of planes */
  flow_points points[2];
  flow_fields fields;
  double *wave[3], *factor[3]; /* what modes points to, as doubles */
  void *wave2, *factor2;
  double factor_dt; /* for which the factors are; < 0: none yet */
  double *sums;     /* of rows of points, then of planes of all ranks */
  flow_state now;
  double phase[FLOW_PHASES]; /* seconds on this rank since the start */
} flow;

/** Collective on a->comm. Plans and allocates; the velocity is undefined.  To be closed with
 *  flow_close(), also after an error.  Errors, in @p e: those of run_open(); MEMORY. */
int flow_open(const app *a, flow *f, const flow_terms *terms, pfft3d_error *e);
void flow_close(flow *f);

/** Local. The wave number of a mode along an axis, by its global index. */
ptrdiff_t flow_wave(const flow *f, int axis, ptrdiff_t index);

/** Local. Element of the component of a mode of this rank; i counts from the box's first. */
void *flow_mode(const flow *f, int component, const ptrdiff_t i[3]);

/** Local. How often a mode counts: those of half a spectrum stand for two. */
double flow_weight(ptrdiff_t k2);

/** Collective. After the velocity has been set: begins the first transform. */
void flow_start(flow *f);

/** Collective. Fills f->now, and goes on to the product of velocity and vorticity.  With @p stop it
 *  goes no further than both on the grid, flow_grid(); then flow_product() does the rest. */
void flow_measure(flow *f, int stop);
void flow_product(flow *f);

/** Local. The first point of a component on the grid: of the velocity, then of the vorticity. */
const void *flow_grid(const flow *f, int component);

/** Collective. The rest of a step, from the product of its first stage on. */
void flow_step(flow *f, double dt);

/** Collective. The energy in shells |k| = 0, 1, ... (k rounded), an array of flow_shells() for the
 *  caller to free(). */
double *flow_spectrum(const flow *f);
int flow_shells(const flow *f);

/** Local. Sets the velocity to the case of the options.  initial.c */
void flow_initial(flow *f);

#endif
