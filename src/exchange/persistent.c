/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange persistent: as slabs, with persistent requests that are created with the plan and
 * started in each transform.
 *
 * What moves: the messages of slabs, in the same order (rows.c).  This saves the creation of
 * requests, a fraction of a microsecond each, which matters for many small messages.  The price is
 * memory: the caller's output cannot serve as a buffer.
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
