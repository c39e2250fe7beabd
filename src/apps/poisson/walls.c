/* SPDX-License-Identifier: BSD-3-Clause
 * The stencil of a point next to a wall needs a value beyond it.  That is what the condition makes
 * of the given value g and of the points (R. J. LeVeque, Finite Difference Methods for Ordinary and
 * Partial Differential Equations, 2.12): 2 g - u for u = g between two cells, u -+ h g for
 * du/dx = g.  The part with u belongs to the matrix, whose eigenvectors are those of g = 0; the
 * part with g goes to the right-hand side. */
#include "apps/poisson/walls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"

/* ---- the option ---- */

static const char *const ends[2] = {"low", "high"};

/* The length of "0low=" at the beginning of a text, with its axis and side; 0: there is none. */
static size_t label(const char *text, int *axis, int *side) {
  for (*side = 0; *side < 2; ++*side) {
    size_t length = strlen(ends[*side]);
    *axis = text[0] - '0';
    if (*axis >= 0 && *axis < 3 && strncmp(text + 1, ends[*side], length) == 0 &&
        text[1 + length] == '=')
      return length + 2;
  }
  return 0;
}

/* Characters up to the comma before the next label: names of files may have commas. */
static size_t value_length(const char *text) {
  int axis, side;
  const char *at = text;
  while (*at && !(*at == ',' && label(at + 1, &axis, &side))) at++;
  return (size_t)(at - text);
}

static int parse_value(walls *w, wall *x, const char *what, pfft3d_error *e) {
  int parts = options_complex(x->name, x->number);
  if (parts) x->name[0] = 0;
  w->is_complex |= parts == 2;
  if (parts || options_path(x->name) || strchr(x->name, '.')) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE, "--wall-values '%.60s': expected a number or FILE:/path",
                  what);
}

int walls_parse(walls *w, const char *text, pfft3d_error *e) {
  int axis, side;
  memset(w, 0, sizeof *w);
  for (const char *at = text; *at;) {
    size_t length = label(at, &axis, &side);
    if (!length)
      return app_fail(e, PFFT3D_ERR_USAGE,
                      "--wall-values '%.60s': expected an axis, low or high, and a value, as "
                      "0low=1,2high=FILE:/path",
                      at);
    wall *x = &w->side[axis][side];
    if (x->given)
      return app_fail(e, PFFT3D_ERR_USAGE, "--wall-values '%.60s': %d%s has a value already", at,
                      axis, ends[side]);
    x->given = 1;
    w->given++;
    size_t value = value_length(at + length);
    snprintf(x->name, sizeof x->name, "%.*s", (int)value, at + length);
    if (parse_value(w, x, at, e)) return e->status;
    at += length + value;
    at += *at == ',';
  }
  return PFFT3D_OK;
}

int walls_place(walls *w, const domain *d, pfft3d_error *e) {
  static const char *const without[] = {"is periodic", NULL, NULL, "is open"};
  int missing = 3 - d->dims;
  for (int a = 2; a >= 0 && w->given; a--)
    for (int side = 0; side < 2; side++) {
      wall *x = &w->side[a][side];
      if (!x->given) continue;
      if (a >= d->dims)
        return app_fail(e, PFFT3D_ERR_USAGE, "--wall-values %d%s: the field has %d dimension%s", a,
                        ends[side], d->dims, d->dims > 1 ? "s" : "");
      const char *why = without[d->side[a + missing]->end[side]];
      if (!why && !d->second && !domain_stretched(d, a + missing))
        return app_fail(e, PFFT3D_ERR_USAGE, "--wall-values %d%s: with --stencil second only", a,
                        ends[side]);
      if (why)
        return app_fail(e, PFFT3D_ERR_USAGE, "--wall-values %d%s: axis %d %s: there is no wall", a,
                        ends[side], a, why);
    }
  if (!missing) return PFFT3D_OK;
  memmove(&w->side[missing], &w->side[0], (size_t)d->dims * sizeof w->side[0]);
  memset(&w->side[0], 0, (size_t)missing * sizeof w->side[0]);
  return PFFT3D_OK;
}

/* ---- datasets ---- */

/* The axes of a side: a dataset has them as its last ones. */
static void axes_of(int axis, int other[2]) {
  other[0] = axis == 0 ? 1 : 0;
  other[1] = axis == 2 ? 1 : 2;
}

