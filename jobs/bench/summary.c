/* SPDX-License-Identifier: BSD-3-Clause
 * Results of a comparison: the final table, and the data of the picture. */
#include <math.h>
#include <string.h>

#include "bench.h"

#define FOR_ALL(r, c) for (const contender *c = (r)->all; c < (r)->all + (r)->count; c++)

/* Criteria for contenders; a size only if it is not NULL.  FFTW-MPI is in every picture of lines,
 * in natural and in scrambled order. */
typedef struct sort {
  const char *kind, *order, *size;
} sort;

static int is_family(const contender *c, const char *name) {
  return strcmp(family_of(c), name) == 0;
}

static int of_sort(const contender *c, const sort *s) {
  const int everywhere = c->kind == line_kind && is_family(c, "FFTW-MPI");
  return c->kind == s->kind && (everywhere || c->order == s->order) &&
         (!s->size || strcmp(c->size, s->size) == 0);
}

/* Nonzero for one field in double precision, as the peers transform it. */
static int like_peers(const contender *c) {
  return c->fields == 1 && c->problem.precision == PFFT3D_DOUBLE;
}

/* The contender of a family that is fastest in a direction. */
static const contender *best_of(const results *r, const char *family, const sort *s, int d) {
  const contender *best = NULL;
  FOR_ALL(r, c)
  if (is_family(c, family) && of_sort(c, s) && like_peers(c) &&
      c->result[d].ratio > (best ? best->result[d].ratio : 0))
    best = c;
  return best;
}

/* Prints a value, or "-" if there is none. */
static void print_value(int width, double value) {
  if (value > 0)
    printf("%*.2f", width, value);
  else
    printf("%*s", width, "-");
}

/* The 99th percentile over the median, of results with enough transforms. */
static void print_p99(const result *r) {
  print_value(7, r->p99 > 0 ? r->p99 / r->median : 0);
}

/* The fastest of all other libraries. */
static const contender *best_peer(const results *all, const sort *s, int d) {
  const contender *best = NULL;
  for (int k = 0; peer_at(k); k++) {
    const contender *c = peer_at(k)->ways ? NULL : best_of(all, peer_at(k)->name, s, d);
    if (c && (!best || c->result[d].ratio > best->result[d].ratio)) best = c;
  }
  return best;
}

static void print_best(const results *all, const sort *s, int d) {
  const contender *ours = best_of(all, "pfft3d", s, d), *fftw = best_of(all, "FFTW-MPI", s, d);
  const contender *peer = best_peer(all, s, d);
  if (!ours || !fftw) return;
  const result *r = &ours->result[d];
  printf("%-14s%-5s%-12s%-10s%7.2f%9.2f%9.2f", s->size, s->kind, s->order, direction_name[d],
         r->ratio, r->median / r->sum_s, r->median / r->max_s);
  print_value(7, r->ratio / peer->result[d].ratio);
  print_p99(r);
  print_p99(&fftw->result[d]);
  printf("  %s; %s\n", ours->name, peer->name);
}

/* For batches of pfft3d: FFTW-MPI's best for as many fields relative to it, and its own one by
 * one. */
static void print_batches(const results *all) {
  int printed = 0;
  FOR_ALL(all, c) {
    const result *r = c->result;
    if (r[0].gain <= 0 && r[1].gain <= 0) continue;
    if (!printed++)
      printf(
          "\nFields in a batch: the same fields by FFTW-MPI (the best of one by one and "
          "interleaved), and by\npfft3d one by one, over it, medians\n%-14s%-5s%-12s%14s%21s%14s  "
          "%s\n",
          "size", "kind", "order", "FFTW-MPI F, B", "one by one F, B", "p99 F, B", "batch");
    printf("%-14s%-5s%-12s%7.2f%7.2f%14.2f%7.2f", c->size, c->kind, c->order, r[0].ratio,
           r[1].ratio, r[0].gain, r[1].gain);
    for (int d = 0; d < 2; d++) print_p99(&r[d]);
    printf("  %s\n", c->name);
  }
}

static void print_best_line(const results *all, const sort *s, int d) {
  const contender *ours = best_of(all, "pfft3d", s, d);
  if (!ours) return;
  const result *r = &ours->result[d];
  printf("%-14s%-17s%-10s%9.2f", s->size, s->order, direction_name[d], r->ratio);
  print_value(11, r->scrambled);
  printf("%9.2f%9.2f  %s\n", r->median / r->sum_s, r->median / r->max_s, ours->name);
}

