/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Views by visiting: whatever way a box is cut into tiles, the blocks of the tiles must reach every
 * element once, at the address where the layout of the memory says that it lies.  And by carrying:
 * what all ranks store through their send views must be found through the receive views. */
#include "base/memory.h"
#include "exchange/memory.h"

#include "redist.h"
#include "support.h"

enum { RANKS = 13, ELEMENT = sizeof(int32_t) };

/* Where element i (local indices) of field b of a view lies, worked out by the test itself. */
typedef struct location {
  pf_slot slot;
  ptrdiff_t offset;
} location;
typedef location where_is(const void *what, const ptrdiff_t i[3], ptrdiff_t b);

/* A way to cut a box into tiles. */
typedef struct way {
  int line, tile;
  ptrdiff_t width;
} way;

/* What is done with each element that the blocks reach: its local indices, and where it lies. */
typedef void meet(void *context, const ptrdiff_t i[3], ptrdiff_t b, pf_slot slot, ptrdiff_t at);

static void meet_block(const pf_block *b, const pf_tile *tile, meet *each, void *context) {
  for (ptrdiff_t j = 0; j < b->lines; j++)
    for (ptrdiff_t p = 0; p < b->points; p++) {
      ptrdiff_t i[3];
      i[tile->line] = b->first_point + p;
      i[tile->tile] = tile->t + b->first_line + j;
      i[3 - tile->line - tile->tile] = tile->o;
      each(context, i, tile->field, b->slot, b->offset + p * b->along + j * b->across);
    }
}

/* All tiles of one field of a view. */
static void visit(const pf_view *v, const way *w, ptrdiff_t field, meet *each, void *context) {
  for (ptrdiff_t o = 0; o < v->len[3 - w->line - w->tile]; o++)
    for (ptrdiff_t t = 0; t < v->len[w->tile] && v->len[w->line]; t += w->width) {
      ptrdiff_t left = v->len[w->tile] - t;
      pf_tile tile = {w->line, w->tile, field, o, t, left < w->width ? left : w->width};
      pf_block b;
      int first, last;
      pf_view_segments(v, &tile, &first, &last);
      CHECK(first >= 0 && first <= last && last < v->count, "segments %d .. %d of %d", first, last,
            v->count);
      for (int k = 0; k < v->count; k++) {
        int any = pf_view_block(v, &tile, k, &b);
        CHECK(!any || (k >= first && k <= last), "segment %d is not one of %d .. %d", k, first,
              last);
        if (any) meet_block(&b, &tile, each, context);
      }
    }
}

/* ---- every element once, where it belongs ---- */

typedef struct {
  const pf_view *v;
  where_is *where;
  const void *what;
  unsigned char *seen;
  ptrdiff_t visits, repeated, wrong;
} counts;

static void count(void *context, const ptrdiff_t i[3], ptrdiff_t b, pf_slot slot, ptrdiff_t at) {
  counts *c = context;
  const ptrdiff_t *len = c->v->len;
  location want = c->where(c->what, i, b);
  c->wrong += slot != want.slot || at != want.offset;
  c->visits++;
  int inside = 1;
  for (int a = 0; a < 3; a++) inside = inside && i[a] >= 0 && i[a] < len[a];
  if (!inside || c->seen[(i[0] * len[1] + i[1]) * len[2] + i[2]]++) c->repeated++;
}

static void visit_all_ways(const pf_view *v, ptrdiff_t batch, where_is *where, const void *what,
                           const char *name) {
  static const ptrdiff_t width[] = {1, 5, 8, 1000};
  ptrdiff_t all = v->len[0] * v->len[1] * v->len[2];
  unsigned char *seen = get((size_t)all);
  CHECK(v->element == ELEMENT, "%s: elements of %zu bytes", name, v->element);
  for (int line = 0; line < 3; line++)
    for (int tile = 0; tile < 3; tile++)
      for (int k = 0; k < 4 && tile != line; k++) {
        way w = {line, tile, width[k]};
        counts c = {.v = v, .where = where, .what = what, .seen = seen};
        memset(seen, 0, (size_t)all);
        visit(v, &w, k % batch, count, &c);
        CHECK(c.visits == all && !c.repeated && !c.wrong,
              "%s: line %d tile %d width %td: %td of %td elements, %td again, %td misplaced", name,
              line, tile, width[k], c.visits, all, c.repeated, c.wrong);
      }
  free(seen);
}

