/* SPDX-License-Identifier: BSD-3-Clause
 * Parser and printer of problems as text, and names of registries. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "exchange/exchange.h"
#include "local/engine.h"
#include "plan/text.h"
#include "plan/scheme.h"
#include "plan/words.h"

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

/* Reads a size >= 1 at *text and advances it; 0 if there is none or it overflows. */
static ptrdiff_t parse_size(const char **text) {
  char *end;
  if (**text < '0' || **text > '9') return 0; /* strtoll would take signs and blanks */
  errno = 0;
  long long value = strtoll(*text, &end, 10);
  if (errno || value < 1 || value > PTRDIFF_MAX) return 0;
  *text = end;
  return (ptrdiff_t)value;
}

int pf_sizes_parse(const char **text, pfft3d_problem *p) {
  ptrdiff_t size[3] = {0};
  int dims = 0;
  do {
    if (dims == 3 || !(size[dims] = parse_size(text))) return 0;
    dims++;
  } while (**text == 'x' && (*text)++);
  for (int a = 0; a < 3; a++) p->n[a] = a < 3 - dims ? 1 : size[a - (3 - dims)];
  p->dims = dims;
  return 1;
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
  PF_CHECK(pf_sizes_parse(&at, p) && (*at == '\0' || *at == '*'), e, PFFT3D_ERR_USAGE,
           "problem '%s': sizes are one to three numbers from 1 on, as in c2c:d:64x64x64", text);
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
  if (!text || !p)
    pf_fail(&e, PFFT3D_ERR_USAGE, "problem: the %s is NULL", text ? "struct" : "text");
  else if (!parse_problem(text, &parsed, &e))
    *p = parsed;
  return pf_error_out(&e, error);
}

char *pfft3d_problem_print(const pfft3d_problem *p, char *out, size_t size) {
  char sizes[80] = "", batch[24] = "";
  if (!p || !out || !size) return NULL;
  int first = p->dims == 1 || p->dims == 2 ? 3 - p->dims : 0;
  for (int a = first; a < 3; a++) {
    size_t used = strlen(sizes);
    snprintf(sizes + used, sizeof sizes - used, "%s%td", a > first ? "x" : "", p->n[a]);
  }
  if (p->batch > 1) snprintf(batch, sizeof batch, "*%td", p->batch);
  snprintf(out, size, "%s:%c:%s%s", p->kind == PFFT3D_R2C ? "r2c" : "c2c",
           p->precision == PFFT3D_SINGLE ? 's' : 'd', sizes, batch);
  return out;
}

/* ---- names ---- */

void pf_name_set(char field[16], const char *name) {
  snprintf(field, 16, "%s", name);
}

int pf_name_parse(pfft3d_list list, const char *word, size_t length, char field[16],
                  pfft3d_error *e) {
  static const char *const kinds[] = {"exchange", "engine", "decomposition", "method"};
  static const char *const alias[][2] = {
      {"alltoall", "packed"}, {"slab", "slabs"}, {"pencil", "pencils"}};
  char name[16], valid[200] = "";
  snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, word);
  for (size_t i = 0; list == PFFT3D_EXCHANGES && i < sizeof alias / sizeof *alias; i++)
    if (!strcmp(name, alias[i][0])) pf_name_set(name, alias[i][1]);
  int found = !strcmp(name, "auto");
  const char *known;
  pf_nearest nearest = {.typed = name};
  for (int i = 0; (known = pfft3d_list_name(list, i, NULL)) != NULL; i++) {
    found = found || !strcmp(name, known);
    pf_nearest_try(&nearest, known);
    pf_word_append(valid, sizeof valid, known);
  }
  pf_word_append(valid, sizeof valid, "auto");
  if (found) {
    pf_name_set(field, name);
    return PFFT3D_OK;
  }
  pf_nearest_hint(&nearest, e);
  return pf_fail(e, PFFT3D_ERR_USAGE, "%s '%.*s': unknown; valid are %s", kinds[list],
                 length < 40 ? (int)length : 40, word, valid);
}
