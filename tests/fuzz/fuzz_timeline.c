/* SPDX-License-Identifier: BSD-3-Clause
 * Timelines of one rank, with any events in any order that a recorder may have left, also a full
 * one: JSON that a parser takes, with as many events as it has; a drawing that has an end.  The
 * input is the text of the plan, a zero, the room for events, and five bytes for each event. */
#include <jansson.h>
#include <mpi.h>
#include <string.h>

#include "fuzz.h"
#include "timeline/timeline.h"

enum { ROOM = 64 };

/* Adds an event that begins at *now or a little before, and ends behind that. */
static void add(pf_timeline *t, bytes *b, double *now) {
  static const double step[] = {0, 1e-9, 1e-6, 1e-3, 1, 3600};
  unsigned kind = take_byte(b) % (PF_EVENT_RECEIVE + 1), when = take_byte(b);
  pf_event e = {.begin = *now += step[when % 6],
                .bytes = (double)take_byte(b),
                .number = (int)take_byte(b),
                .kind = (unsigned char)kind,
                .detail = (unsigned char)take_byte(b)};
  e.end = e.begin + (when / 6 % 7 == 6 ? -e.begin : step[when / 6 % 7]); /* or it has not ended */
  if (kind == PF_EVENT_CLOCK) return;                                    /* follows a call */
  if (kind == PF_EVENT_CALL) e.number = 0, e.detail %= PF_CALL_END + 2;
  if (kind == PF_EVENT_STEP) e.number %= PF_EVENT_LOCAL + 1;
  if (kind == PF_EVENT_STAGE) e.number %= 8;
  if (kind >= PF_EVENT_SEND) e.number = 0, e.exchange = 0;
  if (kind == PF_EVENT_CALL && t->count + 1 >= t->room) return; /* a call needs room for both */
  pf_timeline_add(t, &e);
  e.kind = PF_EVENT_CLOCK;
  if (kind == PF_EVENT_CALL) pf_timeline_add(t, &e);
}

/* What a writer writes, to be freed. */
static char *written(const pf_record *r, int write(const pf_record *, FILE *, pfft3d_error *)) {
  char *text = NULL;
  size_t size;
  pfft3d_error e = {0};
  FILE *f = open_memstream(&text, &size);
  if (!f) exit(99);
  MUST(!write(r, f, &e), "%s", e.text);
  fclose(f);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int started, rank_of[1];
  static int *ranks = rank_of;
  static const char letters[] =
      " :=.,+-0123456789abcdefghijklmnopqrstuvwxyz"; /* as plans have them */
  bytes b = {data, data + size};
  pf_event event[ROOM];
  pfft3d_error e = {0};
  char plan[200], *plans = plan;
  double now = 1;
  size_t length = 0;
  if (!started++) MPI_Init(NULL, NULL);
  for (unsigned c; (c = take_byte(&b)) && length < sizeof plan - 1;)
    plan[length++] = strchr(letters, (int)c) ? (char)c : '?';
  plan[length] = 0;
  pf_timeline t = {.comm = MPI_COMM_SELF,
                   .ranks = 1,
                   .event = event,
                   .plan = &plans,
                   .plans = 1,
                   .rank_of = &ranks,
                   .exchanges = 1};
  t.room = take_byte(&b) % (ROOM + 1);
  while (b.at < b.end) add(&t, &b, &now);
  pf_record r;
  MUST(!pf_record_make(&t, &r, &e), "%s", e.text);
  char *json = written(&r, pf_timeline_json), *svg = written(&r, pf_timeline_svg);
  json_error_t wrong;
  json_t *root = json_loads(json, 0, &wrong);
  MUST(root, "line %d: %s", wrong.line, wrong.text);
  const json_t *list = json_is_array(root) ? root : json_object_get(root, "traceEvents");
  MUST((ptrdiff_t)json_array_size(list) >= r.count, "%zu of %td events", json_array_size(list),
       r.count);
  MUST(strstr(svg, "</svg>") && !strstr(svg, "nan") && !strstr(svg, "inf\""),
       "no end, or no number");
  json_decref(root);
  free(json), free(svg);
  pf_record_free(&r);
  return 0;
}
