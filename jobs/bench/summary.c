/* SPDX-License-Identifier: BSD-3-Clause
 * Results of a comparison: the final table, bench.json, and the data of the picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

/* Criteria for entries; a size only if it is not NULL.  FFTW-MPI is in every picture of lines, in
 * natural and in scrambled order. */
typedef struct sort {
  const char *kind, *order, *size;
} sort;

static int is(const json_t *entry, const char *name, const char *value) {
  return strcmp(json_text(entry, name), value) == 0;
}

static int is_of_line(const json_t *entry) {
  return is(entry, "kind", line_kind);
}

static int of_sort(const json_t *entry, const sort *s) {
  const int everywhere = is_of_line(entry) && is(entry, "family", "FFTW-MPI");
  return is(entry, "kind", s->kind) && (everywhere || is(entry, "order", s->order)) &&
         (!s->size || is(entry, "size", s->size));
}

/* Nonzero for one field in double precision, as the peers transform it. */
static int like_peers(const json_t *entry) {
  return json_number(entry, "fields") == 1 && is(entry, "precision", "double");
}

/* The entry of a family that is fastest in a direction. */
static const json_t *best_entry(const json_t *results, const char *whose, const sort *s, int d) {
  const json_t *best = NULL;
  double high = 0;
  size_t i;
  json_t *entry;
  json_array_foreach(results, i, entry) {
    if (!is(entry, "family", whose) || !of_sort(entry, s) || !like_peers(entry)) continue;
    const double ratio = json_number(json_object_get(entry, direction_name[d]), "ratio");
    if (ratio > high) high = ratio, best = entry;
  }
  return best;
}

/* The 99th percentile over the median, of entries with enough transforms. */
static void print_p99(const json_t *r) {
  const double p99 = json_number(r, "p99_s");
  if (p99 > 0)
    printf("%7.2f", p99 / json_number(r, "median_s"));
  else
    printf("%7s", "-");
}

static void print_best(const json_t *results, const sort *s, int d) {
  const char *name = direction_name[d];
  const json_t *ours = best_entry(results, "pfft3d", s, d);
  const json_t *fftw = best_entry(results, "FFTW-MPI", s, d);
  const json_t *spfft = best_entry(results, "SpFFT", s, d);
  if (!ours || !fftw) return;
  const json_t *r = json_object_get(ours, name);
  printf("%-14s%-5s%-12s%-10s%7.2f%9.2f%9.2f", s->size, s->kind, s->order, name,
         json_number(r, "ratio"), json_number(r, "median_s") / json_number(r, "t_sum_s"),
         json_number(r, "median_s") / json_number(r, "t_max_s"));
  if (spfft)
    printf("%8.2f", json_number(json_object_get(spfft, name), "ratio"));
  else
    printf("%8s", "-");
  print_p99(r);
  print_p99(json_object_get(fftw, name));
  printf("  %s; %s\n", json_text(ours, "contender"), json_text(fftw, "contender"));
}

/* For batches of pfft3d: FFTW-MPI's best for as many fields relative to it, and its own one by
 * one. */
static void print_batches(const json_t *results) {
  size_t i;
  json_t *entry;
  int printed = 0;
  json_array_foreach(results, i, entry) {
    const json_t *r[2];
    for (int d = 0; d < 2; d++) r[d] = json_object_get(entry, direction_name[d]);
    if (json_number(r[0], "single_over_batch") <= 0 && json_number(r[1], "single_over_batch") <= 0)
      continue;
    if (!printed++)
      printf(
          "\nFields in a batch: the same fields by FFTW-MPI (the best of one by one and "
          "interleaved), and by\npfft3d one by one, over it, medians\n%-14s%-5s%-12s%14s%21s%14s  "
          "%s\n",
          "size", "kind", "order", "FFTW-MPI F, B", "one by one F, B", "p99 F, B", "batch");
    printf("%-14s%-5s%-12s%7.2f%7.2f%14.2f%7.2f", json_text(entry, "size"),
           json_text(entry, "kind"), json_text(entry, "order"), json_number(r[0], "ratio"),
           json_number(r[1], "ratio"), json_number(r[0], "single_over_batch"),
           json_number(r[1], "single_over_batch"));
    for (int d = 0; d < 2; d++) print_p99(r[d]);
    printf("  %s\n", json_text(entry, "contender"));
  }
}

