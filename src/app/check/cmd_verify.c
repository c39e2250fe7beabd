/* SPDX-License-Identifier: BSD-3-Clause
 * verify: checks every combination of exchange, engine, order, direction and in or out of place for
 * each grid against direct sums and formulas, and that all exchanges agree, with --deterministic
 * bit for bit. The first family (decomposition and kind) that the options allow, by default complex
 * fields in slabs, is checked in full; the others with one engine for every exchange and one
 * exchange for every engine, so that four families do not take four times as long.
 *
 * Linearity, impulse and shift are the properties that Ergun (STOC 1995) showed to characterise the
 * Fourier transform. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/check/factors.h"
#include "app/common/columns.h"
#include "app/common/message.h"
#include "app/common/progress.h"
#include "app/common/request.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "app/run/run.h"

enum { SAMPLES = 16, WAVES = 4 };
enum { COPIES = 3, ROOM_MOST = 12 }; /* of outputs: the first of both directions, and a sum */
enum { WAVE, PARSEVAL, SAMPLED, LINEARITY, SHIFT, IMPULSE, ROUNDTRIP, MISMATCHES, VALUES };

static const char *const value_names[VALUES] = {"plane_wave", "parseval",  "sampled_dft",
                                                "linearity",  "shift",     "impulse",
                                                "roundtrip",  "mismatches"};

/* The output of the first exchange, out of place, with which all others must agree; for the current
 * direction, family, engine and order. */
typedef struct outputs {
  size_t count;
  double complex *copy;
  pfft3d_precision wire;
} outputs;

static const char *const place_names[] = {"out of place", "in place"};

typedef struct verify {
  app *a;
  json_t *report;
  double limit;                 /* the largest of all problems */
  check_reference reference[2]; /* of the current kind, by direction */
  outputs first[2];             /* indexed by direction */
  long done, all;               /* plans */
} verify;

/* Loops over the elements of this rank's output: number of the field in the batch, index in the
 * box, offset in the array. */
#define FOR_OUTPUT(t, i, j, k, at, field)                                                          \
  for (ptrdiff_t field = 0; field < (t)->batch; field++)                                           \
    for (ptrdiff_t i = 0; i < (t)->out_box.len[0]; i++)                                            \
      for (ptrdiff_t j = 0; j < (t)->out_box.len[1]; j++)                                          \
        for (ptrdiff_t k = 0, at = output_at(&(t)->out_box, field, i, j); k < (t)->out_box.len[2]; \
             k++, at += (t)->out_box.stride[2])

/* Offset of the first element of a row of the output. */
static ptrdiff_t output_at(const pfft3d_box *b, ptrdiff_t number, ptrdiff_t i, ptrdiff_t j) {
  return b->offset + number * b->distance + i * b->stride[0] + j * b->stride[1];
}

/* The number of elements of this rank's output, of all fields of the batch. */
static size_t output_count(const check_target *t) {
  const ptrdiff_t *len = t->out_box.len;
  return (size_t)t->batch * (size_t)len[0] * (size_t)len[1] * (size_t)len[2];
}

/* A contiguous copy of this rank's output, for the caller to free(). */
static outputs pack_output(const check_target *t) {
  size_t count = output_count(t), to = 0;
  double complex *copy = app_malloc(t->a, count, sizeof *copy);
  FOR_OUTPUT(t, i, j, k, at, number) copy[to++] = field_get(t->out_type, t->out, at);
  return (outputs){count, copy, t->wire};
}

static int same_bits(double complex x, double complex y) {
  uint64_t a[2], b[2];
  memcpy(a, &x, sizeof a);
  memcpy(b, &y, sizeof b);
  return a[0] == b[0] && a[1] == b[1];
}

/* The deviation of an output of this rank from the first one: squared norms of the difference and
 * of the first; nonzero if all bits are the same. */
typedef struct deviations {
  double difference, norm;
  int same;
} deviations;

