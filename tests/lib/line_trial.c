/* SPDX-License-Identifier: BSD-3-Clause
 * Lines under test; see line_trial.h. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "line_trial.h"

#include "kinds.h"

const line_form line_forms[LINE_FORMS] = {{{PFFT3D_BLOCK, PFFT3D_BLOCK}, PFFT3D_NATURAL},
                                          {{PFFT3D_BLOCK, PFFT3D_CYCLIC}, PFFT3D_NATURAL},
                                          {{PFFT3D_CYCLIC, PFFT3D_BLOCK}, PFFT3D_NATURAL},
                                          {{PFFT3D_CYCLIC, PFFT3D_CYCLIC}, PFFT3D_NATURAL},
                                          {{PFFT3D_BLOCK, PFFT3D_CYCLIC}, PFFT3D_TRANSPOSED},
                                          {{PFFT3D_CYCLIC, PFFT3D_BLOCK}, PFFT3D_TRANSPOSED}};

/* Local. The DFT of x[0], x[step], ... to y[0 .. n-1]: the smallest factor is taken off again and
 * again, so a prime is done by the definition.  root holds the roots of a line of n step. */
static void dft_by_factors(const wide *x, ptrdiff_t step, wide *y, ptrdiff_t n, const wide *root,
                           int sign) {
  ptrdiff_t p = 2;
  while (p * p <= n && n % p) p++;
  if (p * p > n) p = n;
  if (n == 1) {
    y[0] = x[0];
    return;
  }
  ptrdiff_t m = n / p, top = n * step;
  wide *part = get((size_t)p * sizeof *part);
  for (ptrdiff_t q = 0; q < p; q++)
    dft_by_factors(x + q * step, step * p, y + q * m, m, root, sign);
  for (ptrdiff_t k1 = 0; k1 < m; k1++) {
    for (ptrdiff_t q = 0; q < p; q++) part[q] = y[q * m + k1];
    for (ptrdiff_t k = k1; k < n; k += m) {
      wide sum = {0, 0};
      for (ptrdiff_t q = 0, at = 0; q < p; q++) {
        wide a = part[q], b = {root[at].re, (long double)sign * root[at].im};
        sum.re += a.re * b.re - a.im * b.im;
        sum.im += a.re * b.im + a.im * b.re;
        at += k * step;
        if (at >= top) at -= top;
      }
      y[k] = sum;
    }
  }
  free(part);
}

void dft_line_by_factors(wide *x, ptrdiff_t n, int sign) {
  wide *y = get((size_t)n * sizeof *y);
  dft_by_factors(x, 1, y, n, roots(n), sign);
  memcpy(x, y, (size_t)n * sizeof *x);
  free(y);
}

void dft_line(wide *x, ptrdiff_t n, int sign) {
#ifdef PF_HAVE_FFTW_LONG
  reference_field(x, (ptrdiff_t[]){1, 1, n}, sign);
#else
  dft_line_by_factors(x, n, sign);
#endif
}

/* Local. want[direction] from given[direction]. */
static void line_transform(oracle *o, int direction) {
  ptrdiff_t n = o->problem.n[2], parts = o->parts[!direction];
  const long double *in = o->given[direction];
  pfft3d_axis_kind kind = o->problem.axis[2];
  wide *x = get((size_t)n * sizeof *x);
  for (ptrdiff_t g = 0; g < o->elements[direction]; g++)
    x[g] = o->parts[direction] == 1 ? (wide){in[g], 0} : (wide){in[2 * g], in[2 * g + 1]};
  if (kind == PFFT3D_DFT && o->parts[!direction] == 1) fill_hermitian(&o->problem, x);
  if (kind == PFFT3D_DFT)
    dft_line(x, n, direction == PFFT3D_FORWARD ? -1 : 1);
  else
    kind_lines(x, direction == PFFT3D_FORWARD ? kind : kind_back(kind), n, 1, 1, n);
  for (ptrdiff_t k = 0; k < o->elements[!direction]; k++) {
    o->want[direction][k * parts] = x[k].re;
    if (parts == 2) o->want[direction][k * 2 + 1] = x[k].im;
  }
  free(x);
}

