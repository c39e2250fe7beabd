/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions between any boxes, by the exchanges of plans.  Every rank knows the boxes of all
 * ranks and lists the pieces of each pair (layout/pieces.h).  The pieces for a rank are packed into
 * its block, the exchange sends blocks, and the receiver unpacks them; data that stays on a rank is
 * copied once.  An exchange of plain boxes needs no blocks, a direct one copies into the memory of
 * the receiver, and if all blocks of a rank are contiguous in its array, they are sent from it, or
 * received in it.  Elements are counted in bytes, so they can have any size. */
#include "redist/redist.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/nodes.h"
#include "exchange/memory.h"
#include "exchange/raw.h"
#include "local/move_box.h"
#include "geometry/geometry.h"
#include "request/boxes.h"
#include "request/check.h"
#include "request/text.h"
#include "request/tiles.h"

struct pfft3d_redist {
  MPI_Comm comm;
  int ranks, rank, in_place, ghosts, direct;
  pfft3d_precision wire;
  int narrow;     /* numbers in blocks, and of data that stays on a rank, are in single precision */
  size_t element; /* bytes in the caller's arrays */
  pf_loss loss[2]; /* by direction, since pf_redist_take_loss() */
  pf_parts side[2];
  pf_pieces pieces[2]; /* by direction */
  pf_exchange_memory memory;
  pf_exchange_store store;
  pf_exchange exchange[2];
  ptrdiff_t *sums;   /* of the pieces of this rank */
  ptrdiff_t *offset; /* offsets of its blocks in its arrays: by direction, sent and received */
  char *own;         /* data that stays on this rank, for executions in place, or to round it */
};

/* ---- the caller's boxes ---- */

int pf_redist_extents(int dims, const ptrdiff_t n[4], size_t element, pf_redist_wish *w,
                      pfft3d_error *e) {
  size_t bytes = element;
  PF_CHECK(dims >= 1 && dims <= PF_AXES, e, PFFT3D_ERR_USAGE,
           "redistribution: %d dimensions: must be 1 to 4", dims);
  PF_CHECK(element >= 1 && element <= PF_REDIST_ELEMENT, e, PFFT3D_ERR_USAGE,
           "redistribution: elements of %zu bytes: must be 1 to %d", element, PF_REDIST_ELEMENT);
  w->size = (ptrdiff_t)element;
  for (int a = 0; a < PF_AXES; a++) w->n[a] = 1;
  for (int a = 0; a < dims; a++) {
    PF_CHECK(n[a] >= 1, e, PFFT3D_ERR_USAGE,
             "redistribution: extent %td of axis %d: must be 1 or "
             "more",
             n[a], a);
    PF_CHECK(!pf_mul(bytes, (size_t)n[a], &bytes) && bytes <= PTRDIFF_MAX, e, PFFT3D_ERR_USAGE,
             "redistribution: an array of more bytes than 64 bits can count");
    w->n[PF_AXES - dims + a] = n[a];
  }
  return PFFT3D_OK;
}

static int check_wire(pfft3d_precision wire, size_t element, pfft3d_error *e) {
  PF_CHECK(wire == PFFT3D_DOUBLE || wire == PFFT3D_SINGLE || wire == PFFT3D_SAME, e,
           PFFT3D_ERR_USAGE, "redistribution: wire of precision %d: unknown", (int)wire);
  PF_CHECK(wire != PFFT3D_SINGLE || element == 8 || element == 16, e, PFFT3D_ERR_USAGE,
           "redistribution: elements of %zu bytes in single precision: must be doubles, of 8, or "
           "pairs of them, of 16",
           element);
  return PFFT3D_OK;
}

