/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Making plans: bad requests and ranks that disagree are refused with one status and one text on
 * all ranks; nothing is left behind; several plans live side by side.
 *
 * MPI objects are counted through MPI's profiling interface: the functions below stand before the
 * library's own and pass the call on. */
#include <limits.h>
#include <math.h>

#include "allocations.h"
#include "request/keys.h"

/* ---- counting MPI objects ---- */

static long comms, types, windows;

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *new) {
  comms++;
  return PMPI_Comm_dup(comm, new);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *new) {
  comms += color != MPI_UNDEFINED;
  return PMPI_Comm_split(comm, color, key, new);
}
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *new) {
  comms += kind != MPI_UNDEFINED;
  return PMPI_Comm_split_type(comm, kind, key, info, new);
}
int MPI_Comm_free(MPI_Comm *comm) {
  comms--;
  return PMPI_Comm_free(comm);
}
int MPI_Type_create_hindexed(int count, const int length[], const MPI_Aint at[], MPI_Datatype old,
                             MPI_Datatype *type) {
  types++;
  return PMPI_Type_create_hindexed(count, length, at, old, type);
}
int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *new) {
  types++;
  return PMPI_Type_contiguous(count, old, new);
}
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *new) {
  types++;
  return PMPI_Type_vector(count, length, stride, old, new);
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old,
                            MPI_Datatype *new) {
  types++;
  return PMPI_Type_create_hvector(count, length, stride, old, new);
}
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lo, MPI_Aint extent, MPI_Datatype *new) {
  types++;
  return PMPI_Type_create_resized(old, lo, extent, new);
}
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint at[], MPI_Datatype old,
                                   MPI_Datatype *new) {
  types++;
  return PMPI_Type_create_hindexed_block(count, length, at, old, new);
}
int MPI_Type_create_struct(int count, const int length[], const MPI_Aint at[],
                           const MPI_Datatype old[], MPI_Datatype *new) {
  types++;
  return PMPI_Type_create_struct(count, length, at, old, new);
}
int MPI_Type_free(MPI_Datatype *type) {
  types--;
  return PMPI_Type_free(type);
}

static long windows_to_come = LONG_MAX; /* then there are no more */

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
                     MPI_Win *win) {
  if (windows_to_come-- <= 0) return MPI_ERR_WIN;
  windows++;
  return PMPI_Win_allocate(size, unit, info, comm, base, win);
}
int MPI_Win_free(MPI_Win *win) {
  windows--;
  return PMPI_Win_free(win);
}

static int world_rank, world_ranks;

/* ---- refusals ---- */

/* Collective. Makes a plan that must be refused with a status and these words in its text (NULL:
 * any), the same everywhere, leaving nothing behind. */
static void refused(MPI_Comm comm, const pfft3d_request *r, int want, const char *words) {
  struct {
    int status;
    pfft3d_error e;
  } mine, root;
  pfft3d_plan *plan = (pfft3d_plan *)&mine; /* must become NULL */
  long comms_before = comms, types_before = types, windows_before = windows;
  memset(&mine, 0, sizeof mine);
  mine.status = pfft3d_plan_create(comm, r, &plan, &mine.e);
  CHECK(!plan, "%s: a plan in spite of status %d", request_name(r), mine.status);
  CHECK(mine.status == want && mine.e.status == want, "%s: status %d (%d in the error), not %d: %s",
        request_name(r), mine.status, mine.e.status, want, mine.e.text);
  CHECK(!words || strstr(mine.e.text, words), "%s: text '%s' does not say '%s'", request_name(r),
        mine.e.text, words);
  CHECK(!strchr(mine.e.text, '\n') && strstr(mine.e.text, ": "), "text '%s' is not 'what: why'",
        mine.e.text);
  root = mine;
  MPI_Bcast(&root, (int)sizeof root, MPI_BYTE, 0, comm);
  CHECK(!memcmp(&root, &mine, sizeof root), "rank %d says '%s' (%d), rank 0 '%s' (%d)", world_rank,
        mine.e.text, mine.status, root.e.text, root.status);
  CHECK(comms == comms_before && types == types_before, "%s: %ld communicators and %ld types left",
        request_name(r), comms - comms_before, types - types_before);
  CHECK(windows == windows_before, "%s: %ld windows left", request_name(r),
        windows - windows_before);
}

