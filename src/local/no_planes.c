/* SPDX-License-Identifier: BSD-3-Clause
 * Without devices all stages process tiles. */
#include "local/planes.h"

int pf_planes_make(const pf_stage *s, pf_planes **planes, pfft3d_error *e) {
  (void)s, (void)e;
  *planes = NULL;
  return PFFT3D_OK;
}

void pf_planes_free(pf_planes *planes) {
  (void)planes;
}

ptrdiff_t pf_planes_together(const pf_stage *s) {
  (void)s;
  return 0;
}

void pf_planes_run(const pf_stage *s, pf_worker *w, ptrdiff_t item, ptrdiff_t count) {
  (void)s, (void)w, (void)item, (void)count;
}
