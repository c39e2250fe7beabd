/* SPDX-License-Identifier: BSD-3-Clause
 * Boundary conditions, in a table.  With points at h, 2h, ... between walls at 0 and L the vectors
 * sin(pi k i / (n+1)) are eigenvectors of the stencil (1, -2, 1) / h^2 (J. Demmel, Applied
 * Numerical Linear Algebra, 6.3); with other walls and points other sines and cosines are (G.
 * Strang, The discrete cosine transform, SIAM Review 41, 1999). */
#include "apps/poisson/domain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

static const double pi = 3.14159265358979323846;

#define BOTH(end) \
  { END_##end, END_##end }
static const boundary boundaries[] = {
    {"periodic", BOTH(PERIODIC), PFFT3D_DFT, 0, 0, 0},
    {"dirichlet", BOTH(DIRICHLET), PFFT3D_DST1, 1, 1, 1},
    {"dirichlet-cell", BOTH(DIRICHLET), PFFT3D_DST2, 1, 0, .5},
    {"neumann", BOTH(NEUMANN), PFFT3D_DCT2, 0, 0, .5},
    {"neumann-node", BOTH(NEUMANN), PFFT3D_DCT1, 0, -1, 0},
    {"dirichlet-neumann", {END_DIRICHLET, END_NEUMANN}, PFFT3D_DST4, .5, 0, .5},
    {"neumann-dirichlet", {END_NEUMANN, END_DIRICHLET}, PFFT3D_DCT4, .5, 0, .5},
    {"dirichlet-neumann-node", {END_DIRICHLET, END_NEUMANN}, PFFT3D_DST3, .5, 0, 1},
    {"neumann-dirichlet-node", {END_NEUMANN, END_DIRICHLET}, PFFT3D_DCT3, .5, 0, 0},
    {"open", BOTH(OPEN), PFFT3D_DFT, 0, 0, .5},
};
enum { BOUNDARIES = sizeof boundaries / sizeof *boundaries };

int domain_regular(const boundary *b) {
  return b->end[0] == END_DIRICHLET || b->end[1] == END_DIRICHLET || b->end[0] == END_OPEN;
}

int domain_cells(const boundary *b) {
  return b->start == 0.5;
}

int domain_open(const domain *d, int axis) {
  return d->side[axis] && d->side[axis]->end[0] == END_OPEN;
}

/* ---- reading ---- */

/* Nonzero if a word joins an end that needs the same one opposite with another. */
static int contradicts(const char *word) {
  static const char *const whole[] = {"periodic", "open"};
  const char *second = strchr(word, '-');
  for (int k = 0; k < 2 && second; k++) {
    size_t length = strlen(whole[k]);
    if (strncmp(word, whole[k], length) == 0 || strncmp(second + 1, whole[k], length) == 0)
      return 1;
  }
  return 0;
}

static int unknown(const char *word, pfft3d_error *e) {
  char valid[200] = "";
  if (contradicts(word))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--bc '%.40s': the ends contradict each other: an axis is periodic, or open, "
                    "at both",
                    word);
  for (int i = 0; i < BOUNDARIES; i++) {
    size_t used = strlen(valid);
    snprintf(valid + used, sizeof valid - used, "%s%s", i ? ", " : "", boundaries[i].name);
  }
  return app_fail(e, PFFT3D_ERR_USAGE, "--bc '%.40s': valid: %s", word, valid);
}

static const boundary *find(const char *name) {
  for (int i = 0; i < BOUNDARIES; i++)
    if (strcmp(name, boundaries[i].name) == 0) return &boundaries[i];
  return NULL;
}

int domain_check_names(const char *text, pfft3d_error *e) {
  size_t length;
  for (const char *at = text; *at; at += length + (at[length] == ',')) {
    char word[40];
    length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    if (length && !find(word)) return unknown(word, e);
  }
  return PFFT3D_OK;
}

