/* ranks: 1 2 3 5 */
/* SPDX-License-Identifier: BSD-3-Clause
 * An example of each function of pfft3d.h, pfft3d_begin.h, pfft3d_nd.h and pfft3d_redist.h: see calls.h. */
#include <complex.h>
#include <math.h>
#include <pfft3d_begin.h>
#include <pfft3d_nd.h>
#include <pfft3d_redist.h>
#include <string.h>

#include "calls.h"

static void names(void) {
  /* Example: pfft3d_status_name */
  expect(!strcmp(pfft3d_status_name(PFFT3D_ERR_MEMORY), "out of memory"));

  /* Example: pfft3d_version pfft3d_build */
  expect(!strcmp(pfft3d_version(), PFFT3D_VERSION)); /* library and header are of one version */
  const char *mpi = pfft3d_build("mpi");
  expect(mpi && !pfft3d_build("no such key"));

  /* Example: pfft3d_list_name */
  const char *name, *summary;
  for (int i = 0; (name = pfft3d_list_name(PFFT3D_EXCHANGES, i, &summary)); i++)
    if (getenv("VERBOSE") && rank == 0) printf("%-12s %s\n", name, summary);
}

static void requests(void) {
  pfft3d_request *request;

  /* Example: pfft3d_request_create pfft3d_request_set pfft3d_request_destroy */
  expect(!pfft3d_request_create(&request, &error));
  expect(!pfft3d_request_set(request, "problem", "r2c:d:48x40x32", &error));
  if (pfft3d_request_set(request, "exchange", "pencil", &error)) /* it is pencils: an error with a hint */
    expect(error.status == PFFT3D_ERR_USAGE && strstr(error.hint, "pencils"));
  pfft3d_request_destroy(&request);
  expect(!request);

  /* Example: pfft3d_request_parse pfft3d_request_print */
  char text[200];
  expect(!pfft3d_request_create(&request, &error));
  expect(!pfft3d_request_parse(request, "c2c:s:32x32x32*3 order=transposed deterministic", &error));
  expect(!strcmp(pfft3d_request_print(request, text, sizeof text),
                 "c2c:s:32x32x32*3 order=transposed deterministic=yes"));

  /* Example: pfft3d_request_scale pfft3d_request_scales */
  expect(!pfft3d_request_scale(request, 1, 1.0 / (32 * 32 * 32)));
  expect(!pfft3d_request_scales(request, 1, 1.0 / (32 * 32 * 32), &error)); /* says why, if it fails */

  /* Example: pfft3d_request_array */
  const pfft3d_array ghosts = {.below = {1, 1, 1}, .above = {1, 1, 1}};
  expect(!pfft3d_request_array(request, PFFT3D_SPACE, &ghosts, &error)); /* an array with ghost cells */

  pfft3d_request_destroy(&request);
}

static void own_boxes(void) {
  pfft3d_request *request;
  pfft3d_plan *plan;
  pfft3d_box box;
  expect(!pfft3d_request_create(&request, &error));

  /* Example: pfft3d_request_cuts */
  ptrdiff_t at[64];
  for (int k = 0; k <= ranks; k++) at[k] = k < ranks ? 0 : 16; /* the last rank has all planes */
  expect(!pfft3d_request_parse(request, "c2c:d:16x8x8 decomp=slab", &error));
  expect(!pfft3d_request_cuts(request, &(pfft3d_cuts){PFFT3D_SPACE, 0, ranks, at}, &error));
  expect(!pfft3d_plan_create(comm, request, &plan, &error));
  expect(!pfft3d_plan_box(plan, PFFT3D_SPACE, ranks - 1, &box) && box.len[0] == 16);
  pfft3d_plan_destroy(&plan);
  pfft3d_request_destroy(&request);

  /* Example: pfft3d_request_box */
  pfft3d_box mine = {.lo = {0, 0, 0}, .len = {16, 8, rank ? 0 : 8}}; /* rank 0 has all of it */
  expect(!pfft3d_request_create(&request, &error));
  expect(!pfft3d_request_parse(request, "c2c:d:16x8x8", &error));
  expect(!pfft3d_request_box(request, PFFT3D_SPACE, &mine, &error));
  expect(!pfft3d_request_box(request, PFFT3D_SPECTRUM, &mine, &error));
  expect(!pfft3d_plan_create(comm, request, &plan, &error));
  pfft3d_plan_destroy(&plan);

  pfft3d_request_destroy(&request);
}

