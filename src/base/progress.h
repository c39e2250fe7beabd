/* SPDX-License-Identifier: BSD-3-Clause
 * News of a long call: pfft3d_on_progress() says who wants them. */
#ifndef PF_BASE_PROGRESS_H
#define PF_BASE_PROGRESS_H

/** Local. The call has come further. */
void pf_progress(void);

#endif
