/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * What the planner chooses from: candidates against the registries, reasons against the figures,
 * and numbers of ranks that have many grids, or are as large as any. */
#include <limits.h>
#include <time.h>

#include "planner/planner.h"
#include "support.h"

enum { MOST = 1024 };

/* Everything in the registries, once each, in order, and each of them possible. */
static void test_candidates(void) {
  static pfft3d_candidate list[MOST];
  ptrdiff_t n[3] = {24, 20, 18};
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_NATURAL);
  int count = pfft3d_candidates(&r, 12, list, MOST);
  CHECK(count > 20 && count < MOST, "%d candidates", count);
  for (int i = 0; i < count; i++) {
    pfft3d_request one = r;
    one.decision = list[i].decision;
    explained(&one, 12);
    CHECK(list[i].predicted > 0 && (!i || list[i].predicted >= list[i - 1].predicted), "order");
    for (int k = 0; k < i; k++) {
      char text[2][160];
      pfft3d_decision_print(&list[i].decision, text[0], sizeof text[0]);
      pfft3d_decision_print(&list[k].decision, text[1], sizeof text[1]);
      CHECK(strcmp(text[0], text[1]) != 0, "twice: %s", text[0]);
    }
  }
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    int found = 0;
    for (int i = 0; i < count; i++) found += !strcmp(list[i].decision.algo, algo);
    int left_out = !strcmp(algo, "rma") || !strcmp(algo, "shared") || !strcmp(algo, "node");
    CHECK(left_out ? !found : found >= 1 + 4, "%s: %d times", algo, found);
    pfft3d_request fixed = r;
    strcpy(fixed.decision.algo, algo);
    static pfft3d_candidate some[MOST];
    int asked = pfft3d_candidates(&fixed, 12, some, MOST);
    CHECK(asked >= 1 + 4, "%s: %d candidates when asked for", algo, asked);
    for (int i = 0; i < asked; i++) CHECK(!strcmp(some[i].decision.algo, algo), "%s", algo);
  }
  CHECK(pfft3d_candidates(&r, 12, list, 3) == count, "a short list has the same number");
}

/* As many grids as 720720 ranks have: none is left out, the best one least of all. */
static void test_many_grids(void) {
  enum { all = 720720, room = 4000 };
  static pfft3d_candidate list[room];
  ptrdiff_t n[3] = {4096, 256, 256};
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.machine.start[1] = 1e-7;
  int count = pfft3d_candidates(&r, all, list, room);
  CHECK(count > 1024 && count < room, "%d candidates", count);
  for (int i = 1; i < count; i++) CHECK(list[i].predicted >= list[i - 1].predicted, "order");
  double best = list[0].predicted;
  strcpy(r.decision.scheme, "pencil");
  for (int rows = 700; rows < 1100; rows++) {
    if (all % rows) continue;
    r.decision.grid[0] = rows;
    r.decision.grid[1] = all / rows;
    CHECK(pfft3d_candidates(&r, all, list, 1) > 0 && list[0].predicted >= best,
          "%dx%d takes %g s, the best one %g s", rows, all / rows, list[0].predicted, best);
  }
}

/* The number in front of such words. */
static double number_before(const char *text, const char *words) {
  const char *end = strstr(text, words);
  while (end && end > text && end[-1] != ' ') end--;
  return end ? strtod(end, NULL) : 0;
}

/* Reasons with a named exchange: no other decomposition or method takes less time. */
static void test_named(void) {
  static const ptrdiff_t size[][3] = {{210, 128, 16}, {16, 266, 128}, {64, 4, 1}, {1, 1, 1024}};
  static const int on[] = {2, 16, 32, 161};
  FOR_LIST(PFFT3D_EXCHANGES, algo)
  for (int k = 0; k < 16; k++) {
    pfft3d_request r = make_request(size[k / 4], "auto", algo, "auto", PFFT3D_TRANSPOSED);
    pfft3d_explanation x;
    r.problem.dims = size[k / 4][0] > 1 ? 3 : 1;
    if (r.problem.dims == 1) r.decision.order = PFFT3D_NATURAL;
    if (pfft3d_explain(&r, on[k % 4], &x, sizeof x, NULL)) continue;
    double times = number_before(x.reason, " times as long");
    CHECK(!strstr(x.reason, " times as long") || times >= 1, "%s on %d: %s", request_name(&r),
          on[k % 4], x.reason);
    for (int i = 0; pfft3d_list_name(PFFT3D_METHODS, i, NULL) && r.problem.dims == 1; i++) {
      pfft3d_explanation other;
      strcpy(r.decision.scheme, pfft3d_list_name(PFFT3D_METHODS, i, NULL));
      if (!pfft3d_explain(&r, on[k % 4], &other, sizeof other, NULL))
        CHECK(other.seconds >= 0.999 * x.seconds, "%s on %d: %g s, chosen %g s", request_name(&r),
              on[k % 4], other.seconds, x.seconds);
    }
  }
}

/* What an exchange is chosen for: one message for a whole node, and messages that overlap. */
static void test_exchange_reasons(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){64, 64, 64}, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.node_ranks = 16;
  pfft3d_explanation x = explained(&r, 64);
  CHECK(!strcmp(x.decision.algo, "node") && strstr(x.reason, "one sends for all of them"), "%s: %s",
        x.decision.algo, x.reason);
  r = make_request((ptrdiff_t[]){256, 256, 256}, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.node_ranks = 4;
  x = explained(&r, 16);
  double hidden = number_before(x.reason, " % of the exchange");
  CHECK(!strcmp(x.decision.algo, "slabs") && hidden > 50 && hidden <= 100, "%s: %s",
        x.decision.algo, x.reason);
}

/* A prime number of ranks, more than planes: one row of pencils has work for all, slabs have not.
 */
static void test_prime(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){2, 100, 100}, "auto", "auto", "fftw", PFFT3D_TRANSPOSED);
  pfft3d_explanation x = explained(&r, 7);
  CHECK(x.idle_ranks == 0 && x.decision.grid[0] == 1 && x.decision.grid[1] == 7,
        "%d idle ranks with %s %dx%d", x.idle_ranks, x.decision.scheme, x.decision.grid[0],
        x.decision.grid[1]);
}

/* As many ranks as an int has room for, in both orders, within a second each. */
static void test_many_ranks(void) {
  static const int on[] = {1 << 24, 1 << 30, INT_MAX};
  for (int k = 0; k < 6; k++) {
    pfft3d_request r = make_request((ptrdiff_t[]){4096, 4096, 4096}, "auto", "packed", "auto",
                                    k % 2 ? PFFT3D_NATURAL : PFFT3D_TRANSPOSED);
    clock_t before = clock();
    pfft3d_explanation x = explained(&r, on[k / 2]);
    pfft3d_box box;
    int last = x.decision.grid[0] * x.decision.grid[1] - 1;
    CHECK(!pfft3d_explain_box(&r, on[k / 2], PFFT3D_SPACE, last, &box), "%s", request_name(&r));
    for (int a = 0; a < 2; a++)
      CHECK(box.lo[a] + box.len[a] == 4096, "axis %d: %td + %td", a, box.lo[a], box.len[a]);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    CHECK(seconds < 1, "%s on %d ranks: %g s", request_name(&r), on[k / 2], seconds);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_candidates();
  test_many_grids();
  test_named();
  test_exchange_reasons();
  test_prime();
  test_many_ranks();
  return check_result();
}
