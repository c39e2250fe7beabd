/* SPDX-License-Identifier: BSD-3-Clause
 * Data of the comparison: every element is a function of the seed and its global index, so that
 * contenders with different layouts get the same field without a copy of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench.h"

enum { ROOM = 10 }; /* a tenth of the memory stays free */

void *bench_alloc(size_t bytes) {
  const size_t huge = (size_t)2 << 20, align = bytes >= huge ? huge : 64;
  const size_t rounded = (bytes / align + 1) * align;
  void *p = aligned_alloc(align, rounded);
  if (!p) {
    fprintf(stderr, "bench_peers: no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_MEMORY);
    abort();
  }
#ifdef MADV_HUGEPAGE
  if (align == huge) madvise(p, rounded, MADV_HUGEPAGE);
#endif
  return memset(p, 0, rounded);
}

/* 64 well mixed bits of an index: the finaliser of splitmix64 (Steele, Lea and Flood 2014). */
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void extents(const bench *b, pfft3d_side side, ptrdiff_t n[3]) {
  memcpy(n, b->n, sizeof b->n);
  if (b->kind == PFFT3D_R2C && side == PFFT3D_SPECTRUM) n[2] = n[2] / 2 + 1;
}

int parts_of(const bench *b, pfft3d_side side) {
  return b->kind == PFFT3D_R2C && side == PFFT3D_SPACE ? 1 : 2;
}

size_t field_bytes(const bench *b, const contender *c, pfft3d_side side) {
  const pfft3d_box *box = &c->box[side];
  const size_t number = c->precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double);
  ptrdiff_t elements = 1;
  for (int a = 0; a < 3; a++) {
    if (box->len[a] == 0) return 0;
    elements += (box->len[a] - 1) * box->stride[a];
  }
  return (size_t)elements * (size_t)parts_of(b, side) * number;
}

/* Field k is the first one times this, so that no field can be mistaken for another. */
static double factor_of(int k) {
  return 1.0 / (1 + k);
}

double number_get(const contender *c, const void *array, ptrdiff_t at) {
  return c->precision == PFFT3D_SINGLE ? (double)((const float *)array)[at]
                                       : ((const double *)array)[at];
}

void number_put(const contender *c, void *array, ptrdiff_t at, double x) {
  if (c->precision == PFFT3D_SINGLE)
    ((float *)array)[at] = (float)x;
  else
    ((double *)array)[at] = x;
}

/* Offset of row (i0, i1) of a box, in elements; indices count from its corner. */
static ptrdiff_t row_of(const pfft3d_box *box, ptrdiff_t i0, ptrdiff_t i1) {
  return i0 * box->stride[0] + i1 * box->stride[1];
}

/* The element whose bits an element has: the spectrum of a real field has F[-k] = conj F[k], and
 * both are stored for k2 = 0 and n2/2.  The element with the smaller index of the two defines both,
 * with `sign` times its imaginary part. */
static ptrdiff_t partner(const ptrdiff_t n[3], ptrdiff_t g, double *sign) {
  const ptrdiff_t i2 = g % n[2], i1 = g / n[2] % n[1], i0 = g / n[2] / n[1];
  const ptrdiff_t other = ((n[0] - i0) % n[0] * n[1] + (n[1] - i1) % n[1]) * n[2] + i2;
  *sign = other > g ? 1 : other < g ? -1 : 0;
  return other < g ? other : g;
}

static void fill_one(const bench *b, uint64_t salt, pfft3d_side side, double times, contender *c,
                     void *array) {
  const pfft3d_box *box = &c->box[side];
  const int parts = parts_of(b, side), half = b->kind == PFFT3D_R2C && side == PFFT3D_SPECTRUM;
  ptrdiff_t n[3];
  extents(b, side, n);
  for (ptrdiff_t i0 = 0; i0 < box->len[0]; i0++)
    for (ptrdiff_t i1 = 0; i1 < box->len[1]; i1++) {
      const ptrdiff_t row = row_of(box, i0, i1);
      const ptrdiff_t g = ((i0 + box->lo[0]) * n[1] + i1 + box->lo[1]) * n[2] + box->lo[2];
      for (ptrdiff_t i2 = 0; i2 < box->len[2]; i2++) {
        const ptrdiff_t k2 = i2 + box->lo[2];
        const int twice = half && (k2 == 0 || 2 * k2 == b->n[2]);
        double sign = 1;
        const ptrdiff_t index = twice ? partner(n, g + i2, &sign) : g + i2;
        const uint64_t bits = mix(salt ^ (uint64_t)index);
        const ptrdiff_t at = parts * (row + i2 * box->stride[2]);
        number_put(c, array, at, times * (double)(int32_t)(bits >> 32) * 0x1p-32);
        if (parts == 1) continue;
        number_put(c, array, at + 1,
                   times * sign * (double)(int32_t)(bits & 0xffffffffu) * 0x1p-32);
      }
    }
}

