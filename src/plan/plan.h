/* SPDX-License-Identifier: BSD-3-Clause
 * The members of a plan: its outline, which the caller sees, and a list of steps for each
 * direction.
 *
 *   a field                         pipeline
 *   between boxes of the caller     redistribution, pipeline, redistribution
 *   a line as a matrix              edges, pipeline, edges
 *   other lines                     local work and pipelines alternately (line/)
 *   a line with a kind              redistribution, factors, a line, factors, redistribution
 *
 * A step runs an operator of the plan, which steps of both directions may share. */
#ifndef PF_PLAN_PLAN_H
#define PF_PLAN_PLAN_H

#include "request/boxes.h"
#include "pipeline/pipelines.h"
#include "redist/redist.h"

enum { PF_REASON = 240 };

/* ---- steps ---- */

/* The array that a step reads or writes: the caller's, or a buffer of the plan by its number. */
enum { PF_INPUT = -2, PF_OUTPUT = -1, PF_BUFFERS = 5 };
typedef struct pf_end {
  int array;
  size_t apart; /* bytes from a line of a batch to the next */
} pf_end;

typedef struct pf_step {
  int operator; /* number of an operator of the plan */
  int way;      /* direction of a pipeline or of a redistribution; else of the transform */
  int action;   /* of a local operator: which part of its work */
  pf_end from, to;
  int exchanges;  /* added to the exchanges that its type describes */
  double traffic; /* bytes of main memory of each run, added to the bytes that its type counts */
  pfft3d_stats stats; /* of its runs since the last reset */
} pf_step;

/* A run of a step. */
typedef struct pf_step_run {
  const pf_step *step;
  const char *from;
  char *to;
  int exchange; /* 0: without messages, with undefined data from other ranks */
  pfft3d_stats *stats;
} pf_step_run;

/* A type of step.  All but `run` may be NULL: there is nothing to do. */
typedef struct pf_step_ops {
  const char *name;

  /* Collective on the plan's comm. Returns a status, agreed or not; see pf_goes_on(). */
  int (*run)(void *data, const pf_step_run *r);

  /* Local. Sets exchanges, stages and the precision of messages in statistics. */
  void (*describe)(const void *data, const pf_step *s, pfft3d_stats *stats);

  /* Collective. The seconds of its exchanges, as PFFT3D_PART_RAW_ALLTOALL.  Errors: MEMORY,
   * UNAVAILABLE, INTERNAL. */
  int (*raw)(void *data, const pf_step *s, double *seconds);

  /* Local. Records its runs in a timeline from now on; NULL: no more.  Errors: those of
   * pf_timeline_add_exchange(). */
  int (*record)(void *data, pf_timeline *t, pfft3d_error *e);

  /* Local. Bytes of the operator's memory, counted once for all its steps. */
  size_t (*bytes)(const void *data);
  void (*destroy)(void *data);
} pf_step_ops;

typedef struct pf_operator {
  const pf_step_ops *ops;
  void *data;
} pf_operator;

/* The steps of a direction.  `looped` steps from number `first` on run once for each of the `times`
 * lines of a batch; from the last line to the first, if `down`. */
enum { PF_STEPS = 24 };
typedef struct pf_list {
  int count;
  pf_step step[PF_STEPS];
  int first, looped, down;
  ptrdiff_t times;
  long executions; /* with several steps, since the last reset, and their seconds */
  double total_s;
} pf_list;

extern const pf_step_ops pf_step_pipeline, pf_step_edges, pf_step_redist;

/* ---- plans ---- */

/* The properties of a plan that its caller sees. */
typedef struct pf_outline {
  pfft3d_problem problem; /* batch >= 1 */
  pfft3d_decision decision;
  int ranks, rank, threads;
  size_t element; /* bytes of a complex number */
  pfft3d_array array[2];
  pfft3d_box box[2];    /* of this rank; of a line only the distance between lines */
  pfft3d_box *given[2]; /* the caller's boxes, of all ranks; NULL: the boxes of the pipelines */
  pf_vector vector[2];  /* for one dimension, by pfft3d_side; ranks is 0 for fields */
  size_t side_bytes[2]; /* of an array of each side */
  size_t user_bytes;    /* of an array that serves both sides */
  size_t shared; /* bytes of each rank's part of an array in shared memory; 0: arrays are private */
} pf_outline;

enum { PF_OPERATORS = 16 };

