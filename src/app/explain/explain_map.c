/* SPDX-License-Identifier: BSD-3-Clause
 * explain --map: the best plan by the model for many cubes and numbers of ranks, as a table. An
 * entry has the decomposition, S or P, and a letter for the exchange. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/columns.h"
#include "app/common/message.h"
#include "app/common/request.h"
#include "app/explain/explain.h"
#include "app/report/report.h"

enum { ACROSS = 9, CELL = 32 }; /* numbers of ranks in one table; length of a cell */

/* The letter of an exchange: the first of its name that no previous exchange has. */
static char letter_of(const char *algo) {
  char taken[64] = "";
  const char *name;
  for (int i = 0; (name = pfft3d_list_name(PFFT3D_EXCHANGES, i, NULL)) && i < 63; i++) {
    const char *free_one = name;
    while (*free_one && strchr(taken, *free_one)) free_one++;
    taken[i] = *free_one ? *free_one : '?';
    if (strcmp(name, algo) == 0) return taken[i];
  }
  return '?';
}

/* One entry of the map, and its best plan. */
typedef struct cell {
  ptrdiff_t n;
  int ranks;
  pfft3d_request *request; /* with the decision of the best plan; NULL: none is possible */
  pfft3d_explanation best;
} cell;

/* The best plan with the exchanges of the options, or with any, and with one of the engines. */
static void find_best(app *a, cell *c, pfft3d_error *e) {
  options *o = &a->opt;
  int named = options_given(o, "exchange"), algos = named ? o->algo.count : 1, found = 0;
  for (int k = 0; k < 3; k++) o->grid[k] = c->n;
  pfft3d_request *r = options_request(a, NULL);
  for (int i = 0; i < algos * o->engine.count; i++) {
    const char *algo = named ? o->algo.name[i % algos] : "auto";
    pfft3d_explanation x;
    pfft3d_request_set(r, "exchange", algo, NULL);
    pfft3d_request_set(r, "engine", o->engine.name[i / algos], NULL);
    if (pfft3d_explain(r, c->ranks, &x, sizeof x, e) || !explain_possible(&x, c->ranks)) continue;
    if (found && x.seconds >= c->best.seconds) continue;
    c->best = x;
    found = 1;
  }
  if (found) request_decide(r, &c->best.decision);
  if (!found) pfft3d_request_destroy(&r);
  c->request = r;
}

static void add_cell(app *a, json_t *report, ptrdiff_t n, int ranks) {
  cell c = {.n = n, .ranks = ranks};
  pfft3d_error e = {0};
  pfft3d_problem p;
  char problem[96];
  find_best(a, &c, &e);
  if (!c.request) {
    if (!e.status)
      app_fail(&e, PFFT3D_ERR_UNAVAILABLE, "none of the named exchanges works across nodes");
    app_warn(a, "%td^3 on %d ranks is left out: %s", n, ranks, e.text);
    if (!a->error.status) a->error = e;
    return;
  }
  json_t *item = explain_item(c.request, ranks, &c.best);
  json_object_set_new(item, "n", json_integer((json_int_t)n));
  json_object_set_new(item, "ranks", json_integer(ranks));
  pfft3d_request_problem(c.request, &p);
  pfft3d_problem_print(&p, problem, sizeof problem);
  json_object_set_new(item, "problem", json_string(problem));
  pfft3d_request_destroy(&c.request);
  report_add(report, item);
  /* that of the most ranks, which fill nodes */
  json_object_set_new(report, "machine", explain_machine(&c.best.machine));
}

/* ---- as text ---- */

static const json_t *find_cell(const json_t *report, long long n, long long ranks) {
  size_t i;
  json_t *item;
  json_array_foreach(report_at(report, "runs"), i,
                     item) if (json_integer_value(report_at(item, "n")) == n &&
                               json_integer_value(report_at(item, "ranks")) == ranks) return item;
  return NULL;
}

/* A number with three digits and a unit, "1.07ms". */
static void short_number(double v, const char *const *units, double step, int first,
                         char out[CELL]) {
  int u = first;
  while (u > 0 && v >= step) v /= step, u--;
  snprintf(out, CELL, v >= 99.95 ? "%.0f%s" : v >= 9.995 ? "%.1f%s" : "%.2f%s", v, units[u]);
}