pfft3d_problem line_problem(ptrdiff_t n, int kind, int precision) {
  return (pfft3d_problem){.kind = (pfft3d_kind)kind,
                          .precision = (pfft3d_precision)precision,
                          .n = {1, 1, n},
                          .batch = 1};
}

void line_oracle(oracle *o, const pfft3d_problem *p, uint64_t seed) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  oracle_shape(o, p);
  for (int d = 0; d < 2; d++) {
    ptrdiff_t in = o->elements[d] * o->parts[d], out = o->elements[!d] * o->parts[!d];
    o->given[d] = get((size_t)in * sizeof *o->given[d]);
    o->want[d] = get((size_t)out * sizeof *o->want[d]);
    for (ptrdiff_t i = 0; i < in; i++) {
      double value = value_of(mix(2 * seed + (uint64_t)d) + (uint64_t)i);
      o->given[d][i] = p->precision == PFFT3D_SINGLE ? (long double)(float)value : value;
    }
    if (rank == 0) line_transform(o, d);
    MPI_Bcast(o->want[d], (int)out, MPI_LONG_DOUBLE, 0, MPI_COMM_WORLD);
  }
  /* Ignored, whatever it is: the imaginary part of what the spectrum of a real line has real. */
  if (has_half(p)) {
    o->given[PFFT3D_BACKWARD][1] = NAN;
    if (p->n[2] % 2 == 0) o->given[PFFT3D_BACKWARD][p->n[2] + 1] = NAN;
  }
}

void line_oracles(oracle *o, ptrdiff_t lines, const pfft3d_problem *p, uint64_t seed) {
  pfft3d_problem one = *p;
  one.batch = 1;
  for (ptrdiff_t b = 0; b < lines; b++) {
    line_oracle(&o[b], &one, seed + (uint64_t)b);
    for (int d = 0; d < 2 && b % 2; d++) { /* where errors of its neighbours do not fit in */
      ptrdiff_t in = o[b].elements[d] * o[b].parts[d], out = o[b].elements[!d] * o[b].parts[!d];
      for (ptrdiff_t i = 0; i < in; i++) o[b].given[d][i] *= 0x1p-20L;
      for (ptrdiff_t i = 0; i < out; i++) o[b].want[d][i] *= 0x1p-20L;
    }
  }
}

pfft3d_request line_request(const pfft3d_problem *p, const line_form *f, const char *method,
                            const char *algo, const char *engine) {
  pfft3d_request r = make_request(p->n, method, algo, engine, f->order);
  r.problem = *p;
  r.problem.dims = 1;
  memcpy(r.layout, f->layout, sizeof r.layout);
  return r;
}

const char *line_name(const pfft3d_request *r) {
  static const char *const distribution[] = {"block", "cyclic"};
  static char text[400];
  const char *to = distribution[r->layout[PFFT3D_SPECTRUM] == PFFT3D_CYCLIC];
  if (r->decision.order == PFFT3D_TRANSPOSED) to = "scrambled";
  snprintf(text, sizeof text, "%s, %s to %s", request_name(r),
           distribution[r->layout[PFFT3D_SPACE] == PFFT3D_CYCLIC], to);
  return text;
}

void line_distances(pfft3d_request *r, uint64_t way) {
  ptrdiff_t n = r->problem.n[2];
  for (int side = 0; side < 2 && way % 3; side++) {
    ptrdiff_t gap = way % 3 == 1 || side ? 4 : 10, numbers = n + n % 2 + 2 + gap;
    r->array[side].distance = side && has_half(&r->problem) ? numbers / 2 : numbers;
  }
  if (way % 3 == 2 && way % 2) r->array[PFFT3D_SPACE].distance = 0;
}