int pf_redist_part(const pf_redist_wish *w, int dims, const pfft3d_region *box, pf_part *part,
                   pfft3d_error *e) {
  int first = PF_AXES - dims, given = 0, none = 0;
  ptrdiff_t stride = w->size;
  PF_CHECK(pf_array_countable(box->offset, dims, box->len, box->stride, w->size), e,
           PFFT3D_ERR_USAGE, "redistribution: an array of more bytes than 64 bits can count");
  *part = (pf_part){.len = {1, 1, 1, 1}, .offset = box->offset * w->size};
  for (int a = 0; a < dims; a++) {
    PF_CHECK(box->len[a] >= 0 && box->lo[a] >= 0 && box->len[a] <= w->n[first + a] &&
                 box->lo[a] <= w->n[first + a] - box->len[a],
             e, PFFT3D_ERR_USAGE,
             "redistribution: a box has %td indices from %td on along axis %d, "
             "which has %td",
             box->len[a], box->lo[a], a, w->n[first + a]);
    PF_CHECK(box->stride[a] >= 0, e, PFFT3D_ERR_USAGE,
             "redistribution: stride %td of axis %d: must be 0 or more", box->stride[a], a);
    given |= box->stride[a] != 0;
    none |= box->len[a] > 1 && !box->stride[a];
    part->lo[first + a] = box->lo[a];
    part->len[first + a] = box->len[a];
    part->stride[first + a] = box->stride[a] * w->size;
  }
  PF_CHECK(!given || !none || !pf_part_elements(part), e, PFFT3D_ERR_USAGE,
           "redistribution: stride 0 of an axis with several indices");
  for (int a = PF_AXES - 1; a >= 0 && !given; a--) {
    part->stride[a] = stride;
    stride *= part->len[a];
  }
  return PFFT3D_OK;
}

/* ---- creation ---- */

static unsigned long long wish_hash(const pf_redist_wish *w) {
  const char *name = w->exchange ? w->exchange : "auto";
  unsigned long long hash = pf_hash(PF_HASH_START, w->n, sizeof w->n);
  hash = pf_hash(hash, &w->size, sizeof w->size);
  hash = pf_hash(hash, &w->in_place, sizeof w->in_place);
  hash = pf_hash(hash, &w->node_ranks, sizeof w->node_ranks);
  hash = pf_hash(hash, &w->ghosts, sizeof w->ghosts);
  hash = pf_hash(hash, &w->wire, sizeof w->wire);
  return pf_hash(hash, name, strlen(name));
}

void pf_redist_lay_out(pf_exchange_memory *m, const pf_pieces pieces[2], int directions) {
  for (int d = 0; d < directions; d++) {
    pf_exchange_sequence *q = &m->sequence[d];
    q->count = 1;
    q->wire[0] = 1;
    q->redist[0] = pf_redist_of_pieces(&pieces[d], m->rank);
    q->redist[0].one_node = m->node_ranks >= m->ranks;
    q->largest[0] = q->redist[0];
    q->node_map[0] = (pf_node_map){.ranks = m->ranks,
                                   .me = m->rank,
                                   .node = m->node_ranks,
                                   .grid = {1, m->ranks},
                                   .dim = 1,
                                   .cut = PF_WHOLE};
  }
  pf_exchange_lay_out(m);
}

static size_t buffer_bytes(const pf_exchange_memory *m) {
  size_t bytes = 0;
  for (int s = 0; s < PF_SLOTS; s++) bytes += m->bytes[s];
  return bytes;
}

/* Data that stays on a rank is copied through a buffer in place and if messages are narrower. */
static size_t own_bytes(const pfft3d_redist *r) {
  return r->in_place || r->narrow ? (size_t)pf_pieces_own(&r->pieces[0], r->rank) : 0;
}

static void disconnect(pfft3d_redist *r) {
  for (int d = 0; d < 2; d++) pf_exchange_destroy(&r->exchange[d]);
  pf_exchange_store_destroy(&r->store);
}

/* Halves all blocks. */
static void narrow(pfft3d_redist *r) {
  r->narrow = 1;
  for (int d = 0; d < 2; d++) {
    r->pieces[d].size /= 2;
    r->pieces[d].most_sent /= 2;
    r->pieces[d].most_received /= 2;
  }
  for (int k = 0; k < 2 * (r->ranks + 1); k++) r->sums[k] /= 2;
}

