/* SPDX-License-Identifier: BSD-3-Clause
 * From file to file, for arrays of any dimensions.  Leading dimensions that are not transformed are
 * a batch: of small fields the ranks have some each, of large ones each is transformed by all
 * ranks, one after the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/request.h"
#include "app/common/timeline.h"
#include "app/common/watch.h"
#include "app/files/array_work.h"
#include "app/report/report.h"

/* One transform after the other. */
typedef struct runs {
  array_work *j;
  int loop;        /* leading dimensions whose indices are taken one after the other */
  ptrdiff_t count; /* of their indices */
  pfft3d_nd *nd;   /* of all other dimensions */
  int real[2];     /* by side: real numbers */
  void *array[2];  /* input and output of this rank */
  field_output out;
  double seconds, plan_s, verify_s, nonfinite, filled; /* of transforms, of planning, ... */
  long double energy[2];                               /* of this rank's inputs and outputs */
  json_t *check;
} runs;

/* ---- The plan ----------------------------------------------------------------------------- */

/* Bytes of this rank's part of a batch of small fields. */
static const double small = 1 << 30;

static double rest_of(const array_work *j, int from) {
  double all = 16;
  for (int k = from; k < j->dims; k++) all *= (double)j->n[PFFT3D_SPACE][k];
  return all;
}

/* The dimensions to loop over: as few as memory allows, if the next one has an index for each rank
 * and is not transformed; else all leading ones that are not transformed.  None if values are
 * filled with the mean, which is that of the whole input. */
static void choose_loop(runs *r) {
  const array_work *j = r->j;
  int lead = 0;
  double ranks = j->a->ranks;
  int mean = options_given(&j->a->opt, "fill") && isnan(j->a->opt.fill);
  while (!mean && lead < j->dims - 1 && j->kind[lead] == PFFT3D_NONE) lead++;
  for (r->loop = 0; r->loop < lead; r->loop++) {
    double each = ceil((double)j->n[PFFT3D_SPACE][r->loop] / ranks);
    if (each * ranks < 2 * (double)j->n[PFFT3D_SPACE][r->loop] &&
        each * rest_of(j, r->loop + 1) <= small)
      break;
  }
  r->count = 1;
  for (int k = 0; k < r->loop; k++) r->count *= j->n[PFFT3D_SPACE][k];
}

/* Records the plans in which all ranks have a part. */
static void record(const runs *r) {
  const app *a = r->j->a;
  for (int k = 0, some = 1; some && a->timeline; k++) {
    pfft3d_plan *plan = pfft3d_nd_step(r->nd, k);
    int all = plan != NULL;
    some = all;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, a->comm);
    MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, a->comm);
    if (all) timeline_record(a, plan, 1);
  }
}

static int plan(runs *r) {
  array_work *j = r->j;
  app *a = j->a;
  char kinds[96] = "";
  ptrdiff_t n[ARRAY_DIMS];
  pfft3d_nd_spec spec = {.dims = j->dims - r->loop, .kind = kinds};
  if (j->half >= 0) spec.half = 1 + j->half - r->loop;
  for (int k = r->loop; k < j->dims; k++) {
    size_t used = strlen(kinds);
    spec.n[k - r->loop] = j->n[PFFT3D_SPACE][k];
    snprintf(kinds + used, sizeof kinds - used, "%s%s", used ? "," : "",
             pfft3d_list_name(PFFT3D_KINDS, (int)j->kind[k], NULL));
  }
  const pfft3d_problem point = {.kind = j->real ? PFFT3D_R2C : PFFT3D_C2C,
                                .precision = options_precision(&a->opt),
                                .n = {1, 1, 1},
                                .dims = 3,
                                .sign = options_is(&a->opt, "sign", "+1")};
  pfft3d_request *request = options_request(a, &point);
  pfft3d_request_parse(request, "order=natural layout=block out-layout=block", NULL);
  pfft3d_request_scales(request, j->scale[0], j->scale[1], NULL);
  watch_kick("planning");
  app_progress(a, "planning");
  double start = MPI_Wtime();
  pfft3d_nd_create(a->comm, request, &spec, sizeof spec, &r->nd, &a->error);
  r->plan_s = MPI_Wtime() - start;
  pfft3d_request_destroy(&request);
  if (a->error.status) return a->error.status;
  for (int side = 0; side < 2; side++) {
    pfft3d_nd_extents(r->nd, (pfft3d_side)side, n, &r->real[side]);
    if (pfft3d_nd_alloc(r->nd, &r->array[side], &a->error)) return a->error.status;
  }
  record(r);
  return PFFT3D_OK;
}

