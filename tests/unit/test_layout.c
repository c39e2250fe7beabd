/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Layouts by counting: splits, boxes of every scheme, and the tables of redistributions must cover
 * everything exactly once, for any number of ranks.  No communication. */
#include "layout/layout.h"

#include "redist.h"
#include "geometry/scheme.h"
#include "support.h"

static void test_split(ptrdiff_t n, int parts) {
  ptrdiff_t next = 0, least = n, most = 0;
  int used = 0;
  for (int k = 0; k < parts; k++) {
    pf_range part = pf_split(n, parts, k);
    CHECK(part.lo == next, "n %td parts %d part %d: gap or overlap", n, parts, k);
    CHECK(part.len >= 0, "n %td parts %d part %d: len %td", n, parts, k, part.len);
    for (ptrdiff_t i = part.lo; i < part.lo + part.len; i++)
      CHECK(pf_split_owner(n, parts, i) == k, "n %td parts %d index %td", n, parts, i);
    next += part.len;
    used += part.len > 0;
    least = part.len < least ? part.len : least;
    most = part.len > most ? part.len : most;
  }
  CHECK(next == n, "n %td parts %d: parts hold %td", n, parts, next);
  CHECK(most - least <= 1, "n %td parts %d: %td to %td", n, parts, least, most);
  CHECK(used == pf_split_used(n, parts), "n %td parts %d: %d used", n, parts, used);
}

/* The boxes of all ranks hold every element once; the strides of a box fill 0 .. elements-1. */
static void test_boxes(const pf_layout *l, int ranks, unsigned char *seen, unsigned char *place) {
  ptrdiff_t all = l->n[0] * l->n[1] * l->n[2], found = 0, largest = 0, twice = 0, outside = 0;
  memset(seen, 0, (size_t)all);
  for (int rank = 0; rank < ranks; rank++) {
    pfft3d_box box;
    pf_layout_box(l, rank, &box);
    ptrdiff_t elements = pf_box_elements(&box);
    memset(place, 0, (size_t)elements);
    FOR_BOX(&box, l->n, g, at) {
      if (g < 0 || g >= all || at < 0 || at >= elements) {
        outside++;
        continue;
      }
      twice += seen[g]++ != 0;
      twice += place[at]++ != 0;
    }
    found += elements;
    largest = elements > largest ? elements : largest;
    if (rank == 0) CHECK(elements * ranks >= all, "rank 0 of %d holds %td", ranks, elements);
  }
  CHECK(found == all && !twice && !outside, "%tdx%tdx%td on %d: %td of %td, %td twice, %td outside",
        l->n[0], l->n[1], l->n[2], ranks, found, all, twice, outside);
  CHECK(pf_layout_fits(l, 16), "on %d ranks", ranks);
}

static void test_schemes(const ptrdiff_t n[3], int ranks) {
  static unsigned char seen[20000], place[20000];
  pfft3d_request r;
  pf_request_init(&r);
  memcpy(r.problem.n, n, sizeof r.problem.n);
  for (int s = 0; pf_scheme_at(s); s++)
    for (int k = 0; k < 8; k++) {
      pfft3d_order order = (pfft3d_order)(k & 1);
      pfft3d_side side = (pfft3d_side)(k >> 1 & 1);
      pfft3d_error e;
      pf_layout l;
      ptrdiff_t want[3];
      int grid[2] = {0, 0};
      r.problem.kind = (pfft3d_kind)(k >> 2);
      pf_error_clear(&e);
      CHECK(!pf_scheme_at(s)->grid(&r, ranks, grid, &e), "%s", e.text);
      pf_field_layout(&r.problem, order, grid, side, &l);
      pfft3d_problem_extents(&r.problem, side, want);
      CHECK(!memcmp(l.n, want, sizeof want), "the layout has another array");
      CHECK(l.grid[0] >= 1 && l.grid[1] >= 1 && l.grid[0] * l.grid[1] <= ranks, "grid %d x %d",
            l.grid[0], l.grid[1]);
      test_boxes(&l, ranks, seen, place);
    }
}

/* Every grid of pencils, as pfft3d.h says it: rank c0 * P2 + c1 holds part c0 of axis 0 and part c1
 * of axis 1, of the transposed spectrum those of axes 1 and 2, stored [i1][i0][i2]. */
