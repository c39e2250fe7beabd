/* SPDX-License-Identifier: BSD-3-Clause
 * poisson --input: from an HDF5 dataset to another.  Everything that may fail (the header of the
 * input, space for the output, memory) comes before the work. */
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/report/report.h"
#include "app/run/field_run.h"
#include "apps/poisson/poisson.h"

typedef struct job {
  app *a;
  domain d;
  walls walls;
  pfft3d_numbers numbers; /* of the solution */
  solver s;
  field_input in;
  field_output out;
} job;

static int probe(job *j) {
  app *a = j->a;
  if (field_probe(a, a->opt.input, &j->in)) return a->error.status;
  j->d.dims = j->in.info.dims;
  memcpy(j->d.n, j->in.info.n, sizeof j->d.n);
  j->numbers = a->opt.lambda[1] != 0 ? PFFT3D_COMPLEX : j->in.info.numbers;
  return poisson_domain(a, &j->d, 1);
}

static int probe_walls(job *j) {
  app *a = j->a;
  walls *w = &j->walls;
  if (walls_parse(w, a->opt.wall_values, &a->error) || walls_place(w, &j->d, &a->error) ||
      walls_probe(a, w, &j->d))
    return a->error.status;
  if (w->is_complex && j->numbers != PFFT3D_COMPLEX)
    return app_fail(&a->error, PFFT3D_ERR_DATA, "--wall-values: complex, and the solution is real");
  return PFFT3D_OK;
}

static int create_output(job *j) {
  char sides[80], lengths[120], equation[POISSON_EQUATION];
  const domain *d = &j->d;
  size_t used = 0;
  for (int a = 3 - d->dims; a < 3; a++)
    used += (size_t)snprintf(lengths + used, sizeof lengths - used, "%s%.17g", used ? "," : "",
                             d->length[a]);
  const pfft3d_attribute attributes[] = {
      {"equation", poisson_equation(j->a, d, equation, sizeof equation)},
      {"bc", domain_print_sides(d, sides, sizeof sides)},
      {"length", lengths},
      {"stencil", poisson_stencil(d)},
      {d->grid          ? "coordinates"
       : j->walls.given ? "wall_values"
                        : NULL,
       d->grid ? j->a->opt.coordinates : j->a->opt.wall_values},
      {d->grid && j->walls.given ? "wall_values" : NULL, j->a->opt.wall_values},
      {NULL, NULL},
  };
  pfft3d_output_spec wish = {.numbers = j->numbers, .dims = d->dims, .attributes = attributes};
  memcpy(wish.n, d->n, sizeof wish.n);
  return field_create(j->a, &j->in, &wish, &j->out);
}

/* Nonzero if numbers in the file have single precision or less, by the name of their type. */
static int is_coarse(const char *type) {
  static const struct {
    const char *name;
    long most; /* bits */
  } floats[] = {{"float", 32}, {"complex", 64}};
  for (int k = 0; k < 2; k++) {
    size_t length = strlen(floats[k].name);
    if (strncmp(type, floats[k].name, length) == 0)
      return strtol(type + length, NULL, 10) <= floats[k].most;
  }
  return 0;
}

static int plan(job *j) {
  solver_open(j->a, &j->s, &j->d, j->numbers == PFFT3D_COMPLEX, &j->a->error);
  j->s.coarse = is_coarse(j->in.info.type);
  if (j->walls.given) j->s.walls = &j->walls;
  return j->a->error.status;
}

static int read_input(job *j) {
  if (walls_read(j->a, &j->walls, &j->d, &j->s.rows.part, j->s.numbers)) return j->a->error.status;
  return field_read(j->a, &j->in, j->numbers, &j->s.rows.part, solver_array(&j->s),
                    "nor will the solution be");
}

static int solve(job *j) {
  app_progress(j->a, "solving");
  solver_run(&j->s);
  poisson_warn(&j->s);
  return PFFT3D_OK;
}

static int write_output(job *j) {
  int finite = !(j->in.info.nonfinite > 0);
  return field_write_rows(j->a, &j->out, &j->s.rows, solver_array(&j->s), finite);
}

static void print_text(const app *a, const json_t *report) {
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  char time[32];
  report_text_head(a, report);
  printf("%s:%s -> %s\n", json_string_value(report_at(report, "input.file")),
         json_string_value(report_at(report, "input.path")), report_word(report, "output"));
  printf("%s, bc %s, stencil %s\n", report_word(report, "equation"), report_word(item, "bc"),
         report_word(item, "stencil"));
  printf("solved in %s", report_seconds(report_number(item, "time_s.median"), time));
  field_print_times(item);
}

static void print_report(job *j) {
  app *a = j->a;
  json_t *report = report_begin(a), *item = poisson_entry(&j->s, &j->s.seconds, 1);
  poisson_head(a, report, &j->d, &j->s.r.problem);
  field_report(a, &j->in, &j->out, item, report);
  report_add(report, item);
  report_end(a, report, print_text);
}

int poisson_file(app *a) {
  job j = {.a = a};
  if (!probe(&j) && !probe_walls(&j) && !create_output(&j) && !plan(&j) && !read_input(&j) &&
      !solve(&j) && !write_output(&j))
    print_report(&j);
  field_discard(&j.out);
  walls_close(&j.walls);
  grid_free(j.d.grid);
  field_close(&j.in);
  solver_close(&j.s);
  return a->error.status;
}
