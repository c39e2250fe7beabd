/* SPDX-License-Identifier: BSD-3-Clause
 * Planning the local transforms of all stages.
 *
 * Measured plans differ from rank to rank, and so would the last bits of the results.  Therefore
 * rank 0 measures, and the other ranks import its planner state before they plan. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "local/sweep.h"
#include "pipeline/pipelines.h"
#include "request/problem.h"

static pf_fft *find(const pf_pipelines *p, const pf_fft_spec *s) {
  size_t element = pf_element(s->precision) / (s->scalar ? 2 : 1);
  for (int k = 0; k < p->ffts; k++) {
    pf_fft *f = &p->fft[k];
    ptrdiff_t many = s->many > 1 ? s->many : 1;
    if (f->n == s->n * many && f->many == many && f->sign == s->sign && f->rows == s->rows &&
        f->real == s->real && f->element == element && f->kind == s->kind &&
        f->transpose == pf_fft_transposes(s))
      return f;
  }
  return NULL;
}

const pf_fft *pf_pipelines_find_fft(const pf_pipelines *p, pfft3d_direction direction, int axis) {
  pf_fft_spec spec = p->geometry.decision.scheme->fft(&p->geometry, direction, axis);
  return find(p, &spec);
}

/* The device that was requested; else the ranks of a node use the devices in rotation. */
static int device_of(const pf_pipelines *p) {
  const pf_geometry *g = &p->geometry;
  int named = g->decision.device, there;
  if (named || !g->decision.engine->device) return named - 1;
  there = pf_device_count(PF_OPENCL);
  return there && g->decision.node_index ? (g->decision.node_index - 1) % there : 0;
}

static int plan_all(pf_pipelines *p, pfft3d_error *e) {
  for (int d = 0; d < 2; d++)
    for (int axis = 0; axis < 3; axis++) {
      pf_fft_spec spec = p->geometry.decision.scheme->fft(&p->geometry, (pfft3d_direction)d, axis);
      ptrdiff_t points = spec.real ? spec.n / 2 + 1 : spec.n; /* bytes are not monotonic */
      size_t factors =
          spec.transpose ? pf_factors_bytes(points, pf_fft_width(&spec), spec.precision) : 0;
      if (factors > p->factor_bytes) p->factor_bytes = factors;
      if (spec.kind == PFFT3D_NONE || find(p, &spec)) continue;
      spec.device = device_of(p);
      pf_fft *f = &p->fft[p->ffts];
      p->ffts++; /* a partial transform is destroyed with the plan */
      PF_TRY(pf_fft_create(f, &spec, p->geometry.decision.deterministic, e));
      if (f->bytes > p->tile_bytes) p->tile_bytes = f->bytes;
      size_t spare = pf_tile_shape_of(f).bytes, written = pf_tile_shape_to(f).bytes;
      if (written > spare) spare = written;
      if (spare > p->spare_bytes) p->spare_bytes = spare;
      size_t strip = f->rows ? 0 : pf_strip_bytes(f->n, f->element, f->width);
      if (strip > p->strip_bytes) p->strip_bytes = strip;
    }
  return PFFT3D_OK;
}

/* Broadcasts the planner state of rank 0. */
static int share_wisdom(pf_pipelines *p, pfft3d_error *e) {
  const pf_engine *engine = p->geometry.decision.engine;
  int length = 0;
  char *text = p->geometry.rank == 0 ? engine->export_wisdom() : NULL;
  if (text && strlen(text) < INT_MAX) length = (int)strlen(text) + 1;
  pf_mpi(e, MPI_Bcast(&length, 1, MPI_INT, 0, p->comm), "MPI_Bcast");
  if (p->geometry.rank) {
    text = length ? malloc((size_t)length) : NULL;
    if (length && !text) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d bytes of wisdom", length);
  }
  if (!pf_agree(p->comm, e) && length) {
    pf_mpi(e, MPI_Bcast(text, length, MPI_CHAR, 0, p->comm), "MPI_Bcast");
    if (p->geometry.rank && !e->status) engine->import_wisdom(text);
  }
  free(text);
  return e->status;
}

/* Sweeps of short axes are kept from run to run, as making them takes notable time. */
static int entries_of(size_t addresses) {
  enum { short_axis = 64 };
  return addresses <= short_axis ? 2 * PF_STAGES : 1;
}

