/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom as an object, and its lookup.
 *
 * Questions are compared as complete text: anything that may change the fastest plan is part of the
 * question.  The requested parts of the decision need not match: the best of all exchanges is also
 * the best of a subset that contains it. */
#include "planner/wisdom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mpi.h"
#include "base/hash.h"
#include "request/keys.h"
#include "request/text.h"
#include "request/axes.h"
#include "planner/planner.h"

int pfft3d_wisdom_create(pfft3d_wisdom **wisdom, pfft3d_error *error) {
  pfft3d_error e = {0};
  if (!wisdom)
    pf_fail(&e, PFFT3D_ERR_USAGE, "wisdom: no address for it");
  else if (!(*wisdom = calloc(1, sizeof **wisdom)))
    pf_fail(&e, PFFT3D_ERR_MEMORY, "no memory for wisdom");
  return pf_error_out(&e, error);
}

void pfft3d_wisdom_destroy(pfft3d_wisdom **wisdom) {
  if (!wisdom || !*wisdom) return;
  free((*wisdom)->entry);
  free(*wisdom);
  *wisdom = NULL;
}

int pfft3d_request_wisdom(pfft3d_request *request, const pfft3d_wisdom *wisdom, int required,
                          pfft3d_error *error) {
  pfft3d_error e = {0};
  if (!pf_request_valid(request, &e)) {
    request->wisdom = wisdom;
    request->wisdom_required = required != 0;
    request->no_wisdom = !wisdom && !required;
  }
  return pf_error_out(&e, error);
}

const char *pfft3d_wisdom_notice(const pfft3d_wisdom *wisdom) {
  return wisdom ? wisdom->notice : "";
}

int pfft3d_wisdom_count(const pfft3d_wisdom *wisdom) {
  return wisdom ? wisdom->count : 0;
}

/* Nonzero if an entry replaces an older one for the same question.  Clocks differ between machines,
 * so this process's own timing always counts as newer. */
static int is_newer(const pf_wisdom_entry *entry, const pf_wisdom_entry *old) {
  if (entry->own || old->own) return entry->own;
  int later = strcmp(entry->date, old->date);
  return later > 0 || (later == 0 && entry->nanoseconds <= old->nanoseconds);
}

int pf_wisdom_put(pfft3d_wisdom *w, const pf_wisdom_entry *entry, pfft3d_error *e) {
  for (int i = 0; i < w->count; i++) {
    pf_wisdom_entry *old = &w->entry[i];
    if (strcmp(old->question, entry->question) != 0 || strcmp(old->asked, entry->asked) != 0)
      continue;
    if (is_newer(entry, old)) *old = *entry;
    return PFFT3D_OK;
  }
  if (w->count == w->room) {
    int room = 2 * w->room + 16;
    pf_wisdom_entry *larger = realloc(w->entry, (size_t)room * sizeof *larger);
    if (!larger) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d entries of wisdom", room);
    w->entry = larger;
    w->room = room;
  }
  w->entry[w->count++] = *entry;
  return PFFT3D_OK;
}

/* ---- questions ---- */

enum { WORD = 72 }; /* five of them and the rest fit a line */

/* A value is one word: ambiguous characters become '_'. */
static const char *one_word(const char *text, char out[WORD]) {
  size_t length = strcspn(text, ",\n");
  while (length && strchr(" \t", text[length - 1])) length--;
  snprintf(out, WORD, "%.*s", (int)length, text);
  for (char *p = out; *p; p++)
    if (*p <= ' ' || *p > '~' || *p == '=') *p = '_';
  if (!out[0]) snprintf(out, WORD, "unknown");
  return out;
}

/* The name of the processor in Linux. */
static const char *cpu_name(char out[WORD]) {
  char line[160] = "", *found = NULL;
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f && !found && fgets(line, sizeof line, f))
    if (!strncmp(line, "model name", 10)) found = strchr(line, ':');
  if (f) fclose(f);
  found = found ? found + 1 + strspn(found + 1, " \t") : line + strlen(line);
  return one_word(found, out);
}

void pf_wisdom_machine(char *out, size_t size) {
  char text[PF_MPI_TEXT] = "", word[5][WORD];
  int length;
  MPI_Get_library_version(text, &length);
  snprintf(out, size, PF_WISDOM_MACHINE "%s mpi=%s fftw=%s isa=%s cpu=%s",
           one_word(pfft3d_version(), word[0]), one_word(text, word[1]),
           one_word(pfft3d_build("fftw"), word[2]), one_word(pfft3d_build("isa"), word[3]),
           cpu_name(word[4]));
}