void field_fill(const bench *b, uint64_t seed, contender *c, pfft3d_side side) {
  if (b->line) {
    line_fill(b, mix(seed), c, side);
    return;
  }
  for (int k = 0; k < c->fields; k++)
    fill_one(b, mix(seed), side, factor_of(k), c, c->array[side][k]);
}

/* Copies the part of plane i0 of the global array that is in a box between array and `plane`, the
 * whole plane; or (sum != NULL) compares it after multiplication with `times`.  sum: of squares of
 * differences and of the plane's numbers, and their number. */
static void plane_part(const bench *b, const contender *c, pfft3d_side side, ptrdiff_t i0,
                       const void *array, double *plane, double times, double *sum) {
  const pfft3d_box *box = &c->box[side];
  const int parts = parts_of(b, side);
  ptrdiff_t n[3];
  extents(b, side, n);
  if (i0 < box->lo[0] || i0 >= box->lo[0] + box->len[0]) return;
  for (ptrdiff_t i1 = 0; i1 < box->len[1]; i1++) {
    const ptrdiff_t row = row_of(box, i0 - box->lo[0], i1);
    double *there = plane + parts * ((i1 + box->lo[1]) * n[2] + box->lo[2]);
    for (ptrdiff_t i2 = 0; i2 < box->len[2]; i2++)
      for (int p = 0; p < parts; p++, there++) {
        const double x = number_get(c, array, parts * (row + i2 * box->stride[2]) + p);
        if (!sum) {
          *there = x;
          continue;
        }
        sum[0] += (x * times - *there) * (x * times - *there);
        sum[1] += *there * *there;
        sum[2] += 1;
      }
  }
}

double field_compare(const bench *b, pfft3d_side side, const contender *owner,
                     const void *reference, const contender *c) {
  ptrdiff_t n[3];
  extents(b, side, n);
  const size_t numbers = (size_t)(n[1] * n[2] * parts_of(b, side));
  double *plane = bench_alloc(numbers * sizeof *plane), worst = 0;
  double sum[MAX_BATCH][3] = {{0}};
  /* One plane after another, whole on all ranks: so each box finds its part. */
  for (ptrdiff_t i0 = 0; i0 < n[0]; i0++) {
    memset(plane, 0, numbers * sizeof *plane);
    plane_part(b, owner, side, i0, reference, plane, 1, NULL);
    MPI_Allreduce(MPI_IN_PLACE, plane, (int)numbers, MPI_DOUBLE, MPI_SUM, b->comm);
    for (int k = 0; k < c->fields; k++)
      plane_part(b, c, side, i0, c->array[side][k], plane, 1 / factor_of(k), sum[k]);
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 3 * c->fields, MPI_DOUBLE, MPI_SUM, b->comm);
  for (int k = 0; k < c->fields; k++) {
    const int whole = sum[k][2] == (double)numbers * (double)n[0];
    const double error = whole ? sqrt(sum[k][0] / sum[k][1]) : NAN;
    if (!(error <= worst)) worst = error;
    if (isnan(worst)) break;
  }
  free(plane);
  return worst;
}

/* Available bytes of this node, by the kernel. */
static double available(void) {
  FILE *f = fopen("/proc/meminfo", "r");
  char line[128];
  double kib = 0;
  if (!f) return INFINITY;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %lf", &kib) == 1) break;
  fclose(f);
  return kib > 0 ? kib * 1024 : INFINITY;
}

int memory_fits(const bench *b, double bytes) {
  int fits = bytes * b->ranks_on_node <= available() * (1 - 1.0 / ROOM), all;
  MPI_Allreduce(&fits, &all, 1, MPI_INT, MPI_MIN, b->comm);
  return all;
}
