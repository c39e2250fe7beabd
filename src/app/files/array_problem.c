/* SPDX-License-Identifier: BSD-3-Clause
 * The transform of a dataset of any dimensions: derived from its lengths, its attributes, and the
 * command line. */
#include "app/files/array_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/field.h"
#include "app/common/message.h"
#include "app/common/request.h"

/* What the attributes of an input say about the transform that wrote it. */
typedef struct said {
  int known, real, axes;
  ptrdiff_t n[ARRAY_DIMS]; /* of the field */
  char kinds[96], listed[64], norm[32];
} said;

static const char *kind_name(pfft3d_axis_kind kind) {
  return pfft3d_list_name(PFFT3D_KINDS, (int)kind, NULL);
}

/* Reads "r2c:d:16x48x48x48:none,dft,dft,dft axes=1,2,3". */
static int read_problem(const char *text, int dims, said *s) {
  const char *at = text;
  int k = 0;
  if (strlen(at) < 6 || at[3] != ':') return 0;
  s->real = strncmp(at, "r2c", 3) == 0;
  for (at += 6; k < dims; at++) {
    char *end;
    s->n[k++] = (ptrdiff_t)strtoll(at, &end, 10);
    at = end;
    if (*at != 'x') break;
  }
  if (k != dims || *at != ':') return 0;
  const char *listed = strstr(at, ARRAY_AXES);
  if (!listed) return 0;
  snprintf(s->kinds, sizeof s->kinds, "%.*s", (int)(listed - at) - 1, at + 1);
  snprintf(s->listed, sizeof s->listed, "%s", listed + sizeof ARRAY_AXES - 1);
  return 1;
}

/* Collective. What the transform said, if it was a forward one of such an array. */
static int recall(array_work *j, said *s) {
  app *a = j->a;
  char text[240], direction[32];
  memset(s, 0, sizeof *s);
  if (j->direction == PFFT3D_FORWARD) return PFFT3D_OK;
  if (field_attribute(a, j->in, "problem", text, sizeof text) ||
      field_attribute(a, j->in, "direction", direction, sizeof direction) ||
      field_attribute(a, j->in, "normalization", s->norm, sizeof s->norm))
    return a->error.status;
  s->known = !strcmp(direction, "forward") && read_problem(text, j->dims, s);
  return PFFT3D_OK;
}

/* ---- Axes and their kinds ----------------------------------------------------------------- */

/* Reads "1,2,-1". */
static int read_axes(array_work *j, const char *text) {
  app *a = j->a;
  int used[ARRAY_DIMS] = {0};
  const char *at = text;
  for (j->axes = 0; *at || at == text; at += *at == ',') {
    char *end;
    long axis = strtol(at, &end, 10);
    if (end == at || (*end && *end != ',') || (*end == ',' && !end[1])) {
      app_hint(&a->error, "numbers with commas, as in --axes 1,2,3");
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--axes '%.60s': expected numbers of axes",
                      text);
    }
    at = end;
    if (axis < -j->dims || axis >= j->dims)
      return app_fail(&a->error, PFFT3D_ERR_USAGE,
                      "--axes %.60s: the input has %d dimension%s, 0 to %d", text, j->dims,
                      j->dims > 1 ? "s" : "", j->dims - 1);
    if (axis < 0) axis += j->dims;
    if (used[axis]++)
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--axes %.60s: axis %ld is transformed once",
                      text, axis);
    j->axis[j->axes++] = (int)axis;
  }
  return PFFT3D_OK;
}

/* The axes of the option, of the transform that wrote the input, or all. */
static int choose_axes(array_work *j, const said *s) {
  const char *text = j->a->opt.axes[0] ? j->a->opt.axes : s->known ? s->listed : "";
  if (*text) return read_axes(j, text);
  for (j->axes = 0; j->axes < j->dims; j->axes++) j->axis[j->axes] = j->axes;
  return PFFT3D_OK;
}

static int find_kind(array_work *j, const char *word, size_t length, pfft3d_axis_kind *kind) {
  char name[40];
  snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, word);
  for (int k = 0; kind_name((pfft3d_axis_kind)k); k++) {
    if (strcmp(name, kind_name((pfft3d_axis_kind)k)) != 0) continue;
    *kind = (pfft3d_axis_kind)k;
    return PFFT3D_OK;
  }
  return options_spell("kind", name, NULL, 0, &j->a->error);
}

/* One kind for all axes, or one for each transformed axis, in their order. */
static int choose_kinds(array_work *j, const said *s) {
  app *a = j->a;
  const char *text = a->opt.kind, *at = text;
  pfft3d_axis_kind list[ARRAY_DIMS + 1];
  int count = 0;
  for (int k = 0; k < j->dims; k++) j->kind[k] = PFFT3D_NONE;
  if (!*text && s->known && !a->opt.axes[0]) { /* a kind for each dimension */
    for (int k = 0; k < j->dims; k++) {
      size_t length = strcspn(at = k ? at : s->kinds, ",");
      if (find_kind(j, at, length, &j->kind[k])) return a->error.status;
      at += length + (at[length] == ',');
    }
    return PFFT3D_OK;
  }
  list[count++] = PFFT3D_DFT;
  for (count = *text ? 0 : 1; *at && count <= ARRAY_DIMS; count++) {
    size_t length = strcspn(at, ",");
    if (find_kind(j, at, length, &list[count])) return a->error.status;
    at += length + (at[length] == ',');
  }
  if (count != 1 && count != j->axes)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--kind %.60s: must be one for all axes, or %d",
                    text, j->axes);
  for (int k = 0; k < j->axes; k++) j->kind[j->axis[k]] = list[count == 1 ? 0 : k];
  return PFFT3D_OK;
}

