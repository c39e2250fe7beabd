/* SPDX-License-Identifier: BSD-3-Clause
 * The entry of a run in the report. The time of a repeat is the maximum over ranks; phases are
 * means over the repeats, with their spread over ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/request.h"
#include "app/common/statistics.h"
#include "app/report/report.h"
#include "app/run/line.h"
#include "app/run/run.h"

const char *run_flops_name(const pfft3d_problem *p) {
  return p->kind == PFFT3D_R2C ? "2.5 n log2 n" : "5 n log2 n";
}

double run_flops(const pfft3d_problem *p) {
  double n = (double)p->n[0] * (double)p->n[1] * (double)p->n[2];
  double fields = p->batch ? (double)p->batch : 1;
  return (p->kind == PFFT3D_R2C ? 2.5 : 5) * n * log2(n) * fields;
}

json_t *run_spread(const app *a, double value) {
  struct {
    double value;
    int rank;
  } mine = {value, a->rank}, most; /* MPI_DOUBLE_INT */
  double least, sum;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, a->comm);
  MPI_Allreduce(&value, &least, 1, MPI_DOUBLE, MPI_MIN, a->comm);
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, a->comm);
  return json_pack("{s:o,s:o,s:o,s:i}", "min", report_real(least), "mean",
                   report_real(sum / a->ranks), "max", report_real(most.value), "max_rank",
                   most.rank);
}

json_t *run_describe(const pfft3d_decision *d, pfft3d_direction direction) {
  char text[160];
  return json_pack("{s:s,s:s,s:[i,i],s:s,s:s,s:s,s:s}", "algo", d->algo, "decomp", d->scheme,
                   "pgrid", d->grid[0], d->grid[1], "engine", d->engine, "order",
                   d->order == PFFT3D_NATURAL ? "natural" : "transposed", "direction",
                   direction == PFFT3D_FORWARD ? "forward" : "backward", "decision",
                   pfft3d_decision_print(d, text, sizeof text));
}

json_t *run_times(const app *a, const double *seconds, int reps, double *middle) {
  double *s = app_malloc(a, (size_t)reps, sizeof *s), sum = 0;
  json_t *list = json_array();
  memcpy(s, seconds, (size_t)reps * sizeof *s);
  MPI_Allreduce(MPI_IN_PLACE, s, reps, MPI_DOUBLE, MPI_MAX, a->comm);
  for (int i = 0; i < reps; i++) {
    json_array_append_new(list, json_real(s[i]));
    sum += s[i];
  }
  *middle = stat_median(s, reps);
  json_t *times = json_pack("{s:f,s:f,s:f,s:f,s:o}", "min", s[0], "median", *middle, "mean",
                            sum / reps, "max", s[reps - 1], "reps", list);
  free(s);
  return times;
}

typedef struct repeat {
  double s;
  int index;
} repeat;

static int by_time(const void *a, const void *b) {
  const repeat *x = a, *y = b;
  if (x->s != y->s) return x->s < y->s ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Collective. The indices of the repeats of median time (maximum over ranks): one, or two for an
 * even number of repeats. */
static void median_repeats(const app *a, const timing *t, int middle[2]) {
  double *s = app_malloc(a, (size_t)t->reps, sizeof *s);
  repeat *order = app_malloc(a, (size_t)t->reps, sizeof *order);
  memcpy(s, t->seconds, (size_t)t->reps * sizeof *s);
  MPI_Allreduce(MPI_IN_PLACE, s, t->reps, MPI_DOUBLE, MPI_MAX, a->comm);
  for (int i = 0; i < t->reps; i++) order[i] = (repeat){s[i], i};
  qsort(order, (size_t)t->reps, sizeof *order, by_time);
  middle[0] = order[(t->reps - 1) / 2].index;
  middle[1] = order[t->reps / 2].index;
  free(order);
  free(s);
}

json_t *run_phases(const app *a, const timing *t, const char *const *names, int count) {
  json_t *phases = json_object();
  int middle[2] = {0, 0};
  median_repeats(a, t, middle);
  for (int k = 0; k < count; k++) {
    double sum = 0, median = 0;
    for (int rep = 0; rep < t->reps; rep++) sum += t->phase[rep * count + k];
    for (int m = 0; m < 2; m++) median += t->phase[middle[m] * count + k] / 2;
    json_t *phase = run_spread(a, sum / t->reps);
    MPI_Allreduce(MPI_IN_PLACE, &median, 1, MPI_DOUBLE, MPI_SUM, a->comm);
    json_object_set_new(phase, "median", report_real(median / a->ranks));
    json_object_set_new(phases, names[k], phase);
  }
  return phases;
}

/* Messages of one transform, the maximum over ranks; *bytes: bytes sent per rank. */
static json_t *report_messages(const app *a, const pfft3d_stats *s, double *bytes) {
  double per = s->executions ? (double)s->executions : 1;
  double most[4] = {s->messages / per, s->bytes / per, s->bytes_max, s->stored / per};
  double least = s->messages > 0 ? s->bytes_min : INFINITY;
  MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_DOUBLE, MPI_MAX, a->comm);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, a->comm);
  *bytes = most[1];
  return json_pack("{s:o,s:o,s:o,s:o,s:o}", "remote_per_rank", report_count(most[0]),
                   "bytes_each_min", report_count(isfinite(least) ? least : 0), "bytes_each_max",
                   report_count(most[2]), "remote_bytes_per_rank", report_count(most[1]),
                   "stored_bytes_per_rank", report_count(most[3]));
}

