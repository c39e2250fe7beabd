/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of all ranks in shared memory.
 *
 * If an exchange is direct, the first stage may read the inputs of all ranks, and the last one
 * write their outputs, instead of one more exchange.  Every rank publishes which shared array
 * (pfft3d_alloc()) its input and its output are; after a barrier all ranks read these notes.  If
 * all have the same array, it is accessed directly.  Otherwise a free half of the shared memory is
 * used instead: each rank copies its input there before the first stage, or its output from there
 * after the last one. */
#include <string.h>

#include "local/move.h"
#include "plan/plan.h"

enum { INPUT, OUTPUT };

/* The view of the arrays that all ranks have published, if these are the same shared array; else
 * that of the shared memory in their place. */
static const pf_view *choose_view(pf_execution *run, int which) {
  pfft3d_plan *p = run->plan;
  int number = pf_exchange_store_note(&p->store, 0)[which];
  for (int d = 1; d < p->geometry.ranks; d++)
    if (pf_exchange_store_note(&p->store, d)[which] != number) number = -1;
  if (number < 0) return &run->pipeline->staged[which];
  pf_run_base(p, which == INPUT ? PF_SLOT_SOURCES : PF_SLOT_PEERS,
              p->arrays->at[number].shared.base);
  return &run->pipeline->reached[which];
}

/* Mostly the same array as before: a store would take the line of cache from all other ranks, which
 * read it in every run. */
static void publish(const pf_execution *run, int which, int number) {
  int *note = &pf_exchange_store_note(&run->plan->store, run->plan->geometry.rank)[which];
  if (*note != number) *note = number;
}

/* Copies this rank's box between its array and its part of the shared memory, which has the same
 * layout: row by row, as the array may be padded. */
static void copy_box(pf_execution *run, int which, const char *array) {
  pfft3d_plan *p = run->plan;
  const pf_geometry *g = &p->geometry;
  pf_pipeline *w = run->pipeline;
  pfft3d_side side =
      (w->direction == PFFT3D_FORWARD) == (which == OUTPUT) ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  pfft3d_box box = pf_geometry_rows(g, &g->box[side]), *b = &box;
  size_t element = pfft3d_element_bytes(&g->decision.problem, side);
  pf_memory *m = &p->worker[0].memory;
  pf_slot slot = pf_exchange_staged_slot(&g->memory, w->direction);
  char *own, *part = m->base[slot] + (size_t)g->rank * p->store.shared.part;
  memcpy(&own, &array, sizeof own); /* an input is not written to */
  char *from = which == INPUT ? own : part, *to = which == INPUT ? part : own;
  double bytes = (double)pf_box_elements(b) * (double)g->group * (double)element;
  ptrdiff_t first = w->stage[0].first_field, last = first + g->group;
  for (ptrdiff_t f = first; f < last && bytes > 0; f++)
    for (ptrdiff_t i = 0; i < b->len[0]; i++) {
      ptrdiff_t at = (b->offset + f * b->distance + i * b->stride[0]) * (ptrdiff_t)element;
      pf_move((pf_strided){to + at, b->stride[2], b->stride[1], element},
              (pf_strided){from + at, b->stride[2], b->stride[1], element}, b->len[2], b->len[1],
              (pf_move_mode){0});
    }
  m->moved[slot] += bytes;
  m->moved[which == INPUT ? PF_SLOT_IN : PF_SLOT_OUT] += bytes;
}

void pf_reach_begin(pf_execution *run) {
  pfft3d_plan *p = run->plan;
  pf_pipeline *w = run->pipeline;
  /* If elements are only moved, in place, all would be read and written at once. */
  int apart = !p->geometry.decision.matrix.moves || run->in != run->out;
  publish(run, INPUT, apart ? pf_plan_find_array(p, run->in) : -1);
  publish(run, OUTPUT, apart ? pf_plan_find_array(p, run->out) : -1);
  if (!w->geometry->pull) return;
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
  w->stage[0].pass[0].from = choose_view(run, INPUT);
  if (w->stage[0].pass[0].from == &w->reached[INPUT]) return;
  copy_box(run, INPUT, run->in);
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
}

/* After this barrier the outputs of all ranks can be written. */
void pf_reach_outputs(pf_execution *run) {
  pfft3d_plan *p = run->plan;
  pf_pipeline *w = run->pipeline;
  pf_stage *last = &w->stage[w->stages - 1];
  if (!w->geometry->push) return;
  if (w->stages > 1)
    PF_TIMED(run, wait_s, pf_exchange_finish(&w->exchange[w->stages - 2]));
  else if (!w->geometry->pull)
    PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
  last->pass[last->passes - 1].to = choose_view(run, OUTPUT);
}

void pf_reach_end(pf_execution *run) {
  pfft3d_plan *p = run->plan;
  pf_pipeline *w = run->pipeline;
  const pf_stage *last = &w->stage[w->stages - 1];
  if (!w->geometry->push) { /* before any rank changes its input */
    if (w->stages == 1) PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
    return;
  }
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
  if (last->pass[last->passes - 1].to == &w->reached[OUTPUT]) return;
  copy_box(run, OUTPUT, run->out);
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm)); /* before any rank stores there again */
}