/* The question, without the decision. */
void pf_wisdom_question(const pfft3d_request *r, int ranks, char *out, size_t size) {
  char problem[160], machine[sizeof(char[5][WORD]) + 40], keys[120];
  pfft3d_request like = *r;
  if (like.wire == PFFT3D_DOUBLE) like.wire = PFFT3D_SAME;
  pf_keys_question(&like, keys, sizeof keys);
  pf_wisdom_machine(machine, sizeof machine);
  snprintf(out, size, "problem=%s ranks=%d%s%s",
           pfft3d_problem_print(&r->problem, problem, sizeof problem), ranks, keys, machine);
}

/* Prints every part of a requested decision. */
static void print_asked(const pfft3d_decision *d, char *out, size_t size) {
  static const char *const local[] = {"", "messages", "stores", "auto"};
  snprintf(
      out, size, "decomp=%s,pgrid=%dx%d,exchange=%s,engine=%s,split=%tdx%td,chunk=%td,order=%s",
      pf_name_open(d->scheme) ? "auto" : d->scheme, d->grid[0], d->grid[1],
      pf_name_open(d->algo) ? "auto" : d->algo, pf_name_open(d->engine) ? "auto" : d->engine,
      d->split[0], d->split[1], d->chunk, d->order == PFFT3D_NATURAL ? "natural" : "transposed");
  if (d->local == PFFT3D_LOCAL_USUAL) return; /* as in entries of versions without it */
  size_t used = strlen(out);
  snprintf(out + used, size - used, ",local=%s", local[d->local]);
}

static void swap_letters(char *text, char from, char to) {
  for (; *text; text++)
    if (*text == from) *text = to;
}

/* ---- answers ---- */

/* Parts of a decision that may be left open, as bits; more bits make the question wider. */
enum { SCHEME = 1, GRID = 2, ALGO = 4, ENGINE = 8, LOCAL = 16, WIDEST = 32 };

static pfft3d_decision widen(const pfft3d_decision *wish, int bits) {
  pfft3d_decision d = *wish;
  if (bits & SCHEME) pf_name_set(d.scheme, "auto");
  if (bits & GRID) d.grid[0] = d.grid[1] = 0;
  if (bits & ALGO) pf_name_set(d.algo, "auto");
  if (bits & ENGINE) pf_name_set(d.engine, "auto");
  if (bits & LOCAL) d.local = PFFT3D_LOCAL_USUAL;
  return d;
}

static int name_fits(const char *wish, const char *name) {
  return !pf_name_open(name) && (pf_name_open(wish) || strcmp(wish, name) == 0);
}

/* Nonzero if the transport to ranks on the same node is as requested: with a named exchange,
 * messages unless the request says otherwise. */
static int local_fits(const pfft3d_request *r, const pfft3d_decision *d) {
  const pf_exchange_ops *x = pf_exchange_find(d->algo);
  int stores = d->local == PFFT3D_LOCAL_STORES;
  if (r->decision.local == PFFT3D_LOCAL_STORES) return stores || (x && !x->stores && !x->boxes);
  return !stores || pf_local_open(&r->decision);
}

/* Nonzero if a decision matches a request. */
static int fits(const pfft3d_request *r, const pfft3d_decision *d) {
  const pfft3d_decision *wish = &r->decision;
  for (int k = 0; k < 2; k++)
    if (wish->grid[k] && d->grid[k] && wish->grid[k] != d->grid[k]) return 0;
  return name_fits(wish->scheme, d->scheme) && name_fits(wish->algo, d->algo) &&
         name_fits(wish->engine, d->engine) && local_fits(r, d) &&
         (wish->order == d->order || pf_order_open(r));
}

/* Nonzero if a plan is possible: the author of an entry is unknown. */
static int possible(const pfft3d_request *r, int ranks, const pfft3d_decision *d) {
  pfft3d_request like = *r;
  pfft3d_error e = {0};
  pf_resolved x;
  pfft3d_box box;
  like.decision = *d;
  if (!like.node_ranks) like.node_ranks = 1;
  return !pf_complete(&like, ranks, &x, &e) && !x.planning->box(&x, ranks, PFFT3D_SPACE, 0, &box);
}

