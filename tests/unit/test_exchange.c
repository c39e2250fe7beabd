/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every registered exchange, by itself: each element carries its global index, lines are written to
 * the send buffer only just before they are posted, and what arrives is compared byte by byte.
 * Memory of other ranks is a window of the test, and nodes are made up: of 1, 2 and all ranks. */
#include "exchange/memory.h"

#include "cells.h"
#include "exchange_calls.h"
#include "exchange_ranks.h"
#include "redist.h"
#include "support.h"

enum { RUNS = 3 }; /* of one exchange in a row */
static const unsigned char poison = 0xA5;

/* ---- a case ---- */

/* The exchange and its redistribution, in bytes of an element. */
typedef struct {
  const pf_exchange_ops *ops;
  const form *f;
  pf_redist r;
  ptrdiff_t cap;
  size_t size;
  int by_plane; /* lines are posted at the end of a plane, not group by group */
  int waits;    /* planes are waited for one by one, not all together by finish */
  int run;
  char *send, *recv;
  size_t send_bytes, recv_bytes;
  const node *node; /* NULL: the exchange needs none */
} setting;

static const char *name_of(const setting *c) {
  static char text[260];
  snprintf(text, sizeof text, "%s, %zu bytes, cap %td, run %d, %s", c->ops->name, c->size, c->cap,
           c->run, redist_name(c->f, &c->r));
  return text;
}

static char *guarded(size_t bytes) {
  char *p = get(bytes + 2 * GUARD);
  memset(p, poison, bytes + 2 * GUARD);
  return p + GUARD;
}

static int all_poison(const char *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if ((unsigned char)p[i] != poison) return 0;
  return 1;
}

/* Writes (or compares) an element by its global indices. */
static int element_bytes(const setting *c, const ptrdiff_t i[3], ptrdiff_t b, char *at,
                         int compare) {
  const ptrdiff_t *n = c->r.len;
  uint64_t element = (uint64_t)(((b * n[0] + i[0]) * n[1] + i[1]) * n[2] + i[2]);
  for (size_t k = 0; k < c->size; k++) {
    char byte = (char)(mix(element * 16 + (uint64_t)c->run) >> (k % 8 * 8));
    if (!compare)
      at[k] = byte;
    else if (at[k] != byte)
      return 0;
  }
  return 1;
}

/* An area of a rank of the own node, by its number there. */
static char *area_of(const node *n, int mate, int which) {
  return n->window.base + (size_t)mate * n->window.part + GUARD + (size_t)which * (AREA + GUARD);
}

static int is_mate(const setting *c, int k) {
  return c->node && k / c->node->memory.node_map.node == c->r.me / c->node->memory.node_map.node;
}

/* Where an element lies that this rank has for another, or from one. */
static char *address(const setting *c, int sender, int receiver, const ptrdiff_t i[3],
                     ptrdiff_t b) {
  pf_redist there = c->r; /* with a mate, lines are left where that one will read them */
  there.me = receiver;
  if (sender == c->r.me && receiver != c->r.me && is_mate(c, receiver))
    return area_of(c->node, receiver % c->node->memory.node_map.node, c->run % 2) +
           (size_t)received_offset(&there, sender, i, b) * c->size;
  if (sender == c->r.me && receiver != c->r.me)
    return c->send + (size_t)sent_offset(&c->r, receiver, i, b) * c->size;
  return c->recv + (size_t)received_offset(&c->r, sender, i, b) * c->size;
}

enum { WRITE, COMPARE, EMPTY }; /* EMPTY: nobody has written there */

/* A line of a block, all fields: plane and line are global; counts the wrong elements. */
static ptrdiff_t block_line(const setting *c, int sender, int receiver, ptrdiff_t plane,
                            ptrdiff_t line, int what) {
  const pf_redist *r = &c->r;
  pf_range run = share_of(r, sender, receiver, 2);
  ptrdiff_t i[3], wrong = 0;
  i[r->outer] = plane;
  i[1 - r->outer] = line;
  for (ptrdiff_t b = 0; b < r->batch; b++)
    for (i[2] = run.lo; i[2] < run.lo + run.len; i[2]++) {
      char *at = address(c, sender, receiver, i, b);
      wrong += what == EMPTY ? !all_poison(at, c->size) : !element_bytes(c, i, b, at, what);
    }
  return wrong;
}

