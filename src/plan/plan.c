/* SPDX-License-Identifier: BSD-3-Clause
 * Making and destroying plans.  Everything that can fail fails here, and all ranks learn of it in
 * pf_agree() at the end of each step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "planner/candidates.h"
#include "line/line.h"
#include "plan/matrix.h"
#include "planner/resolve.h"

static void print_array(const pfft3d_array *a, char *out, size_t size) {
  snprintf(out, size, "%td,%td,%td below, %td,%td,%td above, every %td, distance %td", a->below[0],
           a->below[1], a->below[2], a->above[0], a->above[1], a->above[2], a->every, a->distance);
}

static void print_machine(const pfft3d_request *r, char *out, size_t size) {
  const pfft3d_machine *m = &r->machine;
  snprintf(out, size,
           "%d ranks per node, largest count %td, budget %g, machine %g %g %g %g, %g %g %g %g, %g "
           "%g %d %g",
           r->node_ranks, r->max_count, r->plan_budget, m->start[0], m->latency[0], m->bandwidth[0],
           m->overlap[0], m->start[1], m->latency[1], m->bandwidth[1], m->overlap[1], m->memory,
           m->flops, m->group, m->taper);
}

/* Ranks that ask for different things would wait for each other for ever: find out first.  Arrays
 * may differ in nothing either: where ranks write to each other's they must know them. */
