/* SPDX-License-Identifier: BSD-3-Clause
 * A program that calls FFTW-MPI, run with the drop-in loaded before FFTW's libraries: random
 * problems, compared with FFTW's serial transforms of the whole array.  What FFTW's own test leaves
 * out: blocks of other sizes, other arrays, communicators of some ranks, the functions for Fortran,
 * execution after other plans were made, arrays that must not be touched.  Options: "cycles" and
 * how many, or "scrambled" and points, or [seed [first case [count]]], 1, 0 and 150 by default. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#ifdef PF_SINGLE
#define X(name) fftwf_##name
typedef float real;
static const double tolerance = 2e-6;
#else
#define X(name) fftw_##name
typedef double real;
static const double tolerance = 4e-15;
#endif

typedef enum { C2C, R2C, C2R, R2R } family;
static const char *const names[] = {"c2c", "r2c", "c2r", "r2r"};

/* A problem, the same on all ranks of a communicator. */
typedef struct {
  family what;
  int rank, sign, in_place, comm, fortran, late, again;
  ptrdiff_t n[3], howmany, block[2];
  int kind[3];
  unsigned flags;
} trial;

/* One side of it: the whole array, and the part of this rank. */
typedef struct {
  ptrdiff_t n[3];    /* extents; the last one without padding */
  ptrdiff_t row;     /* with padding */
  int first;         /* the dimension that is cut and stored first */
  ptrdiff_t lo, len; /* of that dimension */
  ptrdiff_t numbers; /* real numbers of an element: 1 or 2 */
} side;

static unsigned long long state;
static ptrdiff_t draw(ptrdiff_t below) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (ptrdiff_t)((state >> 33) % (unsigned long long)below);
}

static int mpi_ranks, mpi_rank;
enum { COMMS = 4 };
static MPI_Comm comms[COMMS]; /* all ranks, a copy, the odd or even ones, this rank */

static ptrdiff_t points(const side *s) {
  return s->n[0] * s->n[1] * s->n[2];
}

/* Real numbers that the part of a rank occupies. */
static ptrdiff_t part_numbers(const side *s, ptrdiff_t howmany) {
  ptrdiff_t all = s->len * s->numbers * howmany;
  for (int k = 0; k < 3; k++)
    if (k != s->first) all *= k == 2 ? s->row : s->n[k];
  /* the cut dimension can be the last one, which is then not padded */
  return all;
}

/* Where an element of the part is, in elements. */
static ptrdiff_t place(const side *s, const ptrdiff_t i[3]) {
  ptrdiff_t at = i[s->first] - s->lo;
  for (int k = 0; k < 3; k++)
    if (k != s->first) at = at * (k == 2 ? s->row : s->n[k]) + i[k];
  return at;
}

/* Copies the part of this rank from the whole array, or compares with it: the largest error. */
static double visit(const side *s, ptrdiff_t howmany, const real *whole, real *part, int compare) {
  ptrdiff_t i[3];
  double worst = 0;
  for (i[0] = 0; i[0] < s->n[0]; i[0]++)
    for (i[1] = 0; i[1] < s->n[1]; i[1]++)
      for (i[2] = 0; i[2] < s->n[2]; i[2]++) {
        if (i[s->first] < s->lo || i[s->first] >= s->lo + s->len) continue;
        ptrdiff_t of = howmany * s->numbers;
        const real *from = whole + ((i[0] * s->n[1] + i[1]) * s->n[2] + i[2]) * of;
        real *to = part + place(s, i) * of;
        for (ptrdiff_t c = 0; c < of; c++) {
          if (!compare) to[c] = from[c];
          double error = (double)(to[c] - from[c]);
          if (error < 0) error = -error;
          worst = check_worse(worst, error);
        }
      }
  return worst;
}

/* ---- drawing ---- */

