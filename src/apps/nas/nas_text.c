/* SPDX-License-Identifier: BSD-3-Clause
 * The report of NAS FT as text: the original's figures in its form, then further ones, then a
 * comparison with the original. */
#include <stdlib.h>

#include "app/report/report.h"
#include "apps/nas/nas.h"

static const char *verdict(const json_t *tree) {
  return json_is_true(report_at(tree, "verified")) ? "SUCCESSFUL" : "UNSUCCESSFUL";
}

/* The original writes x, y, z. */
static void size_text(const nas_class *c, char *out, size_t size) {
  snprintf(out, size, "%4tdx%4tdx%4td", c->n[2], c->n[1], c->n[0]);
}

static void checksums_text(const json_t *run) {
  size_t t;
  json_t *sum;
  printf("\n");
  json_array_foreach(report_at(run, "checksums"), t, sum)
      printf(" T =%5zu     Checksum =%22.12E%22.12E\n", t + 1,
             json_number_value(json_array_get(sum, 0)), json_number_value(json_array_get(sum, 1)));
}

/* Label and value as the original aligns them. */
static void word_line(const char *label, const char *value) {
  printf(" %-16s= %24s\n", label, value);
}
static void count_line(const char *label, double value) {
  printf(" %-16s= %24.0f\n", label, value);
}
static void rate_line(const char *label, double value) {
  printf(" %-16s= %24.2f\n", label, value);
}

static void block_text(const json_t *report, const json_t *run) {
  const char *letter = report_word(run, "class");
  nas_class c = nas_class_of(letter[0]);
  char text[64];
  size_text(&c, text, sizeof text);
  printf("\n FT Benchmark Completed.\n");
  word_line("Class", letter);
  word_line("Size", text);
  count_line("Iterations", report_number(run, "iterations"));
  printf(" %-16s= %24.4f\n", "Time in seconds", report_number(run, "time_s.median"));
  count_line("Total processes", report_number(report, "ranks"));
  count_line("Active processes", report_number(report, "ranks") - report_number(run, "idle_ranks"));
  rate_line("Mop/s total", report_number(run, "mops"));
  rate_line("Mop/s/process", report_number(run, "mops_per_process"));
  word_line("Operation type", "floating point");
  word_line("Verification", verdict(run));
  snprintf(text, sizeof text, "pfft3d %s", report_word(report, "version"));
  word_line("Version", text);
}

/* ---- several plans ---- */

static void ranking_text(json_t *const *order, size_t count) {
  char time[32];
  printf("\n           decomp    exchange    engine       time    Mop/s  FFT GFLOP/s\n");
  for (size_t i = 0; i < count; i++)
    printf("%9zu  %-8s  %-10s  %-6s %10s %8.0f  %11.2f%s\n", i + 1, report_word(order[i], "decomp"),
           report_word(order[i], "algo"), report_word(order[i], "engine"),
           report_seconds(report_number(order[i], "time_s.median"), time),
           report_number(order[i], "mops"), report_number(order[i], "gflops"),
           json_is_true(report_at(order[i], "verified")) ? "" : "  UNSUCCESSFUL");
}

/* ---- comparison with the original ---- */

static void pair(const char *label, double original, double ours, int decimals, int ratio) {
  printf(" %-16s %20.*f %20.*f", label, decimals, original, decimals, ours);
  if (ratio) printf(" %8.2f x", ratio > 0 ? original / ours : ours / original);
  printf("\n");
}

static void original_text(const json_t *report, const json_t *run) {
  const json_t *o = report_at(report, "original");
  const json_t *error = report_at(o, "checksum_error");
  double ours = report_number(report, "ranks") * report_number(report, "threads");
  double theirs = report_number(o, "ranks");
  char text[2][32];
  if (!o) return;
  printf("\n%s and pfft3d, engine %s, exchange %s:\n", report_word(o, "file"),
         report_word(run, "engine"), report_word(run, "algo"));
  snprintf(text[0], sizeof text[0], "NPB %s", report_word(o, "version"));
  snprintf(text[1], sizeof text[1], "pfft3d %s", report_word(report, "version"));
  printf(" %-16s %20s %20s\n", "", text[0], text[1]);
  printf(" %-16s %20s %20s\n", "Class", report_word(o, "class"), report_word(run, "class"));
  pair("Runs", report_number(o, "runs"), (double)json_array_size(report_at(run, "time_s.reps")), 0,
       0);
  pair("Iterations", report_number(o, "iterations"), report_number(run, "iterations"), 0, 0);
  if (theirs > 0) pair("Processes", theirs, ours, 0, 0); /* or threads */
  pair("Time in seconds", report_number(o, "seconds"), report_number(run, "time_s.median"), 4, 1);
  pair("Mop/s total", report_number(o, "mops"), report_number(run, "mops"), 2, -1);
  if (theirs > 0)
    pair("Mop/s/process", report_number(o, "mops") / theirs, report_number(run, "mops") / ours, 2,
         -1);
  printf(" %-16s %20s %20s\n", "Verification", verdict(o), verdict(run));
  if (json_is_number(error))
    printf(" %-16s %20.1e %20.1e\n", "Checksums off by", json_number_value(error),
           report_number(run, "check.checksum"));
  if (theirs > 0 && theirs != ours)
    printf("The number of processes differs: Mop/s/process is what can be compared, with care.\n");
}

void nas_text(const app *a, const json_t *report) {
  const json_t *runs = report_at(report, "runs");
  size_t count, i;
  json_t **order = report_ranked(runs, "both", &count), *run;
  report_text_head(a, report);
  if (count) checksums_text(order[0]);
  json_array_foreach(runs, i, run) {
    if (a->opt.verbose && i) checksums_text(run);
    block_text(report, run);
    report_text_run(run, count > 2 && !a->opt.verbose);
  }
  if (count > 1) ranking_text(order, count);
  if (count) original_text(report, order[0]);
  free(order);
}
