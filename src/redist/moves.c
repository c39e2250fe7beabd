/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions in dry runs. */
#include "redist/moves.h"

#include <stdlib.h>

int pf_moves_dry_open(const pf_geometry *g, int count, pf_moves_dry *m, pfft3d_error *e) {
  size_t ranks = (size_t)g->ranks;
  *m = (pf_moves_dry){.memory = {.ops = g->decision.exchange,
                                 .ranks = g->ranks,
                                 .rank = g->rank,
                                 .node_ranks = g->memory.node_ranks}};
  for (int side = 0; side < 2; side++) {
    pf_parts *p = &m->parts[side];
    *p = (pf_parts){.ranks = g->ranks,
                    .first = malloc((ranks + 1) * sizeof *p->first),
                    .part = malloc(ranks * (size_t)count * sizeof *p->part)};
    if (!p->first || !p->part)
      return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d boxes", g->ranks);
    for (int k = 0; k <= g->ranks; k++) p->first[k] = count * k;
  }
  return PFFT3D_OK;
}

/* The sums of this rank's blocks, and the largest sums of any rank: exact for few ranks, as inside
 * a node, where alone they are needed; otherwise the sums of this rank, to save comparisons. */
static int add_up(pf_moves_dry *m, pfft3d_error *e) {
  enum { few = 64 };
  int ranks = m->memory.ranks, rank = m->memory.rank;
  size_t count = (size_t)ranks + 1;
  m->sums = malloc(2 * count * sizeof *m->sums);
  if (!m->sums) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the blocks of %d ranks", ranks);
  ptrdiff_t *sums[2] = {m->sums, m->sums + count};
  pf_pieces_add_up(&m->pieces[0], rank, sums[0], sums[1]);
  for (int d = 0; d < 2; d++) {
    pf_pieces *p = &m->pieces[d];
    if (ranks <= few) pf_pieces_measure(p);
    p->rank = rank;
    p->sent = sums[d];
    p->received = sums[!d];
    if (ranks > few) p->most_sent = sums[d][ranks], p->most_received = sums[!d][ranks];
  }
  return PFFT3D_OK;
}

int pf_moves_dry_measure(pf_moves_dry *m, size_t size, int twice, pfft3d_error *e) {
  int ranks = m->memory.ranks, rank = m->memory.rank;
  for (int d = 0; d < 2; d++)
    m->pieces[d] = (pf_pieces){
        .ranks = ranks, .size = (ptrdiff_t)size, .before = &m->parts[d], .after = &m->parts[!d]};
  PF_TRY(add_up(m, e));
  pf_redist_lay_out(&m->memory, m->pieces, 2);
  double own = (double)pf_pieces_own(&m->pieces[0], rank);
  double moved = (double)pf_pieces_sent(&m->pieces[0], rank, ranks) +
                 (double)pf_pieces_received(&m->pieces[0], rank, ranks);
  m->copied = 2 * own * (1 + twice) + (m->memory.ops->boxes ? 0 : 2 * moved);
  for (int s = 0; s < PF_SLOTS; s++) m->buffers += (double)m->memory.bytes[s];
  if (twice) m->buffers += own;
  return PFFT3D_OK;
}

void pf_moves_dry_free(pf_moves_dry *m) {
  for (int k = 0; k < 2; k++) {
    free(m->parts[k].first);
    free(m->parts[k].part);
  }
  free(m->sums);
}
