/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Layouts of many ranks by arithmetic: who holds what, and what goes from where to where, of
 * geometries as plans are made from.  No communication.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 20000 by default.  With seed 0 the cases are
 * all fields of 1..32 x 1..32 x 1..32 on 1..64 ranks, 2^21 of them in a mixed sequence, cut into
 * slabs and into pencils on every grid of all ranks.  Else one in ten is like that, the others are
 * of up to 2^20 x 2^20 x 2^20 points on up to 2^16 ranks, cut once, where the ranks looked at are
 * rolled. */
#include "base/hooks.h"
#include "cases.h"
#include "oracle.h"
#include "planner/planner.h"

typedef __int128 wide_int; /* where nothing overflows */

static wide_int product(const pfft3d_box *b) {
  return (wide_int)b->len[0] * b->len[1] * b->len[2];
}

/* Which request and rank it is about. */
typedef struct look {
  pfft3d_request r;
  oracle shape;
  int ranks;
  pf_geometry o;
} look;

static const char *look_name(const look *l) {
  static char text[400];
  snprintf(text, sizeof text, "%s on %d ranks, rank %d, batch %td", request_name(&l->r), l->ranks,
           l->o.rank, l->r.problem.batch);
  return text;
}

/* ---- boxes ---- */

/* The box of a rank, against what the public header says. */
static wide_int check_box(const look *l, int side, int rank) {
  pfft3d_box box, want = expected_field(&l->shape, &l->r, l->ranks, side, rank);
  pf_layout_box(&l->o.layout[side], rank, &box);
  want.distance = box.distance;
  CHECK(same_box(&box, &want, 1) && product(&box) == product(&want),
        "%s: side %d of rank %d: lo %td %td %td len %td %td %td", look_name(l), side, rank,
        box.lo[0], box.lo[1], box.lo[2], box.len[0], box.len[1], box.len[2]);
  return product(&box);
}

/* Few ranks: all boxes.  They are parts as cut_axis() cuts them, one of each, so that what is left
 * to be seen is the sum. */
static void check_boxes(const look *l, dice *d) {
  const pfft3d_decision *c = &l->o.decision.names;
  int used = c->grid[0] * c->grid[1], some = l->ranks <= 64 ? l->ranks : 4;
  CHECK(c->grid[0] > 0 && c->grid[1] > 0 && used <= l->ranks, "%s: grid", look_name(l));
  for (int side = 0; side < 2; side++) {
    const ptrdiff_t *n = l->shape.n[side];
    wide_int sum = 0, all = (wide_int)n[0] * n[1] * n[2];
    for (int k = 0; k < some; k++)
      sum += check_box(l, side, some == l->ranks ? k : roll(d, l->ranks));
    CHECK(some < l->ranks || sum == all, "%s: side %d: boxes have %.0f elements of %.0f",
          look_name(l), side, (double)sum, (double)all);
  }
}

/* ---- redistributions ---- */

/* Elements of a block by the splits alone. */
static wide_int block(const pf_redist *r, int sender, int receiver) {
  wide_int elements = r->batch;
  for (int a = 0; a < 3; a++) {
    ptrdiff_t lo, len = r->len[a];
    if (a == r->from || a == r->to)
      cut_axis(len, r->ranks, a == r->from ? sender : receiver, &lo, &len);
    elements *= len;
  }
  return elements;
}

/* Elements of all blocks for, or of, ranks below `other`, without the own one where that is apart.
 */
static wide_int below(const pf_redist *r, int receive, int other) {
  wide_int elements = r->batch;
  ptrdiff_t lo, len, own = 0, unused;
  int along = receive ? r->from : r->to, kept = receive ? r->to : r->from;
  cut_axis(r->len[along], r->ranks, other, &lo, &len);
  if ((!receive || r->own_apart) && other > r->me)
    cut_axis(r->len[along], r->ranks, r->me, &unused, &own);
  cut_axis(r->len[kept], r->ranks, r->me, &unused, &len);
  for (int a = 0; a < 3; a++) elements *= a == along ? lo - own : a == kept ? len : r->len[a];
  return elements;
}

