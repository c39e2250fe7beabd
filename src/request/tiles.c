/* SPDX-License-Identifier: BSD-3-Clause
 * The boxes of all ranks. */
#include "request/tiles.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NOLINTBEGIN(clang-analyzer-core.NullDereference): pf_agree() returns an error if memory is
 * missing */
int pf_parts_gather(MPI_Comm comm, const pf_part *mine, int count, pf_parts *all, pfft3d_error *e) {
  int ranks, sent = count * (int)sizeof(pf_part);
  MPI_Comm_size(comm, &ranks);
  int *bytes = calloc((size_t)ranks * 2 + 1, sizeof *bytes), *at = bytes ? bytes + ranks : NULL;
  *all = (pf_parts){.ranks = ranks, .first = calloc((size_t)ranks + 1, sizeof *all->first)};
  if (!bytes || !all->first) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d boxes", ranks);
  if (!pf_agree(comm, e))
    pf_mpi(e, MPI_Allgather(&sent, 1, MPI_INT, bytes, 1, MPI_INT, comm), "MPI_Allgather");
  for (int k = 0; bytes && all->first && k < ranks && !e->status; k++) {
    if (bytes[k] > INT_MAX - at[k]) {
      pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "there are more than %d boxes of %d ranks", all->first[k],
              ranks);
      break;
    }
    all->first[k + 1] = all->first[k] + bytes[k] / (int)sizeof(pf_part);
    at[k + 1] = at[k] + bytes[k];
  }
  if (!e->status && at) all->part = malloc((size_t)at[ranks] + sizeof *all->part);
  if (!e->status && !all->part)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d boxes", all->first[ranks]);
  if (!pf_agree(comm, e))
    pf_mpi(e, MPI_Allgatherv(mine, sent, MPI_BYTE, all->part, bytes, at, MPI_BYTE, comm),
           "MPI_Allgatherv");
  free(bytes);
  return pf_agree(comm, e);
}
/* NOLINTEND(clang-analyzer-core.NullDereference) */

void pf_parts_free(pf_parts *all) {
  free(all->first);
  free(all->part);
  *all = (pf_parts){0, NULL, NULL};
}

/* Prints "(1..3, 0..8)", without leading dimensions of length 1. */
static const char *box_text(const ptrdiff_t *n, const pf_part *b, char out[160]) {
  size_t used = 0;
  int first = 0;
  while (first < PF_AXES - 1 && n[first] == 1) first++;
  for (int a = first; a < PF_AXES; a++)
    used += (size_t)snprintf(out + used, 160 - used, "%s%td..%td", a > first ? ", " : "(", b->lo[a],
                             b->lo[a] + b->len[a] - 1);
  snprintf(out + used, 160 - used, ")");
  return out;
}

/* The ranks that hold an element before and an element after a gap, along the first axes with such
 * elements. */
static void gap_ranks(const ptrdiff_t *n, const pf_parts *all, const pf_part *gap, int rank[2]) {
  rank[0] = rank[1] = -1;
  for (int a = 0; a < PF_AXES && (rank[0] < 0 || rank[1] < 0); a++) {
    ptrdiff_t i[PF_AXES];
    memcpy(i, gap->lo, sizeof i);
    if (--i[a] >= 0 && rank[0] < 0) rank[0] = pf_parts_owner(all, i);
    i[a] = gap->lo[a] + gap->len[a];
    if (i[a] < n[a] && rank[1] < 0) rank[1] = pf_parts_owner(all, i);
  }
}

/* Each rank compares its boxes with all others; rank 0 searches for gaps if elements are missing.
 */
int pf_parts_check(MPI_Comm comm, const pf_parts *all, const pf_tiling *t, pfft3d_error *e) {
  char text[160];
  int rank, other, neighbour[2];
  ptrdiff_t held = 0;
  pf_part box;
  MPI_Comm_rank(comm, &rank);
  for (int k = 0; k < all->first[all->ranks]; k++) held += pf_part_elements(&all->part[k]);
  if (pf_parts_overlap(all, rank, &other, &box))
    pf_fail(e, PFFT3D_ERR_USAGE, "%s: ranks %d and %d both hold elements %s%s", t->what,
            rank < other ? rank : other, rank < other ? other : rank, box_text(t->n, &box, text),
            t->where);
  PF_TRY(pf_agree(comm, e));
  if (held == t->n[0] * t->n[1] * t->n[2] * t->n[3]) return PFFT3D_OK;
  if (rank == 0 && pf_parts_gap(all, t->n, &box)) {
    gap_ranks(t->n, all, &box, neighbour);
    pf_fail(e, PFFT3D_ERR_USAGE,
            "%s: no rank holds elements %s%s, between ranks %d and %d (-1: the end of the array)",
            t->what, box_text(t->n, &box, text), t->where, neighbour[0], neighbour[1]);
  }
  return pf_agree(comm, e);
}