static void test_pencils(const ptrdiff_t n[3], int rows, int columns) {
  pfft3d_problem p = {.kind = PFFT3D_R2C, .n = {n[0], n[1], n[2]}};
  int grid[2] = {rows, columns};
  for (int k = 0; k < 4; k++) {
    pfft3d_order order = (pfft3d_order)(k & 1);
    pfft3d_side side = (pfft3d_side)(k >> 1);
    int transposed = side == PFFT3D_SPECTRUM && order == PFFT3D_TRANSPOSED, wrong = 0;
    pf_layout l;
    ptrdiff_t all[3];
    pf_field_layout(&p, order, grid, side, &l);
    pfft3d_problem_extents(&p, side, all);
    for (int rank = 0; rank < rows * columns + 2; rank++) {
      pfft3d_box box;
      pf_range part[3] = {{0, all[0]}, {0, all[1]}, {0, all[2]}};
      pf_layout_box(&l, rank, &box);
      if (rank >= rows * columns) {
        wrong += pf_box_elements(&box) != 0;
        continue;
      }
      part[transposed] = share(all[transposed], rows, rank / columns);
      part[transposed + 1] = share(all[transposed + 1], columns, rank % columns);
      for (int a = 0; a < 3; a++) wrong += box.lo[a] != part[a].lo || box.len[a] != part[a].len;
      ptrdiff_t inner = part[2].len * part[!transposed].len;
      wrong += box.stride[2] != 1 || box.stride[!transposed] != part[2].len || box.offset != 0 ||
               box.stride[transposed] != inner;
    }
    CHECK(!wrong, "%tdx%tdx%td on %dx%d, side %d order %d: %d wrong", n[0], n[1], n[2], rows,
          columns, (int)side, (int)order, wrong);
  }
}

static void test_fits(void) {
  pf_layout l = {.grid = {4, 1}, .dim = {0, PF_WHOLE, PF_WHOLE}, .storage = {0, 1, 2}};
  l.n[0] = l.n[1] = l.n[2] = (ptrdiff_t)1 << 20;
  CHECK(pf_layout_fits(&l, 16), "2^60 elements of 16 bytes on 4 ranks are 2^62 bytes each");
  l.n[1] *= 2;
  CHECK(!pf_layout_fits(&l, 16), "2^63 bytes do not fit");
  l.n[1] *= 4;
  CHECK(!pf_layout_fits(&l, 16), "2^65 bytes do not fit");
  l.grid[1] = 64;
  l.dim[1] = 1;
  CHECK(pf_layout_fits(&l, 16), "cut along another axis they do");
}

/* ---- redistributions ---- */

/* The blocks for (from) all ranks tile a buffer of `elements`, in ascending order. */
static ptrdiff_t test_tiling(const form *f, const pf_redist *r, int receive, ptrdiff_t elements) {
  ptrdiff_t next = 0;
  for (int other = 0; other < r->ranks; other++) {
    int sender = receive ? other : r->me, receiver = receive ? r->me : other;
    pf_block_shape b = pf_redist_shape(r, sender, receiver);
    CHECK(b.planes * b.lines * b.run == block_size(r, sender, receiver) &&
              b.planes == share_of(r, sender, receiver, r->outer).len &&
              b.lines == share_of(r, sender, receiver, 1 - r->outer).len,
          "%s: %td planes of %td lines of %td from %d to %d", redist_name(f, r), b.planes, b.lines,
          b.run, sender, receiver);
    if (other == r->me && (!receive || r->own_apart)) continue;
    ptrdiff_t at = receive ? pf_redist_recv_offset(r, other) : pf_redist_send_offset(r, other);
    CHECK(at == next, "%s: %s block %d at %td, not %td", redist_name(f, r),
          receive ? "receive" : "send", other, at, next);
    next = at + block_size(r, sender, receiver);
  }
  CHECK(next == elements, "%s: %td of %td elements", redist_name(f, r), next, elements);
  return next;
}

/* Blocks with planes of the sender, and of the receiver: each element has a place of its own, those
 * of a line and field one after the other; both ranks find a block in the same order. */
