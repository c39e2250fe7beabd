/* SPDX-License-Identifier: BSD-3-Clause
 * Buffers that other ranks put into: MPI windows over all ranks of a plan. */
#ifndef PF_EXCHANGE_WINDOWS_H
#define PF_EXCHANGE_WINDOWS_H

#include "exchange/memory.h"

/** Collective on s->comm. Allocates the buffer of a slot as a window.  Errors, agreed: UNAVAILABLE,
 *  INTERNAL. */
int pf_exchange_window_create(pf_exchange_store *s, pf_slot slot, pfft3d_error *e);

/** Collective on s->comm. Frees all windows. */
void pf_exchange_windows_destroy(pf_exchange_store *s);

#endif
