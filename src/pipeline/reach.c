/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of all ranks in shared memory.
 *
 * If an exchange is direct, the first stage may read the inputs of all ranks, and the last one
 * write their outputs, instead of one more exchange.  Every rank publishes which shared array
 * (pfft3d_alloc()) its input and its output are; after a barrier all ranks read these notes.  If
 * all have the same array, it is accessed directly.  Otherwise the shared memory of the exchange is
 * used: each rank copies its input to it before the first stage, or its output from it after the
 * last one.  Results of fields replace the input of the last stage, and each rank collects its own
 * from the parts of all ranks; if they do not fit, and for lines, a free half of the shared memory
 * has the layout of the arrays. */
#include <string.h>

#include "local/move.h"
#include "pipeline/pipelines.h"

enum { INPUT, OUTPUT };

/* The view of the arrays that all ranks have published, if these are the same shared array; else
 * the view of the shared memory. */
static const pf_view *choose_view(pf_execution *run, int which) {
  pf_pipelines *p = run->pipelines;
  int number = pf_exchange_store_note(&p->store, 0)[which];
  for (int d = 1; d < p->geometry.ranks; d++)
    if (pf_exchange_store_note(&p->store, d)[which] != number) number = -1;
  if (number < 0) return &run->pipeline->staged[which];
  pf_run_base(p, which == INPUT ? PF_SLOT_SOURCES : PF_SLOT_PEERS,
              p->arrays->at[number].shared.base);
  return &run->pipeline->reached[which];
}

/* The array is mostly the same as before, and needs no store, which would remove the cache line
 * from all other ranks, which read it in every run. */
static void publish(const pf_execution *run, int which, int number) {
  int *note = &pf_exchange_store_note(&run->pipelines->store, run->pipelines->geometry.rank)[which];
  if (*note != number) *note = number;
}

/* Nonzero if the results of this run bypass the caches. */
static int results_stream(const pf_execution *run) {
  return run->pipeline->streams[run->in == run->out];
}

/* Copies a segment of a view to this rank's array, or back. */
static void copy_segment(const pf_execution *run, const pf_view *v, const pf_segment *s,
                         const pfft3d_box *b, char *array, int which) {
  const pf_stage *stage = &run->pipeline->stage[0];
  char *part = run->pipelines->worker[0].memory.base[s->slot];
  ptrdiff_t element = (ptrdiff_t)v->element, len[3];
  memcpy(len, b->len, sizeof len);
  len[v->cut] = s->part.len;
  for (ptrdiff_t f = 0; f < stage->fields; f++)
    for (ptrdiff_t i = 0; i < len[0]; i++) {
      ptrdiff_t there = s->offset + f * s->field + i * s->stride[0];
      ptrdiff_t here = b->offset + (stage->first_field + f) * b->distance + i * b->stride[0] +
                       s->part.lo * b->stride[v->cut];
      pf_strided shared = {part + there * element, s->stride[2], s->stride[1], v->element};
      pf_strided own = {array + here * element, b->stride[2], b->stride[1], v->element};
      pf_move(which == INPUT ? shared : own, which == INPUT ? own : shared, len[2], len[1],
              (pf_move_mode){.stream = which == OUTPUT && results_stream(run)});
    }
}

/* The caller's box, staged in this rank's part with the same layout. */
static pf_view staged_box(const pf_execution *run, const pfft3d_box *b, size_t element,
                          pf_segment *segment) {
  const pf_pipelines *p = run->pipelines;
  pf_slot slot = pf_exchange_staged_slot(&p->geometry.memory, (int)run->pipeline->direction);
  pf_view v = pf_view_whole(b, element, p->geometry.fields, slot, segment);
  ptrdiff_t part = (ptrdiff_t)(p->store.shared.part / element);
  segment->offset += p->geometry.rank * part + run->pipeline->stage[0].first_field * b->distance;
  return v;
}

