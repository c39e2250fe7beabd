/* SPDX-License-Identifier: BSD-3-Clause
 * Progress of a long call, reported to the listener of pfft3d_on_progress().
 *
 * There is one listener in a process.  It belongs to the core library, which exports the function
 * for libpfft3d_hdf5; applications have no use for it. */
#ifndef PF_BASE_PROGRESS_H
#define PF_BASE_PROGRESS_H

#include <stddef.h>

/** Local. Calls the listener, if any. */
void pfft3d_internal_progress(void);
void pfft3d_internal_progress_at(double share);

/** Local. The call has made progress. */
static inline void pf_progress(void) {
  pfft3d_internal_progress();
}

/** Local. The call has made progress, and part @p done of @p all is next. */
static inline void pf_progress_at(ptrdiff_t done, long long all) {
  pfft3d_internal_progress_at(all > 0 ? (double)done / (double)all : -1);
}

#endif
