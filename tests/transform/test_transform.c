/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every scheme, exchange, engine, order and direction, in place and out of place, scaled or not, on
 * grids that do not divide, against the DFT by its definition and against serial FFTW on the whole
 * array.  FFTW-MPI would be no oracle: it is wrong where a dimension is 1. */
#include <complex.h> /* before fftw3.h, which then takes C's complex type */
#include <fftw3.h>

#include "support.h"

enum { GUARD = 16, ROUNDS = 2 };               /* doubles; executions */
enum { BY_DEFINITION = 8000, LARGE = 100000 }; /* elements */
static const double poison = -31.5;

/* The same numbers on every rank, and their transforms; all are whole fields. */
typedef struct {
  ptrdiff_t n[3], elements;
  double limit;
  double *field, *want[2];
} problem;

static void fftw_field(const problem *p, int direction, double *out) {
  int sign = direction == PFFT3D_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD;
  fftw_complex *in = (fftw_complex *)p->field;
  fftw_plan plan = fftw_plan_dft_3d((int)p->n[0], (int)p->n[1], (int)p->n[2], in,
                                    (fftw_complex *)out, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/* By the definition where that is cheap, with FFTW as a second opinion; else FFTW alone. */
static void make_reference(problem *p, int direction) {
  size_t count = (size_t)p->elements;
  double *want = p->want[direction] = get(2 * count * sizeof *want);
  fftw_field(p, direction, want);
  if (p->elements > BY_DEFINITION) return;
  wide *x = get(count * sizeof *x);
  long double difference = 0, norm = 0;
  for (size_t g = 0; g < count; g++) x[g] = (wide){p->field[2 * g], p->field[2 * g + 1]};
  dft_field(x, p->n, direction == PFFT3D_FORWARD ? -1 : 1);
  for (size_t g = 0; g < count; g++) {
    long double re = want[2 * g] - x[g].re, im = want[2 * g + 1] - x[g].im;
    difference += re * re + im * im;
    norm += x[g].re * x[g].re + x[g].im * x[g].im;
    want[2 * g] = (double)x[g].re;
    want[2 * g + 1] = (double)x[g].im;
  }
  double error = (double)sqrtl(difference / norm);
  CHECK(error <= p->limit, "the definition and serial FFTW differ by %g on %tdx%tdx%td", error,
        p->n[0], p->n[1], p->n[2]);
  free(x);
}

static void make_problem(problem *p, const ptrdiff_t n[3]) {
  memcpy(p->n, n, sizeof p->n);
  p->elements = n[0] * n[1] * n[2];
  p->limit = error_limit(p->elements, is_smooth(p->elements));
  p->field = get(2 * (size_t)p->elements * sizeof *p->field);
  for (ptrdiff_t g = 0; g < 2 * p->elements; g++) p->field[g] = value_of((uint64_t)g);
  for (int d = 0; d < 2; d++) make_reference(p, d);
}

static void free_problem(problem *p) {
  free(p->field);
  free(p->want[0]);
  free(p->want[1]);
}

/* One plan under test, with arrays that have a guard behind them. */
typedef struct {
  MPI_Comm comm;
  const problem *p;
  const pfft3d_request *request;
  pfft3d_plan *plan;
  pfft3d_box box[2];
  double *in, *out, *copy;
} trial;

static void check_guard(const trial *t, const double *array, size_t used, const char *what) {
  for (int k = 0; k < GUARD; k++)
    CHECK(array[2 * used + (size_t)k] == poison, "%s: number %d behind the %s was written",
          request_name(t->request), k, what);
}

static void check_result_of(const trial *t, int direction, const double *out, const char *how) {
  int side = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  double error = box_error(t->comm, &t->box[side], t->p->n, out, t->p->want[direction],
                           t->request->scale[direction]);
  CHECK(error <= t->p->limit, "%s %s, %s: error %.3g, allowed %.3g", request_name(t->request),
        direction == PFFT3D_FORWARD ? "forward" : "backward", how, error, t->p->limit);
}

static void poison_array(double *array, size_t used) {
  for (size_t i = 0; i < 2 * used; i++) array[i] = NAN;
  for (size_t k = 0; k < GUARD; k++) array[2 * used + k] = poison;
}

static void run_out_of_place(const trial *t, int direction, int round) {
  const pfft3d_box *in_box = &t->box[direction], *out_box = &t->box[!direction];
  size_t in_used = (size_t)box_elements(in_box), out_used = (size_t)box_elements(out_box);
  double *in = t->in + round, *out = t->out + !round; /* any alignment of a double */
  poison_array(in, in_used);
  take_box(in_box, t->p->n, t->p->field, in);
  memcpy(t->copy, in, (2 * in_used + GUARD) * sizeof *in);
  poison_array(out, out_used);
  int status = pfft3d_execute(t->plan, (pfft3d_direction)direction, in_used || round ? in : NULL,
                              out_used || round ? out : NULL);
  CHECK(!status, "%s: status %d", request_name(t->request), status);
  check_result_of(t, direction, out, "out of place");
  CHECK(!memcmp(t->copy, in, (2 * in_used + GUARD) * sizeof *in), "%s: the input changed",
        request_name(t->request));
  check_guard(t, out, out_used, "output");
}

static void run_in_place(const trial *t, int direction) {
  size_t space = pfft3d_plan_elements(t->plan, PFFT3D_SPACE);
  size_t spectrum = pfft3d_plan_elements(t->plan, PFFT3D_SPECTRUM);
  size_t used = space > spectrum ? space : spectrum;
  poison_array(t->out, used);
  take_box(&t->box[direction], t->p->n, t->p->field, t->out);
  int status = pfft3d_execute(t->plan, (pfft3d_direction)direction, t->out, t->out);
  CHECK(!status, "%s: status %d", request_name(t->request), status);
  check_result_of(t, direction, t->out, "in place");
  check_guard(t, t->out, used, "array");
}

static void test_request(MPI_Comm comm, const problem *p, const pfft3d_request *request) {
  trial t = {.comm = comm, .p = p, .request = request, .plan = make_plan(comm, request)};
  int rank;
  MPI_Comm_rank(comm, &rank);
  size_t space = pfft3d_plan_elements(t.plan, PFFT3D_SPACE);
  size_t spectrum = pfft3d_plan_elements(t.plan, PFFT3D_SPECTRUM);
  size_t bytes = ((space > spectrum ? space : spectrum) * 2 + GUARD + 1) * sizeof(double);
  t.in = get(bytes);
  t.out = get(bytes);
  t.copy = get(bytes);
  /* A direction starts from the side of its own number. */
  for (int side = 0; side < 2; side++)
    CHECK(!pfft3d_plan_box(t.plan, (pfft3d_side)side, rank, &t.box[side]), "side %d", side);
  for (int round = 0; round < ROUNDS; round++)
    for (int direction = 0; direction < 2; direction++) {
      run_out_of_place(&t, direction, round);
      run_in_place(&t, direction);
    }
  free(t.in);
  free(t.out);
  free(t.copy);
  pfft3d_plan_destroy(&t.plan);
  CHECK(!t.plan, "the plan is not NULL after it was destroyed");
}

/* Everything that is registered; engines that are slow by design on small grids only. */
static void test_grid(MPI_Comm comm, const ptrdiff_t n[3], int scales) {
  problem p;
  make_problem(&p, n);
  FOR_LIST(PFFT3D_SCHEMES, scheme)
  FOR_SHARE(PFFT3D_EXCHANGES, algo)
  FOR_LIST(PFFT3D_ENGINES, engine)
  for (int k = 0; k < 2 * scales; k++) {
    if (p.elements > BY_DEFINITION && !strcmp(engine, "naive")) continue;
    if (p.elements > LARGE && (scheme_i_ + engine_i_) % one_of(2)) continue; /* in turn */
    pfft3d_request r = make_request(n, scheme, algo, engine, (pfft3d_order)(k % 2));
    pfft3d_error e;
    pfft3d_explanation x;
    if (k / 2) {
      r.scale[PFFT3D_FORWARD] = 0.5;
      r.scale[PFFT3D_BACKWARD] = 1 / (double)p.elements;
    }
    int ranks;
    MPI_Comm_size(comm, &ranks);
    int status = pfft3d_explain(&r, ranks, &x, &e);
    if (status == PFFT3D_ERR_UNAVAILABLE) continue; /* the engine cannot do these lengths */
    CHECK(!status, "%s: %s", request_name(&r), e.text);
    test_request(comm, &p, &r);
  }
  free_problem(&p);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t grid[][3] = {{1, 1, 1},   {1, 1, 7},   {1, 8, 1},   {9, 1, 1},
                                      {2, 3, 5},   {4, 4, 4},   {5, 7, 3},   {3, 16, 10},
                                      {16, 2, 9},  {17, 1, 19}, {1, 23, 2},  {31, 6, 4},
                                      {4, 5, 140}, {8, 12, 20}, {12, 13, 11}};
  static const ptrdiff_t other[][3] = {{1, 8, 1}, {3, 16, 10}, {13, 11, 12}};
  static const ptrdiff_t larger[] = {32, 27, 25};
  /* Larger than the caches on few ranks: stores go around them. */
  static const ptrdiff_t large[] = {128, 90, 66};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) test_grid(MPI_COMM_WORLD, grid[k], 2);
  test_grid(MPI_COMM_WORLD, larger, 1);
  for (int kind = 1; kind < COMM_KINDS; kind++) {
    MPI_Comm comm = make_comm(kind);
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) test_grid(comm, other[k], 1);
    MPI_Comm_free(&comm);
  }
  test_grid(MPI_COMM_WORLD, large, 1);
  return check_result();
}
