/* SPDX-License-Identifier: BSD-3-Clause
 * Whole planes on a device.  The passes of a stage follow each other there, with nothing copied in
 * between; several planes fill a slot, and while the device works on one slot, the next is filled
 * from the views and the last one is written to them. */
#ifndef PF_LOCAL_PLANES_H
#define PF_LOCAL_PLANES_H

#include "local/stage.h"

typedef struct pf_planes pf_planes;

/** Local. Plans the passes of a stage for a device; *planes is NULL if only tiles are possible:
 * steps between or around the transforms, or a build without VkFFT.  Errors: MEMORY,
 * UNAVAILABLE. */
int pf_planes_make(const pf_stage *s, pf_planes **planes, pfft3d_error *e);
void pf_planes_free(pf_planes *planes);

/** Local. Number of items that are best run together; 0: the stage goes by tiles in this run. */
ptrdiff_t pf_planes_together(const pf_stage *s);

/** Local. Runs `count` items from `item` on.  If the device fails, the results are arbitrary. */
void pf_planes_run(const pf_stage *s, pf_worker *w, ptrdiff_t item, ptrdiff_t count);

#endif
