/* ranks: 1 2 3 5 */
/* SPDX-License-Identifier: BSD-3-Clause
 * An example of each function of pfft3d_tune.h: see calls.h. */
#include <pfft3d_tune.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"

static pfft3d_request *request; /* of 32^3 points, with an exchange that is left open */

static void texts(void) {
  char text[200];

  /* Example: pfft3d_request_get */
  expect(!strcmp(pfft3d_request_get(request, "order", text, sizeof text), "natural"));

  /* Example: pfft3d_request_copy */
  pfft3d_request *copy;
  expect(!pfft3d_request_copy(request, &copy, &error));
  expect(!pfft3d_request_set(copy, "order", "transposed", &error)); /* the first one stays natural */
  pfft3d_request_destroy(&copy);

  /* Example: pfft3d_request_problem pfft3d_problem_points pfft3d_problem_extents pfft3d_element_bytes */
  pfft3d_problem problem;
  ptrdiff_t n[3];
  expect(!pfft3d_request_problem(request, &problem) && problem.batch == 1);
  expect(pfft3d_problem_points(&problem) == 32 * 32 * 32); /* what forward, then backward multiplies by */
  pfft3d_problem_extents(&problem, PFFT3D_SPECTRUM, n);
  expect(n[2] == 32 && pfft3d_element_bytes(&problem, PFFT3D_SPACE) == 2 * sizeof(double));

  /* Example: pfft3d_problem_parse pfft3d_problem_print */
  expect(!pfft3d_problem_parse("r2c:d:64x64x64:dst1,dst1,dft", &problem, &error));
  expect(!strcmp(pfft3d_problem_print(&problem, text, sizeof text), "r2c:d:64x64x64:dst1,dst1,dft"));

  /* Example: pfft3d_decision_parse pfft3d_decision_print */
  pfft3d_decision decision = {.scheme = "auto", .algo = "auto", .engine = "auto"};
  expect(!pfft3d_decision_parse("decomp=slab exchange=packed", &decision, &error));
  expect(strstr(pfft3d_decision_print(&decision, text, sizeof text), "exchange=packed"));
}

static void plans(void) {
  pfft3d_plan *plan;
  void *in, *out;
  expect(!pfft3d_plan_create(comm, request, &plan, &error));
  expect(!pfft3d_alloc(plan, &in, &error) && !pfft3d_alloc(plan, &out, &error));
  memset(in, 0, pfft3d_plan_bytes(plan));

  /* Example: pfft3d_plan_problem pfft3d_plan_decision pfft3d_plan_decided_by pfft3d_plan_reason */
  pfft3d_problem problem;
  pfft3d_decision decision;
  expect(!pfft3d_plan_problem(plan, &problem) && problem.n[1] == 32);
  expect(!pfft3d_plan_decision(plan, &decision)); /* decision.algo is the exchange that was chosen */
  expect(ranks == 1 || pfft3d_plan_decided_by(plan) == PFFT3D_BY_MODEL);
  expect(pfft3d_plan_reason(plan)); /* why, in words */

  /* Example: pfft3d_plan_stats */
  pfft3d_stats stats;
  expect(!pfft3d_execute(plan, PFFT3D_FORWARD, in, out));
  expect(!pfft3d_plan_stats(plan, PFFT3D_FORWARD, 1, &stats, sizeof stats)); /* 1: begins at 0 again */
  expect(stats.executions == 1 && stats.total_s > 0);

  /* Example: pfft3d_plan_measure */
  double passes, alltoall;
  expect(!pfft3d_plan_measure(plan, PFFT3D_FORWARD, PFFT3D_PART_PASSES, in, out, &passes));
  expect(!pfft3d_plan_measure(plan, PFFT3D_FORWARD, PFFT3D_PART_RAW_ALLTOALL, in, out, &alltoall));
  expect(passes > 0 && alltoall >= 0); /* seconds, on this rank */
  pfft3d_plan_destroy(&plan);
}

static void machines(void) {
  /* Example: pfft3d_machine_init pfft3d_machine_read */
  pfft3d_machine machine;
  pfft3d_machine_init(&machine); /* a typical cluster */
  if (pfft3d_machine_read("cluster.machine", &machine, &error)) /* a file as in data/machines */
    expect(error.status == PFFT3D_ERR_NOINPUT); /* is not there */

  /* Example: pfft3d_machine_measure pfft3d_request_machine */
  pfft3d_machine here = {0}; /* figures that are 0 are measured */
  expect(!pfft3d_machine_measure(comm, &here, &error) && here.memory > 0);
  expect(!pfft3d_request_machine(request, &here, &error)); /* plans are chosen for this machine */
}

