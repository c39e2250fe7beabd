/* SPDX-License-Identifier: BSD-3-Clause
 * One string names a problem, one a decision: the only parser and the only printer of both. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "exchange/exchange.h"
#include "local/engine.h"
#include "plan/text.h"
#include "plan/scheme.h"

const char *pfft3d_list_name(pfft3d_list list, int index, const char **summary) {
  const char *name = NULL, *text = NULL;
  if (list == PFFT3D_EXCHANGES) {
    const pf_exchange_ops *x = pf_exchange_at(index);
    if (x) name = x->name, text = x->summary;
  } else if (list == PFFT3D_ENGINES) {
    const pf_engine *x = pf_engine_at(index);
    if (x) name = x->name, text = x->summary;
  } else if (list == PFFT3D_SCHEMES) {
    const pf_scheme *x = pf_scheme_at(index);
    if (x) name = x->name, text = x->summary;
  } else if (list == PFFT3D_METHODS) {
    const pf_method *x = pf_method_at(index);
    if (x) name = x->name, text = x->summary;
  }
  if (summary) *summary = text;
  return name;
}

/* ---- problems ---- */

/* A size >= 1 at *text, which is moved behind it; 0 when there is none or it does not fit. */
static ptrdiff_t parse_size(const char **text) {
  char *end;
  if (**text < '0' || **text > '9') return 0; /* strtoll would take signs and blanks */
  errno = 0;
  long long value = strtoll(*text, &end, 10);
  if (errno || value < 1 || value > PTRDIFF_MAX) return 0;
  *text = end;
  return (ptrdiff_t)value;
}

static int parse_problem(const char *text, pfft3d_problem *p, pfft3d_error *e) {
  const char *at = text;
  *p = (pfft3d_problem){.kind = strncmp(at, "r2c:", 4) ? PFFT3D_C2C : PFFT3D_R2C, .batch = 1};
  PF_CHECK(p->kind == PFFT3D_R2C || !strncmp(at, "c2c:", 4), e, PFFT3D_ERR_USAGE,
           "problem '%s': unknown kind; valid are c2c and r2c, as in c2c:d:64x64x64", text);
  at += 4;
  PF_CHECK((*at == 'd' || *at == 's') && at[1] == ':', e, PFFT3D_ERR_USAGE,
           "problem '%s': unknown precision; valid are d (double) and s (single), as in "
           "c2c:d:64x64x64",
           text);
  p->precision = *at == 's' ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
  at += 2;
  for (int a = 0; a < 3; a++) {
    p->n[a] = parse_size(&at);
    int good = a < 2 ? *at == 'x' : *at == '\0' || *at == '*';
    PF_CHECK(p->n[a] && good, e, PFFT3D_ERR_USAGE,
             "problem '%s': sizes are three numbers from 1 on, as in c2c:d:64x64x64", text);
    if (a < 2) at++;
  }
  if (*at == '\0') return PFFT3D_OK;
  at++;
  p->batch = parse_size(&at);
  PF_CHECK(p->batch && *at == '\0', e, PFFT3D_ERR_USAGE,
           "problem '%s': a batch is a number from 1 on, as in c2c:d:64x64x64*8", text);
  return PFFT3D_OK;
}

int pfft3d_problem_parse(const char *text, pfft3d_problem *p, pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_problem parsed;
  pf_error_clear(&e);
  if (!parse_problem(text, &parsed, &e)) *p = parsed;
  return pf_error_out(&e, error);
}

char *pfft3d_problem_print(const pfft3d_problem *p, char *out, size_t size) {
  char batch[24] = "";
  if (p->batch > 1) snprintf(batch, sizeof batch, "*%td", p->batch);
  snprintf(out, size, "%s:%c:%tdx%tdx%td%s", p->kind == PFFT3D_R2C ? "r2c" : "c2c",
           p->precision == PFFT3D_SINGLE ? 's' : 'd', p->n[0], p->n[1], p->n[2], batch);
  return out;
}

/* ---- decisions ---- */

void pf_name_set(char field[16], const char *name) {
  snprintf(field, 16, "%s", name);
}

int pf_name_parse(pfft3d_list list, const char *word, size_t length, char field[16],
                  pfft3d_error *e) {
  static const char *const kinds[] = {"algo", "engine", "decomposition", "method"};
  const char *what = kinds[list];
  static const char *const alias[][2] = {
      {"alltoall", "packed"}, {"slab", "slabs"}, {"pencil", "pencils"}};
  char name[16], valid[200] = "";
  snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, word);
  for (size_t i = 0; list == PFFT3D_EXCHANGES && i < sizeof alias / sizeof *alias; i++)
    if (!strcmp(name, alias[i][0])) pf_name_set(name, alias[i][1]);
  int found = !strcmp(name, "auto");
  const char *known;
  for (int i = 0; (known = pfft3d_list_name(list, i, NULL)) != NULL; i++) {
    found = found || !strcmp(name, known);
    snprintf(valid + strlen(valid), sizeof valid - strlen(valid), "%s, ", known);
  }
  if (!found)
    return pf_fail(e, PFFT3D_ERR_USAGE, "%s '%.*s': unknown; valid are %sauto", what,
                   length < 40 ? (int)length : 40, word, valid);
  pf_name_set(field, name);
  return PFFT3D_OK;
}

