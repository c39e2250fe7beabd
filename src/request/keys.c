/* SPDX-License-Identifier: BSD-3-Clause
 * The table of keys, each with the reader and the printer of its value.  To add a key, add a member
 * to the request and a line here. */
#include "request/keys.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hooks.h"
#include "base/locale.h"
#include "request/boxes.h"
#include "request/names.h"
#include "request/text.h"

static void *member(const pf_key *k, pfft3d_request *r) {
  return (char *)r + k->offset;
}

static const void *member_of(const pf_key *k, const pfft3d_request *r) {
  return (const char *)r + k->offset;
}

static int fail_value(const pf_key *k, const char *value, pfft3d_error *e) {
  return pf_fail(e, PFFT3D_ERR_USAGE, "%s '%.40s': must be %s", k->name, value, k->valid);
}

/* ---- choices ---- */

static int read_choice(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  char words[PF_VALUE], *rest = words, *word;
  pf_words valid = {.typed = value};
  snprintf(words, sizeof words, "%s", k->valid);
  for (int number = 0; (word = strsep(&rest, "|")) != NULL; number++) {
    if (strcmp(word, value) == 0) {
      memcpy(member(k, r), &number, sizeof number);
      return PFFT3D_OK;
    }
    pf_words_add(&valid, word);
  }
  pf_words_hint(&valid, e);
  return pf_fail(e, PFFT3D_ERR_USAGE, "%s '%.40s': unknown; valid are %s", k->name, value,
                 valid.valid);
}

static void print_choice(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  const char *word = k->valid;
  int number;
  memcpy(&number, member_of(k, r), sizeof number);
  for (; number > 0 && *word; number--) { /* invalid values are printed, too */
    word += strcspn(word, "|");
    word += *word == '|';
  }
  snprintf(out, PF_VALUE, "%.*s", (int)strcspn(word, "|"), word);
}

/* For one dimension, "scrambled" is another name of transposed order. */
static int read_order(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  return read_choice(k, strcmp(value, "scrambled") ? value : "transposed", r, e);
}

/* The first word has the value 1; 0: not set. */
static int read_local(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  PF_TRY(read_choice(k, value, r, e));
  r->decision.local++;
  return PFFT3D_OK;
}

static void print_local(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  pfft3d_request from_0 = *r;
  out[0] = 0;
  if (!r->decision.local) return;
  from_0.decision.local--;
  print_choice(k, &from_0, out);
}

/* ---- names of registries ---- */

static int read_name(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  return pf_name_parse((pfft3d_list)k->least, value, member(k, r), e);
}

static void print_name(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  snprintf(out, PF_VALUE, "%.15s", (const char *)member_of(k, r));
}

/* A decomposition and a method share one member, the scheme of a decision: its name tells which of
 * them is set, even for a line with a decomposition, which is no valid request. */
static int is_method(const pfft3d_request *r) {
  if (pf_decomp_find(r->decision.scheme)) return 0;
  return pf_is_line(r) || pf_method_find(r->decision.scheme) != NULL;
}

static void print_scheme(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  out[0] = 0;
  if (is_method(r) == (k->least == PFFT3D_METHODS)) print_name(k, r, out);
}

/* ---- numbers ---- */

static int read_numbers(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  const char *at = value;
  for (int i = 0; i < k->count; i++) {
    ptrdiff_t number;
    if ((i && *at++ != 'x') || !pf_number_take(&at, k->least, k->most, &number))
      return fail_value(k, value, e);
    if (k->bytes == sizeof(int))
      ((int *)member(k, r))[i] = (int)number;
    else
      ((ptrdiff_t *)member(k, r))[i] = number;
  }
  return *at ? fail_value(k, value, e) : PFFT3D_OK;
}

/* 0: not set. */
static void print_numbers(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  const int *narrow = member_of(k, r);
  const ptrdiff_t *wide = member_of(k, r);
  size_t used = 0;
  int given = 1;
  for (int i = 0; i < k->count; i++) {
    ptrdiff_t number = k->bytes == sizeof(int) ? narrow[i] : wide[i];
    used += (size_t)snprintf(out + used, PF_VALUE - used, "%s%td", i ? "x" : "", number);
    given = given && number;
  }
  if (!given) out[0] = 0;
}

