/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Views by visiting: whatever way a box is cut into tiles, the blocks of the tiles must reach every
 * element once, at the address where the layout of the memory says that it lies. */
#include "layout/view.h"

#include "support.h"

/* Where element i (local indices) of a view lies, worked out by the test itself. */
typedef struct place {
  pf_slot slot;
  ptrdiff_t offset;
} place;
typedef place where_is(const void *what, const ptrdiff_t i[3]);

/* Visits all tiles of a view and compares with where_is(); counts visits in seen[]. */
static void visit(const pf_view *v, int line, int tile, ptrdiff_t width, where_is *where,
                  const void *what, const char *name) {
  int third = 3 - line - tile;
  ptrdiff_t all = v->len[0] * v->len[1] * v->len[2], wrong = 0, visits = 0, repeated = 0;
  unsigned char *seen = calloc((size_t)all + 1, 1);
  for (ptrdiff_t o = 0; o < v->len[third]; o++)
    for (ptrdiff_t t = 0; t < v->len[tile]; t += width) {
      pf_tile w = {line, tile, o, t, v->len[tile] - t < width ? v->len[tile] - t : width};
      pf_block b;
      int first, last;
      if (!v->len[line]) continue;
      pf_view_segments(v, &w, &first, &last);
      CHECK(first >= 0 && first <= last && last < v->count, "%s: segments %d .. %d of %d", name,
            first, last, v->count);
      for (int k = first; k <= last; k++) {
        if (!pf_view_block(v, &w, k, &b)) continue;
        for (ptrdiff_t j = 0; j < b.lines; j++)
          for (ptrdiff_t p = 0; p < b.points; p++) {
            ptrdiff_t i[3];
            i[line] = b.first_point + p;
            i[tile] = t + b.first_line + j;
            i[third] = o;
            place want = where(what, i);
            wrong += b.slot != want.slot || b.offset + p * b.along + j * b.across != want.offset;
            visits++;
            ptrdiff_t g = (i[0] * v->len[1] + i[1]) * v->len[2] + i[2];
            if (g < 0 || g >= all || seen[g]++) repeated++;
          }
      }
    }
  CHECK(visits == all && !repeated && !wrong,
        "%s line %d tile %d width %td: %td of %td elements, %td again, %td misplaced", name, line,
        tile, width, visits, all, repeated, wrong);
  free(seen);
}

static void visit_all_ways(const pf_view *v, where_is *where, const void *what, const char *name) {
  static const ptrdiff_t width[] = {1, 2, 5, 8, 1000};
  for (int line = 0; line < 3; line++)
    for (int tile = 0; tile < 3; tile++)
      for (int k = 0; k < 5 && tile != line; k++) visit(v, line, tile, width[k], where, what, name);
}

/* ---- a whole box ---- */

static place in_whole(const void *what, const ptrdiff_t i[3]) {
  const pfft3d_box *b = what;
  return (place){PF_SLOT_OUT, i[0] * b->stride[0] + i[1] * b->stride[1] + i[2] * b->stride[2]};
}

static void test_whole(void) {
  pfft3d_box box = {.lo = {3, 1, 4}, .len = {4, 3, 11}, .stride = {100, 17, 1}};
  pf_segment segment;
  pf_view v = pf_view_whole(&box, PF_SLOT_OUT, &segment);
  visit_all_ways(&v, in_whole, &box, "whole box");
  box.len[1] = 0;
  v = pf_view_whole(&box, PF_SLOT_OUT, &segment);
  visit_all_ways(&v, in_whole, &box, "empty box");
}

/* ---- the views of a redistribution ---- */

/* Blocks as layout.h draws them, found by adding up what lies before. */
static place in_send(const void *what, const ptrdiff_t i[3]) {
  const pf_redist *r = what;
  int d = pf_split_owner(r->n_to, r->ranks, i[r->to]), third = 3 - r->from - r->to;
  ptrdiff_t mine = pf_split(r->n_from, r->ranks, r->me).len, offset = 0;
  pf_range rows = pf_split(r->n_to, r->ranks, d);
  if (d == r->me) { /* in the receive memory: [planes of the ranks before][rows of mine][row] */
    for (int s = 0; s < d; s++) offset += pf_split(r->n_from, r->ranks, s).len * rows.len * r->row;
  } else {
    for (int k = 0; k < d; k++)
      if (k != r->me) offset += mine * pf_split(r->n_to, r->ranks, k).len * r->row;
  }
  offset += (i[r->from] * rows.len + i[r->to] - rows.lo) * r->row + i[third];
  return (place){d == r->me ? PF_SLOT_RECV : PF_SLOT_SEND, offset};
}