/* "4x2" */
static int parse_pair(const char *what, const char *word, size_t length, ptrdiff_t most,
                      ptrdiff_t pair[2], pfft3d_error *e) {
  const char *at = word;
  ptrdiff_t rows = parse_size(&at), columns = 0;
  if (rows && *at == 'x') {
    at++;
    columns = parse_size(&at);
  }
  PF_CHECK(rows && columns && at == word + length && rows <= most && columns <= most, e,
           PFFT3D_ERR_USAGE, "%s '%.*s': must be two numbers from 1 on, as in %s=4x2", what,
           length < 40 ? (int)length : 40, word, what);
  pair[0] = rows;
  pair[1] = columns;
  return PFFT3D_OK;
}

static int parse_grid(const char *word, size_t length, int grid[2], pfft3d_error *e) {
  ptrdiff_t pair[2];
  PF_TRY(parse_pair("grid", word, length, INT_MAX, pair, e));
  grid[0] = (int)pair[0];
  grid[1] = (int)pair[1];
  return PFFT3D_OK;
}

static int parse_chunk(const char *word, size_t length, ptrdiff_t *chunk, pfft3d_error *e) {
  const char *at = word;
  ptrdiff_t bytes = parse_size(&at);
  PF_CHECK(bytes && at == word + length, e, PFFT3D_ERR_USAGE,
           "chunk '%.*s': must be a number of bytes from 1 on, as in chunk=65536",
           length < 40 ? (int)length : 40, word);
  *chunk = bytes;
  return PFFT3D_OK;
}

/* Decompositions of fields, and methods for lines, stand in the same place. */
static int parse_scheme(const char *word, size_t length, char scheme[16], pfft3d_error *e) {
  for (int i = 0; pf_method_at(i); i++)
    if (strlen(pf_method_at(i)->name) == length && !strncmp(word, pf_method_at(i)->name, length)) {
      pf_name_set(scheme, pf_method_at(i)->name);
      return PFFT3D_OK;
    }
  return pf_name_parse(PFFT3D_SCHEMES, word, length, scheme, e);
}

static int parse_word(const char *word, size_t length, pfft3d_decision *d, pfft3d_error *e) {
  if (!strncmp(word, "algo=", 5))
    return pf_name_parse(PFFT3D_EXCHANGES, word + 5, length - 5, d->algo, e);
  if (!strncmp(word, "engine=", 7))
    return pf_name_parse(PFFT3D_ENGINES, word + 7, length - 7, d->engine, e);
  if (!strncmp(word, "order=", 6)) {
    if (length == 16 && !strncmp(word, "order=transposed", length))
      d->order = PFFT3D_TRANSPOSED;
    else if (length == 13 && !strncmp(word, "order=natural", length))
      d->order = PFFT3D_NATURAL;
    else
      return pf_fail(e, PFFT3D_ERR_USAGE, "order '%.*s': unknown; valid are transposed, natural",
                     (int)(length - 6 < 40 ? length - 6 : 40), word + 6);
    return PFFT3D_OK;
  }
  if (!strncmp(word, "grid=", 5)) return parse_grid(word + 5, length - 5, d->grid, e);
  if (!strncmp(word, "chunk=", 6)) return parse_chunk(word + 6, length - 6, &d->chunk, e);
  if (!strncmp(word, "split=", 6))
    return parse_pair("split", word + 6, length - 6, PTRDIFF_MAX, d->split, e);
  return parse_scheme(word, length, d->scheme, e);
}

int pfft3d_decision_parse(const char *text, pfft3d_decision *d, pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_decision parsed = *d;
  pf_error_clear(&e);
  for (const char *at = text + strspn(text, " "); *at && !e.status; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    parse_word(at, length, &parsed, &e);
    at += length;
  }
  if (!e.status) *d = parsed;
  return pf_error_out(&e, error);
}

/* The grid of slabs says nothing new. */
char *pfft3d_decision_print(const pfft3d_decision *d, char *out, size_t size) {
  char grid[64] = "", chunk[40] = "";
  if (d->split[0] && d->split[1])
    snprintf(grid, sizeof grid, " split=%tdx%td", d->split[0], d->split[1]);
  else if (d->grid[0] && d->grid[1] && strcmp(d->scheme, "slab") && !pf_method_find(d->scheme))
    snprintf(grid, sizeof grid, " grid=%dx%d", d->grid[0], d->grid[1]);
  if (d->chunk) snprintf(chunk, sizeof chunk, " chunk=%td", d->chunk);
  snprintf(out, size, "%s%s algo=%s%s engine=%s order=%s", d->scheme, grid, d->algo, chunk,
           d->engine, d->order == PFFT3D_NATURAL ? "natural" : "transposed");
  return out;
}

void pfft3d_request_init(pfft3d_request *r) {
  *r = (pfft3d_request){
      .problem = {.kind = PFFT3D_C2C, .precision = PFFT3D_DOUBLE, .n = {1, 1, 1}, .batch = 1},
      .decision = {.scheme = "auto", .algo = "auto", .engine = "auto", .order = PFFT3D_TRANSPOSED},
      .scale = {1, 1},
      .threads = 1};
}
