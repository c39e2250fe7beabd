/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The strings that name problems and decisions: what is printed is read back, what is wrong is
 * refused with words and changes nothing. */
#include "support.h"

static void test_problems(void) {
  static const ptrdiff_t size[] = {1, 2, 512, 1000003, PTRDIFF_MAX};
  char text[100];
  static const ptrdiff_t batch[] = {1, 2, 8, 1048576, PTRDIFF_MAX};
  for (int k = 0; k < 4 * 125; k++) {
    pfft3d_problem p = {.n = {size[k / 25 % 5], size[k / 5 % 5], size[k % 5]}}, q;
    p.kind = (pfft3d_kind)(k / 125 % 2);
    p.precision = (pfft3d_precision)(k / 250);
    p.batch = batch[k / 3 % 5];
    p.dims = k % 4;
    for (int a = 0; p.dims && a < 3 - p.dims; a++) p.n[a] = 1;
    memset(&q, 0x55, sizeof q);
    CHECK(pfft3d_problem_print(&p, text, sizeof text) == text, "print returns its buffer");
    CHECK(!pfft3d_problem_parse(text, &q, NULL), "%s", text);
    CHECK(q.kind == p.kind && q.precision == p.precision && !memcmp(p.n, q.n, sizeof p.n) &&
              q.batch == p.batch && q.dims == (p.dims ? p.dims : 3),
          "%s", text);
  }
  pfft3d_problem p = {.n = {512, 256, 128}}; /* a batch of 0 means 1 */
  CHECK(!strcmp(pfft3d_problem_print(&p, text, sizeof text), "c2c:d:512x256x128"), "%s", text);
  for (size_t room = 1; room < 18; room++) { /* never beyond the room given, always ended */
    memset(text, '#', sizeof text);
    pfft3d_problem_print(&p, text, room);
    CHECK(strlen(text) == room - 1 && text[room] == '#', "room for %zu: '%.20s'", room, text);
  }
}

/* Strings and what they mean. */
static void test_known_problems(void) {
  static const struct {
    const char *text;
    pfft3d_problem p;
    const char *printed; /* NULL: as it is */
  } known[] = {
      {"r2c:d:4x5x6", {PFFT3D_R2C, PFFT3D_DOUBLE, {4, 5, 6}, 1, 3, {0}, {0}, 0, {0}}, NULL},
      {"c2c:s:1x2x3*8", {PFFT3D_C2C, PFFT3D_SINGLE, {1, 2, 3}, 8, 3, {0}, {0}, 0, {0}}, NULL},
      {"r2c:s:1x1x1*2", {PFFT3D_R2C, PFFT3D_SINGLE, {1, 1, 1}, 2, 3, {0}, {0}, 0, {0}}, NULL},
      {"c2c:d:7x1x9*1",
       {PFFT3D_C2C, PFFT3D_DOUBLE, {7, 1, 9}, 1, 3, {0}, {0}, 0, {0}},
       "c2c:d:7x1x9"},
      {"c2c:d:1048576", {PFFT3D_C2C, PFFT3D_DOUBLE, {1, 1, 1048576}, 1, 1, {0}, {0}, 0, {0}}, NULL},
      {"r2c:s:512x5", {PFFT3D_R2C, PFFT3D_SINGLE, {1, 512, 5}, 1, 2, {0}, {0}, 0, {0}}, NULL},
      {"c2c:d:5x5*2", {PFFT3D_C2C, PFFT3D_DOUBLE, {1, 5, 5}, 2, 2, {0}, {0}, 0, {0}}, NULL},
      {"r2c:d:4x5x6:dct2,none,dft",
       {PFFT3D_R2C,
        PFFT3D_DOUBLE,
        {4, 5, 6},
        1,
        3,
        {PFFT3D_DCT2, PFFT3D_NONE, PFFT3D_DFT},
        {0},
        0,
        {0}},
       NULL},
      {"c2c:s:5x6*3:dst1",
       {PFFT3D_C2C,
        PFFT3D_SINGLE,
        {1, 5, 6},
        3,
        2,
        {PFFT3D_DFT, PFFT3D_DST1, PFFT3D_DST1},
        {0},
        0,
        {0}},
       "c2c:s:5x6*3:dst1,dst1"},
      {"c2c+:d:5x5x5", {PFFT3D_C2C, PFFT3D_DOUBLE, {5, 5, 5}, 1, 3, {0}, {0}, 1, {0}}, NULL},
      {"r2c:d:9x6x5/6x4x3*2:dct2,dft,dft",
       {PFFT3D_R2C, PFFT3D_DOUBLE, {9, 6, 5}, 2, 3, {PFFT3D_DCT2}, {6, 4, 3}, 0, {0}},
       NULL},
      {"c2c:d:5x5x5:dft",
       {PFFT3D_C2C, PFFT3D_DOUBLE, {5, 5, 5}, 1, 3, {0}, {0}, 0, {0}},
       "c2c:d:5x5x5"},
      {"c2c:d:1x1x64", {PFFT3D_C2C, PFFT3D_DOUBLE, {1, 1, 64}, 1, 3, {0}, {0}, 0, {0}}, NULL},
  };
  char text[100];
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    pfft3d_problem p;
    const pfft3d_problem *want = &known[k].p;
    memset(&p, 0x55, sizeof p);
    CHECK(!pfft3d_problem_parse(known[k].text, &p, NULL), "%s", known[k].text);
    CHECK(p.kind == want->kind && p.precision == want->precision && p.batch == want->batch &&
              p.dims == want->dims && !memcmp(p.n, want->n, sizeof p.n),
          "%s", known[k].text);
    CHECK(!strcmp(pfft3d_problem_print(&p, text, sizeof text),
                  known[k].printed ? known[k].printed : known[k].text),
          "%s printed as %s", known[k].text, text);
  }
}

