/* SPDX-License-Identifier: BSD-3-Clause
 * --coordinates: where the points of an axis lie, from a dataset of one dimension that has the
 * faces of all cells, or all nodes from wall to wall. */
#include <math.h>
#include <stdlib.h>

#include "app/common/field_file.h"
#include "app/common/message.h"
#include "apps/poisson/poisson.h"

/* Coordinates that an axis needs. */
static ptrdiff_t wanted(const domain *d, int axis) {
  return d->n[axis] + d->side[axis]->more + 1;
}

/* The axis of --stretched, or the only one that needs so many coordinates. */
static int find_axis(app *a, const domain *d, ptrdiff_t count, int *axis) {
  int missing = 3 - d->dims, found = 0;
  if (options_given(&a->opt, "stretched")) {
    *axis = (int)a->opt.stretched + missing;
    if (*axis > 2)
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--stretched %lld: the field has %d dimension%s",
                      a->opt.stretched, d->dims, d->dims > 1 ? "s" : "");
    return PFFT3D_OK;
  }
  for (int k = missing; k < 3; k++)
    if (d->side[k]->end[0] != END_PERIODIC && d->side[k]->end[0] != END_OPEN &&
        wanted(d, k) == count) {
      found++;
      *axis = k;
    }
  if (found == 1) return PFFT3D_OK;
  app_hint(&a->error, "--stretched 2 says that they are those of axis 2");
  return app_fail(&a->error, found ? PFFT3D_ERR_USAGE : PFFT3D_ERR_DATA,
                  found ? "--coordinates: %td numbers are right for several axes"
                        : "--coordinates: %td numbers are right for no axis with walls",
                  count);
}

static int check_axis(app *a, const domain *d, int axis, const field_input *in) {
  const int number = axis - (3 - d->dims);
  const boundary *b = d->side[axis];
  const ptrdiff_t have = in->info.n[2], want = wanted(d, axis);
  if (b->end[0] == END_PERIODIC || b->end[0] == END_OPEN)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--coordinates: axis %d is %s, not between walls",
                    number, b->name);
  if (in->info.dims == 1 && have == want) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "--coordinates: '%.100s:%.60s' has %td numbers in %d dimension%s, axis %d needs "
                  "%td in one: %s",
                  in->info.file, in->info.path, have, in->info.dims, in->info.dims > 1 ? "s" : "",
                  number, want,
                  domain_cells(b) ? "the faces of its cells" : "its nodes from wall to wall");
}

/* Lengths that were given must be those of the coordinates. */
static int take_length(app *a, domain *d, const grid *g) {
  const double length = g->edge[g->edges - 1] - g->edge[0];
  if (options_given(&a->opt, "length") && fabs(d->length[g->axis] - length) > 1e-9 * length)
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    "--length and --coordinates: axis %d is %.9g long, or %.9g",
                    g->axis - (3 - d->dims), d->length[g->axis], length);
  d->length[g->axis] = length;
  return PFFT3D_OK;
}

static int take(app *a, domain *d, int axis, const double *edge) {
  const boundary *b = d->side[axis];
  const int given[2] = {b->end[0] == END_DIRICHLET, b->end[1] == END_DIRICHLET};
  ptrdiff_t count = wanted(d, axis), wrong = grid_check(edge, count);
  if (wrong)
    return app_fail(&a->error, PFFT3D_ERR_DATA,
                    "--coordinates: they do not ascend: number %td is %.9g, after %.9g", wrong,
                    edge[wrong], edge[wrong - 1]);
  d->grid = grid_make(axis, d->n[axis], domain_cells(b), given, edge, count);
  int missing = !d->grid;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, a->comm);
  if (missing)
    return app_fail(&a->error, PFFT3D_ERR_MEMORY, "cannot allocate %td coordinates", count);
  return take_length(a, d, d->grid);
}

int poisson_coordinates(app *a, domain *d) {
  field_input in = {.aside = 1, .dims = 3};
  int axis = 2;
  if (!a->opt.coordinates[0]) return PFFT3D_OK;
  if (!field_probe(a, a->opt.coordinates, &in) && !find_axis(a, d, in.info.n[2], &axis) &&
      !check_axis(a, d, axis, &in)) {
    pfft3d_box box = {.len = {1, 1, in.info.n[2]}};
    double *edge = app_malloc(a, (size_t)in.info.n[2], sizeof *edge);
    in.precision = PFFT3D_DOUBLE;
    if (!field_read(a, &in, PFFT3D_REAL, &box, edge, NULL)) take(a, d, axis, edge);
    free(edge);
  }
  field_close(&in);
  return a->error.status;
}

grid *poisson_coarser(const app *a, const domain *fine, const domain *d) {
  const grid *g = fine->grid;
  const boundary *b = d->side[g->axis];
  const int given[2] = {b->end[0] == END_DIRICHLET, b->end[1] == END_DIRICHLET};
  const ptrdiff_t edges = wanted(d, g->axis), last = g->edges - 1;
  double *edge = app_malloc(a, (size_t)edges, sizeof *edge);
  for (ptrdiff_t i = 0; i < edges; i++) edge[i] = g->edge[2 * i < last ? 2 * i : last];
  if (edges > 1) edge[edges - 1] = g->edge[last];
  grid *coarse = grid_make(g->axis, d->n[g->axis], domain_cells(b), given, edge, edges);
  if (!coarse) app_die(a, PFFT3D_ERR_MEMORY, "cannot allocate %td coordinates", edges);
  free(edge);
  return coarse;
}
