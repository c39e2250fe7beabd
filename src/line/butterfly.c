/* SPDX-License-Identifier: BSD-3-Clause
 * The butterfly (binary exchange): P = 2^p ranks take p stages.  In each, a rank sends all its data
 * to the rank whose number differs in one bit, and each of the two computes its half.
 *
 *   from blocks, before a local transform (decimation in frequency), stage s = 0 .. p-1, where n is
 *   N / 2^s and g an index in the lower half:
 *     lower   x_lower + x_upper
 *     upper   (x_lower - x_upper) exp(-2 pi i g/n)
 *   after which rank r has the k = r' (mod P), r' being the bits of r in reverse;
 *
 *   from cyclic, after a local transform (decimation in time), n being the length after the stage:
 *     lower   x_lower + exp(-2 pi i k/n) x_upper
 *     upper   x_lower - exp(-2 pi i k/n) x_upper
 *   after which rank r has block r'.
 *
 * A rank sends m/P bytes of the m of the vector in each of log2 P exchanges; a transpose sends
 * m (P-1)/P^2 in each of one to three.  Natural order takes one more exchange, with rank r'; blocks
 * from blocks, or cyclic from cyclic, one more after that.
 * Source: Kumar, Grama, Gupta and Karypis, Introduction to Parallel Computing, chapter on FFT. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "line/work.h"

/* Number of portions of a message; *portion: elements in all but the last one. */
static ptrdiff_t portions_of(ptrdiff_t elements, ptrdiff_t cap, ptrdiff_t *portion) {
  enum { usual = 32 * 1024 };
  *portion = cap > 0 && cap < usual ? cap : usual;
  return (elements + *portion - 1) / *portion;
}

int pf_butterfly_make(pf_line *line, pfft3d_error *e) {
  enum { tag = 91 };
  ptrdiff_t portion, elements = line->n / line->ranks;
  size_t portions = (size_t)portions_of(elements, line->cap, &portion);
  line->request = malloc(2 * portions * sizeof *line->request);
  if (!line->request) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu messages", 2 * portions);
  line->pairs = (pf_exchange){
      .size = line->element, .counting = {.cap = line->cap}, .comm = line->comm, .tag = tag};
  PF_TRY(pf_exchange_create_plain(&line->pairs, e));
  return pf_roots_make(&line->roots, line->n, e);
}

int pf_butterfly_steps(const pf_line_choice *c, pfft3d_direction direction, pf_line_step step[]) {
  int blocks = c->vector[PFFT3D_SPACE].distribution == PF_BLOCK, steps = 0, half;
  pf_line_step local = {PF_LINE_RUN, PF_LINE_CORE, direction}, list[4];
  const pf_line_step halves = {.action = PF_LINE_HALVES};
  list[steps++] = blocks ? halves : local;
  list[steps++] = blocks ? local : halves;
  if (!c->vector[PFFT3D_SPECTRUM].reversed && c->vector[0].ranks > 2)
    list[steps++].action = PF_LINE_SWAP;          /* two ranks have no bits to reverse */
  half = blocks == (direction == PFFT3D_FORWARD); /* from cyclic to blocks, or back */
  if (c->unfit[PFFT3D_SPECTRUM])
    list[steps++] =
        (pf_line_step){PF_LINE_RUN, PF_LINE_REORDER_OUT, half ? PFFT3D_FORWARD : PFFT3D_BACKWARD};
  for (int k = 0; k < steps; k++) step[k] = list[direction == PFFT3D_FORWARD ? k : steps - 1 - k];
  return steps;
}

int pf_butterfly_exchanges(const pf_line_choice *c, pf_line_action action) {
  int stages = 0;
  while (1 << stages < c->vector[0].ranks) stages++;
  return action == PF_LINE_HALVES ? stages : 1;
}

pf_message_count pf_butterfly_count(const pf_line_choice *c, pf_line_action action, int rank,
                                    size_t element, ptrdiff_t cap) {
  int ranks = c->vector[0].ranks, times = pf_butterfly_exchanges(c, action);
  ptrdiff_t count = c->vector[0].total / ranks, portion;
  pf_message_count m = {0};
  portions_of(count, cap, &portion);
  if (action == PF_LINE_SWAP) times = pf_reversed_rank(ranks, rank) != rank;
  pf_counting counting = {1, portion};
  pf_counting_add(&m, &counting, times, count, element);
  return m;
}

/* Starts sending this rank's data to another and receiving as much, in portions. */
static int start(pf_line *line, int partner, const char *from, char *to, ptrdiff_t count) {
  pf_exchange *x = &line->pairs;
  MPI_Request *next = line->request;
  memcpy(&x->send, &from, sizeof from); /* never written to */
  x->recv = to;
  portions_of(count, line->cap, &x->counting.cap);
  const pf_message all = {.other = partner, .elements = count};
  int code = pf_exchange_message(x, PF_RECEIVE, &all, &next);
  return code == MPI_SUCCESS ? pf_exchange_message(x, PF_SEND, &all, &next) : code;
}

/* One stage on `count` elements: exponent of the first one and its step, mod n.  `upper`: this rank
 * has the upper half.  `before`: the stage precedes the local transform, and factors are applied
 * last. */
typedef struct stage {
  const pf_roots *roots;
  int upper, before, sign;
  ptrdiff_t exponent, step, count;
  pfft3d_stats *stats; /* waiting is added to them */
} stage;

