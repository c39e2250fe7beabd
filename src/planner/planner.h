/* SPDX-License-Identifier: BSD-3-Clause
 * From a request to a plan.  The files, from the bottom up: machine.c and measure_machine.c (the
 * figures of a machine), model.c, complete.c (choices without the model), explain.c, planning.c
 * (kinds of problems), reason.c (choices in words), candidates.c (the choice of the model), make.c
 * (plans of complete requests), runner.c, tune.c and contest.c (timing), wisdom.h, timed.c,
 * resolve.c (all open choices), create.c. */
#ifndef PF_PLANNER_PLANNER_H
#define PF_PLANNER_PLANNER_H

#include <stdatomic.h>

#include "line/kinds.h"
#include "request/boxes.h"

/* ---- machines: described, measured, or combined from both ---- */

/** Local. Fills unknown figures of *m from another machine: all four of a level, or none. */
void pf_machine_fill(pfft3d_machine *m, const pfft3d_machine *from);

/** Local. Nonzero if no figure needs to be measured. */
int pf_machine_whole(const pfft3d_machine *m);

/** Local. Rejects invalid figures.  Errors: USAGE. */
int pf_machine_check(const pfft3d_machine *m, pfft3d_error *e);

/** Local. Completes the machine of a request by defaults for that many ranks, and sets the ranks of
 * its nodes. */
void pf_machine_resolve(pfft3d_request *r, int ranks);

/** Collective on comm. Completes *m by the figures stored with the caller's communicator @p owner,
 * which has the same ranks; measures them if there are none, or none for arrays of @p bytes on each
 * rank.  @p node_ranks neighbours count as a node; 0: detect. Errors, agreed: MEMORY, INTERNAL. */
int pf_machine_know(MPI_Comm comm, MPI_Comm owner, int node_ranks, double bytes, pfft3d_machine *m,
                    pfft3d_error *e);

/** Local. The key of an attribute of communicators, created once.  Keys outlive all objects of this
 * library and hold no data; if several threads create one at the same time, all use the first. */
int pf_attribute_key(atomic_int *known, MPI_Comm_copy_attr_function *copy,
                     MPI_Comm_delete_attr_function *forget);

/* ---- the model ---- */

/* Predicted seconds of one direction. */
typedef struct pf_cost {
  double seconds;   /* total */
  double passes;    /* stages only */
  double exchanges; /* exchanges only; hidden time counts in both */
} pf_cost;

/** Local. Seconds of a direction on one rank; for all ranks, pf_field_heaviest() is a good
 * estimate. */
pf_cost pf_model_pipeline(const pf_geometry *g, pfft3d_direction d, const pfft3d_machine *m);

/** Local. Latency times bandwidth, in bytes, between nodes if there are several. */
double pf_model_worth(const pf_geometry *g, const pfft3d_machine *m);

/** Local. Seconds of exchange 0 of a direction alone. */
double pf_model_exchange(const pf_geometry *g, pfft3d_direction d, const pfft3d_machine *m);

/** Local. Sets the predicted times of a plan's parts, which a simulation charges. */
void pf_model_simulate(pfft3d_plan *p, const pfft3d_machine *m);

/* ---- complete requests ---- */

/* A complete request, and its decision for a field or choice for one dimension. */
typedef struct pf_resolved {
  const struct pf_planning *planning;
  pfft3d_request request;
  int permuted; /* its axes are not the caller's (axes.h) */
  pf_decision field;
  pf_line_choice line;
  pf_kind_line kind; /* for a line that is not a DFT */
  pf_boxes boxes;    /* for a dry run */
} pf_resolved;

/** Local. Nonzero if the planner chooses: the decomposition, the exchange, or the transport to
 * ranks on the same node (pf_request_open); this transport (pf_local_open); the grid
 * (pf_grid_open).  If scheme and exchange are named, the scheme chooses the grid, unless wisdom has
 * a better one. */
int pf_request_open(const pfft3d_request *r);
int pf_local_open(const pfft3d_decision *d);
int pf_grid_open(const pfft3d_request *r);

/** Local. Nonzero if the planner chooses the order of the spectrum inside the plan: the caller's
 * boxes say where the spectrum is. */
