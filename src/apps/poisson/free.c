/* SPDX-License-Identifier: BSD-3-Clause
 * By Hockney and Eastwood (Computer Simulation Using Particles, 6-5-4): on a grid of twice the size
 * along open axes, all points beyond the domain 0, the periodic convolution with the potential of a
 * charge equals the free one.  The kernel is even, so its transform is real.
 *
 * A mode of the other axes has the screened equation along the open ones, with K = minus its
 * eigenvalue minus lambda in place of lambda: the potential is exp(-k r)/r in three dimensions,
 * K0(k r) in two, exp(-k |x|)/k in one, with k = sqrt(K).  In one the transform of the potential,
 * cut off at the length of the domain, is known: the inverse eigenvalue times 1 -+ exp(-k L) for
 * even and odd modes (the idea of F. Vico, L. Greengard and M. Ferrando, J. Comput. Phys. 323,
 * 2016); for the stencil too, where the decay from point to point is that of its solutions.
 *
 * Lengths are x / sqrt(c), with the coefficient c of the axis: the equation then has none. */
#include "apps/poisson/free.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"

static const double pi = 3.14159265358979323846;

/* ---- factors ---- */

/* The transform of the kernel as factors.  In transposed order this rank has all that are
 * requested. */
static void of_kernel(const solver *s, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                      double *factor) {
  const pfft3d_box *b = &s->spectrum;
  for (ptrdiff_t i = lo[0] - b->lo[0]; i < lo[0] - b->lo[0] + len[0]; i++)
    for (ptrdiff_t j = lo[1] - b->lo[1]; j < lo[1] - b->lo[1] + len[1]; j++) {
      const double *row = s->kernel + i * b->stride[0] + j * b->stride[1];
      for (ptrdiff_t k = lo[2] - b->lo[2]; k < lo[2] - b->lo[2] + len[2]; k++)
        *factor++ = row[k * b->stride[2]];
    }
}

/* What a charge leaves at the distance of the length of the domain: exp(-k L). */
static double left_over(const domain *d, int axis, double k2) {
  const double root = sqrt(k2 / domain_factor(d, axis)), h = domain_step(d, axis);
  const double n = (double)d->n[axis];
  return exp(d->second ? -2 * n * asinh(root * h / 2) : -root * h * n);
}

/* One open axis.  Without decay the potential is |x|/2, whose mean is L/2. */
static void of_line(const solver *s, int axis, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                    double *factor) {
  const domain *d = &s->d;
  ptrdiff_t k[3];
  for (k[0] = lo[0]; k[0] < lo[0] + len[0]; k[0]++)
    for (k[1] = lo[1]; k[1] < lo[1] + len[1]; k[1]++)
      for (k[2] = lo[2]; k[2] < lo[2] + len[2]; k[2]++) {
        double own = s->lambda[axis][k[axis]], sum = d->shift[0];
        for (int a = 0; a < 3; a++)
          if (a != axis) sum += s->lambda[a][k[a]];
        double left = left_over(d, axis, fmax(-sum, 0));
        *factor++ = own + sum < 0
                        ? (k[axis] % 2 ? 1 + left : 1 - left) / (own + sum)
                        : d->length[axis] * d->length[axis] / (2 * domain_factor(d, axis));
      }
}

void free_factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3], double *factor) {
  const solver *s = context;
  if (s->kernel)
    of_kernel(s, lo, len, factor);
  else
    of_line(s, domain_open(&s->d, 0) ? 0 : domain_open(&s->d, 1) ? 1 : 2, lo, len, factor);
}

/* ---- potentials ---- */

/* The integral of 1/r over a box from the origin to (x, y, z). */
static double corner(double x, double y, double z) {
  double r = sqrt(x * x + y * y + z * z);
  return y * z * log((x + r) / hypot(y, z)) + z * x * log((y + r) / hypot(z, x)) +
         x * y * log((z + r) / hypot(x, y)) - x * x / 2 * atan(y * z / (x * r)) -
         y * y / 2 * atan(z * x / (y * r)) - z * z / 2 * atan(x * y / (z * r));
}

/* Three dimensions: of exp(-k r)/r over a ball as large as a cell, over that of 1/r. */
static double screened(double k, double volume) {
  double x = k * cbrt(0.75 / pi * volume);
  return x < 1e-3 ? 1 - 2 * x / 3 : 2 * (1 - (1 + x) * exp(-x)) / (x * x);
}

/* The modified Bessel functions K0 and K1, from integrals of exp(-x cosh t) (F. W. J. Olver et al.,
 * NIST Handbook of Mathematical Functions, 10.32.9), by the trapezoidal rule, which converges
 * exponentially. */
static double bessel_k(int order, double x) {
  const double step = 0.2;
  double sum = exp(-x) / 2;
  for (double t = step;; t += step) {
    double term = exp(-x * cosh(t)) * (order ? cosh(t) : 1);
    sum += term;
    if (!(term > 1e-18 * sum)) return step * sum;
  }
}

/* The integral of -log(r) over a rectangle from the origin to (x, y). */
static double corner_log(double x, double y) {
  return -(x * y * (log(x * x + y * y) - 3) + x * x * atan(y / x) + y * y * atan(x / y)) / 2;
}

/* Two dimensions: the mean of K0(k r) over a cell h[0] x h[1]; of -log(r) if k is 0.  A disc as
 * large as the cell, of radius a, has 2 (1 - k a K1(k a)) / (k a)^2, and 1/2 - log(a). */
