/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange shared: inside a node, passes read and write the memory of other ranks directly.
 *
 * What moves: nothing.  The send and receive buffers are the same memory, so each stage reads and
 * writes the data once.  All that remains is a barrier, after which every rank reads what the
 * others have stored.  A segment of shared memory has a part for each rank, with padded rows:
 *
 * - Pulled: the sender's part has its box before the exchange, [field][plane of the receiver][line]
 *   [axis 2], and receivers read their planes there.  A store to a line that another rank has read
 *   last fetches it first; a load can be prefetched.  (Zen 5, two ranks, over storing: 48^3 0.82 of
 *   the time, 64^3 0.8, 80^3 0.85, elsewhere 0.97 to 1.02.)
 * - Stored: the receiver's part has its box after the exchange.  Used for lines, and if rows along
 *   axis 2 consist of parts of all ranks, so that they become contiguous.
 *
 * The next exchange must not overwrite data that a slower rank still reads.  If a direction has
 * several exchanges, they alternate between two halves of each part; if it has one, there is one
 * half, and another barrier before the exchange: that costs less than twice the memory (256^3
 * equal, r2c 64^3 on 2 ranks 0.92 of the time), and planning takes half of the time.  Barriers
 * include all ranks, even if only those of a process row or column exchange data. In natural order
 * the last stage stores into the output arrays of all ranks in the same way, if these are shared.
 * Source: direct access between processes, e.g. Hoefler et al., Computing 95, 2013 (MPI-3 shared
 * memory windows). */
#include "base/memory.h"
#include "exchange/memory.h"

/* ---- memory ---- */

/* Offset of the elements of rank s in rows along axis 2 that consist of parts of all ranks: each
 * part begins at a cache line, so that no two ranks write the same line, unless parts are short and
 * padding would waste memory. */
static ptrdiff_t begin_of(const pf_redist *r, int s, size_t wire) {
  enum { short_lines = 4 };
  ptrdiff_t line = PF_ALIGN / (ptrdiff_t)wire, at = 0;
  if (pf_redist_longest_after(r, 2) < short_lines * line * r->ranks) line = 1;
  for (int k = 0; k < s; k++) at += (pf_redist_before(r, k, 2).len + line - 1) / line * line;
  return at;
}

/* Nonzero except for rows that consist of parts of all ranks, as axis 2 was cut. */
static int pulls(const pf_redist *r) {
  return r->from != 2 && !r->pieces && !r->chunk;
}

/* The longest extent of a part. */
static ptrdiff_t longest(const pf_redist *r, int axis) {
  return pulls(r) ? pf_redist_longest_before(r, axis) : pf_redist_longest_after(r, axis);
}

static ptrdiff_t row_of(const pf_redist *r, size_t wire) {
  ptrdiff_t length = r->from == 2 ? begin_of(r, r->ranks, wire) : longest(r, 2);
  return pf_plane_stride(length, wire);
}

/* Elements from field to field inside a part: enough for the largest box. */
static ptrdiff_t field_of(const pf_redist *r, ptrdiff_t row) {
  return longest(r, 0) * longest(r, 1) * row;
}

/* The parts have the same size on all ranks: that of the largest box, with the longest rows.
 * The same half also stages an array of the caller that is not shared. */
