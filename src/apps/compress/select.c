/* SPDX-License-Identifier: BSD-3-Clause
 * Selection over ranks without sorting and without gathering: a histogram of the leading 16 bits of
 * the keys of all components, added up over the ranks, shows the bin of the last component that is
 * kept; a histogram of the next 16 bits of the components in this bin narrows it down, and so on,
 * at most eight times: four for the size, four for the index.  After the first, only the components
 * of the bin are read, a few percent.  (A radix select; over ranks as in Saukas and Song, A note on
 * parallel selection, 1999, with histograms instead of medians.) */
#include "apps/compress/select.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/watch.h"

enum { BITS = 16, BINS = 1 << BITS, DIGITS = 2 * 64 / BITS };

typedef struct candidate {
  rank_key key;
  int weight;
} candidate;

/* A list that grows. */
typedef struct bag {
  const app *a;
  void *item;
  size_t bytes; /* of an item */
  ptrdiff_t count, room;
} bag;

static void *bag_add(bag *b) {
  if (b->count == b->room) {
    b->room = b->room ? 2 * b->room : 1024;
    b->item = realloc(b->item, (size_t)b->room * b->bytes);
    if (!b->item)
      app_die(b->a, PFFT3D_ERR_MEMORY, "out of memory: cannot get a list of %td components",
              b->room);
  }
  return (char *)b->item + (size_t)b->count++ * b->bytes;
}

static component_row row_make(const app *a, const components *c) {
  size_t room = (size_t)c->box.len[2];
  return (component_row){app_malloc(a, room, sizeof(component)), app_malloc(a, room, sizeof(int)),
                         0};
}

static void row_free(component_row *r) {
  free(r->item);
  free(r->weight);
}

/* ---- the first component that is dropped ---- */

static uint64_t digit(rank_key key, int number) {
  uint64_t word = number < DIGITS / 2 ? key.size : key.index;
  return word >> (64 - BITS * (number % (DIGITS / 2) + 1)) & (BINS - 1);
}

static void set_digit(rank_key *key, int number, uint64_t value) {
  uint64_t *word = number < DIGITS / 2 ? &key->size : &key->index;
  *word |= value << (64 - BITS * (number % (DIGITS / 2) + 1));
}

/* The bin in which the sum over the histogram of all ranks exceeds *remaining, which is reduced by
 * the bins before it; BINS if all components fit. */
static int find_bin(const app *a, double *histogram, double *remaining) {
  int bin = 0;
  watch_kick("selecting components");
  MPI_Allreduce(MPI_IN_PLACE, histogram, BINS, MPI_DOUBLE, MPI_SUM, a->comm);
  for (; bin < BINS && histogram[bin] <= *remaining; bin++) *remaining -= histogram[bin];
  return bin;
}

/* The components in the bin of the first digit. */
static void collect(const components *c, component_row *r, uint64_t bin, bag *b) {
  for (ptrdiff_t k = 0; k < components_rows(c); k++) {
    components_row(c, k, r);
    for (ptrdiff_t i = 0; i < r->count; i++) {
      rank_key key = component_key(c, &r->item[i]);
      if (digit(key, 0) == bin) *(candidate *)bag_add(b) = (candidate){key, r->weight[i]};
    }
  }
}

/* Keeps candidates of this bin only. */
static void narrow(bag *b, int number, uint64_t bin) {
  candidate *x = b->item;
  ptrdiff_t count = 0;
  for (ptrdiff_t i = 0; i < b->count; i++)
    if (digit(x[i].key, number) == bin) x[count++] = x[i];
  b->count = count;
}

static rank_key find_first_dropped(const app *a, const components *c, component_row *r,
                                   double remaining) {
  rank_key found = {0, 0};
  double *histogram = app_malloc(a, BINS, sizeof *histogram);
  bag b = {.a = a, .bytes = sizeof(candidate)};
  for (ptrdiff_t k = 0; k < components_rows(c); k++) {
    components_row(c, k, r);
    for (ptrdiff_t i = 0; i < r->count; i++)
      histogram[digit(component_key(c, &r->item[i]), 0)] += r->weight[i];
  }
  int bin = find_bin(a, histogram, &remaining);
  if (bin < BINS) collect(c, r, (uint64_t)bin, &b);
  for (int number = 1; bin < BINS; number++) {
    set_digit(&found, number - 1, (uint64_t)bin);
    if (number == DIGITS || !(remaining > 0)) break;
    memset(histogram, 0, BINS * sizeof *histogram);
    for (ptrdiff_t i = 0; i < b.count; i++) {
      const candidate *x = (const candidate *)b.item + i;
      histogram[digit(x->key, number)] += x->weight;
    }
    bin = find_bin(a, histogram, &remaining);
    narrow(&b, number, (uint64_t)bin);
  }
  if (bin == BINS) found = (rank_key){UINT64_MAX, UINT64_MAX};
  free(b.item);
  free(histogram);
  return found;
}

