/* SPDX-License-Identifier: BSD-3-Clause
 * The executor: stages and exchanges in turn, planes in order, messages as soon as their rows are
 * done.  Nothing here allocates, reduces a status or reads a file. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "local/move.h"
#include "plan/plan.h"

/* What a tick between two tiles needs to know. */
typedef struct {
  pf_exchange *send; /* NULL: no messages leave this stage */
  int by_tile;       /* rows are done tile by tile, else at the end of a plane */
  ptrdiff_t plane;
  int code; /* the first MPI error */
  double post_s, wait_s;
  double stage_s[PF_STEPS], stage_bytes[PF_STEPS];
} progress;

/* Calls MPI unless it failed before, and adds the time to *seconds. */
#define TIMED(run, seconds, call)             \
  do {                                        \
    if ((run)->code == MPI_SUCCESS) {         \
      double start_ = MPI_Wtime();            \
      (run)->code = (call);                   \
      (run)->seconds += MPI_Wtime() - start_; \
    }                                         \
  } while (0)

static void tick(void *context, ptrdiff_t t, ptrdiff_t width) {
  progress *run = context;
  pf_exchange *x = run->send;
  if (!x) return;
  if (width && run->by_tile) {
    pf_move_fence();
    TIMED(run, post_s, x->ops->post(x, run->plane, t, width));
  }
  TIMED(run, post_s, x->ops->progress(x));
}

/* At the end of a plane all its rows are done: posted in the order that the receivers expect. */
static void post_plane(progress *run) {
  pf_exchange *x = run->send;
  ptrdiff_t n = x->redist.n_to, first = pf_redist_first_row(&x->redist, x->redist.me);
  pf_move_fence();
  TIMED(run, post_s, x->ops->post(x, run->plane, first, n - first));
  if (first) TIMED(run, post_s, x->ops->post(x, run->plane, 0, first));
}

/* One plane after another, rows leaving between tiles. */
static void run_plane(pfft3d_plan *p, const pf_stage *s, progress *run, ptrdiff_t first) {
  pf_stage_plane(s, &p->worker[0], run->plane, first, tick, run);
  if (run->send && !run->by_tile) post_plane(run);
}

/* As many planes at once as there are threads, rows leaving behind them: no thread but this one
 * calls MPI. */
static void run_planes(pfft3d_plan *p, const pf_stage *s, progress *run, int count,
                       ptrdiff_t first) {
  pf_stage_planes(s, p->worker, run->plane, count, first);
  for (; run->send && count > 0; count--, run->plane++) {
    post_plane(run);
    TIMED(run, post_s, run->send->ops->progress(run->send));
  }
}

/* Bytes that went through memory outside the caches since the run began. */
static double moved_outside(const pfft3d_plan *p) {
  double sum = 0;
  for (int t = 0; t < p->outline.threads; t++)
    for (int k = 0; k < PF_SLOTS; k++)
      if (k < PF_SLOT_PLANE || p->outline.bytes[k] > pf_cache_bytes())
        sum += p->worker[t].memory.moved[k];
  return sum;
}

static void run_stage(pfft3d_plan *p, pf_way *w, int k, progress *run, int exchange) {
  pf_stage *s = &w->stage[k];
  pf_exchange *recv = exchange && k > 0 ? &w->exchange[k - 1] : NULL;
  pf_exchange *send = exchange && k < w->steps - 1 ? &w->exchange[k] : NULL;
  const pf_pass *last = &s->pass[s->passes - 1];
  int threads = p->outline.threads;
  double start = MPI_Wtime() - run->post_s - run->wait_s, before = moved_outside(p);
  /* The memories of the exchange before are used again: its sends must have left. */
  int reused = recv && (send || w->outline->send[k - 1] == PF_SLOT_OUT);
  if (reused) TIMED(run, wait_s, recv->ops->finish(recv));
  if (send) TIMED(run, post_s, send->ops->start(send));
  run->send = send && !send->ops->direct ? send : NULL; /* stored rows need nobody to send them */
  run->by_tile = send && last->fft && last->tile == send->redist.to;
  ptrdiff_t first = run->by_tile ? pf_redist_first_row(&send->redist, send->redist.me) : 0;
  for (ptrdiff_t plane = 0; plane < s->planes && run->code == MPI_SUCCESS; plane += threads) {
    int count = s->planes - plane < threads ? (int)(s->planes - plane) : threads;
    if (recv && !reused) TIMED(run, wait_s, recv->ops->wait(recv, plane + count - 1));
    run->plane = plane;
    if (threads == 1)
      run_plane(p, s, run, first);
    else
      run_planes(p, s, run, count, first);
  }
  pf_move_fence();
  if (recv && !reused) TIMED(run, wait_s, recv->ops->finish(recv));
  run->stage_s[k] = MPI_Wtime() - run->post_s - run->wait_s - start;
  run->stage_bytes[k] = moved_outside(p) - before;
}

static void add_stats(const pfft3d_plan *p, pf_way *w, const progress *run, double total) {
  pfft3d_stats *s = &w->stats;
  s->executions++;
  s->total_s += total;
  s->post_s += run->post_s;
  s->wait_s += run->wait_s;
  s->fft_s += total - run->post_s - run->wait_s;
  s->traffic += moved_outside(p);
  for (int k = 0; k < w->steps; k++) {
    s->stage[k].seconds += run->stage_s[k];
    s->stage[k].bytes += run->stage_bytes[k];
  }
  for (int k = 0; k < w->steps - 1; k++) {
    pf_exchange *x = &w->exchange[k];
    const pf_redist *r = &x->redist;
    ptrdiff_t planes = r->n_from - pf_redist_planes(r, r->me).len;
    if (x->sent.messages && (!s->messages || x->sent.bytes_min < s->bytes_min))
      s->bytes_min = x->sent.bytes_min;
    if (x->sent.bytes_max > s->bytes_max) s->bytes_max = x->sent.bytes_max;
    s->messages += x->sent.messages;
    s->bytes += x->sent.bytes;
    if (x->ops->direct) continue;
    s->traffic +=
        x->sent.bytes + (double)(planes * pf_redist_rows(r, r->me).len * r->row) * (double)x->size;
    x->sent = (pf_message_count){0};
  }
}

