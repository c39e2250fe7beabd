/* SPDX-License-Identifier: BSD-3-Clause
 * Prefetching in engine simd, some cache lines with each butterfly: part of simd_kernel.h. */

INLINE void prefetch(const char *p, int write) {
#ifdef __x86_64__ /* compilers emit this one only for processors that are known to have it */
  if (write)
    __asm__ volatile("prefetchw %0" ::"m"(*p));
  else
#endif
    __builtin_prefetch(p, 0, 2);
  (void)write;
}

typedef struct {
  const pf_fetch *what;
  ptrdiff_t row;
  int line;
  ptrdiff_t due, each, share; /* each/share pairs of lines are due with a butterfly */
} fetcher;

INLINE void fetch_more(fetcher *f, int write) {
  for (f->due += f->each; f->due >= f->share; f->due -= f->share) {
    ptrdiff_t at = f->what->offset + f->line * PF_ALIGN, next = PF_ALIGN;
    if (f->row >= f->what->rows - f->what->mirrored) at = -at, next = -next;
    const char *p = f->what->at[f->row] + at;
    prefetch(p, write);
    prefetch(p + next, write);
    f->line += 2;
    if (f->line < f->what->lines) continue;
    f->line = 0;
    if (++f->row == f->what->rows) f->due = f->each = 0; /* all requested */
  }
}

/* Sets members one by one: structures are copied in vectors, and a vector load of members that were
 * just stored waits until all earlier stores have reached the cache, including those of the last
 * tile. */
INLINE void fetch_begin(fetcher *f, const pf_fetch *what, ptrdiff_t butterflies) {
  f->what = what;
  f->row = 0;
  f->line = 0;
  f->due = 0;
  f->each = what->rows > 0 ? what->rows * ((what->lines + 1) / 2) : 0;
  f->share = butterflies;
}

/* Prefetches the points of butterfly j of the last pass, which have large strides, for writing. */
INLINE void claim_points(const pf_lines *to, ptrdiff_t j, ptrdiff_t m, int count) {
  for (int q = 0; q < count; q++) {
    const char *at = to->at[j + q * m] + to->offset;
    prefetch(at, 1);
    prefetch(at + PF_ALIGN, 1);
  }
}

/* Requests all cache lines at once, for lines with a very short computation. */
INLINE void fetch_all(const pf_fetch *what, int write) {
  fetcher f;
  fetch_begin(&f, what, 1);
  if (f.each) fetch_more(&f, write);
}