/* ---- kept components by index ---- */

static int by_index(const void *x, const void *y) {
  uint64_t p = ((const component *)x)->index, q = ((const component *)y)->index;
  return (p > q) - (p < q);
}

/* Bounds of the indices of each rank, so that all have similar numbers; from a histogram. */
static void find_bounds(const app *a, const components *c, const bag *kept, uint64_t *bound) {
  double *histogram = app_malloc(a, BINS, sizeof *histogram), all = 0, sum = 0;
  uint64_t indices = (uint64_t)c->n[0] * (uint64_t)c->n[1] * (uint64_t)c->n[2];
  uint64_t width = (indices + BINS - 1) / BINS;
  int rank = 1;
  for (ptrdiff_t i = 0; i < kept->count; i++)
    histogram[((const component *)kept->item)[i].index / width]++;
  MPI_Allreduce(MPI_IN_PLACE, histogram, BINS, MPI_DOUBLE, MPI_SUM, a->comm);
  for (int i = 0; i < BINS; i++) all += histogram[i];
  for (int i = 0; i < BINS; i++) {
    while (rank < a->ranks && sum >= all * rank / a->ranks) bound[rank++] = (uint64_t)i * width;
    sum += histogram[i];
  }
  while (rank <= a->ranks) bound[rank++] = UINT64_MAX;
  free(histogram);
}

static void check_count(const app *a, ptrdiff_t count) {
  if (count > INT_MAX)
    app_die(a, PFFT3D_ERR_UNAVAILABLE, "cannot exchange %td components of one rank: use more ranks",
            count);
}

/* Sends every component to the rank of its index. */
static void exchange(const app *a, const bag *kept, const uint64_t *bound, selection *s) {
  int *count = app_malloc(a, 4 * (size_t)a->ranks, sizeof *count), *got = count + a->ranks,
      *from = got + a->ranks, *to = from + a->ranks;
  const component *x = kept->item;
  MPI_Datatype type;
  ptrdiff_t i = 0, sum = 0;
  check_count(a, kept->count);
  for (int r = 0; r < a->ranks; r++)
    for (; i < kept->count && x[i].index < bound[r + 1]; i++) count[r]++;
  MPI_Alltoall(count, 1, MPI_INT, got, 1, MPI_INT, a->comm);
  for (int r = 0; r < a->ranks; r++) s->count += got[r];
  check_count(a, s->count);
  for (int r = 0; r < a->ranks; r++) {
    from[r] = r ? from[r - 1] + count[r - 1] : 0;
    to[r] = (int)sum;
    sum += got[r];
  }
  s->item = app_malloc(a, (size_t)s->count, sizeof *s->item);
  MPI_Type_contiguous((int)sizeof(component), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(x, count, from, type, s->item, got, to, type, a->comm);
  MPI_Type_free(&type);
  free(count);
}

void select_largest(const app *a, const components *c, double wanted, selection *s) {
  component_row r = row_make(a, c);
  bag kept = {.a = a, .bytes = sizeof(component)};
  uint64_t *bound = app_malloc(a, (size_t)a->ranks + 1, sizeof *bound);
  long double sum[3] = {0, 0, 0};
  memset(s, 0, sizeof *s);
  s->first_dropped = find_first_dropped(a, c, &r, wanted);
  for (ptrdiff_t k = 0; k < components_rows(c); k++) {
    components_row(c, k, &r);
    for (ptrdiff_t i = 0; i < r.count; i++) {
      int keep = rank_key_before(component_key(c, &r.item[i]), s->first_dropped);
      sum[keep] += r.weight[i] * component_power(c, &r.item[i]);
      if (!keep) continue;
      sum[2] += r.weight[i];
      *(component *)bag_add(&kept) = r.item[i];
    }
  }
  row_free(&r);
  MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
  s->dropped = (double)sum[0];
  s->energy = (double)sum[1];
  s->kept = (double)sum[2];
  if (kept.count) qsort(kept.item, (size_t)kept.count, sizeof(component), by_index);
  find_bounds(a, c, &kept, bound);
  exchange(a, &kept, bound, s);
  free(kept.item);
  free(bound);
  if (s->count) qsort(s->item, (size_t)s->count, sizeof(component), by_index);
  long long count = s->count, before = 0;
  MPI_Exscan(&count, &before, 1, MPI_LONG_LONG, MPI_SUM, a->comm);
  s->before = a->rank ? (ptrdiff_t)before : 0;
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG_LONG, MPI_SUM, a->comm);
  s->stored = (double)count;
}

void select_free(selection *s) {
  free(s->item);
  memset(s, 0, sizeof *s);
}
