/* SPDX-License-Identifier: BSD-3-Clause
 * An incompressible flow in a periodic box (2 pi)^3 by a pseudospectral method: the state is the
 * transform of the velocity, u x omega is computed on the grid (rotational form).  In two
 * dimensions, (2 pi)^2, the state is the transform of the vorticity omega, and the product u omega.
 * A scalar that the flow carries is one more component.
 *
 * A step is a chain of transforms, backward of six components, forward of three, which pass planes
 * to each other in cache (pfft3d_execute_between()): main memory traffic is the state, three arrays
 * of three components, and the exchanges of the transforms. */
#ifndef PF_APPS_TURBULENCE_FLOW_H
#define PF_APPS_TURBULENCE_FLOW_H

#include "app/common/app.h"
#include "app/run/run.h"
#include "apps/turbulence/loops.h"

/* A force that keeps a flow going: the velocity times a number, of all modes but the mean (linear)
 * or of those with |k| <= shells.  strength: of linear that number, 1/time; of shells the power. */
typedef struct flow_force {
  int kind; /* FORCING_... */
  double strength;
  int shells;
} flow_force;

/* A passive scalar: nu / schmidt is its diffusivity, gradient that of its mean, along x. */
typedef struct flow_scalar {
  int present;
  double schmidt, gradient;
} flow_scalar;

/* The parameters of a flow, on which a snapshot and the command line must agree. */
typedef struct flow_terms {
  ptrdiff_t n[3]; /* {1, n0, n1}: two dimensions, x along axis 1 */
  int dealias;    /* DEALIAS_... */
  double nu;
  flow_force force;
  flow_scalar scalar;
} flow_terms;

/* The flow at the beginning of a step. */
typedef struct flow_state {
  double t, energy, enstrophy;
  double speed; /* the largest |u|/dx + |v|/dy + |w|/dz; times a time step: its CFL number */
  double input; /* power of the force */
  long long step;
} flow_state;

/* Sums over modes, at one instant. */
typedef struct flow_sums {
  double over_k;      /* sum of E/|k| */
  double variance;    /* <c c> of the scalar */
  double dissipation; /* 2 D <|grad c|^2> */
  double flux;        /* <u c>, along x */
} flow_sums;

enum { FLOW_NONE, FLOW_BACK, FLOW_FORWARD };
enum { FLOW_VISCOSITY, FLOW_DIFFUSION, FLOW_DECAYS };
enum { FLOW_FFT, FLOW_PRODUCT, FLOW_UPDATE, FLOW_PHASES };

typedef struct flow {
  const app *a;
  flow_terms terms;
  int dims, components;    /* of space; of the state */
  int on_grid, of_product; /* components of backward transforms and of forward ones */
  run back, r; /* backward transforms of velocity and vorticity; forward ones of the product */
  int begun;   /* the run that has begun: FLOW_NONE, FLOW_BACK, FLOW_FORWARD */
  const flow_loops *loops;
  size_t real;                       /* bytes of a real number */
  pfft3d_box space, spectrum, taken; /* of the grid; of the modes, with the strides of the state,
                                        and with the strides of the backward plan */
  ptrdiff_t kept[3];                 /* the largest wave number of each axis */
  ptrdiff_t extent[3];               /* of the spectrum */
  int first;                         /* the axis of planes in the order of memory of the modes */
  flow_modes modes[2];               /* by the axis of planes */
  flow_points points[2];
  flow_fields fields;
  double *wave[3], *factor[FLOW_DECAYS][3]; /* data of `modes`, as doubles */
  void *wave2, *along[FLOW_DECAYS];
  flow_decay decay[2][FLOW_DECAYS]; /* by the axis of planes */
  flow_rate force;
  double mean_energy; /* of the mean velocity, which no force drives */
  double factor_dt;   /* time step of the factors; < 0: none yet */
  double *sums;       /* of rows of points, then of planes of all ranks */
  flow_state now;
  double phase[FLOW_PHASES]; /* seconds on this rank since the start */
} flow;

/** Collective on a->comm. Makes plans and arrays; the velocity is undefined.  flow_close() frees
 * them, also after an error.  Errors, in @p e: as run_open(); MEMORY. */
int flow_open(const app *a, flow *f, const flow_terms *terms, pfft3d_error *e);
void flow_close(flow *f);

/** Local. The wave number of a mode along an axis, by its global index. */
ptrdiff_t flow_wave(const flow *f, int axis, ptrdiff_t index);

/** Local. Element of the component of a mode of this rank in an array of f->fields; i counts from
 * the box's first. */
void *flow_mode(const flow *f, void *array, int component, const ptrdiff_t i[3]);

/** Local. The name of a component of the state. */
const char *flow_name(const flow *f, int component);

/** Local. The name of field @p number, of flow_grid_names(), of a snapshot; @p component returns
 * its number for flow_grid(). */
const char *flow_grid_name(const flow *f, int number, int *component);
int flow_grid_names(const flow *f);

/** Local. The weight of a mode in sums: 2 if half a spectrum does not store its mirror image,
 * else 1. */
double flow_weight(ptrdiff_t k2);

/** Collective. After the velocity has been set: begins the first transform. */
void flow_start(flow *f);

/** Collective. Fills f->now, and continues to the product of velocity and vorticity.  With @p stop
 * it ends with both on the grid, flow_grid(); flow_product() then computes the product. */
void flow_measure(flow *f, int stop);
void flow_product(flow *f);

/** Local. The first point of a component on the grid: of the velocity, then of the vorticity. */
const void *flow_grid(const flow *f, int component);

/** Collective. Completes a step, from the product of its first stage on. */
void flow_step(flow *f, double dt);

/* ---- sums over modes (sums.c) ---- */

/** Collective. The energy in shells |k| = 0, 1, ... (k rounded), an array of flow_shells() for the
 *  caller to free(). */
double *flow_spectrum(const flow *f);
int flow_shells(const flow *f);

/** Collective. The energy of the modes with @p least <= |k| <= @p most in one of f->fields. */
double flow_band(const flow *f, void *array, double least, double most);

/** Collective. Sums over the state. */
flow_sums flow_add(const flow *f);

/* ---- beginnings (initial.c) ---- */

/** Collective. Sets the velocity to the case of the options. */
void flow_initial(flow *f);

/** Collective. Sets the scalar to that of the options. */
void flow_initial_scalar(flow *f);

#endif
