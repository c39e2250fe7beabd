/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptions of machines: every word, what is left out, ranges, and what is no description. */
#include <pfft3d_tune.h>

#include "request/request.h"
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static char name[] = "machine-XXXXXX";

/* Reads such a text as a file, over a machine with every figure known. */
static int read_text(const char *text, pfft3d_machine *m, pfft3d_error *e) {
  FILE *f = fopen(name, "w");
  if (!f || fputs(text, f) < 0 || fclose(f)) {
    fprintf(stderr, "cannot write %s\n", name);
    exit(99);
  }
  pfft3d_machine_init(m);
  return pfft3d_machine_read(name, m, e);
}

static void test_all(void) {
  pfft3d_machine m;
  pfft3d_error e;
  int status = read_text(
      "# a comment\n\n"
      "name  the big one, of 2006   # not this\n"
      "node_ranks 12\n"
      "\tstart 1e-6 2.5e-6\t\n"
      "latency 0 3e-6 # neither\n"
      "bandwidth 1e9 25e9\n"
      "overlap 0.25 1\n"
      "memory 2.5e9\n"
      "flops 4e9\n"
      "group 16\n"
      "paths 64\ncache 2e6\ncached 20e9\nalone 9e9\n"
      "taper 0.5", /* without a newline at the end */
      &m, &e);
  CHECK(status == 0 && e.status == 0, "%s", e.text);
  CHECK(!strcmp(m.name, "the big one, of 2006"), "'%s'", m.name);
  CHECK(m.node_ranks == 12 && m.group == 16 && m.taper == 0.5, "%d, %d, %g", m.node_ranks, m.group,
        m.taper);
  CHECK(m.paths == 64 && m.cache == 2e6 && m.cached == 20e9 && m.alone == 9e9, "%g, %g, %g, %g",
        m.paths, m.cache, m.cached, m.alone);
  CHECK(m.start[0] == 1e-6 && m.start[1] == 2.5e-6, "%g, %g", m.start[0], m.start[1]);
  CHECK(m.latency[0] == 0 && m.latency[1] == 3e-6, "%g, %g", m.latency[0], m.latency[1]);
  CHECK(m.bandwidth[0] == 1e9 && m.bandwidth[1] == 25e9, "%g, %g", m.bandwidth[0], m.bandwidth[1]);
  CHECK(m.overlap[0] == 0.25 && m.overlap[1] == 1, "%g, %g", m.overlap[0], m.overlap[1]);
  CHECK(m.memory == 2.5e9 && m.flops == 4e9, "%g, %g", m.memory, m.flops);
}

/* What a file leaves out stays; what it says twice is as it says last. */
static void test_some(void) {
  pfft3d_machine m, usual;
  pfft3d_error e;
  pfft3d_machine_init(&usual);
  CHECK(!read_text("memory 1e9\nmemory 3e9\n", &m, &e), "%s", e.text);
  CHECK(m.memory == 3e9, "%g", m.memory);
  m.memory = usual.memory;
  CHECK(m.flops == usual.flops && m.start[1] == usual.start[1] && m.name[0] == 0, "changed");
  CHECK(!read_text("", &m, &e), "an empty file: %s", e.text);
  CHECK(m.flops == usual.flops && m.memory == usual.memory, "changed");
  CHECK(!read_text("flops 1e9\r\n", &m, &e) && m.flops == 1e9, "lines of Windows: %s", e.text);
  CHECK(!read_text("name x\n", &m, NULL) && !strcmp(m.name, "x"), "without an error");
  /* longer than its member: cut, and never beyond it */
  char text[200] = "name ";
  memset(text + 5, 'n', 150);
  CHECK(!read_text(text, &m, &e) && strlen(m.name) == sizeof m.name - 1, "%zu", strlen(m.name));
}

