/* SPDX-License-Identifier: BSD-3-Clause
 * Scales of isotropic turbulence (Pope, Turbulent Flows, 2000, chapter 6), and of two dimensions by
 * the same definitions: the scale of Taylor is u' / rms(du/dx), where in isotropic flow <omega^2>
 * is 15 <(du/dx)^2>, in two dimensions 8 of it; the integral scale is that of the longitudinal
 * correlation, pi/2 or 2 times the integral of E(k)/k, over u'^2. */
#include "apps/turbulence/statistics.h"

#include <math.h>

#define OF_FLOW                                                                     \
  "t,energy,dissipation,input,u_rms,taylor_scale,taylor_reynolds,kolmogorov_scale," \
  "kmax_eta,integral_scale"

const char *statistics_header(const flow *f) {
  return f->terms.scalar.present ? OF_FLOW ",scalar_variance,scalar_dissipation,scalar_flux"
                                 : OF_FLOW;
}

/* The largest wave number that all axes have. */
static double largest_wave(const flow *f) {
  double most = HUGE_VAL;
  for (int k = 3 - f->dims; k < 3; k++) most = fmin(most, (double)f->kept[k]);
  return most;
}

int statistics_take(const flow *f, double value[STATISTICS]) {
  const double half_pi = 1.57079632679489661923;
  const double isotropic = f->dims == 3 ? 15 : 8, integral = f->dims == 3 ? half_pi : 2;
  const flow_state *s = &f->now;
  const flow_sums sums = flow_add(f);
  double nu = f->terms.nu, square = 2 * s->energy / f->dims, u = sqrt(square);
  double gradients = 2 * s->enstrophy; /* <omega^2> */
  double taylor = gradients > 0 ? u * sqrt(isotropic / gradients) : 0;
  double kolmogorov = gradients > 0 ? sqrt(nu / sqrt(gradients)) : 0;
  const double row[STATISTICS] = {s->t,
                                  s->energy,
                                  nu * gradients,
                                  s->input,
                                  u,
                                  taylor,
                                  u > 0 ? u * taylor / nu : 0,
                                  kolmogorov,
                                  kolmogorov * largest_wave(f),
                                  square > 0 ? integral * sums.over_k / square : 0,
                                  sums.variance,
                                  sums.dissipation,
                                  sums.flux};
  for (int k = 0; k < STATISTICS; k++) value[k] = row[k];
  return f->terms.scalar.present ? STATISTICS : STATISTICS_OF_FLOW;
}