/* One block of this rank on both sides, and in the words of the other rank. */
static void check_block(const look *l, const pf_redist *r, int other) {
  pf_redist there = *r;
  there.me = other;
  wide_int out = block(r, r->me, other), in = block(r, other, r->me);
  CHECK(
      pf_redist_elements(r, r->me, other) == out && pf_redist_elements(&there, r->me, other) == out,
      "%s: %d to %d, %d sends %td to %d", look_name(l), r->from, r->to, r->me,
      pf_redist_elements(r, r->me, other), other);
  CHECK(pf_redist_elements(r, other, r->me) == in, "%s: %d to %d, %d receives from %d",
        look_name(l), r->from, r->to, r->me, other);
  CHECK(other == r->me || pf_redist_send_offset(r, other) == below(r, 0, other),
        "%s: %d to %d, %d has the block for %d at %td", look_name(l), r->from, r->to, r->me, other,
        pf_redist_send_offset(r, other));
  CHECK((other == r->me && r->own_apart) || pf_redist_recv_offset(r, other) == below(r, 1, other),
        "%s: %d to %d, %d receives the block of %d at %td", look_name(l), r->from, r->to, r->me,
        other, pf_redist_recv_offset(r, other));
  pf_range part = pf_redist_after(r, other, r->to);
  for (int end = 0; part.len && end < 2; end++)
    CHECK(pf_split_owner(r->len[r->to], r->ranks, end ? part.lo + part.len - 1 : part.lo) == other,
          "%s: index %td of %td belongs to %d", look_name(l), part.lo, r->len[r->to], other);
}

/* A message fits its calls, none of which is empty. */
static void check_counts(const look *l, const pf_exchange_sequence *w, int k, int other) {
  const pf_redist *r = &w->redist[k];
  pf_counting c = pf_exchange_counting(r, l->o.memory.cap);
  ptrdiff_t elements = pf_redist_elements(r, r->me, other);
  wide_int call = (wide_int)c.unit * c.cap;
  ptrdiff_t calls = pf_counting_portions(&c, elements);
  CHECK(c.unit >= 1 && (c.unit == 1 || c.unit <= c.cap) && c.cap >= 1 && c.cap <= PF_COUNT_MAX &&
            (!pf_hooks.max_count || c.cap <= pf_hooks.max_count),
        "%s: units of %td, at most %td", look_name(l), c.unit, c.cap);
  CHECK(elements % c.unit == 0 && calls * call >= elements && (calls - 1) * call < elements,
        "%s: %td elements in %td calls of %td units of %td", look_name(l), elements, calls, c.cap,
        c.unit);
  pf_cut m = pf_exchange_cut(l->o.memory.ops, r, w->wire[k], r->me, other);
  CHECK(m.each >= 1 && m.part >= 0 && (!m.part || m.part % m.each == 0),
        "%s: messages of %td lines, parts of %td", look_name(l), m.each, m.part);
}

/* The most lines of a plane that any rank has for this one, and the most elements of a line. */
static void longest(const pf_redist *r, int receiver, ptrdiff_t *lines, ptrdiff_t *run) {
  ptrdiff_t len[3], lo;
  memcpy(len, r->len, sizeof len);
  cut_axis(r->len[r->from], r->ranks, 0, &lo, &len[r->from]);
  cut_axis(r->len[r->to], r->ranks, receiver, &lo, &len[r->to]);
  *lines = len[1 - r->outer];
  *run = len[2] * r->batch;
}

/* Where a plane goes in messages of several lines, they have 128 KiB each and are as many as the
 * parts that a receiver waits for, at most; no smaller number of lines would do. */
static void check_lines(const look *l, const pf_exchange_sequence *w, int k, int other) {
  const pf_redist *r = &w->redist[k];
  pf_cut m = pf_exchange_cut(l->o.memory.ops, r, w->wire[k], r->me, other);
  ptrdiff_t lines, run, least = 128 * 1024, less = m.each - 1;
  longest(r, other, &lines, &run);
  if (l->o.memory.ops->grain != PF_GRAIN_PART || !lines || !run) return;
  wide_int line = (wide_int)run * (wide_int)w->wire[k];
  int whole = r->next == r->outer, few = less > 0 && (lines + less - 1) / less <= PF_EXCHANGE_PARTS;
  CHECK(m.each <= lines && (m.each == lines || (m.each * line >= least && !whole)) &&
            (lines + m.each - 1) / m.each <= PF_EXCHANGE_PARTS,
        "%s: messages of %td lines of %td", look_name(l), m.each, lines);
  CHECK(whole ? !m.part : m.part == m.each && !(few && less * line >= least),
        "%s: messages of %td lines of %td, and fewer would do", look_name(l), m.each, lines);
}

