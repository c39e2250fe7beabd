/* SPDX-License-Identifier: BSD-3-Clause
 * Reading points and rows into a tile of engine simd, and writing them: part of simd_kernel.h. */

INLINE void put(real *to, vec v, int stream) {
  if (stream)
    PF_STREAM(to, v);
  else
    *(vec_any *)to = v;
}

/* A point of lines side by side: consecutive pairs. swap: a backward transform is a forward one
 * with real and imaginary parts exchanged on input and output.  mixed: lanes have the order that
 * takes the fewest instructions.  Computations do not depend on the lane, except for weights, which
 * are permuted as well, so that only both ends of a transform must agree. */
INLINE void load_lanes(const char *from, ptrdiff_t h, int swap, int mixed, vec *r, vec *i) {
  const real *s = (const real *)from + 2 * h;
  vec a = *(const vec_any *)s, b = *(const vec_any *)(s + PF_VL);
  vec re = mixed ? SHUFFLE(a, b, PART_RE) : SHUFFLE(a, b, SPLIT_RE);
  vec im = mixed ? SHUFFLE(a, b, PART_IM) : SHUFFLE(a, b, SPLIT_IM);
  *r = swap ? im : re;
  *i = swap ? re : im;
}

INLINE void store_lanes(char *to, ptrdiff_t h, int swap, int mixed, int stream, vec r, vec i) {
  real *s = (real *)to + 2 * h;
  vec re = swap ? i : r, im = swap ? r : i;
  put(s, mixed ? SHUFFLE(re, im, PAIR_LOW) : SHUFFLE(re, im, JOIN_LOW), stream);
  put(s + PF_VL, mixed ? SHUFFLE(re, im, PAIR_HIGH) : SHUFFLE(re, im, JOIN_HIGH), stream);
}

/* The images of a point: conjugates of the pairs, at descending addresses from `from` on. */
INLINE void load_image(const char *from, int h, int swap, int mixed, vec *r, vec *i) {
  vec re, im;
  load_lanes(from - (size_t)(h + h + PF_VL - 1) * 2 * sizeof(real), h, 0, mixed, &re, &im);
  re = SHUFFLE(re, re, REVERSE);
  im = -SHUFFLE(im, im, REVERSE);
  *r = swap ? im : re;
  *i = swap ? re : im;
}

INLINE void store_image(char *to, int h, int swap, int mixed, int stream, vec r, vec i) {
  vec re = swap ? i : r, im = swap ? -r : -i;
  char *first = to - (size_t)(h + PF_VL - 1) * 2 * sizeof(real);
  re = SHUFFLE(re, re, REVERSE);
  im = SHUFFLE(im, im, REVERSE);
  if (stream && (uintptr_t)first % PF_ALIGN == 0)
    store_lanes(first - (size_t)h * 2 * sizeof(real), h, 0, mixed, 1, re, im);
  else
    store_lanes(first - (size_t)h * 2 * sizeof(real), h, 0, mixed, 0, re, im);
}

/* A point of lines, possibly an image. */
INLINE void load_any(const pf_lines *from, ptrdiff_t k, int h, int swap, int mixed, vec *r,
                     vec *i) {
  if (from->images && k >= from->images)
    load_image(from->at[k] - from->offset, h, swap, mixed, r, i);
  else
    load_lanes(from->at[k] + from->offset, h, swap, mixed, r, i);
}

/* Stores such a point, if it has an address. */
INLINE void store_any(const pf_lines *to, ptrdiff_t k, int h, int swap, int mixed, int stream,
                      vec r, vec i) {
  char *at = to->at[k];
  if (!at) return;
  if (to->images && k >= to->images)
    store_image(at - to->offset, h, swap, mixed, stream, r, i);
  else if (stream && (uintptr_t)(at + to->offset) % PF_ALIGN == 0)
    store_lanes(at + to->offset, h, swap, mixed, 1, r, i);
  else
    store_lanes(at + to->offset, h, swap, mixed, 0, r, i);
}

/* Points of a row, in order. */
INLINE void load_point(const char *from, ptrdiff_t h, int swap, vec *r, vec *i) {
  load_lanes(from, h, swap, 0, r, i);
}

INLINE void store_point(char *to, ptrdiff_t h, int swap, int stream, vec r, vec i) {
  store_lanes(to, h, swap, 0, stream, r, i);
}

/* Multiplies a point by the weights of a job, for lines from h on: products are rounded once, in
 * all engines.  (Passes test for weights at run time, which keeps compilers from fusing these
 * products with the following sums, differently in each kernel.) */
INLINE void weigh_point(const pf_weights *weights, ptrdiff_t point, int h, int mixed, vec *r,
                        vec *i) {
  vec w = {0}; /* compilers do not recognise that all elements are set */
  for (int l = 0; l < PF_VL; l++) w[l] = (real)(weights->point[point] * weights->line[h + l]);
  if (mixed) w = SHUFFLE(w, w, MIXED);
  *r *= w;
  *i *= w;
}

/* Points of PF_VL contiguous lines that fill one vector each: transposed, they are alternating
 * vectors of real and imaginary parts. */