/* ---- a whole box ---- */

static location in_whole(const void *what, const ptrdiff_t i[3], ptrdiff_t b) {
  const pfft3d_box *x = what;
  ptrdiff_t at = x->offset + b * x->distance;
  for (int a = 0; a < 3; a++) at += i[a] * x->stride[a];
  return (location){PF_SLOT_OUT, at};
}

static void test_whole(void) {
  pfft3d_box box = {
      .lo = {3, 1, 4}, .len = {4, 3, 11}, .stride = {100, 17, 1}, .offset = 21, .distance = 500};
  pf_segment segment;
  pf_view v = pf_view_whole(&box, ELEMENT, 3, PF_SLOT_OUT, &segment);
  visit_all_ways(&v, 3, in_whole, &box, "whole box");
  box.len[1] = 0;
  v = pf_view_whole(&box, ELEMENT, 3, PF_SLOT_OUT, &segment);
  visit_all_ways(&v, 3, in_whole, &box, "empty box");
}

/* ---- the views of a redistribution ---- */

/* A redistribution, the last one of the memory that its views are handed out by. */
typedef struct {
  pf_redist r;
  pf_exchange_memory m;
} setting;

static const pf_exchange_sequence *sequence_of(const setting *x) {
  return &x->m.sequence[0];
}

static int exchange_of(const setting *x) {
  return sequence_of(x)->count - 1;
}

/* The own block rests where the exchange before has put it. */
static location in_own(const setting *x, const ptrdiff_t i[3], ptrdiff_t b) {
  const pf_redist *first = &sequence_of(x)->redist[0];
  return (location){sequence_of(x)->recv[0], received_offset(first, first->me, i, b)};
}

/* The rank whose part of an axis holds an index. */
static int holder(const pf_redist *r, int axis, ptrdiff_t index) {
  int k = 0;
  while (index >= share_axis(r, axis, k).lo + share_axis(r, axis, k).len) k++;
  return k;
}

static location in_send(const void *what, const ptrdiff_t i[3], ptrdiff_t b) {
  const setting *x = what;
  const pf_redist *r = &x->r;
  int d = holder(r, r->to, i[r->to]);
  ptrdiff_t global[3] = {i[0], i[1], i[2]};
  global[r->from] += share_axis(r, r->from, r->me).lo;
  if (d == r->me && r->own_apart) return in_own(x, global, b);
  if (d == r->me)
    return (location){sequence_of(x)->recv[exchange_of(x)], received_offset(r, d, global, b)};
  return (location){sequence_of(x)->send[exchange_of(x)], sent_offset(r, d, global, b)};
}

static location in_recv(const void *what, const ptrdiff_t i[3], ptrdiff_t b) {
  const setting *x = what;
  const pf_redist *r = &x->r;
  int s = holder(r, r->from, i[r->from]);
  ptrdiff_t global[3] = {i[0], i[1], i[2]};
  global[r->to] += share_axis(r, r->to, r->me).lo;
  if (s == r->me && r->own_apart) return in_own(x, global, b);
  return (location){sequence_of(x)->recv[exchange_of(x)], received_offset(r, s, global, b)};
}

/* The most indices of an axis that any rank has where it is cut along `cut`. */
static ptrdiff_t longest(const pf_redist *r, int cut, int axis) {
  ptrdiff_t most = axis == cut ? 0 : r->len[axis];
  for (int k = 0; k < r->ranks && axis == cut; k++)
    if (share_axis(r, axis, k).len > most) most = share_axis(r, axis, k).len;
  return most;
}

/* Where the elements of a sender, or the end, are in rows that are put together along axis 2: at
 * cache lines, unless a row has less than four for each rank. */
static ptrdiff_t begins(const pf_redist *r, int sender) {
  ptrdiff_t line = 64 / ELEMENT, at = 0;
  for (int k = 0; k < sender; k++) {
    ptrdiff_t len = share_axis(r, 2, k).len;
    at += r->len[2] < 4 * line * r->ranks ? len : (len + line - 1) / line * line;
  }
  return at;
}

