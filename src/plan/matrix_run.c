/* SPDX-License-Identifier: BSD-3-Clause
 * Running a line as a matrix: its steps with their exchanges, rows that two ranks have parts of,
 * and, in shared memory, the arrays of all ranks. */
#include <string.h>

#include "base/memory.h"
#include "local/move.h"
#include "plan/matrix.h"

/* ---- edges ---- */

static char *edge(pfft3d_plan *p, ptrdiff_t at) {
  const pf_geometry *o = &p->geometry;
  return p->worker[0].memory.base[PF_SLOT_EDGES] +
         pf_matrix_edge_at(o, o->rank, at) * (ptrdiff_t)o->element;
}

/* The messages of the rows in parts: heads to the rank where their row begins, or back. */
static int exchange_heads(pfft3d_plan *p, pf_pipeline *w, const pf_vector *v, char *array,
                          char *row, int output) {
  int rank = p->geometry.rank, code = MPI_SUCCESS;
  pf_range head = pf_vector_head(v, rank), last = pf_vector_last(v, rank);
  pf_exchange *x = &w->heads;
  MPI_Request *next = p->request;
  x->send = output ? row : array;
  x->recv = output ? array : row;
  if (head.len > 0) {
    int owner = pf_split_owner(v->total, v->ranks, head.lo / v->row * v->row);
    code = (output ? pf_exchange_receive : pf_exchange_send)(x, owner, 0, head.len, &next);
  }
  for (int r = rank + 1; r < v->ranks && last.len && code == MPI_SUCCESS; r++) {
    pf_range other = pf_vector_head(v, r);
    if (other.lo >= last.lo + last.len) break;
    code = (output ? pf_exchange_send : pf_exchange_receive)(x, r, other.lo - last.lo, other.len,
                                                             &next);
  }
  return code == MPI_SUCCESS ? pf_exchange_wait_all(p->request, next - p->request) : code;
}

/* What this rank has of its last row. */
static pf_range own_part(const pf_vector *v, int rank) {
  pf_range block = pf_vector_block(v, rank), last = pf_vector_last(v, rank);
  return (pf_range){last.lo, last.len ? block.lo + block.len - last.lo : 0};
}

int pf_matrix_edges_in(pfft3d_plan *p, pf_pipeline *w, const char *in) {
  const pf_vector *v = pf_matrix_vector(&p->geometry, (int)(w - p->pipeline), 0);
  const pf_geometry *o = &p->geometry;
  size_t size = o->element;
  char *row = edge(p, pf_matrix_edges(o).in), *array;
  memcpy(&array, &in, sizeof in); /* nothing is written there */
  if (v->distribution != PF_BLOCK) {
    ptrdiff_t rest = pf_vector_rest(v, o->rank), width = pf_vector_width(v, o->rank);
    if (!(v->total % v->row)) return MPI_SUCCESS;
    memset(row, 0, (size_t)width * size);
    if (rest) memcpy(row, in + (size_t)(v->total / v->row * width) * size, (size_t)rest * size);
    return MPI_SUCCESS;
  }
  pf_range own = own_part(v, o->rank), block = pf_vector_block(v, o->rank);
  if (own.len) {
    memset(row, 0, (size_t)v->row * size);
    memcpy(row, in + (own.lo - block.lo) * (ptrdiff_t)size, (size_t)own.len * size);
  }
  return exchange_heads(p, w, v, array, row, 0);
}

int pf_matrix_edges_out(pfft3d_plan *p, pf_pipeline *w, char *out) {
  const pf_vector *v = pf_matrix_vector(&p->geometry, (int)(w - p->pipeline), 1);
  const pf_geometry *o = &p->geometry;
  size_t size = o->element;
  char *row = edge(p, pf_matrix_edges(o).out);
  if (v->distribution != PF_BLOCK) {
    ptrdiff_t rest = pf_vector_rest(v, o->rank), width = pf_vector_width(v, o->rank);
    if (rest) memcpy(out + (size_t)(v->total / v->row * width) * size, row, (size_t)rest * size);
    return MPI_SUCCESS;
  }
  pf_range own = own_part(v, o->rank), block = pf_vector_block(v, o->rank);
  if (own.len) memcpy(out + (own.lo - block.lo) * (ptrdiff_t)size, row, (size_t)own.len * size);
  return exchange_heads(p, w, v, out, row, 1);
}

/* ---- arrays of all ranks ---- */

/* The number that all ranks have written down, or -1 where they differ. */
static int common_number(pfft3d_plan *p, int which) {
  int number = pf_run_numbers(p, 0)[which];
  for (int d = 1; d < p->geometry.ranks; d++)
    if (pf_run_numbers(p, d)[which] != number) return -1;
  return number;
}

