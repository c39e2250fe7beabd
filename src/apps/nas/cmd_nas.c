/* SPDX-License-Identifier: BSD-3-Clause
 * nas: the FT benchmark of the NAS Parallel Benchmarks, on any number of ranks. */
#include <string.h>

#include "app/common/message.h"
#include "app/common/request.h"
#include "app/report/report.h"
#include "apps/nas/nas.h"

/* The class of the options, or of the file to compare with.  Rank 0 reads the file. */
static int choose_class(app *a, nas_original *original, nas_class *c) {
  enum { NOT_GIVEN = -1, DEFAULT = 2 /* class A */ };
  static const char words[] = NAS_CLASSES;
  int given = a->opt.nas_class;
  char letter = words[2 * (given == NOT_GIVEN ? DEFAULT : given)];
  if (a->opt.original[0]) {
    pfft3d_error e = {0};
    if (a->rank == 0) nas_original_read(a->opt.original, original, &e);
    MPI_Bcast(&e, (int)sizeof e, MPI_BYTE, 0, a->comm);
    MPI_Bcast(original, (int)sizeof *original, MPI_BYTE, 0, a->comm);
    int status = app_take(&a->error, &e);
    if (status) return status;
    if (given == NOT_GIVEN) letter = original->letter;
  }
  *c = nas_class_of(letter);
  if (!a->opt.original[0] || letter == original->letter) return PFFT3D_OK;
  app_fail(&a->error, PFFT3D_ERR_DATA, "'%.150s' is of class %c, this run is of class %c",
           a->opt.original, original->letter, letter);
  app_hint(&a->error, "without --class, that of the file is run");
  return a->error.status;
}

static int nas_run(app *a) {
  nas_class c;
  nas_original original = {.runs = 0};
  pfft3d_error e = {0};
  if (choose_class(a, &original, &c)) return a->error.status;
  memcpy(a->opt.grid, c.n, sizeof c.n);
  pfft3d_request *r = options_request(a, NULL);
  pfft3d_problem p;
  char letter[2] = {c.letter, 0};
  json_t *report = report_begin(a);
  pfft3d_request_problem(r, &p);
  pfft3d_request_destroy(&r);
  report_problem(a, report, &p);
  json_object_update_new(report, json_pack("{s:s,s:i,s:i}", "class", letter, "iterations",
                                           c.iterations, "seed", 314159265));
  if (original.runs) json_object_set_new(report, "original", nas_original_report(&original));
  nas_run_all(a, &c, report, &e);
  app_take(&a->error, &e);
  json_object_set_new(report, "verified", json_boolean(!a->error.status));
  if (!a->error.status || a->error.status == PFFT3D_ERR_CHECK)
    report_end(a, report, nas_text);
  else
    json_decref(report);
  return a->error.status;
}

const command cmd_nas = {
    .name = "nas",
    .summary = "runs NAS FT, classes S to E, on any number of ranks",
    .options = "class compare machine device order reps warmup verbose " FIELD_OPTIONS RUN_OPTIONS,
    .about =
        "The FT benchmark of the NAS Parallel Benchmarks: a spectrum evolves in time and is\n"
        "transformed back in each step.  The default class is A, or that of the file of "
        "--compare.\n"
        "Prints the result in the form of the original, then phases and rates.  Checksums must\n"
        "agree with those of the original to 1e-12.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d nas --class B\n"
        "  mpirun -n 6 pfft3d nas --class A --exchange all --json nas.json\n"
        "  mpirun -n 2 pfft3d nas --compare ft.A.2.log\n",
    .run = nas_run,
};
