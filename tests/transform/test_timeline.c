/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Timelines of plans: what is recorded agrees with the plan's own statistics, every message that one
 * rank sends another one receives, events lie inside each other and inside their call, recording
 * allocates nothing, the bound is kept; for all exchanges, fields, lines, boxes, parts of
 * transforms. */
#include "allocations.h"
#include "base/hooks.h"
#include "plan/plan.h"
#include "timeline/timeline.h"

static MPI_Comm comm;
static int rank, ranks;
static const char *now; /* the plan at hand, for messages */

enum { TIMES = 2, ROOM = 200000 };

static pfft3d_timeline *new_timeline(long events) {
  pfft3d_timeline *t = NULL;
  pfft3d_error e;
  CHECK(!pfft3d_timeline_create(comm, "test_timeline.json", events, &t, &e), "%s", e.text);
  if (!t) MPI_Abort(comm, 1);
  return t;
}

/* ---- messages ---- */

/* Numbers and bytes of messages to, or from, each rank. */
typedef struct tally {
  double count[64], bytes[64];
} tally;

static void add_up(const pf_record *r, pf_event_kind kind, tally *t) {
  memset(t, 0, sizeof *t);
  for (ptrdiff_t i = 0; i < r->count; i++) {
    const pf_event *e = &r->event[i];
    if (e->kind != kind) continue;
    CHECK(e->number >= 0 && e->number < ranks && e->number != rank, "%s: rank %d", now, e->number);
    CHECK(e->bytes > 0, "%s: an empty message", now);
    t->count[e->number]++;
    t->bytes[e->number] += e->bytes;
  }
}

/* What was sent is what was received, and what the plan has counted; both ends are known. */
static void check_messages(const pf_record *r, double messages, double bytes) {
  tally sent, got, theirs;
  double sums[2] = {0, 0}, travels[2] = {0, 0};
  add_up(r, PF_EVENT_SEND, &sent);
  add_up(r, PF_EVENT_RECEIVE, &got);
  MPI_Alltoall(sent.count, 1, MPI_DOUBLE, theirs.count, 1, MPI_DOUBLE, comm);
  MPI_Alltoall(sent.bytes, 1, MPI_DOUBLE, theirs.bytes, 1, MPI_DOUBLE, comm);
  for (int k = 0; k < ranks; k++) {
    CHECK(got.count[k] == theirs.count[k], "%s: %g messages of %g from rank %d", now, got.count[k],
          theirs.count[k], k);
    CHECK(got.bytes[k] == theirs.bytes[k], "%s: %g bytes of %g from rank %d", now, got.bytes[k],
          theirs.bytes[k], k);
    sums[0] += sent.count[k];
    sums[1] += sent.bytes[k];
  }
  CHECK(sums[0] == messages, "%s: %g messages, but the plan has sent %g", now, sums[0], messages);
  CHECK(sums[1] == bytes, "%s: %g bytes, but the plan has sent %g", now, sums[1], bytes);
  for (ptrdiff_t i = 0; i < r->travels; i++) {
    const pf_travel *m = &r->travel[i];
    travels[m->received]++;
    CHECK(m->end >= m->begin && m->begin >= -1 && m->end < 1e4, "%s: from %g to %g", now, m->begin,
          m->end);
  }
  double received = 0;
  for (int k = 0; k < ranks; k++) received += got.count[k];
  CHECK(travels[0] == messages && travels[1] == received, "%s: %g and %g of %g and %g messages", now,
        travels[0], travels[1], messages, received);
}

/* ---- time ---- */

