/* SPDX-License-Identifier: BSD-3-Clause
 * Real lines of an even length N as complex ones of M = N/2 points: z_j = x_2j + i x_(2j+1), which
 * is the same memory.  The spectrum of x follows from that of z and its mirror image, and back:
 *
 *   X_k = (Z_k + conj Z_(M-k)) / 2 - i w^k (Z_k - conj Z_(M-k)) / 2,  w = exp(-2 pi i/N)
 *   Z_k =  X_k + conj X_(M-k)      + i w^-k (X_k - conj X_(M-k))      backward, without a factor
 *
 * with X_0 and X_M from the real and the imaginary part of Z_0.  The mirror image of a rank's
 * elements is on one or a few other ranks in every layout (line/fold.h), mostly on one: half of the
 * bytes of one exchange of a complex line of N points, for half of its arithmetic, memory and other
 * exchanges.  Blocks of x are those of z if 2P divides N; otherwise a few numbers move to
 * neighbours.
 * Source: Press et al., Numerical Recipes, 12.3 (Cooley, Lewis and Welch, J. Sound Vib. 12, 1970).
 */
#include <stdint.h>
#include <string.h>

#include "line/work.h"

/* ---- folds ---- */

/* Blocks of x (b) and of z (a) as real numbers. */
static void fold_pairs(const pf_line_choice *c, pf_fold *f) {
  const pf_vector *x = &c->caller[PFFT3D_SPACE], *z = &c->vector[PFFT3D_SPACE];
  *f = (pf_fold){.row = PTRDIFF_MAX, .bands = 1, .band = {{{0, x->total}, 1, 0, 0, 0}}};
  f->side[0] = (pf_columns){z->total, 2, z->ranks, 0, x->total};
  f->side[1] = (pf_columns){x->total, 1, x->ranks, 0, x->total};
}

/* X (a) and Z (b), element by element, and each with its mirror image. */
static void fold_mirror(const pf_line_choice *c, pf_fold *f) {
  const pf_vector *x = &c->caller[PFFT3D_SPECTRUM], *z = &c->vector[PFFT3D_SPECTRUM];
  ptrdiff_t m = z->total, row = z->distribution == PF_CYCLIC ? z->ranks : z->row;
  *f = (pf_fold){.row = PTRDIFF_MAX,
                 .bands = 2,
                 .band = {{{0, m + 1}, 1, 0, 0, 0}, {{0, m + 1}, -1, m, 0, 1}}};
  f->side[0] = (pf_columns){m + 1, 1, x->ranks, x->reversed, m + 1};
  f->side[1] = (pf_columns){m, 1, z->ranks, z->reversed, m};
  if (z->distribution == PF_BLOCK) return;
  ptrdiff_t rest = m % row, rows = m / row;
  f->row = f->side[0].n = f->side[1].n = row;
  f->bands = 3;
  f->band[0].a = (pf_range){0, row};
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
  return action == PF_LINE_SPLIT || action == PF_LINE_JOIN;
}

pf_message_count pf_half_count(const pf_line_choice *c, pf_line_action action, int rank,
                               size_t element, ptrdiff_t cap) {
  pf_fold f;
  int from, mirror = fold_of(action, &from);
  (mirror ? fold_mirror : fold_pairs)(c, &f);
  return pf_fold_count(&f, from, rank, pf_line_together(c), mirror ? element : element / 2, cap);
}

ptrdiff_t pf_half_buffer(const pf_line_choice *c, int rank) {
  ptrdiff_t most = 0;
  for (int side = 0; side < 2; side++) {
    ptrdiff_t count = pf_vector_count(&c->vector[side], rank);
    if (count > most) most = count;
  }
  return most + 3; /* X_M, one where blocks of X and Z begin at different elements, and a note */
}

int pf_half_make(pfft3d_plan *p, pfft3d_error *e) {
  pf_line *line = p->line;
  const pf_geometry *g = &p->geometry;
  ptrdiff_t cap = g->decision.max_count;
  fold_pairs(&line->choice, &line->fold[0].fold);
  fold_mirror(&line->choice, &line->fold[1].fold);
  for (int k = 0; k < 2; k++) line->fold[k].lines = pf_line_together(&line->choice);
  for (int k = 0; k < 2; k++)
    PF_TRY(pf_fold_make(&line->fold[k], p->comm, k ? g->element : g->element / 2, cap, e));
  return pf_roots_make(&line->halves, 2 * line->n, e);
}

/* ---- arithmetic ---- */

/* Elements k, k + step, ...: their own numbers, those of their mirror images, and the results; with
 * distances in elements. */
