/* SPDX-License-Identifier: BSD-3-Clause
 * The executor: stages and exchanges alternately, planes in order, messages as soon as their rows
 * are complete.  Nothing here allocates memory, reduces a status or reads a file. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "local/planes.h"
#include "pipeline/pipelines.h"

/* ---- between tiles ---- */

/* Open MPI makes progress only when it is called: for sends and for receives. */
static void drive(pf_execution *run) {
  pf_exchange *both[] = {run->send, run->recv};
  for (int k = 0; k < 2; k++)
    if (both[k] && both[k]->ops->progress) PF_TIMED(run, post_s, both[k]->ops->progress(both[k]));
}

static void tick(void *context, ptrdiff_t tiles, ptrdiff_t t, ptrdiff_t width) {
  pf_execution *run = context;
  pf_exchange *x = run->send;
  for (ptrdiff_t k = 0; k < tiles; k++) pf_load_tile(&run->load);
  if (x && width && run->by_tile) {
    pf_move_fence();
    PF_TIMED(run, post_s, x->ops->post(x, run->plane, t, width));
  }
  run->since += tiles;
  if (run->since < run->pace) return;
  run->since = 0;
  drive(run);
}

/* At the end of a plane all its lines are complete: they are posted in the order that the receivers
 * expect. */
static void post_plane(pf_execution *run) {
  pf_exchange *x = run->send;
  ptrdiff_t n = pf_redist_lines(&x->redist, run->plane),
            first = pf_redist_first_line(&x->redist, x->redist.me);
  pf_move_fence();
  PF_TIMED(run, post_s, x->ops->post(x, run->plane, first, n - first));
  if (first) PF_TIMED(run, post_s, x->ops->post(x, run->plane, 0, first));
}

/* ---- items of a stage: planes of a field ---- */

/* Nonzero if all fields of a batch have completed a plane after this item, so that it can be sent.
 */
static int completes_plane(const pf_stage *s, ptrdiff_t item) {
  return pf_stage_field_of(s, item) == s->fields - 1;
}

void pf_superstep_item(pf_execution *run, const pf_superstep *t, ptrdiff_t item) {
  const pf_stage *s = t->stage;
  int last = completes_plane(s, item), by_tile = run->by_tile;
  run->plane = pf_stage_plane_of(s, item);
  run->by_tile = by_tile && last;
  pf_load_step(&run->load, 1);
  pf_stage_run(s, &run->pipelines->worker[0], item, t->first, &(pf_stage_listener){tick, run});
  pf_load_step(&run->load, 0);
  run->by_tile = by_tile;
  if (run->send && !by_tile && last) post_plane(run);
}

void pf_superstep_send(pf_execution *run, const pf_stage *s, ptrdiff_t item, ptrdiff_t count) {
  for (; run->send && count > 0; count--, item++) {
    run->plane = pf_stage_plane_of(s, item);
    if (completes_plane(s, item)) post_plane(run);
  }
  drive(run);
}

/* In a simulation, the clock has to advance before it is read. */
void pf_superstep_record(pf_execution *run, const pf_superstep *t, ptrdiff_t item, ptrdiff_t count,
                         double begin) {
  pf_event e = {.begin = begin,
                .bytes = (double)count,
                .number = (int)pf_stage_plane_of(t->stage, item),
                .kind = PF_EVENT_PLANES,
                .detail = (unsigned char)t->k};
  pf_load_pay(&run->load);
  e.end = pf_clock();
  pf_timeline_add(run->timeline, &e);
}

/* Processes one item per thread, or the items that a device processes together, then sends their
 * lines: only this thread calls MPI. */
static void run_items(pf_execution *run, const pf_superstep *t, ptrdiff_t item, ptrdiff_t count) {
  const pf_stage *s = t->stage;
  if (pf_planes_together(s))
    pf_planes_run(s, run->pipelines->worker, item, count);
  else
    pf_stage_run_threads(s, run->pipelines->worker, item, (int)count, t->first);
}

