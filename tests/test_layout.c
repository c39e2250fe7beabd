/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Layouts by counting: splits, boxes of every scheme, and the tables of redistributions must cover
 * everything exactly once, for any number of ranks.  No communication. */
#include "layout/layout.h"

#include "scheme/scheme.h"
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
  pfft3d_problem p = {.n = {n[0], n[1], n[2]}};
  for (int s = 0; pf_scheme_at(s); s++)
    for (int order = 0; order < 2; order++)
      for (int side = 0; side < 2; side++) {
        pf_layout l;
        pf_scheme_at(s)->layout(&p, (pfft3d_order)order, ranks, (pfft3d_side)side, &l);
        CHECK(l.n[0] == n[0] && l.n[1] == n[1] && l.n[2] == n[2], "the layout has another grid");
        CHECK(l.grid[0] * l.grid[1] == ranks, "grid %d x %d", l.grid[0], l.grid[1]);
        test_boxes(&l, ranks, seen, place);
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
}

/* The blocks for (from) all ranks tile a buffer of `elements`, in ascending order. */
static ptrdiff_t test_tiling(const pf_redist *r, int receive, ptrdiff_t elements) {
  ptrdiff_t next = 0;
  pf_range planes = pf_redist_planes(r, r->me), rows = pf_redist_rows(r, r->me);
  for (int other = 0; other < r->ranks; other++) {
    if (other == r->me && (!receive || r->own_apart)) continue;
    ptrdiff_t at = receive ? pf_redist_recv_offset(r, other) : pf_redist_send_offset(r, other);
    ptrdiff_t size = receive ? pf_redist_planes(r, other).len * rows.len * r->row
                             : planes.len * pf_redist_rows(r, other).len * r->row;
    CHECK(at == next, "%s block %d of %d, rank %d, %td -> %td: at %td, not %td",
          receive ? "receive" : "send", other, r->ranks, r->me, r->n_from, r->n_to, at, next);
    next = at + size;
  }
  CHECK(next == elements, "%td of %td elements", next, elements);
  return next;
}

/* The group a rank starts with holds the first row of the next rank that has any. */
static void test_first_row(const pf_redist *r) {
  ptrdiff_t first = pf_redist_first_row(r, r->me);
  pf_range next = pf_redist_rows(r, (r->me + 1) % r->ranks);
  CHECK(first >= 0 && first < r->n_to, "first row %td of %td", first, r->n_to);
  CHECK(first % r->group == 0, "first row %td, groups of %td", first, r->group);
  if (next.len)
    CHECK(first <= next.lo && next.lo < first + r->group,
          "rank %d of %d starts with row %td of %td (groups of %td), rank after it has %td", r->me,
          r->ranks, first, r->n_to, r->group, next.lo);
}

static void test_redist(ptrdiff_t n_from, ptrdiff_t n_to, ptrdiff_t row, int ranks) {
  ptrdiff_t sent = 0, received = 0, own = 0;
  for (int me = 0; me < ranks; me++) {
    pf_redist r = {.ranks = ranks, .me = me, .from = 0, .to = 1, .row = row, .group = 1};
    r.n_from = n_from;
    r.n_to = n_to;
    sent += test_tiling(&r, 0, pf_redist_send_elements(&r));
    own += pf_redist_planes(&r, me).len * pf_redist_rows(&r, me).len * row;
    test_tiling(&r, 1, pf_redist_recv_elements(&r));
    r.own_apart = 1;
    received += test_tiling(&r, 1, pf_redist_recv_elements(&r));
    for (r.group = 1; r.group <= 8; r.group += r.group == 1 ? 2 : 5) test_first_row(&r);
  }
  CHECK(sent == received, "%td sent, %td received", sent, received);
  CHECK(sent + own == n_from * n_to * row, "%td sent, %td own", sent, own);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t uneven[][3] = {{1, 200, 1},  {63, 65, 2}, {64, 1, 64},
                                        {17, 31, 13}, {100, 3, 7}, {2, 97, 5}};
  static const ptrdiff_t pairs[][2] = {{1, 64}, {63, 65}, {64, 64}, {97, 5}, {31, 128}};
  for (ptrdiff_t n = 0; n <= 200; n++)
    for (int parts = 1; parts <= 64; parts++) test_split(n, parts);
  for (int ranks = 1; ranks <= 64; ranks++) {
    for (ptrdiff_t k = 0; k < 512; k++)
      test_schemes((ptrdiff_t[]){1 + k / 64, 1 + k / 8 % 8, 1 + k % 8}, ranks);
    for (size_t k = 0; k < sizeof uneven / sizeof *uneven; k++) test_schemes(uneven[k], ranks);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
      test_redist(pairs[k][0], pairs[k][1], 3, ranks);
  }
  for (int ranks = 1; ranks <= 16; ranks++)
    for (ptrdiff_t k = 0; k < 144; k++) test_redist(1 + k / 12, 1 + k % 12, 1 + k % 3, ranks);
  test_fits();
  return check_result();
}
