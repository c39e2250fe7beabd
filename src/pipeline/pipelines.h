/* SPDX-License-Identifier: BSD-3-Clause
 * Both directions of one geometry, ready to run: transforms, memory of exchanges, and for each
 * direction the pipeline of stages and exchanges that the geometry describes.  Independent of
 * plans. */
#ifndef PF_PIPELINE_PIPELINES_H
#define PF_PIPELINE_PIPELINES_H

#include "base/shared.h"
#include "base/simulate.h"
#include "local/stage.h"
#include "base/clock.h"
#include "geometry/geometry.h"

/* One direction, ready to run. */
/* The views of a stage as one plane: the lines of all its planes lie side by side in memory.  They
 * have no segments of their own. */
typedef struct pf_flat {
  pf_view from, to; /* count 0: the stage has planes */
} pf_flat;

typedef struct pf_pipeline {
  const pf_pipeline_geometry *geometry;
  const pf_exchange_sequence *sequence;
  pfft3d_direction direction;
  int stages;
  int splits; /* a run can stop before its last stage (plan/join.c), on all ranks */
  pf_stage stage[PF_STAGES];
  pf_exchange exchange[PF_EXCHANGES];
  pf_view from[PF_STAGES], to[PF_STAGES]; /* of each stage */
  pf_view plane;                          /* of the stage that has two axes */
  pf_view kept;                  /* between the stages of one rank: in the output array, with the
                                    addresses of the spectrum */
  int keeps[2];                  /* `kept` replaces to[0] and from[1]: out of place and in place */
  int descends;                  /* in place the first stage then begins with the last plane */
  pf_view reached[2], staged[2]; /* replace the first `from` and the last `to`: arrays of all ranks,
                                    accessed directly or staged in the shared memory */
  pf_view results;               /* this rank's output among the staged results */
  pf_flat flat[2][PF_STAGES];    /* of runs that keep data in the output array or not ... */
  int flattens;                  /* ... if there is any */
  int streams[2];                /* results bypass the caches: out of place and in place */
  /* of all passes in runs that keep data in the output array or not; out of place and in place */
  pf_tuning tuning[2][2][PF_STAGES][PF_PASSES];
  pf_segment *segment;                               /* of all views */
  pf_exchange edges;                                 /* for a matrix: rows that lie on two ranks */
  pf_multiplier multiplier;                          /* for the input, during a run that has one */
  double stage_s[PF_STAGES], memory_s[PF_EXCHANGES]; /* predicted by the model, for simulations */
} pf_pipeline;

/* The views that stage k begins and ends with, in runs that keep data in the output array or not.
 */
static inline const pf_view *pf_stage_from(const pf_pipeline *w, int k, int keeps) {
  return keeps && k == 1 ? &w->kept : &w->from[k];
}

static inline const pf_view *pf_stage_to(const pf_pipeline *w, int k, int keeps) {
  return keeps && k == 0 ? &w->kept : &w->to[k];
}

/* An array of a plan: from pfft3d_alloc(), or a buffer. */
typedef struct pf_array {
  pf_shared shared; /* of all ranks */
  void *alone;      /* of this rank; if neither is set, the entry is free */
} pf_array;

/* An array has the same number on all ranks, because they take and free arrays together. */
typedef struct pf_arrays {
  pf_array *at;
  int count, rank; /* rank: this rank */
} pf_arrays;

/* State of a run, including the data used between two tiles. */
typedef struct pf_execution {
  struct pf_pipelines *pipelines;
  pf_pipeline *pipeline;
  pfft3d_stats *stats; /* the run is added to them */
  const char *in;
  char *out;
  int exchange;      /* 0: passes only */
  int whole;         /* the run does not stop between its stages */
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
  pf_load load;          /* of the stage, in a simulation */
  pf_timeline *timeline; /* where this run is recorded; NULL: nowhere */
} pf_execution;

/* The environment of pipelines, from their plan. */
typedef struct pf_setting {
  MPI_Comm comm;
  int node_ranks; /* consecutive ranks of comm on each node, the last node may have fewer; 0: nodes
                     have different numbers */
  const pf_arrays *arrays; /* arrays of the caller that other ranks can access; NULL: none */
  int *refused;            /* set to 1 if the memory of an exchange is unavailable or too large */
} pf_setting;

/** Local. Sets *refused if @p status, of making an operator, says that the memory of an exchange is
 * unavailable or too large; returns the status. */
int pf_refuse(int *refused, int status);