static pfft3d_request small(void) {
  return make_request((ptrdiff_t[]){6, 5, 4}, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
}

static void test_sizes(void) {
  static const ptrdiff_t bad[][3] = {{0, 5, 4},  {6, 0, 4},           {6, 5, 0},
                                     {-1, 5, 4}, {6, PTRDIFF_MIN, 4}, {6, 5, -4}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    pfft3d_request r = make_request(bad[k], "auto", "auto", "auto", (pfft3d_order)(k % 2));
    refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "1 or more");
  }
  for (int power = 21; power <= 62; power++) { /* 2^63 elements and more */
    ptrdiff_t n = (ptrdiff_t)1 << power;
    pfft3d_request r = make_request((ptrdiff_t[]){n, n, n}, "auto", "auto", "auto", PFFT3D_NATURAL);
    if (power > 22 && power < 60) continue;
    refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, NULL);
  }
  /* 2^60 elements are countable, their bytes on so few ranks are not. */
  ptrdiff_t n = (ptrdiff_t)1 << 20;
  pfft3d_request r = make_request((ptrdiff_t[]){n, n, n}, "auto", "auto", "auto", PFFT3D_NATURAL);
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_UNAVAILABLE, "64 bits");
}

/* The distance of fields of a batch: to the byte where sums would begin again at 0. */
static void test_distance(void) {
  for (int less = 0; less < 2; less++) {
    pfft3d_request r = make_request((ptrdiff_t[]){8, 8, 8}, "auto", "auto", "auto", PFFT3D_NATURAL);
    r.problem.batch = 16;
    r.array[PFFT3D_SPACE].distance = 76861433640456465 - 65 * less;
    refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_UNAVAILABLE, "64 bits");
  }
}

/* Countable, but 4 PiB: refused before anything is allocated, with both figures. */
static void test_memory(void) {
  ptrdiff_t n = (ptrdiff_t)1 << 16;
  pfft3d_error e;
  pfft3d_plan *plan;
  for (int order = 0; order < 2; order++) {
    pfft3d_request r =
        make_request((ptrdiff_t[]){n, n, n}, "auto", "slabs", "auto", (pfft3d_order)order);
    refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_MEMORY, "PiB");
    pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e);
    int figures = 0;
    for (const char *at = e.text; (at = strstr(at, "iB")); at++) figures++;
    CHECK(figures == 2, "%d figures in '%s'", figures, e.text);
    CHECK(e.hint[0] && e.ranks == world_ranks && e.rank >= 0 && e.rank < world_ranks && e.host[0],
          "rank %d of %d on '%s', hint '%s'", e.rank, e.ranks, e.host, e.hint);
  }
}

static void test_names(void) {
  pfft3d_request r = small();
  strcpy(r.decision.algo, "none such");
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "none such");
  r = small();
  strcpy(r.decision.scheme, "none such");
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "none such");
  r = small();
  strcpy(r.decision.engine, "none such");
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "none such");
  r = small();
  r.decision.order = (pfft3d_order)5;
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "order");
  r = small();
  r.problem.kind = (pfft3d_kind)9;
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "kind");
  r = small();
  r.problem.precision = (pfft3d_precision)9;
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "precision");
  r = make_request((ptrdiff_t[]){4099, 2, 2}, "auto", "auto", "naive", PFFT3D_NATURAL);
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_UNAVAILABLE, "naive");
}

/* Threads, where MPI was initialised by MPI_Init(), without thread support. */
/* Factors that the plan's numbers cannot represent, or not with all digits. */
static void test_scales(void) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e-310, 1e39, -1e-40};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    for (int precision = k < 4 ? PFFT3D_DOUBLE : PFFT3D_SINGLE; precision <= PFFT3D_SINGLE;
         precision++)
      for (int dims = 1; dims < 4; dims += 2) {
        pfft3d_request r = small();
        r.problem.dims = dims;
        if (dims == 1) r.problem.n[0] = r.problem.n[1] = 1;
        r.problem.precision = (pfft3d_precision)precision;
        r.scale[k % 2] = bad[k];
        refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_USAGE, "scale");
      }
}

static void test_threads(void) {
  pfft3d_request r = small();
  r.threads = 2;
  refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_UNAVAILABLE, "threads");
}

/* MPI has no windows, or no more of them: natural order takes two where there are other ranks. */
static void test_windows(void) {
  pfft3d_request r = make_request((ptrdiff_t[]){6, 5, 4}, "slab", "rma", "auto", PFFT3D_NATURAL);
  for (long few = 0; few < (world_ranks > 1 ? 2 : 1); few++) {
    windows_to_come = few;
    refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_UNAVAILABLE, "MPI_Win_allocate: ");
  }
  windows_to_come = LONG_MAX;
}

