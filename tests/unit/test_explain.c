/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Dry runs: the message counts of the literature for 512^3 on 64 ranks, a count by hand for small
 * grids on any number of ranks, boxes that tile the global array, memory by formula, and numbers
 * far beyond this machine. */
#include <time.h>

#include "base/memory.h"
#include "planner/planner.h"

#include "oracle.h"

static pfft3d_explanation explain(const pfft3d_request *r, int ranks) {
  pfft3d_explanation x;
  pfft3d_error e;
  int status = pfft3d_explain(r, ranks, &x, sizeof x, &e);
  CHECK(!status, "%s on %d ranks: %s", request_name(r), ranks, e.text);
  return x;
}

/* Messages per rank to others, and bytes in each: Bell, Bonachea, Nishtala and Yelick 2006. */
static void test_literature(void) {
  static const struct {
    const char *algo;
    int messages, bytes, node_ranks, chunk;
  } want[] = {{"packed", 63, 524288, 0, 0},   {"slabs", 504, 65536, 0, 0},
              {"pencils", 4032, 8192, 0, 0},  {"pencils", 504, 65536, 64, 0},
              {"pencils", 4032, 8192, 64, 1}, {"pencils", 1008, 32768, 1, 32768}};
  /* Two stages; the exchange of all but the own 64th; planes larger than the cache twice. */
  double passes =
      2 + (1 - 1.0 / 64) + (16 * 512 * (size_t)pf_plane_stride(512, 16) > pf_cache_bytes());
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    pfft3d_request r =
        make_request((ptrdiff_t[]){512, 512, 512}, "slab", want[k].algo, "auto", PFFT3D_TRANSPOSED);
    r.node_ranks = want[k].node_ranks;
    r.decision.chunk = want[k].chunk;
    pfft3d_explanation x = explain(&r, 64);
    CHECK(x.messages == want[k].messages && x.bytes_min == want[k].bytes &&
              x.bytes_max == want[k].bytes && x.bytes == (double)want[k].messages * want[k].bytes,
          "%s: %g messages of %g to %g bytes", want[k].algo, x.messages, x.bytes_min, x.bytes_max);
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

/* Exchanges whose messages hold all for one destination, or what a plane has for it. */
static int named(const char *algo, const char *const list[], int count) {
  for (int k = 0; k < count; k++)
    if (!strcmp(algo, list[k])) return 1;
  return 0;
}
static const char *const by_block[] = {"packed", "pairwise", "alltoallw"};
static const char *const by_plane[] = {"slabs", "rma"};

/* What a rank sends of its planes, each of n_to rows of `row` elements, to the `parts` ranks that
 * get the rows; it is part `me` of them. */
static void count_exchange(tally *t, const char *algo, int planes, int n_to, int row, int parts,
                           int me) {
  for (int d = 0; d < parts; d++) {
    int rows = share(n_to, parts, d);
    if (d == me) continue;
    if (named(algo, by_block, 3)) one_message(t, 16.0 * planes * rows * row);
    if (named(algo, by_plane, 2))
      for (int p = 0; p < planes; p++) one_message(t, 16.0 * rows * row);
    if (!strcmp(algo, "pencils"))
      for (int p = 0; p < planes * rows; p++) one_message(t, 16.0 * row);
  }
}

/* A problem and its grid of ranks; slabs have one column, or one row where n0 is 1. */
typedef struct {
  pfft3d_request r;
  int n0, n1, n2, h; /* h: of the spectrum along axis 2 */
  int p1, p2, ranks, fields;
} layout;

/* All exchanges of a rank: axis 1 to 2 in its row of the grid, axis 0 to 1 in its column, and back
 * for natural order. */
static tally count_rank(const layout *l, const char *algo, int me) {
  tally t = {0, 0, 0, 0};
  int c0 = me / l->p2, c1 = me % l->p2;
  if (me >= l->p1 * l->p2) return t;
  int planes = l->fields * share(l->n0, l->p1, c0), row = share(l->h, l->p2, c1);
  count_exchange(&t, algo, planes * share(l->n1, l->p2, c1), l->h, 1, l->p2, c1);
  count_exchange(&t, algo, planes, l->n1, row, l->p1, c0);
  if (l->r.decision.order == PFFT3D_TRANSPOSED) return t;
  count_exchange(&t, algo, l->fields * share(l->n1, l->p1, c0), l->n0, row, l->p1, c0);
  count_exchange(&t, algo, planes * row, l->n1, 1, l->p2, c1);
  return t;
}

/* Bytes of one field of a rank on a side. */
static double field_bytes(const layout *l, int side, int me) {
  int c0 = me / l->p2, c1 = me % l->p2, real = l->r.problem.kind == PFFT3D_R2C;
  double planes = share(l->n0, l->p1, c0);
  if (me >= l->p1 * l->p2) return 0;
  if (side == PFFT3D_SPACE) return (real ? 8.0 : 16.0) * planes * share(l->n1, l->p2, c1) * l->n2;
  if (l->r.decision.order == PFFT3D_NATURAL) return 16.0 * planes * share(l->n1, l->p2, c1) * l->h;
  return 16.0 * share(l->n1, l->p1, c0) * l->n0 * share(l->h, l->p2, c1);
}

/* Bytes of a rank's array on a side: the fields of a batch begin as far apart as the larger side of
 * one needs. */
static double side_bytes(const layout *l, int side, int me) {
  double here = field_bytes(l, side, me), there = field_bytes(l, !side, me);
  double distance = 16 * ceil(fmax(here, there) / 16);
  return here > 0 ? here + (l->fields - 1) * distance : 0;
}

/* whole: messages are counted too, else only what is in them. */
static void test_count(const layout *l, int whole) {
  const char *algo = l->r.decision.algo;
  tally all = {0, 0, 0, 0};
  double user = 0;
  int idle = 0, both = l->r.decision.order == PFFT3D_NATURAL ? 2 : 1;
  for (int me = 0; me < l->ranks; me++) {
    tally t = count_rank(l, algo, me);
    all.messages = fmax(all.messages, t.messages);
    all.bytes = fmax(all.bytes, t.bytes);
    all.most = fmax(all.most, t.most);
    if (t.messages) all.least = all.least > 0 ? fmin(all.least, t.least) : t.least;
    double space = side_bytes(l, PFFT3D_SPACE, me), spectrum = side_bytes(l, PFFT3D_SPECTRUM, me);
    idle += !(space > 0 && spectrum > 0);
    user = fmax(user, fmax(space, spectrum));
  }
  pfft3d_explanation x = explain(&l->r, l->ranks);
  CHECK(x.bytes == all.bytes, "%s on %d: %g bytes, by hand %g", request_name(&l->r), l->ranks,
        x.bytes, all.bytes);
  CHECK(
      !whole || (x.messages == all.messages && x.bytes_min == all.least && x.bytes_max == all.most),
      "%s on %d: %g messages, %g to %g bytes; by hand %g, %g to %g", request_name(&l->r), l->ranks,
      x.messages, x.bytes_min, x.bytes_max, all.messages, all.least, all.most);
  CHECK(x.idle_ranks == idle, "%s on %d: %d idle, by hand %d", request_name(&l->r), l->ranks,
        x.idle_ranks, idle);
  CHECK(x.user_bytes == user, "%s on %d: user %g, by hand %g", request_name(&l->r), l->ranks,
        x.user_bytes, user);
  /* Grids of one column take what slabs take, or more where axis 0 is a single plane. */
  int least = both * ((l->p1 > 1) + (l->p2 > 1)), full = l->p1 > 1 && l->p2 > 1;
  CHECK(x.exchanges >= least && x.exchanges <= 2 * both && (!full || x.exchanges == least),
        "%s on %d: %d exchanges", request_name(&l->r), l->ranks, x.exchanges);
  CHECK(strcmp(l->r.decision.scheme, "slab") || x.exchanges == (l->ranks > 1 ? both : 0),
        "%s on %d: %d exchanges", request_name(&l->r), l->ranks, x.exchanges);
}

static layout make_layout(int kind, const int n[3], const char *algo, int order, int fields) {
  layout l = {.r = make_request((ptrdiff_t[]){n[0], n[1], n[2]}, "slab", algo, "auto",
                                (pfft3d_order)order)};
  l.n0 = n[0], l.n1 = n[1], l.n2 = n[2];
  l.h = kind == PFFT3D_R2C ? n[2] / 2 + 1 : n[2];
  l.r.problem.kind = (pfft3d_kind)kind;
  l.r.problem.batch = l.fields = fields;
  return l;
}

/* Slabs with every exchange that sends messages.  Those of a batch, and single elements where
 * planes are lines, may go together: then only the bytes are known. */
static void test_slab_counts(void) {
  static const char *const algo[] = {"packed", "slabs", "pencils"};
  for (int k = 0; k < 24; k++)
    for (int n0 = 1; n0 <= 12; n0++)
      for (int n1 = 1; n1 <= 12; n1 += 1 + k % 2)
        for (int ranks = 1; ranks <= 20; ranks += 1 + k / 12) {
          layout l = make_layout(k / 3 % 2, (int[]){n0, n1, 3}, algo[k % 3], k / 6 % 2, 1 + k / 12);
          l.ranks = ranks;
          l.p1 = n0 == 1 ? 1 : ranks;
          l.p2 = n0 == 1 ? ranks : 1;
          test_count(&l, k % 3 == 0 || (n0 > 1 && l.fields == 1));
        }
}

/* Pencils on grids of ranks, some of which are left over. */
static void test_pencil_counts(void) {
  static const int size[] = {1, 2, 5, 12};
  for (int k = 0; k < 4 * 4 * 4; k++)
    for (int grid = 0; grid < 16; grid++)
      for (int way = 0; way < 8; way++) {
        int n[3] = {size[k % 4], size[k / 4 % 4], size[k / 16]};
        layout l = make_layout(way % 2, n, "packed", way / 2 % 2, 1 + 2 * (way / 4));
        strcpy(l.r.decision.scheme, "pencil");
        l.r.decision.grid[0] = l.p1 = 1 + grid % 4;
        l.r.decision.grid[1] = l.p2 = 1 + grid / 4;
        l.ranks = l.p1 * l.p2 + way % 3;
        test_count(&l, 1);
      }
}

/* ---- boxes ---- */

/* The boxes of all ranks on a side are what the header says, and cover every element once. */
static void test_tiling_of(const pfft3d_request *r, int ranks, int side) {
  oracle o;
  oracle_shape(&o, &r->problem);
  size_t all = (size_t)o.elements[side];
  unsigned char *owners = get(all);
  int wrong = 0;
  memset(owners, 0, all);
  for (int rank = 0; rank < ranks; rank++) {
    pfft3d_box box, want = expected_box(&o, r, ranks, side, rank);
    CHECK(!pfft3d_explain_box(r, ranks, (pfft3d_side)side, rank, &box), "%s on %d", request_name(r),
          ranks);
    wrong += !same_box(&box, &want, o.fields);
    FOR_ELEMENTS(&box, o.n[side], 1, g, at) {
      (void)at;
      if (g >= 0 && (size_t)g < all) owners[g]++;
    }
  }
  CHECK(!wrong, "%s on %d ranks, side %d: %d other boxes", request_name(r), ranks, side, wrong);
  for (size_t g = 0; g < all; g++) wrong += owners[g] != 1;
  CHECK(!wrong, "%s on %d ranks, side %d: %d elements have none or several owners", request_name(r),
        ranks, side, wrong);
  free(owners);
}

static void test_tiling(void) {
  static const ptrdiff_t grid[][3] = {{7, 5, 3}, {1, 9, 6},  {4, 1, 8},
                                      {2, 3, 1}, {1, 1, 10}, {1, 1, 1}};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++)
    for (int ranks = 1; ranks <= 13; ranks++) {
      cut list[CUTS];
      int cuts = list_cuts(ranks, list);
      for (int c = 0; c < cuts; c++)
        for (int way = 0; way < 8; way++) {
          pfft3d_problem p = {.kind = (pfft3d_kind)(way % 2), .batch = 1 + ranks % 2};
          memcpy(p.n, grid[k], sizeof p.n);
          pfft3d_request r = cut_request(&p, &list[c], "packed", "auto", way / 2 % 2);
          test_tiling_of(&r, ranks, way / 4);
        }
    }
}