/* ---- sending ---- */

/* Line q of a local plane, for all to whom something of it goes. */
static ptrdiff_t send_line(const setting *c, ptrdiff_t plane, ptrdiff_t q, int what) {
  const pf_redist *r = &c->r;
  int across = 1 - r->outer;
  ptrdiff_t wrong = 0;
  plane += share_of(r, r->me, r->me, r->outer).lo;
  if (across == r->from) q += share_axis(r, across, r->me).lo;
  for (int d = 0; d < r->ranks; d++) {
    pf_range lines = share_of(r, r->me, d, across);
    if (d == r->me || q < lines.lo || q >= lines.lo + lines.len) continue;
    wrong += block_line(c, r->me, d, plane, q, what);
  }
  return wrong;
}

static void post_lines(pf_exchange *x, const setting *c, ptrdiff_t plane, ptrdiff_t first,
                       ptrdiff_t count) {
  for (ptrdiff_t q = first; q < first + count; q++) send_line(c, plane, q, WRITE);
  if (x->ops->post)
    CHECK(x->ops->post(x, plane, first, count) == MPI_SUCCESS, "%s: post", name_of(c));
}

/* The lines of a plane in the order that is laid down, in parts. */
static void post_plane(pf_exchange *x, const setting *c, ptrdiff_t plane) {
  const pf_redist *r = &c->r;
  ptrdiff_t first = pf_redist_first_line(r, r->me), n = pf_redist_lines(r, 0);
  if (c->by_plane) {
    post_lines(x, c, plane, first, n - first);
    if (first) post_lines(x, c, plane, 0, first);
    return;
  }
  ptrdiff_t groups = (n + r->group - 1) / r->group;
  for (ptrdiff_t k = 0; k < groups; k++) {
    ptrdiff_t q = (first / r->group + k) % groups * r->group;
    post_lines(x, c, plane, q, n - q < r->group ? n - q : r->group);
    if (x->ops->progress) CHECK(x->ops->progress(x) == MPI_SUCCESS, "%s: progress", name_of(c));
  }
}

/* ---- receiving ---- */

/* Plane p (local) of the receiver, from all other ranks; the place of the own part, where there is
 * one, is not touched. */
static void check_plane(const setting *c, ptrdiff_t p, const char *when) {
  const pf_redist *r = &c->r;
  ptrdiff_t wrong = 0;
  p += share_of(r, r->me, r->me, r->next).lo;
  for (int s = 0; s < r->ranks; s++) {
    pf_range planes = share_of(r, s, r->me, r->outer), lines = share_of(r, s, r->me, 1 - r->outer);
    if (s == r->me && r->own_apart) continue;
    for (ptrdiff_t i = planes.lo; i < planes.lo + planes.len; i++)
      for (ptrdiff_t j = lines.lo; j < lines.lo + lines.len; j++)
        if ((r->next == r->outer ? i : j) == p)
          wrong += block_line(c, s, r->me, i, j, s == r->me ? EMPTY : COMPARE);
  }
  CHECK(!wrong, "%s: %td wrong elements in plane %td after %s", name_of(c), wrong, p, when);
}

static ptrdiff_t received_planes(const setting *c) {
  return c->r.me == c->r.ranks ? 0 : share_of(&c->r, c->r.me, c->r.me, c->r.next).len;
}

/* Bytes of the messages to node b, which one rank of the own node sends for all of them. */
static double node_bytes(const setting *c, int b) {
  const pf_node_map *m = &c->node->memory.node_map;
  ptrdiff_t elements = 0;
  for (int s = 0; s < c->r.ranks; s++)
    for (int d = 0; d < c->r.ranks; d++)
      if (s / m->node == m->me / m->node && d / m->node == b) elements += block_size(&c->r, s, d);
  return (double)elements * (double)c->size;
}

