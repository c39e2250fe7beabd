/* SPDX-License-Identifier: BSD-3-Clause
 * Values of options: a strict reader for each kind. Messages say what is valid and suggest the
 * nearest word. */
#include "app/cli/option_value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

/* ---- Nearest words ------------------------------------------------------------------------ */

/* Levenshtein's distance, of the first 31 characters. */
static int distance(const char *a, const char *b) {
  enum { MAX = 31 };
  int row[MAX + 1], la = (int)strnlen(a, MAX), lb = (int)strnlen(b, MAX);
  for (int j = 0; j <= lb; j++) row[j] = j;
  for (int i = 1; i <= la; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= lb; j++) {
      int up = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
      if (up + 1 < best) best = up + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = up;
      row[j] = best;
    }
  }
  return row[lb];
}

void nearest_try(nearest *n, const char *word) {
  int d = distance(n->typed, word);
  if (!n->word || d < n->distance) n->word = word, n->distance = d;
}

int nearest_good(const nearest *n) {
  return n->word && 2 * n->distance <= (int)strlen(n->word);
}

/* ---- Values ------------------------------------------------------------------------------- */

int read_flag(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  (void)o, (void)text, (void)e;
  *(int *)value = 1;
  return PFFT3D_OK;
}

/* Reads a decimal whole number at *text and advances *text past it; 0, or 1 if there is none or
 * it overflows. strtoll alone would accept blanks and signs and hide overflow. */
static int scan_number(const char **text, long long *value) {
  char *end;
  const char *digits = **text == '-' ? *text + 1 : *text;
  if (!isdigit((unsigned char)*digits)) return 1;
  errno = 0;
  *value = strtoll(*text, &end, 10);
  if (errno) return 1;
  *text = end;
  return 0;
}

int read_number(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  const char *at = text;
  long long v;
  if (scan_number(&at, &v) || *at || v < o->min || v > o->max)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': expected a whole number from %lld to %lld",
                    o->name, text, o->min, o->max);
  *(long long *)value = v;
  return PFFT3D_OK;
}

int read_key(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  long long number;
  if (o->max && read_number(o, text, &number, e)) return e->status;
  if (options_put(value, o->name, o->form ? text : "yes", e))
    app_hint(e, "the form is --%s %s", o->name, o->form);
  return e->status;
}

static int put_number(const option_row *o, long long number, void *value, pfft3d_error *e) {
  char text[24];
  snprintf(text, sizeof text, "%lld", number);
  return options_put(value, o->name, text, e);
}

/* A number, or a list; commands without lists see the largest number. */
int read_threads(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  count_list *l = &((options *)value)->thread_list;
  long long most = 0;
  if (strchr(text, ',') || strstr(text, ".."))
    read_counts(o, text, l, e);
  else if (!read_number(o, text, &l->at[0], e))
    l->count = 1;
  if (e->status) return e->status;
  for (int i = 0; i < l->count; i++)
    if (l->at[i] > most) most = l->at[i];
  return put_number(o, most, value, e);
}

/* A plain decimal number; NaN for anything else: strtod alone would accept blanks, "inf", "nan" and
 * hexadecimal digits. */
static double scan_real(const char *text) {
  char *end = NULL;
  double v = 0;
  if (isdigit((unsigned char)text[0]) && strspn(text, "0123456789.eE+-") == strlen(text))
    v = strtod(text, &end);
  return end && !*end ? v : NAN;
}

int read_step(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  double v = strcmp(text, "auto") == 0 ? 0 : scan_real(text);
  if (!(v >= 0 && v <= 1e9) || (v == 0 && strcmp(text, "auto") != 0))
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': expected auto or a number > 0, as 2.5e-3",
                    o->name, text);
  *(double *)value = v;
  return PFFT3D_OK;
}

int read_fill(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  int minus = text[0] == '-';
  double v = scan_real(text + minus), *fill = value;
  if (!isfinite(v) && strcmp(text, "mean") != 0)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': expected mean or a number, as 0 or 2.5e-3",
                    o->name, text);
  *fill = minus ? -v : v;
  return PFFT3D_OK;
}

int read_real(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  double v = scan_real(text);
  if (!(v >= (double)o->min && v <= (double)o->max))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--%s '%.60s': expected a number from %lld to %lld, as 3 or 2.5e-6", o->name,
                    text, o->min, o->max);
  *(double *)value = v;
  return PFFT3D_OK;
}

int read_percent(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  char number[64];
  size_t length = strlen(text);
  pfft3d_error unsaid = {0};
  if (length > 0 && length < sizeof number && text[length - 1] == '%') {
    snprintf(number, sizeof number, "%.*s", (int)length - 1, text);
    if (!read_real(o, number, value, &unsaid)) return PFFT3D_OK;
  }
  return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': expected %lld%% to %lld%%, as 2.5%%", o->name,
                  text, o->min, o->max);
}