/* Elements from rank 0 of the plan to a rank of the redistribution, which is every other one. */
static ptrdiff_t part_at(const setting *x, int rank) {
  return (1 + 2 * (ptrdiff_t)rank) * (ptrdiff_t)(x->m.bytes[PF_SLOT_SHARED] / ELEMENT);
}

/* The part of the receiver where rows are put together: [field][plane of the receiver][line][axis
 * 2], in padded rows. */
static location in_part(const setting *x, const ptrdiff_t global[3], ptrdiff_t b) {
  const pf_redist *r = &x->r;
  int receiver = holder(r, r->to, global[r->to]);
  ptrdiff_t len[3] = {r->len[0], r->len[1], r->len[2]}, i[3] = {global[0], global[1], global[2]};
  len[r->to] = share_axis(r, r->to, receiver).len;
  i[r->to] -= share_axis(r, r->to, receiver).lo;
  ptrdiff_t line = i[r->next] * len[1 - r->next] + i[1 - r->next];
  ptrdiff_t lines = longest(r, r->to, 0) * longest(r, r->to, 1);
  ptrdiff_t row = pf_plane_stride(begins(r, r->ranks), ELEMENT);
  int sender = holder(r, 2, global[2]);
  i[2] = begins(r, sender) + global[2] - share_axis(r, 2, sender).lo;
  return (location){PF_SLOT_SHARED, part_at(x, receiver) + b * lines * row + line * row + i[2]};
}

/* The part of the sender elsewhere, with its box before the exchange: likewise. */
static location in_part_before(const setting *x, const ptrdiff_t global[3], ptrdiff_t b) {
  const pf_redist *r = &x->r;
  int sender = holder(r, r->from, global[r->from]), inner = 1 - r->next;
  ptrdiff_t i[3] = {global[0], global[1], global[2]};
  i[r->from] -= share_axis(r, r->from, sender).lo;
  ptrdiff_t row = pf_plane_stride(r->len[2], ELEMENT), lines = longest(r, r->from, inner);
  ptrdiff_t line = (b * longest(r, r->from, r->next) + i[r->next]) * lines + i[inner];
  return (location){PF_SLOT_SHARED, part_at(x, sender) + line * row + i[2]};
}

static location in_direct(const setting *x, const ptrdiff_t i[3], ptrdiff_t b, int cut) {
  ptrdiff_t global[3] = {i[0], i[1], i[2]};
  global[cut] += share_axis(&x->r, cut, x->r.me).lo;
  return (x->r.from == 2 ? in_part : in_part_before)(x, global, b);
}

static location in_send_direct(const void *what, const ptrdiff_t i[3], ptrdiff_t b) {
  const setting *x = what;
  return in_direct(x, i, b, x->r.from);
}

static location in_recv_direct(const void *what, const ptrdiff_t i[3], ptrdiff_t b) {
  const setting *x = what;
  return in_direct(x, i, b, x->r.to);
}

/* The memory of a plan with this exchange: shared by every other rank; or buffers, where before it,
 * if the own block rests elsewhere, there is one that goes the other way. */
static void make_memory(setting *x, int direct) {
  const pf_redist *r = &x->r;
  pf_exchange_sequence *q = &x->m.sequence[0];
  const char *name = direct ? "shared" : r->boxes ? "alltoallw" : "packed";
  x->m = (pf_exchange_memory){.ops = pf_exchange_find(name)};
  x->m.ranks = x->m.node_ranks = 2 * r->ranks;
  x->m.rank = 2 * r->me + 1;
  if (r->own_apart && !direct) {
    pf_redist before = *r;
    before.own_apart = 0;
    before.from = r->to;
    before.to = r->from;
    before.outer = r->next;
    before.next = r->outer;
    q->wire[q->count] = ELEMENT;
    q->redist[q->count] = q->largest[q->count] = before;
    q->count++;
  }
  q->redist[q->count] = q->largest[q->count] = *r;
  q->wire[q->count] = ELEMENT;
  q->node_map[q->count] = (pf_node_map){.ranks = x->m.ranks,
                                        .me = x->m.rank,
                                        .node = x->m.ranks,
                                        .grid = {r->ranks, 2},
                                        .dim = 0,
                                        .cut = PF_WHOLE};
  q->count++;
  pf_exchange_lay_out(&x->m);
}

