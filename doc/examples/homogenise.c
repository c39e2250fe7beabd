/* SPDX-License-Identifier: BSD-3-Clause
 * The effective conductivity of a material of two phases, by the method of Moulinec and Suquet
 * (1998):
 *
 *     mpirun -n 4 homogenise laminate 32 100         a stack of layers, three dimensions
 *     mpirun -n 4 homogenise checkerboard 256 10     two dimensions; 64, 128 and 256 points
 *     mpirun -n 4 homogenise checkerboard 256 10 basic
 *
 * The last number is the contrast s of the conductivities 1 and s.  Wanted is the gradient e of
 * mean E for which the flux sigma e has no divergence.  In Fourier space the gradients among all
 * vector fields are those along k, so the projection G on gradients of mean 0 is k (k.q)/(k.k)
 * there, and the condition is G (sigma e) = 0.  The basic scheme repeats e -= G (sigma e)/sigma0
 * and takes a number of steps that grows with s; conjugate gradients (Zeman, Vondrejc, Novak and
 * Marek, 2010) take one that grows with its root, and are used without the word `basic`.
 *
 * Exact are the laminate, the harmonic mean across and the arithmetic mean along the layers, and
 * the checkerboard, sqrt(s) (Keller 1964), which its corners let the grid approach slowly. */
#include <math.h>
#include <pfft3d.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 20000 };

typedef struct material {
  int n, dims, basic;
  double contrast;
  pfft3d_plan *plan;
  pfft3d_box space, spectrum;
  ptrdiff_t points; /* of this rank */
  double *sigma;
  double *e, *p, *q, *r; /* fields of `dims` components, one after the other */
  int rank;
  pfft3d_error error;
} material;

/* ---- the projection ---- */

/* The gradient part of the mode k, over N.  k and -k are one frequency at n/2: there only modes
 * along an axis have a direction. */
static void project_mode(const material *m, const ptrdiff_t index[3], double *const part[3]) {
  double k[3], square = 0, re = 0, im = 0, points = pow(m->n, m->dims);
  int along = 0, middle = 0;
  for (int c = 0; c < m->dims; c++) {
    ptrdiff_t i = index[3 - m->dims + c];
    k[c] = (double)(2 * i > m->n ? i - m->n : i);
    middle |= 2 * i == m->n;
    along += i != 0;
    square += k[c] * k[c];
    re += k[c] * part[c][0];
    im += k[c] * part[c][1];
  }
  double factor = square > 0 && !(middle && along > 1) ? 1 / (square * points) : 0;
  for (int c = 0; c < m->dims; c++) {
    part[c][0] = k[c] * re * factor;
    part[c][1] = k[c] * im * factor;
  }
}

/* q = G (sigma p) */
static void apply(const material *m, const double *p, double *q) {
  const pfft3d_box *b = &m->spectrum;
  for (int c = 0; c < m->dims; c++)
    for (ptrdiff_t i = 0; i < m->points; i++)
      q[c * m->space.distance + i] = m->sigma[i] * p[c * m->space.distance + i];
  int failed = pfft3d_execute(m->plan, PFFT3D_FORWARD, q, q);
  for (ptrdiff_t i = 0; i < b->len[0]; i++)
    for (ptrdiff_t j = 0; j < b->len[1]; j++)
      for (ptrdiff_t k = 0; k < b->len[2]; k++) {
        const ptrdiff_t index[3] = {b->lo[0] + i, b->lo[1] + j, b->lo[2] + k};
        ptrdiff_t at = b->offset + i * b->stride[0] + j * b->stride[1] + k * b->stride[2];
        double *part[3];
        for (int c = 0; c < m->dims; c++) part[c] = q + 2 * (at + c * b->distance);
        project_mode(m, index, part);
      }
  failed |= pfft3d_execute(m->plan, PFFT3D_BACKWARD, q, q);
  if (failed) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_INTERNAL);
}

/* ---- fields ---- */

