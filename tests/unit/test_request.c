/* SPDX-License-Identifier: BSD-3-Clause
 * ranks: 1
 * Requests in words: what is set is printed and read back, alone and in any combination; what is
 * wrong is refused with the choices and the nearest one, and changes nothing. */
#include "base/hooks.h"
#include "support.h"

/* A value other than the default for every key that is not a part of the problem. */
static const char *const setting[][2] = {
    {"layout", "cyclic"},     {"out-layout", "cyclic"}, {"padded", "yes"},
    {"decomp", "pencil"},     {"pgrid", "4x2"},          {"split", "64x16"},
    {"exchange", "packed"},   {"chunk", "65536"},       {"engine", "simd"},
    {"order", "transposed"},  {"threads", "3"},         {"wire", "single"},
    {"deterministic", "yes"}, {"joined", "yes"},        {"node-ranks", "4"},
    {"plan-budget", "0.25"}};
enum { SETTINGS = sizeof setting / sizeof *setting };

static pfft3d_request *make(void) {
  pfft3d_request *r = NULL;
  CHECK(!pfft3d_request_create(&r, NULL) && r, "no request");
  return r;
}

/* A copy, and a request that is made of the values of all keys. */
static void test_copy(const pfft3d_request *r, int bits) {
  pfft3d_request *copy = NULL, *again = make();
  char value[80], problem[80];
  CHECK(!pfft3d_request_copy(r, &copy, NULL) && !memcmp(copy, r, sizeof *r), "a copy");
  CHECK(
      !pfft3d_request_set(again, "problem", pfft3d_request_get(r, "problem", problem, 80), NULL) &&
          !strcmp(problem, "r2c:s:7x9*2"),
      "problem %s", problem);
  for (int k = 0; k < SETTINGS; k++) {
    CHECK(pfft3d_request_get(r, setting[k][0], value, sizeof value) == value, "a value");
    CHECK(!(bits >> k & 1) || !strcmp(value, setting[k][1]), "%s '%s'", setting[k][0], value);
    if (value[0]) CHECK(!pfft3d_request_set(again, setting[k][0], value, NULL), "'%s'", value);
  }
  CHECK(!memcmp(again, r, sizeof *r), "a request of all values");
  pfft3d_request_destroy(&copy);
  pfft3d_request_destroy(&again);
}

static void test_round_trips(void) {
  char text[400], again[400];
  for (int bits = 0; bits < 1 << SETTINGS; bits += bits < 64 ? 1 : 61) {
    pfft3d_request *r = make(), *read = make();
    CHECK(!pfft3d_request_set(r, "problem", "r2c:s:7x9*2", NULL), "a problem");
    for (int k = 0; k < SETTINGS; k++)
      if (bits >> k & 1)
        CHECK(!pfft3d_request_set(r, setting[k][0], setting[k][1], NULL), "%s", setting[k][0]);
    CHECK(pfft3d_request_print(r, text, sizeof text) == text, "print returns its buffer");
    for (int k = 0; k < SETTINGS; k++) {
      char word[60];
      snprintf(word, sizeof word, " %s=%s", setting[k][0], setting[k][1]);
      CHECK((strstr(text, word) != NULL) == (bits >> k & 1), "'%s' in '%s'", word, text);
    }
    CHECK(!pfft3d_request_parse(read, text, NULL), "%s", text);
    CHECK(!memcmp(read, r, sizeof *r), "%s", text);
    test_copy(r, bits);
    CHECK(!strcmp(pfft3d_request_print(read, again, sizeof again), text), "%s: %s", text, again);
    pfft3d_request_destroy(&r);
    pfft3d_request_destroy(&read);
    CHECK(!r && !read, "a request that was destroyed is not NULL");
  }
}