static deviations compare_outputs(const check_target *t, const outputs *first) {
  const double complex *copy = first->copy;
  deviations d = {.same = 1};
  FOR_OUTPUT(t, i, j, k, at, number) {
    double complex w = *copy++, out = field_get(t->out_type, t->out, at), z = out - w;
    d.same = d.same && same_bits(out, w);
    d.difference += creal(z) * creal(z) + cimag(z) * cimag(z);
    d.norm += creal(w) * creal(w) + cimag(w) * cimag(w);
  }
  return d;
}

/* The number of ranks whose output differs from that of the first exchange. */
static double count_mismatches(const check_target *t, outputs *first) {
  if (!first->copy) {
    *first = pack_output(t);
    return 0;
  }
  /* Output of rounded data cannot have the same bits as output of unrounded data. */
  pfft3d_precision wire = t->wire, coarser = wire > first->wire ? wire : first->wire;
  int exactly = options_given(&t->a->opt, "deterministic") && wire == first->wire;
  double limit = check_limit(t->problem, coarser);
  int there = output_count(t) == first->count;
  deviations d = there ? compare_outputs(t, first) : (deviations){.same = 0};
  /* A rank with few elements may have only small ones: errors are relative to all elements. */
  long double all[2] = {d.norm, (long double)first->count};
  check_sum(t->a, all, 2);
  double usual = all[1] > 0 ? (double)(all[0] / all[1]) * (double)first->count : 0;
  double norm = d.norm > usual ? d.norm : usual;
  long double differ = !there || !(exactly ? d.same : d.difference <= 4 * limit * limit * norm);
  check_sum(t->a, &differ, 1);
  return (double)differ;
}

/* sum += factor(k) * out over this rank's output; the factor is c, multiplied by the wave of shift
 * s if s is given.  For real output only real parts remain. */
static void accumulate(const check_target *t, double complex *sum, double complex c,
                       const ptrdiff_t *s) {
  const ptrdiff_t *lo = t->out_box.lo;
  long double complex *w[3];
  for (int a = 0; a < 3; a++) {
    w[a] = factors_table(t->n[a], s ? s[a] : 0, -t->sign);
    if (!w[a]) app_die(t->a, PFFT3D_ERR_MEMORY, "out of memory: no tables for the checks");
  }
  FOR_OUTPUT(t, i, j, k, at, number) {
    ptrdiff_t g[3] = {lo[0] + i, lo[1] + j, lo[2] + k};
    for (int a = 0; a < 3 && t->cut && t->out_side == PFFT3D_SPECTRUM; a++)
      g[a] = field_mode(t->cut, a, g[a]);
    long double complex f = w[0][g[0]] * w[1][g[1]] * w[2][g[2]];
    double complex z = (double complex)(c * f * field_get(t->out_type, t->out, at));
    *sum++ += t->out_type.form == FIELD_REAL ? creal(z) : z;
  }
  for (int a = 0; a < 3; a++) free(w[a]);
}

/* sum - out| / |out| over all ranks, maximum over the batch. */
static double distance(const check_target *t, const double complex *sum) {
  long double(*pair)[2] = app_malloc(t->a, (size_t)t->batch, sizeof *pair);
  FOR_OUTPUT(t, i, j, k, at, number) {
    double complex out = field_get(t->out_type, t->out, at), z = *sum++ - out;
    pair[number][0] += creal(z) * creal(z) + cimag(z) * cimag(z);
    pair[number][1] += creal(out) * creal(out) + cimag(out) * cimag(out);
  }
  double worst = check_worst(t->a, pair, t->batch);
  free(pair);
  return worst;
}

