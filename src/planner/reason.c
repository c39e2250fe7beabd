/* SPDX-License-Identifier: BSD-3-Clause
 * Explains decisions in words; nothing else of the library writes such sentences, and nothing reads
 * them.  Where the model decides, each clause compares the best candidate with the best one that
 * differs in the decomposition or in when its exchange sends.  All figures are then those of the
 * model, and a cause is named only if its condition holds. */
#include "planner/planner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { WORD = 64 };

/* The candidates under comparison, and the text so far. */
typedef struct explanation {
  const pfft3d_request *request;
  const pfft3d_candidate *list;
  int count, ranks;
  char *text; /* of PF_REASON bytes */
} explanation;

/* Figures of the model for a candidate: messages forward, seconds of both directions. */
typedef struct facts {
  pf_geometry geometry;
  double messages, largest; /* number, and bytes of the largest one */
  double hidden;            /* part of the exchanges that overlaps the passes */
  int exchanges, busy;
} facts;

/* Adds a clause if it fits. */
__attribute__((format(printf, 2, 3))) static void say(explanation *t, const char *format, ...) {
  size_t used = strlen(t->text);
  va_list list;
  va_start(list, format);
  int length = vsnprintf(t->text + used, PF_REASON - used, format, list);
  va_end(list);
  if (length < 0 || (size_t)length >= PF_REASON - used) t->text[used] = 0;
}

/* "1.31 times as long", relative to the best. */
static const char *times_words(const explanation *t, const pfft3d_candidate *c, char out[WORD]) {
  double ratio = t->list[0].predicted > 0 ? c->predicted / t->list[0].predicted : 1;
  if (ratio > 0.995 && ratio < 1.005)
    snprintf(out, WORD, "as long");
  else
    snprintf(out, WORD, ratio < 9.995 ? "%.2f times as long" : "%.0f times as long", ratio);
  return out;
}

/* "31 messages of 8 KiB" */
static const char *messages_words(const facts *f, char out[2 * WORD]) {
  char bytes[WORD];
  snprintf(out, 2 * WORD, "%.0f message%s of %s", f->messages, f->messages == 1 ? "" : "s",
           pf_bytes(f->largest, bytes));
  return out;
}

static int look(const explanation *t, const pfft3d_candidate *c, facts *f) {
  pfft3d_request r = *t->request;
  pfft3d_error e = {0};
  double hidden = 0, exchanges = 0;
  memset(f, 0, sizeof *f);
  r.decision = c->decision;
  if (pf_complete_geometry(&r, t->ranks, -1, &f->geometry, &e)) return 1;
  const pf_pipeline_geometry *w = &f->geometry.pipeline[PFFT3D_FORWARD];
  f->messages = w->messages.messages;
  f->largest = w->messages.bytes_max;
  f->exchanges = w->route.stages - 1;
  f->busy = pf_geometry_busy(&f->geometry);
  for (int d = 0; d < 2; d++) {
    pf_cost cost = pf_model_pipeline(&f->geometry, (pfft3d_direction)d, &r.machine);
    hidden += cost.passes + cost.exchanges - cost.seconds;
    exchanges += cost.exchanges;
  }
  f->hidden = exchanges > 0 ? hidden / exchanges : 0;
  return 0;
}

/* Whether a grid of one column or row is equivalent to slabs. */
static int like_slabs(const pfft3d_decision *d) {
  return strcmp(d->scheme, "pencil") == 0 && (d->grid[0] == 1 || d->grid[1] == 1);
}

/* The best candidate in another decomposition, or NULL. */
static const pfft3d_candidate *other_scheme(const explanation *t) {
  for (int i = 1; i < t->count; i++)
    if (strcmp(t->list[i].decision.scheme, t->list[0].decision.scheme) != 0 &&
        !like_slabs(&t->list[i].decision))
      return &t->list[i];
  return NULL;
}

