/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that are rounded to single precision between ranks: results against the oracle at the
 * limits of single precision; the error that the statistics tell against the true one, which is the
 * distance from a plan that sends all bits; messages of half the bytes; and nothing at all where
 * nothing is sent. */
#include "base/hooks.h"
#include "line_trial.h"

static int world_ranks;
static uint64_t trials; /* so far: each gets some of what a request can say from its number */

/* Planning is slow with more ranks than processors: some of the combinations, drawn once for all.
 */
static uint64_t one_in(void) {
  return world_ranks > 2 ? 36 : 4;
}

/* Collective. The formula of the public header. */
static double told_error(const pfft3d_stats *s) {
  double all[PFFT3D_STAGES][2], error2 = 0;
  for (int k = 0; k < PFFT3D_STAGES; k++) {
    all[k][0] = s->stage[k].wire_error2;
    all[k][1] = s->stage[k].wire_norm2;
  }
  MPI_Allreduce(MPI_IN_PLACE, all, 2 * PFFT3D_STAGES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < PFFT3D_STAGES; k++) {
    if (isinf(all[k][0])) return INFINITY;
    if (all[k][0] > 0) error2 += all[k][0] / all[k][1];
  }
  return sqrt(error2);
}

static double largest(double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return x;
}

/* Collective. The relative L2 distance of b from a, all fields of a batch together. */
static double distance(const trial *t, int side, const void *a, const void *b) {
  const oracle *o = t->o;
  double sum[2] = {0, 0};
  int parts = o->parts[side];
  FOR_ELEMENTS(&t->box[side], o->n[side], o->fields, g, at) {
    (void)g;
    for (ptrdiff_t c = 0; c < parts; c++) {
      double x = number_at(o, a, at * parts + c), d = x - number_at(o, b, at * parts + c);
      sum[0] += d * d;
      sum[1] += x * x;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum[0] == 0 ? 0 : sqrt(sum[0] / sum[1]);
}

/* What is known of the wire by the names of the exchanges that there are; of others what the dry
 * run says. */
static int is_narrow(const pfft3d_request *r, const pfft3d_explanation *x) {
  static const char *const sends[] = {"packed", "slabs", "pencils"};
  int narrow = x->wire == PFFT3D_SINGLE && r->problem.precision == PFFT3D_DOUBLE, told = -1;
  for (int k = 0; k < 3; k++)
    if (!strcmp(r->decision.algo, sends[k])) told = world_ranks > 1;
  if (!strcmp(r->decision.algo, "shared") || !strcmp(r->decision.scheme, "butterfly")) told = 0;
  if (r->problem.precision == PFFT3D_SINGLE) told = 0;
  CHECK(told < 0 || told == narrow, "%s on %d ranks: the dry run says wire %d", request_name(r),
        world_ranks, (int)x->wire);
  return narrow;
}

/* Two plans, one of which rounds: [0] sends all bits. */
typedef struct couple {
  trial *t[2];
  pfft3d_explanation x[2];
  int narrow;
  int heads; /* parts of rows are sent besides, which are never rounded */
} couple;

static void check_stats(const couple *c, int direction, const pfft3d_stats s[2]) {
  const char *name = request_name(c->t[1]->request);
  double share = c->narrow ? 0.5 : 1;
  pfft3d_precision data = c->t[0]->request->problem.precision;
  CHECK(s[0].wire == data && s[1].wire == (c->narrow ? PFFT3D_SINGLE : data), "%s: wire %d and %d",
        name, (int)s[0].wire, (int)s[1].wire);
  CHECK(s[0].messages == s[1].messages, "%s: %g messages, not %g", name, s[1].messages,
        s[0].messages);
  if (!c->heads)
    CHECK(s[1].bytes == share * s[0].bytes && s[1].bytes_min == share * s[0].bytes_min &&
              s[1].bytes_max == share * s[0].bytes_max,
          "%s: %g bytes in messages of %g to %g, and %g of %g to %g", name, s[1].bytes,
          s[1].bytes_min, s[1].bytes_max, s[0].bytes, s[0].bytes_min, s[0].bytes_max);
  /* One rank of a node sends for all, others at most parts of rows; their memory comes in pages. Of
   * short lines only such parts, or mirror images, may be sent. */
  int same = !strcmp(c->t[1]->request->decision.algo, "node") || c->heads;
  if (s[0].bytes > 0 && c->narrow)
    CHECK(s[1].bytes < s[0].bytes + same && s[1].work_bytes < s[0].work_bytes + (size_t)same,
          "%s: %g bytes of %g, work memory %zu of %zu", name, s[1].bytes, s[0].bytes,
          s[1].work_bytes, s[0].work_bytes);
  if (direction == PFFT3D_BACKWARD) return;
  for (int k = 0; k < 2; k++) {
    double bytes = largest(s[k].bytes), passes = largest(s[k].passes);
    CHECK(bytes == c->x[k].bytes, "%s: %g bytes, the dry run says %g", name, bytes, c->x[k].bytes);
    CHECK(!c->narrow || c->heads || fabs(passes - c->x[k].passes) <= 1e-9 * c->x[k].passes,
          "%s: %.12g passes, the dry run says %.12g", name, passes, c->x[k].passes);
  }
}

/* Collective. One direction of both, from the same input. */
static void test_error(const couple *c, int direction, const void *in) {
  enum { few = 300 }; /* elements, of which chance makes what it likes */
  const oracle *o = c->t[0]->o;
  const char *name = request_name(c->t[1]->request);
  void *out[2];
  pfft3d_stats s[2];
  for (int k = 0; k < 2; k++) {
    const trial *t = c->t[k];
    size_t bytes =
        pfft3d_plan_elements(t->plan, (pfft3d_side)!direction) * element_bytes(o, !direction);
    out[k] = get(bytes);
    memset(out[k], 0, bytes);
    pfft3d_plan_stats(t->plan, (pfft3d_direction)direction, 1, &s[k], sizeof s[k]);
    CHECK(!pfft3d_execute(t->plan, (pfft3d_direction)direction, in, out[k]), "%s", name);
    pfft3d_plan_stats(t->plan, (pfft3d_direction)direction, 0, &s[k], sizeof s[k]);
  }
  double told[2] = {told_error(&s[0]), told_error(&s[1])};
  double is = distance(c->t[0], !direction, out[0], out[1]);
  CHECK(told[0] == 0, "%s: rounded by %g", name, told[0]);
  if (!c->narrow)
    CHECK(is == 0 && told[1] == 0, "%s: nothing is rounded, error %g, told %g", name, is, told[1]);
  else if (o->elements[0] > few)
    CHECK(is > 1e-9 && told[1] > is / 2 && told[1] < is * 2,
          "%s on %d ranks direction %d: error %.3g, told %.3g", name, world_ranks, direction, is,
          told[1]);
  check_stats(c, direction, s);
  free(out[0]);
  free(out[1]);
}

/* The dry runs and the names of a couple. */
static couple make_couple(pfft3d_request r[2], trial *whole, trial *rounded) {
  couple c = {.t = {whole, rounded}};
  for (int k = 0; k < 2; k++)
    CHECK(!pfft3d_explain(&r[k], world_ranks, &c.x[k], sizeof c.x[k], NULL), "%s",
          request_name(&r[k]));
  c.narrow = is_narrow(&r[1], &c.x[1]);
  return c;
}

/* Bundles of rows are made by their bytes, which differ; single rows are as many. */
static void single_rows(pfft3d_request *r) {
  if (!strcmp(r->decision.algo, "pencils")) r->decision.chunk = 1;
}

/* The same data with the limits of single precision. */
static oracle loosened(const oracle *o) {
  oracle other = *o;
  other.limit = oracle_limit(&o->problem, PFFT3D_SINGLE);
  return other;
}

/* ---- fields ---- */

static void test_field(pfft3d_request *like, const oracle *o) {
  uint64_t turn = mix(trials++);
  single_rows(like);
  pfft3d_request r[2] = {*like, *like};
  oracle loose = loosened(o);
  for (int k = 0; k < 2; k++) {
    r[k].wire = k ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    r[k].deterministic = turn % 2 == 0;
    r[k].threads = strcmp(pfft3d_build("openmp"), "no") && turn / 2 % 4 == 0 ? 2 : 1;
  }
  pf_hooks.max_count = turn / 8 % 4 == 0 ? 7 : 0;
  if (!trial_possible(&r[1], world_ranks)) return;
  trial whole = trial_make(MPI_COMM_WORLD, &r[0], o);
  trial rounded = trial_make(MPI_COMM_WORLD, &r[1], &loose);
  couple c = make_couple(r, &whole, &rounded);
  for (int d = 0; d < 2; d++) {
    size_t bytes = pfft3d_plan_elements(whole.plan, (pfft3d_side)d) * element_bytes(o, d);
    void *in = get(bytes);
    memset(in, 0, bytes);
    place_box(o, d, &whole.box[d], o->given[d], in);
    test_error(&c, d, in);
    free(in);
  }
  if (turn / 32 % 2) trial_weigh(&rounded);
  for (int d = 0; d < 2; d++) trial_run(&rounded, d, (trial_how)(turn / 64 % HOWS), d);
  trial_free(&whole);
  trial_free(&rounded);
}

static void test_fields(const ptrdiff_t n[3], ptrdiff_t batch) {
  static const char *const engines[] = {"auto", "auto", "simd", "naive", "fftw"};
  cut cuts[CUTS];
  int count = list_cuts(world_ranks, cuts);
  for (int kind = 0; kind < 2; kind++) {
    pfft3d_problem p = {
        (pfft3d_kind)kind, PFFT3D_DOUBLE, {n[0], n[1], n[2]}, batch, 3, {0}, {0}, 0, {0}};
    oracle o;
    oracle_make(MPI_COMM_WORLD, &o, &p, (uint64_t)n[2]);
    for (int c = 0; c < count; c++) FOR_SHARE(PFFT3D_EXCHANGES, algo)
    for (int order = 0; order < 2; order++) {
      const char *engine = engines[trials % 5];
      if (mix(trials) % one_in()) {
        trials++;
        continue;
      }
      if (!strcmp(engine, "fftw") && !strcmp(pfft3d_build("fftw"), "no")) engine = "auto";
      pfft3d_request r = make_request(n, cuts[c].scheme, algo, engine, (pfft3d_order)order);
      r.problem = p;
      memcpy(r.decision.grid, cuts[c].grid, sizeof r.decision.grid);
      r.scale[1] = 0.5;
      test_field(&r, &o);
    }
    oracle_free(&o);
  }
}

/* All exchanges that round give the same bits. */
static void test_bits(void) {
  static const ptrdiff_t n[3] = {11, 10, 12};
  unsigned char *first = NULL;
  pfft3d_problem p = {.n = {n[0], n[1], n[2]}, .batch = 1};
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, &p, 5);
  oracle loose = loosened(&o);
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    pfft3d_request r = make_request(n, "slab", algo, "auto", PFFT3D_NATURAL);
    r.wire = PFFT3D_SINGLE;
    r.deterministic = 1;
    trial t = trial_make(MPI_COMM_WORLD, &r, &loose);
    pfft3d_stats s;
    size_t bytes = pfft3d_plan_elements(t.plan, PFFT3D_SPECTRUM) * element_bytes(&o, 1);
    unsigned char *in = get(pfft3d_plan_bytes(t.plan)), *out = get(bytes);
    memset(out, 0, bytes);
    place_box(&o, 0, &t.box[0], o.given[0], in);
    CHECK(!pfft3d_execute(t.plan, PFFT3D_FORWARD, in, out), "%s", algo);
    pfft3d_plan_stats(t.plan, PFFT3D_FORWARD, 0, &s, sizeof s);
    if (s.wire == PFFT3D_SINGLE) {
      if (first) CHECK(!memcmp(first, out, bytes), "%s: other bits than the first", algo);
      if (!first) first = get(bytes);
      memcpy(first, out, bytes);
    }
    free(in);
    free(out);
    trial_free(&t);
  }
  free(first);
  oracle_free(&o);
}