/* Allocates all memory of a thread; returns 0 on failure.  The memory is freed with the plan. */
static int fill_worker(const pf_pipelines *p, pf_worker *w, size_t runs, size_t addresses) {
  w->addresses = addresses;
  w->entries = entries_of(addresses);
  w->tile = pf_alloc(p->tile_bytes);
  w->spare = pf_alloc(p->spare_bytes);
  w->collect = pf_alloc(p->strip_bytes);
  w->factors = pf_alloc(p->factor_bytes);
  w->run = calloc(runs + 1, sizeof *w->run);
  w->zeros = p->zeros;
  if (p->zeros) w->factor = pf_alloc(addresses * sizeof *w->factor);
  if (!w->tile || !w->spare || !w->collect || !w->factors || !w->run) return 0;
  if (p->zeros && !w->factor) return 0;
  w->sweep = calloc((size_t)w->entries * PF_PASSES, sizeof *w->sweep);
  if (!w->sweep) return 0;
  for (int k = 0; k < PF_ADDRESSES; k++) {
    size_t tables = k < PF_AT_SPARE ? (size_t)w->entries : 1;
    w->at[k] = pf_alloc(tables * addresses * sizeof *w->at[k]);
    if (!w->at[k]) return 0;
  }
  for (int s = PF_SLOT_PLANE; s < PF_SLOTS; s++) {
    size_t bytes = p->geometry.memory.bytes[s];
    w->memory.base[s] = bytes ? pf_alloc(bytes) : NULL;
    if (bytes && !w->memory.base[s]) return 0;
  }
  return 1;
}

/* Number of addresses of a thread: at least the points of the longest axis. */
static size_t addresses_of(const pf_pipelines *p, size_t runs) {
  size_t addresses = 64; /* at least the lines of a tile */
  for (int a = 0; a < 3; a++)
    if ((size_t)p->geometry.layout[0].n[a] > addresses)
      addresses = (size_t)p->geometry.layout[0].n[a];
  for (int k = 0; k < p->ffts; k++)
    if (runs * (size_t)p->fft[k].width > addresses) addresses = runs * (size_t)p->fft[k].width;
  return addresses;
}

/* Bytes of zeros that replace dropped modes: columns are neighbours along axis 2. */
static size_t zero_bytes(const pf_pipelines *p) {
  const pfft3d_problem *problem = &p->geometry.decision.problem;
  size_t row = (size_t)problem->n[2] * p->geometry.element;
  return pf_problem_cut(problem) ? row + PF_WIDEST * p->geometry.element : 0;
}

/* Bytes of the memory of all threads. */
static size_t worker_bytes(const pf_pipelines *p) {
  size_t each = p->tile_bytes + p->spare_bytes + p->strip_bytes + p->factor_bytes;
  size_t addresses = addresses_of(p, p->geometry.runs),
         passes = PF_AT_SPARE * (size_t)entries_of(addresses);
  each += (passes + PF_ADDRESSES - PF_AT_SPARE) * addresses * sizeof(char *);
  if (p->zero_bytes) each += addresses_of(p, 0) * sizeof(double);
  for (int s = PF_SLOT_PLANE; s < PF_SLOTS; s++) each += p->geometry.memory.bytes[s];
  return each * (size_t)p->geometry.decision.threads + p->zero_bytes;
}

static int make_workers(pf_pipelines *p, pfft3d_error *e) {
  int threads = p->geometry.decision.threads;
  size_t runs = p->geometry.runs, addresses = addresses_of(p, runs);
  p->zeros = p->zero_bytes ? pf_alloc(p->zero_bytes) : NULL;
  if (p->zeros) memset(p->zeros, 0, p->zero_bytes);
  if (p->zero_bytes && !p->zeros)
    return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu bytes of zeros", p->zero_bytes);
  p->worker = calloc((size_t)threads, sizeof *p->worker);
  if (!p->worker) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d threads", threads);
  for (int t = 0; t < threads; t++)
    if (!fill_worker(p, &p->worker[t], runs, addresses))
      return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the tile and plane of thread %d", t);
  return PFFT3D_OK;
}

int pf_pipelines_ffts(pf_pipelines *p, pfft3d_error *e) {
  p->fft = calloc(PF_FFTS, sizeof *p->fft);
  if (!p->fft) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  PF_TRY(pf_agree(p->comm, e));
  if (p->geometry.rank == 0) plan_all(p, e);
  PF_TRY(pf_agree(p->comm, e));
  if (!p->geometry.decision.deterministic && p->geometry.decision.engine->export_wisdom)
    PF_TRY(share_wisdom(p, e));
  if (p->geometry.rank) plan_all(p, e);
  PF_TRY(pf_agree(p->comm, e));
  p->zero_bytes = zero_bytes(p);
  PF_TRY(pf_memory_agree(p->comm, worker_bytes(p), e));
  make_workers(p, e);
  return pf_agree(p->comm, e);
}