/* The best candidate that differs only in its exchange: the named one; NULL: one that sends
 * early if the best does not, and vice versa.  NULL if there is none. */
static const pfft3d_candidate *other_exchange(const explanation *t, const char *algo) {
  const pfft3d_decision *best = &t->list[0].decision;
  int early = pf_exchange_early(pf_exchange_find(best->algo));
  for (int i = 1; i < t->count; i++) {
    const pfft3d_decision *d = &t->list[i].decision;
    int fits =
        algo ? strcmp(d->algo, algo) == 0 : pf_exchange_early(pf_exchange_find(d->algo)) != early;
    if (fits && strcmp(d->scheme, best->scheme) == 0 && d->grid[0] == best->grid[0] &&
        d->grid[1] == best->grid[1])
      return &t->list[i];
  }
  return NULL;
}

/* Pencils are best: explains the disadvantage of slabs. */
static void why_not_slabs(explanation *t, const pfft3d_candidate *slab, const char *times) {
  facts f;
  char text[2 * WORD], worth[WORD];
  if (look(t, slab, &f)) return;
  double least = pf_model_worth(&f.geometry, &t->request->machine);
  const pfft3d_decision *d = &t->list[0].decision;
  if (f.busy < t->ranks && f.busy < d->grid[0] * d->grid[1])
    say(t, "; slabs leave %d of %d ranks idle and take %s", t->ranks - f.busy, t->ranks, times);
  else if (f.messages > 0 && f.largest < least)
    say(t, "; slabs take %s: their %s are below latency times bandwidth (%s)", times,
        messages_words(&f, text), pf_bytes(least, worth));
  else if (f.messages > 0)
    say(t, "; slabs take %s: each rank sends %s", times, messages_words(&f, text));
  else
    say(t, "; slabs take %s", times);
}

static void say_scheme(explanation *t) {
  const pfft3d_candidate *c = other_scheme(t);
  const pfft3d_decision *d = &t->list[0].decision;
  char times[WORD];
  facts f;
  if (!c) return;
  times_words(t, c, times);
  if (!pf_planning_of(t->request)->grids)
    say(t, "; %s takes %s", c->decision.scheme, times);
  else if (strcmp(d->scheme, "pencil") == 0)
    why_not_slabs(t, c, times);
  else if (!look(t, c, &f) && f.exchanges > 1)
    say(t, "; pencils %dx%d exchange %s and take %s", c->decision.grid[0], c->decision.grid[1],
        f.exchanges == 2 ? "twice" : "more often", times);
  else
    say(t, "; pencils %dx%d take %s", c->decision.grid[0], c->decision.grid[1], times);
}

/* Explains why messages are sent early, or all at the end. */
static void say_early(explanation *t, const facts *best) {
  const pfft3d_machine *m = &t->request->machine;
  const pfft3d_candidate *c = other_exchange(t, NULL);
  const pf_exchange_ops *x = pf_exchange_find(t->list[0].decision.algo);
  char times[WORD], text[2 * WORD];
  facts f;
  if (c) times_words(t, c, times);
  if (pf_exchange_early(x)) {
    if (best->hidden >= 0.005)
      say(t, "; messages leave while rows are transformed, which hides %.0f %% of the exchange",
          100 * best->hidden);
    if (c) say(t, "; exchange %s takes %s", c->decision.algo, times);
  } else if (!m->overlap[0] && !m->overlap[1]) {
    say(t, "; nothing travels while ranks compute, so all is sent at once");
  } else if (c && !look(t, c, &f) && f.messages > 0) {
    say(t, "; exchange %s, with %s, takes %s", c->decision.algo, messages_words(&f, text), times);
  }
}

