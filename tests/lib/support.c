/* SPDX-License-Identifier: BSD-3-Clause
 * What several tests need; see support.h. */
#include "support.h"

#include <malloc.h>

#include "plan/plan.h"

void *get(size_t bytes) {
  void *p = malloc(bytes + 1);
  if (!p) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return p;
}

int is_smooth(ptrdiff_t n) {
  for (ptrdiff_t p = 2; p <= 7; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

int is_textbook(const char *engine) {
  return !strcmp(engine, "stockham4") || !strcmp(engine, "recursive");
}

double error_limit(ptrdiff_t points, int smooth) {
  return points <= 1 ? 0 : (smooth ? 1.0 : 2.0) * 0x1p-53 * sqrt(log2((double)points));
}

const wide *roots(ptrdiff_t n) {
  static wide *root;
  static ptrdiff_t last;
  if (n == last) return root;
  free(root);
  root = get((size_t)n * sizeof *root);
  for (ptrdiff_t k = 0; k < n; k++) {
    long double angle = 2 * acosl(-1.0L) * (long double)k / (long double)n;
    root[k] = (wide){cosl(angle), sinl(angle)};
  }
  last = n;
  return root;
}

void dft_lines(wide *x, ptrdiff_t n, ptrdiff_t along, ptrdiff_t lines, ptrdiff_t across, int sign) {
  const wide *root = roots(n);
  wide *y = get((size_t)n * sizeof *y);
  for (ptrdiff_t j = 0; j < lines; j++) {
    wide *line = x + j * across;
    for (ptrdiff_t k = 0; k < n; k++) {
      wide sum = {0, 0};
      for (ptrdiff_t i = 0, ik = 0; i < n; i++, ik += ik + k < n ? k : k - n) { /* i k mod n */
        wide a = line[i * along], b = {root[ik].re, (long double)sign * root[ik].im};
        sum.re += a.re * b.re - a.im * b.im;
        sum.im += a.re * b.im + a.im * b.re;
      }
      y[k] = sum;
    }
    for (ptrdiff_t k = 0; k < n; k++) line[k * along] = y[k];
  }
  free(y);
}

void dft_field(wide *x, const ptrdiff_t n[3], int sign) {
  for (ptrdiff_t i = 0; i < n[0]; i++) dft_lines(x + i * n[1] * n[2], n[1], n[2], n[2], 1, sign);
  dft_lines(x, n[0], n[1] * n[2], n[1] * n[2], 1, sign);
  dft_lines(x, n[2], 1, n[0] * n[1], n[2], sign);
}

ptrdiff_t box_elements(const pfft3d_box *b) {
  return b->len[0] * b->len[1] * b->len[2];
}

void take_box(const pfft3d_box *b, const ptrdiff_t n[3], const double *field, double *array) {
  FOR_BOX(b, n, g, at) memcpy(array + 2 * at, field + 2 * g, 2 * sizeof *field);
}

double box_error(MPI_Comm comm, const pfft3d_box *box, const ptrdiff_t n[3], const double *a,
                 const double *b, double scale) {
  double sum[2] = {0, 0}, all[2];
  FOR_BOX(box, n, g, at) for (int c = 0; c < 2; c++) {
    double want = scale * b[2 * g + c], d = a[2 * at + c] - want;
    sum[0] += d * d;
    sum[1] += want * want;
  }
  MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, comm);
  return all[0] == 0 ? 0 : sqrt(all[0] / all[1]);
}

MPI_Comm make_comm(int kind) {
  MPI_Comm comm;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, kind == 2 ? rank % 2 : 0, kind ? -rank : rank, &comm);
  return comm;
}

/* Local. Several nodes on one where the exchange takes notice, by size and order in turn. */
static int made_up_nodes(const char *algo, const ptrdiff_t n[3], int order) {
  static const int ranks[] = {2, 1, 3, 64};
  return strcmp(algo, "node") ? 0 : ranks[(n[0] + n[1] + n[2] + order) % 4];
}

