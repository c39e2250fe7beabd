/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange alltoallw: one MPI_Alltoallw of all data, after the last plane is complete, from one box
 * to another.
 *
 * What moves: the elements of packed, one message per pair of ranks.  But there are no blocks in
 * memory: a stage writes one box, the next stage reads one, and datatypes select the part of each
 * box for each rank.  Both sides list the elements of a part in the sender's order, planes, lines,
 * fields, axis 2, with the strides of their own box.  Strides are in bytes, and repetitions beyond
 * the range of an int are nested, so nothing overflows.
 *
 * It wins if MPI or the network card gathers and scatters while it sends, and the stages run faster
 * with long strides than with blocks.  Otherwise it loses to packed: MPI packs data through its own
 * buffers, while a pass would have stored it packed; these copies are not counted.  There is no
 * overlap.
 * Source: Dalcin, Mortensen and Keyes, "Fast parallel multidimensional FFT using advanced MPI",
 * JPDC 128, 2019. */
#include <stdlib.h>

#include "exchange/memory.h"

/* Arrays with an entry per rank; a count of 0 means no message. */
enum { SENT, RECEIVED };
typedef struct {
  int *count[2], *zero; /* types contain the offsets */
  MPI_Datatype *type[2];
} state;

/* ---- datatypes ---- */

/* Replaces *type by a struct of both types, the second one at byte @p at. */
static int concatenate(MPI_Datatype *type, MPI_Datatype *second, ptrdiff_t at) {
  MPI_Datatype both, part[2] = {*type, *second};
  int one[2] = {1, 1};
  MPI_Aint offset[2] = {0, at};
  int code = MPI_Type_create_struct(2, one, offset, part, &both);
  if (code != MPI_SUCCESS) return code;
  MPI_Type_free(type);
  MPI_Type_free(second);
  *type = both;
  return MPI_SUCCESS;
}

/* Replaces *type by @p count copies of it, `stride` bytes apart; one call takes at most `most`. */
static int repeat(MPI_Datatype *type, ptrdiff_t count, ptrdiff_t stride, ptrdiff_t most) {
  ptrdiff_t rest = count <= most ? count : count % most;
  MPI_Datatype some = MPI_DATATYPE_NULL, group = MPI_DATATYPE_NULL;
  int code = MPI_SUCCESS;
  if (rest) code = MPI_Type_create_hvector((int)rest, 1, stride, *type, &some);
  if (code == MPI_SUCCESS && count > most)
    code = MPI_Type_create_hvector((int)most, 1, stride, *type, &group);
  if (code == MPI_SUCCESS) code = MPI_Type_free(type);
  if (code == MPI_SUCCESS && group != MPI_DATATYPE_NULL)
    code = repeat(&group, count / most, most * stride, most);
  if (code != MPI_SUCCESS) return code;
  *type = group != MPI_DATATYPE_NULL ? group : some;
  return rest && group != MPI_DATATYPE_NULL ? concatenate(type, &some, (count - rest) * stride)
                                            : code;
}

/* The largest count for a type: an int everywhere, two at least, or groups would not grow. */
static ptrdiff_t most_of(const pf_exchange *x) {
  ptrdiff_t cap = x->counting.cap < INT_MAX ? x->counting.cap : INT_MAX;
  return cap > 1 ? cap : 2;
}

/* The part of a box that a rank sends to another, in the sender's order of elements. */
static int make_type(const pf_exchange *x, int sender, int receiver, MPI_Datatype *type) {
  const pf_redist *r = &x->redist;
  ptrdiff_t size = (ptrdiff_t)x->size, most = most_of(x), len[3];
  pf_spot at = sender == r->me ? pf_redist_send_spot(r, receiver) : pf_redist_recv_spot(r, sender);
  int axis[2] = {1 - r->outer, r->outer};
  MPI_Datatype part;
  for (int a = 0; a < 3; a++)
    len[a] =
        a == r->from ? pf_redist_before(r, sender, a).len : pf_redist_after(r, receiver, a).len;
  int code = MPI_Type_contiguous((int)x->size, MPI_BYTE, &part);
  if (code == MPI_SUCCESS) code = repeat(&part, len[2], size, most);
  if (code == MPI_SUCCESS) code = repeat(&part, r->batch, at.field * size, most);
  for (int k = 0; k < 2 && code == MPI_SUCCESS; k++)
    code = repeat(&part, len[axis[k]], at.stride[axis[k]] * size, most);
  if (code != MPI_SUCCESS) return code;
  MPI_Aint offset = at.offset * size;
  code = MPI_Type_create_hindexed_block(1, 1, &offset, part, type);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(type);
  MPI_Type_free(&part);
  return code;
}

