/* ranks: 3 4 6 7 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes with different numbers of ranks, the first one with the fewest, or ranks placed round-robin
 * on nodes, and nodes on which memory cannot be shared after all: what is left to "auto" is
 * possible, is right, and a caller finds its data where the public header says.
 *
 * The functions below stand before MPI's own: the first one tells which ranks are on a node, the
 * other counts messages. */
#include "line_trial.h"
#include "plan/plan.h"

static int ranks;
static int nodes;   /* 0: as they are */
static int in_turn; /* ranks are placed round-robin; else the first node has a rank less */
static int apart;   /* memory cannot be shared: each rank of a node is alone */

static int node_of(int rank) {
  int first = ranks / nodes - (ranks % nodes == 0);
  return in_turn ? rank % nodes : rank >= first;
}

int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *new) {
  int me, count;
  if (!nodes || kind == MPI_UNDEFINED) return PMPI_Comm_split_type(comm, kind, key, info, new);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(comm, &count);
  return MPI_Comm_split(comm, apart && count < ranks ? me : node_of(me), key, new);
}

static int sent[2]; /* messages of this rank on communicators of all: to its own node, to others */
static int largest; /* bytes of a message of this rank */

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  MPI_Group world, group;
  int size, me, other, bytes;
  MPI_Type_size(type, &bytes);
  if (count * bytes > largest) largest = count * bytes;
  MPI_Comm_size(comm, &size);
  if (nodes && size == ranks) {
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &group);
    MPI_Group_translate_ranks(group, 1, &to, world, &other);
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    sent[node_of(me) != node_of(other)]++;
  }
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

/* A machine with nodes, where the model is tempted to work on nodes. */
static void suppose_nodes(pfft3d_request *r) {
  pfft3d_machine_init(&r->machine);
  r->machine.node_ranks = (ranks + 1) / 2;
  r->machine.start[1] = 1e-3;
}

/* By which ranks take one device after the other. */
static void expect_place(const pfft3d_plan *plan) {
  MPI_Comm node;
  int place;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &place);
  MPI_Comm_free(&node);
  int found = pf_plan_pipelines_at(plan, 0)->geometry.decision.node_index;
  CHECK(found == 1 + place, "%d is not 1 + %d", found, place);
}

static void test_field(int given) {
  static const ptrdiff_t sizes[][3] = {{12, 10, 8}, {1, 9, 14}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    pfft3d_problem p = {.n = {sizes[k][0], sizes[k][1], sizes[k][2]}};
    pfft3d_request r = make_request(p.n, "auto", "auto", "auto", PFFT3D_NATURAL);
    oracle o;
    suppose_nodes(&r);
    r.node_ranks = given;
    oracle_make(MPI_COMM_WORLD, &o, &p, k + 1);
    trial t = trial_make(MPI_COMM_WORLD, &r, &o);
    if (!given) expect_place(t.plan);
    for (int direction = 0; direction < 2; direction++) trial_run(&t, direction, APART, 0);
    trial_free(&t);
    oracle_free(&o);
  }
}

static void test_line(int given) {
  for (int kind = 0; kind < 2; kind++)
    for (int distribution = 0; distribution < 2; distribution++) {
      pfft3d_problem p = line_problem(ranks * 36, kind, PFFT3D_DOUBLE);
      line_form f = {
          .order = PFFT3D_NATURAL,
          .layout = {(pfft3d_distribution)distribution, (pfft3d_distribution)distribution}};
      oracle o;
      line_oracle(&o, &p, 7);
      pfft3d_request r = line_request(&p, &f, "auto", "auto", "auto");
      suppose_nodes(&r);
      r.node_ranks = given;
      line_trial l = line_trial_make(MPI_COMM_WORLD, &r, &o);
      for (int direction = 0; direction < 2; direction++) line_run(&l, direction, APART, 0);
      line_trial_free(&l);
      oracle_free(&o);
    }
}

/* What is timed is kept for the same question. */
static void test_timed(void) {
  pfft3d_plan *plan;
  pfft3d_error e;
  for (int again = 0; again < 2; again++) {
    CHECK(!pfft3d_plan_create_text(MPI_COMM_WORLD, "c2c:d:24x25x26 plan-budget=0.5", &plan, &e),
          "%s", e.text);
    const char *reason = pfft3d_plan_reason(plan);
    if (!reason || strncmp(reason, "timed", 5)) again = 1; /* the model is sure */
    CHECK(!again || !reason || strncmp(reason, "timed:", 6), "timed again: %s", reason);
    pfft3d_plan_destroy(&plan);
  }
}

/* Bytes of the largest message of any rank since the last time. */
static int largest_sent(void) {
  int most = largest;
  largest = 0;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

/* What is measured between nodes is sent to other nodes, wherever the ranks of a node are.  A small
 * problem needs no large messages; they are sent when they are needed, and once. */
static void test_measure(void) {
  pfft3d_machine m;
  pfft3d_plan *plan;
  pfft3d_error e;
  MPI_Comm fresh; /* without figures of before */
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &fresh);
  largest_sent();
  CHECK(!pfft3d_plan_create_text(fresh, "c2c:d:8x9x10 plan-budget=0", &plan, &e), "%s", e.text);
  pfft3d_plan_destroy(&plan);
  int most = largest_sent();
  CHECK(most > 1000 && most <= 1 << 20, "%d bytes for a small problem", most);
  pfft3d_machine_init(&m);
  sent[0] = sent[1] = 0;
  CHECK(!pfft3d_machine_measure(fresh, &m, &e), "%s", e.text);
  most = largest_sent();
  CHECK(most > 1 << 20, "only %d bytes for fields of any size", most);
  CHECK(ranks % 2 || (!sent[0] && sent[1]), "%d messages inside nodes, %d between", sent[0],
        sent[1]);
  CHECK(!pfft3d_machine_measure(fresh, &m, &e), "%s", e.text);
  most = largest_sent();
  CHECK(!most, "measured again");
  MPI_Comm_free(&fresh);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  nodes = 2;
  test_timed();
  for (int turn = 0; turn < 2; turn++) {
    in_turn = turn;
    if (turn) test_measure();
    test_field(0);
    test_line(0);
    /* the caller says that all are on one node, and is wrong */
    test_field(ranks);
    test_line(ranks);
  }
  apart = 1;
  test_field(0);
  test_line(0);
  return check_result();
}