int pf_order_open(const pfft3d_request *r);

/** Local. Bytes of the arrays of all ranks together, as if they were complex. */
double pf_problem_bytes(const pfft3d_problem *p);

/** Local. Rejects invalid values of a request.  Errors: USAGE, UNAVAILABLE. */
int pf_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. Completes a request that names its decomposition and exchange: chooses engine, grid and
 * split without the model.  Errors: USAGE, UNAVAILABLE. */
int pf_complete(const pfft3d_request *r, int ranks, pf_resolved *x, pfft3d_error *e);

/** Local. The geometry of a field for a request as in pf_complete(), of pf_field_heaviest() if @p
 * rank is < 0. Errors: those of pf_complete() and pf_geometry_make(). */
int pf_complete_geometry(const pfft3d_request *r, int ranks, int rank, pf_geometry *g,
                         pfft3d_error *e);

/* A step of a direction on one rank, without MPI. */
typedef struct pf_dry_step {
  const char *name; /* of pf_step_ops; NULL: there is none */
  pf_message_count messages;
  pf_cost cost;
  double stored, traffic;
  int exchanges;
} pf_dry_step;

/** Local. Adds the figures of a step to a sum. */
void pf_dry_step_add(pf_dry_step *sum, const pf_dry_step *step);

/* A forward transform: maxima over all ranks, in all and of each step. */
typedef struct pf_explained {
  pfft3d_explanation sums;
  int steps;
  pfft3d_explained_step step[PF_STEPS];
} pf_explained;

/* Additional cost of redistributions to and from boxes of the caller, of one direction, on one
 * rank. */
typedef struct pf_boxed_cost {
  pf_dry_step move[2]; /* the redistribution of each side */
  double work;         /* bytes of buffers */
  double user, sides;  /* bytes of the caller's arrays: the larger one, and both */
} pf_boxed_cost;

/** Local. This cost for a decision with boxes, by its geometry without them.  Errors: MEMORY. */
int pf_boxed_figures(const pf_geometry *g, pfft3d_direction direction, const pfft3d_machine *m,
                     pf_boxed_cost *cost, pfft3d_error *e);

/* ---- kinds of problems ---- */

/* How fields, lines, and lines of other transforms than the DFT are planned (planning.c). */
typedef struct pf_planning {
  pfft3d_list decompositions;
  int grids;             /* nonzero: a decomposition has a grid of ranks */
  const char *same_bits; /* the decomposition of deterministic requests; NULL: all have the same
                            bits */

  /* Local. Completes x->request, as pf_complete(). */
  int (*complete)(pf_resolved *x, int ranks, pfft3d_error *e);

  /* Local. Predicted seconds of both directions; < 0: not possible.  Completes *resolved. */
  double (*seconds)(const pf_resolved *x, int ranks, pfft3d_decision *resolved, pfft3d_error *e);

  /* Local. As pfft3d_explain(), except for the reason and the machine.  Errors: UNAVAILABLE. */
  int (*explain)(const pf_resolved *x, int ranks, pf_explained *explained, pfft3d_error *e);

  /* Local. The box of a rank, with the axes of the plan; returns the error of its geometry. */
  int (*box)(const pf_resolved *x, int ranks, pfft3d_side side, int rank, pfft3d_box *box);

  /* Collective. Builds the steps of a plan. */
  int (*build)(pfft3d_plan *p, const pf_resolved *x, pfft3d_error *e);
} pf_planning;

/** Local. The planning of a request. */
const pf_planning *pf_planning_of(const pfft3d_request *r);

/** Local. As in pf_planning. */
int pf_complete_field(pf_resolved *x, int ranks, pfft3d_error *e);
int pf_explain_field(const pf_resolved *r, int ranks, pf_explained *x, pfft3d_error *e);
int pf_explain_line(const pf_resolved *r, int ranks, pf_explained *x, pfft3d_error *e);

/* ---- candidates ---- */

/* A list of candidates, the cheapest first. */
typedef struct pf_candidates {
  pfft3d_candidate *list;
  int count, room;
} pf_candidates;

