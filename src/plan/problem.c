/* SPDX-License-Identifier: BSD-3-Clause
 * Problems: their text, and the sizes that follow from them alone. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/engine.h"
#include "plan/problem.h"
#include "plan/text.h"

int pf_number_take(const char **text, long long least, long long most, ptrdiff_t *number) {
  char *end;
  if (**text < '0' || **text > '9') return 0; /* strtoll would take signs and blanks */
  errno = 0;
  long long value = strtoll(*text, &end, 10);
  *text = end;
  *number = (ptrdiff_t)value;
  return !errno && value >= least && value <= most;
}

int pf_sizes_parse(const char **text, pfft3d_problem *p) {
  ptrdiff_t size[3];
  int dims = 0;
  do {
    if (dims == 3 || !pf_number_take(text, 1, PTRDIFF_MAX, &size[dims])) return 0;
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
  PF_CHECK(pf_sizes_parse(&at, p) && (!*at || *at == '*' || *at == ':'), e, PFFT3D_ERR_USAGE,
           "problem '%s': sizes are one to three numbers from 1 on, as in c2c:d:64x64x64", text);
  if (*at == '*') {
    at++;
    PF_CHECK(pf_number_take(&at, 1, PTRDIFF_MAX, &p->batch) && (!*at || *at == ':'), e,
             PFFT3D_ERR_USAGE,
             "problem '%s': a batch is a number from 1 on, as in c2c:d:64x64x64*8", text);
  }
  return *at ? pf_kinds_parse(at + 1, p, e) : PFFT3D_OK;
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
  char sizes[80] = "", batch[24] = "", kinds[24];
  if (!p || !out || !size) return NULL;
  int first = p->dims == 1 || p->dims == 2 ? 3 - p->dims : 0;
  for (int a = first; a < 3; a++) {
    size_t used = strlen(sizes);
    snprintf(sizes + used, sizeof sizes - used, "%s%td", a > first ? "x" : "", p->n[a]);
  }
  if (p->batch > 1) snprintf(batch, sizeof batch, "*%td", p->batch);
  pf_kinds_print(p, kinds, sizeof kinds);
  snprintf(out, size, "%s:%c:%s%s%s%s", p->kind == PFFT3D_R2C ? "r2c" : "c2c",
           p->precision == PFFT3D_SINGLE ? 's' : 'd', sizes, batch, kinds[0] ? ":" : "", kinds);
  return out;
}

size_t pfft3d_element_bytes(const pfft3d_problem *p, pfft3d_side side) {
  if (!p) return 0;
  size_t number = pf_element(p->precision);
  int real = p->kind == PFFT3D_R2C && (side == PFFT3D_SPACE || pf_problem_scalar(p));
  return real ? number / 2 : number;
}

void pfft3d_problem_extents(const pfft3d_problem *p, pfft3d_side side, ptrdiff_t n[3]) {
  if (!n) return;
  for (int a = 0; a < 3; a++) n[a] = p ? p->n[a] : 0;
  if (p && pf_problem_half(p) && side == PFFT3D_SPECTRUM) n[2] = p->n[2] / 2 + 1;
}
