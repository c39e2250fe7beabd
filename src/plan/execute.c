/* SPDX-License-Identifier: BSD-3-Clause
 * The executor: stages and exchanges in turn, planes in order, messages as soon as their rows are
 * done.  Nothing here allocates, reduces a status or reads a file. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "local/move.h"
#include "line/line.h"
#include "plan/matrix.h"
#include "planner/model.h"

/* Open MPI moves nothing unless it is called: what leaves, and what is still to come. */
static void drive(pf_progress *run) {
  pf_exchange *both[] = {run->send, run->recv};
  for (int k = 0; k < 2; k++)
    if (both[k] && both[k]->ops->progress) PF_TIMED(run, post_s, both[k]->ops->progress(both[k]));
}

static void tick(void *context, ptrdiff_t t, ptrdiff_t width) {
  pf_progress *run = context;
  pf_exchange *x = run->send;
  pf_load_tile(&run->load);
  if (x && width && run->by_tile) {
    pf_move_fence();
    PF_TIMED(run, post_s, x->ops->post(x, run->plane, t, width));
  }
  if (++run->since < run->pace) return;
  run->since = 0;
  drive(run);
}

/* At the end of a plane all its lines are done: posted in the order that the receivers expect. */
static void post_plane(pf_progress *run) {
  pf_exchange *x = run->send;
  ptrdiff_t n = pf_redist_lines(&x->redist, run->plane),
            first = pf_redist_first_line(&x->redist, x->redist.me);
  pf_move_fence();
  PF_TIMED(run, post_s, x->ops->post(x, run->plane, first, n - first));
  if (first) PF_TIMED(run, post_s, x->ops->post(x, run->plane, 0, first));
}

/* Whether all fields of a batch are done with a plane behind this step, so that it can leave. */
static int completes_plane(const pf_stage *s, ptrdiff_t step) {
  return pf_stage_field_of(s, step) == s->fields - 1;
}

/* One step after another, lines leaving between tiles. */
static void run_step(pfft3d_plan *p, const pf_stage *s, pf_progress *run, ptrdiff_t step,
                     ptrdiff_t first) {
  int last = completes_plane(s, step), by_tile = run->by_tile;
  run->plane = pf_stage_plane_of(s, step);
  run->by_tile = by_tile && last;
  pf_load_step(&run->load, 1);
  pf_stage_run(s, &p->worker[0], step, first, tick, run);
  pf_load_step(&run->load, 0);
  run->by_tile = by_tile;
  if (run->send && !by_tile && last) post_plane(run);
}

/* As many steps at once as there are threads, lines leaving behind them: no thread but this one
 * calls MPI. */
static void run_steps(pfft3d_plan *p, const pf_stage *s, pf_progress *run, ptrdiff_t step,
                      int count, ptrdiff_t first) {
  pf_stage_run_threads(s, p->worker, step, count, first);
  for (; run->send && count > 0; count--, step++) {
    run->plane = pf_stage_plane_of(s, step);
    if (completes_plane(s, step)) post_plane(run);
  }
  drive(run);
}

/* Bytes that went through memory outside the caches since the run began. */
static double moved_outside(const pfft3d_plan *p) {
  double sum = 0;
  for (int t = 0; t < p->geometry.threads; t++)
    for (int k = 0; k < PF_SLOTS; k++)
      if (k < PF_SLOT_PLANE || p->geometry.bytes[k] > pf_cache_bytes())
        sum += p->worker[t].memory.moved[k];
  return sum;
}

/* Tiles from one call of MPI to the next: over TCP a call that finds nothing costs a microsecond or
 * two, as much as some KiB of a transform, and a wire of 10 Gb/s carries 60 KiB in the time that
 * this much takes. */
static int pace_of(const pf_pass *pass) {
  enum { between = 256 * 1024 };
  if (!pass->fft) return 1;
  double tile =
      (double)pass->fft->n * (double)pass->fft->width * (double)pf_element(pass->fft->precision);
  return tile < between ? (int)(between / tile) : 1;
}

