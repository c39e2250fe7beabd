/* SPDX-License-Identifier: BSD-3-Clause
 * Two transforms with a function of the caller between them, for one plane at a time.
 *
 * The last stage of a run writes planes, and the first stage of a run in the other direction reads
 * the same planes: with equal boxes no array is needed between them.  A run can therefore stop
 * before its last stage.  Then this stage and the first stage of the next run alternate: the first
 * run writes a plane of all fields into a buffer in cache, the function computes from it the plane
 * of the second run in another buffer, and the second run reads it there.  The buffers are the
 * beginning of the caller's arrays; plans whose stages do not meet (several steps, devices, outputs
 * of all ranks in shared memory, planes that are not contiguous) use the complete arrays. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "plan/plan.h"
#include "request/axes.h"

/* ---- runs that stop before their last stage ---- */

/* The pipeline of a direction, if it is the only step and can be split; else NULL. */
static pf_pipeline *splits(const pfft3d_plan *p, pfft3d_direction direction) {
  pf_pipelines *only = p->operators == 1 ? pf_plan_pipelines_at(p, 0) : NULL;
  return only && only->pipeline[direction].splits ? &only->pipeline[direction] : NULL;
}

static void open_run(pfft3d_plan *p, pfft3d_direction direction, const void *in) {
  pf_pipeline *w = splits(p, direction);
  p->run = (pf_execution){.pipelines = pf_plan_pipelines_at(p, 0),
                          .pipeline = w,
                          .stats = &p->list[direction].step[0].stats,
                          .in = in,
                          .exchange = 1,
                          .code = MPI_SUCCESS,
                          .timeline = p->timeline};
  p->half_way = 1 + (int)direction;
  if (!w) return;
  for (int k = 0; k < p->run.pipeline->stages; k++) p->run.pipeline->stage[k].first_field = 0;
  pf_run_arrays(&p->run);
  pf_run_exchanges(&p->run);
}

static int close_run(pfft3d_plan *p) {
  double total = p->run.post_s + p->run.wait_s;
  for (int k = 0; k < p->run.pipeline->stages; k++) total += p->run.stage_s[k];
  p->half_way = 0;
  pf_run_count(&p->run, total);
  return pf_run_status(p->run.code);
}

void pf_run_abandon(pf_execution *run) {
  if (!run->pipeline || run->code != MPI_SUCCESS || pf_mpi_ready(NULL)) return;
  for (int k = 0; k < run->pipeline->stages - 1; k++)
    pf_exchange_finish(&run->pipeline->exchange[k]);
}

/* ---- both stages alternately ---- */

/* The stage of one run at the plane that both runs share. */
typedef struct half {
  pf_execution *run;
  pf_stage stage; /* copy of the stage for one plane at a time, without streaming stores into the
                     cached buffer, and without prefetching beyond it */
  pf_superstep superstep;
  pf_slot slot;              /* of the caller's array */
  const pf_segment *segment; /* of the caller's array */
  size_t element;
  char *buffer;      /* of the first thread */
  ptrdiff_t field;   /* from field to field in the buffer, in elements */
  ptrdiff_t between; /* from thread to thread, in bytes */
} half;

typedef struct joint {
  half last, first;   /* of the run that ends, of the run that begins */
  int axis, named;    /* the axis of planes; its number in the caller's order */
  int threads, alike; /* alike: both have the same strides in a plane */
  ptrdiff_t planes;
  pfft3d_between function;
  void *context;
} joint;

/* Nonzero if the caller's array has other memory around or between its elements, which the buffers
 * would overwrite. */
static int has_gaps(const pfft3d_plan *p, pfft3d_direction direction, int ends) {
  int spectrum = (direction == PFFT3D_FORWARD) == (ends != 0);
  const pfft3d_array *a = &p->outline.array[spectrum ? PFFT3D_SPECTRUM : PFFT3D_SPACE];
  int gaps = a->every > 1 || (a->distance && p->outline.problem.batch > 1);
  for (int k = 0; k < 3; k++) gaps |= a->below[k] || a->above[k];
  return gaps;
}

