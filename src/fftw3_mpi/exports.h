/* SPDX-License-Identifier: BSD-3-Clause
 * The functions with FFTW's names, for one precision: FFTW(name) is fftw_name or fftwf_name,
 * LEGACY(name) is dfftw_name_ or sfftw_name_, REAL the type of numbers, PRECISION the value of
 * pfft3d.  FFTW's complex numbers are pairs of REAL.  All shorter planning functions call the
 * `many` functions, also for the original. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fftw3_mpi/call.h"

#define STRING_OF(name) #name
#define STRING(name)    STRING_OF(name)
#define MPI_NAME(name)  FFTW(mpi_##name)

typedef struct fftw_plan_of_any_kind *plan_t;
typedef REAL complex_t[2];
typedef ptrdiff_t size;

/* Looks up the original function NAME, once, as a pointer of type TYPE. */
#define ORIGINAL(type, name)        \
  static __typeof__(type) original; \
  if (!original) original = (type)pf_original_must(STRING(FFTW(name)))

/* ---- planning ---- */

typedef plan_t (*plan_dft_t)(int, const size *, size, size, size, void *, void *, MPI_Comm, int,
                             unsigned);
typedef plan_t (*plan_real_t)(int, const size *, size, size, size, void *, void *, MPI_Comm,
                              unsigned);
typedef plan_t (*plan_r2r_t)(int, const size *, size, size, size, void *, void *, MPI_Comm,
                             const int *, unsigned);
typedef plan_t (*plan_transpose_t)(size, size, size, size, size, void *, void *, MPI_Comm,
                                   unsigned);

/* The plan of the original. */
static plan_t original_plan(const pf_call *c) {
  char name[64];
  snprintf(name, sizeof name, STRING(FFTW(mpi_plan_many_)) "%s",
           c->family == PF_C2C   ? "dft"
           : c->family == PF_R2C ? "dft_r2c"
           : c->family == PF_C2R ? "dft_c2r"
           : c->family == PF_R2R ? "r2r"
                                 : "transpose");
  pf_function f = pf_original_must(name);
  if (c->family == PF_C2C)
    return ((plan_dft_t)f)(c->rank, c->n, c->howmany, c->block[0], c->block[1], c->in, c->out,
                           c->comm, c->sign, c->flags);
  if (c->family == PF_R2R)
    return ((plan_r2r_t)f)(c->rank, c->n, c->howmany, c->block[0], c->block[1], c->in, c->out,
                           c->comm, c->kind, c->flags);
  if (c->family == PF_TRANSPOSE)
    return ((plan_transpose_t)f)(c->n[0], c->n[1], c->howmany, c->block[0], c->block[1], c->in,
                                 c->out, c->comm, c->flags);
  return ((plan_real_t)f)(c->rank, c->n, c->howmany, c->block[0], c->block[1], c->in, c->out,
                          c->comm, c->flags);
}

static plan_t make_plan(const pf_call *c) {
  int none = 0;
  void *plan = pf_call_plan(c, &none);
  return plan || none ? plan : original_plan(c);
}

/* The members of a call that all planning functions set. */
#define CALL(function, of_family, dims, sizes)                                                    \
  .name = #function, .family = (of_family), .precision = PRECISION, .rank = (dims), .n = (sizes), \
  .in = (void *)in, .out = (void *)out, .comm = comm, .flags = flags

/* Each planning function and its variant for Fortran, with communicators as numbers: parameters
 * before the communicator, and after it. */