/* The mean over all points of x.y */
static double product(const material *m, const double *x, const double *y) {
  double sum = 0;
  for (int c = 0; c < m->dims; c++)
    for (ptrdiff_t i = 0; i < m->points; i++)
      sum += x[c * m->space.distance + i] * y[c * m->space.distance + i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum / pow(m->n, m->dims);
}

/* x += factor y */
static void add(const material *m, double *x, double factor, const double *y) {
  for (int c = 0; c < m->dims; c++)
    for (ptrdiff_t i = 0; i < m->points; i++)
      x[c * m->space.distance + i] += factor * y[c * m->space.distance + i];
}

/* x = factor x + y */
static void scale_add(const material *m, double *x, double factor, const double *y) {
  for (int c = 0; c < m->dims; c++)
    for (ptrdiff_t i = 0; i < m->points; i++)
      x[c * m->space.distance + i] =
          factor * x[c * m->space.distance + i] + y[c * m->space.distance + i];
}

/* The mean flux along a direction. */
static double mean_flux(const material *m, int direction) {
  double sum = 0;
  const double *e = m->e + direction * m->space.distance;
  for (ptrdiff_t i = 0; i < m->points; i++) sum += m->sigma[i] * e[i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum / pow(m->n, m->dims);
}

/* ---- the solution ---- */

static int conjugate_gradients(const material *m, double limit) {
  int steps = 0;
  double rr = product(m, m->r, m->r);
  memcpy(m->p, m->r, pfft3d_plan_bytes(m->plan));
  for (; sqrt(rr) > limit && steps < MAX_STEPS; steps++) {
    apply(m, m->p, m->q);
    double step = rr / product(m, m->p, m->q), before = rr;
    add(m, m->e, step, m->p);
    add(m, m->r, -step, m->q);
    rr = product(m, m->r, m->r);
    scale_add(m, m->p, rr / before, m->r);
  }
  return steps;
}

static int basic_scheme(const material *m, double limit) {
  double reference = (1 + m->contrast) / 2;
  int steps = 0;
  for (; sqrt(product(m, m->r, m->r)) > limit && steps < MAX_STEPS; steps++) {
    add(m, m->e, 1 / reference, m->r);
    apply(m, m->e, m->r);
    scale_add(m, m->r, -2, m->r); /* r = -G (sigma e) */
  }
  return steps;
}

/* The effective conductivity along a direction; the residual falls to 1e-13 of the first flux, or
 * the material has an error. */
static double solve(material *m, int direction, int *steps) {
  memset(m->e, 0, pfft3d_plan_bytes(m->plan));
  for (ptrdiff_t i = 0; i < m->points; i++) m->e[direction * m->space.distance + i] = 1;
  apply(m, m->e, m->r);
  scale_add(m, m->r, -2, m->r);
  double limit = 1e-13 * mean_flux(m, direction);
  *steps = m->basic ? basic_scheme(m, limit) : conjugate_gradients(m, limit);
  if (*steps == MAX_STEPS) {
    m->error.status = PFFT3D_ERR_CHECK;
    snprintf(m->error.text, sizeof m->error.text, "no solution in %d steps", MAX_STEPS);
  }
  return mean_flux(m, direction);
}

/* ---- materials ---- */

/* Layers across axis 0, a quarter of them conducting; or four squares. */
static void fill(const material *m) {
  ptrdiff_t at = 0;
  for (ptrdiff_t i = m->space.lo[0]; i < m->space.lo[0] + m->space.len[0]; i++)
    for (ptrdiff_t j = m->space.lo[1]; j < m->space.lo[1] + m->space.len[1]; j++)
      for (ptrdiff_t k = 0; k < m->space.len[2]; k++) {
        int inside = m->dims == 3 ? 4 * i < m->n : (2 * j < m->n) == (2 * k < m->n);
        m->sigma[at++] = inside ? m->contrast : 1;
      }
}

static int open_material(material *m) {
  char text[80];
  void *array[5];
  snprintf(text, sizeof text,
           m->dims == 3 ? "r2c:d:%dx%dx%d*3 order=transposed" : "r2c:d:%dx%d*2 order=transposed",
           m->n, m->n, m->n);
  if (pfft3d_plan_create_text(MPI_COMM_WORLD, text, &m->plan, &m->error)) return m->error.status;
  pfft3d_plan_box(m->plan, PFFT3D_SPACE, m->rank, &m->space);
  pfft3d_plan_box(m->plan, PFFT3D_SPECTRUM, m->rank, &m->spectrum);
  m->points = m->space.len[0] * m->space.len[1] * m->space.len[2];
  for (int i = 0; i < 5; i++)
    if (pfft3d_alloc(m->plan, &array[i], &m->error)) return m->error.status;
  m->e = array[0], m->p = array[1], m->q = array[2], m->r = array[3], m->sigma = array[4];
  fill(m);
  return PFFT3D_OK;
}

static int laminate(material *m) {
  int bad = 0, steps;
  double share = ceil(m->n / 4.0) / m->n;
  double exact[] = {1 / (share / m->contrast + 1 - share), share * m->contrast + 1 - share};
  if (open_material(m)) return m->error.status;
  for (int direction = 0; direction < 2 && !m->error.status; direction++) {
    double found = solve(m, direction, &steps), error = fabs(found / exact[direction] - 1);
    bad |= !(error <= 1e-10);
    if (m->rank == 0)
      printf("laminate %d^3, contrast %g, %s: %.12g, exact %.12g, error %.1e, %d steps\n", m->n,
             m->contrast, direction ? "along" : "across", found, exact[direction], error, steps);
  }
  pfft3d_plan_destroy(&m->plan);
  return bad;
}

/* The error is to fall from grid to grid, unless it is rounding, as that of nearly equal phases. */
static int checkerboard(material *m) {
  int bad = 0, steps;
  double before = INFINITY;
  for (int part = 4; part >= 1 && !m->error.status; part /= 2) {
    material coarse = *m;
    coarse.n = m->n / part;
    if (open_material(&coarse)) {
      m->error = coarse.error;
      return m->error.status;
    }
    double found = solve(&coarse, 0, &steps), exact = sqrt(m->contrast);
    double error = fabs(found / exact - 1);
    bad |= !(error <= fmax(before, 1e-12));
    m->error = coarse.error;
    before = error;
    if (m->rank == 0)
      printf("checkerboard %d^2, contrast %g: %.9g, exact %.9g, error %.1e, %d steps\n", coarse.n,
             m->contrast, found, exact, error, steps);
    pfft3d_plan_destroy(&coarse.plan);
  }
  return bad;
}

int main(int argc, char **argv) {
  material m = {.plan = NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
  int status = PFFT3D_ERR_USAGE, known = argc == 4 || (argc == 5 && strcmp(argv[4], "basic") == 0);
  m.n = known ? atoi(argv[2]) : 0;
  m.contrast = known ? atof(argv[3]) : 0;
  m.basic = argc == 5;
  m.dims = known && strcmp(argv[1], "laminate") == 0 ? 3 : 2;
  snprintf(m.error.text, sizeof m.error.text,
           "usage: homogenise laminate|checkerboard POINTS CONTRAST [basic]");
  if (m.n >= 8 && m.n <= 4096 && m.contrast > 0 &&
      (m.dims == 3 || strcmp(argv[1], "checkerboard") == 0)) {
    memset(&m.error, 0, sizeof m.error);
    status = m.dims == 3 ? laminate(&m) : checkerboard(&m);
    if (m.error.status) status = m.error.status;
    if (status && !m.error.status) {
      status = PFFT3D_ERR_CHECK;
      snprintf(m.error.text, sizeof m.error.text, "this is not the conductivity of the material");
    }
  }
  if (status && m.rank == 0) fprintf(stderr, "homogenise: %s\n", m.error.text);
  MPI_Finalize();
  return status;
}