/* Items that are processed together, or recorded: an event of one item has its messages inside. */
static void run_several(pf_execution *run, const pf_superstep *t, ptrdiff_t item, ptrdiff_t count,
                        int single) {
  double begin = pf_timeline_now(run->timeline);
  if (single)
    pf_superstep_item(run, t, item);
  else
    run_items(run, t, item, count);
  if (run->timeline) pf_superstep_record(run, t, item, count, begin);
  if (!single) pf_superstep_send(run, t->stage, item, count);
}

/* ---- stages ---- */

/* Bytes moved outside the caches since the run began. */
static double moved_outside(const pf_pipelines *p) {
  double sum = 0;
  for (int t = 0; t < p->geometry.decision.threads; t++)
    for (int k = 0; k < PF_SLOTS; k++)
      if (k < PF_SLOT_PLANE || p->geometry.memory.bytes[k] > pf_cache_bytes())
        sum += p->worker[t].memory.moved[k];
  return sum;
}

/* Tiles between two MPI calls: over TCP a call that finds no message costs one or two microseconds,
 * as much as the transform of some KiB; a link of 10 Gb/s carries 60 KiB in the time of one
 * interval.  If several ranks share a core, such a call gives the core to another rank, whose data
 * is no longer in cache: the interval is multiplied by their number.  (Measured on 2 cores with 64
 * ranks, 512^3: 1.5 instead of 1.9 s with a message per row.) */
static int pace_of(const pf_pipelines *p, const pf_pass *pass) {
  enum { between = 256 * 1024 };
  int crowd = PF_SIMULATED ? 1 : (p->node_ranks + pf_cores() - 1) / pf_cores();
  if (!pass->fft) return 1;
  double tile = (double)pass->fft->n * (double)pass->fft->width * (double)pass->fft->element;
  double tiles = between / tile * (crowd > 1 ? crowd : 1);
  return tiles > 1 ? (int)fmin(tiles, INT_MAX) : 1;
}

/* Adds the rounding loss since the last call. */
static void take_loss(pf_pipelines *p, pf_loss *sum) {
  for (int t = 0; t < p->geometry.decision.threads; t++) {
    sum->error2 += p->worker[t].loss.error2;
    sum->norm2 += p->worker[t].loss.norm2;
    p->worker[t].loss = (pf_loss){0, 0};
  }
}

/* Starts the exchange of a stage, and sets when its lines are sent: after each tile, or at the end
 * of a plane. */
static void start_stage(pf_execution *run, const pf_stage *s, pf_exchange *send) {
  const pf_pass *last = &s->pass[s->passes - 1];
  if (send) PF_TIMED_ON(run, post_s, pf_exchange_start(send));
  run->send = send && send->ops->post ? send : NULL; /* data that is stored directly needs no
                                                        sends */
  run->by_tile = run->send && last->fft && last->tile == 1 - s->outer;
  run->pace = pace_of(run->pipelines, last);
  run->since = 0;
}

/* The model's time of stage k, for simulations: divided equally among items and their tiles. */
static pf_load load_of(const pf_pipelines *p, const pf_pipeline *w, int k) {
  const pf_stage *s = &w->stage[k];
  double items = (double)s->planes * (double)p->geometry.fields, tiles = 0;
  if (!(p->flops > 0) || !(items > 0)) return (pf_load){0};
  for (int i = 0; i < s->passes; i++) {
    const pf_pass *pass = &s->pass[i];
    double lines = (double)pass->from->len[pass->tile];
    tiles += pass->fft ? ceil(lines / (double)pass->fft->width) : 1;
  }
  double item = w->stage_s[k] / items;
  return (pf_load){.flops = p->flops, .step = item, .tile = tiles > 0 ? item / tiles : 0};
}

/* Charges the time of the data that MPI or the ranks of a node move through memory in exchange k.
 */
static void load_exchange(pf_execution *run, int k) {
  if (!(run->pipelines->flops > 0)) return;
  double seconds = run->pipeline->memory_s[k];
  run->load = (pf_load){.flops = run->pipelines->flops, .owed = seconds};
  run->wait_s += seconds;
  pf_load_pay(&run->load);
}