/* The memory of an exchange is as large as what goes into it. */
static void check_memory(const look *l, const pf_exchange_sequence *w, int k, int out) {
  const pf_redist *r = &w->redist[k];
  wide_int need[2] = {below(r, 0, r->ranks - 1), below(r, 1, r->ranks - 1)};
  if (r->me != r->ranks - 1) need[0] += block(r, r->me, r->ranks - 1);
  if (r->me != r->ranks - 1 || !r->own_apart) need[1] += block(r, r->ranks - 1, r->me);
  CHECK(pf_redist_send_elements(r) == need[0] && pf_redist_recv_elements(r) == need[1],
        "%s: %d to %d: %td sent, %td received", look_name(l), r->from, r->to,
        pf_redist_send_elements(r), pf_redist_recv_elements(r));
  const pf_exchange_memory *m = &l->o.memory;
  size_t wire = w->wire[k];
  int pulls = pf_exchange_pulls(m->ops, r);
  wide_int held = need[1];
  if (pulls) { /* what this rank sends, to itself as well */
    held = r->batch;
    for (int a = 0; a < 3; a++) held *= pf_redist_before(r, r->me, a).len;
  }
  if (m->ops->direct) { /* with rows of this group's length, padded */
    pf_range (*part)(const pf_redist *, int, int) = pulls ? pf_redist_before : pf_redist_after;
    ptrdiff_t row = pf_plane_stride(part(r, 0, 2).len, wire);
    wide_int rows = (wide_int)part(r, 0, 0).len * part(r, 0, 1).len * r->batch;
    CHECK(rows * row * (wide_int)wire <= (wide_int)m->half && row >= part(r, 0, 2).len,
          "%s: rows of %td in a half of %zu bytes", look_name(l), row, m->half);
  }
  if (m->bytes[PF_SLOT_SHARED]) {
    CHECK(m->half * (size_t)pf_exchange_halves(m) <= m->bytes[PF_SLOT_SHARED] &&
              held * (wide_int)wire <= (wide_int)m->half,
          "%s: a half of %zu bytes", look_name(l), m->half);
    return;
  }
  for (int end = 0; end < 2; end++) {
    pf_slot slot = end ? w->recv[k] : w->send[k];
    size_t bytes = slot == PF_SLOT_OUT ? l->o.side_bytes[out] : m->bytes[slot];
    CHECK(need[end] * (wide_int)wire <= (wide_int)bytes, "%s: memory %d of %zu bytes", look_name(l),
          (int)slot, bytes);
  }
}

static void check_ways(const look *l, dice *d) {
  for (int direction = 0; direction < 2 && l->o.used; direction++) {
    const pf_exchange_sequence *w = &l->o.memory.sequence[direction];
    for (int k = 0; k < w->count; k++) {
      const pf_redist *r = &w->redist[k];
      int rolled = roll(d, r->ranks), next = (r->me + 1) % r->ranks;
      CHECK(r->ranks == l->o.decision.names.grid[w->node_map[k].dim], "%s", look_name(l));
      for (int other = 0; other < r->ranks && r->ranks <= 4; other++) check_block(l, r, other);
      check_block(l, r, rolled);
      check_block(l, r, next);
      check_block(l, r, r->ranks - 1);
      check_counts(l, w, k, rolled);
      check_counts(l, w, k, next);
      check_lines(l, w, k, rolled);
      check_memory(l, w, k, direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE);
    }
  }
}

/* ---- cases ---- */