int domain_sides(domain *d, const char *text, pfft3d_error *e) {
  char word[3][40];
  int count = options_values("bc", text, d->dims, word, e), open = 0;
  if (!count) return e->status;
  for (int a = 0; a < d->dims; a++) {
    const char *name = word[count == 1 ? 0 : a];
    const boundary *b = find(name);
    if (!b) return unknown(name, e);
    d->side[3 - d->dims + a] = b;
    open += b->end[0] == END_OPEN;
  }
  d->open = open;
  return PFFT3D_OK;
}

int domain_check(const domain *d, int status, pfft3d_error *e) {
  for (int a = 0; a < 3; a++)
    if (d->side[a] && d->n[a] + d->side[a]->more < 1)
      return app_fail(e, status, "%s: needs two points at least, axis %d has %td", d->side[a]->name,
                      a - (3 - d->dims), d->n[a]);
  return PFFT3D_OK;
}

/* ---- geometry ---- */

double domain_step(const domain *d, int axis) {
  return d->side[axis] ? d->length[axis] / (double)(d->n[axis] + d->side[axis]->more) : 0;
}

int domain_stretched(const domain *d, int axis) {
  return d->grid && d->grid->axis == axis;
}

int domain_spectral(const domain *d) {
  return !d->second && d->open < 2 && !d->grid;
}

double domain_place(const domain *d, int axis, ptrdiff_t i) {
  if (domain_stretched(d, axis)) return d->grid->place[i];
  return d->side[axis] ? ((double)i + d->side[axis]->start) * domain_step(d, axis) : 0;
}

double domain_factor(const domain *d, int axis) {
  return d->factor[axis] > 0 ? d->factor[axis] : 1;
}

int domain_shifted(const domain *d) {
  return d->shift[0] != 0 || d->shift[1] != 0;
}

double domain_eigenvalue(const domain *d, int axis, ptrdiff_t k) {
  const boundary *b = d->side[axis];
  if (!b) return 0;
  ptrdiff_t n = d->n[axis];
  double h = domain_step(d, axis);
  if (b->end[0] == END_OPEN) n *= 2;
  double angle = pi * ((double)k + b->first) / (double)(n + b->more);
  if (b->kind == PFFT3D_DFT) angle = 2 * pi * (double)(2 * k <= n ? k : n - k) / (double)n;
  double root = d->second ? 2 * sin(angle / 2) / h : angle / h;
  return -root * root * domain_factor(d, axis);
}

int domain_singular(const domain *d) {
  if (domain_shifted(d)) return 0;
  for (int a = 0; a < 3; a++)
    if (d->side[a] && domain_regular(d->side[a])) return 0;
  return 1;
}

double domain_wall(const domain *d, int axis, int side) {
  const boundary *b = d->side[axis];
  double h = domain_step(d, axis), factor = domain_factor(d, axis);
  if (domain_stretched(d, axis)) {
    const grid *g = d->grid;
    double volume = g->volume[side ? g->n - 1 : 0], link = g->link[side ? g->n : 0];
    if (b->end[side] == END_DIRICHLET) return -factor * link / volume;
    return (side ? -factor : factor) / volume;
  }
  if (b->end[side] == END_DIRICHLET) return -factor / (h * h * (domain_cells(b) ? 0.5 : 1));
  return (side ? -factor : factor) / (h * (domain_cells(b) ? 1 : 0.5));
}

double domain_weight(const domain *d, int axis, ptrdiff_t i) {
  if (domain_stretched(d, axis)) return d->grid->volume[i];
  const boundary *b = d->side[axis];
  return b && b->kind == PFFT3D_DCT1 && (i == 0 || i == d->n[axis] - 1) ? 0.5 : 1;
}

/* ---- text ---- */

char *domain_print_sides(const domain *d, char *out, size_t size) {
  *out = 0;
  for (int a = 3 - d->dims; a < 3; a++) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", used ? "," : "", d->side[a]->name);
  }
  return out;
}

char *domain_print_size(const domain *d, char *out, size_t size) {
  *out = 0;
  for (int a = 3 - d->dims; a < 3; a++) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%td", used ? "x" : "", d->n[a]);
  }
  return out;
}
