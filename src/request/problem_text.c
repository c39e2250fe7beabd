/* SPDX-License-Identifier: BSD-3-Clause
 * Problems as text. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "request/problem.h"
#include "request/text.h"

/* ---- kinds ---- */

static int read_kind(const char *word, pfft3d_axis_kind *kind, pfft3d_error *e) {
  char name[16];
  PF_TRY(pf_name_parse(PFFT3D_KINDS, word, name, e));
  for (int k = 0; k < PF_KINDS; k++)
    if (!strcmp(name, pf_kind_at(k, NULL))) *kind = (pfft3d_axis_kind)k;
  return PFFT3D_OK;
}

int pf_kinds_list(const char *text, int most, pfft3d_axis_kind *kind, int *count, pfft3d_error *e) {
  char words[80], *rest = words, *word;
  snprintf(words, sizeof words, "%s", text);
  for (*count = 0; (word = strsep(&rest, ",")) != NULL && *count <= most; ++*count)
    if (*count < most) PF_TRY(read_kind(word, &kind[*count], e));
  return PFFT3D_OK;
}

int pf_kinds_parse(const char *text, pfft3d_problem *p, pfft3d_error *e) {
  int first = pf_problem_first(p), count;
  pfft3d_axis_kind kind[3] = {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT};
  PF_TRY(pf_kinds_list(text, 3 - first, kind + first, &count, e));
  PF_CHECK(count == 1 || count == 3 - first, e, PFFT3D_ERR_USAGE,
           "kind '%.60s': must be one for all axes, or %d", text, 3 - first);
  for (int a = 0; a < 3; a++)
    p->axis[a] = a < first ? PFFT3D_DFT : count == 1 ? kind[first] : kind[a];
  return PFFT3D_OK;
}

void pf_kinds_print(const pfft3d_problem *p, char *out, size_t size) {
  int first = pf_problem_first(p), plain = 1;
  out[0] = 0;
  for (int a = first; a < 3; a++) plain = plain && p->axis[a] == PFFT3D_DFT;
  for (int a = first; a < 3 && !plain; a++) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", a > first ? "," : "",
             pf_kind_at((int)p->axis[a], NULL));
  }
}

/* ---- kept modes ---- */

enum { MOST_SHARE = 1 << 20 }; /* largest number in a fraction */

static int read_share(const char *text, pf_share *share, pfft3d_error *e) {
  const char *at = text;
  PF_CHECK(pf_number_take(&at, 1, MOST_SHARE, &share->part) && *at++ == '/' &&
               pf_number_take(&at, 1, MOST_SHARE, &share->of) && !*at && share->part <= share->of,
           e, PFFT3D_ERR_USAGE,
           "keep '%.60s': must be a fraction of at most 1, as in 2/3, or a number of modes for "
           "each axis",
           text);
  return PFFT3D_OK;
}

int pf_keep_parse(const char *text, pfft3d_problem *p, pf_share *share, pfft3d_error *e) {
  int first = pf_problem_first(p), axes = 3 - first, count = 0, good = 1;
  ptrdiff_t modes[3] = {1, 1, 1};
  const char *at = text;
  *share = (pf_share){0, 0};
  if (strchr(text, '/')) return read_share(text, share, e);
  do good = count < axes && pf_number_take(&at, 1, PTRDIFF_MAX, &modes[first + count++]);
  while (good && *at == ',' && at++);
  PF_CHECK(good && !*at && (count == 1 || count == axes), e, PFFT3D_ERR_USAGE,
           "keep '%.60s': must be a fraction as in 2/3, or %d number%s from 1 on, as in %s", text,
           axes, axes > 1 ? "s" : "", &"32,32,32"[3 * first]);
  for (int a = first; a < 3; a++) p->keep[a] = count == 1 ? modes[first] : modes[a];
  for (int a = 0; a < first; a++) p->keep[a] = 1;
  return PFFT3D_OK;
}

/* ---- problems ---- */

static int parse_problem(const char *text, pfft3d_problem *p, pfft3d_error *e) {
  const char *at = text;
  int real = !strncmp(at, "r2c", 3), known = real || !strncmp(at, "c2c", 3);
  int plus = known && at[3] == '+';
  *p = (pfft3d_problem){.kind = real ? PFFT3D_R2C : PFFT3D_C2C, .batch = 1, .sign = plus};
  PF_CHECK(known && at[3 + plus] == ':', e, PFFT3D_ERR_USAGE,
           "problem '%s': unknown kind; valid are c2c, c2c+ and r2c, as in c2c:d:64x64x64", text);
  at += 4 + plus;
  PF_CHECK((*at == 'd' || *at == 's') && at[1] == ':', e, PFFT3D_ERR_USAGE,
           "problem '%s': unknown precision; valid are d (double) and s (single), as in "
           "c2c:d:64x64x64",
           text);
  p->precision = *at == 's' ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
  at += 2;
  int sizes = pf_sizes_parse(&at, p) && (!*at || strchr("/*:", *at));
  if (!sizes && at[-1] == 'x' && *at >= '1' && *at <= '9') /* a fourth number */
    pf_hint(e, "pfft3d_nd_create() takes up to eight dimensions");
  PF_CHECK(sizes, e, PFFT3D_ERR_USAGE,
           "problem '%s': sizes are one to three numbers from 1 on, as in c2c:d:64x64x64", text);
  if (*at == '/') {
    pfft3d_problem kept;
    at++;
    PF_CHECK(pf_sizes_parse(&at, &kept) && kept.dims == p->dims && (!*at || strchr("*:", *at)), e,
             PFFT3D_ERR_USAGE,
             "problem '%s': the kept modes are as many numbers as the sizes, as in "
             "c2c:d:96x96x96/64x64x64",
             text);
    memcpy(p->keep, kept.n, sizeof p->keep);
  }
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

static void print_sizes(const ptrdiff_t n[3], int first, char sizes[80]) {
  sizes[0] = 0;
  for (int a = first; a < 3; a++) {
    size_t used = strlen(sizes);
    snprintf(sizes + used, 80 - used, "%s%td", a > first ? "x" : "", n[a]);
  }
}

char *pfft3d_problem_print(const pfft3d_problem *p, char *out, size_t size) {
  char sizes[80], kept[80], batch[24] = "", kinds[24];
  if (!p || !out || !size) return NULL;
  int first = pf_problem_first(p), cut = pf_problem_cut(p);
  const ptrdiff_t modes[3] = {pf_problem_modes(p, 0), pf_problem_modes(p, 1),
                              pf_problem_modes(p, 2)};
  print_sizes(p->n, first, sizes);
  print_sizes(modes, first, kept);
  if (p->batch > 1) snprintf(batch, sizeof batch, "*%td", p->batch);
  pf_kinds_print(p, kinds, sizeof kinds);
  snprintf(out, size, "%s%s:%c:%s%s%s%s%s%s", p->kind == PFFT3D_R2C ? "r2c" : "c2c",
           p->sign > 0 ? "+" : "", p->precision == PFFT3D_SINGLE ? 's' : 'd', sizes, cut ? "/" : "",
           cut ? kept : "", batch, kinds[0] ? ":" : "", kinds);
  return out;
}
