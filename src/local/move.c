/* SPDX-License-Identifier: BSD-3-Clause
 * Strided copies and streaming stores, also between two precisions.
 *
 * A plain store to a line that is not in cache first reads it, which costs a third of the traffic
 * of a copy.  Streaming stores avoid that, but only when whole cache lines are written, so the ends
 * of unaligned runs use plain stores.  They have no portable form and are used here, in the kernels
 * of engine simd and in pairs.c only. */
#include "local/move.h"

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "base/memory.h"

typedef double wide __attribute__((vector_size(16), aligned(4), may_alias));
typedef double narrow __attribute__((aligned(4), may_alias)); /* two floats, or one double */
typedef float small __attribute__((may_alias));
typedef float pair __attribute__((vector_size(8), aligned(4), may_alias));

/* Elements that are moved between boxes have any size and any alignment. */
typedef char bytes16 __attribute__((vector_size(16), aligned(1), may_alias));

enum { chunk = sizeof(wide), long_run = 512 };

/* Short runs: a call of memcpy would take longer than the copy. */
static inline void copy_run(char *to, const char *from, size_t bytes) {
  size_t i = 0;
  for (; i + chunk <= bytes; i += chunk) *(bytes16 *)(to + i) = *(const bytes16 *)(from + i);
  if (i < bytes) memcpy(to + i, from + i, bytes - i);
}

/* For short runs: structures as arguments cost nothing if the call is inlined. */
#define INLINE static inline __attribute__((always_inline))

/* Streams a whole cache line. */
INLINE void stream_line(char *to, const char *from) {
#if defined(__SSE2__)
  for (int i = 0; i < PF_ALIGN; i += chunk)
    _mm_stream_pd((double *)(void *)(to + i),
                  _mm_loadu_pd((const double *)(const void *)(from + i)));
#else
  memcpy(to, from, PF_ALIGN);
#endif
}

/* The first and the last cache line of a run are shared with others. */
#define STREAM_RUN(line)                                                \
  size_t head = -(uintptr_t)to & (PF_ALIGN - 1);                        \
  if (bytes < head + PF_ALIGN) {                                        \
    copy_run(to, from, bytes);                                          \
    return;                                                             \
  }                                                                     \
  size_t end = head + (bytes - head) / PF_ALIGN * PF_ALIGN;             \
  copy_run(to, from, head);                                             \
  for (size_t i = head; i < end; i += PF_ALIGN) line(to + i, from + i); \
  copy_run(to + end, from + end, bytes - end);

/* The bytes before `from` are the end of the previous portion. */
#define STREAM_PORTIONS(line)                                                     \
  for (ptrdiff_t k = 0; k < p->count; k++) {                                      \
    if (!p->to[k]) continue;                                                      \
    char *to = p->to[k] + p->offset, *from = p->from + k * p->step;               \
    ptrdiff_t bytes = p->bytes, i = -(ptrdiff_t)((uintptr_t)to & (PF_ALIGN - 1)); \
    if (p->begins && i < 0) {                                                     \
      i += PF_ALIGN;                                                              \
      copy_run(to, from, (size_t)(i < bytes ? i : bytes));                        \
    }                                                                             \
    for (; i + PF_ALIGN <= bytes; i += PF_ALIGN) line(to + i, from + i);          \
    if (!p->ends)                                                                 \
      memcpy(from - PF_ALIGN, from + bytes - PF_ALIGN, PF_ALIGN);                 \
    else if (i < bytes)                                                           \
      copy_run(to + i, from + i, (size_t)(bytes - i));                            \
  }

static void stream_run(char *to, const char *from, size_t bytes) {
  STREAM_RUN(stream_line)
}
static void stream_portions(const pf_portions *p) {
  STREAM_PORTIONS(stream_line)
}

/* One store per cache line: the processor takes longer to combine stores of 16 bytes. */
#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target("avx512f")))
static inline WIDE void stream_wide_line(char *to, const char *from) {
  _mm512_stream_si512((void *)to, _mm512_loadu_si512((const void *)from));
}
static WIDE void stream_wide_run(char *to, const char *from, size_t bytes) {
  STREAM_RUN(stream_wide_line)
}
static WIDE void stream_wide_portions(const pf_portions *p) {
  STREAM_PORTIONS(stream_wide_line)
}
static int has_wide(void) {
  return __builtin_cpu_supports("avx512f");
}
#else
#define stream_wide_run      stream_run
#define stream_wide_portions stream_portions
static int has_wide(void) {
  return 0;
}
#endif

