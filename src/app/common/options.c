/* SPDX-License-Identifier: BSD-3-Clause
 * Queries about the options on the command line. */
#include "app/common/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

const char *list_find(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *p = list; (p = strstr(p, name)); p += length)
    if ((p == list || p[-1] == ' ') && strchr("= ", p[length])) return p;
  return NULL;
}

int options_given(const options *o, const char *name) {
  return list_find(o->given, name) != NULL;
}

int options_problems(const options *o) {
  const extents_list *l = o->size_list.count ? &o->size_list : &o->grid_list;
  return l->count ? l->count : 1;
}

void options_select(options *o, int number) {
  if (number < o->size_list.count)
    o->size = o->size_list.n[number][2];
  else if (number < o->grid_list.count)
    memcpy(o->grid, o->grid_list.n[number], sizeof o->grid);
}

int options_is_device(const char *engine) {
  const char *name;
  for (int i = 0; (name = pfft3d_list_name(PFFT3D_DEVICE_ENGINES, i, NULL)); i++)
    if (strcmp(name, engine) == 0) return 1;
  return 0;
}

/* Sets a key of a problem with a value for each axis; leading axes of one point need no value
 * unless the text has three. */
static int set_axes(const char *key, const char *text, pfft3d_problem *p, pfft3d_error *e) {
  char problem[200];
  pfft3d_problem shape = *p;
  pfft3d_request *r;
  int count = 1, axes = p->n[0] > 1 ? 3 : p->n[1] > 1 ? 2 : 1;
  if (!*text) return PFFT3D_OK;
  for (const char *at = text; *at; at++) count += *at == ',';
  if (p->dims == 1)
    axes = 1; /* a line */
  else if (count > 1 && count > axes)
    axes = count < 3 ? count : 3;
  shape.dims = axes;
  pfft3d_problem_print(&shape, problem, sizeof problem);
  int status = pfft3d_request_create(&r, e);
  if (status) return status;
  status = pfft3d_request_set(r, "problem", problem, e);
  if (!status) status = pfft3d_request_set(r, key, text, e);
  if (!status) pfft3d_request_print(r, problem, sizeof problem);
  if (!status) status = pfft3d_problem_parse(problem, &shape, e);
  pfft3d_request_destroy(&r);
  if (status) return status;
  memcpy(p->axis, shape.axis, sizeof p->axis);
  memcpy(p->keep, shape.keep, sizeof p->keep);
  return PFFT3D_OK;
}

int options_values(const char *option, const char *text, int dims, char word[3][40],
                   pfft3d_error *e) {
  int count = 0, good = 1;
  for (const char *at = text; good; at++) {
    size_t length = strcspn(at, ",");
    good = count < dims && length > 0 && length < 40;
    if (good) snprintf(word[count++], 40, "%.*s", (int)length, at);
    at += length;
    if (!*at) break;
  }
  if (good && (count == 1 || count == dims)) return count;
  app_note(e, PFFT3D_ERR_USAGE,
           dims > 1 ? "--%s '%.80s': expected one value, or %d with commas"
                    : "--%s '%.80s': expected one value",
           option, text, dims);
  return 0;
}

int options_lengths(const char *text, int dims, double length[3], pfft3d_error *e) {
  char word[3][40];
  int count = options_values("length", text, dims, word, e);
  for (int a = 0; a < dims && count; a++)
    length[3 - dims + a] = strtod(word[count == 1 ? 0 : a], NULL);
  return e->status;
}

int options_kinds(const char *text, pfft3d_problem *p, pfft3d_error *e) {
  return set_axes("kind", text, p, e);
}

int options_keep(const char *text, pfft3d_problem *p, pfft3d_error *e) {
  return set_axes("keep", text, p, e);
}
