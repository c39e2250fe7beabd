/* SPDX-License-Identifier: BSD-3-Clause
 * Intersections of the boxes of all ranks. */
#include "layout/layout.h"

ptrdiff_t pf_part_elements(const pf_part *p) {
  return p->len[0] * p->len[1] * p->len[2] * p->len[3];
}

ptrdiff_t pf_part_at(const pf_part *p, const ptrdiff_t lo[PF_AXES]) {
  ptrdiff_t at = p->offset;
  for (int a = 0; a < PF_AXES; a++) at += (lo[a] - p->lo[a]) * p->stride[a];
  return at;
}

/* Elements that two boxes have in common. */
static ptrdiff_t intersect(const pf_part *a, const pf_part *b, pf_part *both) {
  for (int k = 0; k < PF_AXES; k++) {
    ptrdiff_t end = a->lo[k] + a->len[k], other = b->lo[k] + b->len[k];
    both->lo[k] = a->lo[k] > b->lo[k] ? a->lo[k] : b->lo[k];
    both->len[k] = (end < other ? end : other) - both->lo[k];
    if (both->len[k] <= 0) return 0;
  }
  return pf_part_elements(both);
}

/* ---- pieces ---- */

static int count_of(const pf_parts *p, int rank) {
  return p->first[rank + 1] - p->first[rank];
}

int pf_pieces_count(const pf_pieces *p, int sender, int receiver) {
  return count_of(p->before, sender) * count_of(p->after, receiver);
}

const pf_part *pf_pieces_from(const pf_pieces *p, int sender, int receiver, int k) {
  return &p->before->part[p->before->first[sender] + k / count_of(p->after, receiver)];
}

const pf_part *pf_pieces_to(const pf_pieces *p, int sender, int receiver, int k) {
  (void)sender;
  return &p->after->part[p->after->first[receiver] + k % count_of(p->after, receiver)];
}

ptrdiff_t pf_pieces_box(const pf_pieces *p, int sender, int receiver, int k, pf_part *box) {
  const pf_part *from = pf_pieces_from(p, sender, receiver, k);
  return p->size * intersect(from, pf_pieces_to(p, sender, receiver, k), box);
}

ptrdiff_t pf_pieces_bytes(const pf_pieces *p, int sender, int receiver) {
  pf_part box;
  ptrdiff_t bytes = 0;
  if (sender == receiver) return 0;
  if (p->sent && sender == p->rank) return p->sent[receiver + 1] - p->sent[receiver];
  if (p->sent && receiver == p->rank) return p->received[sender + 1] - p->received[sender];
  for (int k = 0; k < pf_pieces_count(p, sender, receiver); k++)
    bytes += pf_pieces_box(p, sender, receiver, k, &box);
  return bytes;
}

ptrdiff_t pf_pieces_sent(const pf_pieces *p, int rank, int below) {
  ptrdiff_t bytes = 0;
  if (p->sent && rank == p->rank) return p->sent[below];
  for (int k = 0; k < below; k++) bytes += pf_pieces_bytes(p, rank, k);
  return bytes;
}

ptrdiff_t pf_pieces_received(const pf_pieces *p, int rank, int below) {
  ptrdiff_t bytes = 0;
  if (p->sent && rank == p->rank) return p->received[below];
  for (int k = 0; k < below; k++) bytes += pf_pieces_bytes(p, k, rank);
  return bytes;
}

void pf_pieces_add_up(const pf_pieces *p, int rank, ptrdiff_t *sent, ptrdiff_t *received) {
  sent[0] = received[0] = 0;
  for (int k = 0; k < p->ranks; k++) {
    sent[k + 1] = sent[k] + pf_pieces_bytes(p, rank, k);
    received[k + 1] = received[k] + pf_pieces_bytes(p, k, rank);
  }
}

int pf_pieces_offset(const pf_pieces *p, int sender, int receiver, int received, ptrdiff_t *at) {
  int found = 0;
  pf_part box;
  *at = 0;
  for (int k = 0; k < pf_pieces_count(p, sender, receiver); k++) {
    const pf_part *part =
        received ? pf_pieces_to(p, sender, receiver, k) : pf_pieces_from(p, sender, receiver, k);
    ptrdiff_t stride = p->size;
    if (!pf_pieces_box(p, sender, receiver, k, &box)) continue;
    if (found++) return 0;
    *at = pf_part_at(part, box.lo);
    for (int a = PF_AXES - 1; a >= 0; a--) {
      if (box.len[a] > 1 && part->stride[a] != stride) return 0;
      stride *= box.len[a];
    }
  }
  return 1;
}

ptrdiff_t pf_pieces_own(const pf_pieces *p, int rank) {
  pf_part box;
  ptrdiff_t bytes = 0;
  for (int k = 0; k < pf_pieces_count(p, rank, rank); k++)
    bytes += pf_pieces_box(p, rank, rank, k, &box);
  return bytes;
}