#define PLANNER(function, before, later, call)                                          \
  plan_t MPI_NAME(function)(PF_UNPACK before, MPI_Comm comm, PF_UNPACK later);          \
  plan_t MPI_NAME(function)(PF_UNPACK before, MPI_Comm comm, PF_UNPACK later) {         \
    return make_plan(&(pf_call){PF_UNPACK call});                                       \
  }                                                                                     \
  plan_t MPI_NAME(function##_f03)(PF_UNPACK before, MPI_Fint number, PF_UNPACK later);  \
  plan_t MPI_NAME(function##_f03)(PF_UNPACK before, MPI_Fint number, PF_UNPACK later) { \
    MPI_Comm comm = MPI_Comm_f2c(number);                                               \
    return make_plan(&(pf_call){PF_UNPACK call});                                       \
  }
#define PF_UNPACK(...) __VA_ARGS__
#define SIZES(...)     ((const size[]){__VA_ARGS__})
#define MANY           .howmany = howmany, .block = {iblock, oblock}

PLANNER(plan_many_dft,
        (int rank, const size *n, size howmany, size iblock, size oblock, complex_t *in,
         complex_t *out),
        (int sign, unsigned flags), (CALL(plan_many_dft, PF_C2C, rank, n), MANY, .sign = sign))
PLANNER(plan_dft, (int rank, const size *n, complex_t *in, complex_t *out),
        (int sign, unsigned flags), (CALL(plan_dft, PF_C2C, rank, n), .howmany = 1, .sign = sign))
PLANNER(plan_dft_1d, (size n0, complex_t *in, complex_t *out), (int sign, unsigned flags),
        (CALL(plan_dft_1d, PF_C2C, 1, SIZES(n0)), .howmany = 1, .sign = sign))
PLANNER(plan_dft_2d, (size n0, size n1, complex_t *in, complex_t *out), (int sign, unsigned flags),
        (CALL(plan_dft_2d, PF_C2C, 2, SIZES(n0, n1)), .howmany = 1, .sign = sign))
PLANNER(plan_dft_3d, (size n0, size n1, size n2, complex_t *in, complex_t *out),
        (int sign, unsigned flags),
        (CALL(plan_dft_3d, PF_C2C, 3, SIZES(n0, n1, n2)), .howmany = 1, .sign = sign))

PLANNER(plan_many_dft_r2c,
        (int rank, const size *n, size howmany, size iblock, size oblock, REAL *in, complex_t *out),
        (unsigned flags), (CALL(plan_many_dft_r2c, PF_R2C, rank, n), MANY))
PLANNER(plan_dft_r2c, (int rank, const size *n, REAL *in, complex_t *out), (unsigned flags),
        (CALL(plan_dft_r2c, PF_R2C, rank, n), .howmany = 1))
PLANNER(plan_dft_r2c_2d, (size n0, size n1, REAL *in, complex_t *out), (unsigned flags),
        (CALL(plan_dft_r2c_2d, PF_R2C, 2, SIZES(n0, n1)), .howmany = 1))
PLANNER(plan_dft_r2c_3d, (size n0, size n1, size n2, REAL *in, complex_t *out), (unsigned flags),
        (CALL(plan_dft_r2c_3d, PF_R2C, 3, SIZES(n0, n1, n2)), .howmany = 1))

PLANNER(plan_many_dft_c2r,
        (int rank, const size *n, size howmany, size iblock, size oblock, complex_t *in, REAL *out),
        (unsigned flags), (CALL(plan_many_dft_c2r, PF_C2R, rank, n), MANY))
PLANNER(plan_dft_c2r, (int rank, const size *n, complex_t *in, REAL *out), (unsigned flags),
        (CALL(plan_dft_c2r, PF_C2R, rank, n), .howmany = 1))
PLANNER(plan_dft_c2r_2d, (size n0, size n1, complex_t *in, REAL *out), (unsigned flags),
        (CALL(plan_dft_c2r_2d, PF_C2R, 2, SIZES(n0, n1)), .howmany = 1))
PLANNER(plan_dft_c2r_3d, (size n0, size n1, size n2, complex_t *in, REAL *out), (unsigned flags),
        (CALL(plan_dft_c2r_3d, PF_C2R, 3, SIZES(n0, n1, n2)), .howmany = 1))

PLANNER(plan_many_r2r,
        (int rank, const size *n, size howmany, size iblock, size oblock, REAL *in, REAL *out),
        (const int *kind, unsigned flags),
        (CALL(plan_many_r2r, PF_R2R, rank, n), MANY, .kind = kind))
PLANNER(plan_r2r, (int rank, const size *n, REAL *in, REAL *out), (const int *kind, unsigned flags),
        (CALL(plan_r2r, PF_R2R, rank, n), .howmany = 1, .kind = kind))
PLANNER(plan_r2r_2d, (size n0, size n1, REAL *in, REAL *out),
        (int kind0, int kind1, unsigned flags),
        (CALL(plan_r2r_2d, PF_R2R, 2, SIZES(n0, n1)), .howmany = 1,
         .kind = (const int[]){kind0, kind1}))
PLANNER(plan_r2r_3d, (size n0, size n1, size n2, REAL *in, REAL *out),
        (int kind0, int kind1, int kind2, unsigned flags),
        (CALL(plan_r2r_3d, PF_R2R, 3, SIZES(n0, n1, n2)), .howmany = 1,
         .kind = (const int[]){kind0, kind1, kind2}))

PLANNER(plan_many_transpose,
        (size n0, size n1, size howmany, size iblock, size oblock, REAL *in, REAL *out),
        (unsigned flags), (CALL(plan_many_transpose, PF_TRANSPOSE, 2, SIZES(n0, n1)), MANY))
PLANNER(plan_transpose, (size n0, size n1, REAL *in, REAL *out), (unsigned flags),
        (CALL(plan_transpose, PF_TRANSPOSE, 2, SIZES(n0, n1)), .howmany = 1))

/* ---- executing ---- */

#define IF_OURS(plan, action) \
  if (pf_handle_ours(plan)) { \
    action;                   \
    return;                   \
  }

void FFTW(execute)(const plan_t plan);
void FFTW(execute)(const plan_t plan) {
  const pf_handle *h = (const void *)plan;
  IF_OURS(plan, pf_handle_execute(h, h->in, h->out))
  ORIGINAL(void (*)(const plan_t), execute);
  original(plan);
}
void LEGACY(execute)(plan_t *plan);
void LEGACY(execute)(plan_t *plan) {
  FFTW(execute)(*plan);
}

/* Execution with other arrays: of the serial library, of the MPI library, from Fortran. */
#define EXECUTE(name, from, to)                                   \
  void FFTW(name)(const plan_t plan, from *in, to *out);          \
  void FFTW(name)(const plan_t plan, from *in, to *out) {         \
    IF_OURS(plan, pf_handle_execute((const void *)plan, in, out)) \
    ORIGINAL(void (*)(const plan_t, from *, to *), name);         \
    original(plan, in, out);                                      \
  }                                                               \
  void MPI_NAME(name)(const plan_t plan, from *in, to *out);      \
  void MPI_NAME(name)(const plan_t plan, from *in, to *out) {     \
    IF_OURS(plan, pf_handle_execute((const void *)plan, in, out)) \
    ORIGINAL(void (*)(const plan_t, from *, to *), mpi_##name);   \
    original(plan, in, out);                                      \
  }                                                               \
  void LEGACY(name)(plan_t * plan, from * in, to * out);          \
  void LEGACY(name)(plan_t * plan, from * in, to * out) {         \
    FFTW(name)(*plan, in, out);                                   \
  }
EXECUTE(execute_dft, complex_t, complex_t)
EXECUTE(execute_dft_r2c, REAL, complex_t)
EXECUTE(execute_dft_c2r, complex_t, REAL)
EXECUTE(execute_r2r, REAL, REAL)

/* ---- properties of plans ---- */

void FFTW(destroy_plan)(plan_t plan);
void FFTW(destroy_plan)(plan_t plan) {
  IF_OURS(plan, pf_handle_destroy((void *)plan))
  ORIGINAL(void (*)(plan_t), destroy_plan);
  original(plan);
}
void LEGACY(destroy_plan)(plan_t *plan);
void LEGACY(destroy_plan)(plan_t *plan) {
  FFTW(destroy_plan)(*plan);
}

/* A plan as text, in parentheses as FFTW prints it. */
char *FFTW(sprint_plan)(const plan_t plan);
char *FFTW(sprint_plan)(const plan_t plan) {
  if (!pf_handle_ours(plan)) {
    ORIGINAL(char *(*)(const plan_t), sprint_plan);
    return original(plan);
  }
  char text[500];
  pf_cache_describe(((const pf_handle *)(const void *)plan)->kept, text, sizeof text);
  size_t bytes = strlen(text) + sizeof "(pfft3d )";
  char *copy = malloc(bytes);
  if (copy) snprintf(copy, bytes, "(pfft3d %s)", text);
  return copy;
}

void FFTW(fprint_plan)(const plan_t plan, FILE *file);
void FFTW(fprint_plan)(const plan_t plan, FILE *file) {
  if (pf_handle_ours(plan)) {
    char *text = FFTW(sprint_plan)(plan);
    fputs(text ? text : "(pfft3d)", file);
    free(text);
    return;
  }
  ORIGINAL(void (*)(const plan_t, FILE *), fprint_plan);
  original(plan, file);
}

void FFTW(print_plan)(const plan_t plan);
void FFTW(print_plan)(const plan_t plan) {
  FFTW(fprint_plan)(plan, stdout);
}
void LEGACY(print_plan)(plan_t *plan);
void LEGACY(print_plan)(plan_t *plan) {
  FFTW(print_plan)(*plan);
}

void FFTW(flops)(const plan_t plan, double *add, double *mul, double *fma);
void FFTW(flops)(const plan_t plan, double *add, double *mul, double *fma) {
  IF_OURS(plan, pf_handle_flops((const void *)plan, add, mul, fma))
  ORIGINAL(void (*)(const plan_t, double *, double *, double *), flops);
  original(plan, add, mul, fma);
}
void LEGACY(flops)(plan_t *plan, double *add, double *mul, double *fma);
void LEGACY(flops)(plan_t *plan, double *add, double *mul, double *fma) {
  FFTW(flops)(*plan, add, mul, fma);
}

/* The original's cost is seconds if it measured, else roughly the number of operations, as here. */
#define COST(name)                                                       \
  double FFTW(name)(const plan_t plan);                                  \
  double FFTW(name)(const plan_t plan) {                                 \
    if (pf_handle_ours(plan)) return pf_handle_cost((const void *)plan); \
    ORIGINAL(double (*)(const plan_t), name);                            \
    return original(plan);                                               \
  }                                                                      \
  void LEGACY(name)(double *cost, plan_t *plan);                         \
  void LEGACY(name)(double *cost, plan_t *plan) {                        \
    *cost = FFTW(name)(*plan);                                           \
  }
COST(cost)
COST(estimate_cost)

/* Since FFTW 3.3.11. */
plan_t FFTW(copy_plan)(plan_t plan);
plan_t FFTW(copy_plan)(plan_t plan) {
  if (pf_handle_ours(plan)) return (plan_t)(void *)pf_handle_copy((const void *)plan);
  ORIGINAL(plan_t(*)(plan_t), copy_plan);
  return original(plan);
}

/* ---- functions of the original ---- */

#define PASS(type, name, parameters, arguments) \
  type FFTW(name) parameters;                   \
  type FFTW(name) parameters {                  \
    ORIGINAL(type(*) parameters, name);         \
    return original arguments;                  \
  }
/* A function with a communicator, and its variant for Fortran. */
#define PASS_COMM(type, name, before, later, arguments)                         \
  type MPI_NAME(name)(PF_UNPACK before MPI_Comm comm PF_UNPACK later);          \
  type MPI_NAME(name)(PF_UNPACK before MPI_Comm comm PF_UNPACK later) {         \
    ORIGINAL(type (*)(PF_UNPACK before MPI_Comm PF_UNPACK later), mpi_##name);  \
    return original arguments;                                                  \
  }                                                                             \
  type MPI_NAME(name##_f03)(PF_UNPACK before MPI_Fint number PF_UNPACK later);  \
  type MPI_NAME(name##_f03)(PF_UNPACK before MPI_Fint number PF_UNPACK later) { \
    MPI_Comm comm = MPI_Comm_f2c(number);                                       \
    return MPI_NAME(name) arguments;                                            \
  }

PASS(void, mpi_init, (void), ())
void MPI_NAME(cleanup)(void);
void MPI_NAME(cleanup)(void) {
  ORIGINAL(void (*)(void), mpi_cleanup);
  pf_cache_clear();
  original();
}

#define TRANSPOSED size *ni, size *si, size *no, size *so
PASS_COMM(size, local_size_many_transposed,
          (int rank, const size *n, size howmany, size iblock, size oblock, ), (, TRANSPOSED),
          (rank, n, howmany, iblock, oblock, comm, ni, si, no, so))
PASS_COMM(size, local_size_many, (int rank, const size *n, size howmany, size block, ),
          (, size *ni, size *si), (rank, n, howmany, block, comm, ni, si))
PASS_COMM(size, local_size_transposed, (int rank, const size *n, ), (, TRANSPOSED),
          (rank, n, comm, ni, si, no, so))
PASS_COMM(size, local_size, (int rank, const size *n, ), (, size *ni, size *si),
          (rank, n, comm, ni, si))
PASS_COMM(size, local_size_many_1d, (size n0, size howmany, ),
          (, int sign, unsigned flags, TRANSPOSED),
          (n0, howmany, comm, sign, flags, ni, si, no, so))
PASS_COMM(size, local_size_1d, (size n0, ), (, int sign, unsigned flags, TRANSPOSED),
          (n0, comm, sign, flags, ni, si, no, so))
PASS_COMM(size, local_size_2d, (size n0, size n1, ), (, size *ni, size *si), (n0, n1, comm, ni, si))
PASS_COMM(size, local_size_2d_transposed, (size n0, size n1, ), (, TRANSPOSED),
          (n0, n1, comm, ni, si, no, so))
PASS_COMM(size, local_size_3d, (size n0, size n1, size n2, ), (, size *ni, size *si),
          (n0, n1, n2, comm, ni, si))
PASS_COMM(size, local_size_3d_transposed, (size n0, size n1, size n2, ), (, TRANSPOSED),
          (n0, n1, n2, comm, ni, si, no, so))
PASS_COMM(void, gather_wisdom, (), (), (comm))
PASS_COMM(void, broadcast_wisdom, (), (), (comm))