/* ---- memory ---- */

/* Sizes that P divides, V local bytes: the send buffer leaves out the own block, the receive buffer
 * of the first exchange has it, the second exchange finds its memories free.  What is left is meant
 * to stay in cache: a plane or two, some lines. */
static void test_memory_of(const pfft3d_request *r, int ranks) {
  pf_geometry o;
  pfft3d_error e;
  pf_error_clear(&e);
  CHECK(!pf_complete_geometry(r, ranks, 0, &o, &e), "%s", e.text);
  pfft3d_explanation x = explain(r, ranks);
  const ptrdiff_t *n = r->problem.n;
  double V = 16.0 * (double)(n[0] * n[1] * n[2]) / ranks;
  double large = (double)(o.memory.bytes[PF_SLOT_SEND] + o.memory.bytes[PF_SLOT_RECV] +
                          o.memory.bytes[PF_SLOT_EXTRA]);
  CHECK(x.user_bytes == V, "%s on %d: user %g, not %g", request_name(r), ranks, x.user_bytes, V);
  if (o.decision.exchange->direct) { /* two windows in turn, with padded rows */
    double padded = V * (double)pf_plane_stride(n[2], 16) / (double)n[2];
    CHECK((double)o.memory.half >= V && (double)o.memory.half <= padded + (4 << 20),
          "half a window: %zu", o.memory.half);
    return;
  }
  if (o.decision.exchange->memory ==
      &pf_memory_node) { /* two areas to receive in, one to send to others */
    double send = ranks > r->node_ranks ? V : 0;
    CHECK((double)o.memory.half == V && (double)o.memory.send_area == send && large == 0 &&
              (double)o.memory.bytes[PF_SLOT_SHARED] >= 2 * V + send,
          "%s on %d: areas of %zu and %zu bytes, buffers %.0f", request_name(r), ranks,
          o.memory.half, o.memory.send_area, large);
    return;
  }
  /* The second exchange sends from the caller's output, unless it wants memory of its own. */
  int second = o.decision.exchange->fixed && r->decision.order == PFFT3D_NATURAL && ranks > 1;
  double want = V + (1 + second) * V * (1 - 1.0 / ranks);
  CHECK(large == want, "%s on %d: buffers %.0f, not %.0f", request_name(r), ranks, large, want);
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
    if (r.node_ranks) r.node_ranks = 1;
    pfft3d_explanation x = explain(&r, 65536);   /* one plane each for a quarter of the ranks */
    int direct = pf_exchange_find(algo)->direct; /* sends nothing */
    double size = direct ? 0 : 262144;
    CHECK(x.messages == (direct ? 0 : 16383) && x.bytes_min == size && x.bytes_max == size,
          "%s: %g of %g", algo, x.messages, x.bytes_max);
    CHECK(x.idle_ranks == 49152, "%s: %d idle ranks", algo, x.idle_ranks);
    CHECK(x.user_bytes == 16.0 * 16384 * 16384, "%s: %g bytes", algo, x.user_bytes);
  }
}

