/* SPDX-License-Identifier: BSD-3-Clause
 * Strided copies and streaming stores, also between two precisions.
 *
 * A plain store to a line that is not in cache first reads it, which costs a third of the traffic
 * of a copy.  Streaming stores avoid that, but only when whole cache lines are written, so the ends
 * of unaligned runs use plain stores.  They have no portable form and are used in this file
 * only. */
#include "local/move.h"

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/memory.h"

typedef double wide __attribute__((vector_size(16), aligned(4), may_alias));
typedef double narrow __attribute__((aligned(4), may_alias)); /* two floats, or one double */
typedef float small __attribute__((may_alias));
typedef float pair __attribute__((vector_size(8), aligned(4), may_alias));

enum { chunk = sizeof(wide), long_run = 512 };

/* Bytes of an element on both sides.  Where they differ, complex numbers change their precision. */
typedef struct sizes {
  size_t to, from;
  pf_loss *loss;
} sizes;

/* Short runs, for which a call of memcpy takes longer than the copy. */
static inline void copy_run(char *to, const char *from, size_t bytes) {
  size_t i = 0;
  for (; i + chunk <= bytes; i += chunk) *(wide *)(to + i) = *(const wide *)(from + i);
  if (i < bytes) memcpy(to + i, from + i, bytes - i);
}

#if defined(__SSE2__)
static void stream_run(char *to, const char *from, size_t bytes) {
  size_t head = -(uintptr_t)to & (PF_ALIGN - 1);
  if (bytes < head + PF_ALIGN) {
    copy_run(to, from, bytes);
    return;
  }
  size_t end = head + (bytes - head) / PF_ALIGN * PF_ALIGN;
  copy_run(to, from, head);
  for (size_t i = head; i < end; i += chunk)
    _mm_stream_pd((double *)(to + i), _mm_loadu_pd((const double *)(from + i)));
  copy_run(to + end, from + end, bytes - end);
}
void pf_move_fence(void) {
  _mm_sfence();
}
#else
static void stream_run(char *to, const char *from, size_t bytes) {
  copy_run(to, from, bytes);
}
void pf_move_fence(void) {
  __sync_synchronize();
}
#endif

void pf_move_run(char *to, const char *from, size_t bytes, int stream) {
  if (to == from) return;
  if (stream)
    stream_run(to, from, bytes);
  else if (bytes >= long_run)
    memcpy(to, from, bytes);
  else
    copy_run(to, from, bytes);
}

/* Rounds a complex number, and adds the loss. */
static inline void narrow_one(char *to, const char *from, wide *error, wide *norm) {
  wide x = *(const wide *)(const void *)from;
  pair y = __builtin_convertvector(x, pair);
  wide lost = x - __builtin_convertvector(y, wide);
  *(pair *)(void *)to = y;
  *error += lost * lost;
  *norm += x * x;
}

static void narrow_line(const sizes *s, char *to, ptrdiff_t to_along, const char *from,
                        ptrdiff_t from_along, ptrdiff_t points) {
  enum { sums = 4 }; /* independent sums: a single one would be bound by latency */
  wide error[sums] = {{0}}, norm[sums] = {{0}};
  ptrdiff_t i = 0, t = to_along * (ptrdiff_t)sizeof(pair), f = from_along * (ptrdiff_t)sizeof(wide);
  for (; i + sums <= points; i += sums)
    for (ptrdiff_t k = 0; k < sums; k++)
      narrow_one(to + (i + k) * t, from + (i + k) * f, &error[k], &norm[k]);
  for (; i < points; i++) narrow_one(to + i * t, from + i * f, &error[0], &norm[0]);
  for (int k = 0; k < sums; k++) {
    s->loss->error2 += error[k][0] + error[k][1];
    s->loss->norm2 += norm[k][0] + norm[k][1];
  }
}

static void widen_line(char *to, ptrdiff_t to_along, const char *from, ptrdiff_t from_along,
                       ptrdiff_t points) {
  wide *t = (wide *)(void *)to;
  const pair *f = (const pair *)(const void *)from;
  for (ptrdiff_t i = 0; i < points; i++)
    t[i * to_along] = __builtin_convertvector(f[i * from_along], wide);
}

