/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of an axis, by rules and by lists. */
#include "layout/cuts.h"

/* ---- balanced ---- */

int pf_split_owner(ptrdiff_t n, int parts, ptrdiff_t index) {
  ptrdiff_t q = n / parts, r = n % parts;
  if (index < r * (q + 1)) return (int)(index / (q + 1));
  return (int)(r + (index - r * (q + 1)) / q);
}

int pf_split_used(ptrdiff_t n, int parts) {
  return n < parts ? (int)n : parts;
}

/* ---- blocks of equal length ---- */

/* At least 1, so that parts of nothing are empty too. */
static ptrdiff_t block_of(ptrdiff_t n, int parts) {
  return n > 0 ? (n - 1) / parts + 1 : 1;
}

static pf_range ceil_part(ptrdiff_t n, int parts, int part) {
  ptrdiff_t block = block_of(n, parts), lo = part > n / block ? n : part * block;
  return (pf_range){lo, n - lo < block ? n - lo : block};
}

/* ---- lists ---- */

/* The last part that begins at or before the index: empty parts in front of it begin there too. */
static int given_owner(const ptrdiff_t *at, int parts, ptrdiff_t index) {
  int lo = 0, hi = parts - 1;
  while (lo < hi) {
    int mid = lo + (hi - lo + 1) / 2;
    if (at[mid] <= index)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

/* ---- all of them ---- */

pf_range pf_cuts_part_other(const pf_cuts *c, ptrdiff_t n, int parts, int part) {
  if (part == parts) return (pf_range){n, 0};
  if (c->rule == PF_CUTS_CEIL) return ceil_part(n, parts, part);
  return (pf_range){c->at[part], c->at[part + 1] - c->at[part]};
}

int pf_cuts_owner(const pf_cuts *c, ptrdiff_t n, int parts, ptrdiff_t index) {
  if (c->rule == PF_CUTS_BALANCED) return pf_split_owner(n, parts, index);
  if (c->rule == PF_CUTS_CEIL) return (int)(index / block_of(n, parts));
  return given_owner(c->at, parts, index);
}

/* Rules have at most three lengths, so dry runs for many ranks need not visit each. */
int pf_cuts_next(const pf_cuts *c, ptrdiff_t n, int parts, int part) {
  ptrdiff_t more = n % parts, full = n / block_of(n, parts);
  if (c->rule == PF_CUTS_BALANCED) return part < more ? (int)more : parts;
  if (c->rule == PF_CUTS_CEIL) {
    int partial = n % block_of(n, parts) != 0;
    return part < full ? (int)full : part == full && partial && part < parts ? part + 1 : parts;
  }
  ptrdiff_t len = c->at[part + 1] - c->at[part];
  for (part++; part < parts && c->at[part + 1] - c->at[part] == len;) part++;
  return part;
}

ptrdiff_t pf_cuts_longest(const pf_cuts *c, ptrdiff_t n, int parts) {
  ptrdiff_t longest = pf_cuts_part(c, n, parts, 0).len;
  if (c->rule != PF_CUTS_GIVEN) return longest;
  for (int k = 1; k < parts; k++)
    if (c->at[k + 1] - c->at[k] > longest) longest = c->at[k + 1] - c->at[k];
  return longest;
}

int pf_cuts_used(const pf_cuts *c, ptrdiff_t n, int parts) {
  int used = 0;
  for (int k = 0, next; k < parts; k = next) {
    next = pf_cuts_next(c, n, parts, k);
    if (pf_cuts_part(c, n, parts, k).len) used += next - k;
  }
  return used;
}

int pf_cuts_same(const pf_cuts *a, const pf_cuts *b) {
  return a->rule == b->rule && a->at == b->at;
}