static void test_spots(const form *f, pf_redist r, int sender, int receiver) {
  static unsigned char seen[20000];
  ptrdiff_t size = block_size(&r, sender, receiver), row = share_of(&r, sender, receiver, 2).len;
  pf_block_shape b = pf_redist_shape(&r, sender, receiver);
  if (!size || size > (ptrdiff_t)sizeof seen || sender == receiver) return;
  for (r.by_next = 0; r.by_next < 2; r.by_next++) {
    pf_redist to = r;
    r.me = sender;
    to.me = receiver;
    pf_spot out = pf_redist_send_spot(&r, receiver), in = pf_redist_recv_spot(&to, sender);
    int plane = r.by_next ? r.next : r.outer, wrong = 0;
    ptrdiff_t planes = plane == r.outer ? b.planes : b.lines, lines = b.planes * b.lines / planes;
    memset(seen, 0, (size_t)size);
    for (ptrdiff_t i = 0; i < planes * lines * r.batch; i++) {
      ptrdiff_t field = i % r.batch, line = i / r.batch % lines, k = i / r.batch / lines;
      ptrdiff_t at = k * out.stride[plane] + line * out.stride[1 - plane] + field * out.field;
      wrong += at != i * row; /* [plane][line][field][axis 2] */
      for (ptrdiff_t j = 0; j < row && at >= 0 && at + j < size; j++)
        wrong += seen[at + j * out.stride[2]]++;
    }
    CHECK(!wrong, "%s: %d elements of the block from %d to %d, by_next %d", redist_name(f, &r),
          wrong, sender, receiver, r.by_next);
    CHECK(!memcmp(out.stride, in.stride, sizeof in.stride) && out.field == in.field &&
              out.offset == pf_redist_send_offset(&r, receiver) &&
              in.offset == pf_redist_recv_offset(&to, sender),
          "%s: a block from %d to %d is not what is sent", redist_name(f, &r), sender, receiver);
  }
}

/* The group a rank starts with holds the first line of the next rank that has any. */
static void test_first_line(const form *f, const pf_redist *r) {
  ptrdiff_t first = pf_redist_first_line(r, r->me), lines = pf_redist_lines(r, 0);
  pf_range next = share_axis(r, r->to, (r->me + 1) % r->ranks);
  CHECK(lines == share_of(r, r->me, 0, 1 - r->outer).len || pf_redist_by_owner(r), "%s: %td lines",
        redist_name(f, r), lines);
  if (!pf_redist_by_owner(r)) {
    CHECK(first == 0, "%s: starts with line %td", redist_name(f, r), first);
    return;
  }
  CHECK(lines == r->len[r->to], "%s: %td lines", redist_name(f, r), lines);
  CHECK(first >= 0 && first < lines && first % r->group == 0, "%s: first line %td of %td",
        redist_name(f, r), first, lines);
  if (next.len)
    CHECK(first <= next.lo && next.lo < first + r->group,
          "%s: starts with line %td, the rank after it has %td", redist_name(f, r), first, next.lo);
}

/* Cuts against a walk over all indices and parts. */
static void test_cuts(uint64_t number, ptrdiff_t n, int parts) {
  pf_redist r = {.ranks = parts, .from = 0, .to = 1, .len = {n, n, 1}};
  roll_cuts(&r, number);
  const pf_cuts *c = &r.cuts[0];
  ptrdiff_t next = 0, longest = 0;
  int used = 0, wrong = 0;
  for (int k = 0; k < parts; k++) {
    pf_range part = pf_cuts_part(c, n, parts, k), want = share_axis(&r, 0, k);
    int other = k + 1;
    while (other < parts && share_axis(&r, 0, other).len == want.len) other++;
    wrong += part.lo != next || part.len != want.len || pf_cuts_next(c, n, parts, k) != other;
    for (ptrdiff_t i = part.lo; i < part.lo + part.len; i++)
      wrong += pf_cuts_owner(c, n, parts, i) != k;
    next += want.len;
    used += want.len > 0;
    longest = want.len > longest ? want.len : longest;
  }
  pf_range beyond = pf_cuts_part(c, n, parts, parts);
  CHECK(next == n && !wrong && beyond.lo == n && !beyond.len,
        "rule %d, n %td, %d parts, number %d: %d wrong, %td indices", (int)c->rule, n, parts,
        (int)number, wrong, next);
  CHECK(pf_cuts_used(c, n, parts) == used && pf_cuts_longest(c, n, parts) == longest,
        "rule %d, n %td, %d parts, number %d: %d used of %d, longest %td of %td", (int)c->rule, n,
        parts, (int)number, pf_cuts_used(c, n, parts), used, pf_cuts_longest(c, n, parts), longest);
}

/* The largest block has the most of everything that any sender has. */
static void test_largest(const form *f, const pf_redist *r) {
  for (int d = 0; d < r->ranks; d++) {
    pf_block_shape have = pf_redist_largest_shape(r, d), want = {0, 0, 0, 0};
    for (int s = 0; s < r->ranks; s++) {
      pf_block_shape b = pf_redist_shape(r, s, d);
      if (b.planes > want.planes) want.planes = b.planes;
      if (b.lines > want.lines) want.lines = b.lines;
      if (b.run > want.run) want.run = b.run;
    }
    CHECK(have.planes == want.planes && have.lines == want.lines && have.run == want.run,
          "%s: the largest block for %d", redist_name(f, r), d);
  }
}

