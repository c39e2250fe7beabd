/* SPDX-License-Identifier: BSD-3-Clause
 * Transpositions of distributed matrices: a redistribution from blocks of rows to blocks of
 * columns, which are the rows of the result. */
#include <stdint.h>

#include "base/memory.h"
#include "redist/redist.h"

/* The block of a rank: lines rank * block .. of n. */
typedef struct part {
  ptrdiff_t lo, len;
} part;

static part part_of(ptrdiff_t n, ptrdiff_t block, int rank) {
  ptrdiff_t lo = block * rank < n ? block * rank : n;
  return (part){lo, n - lo < block ? n - lo : block};
}

/* The block length; by default all blocks are equal, but the last one may be shorter. */
static int read_block(ptrdiff_t n, ptrdiff_t given, int axis, int ranks, ptrdiff_t *block,
                      pfft3d_error *e) {
  *block = given ? given : n / ranks + (n % ranks > 0);
  PF_CHECK(n >= 1, e, PFFT3D_ERR_USAGE, "transpose: n%d is %td: must be 1 or more", axis, n);
  PF_CHECK(given >= 0 && (n - 1) / *block < ranks, e, PFFT3D_ERR_USAGE,
           "transpose: block%d is %td: %d blocks must hold %td lines; 0 is the default", axis,
           given, ranks, n);
  if (*block > n) *block = n; /* so that its product with a rank cannot overflow */
  return PFFT3D_OK;
}

static ptrdiff_t at_least_1(ptrdiff_t n) {
  return n > 0 ? n : 1;
}

/* A block as rows of `n` tuples of `many` elements, or stored by columns. */
static pfft3d_region region(int axis, part lines, ptrdiff_t n, ptrdiff_t many, int columns) {
  pfft3d_region r = {.stride[2] = 1};
  r.lo[axis] = lines.lo;
  r.len[axis] = lines.len;
  r.len[!axis] = n;
  r.len[2] = many;
  r.stride[axis] = columns ? many : n * many;
  r.stride[!axis] = columns ? at_least_1(lines.len) * many : many;
  return r;
}

/* The transposition as a specification for pfft3d_redist_create(). */
static int read_spec(MPI_Comm comm, const pfft3d_transpose_spec *t, pfft3d_redist_spec *s,
                     pfft3d_error *e) {
  int rank, ranks;
  ptrdiff_t block[2], many = t->howmany ? t->howmany : 1;
  size_t all;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  PF_CHECK(many >= 1, e, PFFT3D_ERR_USAGE, "transpose: howmany is %td: must be 1 or more", many);
  PF_TRY(read_block(t->n0, t->block0, 0, ranks, &block[0], e));
  PF_TRY(read_block(t->n1, t->block1, 1, ranks, &block[1], e));
  PF_CHECK(!pf_mul((size_t)t->n0, (size_t)t->n1, &all) && !pf_mul(all, (size_t)many, &all) &&
               !pf_mul(all, (size_t)ranks, &all) && all <= PTRDIFF_MAX,
           e, PFFT3D_ERR_USAGE, "transpose: %td x %td x %td: more elements than 64 bits can count",
           t->n0, t->n1, many);
  size_t element = t->element;
  if (element && t->wire != PFFT3D_SINGLE &&
      (size_t)many <= PF_REDIST_ELEMENT / element) { /* a tuple is moved as one element */
    element *= (size_t)many;
    many = 1;
  }
  *s = (pfft3d_redist_spec){.dims = 3,
                            .n = {t->n0, t->n1, many},
                            .element = element,
                            .exchange = t->exchange,
                            .in_place = t->in_place,
                            .wire = t->wire};
  s->from = region(0, part_of(t->n0, block[0], rank), t->n1, many, t->transposed_in);
  s->to = region(1, part_of(t->n1, block[1], rank), t->n0, many, t->transposed_out);
  return PFFT3D_OK;
}

int pfft3d_transpose_create(MPI_Comm comm, const pfft3d_transpose_spec *spec,
                            pfft3d_redist **redist, pfft3d_error *error) {
  pfft3d_error e = {0};
  pfft3d_redist_spec s = {.dims = 0};
  if (redist) *redist = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (!redist || !spec)
    pf_fail(&e, PFFT3D_ERR_USAGE, "transpose: a pointer is NULL");
  else
    read_spec(comm, spec, &s, &e);
  if (pf_agree(comm, &e)) return pf_error_out(&e, error);
  return pfft3d_redist_create(comm, &s, redist, error);
}

int pfft3d_transpose_create_f(const pfft3d_fint *comm, const pfft3d_transpose_spec *spec,
                              pfft3d_redist **redist, pfft3d_error *error) {
  return pfft3d_transpose_create(pf_comm_f(comm), spec, redist, error);
}
