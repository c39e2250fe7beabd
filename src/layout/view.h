/* SPDX-License-Identifier: BSD-3-Clause
 * A view maps the elements of a local box to memory.  The box may be split along one axis into
 * segments, each with its own memory, offset and strides: a user array is one segment, a send
 * buffer has one per destination, a receive buffer has one per source, and the shared memory of
 * another rank is one more.  Packing and unpacking are views, not separate loops. */
#ifndef PF_LAYOUT_VIEW_H
#define PF_LAYOUT_VIEW_H

#include "layout/layout.h"

/* The buffers a view can refer to; their addresses are known when a pass runs. */
typedef enum pf_slot {
  PF_SLOT_IN,   /* the caller's input */
  PF_SLOT_OUT,  /* the caller's output */
  PF_SLOT_SEND, /* buffers of the plan */
  PF_SLOT_RECV,
  PF_SLOT_EXTRA,
  PF_SLOT_SHARED,  /* memory shared by the ranks of a node, parts of all ranks */
  PF_SLOT_STAGED,  /* the other half of this memory */
  PF_SLOT_PEERS,   /* output arrays of all ranks in shared memory */
  PF_SLOT_SOURCES, /* input arrays of all ranks in shared memory */
  PF_SLOT_EDGES,   /* rows of a matrix that lie in two arrays, or in none */
  PF_SLOT_PLANE,   /* one plane, small enough for the cache */
  PF_SLOT_STRIP,   /* neighbouring lines of a plane, small enough for the cache */
  PF_SLOTS
} pf_slot;

typedef struct pf_segment {
  pf_range part; /* indices of the split axis, local */
  pf_slot slot;
  ptrdiff_t offset;    /* of the segment's first element, in elements */
  ptrdiff_t stride[3]; /* in elements */
  ptrdiff_t field;     /* from one field of a batch to the next */
  int conjugate;       /* nonzero: holds the conjugates of the elements */
  pf_range lines;      /* of a matrix, with planes (axis 0) of lines (axis 1): the segment has only
                          these lines, counted over all planes; len 0: all */
} pf_segment;

typedef struct pf_view {
  size_t element;   /* bytes */
  int narrow;       /* elements are complex floats, while the passes work on doubles */
  ptrdiff_t fields; /* fields that fit the buffer; further fields of a batch reuse it */
  ptrdiff_t len[3]; /* of the local box */
  int cut;          /* the axis that is split into segments */
  ptrdiff_t chunk; /* > 0: indices of axis 1 in a plane; index chunk is the first of the next plane,
                      and parts along axis 1 span planes (stride[0] is then 0) */
  int count;
  pf_segment *segment; /* owned by the caller that made the view */
} pf_view;

/** Local. A view of one segment: the whole box in one buffer.  @p segment is filled in and must
 * live as long as the view. */
pf_view pf_view_whole(const pfft3d_box *box, size_t element, ptrdiff_t fields, pf_slot slot,
                      pf_segment *segment);

/** Local. The leading dimension for rows of @p n elements, at least n: aligned to cache lines and
 *  not a power of two, so that rows do not compete for the same cache sets.  It never falls as n
 *  grows: a buffer for the longest rows is large enough for all. */
ptrdiff_t pf_plane_stride(ptrdiff_t n, size_t element);

/** Local. Redirects segment @p k of the view @p v of the box @p box (only `lo` is used) to another
 *  buffer, which stores the box @p other; both in global indices.  Rows that stay on their rank are
 *  thus kept, or written directly to their destination, without an exchange. */
void pf_view_redirect(pf_view *v, int k, const pfft3d_box *box, pf_slot slot,
                      const pfft3d_box *other);

/* A rectangle of a plane of a view: lines along one axis, next to each other along another. */
typedef struct pf_block {
  pf_slot slot;
  ptrdiff_t offset;              /* of its first element */
  ptrdiff_t first_line, lines;   /* along the tile axis, counted from the tile's first line */
  ptrdiff_t first_point, points; /* along the line axis */
  ptrdiff_t along, across;       /* strides from point to point and from line to line */
  int conjugate;
} pf_block;

/* The lines of a tile: all points along axis `line`, lines t .. t+width-1 along axis `tile`, at
 * index o of the third axis, of one field of a batch. */
typedef struct pf_tile {
  int line, tile;
  ptrdiff_t field; /* field of a batch */
  ptrdiff_t o, t, width;
} pf_tile;

/** Local. The block of a tile in segment @p k of a view; returns 0 if there is none. */
int pf_view_block(const pf_view *v, const pf_tile *tile, int k, pf_block *b);

/** Local. The segment that holds index @p i of the axis that is split. */
int pf_view_find(const pf_view *v, ptrdiff_t i);

/** Local. A tile intersects the segments first .. last; some of them may be empty. */
void pf_view_segments(const pf_view *v, const pf_tile *tile, int *first, int *last);

#endif