typedef struct pf_pipelines {
  MPI_Comm comm; /* the setting's; or a copy */
  int copied;
  MPI_Comm grid[2]; /* ranks along each dimension of the grid; comm itself if these are all
                       ranks, MPI_COMM_NULL outside the grid */
  int node_ranks;
  const pf_arrays *arrays;
  pf_geometry geometry;
  pf_fft *fft; /* the distinct transforms of all stages */
  int ffts;
  pf_roots roots;       /* for a matrix: all its factors */
  MPI_Request *request; /* for its edges */
  pf_exchange_store store;
  char *copy;        /* of the input, geometry.copy_bytes */
  double *spread;    /* a multiplier's factors along axis 2, for each component */
  pf_worker *worker; /* one for each thread */
  char *zeros;       /* for all threads, zero_bytes; NULL if none are needed */
  size_t zero_bytes;
  size_t tile_bytes, spare_bytes, strip_bytes, factor_bytes;
  double flops;          /* rate of this rank in a simulation; 0: no time is charged */
  pf_timeline *timeline; /* where runs are recorded; NULL: nowhere */
  pf_pipeline pipeline[2];
} pf_pipelines;

enum { PF_FFTS = 2 * 3 }; /* directions x axes, at most */

/* ---- making ---- */

/** Collective on s->comm. Makes the pipelines of a decision.  Errors, agreed: MEMORY, UNAVAILABLE,
 * INTERNAL; *made is then NULL. */
int pf_pipelines_create(const pf_setting *s, const pf_decision *d, pf_pipelines **made,
                        pfft3d_error *e);

/** Collective on p->comm. NULL is ignored. */
void pf_pipelines_destroy(pf_pipelines *p);

/** Collective on p->comm. Plans the transforms of all stages, with the choices of rank 0, and
 * allocates the tile, plane and strip of each thread. Errors: MEMORY, UNAVAILABLE, agreed. */
int pf_pipelines_ffts(pf_pipelines *p, pfft3d_error *e);

/** Local. The transform of a pass along @p axis in a direction. */
const pf_fft *pf_pipelines_find_fft(const pf_pipelines *p, pfft3d_direction direction, int axis);

/** Collective on p->comm. Creates both directions; everything else must exist.  Errors, agreed:
 * MEMORY, INTERNAL, UNAVAILABLE. */
int pf_pipelines_connect(pf_pipelines *p, pfft3d_error *e);

/** Local. Decides how the passes of a direction use the caches (stores.c), when its stages are
 *  complete; sets the passes for runs out of place or in place, with data between the stages in
 *  the output array or not. */
void pf_stores_decide(const pf_pipelines *p, pf_pipeline *w);
void pf_stores_choose(pf_pipeline *w, int in_place, int keeps);

/** Local. Nonzero if one rank is faster with the data between its stages in the output array than
 * in memory of its own; @p same: both sides have the same addresses. */
int pf_stores_keep(const pf_geometry *g, int in_place, int same);
void pf_pipeline_destroy(pf_pipeline *w);

/* ---- running ---- */

/* What the calls of PF_TIMED are in a timeline, by the sum that their time is added to. */
#define PF_EVENT_OF_post_s PF_EVENT_POST
#define PF_EVENT_OF_wait_s PF_EVENT_WAIT

/** Local. Records an event from @p begin to run->now, if runs are recorded. */
static inline void pf_run_record(const pf_execution *run, pf_event_kind kind, double begin) {
  if (!run->timeline) return;
  pf_event e = {.begin = begin, .end = run->now, .kind = (unsigned char)kind};
  pf_timeline_add(run->timeline, &e);
}

