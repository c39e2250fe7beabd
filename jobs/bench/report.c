/* SPDX-License-Identifier: BSD-3-Clause
 * The table of contenders, and bench.json. */
#include <fftw3.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "local/simd.h"

const char *const direction_name[2] = {"forward", "backward"};
const char *const order_name[2] = {"transposed", "natural"};
const char *const kind_name[2] = {"c2c", "r2c"};
const char *const precision_name[2] = {"double", "single"};
const char *const dealing_name[DEALINGS] = {"block-block", "cyclic-cyclic", "block-scrambled"};
const char line_kind[] = "line";
enum { WIDTH = 46, LINE_WIDTH = 51 }; /* of names in the table */

const char *family_of(const contender *c) {
  return c->role == COPY ? "copy" : c->role == PART ? "part" : c->peer->name;
}

/* ---- The table ---- */

/* The state of the machine when the run began. */
static struct {
  char host[256], mpi[MPI_MAX_LIBRARY_VERSION_STRING], date[32];
  double load[3];
} start = {.load = {NAN}};

void report_title(const bench *b) {
  const time_t now = time(NULL);
  struct tm utc;
  int length;
  gethostname(start.host, sizeof start.host - 1);
  MPI_Get_library_version(start.mpi, &length);
  start.mpi[strcspn(start.mpi, ",")] = 0;
  strftime(start.date, sizeof start.date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  if (getloadavg(start.load, 3) < 3) start.load[0] = NAN;
  printf("pfft3d %s and peers, %d ranks, %s, %s, %d repeats in turns\n", pfft3d_version(),
         b->a.ranks, start.host, start.mpi, b->opt.reps);
  printf("FFTW-MPI: %s; pfft3d: %s\n", fftw_version, pf_simd_isa_of(PFFT3D_DOUBLE)->name);
}

void report_heading(const bench *b) {
  const pfft3d_problem *p = &b->problem;
  double load[1] = {0};
  getloadavg(load, 1);
  if (is_line(b)) {
    printf(
        "\n%td points in a line, %s, %d in a row, load average %.2f; ratios to FFTW-MPI in natural "
        "and in scrambled order\n",
        p->n[2], kind_name[p->kind], in_a_row(b, 1), load[0]);
    printf("%-*s%32s%32s\n", LINE_WIDTH, "", "forward, ms", "backward, ms");
    printf("%-*s%9s%9s%7s%7s%9s%9s%7s%7s%8s%15s%9s%9s%6s  %s\n", LINE_WIDTH, "contender", "min",
           "median", "natur", "scram", "min", "median", "natur", "scram", "GF/s", "/T_sum F, B",
           "error", "plan s", "exch", "split");
    return;
  }
  printf("\n%td x %td x %td, %s, %s order, %d in a row, load average %.2f\n", p->n[0], p->n[1],
         p->n[2], kind_name[p->kind], order_name[b->order], in_a_row(b, 1), load[0]);
  printf("%-*s%25s%25s\n", WIDTH, "", "forward, ms", "backward, ms");
  printf("%-*s%9s%9s%7s%9s%9s%7s%8s%15s%9s%9s\n", WIDTH, "contender", "min", "median", "ratio",
         "min", "median", "ratio", "GF/s", "/T_sum F, B", "error", "plan s");
}

void report_lines(const bench *b, const line_times *t) {
  if (b->a.rank) return;
  printf("  in cache, engine %s, %s precision: GF/s per rank along each axis:", t->engine,
         precision_name[t->precision]);
  for (int a = 0; a < 3; a++) {
    const double n = (double)t->n[a];
    const int real = b->problem.kind == PFFT3D_R2C && a == 2;
    if (is_line(b) && t->n[a] == 1) continue;
    if (is_line(b)) printf(" %td points", t->n[a]);
    printf(" %.1f", t->line_s[a] > 0 ? (real ? 2.5 : 5) * n * log2(n) / t->line_s[a] * 1e-9 : 0);
  }
  printf("\n");
}

static void print_result(const bench *b, const contender *c, const result *r) {
  const int more = is_line(b) ? 7 : 0;
  if (r->wrong) {
    printf("%*s", 25 + more, "WRONG, not timed");
    return;
  }
  printf("%9.3f%9.3f", 1e3 * r->min, 1e3 * r->median);
  if (c->role != TRANSFORM)
    printf("%*s", 7 + more, "");
  else
    printf("%7.2f", r->ratio);
  if (c->role != TRANSFORM || !is_line(b)) return;
  if (r->scrambled > 0)
    printf("%7.2f", r->scrambled);
  else
    printf("%7s", "-");
}

/* For copies and parts only the times are meaningful. */
void report_contender(const bench *b, const contender *c) {
  const result *r = c->result;
  const int timed = r[0].count && r[1].count;
  if (b->a.rank) return;
  printf("%-*s", is_line(b) ? LINE_WIDTH : WIDTH, c->name);
  for (int d = 0; d < 2; d++) print_result(b, c, &r[d]);
  if (c->role == TRANSFORM)
    printf("%8.2f", timed ? c->flops * 2 / (r[0].median + r[1].median) * 1e-9 : 0);
  if (timed && is_ours(c))
    printf("%8.2f%7.2f", r[0].median / r[0].sum_s, r[1].median / r[1].sum_s);
  else
    printf("%15s", "");
  if (c->role == TRANSFORM) printf("%9.1e%9.3f", fmax(r[0].error, r[1].error), c->plan_s);
  if (is_line(b) && is_ours(c)) printf("%6d  %tdx%td", r[0].exchanges, c->split[0], c->split[1]);
  printf("\n");
  fflush(stdout);
}

/* ---- bench.json ---- */

static json_t *result_json(const contender *c, const result *r) {
  json_t *times = json_array(), *j = json_pack("{s:b, s:o}", "wrong", r->wrong, "times_s", times);
  for (int i = 0; i < r->count; i++) json_array_append_new(times, json_real(r->seconds[i]));
  if (isfinite(r->error)) json_object_set_new(j, "error", json_real(r->error));
  if (r->count == 0) return j;
  json_object_update_new(
      j, json_pack("{s:f, s:f, s:f}", "min_s", r->min, "median_s", r->median, "ratio", r->ratio));
  if (r->p99 > 0) json_object_set_new(j, "p99_s", json_real(r->p99));
  if (c->kind == line_kind) json_object_set_new(j, "ratio_scrambled", json_real(r->scrambled));
  if (c->role != TRANSFORM) return j;
  json_object_set_new(j, "gflops", json_real(c->flops / r->median * 1e-9));
  if (!is_ours(c)) return j;
  json_object_update_new(j, json_pack("{s:f, s:i, s:f, s:f}", "passes", r->passes, "exchanges",
                                      r->exchanges, "t_sum_s", r->sum_s, "t_max_s", r->max_s));
  if (r->gain > 0) json_object_set_new(j, "single_over_batch", json_real(r->gain));
  return j;
}

static json_t *contender_json(const contender *c) {
  json_t *j = json_pack(
      "{s:s, s:f, s:f, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:[i,i], s:i, s:i, s:b, s:i, s:f, s:f, "
      "s:[f,f,f]}",
      "size", c->size, "points", pfft3d_problem_points(&c->problem), "flops", c->flops, "order",
      c->order, "contender", c->name, "family", family_of(c), "series", c->series, "engine",
      c->engine, "kind", c->kind, "precision", precision_name[c->problem.precision], "pgrid",
      c->grid[0], c->grid[1], "batch", c->batch, "fields", c->fields, "in_place",
      c->array[0][0] == c->array[1][0], "in_a_row", c->in_a_row, "plan_s", c->plan_s, "copy_s",
      c->copy_s, "fft_s", c->fft_s[0], c->fft_s[1], c->fft_s[2]);
  for (int d = 0; d < 2; d++)
    json_object_set_new(j, direction_name[d], result_json(c, &c->result[d]));
  if (c->kind == line_kind)
    json_object_set_new(j, "split",
                        json_pack("[I,I]", (json_int_t)c->split[0], (json_int_t)c->split[1]));
  return j;
}

/* Renamed when it is complete: an interrupted run leaves its measurements. */
static int write_json(const bench *b, const results *r) {
  const bench_options *o = &b->opt;
  const double *load = start.load;
  char name[FILE_SIZE], part[FILE_SIZE + 8];
  json_t *list = json_array();
  for (int i = 0; i < r->count; i++) json_array_append_new(list, contender_json(&r->all[i]));
  json_t *report = json_pack(
      "{s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:i, s:i, s:I, s:b, s:f, s:o, s:o}", "schema",
      "pfft3d.peers/1", "version", pfft3d_version(), "date", start.date, "host", start.host,
      "ranks", b->a.ranks, "mpi", start.mpi, "fftw", fftw_version, "isa", pfft3d_build("isa"),
      "reps", o->reps, "warmup", o->warmup, "seed", (json_int_t)b->a.opt.seed, "interleaved", 1,
      "fftw_time_limit_s", (double)o->time_limit, "load_average",
      isnan(load[0]) ? json_null() : json_pack("[f,f,f]", load[0], load[1], load[2]), "results",
      list);
  snprintf(name, sizeof name, "%s/bench.json", o->out);
  snprintf(part, sizeof part, "%s.new", name);
  const int failed = json_dump_file(report, part, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
  json_decref(report);
  return failed || rename(part, name) ? PFFT3D_ERR_OUTPUT : PFFT3D_OK;
}

static int any_wrong(const results *r) {
  for (int i = 0; i < r->count; i++)
    if (is_ours(&r->all[i]) && (r->all[i].result[0].wrong || r->all[i].result[1].wrong)) return 1;
  return 0;
}

int report_files(const bench *b, const results *r) {
  const bench_options *o = &b->opt;
  int status = write_json(b, r);
  for (int k = 0; k < 4 && !status; k++)
    if (o->sizes.count && o->kind[k / 2] && o->order[k % 2])
      status = report_picture(b, r, kind_name[k / 2], order_name[k % 2]);
  for (int k = 0; k < DEALINGS && o->lines.count && !status; k++)
    if (o->order[k == BLOCK_SCRAMBLED ? PFFT3D_TRANSPOSED : PFFT3D_NATURAL])
      status = report_picture(b, r, line_kind, dealing_name[k]);
  if (status) fprintf(stderr, "bench_peers: cannot write to %s\n", o->out);
  return status ? status : any_wrong(r) ? PFFT3D_ERR_CHECK : PFFT3D_OK;
}
