/* SPDX-License-Identifier: BSD-3-Clause
 * The transform of a file: derived from the extents of its dataset, its attributes, and the command
 * line. */
#include <stdio.h>
#include <string.h>

#include "app/common/message.h"
#include "app/check/field.h"
#include "app/files/file_work.h"
#include "app/report/report.h"

/* The factor of a backward transform by NORM_...; factors of a forward transform are in reverse
 * order. */
const char *file_factor(pfft3d_direction direction, int norm) {
  static const char *const factors[] = {"1/N", "1/sqrt(N)", "none"};
  return factors[direction == PFFT3D_FORWARD ? NORM_FORWARD - norm : norm];
}

/* The problem that produced the input, from the attribute that this program writes; c2c without it,
 * or if the input is a field, the result of a backward transform. *fits: the input is half a
 * spectrum of matching size. */
static int recall(file_work *j, pfft3d_problem *p, int *fits) {
  char text[160], direction[32];
  ptrdiff_t n[3];
  pfft3d_error *e = &j->a->error;
  p->kind = PFFT3D_C2C;
  *fits = 0;
  if (pfft3d_dataset_attribute(j->in.dataset, "problem", text, sizeof text, e) ||
      pfft3d_dataset_attribute(j->in.dataset, "direction", direction, sizeof direction, e))
    return e->status;
  if (!text[0] || !strcmp(direction, "backward")) return PFFT3D_OK;
  if (pfft3d_problem_parse(text, p, NULL)) {
    app_warn(j->a, "the attribute 'problem' of '%s:%s', '%.60s', is not understood",
             j->in.info.file, j->in.info.path, text);
    return PFFT3D_OK;
  }
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, n);
  *fits = memcmp(n, j->in.info.n, sizeof n) == 0;
  if (!options_given(&j->a->opt, "sign")) j->problem.sign = p->sign;
  return PFFT3D_OK;
}

/* One value for all axes of the input, or one for each; or three, with values for one point along
 * axes that it lacks. */
static int check_values(const file_work *j, const char *option, const char *text) {
  int count = 1;
  for (const char *c = text; *c; c++) count += *c == ',';
  if (count <= j->in.info.dims || count == 3) return PFFT3D_OK;
  return app_fail(&j->a->error, PFFT3D_ERR_USAGE, "--%s %s: must be one for all axes, or %d",
                  option, text, j->in.info.dims);
}

/* The requested kinds, else those of the transform that made the input. */
static int choose_axes(file_work *j, const pfft3d_problem *said) {
  app *a = j->a;
  memcpy(j->problem.n, j->in.info.n, sizeof j->problem.n);
  memcpy(j->problem.axis, said->axis, sizeof said->axis);
  if (check_values(j, "kind", a->opt.kind)) return a->error.status;
  return options_axes("kind", a->opt.kind, &j->problem, &a->error);
}

/* The default is r2c for real fields and for their spectra, else c2c. */
static int choose_kind(file_work *j, const pfft3d_problem *said) {
  app *a = j->a;
  int forward = j->direction == PFFT3D_FORWARD, is_complex = j->in.info.numbers == PFFT3D_COMPLEX;
  pfft3d_problem p = j->problem; /* for a real field of these kinds */
  p.kind = PFFT3D_R2C;
  int axis = field_half_axis(&p), half = axis >= 0, real = !is_complex && (forward || !half);
  if (!forward && is_complex && half) real = said->kind == PFFT3D_R2C;
  j->problem.kind = real ? PFFT3D_R2C : PFFT3D_C2C;
  if (options_given(&a->opt, "type"))
    j->problem.kind = options_is(&a->opt, "type", "r2c") ? PFFT3D_R2C : PFFT3D_C2C;
  j->half = j->problem.kind == PFFT3D_R2C ? axis : -1;
  int wanted = forward || !half; /* real numbers */
  if (!wanted || !is_complex || j->problem.kind != PFFT3D_R2C) return PFFT3D_OK;
  app_hint(&a->error, "--type c2c transforms complex numbers");
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "cannot transform '%.100s' in '%.100s' as real numbers: they are %s",
                  j->in.info.path, j->in.info.file, j->in.info.type);
}

