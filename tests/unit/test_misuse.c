/* ranks: 1 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * What callers do wrong: NULL in each pointer argument of each public function; communicators that
 * are null or inter-communicators; calls before MPI_Init and after MPI_Finalize.  All of it is
 * answered with USAGE and a text, never with a crash, an abort or a hang.  tests/unit/api.sh
 * compares the functions that are called here with those of the headers. */
#include <pfft3d.h>
#include <pfft3d_nd.h>
#include <pfft3d_redist.h>
#include <pfft3d_tune.h>
#include <string.h>

#include "check.h"

static pfft3d_error e;

/* A call that must be refused as bad usage; with an error argument, in words too. */
#define REFUSED(call) CHECK((call) == PFFT3D_ERR_USAGE, "not refused")
#define REFUSED_IN_WORDS(call)                                                               \
  do {                                                                                       \
    memset(&e, 0, sizeof e);                                                                 \
    CHECK((call) == PFFT3D_ERR_USAGE && e.status == PFFT3D_ERR_USAGE && strchr(e.text, ':'), \
          "status %d: '%s'", e.status, e.text);                                              \
  } while (0)

/* A call that has nothing to answer and must return. */
#define RETURNS(call) (call, check_done++)

/* Valid objects for all arguments but one. */
typedef struct objects {
  pfft3d_request *request, *copy;
  pfft3d_wisdom *wisdom;
  pfft3d_machine machine;
  pfft3d_candidate candidate;
  pfft3d_explanation x;
  pfft3d_stats stats;
  pfft3d_problem problem;
  pfft3d_decision decision;
  pfft3d_array array;
  pfft3d_box box;
  ptrdiff_t n[3];
  int axis[3];
  char text[400];
  pfft3d_nd_spec spec;
  pfft3d_nd *nd;
  void *address;
} objects;

static void make(objects *o) {
  memset(o, 0, sizeof *o);
  CHECK(!pfft3d_request_create(&o->request, NULL) && !pfft3d_wisdom_create(&o->wisdom, NULL),
        "objects");
  CHECK(!pfft3d_request_parse(o->request, "c2c:d:8x8x8 exchange=packed decomp=slab", NULL),
        "words");
  CHECK(!pfft3d_problem_parse("c2c:d:8x8x8", &o->problem, NULL), "a problem");
  pfft3d_machine_init(&o->machine);
  o->candidate.measured = 1;
}

static void end(objects *o) {
  pfft3d_request_destroy(&o->request);
  pfft3d_wisdom_destroy(&o->wisdom);
}

/* A box without a request, and one of no side. */
static void test_box(pfft3d_request *r, const pfft3d_box *box) {
  REFUSED_IN_WORDS(pfft3d_request_box(NULL, PFFT3D_SPACE, box, &e));
  REFUSED_IN_WORDS(pfft3d_request_box(r, (pfft3d_side)2, box, &e));
}