/* Nonzero if the planes of a stage are contiguous in the caller's array; fills in h. */
static int meets(pfft3d_plan *p, pfft3d_direction direction, int ends, half *h) {
  pf_pipeline *w = splits(p, direction);
  const pf_view *v = ends ? &w->to[w->stages - 1] : &w->from[0];
  pf_run_views(w, 0, 0); /* the last run may have been another one */
  *h = (half){.run = &p->run, .stage = w->stage[ends ? w->stages - 1 : 0]};
  const pf_stage *s = &h->stage;
  h->slot = ends ? PF_SLOT_OUT : PF_SLOT_IN;
  h->segment = &v->segment[0];
  h->element = v->element;
  if (v->count != 1 || h->segment->slot != h->slot || s->last_lines) return 0;
  if (has_gaps(p, direction, ends)) return 0;
  for (int a = 0; a < 3; a++)
    if (a != s->outer && h->segment->stride[a] * (v->len[a] - 1) >= h->segment->stride[s->outer])
      return 0;
  h->field = h->segment->stride[s->outer];
  h->stage.by_field = 0;
  h->stage.at_once = ends ? 1 : PF_ALIGN + (int)(s->planes * s->fields);
  h->stage.pass[s->passes - 1].tuning.stream &= !ends;
  h->stage.pass[s->passes - 1].tuning.late = h->stage.pass[0].tuning.ahead = 0;
  return 1;
}

/* Bytes from plane to plane: whole cache lines, and no multiple of a page, so that fields do not
 * compete for the same sets of the cache. */