/* The same on nodes of 64: those of 256 nodes hold a plane each, and what 64 of them have for 64
 * others is 1 GiB.  Every rank speaks with 4 nodes, one of a node with 3 besides its own. */
static void test_far_nodes(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){16384, 16384, 16384}, "slab", "node", "auto", PFFT3D_TRANSPOSED);
  double gib = (double)(1 << 30);
  r.node_ranks = 64;
  pfft3d_explanation x = explain(&r, 65536);
  CHECK(x.messages == 4 && x.bytes == 4 * gib && x.bytes_min == gib && x.bytes_max == gib,
        "%g messages, %g bytes, %g to %g", x.messages, x.bytes, x.bytes_min, x.bytes_max);
  r.node_ranks = 128; /* two messages' worth, in portions, for each pair of 128 nodes */
  x = explain(&r, 65536);
  CHECK(x.messages == 4 && x.bytes == 4 * gib && x.bytes_min == gib && x.bytes_max == gib,
        "%g messages, %g bytes, %g to %g", x.messages, x.bytes, x.bytes_min, x.bytes_max);
  r.node_ranks = 65536;
  x = explain(&r, 65536);
  CHECK(x.messages == 0 && x.bytes == 0, "%g messages inside a node", x.messages);
}

/* Nodes that hold unlike numbers of ranks and of planes, and rows of a grid that go across nodes:
 * the sum over all ranks of what a dry run says of each is what leaves the nodes, by boxes. */