pfft3d_request make_request(const ptrdiff_t n[3], const char *scheme, const char *algo,
                            const char *engine, pfft3d_order order) {
  pfft3d_request r;
  pf_request_init(&r);
  memcpy(r.problem.n, n, sizeof r.problem.n);
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", scheme);
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", engine);
  r.decision.order = order;
  r.node_ranks = made_up_nodes(algo, n, (int)order);
  pfft3d_machine_init(&r.machine); /* nothing is measured, so that every run decides alike */
  return r;
}

const char *request_name(const pfft3d_request *r) {
  static char text[290];
  char problem[100], decision[140];
  int used = snprintf(text, sizeof text, "%s %s",
                      pfft3d_problem_print(&r->problem, problem, sizeof problem),
                      pfft3d_decision_print(&r->decision, decision, sizeof decision));
  if (r->node_ranks)
    snprintf(text + used, sizeof text - (size_t)used, " nodes of %d", r->node_ranks);
  return text;
}

pfft3d_explanation explained(const pfft3d_request *r, int ranks) {
  pfft3d_explanation x;
  pfft3d_error e;
  CHECK(!pfft3d_explain(r, ranks, &x, sizeof x, &e), "%s on %d ranks: %s", request_name(r), ranks,
        e.text);
  return x;
}

/* Of gcc's sanitizers, which have an allocator of their own. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t heap_bytes(void) {
  if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

long shared_maps(const char *word) {
  char line[600];
  long count = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  while (f && fgets(line, sizeof line, f)) {
    char mode[5] = "";
    if (sscanf(line, "%*s %4s", mode) == 1 && mode[3] == 's' && strstr(line, word)) count++;
  }
  if (f) fclose(f);
  return count;
}

/* Local. With caches of PFFT3D_TEST_CACHE bytes (faults/unlike.c), fields twice as large are
 * written around them. */
static void check_streams(const pfft3d_plan *p) {
  const char *cache = getenv("PFFT3D_TEST_CACHE");
  if (!cache || !pf_plan_plain(p) || p->outline.user_bytes < 2 * (size_t)atol(cache)) return;
  CHECK(pf_plan_pipelines_at(p, 0)->pipeline[0].streams[0], "%zu bytes are written into the caches",
        p->outline.user_bytes);
}

/* Local. The problem of a plan is that of its request, and its axes are in the order of strides. */
static void check_queries(const pfft3d_plan *plan, const pfft3d_request *r, int rank) {
  pfft3d_problem p[2];
  pfft3d_box box;
  char text[2][160];
  int axis[3];
  CHECK(!pfft3d_request_problem(r, &p[0]) && !pfft3d_plan_problem(plan, &p[1]), "problems");
  for (int k = 0; k < 2; k++) pfft3d_problem_print(&p[k], text[k], sizeof text[k]);
  CHECK(!strcmp(text[0], text[1]), "%s: the problem of the plan is %s", request_name(r), text[1]);
  for (int side = 0; side < 2; side++) {
    CHECK(!pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box) &&
              !pfft3d_plan_axes(plan, (pfft3d_side)side, axis),
          "a side");
    CHECK((1 << axis[0] | 1 << axis[1] | 1 << axis[2]) == 7, "axes %d %d %d", axis[0], axis[1],
          axis[2]);
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < k && box_elements(&box); i++)
        CHECK(box.len[axis[i]] == 1 || box.len[axis[k]] == 1 ||
                  box.stride[axis[i]] >= box.stride[axis[k]],
              "%s: side %d: axis %d before %d, their strides are %td and %td", request_name(r),
              side, axis[i], axis[k], box.stride[axis[i]], box.stride[axis[k]]);
  }
}

pfft3d_plan *make_plan(MPI_Comm comm, const pfft3d_request *r) {
  pfft3d_plan *plan;
  pfft3d_error e;
  if (pfft3d_plan_create(comm, r, &plan, &e)) {
    fprintf(stderr, "%s: status %d: %s\n", request_name(r), e.status, e.text);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int rank;
  MPI_Comm_rank(comm, &rank);
  check_queries(plan, r, rank);
  pfft3d_decision d;
  pfft3d_plan_decision(plan, &d);
  note_met(&d);
  check_streams(plan);
  return plan;
}