static void print_best_line(const json_t *results, const sort *s, int d) {
  const json_t *ours = best_entry(results, "pfft3d", s, d);
  if (!ours) return;
  const json_t *r = json_object_get(ours, direction_name[d]);
  const double scrambled = json_number(r, "ratio_scrambled");
  printf("%-14s%-17s%-10s%9.2f", s->size, s->order, direction_name[d], json_number(r, "ratio"));
  if (scrambled > 0)
    printf("%11.2f", scrambled);
  else
    printf("%11s", "-");
  printf("%9.2f%9.2f  %s\n", json_number(r, "median_s") / json_number(r, "t_sum_s"),
         json_number(r, "median_s") / json_number(r, "t_max_s"), json_text(ours, "contender"));
}

static void summarize_lines(const json_t *results) {
  const char *last = "";
  size_t i;
  json_t *entry;
  printf(
      "\nLines: best of FFTW-MPI in natural and in scrambled order over best of pfft3d, medians; "
      "and the latter over its limits\n");
  printf("%-14s%-17s%-10s%9s%11s%9s%9s  %s\n", "points", "layouts", "direction", "natural",
         "scrambled", "/T_sum", "/T_max", "best of pfft3d");
  json_array_foreach(results, i, entry) {
    const char *size = json_text(entry, "size");
    if (strcmp(size, last) == 0 || !is_of_line(entry)) continue;
    last = size;
    for (int k = 0; k < 2 * DEALINGS; k++) {
      const sort s = {line_kind, dealing_name[k / 2], size};
      print_best_line(results, &s, k % 2);
    }
  }
}

static void summarize_fields(const json_t *results) {
  const char *last = "";
  size_t i;
  json_t *entry;
  printf(
      "\nBest of FFTW-MPI over best of pfft3d, medians; the latter over its limits; and the 99th "
      "percentiles\nof both over their medians\n");
  printf("%-14s%-5s%-12s%-10s%7s%9s%9s%8s%7s%7s  %s\n", "size", "kind", "order", "direction",
         "ratio", "/T_sum", "/T_max", "SpFFT", "p99", "FFTW", "best of pfft3d; of FFTW-MPI");
  json_array_foreach(results, i, entry) {
    const char *size = json_text(entry, "size");
    if (strcmp(size, last) == 0 || is_of_line(entry)) continue;
    last = size;
    for (int k = 0; k < 8; k++) {
      const sort s = {kind_name[k / 4], order_name[k / 2 % 2], size};
      print_best(results, &s, k % 2);
    }
  }
  print_batches(results);
}

void report_summary(const bench *b, const json_t *report) {
  const json_t *results = json_object_get(report, "results");
  if (b->rank) return;
  if (b->opt.sizes) summarize_fields(results);
  if (b->opt.lines) summarize_lines(results);
}

/* GFLOP/s of an entry over both directions, by `field` of their results. */
static double rate(const json_t *entry, const char *field) {
  const double f = json_number(json_object_get(entry, "forward"), field);
  const double b = json_number(json_object_get(entry, "backward"), field);
  return f > 0 && b > 0 ? json_number(entry, "flops") / ((f + b) / 2) * 1e-9 : 0;
}

/* One block of the picture's data for each size: the best of a series, or a limit of the best of a
 * family in double precision. */
static void write_block(FILE *f, const json_t *results, const sort *all, const char *key,
                        const char *value, const char *title, const char *field) {
  size_t i, k;
  json_t *entry, *other;
  const char *last = "";
  fprintf(f, "\n\n\"%s\"\n", title);
  json_array_foreach(results, i, entry) {
    const char *size = json_text(entry, "size");
    const json_t *best = NULL;
    double high = 0;
    if (strcmp(size, last) == 0 || !of_sort(entry, all)) continue;
    last = size;
    const sort here = {all->kind, all->order, size};
    json_array_foreach(results, k, other) {
      if (!is(other, key, value) || !of_sort(other, &here)) continue;
      if (strcmp(key, "family") == 0 ? !like_peers(other) : json_number(other, "fields") > 1)
        continue;
      if (rate(other, "median_s") > high) high = rate(other, "median_s"), best = other;
    }
    if (best)
      fprintf(f, "%.6g %.6g \"%s\"\n",
              is_of_line(best) ? json_number(best, "points") : cbrt(json_number(best, "points")),
              rate(best, field), size);
  }
}