static place in_recv(const void *what, const ptrdiff_t i[3]) {
  const pf_redist *r = what;
  int third = 3 - r->from - r->to;
  ptrdiff_t rows = pf_split(r->n_to, r->ranks, r->me).len;
  return (place){PF_SLOT_RECV, (i[r->from] * rows + i[r->to]) * r->row + i[third]};
}

static void test_redist(pf_redist r) {
  pf_segment segment[16];
  char name[100];
  for (r.me = 0; r.me < r.ranks; r.me++) {
    snprintf(name, sizeof name, "%td (axis %d) -> %td (axis %d), row %td, rank %d of %d", r.n_from,
             r.from, r.n_to, r.to, r.row, r.me, r.ranks);
    pf_view send = pf_view_send(&r, PF_SLOT_SEND, PF_SLOT_RECV, segment);
    CHECK(send.len[r.from] == pf_redist_planes(&r, r.me).len && send.len[r.to] == r.n_to, "%s",
          name);
    visit_all_ways(&send, in_send, &r, name);
    pf_view recv = pf_view_recv(&r, PF_SLOT_RECV, segment);
    CHECK(recv.len[r.from] == r.n_from && recv.len[r.to] == pf_redist_rows(&r, r.me).len, "%s",
          name);
    visit_all_ways(&recv, in_recv, &r, name);
  }
}

/* ---- redirected segments ---- */

/* A receive view whose own segment lies in another box in another memory. */
typedef struct {
  pf_redist r;
  pfft3d_box box, other;
  ptrdiff_t offset;
} redirected;

static place in_redirected(const void *what, const ptrdiff_t i[3]) {
  const redirected *x = what;
  const pf_redist *r = &x->r;
  int s = pf_split_owner(r->n_from, r->ranks, i[r->from]), third = 3 - r->from - r->to;
  ptrdiff_t offset = x->offset, planes = 0, rows = pf_split(r->n_to, r->ranks, r->me).len;
  for (int a = 0; a < 3; a++) offset += (x->box.lo[a] + i[a] - x->other.lo[a]) * x->other.stride[a];
  if (s == r->me) return (place){PF_SLOT_EXTRA, offset};
  for (int k = 0; k < s; k++)
    if (k != r->me) planes += pf_split(r->n_from, r->ranks, k).len;
  planes += i[r->from] - pf_split(r->n_from, r->ranks, s).lo;
  return (place){PF_SLOT_RECV, (planes * rows + i[r->to]) * r->row + i[third]};
}

static void test_redirect(pf_redist r) {
  pf_segment segment[16];
  r.own_apart = 1;
  for (r.me = 0; r.me < r.ranks; r.me++) {
    redirected x = {.r = r, .offset = 77, .other = {{0, 1, 2}, {9, 9, 9}, {1000, 1, 30}}};
    pf_range rows = pf_redist_rows(&r, r.me);
    x.box.lo[r.to] = rows.lo;
    x.box.len[r.to] = rows.len;
    pf_view v = pf_view_recv(&r, PF_SLOT_RECV, segment);
    pf_view_redirect(&v, r.me, &x.box, PF_SLOT_EXTRA, x.offset, &x.other);
    visit_all_ways(&v, in_redirected, &x, "redirected");
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t size[] = {1, 2, 5, 8, 13};
  static const int ranks[] = {1, 2, 3, 4, 7, 13};
  test_whole();
  for (int from = 0; from < 3; from++)
    for (int to = 0; to < 3; to++)
      for (int k = 0; k < 6 * 25 && from != to; k++) {
        pf_redist r = {.ranks = ranks[k % 6], .from = from, .to = to, .group = 1};
        r.n_from = size[k / 6 % 5];
        r.n_to = size[k / 30];
        r.row = size[k % 5];
        test_redist(r);
        test_redirect(r);
      }
  return check_result();
}