static ptrdiff_t spread(ptrdiff_t elements, size_t element) {
  enum { page = 4096, apart = 5 * PF_ALIGN };
  ptrdiff_t bytes = elements * (ptrdiff_t)element;
  bytes = (bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  return bytes % page < apart ? bytes + apart : bytes;
}

/* Sets the buffers of as many threads as fit into the arrays; returns 0 if none does. */
static int set_buffers(joint *j, size_t bytes[2], char *from, char *to) {
  half *h[2] = {&j->last, &j->first};
  if (from == to && !(j->alike && h[0]->field == h[1]->field)) return 0;
  for (int k = 0; k < 2; k++) {
    ptrdiff_t plane = spread(h[k]->field, h[k]->element);
    h[k]->buffer = k ? to : from;
    h[k]->field = plane / (ptrdiff_t)h[k]->element;
    h[k]->between = plane * h[k]->stage.fields;
  }
  if (from == to) {
    size_t both = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
    ptrdiff_t most = h[0]->between > h[1]->between ? h[0]->between : h[1]->between;
    bytes[0] = bytes[1] = both;
    h[0]->between = h[1]->between = most;
  }
  for (int k = 0; k < 2; k++)
    while (j->threads > 0 && (size_t)(j->threads * h[k]->between) > bytes[k]) j->threads--;
  return j->threads > 0;
}

static int prepare(joint *j, pfft3d_plan *const plan[2], pfft3d_direction ends, void *from,
                   void *to) {
  pfft3d_side side = ends == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  size_t bytes[2] = {plan[0]->outline.side_bytes[side], plan[1]->outline.side_bytes[side]};
  if (plan[0]->permuted != plan[1]->permuted) return 0;
  if (!splits(plan[0], ends) || !splits(plan[1], (pfft3d_direction)!ends)) return 0;
  if (!meets(plan[0], ends, 1, &j->last) || !meets(plan[1], (pfft3d_direction)!ends, 0, &j->first))
    return 0;
  j->axis = j->last.stage.outer;
  j->named = pf_axes_axis_back(plan[0]->permuted, j->axis);
  j->planes = j->last.stage.planes;
  if (j->axis != j->first.stage.outer || j->planes != j->first.stage.planes) return 0;
  j->threads = 1;
  for (int k = 0; k < 2; k++) {
    int threads = plan[k]->outline.threads;
    j->threads = k == 0 || threads < j->threads ? threads : j->threads;
  }
  if (j->planes == 0) return 1;
  if (j->planes < j->threads) j->threads = (int)j->planes;
  return set_buffers(j, bytes, from, to);
}

/* Runs a stage for one plane of all fields, in the buffer of a thread.  The stage gets the address
 * that a whole array would have if the plane were part of it. */
static void run_planes(half *h, int thread, ptrdiff_t plane, int alone) {
  const pf_stage *s = &h->stage;
  pf_worker *w = &h->run->pipelines->worker[thread];
  char *buffer = h->buffer + thread * h->between;
  for (ptrdiff_t f = 0; f < s->fields; f++) {
    ptrdiff_t item = plane * s->fields + f;
    ptrdiff_t skipped = h->segment->offset + plane * h->segment->stride[s->outer] +
                        f * (h->segment->field - h->field);
    uintptr_t base = (uintptr_t)buffer - (uintptr_t)(skipped * (ptrdiff_t)h->element);
    w->memory.base[h->slot] = (char *)base;
    pf_stage_begin(s, w, 1); /* its known addresses are of another array */
    if (alone)
      pf_superstep_item(h->run, &h->superstep, item);
    else
      pf_stage_run(s, w, item, h->superstep.first, NULL);
    w->memory.moved[h->slot] = 0;
  }
  if (!alone) pf_move_fence();
}

static void call(const joint *j, int thread, ptrdiff_t plane) {
  const half *x = &j->last, *y = &j->first;
  const pfft3d_plane p = {.axis = j->named,
                          .index = plane,
                          .thread = thread,
                          .from = x->buffer + thread * x->between,
                          .to = y->buffer + thread * y->between,
                          .from_distance = x->field,
                          .to_distance = y->field};
  j->function(j->context, &p);
}

static void record_function(const pf_execution *run, ptrdiff_t plane, double begin) {
  pf_event e = {
      .begin = begin, .end = run->now, .bytes = 1, .number = (int)plane, .kind = PF_EVENT_FUNCTION};
  pf_timeline_add(run->timeline, &e);
}

static void record_planes(const half *h, ptrdiff_t plane, double begin) {
  ptrdiff_t fields = h->stage.fields;
  pf_superstep_record(h->run, &h->superstep, plane * fields, fields, begin);
}

/* One plane after another: messages are driven between tiles. */
static void run_alone(joint *j, ptrdiff_t plane) {
  half *x = &j->last, *y = &j->first;
  double begin = pf_timeline_now(x->run->timeline);
  run_planes(x, 0, plane, 1);
  if (x->run->timeline) record_planes(x, plane, begin);
  pf_superstep_pause(x->run, &x->superstep);
  call(j, 0, plane);
  pf_superstep_resume(y->run, &y->superstep);
  if (y->run->timeline) record_function(y->run, plane, x->run->now);
  begin = pf_timeline_now(y->run->timeline);
  run_planes(y, 0, plane, 1);
  if (y->run->timeline) record_planes(y, plane, begin);
  pf_superstep_pause(y->run, &y->superstep);
  pf_superstep_resume(x->run, &x->superstep);
}

/* A plane for each thread: all that they do is one event. */
static void run_together(joint *j, ptrdiff_t plane, int count) {
  half *y = &j->first;
  const pf_stage *s = &y->stage;
  double begin = pf_timeline_now(y->run->timeline);
#ifdef _OPENMP
#pragma omp parallel for num_threads(count) schedule(static, 1)
#endif
  for (int k = 0; k < count; k++) {
    run_planes(&j->last, k, plane + k, 0);
    call(j, k, plane + k);
    run_planes(y, k, plane + k, 0);
  }
  if (y->run->timeline) pf_superstep_record(y->run, &y->superstep, plane * s->fields, count, begin);
  pf_superstep_send(y->run, s, plane * s->fields, count * s->fields);
}

static void run_joint(joint *j) {
  half *x = &j->last, *y = &j->first;
  x->run->now = pf_clock();
  x->superstep = pf_superstep_begin(x->run, x->run->pipeline->stages - 1, 1);
  /* A rank whose stages do not meet finishes the first run before it begins the second.  The others
   * must do so, too, if both exchanges wait for that rank. */
  const pf_exchange *recv = x->superstep.recv, *send = y->run->pipeline->exchange;
  if (recv && (!recv->ops->wait || send->peers.flags || send->again))
    PF_TIMED(x->run, wait_s, pf_exchange_finish(x->superstep.recv));
  pf_superstep_pause(x->run, &x->superstep);
  y->run->now = x->run->now;
  y->superstep = pf_superstep_begin(y->run, 0, 1);
  pf_superstep_pause(y->run, &y->superstep);
  pf_superstep_resume(x->run, &x->superstep);
  x->superstep.stage = &x->stage;
  y->superstep.stage = &y->stage;
  for (ptrdiff_t p = 0; p < j->planes; p += j->threads) {
    int count = j->planes - p < j->threads ? (int)(j->planes - p) : j->threads;
    if (x->run->code != MPI_SUCCESS || y->run->code != MPI_SUCCESS) break;
    if (x->superstep.recv)
      PF_TIMED(x->run, wait_s, pf_exchange_wait(x->superstep.recv, p + count - 1));
    if (j->threads == 1)
      run_alone(j, p);
    else
      run_together(j, p, count);
  }
  pf_superstep_end(x->run, &x->superstep);
  pf_superstep_resume(y->run, &y->superstep);
  pf_superstep_end(y->run, &y->superstep);
}

/* ---- with whole arrays ---- */

/* The axis with the largest stride, even if it has one index, so that a rank with one plane gets
 * planes along the same axis as all others. */
static int slowest(const pfft3d_box *b) {
  int axis = 0;
  for (int a = 1; a < 3; a++)
    if (b->stride[a] > b->stride[axis]) axis = a;
  return axis;
}

static pfft3d_box own_box(const pfft3d_plan *p, pfft3d_side side) {
  return pf_plan_box(p, side, p->outline.rank);
}

static void call_all(pfft3d_plan *const plan[2], pfft3d_side side, const pfft3d_box box[2],
                     const pfft3d_plane *arrays, pfft3d_between function, void *context) {
  const pfft3d_box *x = &box[0], *y = &box[1];
  ptrdiff_t size[2];
  int axis = slowest(x), threads = plan[0]->outline.threads;
  for (int k = 0; k < 2; k++)
    size[k] = (ptrdiff_t)pfft3d_element_bytes(&plan[k]->outline.problem, side);
  if (pf_box_elements(x) == 0) return;
  if (threads > x->len[axis]) threads = (int)x->len[axis];
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int t = 0; t < threads; t++)
    for (ptrdiff_t i = t; i < x->len[axis]; i += threads) {
      pfft3d_plane p = {.axis = axis,
                        .index = i,
                        .thread = t,
                        .from_distance = x->distance,
                        .to_distance = y->distance};
      p.from = (const char *)arrays->from + (x->offset + i * x->stride[axis]) * size[0];
      p.to = (char *)arrays->to + (y->offset + i * y->stride[axis]) * size[1];
      function(context, &p);
    }
}