static void test_redist(const form *f, const ptrdiff_t n[3], ptrdiff_t batch, int ranks) {
  ptrdiff_t sent = 0, received = 0, own = 0;
  for (int me = 0; me < ranks; me++) {
    pf_redist r = make_redist(f, n, batch, ranks, me);
    roll_cuts(&r, (uint64_t)(n[0] + 3 * n[1] + 5 * n[2]) % 3 * (uint64_t)(n[0] + ranks));
    if (me == 0) test_largest(f, &r);
    for (int a = 0; a < 3; a++) {
      pf_range before = pf_redist_before(&r, me, a), after = pf_redist_after(&r, me, a);
      pf_range part = share_axis(&r, a, me);
      CHECK(before.lo == (a == f->from ? part.lo : 0) &&
                before.len == (a == f->from ? part.len : n[a]) &&
                after.lo == (a == f->to ? part.lo : 0) &&
                after.len == (a == f->to ? part.len : n[a]),
            "%s: axis %d", redist_name(f, &r), a);
    }
    CHECK(pf_redist_by_owner(&r) == (f->to < 2 && f->to != f->outer), "%s", f->name);
    sent += test_tiling(f, &r, 0, pf_redist_send_elements(&r));
    for (int other = 0; other < ranks; other++) test_spots(f, r, me, other);
    own += block_size(&r, me, me);
    test_tiling(f, &r, 1, pf_redist_recv_elements(&r));
    r.own_apart = 1;
    received += test_tiling(f, &r, 1, pf_redist_recv_elements(&r));
    for (r.group = 1; r.group <= 8; r.group += r.group == 1 ? 2 : 5) test_first_line(f, &r);
  }
  CHECK(sent == received, "%td sent, %td received", sent, received);
  CHECK(sent + own == n[0] * n[1] * n[2] * batch, "%td sent, %td own", sent, own);
}

/* A rank beside the grid has nothing, to send or to receive. */
static void test_outsider(const form *f, const ptrdiff_t n[3], ptrdiff_t batch, int ranks) {
  for (int apart = 0; apart < 2; apart++) {
    pf_redist r = make_redist(f, n, batch, ranks, ranks);
    r.own_apart = apart;
    ptrdiff_t sum = pf_redist_send_elements(&r) + pf_redist_recv_elements(&r) +
                    pf_redist_lines(&r, 0) + pf_redist_first_line(&r, ranks);
    CHECK(
        pf_redist_before(&r, ranks, f->from).len == 0 && pf_redist_after(&r, ranks, f->to).len == 0,
        "%s", redist_name(f, &r));
    for (int k = 0; k < ranks; k++) {
      pf_block_shape a = pf_redist_shape(&r, ranks, k), b = pf_redist_shape(&r, k, ranks);
      sum += a.planes * a.lines * a.run + b.planes * b.lines * b.run;
      sum += pf_redist_send_offset(&r, k) + pf_redist_recv_offset(&r, k);
    }
    CHECK(sum == 0, "%s", redist_name(f, &r));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t uneven[][3] = {{1, 200, 1},  {63, 65, 2}, {64, 1, 64},
                                        {17, 31, 13}, {100, 3, 7}, {2, 97, 5}};
  for (ptrdiff_t n = 0; n <= 200; n++)
    for (int parts = 1; parts <= 64; parts++) {
      test_split(n, parts);
      for (int k = 0; k < 3 && n > 0; k++) test_cuts((uint64_t)(n * 64 + parts + k), n, parts);
    }
  for (int ranks = 1; ranks <= 64; ranks++) {
    for (ptrdiff_t k = 0; k < 512; k += ranks <= 16 ? 1 : 5)
      test_schemes((ptrdiff_t[]){1 + k / 64, 1 + k / 8 % 8, 1 + k % 8}, ranks);
    for (size_t k = 0; k < sizeof uneven / sizeof *uneven; k++) {
      test_schemes(uneven[k], ranks);
      test_pencils(uneven[k], 1 + ranks % 7, 1 + ranks / 7);
      for (int f = 0; f < FORMS; f++) test_redist(&forms[f], uneven[k], 1 + ranks % 2, ranks);
    }
  }
  for (int f = 0; f < FORMS; f++)
    for (int ranks = 1; ranks <= 13; ranks++)
      for (ptrdiff_t k = 0; k < 343; k++) {
        ptrdiff_t n[3] = {1 + k / 49 * 2, 1 + k / 7 % 7 * 2, 1 + k % 7 * 2};
        test_redist(&forms[f], n, 1 + k % 3, ranks);
        test_outsider(&forms[f], n, 1 + k % 3, ranks);
      }
  test_fits();
  return check_result();
}