/* What numbers have lost since this was last asked. */
static void take_loss(pfft3d_plan *p, pf_loss *sum) {
  for (int t = 0; t < p->geometry.threads; t++) {
    sum->error2 += p->worker[t].loss.error2;
    sum->norm2 += p->worker[t].loss.norm2;
    p->worker[t].loss = (pf_loss){0, 0};
  }
}

/* What a stage sends and receives, and whether lines leave tile by tile or at the end of a plane.
 */
static void start_stage(const pf_stage *s, pf_progress *run, pf_exchange *send) {
  const pf_pass *last = &s->pass[s->passes - 1];
  if (send) PF_TIMED(run, post_s, pf_exchange_start(send));
  run->send = send && send->ops->post ? send : NULL; /* what is stored needs nobody to send it */
  run->by_tile = run->send && last->fft && last->tile == 1 - s->outer;
  run->pace = pace_of(last);
  run->since = 0;
}

/* What the model says of stage k, for simulations: the same for all steps, and for all tiles of
 * one. */
static pf_load load_of(const pfft3d_plan *p, const pf_pipeline *w, int k) {
  const pf_stage *s = &w->stage[k];
  double steps = (double)s->planes * (double)p->geometry.problem.batch, tiles = 0;
  if (!(p->machine.flops > 0) || !(steps > 0)) return (pf_load){0};
  for (int i = 0; i < s->passes; i++) {
    const pf_pass *pass = &s->pass[i];
    double lines = (double)pass->from->len[pass->tile];
    tiles += pass->fft ? ceil(lines / (double)pass->fft->width) : 1;
  }
  pfft3d_direction d = w == &p->pipeline[PFFT3D_FORWARD] ? PFFT3D_FORWARD : PFFT3D_BACKWARD;
  double step = pf_model_stage(&p->geometry, d, k, &p->machine) / steps;
  return (pf_load){.flops = p->machine.flops, .step = step, .tile = tiles > 0 ? step / tiles : 0};
}

/* What MPI, or the ranks of a node, move through memory for the exchange before a stage. */
static void load_exchange(const pfft3d_plan *p, pf_pipeline *w, int k, pf_progress *run) {
  if (!(p->machine.memory > 0)) return;
  double seconds = pf_model_memory(&p->geometry, w->geometry, k, &p->machine);
  run->load = (pf_load){.flops = p->machine.flops, .owed = seconds};
  run->wait_s += seconds;
  pf_load_pay(&run->load);
}

void pf_run_stage(pfft3d_plan *p, pf_pipeline *w, int k, pf_progress *run, int exchange) {
  pf_stage *s = &w->stage[k];
  pf_exchange *recv = exchange && k > 0 ? &w->exchange[k - 1] : NULL;
  pf_exchange *send = exchange && k < w->steps - 1 ? &w->exchange[k] : NULL;
  int threads = p->geometry.threads;
  double start = MPI_Wtime() - run->post_s - run->wait_s, before = moved_outside(p);
  if (PF_SIMULATED && recv) load_exchange(p, w, k - 1, run);
  if (PF_SIMULATED) run->load = load_of(p, w, k);
  /* The memories of the exchange before are used again: its sends must have left. */
  int reused = recv && (send || w->geometry->send[k - 1] == PF_SLOT_OUT);
  if (reused) PF_TIMED(run, wait_s, pf_exchange_finish(recv));
  start_stage(s, run, send);
  run->recv = reused ? NULL : recv;
  ptrdiff_t first = run->by_tile && send ? pf_redist_first_line(&send->redist, send->redist.me) : 0;
  ptrdiff_t steps = s->planes * s->fields;
  for (ptrdiff_t step = 0; step < steps && run->code == MPI_SUCCESS; step += threads) {
    int count = steps - step < threads ? (int)(steps - step) : threads;
    ptrdiff_t last = pf_stage_plane_of(s, step + count - 1);
    if (recv && !reused) PF_TIMED(run, wait_s, pf_exchange_wait(recv, last));
    if (threads == 1)
      run_step(p, s, run, step, first);
    else
      run_steps(p, s, run, step, count, first);
  }
  pf_move_fence();
  pf_load_pay(&run->load);
  if (recv && !reused) PF_TIMED(run, wait_s, pf_exchange_finish(recv));
  run->stage_s[k] += MPI_Wtime() - run->post_s - run->wait_s - start;
  run->stage_bytes[k] += moved_outside(p) - before;
  take_loss(p, &run->stage_loss[k]);
}

