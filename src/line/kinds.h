/* SPDX-License-Identifier: BSD-3-Clause
 * Real-to-real transforms of lines: an inner line of real or complex numbers, between two
 * redistributions and local factors.  With w(a, b) = exp(-pi i a/b), x the input, y the result:
 *
 *   dct2  v_i = x_2i, v_(n-1-i) = x_(2i+1); V its half spectrum; 2 w(k,2n) V_k = y_k - i y_(n-k)
 *   dct3  the same steps backward
 *   dct1  v the even extension of x, of 2(n-1) points; y_k = V_k
 *   dst1  v the odd extension, of 2(n+1) points; y_k = i V_(k+1)
 *   dct4  n even: v_j = w(j,n) (x_2j + i x_(n-1-2j)), a complex line of n/2 points;
 *         2 w(4k+1,4n) V_k = y_2k - i y_(n-1-2k)
 *         n odd: v_j = w(j,2n) x_j, a complex line of n points; z_k = 2 Re w(4k+1,4n) V_k,
 *         y_2k = z_k, y_(2n-1-2k) = -z_k
 *   dst2  dct2 of (-1)^j x_j, in reverse; dst3 its transpose
 *   r2hc  V the half spectrum of x; V_k = y_k + i y_(n-k)
 *   hc2r  the same steps backward
 *   dht   V as for r2hc; (1+i) V_k = y_k + i y_(n-k)
 *   dst4  n even: (-1)^k dct4 of x in reverse; n odd: z_k = -2 Im w(4k+1,4n) V_k, y_(2n-1-2k) = z_k
 *
 * All maps are runs of neighbours, or of every second element, up or down: a few pieces between two
 * ranks (redist/redist.h).  Real and imaginary parts of complex numbers are two lines of a batch.
 * Sources: see local/kind.c. */
#ifndef PF_LINE_KINDS_H
#define PF_LINE_KINDS_H

#include "line/line.h"
#include "local/kind.h"
#include "redist/moves.h"

typedef struct pf_kind_line {
  pfft3d_axis_kind kind; /* PFFT3D_DFT: the line needs no such steps */
  pf_kind_type type;
  int sine;
  ptrdiff_t n, points;  /* points of the caller's line, and of the inner line */
  int parts;            /* 1: real numbers, 2: real and imaginary parts */
  pfft3d_request inner; /* for the inner line */
  pf_line_choice inside;
} pf_kind_line;

/** Local. Nonzero if a request is for a line with a kind. */
static inline int pf_is_kind_line(const pfft3d_request *r) {
  return pf_is_line(r) && r->problem.axis[2] != PFFT3D_DFT;
}

/** Local. Decides everything but the exchange for a request with a kind; *c has the caller's view.
 * Errors: USAGE, UNAVAILABLE. */
int pf_kind_line_choose(const pfft3d_request *r, int ranks, pf_kind_line *k, pf_line_choice *c,
                        pfft3d_error *e);

/* ---- redistributions ---- */

/* The data of a redistribution: input numbers of the inner line, or its results. */
typedef enum pf_kind_map { PF_KIND_POINTS, PF_KIND_RESULTS } pf_kind_map;

/* A redistribution in a direction of a plan; forward: from the caller's array to the inner line. */
enum { PF_KIND_MOVES = 4 };
typedef struct pf_moves_step {
  int which;
  pfft3d_direction way;
} pf_moves_step;

/* The number of a redistribution, by its map and the side of the caller's array. */
static inline int pf_kind_move(pf_kind_map map, int side) {
  return 2 * (int)map + side;
}

/** Local. The direction of the inner line. */
pfft3d_direction pf_kind_inside(const pf_kind_line *k, pfft3d_direction direction);

/** Local. The redistribution that begins or ends (@p leave) a direction; `which` is < 0 if a local
 * step replaces it. */
pf_moves_step pf_kind_step(const pf_kind_line *k, pfft3d_direction direction, int leave);

/** Local. Nonzero if any direction uses the redistribution with this number. */
int pf_kind_moves(const pf_kind_line *k, int which);

enum { PF_KIND_RUNS = 2 };
/** Local. The extents of a redistribution, and the parts of a rank: in the caller's array, and in
 * the buffer of the inner line. */
void pf_kind_extents(const pf_kind_line *k, int which, ptrdiff_t n[PF_AXES]);
void pf_kind_parts(const pf_kind_line *k, const pf_line_choice *c, int which, int rank,
                   pf_part part[2][PF_KIND_RUNS]);

/** Local. The figures of a redistribution in a dry run for rank g->rank; freed by
 * pf_moves_dry_free(), also after an error.  Errors: MEMORY. */
int pf_kind_dry(const pf_kind_line *k, const pf_line_choice *c, int which, const pf_geometry *g,
                pf_moves_dry *m, pfft3d_error *e);

/* ---- local steps ---- */

/* The factors of one direction on this rank: `at` are lines in the buffer of `side` of the inner
 * line; `array` is the caller's, for steps that replace a redistribution. */
typedef struct pf_kind_pass {
  const pf_kind_line *k;
  const pf_line_choice *outer;
  const pf_roots *roots; /* of 8 n */
  int rank, side, threads;
  int from; /* side of the caller that the direction reads */
  double scale;
  char *at;
} pf_kind_pass;

/** Local. The factors before the inner line, and after it. */
void pf_kind_before(const pf_kind_pass *s, const void *array);
void pf_kind_after(const pf_kind_pass *s, void *array);

/** Local. Bytes that the factors of a direction read and write on a rank. */
double pf_kind_traffic(const pf_kind_line *k, pfft3d_direction direction, int rank);

/* ---- plans ---- */

/** Collective on p->comm. Builds the plan of a request with a kind.  Errors, agreed: as
 * pf_line_make() and pfft3d_redist_create(). */
int pf_kind_line_build(pfft3d_plan *p, const pfft3d_request *r, const pf_kind_line *k,
                       const pf_line_choice *c, pfft3d_error *e);

#endif