/* Arrays of any dimensions; settings of MPI. */
static void test_nd(objects *o) {
  pfft3d_request *r = o->request;
  REFUSED_IN_WORDS(pfft3d_nd_create(MPI_COMM_WORLD, NULL, &o->spec, sizeof o->spec, &o->nd, &e));
  REFUSED_IN_WORDS(pfft3d_nd_create(MPI_COMM_WORLD, r, NULL, sizeof o->spec, &o->nd, &e));
  REFUSED_IN_WORDS(pfft3d_nd_create(MPI_COMM_WORLD, r, &o->spec, sizeof o->spec, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_nd_alloc(NULL, &o->address, &e));
  REFUSED(pfft3d_nd_block(NULL, PFFT3D_SPACE, 0, &(pfft3d_block){{0}, {0}}));
  REFUSED(pfft3d_nd_extents(NULL, PFFT3D_SPACE, NULL, NULL));
  REFUSED(pfft3d_nd_execute(NULL, PFFT3D_FORWARD, NULL, NULL));
  CHECK(!pfft3d_nd_bytes(NULL) && !pfft3d_nd_step(NULL, 0), "no array");
  RETURNS(pfft3d_nd_destroy(NULL));
  CHECK(!pfft3d_mpi_setting(-1, NULL) && !pfft3d_mpi_setting(99, NULL), "no setting");
  RETURNS((pfft3d_prepare_mpi(), pfft3d_grace(60)));
}

/* Cuts without a request, of no axis, of no side, and without their list. */
static void test_cuts(pfft3d_request *r) {
  REFUSED_IN_WORDS(pfft3d_request_cuts(NULL, &(pfft3d_cuts){.axis = 0}, &e));
  REFUSED_IN_WORDS(pfft3d_request_cuts(r, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_request_cuts(r, &(pfft3d_cuts){.axis = 3}, &e));
  REFUSED_IN_WORDS(pfft3d_request_cuts(r, &(pfft3d_cuts){.side = (pfft3d_side)2}, &e));
  REFUSED_IN_WORDS(pfft3d_request_cuts(r, &(pfft3d_cuts){.parts = -1}, &e));
  REFUSED_IN_WORDS(pfft3d_request_cuts(r, &(pfft3d_cuts){.parts = 2}, &e));
}

/* Problems and decisions. */
static void test_structs(objects *o) {
  REFUSED(pfft3d_request_copy(NULL, &o->copy, NULL));
  REFUSED(pfft3d_request_copy(o->request, NULL, NULL));
  REFUSED(pfft3d_request_problem(NULL, &o->problem));
  REFUSED(pfft3d_request_problem(o->request, NULL));
  REFUSED_IN_WORDS(pfft3d_problem_parse(NULL, &o->problem, &e));
  REFUSED_IN_WORDS(pfft3d_problem_parse("c2c:d:8", NULL, &e));
  CHECK(!pfft3d_problem_print(NULL, o->text, 9) && !pfft3d_problem_print(&o->problem, NULL, 9),
        "print");
  REFUSED_IN_WORDS(pfft3d_decision_parse(NULL, &o->decision, &e));
  REFUSED_IN_WORDS(pfft3d_decision_parse("slab", NULL, &e));
  CHECK(!pfft3d_decision_print(NULL, o->text, 9) && !pfft3d_decision_print(&o->decision, NULL, 9),
        "print");
  RETURNS(pfft3d_problem_extents(NULL, PFFT3D_SPACE, o->n));
  RETURNS(pfft3d_problem_extents(&o->problem, PFFT3D_SPACE, NULL));
  CHECK(!pfft3d_element_bytes(NULL, PFFT3D_SPACE) && !pfft3d_problem_points(NULL), "no problem");
  CHECK(!pfft3d_wisdom_file(NULL, 9) && !pfft3d_wisdom_file(o->text, 0), "no room for a name");
}

/* NULL where it is an error, of functions without a communicator or a plan. */
static void test_local(objects *o) {
  pfft3d_request *r = o->request;
  static struct { char zeros[8192]; } foreign;
  pfft3d_request *no_request = (pfft3d_request *)(void *)&foreign;
  CHECK(pfft3d_status_name(-1) && pfft3d_version(), "names");
  CHECK(!pfft3d_build(NULL) && pfft3d_list_name(PFFT3D_ENGINES, 0, NULL), "names");
  CHECK(!pfft3d_list_name((pfft3d_list)99, 0, NULL), "a list that is none");
  REFUSED_IN_WORDS(pfft3d_request_create(NULL, &e));
  RETURNS(pfft3d_request_destroy(NULL));
  REFUSED_IN_WORDS(pfft3d_request_set(NULL, "order", "natural", &e));
  REFUSED_IN_WORDS(pfft3d_request_set(r, NULL, "natural", &e));
  REFUSED_IN_WORDS(pfft3d_request_set(r, "order", NULL, &e));
  REFUSED_IN_WORDS(pfft3d_request_set(no_request, "order", "natural", &e));
  CHECK(strstr(e.hint, "pfft3d_request_create"), "hint '%s'", e.hint);
  REFUSED_IN_WORDS(pfft3d_request_parse(NULL, "", &e));
  REFUSED_IN_WORDS(pfft3d_request_parse(r, NULL, &e));
  CHECK(!pfft3d_request_print(NULL, o->text, 9) && !pfft3d_request_print(r, NULL, 9), "print");
  CHECK(!pfft3d_request_get(NULL, "size", o->text, 9) && !pfft3d_request_get(r, NULL, o->text, 9) &&
            !pfft3d_request_get(r, "size", NULL, 9) && !pfft3d_request_get(r, "sise", o->text, 9),
        "get");
  REFUSED_IN_WORDS(pfft3d_request_array(NULL, PFFT3D_SPACE, &o->array, &e));
  REFUSED_IN_WORDS(pfft3d_request_array(r, PFFT3D_SPACE, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_request_array(r, (pfft3d_side)2, &o->array, &e));
  test_cuts(r);
  REFUSED(pfft3d_request_scale(NULL, 1, 1));
  REFUSED_IN_WORDS(pfft3d_request_scales(NULL, 1, 1, &e));
  test_structs(o);
  RETURNS(pfft3d_machine_init(NULL));
  REFUSED_IN_WORDS(pfft3d_machine_read(NULL, &o->machine, &e));
  REFUSED_IN_WORDS(pfft3d_machine_read("/dev/null", NULL, &e));
  REFUSED_IN_WORDS(pfft3d_request_machine(NULL, &o->machine, &e));
  REFUSED_IN_WORDS(pfft3d_request_machine(r, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_explain(NULL, 2, &o->x, sizeof o->x, &e));
  REFUSED_IN_WORDS(pfft3d_explain(no_request, 2, &o->x, sizeof o->x, &e));
  REFUSED_IN_WORDS(pfft3d_explain(r, 2, NULL, sizeof o->x, &e));
  REFUSED_IN_WORDS(pfft3d_explain(r, 2, &o->x, 0, &e));
  CHECK(pfft3d_explain_steps(NULL, 2, NULL, 0, &e) == -1 && e.text[0], "no request");
  CHECK(pfft3d_explain_steps(no_request, 2, NULL, 0, &e) == -1 && e.text[0], "none");
  CHECK(pfft3d_explain_steps(r, 2, NULL, 1, &e) == -1 && e.text[0], "no list");
  CHECK(pfft3d_explain_steps(r, 2, NULL, -1, &e) == -1 && e.text[0], "-1 steps");
  CHECK(pfft3d_explain_steps(r, 0, NULL, 0, &e) == -1 && e.text[0], "no ranks");
  REFUSED(pfft3d_explain_box(NULL, 2, PFFT3D_SPACE, 0, &o->box));
  REFUSED(pfft3d_explain_box(r, 2, PFFT3D_SPACE, 0, NULL));
  REFUSED(pfft3d_explain_box(r, 2, PFFT3D_SPACE, 2, &o->box));
  CHECK(pfft3d_candidates(NULL, 2, &o->candidate, 1) == -1, "candidates");
  CHECK(pfft3d_candidates(r, 2, NULL, 1) == -1, "candidates");
  CHECK(pfft3d_candidates(r, 0, &o->candidate, 1) == -1, "candidates");
  CHECK(pfft3d_candidates(r, 2, NULL, 0) > 0, "candidates that are only counted");
  REFUSED_IN_WORDS(pfft3d_wisdom_create(NULL, &e));
  RETURNS(pfft3d_wisdom_destroy(NULL));
  REFUSED_IN_WORDS(pfft3d_request_wisdom(NULL, o->wisdom, 0, &e));
  CHECK(!pfft3d_request_wisdom(r, NULL, 0, &e), "no wisdom is a choice");
  CHECK(!strcmp(pfft3d_wisdom_notice(NULL), "") && pfft3d_wisdom_count(NULL) == 0, "no wisdom");
  CHECK(!pfft3d_wisdom_line(NULL, 0, o->text, 9) && !pfft3d_wisdom_line(o->wisdom, 0, NULL, 9),
        "no line");
  test_nd(o);
  RETURNS(pfft3d_on_progress(NULL));
  RETURNS(pfft3d_remove_temporary());
  RETURNS(pfft3d_request_destroy(&(pfft3d_request *){NULL}));
}

static void no_plane(void *context, const pfft3d_plane *plane) {
  (void)context, (void)plane;
}

static void no_factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                       double *factor) {
  CHECK(0, "factors are asked for: %p %td %td %p", context, lo[0], len[0], (void *)factor);
}

/* NULL for a plan, and in what belongs to one that is there; also wrong sides, ranks, directions.
 */
static void test_runs(pfft3d_plan *p, void *array) {
  static const double one[8] = {1};
  const double *const factor[3] = {one, one, one}, *const missing[3] = {one, NULL, one};
  const pfft3d_direction forward = PFFT3D_FORWARD;
  REFUSED(pfft3d_execute(NULL, forward, array, array));
  REFUSED(pfft3d_execute(p, forward, NULL, array));
  REFUSED(pfft3d_execute(p, forward, array, NULL));
  REFUSED(pfft3d_execute(p, (pfft3d_direction)2, array, array));
  REFUSED(pfft3d_execute_multiplier(NULL, factor, array, array));
  REFUSED(pfft3d_execute_multiplier(p, NULL, array, array));
  REFUSED(pfft3d_execute_multiplier(p, missing, array, array));
  REFUSED(pfft3d_execute_multiplier(p, factor, NULL, array));
  REFUSED(pfft3d_execute_multiplier(p, factor, array, NULL));
  REFUSED(pfft3d_execute_factors(NULL, no_factors, NULL, array, array));
  REFUSED(pfft3d_execute_factors(p, NULL, NULL, array, array));
  REFUSED(pfft3d_execute_factors(p, no_factors, NULL, NULL, array));
  REFUSED(pfft3d_execute_factors(p, no_factors, NULL, array, NULL));
  REFUSED(pfft3d_execute_begin(NULL, forward, array));
  REFUSED(pfft3d_execute_begin(p, (pfft3d_direction)2, array));
  REFUSED(pfft3d_execute_begin(p, forward, NULL));
  REFUSED(pfft3d_execute_end(NULL, forward, array));
  REFUSED(pfft3d_execute_end(p, forward, array));
  REFUSED(pfft3d_execute_between(NULL, forward, p, no_plane, NULL, array, array));
  REFUSED(pfft3d_execute_between(p, forward, p, no_plane, NULL, array, array));
}

static void test_plan(objects *o, pfft3d_plan *p) {
  const pfft3d_direction forward = PFFT3D_FORWARD;
  double seconds;
  void *array = NULL, *lost = &lost;
  pfft3d_plan *none = NULL;
  CHECK(!pfft3d_alloc(p, &array, NULL) && array, "an array");
  RETURNS(pfft3d_plan_destroy(NULL));
  RETURNS(pfft3d_plan_destroy(&none));
  test_runs(p, array);
  REFUSED(pfft3d_plan_box(NULL, PFFT3D_SPACE, 0, &o->box));
  REFUSED(pfft3d_plan_box(p, PFFT3D_SPACE, 0, NULL));
  REFUSED(pfft3d_plan_box(p, (pfft3d_side)2, 0, &o->box));
  REFUSED(pfft3d_plan_box(p, PFFT3D_SPACE, 1000, &o->box));
  CHECK(pfft3d_plan_index(NULL, PFFT3D_SPACE, 0, 0) == -1, "an index of nothing");
  REFUSED(pfft3d_plan_extents(NULL, PFFT3D_SPACE, o->n));
  REFUSED(pfft3d_plan_extents(p, PFFT3D_SPACE, NULL));
  CHECK(!pfft3d_plan_extents(p, PFFT3D_SPACE, o->n) && o->n[0] == 8, "extents");
  CHECK(!pfft3d_plan_elements(NULL, PFFT3D_SPACE) && !pfft3d_plan_bytes(NULL), "sizes of nothing");
  CHECK(!pfft3d_plan_print(NULL, o->text, 9) && !pfft3d_plan_print(p, NULL, 9), "print");
  CHECK(pfft3d_plan_print(p, o->text, sizeof o->text) &&
            !strncmp(o->text, "c2c:d:8x8x8 decomp=slab exchange=packed engine=", 47),
        "'%s'", o->text);
  REFUSED(pfft3d_plan_axes(NULL, PFFT3D_SPACE, o->axis));
  REFUSED(pfft3d_plan_axes(p, PFFT3D_SPACE, NULL));
  REFUSED(pfft3d_plan_axes(p, (pfft3d_side)2, o->axis));
  REFUSED(pfft3d_plan_problem(NULL, &o->problem));
  REFUSED(pfft3d_plan_problem(p, NULL));
  REFUSED(pfft3d_plan_decision(NULL, &o->decision));
  REFUSED(pfft3d_plan_decision(p, NULL));
  CHECK(!pfft3d_plan_reason(NULL) && pfft3d_plan_reason(p), "reasons");
  CHECK(pfft3d_plan_decided_by(NULL) == PFFT3D_BY_REQUEST, "who decided nothing");
  REFUSED(pfft3d_plan_stats(NULL, forward, 0, &o->stats, sizeof o->stats));
  REFUSED(pfft3d_plan_stats(p, forward, 0, NULL, sizeof o->stats));
  REFUSED(pfft3d_plan_stats(p, forward, 0, &o->stats, 0));
  REFUSED(pfft3d_plan_stats(p, (pfft3d_direction)2, 0, &o->stats, sizeof o->stats));
  REFUSED(pfft3d_plan_measure(NULL, forward, PFFT3D_PART_PASSES, array, array, &seconds));
  REFUSED(pfft3d_plan_measure(p, forward, PFFT3D_PART_PASSES, NULL, array, &seconds));
  REFUSED(pfft3d_plan_measure(p, forward, PFFT3D_PART_PASSES, array, NULL, &seconds));
  REFUSED(pfft3d_plan_measure(p, forward, PFFT3D_PART_PASSES, array, array, NULL));
  REFUSED(pfft3d_plan_measure(p, forward, (pfft3d_part)2, array, array, &seconds));
  REFUSED_IN_WORDS(pfft3d_alloc(NULL, &lost, &e));
  CHECK(!lost, "an array without a plan");
  REFUSED_IN_WORDS(pfft3d_alloc(p, NULL, &e));
  RETURNS(pfft3d_free(NULL, array));
  RETURNS(pfft3d_free(p, NULL));
  RETURNS(pfft3d_free(p, &seconds)); /* which it has not given */
  CHECK(!pfft3d_execute(p, forward, array, array), "the plan still works");
}

/* Timelines without a name, room, a known ending, or at all. */
static void test_timeline(void) {
  pfft3d_timeline *t = NULL;
  MPI_Comm all = MPI_COMM_WORLD;
  REFUSED_IN_WORDS(pfft3d_timeline_create(MPI_COMM_NULL, "t.json", 9, &t, &e));
  REFUSED_IN_WORDS(pfft3d_timeline_create_f(NULL, "t.json", 9, &t, &e));
  REFUSED_IN_WORDS(pfft3d_timeline_create(all, NULL, 9, &t, &e));
  REFUSED_IN_WORDS(pfft3d_timeline_create(all, "t.json", 9, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_timeline_create(all, "t.json", 0, &t, &e));
  REFUSED_IN_WORDS(pfft3d_timeline_create(all, ".json", 9, &t, &e));
  REFUSED_IN_WORDS(pfft3d_timeline_create(all, "t.png", 9, &t, &e));
  CHECK(pfft3d_timeline_create(all, "/nowhere/t.svg", 9, &t, &e) == PFFT3D_ERR_OUTPUT && !t, "'%s'",
        e.text);
  REFUSED_IN_WORDS(pfft3d_plan_timeline(NULL, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_timeline_write(NULL, &e));
  CHECK(!(pfft3d_timeline_events(NULL, NULL) > 0), "no events");
  RETURNS(pfft3d_timeline_destroy(&t));
  CHECK(pfft3d_progress() < 0, "progress of nothing");
}

/* Structs of callers that were compiled with other versions: shorter and longer ones. */
static void test_sizes(objects *o, pfft3d_plan *p) {
  struct {
    pfft3d_stats stats;
    char more[64];
  } longer;
  memset(&longer, 0x55, sizeof longer);
  CHECK(!pfft3d_plan_stats(p, PFFT3D_FORWARD, 0, &longer.stats, sizeof(long)), "a short one");
  CHECK(longer.stats.executions == 1 && ((char *)&longer)[sizeof(long)] == 0x55, "written beyond");
  CHECK(!pfft3d_plan_stats(p, PFFT3D_FORWARD, 0, &longer.stats, sizeof longer), "a long one");
  CHECK(longer.stats.executions == 1 && longer.stats.stages > 0 && !longer.more[0],
        "not filled in");
  memset(&o->x, 0x55, sizeof o->x);
  CHECK(!pfft3d_explain(o->request, 2, &o->x, sizeof o->x.decision, NULL), "a short one");
  CHECK(!strcmp(o->x.decision.scheme, "slab") && o->x.idle_ranks == 0x55555555, "written beyond");
}

/* A line of one element, which only the first rank would hold. */
static const pfft3d_redist_spec line_redist = {.dims = 1, .n = {1}, .element = 8};
static const pfft3d_transpose_spec point = {.n0 = 1, .n1 = 1, .element = 8};
static const pfft3d_halo_spec line_halo = {.dims = 1, .n = {1}, .element = 8};

/* NULL where a redistribution, its box or its arrays are expected. */
static void test_redist(int rank) {
  pfft3d_redist *redist = NULL;
  pfft3d_redist_spec one = line_redist;
  char number[8];
  REFUSED_IN_WORDS(pfft3d_redist_create(MPI_COMM_WORLD, NULL, &redist, &e));
  REFUSED_IN_WORDS(pfft3d_redist_create(MPI_COMM_WORLD, &one, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_transpose_create(MPI_COMM_WORLD, NULL, &redist, &e));
  REFUSED_IN_WORDS(pfft3d_transpose_create(MPI_COMM_WORLD, &point, NULL, &e));
  REFUSED_IN_WORDS(pfft3d_halo_create(MPI_COMM_WORLD, NULL, &redist, &e));
  REFUSED_IN_WORDS(pfft3d_halo_create(MPI_COMM_WORLD, &line_halo, NULL, &e));
  REFUSED(pfft3d_redist_execute(NULL, PFFT3D_FORWARD, number, number));
  RETURNS(pfft3d_redist_destroy(NULL));
  RETURNS(pfft3d_redist_destroy(&redist));
  one.from.len[0] = one.to.len[0] = rank == 0;
  CHECK(!pfft3d_redist_create(MPI_COMM_WORLD, &one, &redist, NULL) && redist, "a redistribution");
  REFUSED(pfft3d_redist_execute(redist, (pfft3d_direction)2, number, number + 1));
  REFUSED(pfft3d_redist_execute(redist, PFFT3D_FORWARD, number, number));
  if (rank == 0) REFUSED(pfft3d_redist_execute(redist, PFFT3D_FORWARD, NULL, number));
  if (rank == 0) REFUSED(pfft3d_redist_execute(redist, PFFT3D_FORWARD, number, NULL));
  pfft3d_redist_destroy(&redist);
}

/* All functions with a communicator, which is not acceptable. */
static void test_comm(objects *o, MPI_Comm comm) {
  pfft3d_plan *plan = (pfft3d_plan *)o;
  REFUSED_IN_WORDS(pfft3d_plan_create(comm, o->request, &plan, &e));
  CHECK(!plan, "a plan on no communicator");
  REFUSED_IN_WORDS(pfft3d_plan_create_text(comm, "c2c:d:8x8x8", &plan, &e));
  REFUSED_IN_WORDS(pfft3d_machine_measure(comm, &o->machine, &e));
  REFUSED_IN_WORDS(pfft3d_tune(comm, o->request, &o->candidate, 1, 1, 1, &e));
  REFUSED_IN_WORDS(pfft3d_wisdom_read(comm, "/nowhere", o->wisdom, &e));
  REFUSED_IN_WORDS(pfft3d_wisdom_add(comm, o->request, &o->candidate, o->wisdom, &e));
  REFUSED_IN_WORDS(pfft3d_wisdom_write(comm, "/nowhere", o->wisdom, &e));
  pfft3d_redist *redist = (pfft3d_redist *)o;
  REFUSED_IN_WORDS(pfft3d_redist_create(comm, &line_redist, &redist, &e));
  CHECK(!redist, "a redistribution on no communicator");
  REFUSED_IN_WORDS(pfft3d_halo_create(comm, &line_halo, &redist, &e));
  REFUSED_IN_WORDS(pfft3d_transpose_create(comm, &point, &redist, &e));
}

/* The twins for Fortran handles, with a handle that is not acceptable. */
static void test_comm_f(objects *o, const MPI_Fint *comm) {
  pfft3d_plan *plan = NULL;
  REFUSED_IN_WORDS(pfft3d_plan_create_f(comm, o->request, &plan, &e));
  REFUSED_IN_WORDS(pfft3d_plan_create_text_f(comm, "c2c:d:8x8x8", &plan, &e));
  REFUSED_IN_WORDS(pfft3d_machine_measure_f(comm, &o->machine, &e));
  REFUSED_IN_WORDS(pfft3d_tune_f(comm, o->request, &o->candidate, 1, 1, 1, &e));
  REFUSED_IN_WORDS(pfft3d_wisdom_read_f(comm, "/nowhere", o->wisdom, &e));
  REFUSED_IN_WORDS(pfft3d_wisdom_add_f(comm, o->request, &o->candidate, o->wisdom, &e));
  REFUSED_IN_WORDS(pfft3d_wisdom_write_f(comm, "/nowhere", o->wisdom, &e));
  pfft3d_redist *redist = NULL;
  REFUSED_IN_WORDS(pfft3d_redist_create_f(comm, &line_redist, &redist, &e));
  REFUSED_IN_WORDS(pfft3d_halo_create_f(comm, &line_halo, &redist, &e));
  REFUSED_IN_WORDS(pfft3d_transpose_create_f(comm, &point, &redist, &e));
}

/* NULL on all ranks, and on the last one only, of which the others learn. */
static void test_null(objects *o, int rank, int ranks) {
  MPI_Comm world = MPI_COMM_WORLD;
  pfft3d_plan *plan = NULL;
  int last = rank == ranks - 1;
  for (int all = 0; all < 2; all++) {
    int null = all || last;
    REFUSED_IN_WORDS(pfft3d_plan_create(world, null ? NULL : o->request, &plan, &e));
    CHECK(!plan && e.rank == (all ? 0 : ranks - 1), "rank %d speaks", e.rank);
    REFUSED_IN_WORDS(pfft3d_plan_create(world, o->request, null ? NULL : &plan, &e));
    REFUSED_IN_WORDS(pfft3d_plan_create_text(world, null ? NULL : "c2c:d:8", &plan, &e));
    REFUSED_IN_WORDS(pfft3d_plan_create_text(world, null ? "c2c:d:" : "c2c:d:8", &plan, &e));
    REFUSED_IN_WORDS(pfft3d_plan_create_text(world, "c2c:d:8", null ? NULL : &plan, &e));
    REFUSED_IN_WORDS(pfft3d_machine_measure(world, null ? NULL : &o->machine, &e));
    REFUSED_IN_WORDS(pfft3d_tune(world, null ? NULL : o->request, &o->candidate, 1, 1, 1, &e));
    REFUSED_IN_WORDS(pfft3d_tune(world, o->request, null ? NULL : &o->candidate, 1, 1, 1, &e));
    REFUSED_IN_WORDS(pfft3d_tune(world, o->request, &o->candidate, null ? -1 : 1, 1, 1, &e));
    REFUSED_IN_WORDS(pfft3d_wisdom_read(world, null ? NULL : "/nowhere", o->wisdom, &e));
    REFUSED_IN_WORDS(pfft3d_wisdom_read(world, "/nowhere", null ? NULL : o->wisdom, &e));
    REFUSED_IN_WORDS(pfft3d_wisdom_write(world, null ? NULL : "/nowhere", o->wisdom, &e));
    REFUSED_IN_WORDS(pfft3d_wisdom_write(world, "/nowhere", null ? NULL : o->wisdom, &e));
    pfft3d_candidate *c = &o->candidate;
    REFUSED_IN_WORDS(pfft3d_wisdom_add(world, null ? NULL : o->request, c, o->wisdom, &e));
    REFUSED_IN_WORDS(pfft3d_wisdom_add(world, o->request, null ? NULL : c, o->wisdom, &e));
    REFUSED_IN_WORDS(pfft3d_wisdom_add(world, o->request, c, null ? NULL : o->wisdom, &e));
  }
}

/* Plans by their Fortran handles work. */
static void test_handles(const objects *o) {
  MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
  pfft3d_plan *plan = NULL;
  CHECK(!pfft3d_plan_create_f(&world, o->request, &plan, &e) && plan, "%s", e.text);
  pfft3d_plan_destroy(&plan);
  CHECK(!pfft3d_plan_create_text_f(&world, "r2c:s:64", &plan, &e) && plan, "%s", e.text);
  pfft3d_plan_destroy(&plan);
  pfft3d_machine m;
  memset(&m, 0, sizeof m);
  CHECK(!pfft3d_machine_measure_f(&world, &m, &e) && m.memory > 0, "%s", e.text);
}

/* Between the even and the odd ranks. */
static void test_inter(objects *o, int rank, int ranks) {
  MPI_Comm half, inter;
  if (ranks < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);
  test_comm(o, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

/* More shared arrays than there once were places for; the plan frees what is left of them. */
static void test_arrays(void) {
  enum { ARRAYS = 40 };
  pfft3d_plan *plan = NULL;
  void *array[ARRAYS];
  CHECK(!pfft3d_plan_create_text(MPI_COMM_WORLD, "c2c:d:8x8x8 exchange=shared", &plan, &e), "%s",
        e.text);
  for (int k = 0; k < ARRAYS && plan; k++)
    CHECK(!pfft3d_alloc(plan, &array[k], &e) && array[k], "%s", e.text);
  for (int k = 0; k < ARRAYS && plan; k += 3) pfft3d_free(plan, array[k]);
  for (int k = 0; k < ARRAYS && plan; k += 3)
    CHECK(!pfft3d_alloc(plan, &array[k], &e), "%s", e.text);
  for (int k = 1; k < ARRAYS && plan; k++) {
    memset(array[k - 1], 0, pfft3d_plan_bytes(plan));
    CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, array[k - 1], array[k]), "array %d", k);
  }
  pfft3d_plan_destroy(&plan);
}

/* After MPI_Finalize: plans of all kinds are refused and freed. */
static void test_ended(objects *o, pfft3d_plan **plan, int plans, void *array) {
  test_box(o->request, &o->box);
  test_local(o);
  test_comm(o, MPI_COMM_WORLD);
  for (int k = 0; k < plans; k++) {
    double seconds;
    void *more;
    REFUSED(pfft3d_execute(plan[k], PFFT3D_FORWARD, array, array));
    REFUSED(
        pfft3d_plan_measure(plan[k], PFFT3D_FORWARD, PFFT3D_PART_PASSES, array, array, &seconds));
    REFUSED_IN_WORDS(pfft3d_alloc(plan[k], &more, &e));
    CHECK(!pfft3d_plan_box(plan[k], PFFT3D_SPACE, 0, &o->box), "boxes are still known");
    if (k == 0) pfft3d_free(plan[k], array);
    pfft3d_plan_destroy(&plan[k]);
    CHECK(!plan[k], "a plan is left");
  }
}

int main(int argc, char **argv) {
  static const char *const text[] = {"c2c:d:8x8x8 decomp=slab exchange=packed",
                                     "c2c:d:8x8x8 decomp=slab exchange=persistent",
                                     "c2c:d:8x8x8 decomp=pencil exchange=alltoallw",
                                     "r2c:d:8x8x8 exchange=shared",
                                     "c2c:d:64 exchange=shared",
                                     "r2c:s:97 layout=cyclic"};
  enum { PLANS = sizeof text / sizeof *text };
  pfft3d_plan *plan[PLANS] = {NULL};
  void *array = NULL;
  MPI_Fint null;
  objects o;
  int rank, ranks;
  make(&o);
  test_local(&o);
  test_comm(&o, MPI_COMM_WORLD); /* before MPI_Init */
  test_comm_f(&o, NULL);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  null = MPI_Comm_c2f(MPI_COMM_NULL);
  test_local(&o);
  test_comm(&o, MPI_COMM_NULL);
  test_comm_f(&o, NULL);
  test_comm_f(&o, &null);
  test_inter(&o, rank, ranks);
  test_null(&o, rank, ranks);
  test_handles(&o);
  test_arrays();
  test_redist(rank);
  for (int k = 0; k < PLANS; k++)
    CHECK(!pfft3d_plan_create_text(MPI_COMM_WORLD, text[k], &plan[k], &e), "%s: %s", text[k],
          e.text);
  test_plan(&o, plan[0]);
  test_sizes(&o, plan[0]);
  test_timeline();
  for (int k = 0; k < PLANS; k++)
    CHECK(!pfft3d_alloc(plan[k], &array, &e) &&
              !pfft3d_execute(plan[k], PFFT3D_FORWARD, array, array),
          "%s", text[k]);
  CHECK(!pfft3d_alloc(plan[0], &array, &e), "%s", e.text);
  int status = check_result();
  long failed = check_failed;
  test_ended(&o, plan, PLANS, array);
  end(&o);
  return status || check_failed != failed;
}
