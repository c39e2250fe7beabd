/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of a plan: its communicator, its buffers, and for each direction the pipeline of
 * stages and exchanges that the geometry describes. */
#ifndef PF_PLAN_PLAN_H
#define PF_PLAN_PLAN_H

#include "base/shared.h"
#include "base/simulate.h"
#include "local/stage.h"
#include "plan/boxes.h"
#include "plan/clock.h"
#include "plan/geometry.h"

enum { PF_REASON = 240 };

/* One direction, ready to run. */
typedef struct pf_pipeline {
  const pf_pipeline_geometry *geometry;
  const pf_exchange_sequence *sequence;
  pfft3d_direction direction;
  int stages;
  int splits; /* a run can stop before its last stage (join.c), on all ranks */
  pf_stage stage[PF_STAGES];
  pf_exchange exchange[PF_EXCHANGES];
  pf_view from[PF_STAGES], to[PF_STAGES]; /* of each stage */
  pf_view plane;                          /* of the stage that has two axes */
  pf_view reached[2], staged[2]; /* replace the first `from` and the last `to`: arrays of all ranks,
                                    in place or staged in the shared memory */
  pf_view results;               /* this rank's output, where it was staged */
  int large[2], streams; /* the arrays are larger than the cache: in runs out of place and in place,
                            and in this run */
  int stays;             /* what a stage hands on stays in cache nevertheless */
  pf_segment *segment;   /* of all views */
  pf_exchange edges;     /* for a matrix: rows that lie on two ranks */
  pf_multiplier multiplier;                          /* for the input, during a run that has one */
  double stage_s[PF_STAGES], memory_s[PF_EXCHANGES]; /* predicted by the model, for simulations */
  pfft3d_stats stats;
} pf_pipeline;

/* An array that a plan has given to its caller. */
typedef struct pf_array {
  pf_shared shared; /* of all ranks */
  void *alone;      /* of this rank; if neither is set, the entry is free */
} pf_array;

/* An array has the same number on all ranks, because they take and free arrays together. */
typedef struct pf_arrays {
  pf_array *at;
  int count;
} pf_arrays;

/* Operations of a plan that consists of several plans. */
typedef struct pf_composite {
  int (*run)(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out, int exchange);
  void (*stats)(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats);
  int (*raw)(pfft3d_plan *p, pfft3d_direction direction, double *seconds);
  void (*destroy)(pfft3d_plan *p);
} pf_composite;

/* State of a run, including what a tick between two tiles needs. */
typedef struct pf_execution {
  pfft3d_plan *plan;
  pf_pipeline *pipeline;
  const char *in;
  char *out;
  int exchange;      /* 0: passes only */
  pf_exchange *send; /* NULL: no messages leave this stage */
  pf_exchange *recv; /* NULL: all input has arrived */
  int by_tile;       /* rows are complete tile by tile, else at the end of a plane */
  ptrdiff_t plane;
  ptrdiff_t pace, since; /* tiles between two MPI calls, and since the last one */
  int code;              /* the first MPI error */
  double now;            /* when the clock was read last */
  double post_s, wait_s;
  double stage_s[PF_STAGES], stage_bytes[PF_STAGES];
  pf_loss stage_loss[PF_STAGES];
  pf_load load; /* of the stage, in a simulation */
} pf_execution;

typedef struct pf_boxed pf_boxed; /* boxed.h */

struct pfft3d_plan {
  MPI_Comm comm;
  int *order;       /* the rank in comm of each rank of the caller's communicator; NULL: the same */
  int node_ranks;   /* consecutive ranks of comm on each node, the last node may have fewer; 0:
                       nodes differ */
  pf_cut_wish cuts; /* of the geometry; held by the plan */
  pf_boxes boxes;   /* of the caller, of all ranks of comm */
  MPI_Comm grid[2]; /* ranks along each dimension of the grid; comm itself if these are all
                       ranks, MPI_COMM_NULL outside the grid */
  int turned;       /* the caller's axes are others (turn.h) */
  pf_geometry geometry;
  pfft3d_decided_by decided_by;
  char reason[PF_REASON]; /* why this decision was made, if it was left open */
  pf_fft *fft;            /* the distinct transforms of all stages */
  int ffts;
  pf_roots roots;                /* for a matrix: all its factors */
  MPI_Request *request;          /* for its edges */
  const pf_composite *composite; /* NULL: the plan runs its own pipelines */
  struct pf_line *line;          /* data of the composite for a line */
  struct pf_kind_plan *kind;     /* data of the composite for a line with a kind */
  pf_boxed *boxed;               /* data of the composite for boxes of the caller */
  struct pfft3d_plan *inner;     /* the plan inside either of them, between boxes of its own */
  pf_exchange_store store;
  int refused;       /* the memory of the exchange is not available here, or too much */
  pf_arrays array;   /* handed out by pfft3d_alloc() */
  pf_arrays *arrays; /* &array, or that of the owning plan */
  char *copy;        /* of the input, geometry.copy_bytes */
  double *spread;    /* a multiplier's factors along axis 2, for each component */
  pf_worker *worker; /* one for each thread */
  char *zeros;       /* for all threads, zero_bytes; NULL where none are needed */
  size_t zero_bytes;
  size_t tile_bytes, spare_bytes, strip_bytes, factor_bytes;
  double flops; /* rate of this rank in a simulation; 0: no time is charged */
  pf_pipeline pipeline[2];
  pf_execution run; /* one that waits for its last stage (join.c) ... */
  int half_way;     /* ... if there is one */
};