/* The ranks of a plan, and the choices that failed on them. */
typedef struct pf_environment {
  int ranks;
  int no_stores;         /* exchanges with messages cannot store on their node */
  unsigned long without; /* excluded exchanges, as bits by their index in the registry */
} pf_environment;

/** Local. Stores the cheapest decision in r->decision and the explanation in `reason`; the machine
 * of the request must be complete.  @p best receives up to @p most of the cheapest candidates (NULL
 * and 0: none).  Returns the number of candidates.  Errors: MEMORY; without candidates, the error
 * of the first one that was rejected. */
int pf_choose(pfft3d_request *r, const pf_environment *env, pfft3d_candidate *best, int most,
              char reason[PF_REASON], pfft3d_error *e);

/** Local. Explains why the first candidate is better than the others that request @p r allowed. All
 * figures are those of the model, with the messages that a rank sends in a forward transform. @p
 * layouts: the same list, or if an exchange is named, the decompositions with the exchange used to
 * compare them. */
void pf_reason(const pfft3d_request *r, int ranks, const pf_candidates *all,
               const pf_candidates *layouts, char text[PF_REASON]);

/** Local. The same for a decision that was measured before, on a date "2026-01-31...": by
 * wisdom, or by timing of this process.  Seconds of a forward and a backward transform. */
void pf_reason_known(pfft3d_decided_by by, double seconds, const char *date, char text[PF_REASON]);

/** Local. The same for the fastest of the first @p timed candidates of a list, two or more, which
 * the model finds close among @p all. */
void pf_reason_timed(const pfft3d_candidate *list, int timed, int all, char text[PF_REASON]);

/** Local. Adds words to an explanation, in place of its last clauses if there are too many; "":
 * none. */
void pf_reason_more(const char *words, char text[PF_REASON]);

/** Local. Completes the request of a plan for that many ranks by the model alone, with `reason` as
 * above.  The caller frees x->boxes, also after an error.  Errors: those of pf_choose() and
 * pf_complete(). */
int pf_dry_run(const pfft3d_request *request, int ranks, pf_resolved *x, char reason[PF_REASON],
               pfft3d_error *e);

/* ---- plans ---- */

/** Collective on comm. Begins a plan: creates its communicator, in node order, and checks that all
 * ranks make the same request @p wish, which becomes @p r with the axes of the plan (axes.h).  *e
 * may have a failure of this rank.  Errors, agreed: the failure of any rank, UNAVAILABLE, MEMORY,
 * INTERNAL; *plan is then NULL. */
int pf_make_begin(MPI_Comm comm, const pfft3d_request *wish, pfft3d_request *r, pfft3d_plan **plan,
                  pfft3d_error *e);

/** Collective on p->comm. Builds the plan of request @p r, which names its decomposition and
 * exchange, and the node_ranks of the plan.  Errors, agreed: those of pfft3d_plan_create(); after a
 * failure, pf_plan_clear() restores its beginning. */
int pf_make_finish(pfft3d_plan *p, const pfft3d_request *r, pfft3d_error *e);

/** Collective on comm. Makes a plan of a request as in pf_make_finish(), with the same errors. */
int pf_make_plan(MPI_Comm comm, const pfft3d_request *r, pfft3d_plan **plan, pfft3d_error *e);

/* Communicators of a plan, and how its decision was made. */
typedef struct pf_resolution {
  MPI_Comm comm;  /* communicator of the plan */
  MPI_Comm owner; /* the caller's communicator, which keeps measured figures */
  double start;   /* beginning of planning, for the budget */
  int unlike;     /* nodes have different numbers of ranks */
  pf_environment env;
  struct pf_answer { /* the same on all ranks */
    pfft3d_decision decision;
    pfft3d_decided_by by;
    char reason[PF_REASON]; /* "" if nothing was open */
  } answer;
} pf_resolution;

/** Collective on w->comm. Completes the machine of a request, and its decision if it is open: from
 * wisdom, else by the model, else by timing the candidates of similar predicted cost.  Rank 0
 * decides for all.  Errors, agreed: those of pfft3d_plan_create(). */
int pf_resolve(pf_resolution *w, pfft3d_request *r, pfft3d_error *e);

#endif
