/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of powers.  Errors are those of Gaussian fields, from the number of modes: the variance of
 * the power P_ij, averaged over M modes of a real field, half of them independent, is
 * (P_ij^2 + P_ii P_jj) / M; of multipole l it is that with (2l + 1)^2 L_l(mu)^2 under the mean over
 * mu (Feldman, Kaiser and Peacock, Astrophys. J. 426, 1994; Taruya, Nishimichi and Saito, Phys.
 * Rev. D 82, 2010). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/report/report.h"
#include "apps/spectrum/spectrum.h"

/* ---- powers ---- */

static long double mean_of(const tally *t, int bin, int column) {
  return *tally_at(t, bin, column) / *tally_at(t, bin, SUM_MODES);
}

/* With shot noise. */
static long double total_of(const job *j, const tally *t, int bin, int pair, int pole) {
  long double points = pfft3d_problem_points(&j->m.wish.problem);
  long double volume = samples_volume(&j->s);
  return volume * mean_of(t, bin, tally_column(t, pair) + pole) / points / points;
}

double spectrum_subtracted(const job *j, int field) {
  return j->a->opt.shot_noise == NOISE_SUBTRACT ? samples_noise(&j->s, &j->s.sample[field]) : 0;
}

long double spectrum_power(const job *j, const tally *t, int bin, int pair, int pole) {
  long double power = total_of(j, t, bin, pair, pole);
  for (int f = 0; f < j->fields; f++)
    if (modes_pair(j->fields, f, f) == pair && spectrum_subtracted(j, f) > 0)
      power -= spectrum_subtracted(j, f) * mean_of(t, bin, SUM_NOISE + pole);
  return power;
}

long double spectrum_energy(const job *j, const tally *t, int bin) {
  return total_of(j, t, bin, 0, 0) * *tally_at(t, bin, SUM_MODES) / samples_volume(&j->s) / 2;
}

/* ---- errors ---- */

/* The power with shot noise at this mu, of the multipoles of a bin. */
static double power_at(const double *total, int poles, const double *legendre) {
  double power = 0;
  for (int l = 0; l < poles; l++) power += total[l] * legendre[l] / (4 * l + 1);
  return power;
}

/* The standard deviation of a power, or of a multipole of it.  The mean over mu is by Gauss's
 * formula with ten points, exact up to degree 19; the integrand has degree 16. */
static double error_of(const job *j, const tally *t, int bin, int f, int g, int pole) {
  static const double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                0.8650633666889845, 0.9739065285171717};
  static const double weight[] = {0.2955242247147529, 0.2692667193099964, 0.2190863625159820,
                                  0.1494513491505806, 0.0666713443086881};
  const int pair[3] = {modes_pair(j->fields, f, g), modes_pair(j->fields, f, f),
                       modes_pair(j->fields, g, g)};
  double total[3][MULTIPOLES], legendre[MULTIPOLES], sum = 0;
  double independent = (double)*tally_at(t, bin, SUM_MODES) / (j->s.numbers == PFFT3D_REAL ? 2 : 1);
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < t->poles; l++) total[k][l] = (double)total_of(j, t, bin, pair[k], l);
  for (int i = 0; i < 5; i++) {
    double power[3];
    modes_legendre(node[i] * node[i], legendre);
    for (int k = 0; k < 3; k++) power[k] = power_at(total[k], t->poles, legendre);
    sum += weight[i] * (power[0] * power[0] + power[1] * power[2]) / 2 * legendre[pole] *
           legendre[pole];
  }
  return sqrt(sum / independent);
}

/* ---- rows ---- */

/* A table that grows; the names of its columns are those of the row while there are none. */
typedef struct growing {
  json_t *columns, *rows, *row;
} growing;

static void put(growing *g, json_t *value, const char *name, const char *end) {
  char text[2 * COLUMN_END];
  if (json_array_size(g->columns) == json_array_size(g->row)) {
    snprintf(text, sizeof text, "%s%s", name, end);
    json_array_append_new(g->columns, json_string(text));
  }
  json_array_append_new(g->row, value);
}

