/* SPDX-License-Identifier: BSD-3-Clause
 * The geometry of a plan: everything about one rank's part that is arithmetic.  A plan is made from
 * it, and a dry run prints it: so they cannot disagree. */
#ifndef PF_PLAN_GEOMETRY_H
#define PF_PLAN_GEOMETRY_H

#include "exchange/exchange.h"
#include "layout/vector.h"
#include "layout/view.h"
#include "local/engine.h"
#include "planner/decide.h"
#include "plan/scheme.h"

/* One direction. */
typedef struct pf_pipeline_geometry {
  pf_route route;
  pf_redist redist[PF_EXCHANGES];
  pf_slot send[PF_EXCHANGES], recv[PF_EXCHANGES]; /* the memories of each exchange */
  pf_node_map node_map[PF_EXCHANGES];             /* the ranks of its nodes */
  int pull,
      push; /* of a matrix in shared memory: reads the input, writes the output of all ranks */
  double traffic; /* bytes of main memory read and written, by stages and exchanges */
  double bytes[PF_STEPS], flops[PF_STEPS]; /* of each stage, in main memory and in cache */
  pf_message_count messages;               /* sent by this rank, in all */
  pf_message_count sent[PF_EXCHANGES];     /* by each exchange */
  double received[PF_EXCHANGES];           /* bytes */
} pf_pipeline_geometry;

/* A line as a matrix; see matrix.h. */
typedef struct pf_matrix {
  ptrdiff_t n[2];    /* 0 x 0: a field */
  pf_vector side[2]; /* by pfft3d_side; they may be shorter than n[0] * n[1] */
  int moves;         /* elements change places, and nothing else */
} pf_matrix;

typedef struct pf_geometry {
  pfft3d_problem problem;
  pf_matrix matrix;
  pfft3d_decision decision; /* nothing left "auto" */
  char reason[PF_REASON];
  const pf_scheme *scheme;
  const pf_exchange_ops *exchange;
  const pf_engine *engine;
  size_t element; /* bytes of a complex number */
  size_t wire;    /* and of one in the buffers of exchanges, which can be in single precision */
  int ranks, rank;
  int node_ranks;                   /* on each node; 1 where that is not known */
  int used, place[2];               /* whether this rank is on the grid, and where */
  int alone;                        /* lines of real numbers are transformed one by one */
  ptrdiff_t cap;                    /* counts of MPI calls */
  ptrdiff_t group;                  /* fields of a batch that go together; it divides the batch */
  pf_layout layout[2];              /* by pfft3d_side */
  pfft3d_array array[2];            /* what the caller's arrays have around their boxes */
  pfft3d_box box[2];                /* of this rank */
  pf_pipeline_geometry pipeline[2]; /* by pfft3d_direction */
  size_t bytes[PF_SLOTS];           /* of the plan's own buffers, those in cache for each thread */
  size_t half;          /* of a window that the ranks share: bytes of one of its halves */
  size_t send_area;     /* behind the halves of a window of a node */
  size_t shared_array;  /* bytes of each rank's part of a shared array */
  int scattered[2];     /* in this direction, the last stage writes to the outputs of all ranks */
  int threads;          /* each has a plane, a strip and a tile of its own */
  size_t work_bytes;    /* the sum of all buffers */
  size_t side_bytes[2]; /* of an array of each side */
  size_t user_bytes;    /* of an array that serves both sides */
} pf_geometry;

/** Local. Resolves "auto", checks sizes and limits, and works out rank @p rank of @p ranks, which
 *  share memory or not.  Errors: USAGE, UNAVAILABLE. */
int pf_geometry_make(const pfft3d_request *request, int ranks, int rank, int sharing,
                     pf_geometry *o, pfft3d_error *e);

/** Local. For an exchange over shared memory of nodes: what redistribution @p r, as rank 0 sees it,
 *  takes of a part of that memory, if it is more than others take; the part, behind all of them;
 *  the messages of exchange @p k of a direction and the memories they go through. */
void pf_geometry_node_area(pf_geometry *o, const pf_redist *r);
void pf_geometry_node_part(pf_geometry *o);
pf_message_count pf_geometry_node_messages(const pf_geometry *o, pf_pipeline_geometry *w, int k,
                                           double *received);
/** Local. Bytes of a complex number on its way between ranks, where there is such a way. */
size_t pf_wire_element(pfft3d_precision precision, pfft3d_precision wire);

/** Local. The same for the exchange and ranks of an geometry, whose wire it is.  And what precision
 *  that means. */
size_t pf_geometry_wire(const pf_geometry *o, pfft3d_precision wire);
pfft3d_precision pf_geometry_wire_precision(const pf_geometry *o);

/** Local. Counts for stage k of a direction: `bytes` of main memory, and the transforms of `points`
 *  complex numbers along axes of o->layout. */
void pf_geometry_add_stage(const pf_geometry *o, pf_pipeline_geometry *w, int k, double bytes,
                           double points);

/** Local. Counts what exchange k sends and receives. */
void pf_geometry_add_exchange(pf_pipeline_geometry *w, int k, const pf_message_count *sent,
                              double received);

/** Local. Adds the messages of one exchange to those of others. */
void pf_geometry_add_messages(pf_message_count *sum, const pf_message_count *c);

/** Local. Whether any exchange of a direction receives in a memory. */
int pf_geometry_receives(const pf_pipeline_geometry *w, pf_slot slot);

/** Local. Of a window that the ranks share. */
size_t pf_geometry_halves(const pf_geometry *o);

/** Local. Where the parts of the ranks of exchange @p k of a direction are in the window. */
pf_parts pf_geometry_parts(const pf_geometry *o, const pf_pipeline_geometry *w, int k);

/** Local. The box of any rank, as it lies in the caller's arrays. */
void pf_geometry_box(const pf_geometry *o, pfft3d_side side, int rank, pfft3d_box *box);

/** Local. What pf_fft_create() gets for the lines along an axis in a direction. */
pf_fft_spec pf_geometry_fft(const pf_geometry *o, pfft3d_direction direction, int axis);

/** Local. The leading dimension of the plane buffer for planes with rows of n elements: aligned to
 *  cache lines and no power of two. */
ptrdiff_t pf_plane_stride(ptrdiff_t n, size_t element);

/** Local. How many ranks hold something on both sides. */
int pf_geometry_busy(const pf_geometry *o);

/** Local. A hash of everything that must be the same on all ranks. */
unsigned long long pf_geometry_hash(const pf_geometry *o);

#endif