/* Another value of each key, and of what functions set. */
static const char *const other[][2] = {{"problem", "r2c:d:6x5x4"},
                                       {"type", "r2c"},
                                       {"precision", "single"},
                                       {"size", "6x5x3"},
                                       {"dims", "3"},
                                       {"batch", "2"},
                                       {"layout", "cyclic"},
                                       {"out-layout", "cyclic"},
                                       {"padded", "yes"},
                                       {"decomp", "slab"},
                                       {"method", "transpose"},
                                       {"pgrid", "1x1"},
                                       {"cuts", "ceil"},
                                       {"bricks", "1x1x1"},
                                       {"kind", "dft,dct2,dft"},
                                       {"sign", "+1"},
                                       {"keep", "2,2,2"},
                                       {"split", "4x4"},
                                       {"exchange", "pencils"},
                                       {"chunk", "4096"},
                                       {"local", "auto"},
                                       {"engine", "naive"},
                                       {"device", "0"},
                                       {"order", "natural"},
                                       {"threads", "2"},
                                       {"wire", "single"},
                                       {"wisdom", "none"},
                                       {"deterministic", "yes"},
                                       {"joined", "yes"},
                                       {"node-ranks", "1"},
                                       {"plan-budget", "1e-9"}};
enum { OTHER = sizeof other / sizeof *other };

/* Sets a key to this value, or a member that functions set; returns the word of the message. */
static const char *set_other(pfft3d_request *r, const pf_key *k) {
  for (int i = 0; i < OTHER && k->read; i++)
    if (!strcmp(other[i][0], k->name)) {
      CHECK(!pfft3d_request_set(r, k->name, other[i][1], NULL), "%s", k->name);
      return k->flags & PF_KEY_PROBLEM    ? "problem"
             : !strcmp(k->name, "method") ? "decomp"
                                          : k->name;
    }
  if (!strcmp(k->name, "scales")) r->scale[1] = 0.5;
  if (!strcmp(k->name, "field-array")) r->array[0].below[1] = 1;
  if (!strcmp(k->name, "spectrum-array")) r->array[1].every = 2;
  if (!strcmp(k->name, "boxes")) r->boxed[0] = 1;
  if (!strcmp(k->name, "machine")) r->machine.memory = nextafter(r->machine.memory, 0);
  if (!strcmp(k->name, "wisdom-given")) r->wisdom_required = 1;
  return strcmp(k->name, "all-cuts") ? k->name : NULL; /* which `cuts` is before */
}

/* One rank, each in turn, wishes for something else. */
static void test_disagreement(void) {
  for (const pf_key *k = pf_keys; k->name; k++) {
    pfft3d_request r = small(), unlike = r;
    r.machine.memory = unlike.machine.memory = 1e10;
    if (k->flags & PF_KEY_HIDDEN || !strcmp(k->name, "dims")) continue; /* follows from the size */
    const char *word = set_other(&unlike, k);
    for (int odd = 0; odd < world_ranks && word && world_ranks > 1; odd++)
      refused(MPI_COMM_WORLD, world_rank == odd ? &unlike : &r, PFFT3D_ERR_INTERNAL, word);
    pf_cut_wish_drop(&unlike.cuts);
  }
  for (int odd = 0; odd < world_ranks && world_ranks > 1; odd++) { /* one of them is wrong, too */
    pfft3d_request r = small();
    if (world_rank == odd) r.problem.n[1] = -7;
    refused(MPI_COMM_WORLD, &r, PFFT3D_ERR_INTERNAL, "problem");
  }
}

/* ---- life ---- */

/* Many plans in turn, of every exchange and order: no communicator, type or piece of memory stays.
 * Those of the library are counted; what MPI and FFTW take, in chunks, test_cycles bounds. */
static void test_cycles(int cycles) {
  pfft3d_error e;
  long live = memory.live;
  for (int k = 0; k < cycles;) {
    FOR_LIST(PFFT3D_EXCHANGES, algo)
    for (int order = 0; order < 2; order++, k++) {
      pfft3d_request r =
          make_request((ptrdiff_t[]){4, 3, 2}, "auto", algo, "auto", (pfft3d_order)order);
      pfft3d_plan *plan;
      CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e), "cycle %d: %s", k, e.text);
      pfft3d_plan_destroy(&plan);
      CHECK(memory.live == live, "cycle %d, %s: %ld pieces of memory are left", k, request_name(&r),
            memory.live - live);
    }
  }
  CHECK(comms == 0, "%ld communicators left", comms);
  CHECK(types == 0, "%ld types left", types);
  CHECK(windows == 0, "%ld windows left", windows);
}

