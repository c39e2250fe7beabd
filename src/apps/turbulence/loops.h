/* SPDX-License-Identifier: BSD-3-Clause
 * The loops over modes and points between the transforms, for planes that the transforms pass
 * (pfft3d_execute_between()): all work on a row is done while it is in cache.  They exist for
 * doubles and for floats (loops_double.c, loops_single.c). */
#ifndef PF_APPS_TURBULENCE_LOOPS_H
#define PF_APPS_TURBULENCE_LOOPS_H

#include <pfft3d_tune.h>

/* How a quantity decays, by viscosity or diffusion: the coefficient of k^2 as a term of the
 * equation, or factors exp(-coefficient k^2 dt/2) of an integrating factor. */
typedef struct flow_decay {
  double coefficient;      /* of the explicit term; 0 with an integrating factor */
  const double *factor[2]; /* along the axes of planes and of rows, or ones */
  const void *along;       /* along the rows, each twice */
} flow_decay;

/* A force that is the velocity times `rate`, of the modes with 0 < k^2 <= band. */
typedef struct flow_rate {
  double rate, band;
} flow_rate;

/* The modes of this rank, as planes of rows. In the arrays of the state a row of all components
 * follows another one; strides and lengths are in complex numbers.
 *
 * The components are, in three dimensions, u, v, w and the scalar; in two, omega and the scalar.
 * Transforms to the grid have u, v, w, the vorticity's three, the scalar; in two dimensions u, v,
 * omega, the scalar. */
typedef struct flow_modes {
  int dims, scalar;             /* scalar: nonzero if there is one */
  int axis[3];                  /* of planes, of rows in a plane, along rows */
  ptrdiff_t rows[2], stride[2]; /* by the axis of planes, of rows */
  ptrdiff_t length, distance;   /* of a row; from component to component, a multiple of 64 bytes */
  int past;                     /* nonzero: arrays are larger than the caches */
  ptrdiff_t from, to;           /* from row to row of a plane that a transform writes, or reads */
  const double *k[2];           /* wave numbers along the axes of planes and of rows */
  const void *k2;               /* along the rows, each twice, for real and imaginary parts */
  const flow_decay *decay;      /* of the flow, of the scalar */
  const flow_rate *force;
  double gradient; /* of the mean scalar along x */
} flow_modes;

/* The points of this rank, as planes of axis 0 or 1, of rows along axis 2. */
typedef struct flow_points {
  int dims, scalar;
  ptrdiff_t planes, rows, length; /* rows of a plane, points of a row */
  ptrdiff_t number[2];            /* of a row: number of its plane times [0] + its own times [1] */
  ptrdiff_t from, to;             /* from row to row, as for modes, in reals */
  double inverse_step[3];         /* 1/dx, 1/dy, 1/dz */
  double *energy, *enstrophy, *speed; /* of each row: sums of |u|^2 and |omega|^2, and the
                                         largest |u|/dx + |v|/dy + |w|/dz */
} flow_points;

/* Arrays of modes that outlive a stage. */
typedef struct flow_fields {
  void *u;     /* the velocity at the beginning of the step */
  void *stage; /* the velocity at the beginning of the stage */
  void *sum;   /* the sum over stages so far, for the end of the step */
} flow_fields;

typedef struct flow_loops {
  /** Local. From a plane of the state: p->to gets the components on the grid. */
  void (*start)(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p);

  /** Local. Stage 0 to 3 of a Runge-Kutta step: projects the change, p->from, adds viscosity, and
   * computes the state of the next stage (after stage 3, of the next step); p->to gets its
   * components on the grid. */
  void (*advance)(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p, int stage,
                  double dt);

  /** Local. Sets p->to to u x omega, in two dimensions to u omega, and behind it u times the
   * scalar, from the components on the grid at p->from. */
  void (*product)(const flow_points *p, const pfft3d_plane *plane);

  /** Local. Computes the sums of the rows of a plane with u and omega. */
  void (*measure)(const flow_points *p, const pfft3d_plane *plane);
} flow_loops;

extern const flow_loops flow_loops_double, flow_loops_single;

#endif
