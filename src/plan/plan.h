/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of a plan: its communicator, its buffers, and for each direction the list of stages
 * and exchanges that the geometry describes. */
#ifndef PF_PLAN_PLAN_H
#define PF_PLAN_PLAN_H

#include "base/simulate.h"
#include "base/shared.h"
#include "local/stage.h"
#include "plan/arrays.h"
#include "plan/geometry.h"

typedef struct pf_line pf_line;

/* One direction, ready to run. */
typedef struct pf_pipeline {
  const pf_pipeline_geometry *geometry;
  int steps;
  pf_stage stage[PF_STEPS];
  pf_exchange exchange[PF_EXCHANGES];
  pf_view view[2 * PF_STEPS + 1]; /* input, then send and receive views of each exchange, output,
                                     and the plane buffer */
  pf_view scattered, staged;      /* instead of the output: those of all ranks, or a half of the
                                     window */
  pf_view sources, brought;       /* of a matrix, instead of the input, likewise */
  pf_segment *segments;           /* of all views */
  pf_exchange heads;              /* of a matrix: of rows in parts */
  pf_multiplier multiplier;       /* of the input, while a run has one */
  pfft3d_stats stats;
} pf_pipeline;

/* Memory of an exchange that works with windows of MPI. */
typedef struct pf_remote {
  MPI_Win win;
  int made, locked;
} pf_remote;

struct pfft3d_plan {
  MPI_Comm comm;
  int *order;     /* the rank in comm of each rank of the caller's communicator; NULL: the same */
  int node_ranks; /* on every node, one after another in comm, the last one may have fewer; 0 where
                     others have */
  MPI_Comm node;  /* of the ranks of this node, where the exchange needs it; else MPI_COMM_NULL */
  MPI_Comm line[2]; /* of the ranks along each dimension of the grid; the whole one again where they
                       are all, MPI_COMM_NULL beside the grid */
  pf_geometry geometry;
  char reason[PF_REASON]; /* why this decision, where it was left open */
  double scale[2];
  pfft3d_machine machine; /* that the decision was made for */
  int estimate;
  pf_fft *fft; /* the distinct transforms of all stages */
  int ffts;
  pf_roots roots;             /* of a matrix: all its factors */
  MPI_Request *request;       /* of its edges, as many as there are ranks and one */
  pf_line *parts;             /* of a line that takes several plans; NULL: this one does it */
  char *buffer[PF_SLOTS];     /* the plan's own */
  pf_remote remote[PF_SLOTS]; /* those that other ranks put into */
  pf_shared shared;           /* for an exchange that stores into the receivers' memory */
  int half;                   /* of it: the one that is next */
  pf_arrays array;            /* that pfft3d_alloc() has given away */
  pf_arrays *arrays;          /* these, or those of the plan that this one is a part of */
  pf_worker *worker;          /* one for each thread */
  size_t tile_bytes, spare_bytes, strip_bytes, factor_bytes;
  pf_pipeline pipeline[2];
};

enum { PF_FFTS = 2 * 3 }; /* directions x axes, at most */

/** Collective on p->comm. Plans the transforms of all stages, with the choices of rank 0, and gives
 *  every thread its tile, plane and strip.
 *  Errors: MEMORY, UNAVAILABLE, agreed. */
int pf_plan_ffts(pfft3d_plan *p, pfft3d_error *e);

/** Collective on p->comm. Allocates the buffers of the geometry.  Errors: MEMORY, UNAVAILABLE. */
int pf_plan_buffers(pfft3d_plan *p, pfft3d_error *e);

/** Collective on p->comm. Allocates the buffers that exchanges receive in as windows of MPI, and
 *  frees them.  Errors, agreed: UNAVAILABLE. */
int pf_plan_windows(pfft3d_plan *p, pfft3d_error *e);
void pf_plan_free_windows(pfft3d_plan *p);

/** Collective on p->comm. Both directions, when everything else is there.  Errors: MEMORY,
 * INTERNAL.
 */
int pf_plan_pipelines(pfft3d_plan *p, pfft3d_error *e);

/** Local. Builds the views and stages of a direction.  Errors: MEMORY. */
int pf_pipeline_create(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e);

/** Collective on p->comm. When the stages of a direction are there: gives the factor to the last
 * transform, and makes the exchanges between them.  Errors, agreed: MEMORY, INTERNAL, UNAVAILABLE.
 */
