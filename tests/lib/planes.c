/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of planes; see planes.h. */
#include "planes.h"

static double get_number(const void *array, int single, ptrdiff_t i) {
  return single ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void set_number(void *array, int single, ptrdiff_t i, double value) {
  if (single)
    ((float *)array)[i] = (float)value;
  else
    ((double *)array)[i] = value;
}

void combine(void *context, const pfft3d_plane *p) {
  mapping *m = context;
  int axis[2] = {p->axis == 0, p->axis == 2 ? 1 : 2};
  ptrdiff_t i[3];
  CHECK(p->thread >= 0 && p->thread < m->threads, "thread %d of %d", p->thread, m->threads);
  m->calls[p->thread]++;
  i[p->axis] = p->index;
  for (i[axis[0]] = 0; i[axis[0]] < m->from.len[axis[0]]; i[axis[0]]++)
    for (i[axis[1]] = 0; i[axis[1]] < m->from.len[axis[1]]; i[axis[1]]++) {
      ptrdiff_t at = 0, to = 0, place = 0;
      for (int k = 0; k < 3; k++) place = 31 * place + m->from.lo[k] + i[k];
      for (int k = 0; k < 2; k++) {
        at += i[axis[k]] * m->from.stride[axis[k]];
        to += i[axis[k]] * m->to.stride[axis[k]];
      }
      for (ptrdiff_t part = 0; part < m->parts; part++) {
        double value[4] = {0};
        for (ptrdiff_t f = 0; f < m->fields[0]; f++)
          for (ptrdiff_t g = 0; g < m->fields[1]; g++)
            value[g] +=
                (double)((place + 3 * f + 5 * g) % 7 - 3) *
                get_number(p->from, m->single, m->parts * (at + f * p->from_distance) + part);
        for (ptrdiff_t g = 0; g < m->fields[1]; g++)
          set_number(p->to, m->single, m->parts * (to + g * p->to_distance) + part, value[g]);
      }
    }
}

void combine_all(mapping *m, const void *from, void *to) {
  size_t element = (size_t)m->parts * (m->single ? sizeof(float) : sizeof(double));
  for (ptrdiff_t i = 0; i < m->from.len[0]; i++)
    combine(m, &(pfft3d_plane){
                   .index = i,
                   .from = (const char *)from +
                           (size_t)(m->from.offset + i * m->from.stride[0]) * element,
                   .to = (char *)to + (size_t)(m->to.offset + i * m->to.stride[0]) * element,
                   .from_distance = m->from.distance,
                   .to_distance = m->to.distance});
}

void fill_numbers(void *array, size_t bytes, int single, uint64_t seed) {
  for (size_t i = 0; i < bytes / (single ? sizeof(float) : sizeof(double)); i++)
    set_number(array, single, (ptrdiff_t)i, (double)(mix(seed + i) >> 11) * 0x1p-53 - 0.5);
}

int same_elements(const pfft3d_box *box, ptrdiff_t fields, size_t element, const void *a,
                  const void *b) {
  for (ptrdiff_t f = 0; f < fields; f++)
    for (ptrdiff_t i = 0; i < box->len[0]; i++)
      for (ptrdiff_t j = 0; j < box->len[1]; j++)
        for (ptrdiff_t k = 0; k < box->len[2]; k++) {
          size_t at = element * (size_t)(box->offset + f * box->distance + i * box->stride[0] +
                                         j * box->stride[1] + k * box->stride[2]);
          if (memcmp((const char *)a + at, (const char *)b + at, element) != 0) return 0;
        }
  return 1;
}
