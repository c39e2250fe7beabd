/* SPDX-License-Identifier: BSD-3-Clause
 * The report as a tree: creation and output. */
#include "app/report/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/common/columns.h"
#include "app/common/message.h"
#include "app/common/watch.h"

/* From the long text of MPI_Get_library_version(), which begins with "Open MPI v4.1.4, package",
 * "MPICH Version:", a tab and "4.0.2", or "Intel(R) MPI Library 2021.18.1 for Linux* OS". */
void report_mpi(char *out, size_t size) {
  enum { longest = 16384 }; /* of any MPI, which need not be that of the build */
  char text[longest] = "";
  int length;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, ",\n")] = 0;
  char *machine = strstr(text, " for ");
  if (machine) *machine = 0;
  snprintf(out, size, "%s", text);
  char *version = strstr(out, " Version:");
  if (version) {
    char *figures = version + strlen(" Version:");
    figures += strspn(figures, " \t");
    memmove(version + 1, figures, strlen(figures) + 1);
  }
  for (char *p = out; *p; p++)
    if (p[0] == ' ' && p[1] == 'v' && isdigit((unsigned char)p[2]))
      memmove(p + 1, p + 2, strlen(p + 1));
}

/* Collective. The number of nodes, and the maximum number of ranks on a node. */
static void count_nodes(MPI_Comm comm, int *nodes, int *per_node) {
  MPI_Comm node;
  int rank;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, per_node);
  MPI_Comm_free(&node);
  *nodes = rank == 0;
  MPI_Allreduce(MPI_IN_PLACE, nodes, 1, MPI_INT, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, per_node, 1, MPI_INT, MPI_MAX, comm);
}

json_t *report_begin(const app *a) {
  char date[32], host[MPI_MAX_PROCESSOR_NAME] = "", mpi[256];
  time_t now = time(NULL);
  struct tm utc;
  double load[3] = {0, 0, 0};
  int length, nodes, per_node;
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  MPI_Get_processor_name(host, &length);
  report_mpi(mpi, sizeof mpi);
  count_nodes(a->comm, &nodes, &per_node);
  if (getloadavg(load, 3) != 3) load[0] = load[1] = load[2] = -1;
  return json_pack("{s:s,s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:s,s:s,s:[f,f,f],s:[]}", "schema",
                   REPORT_SCHEMA, "command", a->command->name, "version", pfft3d_version(), "date",
                   date, "host", host, "nodes", nodes, "ranks", a->ranks, "ranks_per_node",
                   per_node, "threads", (int)options_number(&a->opt, "threads"), "mpi", mpi, "fftw",
                   pfft3d_build("fftw"), "load_average", load[0], load[1], load[2], "runs");
}

/* Adds a key that an option has set, as a number or in the words of the user. */
static void given(const options *o, json_t *report, const char *key, const char *name) {
  char text[FILE_SIZE], *end;
  if (!options_given(o, key)) return;
  long long number = strtoll(options_key(o, key, text), &end, 10);
  json_object_set_new(report, name, *end ? json_string(text) : json_integer(number));
}

void report_given(const app *a, json_t *report) {
  static const char *const norm[] = {"backward", "ortho", "forward"};
  const options *o = &a->opt;
  given(o, report, "chunk", "chunk");
  given(o, report, "local", "local");
  if (o->norm != NORM_NONE) json_object_set_new(report, "norm", json_string(norm[o->norm]));
  if (options_given(o, "deterministic")) json_object_set_new(report, "deterministic", json_true());
  given(o, report, "node-ranks", "node_ranks");
}

void report_problem(const app *a, json_t *report, const pfft3d_problem *p) {
  char text[96];
  json_object_set_new(report, "seed", json_integer(a->opt.seed));
  given(&a->opt, report, "cuts", "cuts");
  given(&a->opt, report, "bricks", "bricks");
  report_given(a, report);
  if (options_problems(&a->opt) == 1)
    json_object_set_new(report, "problem", json_string(pfft3d_problem_print(p, text, sizeof text)));
}

void report_sweep(const app *a, json_t *report, const pfft3d_problem *p) {
  char text[96];
  size_t i;
  json_t *run;
  if (options_problems(&a->opt) == 1) return;
  pfft3d_problem_print(p, text, sizeof text);
  json_array_foreach(json_object_get(report, "runs"), i, run) if (!report_at(run, "problem"))
      json_object_set_new(run, "problem", json_string(text));
}

void report_add(json_t *report, json_t *run) {
  json_array_append_new(json_object_get(report, "runs"), run);
}

void report_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report)) {
  app_progress(a, "%s", "");
  if (a->rank == 0 && !report_write(a, report) && !a->opt.quiet) {
    int kept = columns_wrap();
    text(a, report);
    columns_end(kept);
  }
  json_decref(report);
}
