/* SPDX-License-Identifier: BSD-3-Clause
 * The text format of wisdom:
 *
 *     pfft3d-wisdom 2
 *     problem=c2c:d:64x64x64 ... asked=decomp=auto,... decision=decomp=slab,... date=D check=HASH
 *     end count=1 check=HASH
 *
 * HASH (base/hash.h) covers its line, and at the end everything before that line. Input must equal,
 * byte for byte, the output for its contents: there is one spelling of everything, and nothing is
 * guessed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "planner/wisdom.h"

enum { WHY = sizeof((pf_wisdom_verdict *)0)->why };
#define MAGIC  "pfft3d-wisdom "
#define FORMAT "2"
static const char head[] = MAGIC FORMAT "\n";

static unsigned long long hash(const char *text, size_t length) {
  return pf_hash(PF_HASH_START, text, length);
}

size_t pf_wisdom_line(const pf_wisdom_entry *entry, char line[PF_WISDOM_LINE]) {
  int used =
      snprintf(line, PF_WISDOM_LINE, "%s asked=%s decision=%s nanoseconds=%lld date=%s",
               entry->question, entry->asked, entry->decision, entry->nanoseconds, entry->date);
  if (used < 0 || used + 24 >= PF_WISDOM_LINE) return 0;
  used += snprintf(line + used, PF_WISDOM_LINE - (size_t)used, " check=%016llx",
                   hash(line, (size_t)used));
  return (size_t)used;
}

static size_t end_line(const char *text, size_t before, int count, char line[80]) {
  return (size_t)snprintf(line, 80, "end count=%d check=%016llx\n", count, hash(text, before));
}

char *pf_wisdom_print(const pfft3d_wisdom *w, size_t *length) {
  char *text = malloc(sizeof head + (size_t)w->count * PF_WISDOM_LINE + 80);
  if (!text) return NULL;
  size_t used = sizeof head - 1;
  memcpy(text, head, used);
  for (int i = 0; i < w->count; i++) {
    used += pf_wisdom_line(&w->entry[i], text + used);
    text[used++] = '\n';
  }
  *length = used + end_line(text, used, w->count, text + used);
  return text;
}

/* Reads one line of `length` characters; returns 1 if it is an entry, exactly as it would be
 * written: this comparison checks the result of sscanf(), which stays within the sizes of the
 * members, and within 18 digits, which cannot overflow. */
static int read_entry(const char *text, size_t length, pf_wisdom_entry *entry) {
  char line[PF_WISDOM_LINE], again[PF_WISDOM_LINE];
  if (length >= sizeof line) return 0;
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return 0;
  memcpy(line, text, length);
  line[length] = 0;
  memset(entry, 0, sizeof *entry);
  const char *asked = strstr(line, " asked=");
  size_t question = asked ? (size_t)(asked - line) : sizeof line;
  if (strncmp(line, "problem=", 8) != 0 || question >= sizeof entry->question ||
      sscanf(asked, " asked=%159s decision=%159s nanoseconds=%18lld date=%23s", entry->asked,
             entry->decision, &entry->nanoseconds, entry->date) != 4)
    return 0;
  memcpy(entry->question, line, question);
  return entry->nanoseconds > 0 && pf_wisdom_line(entry, again) == length &&
         memcmp(again, line, length) == 0;
}

/* Determines whether a text has this format. */
static pf_wisdom_state read_head(const char *text, size_t length, char why[WHY]) {
  const size_t magic = sizeof MAGIC - 1;
  if (length >= sizeof head - 1 && memcmp(text, head, sizeof head - 1) == 0) return PF_WISDOM_WHOLE;
  if (length < sizeof head - 1 && memcmp(text, head, length) == 0) {
    snprintf(why, WHY, "it is cut off in its first line");
    return PF_WISDOM_DAMAGED;
  }
  const char *end = length > magic ? memchr(text, '\n', length) : NULL;
  if (end && memcmp(text, MAGIC, magic) == 0)
    snprintf(why, WHY, "its format is '%.*s', this version knows " FORMAT,
             (int)(end - text < (ptrdiff_t)magic + 16 ? end - text - (ptrdiff_t)magic : 16),
             text + magic);
  else
    snprintf(why, WHY, "it is no wisdom of pfft3d");
  return PF_WISDOM_FOREIGN;
}

/* Reads the lines after the first one; returns 1 if the text is whole. */
static int read_lines(const char *text, size_t length, pfft3d_wisdom *w, char why[WHY],
                      pfft3d_error *e) {
  size_t at = sizeof head - 1, end;
  char last[80];
  for (int number = 2; at < length; number++) {
    const char *newline = memchr(text + at, '\n', length - at);
    size_t line = newline ? (size_t)(newline - text) - at : length - at;
    pf_wisdom_entry entry;
    if (newline && read_entry(text + at, line, &entry)) {
      if (w->count == PF_WISDOM_MOST) {
        snprintf(why, WHY, "it has more than %d entries", PF_WISDOM_MOST);
        return 0;
      }
      if (pf_wisdom_put(w, &entry, e)) return 0;
      at += line + 1;
      continue;
    }
    end = end_line(text, at, number - 2, last);
    if (end == length - at && memcmp(last, text + at, end) == 0) return w->count == number - 2;
    snprintf(why, WHY, newline ? "line %d is damaged" : "it is cut off in line %d", number);
    return 0;
  }
  snprintf(why, WHY, "its last line is missing");
  return 0;
}

int pf_wisdom_parse(const char *text, size_t length, pfft3d_wisdom *w, pf_wisdom_verdict *v,
                    pfft3d_error *e) {
  pfft3d_wisdom found = {0};
  snprintf(v->why, WHY, "its entries contradict each other");
  v->state = PF_WISDOM_FOREIGN;
  if (length > PF_WISDOM_BYTES)
    snprintf(v->why, WHY, "it is larger than %d bytes", PF_WISDOM_BYTES);
  else
    v->state = read_head(text, length, v->why);
  if (v->state == PF_WISDOM_WHOLE && !read_lines(text, length, &found, v->why, e))
    v->state = PF_WISDOM_DAMAGED;
  if (v->state == PF_WISDOM_WHOLE) v->why[0] = 0;
  for (int i = 0; i < found.count && v->state == PF_WISDOM_WHOLE && !e->status; i++)
    pf_wisdom_put(w, &found.entry[i], e);
  free(found.entry);
  return e->status;
}

const char *pfft3d_wisdom_line(const pfft3d_wisdom *wisdom, int index, char *out, size_t size) {
  char line[PF_WISDOM_LINE];
  if (!wisdom || !out || !size || index < 0 || index >= wisdom->count ||
      !pf_wisdom_line(&wisdom->entry[index], line))
    return NULL;
  snprintf(out, size, "%s", line);
  return out;
}
