/* SPDX-License-Identifier: BSD-3-Clause
 * What several tests need: fields known by global index, the transform by its definition in long
 * double, error limits, communicators of all kinds, and requests from the registries. */
#ifndef PF_TESTS_SUPPORT_H
#define PF_TESTS_SUPPORT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "pfft3d.h"

/* Local. 64 well mixed bits of an index (the finaliser of splitmix64). */
static inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Local. A number in [-1, 1) that belongs to an index: the same on every rank. */
static inline double value_of(uint64_t index) {
  return (double)(int64_t)mix(index) * 0x1p-63;
}

/* Local. malloc that ends the test when there is no memory; 0 bytes give a pointer too. */
static inline void *get(size_t bytes) {
  void *p = malloc(bytes + 1);
  if (!p) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return p;
}

/* Local. Whether n has no prime factor above 7. */
static inline int is_smooth(ptrdiff_t n) {
  for (ptrdiff_t p = 2; p <= 7; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

/* Local. The relative L2 error allowed for `points` points in all.  The rounding errors of an FFT
 * grow like u sqrt(log2 n), u = 2^-53 (Gentleman and Sande 1966; Schatzman 1996), with a factor of
 * 0.2 to 0.6 for good twiddles and radices up to 7: c = 1 leaves no room for one wrong digit.
 * Large prime factors go through a convolution, two transforms and a product: c = 2. */
static inline double error_limit(ptrdiff_t points, int smooth) {
  return points <= 1 ? 0 : (smooth ? 1.0 : 2.0) * 0x1p-53 * sqrt(log2((double)points));
}

/* A complex number of the reference. */
typedef struct wide {
  long double re, im;
} wide;

/* Local. The DFT of `lines` lines by its definition, in place: point i of line j is
 * x[i * along + j * across]. */
static inline void dft_lines(wide *x, ptrdiff_t n, ptrdiff_t along, ptrdiff_t lines,
                             ptrdiff_t across, int sign) {
  wide *root = get((size_t)n * sizeof *root), *y = get((size_t)n * sizeof *y);
  for (ptrdiff_t k = 0; k < n; k++) {
    long double angle = 2 * acosl(-1.0L) * (long double)k / (long double)n;
    root[k] = (wide){cosl(angle), (long double)sign * sinl(angle)};
  }
  for (ptrdiff_t j = 0; j < lines; j++) {
    wide *line = x + j * across;
    for (ptrdiff_t k = 0; k < n; k++) {
      wide sum = {0, 0};
      for (ptrdiff_t i = 0, ik = 0; i < n; i++, ik += ik + k < n ? k : k - n) { /* i k mod n */
        wide a = line[i * along], b = root[ik];
        sum.re += a.re * b.re - a.im * b.im;
        sum.im += a.re * b.im + a.im * b.re;
      }
      y[k] = sum;
    }
    for (ptrdiff_t k = 0; k < n; k++) line[k * along] = y[k];
  }
  free(root);
  free(y);
}

/* Local. The 3D DFT of a whole field in C order, in place: the definition, axis after axis. */
static inline void dft_field(wide *x, const ptrdiff_t n[3], int sign) {
  for (ptrdiff_t i = 0; i < n[0]; i++) dft_lines(x + i * n[1] * n[2], n[1], n[2], n[2], 1, sign);
  dft_lines(x, n[0], n[1] * n[2], n[1] * n[2], 1, sign);
  dft_lines(x, n[2], 1, n[0] * n[1], n[2], sign);
}

/* Local. Elements of a box, and the global index of one of them. */
static inline ptrdiff_t box_elements(const pfft3d_box *b) {
  return b->len[0] * b->len[1] * b->len[2];
}

/* Every element (i0, i1, i2) of a box: its global index g and its place `at` in the local array. */
#define FOR_BOX(b, n, g, at)                                                                     \
  for (ptrdiff_t i0_ = 0; i0_ < (b)->len[0]; i0_++)                                              \
    for (ptrdiff_t i1_ = 0; i1_ < (b)->len[1]; i1_++)                                            \
      for (ptrdiff_t i2_ = 0,                                                                    \
                     g = ((i0_ + (b)->lo[0]) * (n)[1] + i1_ + (b)->lo[1]) * (n)[2] + (b)->lo[2], \
                     at = i0_ * (b)->stride[0] + i1_ * (b)->stride[1];                           \
           i2_ < (b)->len[2]; i2_++, g++, at += (b)->stride[2])

/* Local. Copies the part of a whole field (pairs of doubles in C order) that a box holds. */
static inline void take_box(const pfft3d_box *b, const ptrdiff_t n[3], const double *field,
                            double *array) {
  FOR_BOX(b, n, g, at) memcpy(array + 2 * at, field + 2 * g, 2 * sizeof *field);
}

/* Collective on comm. || a - scale * b || / || scale * b || over all boxes, b a whole field; NaN in
 * a gives NaN. */
static inline double box_error(MPI_Comm comm, const pfft3d_box *box, const ptrdiff_t n[3],
                               const double *a, const double *b, double scale) {
  double sum[2] = {0, 0}, all[2];
  FOR_BOX(box, n, g, at) for (int c = 0; c < 2; c++) {
    double want = scale * b[2 * g + c], d = a[2 * at + c] - want;
    sum[0] += d * d;
    sum[1] += want * want;
  }
  MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, comm);
  return all[0] == 0 ? 0 : sqrt(all[0] / all[1]);
}

/* Collective on MPI_COMM_WORLD. Communicators that a transform must not care about; the caller
 * frees it.  0: all ranks; 1: in reversed order; 2: even and odd ranks apart, reversed. */
enum { COMM_KINDS = 3 };
static inline MPI_Comm make_comm(int kind) {
  MPI_Comm comm;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, kind == 2 ? rank % 2 : 0, kind ? -rank : rank, &comm);
  return comm;
}