typedef struct run {
  const pf_roots *roots;
  ptrdiff_t k, step, count;
  const char *own, *mirror;
  char *to;
  ptrdiff_t across[3]; /* of own, mirror, to */
} run;

/* exp(-2 pi i k/N).  In the upper half it is minus the conjugate of that of the image: an element
 * and its image then have the same numbers, whoever computes them. */
static void factor(const pf_roots *w, ptrdiff_t k, double root[2]) {
  ptrdiff_t half = w->n / 2;
  double rest[2];
  int upper = 2 * k > half;
  pf_roots_at(w, upper ? half - k : k, root, rest);
  if (upper) root[0] = -root[0];
}

/* A run of neighbours, whose factors are neighbours in the tables (pf_roots_at): c the coarse one
 * of all, f the first fine one. */
typedef struct near {
  const void *x, *y;
  void *to, *image;
  const double *c, *f;
  ptrdiff_t count;
} near;

#define HALVES(type)                                                                              \
  /* The difference t of an element from the mean s of itself and its conjugate image. */         \
  static inline void parts_##type(int join, const double root[2], const type *x, const type *y,   \
                                  type s[4]) {                                                    \
    type re = (type)root[0], im = (type)(join ? -root[1] : root[1]), half = join ? 1 : (type)0.5; \
    type c = half * (x[0] - y[0]), d = half * (x[1] + y[1]);                                      \
    s[0] = half * (x[0] + y[0]), s[1] = half * (x[1] - y[1]);                                     \
    s[2] = re * d + im * c, s[3] = im * d - re * c;                                               \
    if (join) s[2] = -s[2], s[3] = -s[3];                                                         \
  }                                                                                               \
  /* Any run. */                                                                                  \
  static void run_##type(int join, const run *r) {                                                \
    const pf_roots *w = r->roots;                                                                 \
    const type *x = (const void *)r->own, *y = (const void *)r->mirror;                           \
    type *to = (void *)r->to, s[4];                                                               \
    double root[2];                                                                               \
    for (ptrdiff_t i = 0; i < r->count; i++) {                                                    \
      factor(w, r->k + i * r->step, root);                                                        \
      parts_##type(join, root, x + 2 * i * r->across[0], y + 2 * i * r->across[1], s);            \
      to[2 * i * r->across[2]] = s[0] + s[2];                                                     \
      to[2 * i * r->across[2] + 1] = s[1] + s[3];                                                 \
    }                                                                                             \
  }                                                                                               \
  /* Neighbours; `upper`: the factors are those of their images; `pairs`: the images, too. */     \
  static inline void near_##type(int join, int upper, int pairs, const near *n) {                 \
    const type *x = n->x, *y = n->y;                                                              \
    type *to = n->to, *image = n->image;                                                          \
    const double c0 = n->c[0], c1 = n->c[1], c2 = n->c[2], c3 = n->c[3], *f = n->f;               \
    const ptrdiff_t count = n->count, step = upper ? -2 : 2;                                      \
    _Pragma("GCC ivdep") for (ptrdiff_t j = 0; j < count; j++) {                                  \
      double f0 = f[step * j], f1 = f[step * j + 1];                                              \
      double re = c0 + (c2 + (c0 * f0 - c1 * f1)), im = c1 + (c3 + (c0 * f1 + c1 * f0));          \
      double root[2] = {upper ? -re : re, im};                                                    \
      type s[4];                                                                                  \
      parts_##type(join, root, x + 2 * j, y - 2 * j, s);                                          \
      to[2 * j] = s[0] + s[2];                                                                    \
      to[2 * j + 1] = s[1] + s[3];                                                                \
      if (pairs) image[-2 * j] = s[0] - s[2];                                                     \
      if (pairs) image[-2 * j + 1] = s[3] - s[1];                                                 \
    }                                                                                             \
  }                                                                                               \
  static void near_join_##type(int upper, int pairs, const near *n) {                             \
    if (pairs)                                                                                    \
      near_##type(1, 0, 1, n);                                                                    \
    else if (upper)                                                                               \
      near_##type(1, 1, 0, n);                                                                    \
    else                                                                                          \
      near_##type(1, 0, 0, n);                                                                    \
  }                                                                                               \
  static void near_split_##type(int upper, int pairs, const near *n) {                            \
    if (pairs)                                                                                    \
      near_##type(0, 0, 1, n);                                                                    \
    else if (upper)                                                                               \
      near_##type(0, 1, 0, n);                                                                    \
    else                                                                                          \
      near_##type(0, 0, 0, n);                                                                    \
  }                                                                                               \
  /* X_0, X_M from Z_0 or back; those that are NULL are elsewhere. */                             \
  static void ends_##type(int join, const type *zero, const type *last, type *first, type *end) { \
    if (join) {                                                                                   \
      type a = zero[0], b = last[0];                                                              \
      first[0] = a + b, first[1] = a - b;                                                         \
      return;                                                                                     \
    }                                                                                             \
    type a = zero[0], b = zero[1];                                                                \
    if (first) first[0] = a + b, first[1] = 0;                                                    \
    if (end) end[0] = a - b, end[1] = 0;                                                          \
  }

