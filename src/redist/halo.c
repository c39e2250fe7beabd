/* SPDX-License-Identifier: BSD-3-Clause
 * Ghost cells as a redistribution: before it each rank has its box, after it the boxes that form
 * its ghost cells.  Along each axis the box with its ghost cells is cut into stretches, at the ends
 * of the box and at the periodic boundary; each combination of stretches is a box, and one of them
 * is the rank's box itself. */
#include <stdlib.h>

#include "base/memory.h"
#include "request/boxes.h"
#include "redist/redist.h"

/* Consecutive cells of an axis: indices of the array; `offset` is the position of the first cell
 * relative to the box. */
typedef struct {
  ptrdiff_t lo, len, offset;
  int inside; /* nonzero: part of the box */
} stretch;

/* An axis of the array, and the box of this rank along it. */
typedef struct {
  ptrdiff_t n, lo, len, below, above;
  int periodic;
} axis_spec;

/* Lists the stretches of an axis in list[], or only counts them if list is NULL. */
static int list_stretches(const axis_spec *a, stretch *list) {
  ptrdiff_t begin = a->lo - a->below, end = a->lo + a->len + a->above;
  int count = 0;
  if (!a->periodic && begin < 0) begin = 0;
  if (!a->periodic && end > a->n) end = a->n;
  for (ptrdiff_t i = begin; i < end;) {
    ptrdiff_t period = i >= 0 ? i / a->n : -((-i + a->n - 1) / a->n), next = (period + 1) * a->n;
    int inside = i >= a->lo && i < a->lo + a->len;
    if (i < a->lo && next > a->lo) next = a->lo;
    if (inside) next = a->lo + a->len;
    if (next > end) next = end;
    if (list) list[count] = (stretch){i - period * a->n, next - i, i - a->lo, inside};
    count++;
    i = next;
  }
  return count;
}

/* The boxes of all combinations, except the rank's box itself.  Returns their number. */
static int combine(stretch *const list[PF_AXES], const int count[PF_AXES], const pf_part *box,
                   pf_part *part) {
  int parts = 0, k[PF_AXES];
  for (k[0] = 0; k[0] < count[0]; k[0]++)
    for (k[1] = 0; k[1] < count[1]; k[1]++)
      for (k[2] = 0; k[2] < count[2]; k[2]++)
        for (k[3] = 0; k[3] < count[3]; k[3]++) {
          pf_part *p = &part[parts];
          int inside = 1;
          *p = *box;
          for (int a = 0; a < PF_AXES; a++) {
            const stretch *s = &list[a][k[a]];
            p->lo[a] = s->lo;
            p->len[a] = s->len;
            p->offset += s->offset * box->stride[a];
            inside = inside && s->inside;
          }
          parts += !inside;
        }
  return parts;
}

/* Stores all ghost cells of this rank in *part, which the caller frees. */
static int make_ghosts(const axis_spec axis[PF_AXES], const pf_part *box, pf_redist_wish *w,
                       pf_part **part, pfft3d_error *e) {
  enum { most = 1 << 20 };
  stretch *list[PF_AXES] = {NULL, NULL, NULL, NULL};
  int count[PF_AXES];
  size_t parts = 1, memory = 0;
  for (int a = 0; a < PF_AXES; a++) {
    double cells = axis[a].periodic ? (double)(axis[a].below + axis[a].above) : 0;
    double periods = cells / (double)axis[a].n;
    count[a] = periods < most ? list_stretches(&axis[a], NULL) : most;
    parts *= (size_t)count[a];
    PF_CHECK(parts < most, e, PFFT3D_ERR_UNAVAILABLE, "halo: more than %d boxes of ghost cells",
             most);
    memory += (size_t)count[a];
  }
  list[0] = malloc(memory * sizeof *list[0] + 1);
  *part = malloc(parts * sizeof **part);
  if (!list[0] || !*part)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu boxes of ghost cells", parts);
  for (int a = 0; a < PF_AXES && !e->status; a++) {
    if (a) list[a] = list[a - 1] + count[a - 1];
    list_stretches(&axis[a], list[a]);
  }
  if (!e->status) w->count[1] = combine(list, count, box, *part);
  free(list[0]);
  return e->status;
}

/* Reads the specification.  An array in C order has strides of the box with its ghost cells. */
static int read_spec(const pfft3d_halo_spec *s, pf_redist_wish *w, axis_spec axis[PF_AXES],
                     pf_part *box, pfft3d_error *e) {
  PF_TRY(pf_redist_extents(s->dims, s->n, s->element, w, e));
  PF_TRY(pf_redist_part(w, s->dims, &s->box, box, e));
  int first = PF_AXES - s->dims, given = 0, fits = 1;
  ptrdiff_t stride = w->size, around[PF_AXES];
  for (int a = 0; a < PF_AXES; a++) axis[a] = (axis_spec){.n = w->n[a], .len = 1};
  for (int a = 0; a < s->dims; a++) {
    PF_CHECK(
        s->below[a] >= 0 && s->above[a] >= 0 && s->below[a] <= 1 << 30 && s->above[a] <= 1 << 30, e,
        PFFT3D_ERR_USAGE, "halo: %td and %td ghost cells along axis %d: must be 0 to %d",
        s->below[a], s->above[a], a, 1 << 30);
    axis[first + a] = (axis_spec){w->n[first + a], s->box.lo[a], s->box.len[a],
                                  s->below[a],     s->above[a],  s->periodic[a] != 0};
    given |= s->box.stride[a] != 0;
    around[a] = s->below[a] + s->box.len[a] + s->above[a];
  }
  if (given) fits = pf_array_countable(s->box.offset, s->dims, around, s->box.stride, w->size);
  if (!given) box->offset = 0;
  for (int a = PF_AXES - 1; a >= 0 && !given && fits; a--) {
    ptrdiff_t before;
    box->stride[a] = stride;
    fits = !__builtin_mul_overflow(axis[a].below, stride, &before) &&
           !__builtin_add_overflow(box->offset, before, &box->offset) &&
           !__builtin_mul_overflow(stride, axis[a].below + axis[a].len + axis[a].above, &stride);
  }
  PF_CHECK(fits, e, PFFT3D_ERR_USAGE,
           "halo: an array with ghost cells of more bytes than 64 bits can count");
  return PFFT3D_OK;
}

int pfft3d_halo_create(MPI_Comm comm, const pfft3d_halo_spec *spec, pfft3d_redist **redist,
                       pfft3d_error *error) {
  pfft3d_error e = {0};
  pf_redist_wish w = {.ghosts = 1, .count = {1, 0}};
  axis_spec axis[PF_AXES];
  pf_part box, *ghosts = NULL;
  pfft3d_redist *made = NULL;
  if (redist) *redist = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (!redist || !spec) pf_fail(&e, PFFT3D_ERR_USAGE, "halo: a pointer is NULL");
  if (!e.status && !read_spec(spec, &w, axis, &box, &e)) {
    w.exchange = spec->exchange;
    w.part[0] = &box;
    if (pf_part_elements(&box)) make_ghosts(axis, &box, &w, &ghosts, &e);
    w.part[1] = ghosts;
  }
  pf_redist_make(comm, &w, &made, &e);
  free(ghosts);
  if (redist) *redist = made;
  return pf_error_out(&e, error);
}

int pfft3d_halo_create_f(const pfft3d_fint *comm, const pfft3d_halo_spec *spec,
                         pfft3d_redist **redist, pfft3d_error *error) {
  return pfft3d_halo_create(pf_comm_f(comm), spec, redist, error);
}