static char *staged_array(pfft3d_plan *p) {
  return p->worker[0].memory.base[PF_SLOT_STAGED] + (size_t)p->geometry.rank * p->shared.part;
}

static void bring_input(pfft3d_plan *p, const char *in, size_t bytes) {
  pf_memory *m = &p->worker[0].memory;
  if (bytes) pf_move_run(staged_array(p), in, bytes, 0);
  m->moved[PF_SLOT_IN] += (double)bytes;
  m->moved[PF_SLOT_STAGED] += (double)bytes;
}

/* When all ranks have come here, their inputs can be read.  Where these are no shared arrays, each
 * rank brings its own to the half of the window that is free. */
static void run_pull(pfft3d_plan *p, pf_pipeline *w, pf_progress *run, const char *in,
                     size_t bytes) {
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
  int number = common_number(p, 1);
  w->stage[0].pass[0].from = number >= 0 ? &w->sources : &w->brought;
  if (number >= 0) {
    pf_run_base(p, PF_SLOT_SOURCES, p->arrays->at[number].shared.base);
    return;
  }
  bring_input(p, in, bytes);
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
}

/* Whether results go straight to the outputs of all ranks, which is known behind a barrier. */
static int aim_push(pfft3d_plan *p, pf_pipeline *w) {
  int number = common_number(p, 0);
  w->stage[w->steps - 1].pass[0].to = number >= 0 ? &w->scattered : &w->staged;
  if (number >= 0) pf_run_base(p, PF_SLOT_PEERS, p->arrays->at[number].shared.base);
  return number >= 0;
}

/* All results have been written; takes those of this rank where that was to the window. */
static void end_push(pfft3d_plan *p, pf_progress *run, int direct, char *out, size_t bytes) {
  pf_memory *m = &p->worker[0].memory;
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
  if (direct) return;
  if (bytes) pf_move_run(out, staged_array(p), bytes, 0);
  m->moved[PF_SLOT_STAGED] += (double)bytes;
  m->moved[PF_SLOT_OUT] += (double)bytes;
  PF_TIMED(run, wait_s, MPI_Barrier(p->comm)); /* before anybody stores there again */
}

/* ---- all of it ---- */

static void run_steps(pfft3d_plan *p, pf_pipeline *w, pf_progress *run, const char *in, char *out,
                      int exchange) {
  const pf_pipeline_geometry *ow = w->geometry;
  int backward = w == &p->pipeline[PFFT3D_BACKWARD], direct = 1;
  size_t in_bytes = p->geometry.side_bytes[backward ? PFFT3D_SPECTRUM : PFFT3D_SPACE];
  size_t out_bytes = p->geometry.side_bytes[backward ? PFFT3D_SPACE : PFFT3D_SPECTRUM];
  if (ow->pull || ow->push) {
    int *number = pf_run_numbers(p, p->geometry.rank);
    int apart = !p->geometry.matrix.moves || in != out; /* else both would be used at once */
    number[0] = apart ? pf_plan_find_array(p, out) : -1;
    number[1] = apart ? pf_plan_find_array(p, in) : -1;
  }
  if (ow->pull) run_pull(p, w, run, in, in_bytes);
  for (int k = 0; k < w->steps; k++) {
    if (ow->push && k == w->steps - 1) {
      if (k > 0)
        PF_TIMED(run, wait_s, pf_exchange_finish(&w->exchange[k - 1]));
      else if (!ow->pull)
        PF_TIMED(run, wait_s, MPI_Barrier(p->comm));
      direct = aim_push(p, w);
    }
    pf_run_stage(p, w, k, run, exchange || ow->pull || ow->push);
  }
  if (ow->push)
    end_push(p, run, direct, out, out_bytes);
  else if (ow->pull && w->steps == 1)
    PF_TIMED(run, wait_s, MPI_Barrier(p->comm)); /* before anybody changes its input */
}

int pf_matrix_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                  int exchange) {
  pf_pipeline *w = &p->pipeline[direction];
  pf_progress run = {.code = MPI_SUCCESS};
  double start = MPI_Wtime();
  pf_run_memories(p, in, out);
  pf_run_next_half(p, w);
  int window = p->geometry.exchange->place == PF_PLACE_OWNERS;
  pf_run_base(p, PF_SLOT_EDGES, window ? p->shared.base : p->buffer[PF_SLOT_EDGES]);
  PF_TIMED(&run, wait_s, pf_matrix_edges_in(p, w, in));
  run_steps(p, w, &run, in, out, exchange);
  PF_TIMED(&run, wait_s, pf_matrix_edges_out(p, w, out));
  if (run.code != MPI_SUCCESS) return PFFT3D_ERR_INTERNAL;
  if (exchange) pf_run_stats(p, w, &run, MPI_Wtime() - start);
  return PFFT3D_OK;
}
