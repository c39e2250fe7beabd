/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange persistent: as slabs, but every message is described to MPI once, when the plan is made,
 * and started again in each transform.
 *
 * What moves: the same messages as those of slabs, in the same order (rows.c).  What is saved is
 * the setting up of a request, a fraction of a microsecond of each: it counts where messages are
 * many and small.  The price is memory of its own: the caller's output cannot serve as a buffer.
 * Source: persistent communication requests, MPI 3.1, section 3.9. */
#include "exchange/memory.h"
#include "exchange/rows.h"

const pf_exchange_ops pf_exchange_persistent = {
    .name = "persistent",
    .summary = "as slabs, with requests that are made once and started each time",
    .memory = &pf_memory_blocks,
    .suits = pf_exchange_suits_messages,
    .grain = PF_GRAIN_PART,
    .fixed = 1,
    .setup = pf_rows_setup,
    .start = pf_rows_start,
    .post = pf_rows_post,
    .progress = pf_rows_progress,
    .wait = pf_rows_wait,
    .finish = pf_rows_finish,
    .teardown = pf_rows_teardown};