/* The grid of slabs is redundant. */
static void print_grid(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  out[0] = 0;
  if (strcmp(r->decision.scheme, "slab") != 0 && !is_method(r)) print_numbers(k, r, out);
}

static int read_seconds(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  char *end;
  double seconds = pf_strtod(value, &end);
  if (end == value || *end || !(seconds >= (double)k->least && seconds <= (double)k->most))
    return fail_value(k, value, e);
  *(double *)member(k, r) = seconds;
  return PFFT3D_OK;
}

/* An application's locale may write numbers in another way. */
static void print_reals(const double *value, int count, char out[PF_VALUE]) {
  pf_locale l = pf_locale_plain();
  size_t used = 0;
  for (int i = 0; i < count; i++)
    used += (size_t)snprintf(out + used, PF_VALUE - used, "%s%.17g", i ? "," : "", value[i]);
  pf_locale_restore(&l);
}

static void print_seconds(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  print_reals(member_of(k, r), 1, out);
}

/* Devices are numbered from 0; the member has the number plus 1, 0: not set. */
static int read_device(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  PF_TRY(read_numbers(k, value, r, e));
  r->device++;
  return PFFT3D_OK;
}

static void print_device(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  (void)k;
  out[0] = 0;
  if (r->device) snprintf(out, PF_VALUE, "%d", r->device - 1);
}

/* ---- the problem ---- */

static void print_problem(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  (void)k;
  pfft3d_problem_print(&r->problem, out, PF_VALUE);
}

static int read_problem(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  (void)k;
  r->share = (pf_share){0, 0};
  return pfft3d_problem_parse(value, &r->problem, e);
}

/* A number for each axis that the problem has. */
static void print_axes(const pfft3d_problem *p, const ptrdiff_t number[3], const char *between,
                       char out[PF_VALUE]) {
  size_t used = 0;
  for (int a = pf_problem_first(p); a < 3; a++)
    used += (size_t)snprintf(out + used, PF_VALUE - used, "%s%td", used ? between : "", number[a]);
}

static void print_sizes(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  (void)k;
  print_axes(&r->problem, r->problem.n, "x", out);
}

static int read_sizes(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  const char *at = value;
  if (!pf_sizes_parse(&at, &r->problem) || *at) return fail_value(k, value, e);
  return PFFT3D_OK;
}

static int read_dims(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  PF_TRY(read_numbers(k, value, r, e));
  for (int a = 0; a < 3 - p->dims; a++)
    PF_CHECK(p->n[a] == 1, e, PFFT3D_ERR_USAGE,
             "dims %d: the sizes are %tdx%tdx%td, the first of which must be 1", p->dims, p->n[0],
             p->n[1], p->n[2]);
  return PFFT3D_OK;
}

/* ---- cuts ---- */

static int read_cuts(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  return pf_cut_wish_read(member(k, r), value, e);
}

static void print_cuts(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  pf_cut_wish_print(member_of(k, r), out, PF_VALUE);
}

/* ---- kinds ---- */

static void print_kinds(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  (void)k;
  pf_kinds_print(&r->problem, out, PF_VALUE);
}

static int read_kinds(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  (void)k;
  return pf_kinds_parse(value, &r->problem, e);
}

/* ---- kept modes ---- */

static void print_keep(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  const pfft3d_problem *p = &r->problem;
  const ptrdiff_t modes[] = {pf_problem_modes(p, 0), pf_problem_modes(p, 1),
                             pf_problem_modes(p, 2)};
  (void)k;
  out[0] = 0;
  if (pf_problem_cut(p)) print_axes(p, modes, ",", out);
}

static int read_keep(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  (void)k;
  return pf_keep_parse(value, &r->problem, &r->share, e);
}

/* ---- counts of MPI ---- */

/* Not of the request, but of the process. */
static int read_max_count(const pf_key *k, const char *value, pfft3d_request *r, pfft3d_error *e) {
  const char *at = value;
  ptrdiff_t count;
  (void)r;
  if (!pf_number_take(&at, k->least, k->most, &count) || *at) return fail_value(k, value, e);
  pf_hooks.max_count = count;
  return PFFT3D_OK;
}

static void print_nothing(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  (void)k, (void)r;
  out[0] = 0;
}