static const char *const bad_problem[] = {"",
                                          "c2c",
                                          "c2c:",
                                          "c2c:d",
                                          "c2c:d:",
                                          "c2c:d:5x5x",
                                          "c2c:d:5x5x5x",
                                          "c2c:d:5x5x5:",
                                          "c2c:d:5x5x5:dct2,dct2",
                                          "c2c:d:5x5:dct2,dct2,dct2",
                                          "c2c:d:5x5x5:dct5",
                                          "c2c:d:5x5x5:dct2,",
                                          "c2c:d:5x5x5:dct2*2",
                                          "c2c:d:5x5x5x5",
                                          "c2c:d:5x5x5 ",
                                          " c2c:d:5x5x5",
                                          "c2c:d: 5x5x5",
                                          "c2c:d:5 x5x5",
                                          "c2c:d:0x5x5",
                                          "c2c:d:5x0x5",
                                          "c2c:d:5x5x0",
                                          "c2c:d:-5x5x5",
                                          "c2c:d:+5x5x5",
                                          "c2c:d:5x5x-1",
                                          "c2c:d:5x5x5.0",
                                          "c2c:d:5e1x5x5",
                                          "c2c:d:0x5x5x5",
                                          "c2c:d:xx",
                                          "c2c:d:5xx5",
                                          "c2c:d:x5x5",
                                          "c2c:d:5X5X5",
                                          "c2c:d:5x5x9223372036854775808",
                                          "c2c:d:99999999999999999999x1x1",
                                          "c2c:h:5x5x5",
                                          "c2c:x:5x5x5",
                                          "r2r:d:5x5x5",
                                          "c2r:d:5x5x5",
                                          "R2C:d:5x5x5",
                                          "r2c:h:5x5x5",
                                          "r2c:d:5x5x0",
                                          "r2cd:5x5x5",
                                          "r2c:d:5x5x5*",
                                          "r2c:d:5x5x5*0",
                                          "r2c:d:5x5x5*-1",
                                          "r2c:d:5x5x5*+1",
                                          "r2c:d:5x5x5**2",
                                          "r2c:d:5x5x5* 2",
                                          "r2c:d:5x5x5 *2",
                                          "r2c:d:5x5x5*2 ",
                                          "c2c:d:5x5x5*2x",
                                          "c2c:d:5x5x5*2*3",
                                          "c2c:d:5x5*2x5",
                                          "c2c:d:8*5x5x5",
                                          "c2c:d:5x5x5x2",
                                          "c2c:d:5x5x5*9223372036854775808",
                                          "c2c:d:5x5x5*1.5",
                                          "C2C:d:5x5x5",
                                          "c2c:D:5x5x5",
                                          "d:5x5x5",
                                          "5x5x5",
                                          "c2c:d:5x5x5\n",
                                          "c2c:d:\t5x5x5",
                                          "c2c:d:5x5x5junk",
                                          "c2c:d:nanx5x5"};