/* F(x f + y g) = x F(f) + y F(g); for real fields and their spectra with real x and y. */
static double check_linearity(const check_target *t, double complex *sum) {
  uint64_t seed = (uint64_t)t->a->opt.seed;
  int real = t->in_type.form != FIELD_COMPLEX;
  const double complex x = real ? 0.75 : 0.75 - 0.5 * I, y = real ? -1.25 : -0.25 + 1.25 * I;
  const pfft3d_problem *p = t->problem;
  field f = field_seeded(p, t->in_side, seed), g = field_seeded(p, t->in_side, seed + 1), both = f;
  both.seed[1] = seed + 1;
  both.times[0] = x;
  both.times[1] = y;
  check_transform(t, &f);
  accumulate(t, sum, x, NULL);
  check_transform(t, &g);
  accumulate(t, sum, y, NULL);
  check_transform(t, &both);
  return distance(t, sum);
}

/* F(f shifted by s) = F(f) times the wave of s.  A spectrum of a real field can only be shifted
 * both ways at once: both waves together are twice a cosine. */
static double check_shift(const check_target *t, double complex *sum) {
  uint64_t seed = (uint64_t)t->a->opt.seed;
  int half = t->in_type.form == FIELD_HALF;
  field f = field_seeded(t->problem, t->in_side, seed);
  if (t->cut && t->in_side == PFFT3D_SPECTRUM) return CHECK_NOTHING;
  check_transform(t, &f);
  check_index(t->n, seed, 99, f.k);
  for (int a = 0; a < 3; a++) /* other kinds lack this property */
    if (f.axis[a] != PFFT3D_DFT) f.k[a] = 0;
  accumulate(t, sum, half ? 2 : 1, f.k);
  check_transform(t, &f);
  if (half) {
    accumulate(t, sum, -1, NULL);
    for (int a = 0; a < 3; a++) f.k[a] = (t->n[a] - f.k[a]) % t->n[a];
    check_transform(t, &f);
  }
  return distance(t, sum);
}

/* Linearity and shifts. */
static void check_properties(const check_target *t, double *linearity, double *shift) {
  size_t count = output_count(t);
  double complex *sum = app_malloc(t->a, count, sizeof *sum);
  *linearity = check_linearity(t, sum);
  memset(sum, 0, count * sizeof *sum);
  *shift = check_shift(t, sum);
  free(sum);
}

/* All checks of one direction of a plan, in or out of place; adds its entry to the report. */
static void check_one(verify *v, const run *r, pfft3d_direction d, int in_place) {
  app *a = v->a;
  check_target t = check_aim(a, r, d, r->array[0], r->array[!in_place]);
  check_value values[VALUES];
  char what[384], problem[160], decision[160];
  ptrdiff_t k[3] = {0, 0, 0};
  for (int i = 0; i < VALUES; i++) values[i] = (check_value){value_names[i], 0};
  if (!v->reference[d].known) check_prepare(&t, SAMPLES, &v->reference[d]);
  check_seeded(&t, &v->reference[d], &values[PARSEVAL].error, &values[SAMPLED].error);
  values[MISMATCHES].error = count_mismatches(&t, &v->first[d]);
  values[ROUNDTRIP].error = check_roundtrip(&t, &v->reference[d], NULL);
  for (int w = 0; w < WAVES; w++) { /* the first wave is the constant */
    double wave = check_wave(&t, k), peak = check_impulse(&t, k);
    if (wave < 0) values[WAVE].error = wave;
    check_worse(&values[WAVE].error, wave);
    check_worse(&values[IMPULSE].error, peak);
    check_index(t.span, (uint64_t)a->opt.seed, 100 + w, k);
  }
  check_properties(&t, &values[LINEARITY].error, &values[SHIFT].error);

  json_t *item = run_describe(&r->decision, d);
  const char *place = place_names[in_place];
  pfft3d_problem_print(&r->problem, problem, sizeof problem);
  snprintf(what, sizeof what, "%s, %s, %s, %s", problem,
           pfft3d_decision_print(&r->decision, decision, sizeof decision),
           d == PFFT3D_FORWARD ? "forward" : "backward", place);
  json_object_set_new(item, "problem", json_string(problem));
  json_object_set_new(item, "place", json_string(place));
  json_object_set_new(item, "check",
                      check_report(a, values, VALUES, check_limit(&r->problem, run_wire(r)), what));
  report_add(v->report, item);
}