/* Local. Whether the line inside one with a kind was taken, whose length is another. */
static int line_kind_possible(const pfft3d_request *r, int ranks, const pfft3d_error *e) {
  int open = strcmp(r->decision.scheme, "butterfly") && !strcmp(r->decision.engine, "auto");
  if (e->status == PFFT3D_ERR_UNAVAILABLE && !open) return 0;
  CHECK(!e->status, "%s on %d ranks: status %d: %s", line_name(r), ranks, e->status, e->text);
  return !e->status;
}

int line_possible(const pfft3d_request *r, int ranks) {
  pfft3d_explanation x;
  pfft3d_error e;
  int status = pfft3d_explain(r, ranks, &x, sizeof x, &e);
  if (r->problem.axis[2] != PFFT3D_DFT) return line_kind_possible(r, ranks, &e);
  ptrdiff_t points = r->problem.n[2]; /* even numbers of real points in blocks are done in pairs */
  int real = r->problem.kind == PFFT3D_R2C, cuts = pf_cut_wish_any(&r->cuts);
  int even = points % 2 == 0 && r->layout[PFFT3D_SPACE] == PFFT3D_BLOCK && !cuts;
  if (real && even) points /= 2;
  int fits = (!real || even) && !(ranks & (ranks - 1)) && !pf_cut_wish_lists(&r->cuts);
  fits = ranks == 1 || (fits && points % ranks == 0);
  if (!strcmp(r->decision.scheme, "butterfly") && !fits) {
    CHECK((status == PFFT3D_ERR_USAGE || status == PFFT3D_ERR_UNAVAILABLE) && e.hint[0],
          "%s on %d ranks: status %d, '%s', hint '%s'", line_name(r), ranks, status, e.text,
          e.hint);
    return 0;
  }
  int large = !strcmp(r->decision.scheme, "butterfly") && !is_smooth(points / ranks);
  if (status == PFFT3D_ERR_UNAVAILABLE && (large || strcmp(r->decision.engine, "auto"))) return 0;
  CHECK(!status, "%s on %d ranks: status %d: %s", line_name(r), ranks, status, e.text);
  return !status;
}

void line_refused(const pfft3d_request *r, int want, int or_else, const char *words, int hint) {
  pfft3d_error e, root;
  pfft3d_plan *plan = (pfft3d_plan *)&root; /* must become NULL */
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(&e, 0, sizeof e);
  int status = pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e);
  CHECK(!plan, "%s: a plan in spite of status %d", line_name(r), status);
  CHECK((status == want || status == or_else) && e.status == status,
        "%s: status %d (%d in the error), not %d or %d: %s", line_name(r), status, e.status, want,
        or_else, e.text);
  CHECK(!words || strstr(e.text, words) || strstr(e.hint, words),
        "%s: neither text '%s' nor hint '%s' says '%s'", line_name(r), e.text, e.hint, words);
  CHECK(e.text[0] && !strchr(e.text, '\n'), "%s: text '%s'", line_name(r), e.text);
  CHECK(!hint || e.hint[0], "%s: no hint with '%s'", line_name(r), e.text);
  root = e;
  MPI_Bcast(&root, (int)sizeof root, MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK(!memcmp(&root, &e, sizeof e), "rank %d says '%s' (%d), rank 0 '%s' (%d)", rank, e.text,
        status, root.text, root.status);
}

const char *line_words(const line_trial *l) {
  static char text[600];
  char decision[140];
  int used = snprintf(text, sizeof text, "%s, ", line_name(l->t.request));
  snprintf(text + used, sizeof text - (size_t)used, "that is '%s', on %d ranks",
           pfft3d_decision_print(&l->decided, decision, sizeof decision), l->t.ranks);
  return text;
}

/* Local. Whether the header says where the elements of a side belong: in scrambled order it speaks
 * of methods that make an array split[0] x split[1] of the line, or of the pairs of its reals. */
