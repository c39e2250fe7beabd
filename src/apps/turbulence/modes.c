/* SPDX-License-Identifier: BSD-3-Clause
 * Modes and points of a flow: where they are in memory, and their names. */
#include "apps/turbulence/flow.h"

ptrdiff_t flow_wave(const flow *f, int axis, ptrdiff_t index) {
  ptrdiff_t modes = f->extent[axis];
  return axis == 2 || index < (modes + 1) / 2 ? index : index - modes;
}

double flow_weight(ptrdiff_t k2) {
  return k2 == 0 ? 1 : 2;
}

void *flow_mode(const flow *f, void *array, int component, const ptrdiff_t i[3]) {
  const pfft3d_box *b = &f->spectrum;
  ptrdiff_t at = b->offset + component * b->distance + i[0] * b->stride[0] + i[1] * b->stride[1] +
                 i[2] * b->stride[2];
  return (char *)array + (size_t)at * 2 * f->real;
}

/* Names and numbers of components on the grid.  The last ones are also the state's, in three
 * dimensions all. */
static const struct {
  const char *name;
  int number;
} names[2][4] = {{{"u", 0}, {"v", 1}, {"omega", 2}, {"scalar", 3}},
                 {{"u", 0}, {"v", 1}, {"w", 2}, {"scalar", 6}}};

const char *flow_name(const flow *f, int component) {
  return names[f->dims == 3][component + (f->dims == 3 ? 0 : 2)].name;
}

const char *flow_grid_name(const flow *f, int number, int *component) {
  *component = names[f->dims == 3][number].number;
  return names[f->dims == 3][number].name;
}

int flow_grid_names(const flow *f) {
  return 3 + f->terms.scalar.present;
}

const void *flow_grid(const flow *f, int component) {
  ptrdiff_t at = f->space.offset + component * f->space.distance;
  return (const char *)f->back.array[0] + (size_t)at * f->real;
}
