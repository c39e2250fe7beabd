/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks for ranks of the own node that are stored into their memory, on made-up nodes of all
 * sizes: the bits of exchanges that send everything, with ranks that come late and runs in both
 * directions in a row; what is stored and sent is together what was sent before; and what is
 * refused. */
#include <unistd.h>

#include "exchange/exchange.h"
#include "line_trial.h"
#include "request/text.h"

static int ranks, rank;

/* Plans for one request, with messages only and with stores, and their arrays. */
typedef struct pair {
  const oracle *o;
  pfft3d_request request[2];
  pfft3d_plan *plan[2];
  char *in[2], *out;
  pfft3d_box box[2];
} pair;

/* Some ranks come late, others in each run. */
static void dawdle(int run) {
  if (mix((uint64_t)(run * 64 + rank)) % 4 == 0) usleep((unsigned)(mix((uint64_t)run) % 300));
}

/* Collective. One direction of one of the plans. */
static void run(pair *p, int which, int direction, pfft3d_stats *s) {
  pfft3d_direction d = (pfft3d_direction)direction;
  pfft3d_plan_stats(p->plan[which], d, 1, s, sizeof *s);
  CHECK(!pfft3d_execute(p->plan[which], d, p->in[direction], p->out), "%s",
        request_name(&p->request[which]));
  pfft3d_plan_stats(p->plan[which], d, 0, s, sizeof *s);
}

/* Collective. A direction with messages, then several runs with stores, the other direction between
 * them. */
static void test_direction(pair *p, int direction) {
  const char *name = request_name(&p->request[1]);
  size_t bytes = pfft3d_plan_bytes(p->plan[0]);
  char *wanted = get(bytes);
  pfft3d_stats sent, stored, other;
  run(p, 0, direction, &sent);
  memcpy(wanted, p->out, bytes);
  for (int k = 0; k < 3; k++) {
    dawdle(2 * k);
    run(p, 1, !direction, &other);
    memset(p->out, 0xFF, bytes);
    dawdle(2 * k + 1);
    run(p, 1, direction, &stored);
    CHECK(!differences(p->o, !direction, &p->box[!direction], wanted, p->out),
          "%s on %d ranks, nodes of %d, direction %d, run %d: other bits", name, ranks,
          p->request[1].node_ranks, direction, k);
  }
  CHECK(sent.stored == 0 && stored.stored + stored.bytes == sent.bytes,
        "%s: %g bytes sent and %g stored, of %g and %g", name, stored.bytes, stored.stored,
        sent.bytes, sent.stored);
  CHECK(p->request[1].node_ranks < ranks || stored.messages == 0, "%s: %g messages inside a node",
        name, stored.messages);
  free(wanted);
}

static void test_nodes(const pfft3d_request *like, const oracle *o, int node_ranks) {
  pair p = {.o = o, .request = {*like, *like}};
  p.request[1].decision.local = PFFT3D_LOCAL_STORES;
  for (int k = 0; k < 2; k++) {
    p.request[k].node_ranks = node_ranks;
    p.plan[k] = make_plan(MPI_COMM_WORLD, &p.request[k]);
  }
  pfft3d_decision d;
  pfft3d_plan_decision(p.plan[1], &d);
  CHECK(d.local == PFFT3D_LOCAL_STORES, "%s: local is %d", request_name(like), (int)d.local);
  p.out = get(pfft3d_plan_bytes(p.plan[0]));
  for (int side = 0; side < 2; side++) {
    pfft3d_plan_box(p.plan[0], (pfft3d_side)side, rank, &p.box[side]);
    p.in[side] = get(pfft3d_plan_bytes(p.plan[0]));
    place_box(o, side, &p.box[side], o->given[side], p.in[side]);
  }
  for (int direction = 0; direction < 2; direction++) test_direction(&p, direction);
  for (int k = 0; k < 2; k++) {
    pfft3d_plan_destroy(&p.plan[k]);
    free(p.in[k]);
  }
  free(p.out);
}

/* Local. The next exchange that can store, in turn. */
static const char *next_algo(void) {
  static long turn;
  const char *name[16];
  int names = 0;
  FOR_LIST(PFFT3D_EXCHANGES, algo) if (pf_exchange_find(algo)->stores) name[names++] = algo;
  return name[share_entry(turn++, names)];
}

static void test_problem(const pfft3d_problem *p, uint64_t seed) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list), turn = 0;
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, p, seed);
  for (int c = 0; c < cuts; c++)
    for (int order = 0; order < 2; order++)
      for (int node_ranks = ranks > 1 ? 2 : 1; node_ranks <= ranks; node_ranks++)
        for (int k = 0; k < 2; k++) {
          pfft3d_request r = cut_request(p, &list[c], next_algo(), "auto", order);
          r.deterministic = 1;
          r.decision.chunk = ++turn % 4 ? 0 : 40;
          test_nodes(&r, &o, node_ranks);
        }
  oracle_free(&o);
}

