/* ranks: 1 2 3 4 6 8 */
/* SPDX-License-Identifier: BSD-3-Clause
 * How often lines cross the network: the exchanges of each method where the ranks divide the
 * length, and the messages that leave, against the dry run of the same decision.  And the memory
 * that they take. */
#include "base/hooks.h"
#include "line_trial.h"
#include "messages.h"

static int ranks;

/* Exchanges of method transpose where P divides N: one between its two halves, one more for each
 * side that lies in blocks, and for natural order, unless what comes is just what was asked for. */
static int transpose_exchanges(const line_form *f) {
  int count = 1 + (f->layout[PFFT3D_SPACE] == PFFT3D_BLOCK);
  if (f->order == PFFT3D_NATURAL) count += f->layout[PFFT3D_SPECTRUM] == PFFT3D_BLOCK;
  return ranks == 1 ? 0 : count;
}

/* Whether both sides are distributed cyclically, which takes two factors of P. */
static int is_cyclic(const line_form *f) {
  return f->order == PFFT3D_NATURAL && f->layout[0] == PFFT3D_CYCLIC &&
         f->layout[1] == PFFT3D_CYCLIC;
}

/* The exchanges that a c2c line may take, from *least to *most. */
static void expected_exchanges(const pfft3d_request *r, const line_form *f, int *least, int *most) {
  ptrdiff_t n = r->problem.n[2], p = ranks;
  if (!strcmp(r->decision.scheme, "butterfly")) {
    for (*least = 0, *most = 2; 1 << *least < ranks;) ++*least, ++*most;
    return;
  }
  *least = *most = transpose_exchanges(f);
  if (n % p || pf_cut_wish_lists(&r->cuts)) *most = PFFT3D_STAGES;
  if (n % (p * p) && is_cyclic(f)) ++*least, *most = PFFT3D_STAGES;
}

/* What a direction has counted in two runs, against what was seen. */
static void check_seen(const line_trial *l, const pfft3d_stats *s) {
  ptrdiff_t most = pf_hooks.max_count;
  CHECK(s->executions == 2 && s->stages >= 0 && s->stages <= PFFT3D_STAGES,
        "%s: %ld executions of %d stages", line_words(l), s->executions, s->stages);
  CHECK(s->wait_s >= 0 && s->fft_s >= 0 && s->wait_s <= s->total_s, "%s: waits %g s of %g",
        line_words(l), s->wait_s, s->total_s);
  CHECK(s->messages == seen.messages && s->bytes == seen.bytes,
        "%s: %g messages of %g bytes were sent, %g of %g counted", line_words(l), seen.messages,
        seen.bytes, s->messages, s->bytes);
  CHECK(s->bytes_min == seen.least && s->bytes_max == seen.most,
        "%s: %g to %g bytes were sent, %g to %g counted", line_words(l), seen.least, seen.most,
        s->bytes_min, s->bytes_max);
  CHECK(!most || seen.largest <= most, "%s: a call with count %td, allowed %td", line_words(l),
        seen.largest, most);
  CHECK(largest_of(s->exchanges) == s->exchanges, "%s: %d exchanges, elsewhere more", line_words(l),
        s->exchanges);
}

/* Whether all ranks have as much of everything. */
static int alike(const line_trial *l) {
  const ptrdiff_t *split = l->decided.split;
  return !pf_cut_wish_lists(&l->t.request->cuts) && split[0] % ranks == 0 &&
         split[1] % ranks == 0 && split[0] * split[1] == l->t.o->problem.n[2] &&
         l->t.o->problem.kind == PFFT3D_C2C;
}

/* The same against the dry run, which describes the forward transform and the rank that does
 * most. */