enum { PF_FFTS = 2 * 3 }; /* directions x axes, at most */

/* ---- making plans ---- */

/** Collective on comm. Creates a plan that holds only its own communicator.  Errors, agreed:
 * MEMORY, INTERNAL. */
int pf_plan_open(MPI_Comm comm, pfft3d_plan **plan, pfft3d_error *e);

/** Collective on p->comm. Builds the plan from a decision.  Errors, agreed: MEMORY, UNAVAILABLE,
 * INTERNAL; after a failure, what was built remains until pf_plan_clear() or
 * pfft3d_plan_destroy(). */
int pf_plan_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e);

/** Local. Notes whether the memory of the exchange is what a step of a plan lacked, by its status,
 * which it returns. */
int pf_plan_refuse(pfft3d_plan *p, int status);

/** Collective on p->comm. Frees what was built, except the communicator, nodes, order, cuts and
 * boxes. */
void pf_plan_clear(pfft3d_plan *p);

/** Collective on comm. Creates a plan that is part of @p owner and shares its arrays (NULL: no
 * owner).  Errors, agreed: as pf_plan_build(). */
int pf_plan_create_part(MPI_Comm comm, const pf_decision *d, pfft3d_plan *owner, pfft3d_plan **plan,
                        pfft3d_error *e);

/** Collective on p->comm. Plans the transforms of all stages, with the choices of rank 0, and
 * allocates the tile, plane and strip of each thread. Errors: MEMORY, UNAVAILABLE, agreed. */
int pf_plan_ffts(pfft3d_plan *p, pfft3d_error *e);

/** Local. The transform of a pass along @p axis in a direction. */
const pf_fft *pf_plan_find_fft(const pfft3d_plan *p, pfft3d_direction direction, int axis);

/** Collective on p->comm. Creates both directions; everything else must exist.  Errors, agreed:
 * MEMORY, INTERNAL, UNAVAILABLE. */
int pf_pipelines_create(pfft3d_plan *p, pfft3d_error *e);

/* Decides for a run whether stores bypass the cache. */
void pf_pipeline_stores(const pfft3d_plan *p, pf_pipeline *w, int in_place);
void pf_pipeline_destroy(pf_pipeline *w);

/* ---- nodes ---- */

/* A communicator whose neighbouring ranks share nodes. */
typedef struct pf_nodes {
  MPI_Comm comm;
  int *order;     /* as in pfft3d_plan; from malloc */
  int node_ranks; /* likewise */
  int place;      /* of this rank on its node */
} pf_nodes;

/** Collective on n->comm. Finds the nodes.  Unless @p keep is set, replaces n->comm by a
 * communicator in which the ranks of each node are consecutive.  If @p given is not 0, that many
 * neighbours count as a node.  Errors: MEMORY, INTERNAL. */
int pf_nodes_find(pf_nodes *n, int given, int keep, pfft3d_error *e);

/* ---- running ---- */

/* Calls MPI unless it failed before, and adds the time to *seconds. */
#define PF_TIMED_FROM(run, seconds, begin, call) \
  do {                                           \
    pf_load_pay(&(run)->load);                   \
    if ((run)->code == MPI_SUCCESS) {            \
      double start_ = (begin);                   \
      (run)->code = (call);                      \
      (run)->now = pf_clock();                   \
      (run)->seconds += (run)->now - start_;     \
    }                                            \
  } while (0)
#define PF_TIMED(run, seconds, call) PF_TIMED_FROM(run, seconds, pf_clock(), call)

/* The same where next to nothing was done since the clock was read last: reading it takes as long
 * as a line of 16 points. */
#define PF_TIMED_ON(run, seconds, call) \
  PF_TIMED_FROM(run, seconds, PF_SIMULATED ? pf_clock() : (run)->now, call)

