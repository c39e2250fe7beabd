/* SPDX-License-Identifier: BSD-3-Clause
 * Planned transforms of tiles: by the engine, or by steps around complex transforms of the engine.
 */
#include "local/engine.h"

/* Whether an engine is surrounded by something, and by what. */
static const pf_around *around(const pf_fft *f, const pf_fft_spec *spec) {
  if (spec->many > 1) return &pf_around_many;
  if (pf_kind_is_real(spec->kind)) return &pf_around_kind;
  if (!f->real || (!spec->alone && f->engine->reals && f->engine->reals(f->n))) return NULL;
  return &pf_around_real;
}

int pf_fft_create(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e) {
  PF_TRY(pf_fft_begin(f, spec, e));
  f->around = around(f, spec);
  return f->around ? f->around->plan(f, spec, estimate, e) : f->engine->plan(f, estimate, e);
}

void pf_fft_destroy(pf_fft *f) {
  if (f->state && f->around)
    f->around->destroy(f);
  else if (f->state)
    f->engine->destroy(f);
  f->state = NULL;
}

void pf_fft_run(const pf_fft *f, void *tile, const pf_job *job) {
  if (f->around)
    f->around->run(f, tile, job);
  else
    f->engine->run(f, tile, job);
}
