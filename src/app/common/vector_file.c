/* SPDX-License-Identifier: BSD-3-Clause
 * Vector fields in files. */
#include "app/common/vector_file.h"

#include <stdio.h>
#include <string.h>

#include "app/common/message.h"

/* Probes one more dataset. */
static int add(app *a, const char *name, field_input *in, int most, int *count) {
  if (*count == most)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--input: more than %d datasets", most);
  return field_probe(a, name, &in[(*count)++]);
}

/* ---- Several datasets --------------------------------------------------------------------- */

/* The end of a name in a list: a comma that is not in a selection. */
static const char *name_end(const char *at) {
  int inside = 0;
  for (; *at && (*at != ',' || inside); at++) inside += *at == '[' ? 1 : *at == ']' ? -1 : 0;
  return at;
}

/* "FILE:/a,/b" and "FILE:/group/a,b"; @p path is where the first path begins. */
static int probe_list(app *a, const char *path, field_input *in, int most, int *count) {
  const char *text = a->opt.input, *group = path;
  int file = (int)(path - text);
  for (const char *c = path; c < name_end(path) && *c != '['; c++)
    if (*c == '/') group = c + 1;
  for (const char *at = path;; at++) {
    char name[FILE_SIZE];
    const char *end = name_end(at);
    int relative = at > path && *at != '/' ? (int)(group - path) : 0;
    snprintf(name, sizeof name, "%.*s%.*s%.*s", file, text, relative, path, (int)(end - at), at);
    if (add(a, name, in, most, count)) return a->error.status;
    at = end;
    if (!*end) return PFFT3D_OK;
  }
}

/* ---- One dataset -------------------------------------------------------------------------- */

/* The name of component k of a dataset whose first or last axis has the components. */
static void name_component(const app *a, int last, int k, char name[FILE_SIZE]) {
  snprintf(name, FILE_SIZE, last ? "%.1500s[...,%d]" : "%.1500s[%d,...]", a->opt.input, k);
}

/* Collective. Nonzero if there is component k. */
static int has_component(const app *a, int last, int k) {
  app trial = *a;
  char name[FILE_SIZE];
  field_input in = {.dataset = NULL};
  name_component(a, last, k, name);
  int found = !field_probe(&trial, name, &in);
  field_close(&in);
  return found;
}

/* Collective. The number of components along the first or the last axis: 2 or 3, else 0. */
static int count_components(const app *a, int last) {
  if (!has_component(a, last, 1)) return 0;
  return !has_component(a, last, 2) ? 2 : !has_component(a, last, 3) ? 3 : 0;
}

/* The axis of components of one dataset, 0: first, 1: last; -1: none. */
static int choose_axis(app *a, int guess, int found[2]) {
  static const char *const words[] = {"first", "last"};
  const options *o = &a->opt;
  int asked = options_given(o, "components");
  for (int last = 0; last < 2; last++)
    found[last] = (asked ? o->components == last : guess) ? count_components(a, last) : 0;
  if (asked && !found[o->components]) {
    app_fail(&a->error, PFFT3D_ERR_DATA, "--components %s: that axis of '%.200s' has not 2 or 3",
             words[o->components], o->input);
    return -1;
  }
  if (!found[0] == !found[1]) return -1;
  if (!asked)
    app_warn(a, "'%.200s' is taken as a vector: its %s axis has %d components", o->input,
             words[!found[0]], found[!found[0]]);
  return !found[0];
}

int vector_probe(app *a, int guess, field_input *in, int most, int *count) {
  const char *text = a->opt.input, *path = options_path(text);
  int found[2];
  *count = 0;
  if (path && *name_end(path)) return probe_list(a, path, in, most, count);
  int axis = choose_axis(a, guess, found);
  if (a->error.status) return a->error.status;
  if (axis < 0) return add(a, text, in, most, count);
  for (int k = 0; k < found[axis]; k++) {
    char name[FILE_SIZE];
    name_component(a, axis, k, name);
    if (add(a, name, in, most, count)) return a->error.status;
  }
  return PFFT3D_OK;
}

int vector_check(app *a, const field_input *in, int count, pfft3d_numbers *numbers) {
  const pfft3d_dataset_info *first = &in[0].info;
  *numbers = PFFT3D_REAL;
  for (int k = 0; k < count; k++) {
    const pfft3d_dataset_info *info = &in[k].info;
    if (info->numbers == PFFT3D_COMPLEX) *numbers = PFFT3D_COMPLEX;
    if (info->dims != first->dims || memcmp(info->n, first->n, sizeof first->n) != 0)
      return app_fail(&a->error, PFFT3D_ERR_DATA,
                      "'%.100s' and '%.100s' in '%.100s' are no components of a vector: their "
                      "shapes differ",
                      first->path, info->path, first->file);
  }
  return PFFT3D_OK;
}
