/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The same bits: from any number of threads, and with `deterministic` from all exchanges and every
 * number of ranks, cut into slabs or pencils.  Results are gathered to rank 0 and compared there as
 * bytes. */
#include "local/engine.h"
#include "support.h"

/* Collective on comm. The whole result of a request as a field in C order on rank 0 (NULL on other
 * ranks), of the field value_of(); the caller frees it. */
static double *result_of(MPI_Comm comm, const pfft3d_request *r, int direction) {
  const ptrdiff_t *n = r->problem.n;
  pfft3d_plan *plan = make_plan(comm, r);
  pfft3d_box box;
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  size_t all = (size_t)(n[0] * n[1] * n[2]);
  double *in = get(2 * all * sizeof *in), *out = get(2 * all * sizeof *out), *whole = NULL;
  pfft3d_plan_box(plan, (pfft3d_side)direction, rank, &box);
  FOR_BOX(&box, n, g, at)
  for (int c = 0; c < 2; c++) in[2 * at + c] = value_of((uint64_t)(2 * g + c));
  int status = pfft3d_execute(plan, (pfft3d_direction)direction, in, out);
  CHECK(!status, "%s: status %d", request_name(r), status);
  if (rank == 0) whole = get(2 * all * sizeof *whole);
  for (int k = 0; k < ranks; k++) {
    pfft3d_plan_box(plan, (pfft3d_side)!direction, k, &box);
    int count = (int)(2 * box_elements(&box));
    if (rank == k && k) MPI_Send(out, count, MPI_DOUBLE, 0, 1, comm);
    if (rank) continue;
    double *part = k ? in : out;
    if (k) MPI_Recv(part, count, MPI_DOUBLE, k, 1, comm, MPI_STATUS_IGNORE);
    FOR_BOX(&box, n, g, at) memcpy(whole + 2 * g, part + 2 * at, 2 * sizeof *part);
  }
  pfft3d_plan_destroy(&plan);
  free(in);
  free(out);
  return whole;
}

/* Compares where there is anything to compare. */
static void check_same(const double *a, const double *b, const pfft3d_request *r,
                       const char *what) {
  size_t all = (size_t)(r->problem.n[0] * r->problem.n[1] * r->problem.n[2]);
  size_t first = 0;
  if (!a || !b) return;
  while (first < 2 * all && !memcmp(a + first, b + first, sizeof *a)) first++;
  CHECK(first == 2 * all, "%s, %s: number %zu is %.17g, not %.17g", request_name(r), what, first,
        a[first], b[first]);
}

/* Exchanges in turn, on one thread and on three, with measured or estimated plans.  Only
 * `deterministic` fixes the order of the axes for all exchanges. */
static void test_exchanges(const ptrdiff_t n[3], const char *scheme, const char *engine,
                           pfft3d_order order, int direction, int deterministic) {
  double *first = NULL;
  int most = strcmp(pfft3d_build("openmp"), "no") ? 3 : 1; /* threads */
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    if (algo_i_ && (algo_i_ + (int)order + direction + n[0]) % 3) continue; /* in turn */
    for (int threads = 1; threads <= most; threads += 2) {
      pfft3d_request r = make_request(n, scheme, algo, engine, order);
      r.deterministic = deterministic;
      r.threads = threads;
      r.scale[0] = r.scale[1] = 0.3;
      double *result = result_of(MPI_COMM_WORLD, &r, direction);
      check_same(result, first, &r, "against the first exchange and one thread");
      if (first)
        free(result);
      else
        first = result;
    }
    if (deterministic) continue;
    free(first);
    first = NULL;
  }
  free(first);
}

/* World rank 0 alone with slabs, then this scheme with 1, 2, ... others.  One exchange is enough:
 * on the same ranks all agree, as tested above. */
static void test_ranks(const ptrdiff_t n[3], const char *scheme, const char *engine,
                       pfft3d_order order, int direction) {
  int rank, ranks;
  double *alone = NULL;
  pfft3d_request r = make_request(n, scheme, "auto", engine, order);
  r.deterministic = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pfft3d_request slab = r;
  strcpy(slab.decision.scheme, "slab");
  if (rank == 0) alone = result_of(MPI_COMM_SELF, &slab, direction);
  for (int some = 1; some <= ranks; some++) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank < some ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL) continue;
    double *result = result_of(comm, &r, direction);
    char what[60];
    snprintf(what, sizeof what, "%d ranks against one", some);
    check_same(result, alone, &r, what);
    free(result);
    MPI_Comm_free(&comm);
  }
  free(alone);
}

/* Two plans of one request, made one after the other, with a measuring one between. */
static void test_again(const ptrdiff_t n[3], const char *engine, pfft3d_order order) {
  pfft3d_request r = make_request(n, "auto", "auto", engine, order);
  r.deterministic = 1;
  double *first = result_of(MPI_COMM_WORLD, &r, PFFT3D_FORWARD);
  r.deterministic = 0;
  free(result_of(MPI_COMM_WORLD, &r, PFFT3D_FORWARD));
  r.deterministic = 1;
  double *second = result_of(MPI_COMM_WORLD, &r, PFFT3D_FORWARD);
  check_same(second, first, &r, "after a measured plan");
  free(first);
  free(second);
}

/* A real field in place, against the same out of place on one thread.  Planes of its spectrum are
 * larger than those of the field: no thread may write where another one still reads. */