/* Executes a plan of 1 at the origin: the spectrum is 1 everywhere. */
static void check_impulse(pfft3d_plan *plan, const char *what) {
  pfft3d_box box;
  size_t space = pfft3d_plan_elements(plan, PFFT3D_SPACE);
  size_t spectrum = pfft3d_plan_elements(plan, PFFT3D_SPECTRUM);
  double *in = calloc(2 * space, sizeof *in), *out = calloc(2 * spectrum, sizeof *out);
  int rank, wrong = 0;
  pfft3d_plan_box(plan, PFFT3D_SPACE, world_rank, &box);
  if (!box.lo[0] && !box.lo[1] && !box.lo[2] && box_elements(&box)) in[0] = 1;
  CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, in, out), "%s", what);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &box);
  for (ptrdiff_t i = 0; i < box_elements(&box); i++)
    wrong += !(fabs(out[2 * i] - 1) < 1e-14 && fabs(out[2 * i + 1]) < 1e-14);
  CHECK(!wrong, "%s: %d wrong numbers", what, wrong);
  free(in);
  free(out);
}

/* Plans of different grids and exchanges, used in turn, destroyed in another order; the
 * communicator they were made from is freed at once. */
static void test_side_by_side(void) {
  enum { PLANS = 9 };
  static const ptrdiff_t grid[][3] = {{6, 5, 4}, {5, 6, 7}, {3, 1, 9}};
  pfft3d_plan *plan[PLANS];
  const char *algo[20];
  int algos = 0;
  FOR_LIST(PFFT3D_EXCHANGES, name) if (algos < 20) algo[algos++] = name;
  for (int k = 0; k < PLANS; k++) {
    MPI_Comm comm;
    pfft3d_request r =
        make_request(grid[k % 3], "auto", algo[k % algos], "auto", (pfft3d_order)(k / 3 % 2));
    pfft3d_decision d;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    plan[k] = make_plan(comm, &r);
    MPI_Comm_free(&comm);
    pfft3d_plan_decision(plan[k], &d);
    CHECK(!strcmp(d.algo, r.decision.algo) && d.order == r.decision.order &&
              strcmp(d.scheme, "auto") && strcmp(d.engine, "auto"),
          "decision of plan %d", k);
  }
  for (int round = 0; round < 2; round++)
    for (int k = 0; k < PLANS; k++) check_impulse(plan[(k * 5 + round) % PLANS], "side by side");
  for (int k = 0; k < PLANS; k++) {
    pfft3d_plan_destroy(&plan[(k * 5 + 2) % PLANS]);
    for (int left = k + 1; left < PLANS; left++)
      check_impulse(plan[(left * 5 + 2) % PLANS], "after others were destroyed");
  }
}

/* More ranks on a node than there are: one node. */
static void test_large_nodes(void) {
  static const char *const words[] = {"exchange=slabs local=stores", "exchange=node",
                                      "exchange=packed local=auto"};
  for (int k = 0; k < 3; k++) {
    pfft3d_plan *plan[2];
    int status[2], nodes[2] = {world_ranks, INT_MAX};
    char text[120];
    pfft3d_error e;
    for (int i = 0; i < 2; i++) {
      snprintf(text, sizeof text, "c2c:d:16x16x16 decomp=slab %s node-ranks=%d", words[k],
               nodes[i]);
      status[i] = pfft3d_plan_create_text(MPI_COMM_WORLD, text, &plan[i], &e);
    }
    CHECK(status[0] == status[1], "%s: %d, not %d: %s", text, status[1], status[0], e.text);
    if (!status[1]) check_impulse(plan[1], text);
    for (int i = 0; i < 2; i++) pfft3d_plan_destroy(&plan[i]);
  }
}

static void test_odds(void) {
  pfft3d_plan *plan = NULL;
  pfft3d_box box;
  pfft3d_request r = small();
  pfft3d_plan_destroy(&plan); /* NULL is allowed */
  CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, NULL) && plan, "without an error");
  CHECK(pfft3d_plan_box(plan, PFFT3D_SPACE, -1, &box) == PFFT3D_ERR_USAGE, "rank -1");
  CHECK(pfft3d_plan_box(plan, PFFT3D_SPACE, world_ranks, &box) == PFFT3D_ERR_USAGE, "rank P");
  CHECK(pfft3d_plan_box(plan, (pfft3d_side)3, 0, &box) == PFFT3D_ERR_USAGE, "side 3");
  pfft3d_plan_destroy(&plan);
  CHECK(!plan, "not NULL after it was destroyed");
  r.problem.n[0] = 0;
  CHECK(pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, NULL) == PFFT3D_ERR_USAGE && !plan,
        "a bad request without an error");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  long before[2] = {comms, types};
  test_odds();
  test_sizes();
  test_distance();
  test_memory();
  test_names();
  test_scales();
  test_threads();
  test_windows();
  test_disagreement();
  test_side_by_side();
  test_large_nodes();
  CHECK(comms == before[0] && types == before[1], "%ld communicators, %ld types left", comms,
        types);
  test_cycles(3000 / world_ranks);
  return check_result();
}
