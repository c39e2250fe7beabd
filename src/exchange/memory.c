/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of exchanges: functions common to all types. */
#include "exchange/memory.h"

#include "base/memory.h"

enum { tag = 71 }; /* one per exchange of a direction; constant, so always below MPI_TAG_UB */

/* ---- arithmetic ---- */

void pf_exchange_lay_out(pf_exchange_memory *m) {
  for (int d = 0; d < 2; d++)
    for (int k = 0; k < m->sequence[d].count; k++) m->sequence[d].redist[k].boxes = m->ops->boxes;
  m->bytes[PF_SLOT_EDGES] = m->edges;
  m->ops->memory->lay_out(m);
}

int pf_exchange_halves(const pf_exchange_memory *m) {
  int node = m->ranks > 1 && !m->ops->direct; /* the exchanges of all runs of `node` alternate */
  return node || m->staged || m->sequence[0].count > 1 || m->sequence[1].count > 1 ? 2 : 1;
}

pf_slot pf_exchange_staged_slot(const pf_exchange_memory *m, int direction) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  if (!q->count || q->recv[q->count - 1] == PF_SLOT_SHARED) return PF_SLOT_STAGED;
  return PF_SLOT_SHARED;
}

ptrdiff_t pf_exchange_edges_at(const pf_exchange_memory *m, int rank) {
  if (!m->ops->direct) return 0;
  size_t offset = (size_t)pf_exchange_halves(m) * m->half + PF_ALIGN;
  return (ptrdiff_t)((size_t)rank * pf_shared_part(m->bytes[PF_SLOT_SHARED]) + offset);
}

double pf_exchange_stored(const pf_exchange_sequence *q, int k) {
  const pf_redist *r = &q->redist[k];
  const pf_node_map *map = &q->node_map[k];
  pf_range peers = pf_node_map_span(map, map->me, map->me / map->node);
  return (double)pf_redist_for(r, peers, 0) * (double)q->wire[k];
}

void pf_exchange_add_part(pf_view *v, pf_range part, const pf_location *at, ptrdiff_t times) {
  pf_segment *s = &v->segment[v->count++];
  *s = (pf_segment){.part = part,
                    .slot = at->slot,
                    .offset = at->spot.offset * times,
                    .field = at->spot.field * times};
  for (int a = 0; a < 3; a++) s->stride[a] = at->spot.stride[a] * (a < 2 ? times : 1);
}

/* Coalesces the last two segments if they are adjacent in memory. */
static void coalesce_parts(pf_view *v) {
  if (v->count < 2) return;
  pf_segment *a = &v->segment[v->count - 2], *b = a + 1;
  for (int k = 0; k < 3; k++)
    if (a->stride[k] != b->stride[k]) return;
  if (a->slot != b->slot || a->field != b->field ||
      a->offset + a->part.len * a->stride[v->cut] != b->offset)
    return;
  a->part.len += b->part.len;
  v->count--;
}

/* A view with a part for each rank of exchange k, to send to or receive from. */
static pf_view view_of(const pf_exchange_memory *m, int direction, int k, int receives,
                       pf_segment *segment) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  const pf_redist *r = &q->redist[k];
  pf_range (*mine)(const pf_redist *, int, int) = receives ? pf_redist_after : pf_redist_before;
  pf_range (*theirs)(const pf_redist *, int, int) = receives ? pf_redist_before : pf_redist_after;
  pf_view v = {.element = q->wire[k], .fields = r->batch, .segment = segment};
  v.cut = receives ? r->from : r->to;
  for (int a = 0; a < 3; a++) v.len[a] = mine(r, r->me, a).len;
  for (int other = 0; other < r->ranks; other++) {
    int sender = receives ? other : r->me, receiver = receives ? r->me : other;
    pf_location at = m->ops->memory->locate(m, direction, k, sender, receiver);
    pf_exchange_add_part(&v, theirs(r, other, v.cut), &at, 1);
    if (receives || pf_exchange_pulls(m->ops, r)) coalesce_parts(&v);
  }
  return v;
}

pf_view pf_exchange_send_view(const pf_exchange_memory *m, int direction, int k,
                              pf_segment *segment) {
  return view_of(m, direction, k, 0, segment);
}

pf_view pf_exchange_recv_view(const pf_exchange_memory *m, int direction, int k,
                              pf_segment *segment) {
  return view_of(m, direction, k, 1, segment);
}

int pf_exchange_pulls(const pf_exchange_ops *ops, const pf_redist *r) {
  return ops->memory->pulls && ops->memory->pulls(r);
}