/* ---- the public calls ---- */

/* Nonzero if parts of two vectors with the same first element and length hold the same elements. */
static int same_order(const pf_vector *v, const pf_vector *w) {
  if (v->ranks < 2 || w->ranks < 2) return 1;
  if (v->distribution != w->distribution || v->reversed != w->reversed) return 0;
  return v->distribution != PF_COLUMNS || v->row == w->row;
}

/* Nonzero if the arrays of one side have the same elements on this rank. */
static int same_elements(pfft3d_plan *const plan[2], pfft3d_side side, const pfft3d_box box[2]) {
  for (int k = 0; k < 3; k++)
    if (box[0].lo[k] != box[1].lo[k] || box[0].len[k] != box[1].len[k]) return 0;
  return same_order(&plan[0]->outline.vector[side], &plan[1]->outline.vector[side]);
}

/* Nonzero if elements have the same addresses in both arrays, except for the distance between
 * fields. */
static int same_addresses(pfft3d_plan *const plan[2], pfft3d_side side, const pfft3d_box box[2]) {
  size_t size[2];
  for (int k = 0; k < 2; k++) size[k] = pfft3d_element_bytes(&plan[k]->outline.problem, side);
  for (int k = 0; k < 3; k++)
    if (box[0].len[k] > 1 && box[0].stride[k] != box[1].stride[k]) return 0;
  return size[0] == size[1] && box[0].offset == box[1].offset;
}

/* The three calls, without their record. */

static int begin(pfft3d_plan *plan, pfft3d_direction direction, const void *in) {
  open_run(plan, direction, in);
  if (!splits(plan, direction)) return PFFT3D_OK;
  pf_run_stages(&plan->run, 0, plan->run.pipeline->stages - 1);
  return pf_run_status(plan->run.code);
}