/* ---- what functions set ---- */

static void print_scales(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  print_reals(member_of(k, r), 2, out);
}

static void print_array(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  const pfft3d_array *a = member_of(k, r);
  snprintf(out, PF_VALUE, "%td,%td,%td/%td,%td,%td/%td/%td", a->below[0], a->below[1], a->below[2],
           a->above[0], a->above[1], a->above[2], a->every > 1 ? a->every : 1, a->distance);
}

static void print_cut_hash(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  (void)k;
  out[0] = 0;
  if (pf_cut_wish_any(&r->cuts)) snprintf(out, PF_VALUE, "%016llx", pf_cut_wish_hash(&r->cuts));
}

/* The boxes of all ranks, once they are known. */
static void print_boxes(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  static const char *const named[] = {"none", "field", "spectrum", "both"};
  (void)k;
  int wanted = pf_boxes_wanted(r, 0) || pf_boxes_wanted(r, 1);
  if (wanted && r->boxes)
    snprintf(out, PF_VALUE, "%016llx", pf_boxes_hash(r->boxes));
  else
    snprintf(out, PF_VALUE, "%s", named[!!r->boxed[0] + 2 * !!r->boxed[1]]);
}

static void print_machine(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  const pfft3d_machine *m = &r->machine;
  const double figure[] = {m->start[0],     m->start[1],     m->latency[0], m->latency[1],
                           m->bandwidth[0], m->bandwidth[1], m->overlap[0], m->overlap[1],
                           m->memory,       m->flops,        m->group,      m->taper,
                           m->paths,        m->cache,        m->cached,     m->alone};
  int given = 0;
  (void)k;
  for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) given |= figure[i] != 0;
  out[0] = 0;
  if (given) print_reals(figure, sizeof figure / sizeof *figure, out);
}

static void print_given_wisdom(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]) {
  (void)k;
  snprintf(out, PF_VALUE, "%s", r->wisdom_required ? "required" : r->wisdom ? "given" : "none");
}

/* ---- the table ---- */

#define AT(m)                   offsetof(pfft3d_request, m)
#define CHOICE(m, words, flags) read_choice, print_choice, words, AT(m), 0, 0, flags, 0, 0
#define NAME(m, list, flags)    read_name, print_name, NULL, AT(m), list, 0, flags, 0, 0
#define MOST_SIZE               PTRDIFF_MAX
#define NUMBERS(count, m, least, most, flags) \
  AT(m), least, most, flags, count, sizeof(((pfft3d_request *)NULL)->m) / (count)