int pf_pipeline_connect(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e);

/** Local. Whether what a plan writes is better written around the caches; how a pass of columns
 *  reads what comes from main memory. */
int pf_pipeline_streams(const pf_geometry *o);
void pf_pipeline_read_together(pf_pass *pass);
void pf_pipeline_destroy(pf_pipeline *w);

/** Collective on p->comm. Finds the nodes, and puts the ranks of each in a row, unless the caller's
 *  order is to be kept; or takes @p given neighbours for one, where that is not 0.  Errors: MEMORY,
 *  INTERNAL. */
int pf_plan_nodes(pfft3d_plan *p, int given, int keep, pfft3d_error *e);

/** Collective on comm. The p->node_ranks of a plan for this communicator.  Errors: MEMORY,
 *  INTERNAL. */
int pf_nodes_find(MPI_Comm comm, int given, int keep, int *node_ranks, pfft3d_error *e);

/** Collective on p->comm. Makes the communicator of a node and the memory that its ranks share.
 *  Errors: UNAVAILABLE, MEMORY, INTERNAL; to be agreed on. */
int pf_plan_node_window(pfft3d_plan *p, pfft3d_error *e);

/** Collective on p->comm. Makes the communicators of the grid.  Errors: INTERNAL, agreed. */
int pf_plan_lines(pfft3d_plan *p, pfft3d_error *e);
void pf_plan_free_lines(pfft3d_plan *p);

/** Local. The transform that a pass along @p axis takes in a direction. */
const pf_fft *pf_plan_find_fft(const pfft3d_plan *p, pfft3d_direction direction, int axis);

/* What a run has met with so far, and what a tick between two tiles needs to know. */
typedef struct pf_progress {
  pf_exchange *send; /* NULL: no messages leave this stage */
  pf_exchange *recv; /* NULL: all that it needs has come */
  int by_tile;       /* rows are done tile by tile, else at the end of a plane */
  ptrdiff_t plane;
  int pace, since; /* tiles between two calls of MPI, and since the last one */
  int code;        /* the first MPI error */
  double post_s, wait_s;
  double stage_s[PF_STEPS], stage_bytes[PF_STEPS];
  pf_loss stage_loss[PF_STEPS];
  pf_load load; /* of the stage, in a simulation */
} pf_progress;

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

/* Parts of a run, for fields and matrices alike: the memories behind the slots; the address of one
 * of them, for all threads; the halves of a window in turn; a stage, without its exchanges where
 * @p exchange is 0; behind the halves of a rank's part, two numbers that all ranks can see; the
 * statistics. */
void pf_run_memories(pfft3d_plan *p, const void *in, void *out);
void pf_run_base(pfft3d_plan *p, pf_slot slot, char *base);
void pf_run_next_half(pfft3d_plan *p, pf_pipeline *w);
void pf_run_stage(pfft3d_plan *p, pf_pipeline *w, int k, pf_progress *run, int exchange);
int *pf_run_numbers(pfft3d_plan *p, int rank);
void pf_run_stats(const pfft3d_plan *p, pf_pipeline *w, const pf_progress *run, double total);

/** Collective. As pfft3d_alloc(), of @p bytes bytes.  Errors, agreed: MEMORY. */
int pf_plan_alloc(pfft3d_plan *p, size_t bytes, void **array, pfft3d_error *e);

/** Local. As pfft3d_plan_stats(). */
int pf_plan_stats(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats);

/** Collective. As pfft3d_plan_measure(), of any plan: a part of another one has no arrays. */
int pf_plan_measure(pfft3d_plan *p, pfft3d_direction direction, pfft3d_part part, const void *in,
                    void *out, double *seconds);

/** Local. Whether a run may start: there is MPI, a plan, a direction, and its arrays, which are one
 *  or do not overlap.  Errors: USAGE. */
int pf_plan_check_run(const pfft3d_plan *p, pfft3d_direction direction, const void *in,
                      const void *out);

/** Local. The number of the shared array that pfft3d_alloc() gave this rank at this address, or -1.
 */
int pf_plan_find_array(const pfft3d_plan *p, const void *array);

/** Collective. Runs a direction; without its exchanges where @p exchange is 0.  INTERNAL after a
 *  failed MPI call. */
int pf_pipeline_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                    int exchange);

#endif