static void test_bad_problems(void) {
  for (size_t k = 0; k < sizeof bad_problem / sizeof *bad_problem; k++) {
    pfft3d_problem p, before;
    pfft3d_error e;
    memset(&p, 0x55, sizeof p);
    before = p;
    memset(&e, 0x55, sizeof e);
    int status = pfft3d_problem_parse(bad_problem[k], &p, &e);
    CHECK(status == PFFT3D_ERR_USAGE && e.status == status, "'%s': status %d", bad_problem[k],
          status);
    CHECK(!memcmp(&p, &before, sizeof p), "'%s' changed the problem", bad_problem[k]);
    CHECK(strstr(e.text, ": ") && !strchr(e.text, '\n'), "'%s': text '%s' is no line",
          bad_problem[k], e.text);
    CHECK(pfft3d_problem_parse(bad_problem[k], &p, NULL) == status, "'%s' without an error",
          bad_problem[k]);
  }
}

/* Every combination of registered names and auto. */
static void test_decisions(void) {
  char text[200];
  const char *list[3][20] = {{NULL}};
  for (int l = 0; l < 3; l++) {
    int i = 0;
    const char *summary = NULL;
    for (; i < 18 && pfft3d_list_name((pfft3d_list)l, i, &summary); i++) {
      list[l][i] = pfft3d_list_name((pfft3d_list)l, i, NULL);
      CHECK(summary && summary[0], "%s has no summary", list[l][i]);
      CHECK(strlen(list[l][i]) < 16 && strcmp(list[l][i], "auto"), "name '%s'", list[l][i]);
    }
    CHECK(i > 0, "list %d is empty", l);
    CHECK(!pfft3d_list_name((pfft3d_list)l, -1, NULL) && !pfft3d_list_name((pfft3d_list)l, i, NULL),
          "list %d has no end", l);
    list[l][i] = "auto";
  }
  for (int a = 0; list[PFFT3D_EXCHANGES][a]; a++)
    for (int b = 0; list[PFFT3D_ENGINES][b]; b++)
      for (int c = 0; list[PFFT3D_SCHEMES][c]; c++)
        for (int order = 0; order < 2; order++) {
          pfft3d_decision d, read;
          pfft3d_request r =
              make_request((ptrdiff_t[]){1, 1, 1}, list[PFFT3D_SCHEMES][c],
                           list[PFFT3D_EXCHANGES][a], list[PFFT3D_ENGINES][b], (pfft3d_order)order);
          d = r.decision;
          memset(&read, 0x55, sizeof read);
          CHECK(pfft3d_decision_print(&d, text, sizeof text) == text, "print returns its buffer");
          CHECK(!pfft3d_decision_parse(text, &read, NULL), "%s", text);
          CHECK(!strcmp(d.scheme, read.scheme) && !strcmp(d.algo, read.algo) &&
                    !strcmp(d.engine, read.engine) && d.order == read.order,
                "%s", text);
        }
}

/* Refused, on one line with what would be right: a list, or these words; the decision stays. */
static void check_bad_decision(const char *bad, const char *words) {
  pfft3d_request r;
  pfft3d_error e;
  pf_request_init(&r);
  pfft3d_decision d = r.decision, before = r.decision;
  int status = pfft3d_decision_parse(bad, &d, &e);
  CHECK(status == PFFT3D_ERR_USAGE && e.status == status, "'%s': status %d", bad, status);
  CHECK(!memcmp(&d, &before, sizeof d), "'%s' changed the decision", bad);
  CHECK((strstr(e.text, words) || strstr(e.text, "valid are")) && !strchr(e.text, '\n'),
        "'%s': text '%s' has no choices", bad, e.text);
}

