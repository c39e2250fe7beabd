/* SPDX-License-Identifier: BSD-3-Clause
 * The geometry of a plan: all sizes, views and counts of one rank.  Plans are built from it and dry
 * runs print it, so that both agree. */
#ifndef PF_GEOMETRY_GEOMETRY_H
#define PF_GEOMETRY_GEOMETRY_H

#include "exchange/memory.h"
#include "geometry/decision.h"

/* One direction; its exchanges are in pf_geometry.memory. */
typedef struct pf_pipeline_geometry {
  pf_route route;
  int pull, push; /* the first stage reads the inputs of all ranks in shared memory, the last one
                     writes their outputs */
  int fits; /* nonzero: the last stage may overwrite its input buffer, from which other ranks then
               fetch results */
  int crossings;  /* exchanges, as counted in statistics */
  double traffic; /* bytes of main memory read and written, by stages and exchanges, ... */
  double beside;  /* ... the part of `traffic` caused by edge messages and their copies */
  double bytes[PF_STAGES], flops[PF_STAGES]; /* of each stage, in main memory and in cache */
  pf_message_count messages;                 /* sent by this rank, in all */
  double stored;                             /* bytes stored for other ranks instead of sent */
  size_t plane_element;                      /* bytes of an element of the plane */
  ptrdiff_t plane[3], end[3]; /* of fields, what this rank holds: between the two axes of a stage,
                                 which keeps one plane of it in cache; after the last stage */
} pf_pipeline_geometry;

typedef struct pf_geometry {
  pf_decision decision;
  size_t element; /* bytes of a complex number */
  int ranks, rank;
  int used, coordinate[2]; /* nonzero if this rank is on the grid; its coordinates */
  ptrdiff_t components;    /* number of interleaved fields that are handled as one field with longer
                              rows; 1: none */
  ptrdiff_t fields;        /* of the batch, as passes see them: batch / components */
  ptrdiff_t group;         /* fields per group; it divides them */
  size_t runs;             /* most runs of a vector that a tile consists of; 0: fields */
  pf_layout layout[2];     /* by pfft3d_side */
  pfft3d_box box[2];       /* of this rank */
  pf_vector vector[2];     /* for one dimension, by pfft3d_side; ranks is 0 for fields */
  pf_exchange_memory memory;        /* its bytes[] include the buffers in cache, for each thread */
  pf_pipeline_geometry pipeline[2]; /* by pfft3d_direction */
  size_t shared_array;              /* bytes of each rank's part of a shared array */
  size_t work_bytes;                /* the sum of all buffers */
  size_t side_bytes[2];             /* of an array of each side */
  size_t user_bytes;                /* of an array that serves both sides */
  size_t copy_bytes; /* of a copy of the input for runs in place, if a direction has one stage and
                        the sides have different addresses; 0: none */
} pf_geometry;

/** Local. Computes the geometry of rank @p rank of @p ranks, and checks limits.  Errors: USAGE,
 * UNAVAILABLE. */
int pf_geometry_make(const pf_decision *d, int ranks, int rank, pf_geometry *g, pfft3d_error *e);

/* Groups of fields of a batch, which exchange one after another. */
double pf_geometry_groups(const pf_geometry *g);

/** Local. Adds to the cost of stage k of a direction: transforms of `points` complex numbers in
 * lines of n; bytes of main memory. */
void pf_geometry_add_flops(pf_pipeline_geometry *w, int k, double points, ptrdiff_t n);
void pf_geometry_add_bytes(pf_pipeline_geometry *w, int k, double bytes);

/** Local. A box of the caller as passes see it: with the elements of all components in its rows. */
pfft3d_box pf_geometry_rows(const pf_geometry *g, const pfft3d_box *given);

/** Local. Adds the messages of one exchange to statistics. */
void pf_stats_add_messages(pfft3d_stats *s, const pf_message_count *c);

/** Local. Adds messages, waiting and traffic of a step to the statistics of a plan. */
void pf_stats_add_part(pfft3d_stats *sum, const pfft3d_stats *part);

/** Local. Nonzero if any direction accesses the arrays of all ranks in shared memory. */
int pf_geometry_reaches(const pf_geometry *g);

/** Local. The precision of messages; the bytes of an element of @p element bytes in a message. */
pfft3d_precision pf_geometry_wire_precision(const pf_geometry *g);
size_t pf_geometry_wire(const pf_geometry *g, size_t element);

/** Local. Number of ranks with a non-empty box on both sides. */
int pf_geometry_busy(const pf_geometry *g);

/** Local. A hash of everything that must be the same on all ranks. */
unsigned long long pf_geometry_hash(const pf_geometry *g);

#endif