/* A size, or the axis of one, in the dimensions of the input: without leading axes that it
 * lacks. */
static const char *size_text(const file_work *j, const ptrdiff_t n[3], char out[80]) {
  int first = 3 - j->in.info.dims, used = 0;
  while (first > 0 && n[first - 1] != 1) first--;
  for (int k = first; k < 3; k++)
    used += snprintf(out + used, (size_t)(80 - used), "%s%td", k > first ? "x" : "", n[k]);
  return out;
}

static int axis_of(const file_work *j, int k) {
  return k - (3 - j->in.info.dims);
}

/* An option's size for the input: a single number, which is read as a cube, is the extent of every
 * axis. */
static void take_size(const file_work *j, const ptrdiff_t asked[3], ptrdiff_t n[3]) {
  int cube = asked[0] == asked[1] && asked[1] == asked[2];
  for (int k = 0; k < 3; k++) n[k] = cube && asked[0] && axis_of(j, k) < 0 ? 1 : asked[k];
}

/* Fails because the requested size differs from the size n of the field. */
static int wrong_size(file_work *j, int back, int fits) {
  app *a = j->a;
  char asked[80], found[80];
  const ptrdiff_t *n = j->problem.n, m = back ? j->in.info.n[j->half] : 0;
  ptrdiff_t other[3] = {n[0], n[1], n[2]};
  const char *option = j->terms->option;
  if (back) other[j->half] = 2 * m - 1;
  app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s %s: does not fit the input, whose field is %s",
           option, size_text(j, j->asked, asked), size_text(j, n, found));
  if (a->opt.pad[0])
    app_hint(&a->error, "leave out --%s: --pad is the size of the field", option);
  else if (!back)
    app_hint(&a->error, "leave out --%s: the input has a size", option);
  else if (fits)
    app_hint(&a->error, "its attribute 'problem' says so; leave out --%s", option);
  else if (m > 1)
    app_hint(&a->error, "or %s: a spectrum of %td along axis %d leaves the choice",
             size_text(j, other, found), m, axis_of(j, j->half));
  return a->error.status;
}

/* The input has the modes of a spectrum of the requested size: sets that size. */
static int pad(file_work *j) {
  app *a = j->a;
  pfft3d_problem *p = &j->problem;
  char text[80];
  take_size(j, a->opt.pad, p->n);
  for (int k = 0; k < 3; k++) { /* half a spectrum of m elements has modes 0 to m-1 */
    ptrdiff_t m = j->in.info.n[k], modes = k == j->half ? 2 * m - 1 : m;
    if (k == j->half && p->n[k] / 2 + 1 == m) modes = p->n[k];
    if (axis_of(j, k) < 0 && p->n[k] > 1)
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--pad %s: the input has %d dimension%s",
                      size_text(j, p->n, text), j->in.info.dims, j->in.info.dims > 1 ? "s" : "");
    if (modes > p->n[k])
      return app_fail(&a->error, PFFT3D_ERR_USAGE,
                      "--pad %s: smaller than the input, which has %td modes along axis %d%s",
                      size_text(j, p->n, text), m, axis_of(j, k),
                      k == j->half ? ", half of a spectrum" : "");
    p->keep[k] = modes;
  }
  return PFFT3D_OK;
}

/* Takes --keep, whose error names an axis of the input. */
static int keep_modes(file_work *j) {
  app *a = j->a;
  if (check_values(j, "keep", a->opt.keep)) return a->error.status;
  if (options_axes("keep", a->opt.keep, &j->problem, &a->error)) return a->error.status;
  for (int k = 0; k < 3; k++) {
    if (j->problem.keep[k] <= j->problem.n[k]) continue;
    if (axis_of(j, k) >= 0)
      app_fail(&a->error, PFFT3D_ERR_USAGE, "--keep %s: more than the %td points along axis %d",
               a->opt.keep, j->problem.n[k], axis_of(j, k));
    else
      app_fail(&a->error, PFFT3D_ERR_USAGE, "--keep %s: the input has %d dimension%s", a->opt.keep,
               j->in.info.dims, j->in.info.dims > 1 ? "s" : "");
    return a->error.status;
  }
  return PFFT3D_OK;
}