/* Nonzero for the first entry of its series, in this order: FFTW-MPI (round 0), pfft3d (1), other
 * peers (2), so that a series looks the same in both panels though one has fewer peers. */
static int is_next(const json_t *results, size_t i, const sort *s, int round) {
  const json_t *entry = json_array_get(results, i);
  const int turn = is(entry, "family", "FFTW-MPI") ? 0 : is(entry, "family", "pfft3d") ? 1 : 2;
  if (!of_sort(entry, s) || is(entry, "family", "copy") || turn != round) return 0;
  if (json_number(entry, "fields") > 1) return 0;
  for (size_t k = 0; k < i; k++) {
    const json_t *before = json_array_get(results, k);
    if (of_sort(before, s) && json_number(before, "fields") == 1 &&
        is(before, "series", json_text(entry, "series")))
      return 0;
  }
  return 1;
}

static int write_picture(const bench *b, const json_t *results, const sort *s) {
  char name[sizeof b->opt.out + 64];
  snprintf(name, sizeof name, "%s/plot-%s-%s.dat", b->opt.out, s->kind, s->order);
  FILE *f = fopen(name, "w");
  if (!f) return PFFT3D_ERR_OUTPUT;
  fprintf(f, "# %s, GFLOP/s of the mean of both directions' medians, size\n",
          strcmp(s->kind, line_kind) == 0 ? "points" : "cube root of points");
  write_block(f, results, s, "family", "pfft3d", "limit T_{max}", "t_max_s");
  write_block(f, results, s, "family", "pfft3d", "limit T_{sum}", "t_sum_s");
  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < json_array_size(results); i++) {
      const char *series = json_text(json_array_get(results, i), "series");
      if (is_next(results, i, s, round))
        write_block(f, results, s, "series", series, series, "median_s");
    }
  return fclose(f) ? PFFT3D_ERR_OUTPUT : PFFT3D_OK;
}

static int any_wrong(const json_t *results) {
  size_t i;
  json_t *entry;
  json_array_foreach(results, i, entry) for (int d = 0; d < 2; d++) {
    const json_t *r = json_object_get(entry, direction_name[d]);
    if (is(entry, "family", "pfft3d") && json_is_true(json_object_get(r, "wrong"))) return 1;
  }
  return 0;
}

/* Renamed when it is complete: an interrupted run leaves its measurements. */
static int write_json(const bench *b, const json_t *report) {
  char name[sizeof b->opt.out + 64], part[sizeof name + 8];
  snprintf(name, sizeof name, "%s/bench.json", b->opt.out);
  snprintf(part, sizeof part, "%s.new", name);
  if (json_dump_file(report, part, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) || rename(part, name))
    return PFFT3D_ERR_OUTPUT;
  return PFFT3D_OK;
}

int report_write(const bench *b, const json_t *report) {
  const json_t *results = json_object_get(report, "results");
  if (b->rank) return PFFT3D_OK;
  int status = write_json(b, report);
  for (int k = 0; k < 4 && !status; k++) {
    const sort s = {kind_name[k / 2], order_name[k % 2], NULL};
    if (b->opt.sizes && b->opt.kind[k / 2] && b->opt.order[k % 2])
      status = write_picture(b, results, &s);
  }
  for (int k = 0; k < DEALINGS && b->opt.lines && !status; k++) {
    const sort s = {line_kind, dealing_name[k], NULL};
    const int order = k == BLOCK_SCRAMBLED ? PFFT3D_TRANSPOSED : PFFT3D_NATURAL;
    if (b->opt.order[order]) status = write_picture(b, results, &s);
  }
  if (status) note(b, "cannot write to %s", b->opt.out);
  if (!status && any_wrong(results)) status = PFFT3D_ERR_CHECK;
  return status;
}
