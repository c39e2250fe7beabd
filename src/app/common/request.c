/* SPDX-License-Identifier: BSD-3-Clause
 * Makes requests from options. */
#include "app/common/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/common/message.h"

/* The keys have been checked: what fails now fails on all ranks, or is memory. */
static void check(const app *a, const pfft3d_error *e) {
  if (e->status == PFFT3D_ERR_MEMORY) app_die(a, e->status, "%s", e->text);
  if (e->status) app_die_together(a, e->status, "%s", e->text);
}

/* Sets the keys of options, one by one: lists of cuts may be longer than a word of a text. */
static int set_keys(const options *o, pfft3d_request *r, pfft3d_error *e) {
  char words[WISH_SIZE], *rest = words;
  snprintf(words, sizeof words, "%s", o->wish);
  while (*rest) {
    char *key = strsep(&rest, "="), *value = strsep(&rest, " ");
    if (pfft3d_request_set(r, key, value, e)) return e->status;
  }
  return PFFT3D_OK;
}

/* The sizes, kinds and kept modes of the current problem. */
static int set_problem(const options *o, pfft3d_request *r, pfft3d_error *e) {
  pfft3d_problem p;
  char text[200];
  if (o->size)
    snprintf(text, sizeof text, "%td", o->size);
  else
    snprintf(text, sizeof text, "%tdx%tdx%td", o->grid[0], o->grid[1], o->grid[2]);
  if (pfft3d_request_set(r, "size", text, e)) return e->status;
  pfft3d_request_problem(r, &p);
  if (options_axes("kind", o->kind, &p, e) || (!o->size && options_axes("keep", o->keep, &p, e)))
    return e->status;
  return pfft3d_request_set(r, "problem", pfft3d_problem_print(&p, text, sizeof text), e);
}

pfft3d_request *options_request(const app *a, const pfft3d_problem *p) {
  const options *o = &a->opt;
  pfft3d_request *r = NULL;
  pfft3d_error e;
  char text[200];
  int bad = pfft3d_request_create(&r, &e) || set_keys(o, r, &e) ||
            (p ? pfft3d_request_set(r, "problem", pfft3d_problem_print(p, text, sizeof text), &e)
               : set_problem(o, r, &e)) ||
            (o->size && pfft3d_request_set(r, "method", o->method.name[0], &e)) ||
            pfft3d_request_set(r, "exchange", o->algo.name[0], &e) ||
            pfft3d_request_set(r, "engine", o->engine.name[0], &e) ||
            pfft3d_request_machine(r, &o->machine, &e) ||
            pfft3d_request_wisdom(r, o->known, o->wisdom_required, &e);
  if (bad) check(a, &e);
  return r;
}

int options_requests(const app *a, pfft3d_request **list, int most) {
  const options *o = &a->opt;
  int methods = o->size ? o->method.count : 1, count = 0;
  for (int m = 0; m < methods; m++)
    for (int i = 0; i < o->algo.count; i++)
      for (int j = 0; j < o->engine.count && count < most; j++) {
        pfft3d_request *r = list[count++] = options_request(a, NULL);
        if (o->size) pfft3d_request_set(r, "method", o->method.name[m], NULL);
        pfft3d_request_set(r, "exchange", o->algo.name[i], NULL);
        pfft3d_request_set(r, "engine", o->engine.name[j], NULL);
      }
  return count;
}

void requests_destroy(pfft3d_request **list, int count) {
  for (int i = 0; i < count; i++) pfft3d_request_destroy(&list[i]);
}

pfft3d_request *request_copy(const app *a, const pfft3d_request *r) {
  pfft3d_request *copy;
  pfft3d_error e;
  if (pfft3d_request_copy(r, &copy, &e)) check(a, &e);
  return copy;
}

void request_decide(pfft3d_request *r, const pfft3d_decision *d) {
  char text[256];
  /* what a decision does not name is as it is usual where the exchange is named */
  if (!request_is(r, "local", "")) pfft3d_request_set(r, "local", "messages", NULL);
  pfft3d_request_parse(r, pfft3d_decision_print(d, text, sizeof text), NULL);
}

const char *request_label(const pfft3d_request *r, char name[2 * NAME_SIZE]) {
  char method[NAME_SIZE], algo[NAME_SIZE];
  pfft3d_request_get(r, "method", method, sizeof method);
  pfft3d_request_get(r, "exchange", algo, sizeof algo);
  snprintf(name, 2 * NAME_SIZE, "%s%s%s", method, method[0] ? " " : "", algo);
  return name;
}

int request_is(const pfft3d_request *r, const char *key, const char *word) {
  char value[FILE_SIZE];
  return strcmp(pfft3d_request_get(r, key, value, sizeof value), word) == 0;
}

void request_normalize(pfft3d_request *r, int norm, double scale[2]) {
  pfft3d_problem p;
  pfft3d_request_problem(r, &p);
  double n = pfft3d_problem_points(&p);
  int backward = norm == NORM_BACKWARD, forward = norm == NORM_FORWARD;
  scale[PFFT3D_FORWARD] = forward ? 1 / n : norm == NORM_ORTHO ? 1 / sqrt(n) : 1;
  scale[PFFT3D_BACKWARD] = backward ? 1 / n : norm == NORM_ORTHO ? 1 / sqrt(n) : 1;
  pfft3d_request_scales(r, scale[0], scale[1], NULL);
}