/* A piece, in the array of its part on this side: bytes, then the axes from the last to the
 * first. */
static int piece_type(const pf_exchange *x, const pf_part *box, const pf_part *in,
                      MPI_Datatype *type) {
  ptrdiff_t most = most_of(x);
  int code = MPI_Type_contiguous((int)x->redist.pieces->size, MPI_BYTE, type);
  for (int a = PF_AXES - 1; a >= 0 && code == MPI_SUCCESS; a--)
    code = repeat(type, box->len[a], in->stride[a], most);
  return code;
}

/* All pieces of a pair of ranks in one type. */
static int make_pieces_type(const pf_exchange *x, int sender, int receiver, MPI_Datatype *type) {
  const pf_pieces *p = x->redist.pieces;
  int count = 0, code = MPI_SUCCESS;
  pf_part box;
  MPI_Datatype all = MPI_DATATYPE_NULL;
  for (int k = 0; k < pf_pieces_count(p, sender, receiver) && code == MPI_SUCCESS; k++) {
    const pf_part *in = sender == x->redist.me ? pf_pieces_from(p, sender, receiver, k)
                                               : pf_pieces_to(p, sender, receiver, k);
    MPI_Datatype piece, shifted;
    if (!pf_pieces_box(p, sender, receiver, k, &box)) continue;
    code = piece_type(x, &box, in, &piece);
    MPI_Aint offset = pf_part_at(in, box.lo);
    if (code == MPI_SUCCESS) code = MPI_Type_create_hindexed_block(1, 1, &offset, piece, &shifted);
    if (code == MPI_SUCCESS) code = MPI_Type_free(&piece);
    if (code == MPI_SUCCESS && count++) code = concatenate(&all, &shifted, 0);
    if (code == MPI_SUCCESS && count == 1) all = shifted;
  }
  *type = all;
  return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

/* ---- operations ---- */

static int setup(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  size_t ranks = (size_t)r->ranks;
  int code = MPI_SUCCESS;
  state *s = x->state =
      calloc(1, sizeof *s + 2 * ranks * sizeof(MPI_Datatype) + 3 * ranks * sizeof(int));
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the types of %zu ranks", ranks);
  s->type[SENT] = (MPI_Datatype *)(s + 1);
  s->type[RECEIVED] = s->type[SENT] + ranks;
  s->count[SENT] = (int *)(s->type[RECEIVED] + ranks);
  s->count[RECEIVED] = s->count[SENT] + ranks;
  s->zero = s->count[RECEIVED] + ranks;
  for (int k = 0; k < r->ranks; k++)
    for (int side = SENT; side <= RECEIVED; side++) {
      int sender = side == SENT ? r->me : k, receiver = side == SENT ? k : r->me;
      s->type[side][k] = MPI_BYTE;
      if (k == r->me || code != MPI_SUCCESS) continue; /* own lines are in place already */
      if (!pf_redist_elements(r, sender, receiver)) continue;
      code = (r->pieces ? make_pieces_type : make_type)(x, sender, receiver, &s->type[side][k]);
      s->count[side][k] = code == MPI_SUCCESS;
    }
  return pf_mpi(e, code, "MPI_Type_create_hvector");
}

static int finish(pf_exchange *x) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  double start = pf_timeline_now(x->timeline);
  for (int k = 0; k < r->ranks; k++)
    if (s->count[SENT][k])
      pf_exchange_sent(x, &(pf_message){k, 0, pf_redist_elements(r, r->me, k), 0}, start);
  int code = MPI_Alltoallw(x->send, s->count[SENT], s->zero, s->type[SENT], x->recv,
                           s->count[RECEIVED], s->zero, s->type[RECEIVED], x->comm);
  double end = pf_timeline_now(x->timeline);
  for (int k = 0; k < r->ranks && x->timeline; k++)
    if (s->count[RECEIVED][k])
      pf_exchange_received(x, &(pf_message){k, 0, pf_redist_elements(r, k, r->me), 0}, end);
  return code;
}

static void teardown(pf_exchange *x) {
  state *s = x->state;
  for (int side = SENT; side <= RECEIVED; side++)
    for (int k = 0; k < x->redist.ranks; k++)
      if (s->count[side][k]) pf_type_free(&s->type[side][k]);
}

const pf_exchange_ops pf_exchange_alltoallw = {
    .name = "alltoallw",
    .summary = "one Alltoallw between plain boxes, after the last row",
    .memory = &pf_memory_blocks,
    .boxes = 1,
    .suits = pf_exchange_suits_messages,
    .grain = PF_GRAIN_BLOCK,
    .setup = setup,
    .finish = finish,
    .teardown = teardown};
