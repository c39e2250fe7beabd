/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Dry runs: the message counts of the literature for 512^3 on 64 ranks, a count by hand for small
 * grids on any number of ranks, memory by formula, and numbers far beyond this machine. */
#include "base/memory.h"
#include "plan/outline.h"

#include "support.h"

static pfft3d_explanation explain(const pfft3d_request *r, int ranks) {
  pfft3d_explanation x;
  pfft3d_error e;
  int status = pfft3d_explain(r, ranks, &x, &e);
  CHECK(!status, "%s on %d ranks: %s", request_name(r), ranks, e.text);
  return x;
}

/* Messages per rank to others, and bytes in each: Bell, Bonachea, Nishtala and Yelick 2006. */
static void test_literature(void) {
  static const struct {
    const char *algo;
    double messages, bytes;
  } want[] = {{"packed", 63, 524288}, {"slabs", 504, 65536}, {"pencils", 4032, 8192}};
  /* Two stages; the exchange of all but the own 64th; planes that are larger than the cache twice.
   */
  double passes =
      2 + (1 - 1.0 / 64) + (16 * 512 * (size_t)pf_plane_stride(512, 16) > pf_cache_bytes());
  for (size_t k = 0; k < 3; k++) {
    pfft3d_request r =
        make_request((ptrdiff_t[]){512, 512, 512}, "slab", want[k].algo, "auto", PFFT3D_TRANSPOSED);
    pfft3d_explanation x = explain(&r, 64);
    CHECK(x.messages == want[k].messages && x.bytes_min == want[k].bytes &&
              x.bytes_max == want[k].bytes && x.bytes == want[k].messages * want[k].bytes,
          "%s: %g messages of %g to %g bytes, %g in all", want[k].algo, x.messages, x.bytes_min,
          x.bytes_max, x.bytes);
    CHECK(x.exchanges == 1 && x.idle_ranks == 0, "%s", want[k].algo);
    CHECK(fabs(x.passes - passes) < 1e-12, "%s: %g passes, not %g", want[k].algo, x.passes, passes);
    CHECK(!strcmp(x.decision.algo, want[k].algo) && strcmp(x.decision.engine, "auto") &&
              !strcmp(x.decision.scheme, "slab"),
          "%s: left open", want[k].algo);
  }
}

/* ---- a count by hand ---- */

typedef struct {
  double messages, bytes, least, most;
} tally;

static void one_message(tally *t, double bytes) {
  if (!bytes) return;
  if (!t->messages || bytes < t->least) t->least = bytes;
  if (bytes > t->most) t->most = bytes;
  t->messages++;
  t->bytes += bytes;
}

/* Part k of n in P: the first n mod P hold one more. */
static int share(int n, int ranks, int k) {
  return n / ranks + (k < n % ranks);
}

/* What rank `me` sends when n_from planes of n_to rows of `row` elements change hands. */
static void count_exchange(tally *t, const char *algo, int n_from, int n_to, int row, int ranks,
                           int me) {
  int planes = share(n_from, ranks, me);
  for (int d = 0; d < ranks; d++) {
    int rows = share(n_to, ranks, d);
    if (d == me) continue;
    if (!strcmp(algo, "packed")) one_message(t, 16.0 * planes * rows * row);
    if (!strcmp(algo, "slabs"))
      for (int p = 0; p < planes; p++) one_message(t, 16.0 * rows * row);
    if (!strcmp(algo, "pencils"))
      for (int p = 0; p < planes * rows; p++) one_message(t, 16.0 * row);
  }
}

