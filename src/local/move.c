/* SPDX-License-Identifier: BSD-3-Clause
 * Strided copies and streaming stores.
 *
 * A plain store to a line that is not in cache first reads it: a third of the traffic of a copy is
 * lost.  Streaming stores avoid that, but only when whole cache lines are written, so the ends of
 * unaligned runs use plain stores.  They have no portable form and stay in this file. */
#include "local/move.h"

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/memory.h"

typedef double wide __attribute__((vector_size(16), aligned(4), may_alias));
typedef double narrow __attribute__((aligned(4), may_alias)); /* two floats, or a real number */
typedef float small __attribute__((may_alias));

enum { chunk = sizeof(wide), long_run = 512 };

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

#define MOVE_SINGLY(type)                \
  for (ptrdiff_t i = 0; i < points; i++) \
    ((type *)(void *)to)[i * to_along] = ((const type *)(const void *)from)[i * from_along];

static void move_line(size_t element, char *to, ptrdiff_t to_along, const char *from,
                      ptrdiff_t from_along, ptrdiff_t points) {
  if (element == sizeof(wide))
    MOVE_SINGLY(wide)
  else if (element == sizeof(narrow))
    MOVE_SINGLY(narrow)
  else
    MOVE_SINGLY(small)
}

/* Rows become columns or the other way round, in blocks of some cache lines: points of `to` are
 * contiguous, lines of `from`. */
static void move_turned(size_t element, pf_strided to, pf_strided from, ptrdiff_t points,
                        ptrdiff_t lines, int stream) {
  enum { block = 8 };
  wide row[block]; /* large enough, and aligned, for any element */
  ptrdiff_t size = (ptrdiff_t)element;
  for (ptrdiff_t i = 0; i < points; i += block)
    for (ptrdiff_t j = 0; j < lines; j += block) {
      ptrdiff_t count = points - i < block ? points - i : block;
      for (ptrdiff_t k = j; k < j + block && k < lines; k++) {
        const char *f = from.data + (i * from.along + k) * size;
        move_line(element, (char *)row, 1, f, from.along, count);
        (stream ? stream_run : copy_run)(to.data + (k * to.across + i) * size, (const char *)row,
                                         (size_t)count * element);
      }
    }
}

void pf_move(size_t element, pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines,
             int stream) {
  if (to.across == 1 && from.along == 1 && points > 1 && lines > 1) {
    ptrdiff_t a = to.along, b = from.along, c = points;
    to.along = to.across, from.along = from.across, points = lines;
    to.across = a, from.across = b, lines = c;
  }
  if (to.along == 1 && from.across == 1 && from.along != 1) {
    move_turned(element, to, from, points, lines, stream);
    return;
  }
  if (to.along != 1 || from.along != 1) { /* make the contiguous direction the inner one */
    ptrdiff_t a = to.along, b = from.along, c = points;
    to.along = to.across, from.along = from.across, points = lines;
    to.across = a, from.across = b, lines = c;
  }
  int contiguous = to.along == 1 && from.along == 1;
  ptrdiff_t size = (ptrdiff_t)element;
  for (ptrdiff_t j = 0; j < lines; j++) {
    char *t = to.data + j * to.across * size;
    const char *f = from.data + j * from.across * size;
    if (contiguous)
      pf_move_run(t, f, (size_t)points * element, stream);
    else
      move_line(element, t, to.along, f, from.along, points);
  }
}
