/* SPDX-License-Identifier: BSD-3-Clause
 * Real lines of an even length N as complex ones of M = N/2 points: z_j = x_2j + i x_(2j+1), which
 * is the same memory.  The spectrum of x is computed from the spectrum of z and its mirror image,
 * and back:
 *
 *   X_k = (Z_k + conj Z_(M-k)) / 2 - i w^k (Z_k - conj Z_(M-k)) / 2,  w = exp(-2 pi i/N)
 *   Z_k =  X_k + conj X_(M-k)      + i w^-k (X_k - conj X_(M-k))      backward, without a factor
 *
 * with X_0 and X_M from the real and the imaginary part of Z_0.  The mirror image of a rank's
 * elements is on one or a few other ranks in every layout (line/fold.h), mostly on one: this costs
 * half of the bytes of one exchange of a complex line of N points, and saves half of its
 * arithmetic, memory and other exchanges.  In shared memory, with blocks on both sides, each rank
 * reads a share of all pairs and writes their results to any rank.  Blocks of x and z agree if 2P
 * divides N; otherwise a few numbers move to neighbours. Source: Press et al., Numerical
 * Recipes, 12.3 (Cooley, Lewis and Welch, J. Sound Vib. 12, 1970). */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "line/mirror.h"
#include "line/work.h"

/* ---- folds ---- */

/* Blocks of x (b) and of z (a) as real numbers. */
static void fold_pairs(const pf_line_choice *c, pf_fold *f) {
  const pf_vector *x = &c->caller[PFFT3D_SPACE], *z = &c->vector[PFFT3D_SPACE];
  *f = (pf_fold){.row = PTRDIFF_MAX,
                 .lines = pf_line_together(c),
                 .bands = 1,
                 .band = {{{0, x->total}, 1, 0, 0, 0}}};
  f->side[0] = (pf_columns){z->total, 2, z->ranks, 0, x->total};
  f->side[1] = (pf_columns){x->total, 1, x->ranks, 0, x->total};
}

/* X (a) and Z (b), element by element, and each with its mirror image. */
static void fold_mirror(const pf_line_choice *c, pf_fold *f) {
  const pf_vector *x = &c->caller[PFFT3D_SPECTRUM], *z = &c->vector[PFFT3D_SPECTRUM];
  ptrdiff_t m = z->total, row = z->distribution == PF_CYCLIC ? z->ranks : z->row;
  *f = (pf_fold){.row = PTRDIFF_MAX,
                 .lines = pf_line_together(c),
                 .bands = 2,
                 .band = {{{0, m + 1}, 1, 0, 0, 0}, {{0, m + 1}, -1, m, 0, 1}}};
  f->side[0] = (pf_columns){m + 1, 1, x->ranks, x->reversed, m + 1};
  f->side[1] = (pf_columns){m, 1, z->ranks, z->reversed, m};
  if (z->distribution == PF_BLOCK) return;
  ptrdiff_t rest = m % row, rows = m / row;
  f->row = f->side[0].n = f->side[1].n = row;
  f->bands = 3;
  f->band[1] = (pf_band){{0, rest + 1}, -1, rest, rows, 1};
  f->band[2] = (pf_band){{rest + 1, row - rest - 1}, -1, row + rest, rows - 1, 1};
}

int pf_half_pairs(const pf_line_choice *c) {
  const pf_vector *x = &c->caller[PFFT3D_SPACE];
  return x->ranks > 1 && x->total % (2 * (ptrdiff_t)x->ranks) != 0;
}

/* The fold of an action and the side that is sent. */
static int fold_of(pf_line_action action, int *from) {
  *from = action == PF_LINE_PAIR || action == PF_LINE_SPLIT;
  return action == PF_LINE_SPLIT || action == PF_LINE_MERGE;
}

pf_message_count pf_half_count(const pf_line_choice *c, pf_line_action action, int rank,
                               size_t element, ptrdiff_t cap) {
  pf_fold f;
  int from, mirror = fold_of(action, &from);
  (mirror ? fold_mirror : fold_pairs)(c, &f);
  int whole = mirror && !c->narrow; /* numbers of pairs, and narrow elements, have half the bytes */
  return pf_fold_count(&f, from, rank, whole ? element : element / 2, cap);
}