static void test_count(const char *algo, int n0, int n1, pfft3d_order order, int ranks) {
  enum { n2 = 3 };
  tally all = {0, 0, 0, 0};
  double user = 0;
  int idle = 0;
  for (int me = 0; me < ranks; me++) {
    tally t = {0, 0, 0, 0};
    count_exchange(&t, algo, n0, n1, n2, ranks, me);
    if (order == PFFT3D_NATURAL) count_exchange(&t, algo, n1, n0, n2, ranks, me);
    all.messages = fmax(all.messages, t.messages);
    all.bytes = fmax(all.bytes, t.bytes);
    all.most = fmax(all.most, t.most);
    if (t.messages) all.least = all.least > 0 ? fmin(all.least, t.least) : t.least;
    double space = 16.0 * share(n0, ranks, me) * n1 * n2;
    double spectrum = order == PFFT3D_NATURAL ? space : 16.0 * share(n1, ranks, me) * n0 * n2;
    idle += !(space && spectrum);
    user = fmax(user, fmax(space, spectrum));
  }
  pfft3d_request r = make_request((ptrdiff_t[]){n0, n1, n2}, "slab", algo, "auto", order);
  pfft3d_explanation x = explain(&r, ranks);
  CHECK(x.messages == all.messages && x.bytes == all.bytes && x.bytes_min == all.least &&
            x.bytes_max == all.most,
        "%s on %d: %g messages, %g bytes, %g to %g; by hand %g, %g, %g to %g", request_name(&r),
        ranks, x.messages, x.bytes, x.bytes_min, x.bytes_max, all.messages, all.bytes, all.least,
        all.most);
  CHECK(x.idle_ranks == idle, "%s on %d: %d idle, by hand %d", request_name(&r), ranks,
        x.idle_ranks, idle);
  CHECK(x.user_bytes == user, "%s on %d: user %g, by hand %g", request_name(&r), ranks,
        x.user_bytes, user);
  CHECK(x.exchanges == (ranks == 1                ? 0
                        : order == PFFT3D_NATURAL ? 2
                                                  : 1),
        "%d exchanges", x.exchanges);
}

/* ---- memory ---- */

/* Sizes that P divides, V local bytes: the send buffer leaves out the own block, the receive buffer
 * of the first exchange has it, the second exchange finds its memories free.  What is left is meant
 * to stay in cache: a plane or two, some lines. */
static void test_memory_of(const pfft3d_request *r, int ranks) {
  pf_outline o;
  pfft3d_error e;
  pf_error_clear(&e);
  CHECK(!pf_outline_make(r, ranks, 0, ranks == 1, &o, &e), "%s", e.text);
  pfft3d_explanation x = explain(r, ranks);
  const ptrdiff_t *n = r->problem.n;
  double V = 16.0 * (double)(n[0] * n[1] * n[2]) / ranks;
  double large = (double)(o.bytes[PF_SLOT_SEND] + o.bytes[PF_SLOT_RECV] + o.bytes[PF_SLOT_EXTRA]);
  CHECK(x.user_bytes == V, "%s on %d: user %g, not %g", request_name(r), ranks, x.user_bytes, V);
  if (o.exchange->direct) { /* two windows in turn, with padded rows */
    double padded = V * (double)pf_plane_stride(n[2], 16) / (double)n[2];
    CHECK((double)o.half >= V && (double)o.half <= padded + (4 << 20), "half a window: %zu",
          o.half);
    return;
  }
  CHECK(large == V * (1 - 1.0 / ranks) + V, "%s on %d: buffers %.0f, not %.0f", request_name(r),
        ranks, large, V * (1 - 1.0 / ranks) + V);
  ptrdiff_t longest = n[0] > n[1] ? n[0] : n[1];
  double plane = 16.0 * (double)((longest + 7) / 8 * 8 * pf_plane_stride(n[2], 16));
  double line = 16.0 * (double)(longest > n[2] ? longest : n[2]);
  CHECK(x.work_bytes >= large && x.work_bytes <= large + 2 * plane + 128 * line,
        "%s on %d: work %.0f, of which buffers %.0f", request_name(r), ranks, x.work_bytes, large);
}

static void test_memory(void) {
  static const ptrdiff_t grid[][3] = {{64, 64, 64}, {128, 64, 32}, {16, 32, 100}, {512, 512, 512}};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++)
    for (int ranks = 2; ranks <= 16; ranks *= 2) FOR_LIST(PFFT3D_EXCHANGES, algo)
  for (int order = 0; order < 2; order++) {
    pfft3d_request r = make_request(grid[k], "slab", algo, "auto", (pfft3d_order)order);
    test_memory_of(&r, ranks);
  }
}

