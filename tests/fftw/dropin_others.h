/* SPDX-License-Identifier: BSD-3-Clause
 * A part of test_dropin.c, for both precisions: what is compared with no serial transform, which
 * are transpositions of matrices, lines in scrambled order, and plans that are only kept or
 * destroyed. */
#ifndef PF_TESTS_DROPIN_OTHERS_H
#define PF_TESTS_DROPIN_OTHERS_H

/* ---- transpositions ---- */

/* Element i of the tuple at (row, column) of the matrix. */
static real entry(ptrdiff_t row, ptrdiff_t column, ptrdiff_t i) {
  return (real)((row * 64 + column) * 8 + i);
}

/* Fills the part of a rank: rows lo .. lo+len-1 of columns entries, stored row by row or, if
 * `transposed`, column by column; or counts entries that are wrong.  `output`: rows are the columns
 * of the matrix. */
static long visit_rows(const side *s, ptrdiff_t columns, ptrdiff_t h, int transposed, int output,
                       real *part, int compare) {
  long wrong = 0;
  for (ptrdiff_t r = 0; r < s->len; r++)
    for (ptrdiff_t c = 0; c < columns; c++)
      for (ptrdiff_t i = 0; i < h; i++) {
        ptrdiff_t at = transposed ? c * s->len + r : r * columns + c;
        real value = output ? entry(c, s->lo + r, i) : entry(s->lo + r, c, i);
        if (compare)
          wrong += part[at * h + i] != value;
        else
          part[at * h + i] = value;
      }
  return wrong;
}

static void run_transposition(void) {
  static const unsigned ways[] = {0, FFTW_MPI_TRANSPOSED_IN, FFTW_MPI_TRANSPOSED_OUT};
  int ranks, rank, in_place = (int)draw(2), comm = (int)draw(COMMS);
  ptrdiff_t n[2] = {1 + draw(20), 1 + draw(20)}, h = 1 + draw(4), block[2];
  unsigned flags = FFTW_ESTIMATE | ways[draw(3)];
  side s[2];
  MPI_Comm_size(comms[comm], &ranks);
  MPI_Comm_rank(comms[comm], &rank);
  for (int k = 0; k < 2; k++) {
    ptrdiff_t least = (n[k] + ranks - 1) / ranks, used;
    block[k] = draw(2) ? 0 : least + draw(n[k] - least + 1);
    used = block[k] ? block[k] : least;
    s[k].lo = rank * used < n[k] ? rank * used : n[k];
    s[k].len = n[k] - s[k].lo < used ? n[k] - s[k].lo : used;
  }
  ptrdiff_t numbers = n[0] * n[1] * h; /* more than enough */
  real *in = make_array(numbers), *out = in_place ? in : make_array(numbers);
  X(plan)
  p = h == 1 && !block[0] && !block[1]
          ? X(mpi_plan_transpose)(n[0], n[1], in, out, comms[comm], flags)
          : X(mpi_plan_many_transpose)(n[0], n[1], h, block[0], block[1], in, out, comms[comm],
                                       flags);
  CHECK(p != NULL, "transposition of %tdx%td: no plan", n[0], n[1]);
  if (p) {
    plans++;
    plans_ours += is_ours(p);
    visit_rows(&s[0], n[1], h, flags & FFTW_MPI_TRANSPOSED_IN, 0, in, 0);
    X(execute)(p);
    long wrong = visit_rows(&s[1], n[0], h, flags & FFTW_MPI_TRANSPOSED_OUT, 1, out, 1);
    CHECK(!wrong, "transposition of %tdx%td*%td, blocks %td %td, flags %x, %s: %ld wrong", n[0],
          n[1], h, block[0], block[1], flags, in_place ? "in place" : "apart", wrong);
    X(destroy_plan)(p);
  }
  if (!in_place) X(free)(out);
  X(free)(in);
}

/* ---- plans that are kept ---- */

/* FFTW's wisdom: what was planned with PATIENT serves calls with less patience. */
static void run_patience(void) {
  ptrdiff_t n[3] = {7, 6, 5}, mine, start;
  ptrdiff_t need = X(mpi_local_size)(3, n, MPI_COMM_WORLD, &mine, &start);
  static const unsigned patience[] = {FFTW_PATIENT, FFTW_MEASURE | FFTW_WISDOM_ONLY, FFTW_PATIENT};
  X(complex) *a = (void *)make_array(2 * need);
  X(plan) p[3];
  int ours = 0;
  for (int k = 0; k < 3; k++) {
    p[k] = X(mpi_plan_dft)(3, n, a, a, MPI_COMM_WORLD, 1, patience[k]);
    CHECK(p[k], "plan %d after one with PATIENT: none", k);
    ours += p[k] && is_ours(p[k]);
  }
  CHECK(ours == 0 || ours == 3, "%d of 3 plans are ours", ours);
  for (int k = 0; k < 3; k++)
    if (p[k]) X(destroy_plan)(p[k]);
  X(free)(a);
}