ptrdiff_t pf_half_buffer(const pf_line_choice *c, int rank) {
  ptrdiff_t most = 0;
  for (int side = 0; side < 2; side++) {
    ptrdiff_t count = pf_vector_count(&c->vector[side], rank);
    if (count > most) most = count;
  }
  return most + 3; /* X_M, one element where blocks of X and Z begin differently, and a note */
}

int pf_half_make(pf_line *line, pfft3d_error *e) {
  fold_pairs(&line->choice, &line->fold[0].fold);
  fold_mirror(&line->choice, &line->fold[1].fold);
  for (int k = 0; k < 2; k++) {
    pf_fold_messages *m = &line->fold[k];
    m->element = k ? line->element : line->element / 2;
    m->narrow = k && line->choice.narrow;
    m->room = (size_t)(m->fold.lines * line->choice.inside) * line->element;
    PF_TRY(pf_fold_make(m, line->comm, line->cap, e));
  }
  return pf_roots_make(&line->halves, 2 * line->n, e);
}

/* ---- elements and their images ---- */

/* A step of a plan: its fold, the side that is sent, and the addresses of this rank's results. */
typedef struct work {
  const pf_line *line;
  const pf_fold_messages *m;
  pf_mirror mirror;
  int from;
  const char *in;
  pf_fold_address to;
  char *out;
} work;

/* Computes the results of a run, without elements 0 and M. */
static void emit(const work *s, pf_mirror_run r) {
  ptrdiff_t size = (ptrdiff_t)s->mirror.element;
  if (r.count > 0 && r.k == 0) {
    r.k += r.step;
    r.count--;
    r.own += r.across[0] * size, r.mirror += r.across[1] * size, r.to += r.across[2] * size;
  }
  if (r.count > 0 && r.k + (r.count - 1) * r.step == s->mirror.half) r.count--;
  if (r.step == 1 && r.across[0] == 1 && r.across[1] == -1 && r.across[2] == 1)
    pf_mirror_neighbours(&s->mirror, &r);
  else
    pf_mirror_any(&s->mirror, &r);
}

static const char *at(const work *s, const pf_fold_address *p, ptrdiff_t row, ptrdiff_t column) {
  return p->base + (row * p->pitch + column - p->first) * (ptrdiff_t)s->mirror.element;
}

/* Computes the columns of the result whose elements are in one section and whose mirror images are
 * in another; column c is the image of column mirror->offset - c, row x of row mirror->row - x. */
static void combine(const work *s, pf_range columns, const pf_fold_address address[2],
                    const pf_band *mirror) {
  const pf_fold *f = &s->m->fold;
  ptrdiff_t total = f->side[!s->from].total, row = f->row;
  ptrdiff_t full = total / row, rows = full + (pf_columns_in_row(f, !s->from, columns, full) > 0);
  ptrdiff_t c = columns.lo, image = mirror->offset - c;
  int along = columns.len == 1 && rows > 1, threads = s->line->threads;
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1 && rows > 1)
#endif
  for (ptrdiff_t x = 0; x < (along ? 1 : rows); x++) {
    pf_mirror_run r = {.k = x ? c + x * row : c,
                       .step = along ? row : 1,
                       .count = along ? rows : pf_columns_in_row(f, !s->from, columns, x),
                       .own = at(s, &address[0], x, c),
                       .mirror = at(s, &address[1], mirror->row - x, image),
                       .to = s->out + (at(s, &s->to, x, c) - s->to.base),
                       .across = {1, -1, 1}};
    if (along)
      r.across[0] = address[0].pitch, r.across[1] = -address[1].pitch, r.across[2] = s->to.pitch;
    emit(s, r);
  }
}

/* Computes element 0 or M, if a section of mirror images has the other one of them. */
static void combine_ends(const work *s, const pf_fold_section *section,
                         const pf_fold_address *address) {
  const pf_band *b = &s->m->fold.band[1];
  ptrdiff_t last = b->offset, rows = b->row;
  if (section->band != 1 || last < section->a.lo || last >= section->a.lo + section->a.len) return;
  if (s->mirror.merge)
    pf_mirror_ends(&s->mirror, s->in, at(s, address, rows, last), s->out, NULL);
  else
    pf_mirror_ends(&s->mirror, at(s, address, 0, 0), NULL, NULL,
                   s->out + (at(s, &s->to, rows, last) - s->to.base));
}