/* Events lie inside each other, up to rounding. */
static void check_nesting(const pf_record *r, int calls) {
  static const double rounding = 2e-6;
  double end[32];
  int depth = 0, found = 0;
  for (ptrdiff_t i = 0; i < r->count; i++) {
    const pf_event *e = &r->event[i];
    CHECK(e->end >= e->begin, "%s: event %td takes %g s", now, i, e->end - e->begin);
    CHECK(!i || e->begin >= r->event[i - 1].begin, "%s: not sorted", now);
    while (depth && end[depth - 1] <= e->begin + rounding && e->end > end[depth - 1] + rounding)
      depth--;
    CHECK(depth || e->kind == PF_EVENT_CALL, "%s: event of kind %d outside of calls", now, e->kind);
    CHECK(!depth || e->end <= end[depth - 1] + rounding,
          "%s: event %td of kind %d ends %g s after the one around it", now, i, e->kind,
          e->end - end[depth - 1]);
    if (e->kind == PF_EVENT_CALL) found++, depth = 0;
    if (depth < 32 && e->end > e->begin) end[depth++] = e->end;
  }
  CHECK(found == calls && r->calls == calls, "%s: %d calls, not %d", now, found, calls);
}

/* The planes of a field's stages, each once. */
static void check_planes(const pf_record *r, const pfft3d_plan *plan) {
  double planes = 0, wanted = 0;
  for (ptrdiff_t i = 0; i < r->count; i++)
    if (r->event[i].kind == PF_EVENT_PLANES) planes += r->event[i].bytes;
  for (int k = 0; k < plan->operators; k++) {
    if (plan->operator[k].ops != & pf_step_pipeline) continue;
    const pf_pipelines *p = plan->operator[k].data;
    for (int d = 0; d < 2; d++)
      for (int s = 0; s < p->pipeline[d].stages; s++)
        wanted += (double)(p->pipeline[d].stage[s].planes * p->geometry.fields);
  }
  CHECK(planes == TIMES * wanted, "%s: %g planes, not %g", now, planes, TIMES * wanted);
}

/* ---- plans ---- */

static void test_record(const pfft3d_timeline *t, const double sums[2], pfft3d_plan *plan,
                        int calls) {
  pf_record r;
  pfft3d_error e = {.status = PFFT3D_OK};
  double left_out;
  CHECK(pfft3d_timeline_events(t, &left_out) > 0 && !(left_out > 0), "%s: %g left out", now,
        left_out);
  CHECK(!pf_record_make(t, &r, &e), "%s: %s", now, e.text);
  CHECK(r.clock_error >= 0 && r.clock_error < 1 && (r.clock_error > 0) == (ranks > 1), "%g s",
        r.clock_error);
  check_messages(&r, sums[0], sums[1]);
  check_nesting(&r, calls);
  if (plan) check_planes(&r, plan);
  pf_record_free(&r);
}

static void test_plan(const char *text, int has_planes) {
  pfft3d_plan *plan = NULL;
  pfft3d_error e;
  void *array;
  double sums[2] = {0, 0};
  now = text;
  int status = pfft3d_plan_create_text(comm, text, &plan, &e);
  CHECK(!status || status == PFFT3D_ERR_UNAVAILABLE, "%s: %s", text, e.text);
  if (status) return;
  pfft3d_timeline *t = new_timeline(ROOM);
  CHECK(!pfft3d_alloc(plan, &array, &e), "%s", e.text);
  memset(array, 0, pfft3d_plan_bytes(plan));
  for (int d = 0; d < 2; d++) pfft3d_execute(plan, (pfft3d_direction)d, array, array);
  CHECK(!pfft3d_plan_timeline(plan, t, &e), "%s: %s", text, e.text);
  for (int d = 0; d < 2; d++) {
    pfft3d_stats s;
    pfft3d_plan_stats(plan, (pfft3d_direction)d, 1, &s, sizeof s);
    long calls = memory.count + memory.frees;
    for (int k = 0; k < TIMES; k++)
      CHECK(!pfft3d_execute(plan, (pfft3d_direction)d, array, array), "%s", text);
    CHECK(memory.count + memory.frees == calls, "%s: allocations", text);
    pfft3d_plan_stats(plan, (pfft3d_direction)d, 1, &s, sizeof s);
    sums[0] += s.messages;
    sums[1] += s.bytes;
  }
  CHECK(!pfft3d_plan_timeline(plan, NULL, &e), "%s: %s", text, e.text);
  double before = pfft3d_timeline_events(t, NULL);
  pfft3d_execute(plan, PFFT3D_FORWARD, array, array);
  CHECK(pfft3d_timeline_events(t, NULL) == before, "%s: still recorded", text);
  test_record(t, sums, has_planes ? plan : NULL, 2 * TIMES);
  note_met(&plan->outline.decision);
  pfft3d_plan_destroy(&plan);
  pfft3d_timeline_destroy(&t);
}

