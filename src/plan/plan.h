/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of a plan: its communicator, its buffers, and for each direction the pipeline of
 * stages and exchanges that the geometry describes. */
#ifndef PF_PLAN_PLAN_H
#define PF_PLAN_PLAN_H

#include "base/simulate.h"
#include "local/stage.h"
#include "plan/geometry.h"

enum { PF_ARRAYS = 16, PF_REASON = 240 };

/* One direction, ready to run. */
typedef struct pf_pipeline {
  const pf_pipeline_geometry *geometry;
  const pf_exchange_sequence *sequence;
  pfft3d_direction direction;
  int stages;
  pf_stage stage[PF_STAGES];
  pf_exchange exchange[PF_EXCHANGES];
  pf_view from[PF_STAGES], to[PF_STAGES]; /* of each stage */
  pf_view plane;                          /* of the stage that has two axes */
  pf_view reached[2], staged[2]; /* instead of the first from and the last to: arrays of all ranks,
                                    as they are or in a half of the shared memory */
  pf_segment *segment;           /* of all views */
  pf_exchange edges;             /* of a matrix: rows that lie on two ranks */
  pf_multiplier multiplier;      /* of the input, while a run has one */
  double stage_s[PF_STAGES], memory_s[PF_EXCHANGES]; /* what a model says, for simulations */
  pfft3d_stats stats;
} pf_pipeline;

/* What a plan that is made of several plans does in their place. */
typedef struct pf_composite {
  int (*run)(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out, int exchange);
  int (*stats)(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats);
  int (*raw)(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
             double *seconds);
  void (*destroy)(pfft3d_plan *p);
} pf_composite;

struct pfft3d_plan {
  MPI_Comm comm;
  int *order;       /* the rank in comm of each rank of the caller's communicator; NULL: the same */
  int node_ranks;   /* on every node, one after another in comm, the last one may have fewer; 0
                       where others have */
  MPI_Comm grid[2]; /* of the ranks along each dimension of the grid; the whole one again where they
                       are all, MPI_COMM_NULL beside the grid */
  pf_geometry geometry;
  pfft3d_decided_by decided_by;
  char reason[PF_REASON]; /* why this decision, where it was left open */
  pf_fft *fft;            /* the distinct transforms of all stages */
  int ffts;
  pf_roots roots;                /* of a matrix: all its factors */
  MPI_Request *request;          /* of its edges, as many as there are ranks and one */
  const pf_composite *composite; /* NULL: this plan does it */
  struct pf_line *line;          /* what the composite has */
  pf_exchange_store store;
  int refused;                /* the memory of the exchange is not available here */
  pf_shared array[PF_ARRAYS]; /* shared arrays that pfft3d_alloc() has given away */
  pf_shared *arrays;          /* these, or those of the plan that this one is a part of */
  pf_worker *worker;          /* one for each thread */
  size_t tile_bytes, spare_bytes, strip_bytes, factor_bytes;
  double flops; /* of this rank in a simulation; 0: nothing is charged */
  pf_pipeline pipeline[2];
};

enum { PF_FFTS = 2 * 3 }; /* directions x axes, at most */

/* ---- making plans ---- */

/** Collective on comm. A plan with a communicator of its own, and nothing else.  Errors, agreed:
 *  MEMORY, INTERNAL. */
int pf_plan_open(MPI_Comm comm, pfft3d_plan **plan, pfft3d_error *e);

/** Collective on p->comm. Builds all of it from a decision.  Errors, agreed: MEMORY, UNAVAILABLE,
 *  INTERNAL; then what was built stays until pf_plan_clear() or pfft3d_plan_destroy(). */
int pf_plan_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e);

/** Collective on p->comm. Frees what was built; the communicator, nodes and order stay. */
void pf_plan_clear(pfft3d_plan *p);

/** Collective on comm. A plan that is a part of another one, with its shared arrays (NULL: with
 *  none).  Errors, agreed: as those of pf_plan_build(). */