/* ---- lines ---- */

static void test_line(pfft3d_request *like, const oracle *o) {
  uint64_t turn = mix(trials++);
  single_rows(like);
  pfft3d_request r[2] = {*like, *like};
  oracle loose = loosened(o);
  r[1].wire = PFFT3D_SINGLE;
  if (!line_possible(&r[1], world_ranks)) return;
  line_trial whole = line_trial_make(MPI_COMM_WORLD, &r[0], o);
  line_trial rounded = line_trial_make(MPI_COMM_WORLD, &r[1], &loose);
  couple c = make_couple(r, &whole.t, &rounded.t);
  /* Blocks of 4096 real numbers, done in pairs, are whole rows; the 2049 elements of a spectrum are
   * not, where the matrix has real numbers. */
  const ptrdiff_t *split = c.x[0].decision.split;
  int pairs = o->problem.kind == PFFT3D_C2C || split[0] * split[1] != o->problem.n[2];
  int rows = o->problem.n[2] == 4096 && like->layout[PFFT3D_SPACE] == PFFT3D_BLOCK && pairs;
  c.heads = !rows || 4 % world_ranks;
  for (int d = 0; d < 2; d++) {
    void *in = get((size_t)whole.count[d] * element_bytes(o, d));
    line_fill(&whole, d, o->given[d], in);
    test_error(&c, d, in);
    free(in);
  }
  for (int d = 0; d < 2; d++) line_run(&rounded, d, APART, (int)(turn % 3));
  for (int d = 0; d < 2; d++) line_run(&rounded, d, (trial_how)(turn / 4 % HOWS), 0);
  line_trial_free(&whole);
  line_trial_free(&rounded);
}