HALVES(double)
HALVES(float)

/* ---- walking ---- */

/* A step of a plan: its fold, the side that is sent, and the places of this rank's results. */
typedef struct work {
  const pfft3d_plan *p;
  const pf_fold_messages *m;
  int from, join, single;
  ptrdiff_t half; /* M */
  size_t element;
  const char *in;
  pf_fold_place to;
  char *out;
} work;

/* Neighbours k .. k + count - 1, in parts with one coarse factor each. */
static void run_near(const work *s, const run *r, int pairs) {
  static void (*const part[2][2])(int, int, const near *) = {{near_split_double, near_split_float},
                                                             {near_join_double, near_join_float}};
  const pf_roots *w = r->roots;
  ptrdiff_t fine = (ptrdiff_t)1 << w->shift, size = (ptrdiff_t)s->element, count;
  for (ptrdiff_t i = 0; i < r->count; i += count) {
    ptrdiff_t k = r->k + i, index = 2 * k > s->half ? s->half - k : k, first = index & (fine - 1);
    int upper = index != k;
    count = upper ? first + 1 : fine - first;
    if (count > r->count - i) count = r->count - i;
    if (!upper && count > s->half / 2 - k + 1) count = s->half / 2 - k + 1;
    part[s->join][s->single](upper, pairs,
                             &(near){.x = r->own + i * size,
                                     .y = r->mirror - i * size,
                                     .to = r->to + i * size,
                                     .image = r->to + (r->mirror - r->own) - i * size,
                                     .c = w->coarse + 4 * (index >> w->shift),
                                     .f = w->fine + 2 * first,
                                     .count = count});
  }
}

/* The same on all threads.  Ranks of the upper half begin at the end, where the others find the
 * mirror images of their first elements: both read the same data at the same time, from a common
 * cache. */
static void run_threads(const work *s, const run *r, int pairs) {
  enum { part = 16 * 1024 };
  int threads = s->p->geometry.decision.threads;
  ptrdiff_t size = (ptrdiff_t)s->element, parts = (r->count + part - 1) / part;
  int down = 2 * s->m->rank >= s->p->geometry.ranks && parts > 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
  for (ptrdiff_t n = 0; n < parts; n++) {
    ptrdiff_t i = (down ? parts - 1 - n : n) * part;
    run some = *r;
    some.k += i;
    some.own += i * size, some.mirror -= i * size, some.to += i * size;
    some.count = r->count - i < part ? r->count - i : part;
    run_near(s, &some, pairs);
  }
}

/* Results of a run, without elements 0 and M. */
static void emit(const work *s, run r) {
  ptrdiff_t size = (ptrdiff_t)s->element;
  if (r.count > 0 && r.k == 0) {
    r.k += r.step;
    r.count--;
    r.own += r.across[0] * size, r.mirror += r.across[1] * size, r.to += r.across[2] * size;
  }
  if (r.count > 0 && r.k + (r.count - 1) * r.step == s->half) r.count--;
  if (r.step == 1 && r.across[0] == 1 && r.across[1] == -1 && r.across[2] == 1)
    run_threads(s, &r, 0);
  else
    (s->single ? run_float : run_double)(s->join, &r);
}

static const char *at(const work *s, const pf_fold_place *p, ptrdiff_t row, ptrdiff_t column) {
  return p->base + (row * p->pitch + column - p->first) * (ptrdiff_t)s->element;
}

/* The columns of the result where one piece has the elements and another one their mirror images,
 * column c being the image of column sum - c, row x that of row rows - x. */
static void combine(const work *s, pf_range columns, const pf_fold_place place[2],
                    const pf_band *mirror) {
  const pf_fold *f = &s->m->fold;
  ptrdiff_t total = f->side[!s->from].total, row = f->row;
  ptrdiff_t full = total / row, rows = full + (pf_columns_in_row(f, !s->from, columns, full) > 0);
  ptrdiff_t c = columns.lo, image = mirror->offset - c;
  int along = columns.len == 1 && rows > 1, threads = s->p->geometry.decision.threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1 && rows > 1)