static int line_is_told(const line_trial *l, int side) {
  const pfft3d_decision *d = &l->decided;
  if (side == PFFT3D_SPACE || l->t.request->decision.order == PFFT3D_NATURAL) return 1;
  ptrdiff_t n = l->t.o->problem.n[2], points = d->split[0] * d->split[1];
  int pairs = l->t.o->problem.kind == PFFT3D_R2C && 2 * points == n;
  return !strcmp(d->scheme, "transpose") && (points == n || pairs);
}

/* Local. Whether a rank's elements of a side are neighbours. */
static int line_is_block(const line_trial *l, int side) {
  const pfft3d_request *r = l->t.request;
  int natural = side == PFFT3D_SPACE || r->decision.order == PFFT3D_NATURAL;
  return natural && r->layout[side] == PFFT3D_BLOCK;
}

/* Local. Where the header puts element i of a rank; past the end of the line where the rank has no
 * such element. */
static ptrdiff_t line_place(const line_trial *l, int side, int rank, ptrdiff_t i) {
  ptrdiff_t n = l->t.o->elements[side], n1 = l->decided.split[0], lo, len;
  if (side == PFFT3D_SPECTRUM && l->t.request->decision.order == PFFT3D_TRANSPOSED) {
    cut_axis(n1, l->t.ranks, rank, &lo, &len);
    return len ? lo + i % len + n1 * (i / len) : n;
  }
  if (l->t.request->layout[side] == PFFT3D_CYCLIC) return i * l->t.ranks + rank;
  pfft3d_box box;
  cut_side(l->t.request, side, 2, (ptrdiff_t[]){n, l->t.ranks, rank}, &box);
  return i < box.len[2] ? box.lo[2] + i : n;
}

/* Local. The elements of a rank, marked in *seen; returns how many are where they should not be. */
static ptrdiff_t line_look(const line_trial *l, int side, int rank, unsigned char *seen) {
  const pfft3d_plan *plan = l->t.plan;
  pfft3d_side s = (pfft3d_side)side;
  ptrdiff_t n = l->t.o->elements[side], wrong = 0, count;
  int told = line_is_told(l, side);
  pfft3d_box box;
  CHECK(!pfft3d_plan_box(plan, s, rank, &box), "%s: side %d", line_words(l), side);
  count = box.len[2];
  if (count && !(box.len[0] == 1 && box.len[1] == 1)) wrong++;
  if (count && line_is_block(l, side)) wrong += box.lo[2] != line_place(l, side, rank, 0);
  for (ptrdiff_t i = 0; i < count; i++) {
    ptrdiff_t k = pfft3d_plan_index(plan, s, rank, i);
    if (k < 0 || k >= n || (told && k != line_place(l, side, rank, i)))
      wrong++;
    else
      wrong += seen[k]++ > 0;
  }
  if (told) wrong += line_place(l, side, rank, count) < n; /* has fewer than it should */
  wrong += pfft3d_plan_index(plan, s, rank, count) != -1;
  wrong += pfft3d_plan_index(plan, s, rank, -1) != -1;
  return wrong;
}

/* Local. Every index of a side belongs to one element of one rank, and where the header says. */
static void line_check_index(const line_trial *l, int side) {
  ptrdiff_t n = l->t.o->elements[side], missing = 0;
  unsigned char *seen = get((size_t)n);
  memset(seen, 0, (size_t)n);
  for (int rank = 0; rank < l->t.ranks; rank++) {
    ptrdiff_t wrong = line_look(l, side, rank, seen);
    CHECK(!wrong, "%s: side %d rank %d: %td elements belong elsewhere", line_words(l), side, rank,
          wrong);
  }
  for (ptrdiff_t k = 0; k < n; k++) missing += !seen[k];
  CHECK(!missing, "%s: side %d: %td elements are nowhere", line_words(l), side, missing);
  for (int rank = -1; rank <= l->t.ranks; rank += l->t.ranks + 1)
    CHECK(pfft3d_plan_index(l->t.plan, (pfft3d_side)side, rank, 0) == -1,
          "%s: rank %d has an element", line_words(l), rank);
  free(seen);
}