/* Lines, in matrices of which each rank has several planes, against the oracle. */
static void test_line(ptrdiff_t n, int kind, uint64_t seed) {
  pfft3d_problem p = line_problem(n, kind, PFFT3D_DOUBLE);
  oracle o;
  line_oracle(&o, &p, seed);
  for (int f = 0; f < LINE_FORMS; f++)
    for (int node_ranks = ranks > 1 ? 2 : 1; node_ranks <= ranks; node_ranks++) {
      pfft3d_request r = line_request(&p, &line_forms[f], "transpose", next_algo(), "auto");
      r.decision.local = PFFT3D_LOCAL_STORES;
      r.node_ranks = node_ranks;
      if (!line_possible(&r, ranks)) continue;
      line_trial l = line_trial_make(MPI_COMM_WORLD, &r, &o);
      CHECK(l.decided.local == PFFT3D_LOCAL_STORES, "%s: local is %d", line_words(&l),
            (int)l.decided.local);
      for (int run = 0; run < 3; run++)
        for (int direction = 0; direction < 2; direction++) {
          dawdle(run);
          line_run(&l, direction, (trial_how)(run % 2), 0);
        }
      line_trial_free(&l);
    }
  oracle_free(&o);
}

/* Alltoallw reads boxes by datatypes; exchanges that store everything are left as they are, and so
 * is one rank on each node. */
static void test_refused(void) {
  static const ptrdiff_t n[3] = {8, 8, 8};
  pfft3d_explanation x;
  pfft3d_error e;
  pfft3d_request r = make_request(n, "slab", "alltoallw", "auto", PFFT3D_TRANSPOSED);
  r.decision.local = PFFT3D_LOCAL_STORES;
  r.node_ranks = 2;
  CHECK(
      pfft3d_explain(&r, 4, &x, sizeof x, &e) == PFFT3D_ERR_UNAVAILABLE && strstr(e.text, "local"),
      "alltoallw: '%s'", e.text);
  pf_name_set(r.decision.algo, "node");
  CHECK(!pfft3d_explain(&r, 4, &x, sizeof x, &e) && x.decision.local == PFFT3D_LOCAL_USUAL &&
            x.stored_bytes > 0,
        "node: '%s', %g bytes stored", e.text, x.stored_bytes);
  pf_name_set(r.decision.algo, "slabs");
  r.node_ranks = 1;
  CHECK(!pfft3d_explain(&r, 4, &x, sizeof x, &e) && x.stored_bytes == 0, "%g bytes stored",
        x.stored_bytes);
  r.decision.local = (pfft3d_local)4;
  CHECK(pfft3d_explain(&r, 4, &x, sizeof x, &e) == PFFT3D_ERR_USAGE && strstr(e.text, "local"),
        "'%s'", e.text);
}

/* Stores are considered where nothing is said and several ranks are on each of several nodes; not
 * where an exchange is named. */
static void test_choice(void) {
  static const ptrdiff_t n[3] = {256, 256, 256};
  static const char *const algo[] = {"auto", "slabs", "slabs", "slabs"};
  static const pfft3d_local asked[] = {PFFT3D_LOCAL_USUAL, PFFT3D_LOCAL_USUAL, PFFT3D_LOCAL_AUTO,
                                       PFFT3D_LOCAL_MESSAGES};
  for (int k = 0; k < 4; k++) {
    pfft3d_explanation x;
    pfft3d_error e;
    pfft3d_request r = make_request(n, "slab", algo[k], "auto", PFFT3D_TRANSPOSED);
    r.node_ranks = 4;
    r.decision.local = asked[k];
    CHECK(!pfft3d_explain(&r, 8, &x, sizeof x, &e), "'%s'", e.text);
    int stores = x.decision.local == PFFT3D_LOCAL_STORES, node = !strcmp(x.decision.algo, "node");
    CHECK(stores == (k == 2) || (k == 0 && (stores || node)), "%s, asked %d: %s, local %d", algo[k],
          (int)asked[k], x.decision.algo, (int)x.decision.local);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const ptrdiff_t n[][3] = {{12, 10, 9}, {3, 16, 14}, {17, 6, 20}, {1, 14, 30}};
  for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
    pfft3d_problem p = {.kind = (pfft3d_kind)(k % 2),
                        .precision = (pfft3d_precision)(k / 2 % 2),
                        .batch = k % 3 == 1 ? 3 : 1};
    memcpy(p.n, n[k], sizeof p.n);
    test_problem(&p, k);
    test_line((ptrdiff_t[]){3600, 1024, 77 * 65, 60}[k], p.kind, k);
  }
  FOR_LIST(PFFT3D_EXCHANGES, algo)
  CHECK(!pf_exchange_find(algo)->stores || is_met(algo), "no plan has '%s'", algo);
  test_refused();
  test_choice();
  return check_result();
}