pf_superstep pf_superstep_begin(pf_execution *run, int k, int exchange) {
  pf_pipelines *p = run->pipelines;
  pf_pipeline *w = run->pipeline;
  const pf_stage *s = &w->stage[k];
  pf_exchange *recv = exchange && k > 0 ? &w->exchange[k - 1] : NULL;
  pf_exchange *send = exchange && k < w->stages - 1 ? &w->exchange[k] : NULL;
  pf_superstep t = {.k = k, .stage = s, .recv = recv, .moved = moved_outside(p)};
  if (PF_SIMULATED) run->now = pf_clock();
  t.start = run->now - run->post_s - run->wait_s;
  if (PF_SIMULATED && recv) load_exchange(run, k - 1);
  if (PF_SIMULATED) run->load = load_of(p, w, k);
  /* The buffers of the previous exchange are reused: its sends must be complete. */
  int reused = recv && (send || w->sequence->send[k - 1] == PF_SLOT_OUT);
  if (reused) PF_TIMED_ON(run, wait_s, pf_exchange_finish(recv));
  if (reused) t.recv = NULL;
  start_stage(run, s, send);
  pf_stage_begin(s, p->worker, p->geometry.decision.threads);
  run->recv = t.recv;
  t.first = run->by_tile && send ? pf_redist_first_line(&send->redist, send->redist.me) : 0;
  return t;
}

void pf_superstep_resume(pf_execution *run, pf_superstep *t) {
  run->now = pf_clock();
  t->start = run->now - run->post_s - run->wait_s;
}

static void add_stage(pf_execution *run, const pf_superstep *t) {
  run->stage_s[t->k] += run->now - run->post_s - run->wait_s - t->start;
}

void pf_superstep_pause(pf_execution *run, const pf_superstep *t) {
  run->now = pf_clock();
  add_stage(run, t);
}

void pf_superstep_end(pf_execution *run, const pf_superstep *t) {
  pf_stage_end(t->stage, run->pipelines->worker, run->pipelines->geometry.decision.threads);
  pf_move_fence();
  pf_load_pay(&run->load);
  if (t->recv && !t->recv->finished)
    PF_TIMED(run, wait_s, pf_exchange_finish(t->recv));
  else
    run->now = pf_clock();
  add_stage(run, t);
  run->stage_bytes[t->k] += moved_outside(run->pipelines) - t->moved;
  take_loss(run->pipelines, &run->stage_loss[t->k]);
}

static ptrdiff_t open_stage(const pf_execution *run, int k) {
  const pf_route_stage *s = &run->pipeline->geometry->route.stage[k];
  pf_event e = {.begin = PF_SIMULATED ? pf_clock() : run->now,
                .bytes = pf_event_axes(s->axis, s->axes),
                .number = k,
                .kind = PF_EVENT_STAGE};
  return pf_timeline_open(run->timeline, &e);
}

/* Runs a stage, without its exchanges if @p exchange is 0. */
static void run_stage(pf_execution *run, int k, int exchange) {
  ptrdiff_t event = run->timeline ? open_stage(run, k) : -1;
  pf_superstep t = pf_superstep_begin(run, k, exchange);
  const pf_stage *s = t.stage;
  int waits = t.recv != NULL;
  ptrdiff_t items = s->planes * s->fields, together = pf_planes_together(s);
  if (!together) together = run->pipelines->geometry.decision.threads;
  int single = together == 1 && !s->on_device, alone = single && !run->timeline;
  for (ptrdiff_t item = 0; item < items && run->code == MPI_SUCCESS; item += together) {
    ptrdiff_t count = items - item < together ? items - item : together;
    ptrdiff_t last = pf_stage_plane_of(s, item + count - 1);
    if (waits && !item)
      PF_TIMED_ON(run, wait_s, pf_exchange_wait(t.recv, last));
    else if (waits)
      PF_TIMED(run, wait_s, pf_exchange_wait(t.recv, last));
    waits = waits && t.recv->ops->wait; /* 0: all data has arrived */
    if (alone)
      pf_superstep_item(run, &t, item);
    else
      run_several(run, &t, item, count, single);
  }
  pf_superstep_end(run, &t);
  pf_timeline_close(run->timeline, event, run->now);
}