static void test_lines(ptrdiff_t n, int kind) {
  pfft3d_problem p = line_problem(n, kind, PFFT3D_DOUBLE);
  oracle o;
  line_oracle(&o, &p, (uint64_t)n);
  for (int f = 0; f < LINE_FORMS; f++) FOR_LIST(PFFT3D_METHODS, method)
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    if (mix(trials) % one_in()) {
      trials++;
      continue;
    }
    pfft3d_request r = line_request(&p, &line_forms[f], method, algo, "auto");
    test_line(&r, &o);
  }
  oracle_free(&o);
}

/* ---- the rest ---- */

/* The error of what is too large for a float is reported as infinite. */
static void test_overflow(void) {
  static const ptrdiff_t n[3] = {8, 6, 10};
  pfft3d_request r = make_request(n, "slab", "packed", "auto", PFFT3D_TRANSPOSED);
  r.wire = PFFT3D_SINGLE;
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  size_t numbers = pfft3d_plan_bytes(plan) / sizeof(double);
  double *in = get(numbers * sizeof *in), *out = get(numbers * sizeof *out);
  for (int large = 0; large < 2; large++) {
    pfft3d_stats s;
    for (size_t i = 0; i < numbers; i++) in[i] = value_of(i) * (large ? 1e200 : 1e35);
    pfft3d_plan_stats(plan, PFFT3D_FORWARD, 1, &s, sizeof s);
    CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, in, out), "%s", request_name(&r));
    pfft3d_plan_stats(plan, PFFT3D_FORWARD, 0, &s, sizeof s);
    double told = told_error(&s);
    CHECK(world_ranks == 1 ? told == 0
          : large          ? isinf(told)
                           : told < 1e-7,
          "numbers of %s: %g", large ? "1e200" : "1e35", told);
  }
  free(in);
  free(out);
  pfft3d_plan_destroy(&plan);
}