/* Finds the blocks in the caller's arrays; not in place, where all would be sent and received at
 * once. */
static void find_offsets(pfft3d_redist *r) {
  for (int k = 0; k < 4; k++) {
    pf_pieces *p = &r->pieces[k / 2];
    ptrdiff_t *at = r->offset + k * r->ranks;
    int received = k % 2, found = r->memory.ops->anywhere && r->direct && !r->narrow;
    for (int other = 0; other < r->ranks && found; other++) {
      int sender = received ? other : r->rank, receiver = received ? r->rank : other;
      if (other == r->rank) continue;
      found = pf_pieces_offset(p, sender, receiver, received, &at[other]) &&
              at[other] + pf_pieces_bytes(p, sender, receiver) <= INT_MAX;
    }
    p->offset[received] = found ? at : NULL;
  }
}

static int connect(pfft3d_redist *r, const char *name, int node_ranks, pfft3d_error *e) {
  r->memory = (pf_exchange_memory){.ops = pf_exchange_find(name),
                                   .ranks = r->ranks,
                                   .rank = r->rank,
                                   .node_ranks = node_ranks > 0 ? node_ranks : 1,
                                   .uneven = node_ranks == 0};
  int single = r->wire == PFFT3D_SINGLE && r->ranks > 1;
  if (single && !r->memory.ops->direct && !r->memory.ops->boxes) narrow(r);
  find_offsets(r);
  pf_redist_lay_out(&r->memory, r->pieces, 2 - r->ghosts);
  if (r->in_place && r->memory.ops->boxes)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "exchange '%s': works between two arrays, not in place",
            name);
  if (single && r->memory.ops->boxes)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "exchange '%s': sends arrays in their own precision", name);
  PF_TRY(pf_agree(r->comm, e));
  PF_TRY(pf_memory_agree(r->comm, buffer_bytes(&r->memory) + own_bytes(r), e));
  PF_TRY(pf_exchange_store_create(&r->store, &r->memory, r->comm, e));
  r->store.grid[0] = r->store.grid[1] = r->comm;
  for (int d = 0; d < 2; d++) {
    if (r->memory.sequence[d].count) pf_exchange_store_connect(&r->store, d, 0, &r->exchange[d], e);
    PF_TRY(pf_agree(r->comm, e));
  }
  return PFFT3D_OK;
}

/* The exchange that was named; else `shared`, or, if it is unavailable, `packed`, which works
 * everywhere and takes less memory than a window, where every rank has as much as the rank that
 * receives most. */
static int choose(pfft3d_redist *r, const char *name, int node_ranks, pfft3d_error *e) {
  if (!pf_name_open(name)) return connect(r, name, node_ranks, e);
  int status = connect(r, "shared", node_ranks, e);
  if (status != PFFT3D_ERR_UNAVAILABLE && status != PFFT3D_ERR_MEMORY) return status;
  disconnect(r);
  pf_error_clear(e);
  return connect(r, "packed", node_ranks, e);
}

/* Each rank adds up its own blocks, and gets the largest sums of all ranks.  Backward, received
 * blocks are sent. */
static int measure(pfft3d_redist *r, const pf_redist_wish *w, pfft3d_error *e) {
  ptrdiff_t most[2] = {0, 0};
  size_t count = (size_t)r->ranks + 1;
  for (int d = 0; d < 2; d++)
    r->pieces[d] = (pf_pieces){.ranks = r->ranks,
                               .size = w->size,
                               .before = &r->side[d],
                               .after = &r->side[!d],
                               .rank = r->rank};
  r->sums = malloc(2 * count * sizeof *r->sums);
  r->offset = calloc(4 * count, sizeof *r->offset);
  if (!r->sums || !r->offset)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the blocks of %d ranks", r->ranks);
  PF_TRY(pf_agree(r->comm, e));
  ptrdiff_t *sums[2] = {r->sums, r->sums + count};
  pf_pieces_add_up(&r->pieces[0], r->rank, sums[0], sums[1]);
  for (int d = 0; d < 2; d++) most[d] = sums[d][r->ranks];
  pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT64_T, MPI_MAX, r->comm), "MPI_Allreduce");
  for (int d = 0; d < 2; d++) {
    pf_pieces *p = &r->pieces[d];
    p->sent = sums[d];
    p->received = sums[!d];
    p->most_sent = most[d];
    p->most_received = most[!d];
  }
  return pf_agree(r->comm, e);
}