/* Overlap of passes and exchange, from the times of both parts alone: the fraction of the shorter
 * part that was hidden, the largest possible gain over running one after the other, and the
 * fraction of this bound that was reached. */
static void add_overlap(json_t *j, const timing *t, double bytes, double total) {
  static const char *const name[] = {"hidden_share", "bound", "bound_share"};
  double c = t->passes, w = t->raw, value[3];
  int known = bytes > 0 && w > 0 && c > 0 && total > 0;
  value[0] = fmin(fmax((c + w - total) / fmin(c, w), 0), 1);
  value[1] = (c + w) / fmax(c, w);
  value[2] = fmax(c, w) / total;
  for (int k = 0; k < 3; k++)
    json_object_set_new(j, name[k], known ? json_real(value[k]) : json_null());
}

static json_t *wire_json(const app *a, pfft3d_precision wire, double rounded) {
  if (isinf(rounded))
    app_warn(a, "numbers too large for single precision were sent: --wire double sends them whole");
  return json_pack("{s:s,s:o}", "wire", run_precision_name(wire), "wire_error",
                   wire == PFFT3D_SINGLE ? report_real(rounded) : json_null());
}

json_t *run_wire_report(const app *a, const run *r) {
  double rounded[2];
  for (int d = PFFT3D_FORWARD; d <= PFFT3D_BACKWARD; d++) {
    pfft3d_stats s;
    pfft3d_plan_stats(r->plan, (pfft3d_direction)d, 0, &s, sizeof s);
    rounded[d] = run_wire_error(a, &s);
  }
  return wire_json(a, run_wire(r), hypot(rounded[0], rounded[1]));
}

static json_t *report_exchange(const app *a, const timing *t, const pfft3d_stats *s, double bytes,
                               double total) {
  double per = s->executions ? (double)s->executions : 1;
  double seconds = run_max(a, (s->post_s + s->wait_s) / per);
  json_t *j =
      json_pack("{s:f,s:o,s:o,s:o}", "seconds", seconds, "gbs_per_rank",
                bytes > 0 && seconds > 0 ? json_real(bytes / seconds / 1e9) : json_null(),
                "raw_alltoall_s", bytes > 0 && t->raw >= 0 ? json_real(t->raw) : json_null(),
                "fft_alone_s", t->passes >= 0 ? json_real(t->passes) : json_null());
  json_object_update_new(j, wire_json(a, s->wire, run_wire_error(a, s)));
  add_overlap(j, t, bytes, total);
  return j;
}

/* Time and memory bandwidth of each stage: as numbers, and as text. */
static json_t *report_stages(const app *a, const pfft3d_stats *s, char *words, size_t size) {
  double per = s->executions ? (double)s->executions : 1;
  json_t *list = json_array();
  size_t used = 0;
  words[0] = 0;
  for (int k = 0; k < s->stages; k++) {
    const pfft3d_stage_stats *g = &s->stage[k];
    double seconds = run_max(a, g->seconds / per);
    double rate = run_max(a, g->seconds > 0 ? g->bytes / g->seconds / 1e9 : 0);
    char time[32];
    if (!g->axes[0] && seconds == 0) continue; /* zero except for rounding */
    json_array_append_new(list, json_pack("{s:s,s:f,s:f}", "axes", g->axes, "seconds", seconds,
                                          "gbs_per_rank", rate));
    used += (size_t)snprintf(words + used, size - used,
                             rate < 0.95 ? "%s%s%s: %s at %.2g GB/s" : "%s%s%s: %s at %.1f GB/s",
                             k ? ", " : "",
                             !g->axes[0]  ? "moved"
                             : g->axes[1] ? "axes "
                                          : "axis ",
                             g->axes, report_seconds(seconds, time), rate);
  }
  return list;
}

