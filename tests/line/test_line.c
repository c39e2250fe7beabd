/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of every small length and of chosen others: all methods, exchanges, layouts and orders,
 * forward and backward against the DFT in long double, with every element at the index where the
 * header says that it belongs.
 *
 * Argument: all lengths up to this one (34). */
#include "line_trial.h"

static int world_ranks;
static uint64_t trials; /* so far: each is run in ways drawn from its number */

/* Collective on comm. One request, in arrays of all kinds over the trials. */
static void test_request(MPI_Comm comm, pfft3d_request *r, const oracle *o) {
  int ranks;
  uint64_t turn = mix(trials++);
  MPI_Comm_size(comm, &ranks);
  if (!line_possible(r, ranks)) return;
  if (turn % 3 == 0) r->scale[0] = 0.75, r->scale[1] = 1 / (double)r->problem.n[2];
  line_trial l = line_trial_make(comm, r, o);
  for (int direction = 0; direction < 2; direction++)
    line_run(&l, direction, APART, (int)(turn / 4 % 4));
  for (int direction = 0; direction < 2; direction++)
    line_run(&l, direction, (trial_how)((turn / 16 + (uint64_t)direction) % HOWS), 0);
  line_trial_free(&l);
}

/* Collective. Every other layout and order, all methods, exchanges in turn. */
static void test_forms(const oracle *o, const char *engine) {
  ptrdiff_t turn = o->problem.n[2] + (ptrdiff_t)o->problem.kind;
  for (int f = (int)(turn % one_of(2)); f < LINE_FORMS; f += one_of(2))
    FOR_LIST(PFFT3D_METHODS, method)
  FOR_SHARE(PFFT3D_EXCHANGES, algo) {
    pfft3d_request r = line_request(&o->problem, &line_forms[f], method, algo, engine);
    test_request(MPI_COMM_WORLD, &r, o);
  }
}

/* Collective. Forward, then backward in place, comes back to where it began. */
static void test_return(const oracle *o, const line_form *f) {
  pfft3d_request r = line_request(&o->problem, f, "auto", "auto", "auto");
  r.scale[PFFT3D_BACKWARD] = 1 / (double)o->problem.n[2];
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, o);
  void *in = get(pfft3d_plan_bytes(l.t.plan)), *out = get(pfft3d_plan_bytes(l.t.plan));
  line_fill(&l, PFFT3D_SPACE, o->given[0], in);
  CHECK(!pfft3d_execute(l.t.plan, PFFT3D_FORWARD, in, out), "%s", line_words(&l));
  CHECK(!pfft3d_execute(l.t.plan, PFFT3D_BACKWARD, out, out), "%s", line_words(&l));
  double error = line_error(&l, PFFT3D_SPACE, out, o->given[0], 1);
  CHECK(error <= 2 * o->limit, "%s forward and backward: error %.3g, allowed %.3g", line_words(&l),
        error, 2 * o->limit);
  free(in);
  free(out);
  line_trial_free(&l);
}

static void test_length(ptrdiff_t n, int kind, int precision) {
  pfft3d_problem p = line_problem(n, kind, precision);
  oracle o;
  line_oracle(&o, &p, (uint64_t)n);
  test_forms(&o, "auto");
  test_return(&o, &line_forms[n % LINE_FORMS]);
  oracle_free(&o);
}

/* Every engine, and communicators in other orders. */
static void test_engines(ptrdiff_t n, int kind, int precision) {
  pfft3d_problem p = line_problem(n, kind, precision);
  oracle o;
  line_oracle(&o, &p, (uint64_t)n);
  FOR_LIST(PFFT3D_ENGINES, engine)
  for (int f = 0; f < LINE_FORMS; f++) {
    if (n > 300 && !strcmp(engine, "naive")) continue; /* slow by design */
    if ((n + f + kind + engine_i_) % one_of(world_ranks > 2 ? 6 : 2)) continue;
    pfft3d_request r = line_request(&p, &line_forms[f], "auto", "auto", engine);
    test_request(MPI_COMM_WORLD, &r, &o);
  }
  for (int c = 1; c < COMM_KINDS; c++) {
    MPI_Comm comm = make_comm(c);
    for (int f = 0; f < LINE_FORMS; f += 3) {
      pfft3d_request r = line_request(&p, &line_forms[f], "auto", "slabs", "auto");
      test_request(comm, &r, &o);
    }
    MPI_Comm_free(&comm);
  }
  oracle_free(&o);
}

/* The reference itself, against the definition. */
static void test_reference(void) {
  for (ptrdiff_t n = 1; n <= 130; n++) {
    wide x[130], y[130];
    double difference = 0;
    for (ptrdiff_t k = 0; k < n; k++) x[k] = y[k] = (wide){value_of((uint64_t)k), value_of(99)};
    dft_line(x, n, n % 2 ? 1 : -1);
    dft_lines(y, n, 1, 1, n, n % 2 ? 1 : -1);
    for (ptrdiff_t k = 0; k < n; k++)
      difference += (double)(fabsl(x[k].re - y[k].re) + fabsl(x[k].im - y[k].im));
    CHECK(difference <= 1e-17 * (double)(n * n), "references of %td points differ by %g", n,
          difference);
  }
}

int main(int argc, char **argv) {
  static const ptrdiff_t chosen[] = {67,   97,   127,  128,  210,  256,  343,  625,
                                     1000, 1009, 1024, 2017, 2048, 4099, 5040, 10007};
  static const ptrdiff_t engines[] = {1, 16, 60, 97, 210, 1000, 1021};
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  ptrdiff_t all = argc > 1 ? atol(argv[1]) : 34;
  must_meet(PFFT3D_ENGINES);
  int power_of_two = !(world_ranks & (world_ranks - 1));
  if (power_of_two) must_meet(PFFT3D_METHODS); /* else there is no butterfly */
  test_reference();
  for (ptrdiff_t n = 1; n <= all; n++)
    for (int kind = 0; kind < 2; kind++) {
      test_length(n, kind, PFFT3D_DOUBLE);
      if (take_all() || n % 7 == 3) test_length(n, kind, PFFT3D_SINGLE);
    }
  for (size_t k = 0; k < sizeof chosen / sizeof *chosen; k++) {
    if (chosen[k] <= all) continue;
    test_length(chosen[k], k % 2 ? PFFT3D_R2C : PFFT3D_C2C, PFFT3D_DOUBLE);
    if (take_all() || chosen[k] < 2000) test_length(chosen[k], k % 2 == 0, PFFT3D_DOUBLE);
    if (take_all() || k % 5 == 0) test_length(chosen[k], (int)k % 2, PFFT3D_SINGLE);
  }
  for (size_t k = 0; k < sizeof engines / sizeof *engines; k++)
    for (int way = 0; way < 4; way++) test_engines(engines[k], way % 2, way / 2);
  return check_result();
}