static int agree_request(MPI_Comm comm, const pfft3d_request *r, pfft3d_error *e) {
  enum { fields = 9, length = 256 };
  static const char *const name[fields] = {"problem",     "decision",       "scale",
                                           "field array", "spectrum array", "grid",
                                           "settings",    "model",          "line"};
  char mine[fields][length], root[fields][length];
  memset(mine, 0, sizeof mine);
  pfft3d_problem_print(&r->problem, mine[0], length);
  pfft3d_decision_print(&r->decision, mine[1], length);
  snprintf(mine[2], length, "%.17g %.17g", r->scale[0], r->scale[1]);
  print_array(&r->array[0], mine[3], length);
  print_array(&r->array[1], mine[4], length);
  snprintf(mine[5], length, "%dx%d", r->decision.grid[0], r->decision.grid[1]);
  snprintf(
      mine[6], length, "deterministic %d, threads %d, padded %d, wire %d, wisdom %d, required %d",
      r->deterministic, r->threads, r->padded, (int)r->wire, r->wisdom != NULL, r->wisdom_required);
  print_machine(r, mine[7], length);
  snprintf(mine[8], length, "%s, layouts %d and %d, split %tdx%td", pf_is_line(r) ? "yes" : "no",
           (int)r->layout[0], (int)r->layout[1], r->decision.split[0], r->decision.split[1]);
  memcpy(root, mine, sizeof mine);
  int code = MPI_Bcast(&root[0][0], (int)sizeof root, MPI_BYTE, 0, comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Bcast");
  for (int k = 0; k < fields; k++)
    if (strcmp(mine[k], root[k]))
      pf_fail(e, PFFT3D_ERR_INTERNAL, "ranks disagree on the plan: %s is '%s' here, '%s' on rank 0",
              name[k], mine[k], root[k]);
  return pf_agree(comm, e);
}

int pf_plan_lines(pfft3d_plan *p, pfft3d_error *e) {
  const pf_geometry *o = &p->geometry;
  const int *grid = o->decision.grid;
  int code = MPI_SUCCESS;
  for (int dim = 0; dim < 2; dim++) {
    p->line[dim] = p->comm;
    if (grid[dim] == o->ranks) continue; /* all of them */
    if (grid[dim] == 1) {
      p->line[dim] = o->used ? MPI_COMM_SELF : MPI_COMM_NULL;
      continue;
    }
    int color = o->used ? o->place[1 - dim] : MPI_UNDEFINED;
    if (code == MPI_SUCCESS) code = MPI_Comm_split(p->comm, color, o->place[dim], &p->line[dim]);
  }
  if (code != MPI_SUCCESS) pf_fail_mpi(e, code, "MPI_Comm_split");
  return pf_agree(p->comm, e);
}

void pf_plan_free_lines(pfft3d_plan *p) {
  for (int dim = 0; dim < 2; dim++)
    if (p->line[dim] != p->comm && p->line[dim] != MPI_COMM_NULL && p->line[dim] != MPI_COMM_SELF)
      MPI_Comm_free(&p->line[dim]);
}

int pf_plan_buffers(pfft3d_plan *p, pfft3d_error *e) {
  if (p->geometry.exchange->place == PF_PLACE_OWNERS)
    PF_TRY(pf_shared_create(p->comm, p->geometry.bytes[PF_SLOT_SHARED], &p->shared, e));
  if (p->geometry.exchange->windows) PF_TRY(pf_plan_windows(p, e));
  if (p->geometry.exchange->place == PF_PLACE_NODES) pf_plan_node_window(p, e);
  for (int s = 0; s < PF_SLOT_PLANE && !e->status; s++) {
    if (!p->geometry.bytes[s] || s == PF_SLOT_SHARED || p->remote[s].made) continue;
    p->buffer[s] = pf_alloc(p->geometry.bytes[s]);
    if (!p->buffer[s])
      pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a buffer of %zu bytes", p->geometry.bytes[s]);
  }
  return pf_agree(p->comm, e);
}

int pf_plan_pipelines(pfft3d_plan *p, pfft3d_error *e) {
  for (int d = 0; d < 2; d++) {
    (p->geometry.matrix.n[0] ? pf_matrix_pipeline_create : pf_pipeline_create)(
        p, (pfft3d_direction)d, e);
    PF_TRY(pf_agree(p->comm, e));
    PF_TRY(pf_pipeline_connect(p, (pfft3d_direction)d, e));
  }
  return PFFT3D_OK;
}

static int build_buffers(pfft3d_plan *p, const pfft3d_request *request, pfft3d_error *e) {
  int rank, ranks;
  MPI_Comm_rank(p->comm, &rank);
  MPI_Comm_size(p->comm, &ranks);
  pf_geometry_make(request, ranks, rank, 0, &p->geometry, e);
  PF_TRY(pf_agree(p->comm, e));
  PF_TRY(pf_agree_hash(p->comm, pf_geometry_hash(&p->geometry), "the plan that they made", e));
  PF_TRY(pf_memory_agree(p->comm, p->geometry.work_bytes, e));
  return pf_plan_buffers(p, e);
}

/* Frees what a plan has, but for its ranks and their order. */
static void release(pfft3d_plan *p) {
  pf_line_destroy(p);
  int mpi = !pf_mpi_ready(NULL); /* else MPI has freed what it had */
  for (int d = 0; d < 2; d++) pf_pipeline_destroy(&p->pipeline[d]);
  for (int k = 0; k < p->ffts; k++) pf_fft_destroy(&p->fft[k]);
  for (int s = 0; s < PF_SLOTS && !mpi; s++)
    if (p->remote[s].made) p->buffer[s] = NULL;
  if (mpi) pf_plan_free_windows(p);
  for (int s = 0; s < PF_SLOTS; s++) pf_free(p->buffer[s]);
  for (int t = 0; p->worker && t < p->geometry.threads; t++) {
    for (int s = PF_SLOT_PLANE; s < PF_SLOTS; s++) pf_free(p->worker[t].memory.base[s]);
    for (int k = 0; k < 4; k++) pf_free(p->worker[t].at[k]);
    pf_free(p->worker[t].collect);
    pf_free(p->worker[t].factors);
    free(p->worker[t].run);
    pf_free(p->worker[t].spare);
    pf_free(p->worker[t].tile);
  }
  free(p->worker);
  pf_shared_destroy(&p->shared);
  free(p->fft);
  free(p->request);
  pf_roots_free(&p->roots);
  pf_arrays_free(&p->array);
  if (!mpi) return;
  pf_plan_free_lines(p);
  if (p->node != MPI_COMM_NULL) MPI_Comm_free(&p->node);
}

/* Back to where nothing but the nodes is known. */
static void start_again(pfft3d_plan *p) {
  release(p);
  pfft3d_plan fresh = {.comm = p->comm,
                       .line = {p->comm, p->comm},
                       .node = MPI_COMM_NULL,
                       .order = p->order,
                       .node_ranks = p->node_ranks,
                       .scale = {p->scale[0], p->scale[1]},
                       .estimate = p->estimate};
  *p = fresh;
  p->arrays = &p->array;
}

/* Whether the planner, not the caller, took what works on memory of nodes. */
static int took_nodes(const pfft3d_request *asked, const pfft3d_request *resolved) {
  const pf_exchange_ops *x = pf_exchange_find(resolved->decision.algo);
  return pf_name_open(asked->decision.algo) && x && x->place == PF_PLACE_NODES;
}

/* Settles what is left to "auto", and gets the memory for it.  Shared memory is tried where it can
 * be; where it cannot be had after all, messages take its place. */
static int build_resolved(pfft3d_plan *p, const pfft3d_request *request, MPI_Comm owner,
                          int sharing, pfft3d_error *e) {
  pfft3d_request resolved = *request;
  PF_TRY(pf_resolve(p->comm, owner, &resolved, sharing, p->reason, e));
  p->machine = resolved.machine;
  int status = (pf_is_line(request) ? pf_line_build : build_buffers)(p, &resolved, e);
  int wise = strncmp(p->reason, "wisdom", 6) == 0, nodes = took_nodes(request, &resolved);
  if (status != PFFT3D_ERR_UNAVAILABLE || !p->reason[0] || !(sharing || wise || nodes))
    return status;
  pf_error_clear(e);
  start_again(p);
  pfft3d_request again = *request;
  again.wisdom = NULL; /* it does not hold here */
  if (nodes) again.node_ranks = 1;
  return build_resolved(p, &again, owner, wise && sharing, e);
}

/* Threads of this library never call MPI, but MPI must know that they are there. */
static int check_threads(MPI_Comm comm, int threads, pfft3d_error *e) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (threads > 1 && provided < MPI_THREAD_FUNNELED)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
            "%d threads: MPI was initialised without MPI_THREAD_FUNNELED", threads);
  return pf_agree(comm, e);
}

