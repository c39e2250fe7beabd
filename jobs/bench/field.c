/* SPDX-License-Identifier: BSD-3-Clause
 * Data of the comparison: every element is a function of the seed and its global index, so that
 * contenders with different layouts get the same field without a copy of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench.h"

enum { ROOM = 10 }; /* a tenth of the memory is left alone */

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
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void field_fill(const bench *b, uint64_t seed, const pfft3d_box *box, double *array) {
  const uint64_t salt = mix(seed);
  for (ptrdiff_t i0 = 0; i0 < box->len[0]; i0++)
    for (ptrdiff_t i1 = 0; i1 < box->len[1]; i1++) {
      double *row = array + 2 * (i0 * box->stride[0] + i1 * box->stride[1]);
      const ptrdiff_t g = ((i0 + box->lo[0]) * b->n[1] + i1 + box->lo[1]) * b->n[2] + box->lo[2];
      for (ptrdiff_t i2 = 0; i2 < box->len[2]; i2++) {
        const uint64_t bits = mix(salt ^ (uint64_t)(g + i2));
        double *x = row + 2 * i2 * box->stride[2];
        x[0] = (double)(int32_t)(bits >> 32) * 0x1p-32;
        x[1] = (double)(int32_t)(bits & 0xffffffffu) * 0x1p-32;
      }
    }
}

int distributed_axis(const bench *b, pfft3d_side side) {
  return side == PFFT3D_SPECTRUM && b->order == PFFT3D_TRANSPOSED;
}

/* The rank whose box holds plane g; `ends` has lo and len of every rank. */
static int owner(const bench *b, const long *ends, ptrdiff_t g) {
  int r = 0;
  while (r < b->ranks - 1 && !(g >= ends[2 * r] && g < ends[2 * r] + ends[2 * r + 1])) r++;
  return r;
}

static void gather_ends(const bench *b, int axis, const pfft3d_box *box, long *ends) {
  const long mine[2] = {(long)box->lo[axis], (long)box->len[axis]};
  MPI_Allgather(mine, 2, MPI_LONG, ends, 2, MPI_LONG, b->comm);
}

/* A plane of a box between array and a contiguous buffer: copied, or (sum != NULL) compared. */
static void plane(const pfft3d_box *box, int axis, ptrdiff_t g, const double *array, double *buffer,
                  double *sum) {
  const int u = axis == 0 ? 1 : 0, v = 2;
  const double *base = array + 2 * (g - box->lo[axis]) * box->stride[axis];
  for (ptrdiff_t i = 0; i < box->len[u]; i++)
    for (ptrdiff_t j = 0; j < box->len[v]; j++, buffer += 2) {
      const double *x = base + 2 * (i * box->stride[u] + j * box->stride[v]);
      if (!sum) {
        buffer[0] = x[0], buffer[1] = x[1];
        continue;
      }
      const double re = x[0] - buffer[0], im = x[1] - buffer[1];
      sum[0] += re * re + im * im;
      sum[1] += buffer[0] * buffer[0] + buffer[1] * buffer[1];
    }
}

double field_compare(const bench *b, int axis, const pfft3d_box *reference_box,
                     const double *reference, const pfft3d_box *box, const double *array) {
  const ptrdiff_t points = b->n[axis == 0 ? 1 : 0] * b->n[2];
  double *buffer = bench_alloc((size_t)points * 2 * sizeof *buffer), sum[2] = {0, 0}, all[2];
  long *ends[2];
  for (int k = 0; k < 2; k++) {
    ends[k] = bench_alloc(2 * (size_t)b->ranks * sizeof(long));
    gather_ends(b, axis, k ? box : reference_box, ends[k]);
  }
  for (ptrdiff_t g = 0; g < b->n[axis]; g++) {
    const int from = owner(b, ends[0], g), to = owner(b, ends[1], g);
    if (b->rank == from) plane(reference_box, axis, g, reference, buffer, NULL);
    if (from != to && b->rank == from)
      MPI_Send(buffer, (int)(2 * points), MPI_DOUBLE, to, 0, b->comm);
    if (from != to && b->rank == to)
      MPI_Recv(buffer, (int)(2 * points), MPI_DOUBLE, from, 0, b->comm, MPI_STATUS_IGNORE);
    if (b->rank == to) plane(box, axis, g, array, buffer, sum);
  }
  MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, b->comm);
  free(buffer);
  free(ends[0]);
  free(ends[1]);
  return sqrt(all[0] / all[1]);
}

/* Bytes this node can still give, as the kernel says. */
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
