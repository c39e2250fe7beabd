/* SPDX-License-Identifier: BSD-3-Clause
 * The loops over modes and points between the transforms.  Each reads and writes its arrays once:
 * what is done to a row of modes or points is done while it is in cache.  They exist for doubles
 * and for floats (loops_double.c, loops_single.c). */
#ifndef PF_APP_TURBULENCE_LOOPS_H
#define PF_APP_TURBULENCE_LOOPS_H

#include <stddef.h>

/* The modes of this rank: rows along axis 2, in the order of memory.  Offsets and strides are in
 * complex numbers. */
typedef struct flow_modes {
  int first, second; /* the axes of the outer and the inner loop over rows: 0 and 1 */
  ptrdiff_t rows[2], stride[2];
  ptrdiff_t length, distance; /* of a row; from a component to the next */
  ptrdiff_t offset;
  const double *k[2];      /* wave numbers of the modes along axes 0 and 1 */
  const void *k2;          /* along axis 2, each twice, for real and imaginary parts */
  const double *factor[2]; /* exp(-nu k^2 dt/2) along axes 0 and 1, or ones */
  const void *factor2;     /* along axis 2, each twice */
  double viscosity;        /* of the explicit term; 0 with an integrating factor */
  int threads;
} flow_modes;

/* The points of this rank: rows along axis 2. */
typedef struct flow_points {
  ptrdiff_t rows, length, stride, distance; /* in reals */
  double inverse_step[3];                   /* 1/dx, 1/dy, 1/dz */
  double *energy, *enstrophy, *speed;       /* of each row: sums of |u|^2 and |omega|^2, and the
                                               largest |u|/dx + |v|/dy + |w|/dz */
  int threads;
} flow_points;

/* Arrays of modes: velocities and vorticity as the plan has them; of the step so far, each row of
 * three components together. */
typedef struct flow_fields {
  void *u;           /* the velocity of the stage */
  void *change;      /* the transform of u x omega */
  void *curl;        /* becomes the vorticity */
  void *start, *sum; /* u at the beginning of the step; u at its end, as far as it is known */
} flow_fields;

typedef struct flow_loops {
  /** Local. curl = i k x u. */
  void (*curl)(const flow_modes *m, const flow_fields *f);

  /** Local. Stage 0 to 3 of a Runge-Kutta step: projects the change, adds viscosity, makes the
   *  velocity of the next stage (after stage 3 that of the next step) and its curl. */
  void (*advance)(const flow_modes *m, const flow_fields *f, int stage, double dt);

  /** Local. u becomes u x omega. */
  void (*product)(const flow_points *p, void *u, const void *omega);

  /** Local. Fills the sums of rows; and u becomes u x omega if @p too. */
  void (*measure)(const flow_points *p, void *u, const void *omega, int too);
} flow_loops;

extern const flow_loops flow_loops_double, flow_loops_single;

#endif
