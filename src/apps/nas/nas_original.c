/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the text output of the original FT, in all its languages: checksums, then lines "Key =
 * value" after "Benchmark Completed", for each run. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/report/report.h"
#include "app/run/run.h"
#include "apps/nas/nas.h"

enum { MOST_LINES = 1000000 }; /* limit for files that are no text */

/* One run. */
typedef struct result {
  double seconds, mops;
  int whole; /* a bit for each known figure */
} result;

typedef struct reader {
  nas_original *o;
  result run[NAS_ORIGINALS];
  result *last; /* NULL: before the first run */
} reader;

/* Splits " Time in seconds = 1.03\n" into two trimmed words; 0 if there is no '='. */
static int split(char *line, char **key, char **value) {
  char *equal = strchr(line, '=');
  if (!equal) return 0;
  *equal = 0;
  char *words[2] = {line, equal + 1};
  for (int k = 0; k < 2; k++) {
    words[k] += strspn(words[k], " \t");
    for (char *end = words[k] + strlen(words[k]);
         end > words[k] && isspace((unsigned char)end[-1]);)
      *--end = 0;
  }
  *key = words[0];
  *value = words[1];
  return 1;
}

/* " T =    1     Checksum =    5.046735008193D+02    5.114047905510D+02", as Fortran writes it. */
static int take_checksum(nas_original *o, char *line) {
  int t;
  double re, im;
  if (!strstr(line, "Checksum")) return 0;
  for (char *c = line; *c; c++)
    if (*c == 'D' && (c[1] == '+' || c[1] == '-')) *c = 'E';
  if (sscanf(line, " T = %d Checksum = %lf %lf", &t, &re, &im) != 3) return 0;
  if (t < 1 || t > NAS_ITERATIONS) return 1;
  o->checksum[t - 1][0] = re;
  o->checksum[t - 1][1] = im;
  o->checksums = t;
  return 1;
}

enum { SECONDS = 1, MOPS = 2, VERIFIED = 4 };

static void take_number(reader *r, int what, double value) {
  if (!r->last || !isfinite(value) || value <= 0) return;
  *(what == SECONDS ? &r->last->seconds : &r->last->mops) = value;
  r->last->whole |= what;
}

/* The value as a count; 0 if it is none. */
static int count_of(const char *value) {
  char *end;
  long count = strtol(value, &end, 10);
  return *end || count < 0 || count > INT_MAX ? 0 : (int)count;
}

static void take_line(reader *r, char *line) {
  nas_original *o = r->o;
  char *key, *value;
  if (strstr(line, "FT Benchmark Completed")) {
    if (o->runs++ < NAS_ORIGINALS) r->last = &r->run[o->runs - 1];
    return;
  }
  if (take_checksum(o, line) || !split(line, &key, &value)) return;
  if (strcasecmp(key, "Class") == 0) {
    o->letter = o->letter && o->letter != value[0] ? '?' : value[0];
  } else if (strcasecmp(key, "Iterations") == 0) {
    o->iterations = count_of(value);
  } else if (strcasecmp(key, "Time in seconds") == 0) {
    take_number(r, SECONDS, strtod(value, NULL));
  } else if (strcasecmp(key, "Mop/s total") == 0) {
    take_number(r, MOPS, strtod(value, NULL));
  } else if (strcasecmp(key, "Total processes") == 0 || strcasecmp(key, "Total threads") == 0) {
    o->ranks = count_of(value);
  } else if (strcasecmp(key, "Verification") == 0) {
    if (r->last) r->last->whole |= strcasecmp(value, "SUCCESSFUL") == 0 ? VERIFIED : 0;
  } else if (strcasecmp(key, "Version") == 0) {
    snprintf(o->version, sizeof o->version, "%s", value);
  }
}

static int by_time(const void *x, const void *y) {
  double a = ((const result *)x)->seconds, b = ((const result *)y)->seconds;
  return (a > b) - (a < b);
}

int nas_original_read(const char *file, nas_original *o, pfft3d_error *e) {
  *o = (nas_original){.verified = 1};
  snprintf(o->file, sizeof o->file, "%s", file);
  reader r = {.o = o};
  char line[512];
  FILE *f = fopen(file, "r");
  if (!f || fgetc(f) == EOF) {
    int why = f && !ferror(f) ? 0 : errno;
    if (f) fclose(f);
    return why ? app_fail(e, PFFT3D_ERR_NOINPUT, "cannot read '%.150s': %s", file, strerror(why))
               : app_fail(e, PFFT3D_ERR_DATA, "'%.150s' is empty", file);
  }
  rewind(f);
  for (long k = 0; k < MOST_LINES && fgets(line, sizeof line, f); k++) take_line(&r, line);
  fclose(f);
  int whole = o->runs > 0, known = SECONDS | MOPS;
  if (o->runs > NAS_ORIGINALS)
    return app_fail(e, PFFT3D_ERR_DATA, "'%.150s' has %d runs, %d are the most", file, o->runs,
                    NAS_ORIGINALS);
  for (int k = 0; k < o->runs; k++) {
    whole = whole && (r.run[k].whole & known) == known;
    o->verified = o->verified && r.run[k].whole & VERIFIED;
  }
  if (!whole) {
    app_fail(e, PFFT3D_ERR_DATA, "'%.150s' is not the output of a whole NPB FT run", file);
    app_hint(e, "it ends with lines like 'Time in seconds = 1.03' and 'Mop/s total = 6900.00'");
    return e->status;
  }
  if (o->letter == '?' || !nas_class_of(o->letter).iterations)
    return app_fail(e, PFFT3D_ERR_DATA, "'%.150s' has %s", file,
                    o->letter == '?' ? "runs of several classes" : "no class S, W, A, B, C, D, E");
  qsort(r.run, (size_t)o->runs, sizeof *r.run, by_time);
  o->seconds = r.run[(o->runs - 1) / 2].seconds;
  o->mops = r.run[(o->runs - 1) / 2].mops;
  return PFFT3D_OK;
}

json_t *nas_original_report(const nas_original *o) {
  nas_class c = nas_class_of(o->letter);
  char letter[2] = {o->letter, 0};
  int worst;
  json_t *error = json_null();
  if (o->checksums == c.iterations)
    error = report_real(nas_error(&c, (const double(*)[2])o->checksum, &worst));
  return json_pack("{s:o,s:o,s:s,s:i,s:i,s:i,s:f,s:f,s:b,s:o}", "file", report_words(o->file),
                   "version", report_words(o->version), "class", letter, "runs", o->runs,
                   "iterations", o->iterations, "ranks", o->ranks, "seconds", o->seconds, "mops",
                   o->mops, "verified", o->verified, "checksum_error", error);
}