/* The views of one rank: of messages, or that store into the receivers' parts. */
static void make_views(setting *x, int direct, pf_view *send, pf_view *recv,
                       pf_segment segment[2][RANKS]) {
  make_memory(x, direct);
  *send = pf_exchange_send_view(&x->m, 0, exchange_of(x), segment[0]);
  *recv = pf_exchange_recv_view(&x->m, 0, exchange_of(x), segment[1]);
}

static void set_rank(setting *x, int me) {
  x->r.me = me;
}

static void test_places(const form *f, setting *x) {
  pf_segment segment[2][RANKS];
  pf_view send, recv;
  for (int me = 0; me < x->r.ranks; me++)
    for (int direct = 0; direct < 2; direct++) {
      const char *name = redist_name(f, &x->r);
      set_rank(x, me);
      make_views(x, direct, &send, &recv, segment);
      for (int a = 0; a < 3; a++)
        CHECK(send.len[a] == pf_redist_before(&x->r, me, a).len &&
                  recv.len[a] == pf_redist_after(&x->r, me, a).len,
              "%s: axis %d", name, a);
      visit_all_ways(&send, x->r.batch, direct ? in_send_direct : in_send, x, name);
      visit_all_ways(&recv, x->r.batch, direct ? in_recv_direct : in_recv, x, name);
    }
}

/* A rank beside the grid sees nothing. */
static void test_outsider(setting *x) {
  pf_segment segment[2][RANKS];
  pf_view v[2];
  for (int direct = 0; direct < 2; direct++) {
    set_rank(x, x->r.ranks);
    x->r.own_apart = 0;
    make_views(x, direct, &v[0], &v[1], segment);
    for (int k = 0; k < 2; k++) visit_all_ways(&v[k], x->r.batch, NULL, x, "outsider");
  }
}

/* ---- from the send views of all ranks to the receive views ---- */

enum { ROOM = 1 << 17 };
typedef int32_t memory[ROOM]; /* global indices, or nothing */
enum { nothing = -1 };

/* The memories of all ranks: send, receive, where own blocks rest, and one window. */
static memory sent[RANKS], received[RANKS], rests[RANKS], window;

typedef struct {
  const setting *x;
  ptrdiff_t lo[3]; /* of the box */
  ptrdiff_t bad;   /* written twice, not found, or outside */
  int store;
} carrier;

static void carry(void *context, const ptrdiff_t i[3], ptrdiff_t b, pf_slot slot, ptrdiff_t at) {
  carrier *c = context;
  const pf_redist *r = &c->x->r;
  ptrdiff_t g = b;
  for (int a = 0; a < 3; a++) g = g * r->len[a] + i[a] + c->lo[a];
  const pf_exchange_sequence *q = sequence_of(c->x);
  int k = exchange_of(c->x);
  int32_t *m = slot == PF_SLOT_SHARED ? window
               : slot == q->send[k]   ? sent[r->me]
               : slot == q->recv[k]   ? received[r->me]
                                      : rests[r->me];
  if (at < 0 || at >= ROOM) {
    c->bad++;
  } else if (c->store) {
    c->bad += m[at] != nothing;
    m[at] = (int32_t)g;
  } else {
    c->bad += m[at] != (int32_t)g;
  }
}

/* Every rank stores (or looks for) all its elements. */
static ptrdiff_t carry_all(setting *x, int direct, int store) {
  pf_segment segment[2][RANKS];
  pf_view v[2];
  ptrdiff_t bad = 0;
  for (int me = 0; me < x->r.ranks; me++) {
    carrier c = {.x = x, .store = store};
    way w = {2 * (me % 2), 1, 1 + me};
    set_rank(x, me);
    make_views(x, direct, &v[0], &v[1], segment);
    if (store)
      c.lo[x->r.from] = share_axis(&x->r, x->r.from, me).lo;
    else
      c.lo[x->r.to] = share_axis(&x->r, x->r.to, me).lo;
    for (ptrdiff_t b = 0; b < x->r.batch; b++) visit(&v[!store], &w, b, carry, &c);
    bad += c.bad;
  }
  return bad;
}

