/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme matrix: a line of N = n1 n2 points as a matrix (the algorithm of four or six steps):
 *
 *   j = j1 n2 + j2,  k = k1 + n1 k2
 *   X[k] = sum_j2 [ exp(-2 pi i j2 k1/N) sum_j1 x[j] exp(-2 pi i j1 k1/n1) ] exp(-2 pi i j2 k2/n2)
 *
 * The forward transform has na = n1 points along columns of a matrix with rows of nb = n2; results
 * are multiplied by their factors, and nb points are transformed along the other axis; the result
 * is a matrix with rows of na.  The backward transform exchanges n1 and n2.  A direction has up to
 * four stages; lines that one writes are points of the next one:
 *
 *   move in    lines: rows of the input, points: columns        where rows are cut (blocks)
 *   first      lines: columns, points: rows                     transforms na points
 *   second     lines: results of first, points: columns         transforms nb points
 *   move out   lines: rows of the result, points: its columns   where rows are cut
 *
 * The exchanges between them all have one form: before it lines are distributed, after it points.
 * In shared memory no data is moved: `first` reads the inputs of all ranks and `second` writes
 * their outputs.  In all views axis 1 is a line in a plane of several (axis 0), and axis 2 a point
 * of it; the fields of a batch are separate vectors, which pass through all stages together.
 * Sources: Bailey, J. Supercomputing 4(1), 1990; one exchange for cyclic vectors: Inda and
 * Bisseling, Parallel Computing 27, 2001. */
#ifndef PF_GEOMETRY_MATRIX_H
#define PF_GEOMETRY_MATRIX_H

#include "geometry/geometry.h"
#include "local/stage.h"

typedef enum pf_role { PF_MOVE_IN, PF_FIRST, PF_SECOND, PF_MOVE_OUT } pf_role;

/* Lines of a stage. */
typedef struct pf_lines_of {
  pf_role role;
  const pf_vector *rows; /* the vector whose rows the lines are, distributed unevenly; or NULL */
  ptrdiff_t points, all; /* of a line; lines of all ranks */
  pf_range mine;         /* lines of this rank */
  ptrdiff_t chunk;       /* lines in a plane */
} pf_lines_of;
pf_lines_of pf_matrix_lines(const pf_geometry *g, int direction, int stage);

/** Local. Nonzero if the vector in space has real numbers (matrix_half.c); the bytes of an element
 * of a side; the lines of the stage that transforms n2 points: n1, or n1/2 + 1 for real numbers. */
int pf_matrix_is_real(const pf_geometry *g);
size_t pf_matrix_element(const pf_geometry *g, int side);
ptrdiff_t pf_matrix_modes(const pf_geometry *g);

/** Local. Nonzero if elements are real numbers before a stage, or after it (output); if exchange k
 * also carries mirror images (matrix_half.c). */
int pf_matrix_reals_at(const pf_geometry *g, int direction, pf_role role, int output);
int pf_matrix_folded(const pf_geometry *g, int direction, int k);

/** Local. The vector that a direction reads or writes (output). */
const pf_vector *pf_matrix_vector(const pf_geometry *g, int direction, int output);

/** Local. The points of a line of a stage before it, or after it (output). */
ptrdiff_t pf_matrix_points(const pf_geometry *g, int direction, const pf_lines_of *l, int output);

/* A view on the side of a stage where the half spectrum has rows (matrix_half.c). */
typedef struct pf_fold_view {
  int rows;         /* points of a line are numbers of rows; 0: of columns */
  int stored;       /* images are written in ascending order of points */
  int reversed;     /* lines of images are read from the last to the first */
  int line, point;  /* axes */
  ptrdiff_t lines;  /* in a block */
  int array;        /* a view of the caller's spectrum, whose elements hold the images, ... */
  ptrdiff_t mirror; /* ... offset from line 0 to its mirror image, in elements */
  pf_range imaged;  /* the lines that have images; if `zero`, line 0 is column 0 and has none */
  int zero;
} pf_fold_view;

/** Local. Replaces the segments of an exchange, which has two fields for each line of the batch, or
 * of arrays, by segments of elements and of mirror images; returns their number, at most 2 count
 * + 1. */
int pf_matrix_fold_view(const pf_geometry *g, const pf_fold_view *f, pf_segment *segment,
                        int count);

/** Local. The reflections of the stage that transforms n2 points, next to an exchange or, if @p
 * direct, to arrays with every step-th column on this rank; returns their number. */
int pf_matrix_reflections(const pf_geometry *g, int direction, int direct, ptrdiff_t step,
                          pf_reflection list[PF_REFLECTIONS]);

/* Mirror images of a cyclic spectrum that are elements of another rank, without shared memory: a
 * matrix with a row for each row of the spectrum, for each line of the batch. */
typedef struct pf_images {
  int other; /* the rank that has the images of this rank's lines, and the reverse */
  ptrdiff_t rows;
  ptrdiff_t columns[2]; /* images of this rank's lines, and of the other rank's; 0: none */
  ptrdiff_t width;      /* of a row of a rank's spectrum, whose last columns are images */
  ptrdiff_t most;       /* elements, of any rank */
} pf_images;

/** Local. Nonzero if a spectrum has images on other ranks; the images of this rank, if they need
 * messages. */
int pf_matrix_has_images(const pf_geometry *g);
pf_images pf_matrix_images(const pf_geometry *g);

/* Rows of a matrix that are not complete in the caller's array, in elements from the beginning of
 * this rank's PF_SLOT_EDGES: a last row that is not full or lies on several ranks, of the input and
 * of the output; and, for missing rows, a row of zeros to read and a row for surplus results. */
typedef struct pf_edges {
  ptrdiff_t missing[2]; /* of input and output, shared by all lines of a batch */
  ptrdiff_t last[2];    /* of input and output, of the first line */
  ptrdiff_t field;      /* from a line of the batch to the next */
  ptrdiff_t images[2];  /* mirror images of this rank's lines, and of the other rank's */
  ptrdiff_t size;
} pf_edges;
pf_edges pf_matrix_edges(const pf_geometry *g);

/** As in pf_scheme. */
int pf_matrix_geometry(pf_geometry *g, pfft3d_error *e);
pf_fft_spec pf_matrix_fft(const pf_geometry *g, pfft3d_direction direction, int axis);

/** Local. The counting of edge messages, and the bytes of the elements that are counted: the
 * smaller elements of both sides. */
pf_counting pf_matrix_edge_counting(const pf_geometry *g);
size_t pf_matrix_edge_unit(const pf_geometry *g);

#endif