static void forget_outputs(verify *v) {
  for (int d = 0; d < 2; d++) {
    free(v->first[d].copy);
    v->first[d].copy = NULL;
  }
}

/* Notes once why something is left out. */
static void note_skipped(verify *v, const char *text) {
  json_t *list = json_object_get(v->report, "skipped"), *item;
  size_t i;
  json_array_foreach(list, i, item) if (strcmp(json_string_value(item), text) == 0) return;
  json_array_append_new(list, json_string(text));
}

/* Checks all exchanges of one family, engine and order, or only the first one. Engines and
 * exchanges that do not support the grid are noted and left out. */
static int check_group(verify *v, pfft3d_request *request, const char *engine, int all) {
  app *a = v->a;
  pfft3d_request_set(request, "engine", engine, NULL);
  for (int i = 0; i < (all ? a->opt.algo.count : 1); i++) {
    run r;
    pfft3d_error e = {0};
    pfft3d_request_set(request, "exchange", a->opt.algo.name[i], NULL);
    app_progress_share(a, (double)v->done++ / (double)v->all, "verifying %s %s",
                       a->opt.algo.name[i], engine);
    if (run_open(a, &r, request, a->opt.norm, 2, &e) == PFFT3D_ERR_UNAVAILABLE) {
      note_skipped(v, e.text);
      continue;
    }
    if (e.status) return app_take(&a->error, &e);
    for (int d = 0; d < 2; d++)
      for (int place = 0; place < 2; place++) check_one(v, &r, (pfft3d_direction)d, place);
    run_close(&r);
  }
  return PFFT3D_OK;
}

/* Allocates and frees as much memory as the checks will need in addition to a plan, so that a
 * problem that is too large fails at the start with a message. */
static int check_room(verify *v, pfft3d_request *request) {
  run r;
  void *room[ROOM_MOST] = {NULL};
  pfft3d_error e = {0};
  pfft3d_request_parse(request, "order=transposed exchange=packed", NULL);
  pfft3d_request_set(request, "engine", v->a->opt.engine.name[0], NULL);
  if (run_open(v->a, &r, request, v->a->opt.norm, 2, &e) == PFFT3D_ERR_UNAVAILABLE)
    return PFFT3D_OK;
  size_t arrays = COPIES * sizeof(double complex) / pfft3d_element_bytes(&r.problem, PFFT3D_SPACE);
  for (size_t k = 0; k < arrays && !e.status; k++) pfft3d_alloc(r.plan, &room[k], &e);
  for (size_t k = 0; k < arrays; k++) pfft3d_free(r.plan, room[k]);
  run_close(&r);
  if (e.status == PFFT3D_ERR_MEMORY)
    app_hint(&e, "verify keeps copies of the output beside a plan: use a smaller grid");
  return app_take(&v->a->error, &e);
}

/* Checks all combinations of one family, or every engine and every exchange at least once. */
static int check_family(verify *v, pfft3d_request *request, int all) {
  static const char *const orders[] = {"transposed", "natural"};
  const name_list *engine = &v->a->opt.engine;
  int status = check_room(v, request);
  for (int e = 0; e < engine->count && !status; e++)
    for (int order = 0; order < 2 && !status; order++) {
      pfft3d_request_set(request, "order", orders[order], NULL);
      status = check_group(v, request, engine->name[e], all || e == 0);
      forget_outputs(v);
    }
  for (int d = 0; d < 2; d++) check_forget(&v->reference[d]);
  return status;
}

static const char *const types[] = {"c2c", "r2c"};