/* What an exchange does with the element of a block that has these indices. */
static void move_element(setting *x, int s, int d, const ptrdiff_t i[3]) {
  for (ptrdiff_t b = 0; b < x->r.batch; b++) {
    x->r.me = s;
    int32_t element = sent[s][sent_offset(&x->r, d, i, b)];
    x->r.me = d;
    received[d][received_offset(&x->r, s, i, b)] = element;
  }
}

/* And with all of them: from send to receive buffer. */
static void move_blocks(setting *x) {
  for (int s = 0; s < x->r.ranks; s++)
    for (int d = 0; d < x->r.ranks; d++) {
      pf_range part[3];
      ptrdiff_t i[3];
      for (int a = 0; a < 3; a++) part[a] = share_of(&x->r, s, d, a);
      if (s == d) continue;
      for (i[0] = part[0].lo; i[0] < part[0].lo + part[0].len; i[0]++)
        for (i[1] = part[1].lo; i[1] < part[1].lo + part[1].len; i[1]++)
          for (i[2] = part[2].lo; i[2] < part[2].lo + part[2].len; i[2]++) move_element(x, s, d, i);
    }
}

/* Nothing is stored behind the buffers, and no element of them is left out. */
static void test_filled(const form *f, setting *x) {
  for (int me = 0; me < x->r.ranks; me++) {
    set_rank(x, me);
    ptrdiff_t n[2] = {pf_redist_send_elements(&x->r), pf_redist_recv_elements(&x->r)}, wrong = 0;
    for (ptrdiff_t i = 0; i < n[0] + 50; i++) wrong += (sent[me][i] == nothing) != (i >= n[0]);
    for (ptrdiff_t i = 0; i < n[1] + 50; i++) wrong += (received[me][i] == nothing) != (i >= n[1]);
    CHECK(!wrong, "%s: %td places", redist_name(f, &x->r), wrong);
  }
}

static void test_carried(const form *f, setting *x) {
  for (int direct = 0; direct < 2; direct++) {
    memset(sent, nothing, sizeof sent[0] * (size_t)x->r.ranks);
    memset(received, nothing, sizeof received[0] * (size_t)x->r.ranks);
    memset(rests, nothing, sizeof rests[0] * (size_t)x->r.ranks);
    memset(window, nothing, sizeof window);
    ptrdiff_t twice = carry_all(x, direct, 1);
    if (!direct) move_blocks(x);
    ptrdiff_t lost = carry_all(x, direct, 0);
    CHECK(!twice && !lost, "%s: direct %d: %td places written twice, %td elements lost",
          redist_name(f, &x->r), direct, twice, lost);
    if (!direct) test_filled(f, x);
  }
}

/* Rows are padded by three cache lines at most, never to a multiple of eight lines, and longer rows
 * never to less than shorter ones. */
static void test_rows(void) {
  for (size_t element = 4; element <= 16; element *= 2)
    for (ptrdiff_t n = 0, before = 0, row; n < 3000; n++, before = row) {
      ptrdiff_t line = PF_ALIGN / (ptrdiff_t)element;
      row = pf_plane_stride(n, element);
      CHECK(row >= before && row >= n && row < n + 3 * line, "rows of %td: %td, before %td", n, row,
            before);
      CHECK(n < 4 * line || (row % line == 0 && row % (8 * line)), "rows of %td: %td", n, row);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t size[][3] = {{1, 1, 1},  {2, 3, 5},  {3, 2, 1},  {5, 8, 13},
                                      {13, 5, 8}, {8, 13, 5}, {1, 13, 5}, {13, 1, 13},
                                      {6, 4, 2},  {2, 9, 1},  {2, 3, 141}};
  static const int ranks[] = {1, 2, 3, 4, 7, 13};
  test_whole();
  test_rows();
  for (int f = 0; f < FORMS; f++)
    for (int k = 0; k < 6 * 11; k++)
      for (int kind = 0; kind < 8; kind++) {
        setting x = {
            .r = make_redist(&forms[f], size[k / 6], 1 + kind / 2 % 2 * 2, ranks[k % 6], 0)};
        roll_cuts(&x.r, (uint64_t)((f * 60 + k) * 8 + kind) * (unsigned)(k % 2));
        x.r.own_apart = kind % 2;
        x.r.boxes = kind / 4;
        test_places(&forms[f], &x);
        test_carried(&forms[f], &x);
        test_outsider(&x);
      }
  return check_result();
}