static void test_words(void) {
  pfft3d_request *r = make();
  char text[200];
  CHECK(!strcmp(pfft3d_request_print(r, text, sizeof text), "c2c:d:1x1x1"), "%s", text);
  CHECK(!pfft3d_request_parse(r, " order=natural  r2c:d:256x256x256\tthreads=2\n", NULL), "words");
  CHECK(r->problem.kind == PFFT3D_R2C && r->problem.n[0] == 256 && r->threads == 2, "words");
  CHECK(!strcmp(pfft3d_request_print(r, text, sizeof text), "r2c:d:256x256x256 threads=2"), "%s",
        text);
  CHECK(!pfft3d_request_parse(r, "deterministic pgrid=4x2 algo=alltoall order=scrambled", NULL),
        "aliases");
  CHECK(r->deterministic && r->decision.grid[0] == 4 && !strcmp(r->decision.algo, "packed") &&
            r->decision.order == PFFT3D_TRANSPOSED,
        "aliases");
  CHECK(!pfft3d_request_parse(r, "type=c2c precision=single size=64x32 batch=5", NULL), "parts");
  CHECK(!strncmp(pfft3d_request_print(r, text, sizeof text), "c2c:s:64x32*5 ", 14), "%s", text);
  CHECK(!pfft3d_request_parse(r, "size=1048576 method=butterfly batch=1", NULL), "one dimension");
  CHECK(r->problem.dims == 1 && !strcmp(r->decision.scheme, "butterfly"), "one dimension");
  CHECK(!pfft3d_request_parse(r, "size=1x1x64", NULL) && r->problem.dims == 3, "three dimensions");
  CHECK(!pfft3d_request_set(r, "dims", "1", NULL) && r->problem.dims == 1, "as one dimension");
  CHECK(!pfft3d_request_set(r, "max-count", "100", NULL) && pf_hooks.max_count == 100, "for tests");
  pf_hooks.max_count = 0;
  for (size_t room = 1; room < 20; room++) {
    memset(text, '#', sizeof text);
    CHECK(pfft3d_request_print(r, text, room) == text, "a little room");
    CHECK(strlen(text) < room && text[room] == '#', "room for %zu: '%.30s'", room, text);
  }
  pfft3d_request_destroy(&r);
}

/* Words mean the same in any order. */
static void test_any_order(void) {
  static const char *const pair[][2] = {
      {"c2c:d:8x8x8", "batch=4"},     {"c2c:d:16x16", "keep=8,8"},
      {"r2c:d:8x8x8", "kind=dct2"},   {"problem=c2c:s:8x8x8", "sign=+1"},
      {"size=8x8", "kind=dct2,dct2"}, {"size=8x8", "keep=4,4"},
      {"size=1x8x8", "dims=2"},       {"c2c:d:4x4x4", "size=8x8"}};
  for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
    char text[2][100], printed[2][200];
    for (int swapped = 0; swapped < 2; swapped++) {
      pfft3d_request *r = make();
      snprintf(text[swapped], sizeof text[0], "%s %s", pair[k][swapped], pair[k][!swapped]);
      CHECK(!pfft3d_request_parse(r, text[swapped], NULL), "'%s' is refused", text[swapped]);
      pfft3d_request_print(r, printed[swapped], sizeof printed[0]);
      pfft3d_request_destroy(&r);
    }
    CHECK(!strcmp(printed[0], printed[1]), "'%s' is '%s', '%s' is '%s'", text[0], printed[0],
          text[1], printed[1]);
  }
  pfft3d_request *r = make();
  CHECK(pfft3d_request_parse(r, "dims=2 size=8x8x8", NULL), "three sizes for two dimensions");
  pfft3d_request_destroy(&r);
}