enum { block_points = PF_VL / 2 };

/* Points are moved in blocks.  If the last block is not whole, it is moved together with some
 * points before it, again, which is faster than one by one.  Not for streaming stores: then, and
 * for less than a block, the result is the number of points in whole blocks. */
INLINE ptrdiff_t in_blocks(ptrdiff_t points, ptrdiff_t block, int stream) {
  return points < block || stream ? points / block * block : points;
}

INLINE ptrdiff_t next_block(ptrdiff_t i, ptrdiff_t block, ptrdiff_t points) {
  ptrdiff_t last = points - block;
  return i < last && last < i + block ? last : i + block;
}

/* Points first .. first + count - 1, stored in the rows from element `skip` on. */
INLINE void gather_points(const pf_simd_plan *p, real *tile, const pf_lines *from, ptrdiff_t first,
                          ptrdiff_t count, ptrdiff_t skip, const pf_weights *weights) {
  int even = p->swap ? lanes : 0, odd = lanes - even;
  ptrdiff_t whole = in_blocks(count, block_points, 0);
  for (int h = 0; h < lanes; h += PF_VL) {
    const real *row[PF_VL];
    for (int r = 0; r < PF_VL; r++)
      row[r] = (const real *)(from->at[h + r] + from->offset) + 2 * skip;
    for (ptrdiff_t i = 0; i < whole; i = next_block(i, block_points, whole)) {
      vec x[PF_VL];
#pragma GCC unroll 16
      for (int r = 0; r < PF_VL; r++) x[r] = *(const vec_any *)(row[r] + 2 * i);
      transpose(x);
#pragma GCC unroll 8
      for (int k = 0; k < block_points; k++) {
        real *to = tile + (ptrdiff_t)p->position[first + i + k] * pair + h;
        vec re = x[2 * k], im = x[2 * k + 1];
        if (weights) weigh_point(weights, first + i + k, h, 0, &re, &im);
        *(vec *)(to + even) = re;
        *(vec *)(to + odd) = im;
      }
    }
    for (ptrdiff_t i = whole; i < count; i++)
      for (int r = 0; r < PF_VL; r++) {
        real *to = tile + (ptrdiff_t)p->position[first + i] * pair + h + r;
        real w = weights ? (real)(weights->point[first + i] * weights->line[h + r]) : 1;
        to[even] = row[r][2 * i] * w;
        to[odd] = row[r][2 * i + 1] * w;
      }
  }
}

APART void gather_beside(const pf_simd_plan *p, real *tile, const pf_lines *from,
                         const pf_weights *weights) {
  pf_range gap = *from->gap;
  ptrdiff_t behind = gap.lo + gap.len;
  gather_points(p, tile, from, 0, gap.lo, 0, weights);
  gather_points(p, tile, from, behind, p->n - behind, gap.lo, weights);
  for (ptrdiff_t i = gap.lo; i < behind; i++)
    for (int h = 0; h < pair; h += PF_VL)
      *(vec *)(tile + (ptrdiff_t)p->position[i] * pair + h) = (vec){0};
}

INLINE void gather_rows(const pf_simd_plan *p, real *tile, const pf_lines *from,
                        const pf_weights *weights) {
  if (from->gap)
    gather_beside(p, tile, from, weights);
  else
    gather_points(p, tile, from, 0, p->n * p->many, 0, weights);
}

/* Position of element k of a row in the tile: rows of several fields have another order there. */
INLINE ptrdiff_t position_of(const int32_t *order, ptrdiff_t k) {
  return order ? order[k] : k;
}

/* Writes elements of the tile to the rows, from element `skip` on. */
INLINE void scatter_run(const pf_simd_plan *p, const real *tile, const int32_t *order, pf_run run,
                        char *const *at, ptrdiff_t skip, int stream) {
  int even = p->swap ? lanes : 0, odd = lanes - even;
  ptrdiff_t whole = in_blocks(run.count, block_points, stream);
  for (int h = 0; h < lanes; h += PF_VL) {
    real *row[PF_VL];
    for (int r = 0; r < PF_VL; r++) row[r] = (real *)(void *)at[h + r] + 2 * skip;
    for (ptrdiff_t i = 0; i < whole; i = next_block(i, block_points, whole)) {
      vec x[PF_VL];
#pragma GCC unroll 8
      for (int k = 0; k < block_points; k++) {
        const real *from = tile + position_of(order, run.first + (i + k) * run.step) * pair + h;
        x[2 * k] = *(const vec *)(from + even);
        x[2 * k + 1] = *(const vec *)(from + odd);
      }
      transpose(x);
#pragma GCC unroll 16
      for (int r = 0; r < PF_VL; r++) put(row[r] + 2 * i, x[r], stream);
    }
    for (ptrdiff_t i = whole; i < run.count; i++) {
      const real *from = tile + position_of(order, run.first + i * run.step) * pair + h;
      for (int r = 0; r < PF_VL; r++) {
        row[r][2 * i] = from[even + r];
        row[r][2 * i + 1] = from[odd + r];
      }
    }
  }
}
