/* SPDX-License-Identifier: BSD-3-Clause
 * The local steps of a line, and their data. */
#ifndef PF_LINE_WORK_H
#define PF_LINE_WORK_H

#include "line/fold.h"
#include "line/line.h"

/* A convolution with a chirp: factors exp(-+ pi i j^2/n) of points, and the kernel, which
 * multiplies the transform. */
typedef struct pf_line_chirp {
  ptrdiff_t n;
  pf_roots roots; /* of 2 n */
  char *kernel;   /* for the elements of this rank between the two transforms */
  ptrdiff_t count;
} pf_line_chirp;

/* The data of the steps of a line, on this rank. */
typedef struct pf_line {
  pf_line_choice choice;
  ptrdiff_t n; /* points that are transformed */
  double scale[2];
  pfft3d_kind kind;
  pfft3d_precision precision;
  size_t element; /* bytes of a complex number */
  MPI_Comm comm;
  int rank, ranks, threads;
  ptrdiff_t cap;                     /* the largest count of an MPI call; 0: INT_MAX */
  const pf_arrays *arrays;           /* of the plan */
  size_t side_bytes[2];              /* of the input and output arrays of the line */
  int reach;                         /* arrays are in shared memory */
  size_t shared;                     /* bytes of each rank's part of such an array */
  pf_pipelines *plan[PF_LINE_PLANS]; /* NULL if not needed */
  int local;                         /* the operator of all steps that are no pipelines */
  pf_line_chirp chirp;
  void *work[3]; /* buffers of the plan; the third receives messages of a step */
  size_t work_bytes;
  pf_roots roots;           /* of n, for the butterfly */
  MPI_Request *request;     /* for its messages */
  pf_exchange pairs;        /* for its messages */
  pf_roots halves;          /* of 2 n, for real numbers in pairs */
  pf_fold_messages fold[2]; /* of pairs, and of mirror images */
} pf_line;

/* One step of a direction: pipelines, or work on elements. */
typedef enum pf_line_action {
  PF_LINE_RUN,
  PF_LINE_WIDEN,
  PF_LINE_WEIGH,
  PF_LINE_NARROW,
  PF_LINE_CHIRP_IN,
  PF_LINE_KERNEL,
  PF_LINE_CHIRP_OUT,
  PF_LINE_HALVES, /* of the butterfly: all stages, before or after the local transform */
  PF_LINE_SWAP,   /* an exchange with the rank of reversed bits */
  PF_LINE_PAIR,   /* real numbers to complex ones, and back (half.c) */
  PF_LINE_UNPAIR,
  PF_LINE_SPLIT, /* their spectrum to the half spectrum of the real numbers, and back */
  PF_LINE_MERGE
} pf_line_action;
typedef struct pf_line_step {
  pf_line_action action;
  pf_line_plan plan; /* of PF_LINE_RUN */
  pfft3d_direction direction;
} pf_line_step;

/** Local. Prepares the messages and factors of a butterfly.  Errors: MEMORY, INTERNAL. */
int pf_butterfly_make(pf_line *line, pfft3d_error *e);

/** Local. The steps of a butterfly, as pf_line_steps(). */
int pf_butterfly_steps(const pf_line_choice *c, pfft3d_direction direction, pf_line_step step[]);

/** Local. The messages that a rank sends in a step of a butterfly; the number of its exchanges. */
pf_message_count pf_butterfly_count(const pf_line_choice *c, pf_line_action action, int rank,
                                    size_t element, ptrdiff_t cap);
int pf_butterfly_exchanges(const pf_line_choice *c, pf_line_action action);

/** Local. Nonzero if the numbers of a pair can lie on different ranks. */
int pf_half_pairs(const pf_line_choice *c);

/** Local. The elements of a buffer between steps. */
ptrdiff_t pf_half_buffer(const pf_line_choice *c, int rank);

/** Local. The messages that a rank sends in PF_LINE_PAIR to PF_LINE_MERGE. @p element: bytes of a
 * complex number. */
pf_message_count pf_half_count(const pf_line_choice *c, pf_line_action action, int rank,
                               size_t element, ptrdiff_t cap);

/** Local. Nonzero if such a step sends no messages, but reads the arrays of other ranks in shared
 * memory; @p shared: the buffers are there. */
int pf_half_reads_peers(const pf_line_choice *c, pf_line_action action, int shared);

/** Local. Prepares messages and factors.  Errors: MEMORY, INTERNAL. */
int pf_half_make(pf_line *line, pfft3d_error *e);

/* A run of a step that is no pipeline. */
typedef struct pf_line_pass {
  pfft3d_direction direction;
  pf_line_action action;
  int exchange; /* 0: without its messages, with undefined data from other ranks */
  const char *from;
  char *to;
  size_t apart[2]; /* bytes from a line of the batch to the next, in both arrays */
  pfft3d_stats *stats;
} pf_line_pass;

/** Local. The pass of line @p b and the lines after it.  Empty ranks may have no array. */
static inline pf_line_pass pf_line_pass_from(const pf_line_pass *all, size_t b) {
  pf_line_pass pass = *all;
  if (pass.from) pass.from += b * pass.apart[0];
  if (pass.to) pass.to += b * pass.apart[1];
  return pass;
}

/** Collective on line->comm. Runs PF_LINE_PAIR to PF_LINE_MERGE, on one rank also in place;
 * PF_LINE_HALVES or PF_LINE_SWAP.  Return an MPI error code. */
int pf_half_run(pf_line *line, const pf_line_pass *pass);
int pf_butterfly_run(pf_line *line, const pf_line_pass *pass);

/** Local. The messages that a rank sends in any step but PF_LINE_RUN, and the number of its
 *  exchanges. */
pf_message_count pf_line_step_count(const pf_line_choice *c, pf_line_action action, int rank,
                                    size_t element, ptrdiff_t cap);
int pf_line_step_exchanges(const pf_line_choice *c, pf_line_action action);

/** Local. Nonzero if such a step reads and writes as many bytes as the caller's arrays have, in
 * addition to its messages. */
int pf_line_step_passes(pf_line_action action);

/** Local. PF_LINE_WIDEN, PF_LINE_WEIGH or PF_LINE_NARROW of this rank's elements. */
void pf_line_real(const pf_line *line, pf_line_action action, const void *from, void *to);

/** Collective on s->comm. Errors: MEMORY, UNAVAILABLE, INTERNAL. */
int pf_line_chirp_make(pf_line_chirp *c, const pf_setting *s, const pf_decision *core, ptrdiff_t n,
                       pfft3d_error *e);
void pf_line_chirp_free(pf_line_chirp *c);

/** Local. PF_LINE_CHIRP_IN or PF_LINE_CHIRP_OUT: to = from * chirp, scaled in the second case. */
void pf_line_chirp_multiply(const pf_line *line, pfft3d_direction direction, pf_line_action action,
                            const void *from, void *to);

/** Local. Multiplies the elements of this rank by the kernel. */
void pf_line_chirp_kernel(const pf_line *line, pfft3d_direction direction, void *data);

extern const pf_step_ops pf_line_local;

/** Local. The steps of a direction, in order; returns their number. */
enum { PF_LINE_STEPS = 10 };
int pf_line_steps(const pf_line_choice *c, pfft3d_kind kind, pfft3d_direction direction,
                  pf_line_step step[PF_LINE_STEPS]);

#endif