/* What is reported as sent is what there was: of two runs twice, and of the first stage alone,
 * which transforms two axes and so multiplies the energy by their lengths. */
static void test_energy(void) {
  static const ptrdiff_t n[3] = {9, 8, 14};
  pfft3d_request r = make_request(n, "slab", "packed", "auto", PFFT3D_TRANSPOSED);
  r.wire = PFFT3D_SINGLE;
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  pfft3d_stats s;
  size_t numbers = 2 * pfft3d_plan_elements(plan, PFFT3D_SPACE);
  double *in = get(numbers * sizeof *in), *out = get(pfft3d_plan_bytes(plan)), sum[3] = {0};
  pfft3d_box box;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &box);
  for (size_t i = 0; i < numbers; i++) in[i] = value_of(i + 1000 * (size_t)rank);
  for (ptrdiff_t i = 0; i < 2 * box_elements(&box); i++) sum[0] += in[i] * in[i];
  for (int k = 0; k < 2; k++) CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, in, out), "run %d", k);
  pfft3d_plan_stats(plan, PFFT3D_FORWARD, 0, &s, sizeof s);
  sum[1] = s.stage[0].wire_norm2;
  sum[2] = s.stage[1].wire_norm2;
  MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double want = world_ranks > 1 ? 2.0 * (double)(n[1] * n[2]) * sum[0] : 0;
  CHECK(s.stages == 2 && fabs(sum[1] - want) <= 1e-12 * want && sum[2] == 0,
        "%d stages, energy %.12g and %.12g, not %.12g and 0", s.stages, sum[1], sum[2], want);
  free(in);
  free(out);
  pfft3d_plan_destroy(&plan);
}