/* ---- The output --------------------------------------------------------------------------- */

static int create_output(runs *r) {
  array_work *j = r->j;
  const pfft3d_attribute attributes[] = {
      {"problem", j->problem},
      {"direction", j->direction == PFFT3D_FORWARD ? "forward" : "backward"},
      {"normalization", file_factor(j->direction, j->norm)},
      {NULL, NULL},
  };
  int real = j->real && (j->to == PFFT3D_SPACE || j->half < 0);
  pfft3d_output_spec spec = {
      .numbers = real ? PFFT3D_REAL : PFFT3D_COMPLEX, .dims = j->dims, .attributes = attributes};
  ptrdiff_t n[ARRAY_DIMS] = {1, 1, 1};
  pfft3d_axis_kind kind[ARRAY_DIMS] = {PFFT3D_NONE, PFFT3D_NONE, PFFT3D_NONE};
  const char *known[ARRAY_DIMS] = {"", "", ""};
  int lead = j->dims < 3 ? 3 - j->dims : 0; /* of the specification, without a dimension */
  file_names names;
  for (int k = 0; k < j->dims; k++) {
    n[lead + k] = j->n[j->to][k];
    kind[lead + k] = j->kind[k];
    known[lead + k] = j->in->info.dimension[k];
  }
  memcpy(spec.n, n, sizeof spec.n);
  memcpy(spec.extent, n, sizeof spec.extent);
  const file_dims dims = {lead + j->dims, j->direction, j->half < 0 ? -1 : lead + j->half, n,
                          kind,           known};
  spec.axes = file_axes(j->a, &dims, &names);
  field_create(j->a, j->in, &spec, &r->out);
  free(names.values);
  return j->a->error.status;
}

/* ---- One field, or some ------------------------------------------------------------------- */

/* This rank's block of a side of transform number k; returns the number of its elements. */
static ptrdiff_t block_of(const runs *r, int side, ptrdiff_t k, pfft3d_block *b) {
  const array_work *j = r->j;
  pfft3d_block part;
  ptrdiff_t elements = 1;
  pfft3d_nd_block(r->nd, (pfft3d_side)side, j->a->rank, &part);
  memset(b, 0, sizeof *b);
  for (int d = r->loop - 1; d >= 0; k /= j->n[side][d--]) {
    b->lo[d] = k % j->n[side][d];
    b->len[d] = 1;
  }
  for (int d = r->loop; d < j->dims; d++) {
    b->lo[d] = part.lo[d - r->loop];
    b->len[d] = part.len[d - r->loop];
    elements *= b->len[d];
  }
  return elements;
}

/* The sum of the squares of a block.  Of half a spectrum most numbers stand for two. */
static long double energy(const runs *r, int side, const pfft3d_block *b, ptrdiff_t elements) {
  const array_work *j = r->j;
  int single = options_precision(&j->a->opt) == PFFT3D_SINGLE, parts = r->real[side] ? 1 : 2;
  ptrdiff_t after = 1, n = j->half < 0 ? 0 : j->n[PFFT3D_SPACE][j->half];
  long double sum = 0;
  for (int d = j->half + 1; d < j->dims && j->half >= 0; d++) after *= b->len[d];
  for (ptrdiff_t i = 0; i < elements; i++) {
    ptrdiff_t k = n && side == PFFT3D_SPECTRUM ? b->lo[j->half] + i / after % b->len[j->half] : 0;
    double weight = k > 0 && 2 * k != n ? 2 : 1;
    for (int p = 0; p < parts; p++) {
      double v = number_get(r->array[side], single, i * parts + p);
      sum += (long double)(weight * v) * v;
    }
  }
  return sum;
}

