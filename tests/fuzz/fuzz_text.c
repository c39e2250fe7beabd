/* SPDX-License-Identifier: BSD-3-Clause
 * Problems, decisions and requests as text: what is read and printed is read again as the same, and
 * a dry run takes a request or gives a reason. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "pfft3d_tune.h"
#include "request/request.h"

static void check_error(const pfft3d_error *e) {
  MUST(e->status == PFFT3D_ERR_USAGE, "status %d", e->status);
  MUST(e->text[0] && memchr(e->text, 0, sizeof e->text), "status %d without words", e->status);
}

static void try_problem(const char *text) {
  pfft3d_problem p = {.batch = -7}, untouched = p, again;
  pfft3d_error e = {0};
  char out[128], second[128];
  if (pfft3d_problem_parse(text, &p, &e)) {
    check_error(&e);
    MUST(memcmp(&p, &untouched, sizeof p) == 0, "a refused problem has changed");
    return;
  }
  for (int a = 0; a < 3; a++) MUST(p.n[a] >= 1, "n[%d] = %td", a, p.n[a]);
  MUST(p.batch >= 1, "batch %td", p.batch);
  pfft3d_problem_print(&p, out, sizeof out);
  MUST(!pfft3d_problem_parse(out, &again, &e), "'%s' of '%s' is refused", out, text);
  MUST(p.kind == again.kind && p.precision == again.precision && p.batch == again.batch &&
           memcmp(p.n, again.n, sizeof p.n) == 0,
       "'%s' of '%s' is another problem", out, text);
  MUST(strcmp(pfft3d_problem_print(&again, second, sizeof second), out) == 0, "'%s'", second);
}

static void try_decision(const char *text) {
  pfft3d_request r, like;
  pfft3d_error e = {0};
  char out[256], second[256];
  pf_request_init(&r);
  like = r;
  if (pfft3d_decision_parse(text, &r.decision, &e)) {
    check_error(&e);
    MUST(memcmp(&r.decision, &like.decision, sizeof r.decision) == 0, "a refused one has changed");
    return;
  }
  pfft3d_decision_print(&r.decision, out, sizeof out);
  MUST(!pfft3d_decision_parse(out, &like.decision, &e), "'%s' of '%s': %s", out, text, e.text);
  pfft3d_decision_print(&like.decision, second, sizeof second);
  MUST(strcmp(out, second) == 0, "'%s' is printed as '%s'", out, second);
}

/* Bytes of a printed request: lists of cuts are the longest. */
enum { TEXT = 4096 };

static void dry_run(const pfft3d_request *r, int ranks, const char *text) {
  pfft3d_explanation x;
  pfft3d_error e = {0};
  if (pfft3d_explain(r, ranks, &x, sizeof x, &e)) {
    MUST(e.status == PFFT3D_ERR_USAGE || e.status == PFFT3D_ERR_UNAVAILABLE,
         "status %d of '%s': %s", e.status, text, e.text);
    MUST(e.text[0] && memchr(e.text, 0, sizeof e.text), "'%s' without words", text);
    return;
  }
  MUST(isfinite(x.seconds) && x.seconds >= 0 && x.work_bytes >= 0, "'%s': %g s, %g bytes", text,
       x.seconds, x.work_bytes);
}

static void try_request(const char *text, int ranks) {
  static char before[TEXT], out[TEXT], second[TEXT];
  pfft3d_error e = {0};
  pfft3d_request *r = NULL, *again = NULL;
  if (pfft3d_request_create(&r, &e) || pfft3d_request_create(&again, &e)) exit(99);
  pfft3d_request_print(r, before, sizeof before);
  int refused = pfft3d_request_parse(r, text, &e);
  pfft3d_request_print(r, out, sizeof out);
  if (refused) {
    check_error(&e);
    MUST(strcmp(before, out) == 0, "refused '%s' has changed '%s' to '%s'", text, before, out);
  } else {
    MUST(!pfft3d_request_parse(again, out, &e) || strstr(out, "cuts=lists"), "'%s' of '%s': %s",
         out, text, e.text);
    pfft3d_request_print(again, second, sizeof second);
    MUST(strcmp(out, second) == 0 || strstr(out, "cuts=lists"), "'%s' is printed as '%s'", out,
         second);
    dry_run(r, ranks, out);
  }
  pfft3d_request_destroy(&again);
  pfft3d_request_destroy(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1); /* of its own length, so that tools see its end */
  if (!text) return -1;
  memcpy(text, data, size);
  text[size] = 0;
  try_problem(text);
  try_decision(text);
  try_request(text, 1 + (int)(size % 7));
  free(text);
  return 0;
}