/* Combines each section of mirror images with all sections of elements. */
static void combine_all(const work *s, const pf_fold_source *source) {
  const pf_fold_messages *m = s->m;
  pf_fold_source next = *source;
  for (ptrdiff_t i = 0; i < m->sections[!s->from]; i++) {
    const pf_fold_section *image = &m->section[!s->from][i];
    const pf_band *b = &m->fold.band[image->band];
    pf_fold_address address[2] = {{0}, pf_fold_next(m, s->from, i, &next)};
    if (!b->mirror) continue;
    pf_range there = pf_band_columns(b, image->a, !s->from);
    pf_fold_source other = *source;
    for (ptrdiff_t j = 0; j < m->sections[!s->from]; j++) {
      const pf_fold_section *own = &m->section[!s->from][j];
      if (m->fold.band[own->band].mirror) break;
      address[0] = pf_fold_next(m, s->from, j, &other);
      pf_range both = pf_range_common(there, own->a);
      if (both.len > 0) combine(s, both, address, b);
    }
    combine_ends(s, image, &address[1]);
  }
  pf_range mine = pf_columns_of(&m->fold.side[!s->from], m->rank);
  if (!s->mirror.merge && mine.len > 0 && mine.lo == 0)
    pf_mirror_ends(&s->mirror, s->in, NULL, s->out, NULL);
}

/* One rank has all elements: each is computed with its image, so that one array is enough. */
static void combine_alone(const work *s) {
  ptrdiff_t size = (ptrdiff_t)s->mirror.element, end = s->mirror.half * size;
  ptrdiff_t middle = s->mirror.half / 2 * size;
  pf_mirror_ends(&s->mirror, s->in, s->in + end, s->out, s->out + end);
  pf_mirror_neighbours(&s->mirror, &(pf_mirror_run){.k = 1,
                                                    .step = 1,
                                                    .count = (s->mirror.half - 1) / 2,
                                                    .own = s->in + size,
                                                    .mirror = s->in + end - size,
                                                    .to = s->out + size,
                                                    .image = s->out + end - size,
                                                    .across = {1, -1, 1}});
  if (s->mirror.half % 2 == 0 && middle)
    pf_mirror_neighbours(&s->mirror, &(pf_mirror_run){.k = s->mirror.half / 2,
                                                      .step = 1,
                                                      .count = 1,
                                                      .own = s->in + middle,
                                                      .mirror = s->in + middle,
                                                      .to = s->out + middle,
                                                      .across = {1, -1, 1}});
}

/* Copies all sections, which are parts of blocks, to the result: numbers to pairs, or back. */
static void copy_all(const work *s, const pf_fold_source *source) {
  const pf_fold_messages *m = s->m;
  pf_fold_source next = *source;
  ptrdiff_t size = (ptrdiff_t)m->element;
  for (ptrdiff_t i = 0; i < m->sections[!s->from]; i++) {
    pf_range a = m->section[!s->from][i].a;
    pf_fold_address from = pf_fold_next(m, s->from, i, &next);
    memcpy(s->out + (a.lo - s->to.first) * size, from.base + (a.lo - from.first) * size,
           (size_t)(a.len * size));
  }
}

/* ---- shared memory ---- */

int pf_half_reads_peers(const pf_line_choice *c, pf_line_action action, int shared) {
  return shared && c->caller[0].ranks > 1 && (action == PF_LINE_SPLIT || action == PF_LINE_MERGE);
}

/* The note of a rank at the end of its second buffer: the number of the caller's array if it is
 * shared. */
static int *note_of(const pf_line *line, const pf_shared *w, int rank) {
  const pf_line_choice *c = &line->choice;
  size_t at = ((size_t)(pf_line_together(c) * c->inside) - 1) * line->element;
  return (int *)(void *)(w->base + (size_t)rank * w->part + at);
}

static pf_shared *shared_of(const pf_line *line, const void *array) {
  int number = pf_arrays_find(line->arrays, array);
  return number < 0 ? NULL : &line->arrays->at[number].shared;
}

/* Finds the caller's shared array of all ranks, with a barrier: NULL unless all ranks pass the same
 * array from pfft3d_alloc(). */