static int end(pfft3d_plan *plan, pfft3d_direction direction, void *out) {
  if (!splits(plan, direction)) {
    plan->half_way = 0;
    int status = pf_plan_check_run(plan, direction, plan->run.in, out);
    if (!status) return pf_plan_run(plan, direction, plan->run.in, out, 1);
    plan->half_way = 1 + (int)direction;
    return status;
  }
  if (!out && plan->outline.side_bytes[direction == PFFT3D_FORWARD]) return PFFT3D_ERR_USAGE;
  plan->run.out = out;
  pf_run_base(plan->run.pipelines, PF_SLOT_OUT, out);
  pf_run_stages(&plan->run, plan->run.pipeline->stages - 1, plan->run.pipeline->stages);
  return close_run(plan);
}

/* Nonzero if this plan has a run in this direction that waits for its last stage. */
static int is_half_way(const pfft3d_plan *plan, pfft3d_direction direction) {
  return plan && (direction == PFFT3D_FORWARD || direction == PFFT3D_BACKWARD) &&
         !pf_mpi_ready(NULL) && plan->half_way == 1 + (int)direction;
}

static int between(joint *j, pfft3d_plan *const plan[2], pfft3d_direction ends,
                   const pfft3d_box box[2], const pfft3d_plane *arrays) {
  pfft3d_direction begins = (pfft3d_direction)!ends;
  pfft3d_side side = ends == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  void *from;
  memcpy(&from, &arrays->from, sizeof from); /* the function may change it */
  if (!prepare(j, plan, ends, from, arrays->to)) {
    int status = end(plan[0], ends, from);
    if (!pf_goes_on(status)) return status;
    call_all(plan, side, box, arrays, j->function, j->context);
    return pf_status_of_both(status, begin(plan[1], begins, arrays->to));
  }
  open_run(plan[1], begins, arrays->to);
  run_joint(j);
  pf_run_stages(&plan[1]->run, 1, plan[1]->run.pipeline->stages - 1);
  PF_TRY(close_run(plan[0]));
  return pf_run_status(plan[1]->run.code);
}

int pfft3d_execute_begin(pfft3d_plan *plan, pfft3d_direction direction, const void *in) {
  if (!plan || (direction != PFFT3D_FORWARD && direction != PFFT3D_BACKWARD) || pf_mpi_ready(NULL))
    return PFFT3D_ERR_USAGE;
  if (plan->half_way || (!in && plan->outline.side_bytes[direction == PFFT3D_BACKWARD]))
    return PFFT3D_ERR_USAGE;
  ptrdiff_t call = pf_plan_call(plan, PF_CALL_BEGIN, direction);
  int status = begin(plan, direction, in);
  pf_timeline_return(plan->timeline, call);
  return status;
}

int pfft3d_execute_end(pfft3d_plan *plan, pfft3d_direction direction, void *out) {
  if (!is_half_way(plan, direction)) return PFFT3D_ERR_USAGE;
  ptrdiff_t call = pf_plan_call(plan, PF_CALL_END, direction);
  int status = end(plan, direction, out);
  pf_timeline_return(plan->timeline, call);
  return status;
}

int pfft3d_execute_between(pfft3d_plan *ends, pfft3d_direction direction, pfft3d_plan *begins,
                           pfft3d_between function, void *context, void *from, void *to) {
  joint j = {.function = function, .context = context};
  pfft3d_plan *const plan[2] = {ends, begins};
  if (!is_half_way(ends, direction) || !begins || begins->half_way || begins == ends || !function)
    return PFFT3D_ERR_USAGE;
  pfft3d_side side = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  const pfft3d_box box[2] = {own_box(ends, side), own_box(begins, side)};
  const ptrdiff_t elements = pf_box_elements(&box[0]);
  if (!same_elements(plan, side, box) || ((!from || !to) && elements)) return PFFT3D_ERR_USAGE;
  j.alike = same_addresses(plan, side, box);
  int fields = plan[0]->outline.problem.batch > 1 || plan[1]->outline.problem.batch > 1;
  if (from == to && elements && !(j.alike && (!fields || box[0].distance == box[1].distance)))
    return PFFT3D_ERR_USAGE;
  const pfft3d_plan *recorded = begins->timeline ? begins : ends;
  ptrdiff_t call = pf_plan_call(recorded, PF_CALL_BETWEEN, direction);
  int status = between(&j, plan, direction, box, &(pfft3d_plane){.from = from, .to = to});
  pf_timeline_return(recorded->timeline, call);
  return status;
}