static void dry_runs(void) {
  pfft3d_box box;

  /* Example: pfft3d_explain pfft3d_explain_steps pfft3d_explain_box */
  pfft3d_explanation x;
  pfft3d_explained_step step[8];
  expect(!pfft3d_explain(request, 64, &x, sizeof x, &error)); /* on 64 ranks, without them */
  expect(x.messages >= 0 && x.seconds > 0 && x.work_bytes > 0);
  expect(pfft3d_explain_steps(request, 64, step, 8, &error) == 1);
  expect(!pfft3d_explain_box(request, 64, PFFT3D_SPACE, 63, &box));

  /* Example: pfft3d_candidates pfft3d_tune */
  pfft3d_candidate list[4];
  int count = pfft3d_candidates(request, ranks, list, 4); /* by the model, cheapest first */
  if (count > 4) count = 4;                               /* there are more than fit in the list */
  expect(!pfft3d_tune(comm, request, list, count, 3, 0.2, &error)); /* 3 repeats, 0.2 seconds in all */
  expect(list[0].measured > 0);

  /* Example: pfft3d_wisdom_create pfft3d_wisdom_add pfft3d_wisdom_count pfft3d_wisdom_line */
  pfft3d_wisdom *wisdom;
  char text[1000];
  expect(!pfft3d_wisdom_create(&wisdom, &error));
  expect(!pfft3d_wisdom_add(comm, request, &list[0], wisdom, &error)); /* the fastest one is the answer */
  expect(pfft3d_wisdom_count(wisdom) == 1 && pfft3d_wisdom_line(wisdom, 0, text, sizeof text));

  /* Example: pfft3d_wisdom_file */
  if (pfft3d_wisdom_file(text, sizeof text)) /* the user's file, which plans ask */
    expect(*text);

  /* Example: pfft3d_wisdom_write pfft3d_wisdom_read pfft3d_wisdom_notice */
  expect(!pfft3d_wisdom_write(comm, "wisdom", wisdom, &error));
  expect(!pfft3d_wisdom_read(comm, "wisdom", wisdom, &error)); /* in another run */
  expect(!strcmp(pfft3d_wisdom_notice(wisdom), "")); /* or why the file was of no use */

  /* Example: pfft3d_request_wisdom pfft3d_wisdom_destroy */
  pfft3d_plan *plan;
  expect(!pfft3d_request_wisdom(request, wisdom, 0, &error)); /* asked before the model is */
  expect(!pfft3d_plan_create(comm, request, &plan, &error));
  expect(pfft3d_plan_decided_by(plan) == PFFT3D_BY_WISDOM);
  pfft3d_plan_destroy(&plan);
  expect(!pfft3d_request_wisdom(request, NULL, 0, &error)); /* before its end */
  pfft3d_wisdom_destroy(&wisdom);

  MPI_Barrier(comm);
  if (rank == 0) unlink("wisdom"), unlink("wisdom.lock");
}

static void timelines(void) {
  pfft3d_plan *plan;
  pfft3d_timeline *timeline;
  double left_out;
  void *in;
  expect(!pfft3d_plan_create_text(comm, "c2c:d:8x8x8", &plan, &error) && !pfft3d_alloc(plan, &in, &error));

  /* Example: pfft3d_timeline_create pfft3d_plan_timeline pfft3d_timeline_events pfft3d_timeline_write pfft3d_timeline_destroy */
  expect(!pfft3d_timeline_create(comm, "run.json", 100000, &timeline, &error)); /* 100000 events of each rank */
  expect(!pfft3d_plan_timeline(plan, timeline, &error));
  expect(!pfft3d_execute(plan, PFFT3D_FORWARD, in, in)); /* is recorded */
  expect(pfft3d_timeline_events(timeline, &left_out) > 0 && left_out == 0);
  expect(!pfft3d_timeline_write(timeline, &error));
  pfft3d_timeline_destroy(&timeline);

  pfft3d_plan_destroy(&plan);
  MPI_Barrier(comm);
  if (rank == 0) unlink("run.json");
}

#ifndef MPI_ABI_VERSION
static void fortran_handles(void) {
  pfft3d_fint handle = MPI_Comm_c2f(comm);
  pfft3d_machine machine = {0};
  pfft3d_candidate list[1];
  pfft3d_wisdom *wisdom;
  expect(!pfft3d_wisdom_create(&wisdom, &error) && pfft3d_candidates(request, ranks, list, 1) > 0);

  /* Example: pfft3d_machine_measure_f pfft3d_tune_f pfft3d_wisdom_add_f pfft3d_wisdom_write_f pfft3d_wisdom_read_f */
  expect(!pfft3d_machine_measure_f(&handle, &machine, &error)); /* handle: MPI_Comm_c2f(comm) */
  expect(!pfft3d_tune_f(&handle, request, list, 1, 1, 0.1, &error));
  expect(!pfft3d_wisdom_add_f(&handle, request, &list[0], wisdom, &error));
  expect(!pfft3d_wisdom_write_f(&handle, "wisdom_f", wisdom, &error));
  expect(!pfft3d_wisdom_read_f(&handle, "wisdom_f", wisdom, &error));

  /* Example: pfft3d_timeline_create_f */
  pfft3d_timeline *timeline;
  expect(!pfft3d_timeline_create_f(&handle, "run_f.json", 1000, &timeline, &error));
  pfft3d_timeline_destroy(&timeline);

  pfft3d_wisdom_destroy(&wisdom);
  MPI_Barrier(comm);
  if (rank == 0) unlink("wisdom_f"), unlink("wisdom_f.lock"), unlink("run_f.json");
}
#endif

static long moves;

/* Example: pfft3d_progress */
static void moved(void) {
  moves++;                     /* the call makes progress */
  expect(pfft3d_progress() <= 1); /* the share that is done; negative where it is not known */
}


int main(int argc, char **argv) {
  /* Example: pfft3d_prepare_mpi pfft3d_mpi_setting */
  const char *name, *value;
  pfft3d_prepare_mpi(); /* before MPI_Init() */
  for (int i = 0; (name = pfft3d_mpi_setting(i, &value)); i++) expect(getenv(name) && value);

  begin(&argc, &argv);
  expect(!pfft3d_request_create(&request, &error) && !pfft3d_request_parse(request, "c2c:d:32x32x32", &error));

  /* Example: pfft3d_grace */
  pfft3d_grace(10); /* to end by itself after an MPI call has failed on one rank */

  /* Example: pfft3d_on_progress */
  pfft3d_on_progress(moved); /* moved() counts, for a bar of progress */

  texts();
  plans();
  machines();
  dry_runs();
  timelines();
#ifndef MPI_ABI_VERSION
  fortran_handles();
#endif
  expect(moves > 0);
  pfft3d_request_destroy(&request);
  MPI_Finalize();
  return 0;
}