static void test_real(int threads, int direction) {
  pfft3d_plan *plan[2];
  pfft3d_error e;
  char text[80];
  void *in, *out, *both;
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text, "r2c:d:33x6x64 threads=%d", k ? threads : 1);
    CHECK(!pfft3d_plan_create_text(MPI_COMM_SELF, text, &plan[k], &e), "%s", e.text);
  }
  CHECK(!pfft3d_alloc(plan[0], &in, &e) && !pfft3d_alloc(plan[0], &out, &e) &&
            !pfft3d_alloc(plan[1], &both, &e),
        "%s", e.text);
  size_t bytes[2];
  for (int k = 0; k < 2; k++)
    bytes[k] = pfft3d_plan_elements(plan[0], (pfft3d_side)k) * (k ? 2 : 1) * sizeof(double);
  double *u = in;
  for (size_t i = 0; i < bytes[direction] / sizeof *u; i++) u[i] = value_of(i);
  memcpy(both, in, bytes[direction]);
  int status = pfft3d_execute(plan[0], (pfft3d_direction)direction, in, out) |
               pfft3d_execute(plan[1], (pfft3d_direction)direction, both, both);
  CHECK(!status && !memcmp(both, out, bytes[!direction]), "%s, direction %d: status %d", text,
        direction, status);
  pfft3d_plan_destroy(&plan[0]);
  pfft3d_plan_destroy(&plan[1]);
}

/* ---- why it is so: who knows what about the fastest plans ---- */

/* Whether every line of a text is in another one; NULL is an empty text. */
static int lines_in(const char *text, const char *other) {
  char line[400];
  for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n') {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    if (!other || !strstr(other, line)) return 0;
  }
  return 1;
}

/* A deterministic plan neither measures nor forgets what was measured. */
static void test_unmoved(const pf_engine *engine) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){14, 22, 26}, "auto", "auto", engine->name, PFFT3D_NATURAL);
  pfft3d_explanation x;
  if (pfft3d_explain(&r, 1, &x, sizeof x, NULL)) return;
  r.deterministic = 1;
  char *before = engine->export_wisdom ? engine->export_wisdom() : NULL;
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  char *after = engine->export_wisdom ? engine->export_wisdom() : NULL;
  CHECK(lines_in(before, after), "%s: forgot by a deterministic plan", engine->name);
  CHECK(lines_in(after, before), "%s: learnt by a deterministic plan", engine->name);
  pfft3d_plan_destroy(&plan);
  free(before);
  free(after);
}

/* What rank 0 alone had found out, all ranks know after they made a plan together. */
static void test_shared(const pf_engine *engine) {
  enum { ROOM = 1 << 20 };
  pfft3d_request r =
      make_request((ptrdiff_t[]){10, 9, 8}, "auto", "auto", engine->name, PFFT3D_NATURAL);
  pfft3d_explanation x;
  pfft3d_error e;
  pf_fft f;
  char *root = calloc(ROOM, 1);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  /* engines of devices keep nothing, and take no single lines */
  if (!engine->device && !pfft3d_explain(&r, 1, &x, sizeof x, NULL)) {
    if (rank == 0 && engine->supports(60, PFFT3D_DOUBLE)) {
      pf_fft_spec spec = {.engine = engine, .precision = PFFT3D_DOUBLE, .n = 60, .sign = -1};
      CHECK(!pf_fft_create(&f, &spec, 0, &e), "%s", engine->name);
      pf_fft_destroy(&f);
    }
    pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
    char *mine = engine->export_wisdom ? engine->export_wisdom() : NULL;
    if (rank == 0 && mine) snprintf(root, ROOM, "%s", mine);
    MPI_Bcast(root, ROOM, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(lines_in(root, mine), "%s: rank %d does not know what rank 0 knows", engine->name, rank);
    pfft3d_plan_destroy(&plan);
    free(mine);
  }
  free(root);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  static const ptrdiff_t grid[][3] = {{12, 13, 11}, {32, 16, 8}, {2, 3, 30}};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++)
    for (int way = 0; way < 4; way++) FOR_LIST(PFFT3D_SCHEMES, scheme)
  FOR_LIST(PFFT3D_ENGINES, engine) {
    pfft3d_order order = (pfft3d_order)(way / 2);
    pfft3d_request r = make_request(grid[k], scheme, "auto", engine, order);
    pfft3d_explanation x;
    if (pfft3d_explain(&r, 1, &x, sizeof x, NULL))
      continue; /* the engine cannot do these lengths */
    if (((int)k + way + scheme_i_ + engine_i_) % one_of(3)) continue; /* one of the grids */
    if (is_textbook(engine) && k != 1) continue;                      /* of powers of two */
    for (int deterministic = 0; deterministic < 2; deterministic++)
      test_exchanges(grid[k], scheme, engine, order, way % 2, deterministic);
    test_ranks(grid[k], scheme, engine, order, way % 2);
    test_again(grid[k], engine, order);
  }
  for (int i = 0; pf_engine_at(i); i++) {
    test_unmoved(pf_engine_at(i));
    test_shared(pf_engine_at(i));
  }
  CHECK(value_of(1) != value_of(2), "support.h");
  int most = strcmp(pfft3d_build("openmp"), "no") ? 4 : 1;
  for (int k = 0; k < 40; k++) test_real(1 + k / 2 % most, k % 2);
  return check_result();
}