/* ---- runs ---- */

/* In whole runs stages whose planes can be one have one, unless they multiply. */
static void choose_planes(pf_pipeline *w, int keeps, int whole) {
  for (int k = 0; k < w->stages; k++) {
    if (!w->flat[0][k].from.count && !w->flat[1][k].from.count) continue;
    pf_stage *s = &w->stage[k];
    pf_pass *pass = &s->pass[0];
    pf_flat *flat = &w->flat[keeps][k];
    int one = whole && flat->from.count && !pass->multiplier;
    s->planes = one ? 1 : w->from[k].len[s->outer];
    pass->from = one ? &flat->from : pf_stage_from(w, k, keeps);
    pass->to = one ? &flat->to : pf_stage_to(w, k, keeps);
  }
}

void pf_run_views(pf_pipeline *w, int in_place, int whole) {
  pf_stage *s = w->stage;
  int keeps = whole && w->keeps[in_place];
  pf_stores_choose(w, in_place, keeps);
  if (w->kept.count) {
    s[0].pass[s[0].passes - 1].to = pf_stage_to(w, 0, keeps);
    s[1].pass[0].from = pf_stage_from(w, 1, keeps);
    s[0].descends = keeps && in_place && w->descends;
  }
  if (w->flattens) choose_planes(w, keeps, whole);
}

void pf_run_arrays(const pf_execution *run) {
  pf_pipelines *p = run->pipelines;
  char *readable;
  memcpy(&readable, &run->in, sizeof run->in); /* no pass writes to this slot */
  if (run->in == run->out && p->geometry.copy_bytes && run->pipeline->stages == 1) {
    memcpy(p->copy, run->in, p->geometry.side_bytes[run->pipeline->direction]);
    readable = p->copy;
  }
  for (int t = 0; t < p->geometry.decision.threads; t++)
    memset(p->worker[t].memory.moved, 0, sizeof p->worker[t].memory.moved);
  pf_run_base(p, PF_SLOT_IN, readable);
  pf_run_base(p, PF_SLOT_OUT, run->out);
  pf_run_views(run->pipeline, run->in == run->out, run->whole);
}

void pf_run_exchanges(const pf_execution *run) {
  pf_pipelines *p = run->pipelines;
  pf_pipeline *w = run->pipeline;
  char **base = p->worker[0].memory.base;
  pf_exchange_store_bind(&p->store, (int)w->direction, base);
  for (int t = 1; t < p->geometry.decision.threads; t++)
    memcpy(p->worker[t].memory.base, base, PF_SLOT_PLANE * sizeof *base);
  for (int k = 0; k < w->sequence->count; k++) {
    w->exchange[k].send = base[w->sequence->send[k]];
    w->exchange[k].recv = base[w->sequence->recv[k]];
  }
}

/* Transforms one group of fields, beginning with field @p first. */
static void run_group(pf_execution *run, ptrdiff_t first) {
  pf_pipeline *w = run->pipeline;
  int reach = w->geometry->pull || w->geometry->push; /* needs barriers even without exchanges */
  for (int k = 0; k < w->stages; k++) w->stage[k].first_field = first;
  pf_run_exchanges(run);
  if (reach) pf_reach_begin(run);
  for (int k = 0; k < w->stages && run->code == MPI_SUCCESS; k++) {
    if (reach && k == w->stages - 1) pf_reach_outputs(run);
    run_stage(run, k, run->exchange || reach);
  }
  if (reach) pf_reach_end(run);
}