static int build(pfft3d_plan *p, const pfft3d_request *request, MPI_Comm owner, pfft3d_error *e) {
  PF_TRY(agree_request(p->comm, request, e));
  PF_TRY(check_threads(p->comm, request->threads, e));
  PF_TRY(pf_plan_nodes(p, request->node_ranks, pf_is_line(request), e));
  memcpy(p->scale, request->scale, sizeof p->scale);
  p->estimate = request->deterministic;
  pfft3d_request resolved = *request;
  resolved.node_ranks = p->node_ranks;
  int ranks;
  MPI_Comm_size(p->comm, &ranks);
  PF_TRY(build_resolved(p, &resolved, owner, p->node_ranks >= ranks, e));
  if (pf_is_line(request)) return PFFT3D_OK;
  PF_TRY(pf_plan_lines(p, e));
  PF_TRY(pf_plan_ffts(p, e));
  return pf_plan_pipelines(p, e);
}

/* The plan of ranks that may have failed already, *e says so. */
static void create(MPI_Comm comm, const pfft3d_request *request, pfft3d_plan **plan,
                   pfft3d_error *e) {
  MPI_Comm own;
  int code = MPI_Comm_dup(comm, &own);
  if (code != MPI_SUCCESS) {
    pf_fail_mpi(e, code, "MPI_Comm_dup");
    return;
  }
  pf_errors_return(own);
  pfft3d_plan *p = calloc(1, sizeof *p);
  if (p) {
    p->comm = p->line[0] = p->line[1] = own;
    p->node = MPI_COMM_NULL;
    p->arrays = &p->array;
  } else {
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  }
  if (!pf_agree(own, e) && !build(p, request, comm, e)) {
    *plan = p;
  } else if (p) {
    pfft3d_plan_destroy(&p);
  } else {
    MPI_Comm_free(&own);
  }
}

int pfft3d_plan_create(MPI_Comm comm, const pfft3d_request *request, pfft3d_plan **plan,
                       pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_plan *made = NULL;
  pf_error_clear(&e);
  if (!pf_comm_ready(comm, &e)) {
    pf_request_valid(request, &e);
    if (!plan) pf_fail(&e, PFFT3D_ERR_USAGE, "plan: no address for it");
    create(comm, request, &made, &e);
  }
  if (plan) *plan = made;
  return pf_error_out(&e, error);
}

int pfft3d_plan_create_text(MPI_Comm comm, const char *text, pfft3d_plan **plan,
                            pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_plan *made = NULL;
  pfft3d_request request;
  pf_error_clear(&e);
  pf_request_init(&request);
  if (!pf_comm_ready(comm, &e)) {
    pfft3d_request_parse(&request, text, &e);
    if (!plan) pf_fail(&e, PFFT3D_ERR_USAGE, "plan: no address for it");
    create(comm, &request, &made, &e);
  }
  if (plan) *plan = made;
  return pf_error_out(&e, error);
}

int pfft3d_plan_create_f(const MPI_Fint *comm, const pfft3d_request *request, pfft3d_plan **plan,
                         pfft3d_error *error) {
  return pfft3d_plan_create(pf_comm_f(comm), request, plan, error);
}

int pfft3d_plan_create_text_f(const MPI_Fint *comm, const char *text, pfft3d_plan **plan,
                              pfft3d_error *error) {
  return pfft3d_plan_create_text(pf_comm_f(comm), text, plan, error);
}

void pfft3d_plan_destroy(pfft3d_plan **plan) {
  pfft3d_plan *p = plan ? *plan : NULL;
  if (!p) return;
  release(p);
  free(p->order);
  if (!pf_mpi_ready(NULL)) MPI_Comm_free(&p->comm);
  free(p);
  *plan = NULL;
}