/* Those of all nodes that are this rank's turn, and how many messages they are. */
static double turn_bytes(const setting *c, double *messages) {
  const pf_node_map *m = &c->node->memory.node_map;
  int mine = m->me / m->node, here = 0, nodes = (m->ranks - 1) / m->node + 1;
  double bytes = 0, full = (double)c->cap * (double)c->size;
  for (int k = 0; k < m->ranks; k++) here += k / m->node == mine;
  *messages = 0;
  for (int b = 0; b < nodes; b++) {
    if (b == mine || b % here != m->me % m->node) continue;
    double to_b = node_bytes(c, b);
    bytes += to_b;
    *messages += c->cap ? ceil(to_b / full) : to_b > 0;
  }
  return bytes;
}

static void check_counters(const pf_exchange *x, const setting *c) {
  pf_message_count want = pf_exchange_count(c->ops, &c->r, c->size, c->cap), sent = x->sent;
  double all = (double)pf_redist_send_elements(&c->r) * (double)c->size, messages = sent.messages;
  if (c->ops->direct) all = 0;
  if (c->node) {
    pf_exchange_memory m = lay_out_one(c->ops, &c->r, &c->node->memory.node_map, c->size, c->cap);
    want = m.sequence[0].sent[0];
    all = turn_bytes(c, &messages);
  }
  CHECK(sent.messages == want.messages, "%s: %g sent, %g counted", name_of(c), sent.messages,
        want.messages);
  CHECK(sent.bytes == want.bytes, "%s: %g bytes sent, %g counted", name_of(c), sent.bytes,
        want.bytes);
  CHECK(sent.bytes_min == want.bytes_min && sent.bytes_max == want.bytes_max,
        "%s: %g to %g sent, %g to %g counted", name_of(c), sent.bytes_min, sent.bytes_max,
        want.bytes_min, want.bytes_max);
  CHECK(sent.bytes == all && sent.messages == messages, "%s: %g bytes of %g, %g messages of %g",
        name_of(c), sent.bytes, all, sent.messages, messages);
  CHECK(!c->cap || largest_count <= c->cap, "%s: a count of %td", name_of(c), largest_count);
}

/* Where messages of a given size are requested, lines are counted one by one until they are
 * enough: of a plane, for each receiver, by the longest lines that any rank has for it. */
static void check_wish(const setting *c, double messages) {
  const pf_redist *r = &c->r;
  double want = 0;
  if (c->ops->grain != PF_GRAIN_PART || !r->message || c->cap || r->me == r->ranks) return;
  for (int d = 0; d < r->ranks; d++) {
    pf_range planes = share_of(r, r->me, d, r->outer), lines = share_of(r, r->me, d, 1 - r->outer);
    ptrdiff_t line = 0, held = 0, full = 0;
    for (int s = 0; s < r->ranks; s++)
      if (share_of(r, s, d, 2).len > line) line = share_of(r, s, d, 2).len;
    line *= r->batch * (ptrdiff_t)c->size;
    if (d == r->me || !block_size(r, r->me, d)) continue;
    for (ptrdiff_t q = 0; q < lines.len; q++) {
      held += line;
      if (held >= r->message || q == lines.len - 1) full++, held = 0;
    }
    want += (double)full * (double)planes.len;
  }
  CHECK(messages == want, "%s: %g messages of %td bytes or more, not %g", name_of(c), messages,
        r->message, want);
}

/* Both areas are clean when a case begins; in each run, the one of the next run is made so before
 * anybody can store there: behind the end of this one. */
static void prepare(pf_exchange *x, setting *c) {
  if (!c->node) {
    memset(c->send, poison, c->send_bytes);
    memset(c->recv, poison, c->recv_bytes);
  } else {
    int mate = c->node->memory.node_map.me % c->node->memory.node_map.node;
    c->send = area_of(c->node, mate, 2);
    c->recv = area_of(c->node, mate, c->run % 2);
    memset(c->send, poison, c->send_bytes);
    memset(area_of(c->node, mate, (c->run + 1) % 2), poison, c->recv_bytes);
  }
  x->send = c->send;
  x->recv = c->node ? area_of(c->node, 0, c->run % 2) : c->recv;
}