/* ---- Type and lengths --------------------------------------------------------------------- */

/* Real fields by default where the numbers are real, or were; half of a spectrum is along the last
 * axis with a dft, as they are listed. */
static int choose_type(array_work *j, const said *s) {
  app *a = j->a;
  int forward = j->direction == PFFT3D_FORWARD, given = j->in->info.numbers == PFFT3D_COMPLEX;
  int half = -1, longer = 0, others = 0;
  for (int k = 0; k < j->axes; k++) {
    pfft3d_axis_kind kind = j->kind[j->axis[k]];
    if (kind == PFFT3D_DFT) half = j->axis[k];
    longer |= kind == PFFT3D_DFT && j->in->info.extent[j->axis[k]] > 1;
    others |= kind != PFFT3D_DFT && kind != PFFT3D_NONE;
  }
  if (others && !longer) half = -1; /* one point has no spectrum: all is real */
  j->real = !given && (forward || half < 0);
  if (!forward && given && half >= 0) j->real = s->known && s->real;
  if (options_given(&a->opt, "type")) j->real = options_is(&a->opt, "type", "r2c");
  j->half = j->real ? half : -1;
  if (!j->real || !given || !(forward || half < 0)) return PFFT3D_OK;
  app_hint(&a->error, "--type c2c transforms complex numbers");
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "cannot transform '%.100s' in '%.100s' as real numbers: they are %s",
                  j->in->info.path, j->in->info.file, j->in->info.type);
}

/* Half a spectrum of m numbers belongs to 2 (m-1) points, or to as many as its attribute says. */
static void choose_lengths(array_work *j, const said *s) {
  int h = j->half;
  for (int side = 0; side < 2; side++) memcpy(j->n[side], j->in->info.extent, sizeof j->n[side]);
  if (h < 0) return;
  ptrdiff_t m = j->in->info.extent[h];
  if (j->direction == PFFT3D_FORWARD)
    j->n[PFFT3D_SPECTRUM][h] = m / 2 + 1;
  else if (s->known && s->n[h] / 2 + 1 == m)
    j->n[PFFT3D_SPACE][h] = s->n[h];
  else
    j->n[PFFT3D_SPACE][h] = m > 1 ? 2 * (m - 1) : 1;
}

/* The factors of both directions: of several groups of three axes. */
static void choose_factors(array_work *j, const said *s) {
  const app *a = j->a;
  j->norm = a->opt.norm != NORM_NONE ? a->opt.norm : NORM_BACKWARD;
  for (int k = NORM_BACKWARD; s->known && a->opt.norm == NORM_NONE && k <= NORM_FORWARD; k++)
    if (!strcmp(s->norm, file_factor(PFFT3D_FORWARD, k))) j->norm = k;
  j->scale[0] = j->scale[1] = j->points = 1;
  for (int k = 0; k < j->axes; k++) {
    double scale[2];
    pfft3d_problem one = {.kind = PFFT3D_C2C, .dims = 3, .n = {1, 1, j->n[0][j->axis[k]]}};
    one.axis[2] = j->kind[j->axis[k]];
    pfft3d_request *r = options_request(a, &one);
    request_normalize(r, j->norm, scale);
    j->scale[0] *= scale[0];
    j->scale[1] *= scale[1];
    j->points *= (double)pfft3d_problem_points(&one);
    pfft3d_request_destroy(&r);
  }
}

/* ---- All of it ---------------------------------------------------------------------------- */

static int check_options(array_work *j) {
  static const char *const others[] = {"keep", "pad", "grid", "bricks", "cuts", "decomp", "pgrid"};
  app *a = j->a;
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (options_given(&a->opt, others[k]))
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s: not %s", others[k],
                      a->opt.axes[0] ? "with --axes" : "for more than three dimensions");
  return PFFT3D_OK;
}

static void print(array_work *j) {
  char *at = j->problem, *end = at + sizeof j->problem;
  at += snprintf(at, (size_t)(end - at), "%s:%c:", j->real ? "r2c" : "c2c",
                 options_precision(&j->a->opt) == PFFT3D_SINGLE ? 's' : 'd');
  for (int k = 0; k < j->dims; k++)
    at += snprintf(at, (size_t)(end - at), "%s%td", k ? "x" : "", j->n[PFFT3D_SPACE][k]);
  for (int k = 0; k < j->dims; k++)
    at += snprintf(at, (size_t)(end - at), "%c%s", k ? ',' : ':', kind_name(j->kind[k]));
  char *listed = j->listed;
  for (int k = 0; k < j->axes; k++) listed += snprintf(listed, 8, "%s%d", k ? "," : "", j->axis[k]);
  snprintf(at, (size_t)(end - at), ARRAY_AXES "%s", j->listed);
}

int array_problem(array_work *j) {
  said s;
  j->dims = j->in->info.dims;
  j->from = j->direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  j->to = !j->from;
  if (check_options(j) || recall(j, &s) || choose_axes(j, &s) || choose_kinds(j, &s) ||
      choose_type(j, &s))
    return j->a->error.status;
  choose_lengths(j, &s);
  choose_factors(j, &s);
  print(j);
  return PFFT3D_OK;
}