void pf_run_stats(const pfft3d_plan *p, pf_pipeline *w, const pf_progress *run, double total) {
  pfft3d_stats *s = &w->stats;
  double groups = (double)p->geometry.problem.batch / (double)p->geometry.group;
  s->executions++;
  s->total_s += total;
  s->post_s += run->post_s;
  s->wait_s += run->wait_s;
  s->fft_s += total - run->post_s - run->wait_s;
  s->traffic += moved_outside(p);
  pf_message_count sent = {s->messages, s->bytes, s->bytes_min, s->bytes_max};
  pf_geometry_add_messages(&sent, &w->heads.sent);
  w->heads.sent = (pf_message_count){0};
  for (int k = 0; k < w->steps; k++) {
    s->stage[k].seconds += run->stage_s[k];
    s->stage[k].bytes += run->stage_bytes[k];
    s->stage[k].wire_error2 += run->stage_loss[k].error2;
    s->stage[k].wire_norm2 += run->stage_loss[k].norm2;
  }
  for (int k = 0; k < w->steps - 1; k++) {
    pf_exchange *x = &w->exchange[k];
    pf_redist others = x->redist;
    others.own_apart = 1;
    pf_geometry_add_messages(&sent, &x->sent);
    if (x->ops->place == PF_PLACE_OWNERS) continue;
    double received = (double)pf_redist_recv_elements(&others) * (double)x->size;
    if (x->ops->place == PF_PLACE_NODES)
      received = pf_exchange_received_nodes(&x->redist, &x->node.node_map, x->size);
    s->traffic += x->sent.bytes + groups * received;
    x->sent = (pf_message_count){0};
  }
  s->messages = sent.messages;
  s->bytes = sent.bytes;
  s->bytes_min = sent.bytes_min;
  s->bytes_max = sent.bytes_max;
}

/* The address of a memory, for all threads. */
void pf_run_base(pfft3d_plan *p, pf_slot slot, char *base) {
  for (int t = 0; t < p->geometry.threads; t++) p->worker[t].memory.base[slot] = base;
}

/* The memories of a run. */
void pf_run_memories(pfft3d_plan *p, const void *in, void *out) {
  char *readable;
  memcpy(&readable, &in, sizeof in); /* no pass writes to this slot */
  for (int t = 0; t < p->geometry.threads; t++)
    memset(p->worker[t].memory.moved, 0, sizeof p->worker[t].memory.moved);
  pf_run_base(p, PF_SLOT_IN, readable);
  pf_run_base(p, PF_SLOT_OUT, out);
  for (int k = PF_SLOT_SEND; k <= PF_SLOT_EXTRA; k++) pf_run_base(p, (pf_slot)k, p->buffer[k]);
}

