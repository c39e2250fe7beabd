/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions for tests; see redist.h. */
#include "redist.h"

const form forms[FORMS] = {
    {0, 1, 0, 1, "0 to 1"},
    {1, 0, 1, 0, "1 to 0"},
    {1, 2, 0, 0, "1 to 2 by planes of axis 0"},
    {1, 2, 1, 0, "1 to 2 by planes of axis 1"},
    {2, 1, 0, 0, "2 to 1"},
    {2, 1, 0, 1, "2 to 1 for planes of axis 1"},
};

pf_redist make_redist(const form *f, const ptrdiff_t n[3], ptrdiff_t batch, int ranks, int me) {
  return (pf_redist){.ops = &pf_redist_axes,
                     .ranks = ranks,
                     .me = me,
                     .from = f->from,
                     .to = f->to,
                     .outer = f->outer,
                     .next = f->next,
                     .len = {n[0], n[1], n[2]},
                     .batch = batch,
                     .group = 1};
}

const char *redist_name(const form *f, const pf_redist *r) {
  static char text[200];
  snprintf(text, sizeof text,
           "%s, cuts %d%d, %tdx%tdx%td*%td, groups of %td, wish %td, own apart %d, boxes %d, rank "
           "%d of %d",
           f->name, (int)r->cuts[r->from].rule, (int)r->cuts[r->to].rule, r->len[0], r->len[1],
           r->len[2], r->batch, r->group, r->message, r->own_apart, r->boxes, r->me, r->ranks);
  return text;
}

pf_range share(ptrdiff_t n, int ranks, int k) {
  pf_range part = {0, n / ranks + (k < n % ranks)};
  for (int j = 0; j < k; j++) part.lo += n / ranks + (j < n % ranks);
  return part;
}

pf_range share_axis(const pf_redist *r, int axis, int k) {
  const pf_cuts *c = &r->cuts[axis];
  ptrdiff_t n = r->len[axis], block = 0, lo;
  if (k == r->ranks) return (pf_range){n, 0};
  if (c->rule == PF_CUTS_BALANCED) return share(n, r->ranks, k);
  if (c->rule == PF_CUTS_GIVEN) return (pf_range){c->at[k], c->at[k + 1] - c->at[k]};
  while (block * r->ranks < n) block++;
  lo = block * k < n ? block * k : n;
  return (pf_range){lo, block * (k + 1) < n ? block : n - lo};
}

enum { PARTS = 64 };

/* Local. A list of random parts; with `pairs`, every other one is empty. */
static void roll_list(uint64_t number, ptrdiff_t n, int parts, int pairs, ptrdiff_t at[PARTS + 1]) {
  at[0] = 0;
  for (int k = 1; k < parts; k++) {
    ptrdiff_t cut = (ptrdiff_t)(mix(number + (uint64_t)k) % (uint64_t)(n + 1));
    int j = k;
    for (; at[j - 1] > cut; j--) at[j] = at[j - 1]; /* in order */
    at[j] = cut;
  }
  at[parts] = n;
  for (int k = 1; k + 1 < parts && pairs; k += 2) at[k + 1] = at[k];
}

void roll_cuts(pf_redist *r, uint64_t number) {
  static ptrdiff_t list[2][PARTS + 1];
  for (int k = 0; k < 2 && number; k++) {
    int axis = k ? r->to : r->from;
    uint64_t kind = mix(2 * number + (uint64_t)k) % 5;
    r->cuts[axis] = (pf_cuts){kind ? PF_CUTS_CEIL : PF_CUTS_BALANCED, NULL};
    if (kind < 2) continue;
    roll_list(mix(number + (uint64_t)k), r->len[axis], r->ranks, kind == 4, list[k]);
    r->cuts[axis] = (pf_cuts){PF_CUTS_GIVEN, list[k]};
  }
}

pf_range share_of(const pf_redist *r, int sender, int receiver, int axis) {
  if (axis == r->from) return share_axis(r, axis, sender);
  if (axis == r->to) return share_axis(r, axis, receiver);
  return (pf_range){0, r->len[axis]};
}

ptrdiff_t block_size(const pf_redist *r, int sender, int receiver) {
  ptrdiff_t elements = r->batch;
  for (int a = 0; a < 3; a++) elements *= share_of(r, sender, receiver, a).len;
  return elements;
}

/* Local. Where field b of the element with global indices i lies in its block. */
static ptrdiff_t block_place(const pf_redist *r, int sender, int receiver, const ptrdiff_t i[3],
                             ptrdiff_t b) {
  pf_range plane = share_of(r, sender, receiver, r->outer);
  pf_range line = share_of(r, sender, receiver, 1 - r->outer);
  pf_range run = share_of(r, sender, receiver, 2);
  ptrdiff_t lines = (i[r->outer] - plane.lo) * line.len + i[1 - r->outer] - line.lo;
  return (lines * r->batch + b) * run.len + i[2] - run.lo;
}

/* Local. Where the block for (of) another rank begins: the others lie before it by number. */
static ptrdiff_t send_place(const pf_redist *r, int other) {
  ptrdiff_t at = 0;
  for (int k = 0; k < other; k++) at += k == r->me ? 0 : block_size(r, r->me, k);
  return at;
}

static ptrdiff_t recv_place(const pf_redist *r, int other) {
  ptrdiff_t at = 0;
  for (int k = 0; k < other; k++) at += k == r->me && r->own_apart ? 0 : block_size(r, k, r->me);
  return at;
}

/* Local. Where field b of an element lies in the box of its rank: extents and indices there, of
 * which those of this rank's part of one axis are left out. */
static ptrdiff_t box_place(const pf_redist *r, int outer, ptrdiff_t len[3], ptrdiff_t i[3],
                           int axis, pf_range absent, ptrdiff_t b) {
  len[axis] -= absent.len;
  if (i[axis] >= absent.lo + absent.len) i[axis] -= absent.len;
  return ((i[outer] * len[1 - outer] + i[1 - outer]) * r->batch + b) * len[2] + i[2];
}

ptrdiff_t sent_offset(const pf_redist *r, int d, const ptrdiff_t global[3], ptrdiff_t b) {
  ptrdiff_t len[3] = {r->len[0], r->len[1], r->len[2]}, i[3] = {global[0], global[1], global[2]};
  pf_range mine = share_axis(r, r->from, r->me), own = share_axis(r, r->to, r->me);
  if (!r->boxes) return send_place(r, d) + block_place(r, r->me, d, global, b);
  len[r->from] = mine.len;
  i[r->from] -= mine.lo;
  return box_place(r, r->outer, len, i, r->to, own, b);
}

ptrdiff_t received_offset(const pf_redist *r, int s, const ptrdiff_t global[3], ptrdiff_t b) {
  ptrdiff_t len[3] = {r->len[0], r->len[1], r->len[2]}, i[3] = {global[0], global[1], global[2]};
  pf_range mine = share_axis(r, r->to, r->me), own = share_axis(r, r->from, r->me);
  if (!r->boxes) return recv_place(r, s) + block_place(r, s, r->me, global, b);
  len[r->to] = mine.len;
  i[r->to] -= mine.lo;
  return box_place(r, r->next, len, i, r->from, r->own_apart ? own : (pf_range){0, 0}, b);
}
