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

enum { element = 16, per_line = PF_ALIGN / element, long_run = 32 };

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline void copy_run(char *to, const char *from, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) ((pair *)to)[i] = ((const pair *)from)[i];
}

#if defined(__SSE2__)
static inline void stream_run(char *to, const char *from, ptrdiff_t count) {
  ptrdiff_t head = (ptrdiff_t)(-(uintptr_t)to & (PF_ALIGN - 1)) / element;
  if ((uintptr_t)to % element || count < head + per_line) {
    copy_run(to, from, count);
    return;
  }
  ptrdiff_t body = (count - head) / per_line * per_line;
  copy_run(to, from, head);
  for (ptrdiff_t i = head; i < head + body; i++)
    _mm_stream_pd((double *)(to + i * element), _mm_loadu_pd((const double *)(from + i * element)));
  copy_run(to + (head + body) * element, from + (head + body) * element, count - head - body);
}
void pf_move_fence(void) {
  _mm_sfence();
}
#else
static inline void stream_run(char *to, const char *from, ptrdiff_t count) {
  copy_run(to, from, count);
}
void pf_move_fence(void) {
  __sync_synchronize();
}
#endif

void pf_move(pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines, int stream) {
  if (to.along != 1 || from.along != 1) { /* make the contiguous direction the inner one */
    ptrdiff_t a = to.along, b = from.along, c = points;
    to.along = to.across, from.along = from.across, points = lines;
    to.across = a, from.across = b, lines = c;
  }
  char *t = to.data;
  const char *f = from.data;
  int contiguous = to.along == 1 && from.along == 1;
  for (ptrdiff_t j = 0; j < lines; j++, t += to.across * element, f += from.across * element) {
    if (!contiguous)
      for (ptrdiff_t i = 0; i < points; i++)
        ((pair *)t)[i * to.along] = ((const pair *)f)[i * from.along];
    else if (stream)
      stream_run(t, f, points);
    else if (points >= long_run)
      memcpy(t, f, (size_t)points * element);
    else
      copy_run(t, f, points);
  }
}