static void one_run(pf_exchange *x, setting *c) {
  const pf_redist *r = &c->r;
  ptrdiff_t planes = r->me == r->ranks ? 0 : share_of(r, r->me, r->me, r->outer).len;
  prepare(x, c);
  x->sent = (pf_message_count){0};
  largest_count = 0;
  last_tag = disorder = 0;
  CHECK(pf_exchange_start(x) == MPI_SUCCESS, "%s: start", name_of(c));
  for (ptrdiff_t p = 0; p < planes; p++) post_plane(x, c, p);
  for (ptrdiff_t q = 0; q < received_planes(c) && c->waits; q++) {
    CHECK(pf_exchange_wait(x, q) == MPI_SUCCESS, "%s: wait", name_of(c));
    check_plane(c, q, "wait");
  }
  CHECK(pf_exchange_finish(x) == MPI_SUCCESS, "%s: finish", name_of(c));
  for (ptrdiff_t q = 0; q < received_planes(c); q++) check_plane(c, q, "finish");
  /* Where everything was complete before anything could leave, it leaves as it is needed. */
  CHECK(!c->by_plane || !disorder, "%s: %d messages before others that are needed first",
        name_of(c), disorder);
  check_counters(x, c);
  check_wish(c, x->sent.messages);
}

/* The send buffer still holds what was written to it, and both are clean around. */
static void check_untouched(const setting *c) {
  const pf_redist *r = &c->r;
  ptrdiff_t planes = r->me == r->ranks ? 0 : share_of(r, r->me, r->me, r->outer).len, wrong = 0;
  for (ptrdiff_t p = 0; p < planes; p++)
    for (ptrdiff_t q = 0; q < pf_redist_lines(r, 0); q++) wrong += send_line(c, p, q, COMPARE);
  CHECK(!wrong, "%s: %td elements of the send buffer changed", name_of(c), wrong);
  CHECK(all_poison(c->send - GUARD, GUARD) && all_poison(c->send + c->send_bytes, GUARD),
        "%s: written around the send buffer", name_of(c));
  CHECK(all_poison(c->recv - GUARD, GUARD) && all_poison(c->recv + c->recv_bytes, GUARD),
        "%s: written around the receive buffer", name_of(c));
}

/* Memory for all cases that other ranks can put into; on each rank it begins elsewhere. */
static MPI_Win window;
static char *window_base;

static void make_window(size_t bytes) {
  int rank, code;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  size_t before = 16 * (size_t)(rank % 3);
  code = MPI_Win_allocate((MPI_Aint)(bytes + before + 2 * GUARD), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                          &window_base, &window);
  CHECK(code == MPI_SUCCESS, "MPI_Win_allocate");
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  window_base += before;
}

static char *guarded_window(size_t bytes) {
  memset(window_base, poison, bytes + 2 * GUARD);
  MPI_Barrier(MPI_COMM_WORLD); /* before anybody puts there */
  return window_base + GUARD;
}

/* Buffers of the case: its own, or cleared ones in the memory of the node. */
static int create(pf_exchange *x, MPI_Comm comm, setting *c, pfft3d_error *e) {
  *x = (pf_exchange){.ops = c->ops,
                     .redist = c->r,
                     .size = c->size,
                     .counting = pf_exchange_counting(&c->r, c->cap),
                     .comm = comm,
                     .tag = 5,
                     .window = window};
  if (!c->node) {
    x->send = c->send = guarded(c->send_bytes);
    x->recv = c->recv = (c->ops->windows ? guarded_window : guarded)(c->recv_bytes);
    return pf_exchange_create(x, e);
  }
  const pf_node_memory *m = &c->node->memory;
  CHECK(c->send_bytes <= AREA && c->recv_bytes <= AREA, "%s: too large", name_of(c));
  memset(area_of(c->node, m->node_map.me % m->node_map.node, 0) - GUARD, poison,
         3 * (AREA + GUARD));
  MPI_Barrier(c->node->all);
  x->comm = c->node->all;
  x->node = *m;
  x->counting.unit = 1; /* as it does in a plan */
  return pf_exchange_create(x, e);
}

