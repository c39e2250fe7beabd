/* SPDX-License-Identifier: BSD-3-Clause
 * The report as CSV: a row for each run, or the table that it has. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/report/fields.h"
#include "app/report/report.h"

/* A field of a run, or of the whole report. */
static const json_t *csv_value(const json_t *report, const json_t *run, const char *path) {
  const json_t *v = report_at(run, path);
  return v ? v : report_at(report, path);
}

/* The entries with a row each: runs, or pairs of them. */
static const json_t *csv_rows(const json_t *report) {
  const json_t *runs = report_at(report, "runs");
  return runs ? runs : report_at(report, "pairs");
}

static int csv_used(const json_t *report, const char *path) {
  size_t i;
  json_t *run;
  json_array_foreach(csv_rows(report), i, run) if (csv_value(report, run, path)) return 1;
  return 0;
}

/* One cell, quoted if necessary. */
static void csv_cell(FILE *f, const char *text, int first) {
  if (!first) fputc(',', f);
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, f);
    return;
  }
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

/* A table that is the result itself: {"columns": [names], "rows": [[numbers]]}. */
static void csv_table(const json_t *table, FILE *f) {
  size_t r, c;
  json_t *row, *cell;
  json_array_foreach(report_at(table, "columns"), c, cell)
      fprintf(f, "%s%s", c ? "," : "", json_string_value(cell));
  fputc('\n', f);
  json_array_foreach(report_at(table, "rows"), r, row) {
    json_array_foreach(row, c, cell)
        fprintf(f, "%s%.17g", c ? "," : "", json_is_null(cell) ? NAN : json_number_value(cell));
    fputc('\n', f);
  }
}

/* Further tables, each behind an empty line. */
static void csv_tables(const json_t *tables, FILE *f) {
  const char *name;
  json_t *table;
  json_object_foreach((json_t *)tables, name, table) {
    fputc('\n', f);
    csv_table(table, f);
  }
}

void report_csv(const json_t *report, FILE *f) {
  char cell[FILE_SIZE + 1];
  size_t r;
  json_t *run;
  int first = 1;
  if (report_at(report, "table")) {
    csv_table(report_at(report, "table"), f);
    csv_tables(report_at(report, "tables"), f);
    return;
  }
  for (int i = 0; report_fields[i].path; i++)
    if (csv_used(report, report_fields[i].path))
      csv_cell(f, report_fields[i].path, first), first = 0;
  fputc('\n', f);
  json_array_foreach(csv_rows(report), r, run) {
    first = 1;
    for (int i = 0; report_fields[i].path; i++) {
      if (!csv_used(report, report_fields[i].path)) continue;
      report_plain(csv_value(report, run, report_fields[i].path), cell, sizeof cell);
      csv_cell(f, cell, first), first = 0;
    }
    fputc('\n', f);
  }
}