int pf_plan_create_part(MPI_Comm comm, const pf_decision *d, pfft3d_plan *owner, pfft3d_plan **plan,
                        pfft3d_error *e);

/** Collective on p->comm. Plans the transforms of all stages, with the choices of rank 0, and gives
 *  every thread its tile, plane and strip.
 *  Errors: MEMORY, UNAVAILABLE, agreed. */
int pf_plan_ffts(pfft3d_plan *p, pfft3d_error *e);

/** Local. The transform that a pass along @p axis takes in a direction. */
const pf_fft *pf_plan_find_fft(const pfft3d_plan *p, pfft3d_direction direction, int axis);

/** Collective on p->comm. Both directions, when everything else is there.  Errors, agreed: MEMORY,
 *  INTERNAL, UNAVAILABLE. */
int pf_pipelines_create(pfft3d_plan *p, pfft3d_error *e);
void pf_pipeline_destroy(pf_pipeline *w);

/* ---- nodes ---- */

/* A communicator whose neighbouring ranks share nodes. */
typedef struct pf_nodes {
  MPI_Comm comm;
  int *order;     /* as in pfft3d_plan; from malloc */
  int node_ranks; /* likewise */
} pf_nodes;

/** Collective on n->comm. Finds the nodes; puts the ranks of each in a row, on a new communicator
 * in the place of n->comm, unless the caller's order is to be kept.  @p given neighbours are taken
 * for a node where that is not 0.  Errors: MEMORY, INTERNAL. */
int pf_nodes_find(pf_nodes *n, int given, int keep, pfft3d_error *e);

/* ---- running ---- */

/* A run: what it works on, what it has met with so far, and what a tick between two tiles needs to
 * know. */
typedef struct pf_execution {
  pfft3d_plan *plan;
  pf_pipeline *pipeline;
  const char *in;
  char *out;
  int exchange;      /* 0: passes alone */
  pf_exchange *send; /* NULL: no messages leave this stage */
  pf_exchange *recv; /* NULL: all that it needs has come */
  int by_tile;       /* rows are done tile by tile, else at the end of a plane */
  ptrdiff_t plane;
  int pace, since; /* tiles between two calls of MPI, and since the last one */
  int code;        /* the first MPI error */
  double post_s, wait_s;
  double stage_s[PF_STAGES], stage_bytes[PF_STAGES];
  pf_loss stage_loss[PF_STAGES];
  pf_load load; /* of the stage, in a simulation */
} pf_execution;

/* Calls MPI unless it failed before, and adds the time to *seconds. */
#define PF_TIMED(run, seconds, call)          \
  do {                                        \
    pf_load_pay(&(run)->load);                \
    if ((run)->code == MPI_SUCCESS) {         \
      double start_ = MPI_Wtime();            \
      (run)->code = (call);                   \
      (run)->seconds += MPI_Wtime() - start_; \
    }                                         \
  } while (0)

/** Local. The address of a memory, for all threads. */
void pf_run_base(pfft3d_plan *p, pf_slot slot, char *base);

/** Collective on p->comm. Runs a direction; without its exchanges where @p exchange is 0.  INTERNAL
 *  after a failed MPI call. */
int pf_pipeline_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                    int exchange);

/* Where the first stage reads the inputs of all ranks, or the last one writes their outputs, in
 * shared memory (reach.c): what goes on before the first stage; before the last one; and behind
 * it. */
void pf_reach_begin(pf_execution *run);
void pf_reach_outputs(pf_execution *run);
void pf_reach_end(pf_execution *run);

/** Local. As pfft3d_plan_stats(), of a plan that is no composite. */
void pf_pipeline_stats(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats);

/** Collective. As pfft3d_alloc(), of so many bytes. */
int pf_plan_alloc(pfft3d_plan *p, size_t bytes, void **array, pfft3d_error *error);

/** Local. The number of the shared array that pfft3d_alloc() gave this rank at this address, or -1.
 */
int pf_plan_find_array(const pfft3d_plan *p, const void *array);

#endif