void pf_pieces_measure(pf_pieces *p) {
  p->most_sent = p->most_received = 0;
  for (int k = 0; k < p->ranks; k++) {
    ptrdiff_t sent = pf_pieces_sent(p, k, p->ranks), received = pf_pieces_received(p, k, p->ranks);
    if (sent > p->most_sent) p->most_sent = sent;
    if (received > p->most_received) p->most_received = received;
  }
}

/* ---- as a redistribution ---- */

/* A block of bytes. */
static pf_block_shape line_of(ptrdiff_t bytes) {
  return bytes ? (pf_block_shape){1, 1, bytes, 1} : (pf_block_shape){0, 0, 0, 0};
}

static pf_block_shape shape(const pf_redist *r, int sender, int receiver) {
  return line_of(pf_pieces_bytes(r->pieces, sender, receiver));
}

static pf_block_shape largest_shape(const pf_redist *r, int receiver) {
  (void)receiver;
  return line_of(r->pieces->most_sent);
}

static ptrdiff_t longest(const pf_redist *r, int axis, int after) {
  if (axis != 0) return 1;
  return after ? r->pieces->most_received : r->pieces->most_sent;
}

static int next_after(const pf_redist *r, int rank) {
  (void)r;
  return rank + 1;
}

/* Of all ranks below another one. */
static ptrdiff_t bytes_below(const pf_redist *r, int below, int received) {
  return (received ? pf_pieces_received : pf_pieces_sent)(r->pieces, r->me, below);
}

static ptrdiff_t sum(const pf_redist *r, pf_range ranks, int received) {
  ptrdiff_t bytes = 0;
  for (int k = (int)ranks.lo; k < ranks.lo + ranks.len; k++)
    bytes += pf_pieces_bytes(r->pieces, received ? k : r->me, received ? r->me : k);
  return bytes;
}

static ptrdiff_t offset(const pf_redist *r, int other, int received) {
  const ptrdiff_t *at = r->pieces->offset[received];
  return at && other < r->ranks ? at[other] : bytes_below(r, other, received);
}

static ptrdiff_t elements(const pf_redist *r, int received) {
  return r->boxes || r->pieces->offset[received] ? 0 : bytes_below(r, r->ranks, received);
}

pf_redist pf_redist_of_pieces(const pf_pieces *pieces, int me) {
  static const pf_redist_ops ops = {shape, largest_shape, longest, next_after,
                                    sum,   offset,        elements};
  return (pf_redist){.ops = &ops,
                     .ranks = pieces->ranks,
                     .me = me,
                     .from = 1,
                     .to = 2,
                     .len = {1, 1, 1},
                     .batch = 1,
                     .group = 1,
                     .pieces = pieces};
}

/* ---- do boxes tile an array? ---- */

int pf_parts_owner(const pf_parts *p, const ptrdiff_t i[PF_AXES]) {
  pf_part one = {.len = {1, 1, 1, 1}}, both;
  for (int a = 0; a < PF_AXES; a++) one.lo[a] = i[a];
  for (int k = 0; k < p->ranks; k++)
    for (int j = p->first[k]; j < p->first[k + 1]; j++)
      if (intersect(&one, &p->part[j], &both)) return k;
  return -1;
}

int pf_parts_overlap(const pf_parts *p, int rank, int *other, pf_part *both) {
  for (int mine = p->first[rank]; mine < p->first[rank + 1]; mine++)
    for (int k = 0; k < p->ranks; k++)
      for (int j = p->first[k]; j < p->first[k + 1]; j++)
        if (j != mine && intersect(&p->part[mine], &p->part[j], both)) {
          *other = k;
          return 1;
        }
  return 0;
}

/* Finds a part of a box that parts k, k + 1 .. do not cover.  The rest of a box around the first
 * part that intersects it is at most two boxes for each axis. */
static int gap_in(const pf_parts *p, int k, const pf_part *box, pf_part *gap) {
  int all = p->first[p->ranks];
  pf_part both = {0}, rest = *box;
  while (k < all && !intersect(box, &p->part[k], &both)) k++;
  if (k == all) {
    *gap = *box;
    return 1;
  }
  for (int a = 0; a < PF_AXES; a++) {
    ptrdiff_t lo = rest.lo[a], end = lo + rest.len[a], next = both.lo[a] + both.len[a];
    rest.len[a] = both.lo[a] - lo;
    if (rest.len[a] > 0 && gap_in(p, k + 1, &rest, gap)) return 1;
    rest.lo[a] = next;
    rest.len[a] = end - next;
    if (rest.len[a] > 0 && gap_in(p, k + 1, &rest, gap)) return 1;
    rest.lo[a] = both.lo[a];
    rest.len[a] = both.len[a];
  }
  return 0;
}

int pf_parts_gap(const pf_parts *p, const ptrdiff_t n[PF_AXES], pf_part *gap) {
  pf_part all = {.offset = 0};
  for (int a = 0; a < PF_AXES; a++) all.len[a] = n[a];
  return gap_in(p, 0, &all, gap);
}