/* Grids of ranks: printed and read where they say something; slabs have none of their own. */
static void test_grids(void) {
  static const int grid[][2] = {{1, 1}, {4, 2}, {1, 7}, {65536, 3}, {2147483647, 2147483647}};
  static const char *const bad[] = {
      "grid=",      "grid=4",     "grid=4x",    "grid=x2",   "grid=0x2",
      "grid=4x0",   "grid=0x0",   "grid=-4x2",  "grid=4x-2", "grid=+4x2",
      "grid=4x2x1", "grid=4X2",   "grid= 4x2",  "grid=4 x2", "grid=4x 2",
      "grid=4x2,",  "grid=4.0x2", "grid=0x4x2", "grid=axb",  "grid=2147483648x1",
      "grid=4*2",   "grid",       "pencil=4x2", "grid==4x2", "grid=1x99999999999999999999",
      "4x2",        "pencil:4x2"};
  pfft3d_decision d;
  pfft3d_request r;
  char text[200];
  pf_request_init(&r);
  CHECK(r.decision.grid[0] == 0 && r.decision.grid[1] == 0, "a request begins with a grid");
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++)
    for (int open = 0; open < 2; open++) {
      d = r.decision;
      strcpy(d.scheme, open ? "auto" : "pencil");
      memcpy(d.grid, grid[k], sizeof d.grid);
      pfft3d_decision read = r.decision;
      pfft3d_decision_print(&d, text, sizeof text);
      CHECK(!pfft3d_decision_parse(text, &read, NULL) && !memcmp(&read, &d, sizeof d), "%s", text);
    }
  d = r.decision;
  CHECK(!pfft3d_decision_parse("pencil grid=4x2 algo=packed engine=naive order=natural", &d, NULL),
        "a whole decision");
  CHECK(!strcmp(pfft3d_decision_print(&d, text, sizeof text),
                "decomp=pencil pgrid=4x2 exchange=packed engine=naive order=natural"),
        "%s", text);
  CHECK(!pfft3d_decision_parse("chunk=65536", &d, NULL) && d.chunk == 65536 &&
            !strcmp(pfft3d_decision_print(&d, text, sizeof text),
                    "decomp=pencil pgrid=4x2 exchange=packed chunk=65536 engine=naive "
                    "order=natural"),
        "%s", text);
  CHECK(!pfft3d_decision_parse("algo=slabs", &d, NULL) && d.grid[0] == 4 && d.grid[1] == 2,
        "a grid that is left out stays");
  strcpy(d.scheme, "slab");
  CHECK(!strstr(pfft3d_decision_print(&d, text, sizeof text), "grid"), "%s", text);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) check_bad_decision(bad[k], "grid=4x2");
  static const char *const chunk[] = {"chunk=", "chunk=0", "chunk=64K",
                                      "chunk=9223372036854775808"};
  for (size_t k = 0; k < sizeof chunk / sizeof *chunk; k++)
    check_bad_decision(chunk[k], "chunk=65536");
}

/* Parts that are left out stay; aliases; any order of words. */
static void test_partial(void) {
  static const char *const alias[][2] = {
      {"exchange=alltoall", "packed"}, {"exchange=slab", "slabs"}, {"exchange=pencil", "pencils"},
      {"algo=alltoall", "packed"},     {"algo=slab", "slabs"},     {"algo=pencil", "pencils"},
      {"algo=packed", "packed"},       {"algo=slabs", "slabs"},    {"algo=pencils", "pencils"}};
  pfft3d_request r;
  pf_request_init(&r);
  CHECK(!strcmp(r.decision.scheme, "auto") && !strcmp(r.decision.algo, "auto") &&
            !strcmp(r.decision.engine, "auto") && r.decision.order == PFFT3D_NATURAL,
        "%s", request_name(&r));
  CHECK(r.scale[0] == 1 && r.scale[1] == 1 && !r.deterministic && r.problem.n[0] == 1 &&
            r.problem.kind == PFFT3D_C2C && r.problem.batch == 1,
        "init");
  pfft3d_decision d = r.decision;
  for (size_t k = 0; k < sizeof alias / sizeof *alias; k++) {
    CHECK(!pfft3d_decision_parse(alias[k][0], &d, NULL) && !strcmp(d.algo, alias[k][1]), "%s: %s",
          alias[k][0], d.algo);
    CHECK(!strcmp(d.scheme, "auto") && !strcmp(d.engine, "auto"), "%s changed more", alias[k][0]);
  }
  CHECK(!pfft3d_decision_parse("", &d, NULL) && !strcmp(d.algo, "pencils"), "no words");
  CHECK(!pfft3d_decision_parse("  order=natural \t algo=packed\nslab ", &d, NULL), "any order");
  CHECK(d.order == PFFT3D_NATURAL && !strcmp(d.algo, "packed") && !strcmp(d.scheme, "slab"), "%s",
        d.algo);
  CHECK(!pfft3d_decision_parse("order=transposed", &d, NULL) && d.order == PFFT3D_TRANSPOSED &&
            !strcmp(d.algo, "packed"),
        "%s", d.algo);
}