/* A plane wave exp(2 pi i 3 i2 / 32), whose spectrum is one peak; the largest modulus on this rank. */
static double peak(const pfft3d_plan *plan, double complex *f, pfft3d_side side, int fill) {
  pfft3d_box b;
  double most = 0;
  expect(!pfft3d_plan_box(plan, side, rank, &b));
  for (ptrdiff_t i0 = 0; i0 < b.len[0]; i0++)
    for (ptrdiff_t i1 = 0; i1 < b.len[1]; i1++)
      for (ptrdiff_t i2 = 0; i2 < b.len[2]; i2++) {
        double complex *x = f + i0 * b.stride[0] + i1 * b.stride[1] + i2 * b.stride[2];
        if (fill) *x = cexp(2 * 3.14159265358979323846 * I * 3 * (double)(b.lo[2] + i2) / 32);
        most = fmax(most, cabs(*x));
      }
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  return most;
}

/* A factor for blocks of modes: a half of each. */
static void halve(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3], double *factors) {
  (void)context, (void)lo;
  for (ptrdiff_t i = 0; i < len[0] * len[1] * len[2]; i++) factors[i] = 0.5;
}

static void transforms(void) {
  pfft3d_plan *plan;
  void *array;
  double complex *f;
  char text[200];

  /* Example: pfft3d_plan_create_text pfft3d_alloc pfft3d_execute pfft3d_plan_destroy */
  expect(!pfft3d_plan_create_text(comm, "c2c:d:16x24x32 order=transposed", &plan, &error));
  expect(!pfft3d_alloc(plan, &array, &error));
  f = array;
  peak(plan, f, PFFT3D_SPACE, 1); /* fills this rank's part */
  expect(!pfft3d_execute(plan, PFFT3D_FORWARD, f, f));
  expect(fabs(peak(plan, f, PFFT3D_SPECTRUM, 0) - 16 * 24 * 32) < 1e-9);
  expect(!pfft3d_execute(plan, PFFT3D_BACKWARD, f, f)); /* 12288 times the field */

  /* Example: pfft3d_execute_multiplier */
  double ones[32], low[32];
  for (int k = 0; k < 32; k++) ones[k] = 1, low[k] = k < 4 || k > 28; /* modes 0 to 3 along axis 2 */
  const double *const factor[3] = {ones, ones, low};
  expect(!pfft3d_execute_multiplier(plan, factor, f, f));

  /* Example: pfft3d_execute_factors */
  expect(!pfft3d_execute_factors(plan, halve, NULL, f, f)); /* halve() is called for blocks of modes */

  /* Example: pfft3d_plan_box pfft3d_plan_extents pfft3d_plan_axes */
  pfft3d_box box;
  ptrdiff_t n[3];
  int axis[3];
  expect(!pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &box)); /* box.lo, box.len, box.stride */
  expect(!pfft3d_plan_extents(plan, PFFT3D_SPECTRUM, n) && n[0] == 16 && n[2] == 32);
  expect(!pfft3d_plan_axes(plan, PFFT3D_SPECTRUM, axis) && axis[0] == 1 && axis[1] == 0);

  /* Example: pfft3d_plan_elements pfft3d_plan_bytes pfft3d_free */
  double complex *own = malloc(pfft3d_plan_bytes(plan)); /* serves both sides, as that of pfft3d_alloc() */
  expect(own && pfft3d_plan_elements(plan, PFFT3D_SPACE) * sizeof *own <= pfft3d_plan_bytes(plan));
  free(own);
  pfft3d_free(plan, array);

  /* Example: pfft3d_plan_print */
  expect(strstr(pfft3d_plan_print(plan, text, sizeof text), "c2c:d:16x24x32"));

  pfft3d_plan_destroy(&plan);

  /* Example: pfft3d_plan_index */
  expect(!pfft3d_plan_create_text(comm, "c2c:d:4096 layout=cyclic", &plan, &error)); /* one dimension */
  expect(pfft3d_plan_index(plan, PFFT3D_SPACE, rank, 1) == rank + ranks);
  pfft3d_plan_destroy(&plan);

  /* Example: pfft3d_plan_create */
  pfft3d_request *request;
  expect(!pfft3d_request_create(&request, &error));
  expect(!pfft3d_request_set(request, "problem", "r2c:d:20x20x20", &error));
  expect(!pfft3d_plan_create(comm, request, &plan, &error));
  pfft3d_request_destroy(&request); /* the plan does not need it */
  pfft3d_plan_destroy(&plan);
}

