/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW's problems as problems of pfft3d.
 *
 * FFTW cuts the first dimension into blocks of ceil(n/P), and, with its flags TRANSPOSED, the
 * second one, which is then stored first.  That is order=transposed with cuts=ceil; other blocks
 * are lists of cuts.  If input and output are both transposed, it is natural order with the first
 * two dimensions exchanged.  FFTW's signs and sides are independent: a transform from a transposed
 * input is a backward transform here, with an explicit sign.  `howmany` fields are interleaved. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fftw3_mpi/call.h"

/* Names of FFTW's kinds from R2HC to RODFT11, and of their inverses. */
static const char *const kinds[][2] = {{"r2hc", "hc2r"}, {"hc2r", "r2hc"}, {"dht", "dht"},
                                       {"dct1", "dct1"}, {"dct3", "dct2"}, {"dct2", "dct3"},
                                       {"dct4", "dct4"}, {"dst1", "dst1"}, {"dst3", "dst2"},
                                       {"dst2", "dst3"}, {"dst4", "dst4"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A call with the dimensions in the order of pfft3d's problem. */
typedef struct problem {
  const pf_call *call;
  int dims, from[3]; /* dimension k of the problem is dimension from[k] of the call */
  int in, out;       /* nonzero: input, output are transposed, in the problem's order */
} problem;

static const char *refuse(const pf_call *c) {
  int in = (c->flags & PF_FFTW_TRANSPOSED_IN) != 0, out = (c->flags & PF_FFTW_TRANSPOSED_OUT) != 0;
  if (c->rank < 1) return "no dimension";
  if (c->rank < 2 && c->family != PF_C2C) return "one dimension, but not complex";
  if (c->rank > 3) return "more than three dimensions";
  if (c->howmany < 1) return "no field";
  for (int k = 0; k < c->rank; k++)
    if (c->n[k] < 1) return "no points";
  if (c->family == PF_TRANSPOSE) return NULL;
  if (c->rank == 1 && (in || out)) return "one dimension, transposed";
  if (in && out && c->rank == 2 && c->family != PF_C2C && c->family != PF_R2R)
    return "two dimensions, real and transposed";
  if (c->family == PF_R2C && in && !out) return "a real input that is transposed";
  if (c->family == PF_C2R && out && !in) return "a real output that is transposed";
  if (c->rank == 3 && (c->n[in && out] == 1 || (in != out && c->n[1] == 1)))
    return "one point along the dimension that is cut";
  for (int k = 0; c->family == PF_R2R && k < c->rank; k++)
    if (c->kind[k] < 0 || c->kind[k] >= KINDS) return "a kind of transform that pfft3d has not";
  return NULL;
}

static problem arrange(const pf_call *c, pf_form *f) {
  int in = (c->flags & PF_FFTW_TRANSPOSED_IN) != 0, out = (c->flags & PF_FFTW_TRANSPOSED_OUT) != 0;
  int both = in && out;
  problem p = {.call = c, .dims = c->rank, .from = {both, !both, 2}, .in = in, .out = out};
  if (both) p.in = p.out = 0;
  f->direction = PFFT3D_FORWARD;
  if (c->family == PF_C2R || p.in || (c->family == PF_C2C && !p.out && c->sign > 0))
    f->direction = PFFT3D_BACKWARD;
  return p;
}

/* Appends to the text; a text that is too long is rejected when it is parsed. */
static void append(pf_form *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(pf_form *f, const char *format, ...) {
  size_t used = strlen(f->text);
  va_list list;
  va_start(list, format);
  vsnprintf(f->text + used, sizeof f->text - used, format, list);
  va_end(list);
}

/* Threads that FFTW's planner was told to use. */
static int planner_threads(pfft3d_precision precision) {
  pf_function function =
      pf_original(precision == PFFT3D_SINGLE ? "fftwf_planner_nthreads" : "fftw_planner_nthreads");
  int (*ask)(void) = (int (*)(void))function;
  int threads = ask ? ask() : 1;
  return threads > 1 ? threads : 1;
}

static void write_text(const problem *p, pf_form *f) {
  const pf_call *c = p->call;
  int backward = f->direction == PFFT3D_BACKWARD, threads = planner_threads(c->precision);
  append(f, "%s:%c:", c->family == PF_C2C ? "c2c" : "r2c",
         c->precision == PFFT3D_SINGLE ? 's' : 'd');
  for (int k = 0; k < p->dims; k++) append(f, "%s%td", k ? "x" : "", c->n[p->from[k]]);
  if (c->howmany > 1) append(f, "*%td", c->howmany);
  for (int k = 0; c->family == PF_R2R && k < p->dims; k++)
    append(f, "%s%s", k ? "," : ":", kinds[c->kind[p->from[k]]][backward]);
  append(f, " order=%s", p->in || p->out ? "transposed" : "natural");
  if (p->dims > 1) append(f, " decomp=slab cuts=ceil");
  /* The sign of forward transforms. */
  if (c->family == PF_C2C && (c->sign > 0) != backward) append(f, " sign=+1");
  if (threads > 1) append(f, " threads=%d", threads);
  f->plain = strlen(f->text);
  append(f, " plan-budget=2");
}

/* Number of parts of n indices, of `part` indices each, the last one perhaps fewer. */
static ptrdiff_t parts_of(ptrdiff_t n, ptrdiff_t part) {
  return n / part + (n % part != 0);
}

/* First index of block k of n indices. */
static ptrdiff_t block_at(ptrdiff_t n, ptrdiff_t block, int k) {
  return k <= n / block && k * block < n ? k * block : n;
}

/* Lists the cuts of a side along f->axis[side] into blocks; those after the end are empty. */
static void list_blocks(ptrdiff_t n, ptrdiff_t block, int ranks, int side, pf_form *f) {
  f->at[side] = malloc((size_t)(ranks + 1) * sizeof *f->at[side]);
  f->incomplete |= !f->at[side];
  if (!f->at[side]) return;
  for (int k = 0; k < ranks; k++) f->at[side][k] = block_at(n, block, k);
  f->at[side][ranks] = n;
  f->cuts[side] = (pfft3d_cuts){(pfft3d_side)side, f->axis[side], ranks, f->at[side]};
}

/* The cuts of one side into FFTW's blocks, and this rank's part. */
static const char *cut_side(const problem *p, int ranks, int rank, int side, pf_form *f) {
  const pf_call *c = p->call;
  int output = (f->direction == PFFT3D_FORWARD) == (side == PFFT3D_SPECTRUM);
  int transposed = output ? p->out : p->in;
  int half = (c->family == PF_R2C || c->family == PF_C2R) && side == PFFT3D_SPECTRUM;
  ptrdiff_t n = c->n[p->from[transposed]];
  if (half && transposed == p->dims - 1) n = n / 2 + 1;
  ptrdiff_t usual = parts_of(n, ranks);
  ptrdiff_t block = c->block[output] > 0 ? c->block[output] : usual;
  f->axis[side] = 3 - p->dims + transposed;
  if (parts_of(n, block) > ranks) return "blocks for more ranks than there are";
  f->lo[side] = block_at(n, block, rank);
  f->len[side] = n - f->lo[side] < block ? n - f->lo[side] : block;
  if (c->block[0] > 0 || c->block[1] > 0) list_blocks(n, block, ranks, side, f);
  return NULL;
}

/* The blocks of one dimension follow from FFTW's factors of its length: whole rows of a matrix, as
 * many on each rank except for the last ones, depending on side, sign and the flags SCRAMBLED.  The
 * order of scrambled numbers is not documented, except that it is the same in all plans of a
 * length: here it is the natural order.  So either all plans of a length are pfft3d's, or none. */
static const char *ask_line(const pf_call *c, int ranks, pf_form *f) {
  typedef ptrdiff_t (*ask_t)(ptrdiff_t, ptrdiff_t, MPI_Comm, int, unsigned, ptrdiff_t *,
                             ptrdiff_t *, ptrdiff_t *, ptrdiff_t *);
  ask_t ask = (ask_t)pf_original(c->precision == PFFT3D_SINGLE ? "fftwf_mpi_local_size_many_1d"
                                                               : "fftw_mpi_local_size_many_1d");
  int in = f->direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  if (!ask) return "one dimension, of which FFTW does not say the blocks";
  ptrdiff_t block[9][2], lo; /* blocks for all signs and flags, the last one for this plan */
  for (int k = 0; k < 9; k++) {
    unsigned flags = (unsigned)(k & 3) * PF_FFTW_SCRAMBLED_IN;
    ask(c->n[0], c->howmany, c->comm, k < 8 ? (k & 4 ? 1 : -1) : c->sign, k < 8 ? flags : c->flags,
        &block[k][in], &lo, &block[k][!in], &lo);
  }
  ask(c->n[0], c->howmany, c->comm, c->sign, c->flags, &f->len[in], &f->lo[in], &f->len[!in],
      &f->lo[!in]);
  MPI_Bcast(&block[0][0], sizeof block, MPI_BYTE, 0, c->comm);
  f->axis[0] = f->axis[1] = 2;
  for (int k = 0; k < 18; k++)
    if (block[k / 2][k % 2] < 1 || (c->n[0] - 1) / block[k / 2][k % 2] >= ranks)
      return "blocks of another form";
  for (int k = 0; k < 2; k++)
    if (c->block[k] > 0 && c->block[k] != block[8][k ? !in : in])
      return "one dimension with blocks of its own";
  f->n = c->n[0];
  f->element = 2 * (c->precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double));
  f->lines = c->howmany > 1 ? c->howmany : 0;
  if (block[8][0] * ranks == c->n[0] && block[8][1] * ranks == c->n[0]) return NULL;
  for (int side = 0; side < 2; side++) list_blocks(c->n[0], block[8][side], ranks, side, f);
  return NULL;
}

/* Rows of real fields are padded to the length of complex rows; fields are interleaved. */
static void describe_arrays(const problem *p, pf_form *f) {
  const pf_call *c = p->call;
  ptrdiff_t row = c->n[c->rank - 1];
  for (int side = 0; side < 2 && c->howmany > 1 && c->rank > 1; side++)
    f->array[side] = (pfft3d_array){.every = c->howmany, .distance = 1};
  if (c->family == PF_R2C || c->family == PF_C2R) f->array[PFFT3D_SPACE].above[2] = 2 - row % 2;
}

/* A transposition of a matrix, whose elements are numbers.  Its plans are not timed. */
static const char *transpose(const pf_call *c, int ranks, pf_form *f) {
  f->transpose = (pfft3d_transpose_spec){
      .n0 = c->n[0],
      .n1 = c->n[1],
      .howmany = c->howmany,
      .element = c->precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double),
      .block0 = c->block[0],
      .block1 = c->block[1],
      .transposed_in = (c->flags & PF_FFTW_TRANSPOSED_IN) != 0,
      .transposed_out = (c->flags & PF_FFTW_TRANSPOSED_OUT) != 0,
      .in_place = c->in == c->out};
  for (int k = 0; k < 2; k++)
    if (c->block[k] > 0 && parts_of(c->n[k], c->block[k]) > ranks)
      return "blocks for more ranks than there are";
  append(f, "transpose %tdx%td*%td of %zu, blocks %td %td%s%s%s", c->n[0], c->n[1], c->howmany,
         f->transpose.element, c->block[0], c->block[1], f->transpose.transposed_in ? " in" : "",
         f->transpose.transposed_out ? " out" : "", f->transpose.in_place ? " in place" : "");
  f->plain = strlen(f->text);
  return NULL;
}

const char *pf_translate(const pf_call *call, int ranks, int rank, pf_form *form) {
  const char *reason = refuse(call);
  *form = (pf_form){.text = ""};
  if (reason) return reason;
  if (call->family == PF_TRANSPOSE) return transpose(call, ranks, form);
  problem p = arrange(call, form);
  write_text(&p, form);
  describe_arrays(&p, form);
  if (p.dims == 1) return ask_line(call, ranks, form);
  for (int side = 0; side < 2 && !reason; side++) reason = cut_side(&p, ranks, rank, side, form);
  return reason;
}

void pf_form_free(pf_form *form) {
  for (int side = 0; side < 2; side++) free(form->at[side]);
}