static void test_node_bytes(void) {
  static const int grid[][2] = {{7, 1}, {1, 7}, {3, 2}, {2, 4}, {4, 3}};
  pfft3d_request r =
      make_request((ptrdiff_t[]){11, 7, 9}, "pencil", "node", "auto", PFFT3D_TRANSPOSED);
  for (size_t g = 0; g < sizeof grid / sizeof *grid; g++)
    for (r.node_ranks = 1; r.node_ranks <= 5; r.node_ranks++) {
      memcpy(r.decision.grid, grid[g], sizeof grid[g]);
      int p1 = grid[g][0], p2 = grid[g][1], ranks = p1 * p2 + (int)g % 2;
      double sum = 0, want = 0;
      for (int me = 0; me < ranks; me++) {
        pf_geometry o;
        pfft3d_error e;
        pf_error_clear(&e);
        CHECK(!pf_complete_geometry(&r, ranks, me, &o, &e), "%s", e.text);
        sum += o.pipeline[PFFT3D_FORWARD].messages.bytes;
      }
      for (int s = 0; s < p1 * p2; s++)
        for (int d = 0; d < p1 * p2; d++) {
          double third = 16.0;
          if (s / r.node_ranks == d / r.node_ranks) continue;
          if (s / p2 == d / p2) { /* a row of the grid: axis 1 to 2 */
            third *= share(11, p1, s / p2);
            want += third * share(7, p2, s % p2) * share(9, p2, d % p2);
          }
          if (s % p2 == d % p2) { /* a column: axis 0 to 1 */
            third = 16.0 * share(9, p2, s % p2);
            want += third * share(11, p1, s / p2) * share(7, p1, d / p2);
          }
        }
      CHECK(sum == want, "%s on %d: %g bytes in all, by hand %g", request_name(&r), ranks, sum,
            want);
    }
}