/* clang-format off */
const pf_key pf_keys[] = {
  {"problem", NULL, read_problem, print_problem, "as in c2c:d:64x64x64", 0, 0, 0, PF_KEY_PROBLEM, 0, 0},
  {"type", NULL, CHOICE(problem.kind, "c2c|r2c", PF_KEY_PROBLEM)},
  {"precision", NULL, CHOICE(problem.precision, "double|single", PF_KEY_PROBLEM)},
  {"size", NULL, read_sizes, print_sizes, "one to three numbers from 1 on, as in 64x64x64", 0, 0, 0, PF_KEY_PROBLEM, 0, 0},
  {"dims", NULL, read_dims, print_numbers, "1, 2 or 3", NUMBERS(1, problem.dims, 1, 3, PF_KEY_PROBLEM)},
  {"batch", NULL, read_numbers, print_numbers, "a number from 1 to 1048576", NUMBERS(1, problem.batch, 1, 1 << 20, PF_KEY_PROBLEM)},
  {"layout", NULL, CHOICE(layout[PFFT3D_SPACE], "block|cyclic", PF_KEY_ASK)},
  {"out-layout", NULL, CHOICE(layout[PFFT3D_SPECTRUM], "block|cyclic", PF_KEY_ASK)},
  {"padded", NULL, CHOICE(padded, PF_KEY_FLAG, PF_KEY_ASK)},
  {"decomp", NULL, read_name, print_scheme, NULL, AT(decision.scheme), PFFT3D_SCHEMES, 0, PF_KEY_DECISION, 0, 0},
  {"method", NULL, read_name, print_scheme, NULL, AT(decision.scheme), PFFT3D_METHODS, 0, PF_KEY_DECISION, 0, 0},
  {"pgrid", "grid", read_numbers, print_grid, "two numbers from 1 on, as in pgrid=4x2", NUMBERS(2, decision.grid, 1, INT_MAX, PF_KEY_DECISION)},
  {"cuts", NULL, read_cuts, print_cuts, NULL, AT(cuts), 0, 0, 0, 0, 0},
  {"bricks", NULL, read_numbers, print_numbers, "three numbers from 1 on, as in bricks=2x1x2", NUMBERS(3, bricks, 1, INT_MAX, 0)},
  {"kind", NULL, read_kinds, print_kinds, "a kind for each axis, as in dct2,dct2,dft", 0, 0, 0, PF_KEY_PROBLEM, 0, 0},
  {"sign", NULL, CHOICE(problem.sign, "-1|+1", PF_KEY_PROBLEM)},
  {"keep", NULL, read_keep, print_keep, "modes of each axis, as in 32,32,32, or a fraction, as in 2/3", 0, 0, 0, PF_KEY_PROBLEM, 0, 0},
  {"split", NULL, read_numbers, print_numbers, "two numbers from 1 on, as in split=4x2", NUMBERS(2, decision.split, 1, MOST_SIZE, PF_KEY_DECISION)},
  {"exchange", "algo", NAME(decision.algo, PFFT3D_EXCHANGES, PF_KEY_DECISION)},
  {"chunk", NULL, read_numbers, print_numbers, "a number of bytes from 1 on, as in chunk=65536", NUMBERS(1, decision.chunk, 1, MOST_SIZE, PF_KEY_DECISION)},
  {"local", NULL, read_local, print_local, "messages|stores|auto", AT(decision.local), 0, 0, PF_KEY_DECISION, 0, 0},
  {"engine", NULL, NAME(decision.engine, PFFT3D_ENGINES, PF_KEY_DECISION)},
  {"device", NULL, read_device, print_device, "a number from 0 on", NUMBERS(1, device, 0, INT_MAX - 1, PF_KEY_ASK)},
  {"order", NULL, read_order, print_choice, "transposed|natural", AT(decision.order), 0, 0, PF_KEY_DECISION, 0, 0},
  {"threads", NULL, read_numbers, print_numbers, "a number from 1 to 4096", NUMBERS(1, threads, 1, 4096, PF_KEY_ASK)},
  {"wire", NULL, CHOICE(wire, "double|single|same", PF_KEY_ASK)},
  {"deterministic", NULL, CHOICE(deterministic, PF_KEY_FLAG, 0)},
  {"joined", NULL, CHOICE(joined, PF_KEY_FLAG, PF_KEY_ASK)},
  {"node-ranks", NULL, read_numbers, print_numbers, "a number from 0 on", NUMBERS(1, node_ranks, 0, INT_MAX, PF_KEY_ASK)},
  {"plan-budget", NULL, read_seconds, print_seconds, "seconds, 0 or more", AT(plan_budget), 0, 1000000, 0, 0, 0},
  {"wisdom", NULL, CHOICE(no_wisdom, "user|none", 0)},
  {"max-count", NULL, read_max_count, print_nothing, "a number from 1 on", 0, 1, INT_MAX, PF_KEY_HIDDEN, 0, 0},
  /* Set by functions. */
  {"scales", NULL, NULL, print_scales, NULL, AT(scale), 0, 0, 0, 0, 0},
  {"field-array", NULL, NULL, print_array, NULL, AT(array[PFFT3D_SPACE]), 0, 0, PF_KEY_ASK, 0, 0},
  {"spectrum-array", NULL, NULL, print_array, NULL, AT(array[PFFT3D_SPECTRUM]), 0, 0, PF_KEY_ASK, 0, 0},
  {"all-cuts", NULL, NULL, print_cut_hash, NULL, 0, 0, 0, PF_KEY_ASK, 0, 0},
  {"boxes", NULL, NULL, print_boxes, NULL, 0, 0, 0, PF_KEY_ASK, 0, 0},
  {"machine", NULL, NULL, print_machine, NULL, 0, 0, 0, 0, 0, 0},
  {"wisdom-given", NULL, NULL, print_given_wisdom, NULL, 0, 0, 0, 0, 0, 0},
  {NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0}};
/* clang-format on */
