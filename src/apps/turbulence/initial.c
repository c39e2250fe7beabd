/* SPDX-License-Identifier: BSD-3-Clause
 * Initial velocities, mode by mode: a mode depends only on its wave number and the seed, so that
 * the field is the same for every number of ranks.
 *
 * In two dimensions a mode of the vorticity is that of the velocity's curl.
 *
 * decay: random directions and phases (Rogallo, NASA TM 81315, 1981), every mode of a shell with
 * the same energy, so that shells have exactly the given spectrum. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "apps/turbulence/flow.h"

static const double two_pi = 6.28318530717958647692;
enum { PEAK = 4 }; /* of the spectrum k^4 exp(-2 (k/PEAK)^2) */

/* The components of a mode. */
typedef struct mode {
  double re[3], im[3];
} mode;

typedef struct initial {
  const flow *f;
  double *energy; /* of each mode of a shell, or NULL */
  mode (*make)(const struct initial *x, const ptrdiff_t k[3]);
  int first, count; /* components of the state */
} initial;

/* u = sin x cos y cos z, v = -cos x sin y cos z: modes with |k| = 1 along all axes.  In two
 * dimensions without cos z, omega = 2 sin x sin y. */
static mode taylor_green(const initial *x, const ptrdiff_t k[3]) {
  mode m = {{0}, {0}};
  if (x->f->dims == 2) {
    if (k[1] * k[1] == 1 && k[2] * k[2] == 1) m.re[0] = k[1] * k[2] > 0 ? -0.5 : 0.5;
  } else if (k[0] * k[0] == 1 && k[1] * k[1] == 1 && k[2] * k[2] == 1) {
    m.im[0] = k[0] > 0 ? -0.125 : 0.125;
    m.im[1] = k[1] > 0 ? 0.125 : -0.125;
  }
  return m;
}

/* The scalar cos x. */
static mode wave(const initial *x, const ptrdiff_t k[3]) {
  const ptrdiff_t along = k[3 - x->f->dims], others = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  return (mode){.re = {along * along == 1 && others == 1 ? 0.5 : 0}};
}