/* The kept modes of the spectrum: forward from --keep, backward the modes of the input. */
static int choose_modes(file_work *j, int *fits) {
  app *a = j->a;
  int forward = j->direction == PFFT3D_FORWARD;
  const char *wrong = forward && a->opt.pad[0] ? "pad" : !forward && a->opt.keep[0] ? "keep" : NULL;
  if (wrong) {
    app_hint(&a->error, "--keep drops modes forward, --pad names the size of the field backward");
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s: not with --direction %s", wrong,
                    forward ? "forward" : "backward");
  }
  if (forward) return keep_modes(j);
  if (!a->opt.pad[0]) return PFFT3D_OK;
  *fits = 1; /* the size is certain */
  return pad(j);
}

/* The extents of the field. Half a spectrum of m elements along an axis may belong to 2 (m-1)
 * points or to one more: the attribute or the option decides, else the number is even. */
static int choose_extents(file_work *j, const pfft3d_problem *said, int fits) {
  ptrdiff_t *n = j->problem.n;
  const ptrdiff_t *asked = j->asked;
  int h = j->half, back = j->direction == PFFT3D_BACKWARD && h >= 0;
  char text[80];
  memcpy(n, j->in.info.n, sizeof j->problem.n);
  for (int k = 0; k < 3 && back; k++) /* no information in complex numbers, or for other kinds */
    if (said->kind != PFFT3D_R2C || (said->n[k] > 1 && said->axis[k] != j->problem.axis[k]))
      fits = 0;
  if (back)
    n[h] = fits ? said->n[h] : asked[h] / 2 + 1 == n[h] && asked[h] ? asked[h] : 2 * (n[h] - 1);
  if (back && n[h] == 0) n[h] = 1; /* a spectrum of one element belongs to one point */
  int known = fits && said->kind == j->problem.kind;
  if (j->direction == PFFT3D_BACKWARD && known) { /* for all axes, if modes were dropped */
    memcpy(n, said->n, sizeof j->problem.n);
    memcpy(j->problem.keep, said->keep, sizeof j->problem.keep);
  }
  if (choose_modes(j, &fits)) return j->a->error.status;
  if (asked[0] && memcmp(asked, n, sizeof j->problem.n) != 0) return wrong_size(j, back, fits);
  if (back && !fits && said->kind == PFFT3D_R2C && !asked[0])
    app_warn(j->a, "the attribute 'problem' does not fit '%s:%s': the field is taken as %s",
             j->in.info.file, j->in.info.path, size_text(j, n, text));
  return PFFT3D_OK;
}

/* A dataset of one dimension is a line unless the options include a decomposition, or features that
 * lines lack: the spectrum of a line has all modes, with the sign -1. */
static int choose_shape(file_work *j, int dropped) {
  app *a = j->a;
  const options *o = &a->opt;
  int one = j->in.info.dims == 1, auto_cut = options_is(o, "decomp", "auto");
  char why[40] = "its spectrum lacks modes";
  dropped |= o->keep[0] || o->pad[0];
  int as_field =
      !j->terms->lines && (options_given(o, "bricks") || j->problem.sign > 0 || !auto_cut);
  j->line = one && !dropped && !as_field;
  j->problem.dims = j->line ? 1 : 3;
  take_size(j, j->terms->n, j->asked);
  if (j->line || !j->terms->lines) return PFFT3D_OK;
  if (!one) snprintf(why, sizeof why, "it has %d dimensions", j->in.info.dims);
  app_hint(&a->error, "'pfft3d transform' takes %s", one ? "it" : "up to three");
  return app_fail(&a->error, PFFT3D_ERR_DATA, "cannot transform '%.100s' in '%.100s' as a line: %s",
                  j->in.info.path, j->in.info.file, why);
}

/* The normalization of the forward transform that has written the input, from its attributes;
 * NORM_NONE without them. */
static int recall_norm(file_work *j, int *norm) {
  app *a = j->a;
  char text[2][32];
  static const char *const names[2] = {"direction", "normalization"};
  *norm = NORM_NONE;
  for (int k = 0; k < 2; k++)
    if (pfft3d_dataset_attribute(j->in.dataset, names[k], text[k], sizeof text[k], &a->error))
      return a->error.status;
  for (int k = NORM_BACKWARD; k <= NORM_FORWARD; k++)
    if (strcmp(text[0], "forward") == 0 && strcmp(text[1], file_factor(PFFT3D_FORWARD, k)) == 0)
      *norm = k;
  return PFFT3D_OK;
}