static trial draw_trial(void) {
  static const unsigned ways[] = {0, FFTW_MPI_TRANSPOSED_IN, FFTW_MPI_TRANSPOSED_OUT,
                                  FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT};
  static const unsigned keep[] = {0, FFTW_PRESERVE_INPUT, FFTW_DESTROY_INPUT};
  trial t = {.what = (family)draw(4), .rank = 2 + (int)draw(2), .sign = draw(2) ? 1 : -1};
  for (int k = 0; k < 3; k++) {
    t.n[k] = k < 3 - t.rank ? 1 : 2 + draw(draw(3) ? 12 : 29); /* FFTW drops extents of 1 */
    t.kind[k] = FFTW_R2HC + (int)draw(11);
  }
  t.howmany = draw(3) ? 1 : 1 + draw(5);
  t.flags = FFTW_ESTIMATE | ways[draw(4)] | keep[draw(3)];
  t.in_place = (int)draw(2);
  if (t.in_place || (t.what == C2R && t.flags & FFTW_PRESERVE_INPUT))
    t.flags &= ~(unsigned)FFTW_PRESERVE_INPUT;
  t.comm = (int)draw(COMMS);
  t.fortran = (int)draw(2);
  t.late = (int)draw(2);
  t.again = (int)draw(3);
  /* what FFTW does not document: real arrays whose padded rows are cut or reversed */
  if (draw(6) == 0) { /* one dimension: complex lines */
    t.what = C2C;
    t.rank = 1;
    t.n[0] = t.n[1] = 1;
    t.n[2] = 2 + draw(draw(2) ? 60 : 2000);
    t.flags &= ~(FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT);
  }
  if (t.what == R2C) t.flags &= ~FFTW_MPI_TRANSPOSED_IN;
  if (t.what == C2R) t.flags &= ~FFTW_MPI_TRANSPOSED_OUT;
  return t;
}

static side make_side(const trial *t, int output, int ranks, int rank) {
  side s = {.n = {t->n[0], t->n[1], t->n[2]}, .numbers = 2};
  unsigned flag = output ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN;
  s.first = 3 - t->rank + ((t->flags & flag) != 0);
  s.row = s.n[2];
  int half = t->what == (output ? R2C : C2R), is_real = t->what == (output ? C2R : R2C);
  if (half) s.n[2] = s.row = s.n[2] / 2 + 1;
  if (is_real) s.row = 2 * (s.n[2] / 2 + 1);
  if (is_real || t->what == R2R) s.numbers = 1;
  ptrdiff_t n = s.n[s.first], block = t->block[output] ? t->block[output] : (n + ranks - 1) / ranks;
  s.lo = rank * block < n ? rank * block : n;
  s.len = n - s.lo < block ? n - s.lo : block;
  if (t->rank == 1) { /* whole rows of a matrix */
    ptrdiff_t lo[2], len[2];
    X(mpi_local_size_many_1d)
    (t->n[2], t->howmany, comms[t->comm], t->sign, t->flags, &len[0], &lo[0], &len[1], &lo[1]);
    s.lo = lo[output], s.len = len[output];
  }
  return s;
}

/* Blocks other than FFTW's, if they are enough for all indices. */
static void draw_blocks(trial *t, int ranks) {
  if (t->rank == 1) return;
  for (int output = 0; output < 2; output++) {
    side s = make_side(t, output, ranks, 0);
    ptrdiff_t n = s.n[s.first], least = (n + ranks - 1) / ranks;
    t->block[output] = draw(4) ? 0 : least + draw(n - least + 1);
  }
  /* FFTW errs where the same dimension is cut in two ways */
  if (!(t->flags & FFTW_MPI_TRANSPOSED_IN) == !(t->flags & FFTW_MPI_TRANSPOSED_OUT))
    t->block[1] = t->block[0];
}

/* ---- FFTW's serial transforms of the whole array ---- */