static void test_exchange(const char *exchange) {
  static const char *const fields[] = {
      "c2c:d:12x10x14 decomp=slab exchange=%s order=transposed",
      "r2c:d:9x12x11*3 decomp=slab exchange=%s order=natural",
      "r2c:s:8x9x10 decomp=pencil exchange=%s order=natural",
      "c2c:d:16x16x16 decomp=slab exchange=%s chunk=512 threads=2",
      "c2c:d:3x20x24 decomp=pencil exchange=%s node-ranks=2 local=auto"};
  static const char *const others[] = {
      "c2c:d:12x10x14 exchange=%s bricks=1x1x2 order=natural",
      "c2c:d:720 exchange=%s layout=block",
      "c2c:d:719 exchange=%s layout=cyclic order=natural",
      "r2c:d:720 exchange=%s layout=block order=natural",
      "r2c:d:718 exchange=%s layout=cyclic order=natural",
      "r2c:d:90 exchange=%s kind=dct2 order=natural"};
  char text[200];
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
    snprintf(text, sizeof text, fields[k], exchange);
    test_plan(text, 1);
  }
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    if (k == 0 && ranks == 1) continue; /* two boxes */
    snprintf(text, sizeof text, others[k], exchange);
    test_plan(text, 0);
  }
}

/* Messages that take several calls of MPI. */
static void test_portions(void) {
  pf_hooks.max_count = 7;
  FOR_LIST(PFFT3D_EXCHANGES, exchange) {
    char text[200];
    snprintf(text, sizeof text, "c2c:d:12x10x14*2 decomp=slab exchange=%s order=natural", exchange);
    test_plan(text, 1);
  }
  if (ranks != 3) test_plan("c2c:d:256 method=butterfly layout=cyclic order=scrambled", 0);
  pf_hooks.max_count = 0;
}

/* ---- parts of transforms ---- */

static void nothing(void *context, const pfft3d_plane *p) {
  (void)context, (void)p;
}

/* Two plans in one timeline; the sum of both is sent. */
static void test_parts(const char *exchange) {
  char text[200];
  pfft3d_plan *plan[2];
  pfft3d_error e;
  void *array[2];
  double sums[2] = {0, 0};
  pfft3d_timeline *t = new_timeline(ROOM);
  snprintf(text, sizeof text, "r2c:d:12x10x14 decomp=slab exchange=%s", exchange);
  now = text;
  for (int k = 0; k < 2; k++) {
    CHECK(!pfft3d_plan_create_text(comm, text, &plan[k], &e), "%s: %s", text, e.text);
    CHECK(!pfft3d_alloc(plan[k], &array[k], &e), "%s", e.text);
    memset(array[k], 0, pfft3d_plan_bytes(plan[k]));
    CHECK(!pfft3d_plan_timeline(plan[k], t, &e), "%s", e.text);
  }
  pfft3d_timeline *mine = t;
  pfft3d_timeline_destroy(&t); /* the plans still use it */
  CHECK(!pfft3d_execute_begin(plan[0], PFFT3D_FORWARD, array[0]), "%s", text);
  CHECK(pfft3d_plan_timeline(plan[0], mine, &e) == PFFT3D_ERR_USAGE, "half way");
  CHECK(!pfft3d_execute_between(plan[0], PFFT3D_FORWARD, plan[1], nothing, NULL, array[1], array[1]),
        "%s", text);
  CHECK(!pfft3d_execute_between(plan[1], PFFT3D_BACKWARD, plan[0], nothing, NULL, array[0],
                                array[0]),
        "%s", text);
  CHECK(!pfft3d_execute_end(plan[0], PFFT3D_FORWARD, array[1]), "%s", text);
  for (int k = 0; k < 4; k++) {
    pfft3d_stats s;
    pfft3d_plan_stats(plan[k % 2], (pfft3d_direction)(k / 2), 1, &s, sizeof s);
    sums[0] += s.messages;
    sums[1] += s.bytes;
  }
  test_record(mine, sums, NULL, 4);
  for (int k = 0; k < 2; k++) pfft3d_plan_destroy(&plan[k]);
}

