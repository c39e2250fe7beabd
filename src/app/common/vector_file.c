/* SPDX-License-Identifier: BSD-3-Clause
 * Vector fields in files. */
#include "app/common/vector_file.h"

#include <stdio.h>
#include <string.h>

#include "app/common/message.h"

/* Probes one more dataset. */
static int add(app *a, const char *name, field_input *in, int most, int *count) {
  if (*count == most)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "'%.100s': more than %d datasets", name, most);
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
static int probe_list(app *a, const char *text, const char *path, field_input *in, int most,
                      int *count) {
  const char *group = path;
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
static void name_component(const char *text, int last, int k, char name[FILE_SIZE]) {
  snprintf(name, FILE_SIZE, last ? "%.1500s[...,%d]" : "%.1500s[%d,...]", text, k);
}

/* Collective. Nonzero if there is component k. */
static int has_component(const app *a, const char *text, int last, int k) {
  app trial = *a;
  char name[FILE_SIZE];
  field_input in = {.dataset = NULL};
  name_component(text, last, k, name);
  int found = !field_probe(&trial, name, &in);
  field_close(&in);
  return found;
}

/* Collective. The number of components along the first or the last axis: 2 or 3, else 0. */
static int count_components(const app *a, const char *text, int last) {
  if (!has_component(a, text, last, 1)) return 0;
  return !has_component(a, text, last, 2) ? 2 : !has_component(a, text, last, 3) ? 3 : 0;
}

/* The axis of components of one dataset, 0: first, 1: last; -1: none. */
static int choose_axis(app *a, const char *text, int guess, int found[2]) {
  static const char *const words[] = {"first", "last"};
  const options *o = &a->opt;
  int asked = options_given(o, "components");
  for (int last = 0; last < 2; last++)
    found[last] = (asked ? o->components == last : guess) ? count_components(a, text, last) : 0;
  if (asked && !found[o->components]) {
    app_fail(&a->error, PFFT3D_ERR_DATA, "--components %s: that axis of '%.200s' has not 2 or 3",
             words[o->components], text);
    return -1;
  }
  if (!found[0] == !found[1]) return -1;
  if (!asked)
    app_warn(a, "'%.200s' is taken as a vector: its %s axis has %d components", text,
             words[!found[0]], found[!found[0]]);
  return !found[0];
}

int vector_probe(app *a, const char *text, int guess, field_input *in, int most, int *count) {
  const char *path = options_path(text);
  int found[2];
  *count = 0;
  if (path && *name_end(path)) return probe_list(a, text, path, in, most, count);
  int axis = choose_axis(a, text, guess, found);
  if (a->error.status) return a->error.status;
  if (axis < 0) return add(a, text, in, most, count);
  for (int k = 0; k < found[axis]; k++) {
    char name[FILE_SIZE];
    name_component(text, axis, k, name);
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

/* ---- Results ------------------------------------------------------------------------------ */

static void name_outputs(const app *a, vector_output *o, const char *single) {
  const char *named = options_path(a->opt.output);
  char first[FIELD_PATH], second[FIELD_PATH] = "";
  field_path(&o->in[0].info, first);
  if (o->inputs > 1) field_path(&o->in[1].info, second);
  int own = !named && o->inputs == o->outputs && (o->inputs == 1 || strcmp(first, second) != 0);
  for (int c = 0; c < o->outputs; c++) {
    if (own)
      field_path(&o->in[c].info, o->path[c]);
    else if (o->outputs == 1)
      snprintf(o->path[c], sizeof o->path[c], named ? "%.500s" : "/%.500s", named ? named : single);
    else
      snprintf(o->path[c], sizeof o->path[c], "%.500s_%d", named ? named : first, c);
  }
}

/* Nonzero if all components are in one array, of one dimension more. */
static int is_joined(const app *a, const vector_output *o) {
  size_t end = strlen(a->opt.output);
  return o->outputs > 1 && end > 4 && strcmp(a->opt.output + end - 4, ".npy") == 0;
}

static int is_last(const app *a) {
  return options_given(&a->opt, "components") && a->opt.components;
}

/* The block of component c in such an array. */
static pfft3d_block joined_block(const app *a, const vector_output *o, const rows *r, int c) {
  int dims = o->wish.dims, last = is_last(a);
  pfft3d_block b = {{0}, {0}};
  for (int k = 0; k < dims; k++) {
    b.lo[k + !last] = r->part.lo[3 - dims + k];
    b.len[k + !last] = r->part.len[3 - dims + k];
  }
  b.lo[last ? dims : 0] = c;
  b.len[last ? dims : 0] = 1;
  return b;
}

/* The specification of such an array. */
static pfft3d_output_spec joined(const app *a, const vector_output *o) {
  static const pfft3d_axis unnamed[4] = {{"", NULL, NULL, NULL},
                                         {"", NULL, NULL, NULL},
                                         {"", NULL, NULL, NULL},
                                         {"", NULL, NULL, NULL}};
  pfft3d_output_spec wish = o->wish;
  ptrdiff_t n[4] = {1, 1, 1, 1};
  int dims = o->wish.dims, last = is_last(a);
  for (int k = 0; k < dims; k++) n[3 - dims + k + !last] = o->wish.n[3 - dims + k];
  n[last ? 3 : 3 - dims] = o->outputs;
  wish.dims = dims + 1;
  wish.axes = unnamed;
  memcpy(wish.extent, n, sizeof n);
  memcpy(wish.n, n + 1, sizeof wish.n);
  return wish;
}

int vector_create(app *a, vector_output *o, const char *single) {
  char name[FILE_SIZE];
  name_outputs(a, o, single);
  if (is_joined(a, o)) {
    pfft3d_output_spec all = joined(a, o);
    return field_create(a, &o->in[0], &all, &o->out);
  }
  /* a path in --output names the first component, too */
  const char *path = options_path(a->opt.output);
  int file = (int)(path ? path - a->opt.output : (ptrdiff_t)strlen(a->opt.output));
  snprintf(name, sizeof name, "%.*s%s", file, a->opt.output, path ? o->path[0] : "");
  pfft3d_output_spec wish = o->wish;
  wish.name = name;
  wish.path = o->path[0];
  return field_create(a, &o->in[0], &wish, &o->out);
}

/* Collective. */
static int check_finite(app *a, const vector_output *o, const rows *r, void *const *array) {
  double wrong = 0;
  int single = options_precision(&a->opt) == PFFT3D_SINGLE;
  for (int c = 0; c < o->outputs; c++) wrong += rows_nonfinite(r, single, array[c]);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_SUM, a->comm);
  return wrong > 0 ? field_not_finite(a, wrong) : PFFT3D_OK;
}

int vector_write(app *a, vector_output *o, const rows *r, void *const *array) {
  int one = is_joined(a, o);
  if (check_finite(a, o, r, array)) return a->error.status;
  for (int c = 0; c < o->outputs && one; c++) {
    const pfft3d_block b = joined_block(a, o, r, c);
    if (field_write_block(a, &o->out, &b, array[c])) return a->error.status;
  }
  if (one) return field_commit(a, &o->out);
  for (int c = 1; c < o->outputs; c++) {
    pfft3d_output_spec next = o->wish;
    next.path = o->path[c];
    if (field_write_next(a, &o->out, &r->part, array[c - 1], &o->in[o->inputs > 1 ? c : 0], &next))
      return a->error.status;
  }
  return field_write(a, &o->out, &r->part, array[o->outputs - 1]);
}
