/* SPDX-License-Identifier: BSD-3-Clause
 * Command lines: the input is cut at newlines and zeros into arguments.  What is refused has one
 * line that says why; what is accepted is within its limits, and makes a request that a dry run
 * takes or refuses with a reason. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/options.h"
#include "app/common/request.h"
#include "fuzz.h"

enum { MOST_ARGUMENTS = 64, MOST_RANKS = 64 };

/* One line of text, which is not empty. */
static void check_error(const pfft3d_error *e) {
  MUST(e->status == PFFT3D_ERR_USAGE || e->status == PFFT3D_ERR_UNAVAILABLE ||
           e->status == PFFT3D_ERR_NOINPUT || e->status == PFFT3D_ERR_DATA,
       "status %d: %s", e->status, e->text);
  MUST(e->text[0] && memchr(e->text, 0, sizeof e->text), "status %d without words", e->status);
  MUST(memchr(e->hint, 0, sizeof e->hint), "the hint has no end");
}

static void check_options(const options *o) {
  MUST(commands[o->command], "command %d", o->command);
  for (int a = 0; a < 3; a++)
    MUST(o->grid[a] >= 0 && o->grid[a] <= (ptrdiff_t)1 << 40, "grid %td", o->grid[a]);
  static const char *const numbers[] = {"chunk",      "batch",  "threads",
                                        "node-ranks", "device", "plan-budget"};
  MUST(o->size >= 0 && o->reps >= 0 && o->ranks >= 0, "negative");
  for (int k = 0; k < 6; k++)
    MUST(options_number(o, numbers[k]) >= 0, "%s is negative", numbers[k]);
  long long threads = options_number(o, "threads");
  MUST(threads <= 4096, "threads %lld", threads);
  MUST(isfinite(o->latency) && isfinite(o->bandwidth) && isfinite(o->threshold),
       "a number that is none");
  const name_list *list[] = {&o->algo, &o->engine, &o->method};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < list[k]->count; i++)
      MUST(memchr(list[k]->name[i], 0, NAME_SIZE) && list[k]->name[i][0], "name %d", i);
  for (int i = 0; i < o->grids.count; i++) MUST(o->grids.at[i] > 0, "grids %lld", o->grids.at[i]);
}

/* Numbers of the applications, and texts that are taken apart when their fields are known. */
static void check_applications(const options *o) {
  const double number[] = {o->gaussian, o->lowpass,  o->highpass, o->share,    o->nu,
                           o->re,       o->end_time, o->every,    o->time_step};
  pfft3d_error e = {0};
  double length[3] = {1, 1, 1};
  char word[3][40];
  for (size_t k = 0; k < sizeof number / sizeof *number; k++)
    MUST(isfinite(number[k]) && number[k] >= 0, "number %zu is %g", k, number[k]);
  MUST(o->share <= 100, "a share of %g %%", o->share);
  for (int dims = 1; dims <= 3 && o->length[0]; dims++) {
    if (options_lengths(o->length, dims, length, &e)) check_error(&e);
    for (int a = 0; a < 3; a++) MUST(isfinite(length[a]) && length[a] > 0, "length %g", length[a]);
  }
  for (int dims = 1; dims <= 3 && o->bc[0]; dims++) {
    int count = options_values("--bc", o->bc, dims, word, &e);
    if (!count) check_error(&e);
    MUST(count == 0 || count == 1 || count == dims, "%d words", count);
    for (int k = 0; k < count; k++) MUST(memchr(word[k], 0, sizeof word[k]), "word %d", k);
  }
}

/* The keys can be read again: each is as the library prints it, or as the user typed it. */
static void check_request(const pfft3d_request *r) {
  char text[4096], again[4096];
  pfft3d_request *copy = NULL;
  pfft3d_error e = {0};
  pfft3d_request_print(r, text, sizeof text);
  if (strstr(text, "cuts=lists")) return;
  MUST(!pfft3d_request_create(&copy, &e) && !pfft3d_request_parse(copy, text, &e), "'%s': %s", text,
       e.text);
  pfft3d_request_print(copy, again, sizeof again);
  MUST(strcmp(text, again) == 0, "'%s' is read as '%s'", text, again);
  pfft3d_request_destroy(&copy);
}

/* A dry run of the first of all requests, where it costs little. */
static void explain(const app *a) {
  const options *o = &a->opt;
  pfft3d_explanation x;
  pfft3d_error e = {0};
  int ranks = o->ranks ? (int)o->ranks : 4;
  if (o->map || ranks > MOST_RANKS || options_number(o, "node-ranks") > MOST_RANKS ||
      !list_find(commands[o->command]->options, "ranks"))
    return;
  long long part[2] = {0, 0};
  char grid[FILE_SIZE];
  sscanf(options_key(o, "pgrid", grid), "%lldx%lld", &part[0], &part[1]);
  MUST(part[0] * part[1] <= ranks, "pgrid %s of %d ranks", grid, ranks);
  pfft3d_request *r = options_request(a, NULL);
  check_request(r);
  int status = pfft3d_explain(r, ranks, &x, sizeof x, &e);
  pfft3d_request_destroy(&r);
  if (status) {
    check_error(&e);
    return;
  }
  MUST(x.work_bytes >= 0 && isfinite(x.work_bytes) && x.user_bytes >= 0 && x.seconds >= 0,
       "%g bytes, %g seconds", x.work_bytes, x.seconds);
  MUST(x.idle_ranks >= 0 && x.idle_ranks < ranks, "%d idle of %d", x.idle_ranks, ranks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static app a;
  options *o = &a.opt;
  char text[4096], program[] = "pfft3d", *argv[MOST_ARGUMENTS + 1] = {program};
  pfft3d_error e = {0};
  int argc = 1;
  if (size >= sizeof text) return -1;
  memcpy(text, data, size);
  text[size] = 0;
  for (size_t at = 0, start = 0; at <= size && argc < MOST_ARGUMENTS; at++) {
    if (at < size && text[at] != '\n' && text[at]) continue;
    text[at] = 0;
    if (at < size || at > start) argv[argc++] = text + start;
    start = at + 1;
  }
  int status = options_parse(argc, argv, o, &e);
  MUST(status == e.status, "status %d, in the error %d", status, e.status);
  if (status) {
    check_error(&e);
    return 0;
  }
  MUST(!e.text[0], "no error, but the words '%s'", e.text);
  if (o->help || o->version) return 0;
  check_options(o);
  check_applications(o);
  if (options_fit(o, 4, &e))
    check_error(&e);
  else
    explain(&a);
  return 0;
}