/* The address of a memory, for all threads. */
static void set_base(pfft3d_plan *p, pf_slot slot, char *base) {
  for (int t = 0; t < p->outline.threads; t++) p->worker[t].memory.base[slot] = base;
}

/* The memories of a run.  The halves of a window take turns. */
static void set_memories(pfft3d_plan *p, pf_way *w, const void *in, void *out) {
  char *readable;
  memcpy(&readable, &in, sizeof in); /* no pass writes to this slot */
  for (int t = 0; t < p->outline.threads; t++)
    memset(p->worker[t].memory.moved, 0, sizeof p->worker[t].memory.moved);
  set_base(p, PF_SLOT_IN, readable);
  set_base(p, PF_SLOT_OUT, out);
  for (int k = PF_SLOT_SEND; k <= PF_SLOT_EXTRA; k++) set_base(p, (pf_slot)k, p->buffer[k]);
  if (p->outline.exchange->direct) {
    size_t half = p->outline.half;
    set_base(p, PF_SLOT_WINDOW, p->window.base + (p->turn ? half : 0));
    set_base(p, PF_SLOT_STAGED, p->window.base + (p->turn ? 0 : half));
    p->turn = !p->turn && pf_outline_halves(&p->outline) > 1;
  }
  for (int k = 0; k < w->steps - 1; k++) {
    w->exchange[k].send = p->worker[0].memory.base[w->outline->send[k]];
    w->exchange[k].recv = p->worker[0].memory.base[w->outline->recv[k]];
  }
}

/* Behind the two halves of its part, every rank tells the others which shared array its output is.
 */
static int *array_of(pfft3d_plan *p, int rank) {
  return (int *)(p->window.base + (size_t)rank * p->window.part +
                 pf_outline_halves(&p->outline) * p->outline.half);
}

/* The last stage in natural order over shared memory: when all ranks have come here, their outputs
 * can be written.  Where they are no shared arrays, the other half of the window takes the result,
 * and every rank copies its own. */
static void run_scattered(pfft3d_plan *p, pf_way *w, progress *run, char *out) {
  pf_exchange *x = &w->exchange[w->steps - 2];
  pf_pass *pass = &w->stage[w->steps - 1].pass[0];
  int direct = 1, number;
  TIMED(run, wait_s, x->ops->finish(x));
  number = *array_of(p, 0);
  for (int d = 0; d < p->outline.ranks; d++) direct = direct && *array_of(p, d) == number;
  direct = direct && number >= 0;
  pass->to = direct ? &w->view[2 * w->steps - 1] : &w->staged;
  if (direct) set_base(p, PF_SLOT_PEERS, p->array[number].base);
  run_stage(p, w, w->steps - 1, run, 1);
  TIMED(run, wait_s, MPI_Barrier(p->comm));
  if (direct) return;
  int side = w == &p->way[PFFT3D_FORWARD] ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  size_t bytes = (size_t)pf_box_elements(&p->outline.box[side]) * p->outline.element;
  pf_memory *m = &p->worker[0].memory;
  if (bytes) memcpy(out, m->base[PF_SLOT_STAGED] + (size_t)p->outline.rank * p->window.part, bytes);
  m->moved[PF_SLOT_STAGED] += (double)bytes;
  m->moved[PF_SLOT_OUT] += (double)bytes;
  TIMED(run, wait_s, MPI_Barrier(p->comm)); /* before anybody stores there again */
}

int pf_way_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
               int exchange) {
  pf_way *w = &p->way[direction];
  progress run = {.code = MPI_SUCCESS};
  double start = MPI_Wtime();
  set_memories(p, w, in, out);
  int scattered = p->outline.scattered; /* the barriers are needed even without the exchange */
  if (scattered) *array_of(p, p->outline.rank) = pf_plan_find_array(p, out);
  for (int k = 0; k < w->steps - scattered && run.code == MPI_SUCCESS; k++)
    run_stage(p, w, k, &run, exchange || scattered);
  if (scattered && run.code == MPI_SUCCESS) run_scattered(p, w, &run, out);
  if (run.code != MPI_SUCCESS) return PFFT3D_ERR_INTERNAL;
  if (exchange) add_stats(p, w, &run, MPI_Wtime() - start);
  return PFFT3D_OK;
}

int pfft3d_execute(pfft3d_plan *plan, pfft3d_direction direction, const void *in, void *out) {
  if (!plan || (direction != PFFT3D_FORWARD && direction != PFFT3D_BACKWARD))
    return PFFT3D_ERR_USAGE;
  const pfft3d_box *box = plan->outline.box;
  int side = direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;
  size_t a_bytes = (size_t)pf_box_elements(&box[side]) * plan->outline.element;
  size_t b_bytes = (size_t)pf_box_elements(&box[!side]) * plan->outline.element;
  if ((!in && a_bytes) || (!out && b_bytes)) return PFFT3D_ERR_USAGE;
  if (a != b && a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes) return PFFT3D_ERR_USAGE;
  return pf_way_run(plan, direction, in, out, 1);
}