static int find_callers(const pf_line *line, const void *array, const pf_shared **found) {
  pf_shared *w = shared_of(line, line->work[1]);
  int number = pf_arrays_find(line->arrays, array), same = number >= 0;
  *note_of(line, w, line->rank) = number;
  int code = pf_shared_barrier(w);
  for (int r = 0; r < line->ranks; r++) same = same && *note_of(line, w, r) == number;
  *found = same ? &line->arrays->at[number].shared : NULL;
  return code;
}

/* Copies the input of a merge to the second buffer, where all ranks can read it. */
static int copy_input(const work *s, pf_line_pass *pass) {
  const pf_line *line = s->line;
  const pf_line_choice *c = &line->choice;
  size_t bytes = (size_t)pf_vector_count(&c->caller[PFFT3D_SPECTRUM], line->rank);
  size_t apart = (size_t)c->inside * s->mirror.element;
  char *to = line->work[1];
  bytes *= s->mirror.element;
  for (ptrdiff_t b = 0; b < s->m->fold.lines && bytes; b++) /* an empty rank may have no input */
    memcpy(to + (size_t)b * apart, s->in + (size_t)b * pass->apart[0], bytes);
  pass->from = to;
  pass->apart[0] = apart;
  return pf_shared_barrier(shared_of(line, line->work[1]));
}

/* The arrays of all ranks with a vector in blocks.  spread_at(): the address of element k; *below
 * and *above: the numbers of elements on its rank up to k, and from k on. */
typedef struct spread {
  char *base;
  size_t part; /* bytes from rank to rank */
  const pf_vector *v;
} spread;

static char *spread_at(const spread *a, ptrdiff_t k, size_t element, ptrdiff_t *below,
                       ptrdiff_t *above) {
  int rank = pf_split_owner(a->v->total, a->v->ranks, k);
  pf_range block = pf_vector_block(a->v, rank);
  *below = k - block.lo + 1;
  *above = block.lo + block.len - k;
  return a->base + (size_t)rank * a->part + (size_t)(k - block.lo) * element;
}

/* Computes this rank's share of the pairs of elements and images, on any ranks; each pair is read
 * once. */
static void combine_pairs(const work *s, const spread *in, const spread *out, pf_range share) {
  size_t size = s->mirror.element;
  ptrdiff_t half = s->mirror.half, end = share.lo + share.len, up[2], down[2], other[2][2];
  for (ptrdiff_t k = share.lo, count; k < end; k += count) {
    pf_mirror_run r = {.k = k, .step = 1, .across = {1, -1, 1}};
    r.own = spread_at(in, k, size, &other[0][0], &up[0]);
    r.to = spread_at(out, k, size, &other[0][1], &up[1]);
    r.mirror = spread_at(in, half - k, size, &down[0], &other[1][0]);
    r.image = spread_at(out, half - k, size, &down[1], &other[1][1]);
    count = end - k;
    for (int side = 0; side < 2; side++) {
      if (up[side] < count) count = up[side];
      if (down[side] < count) count = down[side];
    }
    r.count = count;
    if (2 * k == half) r.image = NULL;
    pf_mirror_neighbours(&s->mirror, &r);
  }
}

/* A line in blocks on both sides, in shared memory: every rank computes a share of all pairs. */
static void combine_shared(const work *s, const spread *in, const spread *out) {
  const pf_line *line = s->line;
  ptrdiff_t half = s->mirror.half, any[2];
  size_t size = s->mirror.element;
  pf_range share = pf_split((half - 1) / 2, line->ranks, line->rank); /* of 1 .. (half - 1) / 2 */
  share.lo++;
  combine_pairs(s, in, out, share);
  if (line->rank) return;
  if (half % 2 == 0) combine_pairs(s, in, out, (pf_range){half / 2, 1}); /* its own image */
  char *first = spread_at(out, 0, size, &any[0], &any[1]);
  const char *zero = spread_at(in, 0, size, &any[0], &any[1]);
  if (s->mirror.merge)
    pf_mirror_ends(&s->mirror, zero, spread_at(in, half, size, &any[0], &any[1]), first, NULL);
  else
    pf_mirror_ends(&s->mirror, zero, NULL, first, spread_at(out, half, size, &any[0], &any[1]));
}

/* ---- running ---- */