/* Copies this rank's box between its array and the shared memory: row by row, as the array may be
 * padded. */
static void copy_box(pf_execution *run, int which, const char *array) {
  pf_pipelines *p = run->pipelines;
  const pf_geometry *g = &p->geometry;
  pf_pipeline *w = run->pipeline;
  pfft3d_side side =
      (w->direction == PFFT3D_FORWARD) == (which == OUTPUT) ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  pfft3d_box box = pf_geometry_rows(g, &g->box[side]), *b = &box;
  size_t element = pfft3d_element_bytes(&g->decision.problem, side);
  pf_memory *m = &p->worker[0].memory;
  pf_segment whole;
  pf_view v =
      which == OUTPUT && w->geometry->fits ? w->results : staged_box(run, b, element, &whole);
  char *own;
  memcpy(&own, &array, sizeof own); /* an input is not written to */
  double bytes = (double)pf_box_elements(b) * (double)g->group * (double)element;
  for (int k = 0; k < v.count && bytes > 0; k++)
    copy_segment(run, &v, &v.segment[k], b, own, which);
  pf_move_fence();
  m->moved[v.segment[0].slot] += bytes;
  m->moved[which == INPUT ? PF_SLOT_IN : PF_SLOT_OUT] += bytes;
}

void pf_reach_begin(pf_execution *run) {
  pf_pipelines *p = run->pipelines;
  pf_pipeline *w = run->pipeline;
  /* If elements are only moved, in place, all would be read and written at the same time. */
  int apart = !p->geometry.decision.matrix.moves || run->in != run->out;
  publish(run, INPUT, apart ? pf_arrays_find(p->arrays, run->in) : -1);
  publish(run, OUTPUT, apart ? pf_arrays_find(p->arrays, run->out) : -1);
  if (!w->geometry->pull) return;
  PF_TIMED_ON(run, wait_s, pf_shared_barrier(&p->store.shared));
  w->stage[0].pass[0].from = choose_view(run, INPUT);
  if (w->stage[0].pass[0].from == &w->reached[INPUT]) return;
  copy_box(run, INPUT, run->in);
  PF_TIMED(run, wait_s, pf_shared_barrier(&p->store.shared));
}

/* After this barrier the outputs of all ranks can be written. */
void pf_reach_outputs(pf_execution *run) {
  pf_pipelines *p = run->pipelines;
  pf_pipeline *w = run->pipeline;
  pf_stage *last = &w->stage[w->stages - 1];
  if (!w->geometry->push) return;
  if (w->stages > 1)
    PF_TIMED_ON(run, wait_s, pf_exchange_finish(&w->exchange[w->stages - 2]));
  else if (!w->geometry->pull)
    PF_TIMED_ON(run, wait_s, pf_shared_barrier(&p->store.shared));
  pf_pass *pass = &last->pass[last->passes - 1];
  pass->to = choose_view(run, OUTPUT);
  /* Results that replace the input are in cache lines that were just read: streaming stores would
   * first evict them. */
  pass->tuning.stream =
      results_stream(run) && !(pass->to == &w->staged[OUTPUT] && w->geometry->fits);
}

void pf_reach_end(pf_execution *run) {
  pf_pipelines *p = run->pipelines;
  pf_pipeline *w = run->pipeline;
  const pf_stage *last = &w->stage[w->stages - 1];
  if (!w->geometry->push) { /* before any rank changes its input */
    if (w->stages == 1) PF_TIMED_ON(run, wait_s, pf_shared_barrier(&p->store.shared));
    return;
  }
  PF_TIMED_ON(run, wait_s, pf_shared_barrier(&p->store.shared));
  if (last->pass[last->passes - 1].to == &w->reached[OUTPUT]) return;
  copy_box(run, OUTPUT, run->out);
  if (!w->geometry->fits) /* before any rank stores again; with `fits` the next exchange waits */
    PF_TIMED(run, wait_s, pf_shared_barrier(&p->store.shared));
}
