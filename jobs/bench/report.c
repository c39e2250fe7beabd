/* SPDX-License-Identifier: BSD-3-Clause
 * Tables, bench.json, and the data of the picture.  The JSON object is the only store: the final
 * table and the picture's data are read from it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

const char *const direction_name[2] = {"forward", "backward"};
const char *const order_name[2] = {"transposed", "natural"};
const char *const kind_name[2] = {"c2c", "r2c"};
const char *const precision_name[2] = {"double", "single"};
const char *const dealing_name[DEALINGS] = {"block-block", "cyclic-cyclic", "block-scrambled"};
const char *const line_kind = "line";
enum { WIDTH = 46, LINE_WIDTH = 51 }; /* of names in the table */
static const char *const family_name[] = {"FFTW-MPI", "SpFFT", "pfft3d", "copy", "part"};

void note(const bench *b, const char *format, ...) {
  va_list list;
  if (b->rank) return;
  fflush(stdout); /* both streams are often redirected to one file */
  va_start(list, format);
  fputs("bench_peers: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}

static double points_of(const ptrdiff_t n[3]) {
  return (double)n[0] * (double)n[1] * (double)n[2];
}

const char *size_text(const bench *b, char *text, size_t size) {
  if (b->line)
    snprintf(text, size, "%td", b->n[2]);
  else
    snprintf(text, size, "%tdx%tdx%td", b->n[0], b->n[1], b->n[2]);
  return text;
}

static double flops_per_point(const bench *b) {
  return b->kind == PFFT3D_R2C ? 2.5 : 5;
}

double flops_of(const bench *b) {
  return flops_per_point(b) * points_of(b->n) * log2(points_of(b->n));
}

static json_t *load_average(void) {
  double load[3] = {0, 0, 0};
  if (getloadavg(load, 3) < 3) return json_null();
  return json_pack("[f,f,f]", load[0], load[1], load[2]);
}

json_t *report_new(const bench *b) {
  char host[256] = "", date[32], mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  const time_t now = time(NULL);
  if (b->rank) return NULL;
  gethostname(host, sizeof host - 1);
  MPI_Get_library_version(mpi, &length);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  json_t *report =
      json_pack("{s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:i, s:i, s:I, s:b, s:f, s:o, s:[]}", "schema",
                "pfft3d.peers/1", "version", pfft3d_version(), "date", date, "host", host, "ranks",
                b->ranks, "mpi", strtok(mpi, ","), "isa", pfft3d_build("isa"), "reps", b->opt.reps,
                "warmup", b->opt.warmup, "seed", (json_int_t)b->opt.seed, "interleaved", 1,
                "fftw_time_limit_s", b->opt.time_limit, "load_average", load_average(), "results");
  if (report)
    printf("pfft3d %s and peers, %d ranks, %s, %s, %d repeats in turns\n", pfft3d_version(),
           b->ranks, host, mpi, b->opt.reps);
  return report;
}

void report_heading(const bench *b) {
  double load[1] = {0};
  if (b->rank) return;
  getloadavg(load, 1);
  if (b->line) {
    printf(
        "\n%td points in a line, %s, %d in a row, load average %.2f; ratios to FFTW-MPI in natural "
        "and in scrambled order\n",
        b->n[2], kind_name[b->kind], in_a_row(b, 1), load[0]);
    printf("%-*s%32s%32s\n", LINE_WIDTH, "", "forward, ms", "backward, ms");
    printf("%-*s%9s%9s%7s%7s%9s%9s%7s%7s%8s%15s%9s%9s%6s  %s\n", LINE_WIDTH, "contender", "min",
           "median", "natur", "scram", "min", "median", "natur", "scram", "GF/s", "/T_sum F, B",
           "error", "plan s", "exch", "split");
    return;
  }
  printf("\n%td x %td x %td, %s, %s order, %d in a row, load average %.2f\n", b->n[0], b->n[1],
         b->n[2], kind_name[b->kind], order_name[b->order], in_a_row(b, 1), load[0]);
  printf("%-*s%25s%25s\n", WIDTH, "", "forward, ms", "backward, ms");
  printf("%-*s%9s%9s%7s%9s%9s%7s%8s%15s%9s%9s\n", WIDTH, "contender", "min", "median", "ratio",
         "min", "median", "ratio", "GF/s", "/T_sum F, B", "error", "plan s");
}

void report_limits(const bench *b, const char *engine, pfft3d_precision precision,
                   const double line_s[3]) {
  if (b->rank) return;
  printf("  in cache, engine %s, %s precision: GF/s per rank along each axis:", engine,
         precision_name[precision]);
  for (int a = 0; a < 3; a++) {
    const double n = (double)b->n[a];
    if (b->line && b->n[a] == 1) continue;
    if (b->line) printf(" %td points", b->n[a]);
    const double flops = (a == 2 ? flops_per_point(b) : 5) * n * log2(n);
    printf(" %.1f", line_s[a] > 0 ? flops / line_s[a] * 1e-9 : 0);
  }
  printf("\n");
}

static json_t *result_json(const bench *b, const contender *c, const result *r, limits l) {
  json_t *times = json_array();
  for (int i = 0; i < r->count; i++) json_array_append_new(times, json_real(r->seconds[i]));
  json_t *j = json_pack("{s:b, s:o}", "wrong", r->wrong, "times_s", times);
  if (isfinite(r->error)) json_object_set_new(j, "error", json_real(r->error));
  if (r->count == 0) return j;
  json_object_set_new(j, "min_s", json_real(r->min));
  json_object_set_new(j, "median_s", json_real(r->median));
  json_object_set_new(j, "ratio", json_real(r->ratio));
  if (r->p99 > 0) json_object_set_new(j, "p99_s", json_real(r->p99));
  if (b->line) json_object_set_new(j, "ratio_scrambled", json_real(r->scrambled));
  if (c->family == COPY || c->family == PART) return j;
  json_object_set_new(j, "gflops", json_real(c->fields * flops_of(b) / r->median * 1e-9));
  if (c->family != PFFT3D) return j;
  limits_combine(&l, r->passes);
  json_object_set_new(j, "passes", json_real(r->passes));
  json_object_set_new(j, "exchanges", json_integer(r->exchanges));
  json_object_set_new(j, "t_sum_s", json_real(l.sum_s));
  json_object_set_new(j, "t_max_s", json_real(l.max_s));
  if (r->gain > 0) json_object_set_new(j, "single_over_batch", json_real(r->gain));
  return j;
}

double json_number(const json_t *object, const char *name) {
  return json_number_value(json_object_get(object, name));
}

const char *json_text(const json_t *object, const char *name) {
  const char *s = json_string_value(json_object_get(object, name));
  return s ? s : "";
}

static void print_result(const bench *b, const json_t *r, int bare) {
  const int more = b->line ? 7 : 0;
  if (json_is_true(json_object_get(r, "wrong"))) {
    printf("%*s", 25 + more, "WRONG, not timed");
    return;
  }
  printf("%9.3f%9.3f", 1e3 * json_number(r, "min_s"), 1e3 * json_number(r, "median_s"));
  if (bare) {
    printf("%*s", 7 + more, "");
    return;
  }
  printf("%7.2f", json_number(r, "ratio"));
  if (!b->line) return;
  const double scrambled = json_number(r, "ratio_scrambled");
  if (scrambled > 0)
    printf("%7.2f", scrambled);
  else
    printf("%7s", "-");
}

/* A line of the table; for copies and parts only the times are meaningful. */
static void print_contender(const bench *b, const contender *c, const json_t *entry) {
  double rate = 0, median[2], limit[2];
  const int bare = c->family == COPY || c->family == PART;
  printf("%-*s", b->line ? LINE_WIDTH : WIDTH, c->name);
  for (int d = 0; d < 2; d++) {
    const json_t *r = json_object_get(entry, direction_name[d]);
    print_result(b, r, bare);
    median[d] = json_number(r, "median_s");
    limit[d] = json_number(r, "t_sum_s");
  }
  if (median[0] > 0 && median[1] > 0)
    rate = json_number(entry, "flops") * 2 / (median[0] + median[1]) * 1e-9;
  if (!bare) printf("%8.2f", rate);
  if (limit[0] > 0 && limit[1] > 0)
    printf("%8.2f%7.2f", median[0] / limit[0], median[1] / limit[1]);
  else
    printf("%15s", "");
  if (!bare) printf("%9.1e%9.3f", fmax(c->result[0].error, c->result[1].error), c->plan_s);
  if (b->line && c->family == PFFT3D)
    printf("%6d  %tdx%td", c->result[0].exchanges, c->split[0], c->split[1]);
  printf("\n");
}

void report_contender(const bench *b, json_t *report, const contender *c, const limits *l) {
  if (b->rank) return;
  char size[64];
  size_text(b, size, sizeof size);
  json_t *entry =
      json_pack("{s:s, s:f, s:f, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:[i,i], s:i, s:i}", "size",
                size, "points", points_of(b->n), "flops", c->fields * flops_of(b), "order",
                b->line ? dealing_name[c->dealing] : order_name[b->order], "contender", c->name,
                "family", family_name[c->family], "series", c->series, "engine", c->engine, "kind",
                b->line ? line_kind : kind_name[b->kind], "precision", precision_name[c->precision],
                "pgrid", c->grid[0], c->grid[1], "batch", c->batch, "fields", c->fields);
  json_t *more =
      json_pack("{s:b, s:i, s:f, s:f, s:[f,f,f]}", "in_place", c->array[0][0] == c->array[1][0],
                "in_a_row", in_a_row(b, c->fields), "plan_s", c->plan_s, "copy_s", l->copy_s,
                "fft_s", l->fft_s[0], l->fft_s[1], l->fft_s[2]);
  json_object_update(entry, more);
  json_decref(more);
  for (int d = 0; d < 2; d++)
    json_object_set_new(entry, direction_name[d], result_json(b, c, &c->result[d], *l));
  if (b->line)
    json_object_set_new(entry, "split",
                        json_pack("[I,I]", (json_int_t)c->split[0], (json_int_t)c->split[1]));
  print_contender(b, c, entry);
  json_array_append_new(json_object_get(report, "results"), entry);
  fflush(stdout);
}