/* Squares a plane of all points. */
static void square(void *context, const pfft3d_plane *p) {
  const pfft3d_box *b = context;
  int u = p->axis == 0 ? 1 : 0, v = p->axis == 2 ? 1 : 2;
  const double complex *from = p->from;
  double complex *to = p->to;
  for (ptrdiff_t i = 0; i < b->len[u]; i++)
    for (ptrdiff_t k = 0; k < b->len[v]; k++) {
      ptrdiff_t x = i * b->stride[u] + k * b->stride[v];
      to[x] = from[x] * from[x];
    }
}

static void pairs(void) {
  pfft3d_plan *a, *b;
  pfft3d_box box;
  void *spectrum, *field;
  expect(!pfft3d_plan_create_text(comm, "c2c:d:16x24x32 order=transposed", &a, &error));
  expect(!pfft3d_plan_create_text(comm, "c2c:d:16x24x32 order=transposed", &b, &error));
  expect(!pfft3d_alloc(a, &spectrum, &error) && !pfft3d_alloc(b, &field, &error));
  peak(a, spectrum, PFFT3D_SPACE, 1);
  expect(!pfft3d_execute(a, PFFT3D_FORWARD, spectrum, spectrum));

  /* Example: pfft3d_execute_begin pfft3d_execute_between pfft3d_execute_end */
  expect(!pfft3d_plan_box(a, PFFT3D_SPACE, rank, &box));
  expect(!pfft3d_execute_begin(a, PFFT3D_BACKWARD, spectrum)); /* back to the field, */
  expect(!pfft3d_execute_between(a, PFFT3D_BACKWARD, b, square, &box, field, field)); /* square() of planes, */
  expect(!pfft3d_execute_end(b, PFFT3D_FORWARD, spectrum)); /* and the spectrum of the square */

  expect(fabs(peak(b, spectrum, PFFT3D_SPECTRUM, 0) / pow(16 * 24 * 32, 3) - 1) < 1e-12);
  pfft3d_plan_destroy(&a);
  pfft3d_plan_destroy(&b);
}

/* This rank's rows of a matrix with 12 columns, or of an array of 24 x 12. */
static void rows(ptrdiff_t n, ptrdiff_t *first, ptrdiff_t *count) {
  *first = n * rank / ranks;
  *count = n * (rank + 1) / ranks - *first;
}

static void redistributions(void) {
  pfft3d_redist *redist;
  ptrdiff_t i0, n0, i1, n1;
  double in[24 * 12] = {0}, out[24 * 12] = {0};
  rows(24, &i0, &n0);
  rows(12, &i1, &n1);
  for (ptrdiff_t i = 0; i < n0 * 12; i++) in[i] = (double)(i0 * 12 + i);

  /* Example: pfft3d_redist_create pfft3d_redist_execute pfft3d_redist_destroy */
  pfft3d_redist_spec spec = {.dims = 2, .n = {24, 12}, .element = sizeof(double)};
  spec.from = (pfft3d_region){.lo = {i0, 0}, .len = {n0, 12}}; /* rows i0 .. i0 + n0 - 1 */
  spec.to = (pfft3d_region){.lo = {0, i1}, .len = {24, n1}};   /* columns i1 .. i1 + n1 - 1 */
  expect(!pfft3d_redist_create(comm, &spec, &redist, &error));
  expect(!pfft3d_redist_execute(redist, PFFT3D_FORWARD, in, out));
  for (ptrdiff_t i = 0; i < 24 * n1; i++) expect(out[i] == (double)(i / n1 * 12 + i1 + i % n1));
  pfft3d_redist_destroy(&redist);

  /* Example: pfft3d_transpose_create */
  pfft3d_transpose_spec matrix = {.n0 = 24, .n1 = 12, .element = sizeof(double)}; /* ceil(n/P) rows a rank */
  expect(!pfft3d_transpose_create(comm, &matrix, &redist, &error));
  pfft3d_redist_destroy(&redist);

  /* Example: pfft3d_halo_create */
  pfft3d_halo_spec halo = {.dims = 2, .n = {24, 12}, .element = sizeof(double), .box = spec.from};
  halo.below[0] = halo.above[0] = halo.periodic[0] = 1; /* a row before and one behind */
  double *array = calloc((size_t)(n0 + 2) * 12, sizeof *array);
  expect(array && !pfft3d_halo_create(comm, &halo, &redist, &error));
  memcpy(array + 12, in, (size_t)n0 * 12 * sizeof *in);
  expect(!pfft3d_redist_execute(redist, PFFT3D_FORWARD, array, array));
  expect(n0 == 0 || array[0] == (double)((i0 + 23) % 24 * 12)); /* the row before the first one */
  pfft3d_redist_destroy(&redist);
  free(array);
}

