/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of engines, and their transforms. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "local/engine.h"

#include <stdint.h>

#define PF_ENGINE(name) extern const pf_engine pf_engine_##name;
#include "local/engine_list.h"
#undef PF_ENGINE

static const pf_engine *const engines[] = {
#define PF_ENGINE(name) &pf_engine_##name,
#include "local/engine_list.h"
#undef PF_ENGINE
};

const pf_engine *pf_engine_at(int index) {
  int count = (int)(sizeof engines / sizeof *engines);
  return index >= 0 && index < count ? engines[index] : NULL;
}

/* Two real lines are one complex one. */
ptrdiff_t pf_fft_width(const pf_fft_spec *spec) {
  ptrdiff_t width = spec->engine->width(spec->n, spec->precision);
  return spec->real && !spec->alone ? 2 * width : width;
}

int pf_fft_create(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e) {
  *f = (pf_fft){
      .engine = spec->engine,
      .precision = spec->precision,
      .n = spec->n,
      .sign = spec->sign,
      .rows = spec->rows,
      .transpose = spec->transpose && spec->engine->transposes && spec->engine->transposes(spec->n),
      .weighs = !spec->real && spec->engine->weighs && spec->engine->weighs(spec->n),
      .real = spec->real,
      .width = pf_fft_width(spec)};
  if (f->n > PTRDIFF_MAX / 64 / f->width)
    return pf_fail(e, PFFT3D_ERR_MEMORY, "a line of %td points is too long", f->n);
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
