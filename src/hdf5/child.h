/* SPDX-License-Identifier: BSD-3-Clause
 * What a rank and the process that it has look at a file say to each other.
 *
 * libhdf5 is not safe against crafted files, so none of the ranks opens an input with it: they ask
 * a child, which may crash, loop or eat memory without harm.  The question is one struct on its
 * standard input.  On its standard output the child answers in parts, of a byte that says which and
 * what belongs to it; the rank believes none of it before it has looked at it. */
#ifndef PF_HDF5_CHILD_H
#define PF_HDF5_CHILD_H

#include "hdf5/look.h"

typedef enum pf_ask_kind { PF_ASK_LOOK, PF_ASK_IMAGE, PF_ASK_READ } pf_ask_kind;

typedef struct pf_ask {
  char version[32]; /* of who asks; then the size of this struct: both sides must be of one build */
  size_t bytes;
  pf_ask_kind kind;
  pfft3d_dataset d; /* LOOK: file and path; else as found */
  /* READ: the box, and as what numbers */
  pfft3d_precision precision;
  pfft3d_numbers numbers;
  pfft3d_box box;
  size_t round_bytes;
} pf_ask;

/* The parts of an answer. */
enum {
  PF_PART_ERROR = 'E', /* pfft3d_error; nothing more */
  PF_PART_FOUND = 'F', /* LOOK: pfft3d_dataset */
  PF_PART_IMAGE = 'I', /* IMAGE: size_t, and as many bytes */
  PF_PART_PIECE = 'P'  /* READ: the elements of the next piece */
};

/* How long each part may take: the first, and a piece of the data, which a slow disk may delay. The
 * child allows itself so many seconds of computing, and so much memory beyond what it begins with.
 */
enum { PF_CHILD_SECONDS = 10, PF_CHILD_PIECE_SECONDS = 60, PF_CHILD_PIECE = 1 << 26 };
static const long long pf_child_memory = 2LL << 30;

#endif