/* 16384^3 on 65536 ranks.  Slabs: one plane each for a quarter of the ranks.  Pencils on 256 x 256:
 * 64 x 64 lines each.  Complex: 255 messages of 64 x 64 x 64 elements, 4 MiB, in each of the two
 * exchanges; arrays of 2^26 elements.  Real: 8193 elements along axis 2, of which the first of 256
 * columns has 33 and the others 32: messages of 64 x 64 x 33 or 32 elements.  A rank of the first
 * column sends most, 255 short ones in its row and 255 long ones in its column; its spectrum, 64 x
 * 16384 x 33, is larger than its field. */
static void test_far_pencils(void) {
  for (int kind = 0; kind < 2; kind++) {
    pfft3d_request r = make_request((ptrdiff_t[]){16384, 16384, 16384}, "pencil", "packed", "auto",
                                    PFFT3D_TRANSPOSED);
    r.problem.kind = (pfft3d_kind)kind;
    r.decision.grid[0] = r.decision.grid[1] = 256;
    pfft3d_explanation x = explain(&r, 65536);
    double least = kind ? 16.0 * 64 * 64 * 32 : 4194304, most = kind ? 16.0 * 64 * 64 * 33 : least;
    CHECK(x.messages == 510 && x.bytes == 255 * (least + most) && x.bytes_min == least &&
              x.bytes_max == most,
          "%s: %g messages, %g bytes, %g to %g", request_name(&r), x.messages, x.bytes, x.bytes_min,
          x.bytes_max);
    CHECK(x.idle_ranks == 0 && x.exchanges == 2, "%s: %d idle ranks, %d exchanges",
          request_name(&r), x.idle_ranks, x.exchanges);
    CHECK(x.user_bytes == (kind ? 16.0 * 64 * 16384 * 33 : 16.0 * 64 * 64 * 16384), "%s: %g bytes",
          request_name(&r), x.user_bytes);
  }
}