/* The number of plans that will be checked: see check_family(). */
static long count_plans(const options *o) {
  const char *scheme;
  long families = 0, orders = 2, engines = o->engine.count, exchanges = o->algo.count;
  for (int i = 0; (scheme = pfft3d_list_name(PFFT3D_SCHEMES, i, NULL)); i++) {
    if (!options_is(o, "decomp", "auto") && !options_is(o, "decomp", scheme)) continue;
    families += 1 + !options_given(o, "type");
  }
  long others = exchanges + engines - 1;
  return orders * (engines * exchanges + (families - 1) * others) * options_problems(o);
}

/* Checks all families that the options allow. */
static int check_families(verify *v, pfft3d_request *request) {
  const options *o = &v->a->opt;
  const char *scheme;
  int status = PFFT3D_OK, all = 1;
  for (int i = 0; (scheme = pfft3d_list_name(PFFT3D_SCHEMES, i, NULL)); i++) {
    if (!options_is(o, "decomp", "auto") && !options_is(o, "decomp", scheme)) continue;
    pfft3d_request_set(request, "decomp", scheme, NULL);
    for (int type = 0; type < 2 && !status; type++) {
      if (options_given(o, "type") && !options_is(o, "type", types[type])) continue;
      pfft3d_request_set(request, "type", types[type], NULL);
      status = check_family(v, request, all);
      all = 0;
    }
  }
  return status;
}

/* The columns with words, as wide as the longest word. */
enum { COLUMNS = 6 };
static const char *const column_paths[COLUMNS] = {"problem", "decomp", "algo",
                                                  "engine",  "order",  "direction"};
static const char *const column_heads[COLUMNS] = {"type",   "decomp", "exchange",
                                                  "engine", "order",  "direction"};
enum { TYPE = 4, WIDE = 130 }; /* characters of the problem's type; columns of all errors */

static void column_widths(const app *a, const json_t *report, int width[COLUMNS]) {
  size_t i;
  json_t *item;
  for (int c = 0; c < COLUMNS; c++) {
    width[c] = (int)strlen(column_heads[c]);
    json_array_foreach(report_at(report, "runs"), i, item) {
      int length = (int)strlen(report_word(item, column_paths[c]));
      if (length > width[c]) width[c] = length;
    }
  }
  if (options_problems(&a->opt) == 1) width[0] = TYPE; /* the rest is common to all rows */
}

static const char *const value_heads[MISMATCHES] = {"wave",  "energy",  "sums",  "linear",
                                                    "shift", "impulse", "return"};

/* Prints the largest error of a row, or the one that is no number, and its name. */
static void print_worst(const json_t *item) {
  const json_t *check = report_at(item, "check");
  double worst = -1;
  const char *name = "";
  for (int c = 0; c < MISMATCHES && !isnan(worst); c++) {
    const json_t *error = report_at(check, value_names[c]);
    double value = json_is_number(error) ? json_number_value(error) : NAN;
    if (!error || value <= worst) continue;
    worst = value;
    name = value_heads[c];
  }
  int same = !(json_number_value(report_at(check, "mismatches")) > 0);
  printf("%9.1e %-8s%s\n", worst, name,
         !same                                    ? "DIFFERS"
         : json_is_true(report_at(check, "pass")) ? "PASS"
                                                  : "FAIL");
}

static void print_row(const json_t *item, const int width[COLUMNS]) {
  const json_t *check = report_at(item, "check");
  for (int c = 0; c < COLUMNS; c++)
    printf("%-*.*s ", width[c], c == 0 && width[c] == TYPE ? TYPE - 1 : width[c],
           report_word(item, column_paths[c]));
  printf("%-5s", strcmp(report_word(item, "place"), place_names[1]) == 0 ? "in" : "out");
  if (columns() < WIDE) {
    print_worst(item);
    return;
  }
  for (int c = 0; c < MISMATCHES; c++) {
    const json_t *error = report_at(check, value_names[c]);
    if (error)
      printf("%9.1e", json_is_number(error) ? json_number_value(error) : NAN);
    else
      printf("%9s", "-"); /* not applicable */
  }
  int same = !(json_number_value(report_at(check, "mismatches")) > 0);
  printf("  %-4s  %s\n", same ? "same" : "NO",
         json_is_true(report_at(check, "pass")) ? "PASS" : "FAIL");
}