/* Bytes of the largest box of both sides. */
static wide_int largest_bytes(const look *l) {
  wide_int most = 0;
  for (int side = 0; side < 2; side++) {
    pfft3d_box box = expected_field(&l->shape, &l->r, l->ranks, side, 0);
    wide_int bytes = 16 * product(&box) * (l->r.problem.batch ? l->r.problem.batch : 1);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* Elements of all fields. */
static wide_int all_elements(const pfft3d_problem *p) {
  return (wide_int)p->n[0] * p->n[1] * p->n[2] * (p->batch ? p->batch : 1);
}

/* A cut of a field, as one of its ranks sees it.  It is refused where 64 bits cannot count all
 * elements, or address a rank's part with some room, and never else. */
static void check_cut(look *l, dice *d) {
  pfft3d_error e;
  pf_error_clear(&e);
  int status = pf_complete_geometry(&l->r, l->ranks, roll(d, l->ranks), &l->o, &e);
  oracle_shape(&l->shape, &l->r.problem);
  if (!strcmp(l->r.decision.scheme, "pencil"))
    memcpy(l->o.decision.names.grid, l->r.decision.grid, sizeof l->r.decision.grid);
  if (status == PFFT3D_ERR_USAGE || status == PFFT3D_ERR_UNAVAILABLE) {
    int many = all_elements(&l->r.problem) > PTRDIFF_MAX;
    CHECK(many == (status == PFFT3D_ERR_USAGE) && (many || largest_bytes(l) > PTRDIFF_MAX / 64),
          "%s: refused: %s", look_name(l), e.text);
    return;
  }
  CHECK(!status, "%s: status %d: %s", look_name(l), status, e.text);
  if (status) return;
  CHECK(largest_bytes(l) <= PTRDIFF_MAX && all_elements(&l->r.problem) <= PTRDIFF_MAX,
        "%s: more than 64 bits can address", look_name(l));
  check_boxes(l, d);
  check_ways(l, d);
}

static void roll_rest(look *l, dice *d) {
  int count = 0;
  while (pfft3d_list_name(PFFT3D_EXCHANGES, count, NULL)) count++;
  const char *algo = pfft3d_list_name(PFFT3D_EXCHANGES, roll(d, count), NULL);
  snprintf(l->r.decision.algo, sizeof l->r.decision.algo, "%s", algo);
  snprintf(l->r.decision.engine, sizeof l->r.decision.engine, "auto");
  l->r.decision.order = (pfft3d_order)roll(d, 2);
  l->r.problem.kind = (pfft3d_kind)roll(d, 2);
  l->r.problem.precision = (pfft3d_precision)roll(d, 2);
  l->r.problem.batch = roll(d, 4);
  l->r.deterministic = roll(d, 2);
  pf_hooks.max_count = roll(d, 8);
  l->r.node_ranks = l->ranks / 64 + 1 + roll(d, l->ranks);
}

static void set_cut(look *l, const char *scheme, int rows, int columns) {
  snprintf(l->r.decision.scheme, sizeof l->r.decision.scheme, "%s", scheme);
  l->r.decision.grid[0] = rows;
  l->r.decision.grid[1] = columns;
}

/* Field and ranks by a number below 2^21, cut in every way. */
static void test_small(look *l, dice *d, uint64_t number) {
  uint64_t k = number * 1000003 % (1u << 21); /* any odd factor will do */
  l->ranks = 1 + (int)(k >> 15);
  for (int a = 0; a < 3; a++) l->r.problem.n[a] = 1 + (ptrdiff_t)(k >> 5 * a & 31);
  roll_rest(l, d);
  case_tell("%tdx%tdx%td on %d ranks", l->r.problem.n[0], l->r.problem.n[1], l->r.problem.n[2],
            l->ranks);
  set_cut(l, "slab", 0, 0);
  check_cut(l, d);
  for (int rows = 1; rows <= l->ranks; rows++) {
    if (l->ranks % rows) continue;
    set_cut(l, "pencil", rows, l->ranks / rows);
    check_cut(l, d);
  }
}

/* All orders of magnitude. */
static int roll_size(dice *d, int bits) {
  int most = 1 << roll(d, bits + 1);
  return percent(d, 30) ? most : 1 + roll(d, most);
}

static void test_large(look *l, dice *d) {
  l->ranks = roll_size(d, 16);
  int largest = percent(d, 5); /* too large for 64 bits, or nearly */
  for (int a = 0; a < 3; a++)
    l->r.problem.n[a] = largest ? 1 << (20 - roll(d, 2)) : roll_size(d, 20);
  roll_rest(l, d);
  if (percent(d, 20)) l->r.problem.batch = roll_size(d, 12);
  if (percent(d, 40)) {
    set_cut(l, "slab", 0, 0);
  } else {
    int rows = 1 + roll(d, percent(d, 50) ? l->ranks : (int)sqrt(l->ranks));
    set_cut(l, "pencil", rows, l->ranks / rows);
  }
  case_tell("%s on %d ranks", request_name(&l->r), l->ranks);
  check_cut(l, d);
}

static void test_case(dice *d, uint64_t seed, long number, int ranks) {
  look l = {.ranks = ranks};
  pf_request_init(&l.r);
  pfft3d_machine_init(&l.r.machine);
  if (!seed)
    test_small(&l, d, (uint64_t)number);
  else if (number % 10)
    test_large(&l, d);
  else
    test_small(&l, d, mix((uint64_t)roll(d, 1 << 30)));
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 20000, "unit/test_geometry", test_case);
}