pf_exchange_terms pf_exchange_terms_of(const pf_exchange_memory *m, int direction, int k) {
  return m->ops->memory->terms(m, direction, k);
}

/* ---- allocated ---- */

int pf_exchange_store_create(pf_exchange_store *s, const pf_exchange_memory *m, MPI_Comm comm,
                             pfft3d_error *e) {
  *s = (pf_exchange_store){
      .memory = m, .comm = comm, .grid = {MPI_COMM_NULL, MPI_COMM_NULL}, .node = MPI_COMM_NULL};
  int status = m->ops->memory->create(s, e);
  for (int k = 0; k < PF_SLOT_PLANE && !status; k++) {
    if (!m->bytes[k] || k == PF_SLOT_SHARED || s->window[k].made || s->buffer[k]) continue;
    s->buffer[k] = pf_alloc(m->bytes[k]);
    if (!s->buffer[k])
      status = pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a buffer of %zu bytes", m->bytes[k]);
  }
  return pf_agree(comm, e);
}

void pf_exchange_store_destroy(pf_exchange_store *s) {
  if (!s->memory) return;
  s->memory->ops->memory->destroy(s);
  for (int k = 0; k < PF_SLOTS; k++) pf_free(s->buffer[k]);
  *s = (pf_exchange_store){.memory = NULL};
}

int pf_exchange_store_connect(pf_exchange_store *s, int direction, int k, pf_exchange *x,
                              pfft3d_error *e) {
  const pf_exchange_memory *m = s->memory;
  const pf_exchange_sequence *q = &m->sequence[direction];
  *x = (pf_exchange){.ops = m->ops,
                     .redist = q->redist[k],
                     .size = q->wire[k],
                     .counting = pf_exchange_counting(&q->redist[k], m->cap),
                     .comm = s->comm,
                     .tag = tag + k,
                     .window = MPI_WIN_NULL};
  if (m->ops->memory->connect) m->ops->memory->connect(s, direction, k, x);
  return pf_exchange_create(x, e);
}

void pf_exchange_store_bind(pf_exchange_store *s, int direction, char *base[PF_SLOTS]) {
  static const pf_slot own[] = {PF_SLOT_SEND, PF_SLOT_RECV, PF_SLOT_EXTRA, PF_SLOT_EDGES};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) base[own[k]] = s->buffer[own[k]];
  if (s->memory->ops->memory->bind) s->memory->ops->memory->bind(s, direction, base);
}

void pf_exchange_bind_halves(pf_exchange_store *s, int direction, char *base[PF_SLOTS]) {
  const pf_exchange_memory *m = s->memory;
  base[PF_SLOT_SHARED] = s->shared.base + (s->next_half ? m->half : 0);
  base[PF_SLOT_STAGED] = s->shared.base + (s->next_half ? 0 : m->half);
  if (pf_exchange_halves(m) > 1) s->next_half = (s->next_half + m->sequence[direction].count) % 2;
}

int pf_exchange_store_share(pf_exchange_store *s, size_t bytes, pfft3d_error *e) {
  const pf_exchange_memory *m = s->memory;
  const char *instead = m->stores ? "local messages needs" : "other exchanges need";
  if (m->uneven) {
    pf_hint(e, "start the same number of ranks on every node; %s no equal nodes", instead);
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
                   "exchange '%s': the nodes have different numbers of ranks", m->ops->name);
  }
  int code = MPI_Comm_split(s->comm, m->rank / m->node_ranks, m->rank, &s->node);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split");
  if (pf_shared_create(s->node, bytes, &s->shared, e) == PFFT3D_ERR_UNAVAILABLE)
    pf_hint(e, "%d consecutive ranks were taken as a node; %s no shared memory", m->node_ranks,
            instead);
  return e->status;
}

void pf_exchange_store_unshare(pf_exchange_store *s) {
  pf_shared_destroy(&s->shared);
  pf_comm_free(&s->node);
}

char *pf_exchange_store_edges(const pf_exchange_store *s) {
  char *base = s->memory->ops->direct ? s->shared.base : s->buffer[PF_SLOT_EDGES];
  return base + pf_exchange_edges_at(s->memory, s->memory->rank);
}

int *pf_exchange_store_note(const pf_exchange_store *s, int rank) {
  size_t offset = (size_t)pf_exchange_halves(s->memory) * s->memory->half;
  return (int *)(s->shared.base + (size_t)rank * s->shared.part + offset);
}