#define MOVE_SINGLY(type)                \
  for (ptrdiff_t i = 0; i < points; i++) \
    ((type *)(void *)to)[i * to_along] = ((const type *)(const void *)from)[i * from_along];

static void move_line(const sizes *s, char *to, ptrdiff_t to_along, const char *from,
                      ptrdiff_t from_along, ptrdiff_t points) {
  if (s->to < s->from)
    narrow_line(s, to, to_along, from, from_along, points);
  else if (s->to > s->from)
    widen_line(to, to_along, from, from_along, points);
  else if (s->to == sizeof(wide))
    MOVE_SINGLY(wide)
  else if (s->to == sizeof(narrow))
    MOVE_SINGLY(narrow)
  else
    MOVE_SINGLY(small)
}

/* Contiguous on both sides.  A conversion with streaming stores uses a buffer, in pieces that end
 * at cache lines of the target. */
static void move_run(const sizes *s, char *to, const char *from, ptrdiff_t points, int stream) {
  char piece[1024] __attribute__((aligned(PF_ALIGN)));
  if (s->to == s->from) {
    pf_move_run(to, from, (size_t)points * s->to, stream);
    return;
  }
  if (!stream) {
    move_line(s, to, 1, from, 1, points);
    return;
  }
  ptrdiff_t count, begun = (ptrdiff_t)(((uintptr_t)to & (PF_ALIGN - 1)) / s->to);
  ptrdiff_t most = (ptrdiff_t)(sizeof piece / s->to) - begun;
  for (; points > 0; points -= count, most = (ptrdiff_t)(sizeof piece / s->to)) {
    count = points < most ? points : most;
    move_line(s, piece, 1, from, 1, count);
    stream_run(to, piece, (size_t)count * s->to);
    to += (size_t)count * s->to;
    from += (size_t)count * s->from;
  }
}

/* Transposes between rows and columns, in blocks of some cache lines: points of `to` are
 * contiguous, lines of `from`. */
static void move_turned(const sizes *s, pf_strided to, pf_strided from, ptrdiff_t points,
                        ptrdiff_t lines, int stream) {
  enum { block = 8 };
  wide row[block]; /* large enough, and aligned, for any element */
  for (ptrdiff_t i = 0; i < points; i += block)
    for (ptrdiff_t j = 0; j < lines; j += block) {
      ptrdiff_t count = points - i < block ? points - i : block;
      for (ptrdiff_t k = j; k < j + block && k < lines; k++) {
        const char *f = from.data + (i * from.along + k) * (ptrdiff_t)s->from;
        move_line(s, (char *)row, 1, f, from.along, count);
        (stream ? stream_run : copy_run)(to.data + (k * to.across + i) * (ptrdiff_t)s->to,
                                         (const char *)row, (size_t)count * s->to);
      }
    }
}

void pf_move(size_t element, pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines,
             int stream) {
  pf_move_between(element, element, to, from, points, lines, stream, NULL);
}

void pf_move_between(size_t to_element, size_t from_element, pf_strided to, pf_strided from,
                     ptrdiff_t points, ptrdiff_t lines, int stream, pf_loss *loss) {
  const sizes s = {to_element, from_element, loss};
  if (to.across == 1 && from.along == 1 && points > 1 && lines > 1) {
    ptrdiff_t a = to.along, b = from.along, c = points;
    to.along = to.across, from.along = from.across, points = lines;
    to.across = a, from.across = b, lines = c;
  }
  if (to.along == 1 && from.across == 1 && from.along != 1) {
    move_turned(&s, to, from, points, lines, stream);
    return;
  }
  if (to.along != 1 || from.along != 1) { /* make the contiguous direction the inner one */
    ptrdiff_t a = to.along, b = from.along, c = points;
    to.along = to.across, from.along = from.across, points = lines;
    to.across = a, from.across = b, lines = c;
  }
  int contiguous = to.along == 1 && from.along == 1;
  for (ptrdiff_t j = 0; j < lines; j++) {
    char *t = to.data + j * to.across * (ptrdiff_t)s.to;
    const char *f = from.data + j * from.across * (ptrdiff_t)s.from;
    if (contiguous)
      move_run(&s, t, f, points, stream);
    else
      move_line(&s, t, to.along, f, from.along, points);
  }
}
