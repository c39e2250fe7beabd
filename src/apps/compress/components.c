/* SPDX-License-Identifier: BSD-3-Clause
 * Components: indices, mirror images, order. */
#include "apps/compress/components.h"

#include <string.h>

#include "app/common/number.h"

components components_of(const pfft3d_plan *plan, const pfft3d_problem *p, int rank, void *array) {
  components c = {.half = p->kind == PFFT3D_R2C,
                  .single = p->precision == PFFT3D_SINGLE,
                  .array = array,
                  .scale = 1};
  memcpy(c.n, p->n, sizeof c.n);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &c.box);
  return c;
}

ptrdiff_t components_rows(const components *c) {
  return c->box.len[2] ? c->box.len[0] * c->box.len[1] : 0;
}

/* ---- memory ---- */

static ptrdiff_t place(const components *c, const ptrdiff_t k[3]) {
  ptrdiff_t at = c->box.offset;
  for (int a = 0; a < 3; a++) at += (k[a] - c->box.lo[a]) * c->box.stride[a];
  return 2 * at;
}

static void get(const components *c, ptrdiff_t at, double value[2]) {
  for (int i = 0; i < 2; i++) value[i] = number_get(c->array, c->single, at + i);
}

void components_put(const components *c, const ptrdiff_t k[3], const double value[2],
                    int conjugate) {
  ptrdiff_t at = place(c, k);
  double v[2] = {value[0], conjugate ? -value[1] : value[1]};
  for (int i = 0; i < 2; i++) number_set(c->array, c->single, at + i, v[i]);
}

/* ---- indices ---- */

static ptrdiff_t mirror(ptrdiff_t k, ptrdiff_t n) {
  return k ? n - k : 0;
}

static uint64_t index_of(const components *c, ptrdiff_t k0, ptrdiff_t k1, ptrdiff_t k2) {
  return ((uint64_t)k0 * (uint64_t)c->n[1] + (uint64_t)k1) * (uint64_t)c->n[2] + (uint64_t)k2;
}

/* In planes with k2 = -k2 both images of a pair are stored, and some components have no image. */
static int in_mirror_plane(const components *c, ptrdiff_t k2) {
  return k2 == 0 || 2 * k2 == c->n[2];
}

void components_row(const components *c, ptrdiff_t row, component_row *r) {
  ptrdiff_t k[3] = {c->box.lo[0] + row / c->box.len[1], c->box.lo[1] + row % c->box.len[1],
                    c->box.lo[2]};
  const ptrdiff_t image[2] = {mirror(k[0], c->n[0]), mirror(k[1], c->n[1])};
  uint64_t here = index_of(c, k[0], k[1], 0), there = index_of(c, image[0], image[1], 0);
  ptrdiff_t at = place(c, k), step = 2 * c->box.stride[2];
  r->count = 0;
  for (; k[2] < c->box.lo[2] + c->box.len[2]; k[2]++, at += step) {
    component *x = &r->item[r->count];
    int plane = in_mirror_plane(c, k[2]);
    if (c->half && plane && there < here) continue; /* its image has a smaller index */
    r->weight[r->count++] = c->half && !(plane && there == here) ? 2 : 1;
    get(c, at, x->value);
    x->index = here + (uint64_t)k[2];
    if (!c->half) continue;
    if (plane && there == here) x->value[1] = 0; /* remove rounding */
    if (there < here) {
      x->index = there + (uint64_t)(c->n[2] - k[2]);
      x->value[1] = -x->value[1];
    }
  }
}

/* The mode k of an index, and its mirror image. */
static void modes(const components *c, uint64_t index, ptrdiff_t k[3], ptrdiff_t image[3]) {
  for (int a = 2; a >= 0; a--) {
    k[a] = (ptrdiff_t)(index % (uint64_t)c->n[a]);
    index /= (uint64_t)c->n[a];
    image[a] = mirror(k[a], c->n[a]);
  }
}

int components_valid(const components *c, uint64_t index) {
  ptrdiff_t k[3], image[3];
  if (index >= (uint64_t)c->n[0] * (uint64_t)c->n[1] * (uint64_t)c->n[2]) return 0;
  modes(c, index, k, image);
  return !c->half || index <= index_of(c, image[0], image[1], image[2]);
}

int components_places(const components *c, uint64_t index, ptrdiff_t k[2][3], int conjugate[2]) {
  conjugate[0] = conjugate[1] = 0;
  modes(c, index, k[0], k[1]);
  if (!c->half) return 1;
  if (2 * k[0][2] > c->n[2]) { /* the image is the one that is stored */
    memcpy(k[0], k[1], sizeof k[0]);
    conjugate[0] = 1;
    return 1;
  }
  conjugate[1] = 1;
  return in_mirror_plane(c, k[0][2]) && memcmp(k[0], k[1], sizeof k[0]) != 0 ? 2 : 1;
}

/* ---- order ---- */

double component_power(const components *c, const component *x) {
  double re = c->scale * x->value[0], im = c->scale * x->value[1];
  return re * re + im * im;
}

rank_key component_key(const components *c, const component *x) {
  rank_key key = {.index = x->index};
  double power = component_power(c, x);
  memcpy(&key.size, &power, sizeof key.size); /* bits of doubles >= 0 are ordered as values */
  key.size = ~key.size;
  return key;
}

int rank_key_before(rank_key x, rank_key y) {
  return x.size != y.size ? x.size < y.size : x.index < y.index;
}