/* Calls MPI unless it failed before, and adds the time to *seconds. */
#define PF_TIMED_FROM(run, seconds, begin, call)           \
  do {                                                     \
    pf_load_pay(&(run)->load);                             \
    if ((run)->code == MPI_SUCCESS) {                      \
      double start_ = (begin);                             \
      (run)->code = (call);                                \
      (run)->now = pf_clock();                             \
      (run)->seconds += (run)->now - start_;               \
      pf_run_record((run), PF_EVENT_OF_##seconds, start_); \
    }                                                      \
  } while (0)
#define PF_TIMED(run, seconds, call) PF_TIMED_FROM(run, seconds, pf_clock(), call)

/* As PF_TIMED, from the previous reading of the clock: a reading takes as long as a line of 16
 * points. */
#define PF_TIMED_ON(run, seconds, call) \
  PF_TIMED_FROM(run, seconds, PF_SIMULATED ? pf_clock() : (run)->now, call)

/** Local. Sets the base address of a slot for all threads. */
static inline void pf_run_base(pf_pipelines *p, pf_slot slot, char *base) {
  for (int t = 0; t < p->geometry.decision.threads; t++) p->worker[t].memory.base[slot] = base;
}

/** Collective on p->comm. Runs a direction, without its exchanges if @p exchange is 0, and adds the
 * run to *stats.  INTERNAL after a failed MPI call; UNAVAILABLE or MEMORY if the device of this
 * rank is lost, after all its messages. */
int pf_pipelines_run(pf_pipelines *p, pfft3d_direction direction, const void *in, void *out,
                     int exchange, pfft3d_stats *stats);

/** Local. The failure of the device of pipelines, if their engine has one: UNAVAILABLE or MEMORY;
 * @p e may be NULL. */
int pf_pipelines_fault(const pf_pipelines *p, pfft3d_error *e);

/** Local. Sets the stages of a direction, the number of its exchanges and the precision of its
 * messages in statistics. */
void pf_pipelines_describe(const pf_pipelines *p, pfft3d_direction direction, pfft3d_stats *stats);

/** Local. Bytes of their memory. */
size_t pf_pipelines_bytes(const pf_pipelines *p);

/** Local. Records runs in a timeline from now on; NULL: no more.  Errors: those of
 *  pf_timeline_add_exchange(). */
int pf_pipelines_record(pf_pipelines *p, pf_timeline *t, pfft3d_error *e);

/** Local. Sets the multiplier of the first pass with a transform in the backward direction; NULL
 * removes it. */
void pf_pipelines_multiply(pf_pipelines *p, const pf_multiplier *multiplier);

/** Collective on p->comm. The seconds of all exchanges of a direction as PFFT3D_PART_RAW_ALLTOALL.
 * Errors: MEMORY, UNAVAILABLE, INTERNAL. */
int pf_pipelines_raw(pf_pipelines *p, pfft3d_direction direction, double *seconds);

/* Nonzero if the rank must still communicate after a run with this status: it lost its device or
 * memory.  pf_status_of_both(): the worse of two. */
static inline int pf_goes_on(int status) {
  return !status || status == PFFT3D_ERR_UNAVAILABLE || status == PFFT3D_ERR_MEMORY;
}
static inline int pf_status_of_both(int first, int second) {
  return first && pf_goes_on(second) ? first : second;
}

/* A stage that is running, with the exchanges before and after it. */
typedef struct pf_superstep {
  int k;
  const pf_stage *stage;
  pf_exchange *recv; /* the exchange whose planes the stage reads, or NULL */
  ptrdiff_t first;   /* first line of every item */
  double start, moved;
} pf_superstep;

/** Local. Begins stage k at run->now, with its exchanges if @p exchange; processes an item, and
 * sends lines between its tiles; sends what items of several threads have completed; ends the
 * stage. */
pf_superstep pf_superstep_begin(pf_execution *run, int k, int exchange);
void pf_superstep_item(pf_execution *run, const pf_superstep *t, ptrdiff_t item);
void pf_superstep_send(pf_execution *run, const pf_stage *s, ptrdiff_t item, ptrdiff_t count);
void pf_superstep_end(pf_execution *run, const pf_superstep *t);

/** Local. Records that planes from @p item on were processed since @p begin. */
void pf_superstep_record(pf_execution *run, const pf_superstep *t, ptrdiff_t item, ptrdiff_t count,
                         double begin);

/** Local. Stops the clock of a stage, and starts it again. */
void pf_superstep_pause(pf_execution *run, const pf_superstep *t);
void pf_superstep_resume(pf_execution *run, pf_superstep *t);

/** Local. Sets where one rank has its data between its two stages, and how passes use the caches,
 * in runs that do not stop between stages (@p whole), or that may. */
void pf_run_views(pf_pipeline *w, int in_place, int whole);

/** Parts of a run: set the addresses of the caller's arrays and of the exchanges, whose half may
 * have changed since the last run, run stages from .. to-1, add to statistics.  Local, except the
 * stages, which are collective on p->comm. */
void pf_run_arrays(const pf_execution *run);
void pf_run_exchanges(const pf_execution *run);
/** Collective. Ends a run that stopped before its last stage and will not continue: completes its
 * messages. */
void pf_run_abandon(pf_execution *run);
void pf_run_stages(pf_execution *run, int from, int to);
void pf_run_count(const pf_execution *run, double total);

/* Actions before the first stage, before the last stage and after it, if the first stage reads the
 * inputs of all ranks or the last one writes their outputs in shared memory (reach.c). */
void pf_reach_begin(pf_execution *run);
void pf_reach_outputs(pf_execution *run);
void pf_reach_end(pf_execution *run);

/* ---- arrays ---- */

/** Collective on comm. Allocates @p bytes bytes, or, if @p shared is not 0, @p shared bytes of each
 * rank in memory that all ranks share.  Errors, agreed: MEMORY. */
int pf_arrays_add(pf_arrays *list, MPI_Comm comm, size_t bytes, size_t shared, void **array,
                  pfft3d_error *e);
void pf_arrays_drop(pf_arrays *list, const void *array);
void pf_arrays_free(pf_arrays *list);

/** Local. The number of the shared array that pf_arrays_add() returned at this address, or -1; @p
 * list may be NULL. */
int pf_arrays_find(const pf_arrays *list, const void *array);

#endif