static void check_predicted(const line_trial *l, const pfft3d_stats *s) {
  pfft3d_request r = *l->t.request;
  pfft3d_explanation x;
  pfft3d_error e;
  pfft3d_machine_init(&r.machine);
  for (int level = 0; level < 2; level++) { /* all are alike, and nothing overlaps */
    r.machine.start[level] = 2e-6;
    r.machine.bandwidth[level] = 12.5e9;
    r.machine.overlap[level] = 0;
  }
  r.decision = l->decided; /* a dry run has no nodes and might decide otherwise */
  CHECK(!pfft3d_explain(&r, ranks, &x, sizeof x, &e), "%s: %s", line_words(l), e.text);
  double messages = largest_of(s->messages / 2), bytes = largest_of(s->bytes / 2);
  double least = smallest_of(s->bytes_min), most = largest_of(s->bytes_max);
  CHECK(s->exchanges == x.exchanges, "%s: %d exchanges, %d predicted", line_words(l), s->exchanges,
        x.exchanges);
  int exact =
      messages == x.messages && bytes == x.bytes && least == x.bytes_min && most == x.bytes_max;
  int within = messages >= x.messages && bytes >= x.bytes && least <= x.bytes_min &&
               most >= x.bytes_max; /* a dry run looks at some of the ranks only */
  CHECK(alike(l) ? exact : within,
        "%s: at most %g messages, %g bytes, each %g to %g; predicted %g, %g, %g to %g",
        line_words(l), messages, bytes, least, most, x.messages, x.bytes, x.bytes_min, x.bytes_max);
  const pfft3d_machine *m = &x.machine;
  double start = x.messages * fmin(m->start[0], m->start[1]);
  double travel = x.bytes / fmax(m->bandwidth[0], m->bandwidth[1]);
  CHECK(x.exchange_seconds >= fmax(start, travel) * (1 - 1e-9) && x.seconds >= x.pass_seconds,
        "%s: exchanges of %g seconds predicted, %g for messages and %g for bytes", line_words(l),
        x.exchange_seconds, start, travel);
}

/* Collective. Runs a direction twice; returns its exchanges. */
static int test_direction(const line_trial *l, int direction) {
  void *in = get(pfft3d_plan_bytes(l->t.plan)), *out = get(pfft3d_plan_bytes(l->t.plan));
  pfft3d_stats s;
  line_fill(l, direction, l->t.o->given[direction], in);
  see_start();
  for (int k = 0; k < 2; k++)
    CHECK(!pfft3d_execute(l->t.plan, (pfft3d_direction)direction, in, out), "%s", line_words(l));
  seen.on = 0;
  free(in);
  free(out);
  CHECK(!pfft3d_plan_stats(l->t.plan, (pfft3d_direction)direction, 1, &s, sizeof s), "stats");
  check_seen(l, &s);
  if (direction == PFFT3D_FORWARD) check_predicted(l, &s);
  return s.exchanges;
}

static void test_request(const pfft3d_request *r, const oracle *o, const line_form *f) {
  if (!line_possible(r, ranks)) return;
  line_trial l = line_trial_make(MPI_COMM_WORLD, r, o);
  for (int direction = 0; direction < 2; direction++) {
    int have = test_direction(&l, direction), least, most;
    if (ranks == 1) CHECK(have == 0, "%s: %d exchanges", line_words(&l), have);
    if (o->problem.kind == PFFT3D_R2C || ranks == 1) continue;
    expected_exchanges(r, f, &least, &most);
    CHECK(have >= least && have <= most, "%s direction %d: %d exchanges, not %d to %d",
          line_words(&l), direction, have, least, most);
  }
  line_trial_free(&l);
}

/* Collective. A dry run tells the memory of all parts of a line: that of steps between them, of the
 * kernel of a convolution.  Tiles, which measured plans choose, come on top. */
static void test_room(ptrdiff_t n, int kind, pfft3d_axis_kind axis) {
  enum { TILES = 16 << 20 };
  pfft3d_problem problem = line_problem(n, kind, 0);
  problem.axis[2] = axis;
  pfft3d_request r = line_request(&problem, &line_forms[0], "transpose", "packed", "auto");
  pfft3d_explanation x;
  pfft3d_stats s;
  pfft3d_error e;
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  CHECK(!pfft3d_explain(&r, ranks, &x, sizeof x, &e), "%s: %s", line_name(&r), e.text);
  CHECK(!pfft3d_plan_stats(plan, PFFT3D_FORWARD, 0, &s, sizeof s), "stats");
  double work = largest_of((double)s.work_bytes);
  CHECK(work >= 0.9 * x.work_bytes && work <= 1.1 * x.work_bytes + TILES,
        "%s: %.0f bytes of buffers, %.0f predicted", line_name(&r), work, x.work_bytes);
  pfft3d_plan_destroy(&plan);
}