/* Reads the block again before the file gets its final name. */
static int verify_block(runs *r, const pfft3d_block *b, ptrdiff_t elements) {
  array_work *j = r->j;
  app *a = j->a;
  int side = j->to, precision = options_precision(&a->opt), differ = 1;
  char name[2 * FILE_SIZE];
  size_t bytes = (size_t)elements * (r->real[side] ? 1 : 2) *
                 (precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double));
  pfft3d_dataset *d = NULL;
  double start = MPI_Wtime();
  file_temporary(a, r->out.output, &j->in->info, name);
  const pfft3d_input_spec spec = {.name = name, .dims = ARRAY_DIMS};
  void *again = app_malloc(a, 1, bytes + 1);
  if (!pfft3d_dataset_open(a->comm, &spec, sizeof spec, &d, &a->error) &&
      !pfft3d_dataset_read_block(d, (pfft3d_precision)precision,
                                 r->real[side] ? PFFT3D_REAL : PFFT3D_COMPLEX, b, again, &a->error))
    differ = memcmp(again, r->array[side], bytes) != 0;
  free(again);
  pfft3d_dataset_free(&d);
  if (a->error.status) return a->error.status;
  file_compared(a, differ);
  r->verify_s += MPI_Wtime() - start;
  return a->error.status;
}

static int transform(runs *r, ptrdiff_t k) {
  array_work *j = r->j;
  app *a = j->a;
  pfft3d_block b;
  ptrdiff_t elements = block_of(r, j->from, k, &b);
  pfft3d_numbers numbers = r->real[j->from] ? PFFT3D_REAL : PFFT3D_COMPLEX;
  if (field_read_block(a, j->in, numbers, &b, r->array[j->from],
                       "the result will have such values, too"))
    return a->error.status;
  r->nonfinite += j->in->info.nonfinite;
  r->filled += j->in->filled;
  watch_kick("transforming");
  app_progress(a, "transforming");
  r->energy[0] += energy(r, j->from, &b, elements);
  double start = MPI_Wtime();
  int status = pfft3d_nd_execute(r->nd, j->direction, r->array[j->from], r->array[j->to]);
  r->seconds += MPI_Wtime() - start;
  if (status) app_die(a, status, "a transform has failed");
  elements = block_of(r, j->to, k, &b);
  r->energy[1] += energy(r, j->to, &b, elements);
  if (field_write_block(a, &r->out, &b, r->array[j->to])) return a->error.status;
  return a->opt.verify_output ? verify_block(r, &b, elements) : PFFT3D_OK;
}

/* The conservation of energy, which holds for every field if all axes have a dft; that the result
 * of a finite input is finite. */
static int check(runs *r) {
  array_work *j = r->j;
  app *a = j->a;
  check_sum(a, r->energy, 2);
  if (r->nonfinite > 0) return PFFT3D_OK;
  if (!isfinite(r->energy[1])) return field_not_finite(a, 0);
  int back =
      j->half >= 0 && j->direction == PFFT3D_BACKWARD; /* ignores what a spectrum cannot have */
  if (a->opt.no_verify || back) return PFFT3D_OK;
  for (int k = 0; k < j->axes; k++)
    if (j->kind[j->axis[k]] != PFFT3D_DFT) return PFFT3D_OK;
  double scale = j->scale[j->direction];
  pfft3d_problem limits = {.precision = options_precision(&a->opt), .n = {1, 1, 1}, .dims = 3};
  for (int k = 0; k < j->axes; k++) limits.n[k % 3] *= j->n[PFFT3D_SPACE][j->axis[k]];
  pfft3d_precision wire = options_is(&a->opt, "wire", "single") ? PFFT3D_SINGLE : PFFT3D_SAME;
  check_energy e = {.in = r->energy[0],
                    .out = r->energy[1],
                    .factor = (long double)(j->points * scale) * scale,
                    .points = 1,
                    .single = limits.precision == PFFT3D_SINGLE || wire == PFFT3D_SINGLE};
  for (int k = 0; k < j->dims; k++) e.points *= (double)j->n[PFFT3D_SPACE][k];
  r->check =
      check_conserved(a, &e, check_limit(&limits, wire), "the transform; no output was written");
  return a->error.status;
}