/* ---- beyond this machine ---- */

static void test_far(void) {
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    pfft3d_request r =
        make_request((ptrdiff_t[]){16384, 16384, 16384}, "slab", algo, "auto", PFFT3D_TRANSPOSED);
    pfft3d_explanation x = explain(&r, 65536);   /* one plane each for a quarter of the ranks */
    int direct = pf_exchange_find(algo)->direct; /* sends nothing */
    double size = direct ? 0 : 262144;
    CHECK(x.messages == (direct ? 0 : 16383) && x.bytes_min == size && x.bytes_max == size,
          "%s: %g of %g", algo, x.messages, x.bytes_max);
    CHECK(x.idle_ranks == 49152, "%s: %d idle ranks", algo, x.idle_ranks);
    CHECK(x.user_bytes == 16.0 * 16384 * 16384, "%s: %g bytes", algo, x.user_bytes);
  }
}

static void test_boxes(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){7, 5, 3}, "slab", "auto", "auto", PFFT3D_TRANSPOSED);
  pfft3d_box box = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  CHECK(!pfft3d_explain_box(&r, 4, PFFT3D_SPACE, 1, &box), "space");
  CHECK(box.lo[0] == 2 && box.len[0] == 2 && box.len[1] == 5 && box.stride[0] == 15, "space");
  CHECK(!pfft3d_explain_box(&r, 4, PFFT3D_SPECTRUM, 3, &box), "spectrum");
  CHECK(box.lo[1] == 4 && box.len[1] == 1 && box.len[0] == 7 && box.stride[1] == 21 &&
            box.stride[0] == 3,
        "spectrum");
  CHECK(pfft3d_explain_box(&r, 4, PFFT3D_SPACE, 4, &box) == PFFT3D_ERR_USAGE, "rank 4 of 4");
  CHECK(pfft3d_explain_box(&r, 4, PFFT3D_SPACE, -1, &box) == PFFT3D_ERR_USAGE, "rank -1");
  CHECK(pfft3d_explain_box(&r, 4, (pfft3d_side)2, 0, &box) == PFFT3D_ERR_USAGE, "side 2");
}

static void check_refused(const pfft3d_request *r, int ranks, int want) {
  pfft3d_explanation x;
  pfft3d_error e;
  int status = pfft3d_explain(r, ranks, &x, &e);
  CHECK(status == want && e.status == want && strstr(e.text, ": "),
        "%s on %d ranks: status %d, not %d: %s", request_name(r), ranks, status, want, e.text);
}

static void test_refusals(void) {
  pfft3d_request r = make_request((ptrdiff_t[]){4, 4, 4}, "auto", "auto", "auto", PFFT3D_NATURAL);
  check_refused(&r, 0, PFFT3D_ERR_USAGE);
  check_refused(&r, -1, PFFT3D_ERR_USAGE);
  r.problem.n[1] = 0;
  check_refused(&r, 4, PFFT3D_ERR_USAGE);
  r.problem.n[1] = (ptrdiff_t)1 << 22;
  r.problem.n[0] = r.problem.n[2] = r.problem.n[1];
  check_refused(&r, 4, PFFT3D_ERR_USAGE);
  r = make_request((ptrdiff_t[]){65536, 65536, 4}, "slab", "packed", "auto", PFFT3D_NATURAL);
  check_refused(&r, 1, PFFT3D_ERR_UNAVAILABLE); /* 2^32 rows in one Alltoallv */
}

int main(int argc, char **argv) {
  static const char *const algo[] = {"packed", "slabs", "pencils"};
  MPI_Init(&argc, &argv);
  test_literature();
  for (int n0 = 1; n0 <= 12; n0++)
    for (int n1 = 1; n1 <= 12; n1++)
      for (int ranks = 1; ranks <= 20; ranks++)
        for (int k = 0; k < 6; k++) test_count(algo[k % 3], n0, n1, (pfft3d_order)(k / 3), ranks);
  test_memory();
  test_far();
  test_boxes();
  test_refusals();
  return check_result();
}