static int build(pfft3d_redist *r, const pf_redist_wish *w, pfft3d_error *e) {
  char name[16];
  pf_nodes nodes = {.comm = r->comm};
  PF_TRY(pf_agree_hash(r->comm, wish_hash(w), "the redistribution", e));
  pf_name_parse(PFFT3D_EXCHANGES, w->exchange ? w->exchange : "auto", name, e);
  PF_TRY(pf_agree(r->comm, e));
  for (int side = 0; side < 2; side++) {
    const pf_tiling t = {w->n, "redistribution", side ? " after it" : " before it"};
    PF_TRY(pf_parts_gather(r->comm, w->part[side], w->count[side], &r->side[side], e));
    if (side == 0 || !w->ghosts) PF_TRY(pf_parts_check(r->comm, &r->side[side], &t, e));
  }
  PF_TRY(measure(r, w, e));
  int found = pf_nodes_find(&nodes, w->node_ranks, 1, e);
  free(nodes.order);
  PF_TRY(found);
  PF_TRY(choose(r, name, nodes.node_ranks, e));
  if ((r->in_place || r->narrow) && !(r->own = pf_alloc(own_bytes(r) + 1)))
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a buffer");
  return pf_agree(r->comm, e);
}

int pf_redist_make(MPI_Comm comm, const pf_redist_wish *w, pfft3d_redist **redist,
                   pfft3d_error *e) {
  MPI_Comm own;
  pfft3d_redist *r = calloc(1, sizeof *r);
  int code = MPI_Comm_dup(comm, &own);
  if (code != MPI_SUCCESS) {
    free(r);
    return pf_fail_mpi(e, code, "MPI_Comm_dup");
  }
  pf_errors_return(own);
  if (!r) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a redistribution");
  if (pf_agree(own, e) || !r) {
    free(r);
    MPI_Comm_free(&own);
    return e->status;
  }
  r->comm = own;
  r->in_place = w->in_place;
  r->ghosts = w->ghosts;
  r->wire = w->wire;
  r->direct = w->direct && !w->in_place && !w->ghosts;
  r->element = (size_t)w->size;
  MPI_Comm_rank(own, &r->rank);
  MPI_Comm_size(own, &r->ranks);
  if (build(r, w, e)) pfft3d_redist_destroy(&r);
  *redist = r;
  return e->status;
}

void pfft3d_redist_destroy(pfft3d_redist **redist) {
  pfft3d_redist *r = redist ? *redist : NULL;
  if (!r) return;
  disconnect(r);
  for (int side = 0; side < 2; side++) pf_parts_free(&r->side[side]);
  free(r->sums);
  free(r->offset);
  pf_free(r->own);
  pf_comm_free(&r->comm);
  free(r);
  *redist = NULL;
}

/* ---- executions ---- */

/* A run: the arrays, and for its blocks the bases of the slots. */
typedef struct {
  pfft3d_redist *r;
  int direction;
  char *in, *out, *base[PF_SLOTS];
} run;

enum { PACK, UNPACK, COPY };