/* Plans of many sizes, which are all destroyed: the checker of MPI says what stays behind. */
static void run_cycles(int count) {
  for (int k = 0; k < count; k++) {
    ptrdiff_t n0 = 8 + k, mine, start,
              need = X(mpi_local_size_3d)(n0, 9, 10, MPI_COMM_WORLD, &mine, &start);
    X(complex) *a = X(alloc_complex)((size_t)need);
    X(plan) p = X(mpi_plan_dft_3d)(n0, 9, 10, a, a, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    CHECK(p, "no plan of %td planes", n0);
    X(execute)(p);
    X(destroy_plan)(p);
    X(free)(a);
  }
  X(mpi_cleanup)();
}

/* ---- scrambled lines ---- */

/* A line into scrambled order and, with the other sign, back: n times what it was.  The parts of
 * scrambled numbers are the same for both plans.  FFTW itself has no such plans on one rank, and on
 * three was seen not to return the input (1035 points in place, version 3.3.10). */
static void run_scrambled(void) {
  int comm = (int)draw(COMMS), in_place = (int)draw(2), sign = draw(2) ? 1 : -1;
  ptrdiff_t n = 2 + draw(draw(2) ? 60 : 2000), h = draw(2) ? 1 : 2 + draw(3), len[2][2], lo,
            numbers = 0;
  static const unsigned flag[] = {FFTW_MPI_SCRAMBLED_OUT, FFTW_MPI_SCRAMBLED_IN};
  X(plan) p[2];
  int ours = 0;
  for (int k = 0; k < 2; k++) {
    ptrdiff_t most = 2 * X(mpi_local_size_many_1d)(n, h, comms[comm], k ? -sign : sign, flag[k],
                                                   &len[k][0], &lo, &len[k][1], &lo);
    if (most > numbers) numbers = most;
  }
  CHECK(len[0][1] == len[1][0] && len[0][0] == len[1][1], "scrambled line of %td: other parts", n);
  real *a = make_array(numbers), *b = in_place ? a : make_array(numbers);
  X(complex) *in = (void *)a, *out = (void *)b;
  for (int k = 0; k < 2; k++) {
    p[k] = X(mpi_plan_many_dft)(1, &n, h, 0, 0, k ? out : in, k ? in : out, comms[comm],
                                k ? -sign : sign, FFTW_ESTIMATE | FFTW_DESTROY_INPUT | flag[k]);
    ours += p[k] && is_ours(p[k]);
  }
  plans += 2;
  plans_ours += ours;
  CHECK(ours == 2 || ours == 0, "scrambled line of %td*%td: one of two plans is ours", n, h);
  for (ptrdiff_t i = 0; i < 2 * h * len[0][0]; i++) a[i] = (real)((i * 37 + n) % 101 - 50) / 50;
  if (ours == 2) {
    X(execute)(p[0]);
    X(execute)(p[1]);
  }
  double worst = 0;
  for (ptrdiff_t i = 0; i < 2 * h * len[0][0]; i++) {
    double off = (double)a[i] / (double)n - (double)((real)((i * 37 + n) % 101 - 50) / 50);
    if (off < 0) off = -off;
    worst = check_worse(worst, off);
  }
  CHECK(ours < 2 || worst <= 20 * tolerance, "scrambled line of %td*%td, %s, sign %d: error %g", n,
        h, in_place ? "in place" : "apart", sign, worst);
  CHECK(!marks_changed(a, numbers) && !marks_changed(b, numbers), "scrambled line of %td: marks",
        n);
  for (int k = 0; k < 2; k++)
    if (p[k]) X(destroy_plan)(p[k]);
  if (!in_place) X(free)(b);
  X(free)(a);
}

/* Plans of a length with scrambled numbers are all ours, or none is, whatever fields and blocks: a
 * kernel may have another plan than the lines that it multiplies. */
static void run_alike(ptrdiff_t n) {
  static const unsigned flag[] = {FFTW_MPI_SCRAMBLED_OUT, FFTW_MPI_SCRAMBLED_IN};
  int ours = 0, others = 0;
  for (int k = 0; k < 16; k++) {
    ptrdiff_t h = k & 2 ? 2 : 1, block[2], lo;
    int sign = k & 1 ? 1 : -1;
    ptrdiff_t numbers = 4 * X(mpi_local_size_many_1d)(n, h, MPI_COMM_WORLD, sign, flag[k & 1],
                                                      &block[0], &lo, &block[1], &lo);
    MPI_Bcast(block, sizeof block, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!(k & 4)) block[0] = block[1] = 0;
    if (k & 8 && k & 4) block[0] = n; /* others than FFTW's */
    real *a = make_array(numbers);
    X(plan)
    p = X(mpi_plan_many_dft)(1, &n, h, block[0], block[1], (void *)a, (void *)a, MPI_COMM_WORLD,
                             sign, FFTW_ESTIMATE | flag[k & 1] | (k & 8 ? FFTW_WISDOM_ONLY : 0));
    if (p) *(is_ours(p) ? &ours : &others) += 1;
    CHECK(p || k & 8, "scrambled line of %td, way %d: no plan", n, k);
    if (p) X(destroy_plan)(p);
    X(free)(a);
  }
  CHECK(!ours || !others, "scrambled lines of %td: %d plans are ours, %d are not", n, ours, others);
  if (mpi_rank == 0) printf("# %d plans, %d of pfft3d\n", ours + others, ours);
}

#endif