static void test_bad_decisions(void) {
  static const char *const bad[] = {
      "algo=",
      "algo=none",
      "algo=Packed",
      "algo=packe",
      "algo=packedd",
      "algo",
      "algo packed",
      "engine=",
      "engine=fft",
      "engine=alltoall",
      "order=",
      "order=nat",
      "order=transposed1",
      "order",
      "ordering=natural",
      "slabs",
      "packed",
      "alltoall",
      "slab,",
      "slab;algo=packed",
      "algo=packed engine=none",
      "engine=fftw wrong",
      "slab wrong order=natural",
      "algo="
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "aaaaaaaaaaaaaaaa",
      "%s%s%s%n",
      "algo=%n%s",
      "slab=1",
      "=",
      "algo==packed"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) check_bad_decision(bad[k], "valid are");
}

/* One dimension has methods, which print as such. */
static void test_methods(void) {
  pfft3d_request r;
  char text[200];
  pf_request_init(&r);
  pfft3d_decision d = r.decision;
  const char *printed = "method=transpose split=4096x2048 exchange=slabs engine=simd order=natural";
  CHECK(!pfft3d_decision_parse(printed, &d, NULL) && !strcmp(d.scheme, "transpose") &&
            d.split[0] == 4096 && d.split[1] == 2048,
        "%s", printed);
  CHECK(!strcmp(pfft3d_decision_print(&d, text, sizeof text), printed), "%s", text);
  d = r.decision;
  CHECK(!pfft3d_decision_parse("transpose split=4096x2048 algo=slab engine=simd order=natural", &d,
                               NULL) &&
            !strcmp(pfft3d_decision_print(&d, text, sizeof text), printed),
        "%s", text);
}

static void test_names(void) {
  char text[40];
  static const int status[] = {0, 64, 65, 66, 69, 70, 71, 73, 74, 75, 76, 77, 78, 79};
  for (size_t k = 0; k < sizeof status / sizeof *status; k++)
    for (size_t j = 0; j < k; j++)
      CHECK(strcmp(pfft3d_status_name(status[k]), pfft3d_status_name(status[j])), "%d and %d",
            status[k], status[j]);
  CHECK(pfft3d_status_name(12345) && pfft3d_status_name(-1), "a status without a name");
  CHECK(pfft3d_version()[0] >= '0' && pfft3d_version()[0] <= '9', "version %s", pfft3d_version());
  snprintf(text, sizeof text, "%d.%d.%d", PFFT3D_VERSION_MAJOR, PFFT3D_VERSION_MINOR,
           PFFT3D_VERSION_PATCH);
  CHECK(!strcmp(pfft3d_version(), PFFT3D_VERSION) && !strcmp(text, PFFT3D_VERSION),
        "the library is %s, the header %s and %s", pfft3d_version(), PFFT3D_VERSION, text);
  CHECK(pfft3d_build("mpi") && pfft3d_build("mpi")[0], "no word about MPI");
  CHECK(pfft3d_build("fftw") && pfft3d_build("hdf5") && pfft3d_build("compiler"), "build facts");
  CHECK(strstr("avx512 avx2 sse2 neon plain", pfft3d_build("simd")), "vectors: %s",
        pfft3d_build("simd"));
  CHECK(!pfft3d_build("none such"), "a fact about nothing");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_problems();
  test_known_problems();
  test_bad_problems();
  test_decisions();
  test_grids();
  test_partial();
  test_bad_decisions();
  test_methods();
  test_names();
  return check_result();
}
