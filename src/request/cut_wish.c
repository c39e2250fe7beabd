/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of cuts: references, checks, and their text. */
#include "request/cut_wish.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "request/text.h"

#define FOR_LISTS(side, axis)          \
  for (int side = 0; side < 2; side++) \
    for (int axis = 0; axis < 3; axis++)

static const char *const rules[] = {"balanced", "ceil"};
static const char *const sides[] = {"field", "spectrum"};

/* ---- references ---- */

/* Plans of several threads may drop the same list at once. */
static void drop(pf_cut_list **list) {
  if (*list && __atomic_sub_fetch(&(*list)->holders, 1, __ATOMIC_ACQ_REL) == 0) free(*list);
  *list = NULL;
}

void pf_cut_wish_hold(const pf_cut_wish *w) {
  FOR_LISTS(side, axis)
  if (w->list[side][axis]) __atomic_add_fetch(&w->list[side][axis]->holders, 1, __ATOMIC_RELAXED);
}

void pf_cut_wish_drop(pf_cut_wish *w) {
  FOR_LISTS(side, axis) drop(&w->list[side][axis]);
  w->rule = PF_CUTS_BALANCED;
}

static int check_list(const pfft3d_cuts *c, pfft3d_error *e) {
  const char *side = sides[c->side == PFFT3D_SPECTRUM];
  PF_CHECK(c->at, e, PFFT3D_ERR_USAGE, "cuts of axis %d of the %s: the list is NULL", c->axis,
           side);
  PF_CHECK(c->at[0] == 0, e, PFFT3D_ERR_USAGE,
           "cuts of axis %d of the %s: the first is %td, must be 0", c->axis, side, c->at[0]);
  for (int k = 0; k < c->parts; k++)
    PF_CHECK(c->at[k] <= c->at[k + 1], e, PFFT3D_ERR_USAGE,
             "cuts of axis %d of the %s: part %d would be %td to %td; cuts must not descend",
             c->axis, side, k, c->at[k], c->at[k + 1]);
  return PFFT3D_OK;
}

int pf_cut_wish_put(pf_cut_wish *w, const pfft3d_cuts *c, pfft3d_error *e) {
  PF_CHECK(c->side == PFFT3D_SPACE || c->side == PFFT3D_SPECTRUM, e, PFFT3D_ERR_USAGE,
           "cuts: side %d: unknown", (int)c->side);
  PF_CHECK(c->axis >= 0 && c->axis < 3, e, PFFT3D_ERR_USAGE, "cuts: axis %d: must be 0, 1 or 2",
           c->axis);
  PF_CHECK(c->parts >= 0 && c->parts < INT_MAX, e, PFFT3D_ERR_USAGE,
           "cuts of axis %d: %d parts: must be 0 or more", c->axis, c->parts);
  pf_cut_list *list = NULL;
  if (c->parts) {
    PF_TRY(check_list(c, e));
    size_t bytes = ((size_t)c->parts + 1) * sizeof list->at[0];
    list = malloc(sizeof *list + bytes);
    if (!list) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the cuts of %d parts", c->parts);
    list->holders = 1;
    list->parts = c->parts;
    memcpy(list->at, c->at, bytes);
  }
  drop(&w->list[c->side][c->axis]);
  w->list[c->side][c->axis] = list;
  return PFFT3D_OK;
}

/* ---- queries ---- */

int pf_cut_wish_lists(const pf_cut_wish *w) {
  FOR_LISTS(side, axis) if (w->list[side][axis]) return 1;
  return 0;
}

int pf_cut_wish_any(const pf_cut_wish *w) {
  return w->rule != PF_CUTS_BALANCED || pf_cut_wish_lists(w);
}

unsigned long long pf_cut_wish_hash(const pf_cut_wish *w) {
  unsigned long long hash = pf_hash(PF_HASH_START, &w->rule, sizeof w->rule);
  FOR_LISTS(side, axis) {
    const pf_cut_list *list = w->list[side][axis];
    int parts = list ? list->parts : 0;
    hash = pf_hash(hash, &parts, sizeof parts);
    if (list) hash = pf_hash(hash, list->at, ((size_t)parts + 1) * sizeof list->at[0]);
  }
  return hash;
}

static int same_list(const pf_cut_list *a, const pf_cut_list *b) {
  return a && b && a->parts == b->parts &&
         memcmp(a->at, b->at, ((size_t)a->parts + 1) * sizeof a->at[0]) == 0;
}

/* Equal lists of both sides return the same address, as pf_cuts_same() compares addresses.  A list
 * of the field is ignored if the spectrum's axis has another length; so is a list of one part,
 * which equals every rule. */