#define COMBINE(type)                                                                         \
  static void combine_##type(const stage *s, const type *mine, const type *other, type *to) { \
    ptrdiff_t m = s->exponent % s->roots->n, n = s->roots->n, step = s->step % n;             \
    for (ptrdiff_t i = 0; i < s->count; i++) {                                                \
      const type *low = s->upper ? other + 2 * i : mine + 2 * i;                              \
      const type *high = s->upper ? mine + 2 * i : other + 2 * i;                             \
      double w[2], rest[2];                                                                   \
      pf_roots_at(s->roots, m, w, rest);                                                      \
      type re = (type)w[0], im = (type)(s->sign < 0 ? w[1] : -w[1]);                          \
      if (s->before && !s->upper) {                                                           \
        to[2 * i] = low[0] + high[0], to[2 * i + 1] = low[1] + high[1];                       \
      } else if (s->before) {                                                                 \
        type x = low[0] - high[0], y = low[1] - high[1];                                      \
        to[2 * i] = x * re - y * im, to[2 * i + 1] = x * im + y * re;                         \
      } else {                                                                                \
        type x = high[0] * re - high[1] * im, y = high[0] * im + high[1] * re;                \
        to[2 * i] = s->upper ? low[0] - x : low[0] + x;                                       \
        to[2 * i + 1] = s->upper ? low[1] - y : low[1] + y;                                   \
      }                                                                                       \
      m = m >= n - step ? m - (n - step) : m + step;                                          \
    }                                                                                         \
  }

COMBINE(double)
COMBINE(float)

/* Exponents of exp(-2 pi i/N) in stage s: of element 0, and the step to the next element. */
static void exponents(const pf_line *line, int s, int blocks, stage *x) {
  ptrdiff_t local = line->n / line->ranks;
  int half = line->ranks >> (s + 1), number = 0;
  if (blocks) {
    x->step = (ptrdiff_t)1 << s;
    x->exponent = (ptrdiff_t)(line->rank % half) * local * x->step;
    return;
  }
  for (int k = 0; k < s; k++) /* bits of the completed stages, the first one lowest */
    number += (line->rank / (line->ranks >> (k + 1)) % 2) << k;
  x->step = half;
  x->exponent = number * local * x->step;
}

/* Completes a stage portion by portion as they arrive. */
static int finish(pf_line *line, stage s, const char *mine, const char *other, char *to) {
  ptrdiff_t count = line->n / line->ranks, portion,
            portions = portions_of(count, line->cap, &portion);
  ptrdiff_t first = s.exponent;
  int code = MPI_SUCCESS;
  for (ptrdiff_t k = 0; k < portions && code == MPI_SUCCESS; k++) {
    double before = MPI_Wtime();
    size_t at = (size_t)(k * portion) * line->element;
    const void *a = mine + at, *b = other + at;
    void *c = to + at;
    code = MPI_Wait(&line->request[k], MPI_STATUS_IGNORE);
    /* Results replace this rank's elements, whose send must be complete. */
    if (code == MPI_SUCCESS) code = MPI_Wait(&line->request[portions + k], MPI_STATUS_IGNORE);
    if (k == portions - 1) pf_exchange_arrived(&line->pairs);
    s.stats->wait_s += MPI_Wtime() - before;
    s.count = count - k * portion < portion ? count - k * portion : portion;
    s.exponent = (ptrdiff_t)((first + (__int128)s.step * k * portion) % line->n);
    if (line->precision == PFFT3D_DOUBLE)
      combine_double(&s, a, b, c);
    else
      combine_float(&s, a, b, c);
  }
  return code;
}

/* Runs all stages: the first one reads `from`, and all store their results in `to`. */
static int run_halves(pf_line *line, const pf_line_pass *pass) {
  int blocks = line->choice.vector[PFFT3D_SPACE].distribution == PF_BLOCK;
  int stages = pf_butterfly_exchanges(&line->choice, PF_LINE_HALVES);
  int code = MPI_SUCCESS, backward = pass->direction == PFFT3D_BACKWARD;
  ptrdiff_t count = line->n / line->ranks;
  int free_one = 0;
  while (line->work[free_one] == pass->from || line->work[free_one] == pass->to) free_one++;
  char *other = line->work[free_one];
  for (int k = 0; k < stages && code == MPI_SUCCESS; k++) {
    int s = backward ? stages - 1 - k : k, half = line->ranks >> (s + 1);
    stage x = {.roots = &line->roots,
               .upper = (line->rank & half) != 0,
               .before = blocks != backward,
               .sign = backward ? 1 : -1,
               .stats = pass->stats};
    exponents(line, s, blocks, &x);
    const char *mine = k ? pass->to : pass->from;
    code = start(line, line->rank ^ half, mine, other, count);
    if (code == MPI_SUCCESS) code = finish(line, x, mine, other, pass->to);
  }
  return code;
}

int pf_butterfly_run(pf_line *line, const pf_line_pass *pass) {
  ptrdiff_t count = line->n / line->ranks, portion;
  int portions = (int)portions_of(count, line->cap, &portion);
  int partner = pf_reversed_rank(line->ranks, line->rank);
  if (pass->action == PF_LINE_HALVES) return run_halves(line, pass);
  if (partner == line->rank) {
    memcpy(pass->to, pass->from, (size_t)count * line->element);
    return MPI_SUCCESS;
  }
  double before = MPI_Wtime();
  int code = start(line, partner, pass->from, pass->to, count);
  if (code == MPI_SUCCESS) code = MPI_Waitall(2 * portions, line->request, MPI_STATUSES_IGNORE);
  pf_exchange_arrived(&line->pairs);
  pass->stats->wait_s += MPI_Wtime() - before;
  return code;
}