/* Reads a whole number at *at and advances *at past it; -1 if there is none or it is too large. */
static long long scan_count(const char **at, long long max) {
  long long v;
  return scan_number(at, &v) || v > max ? -1 : v;
}

int read_counts(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  count_list *l = value;
  const char *at = text;
  int good = 1, more = 1;
  l->count = 0;
  while (good && more) {
    long long first = scan_count(&at, o->max), last = first, factor = 2;
    if (strncmp(at, "..", 2) == 0) at += 2, last = scan_count(&at, o->max);
    if (last != first && *at == 'x') at++, factor = scan_count(&at, o->max);
    more = *at == ',';
    good = first >= o->min && last >= first && factor >= 2 && (more || !*at);
    for (long long v = first; good && v <= last; v *= factor) {
      if (l->count == MAX_COUNTS)
        return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': more than %d numbers", o->name, text,
                        MAX_COUNTS);
      l->at[l->count++] = v;
    }
    at += more;
  }
  if (good) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE,
                  "--%s '%.60s': expected numbers from %lld to %lld and ranges, as 64,100 or "
                  "64..1024 or 1..4096x4",
                  o->name, text, o->min, o->max);
}

/* Reads "N", "B^E", or "N" followed by K, M or G (powers of 1024), with or without an i; 0, or 1
 * for anything else and on overflow. */
static int scan_size(const char *at, long long *value) {
  static const char powers[] = "kmg";
  long long factor = 1024, times = 0;
  const char *power;
  if (scan_number(&at, value) || *value < 0) return 1;
  if (*at == '^') {
    at++;
    factor = *value;
    *value = 1;
    if (scan_number(&at, &times) || times < 0 || times > 63) return 1;
  } else if (*at && (power = strchr(powers, tolower((unsigned char)*at)))) {
    times = power - powers + 1;
    at += at[1] == 'i' ? 2 : 1;
  }
  for (; times > 0; times--)
    if (__builtin_mul_overflow(*value, factor, value)) return 1;
  return *at != 0;
}

static int read_one_size(const option_row *o, const char *text, ptrdiff_t n[3], pfft3d_error *e) {
  long long v;
  if (scan_size(text, &v) || v < o->min || v > o->max) {
    app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': expected a number of points from %lld to %lld",
             o->name, text, o->min, o->max);
    if (strcmp(o->name, "size") == 0)
      app_hint(e,
               "for example --size 1000003, --size 2^24 or --size 16M, which is 16 x 1024 x 1024");
    return e->status;
  }
  n[0] = n[1] = 1;
  n[2] = (ptrdiff_t)v;
  return PFFT3D_OK;
}

int read_bytes(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  long long v;
  if (scan_size(text, &v) || v < o->min || v > o->max)
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--%s '%.60s': expected a number of bytes from %lld to %lld, such as 65536 or "
                    "64K",
                    o->name, text, o->min, o->max);
  return put_number(o, v, value, e);
}

/* Reads up to `most` numbers separated by x; returns their number, or 0 if there is anything
 * else. */
static int scan_sizes(const option_row *o, const char *at, int most, long long *v) {
  for (int count = 0; count < most; at++) {
    if (scan_number(&at, &v[count]) || v[count] < o->min || v[count] > o->max) return 0;
    count++;
    if (!*at) return count;
    if (*at != 'x') return 0;
  }
  return 0;
}

static int read_one_grid(const option_row *o, const char *text, ptrdiff_t n[3], pfft3d_error *e) {
  ptrdiff_t total;
  long long v[3];
  int axes = scan_sizes(o, text, 3, v);
  if (!axes) {
    app_fail(e, PFFT3D_ERR_USAGE,
             "--%s '%.60s': expected N, N0xN1 or N0xN1xN2, each from %lld to %lld", o->name, text,
             o->min, o->max);
    app_hint(e, "for example --grid 512, --grid 4096x4096 or --grid 64x48x50");
    return e->status;
  }
  for (int a = 0; a < 3; a++) /* one number makes a cube; two get a leading extent of 1 */
    n[a] = (ptrdiff_t)(axes == 3 ? v[a] : axes == 1 ? v[0] : a ? v[a - 1] : 1);
  if (__builtin_mul_overflow(n[0], n[1], &total) || __builtin_mul_overflow(total, n[2], &total))
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': more than %td elements cannot be numbered",
                    o->name, text, (ptrdiff_t)PTRDIFF_MAX);
  return PFFT3D_OK;
}

/* Reads a list separated by commas, each part with `read`. */
static int read_list(const option_row *o, const char *text, extents_list *l, pfft3d_error *e,
                     int (*read)(const option_row *, const char *, ptrdiff_t[3], pfft3d_error *)) {
  char word[128]; /* a longer word is invalid anyway */
  for (l->count = 0;; text++) {
    size_t length = strcspn(text, ",");
    if (l->count == MAX_SWEEP)
      return app_fail(e, PFFT3D_ERR_USAGE, "--%s: more than %d problems", o->name, MAX_SWEEP);
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), text);
    if (read(o, word, l->n[l->count], e)) return e->status;
    l->count++;
    text += length;
    if (!*text) return PFFT3D_OK;
  }
}