json_t *run_figures(const app *a, const run *r, const timing *t, const pfft3d_stats *s,
                    double seconds) {
  json_t *j = json_object();
  char words[64 * PFFT3D_STAGES];
  double memory[2] = {(double)pfft3d_plan_bytes(r->plan), (double)s->work_bytes}, bytes;
  MPI_Allreduce(MPI_IN_PLACE, memory, 2, MPI_DOUBLE, MPI_MAX, a->comm);
  json_object_set_new(j, "messages", report_messages(a, s, &bytes));
  json_object_set_new(j, "exchange", report_exchange(a, t, s, bytes, seconds));
  json_object_set_new(j, "memory",
                      json_pack("{s:o,s:o}", "user_bytes", report_count(memory[0]), "work_bytes",
                                report_count(memory[1])));
  json_object_set_new(j, "passes", json_real(s->passes));
  json_object_set_new(j, "stages", report_stages(a, s, words, sizeof words));
  json_object_set_new(j, "bandwidth", json_string(words));
  json_object_set_new(j, "exchanges", json_integer(s->exchanges));
  json_object_set_new(j, "idle_ranks", json_integer(r->idle));
  return j;
}

/* Who decided on the plan, and the reason in words; nothing if the request left no choice. */
static void report_reason(json_t *j, const pfft3d_plan *plan) {
  static const char *const by[] = {
      [PFFT3D_BY_MODEL] = "model", [PFFT3D_BY_TIMING] = "timing", [PFFT3D_BY_WISDOM] = "wisdom"};
  pfft3d_decided_by who = pfft3d_plan_decided_by(plan);
  if (who == PFFT3D_BY_REQUEST) return;
  json_object_set_new(j, "plan_by", json_string(by[who]));
  json_object_set_new(j, "plan_reason", json_string(pfft3d_plan_reason(plan)));
}

/* The name of the normalization; nothing if both scales are 1. */
static void report_norm(json_t *j, const double scale[2]) {
  static const char *const words[] = {NULL, "backward", "forward", "ortho"};
  const char *word = words[(scale[PFFT3D_BACKWARD] < 1) + 2 * (scale[PFFT3D_FORWARD] < 1)];
  if (word) json_object_set_new(j, "norm", json_string(word));
}

/* Why the times may not be those of a quiet machine; nothing if there is no sign of it. */
static void report_doubt(json_t *j, const app *a) {
  const json_t *times = json_object_get(j, "time_s");
  double load = 0, least = report_number(times, "min"), most = report_number(times, "max");
  char text[160] = "";
  if (getloadavg(&load, 1) == 1 && load > a->ranks + 0.5)
    snprintf(text, sizeof text, "load average %.1f, more than the %d rank%s of this run", load,
             a->ranks, a->ranks > 1 ? "s" : "");
  size_t used = strlen(text);
  if (json_array_size(json_object_get(times, "reps")) > 2 && most > 2 * least)
    snprintf(text + used, sizeof text - used, "%srepeats differ by a factor of %.1f",
             used ? "; " : "", most / least);
  if (text[0]) json_object_set_new(j, "doubt", json_string(text));
}

json_t *run_report(const app *a, const run *r, const timing *t) {
  static const char *const names[RUN_PHASES] = {"fft", "post", "wait", "sync"};
  pfft3d_stats s;
  const pfft3d_problem *p = &r->problem;
  double middle;
  pfft3d_plan_stats(r->plan, t->direction, 0, &s, sizeof s);
  json_t *j = run_describe(&r->decision, t->direction);
  line_describe(j, r->request, &r->decision, a->ranks);
  report_norm(j, r->scale);
  json_object_set_new(j, "plan_s", json_real(r->plan_s));
  report_reason(j, r->plan);
  json_object_set_new(j, "time_s", run_times(a, t->seconds, t->reps, &middle));
  report_doubt(j, a);
  json_object_set_new(j, "gflops", report_real(middle > 0 ? run_flops(p) / middle / 1e9 : 0));
  json_object_set_new(j, "flops", json_string(run_flops_name(p)));
  json_object_set_new(j, "phases", run_phases(a, t, names, RUN_PHASES));
  json_object_update_new(j, run_figures(a, r, t, &s, middle));
  return j;
}