/* Kept modes: a fraction is one of whatever sizes and kinds there are in the end. */
static void test_keep(void) {
  static const struct {
    const char *words, *printed;
  } known[] = {
      {"keep=2/3 r2c:d:96x10x2", "r2c:d:96x10x2/64x6x1"}, /* words come in any order */
      {"c2c:d:8x8x8 keep=2/3 size=96x10x2", "c2c:d:96x10x2/64x6x1"},
      {"c2c:d:8x9x10 keep=1/2 kind=dft,none,dct2", "c2c:d:8x9x10/4x9x5:dft,none,dct2"},
      {"c2c:d:8x9x10 keep=5", "c2c:d:8x9x10/5x5x5"},
      {"c2c:d:8x9x10/2x3x4 keep=8,9,10", "c2c:d:8x9x10"},
      {"c2c:d:9x10 keep=5,6 sign=+1", "c2c+:d:9x10/5x6"},
      {"c2c+:d:9x10 sign=-1", "c2c:d:9x10"},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    pfft3d_request *r = make();
    pfft3d_problem p;
    char text[200];
    CHECK(!pfft3d_request_parse(r, known[k].words, NULL), "%s", known[k].words);
    CHECK(!strcmp(pfft3d_request_print(r, text, sizeof text), known[k].printed), "%s, not %s", text,
          known[k].printed);
    CHECK(!pfft3d_request_problem(r, &p) && p.batch == 1 && p.dims, "%s", known[k].words);
    CHECK(!strcmp(pfft3d_problem_print(&p, text, sizeof text), known[k].printed),
          "the problem of %s is %s", known[k].words, text);
    static const char *const part[] = {"type", "precision", "size", "batch",
                                       "sign", "kind",      "keep"};
    pfft3d_request *again = make();
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
      if (pfft3d_request_get(r, part[i], text, sizeof text)[0])
        CHECK(!pfft3d_request_set(again, part[i], text, NULL), "%s=%s", part[i], text);
    CHECK(!strcmp(pfft3d_request_print(again, text, sizeof text), known[k].printed), "%s, not %s",
          text, known[k].printed);
    pfft3d_request_destroy(&again);
    pfft3d_request_destroy(&r);
  }
}

/* Wrong words, what the text must say, and what the hint. */
static void test_refused(void) {
  static const struct {
    const char *text, *says, *hint;
  } bad[] = {{"gird=4x2", "unknown key 'gird'", "'grid'"},
             {"gird=4x2", "exchange, chunk, local, engine", ""},
             {"order=naturl", "valid are transposed, natural", "'natural'"},
             {"exchange=pakced", "valid are packed", "'packed'"},
             {"engine=sind", "valid are", "'simd'"},
             {"decomp=slap", "valid are slab, pencil, auto", "'slab'"},
             {"decomp=slabs", "valid are slab, pencil, auto", "'slab'"},
             {"method=transpos", "valid are transpose, butterfly, auto", "'transpose'"},
             {"wire=half", "valid are double, single, same", ""},
             {"threads=0", "1 to 4096", ""},
             {"threads=4097", "1 to 4096", ""},
             {"threads=-1", "1 to 4096", ""},
             {"threads=2x", "1 to 4096", ""},
             {"threads=2x3", "1 to 4096", ""},
             {"device=1x2", "a number from 0 on", ""},
             {"device=2147483647", "a number from 0 on", ""},
             {"device=-1", "a number from 0 on", ""},
             {"batch=0", "1 to 1048576", ""},
             {"chunk=0", "chunk=65536", ""},
             {"grid=4", "grid=4x2", ""},
             {"size=4x4x4x4", "one to three numbers", ""},
             {"size=0", "one to three numbers", ""},
             {"dims=4", "1, 2 or 3", ""},
             {"dims=0", "1, 2 or 3", ""},
             {"size=4x4 dims=1", "must be 1", ""},
             {"plan-budget=-1", "0 or more", ""},
             {"plan-budget=nan", "0 or more", ""},
             {"padded=maybe", "valid are no, yes", ""},
             {"threads", "valid are slab", ""},
             {"c2c:d:4x4x4 slob", "valid are slab", "'slab'"},
             {"c2x:d:4", "c2c, c2c+ and r2c", ""},
             {"keep=0", "keep '0'", ""},
             {"keep=4,4", "3 numbers", ""},
             {"keep=3/2", "a fraction of at most 1", ""},
             {"sign=2", "valid are -1, +1", ""},
             {"c2c:d:8x8x8/4x4", "as many numbers as the sizes", ""},
             {"=", "unknown key ''", ""},
             {"order=", "valid are", ""}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    pfft3d_request *r = make();
    pfft3d_error e;
    CHECK(!pfft3d_request_parse(r, "r2c:d:8x6x4 threads=2", NULL), "a request");
    pfft3d_request before = *r;
    CHECK(pfft3d_request_parse(r, bad[k].text, &e) == PFFT3D_ERR_USAGE, "'%s'", bad[k].text);
    CHECK(strstr(e.text, bad[k].says) && strstr(e.hint, bad[k].hint), "'%s': '%s', hint '%s'",
          bad[k].text, e.text, e.hint);
    CHECK(!memcmp(r, &before, sizeof before), "'%s' changed the request", bad[k].text);
    pfft3d_request_destroy(&r);
  }
}