line_trial line_trial_make(MPI_Comm comm, const pfft3d_request *r, const oracle *o) {
  line_trial l = {.t = {.comm = comm, .request = r, .o = o, .plan = make_plan(comm, r)}};
  MPI_Comm_rank(comm, &l.t.rank);
  MPI_Comm_size(comm, &l.t.ranks);
  pfft3d_plan_decision(l.t.plan, &l.decided);
  for (int side = 0; side < 2; side++) {
    pfft3d_side s = (pfft3d_side)side;
    CHECK(!pfft3d_plan_box(l.t.plan, s, l.t.rank, &l.t.box[side]), "side %d", side);
    ptrdiff_t count = l.count[side] = l.t.box[side].len[2];
    size_t elements = pfft3d_plan_elements(l.t.plan, s);
    size_t last = line_offset(&l, side, line_batch(&l) - 1) / element_bytes(o, side);
    size_t all = count ? last + (size_t)count : 0;
    CHECK(elements >= 1 && elements >= all, "%s: %zu elements, not %zu", line_words(&l), elements,
          all);
    CHECK(pfft3d_plan_bytes(l.t.plan) >= all * element_bytes(o, side),
          "%s: an array for both sides of %zu bytes", line_words(&l), pfft3d_plan_bytes(l.t.plan));
    l.index[side] = get((size_t)count * sizeof *l.index[side]);
    for (ptrdiff_t i = 0; i < count; i++)
      l.index[side][i] = pfft3d_plan_index(l.t.plan, s, l.t.rank, i);
    line_check_index(&l, side);
  }
  return l;
}

void line_trial_free(line_trial *l) {
  for (int k = 0; k < 2; k++) {
    free(l->index[k]);
    free(l->first[k]);
  }
  trial_free(&l->t);
}

ptrdiff_t line_batch(const line_trial *l) {
  ptrdiff_t batch = l->t.request->problem.batch;
  return batch ? batch : 1;
}

size_t line_offset(const line_trial *l, int side, ptrdiff_t line) {
  return (size_t)(line * l->t.box[side].distance) * element_bytes(l->t.o, side);
}

void line_fill(const line_trial *l, int side, const long double *line, void *array) {
  ptrdiff_t parts = l->t.o->parts[side];
  for (ptrdiff_t i = 0; i < l->count[side] * parts; i++) {
    long double value = line[l->index[side][i / parts] * parts + i % parts];
    if (l->t.o->problem.precision == PFFT3D_SINGLE)
      ((float *)array)[i] = (float)value;
    else
      ((double *)array)[i] = (double)value;
  }
}

double line_error(const line_trial *l, int side, const void *array, const long double *want,
                  double scale) {
  double sum[2] = {0, 0}, all[2];
  ptrdiff_t parts = l->t.o->parts[side];
  for (ptrdiff_t i = 0; i < l->count[side] * parts; i++) {
    long double value = want[l->index[side][i / parts] * parts + i % parts] * scale;
    long double d = number_at(l->t.o, array, i) - value;
    sum[0] += (double)(d * d);
    sum[1] += (double)(value * value);
  }
  MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, l->t.comm);
  return all[0] == 0 ? 0 : sqrt(all[0] / all[1]);
}

/* Local. Every result of a direction has the bits of the first one: all elements, line by line. */
static void line_check_bits(line_trial *l, int direction, const unsigned char *out,
                            const char *how) {
  size_t bytes = (size_t)l->count[!direction] * element_bytes(l->t.o, !direction);
  int first = !l->first[direction];
  if (first) l->first[direction] = get((size_t)line_batch(l) * bytes);
  for (ptrdiff_t b = 0; b < line_batch(l); b++) {
    unsigned char *known = l->first[direction] + (size_t)b * bytes;
    const unsigned char *now = out + line_offset(l, !direction, b);
    if (first) memcpy(known, now, bytes);
    CHECK(first || !memcmp(known, now, bytes),
          "%s rank %d direction %d %s: line %td has other bits than at first", line_words(l),
          l->t.rank, direction, how, b);
  }
}