/* ---- The report --------------------------------------------------------------------------- */

static void print_text(const app *a, const json_t *report) {
  char seconds[4][32];
  file_text_head(a, report);
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  printf("  %s of axes %s: %s in %.0f step%s; read %s, write %s; plan %s\n",
         report_word(item, "direction"), report_word(report, "axes"),
         report_seconds(report_number(item, "phases.transform.max"), seconds[0]),
         report_number(item, "transforms"), report_number(item, "transforms") > 1 ? "s" : "",
         report_seconds(report_number(item, "phases.read.max"), seconds[1]),
         report_seconds(report_number(item, "phases.write.max"), seconds[2]),
         report_seconds(report_number(item, "plan_s"), seconds[3]));
}

static void print_report(runs *r) {
  array_work *j = r->j;
  app *a = j->a;
  json_t *report = report_begin(a), *n = json_array(), *plans = json_array();
  char text[512];
  json_object_set_new(report, "problem", json_string(j->problem));
  json_object_set_new(report, "axes", json_string(j->listed));
  for (int k = 0; k < j->dims; k++)
    json_array_append_new(n, json_integer((json_int_t)j->in->info.extent[k]));
  for (int k = 0; k < ARRAY_DIMS; k++)
    if (pfft3d_nd_step(r->nd, k))
      json_array_append_new(
          plans, json_string(pfft3d_plan_print(pfft3d_nd_step(r->nd, k), text, sizeof text)));
  json_t *phases = json_pack("{s:o,s:o,s:o}", "read", run_spread(a, j->in->seconds), "transform",
                             run_spread(a, r->seconds), "write", run_spread(a, r->out.seconds));
  if (a->opt.verify_output) json_object_set_new(phases, "verify", run_spread(a, r->verify_s));
  report_add(report,
             json_pack("{s:s,s:f,s:o,s:I,s:o,s:o}", "direction",
                       j->direction == PFFT3D_FORWARD ? "forward" : "backward", "plan_s", r->plan_s,
                       "plans", plans, "transforms", (json_int_t)r->count, "phases", phases,
                       "check", r->check ? json_incref(r->check) : json_null()));
  json_object_set_new(
      report, "input",
      json_pack("{s:o,s:o,s:o,s:o,s:f}", "file", report_words(j->in->info.file), "path",
                report_words(j->in->info.path), "type", report_words(j->in->info.type), "n", n,
                "nonfinite", r->nonfinite + r->filled));
  json_object_set_new(report, "output", report_words(a->opt.output));
  report_end(a, report, print_text);
}

int array_job_run(app *a, field_input *in, pfft3d_direction direction) {
  array_work j = {.a = a, .in = in, .direction = direction};
  runs r = {.j = &j};
  if (!array_problem(&j)) {
    choose_loop(&r);
    if (!create_output(&r) && !plan(&r)) {
      for (ptrdiff_t k = 0; k < r.count && !a->error.status; k++) transform(&r, k);
      if (!a->error.status && !check(&r) && !field_commit(a, &r.out)) print_report(&r);
    }
  }
  field_discard(&r.out);
  pfft3d_nd_destroy(&r.nd);
  json_decref(r.check);
  return a->error.status;
}