/* The halves of a window take turns. */
void pf_run_next_half(pfft3d_plan *p, pf_pipeline *w) {
  pf_place place = p->geometry.exchange->place;
  if (place == PF_PLACE_OWNERS || place == PF_PLACE_NODES) {
    size_t half = p->geometry.half;
    pf_run_base(p, PF_SLOT_SHARED, p->shared.base + (p->half ? half : 0));
    pf_run_base(p, PF_SLOT_STAGED, p->shared.base + (p->half ? 0 : half));
    if (pf_geometry_halves(&p->geometry) > 1) p->half = (p->half + w->steps - 1) % 2;
  }
  if (place == PF_PLACE_NODES) { /* behind the halves of the own part */
    size_t part = (size_t)(p->geometry.rank % p->geometry.node_ranks) * p->shared.part;
    pf_run_base(p, PF_SLOT_SEND,
                p->shared.base + part + pf_geometry_halves(&p->geometry) * p->geometry.half);
  }
  for (int k = 0; k < w->steps - 1; k++) {
    w->exchange[k].send = p->worker[0].memory.base[w->geometry->send[k]];
    w->exchange[k].recv = p->worker[0].memory.base[w->geometry->recv[k]];
  }
}

/* Behind the two halves of its part, every rank tells the others which shared array its output is.
 */
int *pf_run_numbers(pfft3d_plan *p, int rank) {
  return (int *)(p->shared.base + (size_t)rank * p->shared.part +
                 pf_geometry_halves(&p->geometry) * p->geometry.half);
}

/* Copies this rank's result from the window to its output, box by box: both look alike. */
static void take_staged(pfft3d_plan *p, const pf_pipeline *w, char *out) {
  const pf_geometry *o = &p->geometry;
  pfft3d_side side = w == &p->pipeline[PFFT3D_FORWARD] ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  const pfft3d_box *b = &o->box[side];
  size_t element = pfft3d_element_bytes(&o->problem, side);
  pf_memory *m = &p->worker[0].memory;
  pf_slot slot = w->staged.segment[0].slot;
  char *from = m->base[slot] + (size_t)o->rank * p->shared.part;
  double bytes = (double)pf_box_elements(b) * (double)o->group * (double)element;
  ptrdiff_t first = w->stage[0].first_field, last = first + o->group;
  for (ptrdiff_t f = first; f < last && bytes > 0; f++)
    for (ptrdiff_t i = 0; i < b->len[0]; i++) {
      ptrdiff_t at = (b->offset + f * b->distance + i * b->stride[0]) * (ptrdiff_t)element;
      pf_move(element, (pf_strided){out + at, b->stride[2], b->stride[1]},
              (pf_strided){from + at, b->stride[2], b->stride[1]}, b->len[2], b->len[1], 0);
    }
  m->moved[slot] += bytes;
  m->moved[PF_SLOT_OUT] += bytes;
}

/* The last stage in natural order over shared memory: when all ranks have come here, their outputs
 * can be written.  Where they are no shared arrays, the other half of the window takes the result,
 * and every rank copies its own. */
static void run_scattered(pfft3d_plan *p, pf_pipeline *w, pf_progress *run, char *out) {
  pf_exchange *x = &w->exchange[w->steps - 2];
  pf_stage *last = &w->stage[w->steps - 1];
  int direct = 1, number;
  PF_TIMED(run, wait_s, pf_exchange_finish(x));
  number = *pf_run_numbers(p, 0);
  for (int d = 0; d < p->geometry.ranks; d++) direct = direct && *pf_run_numbers(p, d) == number;
  direct = direct && number >= 0;
  last->pass[last->passes - 1].to = direct ? &w->scattered : &w->staged;
  if (direct) pf_run_base(p, PF_SLOT_PEERS, p->arrays->at[number].shared.base);
  pf_run_stage(p, w, w->steps - 1, run, 1);
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
  if (direct) return;
  take_staged(p, w, out);
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm)); /* before anybody stores there again */
}

/* Fields of a batch that go together, from the first on. */
static void run_group(pfft3d_plan *p, pf_pipeline *w, pf_progress *run, ptrdiff_t first, char *out,
                      int exchange) {
  int scattered =
      p->geometry.scattered[w - p->pipeline]; /* then the barriers are needed in any case */
  for (int k = 0; k < w->steps; k++) w->stage[k].first_field = first;
  pf_run_next_half(p, w);
  if (scattered) *pf_run_numbers(p, p->geometry.rank) = pf_plan_find_array(p, out);
  for (int k = 0; k < w->steps - scattered && run->code == MPI_SUCCESS; k++)
    pf_run_stage(p, w, k, run, exchange || scattered);
  if (scattered && run->code == MPI_SUCCESS) run_scattered(p, w, run, out);
}