/* In narrow windows there is only the largest error. */
static void print_heads(const app *a, const int width[COLUMNS]) {
  printf("\n");
  for (int c = 0; c < COLUMNS; c++) printf("%-*s ", width[c], column_heads[c]);
  printf("%-5s", "place");
  if (columns() < WIDE) {
    printf("%9s\n", "largest");
    return;
  }
  for (int c = 0; c < MISMATCHES; c++) printf("%9s", value_heads[c]);
  printf("  %s\n", options_given(&a->opt, "deterministic") ? "bits" : "all");
}

static void verify_text(const app *a, const json_t *report) {
  int width[COLUMNS];
  size_t i, failed = 0;
  json_t *item, *skipped;
  report_text_head(a, report);
  column_widths(a, report, width);
  print_heads(a, width);
  json_array_foreach(report_at(report, "runs"), i, item) {
    print_row(item, width);
    failed += !json_is_true(report_at(item, "check.pass"));
  }
  json_array_foreach(report_at(report, "skipped"), i, skipped)
      printf("skipped: %s\n", json_string_value(skipped));
  printf("\n%zu combinations, %zu failed, largest error allowed %.1e\n",
         json_array_size(report_at(report, "runs")), failed,
         json_number_value(report_at(report, "limit")));
  if (!failed)
    printf("All exchanges agreed%s.  PASS\n",
           options_given(&a->opt, "deterministic") ? " bit for bit" : "");
}

static int verify_problem(verify *v) {
  pfft3d_request *request = options_request(v->a, NULL);
  pfft3d_problem p;
  int single = options_is(&v->a->opt, "wire", "single");
  pfft3d_request_problem(request, &p);
  v->limit = fmax(v->limit, check_limit(&p, single ? PFFT3D_SINGLE : PFFT3D_DOUBLE));
  report_problem(v->a, v->report, &p);
  json_object_set_new(v->report, "limit", json_real(v->limit));
  int status = check_families(v, request);
  pfft3d_request_destroy(&request);
  return status;
}

static int verify_run(app *a) {
  verify *v = app_malloc(a, 1, sizeof *v);
  int status = PFFT3D_OK, problems = options_problems(&a->opt);
  v->a = a;
  v->all = count_plans(&a->opt);
  v->report = report_begin(a);
  json_object_set_new(v->report, "skipped", json_array());
  for (int i = 0; i < problems && !status; i++) {
    options_select(&a->opt, i);
    status = verify_problem(v);
  }
  if (!status && json_array_size(json_object_get(v->report, "runs")) == 0)
    status = app_fail(&a->error, PFFT3D_ERR_UNAVAILABLE, "nothing to verify: %s",
                      json_string_value(json_array_get(json_object_get(v->report, "skipped"), 0)));
  if (status)
    json_decref(v->report);
  else
    report_end(a, v->report, verify_text);
  free(v);
  return a->error.status;
}

const command cmd_verify = {
    .name = "verify",
    .summary = "checks every exchange, engine, order and direction independently",
    .options =
        "grid=24x18x20 exchange=all engine=all plan-budget=0 " FIELD_OPTIONS TRANSFORM_OPTIONS
            RUN_OPTIONS "machine device batch seed norm",
    .about =
        "Checks plane waves, impulses, energy, direct sums, linearity, shifts and round trips, in\n"
        "place and out of place, and that all exchanges agree, with --deterministic bit for bit;\n"
        "for complex and real fields, in slabs and pencils, unless --type or --decomp names "
        "one.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d verify\n"
        "  mpirun -n 3 pfft3d verify --grid 7x1x13 --engine naive\n"
        "  mpirun -n 6 pfft3d verify --type r2c --pgrid 2x3 --batch 3\n",
    .run = verify_run,
};