static double mean_k0(double k, const double h[2]) {
  double area = h[0] * h[1], a = sqrt(area / pi), x = k * a;
  double flat = 4 * corner_log(h[0] / 2, h[1] / 2) / area;
  return k > 0 ? flat - (0.5 - log(a)) + 2 * (1 - x * bessel_k(1, x)) / (x * x) : flat;
}

/* The potential of a cell of charge 1 at an index; at index 0 the mean over the cell.  k2: of
 * the mode of the other axis; open axes have the distances h[0] to h[dims - 1]. */
static double potential(double k2, int dims, const double *h, const ptrdiff_t *i) {
  double r2 = 0, volume = 1, k = sqrt(k2);
  for (int a = 0; a < dims; a++) {
    volume *= h[a];
    r2 += h[a] * h[a] * (double)(i[a] * i[a]);
  }
  double x = k * sqrt(r2);
  if (dims == 3 && r2 > 0) return -volume * exp(-x) / (4 * pi * sqrt(r2));
  if (dims == 3) return -8 * corner(h[0] / 2, h[1] / 2, h[2] / 2) / (4 * pi) * screened(k, volume);
  if (r2 > 0) return -volume * (k > 0 ? x < 700 ? bessel_k(0, x) : 0 : -log(r2) / 2) / (2 * pi);
  return -volume * mean_k0(k, h) / (2 * pi);
}

/* ---- kernels ---- */

/* An array of potentials: a box of space, or with the axis that is not open transformed. */
typedef struct sheet {
  pfft3d_box box;
  void *array;
  int parts, single;
} sheet;

static void fill(const solver *s, const sheet *to) {
  const domain *d = &s->d;
  const pfft3d_box *b = &to->box;
  ptrdiff_t k[3], i[3] = {0, 0, 0};
  double h[3];
  int dims = 0;
  for (int a = 0; a < 3; a++)
    if (domain_open(d, a)) h[dims++] = domain_step(d, a) / sqrt(domain_factor(d, a));
  for (k[0] = b->lo[0]; k[0] < b->lo[0] + b->len[0]; k[0]++)
    for (k[1] = b->lo[1]; k[1] < b->lo[1] + b->len[1]; k[1]++)
      for (k[2] = b->lo[2]; k[2] < b->lo[2] + b->len[2]; k[2]++) {
        double k2 = -d->shift[0];
        ptrdiff_t at = b->offset;
        for (int a = 0, o = 0; a < 3; a++) {
          at += (k[a] - b->lo[a]) * b->stride[a];
          if (domain_open(d, a))
            i[o++] = k[a] < d->n[a] ? k[a] : 2 * d->n[a] - k[a];
          else
            k2 -= s->lambda[a][k[a]];
        }
        number_set(to->array, to->single, to->parts * at, potential(fmax(k2, 0), dims, h, i));
        if (to->parts == 2) number_set(to->array, to->single, 2 * at + 1, 0);
      }
}

/* Two open axes and another one: potentials of its modes, transformed back along it. */
static int fill_modes(solver *s, pfft3d_error *e) {
  pfft3d_problem p = s->r.problem;
  run r;
  for (int a = 0; a < 3; a++)
    if (domain_open(&s->d, a)) p.axis[a] = PFFT3D_NONE;
  pfft3d_request *request = options_request(s->a, &p);
  pfft3d_request_box(request, PFFT3D_SPACE, &s->rows.box, NULL);
  if (!run_open(s->a, &r, request, NORM_BACKWARD, 1, e)) {
    sheet modes = {.array = r.array[0], .single = solver_is_narrow(s)};
    size_t number = modes.single ? sizeof(float) : sizeof(double);
    modes.parts = pfft3d_element_bytes(&p, PFFT3D_SPECTRUM) > number ? 2 : 1;
    pfft3d_plan_box(r.plan, PFFT3D_SPECTRUM, s->a->rank, &modes.box);
    fill(s, &modes);
    run_execute(s->a, &r, PFFT3D_BACKWARD, r.array[0], s->r.array[0]);
  }
  pfft3d_request_destroy(&request);
  run_close(&r);
  return e->status;
}

static int make_potentials(solver *s, pfft3d_error *e) {
  const sheet space = {.box = s->rows.box,
                       .array = s->r.array[0],
                       .parts = s->r.problem.kind == PFFT3D_C2C ? 2 : 1,
                       .single = solver_is_narrow(s)};
  if (s->d.open < s->d.dims) return fill_modes(s, e);
  fill(s, &space);
  return PFFT3D_OK;
}

int free_open(solver *s, pfft3d_error *e) {
  size_t elements = pfft3d_plan_elements(s->r.plan, PFFT3D_SPECTRUM);
  if (s->d.open == 1) return PFFT3D_OK;
  s->kernel = malloc(elements * sizeof *s->kernel);
  int missing = !s->kernel;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, s->a->comm);
  if (missing)
    return app_fail(e, PFFT3D_ERR_MEMORY, "cannot allocate %zu bytes for the kernel of free space",
                    elements * sizeof *s->kernel);
  if (make_potentials(s, e)) return e->status;
  run_execute(s->a, &s->r, PFFT3D_FORWARD, s->r.array[0], s->r.array[0]);
  const int parts = solver_parts(s);
  for (size_t i = 0; i < elements; i++) s->kernel[i] = solver_get(s, parts * (ptrdiff_t)i);
  pfft3d_stats none; /* the error of rounding in messages is reported for solutions only */
  pfft3d_plan_stats(s->r.plan, PFFT3D_FORWARD, 1, &none, sizeof none);
  return PFFT3D_OK;
}
