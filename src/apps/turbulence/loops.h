/* SPDX-License-Identifier: BSD-3-Clause
 * The loops over modes and points between the transforms, for planes that the transforms pass
 * (pfft3d_execute_between()): all work on a row is done while it is in cache.  They exist for
 * doubles and for floats (loops_double.c, loops_single.c). */
#ifndef PF_APPS_TURBULENCE_LOOPS_H
#define PF_APPS_TURBULENCE_LOOPS_H

#include <pfft3d_tune.h>

/* The modes of this rank, as planes of axis 0 or 1, of rows along axis 2. In the arrays of the
 * state a row of all components follows another one; strides and lengths are in complex numbers. */
typedef struct flow_modes {
  int first; /* the axis of planes; the rows of a plane are numbered along the other one */
  ptrdiff_t rows[2], stride[2];
  ptrdiff_t length, distance; /* of a row; from component to component, a multiple of 64 bytes */
  int past;                   /* nonzero: arrays are larger than the caches */
  ptrdiff_t from, to;         /* from row to row of a plane that a transform writes, or reads */
  const double *k[2];         /* wave numbers of the modes along axes 0 and 1 */
  const void *k2;             /* along axis 2, each twice, for real and imaginary parts */
  const double *factor[2];    /* exp(-nu k^2 dt/2) along axes 0 and 1, or ones */
  const void *factor2;        /* along axis 2, each twice */
  double viscosity;           /* of the explicit term; 0 with an integrating factor */
} flow_modes;

/* The points of this rank, as planes of axis 0 or 1, of rows along axis 2. */
typedef struct flow_points {
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
  /** Local. From a plane with three components of the velocity: p->to gets six, u and i k x u. */
  void (*start)(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p);

  /** Local. Stage 0 to 3 of a Runge-Kutta step: projects the change, p->from, adds viscosity, and
   * computes the velocity of the next stage (after stage 3, of the next step); p->to gets it with
   * its curl. */
  void (*advance)(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p, int stage,
                  double dt);

  /** Local. Sets p->to, three components, to u x omega of the six at p->from. */
  void (*product)(const flow_points *p, const pfft3d_plane *plane);

  /** Local. Computes the sums of the rows of a plane with u and omega. */
  void (*measure)(const flow_points *p, const pfft3d_plane *plane);
} flow_loops;

extern const flow_loops flow_loops_double, flow_loops_single;

#endif