static void whole_transform(const trial *t, real *in, real *out) {
  int n[3], kind[3], h = (int)t->howmany;
  X(plan) p = NULL;
  for (int k = 0; k < t->rank; k++) n[k] = (int)t->n[3 - t->rank + k];
  for (int k = 0; k < t->rank; k++) kind[k] = t->kind[3 - t->rank + k];
  if (t->what == C2C)
    p = X(plan_many_dft)(t->rank, n, h, (void *)in, NULL, h, 1, (void *)out, NULL, h, 1, t->sign,
                         FFTW_ESTIMATE);
  else if (t->what == R2C)
    p = X(plan_many_dft_r2c)(t->rank, n, h, in, NULL, h, 1, (void *)out, NULL, h, 1, FFTW_ESTIMATE);
  else if (t->what == C2R)
    p = X(plan_many_dft_c2r)(t->rank, n, h, (void *)in, NULL, h, 1, out, NULL, h, 1,
                             FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
  else
    p = X(plan_many_r2r)(t->rank, n, h, in, NULL, h, 1, out, NULL, h, 1, (void *)kind,
                         FFTW_ESTIMATE);
  X(execute)(p);
  X(destroy_plan)(p);
}

/* Input and output of the whole array.  The input of c2r is the spectrum of real numbers. */
static double whole_arrays(const trial *t, const side s[2], real **in, real **out) {
  ptrdiff_t a = points(&s[0]) * s[0].numbers * t->howmany;
  ptrdiff_t b = points(&s[1]) * s[1].numbers * t->howmany;
  real *spare = NULL;
  double norm = 0;
  *in = malloc((size_t)(a + b) * sizeof **in);
  *out = malloc((size_t)(a + b) * sizeof **out);
  spare = malloc((size_t)(a + b) * sizeof *spare);
  real *first = t->what == C2R ? spare : *in;
  for (ptrdiff_t i = 0; i < (t->what == C2R ? b : a); i++)
    first[i] = (real)(draw(20001) - 10000) / 10000;
  if (t->what == C2R) {
    trial there = *t;
    there.what = R2C;
    whole_transform(&there, spare, *in);
  }
  memcpy(spare, *in, (size_t)a * sizeof **in);
  whole_transform(t, spare, *out);
  for (ptrdiff_t i = 0; i < b; i++) {
    double x = (double)(*out)[i];
    if (x < 0) x = -x;
    if (x > norm) norm = x;
  }
  free(spare);
  return norm;
}

/* ---- the plan under test ---- */

/* One field in FFTW's own blocks: by the functions for two and for three dimensions, or for any. */
static X(plan) make_single(const trial *t, real *in, real *out) {
  int first = 3 - t->rank, dims = t->late ? t->rank : 0;
  const ptrdiff_t *n = t->n + first;
  const X(r2r_kind) *k = (const void *)(t->kind + first);
  X(complex) *ci = (void *)in, *co = (void *)out;
  MPI_Comm comm = comms[t->comm];
  unsigned flags = t->flags;
  if (t->what == C2C)
    return dims == 3   ? X(mpi_plan_dft_3d)(n[0], n[1], n[2], ci, co, comm, t->sign, flags)
           : dims == 2 ? X(mpi_plan_dft_2d)(n[0], n[1], ci, co, comm, t->sign, flags)
                       : X(mpi_plan_dft)(t->rank, n, ci, co, comm, t->sign, flags);
  if (t->what == R2C)
    return dims == 3   ? X(mpi_plan_dft_r2c_3d)(n[0], n[1], n[2], in, co, comm, flags)
           : dims == 2 ? X(mpi_plan_dft_r2c_2d)(n[0], n[1], in, co, comm, flags)
                       : X(mpi_plan_dft_r2c)(t->rank, n, in, co, comm, flags);
  if (t->what == C2R)
    return dims == 3   ? X(mpi_plan_dft_c2r_3d)(n[0], n[1], n[2], ci, out, comm, flags)
           : dims == 2 ? X(mpi_plan_dft_c2r_2d)(n[0], n[1], ci, out, comm, flags)
                       : X(mpi_plan_dft_c2r)(t->rank, n, ci, out, comm, flags);
  return dims == 3   ? X(mpi_plan_r2r_3d)(n[0], n[1], n[2], in, out, comm, k[0], k[1], k[2], flags)
         : dims == 2 ? X(mpi_plan_r2r_2d)(n[0], n[1], in, out, comm, k[0], k[1], flags)
                     : X(mpi_plan_r2r)(t->rank, n, in, out, comm, k, flags);
}

static X(plan) make_plan(const trial *t, real *in, real *out) {
  int first = 3 - t->rank;
  const ptrdiff_t *n = t->n + first;
  const X(r2r_kind) *kind = (const void *)(t->kind + first);
  X(complex) *ci = (void *)in, *co = (void *)out;
  MPI_Comm comm = comms[t->comm];
  ptrdiff_t h = t->howmany, i = t->block[0], o = t->block[1];
  if (h == 1 && !i && !o) return make_single(t, in, out);
  if (t->what == C2C)
    return X(mpi_plan_many_dft)(t->rank, n, h, i, o, ci, co, comm, t->sign, t->flags);
  if (t->what == R2C) return X(mpi_plan_many_dft_r2c)(t->rank, n, h, i, o, in, co, comm, t->flags);
  if (t->what == C2R) return X(mpi_plan_many_dft_c2r)(t->rank, n, h, i, o, ci, out, comm, t->flags);
  return X(mpi_plan_many_r2r)(t->rank, n, h, i, o, in, out, comm, kind, t->flags);
}

/* The functions for Fortran, which no header for C declares. */
typedef X(complex) number;
typedef ptrdiff_t size;
X(plan)
X(mpi_plan_many_dft_f03)
(int, const size *, size, size, size, number *, number *, MPI_Fint, int, unsigned);
size X(mpi_local_size_many_transposed_f03)(int, const size *, size, size, size, MPI_Fint, size *,
                                           size *, size *, size *);

static X(plan) make_plan_fortran(const trial *t, real *in, real *out) {
  MPI_Fint comm = MPI_Comm_c2f(comms[t->comm]);
  return X(mpi_plan_many_dft_f03)(t->rank, t->n + 3 - t->rank, t->howmany, t->block[0], t->block[1],
                                  (void *)in, (void *)out, comm, t->sign, t->flags);
}

static int is_ours(X(plan) p);

static void execute(const trial *t, X(plan) p, real *in, real *out) {
  X(complex) *ci = (void *)in, *co = (void *)out;
  /* what PETSc calls, and what FFTW's own plans do not survive */
  int serial = t->again == 1 && is_ours(p);
  if (t->what == C2C)
    (serial ? X(execute_dft) : X(mpi_execute_dft))(p, ci, co);
  else if (t->what == R2C)
    (serial ? X(execute_dft_r2c) : X(mpi_execute_dft_r2c))(p, in, co);
  else if (t->what == C2R)
    (serial ? X(execute_dft_c2r) : X(mpi_execute_dft_c2r))(p, ci, out);
  else
    (serial ? X(execute_r2r) : X(mpi_execute_r2r))(p, in, out);
}

/* Whether a plan is one of pfft3d; without the drop-in none is. */
static int is_ours(X(plan) p) {
  char *text = X(sprint_plan)(p);
  int ours = text && strncmp(text, "(pfft3d ", 8) == 0;
  free(text);
  return ours;
}

/* Real numbers of an array as FFTW says that they are needed. */
static ptrdiff_t asked_numbers(const trial *t) {
  ptrdiff_t n[3], at[4];
  if (t->rank == 1)
    return 2 * X(mpi_local_size_many_1d)(t->n[2], t->howmany, comms[t->comm], t->sign, t->flags,
                                         &at[0], &at[1], &at[2], &at[3]);
  const ptrdiff_t *from = t->n + 3 - t->rank;
  for (int k = 0; k < t->rank; k++) n[k] = from[k];
  if (t->what == R2C || t->what == C2R) n[t->rank - 1] = n[t->rank - 1] / 2 + 1;
  return (t->what == R2R ? 1 : 2) * X(mpi_local_size_many_transposed_f03)(
                                        t->rank, n, t->howmany, 0, 0, MPI_Comm_c2f(comms[t->comm]),
                                        &at[0], &at[1], &at[2], &at[3]);
}

/* Arrays of the caller, with a mark behind them. */
typedef struct {
  ptrdiff_t numbers;
  real *in, *out;
} arrays;
enum { MARKS = 64 };

static real *make_array(ptrdiff_t numbers) {
  real *a = X(alloc_real)((size_t)(numbers + MARKS));
  for (ptrdiff_t i = 0; i < numbers + MARKS; i++) a[i] = (real)(12345 + i);
  return a;
}

static arrays make_arrays(const trial *t, const side s[2]) {
  ptrdiff_t numbers = asked_numbers(t);
  for (int k = 0; k < 2; k++)
    if (numbers < part_numbers(&s[k], t->howmany)) numbers = part_numbers(&s[k], t->howmany);
  /* other blocks can need more than FFTW says for its own ones */
  if (t->block[0] || t->block[1]) numbers *= 4;
  real *in = make_array(numbers);
  return (arrays){numbers, in, t->in_place ? in : make_array(numbers)};
}

static int marks_changed(const real *a, ptrdiff_t numbers) {
  for (ptrdiff_t i = numbers; i < numbers + MARKS; i++)
    if (a[i] != (real)(12345 + i)) return 1;
  return 0;
}

static void free_arrays(const arrays *a) {
  if (a->out != a->in) X(free)(a->out);
  X(free)(a->in);
}

/* Plans that stay while others are made. */
enum { OLD = 10 };
static X(plan) old[OLD];
static int olds;

static void keep_plan(X(plan) p) {
  int k = olds++ % OLD;
  if (old[k]) X(destroy_plan)(old[k]);
  old[k] = p;
}

static const char *text_of(const trial *t) {
  static char text[200];
  snprintf(text, sizeof text,
           "%s %tdx%tdx%td rank %d *%td kinds %d,%d,%d flags %x sign %d blocks %td %td %s comm %d "
           "again %d late %d",
           names[t->what], t->n[0], t->n[1], t->n[2], t->rank, t->howmany, t->kind[0], t->kind[1],
           t->kind[2], t->flags, t->sign, t->block[0], t->block[1],
           t->in_place ? "in place" : "apart", t->comm, t->again, t->late);
  return text;
}

/* Runs a plan on arrays and compares. */
static void run_once(const trial *t, X(plan) p, const side s[2], const arrays *a, int others,
                     real *const whole[2], double norm) {
  visit(&s[0], t->howmany, whole[0], a->in, 0);
  if (others)
    execute(t, p, a->in, a->out);
  else
    X(execute)(p);
  double scale = norm > 0 ? norm : 1, error = visit(&s[1], t->howmany, whole[1], a->out, 1);
  CHECK(error <= 20 * tolerance * scale, "%s: error %g", text_of(t), error / scale);
  CHECK(!marks_changed(a->in, a->numbers) && !marks_changed(a->out, a->numbers),
        "%s: written beyond the array", text_of(t));
  if (!t->in_place && t->flags & FFTW_PRESERVE_INPUT)
    CHECK(visit(&s[0], t->howmany, whole[0], a->in, 1) == 0, "%s: input changed", text_of(t));
}

static int plans, plans_ours;

/* What there is to know of one of ours: the operations of all ranks, and that the plan is there for
 * those who want an old one. */
static void check_plan(const trial *t, X(plan) p, const arrays *a) {
  trial again = *t;
  again.flags |= FFTW_WISDOM_ONLY;
  X(plan) q = make_plan(&again, a->in, a->out);
  CHECK(q && is_ours(q), "%s: no plan by wisdom", text_of(t));
  if (q) X(destroy_plan)(q);
  double add, mul, fma, points = (double)t->n[0] * (double)t->n[1] * (double)t->n[2];
  double want = (t->what == C2C ? 5 : 2.5) * (double)t->howmany * points * log2(points);
  X(flops)(p, &add, &mul, &fma);
  CHECK(fabs(add + mul + 2 * fma - want) <= 1e-9 * want, "%s: %g operations, not %g", text_of(t),
        add + mul + 2 * fma, want);
}

static void run_trial(trial t) {
  int ranks, rank;
  side s[2];
  real *whole[2];
  MPI_Comm_size(comms[t.comm], &ranks);
  MPI_Comm_rank(comms[t.comm], &rank);
  draw_blocks(&t, ranks);
  for (int k = 0; k < 2; k++) s[k] = make_side(&t, k, ranks, rank);
  double norm = whole_arrays(&t, s, &whole[0], &whole[1]);
  arrays a = make_arrays(&t, s);
  visit(&s[0], t.howmany, whole[0], a.in, 0);
  X(plan) p = (t.what == C2C && t.fortran ? make_plan_fortran : make_plan)(&t, a.in, a.out);
  CHECK(p != NULL, "%s: no plan", text_of(&t));
  if (p) {
    CHECK(visit(&s[0], t.howmany, whole[0], a.in, 1) == 0, "%s: planning changed the input",
          text_of(&t));
    plans++;
    plans_ours += is_ours(p);
    if (is_ours(p)) check_plan(&t, p, &a);
    run_once(&t, p, s, &a, 0, whole, norm);
    if (t.again) {
      arrays b = make_arrays(&t, s);
      run_once(&t, p, s, &b, 1, whole, norm);
      free_arrays(&b);
    }
    if (t.late)
      keep_plan(p);
    else
      X(destroy_plan)(p);
  }
  free_arrays(&a);
  free(whole[0]);
  free(whole[1]);
}

#include "dropin_others.h"

/* ---- cases ---- */

/* Collective. One case; whether it failed on any rank, of which rank 0 then says how to repeat it.
 */
static int run_case(unsigned long long seed, long turn) {
  long failed[2] = {check_failed, 0};
  check_shown = 0;
  state = (seed << 32) + (unsigned long long)turn;
  for (int k = 0; k < 4; k++) draw(2); /* neighbours begin alike */
  if (turn % 40 == 39) { /* a communicator is freed while its plans are in use, and made again */
    MPI_Comm_free(&comms[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  }
  if (turn % 5 == 4)
    run_transposition();
  else if (turn % 10 == 7)
    run_scrambled();
  else
    run_trial(draw_trial());
  failed[0] = check_failed - failed[0];
  MPI_Allreduce(&failed[0], &failed[1], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (failed[1] && mpi_rank == 0)
    fprintf(stderr, "mpirun -n %d tests/fftw/test_dropin %llu %ld 1\n", mpi_ranks, seed, turn);
  return failed[1] != 0;
}

/* Cases with numbers of a seed. */
static void run_cases(unsigned long long seed, long first, long count) {
  long wrong = 0;
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, mpi_rank % 2, -mpi_rank, &comms[2]);
  MPI_Comm_dup(MPI_COMM_SELF, &comms[3]);
  run_patience();
  for (long k = first; k < first + count; k++) wrong += run_case(seed, k);
  if (mpi_rank == 0)
    printf("# %d plans, %d of pfft3d\ntried %ld wrong %ld\n", plans, plans_ours, count, wrong);
  if (getenv("PFFT3D_FFTW_EXPECTED"))
    CHECK(plans_ours * 100 >= plans * atoi(getenv("PFFT3D_FFTW_EXPECTED")),
          "%d of %d plans are of pfft3d", plans_ours, plans);
  /* Half of the plans are alive when MPI ends. */
  for (int k = 0; k < OLD; k += 2)
    if (old[k]) X(destroy_plan)(old[k]);
  if (count % 2 == 0) X(mpi_cleanup)();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  X(mpi_init)();
  MPI_Comm_size(MPI_COMM_WORLD, &mpi_ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  if (argc > 2 && strcmp(argv[1], "cycles") == 0)
    run_cycles(atoi(argv[2]));
  else if (argc > 2 && strcmp(argv[1], "scrambled") == 0)
    run_alike(atol(argv[2]));
  else
    run_cases(argc > 1 ? strtoull(argv[1], NULL, 10) : 1, argc > 2 ? atol(argv[2]) : 0,
              argc > 3 ? atol(argv[3]) : 150);
  return check_result();
}
