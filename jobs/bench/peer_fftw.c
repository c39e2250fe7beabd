/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW-MPI, and plain copies of its arrays.
 *
 * Planned with MEASURE and PATIENT (ESTIMATE is far slower), in place and out of place; out of
 * place it may destroy its input, which gives its planner the widest choice.  All variants share
 * two arrays.  Wisdom is discarded before the next plan, so that planning times and choices of
 * variants are independent, unless wisdom is kept in a file.
 *
 * Spectra of lines are in natural order, or scrambled, which saves FFTW an exchange.  A batch is
 * transformed in two ways: a plan of one field called for each array, and one plan of all fields,
 * which are interleaved. */
#include <complex.h> /* before fftw3-mpi.h, which then takes C's complex type */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run.h"
#include "bench.h"

enum { PLANS = 8, COPIES = 2 };

/* Plan number k < PLANS; those in scrambled order, for lines only, come last. */
typedef struct variant {
  int scrambled, patient, in_place;
} variant;

static variant variant_of(int k) {
  return (variant){k / 4, k / 2 % 2, k % 2 == 0};
}

/* The fields of a plan.  The first two share a plan. */
typedef enum { ALONE, ONE_BY_ONE, INTERLEAVED, GATHERINGS } gathering;

/* By variant, interleaved or not, and direction; the arrays of all variants: one for each field,
 * the first also for a single one, and arrays of interleaved fields. */
static struct {
  fftw_plan plan[PLANS][2][2];
  double *array[2][MOST_BATCH], *many[2];
  size_t copied; /* doubles of the local box */
  pfft3d_kind kind;
} own;

static int run_plan(contender *c, pfft3d_direction d) {
  fftw_plan *plan = c->state;
  fftw_execute(plan[d]);
  return 0;
}

static int run_fields(contender *c, pfft3d_direction d) {
  fftw_plan *plan = c->state;
  for (int k = 0; k < c->fields; k++) {
    double *in = c->array[d][k], *out = c->array[!d][k];
    if (own.kind == PFFT3D_C2C)
      fftw_mpi_execute_dft(plan[d], (fftw_complex *)in, (fftw_complex *)out);
    else if (d == PFFT3D_FORWARD)
      fftw_mpi_execute_dft_r2c(plan[d], in, (fftw_complex *)out);
    else
      fftw_mpi_execute_dft_c2r(plan[d], (fftw_complex *)in, out);
  }
  return 0;
}

static int run_memcpy(contender *c, pfft3d_direction d) {
  memcpy(c->array[!d][0], c->array[d][0], own.copied * sizeof(double));
  return 0;
}

/* Copies with streaming stores.  They have no portable form; without them memcpy is used, which
 * streams large blocks. */
static int run_stream(contender *c, pfft3d_direction d) {
  const double *from = c->array[d][0];
  double *to = c->array[!d][0];
  size_t i = 0;
#if defined(__SSE2__)
  typedef double pair __attribute__((vector_size(16)));
  for (; i + 2 <= own.copied; i += 2)
    __builtin_ia32_movntpd(to + i, *(const pair *)(const void *)(from + i));
  __builtin_ia32_sfence();
#endif
  for (; i < own.copied; i++) to[i] = from[i];
  return 0;
}

/* Boxes of FFTW's block distribution; returns its number of complex elements to allocate.  Rows of
 * a real field are padded to the bytes of their half spectrum, also out of place. */
static size_t field_boxes(const bench *b, pfft3d_box box[2]) {
  ptrdiff_t n[3], l0, s0, l1, s1;
  pfft3d_problem_extents(&b->problem, PFFT3D_SPECTRUM, n);
  const ptrdiff_t elements =
      fftw_mpi_local_size_3d_transposed(n[0], n[1], n[2], b->a.comm, &l0, &s0, &l1, &s1);
  const ptrdiff_t row = b->problem.kind == PFFT3D_R2C ? 2 * n[2] : n[2];
  box[PFFT3D_SPACE] = (pfft3d_box){
      .lo = {s0, 0, 0}, .len = {l0, n[1], b->problem.n[2]}, .stride = {n[1] * row, row, 1}};
  box[PFFT3D_SPECTRUM] =
      (pfft3d_box){.lo = {s0, 0, 0}, .len = {l0, n[1], n[2]}, .stride = {n[1] * n[2], n[2], 1}};
  if (b->order == PFFT3D_TRANSPOSED)
    box[PFFT3D_SPECTRUM] =
        (pfft3d_box){.lo = {0, s1, 0}, .len = {n[0], l1, n[2]}, .stride = {n[2], n[0] * n[2], 1}};
  return (size_t)elements;
}

/* The flags of a direction in addition to the planner's. */
static unsigned order_flags(const bench *b, int scrambled, pfft3d_direction d) {
  const int forward = d == PFFT3D_FORWARD;
  if (is_line(b) && scrambled) return forward ? FFTW_MPI_SCRAMBLED_OUT : FFTW_MPI_SCRAMBLED_IN;
  if (is_line(b) || b->order == PFFT3D_NATURAL) return 0;
  return forward ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN;
}