/* Local. Puts the data of all lines into an array, and notes where the elements of a side are. */
static void line_fill_all(const line_trial *l, int direction, const guarded *in) {
  for (ptrdiff_t b = 0; b < line_batch(l); b++)
    line_fill(l, direction, l->t.o[b].given[direction], in->at + line_offset(l, direction, b));
}

static void line_mark(const line_trial *l, int side, const guarded *a) {
  size_t bytes = (size_t)l->count[side] * element_bytes(l->t.o, side);
  for (ptrdiff_t b = 0; b < line_batch(l); b++)
    memset(a->map + (a->at - a->base) + line_offset(l, side, b), 1, bytes);
}

/* Collective on the trial's comm. Results of all lines. */
static void line_check(line_trial *l, int direction, const guarded *out, const char *how) {
  double scale = l->t.request->scale[direction];
  for (ptrdiff_t b = 0; b < line_batch(l); b++) {
    const oracle *o = &l->t.o[b];
    const unsigned char *at = out->at + line_offset(l, !direction, b);
    double error = line_error(l, !direction, at, o->want[direction], scale);
    double limit = oracle_allowed(o, l->t.request->decision.engine);
    CHECK(error <= limit, "%s direction %d %s: line %td: error %.3g, allowed %.3g", line_words(l),
          direction, how, b, error, limit);
  }
  ptrdiff_t written = guarded_written(out);
  CHECK(written < 0, "%s direction %d %s: byte %td was written, it is in no element", line_words(l),
        direction, how, written - (out->at - out->base));
  line_check_bits(l, direction, out->at, how);
}

void line_run(line_trial *l, int direction, trial_how how, int shift) {
  const trial *t = &l->t;
  int in_place = how == IN_PLACE || how == LIBRARY_IN_PLACE, from = direction, to = !direction;
  size_t in_bytes = pfft3d_plan_elements(t->plan, (pfft3d_side)from) * element_bytes(t->o, from);
  size_t out_bytes = pfft3d_plan_elements(t->plan, (pfft3d_side)to) * element_bytes(t->o, to);
  if (in_place) in_bytes = pfft3d_plan_bytes(t->plan);
  guarded in = guarded_make(t, how, in_bytes, shift), out = in;
  if (!in_place) out = guarded_make(t, how, out_bytes, shift / 2);
  unsigned char *copy = get(in.bytes);
  line_fill_all(l, direction, &in);
  memcpy(copy, in.base, in.bytes);
  line_mark(l, from, &in);
  line_mark(l, to, &out);
  int null = shift && !in_place;
  int status = trial_execute(t, direction, null && !l->count[from] ? NULL : in.at,
                             null && !l->count[to] ? NULL : out.at);
  const char *hows = trial_hows[how];
  CHECK(!status, "%s direction %d %s: status %d", line_words(l), direction, hows, status);
  line_check(l, direction, &out, hows);
  if (!in_place) {
    CHECK(!memcmp(copy, in.base, in.bytes), "%s direction %d %s: the input changed", line_words(l),
          direction, hows);
    guarded_free(t, &out);
  }
  guarded_free(t, &in);
  free(copy);
}

void line_alone(const line_trial *l) {
  for (ptrdiff_t b = 0; b < line_batch(l); b++) {
    pfft3d_request r = *l->t.request;
    r.decision = l->decided;
    r.problem.batch = 1;
    for (int side = 0; side < 2; side++) r.array[side].distance = 0;
    line_trial one = line_trial_make(l->t.comm, &r, &l->t.o[b]);
    for (int d = 0; d < 2; d++) {
      size_t bytes = (size_t)one.count[!d] * element_bytes(one.t.o, !d);
      line_run(&one, d, APART, 0);
      CHECK(one.count[!d] == l->count[!d], "%s", line_words(l));
      CHECK(!memcmp(one.first[d], l->first[d] + (size_t)b * bytes, bytes),
            "%s direction %d: line %td has other bits by itself", line_words(l), d, b);
    }
    line_trial_free(&one);
  }
}