/* Copies one piece between an array and a block, or between two arrays. */
static void move_piece(const run *x, int sender, int receiver, int k, int what, char *block) {
  const pf_pieces *p = &x->r->pieces[x->direction];
  const pf_part *from = pf_pieces_from(p, sender, receiver, k);
  const pf_part *to = pf_pieces_to(p, sender, receiver, k);
  pf_part box;
  pf_boxed source = {.size = x->r->element}, target = source;
  pf_boxed packed = {.data = block, .size = (size_t)p->size};
  ptrdiff_t stride = p->size;
  pf_pieces_box(p, sender, receiver, k, &box);
  for (int a = PF_AXES - 1; a >= 0; a--) {
    source.stride[a] = from->stride[a];
    target.stride[a] = to->stride[a];
    packed.stride[a] = stride;
    stride *= box.len[a];
  }
  source.data = what == UNPACK ? NULL : x->in + pf_part_at(from, box.lo);
  target.data = what == PACK ? NULL : x->out + pf_part_at(to, box.lo);
  pf_move_box(what == PACK ? packed : target, what == UNPACK ? packed : source, box.len,
              &x->r->loss[x->direction]);
}

/* Copies all pieces of a pair of ranks. */
static void move_pieces(const run *x, int sender, int receiver, int what, char *block) {
  const pf_pieces *p = &x->r->pieces[x->direction];
  pf_part box;
  for (int k = 0; k < pf_pieces_count(p, sender, receiver); k++) {
    ptrdiff_t bytes = pf_pieces_box(p, sender, receiver, k, &box);
    if (bytes) move_piece(x, sender, receiver, k, what, block);
    if (bytes && block) block += bytes;
  }
}

/* Copies the blocks of all other ranks, beginning with the next rank. */
static void move_blocks(const run *x, int what) {
  pfft3d_redist *r = x->r;
  const pf_pieces *p = &r->pieces[x->direction];
  for (int k = 1; k < r->ranks && !r->memory.ops->boxes && !p->offset[what == UNPACK]; k++) {
    int other = (r->rank + k) % r->ranks;
    int sender = what == PACK ? r->rank : other, receiver = what == PACK ? other : r->rank;
    if (!pf_pieces_bytes(p, sender, receiver)) continue;
    pf_location at = r->memory.ops->memory->locate(&r->memory, x->direction, 0, sender, receiver);
    move_pieces(x, sender, receiver, what, x->base[at.slot] + at.spot.offset);
  }
}

static int carry(run *x) {
  pfft3d_redist *r = x->r;
  pf_exchange *e = &r->exchange[x->direction];
  const pf_exchange_sequence *q = &r->memory.sequence[x->direction];
  int apart = (x->in != x->out && !r->narrow) || r->ghosts;
  pf_exchange_store_bind(&r->store, x->direction, x->base);
  const pf_pieces *p = &r->pieces[x->direction];
  e->send = r->memory.ops->boxes || p->offset[0] ? x->in : x->base[q->send[0]];
  e->recv = r->memory.ops->boxes || p->offset[1] ? x->out : x->base[q->recv[0]];
  int code = pf_exchange_start(e);
  move_blocks(x, PACK);
  if (code == MPI_SUCCESS && e->ops->post) code = e->ops->post(e, 0, 0, 1);
  move_pieces(x, r->rank, r->rank, apart ? COPY : PACK, apart ? NULL : r->own);
  if (code == MPI_SUCCESS) code = pf_exchange_finish(e);
  PF_TRY(pf_run_status(code));
  move_blocks(x, UNPACK);
  if (!apart) move_pieces(x, r->rank, r->rank, UNPACK, r->own);
  return PFFT3D_OK;
}

static int has_elements(const pfft3d_redist *r, int side) {
  const pf_parts *all = &r->side[side];
  for (int k = all->first[r->rank]; k < all->first[r->rank + 1]; k++)
    if (pf_part_elements(&all->part[k])) return 1;
  return 0;
}