/* Real slabs: messages are rows of 8193 complex numbers, the spectrum is larger than the field. */
static void test_far_real(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){16384, 16384, 16384}, "slab", "packed", "auto", PFFT3D_TRANSPOSED);
  r.problem.kind = PFFT3D_R2C;
  pfft3d_explanation x = explain(&r, 65536);
  CHECK(x.messages == 16383 && x.bytes_min == 131088 && x.bytes_max == 131088 &&
            x.bytes == 16383.0 * 131088,
        "%g messages of %g to %g bytes", x.messages, x.bytes_min, x.bytes_max);
  CHECK(x.idle_ranks == 49152 && x.user_bytes == 16.0 * 16384 * 8193, "%d idle ranks, %g bytes",
        x.idle_ranks, x.user_bytes);
}

/* More ranks than planes: left alone, the decision is for pencils, and leaves none of them idle. */
static void test_far_auto(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){16384, 16384, 16384}, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  pfft3d_explanation x = explain(&r, 65536);
  CHECK(!strcmp(x.decision.scheme, "pencil") && x.idle_ranks == 0 &&
            x.decision.grid[0] * x.decision.grid[1] == 65536,
        "%s on %dx%d, %d idle ranks", x.decision.scheme, x.decision.grid[0], x.decision.grid[1],
        x.idle_ranks);
}

/* A second for each of them is what a user waits without wondering. */
static void test_far_time(void) {
  for (int k = 0; k < 4; k++) {
    pfft3d_request r = make_request((ptrdiff_t[]){16384, 16384, 16384}, k % 2 ? "pencil" : "slab",
                                    "auto", "auto", PFFT3D_TRANSPOSED);
    r.problem.kind = (pfft3d_kind)(k / 2);
    if (k % 2) r.decision.grid[0] = r.decision.grid[1] = 256;
    clock_t before = clock(); /* of this process: other tests run beside it */
    explain(&r, 65536);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    CHECK(seconds <= 1, "%s on 65536 ranks took %.2f s", request_name(&r), seconds);
  }
}

static void test_boxes(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){7, 5, 3}, "slab", "auto", "auto", PFFT3D_TRANSPOSED);
  pfft3d_box box = {.lo = {0, 0, 0}};
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
  int status = pfft3d_explain(r, ranks, &x, sizeof x, &e);
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
  r = make_request((ptrdiff_t[]){4, 4, 4}, "pencil", "auto", "auto", PFFT3D_NATURAL);
  r.decision.grid[0] = 3;
  r.decision.grid[1] = 2;
  check_refused(&r, 5, PFFT3D_ERR_USAGE); /* more places than ranks */
  r.decision.grid[1] = -1;
  check_refused(&r, 5, PFFT3D_ERR_USAGE);
  r.decision.grid[1] = 0;
  r.problem.batch = -1;
  check_refused(&r, 5, PFFT3D_ERR_USAGE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_literature();
  test_slab_counts();
  test_pencil_counts();
  test_tiling();
  test_memory();
  test_far();
  test_far_nodes();
  test_node_bytes();
  test_far_pencils();
  test_far_real();
  test_far_auto();
  test_far_time();
  test_boxes();
  test_refusals();
  return check_result();
}