/* Blocks of a line; 0 if they differ between directions. */
static size_t line_boxes(const bench *b, int scrambled, pfft3d_box box[2]) {
  ptrdiff_t elements = 1;
  int alike = 1;
  for (int d = 0; d < 2; d++) {
    pfft3d_box found[2];
    for (int side = 0; side < 2; side++)
      found[side] = (pfft3d_box){.len = {1, 1, 0}, .stride = {1, 1, 1}};
    const ptrdiff_t most = fftw_mpi_local_size_1d(
        b->problem.n[2], b->a.comm, d == PFFT3D_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD,
        order_flags(b, scrambled, (pfft3d_direction)d), &found[d].len[2], &found[d].lo[2],
        &found[!d].len[2], &found[!d].lo[2]);
    for (int side = 0; side < 2; side++) {
      if (d == 0) box[side] = found[side];
      alike &= box[side].len[2] == found[side].len[2] && box[side].lo[2] == found[side].lo[2];
    }
    if (most > elements) elements = most;
  }
  MPI_Allreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_LAND, b->a.comm);
  return alike ? (size_t)elements : 0;
}

static size_t boxes(const bench *b, int scrambled, pfft3d_box box[2]) {
  return is_line(b) ? line_boxes(b, scrambled, box) : field_boxes(b, box);
}

static int is_batch(const bench *b) {
  return b->opt.batch > 1 && !is_line(b);
}

/* Elements of an array that is large enough for all variants. */
static size_t most_elements(const bench *b) {
  pfft3d_box box[2];
  const size_t plain = boxes(b, 0, box), other = boxes(b, is_line(b), box);
  return plain > other ? plain : other;
}

static double bytes(const bench *b, const way *w) {
  const double local = 16 * (double)most_elements(b); /* two arrays, and a buffer of FFTW's */
  (void)w;
  const double batches = is_batch(b) ? 5 * b->opt.batch : 0; /* the arrays twice, and a buffer */
  return (3 + batches) * local;
}

static fftw_plan make(const bench *b, const variant *v, int many, pfft3d_direction d) {
  const int forward = d == PFFT3D_FORWARD, sign = forward ? FFTW_FORWARD : FFTW_BACKWARD;
  const ptrdiff_t *n = b->problem.n, fields = many ? b->opt.batch : 1,
                  block = FFTW_MPI_DEFAULT_BLOCK;
  double *array[2];
  for (int k = 0; k < 2; k++) array[k] = many ? own.many[k] : own.array[k][0];
  double *in = array[v->in_place ? 0 : d], *out = array[v->in_place ? 0 : !d];
  fftw_complex *from = (fftw_complex *)in, *to = (fftw_complex *)out;
  const unsigned flags = (v->patient ? FFTW_PATIENT : FFTW_MEASURE) |
                         (v->in_place ? 0 : FFTW_DESTROY_INPUT) | order_flags(b, v->scrambled, d);
  if (is_line(b)) return fftw_mpi_plan_dft_1d(n[2], from, to, b->a.comm, sign, flags);
  if (b->problem.kind == PFFT3D_C2C)
    return fftw_mpi_plan_many_dft(3, n, fields, block, block, from, to, b->a.comm, sign, flags);
  if (forward)
    return fftw_mpi_plan_many_dft_r2c(3, n, fields, block, block, in, to, b->a.comm, flags);
  return fftw_mpi_plan_many_dft_c2r(3, n, fields, block, block, from, out, b->a.comm, flags);
}

static void recall(const bench *b) {
  fftw_forget_wisdom();
  if (!*b->opt.wisdom) return;
  if (b->a.rank == 0)
    fftw_import_wisdom_from_filename(b->opt.wisdom); /* the file may be missing the first time */
  fftw_mpi_broadcast_wisdom(b->a.comm);
}

static void keep(const bench *b) {
  if (*b->opt.wisdom) {
    fftw_mpi_gather_wisdom(b->a.comm);
    if (b->a.rank == 0 && !fftw_export_wisdom_to_filename(b->opt.wisdom))
      note(b, "cannot write %s", b->opt.wisdom);
  }
  fftw_forget_wisdom();
}

static int plan_variant(const bench *b, const variant *v, int many, contender *c) {
  fftw_plan *plan = c->state;
  note(b, "planning %s", c->name);
  recall(b);
  fftw_set_timelimit(b->opt.time_limit < 0 ? FFTW_NO_TIMELIMIT : b->opt.time_limit);
  const double start = MPI_Wtime();
  for (int d = 0; d < 2; d++) plan[d] = make(b, v, many, (pfft3d_direction)d);
  c->plan_s = run_max(&b->a, MPI_Wtime() - start);
  fftw_set_timelimit(FFTW_NO_TIMELIMIT);
  keep(b);
  if (is_line(b)) note(b, "planned in %.1f s", c->plan_s);
  if (plan[0] && plan[1]) return 1;
  note(b, "%s: FFTW made no plan", c->name);
  return 0;
}