struct pfft3d_plan {
  MPI_Comm comm;
  int *order;       /* the rank in comm of each rank of the caller's communicator; NULL: the same */
  int node_ranks;   /* as in pf_setting */
  pf_cut_wish cuts; /* of the geometry; the plan has a reference */
  pf_boxes boxes;   /* of the caller, of all ranks of comm */
  int permuted;     /* nonzero: axes are permuted (request/axes.h) */
  pf_outline outline;
  pfft3d_decided_by decided_by;
  char reason[PF_REASON]; /* why this decision was made, if it was left open */
  int refused;            /* nonzero: the memory of an exchange is unavailable or too large */
  pf_operator operator[PF_OPERATORS];
  int operators;
  pf_list list[2];          /* by pfft3d_direction */
  void *buffer[PF_BUFFERS]; /* between steps, from pf_arrays_add() */
  size_t buffer_bytes;      /* of all of them */
  pf_arrays array;          /* arrays from pfft3d_alloc(), and buffers */
  pf_timeline *timeline;    /* where runs are recorded, with the plan as a user; or NULL ... */
  int timeline_number;      /* ... and its number there */
  pf_execution run;         /* a run that waits for its last stage (join.c) ... */
  int half_way;             /* ... 1 + its direction; 0: there is none */
};

/* ---- making plans ---- */

/** Collective on comm. Creates a plan that has only its own communicator.  Errors, agreed: MEMORY,
 * INTERNAL. */
int pf_plan_open(MPI_Comm comm, pfft3d_plan **plan, pfft3d_error *e);

/** Collective on p->comm. Builds the plan of a decision for a field, without boxes.  Errors,
 * agreed: MEMORY, UNAVAILABLE, INTERNAL; after a failure, the parts already built remain until
 * pf_plan_clear() or pfft3d_plan_destroy(). */
int pf_plan_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e);

/** Collective on p->comm. Builds the plan of a decision with boxes.  Errors, agreed: as
 * pf_plan_build() and pfft3d_redist_create(). */
int pf_boxed_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e);

/** Collective on p->comm. Frees all members except the communicator, nodes, order, cuts and boxes.
 */
void pf_plan_clear(pfft3d_plan *p);

/** Local. The setting with which pipelines of this plan are made. */
pf_setting pf_plan_setting(pfft3d_plan *p);

/** Local. Adds an operator, which the plan destroys; returns its number. */
int pf_plan_operator(pfft3d_plan *p, const pf_step_ops *ops, void *data);

/** Collective on p->comm. Makes pipelines as an operator.  Errors, agreed: as pf_plan_build(). */
int pf_plan_pipelines(pfft3d_plan *p, const pf_setting *s, const pf_decision *d,
                      pf_pipelines **made, pfft3d_error *e);

/** Collective on p->comm. Makes a redistribution as an operator; forward is from the caller's array
 * to the array between steps.  Errors, agreed: as pfft3d_redist_create(). */
int pf_plan_redist(pfft3d_plan *p, const pf_redist_wish *w, int *operation, pfft3d_error *e);

/** Collective on p->comm. Allocates a buffer, in shared memory if @p shared is not 0.  Errors,
 * agreed: MEMORY. */
int pf_plan_buffer(pfft3d_plan *p, int number, size_t bytes, size_t shared, pfft3d_error *e);

/** Local. Adds a step to a list; the caller fills it in. */
pf_step *pf_list_add(pf_list *l, int operator);

/** Local. Adds pipelines in a direction, with their edges before and after them. */
void pf_list_add_pipeline(pfft3d_plan *p, pf_list *l, const pf_pipelines *pipelines, int way,
                          pf_end from, pf_end to);

/** Local. The outline of a plan that consists of pipelines only. */
pf_outline pf_outline_of(const pf_geometry *g);

/* ---- running ---- */

/** Collective on p->comm. Runs a direction, without its exchanges if @p exchange is 0; the status
 * is as in pf_pipelines_run(). */
int pf_plan_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                int exchange);

/** Collective on p->comm. The seconds of the exchanges of all steps, as PFFT3D_PART_RAW_ALLTOALL.
 * Errors: MEMORY, UNAVAILABLE, INTERNAL. */
int pf_plan_raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds);

/** Local. Nonzero if the steps of a direction are one pipeline, with edges or without. */
int pf_plan_plain(const pfft3d_plan *p);

/** Local. Begins a call in the timeline of a plan, if it has one; pf_timeline_return() ends it. */
static inline ptrdiff_t pf_plan_call(const pfft3d_plan *p, pf_call call, pfft3d_direction d) {
  return pf_timeline_call(p->timeline, p->timeline_number, (int)call + (int)d);
}

/** Collective on p->comm. Ends the recording of runs, if there is one. */
void pf_plan_unrecord(pfft3d_plan *p);

/** Local. What a device of a plan has failed at: UNAVAILABLE or MEMORY; @p e may be NULL. */
int pf_plan_fault(const pfft3d_plan *p, pfft3d_error *e);

/** Local. The pipelines of a plan with this number; NULL past the end. */
pf_pipelines *pf_plan_pipelines_at(const pfft3d_plan *p, int number);

/** Local. Checks the arguments of a run: MPI is initialised, plan and direction are valid, the
 * arrays are identical or do not overlap.  Errors: USAGE. */
int pf_plan_check_run(const pfft3d_plan *p, pfft3d_direction direction, const void *in,
                      const void *out);

/** Local. The box that rank @p ordered of the plan's communicator has in the caller's array. */
pfft3d_box pf_plan_box(const pfft3d_plan *plan, pfft3d_side side, int ordered);

#endif