const char *spectrum_ending(int f, int g, int pole, char text[COLUMN_END]) {
  int used = 0;
  text[0] = 0;
  if (f != g)
    used = snprintf(text, COLUMN_END, "_%d%d", f + 1, g + 1);
  else if (f)
    used = snprintf(text, COLUMN_END, "_%d", f + 1);
  if (pole) snprintf(text + used, (size_t)(COLUMN_END - used), "_l%d", 2 * pole);
  return text;
}

/* P_fg / sqrt(P_ff P_gg). */
static double coherence_of(const job *j, const tally *t, int bin, int f, int g) {
  long double both = spectrum_power(j, t, bin, modes_pair(j->fields, f, f), 0) *
                     spectrum_power(j, t, bin, modes_pair(j->fields, g, g), 0);
  long double cross = spectrum_power(j, t, bin, modes_pair(j->fields, f, g), 0);
  return both > 0 ? (double)(cross / sqrtl(both)) : NAN;
}

/* The powers and errors of a pair, in all its multipoles, without the power that comes first in a
 * row; of fields that differ also the coherence. */
static void put_pair(const job *j, growing *g, const tally *t, int bin, int f, int h) {
  char end[COLUMN_END];
  for (int l = 0; l < t->poles; l++) {
    double power = (double)spectrum_power(j, t, bin, modes_pair(j->fields, f, h), l);
    spectrum_ending(f, h, l, end);
    if (h || l) put(g, report_real(power), f == h ? "power" : "cross", end);
    if (f != h && !l) put(g, report_real(coherence_of(j, t, bin, f, h)), "coherence", end);
    if (j->a->opt.errors) put(g, report_real(error_of(j, t, bin, f, h, l)), "error", end);
  }
}

/* Vectors have the energy of the shell, and of its parts. */
static void put_energy(const job *j, growing *g, const tally *t, int bin) {
  long double all = spectrum_energy(j, t, bin);
  put(g, report_real((double)all), "energy", "");
  if (!j->a->opt.parts || t->kind != TALLY_SHELLS) return;
  long double part = spectrum_energy(j, &j->compressive, bin);
  put(g, report_real((double)(all - part)), "solenoidal", "");
  put(g, report_real((double)part), "compressive", "");
}

static void put_row(const job *j, growing *g, const tally *t, int bin) {
  static const char *const along[] = {[TALLY_WEDGES] = "mu_mean", [TALLY_CYLINDER] = "k_along"};
  double unit = j->m.unit;
  put(g, json_real((double)mean_of(t, bin, SUM_K) * unit),
      t->kind == TALLY_CYLINDER ? "k_across" : "k_mean", "");
  if (t->kind != TALLY_SHELLS)
    put(g, json_real((double)mean_of(t, bin, SUM_ALONG) * (t->kind == TALLY_CYLINDER ? unit : 1)),
        along[t->kind], "");
  put(g, report_real((double)spectrum_power(j, t, bin, 0, 0)), "power", "");
  put(g, report_count((double)*tally_at(t, bin, SUM_MODES)), "modes", "");
  if (j->s.sample[0].components > 1) {
    put_energy(j, g, t, bin);
    return;
  }
  for (int f = 0; f < j->fields; f++) {
    put_pair(j, g, t, bin, f, f);
    for (int h = 0; h < f; h++) put_pair(j, g, t, bin, h, f);
  }
}

/* Bin 0, mode 0, is not in the table, but has names for its columns. */
static json_t *make_table(const job *j, const tally *t) {
  growing g = {.columns = json_array(), .rows = json_array()};
  for (int bin = 0; bin < t->count; bin++) {
    if (!(*tally_at(t, bin, SUM_MODES) > 0)) continue;
    g.row = json_array();
    put_row(j, &g, t, bin);
    if (bin) json_array_append(g.rows, g.row);
    json_decref(g.row);
  }
  return json_pack("{s:o,s:o}", "columns", g.columns, "rows", g.rows);
}

void spectrum_tables(job *j) {
  static const char *const names[] = {[TALLY_WEDGES] = "wedges", [TALLY_CYLINDER] = "cylinder"};
  j->table = make_table(j, &j->tally[0]);
  j->tables = json_object();
  for (int i = 1; i < j->tallies; i++)
    json_object_set_new(j->tables, names[j->tally[i].kind], make_table(j, &j->tally[i]));
}