/* Local. Several nodes on one where the exchange takes notice, by size and order in turn. */
static inline int made_up_nodes(const char *algo, const ptrdiff_t n[3], int order) {
  static const int ranks[] = {2, 1, 3, 64};
  return strcmp(algo, "node") ? 0 : ranks[(n[0] + n[1] + n[2] + order) % 4];
}

/* Local. A request for a grid with everything named. */
static inline pfft3d_request make_request(const ptrdiff_t n[3], const char *scheme,
                                          const char *algo, const char *engine,
                                          pfft3d_order order) {
  pfft3d_request r;
  pfft3d_request_init(&r);
  memcpy(r.problem.n, n, sizeof r.problem.n);
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", scheme);
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", engine);
  r.decision.order = order;
  r.node_ranks = made_up_nodes(algo, n, (int)order);
  pfft3d_machine_init(&r.machine); /* nothing is measured, so that every run decides alike */
  return r;
}

/* Local. The names of a request for messages: "c2c:d:4x4x4 slab algo=...". */
static inline const char *request_name(const pfft3d_request *r) {
  static char text[290];
  char problem[100], decision[140];
  int used = snprintf(text, sizeof text, "%s %s",
                      pfft3d_problem_print(&r->problem, problem, sizeof problem),
                      pfft3d_decision_print(&r->decision, decision, sizeof decision));
  if (r->node_ranks)
    snprintf(text + used, sizeof text - (size_t)used, " nodes of %d", r->node_ranks);
  return text;
}

/* Collective on comm. A plan that must succeed: else the test ends with the reason. */
static inline pfft3d_plan *make_plan(MPI_Comm comm, const pfft3d_request *r) {
  pfft3d_plan *plan;
  pfft3d_error e;
  if (pfft3d_plan_create(comm, r, &plan, &e)) {
    fprintf(stderr, "%s: status %d: %s\n", request_name(r), e.status, e.text);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return plan;
}

/* Every name of a registry. */
#define FOR_LIST(list, name)                                                    \
  for (int name##_i_ = 0; pfft3d_list_name(list, name##_i_, NULL); name##_i_++) \
    for (const char *name = pfft3d_list_name(list, name##_i_, NULL); name; name = NULL)

/* Whether a test leaves nothing out: $PFFT3D_TEST_ALL is set, as it is in long/all.sh. */
static inline int take_all(void) {
  return getenv("PFFT3D_TEST_ALL") != NULL;
}

/* One case of how many a test takes: of `many` in make check. */
static inline int one_of(int many) {
  return take_all() ? 1 : many;
}

/* A share of them, in turn: a sixth on two ranks, one of thirteen on one, where most exchanges do
 * the same, and on more ranks than cores are likely to be.  All come with the cases of a test, but
 * not each with each. */
#define FOR_SHARE(list, name)                                                 \
  for (int name##_i_ = next_share(); pfft3d_list_name(list, name##_i_, NULL); \
       name##_i_ += share_step())                                             \
    for (const char *name = pfft3d_list_name(list, name##_i_, NULL); name; name = NULL)

static inline int share_step(void) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return one_of(ranks == 2 ? 6 : 13);
}

/* The same on all ranks that have been here as often. */
static inline int next_share(void) {
  static int turn;
  int share = (turn + turn / 6) % share_step();
  turn++;
  return share;
}

#endif