/* One dimension by its sizes alone is distributed over all ranks. */
static void test_dimensions(void) {
  static const struct {
    const char *text;
    int everywhere;
  } size[] = {{"c2c:d:1024", 1}, {"c2c:d:32x32", 1}, {"c2c:d:1x1x1024", 0}, {"c2c:d:1x32x32", 1}};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    pfft3d_request *r = make();
    pfft3d_box box = {.len = {0, 0, 0}};
    CHECK(!pfft3d_request_parse(r, size[k].text, NULL), "%s", size[k].text);
    for (int rank = 0; rank < 4; rank++) {
      CHECK(!pfft3d_explain_box(r, 4, PFFT3D_SPACE, rank, &box), "%s", size[k].text);
      ptrdiff_t want = size[k].everywhere ? 256 : rank ? 0 : 1024;
      CHECK(box_elements(&box) == want, "%s: rank %d has %td", size[k].text, rank,
            box_elements(&box));
    }
    pfft3d_request_destroy(&r);
  }
}

/* The limit of a batch is one of the caller's: lines inside a plan may be more. */
static void test_many(void) {
  static const char *const text[] = {"c2c:d:8*600000", "c2c:d:8*600000:dct2",
                                     "r2c:d:8*1048576:dst1"};
  for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
    pfft3d_explanation x;
    pfft3d_error e;
    pfft3d_request *r = make();
    int status = pfft3d_request_parse(r, text[k], &e);
    if (!status) status = pfft3d_explain(r, 2, &x, sizeof x, &e);
    CHECK(!status, "%s: %s", text[k], e.text);
    r->problem.batch = 2000000;
    CHECK(pfft3d_candidates(r, 2, NULL, 0) == -1, "%s: candidates beyond the limit", text[k]);
    pfft3d_request_destroy(&r);
  }
}

/* Factors, with an error and without. */
static void test_scales(void) {
  pfft3d_error e;
  pfft3d_request *r = make();
  CHECK(!pfft3d_request_scales(r, 2, 0.25, &e) && !e.status, "%s", e.text);
  CHECK(r->scale[PFFT3D_FORWARD] == 2 && r->scale[PFFT3D_BACKWARD] == 0.25, "scales");
  CHECK(!pfft3d_request_scale(r, 3, 0.5), "scale");
  CHECK(r->scale[PFFT3D_FORWARD] == 3 && r->scale[PFFT3D_BACKWARD] == 0.5, "scale");
  pfft3d_request_destroy(&r);
}

/* Whether a text names an exchange that can store. */
static int names_storing(const char *text) {
  const char *name;
  for (int i = 0; (name = pfft3d_list_name(PFFT3D_STORING_EXCHANGES, i, NULL)); i++)
    if (!strcmp(text, name)) return 1;
  return 0;
}

/* Exchanges in the list of those that store do so, and where one cannot, the hint names them. */
static void test_storing(void) {
  const char *algo, *name;
  for (int i = 0; (algo = pfft3d_list_name(PFFT3D_EXCHANGES, i, NULL)); i++) {
    char text[120];
    pfft3d_explanation x;
    pfft3d_error e;
    pfft3d_request *r = make();
    snprintf(text, sizeof text, "c2c:d:8x8x8 decomp=slab exchange=%s local=stores node-ranks=2",
             algo);
    CHECK(!pfft3d_request_parse(r, text, NULL), "%s", text);
    int status = pfft3d_explain(r, 2, &x, sizeof x, &e);
    int stores = !status && x.decision.local == PFFT3D_LOCAL_STORES;
    CHECK(stores == names_storing(algo), "%s: status %d, stores %d", algo, status, stores);
    for (int k = 0; status && (name = pfft3d_list_name(PFFT3D_STORING_EXCHANGES, k, NULL)); k++)
      CHECK(status == PFFT3D_ERR_UNAVAILABLE && strstr(e.hint, name), "%s: '%s'", algo, e.hint);
    pfft3d_request_destroy(&r);
  }
  CHECK(names_storing("packed") && !names_storing("shared"), "exchanges that store");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_round_trips();
  test_words();
  test_any_order();
  test_keep();
  test_refused();
  test_many();
  test_dimensions();
  test_scales();
  test_storing();
  return check_result();
}
