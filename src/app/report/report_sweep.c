/* SPDX-License-Identifier: BSD-3-Clause
 * The table at the end of a report on several problems: a row for each run, timed or predicted. */
#include <stdio.h>
#include <string.h>

#include "app/report/report.h"

/* The cells of a timed run: median, GFLOP/s, hidden share, check. */
static void timed_cells(const json_t *run) {
  char time[32], hidden[16] = "-";
  const json_t *share = report_at(run, "exchange.hidden_share"),
               *pass = report_at(run, "check.pass");
  if (json_is_number(share))
    snprintf(hidden, sizeof hidden, "%.0f %%", 100 * json_number_value(share));
  printf(" %9s %7.4g %6s  %s", report_seconds(report_number(run, "time_s.median"), time),
         report_number(run, "gflops"), hidden,
         !pass                ? "-"
         : json_is_true(pass) ? "PASS"
                              : "FAIL");
}

/* The cells of a predicted run: seconds, messages per rank, memory per rank. */
static void dry_cells(const json_t *run) {
  char time[32], each[32], memory[32], messages[64];
  double bytes = report_number(run, "memory.user_bytes") + report_number(run, "memory.work_bytes");
  snprintf(messages, sizeof messages, "%.0f of %s", report_number(run, "messages.remote_per_rank"),
           report_bytes(report_number(run, "messages.bytes_each_max"), each));
  printf(" %9s  %-17s %9s", report_seconds(report_number(run, "predicted_s"), time), messages,
         report_bytes(bytes, memory));
}

void report_text_sweep(const json_t *report) {
  const json_t *runs = report_at(report, "runs"), *first = json_array_get(runs, 0);
  int dry = report_at(first, "predicted_s") && !report_at(first, "time_s"), width = 7;
  report_widths w = report_columns(runs);
  size_t i;
  json_t *run;
  json_array_foreach(runs, i, run) {
    int length = (int)strlen(report_word(run, "problem"));
    if (length > width) width = length;
  }
  printf("\n%-*s  %-8s %-*s %-*s %-*s", width, "problem", "", w.decomp,
         report_at(first, "method") ? "method" : "decomp", w.exchange, "exchange", w.engine,
         "engine");
  printf(dry ? " %9s  %-17s %9s\n" : " %9s %7s %6s  %s\n", dry ? "predicted" : "median",
         dry ? "messages per rank" : "GFLOP/s", dry ? "memory" : "hidden", "check");
  json_array_foreach(runs, i, run) {
    char cuts[48];
    printf("%-*s  %-8s %-*s %-*s %-*s", width, report_word(run, "problem"),
           report_word(run, "direction"), w.decomp, report_cuts(run, cuts), w.exchange,
           report_word(run, "algo"), w.engine, report_word(run, "engine"));
    (dry ? dry_cells : timed_cells)(run);
    printf("\n");
  }
}
