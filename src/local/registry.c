/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of engines. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "local/engine.h"

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
