/* SPDX-License-Identifier: BSD-3-Clause
 * Readers of text files that anybody may have written: descriptions of machines, the output of the
 * original NAS FT, and reports to be compared.  The first byte says which. */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/compare/compare.h"
#include "apps/nas/nas.h"
#include "fuzz.h"
#include "request/request.h"

static void check_error(int status, const pfft3d_error *e) {
  MUST(status == e->status && status == PFFT3D_ERR_DATA, "status %d, %d: %s", status, e->status,
       e->text);
  MUST(e->text[0] && memchr(e->text, 0, sizeof e->text), "status %d without words", status);
}

static void try_machine(const char *name) {
  pfft3d_machine m;
  pfft3d_error e = {0};
  pfft3d_machine_init(&m);
  int status = pfft3d_machine_read(name, &m, &e);
  if (status) {
    check_error(status, &e);
    return;
  }
  MUST(memchr(m.name, 0, sizeof m.name), "the name has no end");
  for (int k = 0; k < 2; k++)
    MUST(m.start[k] >= 0 && m.latency[k] >= 0 && m.bandwidth[k] >= 1 && m.overlap[k] <= 1, "[%d]",
         k);
  MUST(m.node_ranks >= 1 && m.memory >= 1 && m.flops >= 1 && m.taper > 0, "%d ranks, %g, %g, %g",
       m.node_ranks, m.memory, m.flops, m.taper);
  MUST(m.paths >= 0 && m.cache >= 0 && m.cached >= 0, "%g, %g, %g", m.paths, m.cache, m.cached);
  /* what was accepted can be reckoned with */
  pfft3d_request r;
  pfft3d_explanation x;
  pf_request_init(&r);
  r.problem.n[0] = r.problem.n[1] = r.problem.n[2] = 64;
  strcpy(r.decision.algo, "packed");
  strcpy(r.decision.scheme, "slab");
  r.machine = m;
  MUST(!pfft3d_explain(&r, 16, &x, sizeof x, &e), "%s", e.text);
  MUST(isfinite(x.seconds) && x.seconds >= 0, "%g s", x.seconds);
}

static void try_original(const char *name) {
  static nas_original o;
  pfft3d_error e = {0};
  int status = nas_original_read(name, &o, &e);
  if (status) {
    check_error(status, &e);
    return;
  }
  MUST(o.seconds > 0 && isfinite(o.seconds) && o.mops > 0 && isfinite(o.mops), "%g s", o.seconds);
  MUST(o.runs >= 1 && o.checksums >= 0 && o.checksums <= NAS_ITERATIONS, "%d runs, %d sums", o.runs,
       o.checksums);
  json_t *report = nas_original_report(&o);
  MUST(report, "no report");
  json_decref(report);
}

/* A report is compared with itself. */
static void try_report(const char *name) {
  static app a;
  static run_key key[COMPARE_RUNS];
  static run_pair pairs[COMPARE_RUNS];
  pfft3d_error e = {0};
  json_t *report;
  char label[COMPARE_LABEL];
  int status = compare_read(name, &report, &e);
  if (status) {
    check_error(status, &e);
    MUST(!report, "a report together with an error");
    return;
  }
  json_t *runs = json_object_get(report, "runs"), *both[2] = {report, report};
  int count = (int)json_array_size(runs), counts[2] = {count, count};
  const run_key *const keys[2] = {key, key};
  for (int i = 0; i < count; i++) compare_key(json_array_get(runs, (size_t)i), NULL, &key[i]);
  for (int i = 0; i < count; i++)
    MUST(strlen(compare_label(&key[i], label)) < sizeof label, "label %d", i);
  int found = compare_match(keys, counts, pairs);
  MUST(found == count, "%d of %d runs are like themselves", found, count);
  a.opt.threshold = 1;
  json_t *judged = compare_judge(&a, both, keys, pairs, found), *warnings = json_array();
  MUST(json_array_size(judged) == (size_t)found, "%zu of %d", json_array_size(judged), found);
  compare_doubt(&a, report, 0, key, warnings);
  json_decref(warnings);
  json_decref(judged);
  json_decref(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int file = -1;
  static char name[40];
  if (file < 0) {
    file = memfd_create("input", 0);
    if (file < 0) exit(77);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  }
  if (size < 1) return -1;
  if (ftruncate(file, 0) || pwrite(file, data + 1, size - 1, 0) != (ssize_t)size - 1) exit(99);
  if (data[0] == 'm') try_machine(name);
  if (data[0] == 'n') try_original(name);
  if (data[0] == 'r') try_report(name);
  return 0;
}
