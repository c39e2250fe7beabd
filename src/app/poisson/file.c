/* SPDX-License-Identifier: BSD-3-Clause
 * poisson --input: from an HDF5 dataset to another.  What may fail (the header of the input, space
 * for the output, memory) comes before the work. */
#include <pfft3d_hdf5.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/poisson/poisson.h"
#include "app/report/report.h"

typedef struct job {
  app *a;
  domain d;
  solver s;
  pfft3d_dataset *dataset;
  pfft3d_dataset_info input;
  pfft3d_output *output;
  double seconds[2]; /* reading, writing */
} job;

static int probe(job *j) {
  app *a = j->a;
  watch_kick("looking at the input");
  if (pfft3d_dataset_probe(a->comm, a->opt.input, &j->dataset, &a->error)) return a->error.status;
  pfft3d_dataset_get_info(j->dataset, &j->input, sizeof j->input);
  j->d.dims = j->input.dims;
  memcpy(j->d.n, j->input.n, sizeof j->d.n);
  return poisson_domain(a, &j->d, 1);
}

static int create_output(job *j) {
  char sides[80], lengths[120], source[1600];
  const domain *d = &j->d;
  size_t used = 0;
  snprintf(source, sizeof source, "%s:%s", j->input.file, j->input.path);
  for (int a = 3 - d->dims; a < 3; a++)
    used += (size_t)snprintf(lengths + used, sizeof lengths - used, "%s%.17g", used ? "," : "",
                             d->length[a]);
  const pfft3d_attribute attributes[] = {
      {"pfft3d_version", pfft3d_version()},
      {"equation", "laplacian(u) = f"},
      {"bc", domain_print_sides(d, sides, sizeof sides)},
      {"length", lengths},
      {"stencil", d->open     ? "none"
                  : d->second ? "second"
                              : "spectral"},
      {"source", source},
      {NULL, NULL},
  };
  pfft3d_output_spec spec = {.name = j->a->opt.output,
                             .path = j->input.path,
                             .precision = (pfft3d_precision)j->a->opt.precision,
                             .numbers = j->input.numbers,
                             .dims = d->dims,
                             .overwrite = j->a->opt.force,
                             .source = j->dataset,
                             .attributes = attributes};
  memcpy(spec.n, d->n, sizeof spec.n);
  watch_kick("reserving the output");
  return pfft3d_output_create(j->a->comm, &spec, sizeof spec, &j->output, &j->a->error);
}

static int plan(job *j) {
  return solver_open(j->a, &j->s, &j->d, j->input.numbers == PFFT3D_COMPLEX, &j->a->error);
}

static int read_input(job *j) {
  app *a = j->a;
  const rows *r = &j->s.rows;
  watch_kick("reading the input");
  app_progress(a, "reading %s", j->input.file);
  double start = MPI_Wtime();
  if (pfft3d_dataset_read(j->dataset, (pfft3d_precision)a->opt.precision, j->input.numbers,
                          &r->part, solver_array(&j->s), &a->error))
    return a->error.status;
  pfft3d_dataset_get_info(j->dataset, &j->input, sizeof j->input);
  j->seconds[0] = MPI_Wtime() - start;
  if (!(j->input.nonfinite > 0)) return PFFT3D_OK;
  char found[320];
  snprintf(found, sizeof found, "'%.100s:%.100s' has values that are not finite: %.0f of them",
           j->input.file, j->input.path, j->input.nonfinite);
  if (a->opt.strict) return app_fail(&a->error, PFFT3D_ERR_DATA, "%s", found);
  app_warn(a, "%s: nor will the solution be", found);
  return PFFT3D_OK;
}

static int solve(job *j) {
  app_progress(j->a, "solving");
  solver_run(&j->s);
  poisson_warn(&j->s);
  return PFFT3D_OK;
}

static int write_output(job *j) {
  app *a = j->a;
  watch_kick("writing the output");
  app_progress(a, "writing %s", a->opt.output);
  double start = MPI_Wtime();
  if (pfft3d_output_write(j->output, &j->s.rows.part, solver_array(&j->s), &a->error) ||
      pfft3d_output_commit(&j->output, &a->error))
    return a->error.status;
  j->seconds[1] = MPI_Wtime() - start;
  return PFFT3D_OK;
}

static void print_text(const app *a, const json_t *report) {
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  char time[3][32];
  report_text_head(a, report);
  printf("%s:%s -> %s\n", json_string_value(report_at(report, "input.file")),
         json_string_value(report_at(report, "input.path")), report_word(report, "output"));
  printf("laplacian(u) = f, bc %s, stencil %s\n", report_word(item, "bc"),
         report_word(item, "stencil"));
  printf("solved in %s, read in %s, written in %s\n",
         report_seconds(report_number(item, "time_s.median"), time[0]),
         report_seconds(report_number(item, "phases.read.max"), time[1]),
         report_seconds(report_number(item, "phases.write.max"), time[2]));
}

static void print_report(job *j) {
  app *a = j->a;
  json_t *report = report_begin(a), *item = poisson_entry(&j->s, &j->s.seconds, 1);
  json_t *phases = json_object();
  char problem[160];
  json_object_set_new(phases, "read", run_spread(a, j->seconds[0]));
  json_object_set_new(phases, "write", run_spread(a, j->seconds[1]));
  json_object_set_new(item, "phases", phases);
  pfft3d_problem_print(&j->s.r.request.problem, problem, sizeof problem);
  json_object_set_new(report, "problem", json_string(problem));
  report_add(report, item);
  json_object_set_new(report, "input",
                      json_pack("{s:o,s:o,s:o,s:f}", "file", report_words(j->input.file), "path",
                                report_words(j->input.path), "type", report_words(j->input.type),
                                "nonfinite", j->input.nonfinite));
  json_object_set_new(report, "output", report_words(a->opt.output));
  report_end(a, report, print_text);
}

int poisson_file(app *a) {
  job j = {.a = a};
  if (!probe(&j) && !create_output(&j) && !plan(&j) && !read_input(&j) && !solve(&j) &&
      !write_output(&j))
    print_report(&j);
  pfft3d_output_discard(&j.output);
  pfft3d_dataset_free(&j.dataset);
  solver_close(&j.s);
  return a->error.status;
}