static void time_cell(const json_t *item, char out[CELL]) {
  static const char *const units[] = {"s", "ms", "us"};
  char time[CELL];
  int pencils = strcmp(report_word(item, "decomp"), "pencil") == 0;
  short_number(report_number(item, "predicted_s") * 1e6, units, 1000, 2, time);
  if (json_integer_value(report_at(item, "ranks")) == 1)
    snprintf(out, CELL, "%s", time);
  else
    snprintf(out, CELL, "%c%c %.20s", pencils ? 'P' : 'S', letter_of(report_word(item, "algo")),
             time);
}

static void memory_cell(const json_t *item, char out[CELL]) {
  static const char *const units[] = {"TiB", "GiB", "MiB", "KiB"};
  double bytes =
      report_number(item, "memory.user_bytes") + report_number(item, "memory.work_bytes");
  short_number(bytes / 1024, units, 1024, 3, out);
}

static void table_text(const app *a, const json_t *report, const char *title,
                       void (*write)(const json_t *item, char out[CELL])) {
  const count_list *n = &a->opt.grids, *p = &a->opt.rank_counts;
  char text[CELL];
  int fit = (columns() - 14) / 11, across = fit > ACROSS ? ACROSS : fit; /* "ranks" is behind */
  for (int first = 0; first < p->count; first += across) {
    int last = first + across < p->count ? first + across : p->count;
    printf("\n%s\n%8s", title, "N^3");
    for (int k = first; k < last; k++) printf(" %10lld", p->at[k]);
    printf(" ranks\n");
    for (int i = 0; i < n->count; i++) {
      printf("%8lld", n->at[i]);
      for (int k = first; k < last; k++) {
        const json_t *item = find_cell(report, n->at[i], p->at[k]);
        snprintf(text, sizeof text, "-");
        if (item) write(item, text);
        printf(" %10s", text);
      }
      printf("\n");
    }
  }
}

/* Prints the letters that occur, and the number of ranks from which on pencils are better. */
static void legend_text(const app *a, const json_t *report) {
  const char *name, *summary;
  size_t k;
  json_t *item;
  printf("\n  S slabs, P pencils;");
  for (int i = 0; (name = pfft3d_list_name(PFFT3D_EXCHANGES, i, &summary)); i++) {
    int used = 0;
    json_array_foreach(report_at(report, "runs"), k, item) used |=
        strcmp(report_word(item, "algo"), name) == 0 &&
        json_integer_value(report_at(item, "ranks")) > 1;
    if (used) printf("\n  %c %s: %s", letter_of(name), name, summary);
  }
  printf("\n\n  pencils are better from this number of ranks on, among those of the map:\n ");
  const count_list *n = &a->opt.grids, *p = &a->opt.rank_counts;
  for (int i = 0; i < n->count; i++) {
    long long from = 0;
    for (int j = p->count - 1; j >= 0; j--) {
      const json_t *found = find_cell(report, n->at[i], p->at[j]);
      if (!found) continue;
      if (p->at[j] == 1 || strcmp(report_word(found, "decomp"), "pencil") != 0) break;
      from = p->at[j];
    }
    printf("%s %lld^3: ", i ? "," : "", n->at[i]);
    printf(from ? "%lld" : "none", from);
  }
  printf("\n");
}

static void map_text(const app *a, const json_t *report) {
  const char *problem = report_word(json_array_get(report_at(report, "runs"), 0), "problem");
  printf("pfft3d explain  map of %.5s, forward\n", problem ? problem : "");
  explain_machine_text(report);
  table_text(a, report, "predicted time of the best strategy", time_cell);
  legend_text(a, report);
  table_text(a, report, "memory per rank: one array, and the buffers of the plan", memory_cell);
}

int explain_map(app *a) {
  const options *o = &a->opt;
  json_t *report = report_begin(a);
  for (int i = 0; i < o->grids.count; i++)
    for (int k = 0; k < o->rank_counts.count; k++) {
      app_progress(a, "map: %lld^3 on %lld ranks", o->grids.at[i], o->rank_counts.at[k]);
      add_cell(a, report, (ptrdiff_t)o->grids.at[i], (int)o->rank_counts.at[k]);
    }
  /* omitted entries caused warnings; an empty map is an error */
  if (json_array_size(report_at(report, "runs"))) memset(&a->error, 0, sizeof a->error);
  json_object_del(report, "ranks"); /* each run has its own */
  explain_end(a, report, map_text);
  return a->error.status;
}