/* Takes the decision of an entry if it is possible; returns 1 if it is. */
static int take_answer(const pf_wisdom_entry *entry, const pfft3d_request *r, int ranks,
                       pfft3d_decision *d) {
  char text[sizeof entry->decision];
  pfft3d_decision answer = r->decision;
  answer.local = PFFT3D_LOCAL_USUAL; /* unless the entry says otherwise */
  memcpy(text, entry->decision, sizeof text);
  swap_letters(text, ',', ' ');
  if (pfft3d_decision_parse(text, &answer, NULL) || !fits(r, &answer) ||
      !possible(r, ranks, &answer))
    return 0;
  *d = answer;
  return 1;
}

const pf_wisdom_entry *pf_wisdom_find(const pfft3d_wisdom *w, int ranks, const pfft3d_request *r,
                                      pfft3d_decision *d) {
  char question[sizeof w->entry->question], asked[sizeof w->entry->asked];
  if (!w->count) return NULL; /* the question takes longer */
  pf_wisdom_question(r, ranks, question, sizeof question);
  for (int bits = 0; bits < WIDEST; bits++) { /* closest to the request first */
    pfft3d_decision wider = widen(&r->decision, bits);
    print_asked(&wider, asked, sizeof asked);
    for (int i = 0; i < w->count; i++) {
      const pf_wisdom_entry *entry = &w->entry[i];
      if (!strcmp(entry->question, question) && !strcmp(entry->asked, asked) &&
          take_answer(entry, r, ranks, d))
        return entry;
    }
  }
  return NULL;
}

/* ---- additions ---- */

void pf_wisdom_now(char date[24]) {
  time_t now = time(NULL);
  struct tm utc;
  strftime(date, 24, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

void pf_wisdom_entry_make(const pfft3d_request *r, int ranks, const pfft3d_candidate *c,
                          pf_wisdom_entry *entry) {
  memset(entry, 0, sizeof *entry);
  pf_wisdom_question(r, ranks, entry->question, sizeof entry->question);
  print_asked(&r->decision, entry->asked, sizeof entry->asked);
  pfft3d_decision_print(&c->decision, entry->decision, sizeof entry->decision);
  swap_letters(entry->decision, ' ', ',');
  double nanoseconds = c->measured * 1e9;
  entry->nanoseconds = nanoseconds < 1      ? 1
                       : nanoseconds > 1e17 ? (long long)1e17
                                            : (long long)nanoseconds;
  pf_wisdom_now(entry->date);
  entry->own = 1;
}

int pfft3d_wisdom_add(MPI_Comm comm, const pfft3d_request *request,
                      const pfft3d_candidate *candidate, pfft3d_wisdom *wisdom,
                      pfft3d_error *error) {
  pfft3d_error e = {0};
  pf_wisdom_entry entry;
  pfft3d_request r;
  pfft3d_plan *plan; /* created only to find the ranks of a node */
  int ranks;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  MPI_Comm_size(comm, &ranks);
  if (!candidate || !wisdom)
    pf_fail(&e, PFFT3D_ERR_USAGE, "wisdom: the %s is NULL", wisdom ? "candidate" : "object");
  else if (!(candidate->measured > 0))
    pf_fail(&e, PFFT3D_ERR_USAGE, "wisdom: a candidate that was not timed says nothing");
  if (!pf_request_valid(request, &e) && !pf_check(request, ranks, &e) && request->deterministic)
    pf_fail(&e, PFFT3D_ERR_USAGE, "wisdom: deterministic plans do not use it");
  if (!pf_make_begin(comm, request, &r, &plan, &e)) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): pf_make_begin() agrees on it */
    pfft3d_candidate c = *candidate;
    pf_axes_decision(plan->permuted, &c.decision);
    r.node_ranks = plan->node_ranks;
    r.boxes = &plan->boxes;
    pf_wisdom_entry_make(&r, ranks, &c, &entry);
    if (!take_answer(&entry, &r, ranks, &c.decision))
      pf_fail(&e, PFFT3D_ERR_USAGE, "wisdom: '%.150s' is no answer to the request", entry.decision);
    if (!pf_agree(comm, &e)) {
      pf_mpi(&e, MPI_Bcast(&entry, (int)sizeof entry, MPI_BYTE, 0, comm), "MPI_Bcast");
      if (!e.status) pf_wisdom_put(wisdom, &entry, &e);
      pf_agree(comm, &e);
    }
    pfft3d_plan_destroy(&plan);
  }
  return pf_error_out(&e, error);
}

int pfft3d_wisdom_add_f(const pfft3d_fint *comm, const pfft3d_request *request,
                        const pfft3d_candidate *candidate, pfft3d_wisdom *wisdom,
                        pfft3d_error *error) {
  return pfft3d_wisdom_add(pf_comm_f(comm), request, candidate, wisdom, error);
}