/* splitmix64 (Steele, Lea, Flood 2014): a number in [0, 1). */
static double draw(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static int shell_of(const ptrdiff_t k[3]) {
  return (int)lround(sqrt((double)(k[0] * k[0] + k[1] * k[1] + k[2] * k[2])));
}

/* 1 for one of two opposite modes, which are conjugate, -1 for the other one: both are computed
 * from the same mode. */
static int sign_of(const ptrdiff_t k[3]) {
  return k[2] < 0 || (k[2] == 0 && (k[1] < 0 || (k[1] == 0 && k[0] < 0))) ? -1 : 1;
}

/* Random numbers of a mode and of its opposite. */
static uint64_t state_of(uint64_t seed, const ptrdiff_t k[3]) {
  for (int c = 0; c < 3; c++) {
    seed = (seed ^ (uint64_t)(sign_of(k) * k[c] + ((ptrdiff_t)1 << 40))) * 0xd1342543de82ef95 + 1;
    draw(&seed);
  }
  return seed;
}

/* A random phase; of the scalar, or of the vorticity in two dimensions. */
static mode phase(const initial *x, const ptrdiff_t k[3]) {
  double size = sqrt(2 * x->energy[shell_of(k)]), angle;
  uint64_t state = state_of((uint64_t)x->f->a->opt.seed + (uint64_t)x->first, k);
  if (x->first == 0) size *= sqrt((double)(k[1] * k[1] + k[2] * k[2]));
  angle = two_pi * draw(&state);
  return (mode){.re = {size * cos(angle)}, .im = {sign_of(k) * size * sin(angle)}};
}

/* A velocity normal to k. */
static mode decay(const initial *x, const ptrdiff_t at[3]) {
  int sign = sign_of(at);
  double k[3], flat, length, size = sqrt(2 * x->energy[shell_of(at)]);
  uint64_t state = state_of((uint64_t)x->f->a->opt.seed, at);
  for (int c = 0; c < 3; c++) k[c] = (double)(sign * at[c]);
  double p = two_pi * draw(&state), q = two_pi * draw(&state), turn = two_pi * draw(&state);
  flat = hypot(k[0], k[1]);
  length = hypot(flat, k[2]);
  double e1[3] = {1, 0, 0}, e2[3] = {0, 1, 0}; /* normal to k and to each other */
  if (flat > 0) {
    e1[0] = k[1] / flat, e1[1] = -k[0] / flat;
    e2[0] = k[0] * k[2] / (length * flat), e2[1] = k[1] * k[2] / (length * flat);
    e2[2] = -flat / length;
  }
  mode m;
  for (int c = 0; c < 3; c++) {
    m.re[c] = size * (cos(p) * cos(turn) * e1[c] + cos(q) * sin(turn) * e2[c]);
    m.im[c] = sign * size * (sin(p) * cos(turn) * e1[c] + sin(q) * sin(turn) * e2[c]);
  }
  return m;
}

/* Calls for every mode of this rank, with its local indices and wave numbers. */
static void for_modes(const flow *f, void (*call)(initial *, const ptrdiff_t *, const ptrdiff_t *),
                      initial *x) {
  const pfft3d_box *b = &f->spectrum;
  ptrdiff_t i[3], k[3];
  for (i[0] = 0; i[0] < b->len[0]; i[0]++)
    for (i[1] = 0; i[1] < b->len[1]; i[1]++)
      for (i[2] = 0; i[2] < b->len[2]; i[2]++) {
        for (int a = 0; a < 3; a++) k[a] = flow_wave(f, a, b->lo[a] + i[a]);
        call(x, i, k);
      }
}

static void count(initial *x, const ptrdiff_t *i, const ptrdiff_t *k) {
  (void)i;
  x->energy[shell_of(k)] += flow_weight(k[2]);
}

static void set(initial *x, const ptrdiff_t *i, const ptrdiff_t *k) {
  mode m = x->make(x, k);
  int single = x->f->real == sizeof(float);
  for (int c = 0; c < x->count; c++) {
    void *u = flow_mode(x->f, x->f->fields.u, x->first + c, i);
    number_set(u, single, 0, m.re[c]);
    number_set(u, single, 1, m.im[c]);
  }
}

/* Replaces the number of modes of each shell by the energy of a mode; the total energy is 1/2. */
static void share(initial *x, int shells) {
  double total = 0;
  MPI_Allreduce(MPI_IN_PLACE, x->energy, shells, MPI_DOUBLE, MPI_SUM, x->f->a->comm);
  for (int pass = 0; pass < 2; pass++)
    for (int s = 0; s < shells; s++) {
      double k = s, e = x->energy[s] > 0 ? pow(k, 4) * exp(-2 * k * k / (PEAK * PEAK)) : 0;
      if (!pass) total += e;
      if (pass && x->energy[s] > 0) x->energy[s] = e / (2 * total * x->energy[s]);
    }
}

/* Random modes need the energies of shells. */
static void set_all(initial *x, int random) {
  int shells = flow_shells(x->f);
  if (random) {
    x->energy = app_malloc(x->f->a, (size_t)shells, sizeof *x->energy);
    for_modes(x->f, count, x);
    share(x, shells);
  }
  for_modes(x->f, set, x);
  free(x->energy);
}

void flow_initial(flow *f) {
  int random = f->a->opt.flow_case == 1, plane = f->dims == 2;
  initial x = {.f = f, .make = taylor_green, .count = plane ? 1 : 3};
  if (random) x.make = plane ? phase : decay;
  set_all(&x, random);
}

void flow_initial_scalar(flow *f) {
  int random = f->a->opt.scalar == SCALAR_RANDOM;
  initial x = {.f = f, .make = random ? phase : wave, .first = f->components - 1, .count = 1};
  if (f->terms.scalar.present && f->a->opt.scalar != SCALAR_ZERO) set_all(&x, random);
}
