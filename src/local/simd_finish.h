/* SPDX-License-Identifier: BSD-3-Clause
 * The last pass of engine simd on lines that are written as rows, part of simd_kernel.h. */

/* The last pass on rows whose points are not stored in whole blocks: on all points first. */
APART void finish_whole(walk *x, ptrdiff_t m, int radix, const real *w, int stream) {
  const pf_lines *to = &x->job->to;
  ptrdiff_t n = x->p->n, before = to->gap ? to->gap->lo : n;
  ptrdiff_t behind = to->gap ? to->gap->lo + to->gap->len : n;
  char *at[lanes];
  BY_RADIX(radix, last_rows, x, 0, 1, m, m, w)
  if (x->p->real) {
    scatter_reals(x->p, x->tile, to, stream);
    return;
  }
  for (int j = 0; j < lanes; j++) at[j] = to->at[j] + to->offset;
  if (stream)
    scatter_run(x->p, x->tile, NULL, (pf_run){0, 1, before}, at, 0, 1);
  else
    scatter_run(x->p, x->tile, NULL, (pf_run){0, 1, before}, at, 0, 0);
  scatter_run(x->p, x->tile, NULL, (pf_run){behind, 1, n - behind}, at, before, 0);
}

/* All passes but the first on rows of several fields, one field of the tile after the other. */
APART void transform_many(walk *x, ptrdiff_t m) {
  const pf_simd_plan *p = x->p;
  const pf_lines *to = &x->job->to;
  int last = p->passes - 1, stream = streams(x);
  real *tile = x->tile;
  char *at[lanes];
  for (ptrdiff_t c = 0; c < p->many; c++) {
    x->tile = tile + c * p->n * pair;
    run_blocks(x, m);
    BY_RADIX(p->radix[last], last_rows, x, 0, 1, m, m, p->twiddle[last])
  }
  x->tile = tile;
  if (p->real) {
    scatter_many_reals(p, tile, to, stream);
    return;
  }
  for (int j = 0; j < lanes; j++) at[j] = to->at[j] + to->offset;
  if (stream)
    scatter_run(p, tile, p->order, (pf_run){0, 1, p->n * p->many}, at, 0, 1);
  else
    scatter_run(p, tile, p->order, (pf_run){0, 1, p->n * p->many}, at, 0, 0);
}

/* The last pass on rows: in portions that can be transposed, and streamed, immediately. */
INLINE void finish_rows(walk *x, ptrdiff_t m, int radix, const real *w) {
  const pf_lines *to = &x->job->to;
  int stream = streams(x);
  char *at[lanes];
  if (x->p->real || m % block_points || to->gap) {
    finish_whole(x, m, radix, w, stream);
    return;
  }
  for (int j = 0; j < lanes; j++) at[j] = to->at[j] + to->offset;
  for (ptrdiff_t j = 0; j < m; j += block_points) {
    BY_RADIX(radix, last_rows, x, j, 1, block_points, m, w)
    for (ptrdiff_t k = j; k < x->p->n; k += m)
      if (stream)
        scatter_run(x->p, x->tile, NULL, (pf_run){k, 1, block_points}, at, k, 1);
      else
        scatter_run(x->p, x->tile, NULL, (pf_run){k, 1, block_points}, at, k, 0);
  }
}

/* The last pass of real columns: a mode, or a row of modes, depends on all points. */
APART void finish_real_columns(walk *x, ptrdiff_t m, int radix, const real *w) {
  BY_RADIX(radix, last_rows, x, 0, 1, m, m, w)
  if (streams(x))
    scatter_real_columns(x->p, x->tile, x->job, 1);
  else
    scatter_real_columns(x->p, x->tile, x->job, 0);
}

/* Nonzero if the blocks of points from one portion of the last pass are contiguous in some run. */
static int blocks_fit(const walk *x, ptrdiff_t m) {
  const pf_lines *to = &x->job->to;
  ptrdiff_t step = to->run[0].step;
  for (int r = 0; r < to->runs && step == 1; r++)
    if (to->run[r].first % block_points || to->run[r].count % block_points) return 0;
  return m % (step * block_points) == 0;
}

/* The run that holds point k, and *index, its index there: runs are in ascending order of their
 * points, or run r begins with point r and has a step equal to the number of runs. */
static int find_run(const pf_lines *to, ptrdiff_t k, int found, ptrdiff_t *index) {
  ptrdiff_t step = to->run[0].step;
  *index = k / step;
  if (step > 1) return (int)(k % step);
  while (k >= to->run[found].first + to->run[found].count) found++;
  *index = k - to->run[found].first;
  return found;
}

/* The last pass if columns become rows in several runs. */
static void finish_transposed(walk *x, ptrdiff_t m, int radix, const real *w) {
  const pf_lines *to = &x->job->to;
  int stream = streams(x), found[PF_SIMD_RADIX + 1] = {0};
  if (!blocks_fit(x, m)) {
    BY_RADIX(radix, last_rows, x, 0, 1, m, m, w)
    for (int r = 0; r < to->runs; r++)
      scatter_run(x->p, x->tile, NULL, to->run[r], to->at + r * lanes, 0, 0);
    return;
  }
  ptrdiff_t step = to->run[0].step, index;
  for (ptrdiff_t block = 0; block < m; block += step * block_points)
    for (ptrdiff_t j = block; j < block + step; j++) {
      BY_RADIX(radix, last_rows, x, j, step, block_points, m, w)
      for (int q = 0; q < radix; q++) {
        ptrdiff_t k = j + q * m;
        int r = found[q] = find_run(to, k, found[q], &index);
        const pf_run run = {k, step, block_points};
        if (stream)
          scatter_run(x->p, x->tile, NULL, run, to->at + r * lanes, index, 1);
        else
          scatter_run(x->p, x->tile, NULL, run, to->at + r * lanes, index, 0);
      }
    }
}
