/* SPDX-License-Identifier: BSD-3-Clause
 * The text and the picture of a spectrum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/picture.h"
#include "app/report/report.h"
#include "apps/spectrum/spectrum.h"

double spectrum_cell(const json_t *table, size_t row, size_t column) {
  const json_t *cell = json_array_get(json_array_get(report_at(table, "rows"), row), column);
  return json_is_null(cell) ? NAN : json_number_value(cell);
}

double spectrum_complete(const job *j) {
  double least = INFINITY;
  for (int k = 3 - j->s.dims; k < 3; k++) {
    ptrdiff_t last = j->s.n[k] / 2;
    if (last) least = fmin(least, (double)last / j->m.length[k]);
  }
  return isinf(least) ? 0 : 2 * 3.14159265358979323846 * least;
}

/* ---- the picture ---- */

enum { MOST_LINES = 12 };

/* Adds a column of complete shells, as far as it is not rounding errors, to the lines. */
static void add_line(const job *j, const json_t *table, int column, picture_line *line) {
  size_t all = json_array_size(report_at(table, "rows"));
  double last = spectrum_complete(j) > 0 ? spectrum_complete(j) : INFINITY, most = 0;
  double *x = app_malloc(j->a, all, 2 * sizeof(double)), *y = x + all;
  int count = 0;
  for (size_t i = 0; i < all; i++) most = fmax(most, spectrum_cell(table, i, (size_t)column));
  for (size_t i = 0; i < all; i++) {
    x[count] = spectrum_cell(table, i, 0);
    y[count] = spectrum_cell(table, i, (size_t)column);
    count += y[count] > 1e-25 * most && !(x[count] > last);
  }
  *line = (picture_line){.x = x, .y = y, .count = count};
}

/* Draws the energy of vectors, else all powers. */
int spectrum_draw(job *j) {
  app *a = j->a;
  picture_line lines[MOST_LINES];
  size_t column;
  const json_t *name;
  int count = 0, vector = j->s.sample[0].components > 1;
  const char *wanted = vector ? "energy" : "power";
  json_array_foreach(report_at(j->table, "columns"), column, name) {
    const char *text = json_string_value(name);
    if (count == MOST_LINES || strncmp(text, wanted, strlen(wanted)) != 0) continue;
    add_line(j, j->table, (int)column, &lines[count]);
    lines[count++].name = text;
  }
  if (count == 1) lines[0].name = NULL;
  char title[sizeof a->opt.input + 40];
  snprintf(title, sizeof title, "%s spectrum of %s", vector ? "energy" : "power", a->opt.input);
  const picture p = {.title = title,
                     .label = {"wavenumber k", vector ? "energy per shell" : "power"},
                     .logarithmic = {1, 1},
                     .slope_thirds = vector ? -5 : 0}; /* Kolmogorov's, of an energy */
  picture_draw_lines(a, &p, lines, count);
  for (int i = 0; i < count; i++) free((double *)lines[i].x);
  return a->error.status;
}

/* ---- the text ---- */

static void print_particles(const json_t *item) {
  if (!report_at(item, "shot_noise")) return;
  printf(", %.0f particles, shot noise %.6g%s", report_number(item, "particles"),
         report_number(item, "shot_noise"),
         json_is_true(report_at(item, "shot_noise_subtracted")) ? " subtracted" : "");
  if (report_number(item, "outside") > 0)
    printf(", %.0f outside the box", report_number(item, "outside"));
}

/* The first rows and columns of the table. */
static void print_table(const json_t *table) {
  enum { SHOWN = 24, ACROSS = 8 };
  size_t shown, c, count = json_array_size(report_at(table, "rows"));
  size_t across = json_array_size(report_at(table, "columns"));
  size_t columns = across < ACROSS ? across : ACROSS;
  for (c = 0; c < columns; c++)
    printf("%s%*s", c ? " " : "", c == 2 ? 12 : 14,
           json_string_value(json_array_get(report_at(table, "columns"), c)));
  printf("\n");
  for (shown = 0; shown < count && shown < SHOWN; shown++) {
    for (c = 0; c < columns; c++)
      printf("%s%*.*g", c ? " " : "", c == 2 ? 12 : 14, c == 2 ? 12 : 7,
             spectrum_cell(table, shown, c));
    printf("\n");
  }
  if (count > SHOWN) printf("... and %zu more: --csv FILE has all\n", count - SHOWN);
  if (across > columns) printf("%zu more columns: --csv FILE has all\n", across - columns);
}

void spectrum_print(const app *a, const json_t *report) {
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  const json_t *table = report_at(report, "table"), *more;
  size_t count = json_array_size(report_at(table, "rows"));
  const char *name;
  char time[32];
  report_text_head(a, report);
  printf("%s: mean %.6g", a->opt.input, report_number(item, "mean"));
  if (report_at(item, "mean_imaginary")) printf(" %+.6g i", report_number(item, "mean_imaginary"));
  printf(", variance ");
  if (json_is_null(report_at(item, "variance")))
    printf("beyond double precision");
  else
    printf("%.6g", report_number(item, "variance"));
  print_particles(item);
  if (report_at(item, "compressive"))
    printf(", %.3g %% of it compressive", 100 * report_number(item, "compressive"));
  printf("\n%zu shells, complete up to k = %.6g; transformed and summed in %s", count,
         report_number(item, "k_complete"),
         report_seconds(report_number(item, "time_s.median"), time));
  field_print_times(item);
  if (report_at(item, "phases.assign"))
    printf("particles sent in %s", report_seconds(report_number(item, "phases.send.max"), time)),
        printf(", put on the grid in %s\n",
               report_seconds(report_number(item, "phases.assign.max"), time));
  printf("Parseval: relative error %.1e, limit %.1e, %s\n\n", report_number(item, "check.parseval"),
         report_number(item, "check.limit"),
         json_is_true(report_at(item, "check.pass")) ? "PASS" : "FAIL");
  print_table(table);
  json_object_foreach((json_t *)report_at(report, "tables"), name, more)
      printf("and a table %s, %zu rows: --csv and --output have it\n", name,
             json_array_size(report_at(more, "rows")));
}