int read_sizes(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  return read_list(o, text, value, e, read_one_size);
}

/* Lines, or matrices. */
static int read_line_or_matrix(const option_row *o, const char *text, ptrdiff_t n[3],
                               pfft3d_error *e) {
  long long v[2];
  if (!strchr(text, 'x')) return read_one_size(o, text, n, e);
  if (scan_sizes(o, text, 2, v) != 2)
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--%s '%.60s': expected a number of points, or ROWSxCOLUMNS, from %lld to %lld",
                    o->name, text, o->min, o->max);
  n[0] = 1;
  n[1] = (ptrdiff_t)v[0];
  n[2] = (ptrdiff_t)v[1];
  return PFFT3D_OK;
}

int read_lines_or_matrices(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  return read_list(o, text, value, e, read_line_or_matrix);
}

int read_grids(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  return read_list(o, text, value, e, read_one_grid);
}

int read_grid(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  return read_one_grid(o, text, value, e);
}

int read_text(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  size_t length = strlen(text), most = o->max ? (size_t)o->max : FILE_SIZE;
  if (length == 0 || length >= most)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s: expected a name of 1 to %zu characters", o->name,
                    most - 1);
  memcpy(value, text, length + 1);
  return PFFT3D_OK;
}

/* The number of values depends on the field: options_lengths() checks it. */
int read_lengths(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  char *end = NULL;
  for (const char *at = text; !end || *end; at = end + 1) {
    double length = options_length(at, &end);
    if (end == at || (*end && *end != ',') || !(length >= 1e-100 && length <= 1e100))
      return app_fail(e, PFFT3D_ERR_USAGE,
                      "--%s '%.80s': expected numbers from 1e-100 to 1e100, as 2.5 "
                      "or 2pi",
                      o->name, text);
  }
  return read_text(o, text, value, e);
}

int read_complex(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  if (options_complex(text, value)) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': expected a number, as -2.5 or -1e2+3i",
                  o->name, text);
}

void append_word(char *list, size_t size, const char *word) {
  size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

int read_choice(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  char words[64], valid[128] = "", suggestion[64] = "", *rest = words;
  nearest best = {.typed = text};
  snprintf(words, sizeof words, "%s", o->form);
  for (int i = 0; rest; i++) {
    const char *word = strsep(&rest, "|");
    if (strcmp(word, text) == 0) {
      *(int *)value = i;
      return PFFT3D_OK;
    }
    nearest_try(&best, word);
    append_word(valid, sizeof valid, word);
  }
  if (nearest_good(&best))
    snprintf(suggestion, sizeof suggestion, "did you mean '%s'? ", best.word);
  return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': %svalid: %s", o->name, text, suggestion,
                  valid);
}

int read_scheme(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  char words[64];
  option_row plain = *o;
  int *scheme = value;
  snprintf(words, sizeof words, "%.*s", (int)strlen(o->form) - 2, o->form + 1);
  plain.form = words;
  *scheme = 1;
  if (text && read_choice(&plain, text, value, e)) return e->status;
  ++*scheme;
  return PFFT3D_OK;
}

static int add_name(const option_row *o, name_list *l, const char *name, pfft3d_error *e) {
  for (int i = 0; i < l->count; i++)
    if (strcmp(l->name[i], name) == 0) return PFFT3D_OK; /* given twice */
  if (l->count == MAX_NAMES)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s: more than %d names", o->name, MAX_NAMES);
  snprintf(l->name[l->count++], NAME_SIZE, "%s", name);
  return PFFT3D_OK;
}

/* Adds a name as it is registered: the library takes other spellings of some exchanges. */
static int add_word(const option_row *o, name_list *l, const char *word, pfft3d_error *e) {
  char name[NAME_SIZE] = "";
  if (!options_spell(o->name, word, name, sizeof name, e))
    return add_name(o, l, name[0] ? name : word, e);
  size_t used = strlen(e->text);
  snprintf(e->text + used, sizeof e->text - used, ", all");
  return e->status;
}

int read_names(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  name_list *l = value;
  char words[512], *rest = words;
  const char *entry;
  l->count = 0;
  if (strcmp(text, "all") == 0) {
    for (int i = 0; (entry = pfft3d_list_name((pfft3d_list)o->min, i, NULL)); i++)
      if (add_name(o, l, entry, e)) return e->status;
    return PFFT3D_OK;
  }
  if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s: the list is too long", o->name);
  while (rest)
    if (add_word(o, l, strsep(&rest, ","), e)) return e->status;
  return PFFT3D_OK;
}