/* What is refused: another precision than there is, and ranks that differ. */
static void test_refused(void) {
  static const ptrdiff_t n[3] = {4, 4, 4};
  pfft3d_request r = make_request(n, "slab", "packed", "auto", PFFT3D_TRANSPOSED);
  pfft3d_explanation x;
  pfft3d_plan *plan;
  pfft3d_error e;
  int rank;
  r.wire = (pfft3d_precision)3;
  CHECK(pfft3d_explain(&r, 2, &x, sizeof x, &e) == PFFT3D_ERR_USAGE && strstr(e.text, "wire"),
        "'%s'", e.text);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  r.wire = rank ? PFFT3D_DOUBLE : PFFT3D_SINGLE;
  int status = pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e);
  CHECK(status == (world_ranks > 1 ? PFFT3D_ERR_INTERNAL : PFFT3D_OK), "status %d: %s", status,
        e.text);
  CHECK(world_ranks == 1 || strstr(e.text, "wire"), "'%s'", e.text);
  pfft3d_plan_destroy(&plan);
}

/* Data in single precision stays what it is. */
static void test_single(void) {
  pfft3d_problem p = {.precision = PFFT3D_SINGLE, .n = {7, 9, 8}, .batch = 2};
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, &p, 3);
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    pfft3d_request r = make_request(p.n, "slab", algo, "auto", PFFT3D_NATURAL);
    r.problem = p;
    test_field(&r, &o);
  }
  oracle_free(&o);
}

int main(int argc, char **argv) {
  static const ptrdiff_t field[][3] = {{12, 10, 9}, {5, 16, 14}, {1, 14, 30}, {17, 6, 40},
                                       {3, 2, 64},  {1, 1, 400}, {2, 1, 1}};
  static const ptrdiff_t line[] = {1, 30, 210, 1000, 1021, 4096};
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  for (size_t k = 0; k < sizeof field / sizeof *field; k++)
    test_fields(field[k], k % 3 == 1 ? 3 : 1);
  for (size_t k = 0; k < sizeof line / sizeof *line; k++) test_lines(line[k], (int)k % 2);
  test_lines(1000, PFFT3D_R2C);
  test_bits();
  test_overflow();
  test_energy();
  test_refused();
  test_single();
  return check_result();
}