/* Dry runs alone: on many ranks, too, a cyclic line takes some times its own memory only. */
static void test_room_of_many(void) {
  static const ptrdiff_t most[][2] = {
      {1 << 30, 1000}, {1 << 30, 4800}, {(ptrdiff_t)1 << 36, 100000}};
  for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
    pfft3d_problem problem = line_problem(most[k][0], 0, 0);
    pfft3d_request r = line_request(&problem, &line_forms[3], "transpose", "packed", "auto");
    pfft3d_explanation x;
    pfft3d_error e;
    CHECK(!pfft3d_explain(&r, (int)most[k][1], &x, sizeof x, &e), "%s: %s", line_name(&r), e.text);
    CHECK(x.work_bytes <= 35 * x.user_bytes, "%s on %td ranks: %.0f bytes of buffers for %.0f",
          line_name(&r), most[k][1], x.work_bytes, x.user_bytes);
  }
}

/* Whether 2^18 real points are a matrix of their own: with the spectrum in blocks or cyclic, and
 * rows that the ranks divide. */
static int is_matrix(const pfft3d_request *r) {
  int cyclic = r->layout[PFFT3D_SPECTRUM] == PFFT3D_CYCLIC;
  if (ranks == 1 || r->decision.order != PFFT3D_NATURAL) return 0;
  return !(ranks & (ranks - 1)) || (!cyclic && r->layout[PFFT3D_SPACE] == PFFT3D_BLOCK);
}

/* The bytes of the mirror images of a cyclic spectrum, of which a rank of three or more sends those
 * of its lines to another one: half of its elements. */
static double image_bytes(const pfft3d_request *r, ptrdiff_t n) {
  double element = r->problem.precision == PFFT3D_DOUBLE ? 16 : 8;
  int apart = r->layout[PFFT3D_SPECTRUM] == PFFT3D_CYCLIC && ranks > 2;
  return apart ? (double)n / 4 / ranks * element : 0;
}

/* Collective. Then they need half of the bytes and of the memory of as many complex ones, besides
 * those images, as they leave and as they come. */
static void test_reals(const pfft3d_request *r, ptrdiff_t n) {
  pfft3d_request complex = *r;
  pfft3d_explanation x[2];
  pfft3d_error e;
  complex.problem.kind = PFFT3D_C2C;
  CHECK(!pfft3d_explain(r, ranks, &x[0], sizeof x[0], &e), "%s: %s", line_name(r), e.text);
  CHECK(!pfft3d_explain(&complex, ranks, &x[1], sizeof x[1], &e), "%s: %s", line_name(&complex),
        e.text);
  CHECK(x[0].decision.split[0] * x[0].decision.split[1] == n, "%s: split %tdx%td", line_name(r),
        x[0].decision.split[0], x[0].decision.split[1]);
  double images = strcmp(x[0].decision.algo, "shared") ? image_bytes(r, n) : 0;
  CHECK(x[0].bytes <= 0.52 * x[1].bytes + images + 16 * 1024,
        "%s: %.0f bytes to others, complex %.0f", line_name(r), x[0].bytes, x[1].bytes);
  /* Of shared memory, one exchange takes one half, two exchanges take both. */
  double halves = x[0].exchanges > 1 && x[1].exchanges == 1 ? 2 : 1;
  if (strcmp(x[0].decision.algo, "shared")) halves = 1;
  CHECK(x[0].work_bytes <= 0.8 * halves * x[1].work_bytes + 2 * images,
        "%s: %.0f bytes of buffers, complex %.0f", line_name(r), x[0].work_bytes, x[1].work_bytes);
}

/* Collective. Else an even number of real points takes a split of half of them, and less of
 * everything than with a split of the whole. */
