/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Lines with the same bits: from any limit on the counts of one MPI call, from any number of
 * threads, and with `deterministic` from all exchanges and every number of ranks. */
#include "base/hooks.h"
#include "line_trial.h"

static int world_rank, world_ranks;

/* Collective. One direction of a plan; its result as a whole line by the natural index, with zeros
 * for the elements of other ranks; the caller frees it. */
static char *result_of(const line_trial *l, int direction) {
  const oracle *o = l->t.o;
  size_t bytes = element_bytes(o, !direction), all = bytes * (size_t)o->elements[!direction];
  char *in = get(pfft3d_plan_bytes(l->t.plan)), *out = get(pfft3d_plan_bytes(l->t.plan));
  char *line = get(all);
  memset(line, 0, all);
  line_fill(l, direction, o->given[direction], in);
  CHECK(!pfft3d_execute(l->t.plan, (pfft3d_direction)direction, in, out), "%s", line_words(l));
  for (ptrdiff_t i = 0; i < l->count[!direction]; i++)
    memcpy(line + (size_t)l->index[!direction][i] * bytes, out + (size_t)i * bytes, bytes);
  free(in);
  free(out);
  return line;
}

/* Collective on comm. The result of a request, whole on every rank: each element is 0 on all ranks
 * but one. */
static char *whole_of(MPI_Comm comm, const pfft3d_request *r, const oracle *o, int direction) {
  line_trial l = line_trial_make(comm, r, o);
  char *line = result_of(&l, direction);
  size_t all = element_bytes(o, !direction) * (size_t)o->elements[!direction];
  MPI_Allreduce(MPI_IN_PLACE, line, (int)all, MPI_BYTE, MPI_BOR, comm);
  line_trial_free(&l);
  return line;
}

static void check_same(const char *a, const char *b, const pfft3d_request *r, const oracle *o,
                       int direction, const char *what) {
  size_t bytes = element_bytes(o, !direction), wrong = 0;
  for (ptrdiff_t k = 0; k < o->elements[!direction]; k++)
    wrong += memcmp(a + (size_t)k * bytes, b + (size_t)k * bytes, bytes) != 0;
  CHECK(!wrong, "%s direction %d, %d ranks in all, %s: %zu elements have other bits", line_name(r),
        direction, world_ranks, what, wrong);
}

/* Limits on the counts, and threads, each against a plan without. */
static void test_settings(const pfft3d_request *wish, const oracle *o) {
  static const struct {
    const char *what;
    ptrdiff_t count;
    int threads;
  } setting[] = {{"", 0, 1},          {"counts up to 7", 7, 1}, {"counts up to 100", 100, 1},
                 {"2 threads", 0, 2}, {"both", 7, 2},           {"counts of 1", 1, 1}};
  char *first[2] = {NULL, NULL};
  for (size_t k = 0; k < sizeof setting / sizeof *setting; k++) {
    pfft3d_request r = *wish;
    pf_hooks.max_count = setting[k].count;
    r.threads = setting[k].threads;
    if (r.threads > 1 && !strcmp(pfft3d_build("openmp"), "no")) continue;
    line_trial l = line_trial_make(MPI_COMM_WORLD, &r, o);
    for (int direction = 0; direction < 2; direction++) {
      char *line = result_of(&l, direction);
      if (k) check_same(line, first[direction], &r, o, direction, setting[k].what);
      if (k)
        free(line);
      else
        first[direction] = line;
    }
    line_trial_free(&l);
  }
  free(first[0]);
  free(first[1]);
}

/* Exchanges in turn on 1, 2, ... ranks, against rank 0 alone with the first exchange.  Only rank 0
 * is there each time, and compares. */
static void test_deterministic(const oracle *o, const line_form *f, const char *method,
                               const char *engine, const ptrdiff_t split[2], int direction) {
  char *alone = NULL, what[60];
  for (int some = 1; some <= world_ranks && some <= 4; some++) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank < some ? 0 : MPI_UNDEFINED, world_rank, &comm);
    if (comm == MPI_COMM_NULL) continue;
    FOR_LIST(PFFT3D_EXCHANGES, algo) {
      pfft3d_request r = line_request(&o->problem, f, method, algo, engine);
      if (algo_i_ && (algo_i_ + some + o->problem.n[2]) % 3) continue; /* in turn */
      r.deterministic = 1;
      memcpy(r.decision.split, split, sizeof r.decision.split);
      if (!line_possible(&r, some)) continue;
      char *line = whole_of(comm, &r, o, direction);
      snprintf(what, sizeof what, "%d of them against one", some);
      if (alone) check_same(line, alone, &r, o, direction, what);
      if (alone || world_rank)
        free(line);
      else
        alone = line;
    }
    MPI_Comm_free(&comm);
  }
  free(alone);
}

/* A form with all methods, exchanges in turn. */
static void test_methods(const oracle *o, int f) {
  int turn = f + (int)o->problem.kind;
  FOR_LIST(PFFT3D_METHODS, method)
  FOR_SHARE(PFFT3D_EXCHANGES, algo) {
    pfft3d_request r = line_request(&o->problem, &line_forms[f], method, algo, "auto");
    r.deterministic = turn % 2;
    if (line_possible(&r, world_ranks)) test_settings(&r, o);
  }
}

/* Every line with all forms, settings and engines in turn. */
static void test_line(ptrdiff_t n, int kind, int precision) {
  static const ptrdiff_t open[2] = {0, 0};
  pfft3d_problem p = line_problem(n, kind, precision);
  oracle o;
  line_oracle(&o, &p, (uint64_t)n);
  for (int f = 0; f < LINE_FORMS; f++) {
    test_methods(&o, f);
    FOR_LIST(PFFT3D_ENGINES, engine) {
      if ((n + f + kind + engine_i_) % one_of(5)) continue; /* in turn */
      if (n > 300 && !strcmp(engine, "naive")) continue;    /* slow by design */
      if (is_textbook(engine) && n != 64) continue;
      test_deterministic(&o, &line_forms[f], f % 2 ? "auto" : "transpose", engine, open,
                         (f / 2 + kind) % 2);
    }
  }
  oracle_free(&o);
}

/* The split named, too: as many ranks as there are rows, and more. */
static void test_splits(ptrdiff_t n, ptrdiff_t n1, ptrdiff_t n2) {
  pfft3d_problem p = line_problem(n, (int)(n1 % 2), PFFT3D_DOUBLE);
  oracle o;
  line_oracle(&o, &p, (uint64_t)n1);
  for (int f = 0; f < LINE_FORMS; f++)
    test_deterministic(&o, &line_forms[f], "transpose", "auto", (ptrdiff_t[]){n1, n2}, f % 2);
  oracle_free(&o);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  static const ptrdiff_t length[] = {1, 7, 60, 64, 97, 360, 1009};
  for (size_t k = 0; k < sizeof length / sizeof *length; k++)
    for (int kind = 0; kind < 2; kind++)
      if (take_all() || length[k] < 300 || kind == (int)k % 2)
        test_line(length[k], kind, (int)k % 3 == 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE);
  test_splits(48, 3, 16);
  test_splits(48, 24, 2);
  test_splits(31, 8, 8); /* a convolution */
  return check_result();
}
