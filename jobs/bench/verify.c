/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of a contender by the program's own: energy and samples of its result against direct sums
 * of the seeded fields, then the way back.  They know no FFT, so that the contender with which the
 * others are compared is checked as they are. */
#include <math.h>

#include "app/check/check.h"
#include "bench.h"

enum { SAMPLES = 16 };

/* By direction, precision, and one field or a batch: the same for all contenders of a problem. */
static check_reference known[2][2][2];

typedef struct used {
  contender *c;
  int *failed;
} used;

static void execute(const check_target *t, pfft3d_direction d, const void *in, void *out) {
  const used *u = t->with;
  (void)in, (void)out; /* the contender has its own arrays */
  if (u->c->run(u->c, d)) *u->failed = 1;
}

static check_target aim(const bench *b, const contender *c, pfft3d_direction d) {
  check_target t = check_aim_at(&b->a, &c->problem, d, c->box);
  t.batch = c->fields;
  t.line = c->line;
  for (int side = 0; side < 2; side++) t.apart[side] = c->array[side];
  t.execute = execute;
  return t;
}

void verify_fill(const bench *b, contender *c, pfft3d_direction d) {
  const check_target t = aim(b, c, d);
  const field f = field_seeded(&c->problem, t.in_side, (uint64_t)b->a.opt.seed);
  check_fill(&t, &f);
}

/* The largest distance of a sample from the closest element of a result in unknown order. */
static double search(const bench *b, const check_target *t, const check_reference *ref) {
  double nearest[CHECK_SAMPLES_MAX], worst = 0;
  for (int s = 0; s < ref->count; s++) {
    nearest[s] = INFINITY;
    for (ptrdiff_t i = 0; i < t->out_box.len[2]; i++) {
      const double complex z = field_get(t->out_type, t->apart[t->out_side][0], i);
      nearest[s] = fmin(nearest[s], (double)cabsl(z - ref->known[0].value[s]));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, nearest, ref->count, MPI_DOUBLE, MPI_MIN, b->a.comm);
  for (int s = 0; s < ref->count; s++)
    worst = fmax(worst, nearest[s] / (double)sqrtl(ref->known[0].energy));
  return worst;
}

void verify(const bench *b, contender *c, pfft3d_direction d) {
  /* What comes back from a spectrum in unknown order is known only after a forward transform. */
  const pfft3d_direction first = c->unordered ? PFFT3D_FORWARD : d;
  check_reference *ref = &known[first][c->problem.precision][c->fields > 1];
  result *r = &c->result[d];
  check_target t = aim(b, c, first);
  int failed = 0;
  double parseval, sampled;
  t.with = &(used){c, &failed};
  if (!ref->known) check_prepare(&t, SAMPLES, ref);
  check_seeded(&t, ref, &parseval, &sampled);
  if (c->unordered) sampled = search(b, &t, ref);
  r->error = check_roundtrip(&t, ref, NULL);
  check_worse(&r->error, parseval);
  check_worse(&r->error, sampled);
  r->wrong = failed || !(r->error <= check_limit(&c->problem, c->problem.precision));
  if (r->wrong) note(b, "%s is wrong (error %.1e): not timed", c->name, r->error);
}

void verify_forget(void) {
  for (int k = 0; k < 8; k++) check_forget(&known[k / 4][k / 2 % 2][k % 2]);
}