static void test_messages(MPI_Comm comm, setting *c) {
  pf_exchange x;
  pfft3d_error e;
  pf_error_clear(&e);
  c->send_bytes = (size_t)pf_redist_send_elements(&c->r) * c->size;
  c->recv_bytes = (size_t)pf_redist_recv_elements(&c->r) * c->size;
  int status = create(&x, comm, c, &e);
  CHECK(!status, "%s: create: %s", name_of(c), e.text);
  for (c->run = 0; c->run < RUNS && !status; c->run++) {
    c->waits = c->run != 1;
    one_run(&x, c);
    if (c->run == RUNS - 1) check_untouched(c);
  }
  pf_exchange_destroy(&x);
  if (c->node) {
    MPI_Barrier(c->node->all); /* before anybody clears it again */
    return;
  }
  free(c->send - GUARD);
  if (!c->ops->windows) free(c->recv - GUARD);
}

/* ---- exchanges that store ---- */

/* All elements of the box of a view, by their global indices from `lo` on. */
static ptrdiff_t touch(const setting *c, const pf_view *v, const ptrdiff_t lo[3], char *base,
                       int compare) {
  ptrdiff_t wrong = 0;
  for (ptrdiff_t b = 0; b < c->r.batch; b++)
    for (ptrdiff_t i = 0; i < v->len[0]; i++)
      for (ptrdiff_t j = 0; j < v->len[1]; j++)
        for (ptrdiff_t k = 0; k < v->len[2]; k++) {
          pf_tile tile = {.line = 2, .tile = 1, .field = b, .o = i, .t = j, .width = 1};
          pf_block at;
          int first, last, found = 0;
          pf_view_segments(v, &tile, &first, &last);
          for (int s = first; s <= last && !found; s++)
            found = pf_view_block(v, &tile, s, &at) && k >= at.first_point &&
                    k < at.first_point + at.points;
          ptrdiff_t offset = at.offset + (k - at.first_point) * at.along;
          ptrdiff_t g[3] = {lo[0] + i, lo[1] + j, lo[2] + k};
          wrong += !found || !element_bytes(c, g, b, base + offset * (ptrdiff_t)c->size, compare);
        }
  return wrong;
}

/* One run: this rank stores to all; behind the barrier everything is there. */
static void store_once(pf_exchange *x, const setting *c, pf_exchange_store *store) {
  const pf_redist *r = &c->r;
  pf_segment segment[16];
  ptrdiff_t before[3] = {0, 0, 0}, after[3] = {0, 0, 0};
  char *base[PF_SLOTS] = {NULL};
  pf_slot slot = store->memory->sequence[0].send[0];
  largest_count = 0;
  if (r->me < r->ranks) {
    before[r->from] = share_axis(r, r->from, r->me).lo;
    after[r->to] = share_axis(r, r->to, r->me).lo;
  }
  pf_exchange_store_bind(store, 0, base);
  CHECK(pf_exchange_start(x) == MPI_SUCCESS, "%s: start", name_of(c));
  pf_view v = pf_exchange_send_view(store->memory, 0, 0, segment);
  CHECK(!touch(c, &v, before, base[slot], 0), "%s: elements without a place", name_of(c));
  if (c->waits)
    for (ptrdiff_t q = 0; q < received_planes(c); q++)
      CHECK(pf_exchange_wait(x, q) == MPI_SUCCESS, "%s: wait", name_of(c));
  CHECK(pf_exchange_finish(x) == MPI_SUCCESS, "%s: finish", name_of(c));
  v = pf_exchange_recv_view(store->memory, 0, 0, segment);
  int most = x->redist.from == 2 || pf_exchange_pulls(x->ops, &x->redist) ? x->redist.ranks : 1;
  CHECK(v.count <= most, "%s: segments", name_of(c));
  ptrdiff_t wrong = touch(c, &v, after, base[slot], 1);
  CHECK(!wrong, "%s: %td wrong elements", name_of(c), wrong);
  check_counters(x, c);
}

/* The ranks of comm, of which the last one may be beside the grid; halves take turns, as in a plan.
 */