int pf_pipeline_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                    int exchange) {
  if (p->parts) return pf_line_run(p, direction, in, out, exchange);
  if (p->geometry.matrix.n[0]) return pf_matrix_run(p, direction, in, out, exchange);
  pf_pipeline *w = &p->pipeline[direction];
  pf_progress run = {.code = MPI_SUCCESS};
  double start = MPI_Wtime();
  pf_run_memories(p, in, out);
  for (ptrdiff_t first = 0; first < p->geometry.problem.batch; first += p->geometry.group)
    run_group(p, w, &run, first, out, exchange);
  if (run.code != MPI_SUCCESS) return PFFT3D_ERR_INTERNAL;
  if (exchange) pf_run_stats(p, w, &run, MPI_Wtime() - start);
  return PFFT3D_OK;
}

/* The part of each axis that this rank has when step k of a way begins. */
static void indices_at(const pf_pipeline *w, const pfft3d_box *in, int k, ptrdiff_t lo[3]) {
  memcpy(lo, in->lo, sizeof in->lo);
  for (int x = 0; x < k; x++) {
    const pf_redist *r = &w->geometry->redist[x];
    lo[r->from] = 0;
    lo[r->to] = pf_redist_after(r, r->me, r->to).lo;
  }
}

/* Gives a multiplier to the first pass that transforms anything: before it, all axes are those of
 * the spectrum.  NULL takes it back. */
static void set_multiplier(pf_pipeline *w, const pfft3d_box *in, const double *const *factor) {
  ptrdiff_t lo[3];
  int k = 0;
  while (!w->stage[k].pass[0].fft) k++;
  indices_at(w, in, k, lo);
  for (int a = 0; factor && a < 3; a++) w->multiplier.factor[a] = factor[a] + lo[a];
  w->stage[k].pass[0].multiplier = factor ? &w->multiplier : NULL;
}

int pf_plan_check_run(const pfft3d_plan *plan, pfft3d_direction direction, const void *in,
                      const void *out) {
  if (!plan || (direction != PFFT3D_FORWARD && direction != PFFT3D_BACKWARD) || pf_mpi_ready(NULL))
    return PFFT3D_ERR_USAGE;
  int side = direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;
  size_t a_bytes = plan->geometry.side_bytes[side], b_bytes = plan->geometry.side_bytes[!side];
  if ((!in && a_bytes) || (!out && b_bytes)) return PFFT3D_ERR_USAGE;
  if (a != b && a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes) return PFFT3D_ERR_USAGE;
  return PFFT3D_OK;
}

int pfft3d_execute(pfft3d_plan *plan, pfft3d_direction direction, const void *in, void *out) {
  PF_TRY(pf_plan_check_run(plan, direction, in, out));
  return pf_pipeline_run(plan, direction, in, out, 1);
}

int pfft3d_execute_multiplier(pfft3d_plan *plan, const double *const multiplier[3], const void *in,
                              void *out) {
  PF_TRY(pf_plan_check_run(plan, PFFT3D_BACKWARD, in, out));
  if (plan->parts || plan->geometry.matrix.n[0] || !multiplier) return PFFT3D_ERR_USAGE;
  for (int a = 0; a < 3; a++)
    if (!multiplier[a]) return PFFT3D_ERR_USAGE;
  pf_pipeline *w = &plan->pipeline[PFFT3D_BACKWARD];
  set_multiplier(w, &plan->geometry.box[PFFT3D_SPECTRUM], multiplier);
  int status = pf_pipeline_run(plan, PFFT3D_BACKWARD, in, out, 1);
  set_multiplier(w, &plan->geometry.box[PFFT3D_SPECTRUM], NULL);
  return status;
}