#endif
  for (ptrdiff_t x = 0; x < (along ? 1 : rows); x++) {
    run r = {.roots = &s->p->line->halves,
             .k = x ? c + x * row : c,
             .step = along ? row : 1,
             .count = along ? rows : pf_columns_in_row(f, !s->from, columns, x),
             .own = at(s, &place[0], x, c),
             .mirror = at(s, &place[1], mirror->row - x, image),
             .to = s->out + (at(s, &s->to, x, c) - s->to.base),
             .across = {1, -1, 1}};
    if (along)
      r.across[0] = place[0].pitch, r.across[1] = -place[1].pitch, r.across[2] = s->to.pitch;
    emit(s, r);
  }
}

static void ends(const work *s, const char *zero, const char *last, char *first, char *end) {
  if (s->single)
    ends_float(s->join, (const void *)zero, (const void *)last, (void *)first, (void *)end);
  else
    ends_double(s->join, (const void *)zero, (const void *)last, (void *)first, (void *)end);
}

/* Elements 0 and M, if a piece of mirror images has the other one of them. */
static void combine_ends(const work *s, const pf_fold_piece *piece, const pf_fold_place *place) {
  const pf_band *b = &s->m->fold.band[1];
  ptrdiff_t last = b->offset, rows = b->row;
  if (piece->band != 1 || last < piece->a.lo || last >= piece->a.lo + piece->a.len) return;
  if (s->join)
    ends(s, s->in, at(s, place, rows, last), s->out, NULL);
  else
    ends(s, at(s, place, 0, 0), NULL, NULL, s->out + (at(s, &s->to, rows, last) - s->to.base));
}

/* All pieces of mirror images, each with all pieces of the elements themselves. */
static void combine_all(const work *s, const pf_fold_source *source) {
  const pf_fold_messages *m = s->m;
  pf_fold_source next = *source;
  for (ptrdiff_t i = 0; i < m->pieces[!s->from]; i++) {
    const pf_fold_piece *image = &m->piece[!s->from][i];
    const pf_band *b = &m->fold.band[image->band];
    pf_fold_place place[2] = {{0}, pf_fold_next(m, s->from, i, &next)};
    if (!b->mirror) continue;
    pf_range there = pf_band_columns(b, image->a, !s->from);
    pf_fold_source other = *source;
    for (ptrdiff_t j = 0; j < m->pieces[!s->from]; j++) {
      const pf_fold_piece *own = &m->piece[!s->from][j];
      if (m->fold.band[own->band].mirror) break;
      place[0] = pf_fold_next(m, s->from, j, &other);
      pf_range both = pf_range_common(there, own->a);
      if (both.len > 0) combine(s, both, place, b);
    }
    combine_ends(s, image, &place[1]);
  }
  pf_range mine = pf_columns_of(&m->fold.side[!s->from], m->rank);
  if (!s->join && mine.len > 0 && mine.lo == 0) ends(s, s->in, NULL, s->out, NULL);
}

/* All elements on one rank: each with its image, so that one array is enough. */
static void combine_alone(const work *s) {
  ptrdiff_t size = (ptrdiff_t)s->element, end = s->half * size, middle = s->half / 2;
  ends(s, s->in, s->in + end, s->out, s->out + end);
  run r = {&s->p->line->halves, 1,         1, (s->half - 1) / 2, s->in + size, s->in + end - size,
           s->out + size,       {1, -1, 1}};
  run_threads(s, &r, 1);
  if (s->half % 2) return;
  r.k = middle, r.count = 1;
  r.own = r.mirror = s->in + middle * size, r.to = s->out + middle * size;
  emit(s, r);
}

/* Numbers of pairs, or back: all pieces, which are parts of blocks, to their places. */
static void place_all(const work *s, const pf_fold_source *source) {
  const pf_fold_messages *m = s->m;
  pf_fold_source next = *source;
  ptrdiff_t size = (ptrdiff_t)m->exchange.size;
  for (ptrdiff_t i = 0; i < m->pieces[!s->from]; i++) {
    pf_range a = m->piece[!s->from][i].a;
    pf_fold_place from = pf_fold_next(m, s->from, i, &next);
    memcpy(s->out + (a.lo - s->to.first) * size, from.base + (a.lo - from.first) * size,
           (size_t)(a.len * size));
  }
}

/* ---- shared memory ---- */