static int choose_norm(file_work *j) {
  static const char *const words[] = {"backward", "ortho", "forward"};
  int said = NORM_NONE, asked = j->a->opt.norm;
  if (j->direction == PFFT3D_BACKWARD && recall_norm(j, &said)) return j->a->error.status;
  j->norm = asked != NORM_NONE ? asked : said != NORM_NONE ? said : NORM_BACKWARD;
  if (said != NORM_NONE && said != j->norm)
    app_warn(j->a, "'%s:%s' was made with --norm %s: the result is a multiple of the field",
             j->in.info.file, j->in.info.path, words[said]);
  return PFFT3D_OK;
}

int file_problem(file_work *j) {
  pfft3d_problem said = {.kind = PFFT3D_C2C};
  int fits = 0, forward = j->direction == PFFT3D_FORWARD;
  j->from = forward ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  j->to = forward ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  j->problem.precision = options_precision(&j->a->opt);
  j->problem.sign = options_is(&j->a->opt, "sign", "+1");
  j->problem.batch = 1;
  if (!forward && recall(j, &said, &fits)) return j->a->error.status;
  if (choose_shape(j, fits && said.keep[2])) return j->a->error.status;
  if (choose_axes(j, &said) || choose_kind(j, &said)) return j->a->error.status;
  return choose_extents(j, &said, fits) || choose_norm(j) ? j->a->error.status : PFFT3D_OK;
}

/* ---- Dimensions of outputs ---------------------------------------------------------------- */

const pfft3d_axis *file_axes(const app *a, const file_dims *d, file_names *made) {
  int any = 0, forward = d->direction == PFFT3D_FORWARD;
  ptrdiff_t all = 0;
  for (int k = 0; k < d->count; k++) all += d->n[k];
  double *values = made->values = app_malloc(a, (size_t)all, sizeof *values);
  for (int k = 0; k < d->count; values += d->n[k++]) {
    const char *known = d->known[k];
    char *name = made->name[k];
    any |= known[0];
    made->axis[k] = (pfft3d_axis){.name = d->kind[k] == PFFT3D_NONE ? NULL : name};
    snprintf(name, sizeof made->name[k], "%s%s", forward && known[0] ? "k_" : "",
             forward                        ? known
             : strncmp(known, "k_", 2) == 0 ? known + 2
                                            : "");
    if (!forward || d->kind[k] != PFFT3D_DFT) continue;
    for (ptrdiff_t i = 0; i < d->n[k]; i++)
      values[i] = (double)(k != d->half && i > (d->n[k] - 1) / 2 ? i - d->n[k] : i);
    made->axis[k].values = values;
    made->axis[k].long_name = "wave number: cycles along the axis";
  }
  return any ? made->axis : NULL;
}

/* ---- Outputs that are read again, and texts ------------------------------------------------ */

void file_temporary(const app *a, const pfft3d_output *output, const pfft3d_dataset_info *input,
                    char name[2 * FILE_SIZE]) {
  const char *file = pfft3d_output_temporary(output), *path = options_path(a->opt.output);
  char own[FIELD_PATH];
  if (a->opt.into)
    snprintf(name, 2 * FILE_SIZE, "%s:%s", file, path ? path : field_path(input, own));
  else
    snprintf(name, 2 * FILE_SIZE, "%s", file);
}

int file_compared(app *a, int differ) {
  MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_SUM, a->comm);
  if (!differ) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_IO,
                  "cannot write '%.200s': what %d rank%s wrote is not what is read", a->opt.output,
                  differ, differ > 1 ? "s" : "");
}

void file_text_head(const app *a, const json_t *report) {
  const json_t *in = report_at(report, "input");
  report_text_head(a, report);
  printf("%s:%s (%s) -> %s\n", report_word(in, "file"), report_word(in, "path"),
         report_word(in, "type"), report_word(report, "output"));
}