/* Each ends with its line, and says what is expected. */
static void test_wrong(void) {
  static const struct {
    const char *text;
    int line;
    const char *words;
  } wrong[] = {
      {"speed 5\n", 1, "unknown word"},
      {"schema pfft3d.machine/2\n", 1, "its schema is 'pfft3d.machine/2'"},
      {"schema\n", 1, "its schema is ''"},
      {"memory 1e9\n\nflops\n", 3, "expected one number"},
      {"memory 1e9 2e9\n", 1, "expected one number"},
      {"memory fast\n", 1, "expected one number"},
      {"memory 0\n", 1, "expected one number"},
      {"memory -1e9\n", 1, "expected one number"},
      {"memory nan\n", 1, "expected one number"},
      {"memory inf\n", 1, "expected one number"},
      {"memory 1e19\n", 1, "expected one number"},
      {"# x\nstart 1e-6\n", 2, "expected two numbers"},
      {"start 1e-6 1e-6 1e-6\n", 1, "expected two numbers"},
      {"start 1e-6,1e-6\n", 1, "expected two numbers"},
      {"start -1e-6 1e-6\n", 1, "expected two numbers"},
      {"latency 2 1\n", 1, "from 0 to 1"},
      {"bandwidth 0 1e9\n", 1, "expected two numbers"},
      {"overlap 0 1.01\n", 1, "from 0 to 1"},
      {"node_ranks 0\n", 1, "whole"},
      {"node_ranks 2.5\n", 1, "whole"},
      {"node_ranks 1e9\n", 1, "whole"},
      {"group 0\n", 1, "whole"},
      {"taper 0\n", 1, "expected one number"},
      {"taper 1.5\n", 1, "expected one number"},
      {"paths 0\n", 1, "expected one number"},
      {"cache 0\n", 1, "expected one number"},
      {"cached 1e19\n", 1, "expected one number"},
      {"name\n", 1, "unknown word"},
      {"Memory 1e9\n", 1, "unknown word"},
      {"mem 1e9\n", 1, "unknown word"},
      {"{\"memory\": 1e9}\n", 1, "unknown word"},
      {"\x89HDF\r\n\x1a\n", 1, "unknown word"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    pfft3d_machine m;
    pfft3d_error e;
    char place[64];
    int status = read_text(wrong[k].text, &m, &e);
    snprintf(place, sizeof place, "%s:%d: ", name, wrong[k].line);
    CHECK(status == PFFT3D_ERR_DATA && e.status == status, "'%s': %d", wrong[k].text, status);
    CHECK(!strncmp(e.text, place, strlen(place)), "'%s': %s", wrong[k].text, e.text);
    CHECK(strstr(e.text, wrong[k].words) != NULL, "'%s': %s", wrong[k].text, e.text);
    CHECK(!strchr(e.text, '\n') && !strchr(e.hint, '\n'), "more than a line: %s", e.text);
  }
}

static void test_long(void) {
  static char text[5000];
  pfft3d_machine m;
  pfft3d_error e;
  snprintf(text, sizeof text, "memory 1e9\n");
  memset(text + 11, ' ', 4000);
  snprintf(text + 4011, sizeof text - 4011, "flops 1e9\n");
  CHECK(read_text(text, &m, &e) == PFFT3D_ERR_DATA && strstr(e.text, ":2: longer than"), "%s",
        e.text);
  memset(text, '#', 4000);
  CHECK(read_text(text, &m, &e) == PFFT3D_ERR_DATA, "a long comment: %s", e.text);
}

static void test_missing(void) {
  pfft3d_machine m;
  pfft3d_error e;
  CHECK(pfft3d_machine_read("no/such/file", &m, &e) == PFFT3D_ERR_NOINPUT &&
            strstr(e.text, "no/such/file") && strstr(e.text, "No such file"),
        "%s", e.text);
  CHECK(pfft3d_machine_read("/", &m, &e) == PFFT3D_ERR_NOINPUT, "a directory: %s", e.text);
}

/* Figures that mean nothing are refused where they are used, as they are in files. */
static void test_request(void) {
  static const double bad[] = {-1e-6, 2}, odd[] = {-1, NAN, INFINITY, 1e300, 4e-320, 0.5};
  pfft3d_request r;
  pfft3d_machine m;
  pfft3d_explanation x;
  pfft3d_error e;
  pf_request_init(&r);
  double *const figure[] = {&m.bandwidth[0], &m.bandwidth[1], &m.memory, &m.flops,
                            &m.paths,        &m.cache,        &m.cached, &m.alone,
                            &m.taper,        &m.start[0],     &m.latency[1]};
  for (size_t k = 0; k < sizeof figure / sizeof *figure; k++)
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
      if (i > 3 && k > 8 - (i == 5)) continue; /* which may be as small */
      pfft3d_machine_init(&m);
      *figure[k] = odd[i];
      CHECK(pfft3d_request_machine(&r, &m, &e) == PFFT3D_ERR_USAGE && strstr(e.text, "machine: "),
            "figure %zu is %g: %s", k, odd[i], e.text);
    }
  pfft3d_machine_init(&m);
  m.node_ranks = INT_MAX;
  CHECK(pfft3d_request_machine(&r, &m, &e) == PFFT3D_ERR_USAGE, "%d ranks on a node", INT_MAX);
  for (int k = 0; k < 2; k++) {
    pf_request_init(&r);
    pfft3d_machine_init(&r.machine);
    r.machine.overlap[1] = bad[k];
    CHECK(pfft3d_explain(&r, 4, &x, sizeof x, &e) == PFFT3D_ERR_USAGE && strstr(e.text, "overlap"),
          "%s", e.text);
  }
}

/* Of a link that is known in part the bandwidth is the usual one: nothing is sent at none. */
static void test_part(void) {
  pfft3d_request r;
  pfft3d_explanation x;
  pfft3d_error e;
  pf_request_init(&r);
  r.problem.n[0] = r.problem.n[1] = r.problem.n[2] = 64;
  r.machine.start[1] = 3e-6;
  CHECK(!pfft3d_explain(&r, 16, &x, sizeof x, &e), "%s", e.text);
  CHECK(x.machine.start[1] == 3e-6 && x.machine.bandwidth[1] > 0, "%g s, %g bytes/s",
        x.machine.start[1], x.machine.bandwidth[1]);
  CHECK(x.seconds > 0 && x.seconds < 1, "%g s", x.seconds);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int f = mkstemp(name);
  if (f < 0) return 99;
  close(f);
  test_all();
  test_some();
  test_wrong();
  test_long();
  test_missing();
  test_request();
  test_part();
  unlink(name);
  return check_result();
}