static void many_dimensions(void) {
  pfft3d_request *request;
  pfft3d_nd *nd;
  void *array;
  expect(!pfft3d_request_create(&request, &error));

  /* Example: pfft3d_nd_create pfft3d_nd_alloc pfft3d_nd_execute pfft3d_nd_destroy */
  pfft3d_nd_spec spec = {.dims = 4, .n = {10, 8, 6, 5}, .kind = "none,dft,dft,dft"}; /* time, and space */
  expect(!pfft3d_nd_create(comm, request, &spec, sizeof spec, &nd, &error));
  expect(!pfft3d_nd_alloc(nd, &array, &error));
  memset(array, 0, pfft3d_nd_bytes(nd));
  expect(!pfft3d_nd_execute(nd, PFFT3D_FORWARD, array, array));

  /* Example: pfft3d_nd_extents pfft3d_nd_block pfft3d_nd_bytes pfft3d_nd_step */
  ptrdiff_t n[8];
  int real;
  pfft3d_block block;
  expect(!pfft3d_nd_extents(nd, PFFT3D_SPECTRUM, n, &real) && n[3] == 5 && !real);
  expect(!pfft3d_nd_block(nd, PFFT3D_SPACE, rank, &block) && block.len[1] == 8);
  expect(pfft3d_nd_bytes(nd) >= (size_t)(block.len[0] * 8 * 6 * 5) * 2 * sizeof(double));
  expect(!pfft3d_nd_step(nd, 99)); /* the plans in it, by number */
  pfft3d_nd_destroy(&nd);

  pfft3d_request_destroy(&request);
}

#ifndef MPI_ABI_VERSION
static void fortran_handles(void) {
  pfft3d_request *request;
  pfft3d_redist_spec spec = {.dims = 1, .n = {1}, .element = 8};
  pfft3d_transpose_spec matrix = {.n0 = 4, .n1 = 4, .element = 8};
  pfft3d_halo_spec halo = {.dims = 1, .n = {1}, .element = 8};
  spec.from.len[0] = spec.to.len[0] = halo.box.len[0] = rank == 0;
  expect(!pfft3d_request_create(&request, &error));

  /* Example: pfft3d_plan_create_f pfft3d_plan_create_text_f */
  pfft3d_fint handle = MPI_Comm_c2f(comm); /* what a program in Fortran has */
  pfft3d_plan *plan;
  expect(!pfft3d_plan_create_text_f(&handle, "c2c:d:8x8x8", &plan, &error));
  pfft3d_plan_destroy(&plan);
  expect(!pfft3d_plan_create_f(&handle, request, &plan, &error));
  pfft3d_plan_destroy(&plan);

  /* Example: pfft3d_redist_create_f pfft3d_transpose_create_f pfft3d_halo_create_f */
  pfft3d_redist *redist;
  expect(!pfft3d_redist_create_f(&handle, &spec, &redist, &error)); /* as without _f */
  pfft3d_redist_destroy(&redist);
  expect(!pfft3d_transpose_create_f(&handle, &matrix, &redist, &error));
  pfft3d_redist_destroy(&redist);
  expect(!pfft3d_halo_create_f(&handle, &halo, &redist, &error));
  pfft3d_redist_destroy(&redist);

  pfft3d_request_destroy(&request);
}
#endif

int main(int argc, char **argv) {
  begin(&argc, &argv);
  names();
  requests();
  own_boxes();
  transforms();
  pairs();
  redistributions();
  many_dimensions();
#ifndef MPI_ABI_VERSION
  fortran_handles();
#endif

  /* Example: pfft3d_remove_temporary */
  pfft3d_remove_temporary(); /* in a handler of SIGTERM: files that are half written */

  MPI_Finalize();
  return 0;
}