/* Numbers of an element. */
static ptrdiff_t numbers_of(const bench *b, int side) {
  return (ptrdiff_t)(pfft3d_element_bytes(&b->problem, (pfft3d_side)side) / sizeof(double));
}

/* A contender for one field. */
static contender alone(const bench *b, const pfft3d_box box[2], int in_place) {
  return (contender){.problem = b->problem,
                     .grid = {b->a.ranks, 1},
                     .fields = 1,
                     .batch = 1,
                     .box = {box[0], box[1]},
                     .array = {{own.array[0][0]}, {own.array[in_place ? 0 : 1][0]}}};
}

/* Makes a contender for all fields of a batch from one for a single field. */
static void gather(const bench *b, const variant *v, gathering how, contender *c) {
  c->fields = b->opt.batch;
  if (how == ONE_BY_ONE)
    c->run = run_fields;
  else
    c->batch = c->fields;
  for (int side = 0; side < 2; side++) {
    const int at = v->in_place ? 0 : side;
    for (int a = 0; a < 3 && how == INTERLEAVED; a++) c->box[side].stride[a] *= c->fields;
    for (int k = 0; k < c->fields; k++)
      c->array[side][k] =
          how == ONE_BY_ONE ? own.array[at][k] : own.many[at] + k * numbers_of(b, side);
  }
}

/* Opens plan number k; 0 if it is not requested or FFTW has no layout for it. */
static int open_variant(const bench *b, int k, gathering how, contender *c) {
  static const char *const words[GATHERINGS] = {"", "one by one", "interleaved"};
  const variant v = variant_of(k);
  char batch[32] = "";
  pfft3d_box box[2];
  if ((how && !is_batch(b)) || (v.patient && !b->opt.patient)) return 0;
  if ((v.scrambled && !is_line(b)) || !boxes(b, v.scrambled, box)) return 0;
  *c = alone(b, box, v.in_place);
  c->dealing = v.scrambled ? BLOCK_SCRAMBLED : BLOCK_BLOCK;
  c->unordered = v.scrambled;
  c->run = run_plan;
  c->state = own.plan[k][how == INTERLEAVED];
  if (how) gather(b, &v, how, c);
  if (how) snprintf(batch, sizeof batch, ", %d %s", c->fields, words[how]);
  snprintf(c->name, NAME, "FFTW-MPI %s%s%s, %s", v.patient ? "PATIENT" : "MEASURE",
           v.scrambled ? " scrambled" : "", batch, v.in_place ? "in place" : "out of place");
  snprintf(c->series, NAME, "FFTW-MPI%s, its best", v.scrambled ? " scrambled" : "");
  if (how == ONE_BY_ONE) return own.plan[k][0][1] != NULL; /* the plan for one field */
  return plan_variant(b, &v, how == INTERLEAVED, c);
}

static int open_all(const bench *b, const way *w, contender *c) {
  pfft3d_box box[2];
  int count = 0;
  (void)w;
  const size_t elements = most_elements(b), fields = is_batch(b) ? (size_t)b->opt.batch : 1;
  own.kind = b->problem.kind;
  for (int k = 0; k < 2; k++) {
    for (size_t f = 0; f < fields; f++) own.array[k][f] = bench_alloc(b, elements * 16);
    if (fields > 1) own.many[k] = bench_alloc(b, elements * 16 * fields);
  }
  for (int k = 0; k < PLANS * GATHERINGS; k++)
    count += open_variant(b, k / GATHERINGS, (gathering)(k % GATHERINGS), &c[count]);
  if (!boxes(b, 0, box)) return count;
  own.copied = 0; /* the mean of both sides */
  for (int k = 0; k < 2; k++)
    own.copied += (size_t)(box[k].len[0] * box[k].len[1] * box[k].len[2] * numbers_of(b, k));
  own.copied /= 2;
  for (int k = 0; k < COPIES; k++, count++) {
    c[count] = alone(b, box, 0);
    c[count].role = COPY;
    c[count].run = k ? run_stream : run_memcpy;
    snprintf(c[count].name, NAME, k ? "copy, streaming" : "copy, memcpy");
    snprintf(c[count].series, NAME, "copy");
  }
  return count;
}

static void close_all(contender *c) {
  (void)c;
  for (int k = 0; k < PLANS * 2 * 2; k++) {
    fftw_plan *plan = &own.plan[k / 4][k / 2 % 2][k % 2];
    if (*plan) fftw_destroy_plan(*plan);
  }
  for (int k = 0; k < 2; k++) {
    for (int f = 0; f < MOST_BATCH; f++) free(own.array[k][f]);
    free(own.many[k]);
  }
  memset(&own, 0, sizeof own);
}

const peer peer_fftw = {
    .name = "FFTW-MPI", .word = "fftw", .bytes = bytes, .open = open_all, .close = close_all};