static void lay_out(pf_exchange_memory *m) {
  size_t largest = m->staged;
  for (int d = 0; d < 2; d++)
    for (int k = 0; k < m->sequence[d].count; k++) {
      pf_exchange_sequence *q = &m->sequence[d];
      const pf_redist *r = &q->largest[k];
      ptrdiff_t elements = field_of(r, row_of(r, q->wire[k])) * r->batch;
      if ((size_t)elements * q->wire[k] > largest) largest = (size_t)elements * q->wire[k];
      q->send[k] = q->recv[k] = k % 2 ? PF_SLOT_STAGED : PF_SLOT_SHARED;
      q->stored[k] = (double)pf_redist_send_elements(&q->redist[k]) * (double)q->wire[k];
    }
  m->half = (largest + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  size_t halves = (size_t)pf_exchange_halves(m) * m->half;
  m->bytes[PF_SLOT_EDGES] = 0;
  m->bytes[PF_SLOT_SHARED] = pf_shared_bytes(halves + PF_ALIGN + m->edges);
}

/* Location of the elements of rank s for rank d of a redistribution, in the part of one of them. */
static pf_location locate(const pf_exchange_memory *m, int direction, int k, int s, int d) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  const pf_redist *r = &q->redist[k];
  const pf_node_map *map = &q->node_map[k];
  int pulled = pulls(r), inner = 1 - r->next;
  ptrdiff_t row = row_of(r, q->wire[k]),
            part = (ptrdiff_t)(pf_shared_part(m->bytes[PF_SLOT_SHARED]) / q->wire[k]);
  ptrdiff_t lines = pulled ? longest(r, inner) : pf_redist_after(r, d, inner).len;
  pf_location at = {q->send[k], {.field = field_of(r, row)}};
  at.spot.stride[2] = 1;
  at.spot.stride[inner] = row;
  at.spot.stride[r->next] = lines * row;
  at.spot.offset = pf_node_map_rank(map, map->me, pulled ? s : d) * part;
  if (pulled) {
    at.spot.offset += pf_redist_after(r, d, r->to).lo * at.spot.stride[r->to];
  } else if (r->pieces) {
    pf_redist of_d = *r;
    of_d.me = d;
    at.spot.offset += pf_redist_recv_offset(&of_d, s);
  } else if (r->from == 2) {
    at.spot.offset += begin_of(r, s, q->wire[k]);
  } else {
    at.spot.offset += pf_redist_before(r, s, r->from).lo * at.spot.stride[r->from];
  }
  return at;
}

static int again(const pf_exchange_memory *m) {
  return m->ranks > 1 && pf_exchange_halves(m) == 1;
}

static pf_exchange_terms terms(const pf_exchange_memory *m, int direction, int k) {
  (void)direction, (void)k;
  return (pf_exchange_terms){.barriers = again(m) ? 2 : 1};
}

static int create(pf_exchange_store *s, pfft3d_error *e) {
  return pf_shared_create(s->comm, s->memory->bytes[PF_SLOT_SHARED], &s->shared, e);
}

static void connect(pf_exchange_store *s, int direction, int k, pf_exchange *x) {
  (void)direction, (void)k;
  x->again = again(s->memory);
  x->node.shared = &s->shared;
}

/* Edges are at offsets in the memory of all ranks. */
static void bind(pf_exchange_store *s, int direction, char *base[PF_SLOTS]) {
  pf_exchange_bind_halves(s, direction, base);
  base[PF_SLOT_EDGES] = s->shared.base;
}

const pf_memory_ops pf_memory_shared = {.lay_out = lay_out,
                                        .locate = locate,
                                        .pulls = pulls,
                                        .terms = terms,
                                        .create = create,
                                        .connect = connect,
                                        .bind = bind,
                                        .destroy = pf_exchange_store_unshare};

/* ---- the exchange ---- */

static int suits(const pf_ranks *ranks) {
  return ranks->sharing || ranks->ranks == 1;
}

/* Before the exchange: other ranks may still read the data of the last exchange. */
static int start(pf_exchange *x) {
  return x->again ? pf_shared_barrier(x->node.shared) : MPI_SUCCESS;
}

/* After the exchange every rank reads what the others have stored. */
static int finish(pf_exchange *x) {
  return pf_shared_barrier(x->node.shared);
}

const pf_exchange_ops pf_exchange_shared = {
    .name = "shared",
    .summary = "inside a node: ranks read and write each other's memory, no messages",
    .reason = "all ranks share memory: rows are read where they were stored, without messages",
    .memory = &pf_memory_shared,
    .grain = PF_GRAIN_NONE,
    .direct = 1,
    .suits = suits,
    .start = start,
    .finish = finish};
