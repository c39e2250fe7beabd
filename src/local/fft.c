/* SPDX-License-Identifier: BSD-3-Clause
 * Planned transforms of tiles: by the engine, or by real.c for real lines that the engine does not
 * support. */
#include "local/engine.h"

int pf_fft_create(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e) {
  PF_TRY(pf_fft_begin(f, spec, e));
  f->around = f->real && (spec->alone || !f->engine->reals || !f->engine->reals(f->n));
  return f->around ? pf_real_plan(f, spec->alone, estimate, e) : f->engine->plan(f, estimate, e);
}

void pf_fft_destroy(pf_fft *f) {
  if (f->around)
    pf_real_destroy(f);
  else if (f->engine && f->state)
    f->engine->destroy(f);
  f->state = NULL;
}

void pf_fft_run(const pf_fft *f, void *tile, const pf_job *job) {
  if (f->around)
    pf_real_run(f, tile, job);
  else
    f->engine->run(f, tile, job);
}