static void test_stores(MPI_Comm comm, setting *c) {
  pf_exchange x;
  pfft3d_error e;
  pf_exchange_store store;
  pf_node_map map = {.grid = {1, c->r.ranks}, .dim = 1, .cut = PF_WHOLE};
  MPI_Comm_size(comm, &map.ranks);
  MPI_Comm_rank(comm, &map.me);
  map.node = map.ranks;
  pf_error_clear(&e);
  pf_exchange_memory memory = lay_out_one(c->ops, &c->r, &map, c->size, c->cap);
  int status = pf_exchange_store_create(&store, &memory, comm, &e);
  CHECK(!status, "%s: memory: %s", name_of(c), e.text);
  if (status) return;
  status = pf_exchange_store_connect(&store, 0, 0, &x, &e);
  CHECK(!status, "%s: create: %s", name_of(c), e.text);
  for (c->run = 0; c->run < RUNS && !status; c->run++) {
    c->waits = c->run != 1;
    store_once(&x, c, &store);
  }
  MPI_Barrier(comm);
  pf_exchange_destroy(&x);
  pf_exchange_store_destroy(&store);
}

/* ---- all of them ---- */

/* Sizes, groups and ways of posting take turns: all of them come with every form, cap and batch; on
 * more ranks than two each case is one of two. */
static void test_form(MPI_Comm comm, const node nodes[NODE_KINDS], int kind, int me, int ranks,
                      const form *f, const ptrdiff_t n[3]) {
  static const size_t size[] = {16, 8, 4};
  static const ptrdiff_t cap[] = {0, 1, 7}, group[] = {1, 3, 8, 1}, wish[] = {0, 1, 100, 0, 700};
  static int turn, of_nodes;
  for (int i = 0; pf_exchange_at(i); i++)
    for (int k = 0; k < 6; k++, turn++) {
      if (ranks > 2 && mix((uint64_t)turn) % (unsigned)one_of(2)) continue;
      setting c = {.ops = pf_exchange_at(i), .f = f, .cap = cap[k % 3], .size = size[turn / 5 % 3]};
      c.r = make_redist(f, n, 1 + k / 3 * 2, ranks, me);
      roll_cuts(&c.r, turn % 5 > 1 ? (uint64_t)turn : 0);
      c.r.group = group[turn % 4];
      c.r.message = wish[turn % 5];
      c.r.one_node = turn / 2 % 2;
      c.by_plane = turn % 4 == 3, c.r.own_apart = turn / 4 % 2;
      c.r.boxes = c.ops->boxes;
      if (c.ops->memory == &pf_memory_node) {
        c.node = &nodes[of_nodes++ / 6 % NODE_KINDS];
        c.r.own_apart = 0;
      }
      if (!c.ops->direct)
        test_messages(comm, &c);
      else if (kind != 2) /* one barrier for all ranks, and two groups of them */
        test_stores(kind == BESIDE ? MPI_COMM_WORLD : comm, &c);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t shape[][3] = {{1, 1, 1},   {2, 3, 5},   {1, 19, 2},
                                       {13, 5, 17}, {12, 12, 2}, {3, 25, 6}};
  size_t largest = 0;
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
    size_t elements = 3 * (size_t)(shape[k][0] * shape[k][1] * shape[k][2]);
    if (elements > largest) largest = elements;
  }
  make_window(16 * largest);
  for (int kind = 0; kind <= BESIDE; kind++) {
    int me, ranks;
    MPI_Comm comm = make_ranks(kind, &me, &ranks);
    node nodes[NODE_KINDS];
    for (int k = 0; k < NODE_KINDS; k++)
      make_node(&nodes[k], kind, comm, ranks, (int[]){2, 1, ranks + 1}[k]);
    for (int f = 0; f < FORMS; f++)
      for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
        if (((int)k + f + kind) % one_of(2) == 0)
          test_form(comm, nodes, kind, me, ranks, &forms[f], shape[k]);
    for (int k = 0; k < NODE_KINDS; k++) free_node(&nodes[k]);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  CHECK(!pf_exchange_find("none such"), "an exchange nobody registered");
  for (int i = 0; pf_exchange_at(i); i++)
    CHECK(pf_exchange_find(pf_exchange_at(i)->name) == pf_exchange_at(i), "number %d", i);
  return check_result();
}