/* Prints the best of each size, of fields or of lines. */
static void summarize(const results *all, int lines) {
  const char *last = "";
  FOR_ALL(all, c) {
    if (strcmp(c->size, last) == 0 || (c->kind == line_kind) != lines) continue;
    last = c->size;
    for (int k = 0; k < 2 * DEALINGS && lines; k++)
      print_best_line(all, &(sort){line_kind, dealing_name[k / 2], last}, k % 2);
    for (int k = 0; k < 8 && !lines; k++)
      print_best(all, &(sort){kind_name[k / 4], order_name[k / 2 % 2], last}, k % 2);
  }
}

void report_summary(const bench *b, const results *r) {
  if (b->opt.sizes.count) {
    printf(
        "\nBest of FFTW-MPI over best of pfft3d, medians; the latter over its limits; the best of "
        "all "
        "peers over\npfft3d; and the 99th percentiles of pfft3d and FFTW-MPI over their medians\n");
    printf("%-14s%-5s%-12s%-10s%7s%9s%9s%7s%7s%7s  %s\n", "size", "kind", "order", "direction",
           "FFTW", "/T_sum", "/T_max", "peer", "p99", "FFTW", "best of pfft3d; best peer");
    summarize(r, 0);
    print_batches(r);
  }
  if (b->opt.lines.count) {
    printf(
        "\nLines: best of FFTW-MPI in natural and in scrambled order over best of pfft3d, medians; "
        "and the latter over its limits\n");
    printf("%-14s%-17s%-10s%9s%11s%9s%9s  %s\n", "points", "layouts", "direction", "natural",
           "scrambled", "/T_sum", "/T_max", "best of pfft3d");
    summarize(r, 1);
  }
}

/* ---- The data of the picture ---- */

/* GFLOP/s over both directions, for these seconds. */
static double rate(const contender *c, double forward, double backward) {
  return forward > 0 && backward > 0 ? c->flops / ((forward + backward) / 2) * 1e-9 : 0;
}

static double median_rate(const contender *c) {
  return rate(c, c->result[0].median, c->result[1].median);
}

/* One block for each size: the best of a series, or (series NULL) a limit of the best of pfft3d in
 * double precision. */
static void write_block(FILE *f, const results *all, const sort *s, const char *series,
                        const char *title, int is_max) {
  const char *last = "";
  fprintf(f, "\n\n\"%s\"\n", title);
  FOR_ALL(all, c) {
    if (strcmp(c->size, last) == 0 || !of_sort(c, s)) continue;
    last = c->size;
    const sort here = {s->kind, s->order, last};
    const contender *best = NULL;
    FOR_ALL(all, o) {
      if (!of_sort(o, &here) || o->role != TRANSFORM || o->fields > 1) continue;
      if (series ? strcmp(o->series, series) != 0 : !is_ours(o) || !like_peers(o)) continue;
      if (median_rate(o) > (best ? median_rate(best) : 0)) best = o;
    }
    if (!best) continue;
    const double points = pfft3d_problem_points(&best->problem);
    const result *r = best->result;
    fprintf(f, "%.6g %.6g \"%s\"\n", best->kind == line_kind ? points : cbrt(points),
            series   ? median_rate(best)
            : is_max ? rate(best, r[0].max_s, r[1].max_s)
                     : rate(best, r[0].sum_s, r[1].sum_s),
            last);
  }
}

/* Nonzero for the first contender of its series, in this order: FFTW-MPI (round 0), pfft3d (1),
 * other peers (2), so that a series looks the same in both panels though one has fewer peers. */
static int is_next(const results *all, const contender *c, const sort *s, int round) {
  const int turn = is_family(c, "FFTW-MPI") ? 0 : is_ours(c) ? 1 : 2;
  if (!of_sort(c, s) || c->role != TRANSFORM || turn != round || c->fields > 1) return 0;
  for (const contender *o = all->all; o < c; o++)
    if (of_sort(o, s) && o->fields == 1 && strcmp(o->series, c->series) == 0) return 0;
  return 1;
}

int report_picture(const bench *b, const results *r, const char *kind, const char *order) {
  const sort s = {kind, order, NULL};
  char name[FILE_SIZE];
  snprintf(name, sizeof name, "%s/plot-%s-%s.dat", b->opt.out, kind, order);
  FILE *f = fopen(name, "w");
  if (!f) return PFFT3D_ERR_OUTPUT;
  fprintf(f, "# %s, GFLOP/s of the mean of both directions' medians, size\n",
          kind == line_kind ? "points" : "cube root of points");
  write_block(f, r, &s, NULL, "limit T_{max}", 1);
  write_block(f, r, &s, NULL, "limit T_{sum}", 0);
  for (int round = 0; round < 3; round++) FOR_ALL(r, c)
  if (is_next(r, c, &s, round)) write_block(f, r, &s, c->series, c->series, 0);
  return fclose(f) ? PFFT3D_ERR_OUTPUT : PFFT3D_OK;
}