void pf_move_fence(void) {
#if defined(__SSE2__)
  _mm_sfence();
#else
  __sync_synchronize();
#endif
}

void pf_move_portions(const pf_portions *p) {
  if (has_wide())
    stream_wide_portions(p);
  else
    stream_portions(p);
}

void pf_move_run(char *to, const char *from, size_t bytes, int stream) {
  if (to == from) return;
  if (stream && has_wide())
    stream_wide_run(to, from, bytes);
  else if (stream)
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

static void narrow_line(pf_strided to, pf_strided from, ptrdiff_t points, pf_loss *loss) {
  enum { sums = 4 }; /* independent sums: a single one would be bound by latency */
  wide error[sums] = {{0}}, norm[sums] = {{0}};
  ptrdiff_t i = 0, t = to.along * (ptrdiff_t)sizeof(pair), f = from.along * (ptrdiff_t)sizeof(wide);
  for (; i + sums <= points; i += sums)
    for (ptrdiff_t k = 0; k < sums; k++)
      narrow_one(to.data + (i + k) * t, from.data + (i + k) * f, &error[k], &norm[k]);
  for (; i < points; i++) narrow_one(to.data + i * t, from.data + i * f, &error[0], &norm[0]);
  for (int k = 0; k < sums; k++) {
    loss->error2 += error[k][0] + error[k][1];
    loss->norm2 += norm[k][0] + norm[k][1];
  }
}

static void widen_line(pf_strided to, pf_strided from, ptrdiff_t points) {
  wide *t = (wide *)(void *)to.data;
  const pair *f = (const pair *)(const void *)from.data;
  for (ptrdiff_t i = 0; i < points; i++)
    t[i * to.along] = __builtin_convertvector(f[i * from.along], wide);
}

/* Rounds real numbers, and adds the loss. */
static void narrow_reals(pf_strided to, pf_strided from, ptrdiff_t points, pf_loss *loss) {
  const double *f = (const double *)(const void *)from.data;
  float *t = (float *)(void *)to.data;
  for (ptrdiff_t i = 0; i < points; i++) {
    double x = f[i * from.along], lost = x - (double)(float)x;
    t[i * to.along] = (float)x;
    loss->error2 += lost * lost;
    loss->norm2 += x * x;
  }
}

static void widen_reals(pf_strided to, pf_strided from, ptrdiff_t points) {
  const float *f = (const float *)(const void *)from.data;
  double *t = (double *)(void *)to.data;
  for (ptrdiff_t i = 0; i < points; i++) t[i * to.along] = (double)f[i * from.along];
}

#define MOVE_SINGLY(type)                     \
  for (ptrdiff_t i = 0; i < points; i++)      \
    ((type *)(void *)to.data)[i * to.along] = \
        ((const type *)(const void *)from.data)[i * from.along];

INLINE void move_line(pf_strided to, pf_strided from, ptrdiff_t points, pf_loss *loss) {
  if (to.element < from.element)
    (from.element == sizeof(wide) ? narrow_line : narrow_reals)(to, from, points, loss);
  else if (to.element > from.element)
    (to.element == sizeof(wide) ? widen_line : widen_reals)(to, from, points);
  else if (to.element == sizeof(wide))
    MOVE_SINGLY(wide)
  else if (to.element == sizeof(narrow))
    MOVE_SINGLY(narrow)
  else
    MOVE_SINGLY(small)
}

/* Contiguous on both sides.  A conversion with streaming stores uses a buffer, in parts that end at
 * cache lines of the target. */
INLINE void move_run(pf_strided to, pf_strided from, ptrdiff_t points, pf_move_mode mode) {
  char buffer[1024] __attribute__((aligned(PF_ALIGN)));
  if (to.element == from.element) {
    pf_move_run(to.data, from.data, (size_t)points * to.element, mode.stream);
    return;
  }
  if (!mode.stream) {
    move_line(to, from, points, mode.loss);
    return;
  }
  pf_strided buffered = {buffer, 1, 0, to.element};
  ptrdiff_t count, room = (ptrdiff_t)(sizeof buffer / to.element);
  ptrdiff_t most = room - (ptrdiff_t)(((uintptr_t)to.data & (PF_ALIGN - 1)) / to.element);
  for (; points > 0; points -= count, most = room) {
    count = points < most ? points : most;
    move_line(buffered, from, count, mode.loss);
    pf_move_run(to.data, buffer, (size_t)count * to.element, 1);
    to.data += (size_t)count * to.element;
    from.data += (size_t)count * from.element;
  }
}

/* Replaces complex numbers by their conjugates. */
static void conjugate(pf_strided to, ptrdiff_t points) {
  ptrdiff_t step = to.along * (ptrdiff_t)to.element;
  char *imaginary = to.data + to.element / 2;
  if (to.element == sizeof(wide))
    for (ptrdiff_t i = 0; i < points; i++, imaginary += step)
      *(narrow *)(void *)imaginary = -*(narrow *)(void *)imaginary;
  else
    for (ptrdiff_t i = 0; i < points; i++, imaginary += step)
      *(small *)(void *)imaginary = -*(small *)(void *)imaginary;
}

/* Contiguous points, in descending order. */
static void move_backward(pf_strided to, pf_strided from, ptrdiff_t points, pf_move_mode mode) {
  enum { most = 64 };
  wide run[most]; /* large enough, and aligned, for any element */
  ptrdiff_t first = (ptrdiff_t)(-(uintptr_t)to.data & (PF_ALIGN - 1)) / (ptrdiff_t)to.element;
  for (ptrdiff_t i = 0, count; i < points; i += count) {
    count = i == 0 && first ? first : most;
    if (count > points - i) count = points - i;
    pf_strided part = {(char *)run, 1, 0, to.element};
    move_line(part, from, count, mode.loss);
    if (mode.conjugate) conjugate(part, count);
    pf_move_run(to.data, (const char *)run, (size_t)count * to.element, mode.stream);
    to.data += count * (ptrdiff_t)to.element;
    from.data -= count * (ptrdiff_t)from.element;
  }
}

/* 16 bytes of strided elements, combined in a register: a load of 16 bytes from memory would wait
 * for the stores of its parts. */
INLINE wide gather(const char *from, ptrdiff_t step, size_t element) {
  wide x;
  if (element == sizeof(wide)) return *(const wide *)(const void *)from;
  if (element == sizeof(narrow))
    return (wide){*(const narrow *)(const void *)from,
                  *(const narrow *)(const void *)(from + step)};
  const small part[4] = {*(const small *)(const void *)from,
                         *(const small *)(const void *)(from + step),
                         *(const small *)(const void *)(from + 2 * step),
                         *(const small *)(const void *)(from + 3 * step)};
  memcpy(&x, part, sizeof x);
  return x;
}

/* Two cache lines of a line of `to`, from points with a stride; whole cache lines are streamed. */
INLINE void move_column(char *to, const char *from, ptrdiff_t step, ptrdiff_t points,
                        size_t element, int stream) {
  ptrdiff_t together = (ptrdiff_t)(chunk / element), i = 0;
  (void)stream; /* unused without such stores */
#if defined(__SSE2__)
  if (stream && points * (ptrdiff_t)element == 2 * PF_ALIGN && (uintptr_t)to % PF_ALIGN == 0) {
    for (; i < points; i += together, from += together * step, to += chunk)
      _mm_stream_pd((double *)(void *)to, gather(from, step, element));
    return;
  }
#endif
  for (; i + together <= points; i += together, from += together * step, to += chunk)
    *(wide *)(void *)to = gather(from, step, element);
  for (; i < points; i++, from += step, to += element) memcpy(to, from, element);
}

/* Transposes between rows and columns, in blocks of two cache lines: in `to` points are contiguous,
 * in `from` lines. */
INLINE void move_block(pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines,
                       size_t element, int stream) {
  ptrdiff_t step = from.along * (ptrdiff_t)element, apart = to.across * (ptrdiff_t)element;
  for (ptrdiff_t k = 0; k < lines; k++)
    move_column(to.data + k * apart, from.data + k * (ptrdiff_t)element, step, points, element,
                stream);
}

/* As move_block(), with a conversion of the elements. */
static void convert_block(pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines,
                          pf_move_mode mode) {
  wide row[2 * PF_ALIGN / sizeof(float)]; /* large enough, and aligned, for any element */
  for (ptrdiff_t k = 0; k < lines; k++) {
    pf_strided part = {(char *)row, 1, 0, to.element};
    move_line(part, (pf_strided){from.data, from.along, 0, from.element}, points, mode.loss);
    if (mode.conjugate) conjugate(part, points);
    if (mode.stream)
      stream_run(to.data, (const char *)row, (size_t)points * to.element);
    else
      copy_run(to.data, (const char *)row, (size_t)points * to.element);
    to.data += to.across * (ptrdiff_t)to.element;
    from.data += from.element;
  }
}

static void move_strip(pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines,
                       pf_move_mode mode) {
  ptrdiff_t size = (ptrdiff_t)to.element, block = 2 * PF_ALIGN / size, count;
  int converts = mode.conjugate || to.element != from.element;
  /* all blocks end at cache lines */
  ptrdiff_t first = (ptrdiff_t)(-(uintptr_t)to.data & (PF_ALIGN - 1)) / size;
  for (ptrdiff_t i = 0; i < points; i += count) {
    count = i == 0 && first ? first : block;
    if (count > points - i) count = points - i;
    if (converts)
      convert_block(to, from, count, lines, mode);
    else if (to.element == sizeof(wide))
      move_block(to, from, count, lines, sizeof(wide), mode.stream);
    else if (to.element == sizeof(narrow))
      move_block(to, from, count, lines, sizeof(narrow), mode.stream);
    else
      move_block(to, from, count, lines, sizeof(small), mode.stream);
    to.data += count * size;
    from.data += count * from.along * (ptrdiff_t)from.element;
  }
}

/* In strips of lines, so that few pages are written at a time and their addresses stay in the
 * TLB. */
static void move_transposed(pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines,
                            pf_move_mode mode) {
  enum { strip = 64 };
  for (ptrdiff_t left = lines; left > 0; left -= strip) {
    move_strip(to, from, points, left < strip ? left : strip, mode);
    if (left <= strip) break; /* do not compute an address beyond the last line */
    to.data += strip * to.across * (ptrdiff_t)to.element;
    from.data += strip * (ptrdiff_t)from.element;
  }
}

/* Exchanges the roles of points and lines. */
static void exchange_axes(pf_strided *to, pf_strided *from, ptrdiff_t *points, ptrdiff_t *lines) {
  ptrdiff_t count = *points;
  *to = (pf_strided){to->data, to->across, to->along, to->element};
  *from = (pf_strided){from->data, from->across, from->along, from->element};
  *points = *lines;
  *lines = count;
}

/* Reverses the order of lines, or of points. */
static void reverse_lines(pf_strided *s, ptrdiff_t lines) {
  s->data += (lines - 1) * s->across * (ptrdiff_t)s->element;
  s->across = -s->across;
}

static void reverse_points(pf_strided *s, ptrdiff_t points) {
  s->data += (points - 1) * s->along * (ptrdiff_t)s->element;
  s->along = -s->along;
}

void pf_move(pf_strided to, pf_strided from, ptrdiff_t points, ptrdiff_t lines, pf_move_mode mode) {
  if (to.across == -1 || from.across == -1) {
    reverse_lines(&to, lines);
    reverse_lines(&from, lines);
  }
  if (to.along == -1) {
    reverse_points(&to, points);
    reverse_points(&from, points);
  }
  if (to.across == 1 && from.along == 1 && points > 1 && lines > 1)
    exchange_axes(&to, &from, &points, &lines);
  if (to.along == 1 && from.across == 1 && from.along != 1) {
    move_transposed(to, from, points, lines, mode);
    return;
  }
  if (to.along != 1 || (from.along != 1 && from.along != -1)) {
    exchange_axes(&to, &from, &points, &lines); /* the contiguous direction is the inner one */
    if (to.along == -1) {
      reverse_points(&to, points);
      reverse_points(&from, points);
    }
  }
  int backward = to.along == 1 && from.along == -1;
  int contiguous = to.along == 1 && from.along == 1 && !mode.conjugate;
  if (contiguous && to.across == points && from.across == points) { /* one line after the other */
    points *= lines;
    lines = 1;
  }
  for (ptrdiff_t j = 0; j < lines; j++) {
    if (backward)
      move_backward(to, from, points, mode);
    else if (contiguous)
      move_run(to, from, points, mode);
    else
      move_line(to, from, points, mode.loss);
    if (mode.conjugate && !backward) conjugate(to, points);
    to.data += to.across * (ptrdiff_t)to.element;
    from.data += from.across * (ptrdiff_t)from.element;
  }
}