/* Writes the last extents, "5 x 6". */
static char *shape(const ptrdiff_t n[3], int dims, char out[80]) {
  *out = 0;
  for (int k = 3 - dims; k < 3; k++) {
    size_t used = strlen(out);
    snprintf(out + used, 80 - used, "%s%td", used ? " x " : "", n[k]);
  }
  return out;
}

static int probe(app *a, const domain *d, int axis, int side, wall *x) {
  int other[2], dims = d->dims > 1 ? d->dims - 1 : 1;
  char have[80], want[80];
  x->in.aside = 1;
  if (field_probe(a, x->name, &x->in)) return a->error.status;
  const pfft3d_dataset_info *info = &x->in.info;
  axes_of(axis, other);
  const ptrdiff_t n[3] = {1, d->n[other[0]], d->n[other[1]]};
  if (info->dims == dims && memcmp(info->n, n, sizeof n) == 0) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "--wall-values %d%s: '%.100s:%.60s' has %s values, the side %s",
                  axis - (3 - d->dims), ends[side], info->file, info->path,
                  shape(info->n, info->dims, have), shape(n, dims, want));
}

int walls_probe(app *a, walls *w, const domain *d) {
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) {
      wall *x = &w->side[axis][side];
      if (x->name[0] && probe(a, d, axis, side, x)) return a->error.status;
      w->is_complex |= x->name[0] && x->in.info.numbers == PFFT3D_COMPLEX;
    }
  return PFFT3D_OK;
}

/* The local index of the points next to a wall; -1: this rank has none. */
static ptrdiff_t index_of(const domain *d, const pfft3d_box *part, int axis, int side) {
  ptrdiff_t i = (side ? d->n[axis] - 1 : 0) - part->lo[axis];
  return i >= 0 && i < part->len[axis] ? i : -1;
}

static int read_one(app *a, const domain *d, const pfft3d_box *part, int numbers, int axis,
                    int side, wall *x) {
  int other[2], mine = index_of(d, part, axis, side) >= 0;
  axes_of(axis, other);
  pfft3d_box box = {.len = {mine, 0, 0}};
  for (int k = 0; k < 2 && mine; k++) {
    box.lo[k + 1] = part->lo[other[k]];
    box.len[k + 1] = part->len[other[k]];
  }
  size_t points = (size_t)(box.len[1] * box.len[2]);
  x->value = app_malloc(a, points * (size_t)numbers + 1, sizeof(double));
  x->in.precision = PFFT3D_DOUBLE;
  return field_read(a, &x->in, numbers == 2 ? PFFT3D_COMPLEX : PFFT3D_REAL, &box, x->value,
                    "nor will the solution be");
}

int walls_read(app *a, walls *w, const domain *d, const pfft3d_box *part, int numbers) {
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) {
      wall *x = &w->side[axis][side];
      if (x->name[0] && read_one(a, d, part, numbers, axis, side, x)) return a->error.status;
    }
  return PFFT3D_OK;
}

/* ---- the right-hand side ---- */

static void apply_one(const wall *x, const domain *d, const pfft3d_box *part, int numbers,
                      int single, void *array, int axis, int side) {
  const ptrdiff_t stride[3] = {part->len[1] * part->len[2], part->len[2], 1};
  const double weight = domain_wall(d, axis, side), *from = x->name[0] ? x->value : x->number;
  ptrdiff_t first = index_of(d, part, axis, side), at[2];
  int other[2];
  axes_of(axis, other);
  if (first < 0) return;
  for (at[0] = 0; at[0] < part->len[other[0]]; at[0]++)
    for (at[1] = 0; at[1] < part->len[other[1]]; at[1]++)
      for (int c = 0; c < numbers; c++) {
        ptrdiff_t point =
            first * stride[axis] + at[0] * stride[other[0]] + at[1] * stride[other[1]];
        ptrdiff_t number = point * numbers + c;
        double given = x->name[0] ? *from++ : from[c];
        number_set(array, single, number, number_get(array, single, number) + weight * given);
      }
}

void walls_apply(const walls *w, const domain *d, const pfft3d_box *part, int numbers, int single,
                 void *array) {
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++)
      if (w->side[axis][side].given)
        apply_one(&w->side[axis][side], d, part, numbers, single, array, axis, side);
}

void walls_close(walls *w) {
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) {
      field_close(&w->side[axis][side].in);
      free(w->side[axis][side].value);
    }
  memset(w, 0, sizeof *w);
}
