/* SPDX-License-Identifier: BSD-3-Clause
 * A fold: a map between the elements of two distributed vectors, and the messages that send the
 * elements of one to the ranks of the other.
 *
 * Both vectors are treated as matrices with rows of the same length: a rank has some columns,
 * stored row by row.  A vector in blocks is one row, a cyclic vector has rows with a column on each
 * rank.  A band maps a range of columns of a to columns of b, ascending or descending, and row x of
 * a to row sign * x + row of b. A section is a part of a band that lies on one rank in a and on one
 * rank in b: one message. */
#ifndef PF_LINE_FOLD_H
#define PF_LINE_FOLD_H

#include "exchange/exchange.h"
#include "layout/vector.h"
#include "local/move.h"

/* Columns of a vector: an even split of n units of `unit` columns. */
typedef struct pf_columns {
  ptrdiff_t n, unit;
  int ranks, reversed;
  ptrdiff_t total; /* elements */
} pf_columns;

typedef struct pf_band {
  pf_range a;       /* columns */
  int sign;         /* 1 or -1 */
  ptrdiff_t offset; /* column c of a is column sign * c + offset of b */
  ptrdiff_t row;    /* row x of a is row sign * x + row of b */
  int mirror;       /* nonzero: element k to M - k; 0: to itself */
} pf_band;

enum { PF_BANDS = 3 }; /* the elements themselves, and mirror images */
typedef struct pf_fold {
  ptrdiff_t row; /* elements in a row; PTRDIFF_MAX: there is only one */
  pf_columns side[2];
  ptrdiff_t lines; /* of a batch: a message has the elements of all lines */
  int bands;
  pf_band band[PF_BANDS];
} pf_fold;

/* Columns `a` of a band; `other`: the rank that has them on the other side. */
typedef struct pf_fold_section {
  int band, other;
  pf_range a;
} pf_fold_section;

/** Local. The columns of a rank in a side; empty if it has none. */
pf_range pf_columns_of(const pf_columns *c, int rank);

/** Local. The columns that two ranges have in common. */
pf_range pf_range_common(pf_range a, pf_range b);

/** Local. The columns of a side to which a band maps columns of a. */
pf_range pf_band_columns(const pf_band *b, pf_range a, int side);

/** Local. The sections of a rank that has side @p side, in an order that does not depend on the
 * side. Returns their number; section may be NULL. */
ptrdiff_t pf_fold_sections(const pf_fold *f, int side, int rank, pf_fold_section *section);

/** Local. The number of elements of a section in side @p side; the number in one row of any
 * columns. */
ptrdiff_t pf_fold_elements(const pf_fold *f, const pf_fold_section *p, int side);
ptrdiff_t pf_columns_in_row(const pf_fold *f, int side, pf_range columns, ptrdiff_t row);

/** Local. The messages that a rank sends when side @p from is sent to the other side. */
pf_message_count pf_fold_count(const pf_fold *f, int from, int rank, size_t element, ptrdiff_t cap);

/* The messages of a fold, prepared for one rank. */
typedef struct pf_fold_messages {
  pf_fold fold;
  int rank;
  pf_fold_section *section[2]; /* by side */
  ptrdiff_t sections[2];
  pf_exchange exchange; /* its elements are smaller if they are sent in single precision */
  MPI_Request *request;
  size_t element; /* bytes in arrays */
  int narrow;     /* complex doubles are sent as floats */
  size_t room;    /* bytes of the memory for copies */
  pf_loss loss;   /* of elements sent in single precision */
} pf_fold_messages;

/** Local. Prepares messages; m->fold, m->element, m->narrow and m->room are set.  Errors: MEMORY,
 * INTERNAL. @p cap: as in pf_exchange_counting(). */
int pf_fold_make(pf_fold_messages *m, MPI_Comm comm, ptrdiff_t cap, pfft3d_error *e);
void pf_fold_free(pf_fold_messages *m);

/* This rank's array of a side, with lines every `apart` bytes. */
typedef struct pf_fold_array {
  const char *at;
  size_t apart;
} pf_fold_array;

/** Collective on the fold's comm. Sends this rank's array of side @p from to its receivers;
 * sections of other ranks arrive in @p received, one after the other.  @p pack: m->room bytes for
 * copies, enough for all elements of this rank; floats take half of it.  Returns an MPI error code.
 */
int pf_fold_send(pf_fold_messages *m, int from, pf_fold_array array, char *pack, char *received);

/* Addresses of the elements of a section: row x, column c at base + (x * pitch + c - first) *
 * element. */
typedef struct pf_fold_address {
  const char *base;
  ptrdiff_t pitch, first;
} pf_fold_address;

/** Local. A rank's own array. */
pf_fold_address pf_fold_own(const pf_fold_messages *m, int side, const char *array);

/* Memory with the elements of the side that is sent: this rank's array, and, for other ranks, the
 * received sections or their arrays in shared memory. */
typedef struct pf_fold_source {
  const char *own;      /* one line of a batch */
  ptrdiff_t line;       /* its number */
  const char *received; /* the first byte that no earlier section uses */
  const char *peers;    /* NULL, or the same line of rank 0 */
  size_t part;          /* bytes from there to the next rank's line */
} pf_fold_source;

/** Local. Section @p index of the side that receives; called for all sections in order. */
pf_fold_address pf_fold_next(const pf_fold_messages *m, int from, ptrdiff_t index,
                             pf_fold_source *source);

#endif