void pf_run_count(const pf_execution *run, double total) {
  const pf_pipelines *p = run->pipelines;
  pf_pipeline *w = run->pipeline;
  pfft3d_stats *s = run->stats;
  s->executions++;
  s->total_s += total;
  s->post_s += run->post_s;
  s->wait_s += run->wait_s;
  s->fft_s += total - run->post_s - run->wait_s;
  s->traffic += moved_outside(p) + w->geometry->beside;
  for (int k = 0; k < w->stages; k++) {
    s->stage[k].seconds += run->stage_s[k];
    s->stage[k].bytes += run->stage_bytes[k];
    s->stage[k].wire_error2 += run->stage_loss[k].error2;
    s->stage[k].wire_norm2 += run->stage_loss[k].norm2;
  }
  for (int k = 0; k < w->sequence->count; k++) {
    pf_exchange *x = &w->exchange[k];
    pf_stats_add_messages(s, &x->sent);
    s->traffic += x->sent.bytes + w->sequence->received[k];
    s->stored += w->sequence->stored[k];
    x->sent = (pf_message_count){0};
  }
}

void pf_run_stages(pf_execution *run, int from, int to) {
  run->now = pf_clock();
  for (int k = from; k < to && run->code == MPI_SUCCESS; k++) run_stage(run, k, 1);
}

int pf_pipelines_fault(const pf_pipelines *p, pfft3d_error *e) {
  pf_device *device;
  if (!p->geometry.decision.engine->device || !p->ffts) return PFFT3D_OK;
  pf_device_wanted wanted = {
      .api = PF_OPENCL, .index = p->fft[0].device, .precision = p->fft[0].precision};
  return pf_device_open(&wanted, &device, e);
}

int pf_pipelines_run(pf_pipelines *p, pfft3d_direction direction, const void *in, void *out,
                     int exchange, pfft3d_stats *stats) {
  const pf_geometry *g = &p->geometry;
  pf_execution run = {.pipelines = p,
                      .pipeline = &p->pipeline[direction],
                      .stats = stats,
                      .in = in,
                      .out = out,
                      .exchange = exchange,
                      .whole = 1,
                      .code = MPI_SUCCESS,
                      .timeline = exchange ? p->timeline : NULL};
  double start = run.now = pf_clock();
  pf_run_arrays(&run);
  for (ptrdiff_t first = 0; first < g->fields; first += g->group) run_group(&run, first);
  PF_TRY(pf_run_status(run.code));
  PF_TRY(pf_pipelines_fault(p, NULL));
  if (exchange) pf_run_count(&run, pf_clock() - start);
  return PFFT3D_OK;
}

/* ---- multipliers ---- */

/* The part of each axis on this rank when stage k of a pipeline begins. */
static void indices_at(const pf_pipeline *w, const pfft3d_box *in, int k, ptrdiff_t lo[3]) {
  memcpy(lo, in->lo, sizeof in->lo);
  for (int x = 0; x < k; x++) {
    const pf_redist *r = &w->sequence->redist[x];
    lo[r->from] = 0;
    lo[r->to] = pf_redist_after(r, r->me, r->to).lo;
  }
}

/* Before the first pass with a transform all axes have the extents of the spectrum. */
void pf_pipelines_multiply(pf_pipelines *p, const pf_multiplier *multiplier) {
  pf_pipeline *w = &p->pipeline[PFFT3D_BACKWARD];
  const pfft3d_box *in = &p->geometry.box[PFFT3D_SPECTRUM];
  ptrdiff_t components = p->geometry.components;
  pf_multiplier *m = &w->multiplier;
  int k = 0;
  while (!w->stage[k].pass[0].fft) k++;
  w->stage[k].pass[0].multiplier = multiplier ? m : NULL;
  if (!multiplier) return;
  *m = *multiplier;
  m->components = components;
  indices_at(w, in, k, m->lo);
  if (m->factors) return;
  for (int a = 0; a < 3; a++) m->factor[a] += m->lo[a];
  if (components == 1) return;
  for (ptrdiff_t i = 0; i < in->len[2] * components; i++)
    p->spread[i] = multiplier->factor[2][i / components];
  m->factor[2] = p->spread;
}