static void test_half(ptrdiff_t n, int precision) {
  pfft3d_problem problem = line_problem(n, PFFT3D_R2C, precision);
  FOR_LIST(PFFT3D_EXCHANGES, algo)
  for (int f = 0; f < LINE_FORMS; f++) {
    enum { EDGES = 64 * 1024 }; /* bytes of rows that lie on two ranks */
    pfft3d_request r = line_request(&problem, &line_forms[f], "transpose", algo, "auto"), whole = r;
    if (is_matrix(&r)) {
      test_reals(&r, n);
      snprintf(r.decision.scheme, sizeof r.decision.scheme, "auto"); /* or left to the planner */
      if (f == 0 && !strcmp(algo, "shared")) test_reals(&r, n);
      continue;
    }
    if (r.layout[PFFT3D_SPACE] != PFFT3D_BLOCK) continue;
    pfft3d_explanation x[2];
    pfft3d_error e;
    whole.decision.split[0] = whole.decision.split[1] = 1;
    while (whole.decision.split[0] * whole.decision.split[0] < n) whole.decision.split[0] *= 2;
    whole.decision.split[1] = n / whole.decision.split[0];
    CHECK(!pfft3d_explain(&r, ranks, &x[0], sizeof x[0], &e), "%s: %s", line_name(&r), e.text);
    CHECK(!pfft3d_explain(&whole, ranks, &x[1], sizeof x[1], &e), "%s: %s", line_name(&whole),
          e.text);
    ptrdiff_t *split = x[0].decision.split;
    CHECK(2 * split[0] * split[1] == n, "%s: split %tdx%td", line_name(&r), split[0], split[1]);
    CHECK(x[0].work_bytes <= 0.8 * x[1].work_bytes, "%s: %.0f bytes of buffers, whole %.0f",
          line_name(&r), x[0].work_bytes, x[1].work_bytes);
    if (ranks == 1 && f == 0) /* over the points in pairs, and the one that separates them */
      CHECK(fabs(x[0].passes - 3) < 0.01, "%s: %g passes", line_name(&r), x[0].passes);
    if (x[1].bytes <= EDGES) continue; /* inside a node, which the mirror images may not use */
    CHECK(x[0].bytes <= x[1].bytes, "%s: %.0f bytes to others, whole %.0f", line_name(&r),
          x[0].bytes, x[1].bytes);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const ptrdiff_t limit[] = {0, 7, 100};
  ptrdiff_t p = ranks;
  /* Divisible by the square of P, by P, and by what comes. */
  ptrdiff_t length[] = {p * p,  4 * p * p, 15 * p * p, 64 * p * p, p * p * 7 * 6, 16 * p,
                        25 * p, 210 * p,   17,         120,        1000,          1009};
  for (size_t k = 0; k < sizeof length / sizeof *length; k++)
    for (int kind = 0; kind < 2; kind++) {
      pfft3d_problem problem = line_problem(length[k], kind, k % 3 == 2);
      oracle o;
      line_oracle(&o, &problem, k);
      for (int f = (int)(k % 2) * (one_of(2) - 1); f < LINE_FORMS; f += one_of(2))
        FOR_LIST(PFFT3D_METHODS, method)
      FOR_SHARE(PFFT3D_EXCHANGES, algo) {
        pfft3d_request r = line_request(&problem, &line_forms[f], method, algo, "auto");
        pf_hooks.max_count = limit[(k + (size_t)f) % 3];
        if (k % 3 == 1 && f == 0) roll_cut_list(&r, 0, 2, ranks, k);
        test_request(&r, &o, &line_forms[f]);
        pf_cut_wish_drop(&r.cuts);
      }
      oracle_free(&o);
    }
  pf_hooks.max_count = 0; /* what follows is of long lines */
  for (int kind = 0; kind < 2 && ranks <= 2; kind++) test_room(1000003, kind, PFFT3D_DFT);
  if (ranks <= 2) test_room(1 << 22, PFFT3D_R2C, PFFT3D_DCT2);
  for (int precision = 0; precision < 2; precision++) test_half(1 << 18, precision);
  if (ranks == 1) test_room_of_many();
  return check_result();
}
