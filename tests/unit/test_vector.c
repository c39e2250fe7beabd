/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors on several ranks: every element is on one rank, at one place; blocks and cyclic are where
 * their definitions say; the rows of a matrix belong to the ranks where they begin, and what a rank
 * has of the rows of others is what they lack. */
#include "layout/vector.h"

#include "support.h"

static void test_elements(const pf_vector *v) {
  static char seen[512];
  memset(seen, 0, sizeof seen);
  for (int r = 0; r < v->ranks; r++)
    for (ptrdiff_t i = 0; i < pf_vector_count(v, r); i++) {
      ptrdiff_t j = pf_vector_index(v, r, i);
      int rank = v->reversed ? pf_reversed_rank(v->ranks, r) : r;
      CHECK(j >= 0 && j < v->total && !seen[j], "%td twice, or none", j);
      if (j >= 0 && j < v->total) seen[j] = 1;
      if (v->distribution == PF_CYCLIC)
        CHECK(j % v->ranks == rank && j / v->ranks == i, "card %td", j);
      if (v->distribution == PF_BLOCK)
        CHECK(j == pf_cuts_part(&v->cuts, v->total, v->ranks, rank).lo + i,
              "element %td of a block", j);
    }
  for (ptrdiff_t j = 0; j < v->total; j++)
    CHECK(seen[j], "element %td of %td on %d ranks, rows of %td", j, v->total, v->ranks, v->row);
}

static void test_rows(const pf_vector *v) {
  ptrdiff_t next = 0, lacking = 0, heads = 0;
  for (int r = 0; r < v->ranks; r++) {
    pf_range rows = pf_vector_block_rows(v, r), block = pf_vector_block(v, r);
    pf_range last = pf_vector_last(v, r), head = pf_vector_head(v, r);
    CHECK(rows.lo == next, "rows of rank %d begin at %td, not %td", r, rows.lo, next);
    next += rows.len;
    if (rows.len)
      CHECK(rows.lo * v->row >= block.lo && (next - 1) * v->row < block.lo + block.len,
            "rows of rank %d do not begin in its block", r);
    if (last.len) {
      CHECK(last.lo == (next - 1) * v->row, "last row of rank %d", r);
      lacking += last.lo + last.len - block.lo - block.len;
    }
    heads += head.len;
    CHECK(head.len <= block.len && head.len < v->row, "head of rank %d", r);
  }
  CHECK(next == pf_vector_rows(v), "%td rows in all, not %td", next, pf_vector_rows(v));
  CHECK(lacking == heads, "%td elements lacking, %td of others", lacking, heads);
}

/* Blocks of equal length, and a list with empty parts. */
static void test_cut(pf_vector v) {
  ptrdiff_t at[10], longest = 0;
  for (int k = 0; k <= v.ranks; k++) at[k] = k == v.ranks ? v.total : v.total * (k / 2) / v.ranks;
  for (int list = 0; list < 2; list++) {
    v.cuts = list ? (pf_cuts){PF_CUTS_GIVEN, at} : (pf_cuts){PF_CUTS_CEIL, NULL};
    test_elements(&v);
    test_rows(&v);
    longest = 0;
    for (int r = 0; r < v.ranks; r++)
      if (pf_vector_count(&v, r) > longest) longest = pf_vector_count(&v, r);
    CHECK(pf_vector_longest(&v) == longest, "the longest of %d parts", v.ranks);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int ranks = 1; ranks <= 9; ranks++)
    for (ptrdiff_t total = 1; total <= 70; total += 1 + total / 20)
      for (ptrdiff_t row = 1; row <= 24; row++) {
        pf_vector blocks = {.ranks = ranks, .total = total, .row = row}, columns = blocks;
        pf_vector cyclic = {PF_CYCLIC, ranks, total, row * ranks, 0, {PF_CUTS_BALANCED, NULL}};
        columns.distribution = PF_COLUMNS;
        test_elements(&blocks);
        test_elements(&columns);
        test_elements(&cyclic);
        test_rows(&blocks);
        test_cut(blocks);
        ptrdiff_t whole = total / cyclic.row, width = pf_vector_width(&cyclic, ranks - 1);
        CHECK(whole * width + pf_vector_rest(&cyclic, ranks - 1) ==
                  pf_vector_count(&cyclic, ranks - 1),
              "cyclic in rows of %td", cyclic.row);
        if (ranks & (ranks - 1)) continue;
        blocks.reversed = cyclic.reversed = 1;
        test_elements(&blocks);
        test_elements(&cyclic);
      }
  return check_result();
}
