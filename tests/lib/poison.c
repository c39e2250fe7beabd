/* SPDX-License-Identifier: BSD-3-Clause
 * What a plan keeps between runs, full of NaN; see poison.h. */
#include "poison.h"

#include <string.h>

#include "plan/plan.h"

/* Bytes of NaN, and of huge numbers, in both precisions.  The latter are for what lines are worked
 * on in: lines that a tile lacks are transformed for nothing, which takes engine naive, in long
 * double, a hundred times as long with NaN. */
enum { POISON = 0xFF, HUGE_POISON = 0x7E };

/* Local. The memory of one thread, but for the spare tile: what lines it lacks are whatever finite
 * numbers are there, and are transformed for nothing. */
static void poison_worker(const pf_pipelines *p, pf_worker *w) {
  memset(w->tile, HUGE_POISON, p->tile_bytes);
  memset(w->collect, HUGE_POISON, p->strip_bytes);
  for (int s = PF_SLOT_PLANE; s < PF_SLOTS; s++)
    if (p->geometry.memory.bytes[s])
      memset(w->memory.base[s], HUGE_POISON, p->geometry.memory.bytes[s]);
}

/* Local. The own part of the memory that ranks share, as far as the halves go, which take turns,
 * and what is sent from there. */
static void poison_window(const pf_pipelines *p) {
  const pf_exchange_store *s = &p->store;
  int rank;
  if (!s->shared.base) return;
  MPI_Comm_rank(s->node == MPI_COMM_NULL ? p->comm : s->node, &rank);
  size_t bytes = (size_t)pf_exchange_halves(s->memory) * s->memory->half + s->memory->send_area;
  memset(s->shared.base + (size_t)rank * s->shared.part, POISON, bytes);
}

static void poison_pipelines(const pf_pipelines *p) {
  for (int s = 0; s < PF_SLOT_PLANE; s++)
    if (p->store.buffer[s] && s != PF_SLOT_EDGES && s != PF_SLOT_SHARED && s != PF_SLOT_STAGED)
      memset(p->store.buffer[s], POISON, p->geometry.memory.bytes[s]);
  poison_window(p);
  for (int t = 0; p->worker && t < p->geometry.decision.threads; t++)
    poison_worker(p, &p->worker[t]);
}

void poison_plan(pfft3d_plan *p) {
  const pf_pipelines *one;
  for (int k = 0; (one = pf_plan_pipelines_at(p, k)); k++) poison_pipelines(one);
  if (p->buffer[0] && !p->buffer[1]) memset(p->buffer[0], POISON, p->buffer_bytes);
}