/* Runs line b of a batch, whose sections have arrived, or are in the input arrays of all ranks,
 * shared[0]; shared[1]: the output arrays, if they are shared, too. */
static void run_line(const work *all, const pf_line_pass *pass, ptrdiff_t b, const char *received,
                     const pf_shared *const shared[2]) {
  const pf_line_choice *c = &all->line->choice;
  size_t offset[2] = {(size_t)b * pass->apart[0], (size_t)b * pass->apart[1]};
  pf_line_pass one = pf_line_pass_from(pass, (size_t)b);
  const pf_vector *z = &c->vector[PFFT3D_SPECTRUM], *x = &c->caller[PFFT3D_SPECTRUM];
  work s = *all;
  s.in = one.from;
  s.out = one.to;
  if (s.line->ranks == 1) {
    combine_alone(&s);
  } else if (shared[0] && shared[1]) {
    spread in = {shared[0]->base + offset[0], shared[0]->part, s.mirror.merge ? x : z};
    spread out = {shared[1]->base + offset[1], shared[1]->part, s.mirror.merge ? z : x};
    combine_shared(&s, &in, &out);
  } else {
    pf_fold_source source = {.own = s.in, .line = b, .received = received};
    if (shared[0]) source.peers = shared[0]->base + offset[0], source.part = shared[0]->part;
    s.to = pf_fold_own(s.m, !s.from, s.out);
    (s.m == &s.line->fold[1] ? combine_all : copy_all)(&s, &source);
  }
}

/* Finds the arrays of all ranks in shared memory: the input, and the output if both sides are in
 * blocks. */
static int find_shared(const work *s, pf_line_pass *pass, const pf_shared *shared[2]) {
  const pf_line *line = s->line;
  const pf_line_choice *c = &line->choice;
  int merge = s->mirror.merge;
  const pf_shared *callers;
  int code = find_callers(line, merge ? pass->from : pass->to, &callers);
  if (merge && !callers && code == MPI_SUCCESS) code = copy_input(s, pass);
  shared[0] = merge && callers ? callers : shared_of(line, pass->from);
  if (c->vector[PFFT3D_SPECTRUM].distribution == PF_BLOCK)
    shared[1] = merge ? shared_of(line, pass->to) : callers;
  return code;
}

int pf_half_run(pf_line *line, const pf_line_pass *whole) {
  pf_line_pass pass = *whole;
  int from, mirror = fold_of(pass.action, &from), code = MPI_SUCCESS;
  int peers = pf_half_reads_peers(&line->choice, pass.action, line->reach);
  const pf_shared *shared[2] = {NULL, NULL};
  const size_t *bytes = line->side_bytes, larger = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  work s = {.line = line,
            .m = &line->fold[mirror],
            .mirror = {.roots = &line->halves,
                       .half = line->n,
                       .element = line->element,
                       .merge = pass.action == PF_LINE_MERGE,
                       .single = line->precision == PFFT3D_SINGLE,
                       .threads = line->threads,
                       .stream = line->ranks > 1 && larger > pf_cache_bytes() / 4,
                       .down = 2 * line->rank >= line->ranks && line->ranks > 1},
            .from = from,
            .in = pass.from};
  int spare = pass.from == line->work[0] || pass.to == line->work[0];
  double before = MPI_Wtime();
  if (peers)
    code = find_shared(&s, &pass, shared);
  else if (pass.exchange && line->ranks > 1)
    code = pf_fold_send(&line->fold[mirror], from, (pf_fold_array){pass.from, pass.apart[0]},
                        line->work[spare], line->work[2]);
  pass.stats->wait_s += MPI_Wtime() - before;
  /* The squared error of a result is half of the squared error of the rounded image: the other
   * number is exact. */
  pass.stats->stage[0].wire_error2 += line->fold[1].loss.error2 / 2;
  pass.stats->stage[0].wire_norm2 += line->fold[1].loss.norm2;
  line->fold[1].loss = (pf_loss){0, 0};
  for (ptrdiff_t b = 0; b < s.m->fold.lines && code == MPI_SUCCESS; b++)
    run_line(&s, &pass, b, line->work[2], shared);
  if (code != MPI_SUCCESS || !peers) return code;
  /* before any rank changes its input, or reads its result */
  return pf_shared_barrier(shared_of(line, line->work[1]));
}