pf_cuts pf_cut_wish_of(const pf_cut_wish *w, pfft3d_order order, pfft3d_side side, int axis,
                       ptrdiff_t n) {
  const pf_cut_list *list = w->list[side][axis], *field = w->list[PFFT3D_SPACE][axis];
  if (order == PFFT3D_NATURAL && field && field->at[field->parts] == n)
    if (!list || same_list(list, field)) list = field;
  int given = list && list->parts > 1;
  return given ? (pf_cuts){PF_CUTS_GIVEN, list->at} : (pf_cuts){w->rule, NULL};
}

int pf_cut_wish_parts(const pf_cut_wish *w, pfft3d_order order, int dim) {
  int shifted = order == PFFT3D_TRANSPOSED;
  const pf_cut_list *field = w->list[PFFT3D_SPACE][dim];
  const pf_cut_list *spectrum = w->list[PFFT3D_SPECTRUM][dim + shifted];
  return field ? field->parts : spectrum ? spectrum->parts : 0;
}

/* A list of one part is valid for an axis that the layout does not cut. */
int pf_cut_wish_check(const pf_cut_wish *w, pfft3d_side side, const pf_layout *l, pfft3d_error *e) {
  for (int a = 0; a < 3; a++) {
    const pf_cut_list *list = w->list[side][a];
    int parts = l->dim[a] == PF_WHOLE ? 1 : l->grid[l->dim[a]];
    if (!list) continue;
    PF_CHECK(list->parts == parts, e, PFFT3D_ERR_USAGE,
             "cuts of axis %d of the %s: %d part%s, but this axis is cut into %d by a grid of "
             "%dx%d ranks",
             a, sides[side], list->parts, list->parts > 1 ? "s" : "", parts, l->grid[0],
             l->grid[1]);
    PF_CHECK(list->at[parts] == l->n[a], e, PFFT3D_ERR_USAGE,
             "cuts of axis %d of the %s: they end at %td, the axis at %td", a, sides[side],
             list->at[parts], l->n[a]);
  }
  return PFFT3D_OK;
}

/* ---- text ---- */

static int fail_word(const char *word, pfft3d_error *e) {
  return pf_fail(e, PFFT3D_ERR_USAGE,
                 "cuts '%.40s': must be balanced, ceil or lists as in 0:0,5,16/spectrum1:0,8,16",
                 word);
}

/* Reads the numbers of a list; their count is at most the number of characters. */
static int read_list(pf_cut_wish *w, const char *text, pfft3d_error *e) {
  const char *at = text;
  pfft3d_cuts c = {.side = PFFT3D_SPACE, .parts = -1};
  ptrdiff_t axis, *number = malloc((strlen(text) + 1) * sizeof *number);
  if (!number) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for cuts");
  if (strncmp(at, sides[PFFT3D_SPECTRUM], strlen(sides[PFFT3D_SPECTRUM])) == 0) {
    c.side = PFFT3D_SPECTRUM;
    at += strlen(sides[PFFT3D_SPECTRUM]);
  }
  int good = pf_number_take(&at, 0, 2, &axis) && *at++ == ':';
  while (good) {
    good = pf_number_take(&at, 0, PTRDIFF_MAX, &number[++c.parts]);
    if (*at != ',') break;
    at++;
  }
  c.axis = (int)axis;
  c.at = number;
  if (!good || *at || c.parts < 1)
    fail_word(text, e);
  else
    pf_cut_wish_put(w, &c, e);
  free(number);
  return e->status;
}

int pf_cut_wish_read(pf_cut_wish *w, const char *text, pfft3d_error *e) {
  char *copy = strdup(text), *rest = copy, *word;
  if (!copy) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for cuts");
  pf_cut_wish_drop(w);
  while ((word = strsep(&rest, "/")) != NULL && !e->status) {
    if (strcmp(word, rules[PF_CUTS_BALANCED]) == 0)
      w->rule = PF_CUTS_BALANCED;
    else if (strcmp(word, rules[PF_CUTS_CEIL]) == 0)
      w->rule = PF_CUTS_CEIL;
    else
      read_list(w, word, e);
  }
  free(copy);
  return e->status;
}

static void append(char *out, size_t size, size_t *used, const char *text) {
  if (*used < size) snprintf(out + *used, size - *used, "%s", text);
  *used += strlen(text);
}

void pf_cut_wish_print(const pf_cut_wish *w, char *out, size_t size) {
  char word[48];
  size_t used = 0;
  append(out, size, &used, rules[w->rule]);
  FOR_LISTS(side, axis) {
    const pf_cut_list *list = w->list[side][axis];
    if (!list) continue;
    snprintf(word, sizeof word, "/%s%d:0", side ? sides[side] : "", axis);
    append(out, size, &used, word);
    for (int k = 1; k <= list->parts && used < size; k++) {
      snprintf(word, sizeof word, ",%td", list->at[k]);
      append(out, size, &used, word);
    }
  }
  if (used >= size) snprintf(out, size, "lists");
}