int pfft3d_redist_execute(pfft3d_redist *redist, pfft3d_direction direction, const void *in,
                          void *out) {
  pfft3d_redist *r = redist;
  if (!r || (direction != PFFT3D_FORWARD && direction != PFFT3D_BACKWARD) || pf_mpi_ready(NULL))
    return PFFT3D_ERR_USAGE;
  if (r->ghosts && (direction == PFFT3D_BACKWARD || in != out)) return PFFT3D_ERR_USAGE;
  if (in && in == out && !r->in_place && !r->ghosts) return PFFT3D_ERR_USAGE;
  if ((!in && has_elements(r, direction)) || (!out && has_elements(r, !direction)))
    return PFFT3D_ERR_USAGE;
  run x = {.r = r, .direction = (int)direction, .out = out};
  memcpy(&x.in, &in, sizeof in); /* not written to, unless it is `out` */
  return carry(&x);
}

/* ---- for plans ---- */

size_t pf_redist_bytes(const pfft3d_redist *r) {
  return buffer_bytes(&r->memory) + own_bytes(r);
}

void pf_redist_take(pfft3d_redist *r, pfft3d_direction direction, pfft3d_stats *sum) {
  pf_exchange *x = &r->exchange[direction];
  const pf_pieces *p = &r->pieces[direction];
  double moved = (double)pf_pieces_sent(p, r->rank, r->ranks) +
                 (double)pf_pieces_received(p, r->rank, r->ranks);
  double own = (double)pf_pieces_own(p, r->rank);
  pf_stats_add_messages(sum, &x->sent);
  sum->traffic += 2 * own * (1 + (r->own != NULL)) + moved * (r->memory.ops->direct ? 2 : 3);
  x->sent = (pf_message_count){0};
}

void pf_redist_take_loss(pfft3d_redist *r, pfft3d_direction direction, pfft3d_stage_stats *sum) {
  sum->wire_error2 += r->loss[direction].error2;
  sum->wire_norm2 += r->loss[direction].norm2;
  r->loss[direction] = (pf_loss){0, 0};
}

int pf_redist_narrow(const pfft3d_redist *r) {
  return r->narrow;
}

int pf_redist_record(pfft3d_redist *r, pf_timeline *t, pfft3d_error *e) {
  r->store.shared.timeline = t;
  for (int d = 0; d < 2; d++)
    if (r->exchange[d].ops) PF_TRY(pf_exchange_record(&r->exchange[d], t, e));
  return PFFT3D_OK;
}

int pf_redist_raw(pfft3d_redist *r, pfft3d_direction direction, double *seconds) {
  const pf_raw raw = {&r->exchange[direction], r->comm};
  return pf_raw_alltoalls(r->comm, &raw, 1, seconds);
}

/* ---- from box to box ---- */

int pfft3d_redist_create(MPI_Comm comm, const pfft3d_redist_spec *spec, pfft3d_redist **redist,
                         pfft3d_error *error) {
  pfft3d_error e = {0};
  pf_redist_wish w = {.count = {1, 1}};
  pf_part part[2];
  pfft3d_redist *made = NULL;
  if (redist) *redist = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (!redist || !spec) pf_fail(&e, PFFT3D_ERR_USAGE, "redistribution: a pointer is NULL");
  if (!e.status && !pf_redist_extents(spec->dims, spec->n, spec->element, &w, &e) &&
      !pf_redist_part(&w, spec->dims, &spec->from, &part[0], &e) &&
      !pf_redist_part(&w, spec->dims, &spec->to, &part[1], &e)) {
    w.exchange = spec->exchange;
    w.in_place = spec->in_place != 0;
    w.direct = 1;
    w.wire = spec->wire == PFFT3D_SINGLE ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    check_wire(spec->wire, spec->element, &e);
    w.part[0] = &part[0];
    w.part[1] = &part[1];
  }
  pf_redist_make(comm, &w, &made, &e);
  if (redist) *redist = made;
  return pf_error_out(&e, error);
}

int pfft3d_redist_create_f(const pfft3d_fint *comm, const pfft3d_redist_spec *spec,
                           pfft3d_redist **redist, pfft3d_error *error) {
  return pfft3d_redist_create(pf_comm_f(comm), spec, redist, error);
}