static void say_exchange(explanation *t) {
  const pfft3d_decision *d = &t->list[0].decision;
  const pf_exchange_ops *x = pf_exchange_find(d->algo);
  const pfft3d_candidate *packed = other_exchange(t, "packed");
  facts best, f;
  char times[WORD];
  if (!x || !pf_planning_of(t->request)->grids || look(t, &t->list[0], &best)) return;
  if (x->direct && t->request->node_ranks < t->ranks) {
    say(t, "; exchange %s takes ranks that are all on one node", d->algo);
  } else if (x->reason) {
    say(t, "; %s", x->reason);
    if (!packed || look(t, packed, &f)) return;
    times_words(t, packed, times);
    if (best.messages > 0)
      say(t, "; packed sends %.0f messages a rank and takes %s", f.messages, times);
    else
      say(t, "; exchange packed takes %s", times);
  } else if (best.messages > 0) {
    say_early(t, &best);
  }
}

/* The best candidate that differs from the best of all in how it reaches ranks of the same node, or
 * NULL. */
static const pfft3d_candidate *other_local(const explanation *t) {
  const pfft3d_decision *best = &t->list[0].decision;
  for (int i = 1; i < t->count; i++) {
    const pfft3d_decision *d = &t->list[i].decision;
    if (d->local != best->local && !strcmp(d->algo, best->algo) &&
        !strcmp(d->scheme, best->scheme) && d->grid[0] == best->grid[0] &&
        d->grid[1] == best->grid[1])
      return &t->list[i];
  }
  return NULL;
}

static void say_local(explanation *t) {
  const pfft3d_candidate *other = other_local(t);
  char times[WORD];
  if (!other) return;
  say(t, "; %s inside a node take %s",
      other->decision.local == PFFT3D_LOCAL_STORES ? "stores" : "messages",
      times_words(t, other, times));
}

/* Candidates that reach ranks of the same node as the best one does. */
static int with_its_local(const explanation *t) {
  int count = 0;
  for (int i = 0; i < t->count; i++)
    count += t->list[i].decision.local == t->list[0].decision.local;
  return count;
}

void pf_reason(const pfft3d_request *r, int ranks, const pf_candidates *all,
               const pf_candidates *layouts, char text[PF_REASON]) {
  explanation t = {
      .request = r, .list = all->list, .count = all->count, .ranks = ranks, .text = text};
  explanation schemes = t;
  schemes.list = layouts->list;
  schemes.count = layouts->count;
  double s = all->list[0].predicted, factor = s >= 1 ? 1 : s >= 1e-3 ? 1e3 : 1e6;
  const char *unit = s >= 1 ? "s" : s >= 1e-3 ? "ms" : "us";
  text[0] = 0;
  say(&t, "model: %.3g %s forward and backward", s * factor, unit);
  if (layouts->count == 1)
    say(&t, ", the only candidate");
  else if (all->list == layouts->list)
    say(&t, ", the least of %d candidates", all->count);
  else
    say(&t, "; the best of %d decompositions with exchange packed", with_its_local(&schemes));
  if (ranks == 1) {
    say(&t, "; one rank exchanges nothing");
    return;
  }
  say_scheme(&schemes);
  say_local(&t);
  say_exchange(&t);
}

void pf_reason_more(const char *words, char text[PF_REASON]) {
  explanation t = {.text = text};
  char *last;
  if (!*words) return;
  while (strlen(text) + strlen(words) + 3 > PF_REASON && (last = strrchr(text, ';'))) *last = 0;
  say(&t, "; %s", words);
}

void pf_reason_known(pfft3d_decided_by by, double seconds, const char *date, char text[PF_REASON]) {
  snprintf(text, PF_REASON, "%s: %.3g s forward and backward, measured on %.10s",
           by == PFFT3D_BY_WISDOM ? "wisdom" : "timed before", seconds, date);
}

void pf_reason_timed(const pfft3d_candidate *list, int timed, int all, char text[PF_REASON]) {
  snprintf(text, PF_REASON,
           "timed: %.3g s forward and backward, the best of %d that the model finds close (of "
           "%d); next %s %s, %.2f times",
           list[0].measured, timed, all, list[1].decision.scheme, list[1].decision.algo,
           list[1].measured / list[0].measured);
}