int pf_half_reads_peers(const pf_line_choice *c, pf_line_action action, int shared) {
  return shared && c->caller[0].ranks > 1 && (action == PF_LINE_SPLIT || action == PF_LINE_JOIN);
}

/* The note of a rank at the end of its second buffer: the number of its input if that is shared. */
static int *note_of(const pfft3d_plan *p, const pf_shared *w, int rank) {
  const pf_line_choice *c = &p->line->choice;
  size_t at = ((size_t)(pf_line_together(c) * c->inside) - 1) * p->geometry.element;
  return (int *)(void *)(w->base + (size_t)rank * w->part + at);
}

/* Finds the inputs of all ranks in shared memory, after all have arrived here.  Buffers are there;
 * the caller's arrays, if all ranks have the same one from pfft3d_alloc(), otherwise a copy in the
 * second buffer. */
static int find_peers(pfft3d_plan *p, const work *s, pf_fold_source *source, size_t *apart) {
  const pf_line *line = p->line;
  const pf_shared *w = &p->arrays->at[pf_plan_find_array(p, line->work[1])].shared;
  int number = pf_plan_find_array(p, s->in), same = 1, rank = p->geometry.rank;
  *note_of(p, w, rank) = number;
  int code = MPI_Barrier(p->comm);
  for (int r = 0; r < p->geometry.ranks; r++) same = same && *note_of(p, w, r) == number;
  for (int r = 0; r < p->geometry.ranks; r++) same = same && *note_of(p, w, r) >= 0;
  if (same) w = &p->arrays->at[number].shared;
  *source = (pf_fold_source){.own = s->in, .peers = w->base, .part = w->part};
  if (same || code != MPI_SUCCESS) return code;
  size_t bytes = (size_t)pf_vector_count(&line->choice.caller[PFFT3D_SPECTRUM], rank) * s->element;
  size_t copies = (size_t)line->choice.inside * s->element;
  for (ptrdiff_t b = 0; b < s->m->lines && bytes; b++) /* an empty rank may have no input */
    memcpy((char *)line->work[1] + (size_t)b * copies, s->in + (size_t)b * *apart, bytes);
  *apart = copies;
  return MPI_Barrier(p->comm);
}

/* ---- running ---- */

/* Line b of a batch.  peers_apart: bytes from line to line in the arrays of other ranks. */
static void run_line(const work *all, const pf_line_pass *pass, ptrdiff_t b,
                     const pf_fold_source *from, size_t peers_apart) {
  work s = *all;
  pf_fold_source source = *from;
  s.in += (size_t)b * pass->apart[0];
  s.out += (size_t)b * pass->apart[1];
  source.line = b;
  source.own = s.in;
  if (source.peers) source.peers += (size_t)b * peers_apart;
  if (s.p->geometry.ranks == 1) {
    combine_alone(&s);
    return;
  }
  s.to = pf_fold_own(s.m, !s.from, s.out);
  (s.m == &s.p->line->fold[1] ? combine_all : place_all)(&s, &source);
}

int pf_half_run(pfft3d_plan *p, const pf_line_pass *pass) {
  pf_line *line = p->line;
  const pf_geometry *g = &p->geometry;
  int from, mirror = fold_of(pass->action, &from), code = MPI_SUCCESS;
  int peers = pf_half_reads_peers(&line->choice, pass->action, g->pipeline[0].push);
  pf_fold_messages *m = &line->fold[mirror];
  pf_fold_source source = {.received = line->work[2]};
  size_t peers_apart = pass->apart[0];
  work s = {.p = p,
            .m = m,
            .from = from,
            .join = pass->action == PF_LINE_JOIN,
            .single = g->decision.problem.precision == PFFT3D_SINGLE,
            .half = line->n,
            .element = g->element,
            .in = pass->from,
            .out = pass->to};
  int spare = pass->from == line->work[0] || pass->to == line->work[0];
  double before = MPI_Wtime();
  if (peers)
    code = find_peers(p, &s, &source, &peers_apart);
  else if (pass->exchange && g->ranks > 1)
    code = pf_fold_send(m, from, (pf_fold_array){pass->from, pass->apart[0]}, line->work[spare],
                        line->work[2]);
  line->own[pass->direction].wait_s += MPI_Wtime() - before;
  for (ptrdiff_t b = 0; b < m->lines && code == MPI_SUCCESS; b++)
    run_line(&s, pass, b, &source, peers_apart);
  if (code != MPI_SUCCESS || !peers) return code;
  return MPI_Barrier(p->comm); /* before any rank changes its input */
}