/** Local. Sets the base address of a slot for all threads. */
static inline void pf_run_base(pfft3d_plan *p, pf_slot slot, char *base) {
  for (int t = 0; t < p->geometry.decision.threads; t++) p->worker[t].memory.base[slot] = base;
}

/** Collective on p->comm. Runs a direction, without its exchanges if @p exchange is 0.  INTERNAL
 * after a failed MPI call; UNAVAILABLE or MEMORY if the device of this rank is lost, after all its
 * messages. */
int pf_pipeline_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                    int exchange);

/** Local. What the device of a plan has failed at, if its engine has one: UNAVAILABLE or MEMORY; @p
 * e may be NULL. */
int pf_plan_fault(const pfft3d_plan *p, pfft3d_error *e);

/* Whether a rank goes on with its messages after a run with this status, as it does without its
 * device.  The status of two such runs, one after the other. */
static inline int pf_goes_on(int status) {
  return !status || status == PFFT3D_ERR_UNAVAILABLE || status == PFFT3D_ERR_MEMORY;
}
static inline int pf_status_of_both(int first, int second) {
  return first && pf_goes_on(second) ? first : second;
}

/* A stage of a run under way. */
typedef struct pf_turn {
  int k;
  const pf_stage *stage;
  pf_exchange *recv; /* whose planes it waits for one by one, or NULL */
  ptrdiff_t first;   /* line, of every item */
  double start, moved;
} pf_turn;

/** Local. Begins stage k at run->now, with its exchanges if @p exchange; processes an item, and
 * sends lines between its tiles; sends what items of several threads have completed; ends the
 * stage. */
pf_turn pf_turn_open(pf_execution *run, int k, int exchange);
void pf_turn_item(pf_execution *run, const pf_turn *t, ptrdiff_t item);
void pf_turn_send(pf_execution *run, const pf_stage *s, ptrdiff_t item, ptrdiff_t count);
void pf_turn_close(pf_execution *run, const pf_turn *t);

/** Local. Stops the clock of a stage, and starts it again. */
void pf_turn_rest(pf_execution *run, const pf_turn *t);
void pf_turn_go(pf_execution *run, pf_turn *t);

/** Parts of a run: the addresses of the caller's arrays, those of the exchanges, whose half may
 *  have changed since the last run, stages from .. to-1, and its statistics.  Local but for the
 *  stages, which are collective on p->comm. */
void pf_run_arrays(const pf_execution *run);
void pf_run_exchanges(const pf_execution *run);
/** Collective. Ends a run that stopped half way and goes no further: its messages arrive. */
void pf_run_abandon(pfft3d_plan *p);
void pf_run_stages(pf_execution *run, int from, int to);
void pf_run_count(const pf_execution *run, double total);

/* Actions before the first stage, before the last stage and after it, if the first stage reads the
 * inputs of all ranks or the last one writes their outputs in shared memory (reach.c). */
void pf_reach_begin(pf_execution *run);
void pf_reach_outputs(pf_execution *run);
void pf_reach_end(pf_execution *run);

/** Local. As pfft3d_plan_stats(), for a plan that is not a composite. */
void pf_pipeline_stats(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats);

/** Collective. As pfft3d_alloc(), with @p bytes bytes.  Errors, agreed: MEMORY. */
int pf_plan_alloc(pfft3d_plan *p, size_t bytes, void **array, pfft3d_error *e);

/** Collective. The seconds of all exchanges of a direction as PFFT3D_PART_RAW_ALLTOALL, for a plan
 * that is not a composite.  Errors: MEMORY, UNAVAILABLE, INTERNAL. */
int pf_pipeline_raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds);

/* An exchange that is measured, and its communicator. */
typedef struct pf_raw {
  const pf_exchange *exchange;
  MPI_Comm comm;
} pf_raw;

/** Collective on comm. The seconds of these exchanges, one after another.  Errors: as above. */
int pf_raw_alltoalls(MPI_Comm comm, const pf_raw *list, int count, double *seconds);

/** Local. Checks the arguments of a run: MPI is initialised, plan and direction are valid, the
 * arrays are identical or do not overlap.  Errors: USAGE. */
int pf_plan_check_run(const pfft3d_plan *p, pfft3d_direction direction, const void *in,
                      const void *out);

/** Local. Frees all arrays of a plan. */
void pf_arrays_free(pf_arrays *list);

/** Local. The number of the shared array that pfft3d_alloc() returned at this address, or -1. */
int pf_plan_find_array(const pfft3d_plan *p, const void *array);

#endif
