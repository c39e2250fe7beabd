/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of the whole family: those seen are what pfft3d_plan_stats() says and pfft3d_explain()
 * predicts, with any limit on the counts of one call (as INT_MAX is for large arrays); limits
 * change no bit of the result. */
#include "base/hooks.h"
#include "messages.h"
#include "trial.h"

static int ranks, rank;

/* ---- a plan with a limit ---- */

/* Collective. Executes a direction once; the output, its box in *box. */
static char *result_of(const pfft3d_request *r, const oracle *o, pfft3d_plan *plan, int direction,
                       pfft3d_box *box) {
  pfft3d_box from, to;
  char *in = get(pfft3d_plan_bytes(plan)), *out = get(pfft3d_plan_bytes(plan));
  pfft3d_plan_box(plan, (pfft3d_side)direction, rank, &from);
  pfft3d_plan_box(plan, (pfft3d_side)!direction, rank, &to);
  place_box(o, direction, &from, o->given[direction], in);
  see_start();
  CHECK(!pfft3d_execute(plan, (pfft3d_direction)direction, in, out), "%s", request_name(r));
  seen.on = 0;
  *box = to;
  free(in);
  return out;
}

/* What was seen, what the plan counted, what was predicted. */
static void check_messages(const pfft3d_request *r, pfft3d_plan *plan, int direction) {
  pfft3d_stats s;
  pfft3d_explanation x;
  pfft3d_error e;
  CHECK(!pfft3d_plan_stats(plan, (pfft3d_direction)direction, 1, &s, sizeof s), "stats");
  CHECK(s.messages == seen.messages && s.bytes == seen.bytes,
        "%s count %td direction %d: %g messages of %g bytes were sent, %g of %g counted",
        request_name(r), pf_hooks.max_count, direction, seen.messages, seen.bytes, s.messages,
        s.bytes);
  CHECK(s.bytes_min == seen.least && s.bytes_max == seen.most,
        "%s count %td direction %d: %g to %g bytes were sent, %g to %g counted", request_name(r),
        pf_hooks.max_count, direction, seen.least, seen.most, s.bytes_min, s.bytes_max);
  CHECK(!pf_hooks.max_count || seen.largest <= pf_hooks.max_count,
        "%s count %td direction %d: a call with count %td", request_name(r), pf_hooks.max_count,
        direction, seen.largest);
  CHECK(!pfft3d_explain(r, ranks, &x, sizeof x, &e), "%s: %s", request_name(r), e.text);
  if (direction == PFFT3D_BACKWARD) return; /* dry runs speak of the forward transform */
  CHECK(s.exchanges == x.exchanges, "%s: %d exchanges, %d predicted", request_name(r), s.exchanges,
        x.exchanges);
  double messages = largest_of(s.messages), bytes = largest_of(s.bytes);
  double least = smallest_of(s.bytes_min), most = largest_of(s.bytes_max);
  CHECK(messages == x.messages && bytes == x.bytes && least == x.bytes_min && most == x.bytes_max,
        "%s count %td: at most %g messages, %g bytes, each %g to %g; predicted %g, %g, %g to %g",
        request_name(r), pf_hooks.max_count, messages, bytes, least, most, x.messages, x.bytes,
        x.bytes_min, x.bytes_max);
  double stored = largest_of(s.stored);
  CHECK(stored == x.stored_bytes, "%s: at most %g bytes stored, %g predicted", request_name(r),
        stored, x.stored_bytes);
  double passes = largest_of(s.passes), work = largest_of((double)s.work_bytes);
  /* Over shared memory the caller's own arrays, unlike those of the library, cost another pass. */
  int copied = !strcmp(r->decision.algo, "shared") && r->decision.order == PFFT3D_NATURAL;
  CHECK(copied || fabs(passes - x.passes) <= 1e-9 * x.passes, "%s: %.12g passes, %.12g predicted",
        request_name(r), passes, x.passes);
  CHECK(work >= x.work_bytes, "%s: %.0f bytes of buffers, %.0f predicted", request_name(r), work,
        x.work_bytes); /* tiles, which measured plans choose, come on top */
}

/* One request without a limit and with several. */
static void test_request(const pfft3d_request *wish, const oracle *o) {
  static const ptrdiff_t limit[] = {0, 1, 7, 100};
  char *first[2] = {NULL, NULL};
  double bytes[2] = {0, 0}, messages[2] = {0, 0};
  for (size_t k = 0; k < sizeof limit / sizeof *limit; k++) {
    pfft3d_request r = *wish;
    pf_hooks.max_count = limit[k];
    pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
    for (int direction = 0; direction < 2; direction++) {
      pfft3d_box box;
      char *out = result_of(&r, o, plan, direction, &box);
      check_messages(&r, plan, direction);
      if (!first[direction]) {
        first[direction] = out;
        bytes[direction] = seen.bytes;
        messages[direction] = seen.messages;
        continue;
      }
      CHECK(!differences(o, !direction, &box, first[direction], out),
            "%s count %td direction %d: other bits", request_name(&r), limit[k], direction);
      CHECK(seen.bytes == bytes[direction] && seen.messages >= messages[direction],
            "%s count %td direction %d: %g messages, %g bytes; without a limit %g, %g",
            request_name(&r), limit[k], direction, seen.messages, seen.bytes, messages[direction],
            bytes[direction]);
      free(out);
    }
    pfft3d_plan_destroy(&plan);
  }
  free(first[0]);
  free(first[1]);
}

/* All cuts, exchanges and orders of a problem. */
static void test_problem(const pfft3d_problem *p, uint64_t seed) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list);
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, p, seed);
  for (int c = 0; c < cuts; c++)
    for (int order = 0; order < 2; order++) FOR_SHARE(PFFT3D_EXCHANGES, algo) {
        pfft3d_request r = cut_request(p, &list[c], algo, "auto", order);
        r.deterministic = 1;
        test_request(&r, &o);
        if (!strcmp(algo, "alltoallw")) continue;
        r.decision.local = PFFT3D_LOCAL_STORES; /* on made-up nodes */
        r.node_ranks = 2 + c % 2;
        test_request(&r, &o);
      }
  oracle_free(&o);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const struct {
    ptrdiff_t n[3], batch;
    pfft3d_precision precision;
  } problem[] = {
      {{7, 9, 5}, 1, PFFT3D_DOUBLE},
      {{4, 6, 8}, 2, PFFT3D_SINGLE},
      {{1, 13, 6}, 1, PFFT3D_SINGLE},
      {{3, 2, 17}, 3, PFFT3D_DOUBLE},
      /* more messages than wait in one queue (make_lanes() of the library), on 2 ranks */
      {{66, 66, 2}, 1, PFFT3D_SINGLE}};
  size_t problems = sizeof problem / sizeof *problem;
  if (ranks > 2 && !take_all()) problems--;
  for (size_t k = 0; k < problems; k++)
    for (int kind = 0; kind < 2; kind++) {
      pfft3d_problem p = {
          .kind = (pfft3d_kind)kind, .precision = problem[k].precision, .batch = problem[k].batch};
      memcpy(p.n, problem[k].n, sizeof p.n);
      test_problem(&p, k);
    }
  return check_result();
}