/* ---- the bound ---- */

static void test_bound(void) {
  pfft3d_plan *plan;
  pfft3d_error e;
  void *array;
  double left_out, all = 0;
  now = "bounded";
  CHECK(!pfft3d_plan_create_text(comm, "c2c:d:8x8x8 decomp=slab exchange=pencils", &plan, &e), "%s",
        e.text);
  CHECK(!pfft3d_alloc(plan, &array, &e), "%s", e.text);
  memset(array, 0, pfft3d_plan_bytes(plan));
  for (long room = 1; room < 100; room += room < 5 ? 1 : 23) {
    pfft3d_timeline *t = new_timeline(room);
    CHECK(!pfft3d_plan_timeline(plan, t, &e), "%s", e.text);
    for (int k = 0; k < 20; k++) pfft3d_execute(plan, PFFT3D_FORWARD, array, array);
    double count = pfft3d_timeline_events(t, &left_out);
    CHECK(count <= (double)room && left_out > 0, "%g of %ld events, %g left out", count, room,
          left_out);
    if (!(all > 0)) all = left_out;
    CHECK(room == 1 || count + left_out <= all + 20 * 2, "%g events and %g", count, left_out);
    CHECK(!pfft3d_timeline_write(t, &e), "%s", e.text);
    CHECK(!pfft3d_plan_timeline(plan, NULL, &e), "%s", e.text);
    pfft3d_timeline_destroy(&t);
  }
  pfft3d_plan_destroy(&plan);
}

/* A timeline of fewer ranks. */
static void test_strangers(void) {
  pfft3d_timeline *t = NULL;
  pfft3d_plan *plan;
  pfft3d_error e;
  if (ranks == 1) return;
  CHECK(!pfft3d_timeline_create(MPI_COMM_SELF, "test_timeline.svg", 10, &t, &e) || rank, "%s",
        e.text);
  MPI_Barrier(comm);
  pfft3d_timeline_destroy(&t);
  MPI_Comm half;
  MPI_Comm_split(comm, rank == 0, rank, &half);
  CHECK(!pfft3d_timeline_create(half, rank ? "test_timeline.svg" : "test_timeline.json", 10, &t, &e),
        "%s", e.text);
  CHECK(!pfft3d_plan_create_text(comm, "c2c:d:8x8x8 exchange=packed", &plan, &e), "%s", e.text);
  CHECK(pfft3d_plan_timeline(plan, t, &e) == PFFT3D_ERR_USAGE && strstr(e.text, "no part in it"),
        "'%s'", e.text);
  pfft3d_timeline_destroy(&t);
  pfft3d_plan_destroy(&plan);
  MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int kind = 0; kind < 2; kind++) {
    comm = make_comm(kind);
    MPI_Comm_rank(comm, &rank);
    if (kind == 0) {
      FOR_LIST(PFFT3D_EXCHANGES, exchange) {
        test_exchange(exchange);
        test_parts(exchange);
      }
      test_portions();
      test_bound();
      test_strangers();
    } else {
      FOR_LIST(PFFT3D_EXCHANGES, exchange) {
        char text[200];
        snprintf(text, sizeof text, "c2c:d:12x10x14 decomp=pencil exchange=%s", exchange);
        test_plan(text, 1);
      }
    }
    if (rank == 0) remove("test_timeline.json"), remove("test_timeline.svg");
    MPI_Comm_free(&comm);
  }
  must_meet(PFFT3D_EXCHANGES);
  return check_result();
}
