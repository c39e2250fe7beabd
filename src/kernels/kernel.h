/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels: the FFTs of the textbooks, for one line of complex numbers, one algorithm a file.  They
 * are for reading and for measuring, and know nothing of layouts, tiles or MPI.  To add one: write
 * its file, add a line to kernel_list.h. */
#ifndef PF_KERNELS_KERNEL_H
#define PF_KERNELS_KERNEL_H

#include <stddef.h>
#include <time.h>

#include "base/status.h"

/* Phases of a kernel, as far as it has separate ones: sorting the input or the result by reversed
 * bits, a table of roots of unity that is computed in each run, butterflies within the chunk of a
 * thread, and across chunks.  Kernels without chunks have all butterflies in the first of the two.
 * Kernels of devices also copy lines to the device and back. */
typedef enum pf_phase {
  PF_BIT_REVERSAL,
  PF_ROOTS,
  PF_BUTTERFLY1,
  PF_BUTTERFLY2,
  PF_TRANSFERS,
  PF_PHASES
} pf_phase;

/* The tables of roots of unity that are made with a plan, see roots.c. */
typedef enum pf_roots_wanted { PF_NO_ROOTS, PF_STAGE_ROOTS, PF_ALL_ROOTS } pf_roots_wanted;

/* One line.  in, out and work do not overlap. */
typedef struct pf_kernel_line {
  const void *in; /* plan.size numbers, not modified */
  void *out;      /* plan.size numbers */
  void *work;     /* kernel.work * plan.size numbers, aligned to PF_ALIGN */
  double *phase;  /* seconds of each pf_phase are added; NULL: not measured */
} pf_kernel_line;

typedef struct pf_kernel_plan pf_kernel_plan;

/* A kernel in one precision: transforms a line with plan.team threads.  Returns nothing: everything
 * that can fail has been checked when the plan was made. */
typedef void pf_kernel_run_line(const pf_kernel_plan *plan, const pf_kernel_line *line);

typedef struct pf_remote pf_remote; /* remote.h */

typedef struct pf_kernel {
  const char *name, *summary;
  const char *device;      /* where it runs: "cpu" */
  const pf_remote *remote; /* NULL, or a kernel of a device, without the following members */
  int serial;              /* one thread for a line; the threads take different lines of a batch */
  int any_size;            /* else powers of two only */
  int factors;             /* of any size: largest supported prime factor; 0: any */
  size_t longest;          /* maximum points of a line; 0: no limit */
  int loose;               /* factor on the usual limit of errors; 0: 1 */
  int square;              /* takes size^2 steps, not size log size */
  size_t work;             /* work memory of a line, in lines */
  pf_roots_wanted roots;
  unsigned phases;             /* bits 1 << pf_phase: phases of this kernel */
  pf_kernel_run_line *line[2]; /* indexed by pfft3d_precision */
} pf_kernel;

/* The transform to plan: `batch` lines of `size` points, one after another, exp(sign 2 pi i
 * jk/size); or, for kernels of devices, as many matrices of `rows` rows, transformed along both
 * axes. */
typedef struct pf_kernel_spec {
  const pf_kernel *kernel;
  pfft3d_precision precision;
  size_t size, batch;
  size_t rows; /* 0 or 1: lines */
  int sign, threads;
  int device; /* device number for kernels that need one, or -1: the first that they support */
} pf_kernel_spec;

struct pf_kernel_plan {
  const pf_kernel *kernel;
  pfft3d_precision precision;
  size_t size, rows, batch;
  int bits; /* log2 of the size, if it is a power of two */
  int sign;
  int threads;  /* of a run */
  int team;     /* of a line: 1, or `threads` */
  size_t bytes; /* of all memory of the plan */
  void *roots, *work;
  void *state;             /* of a kernel on a device */
  double phase[PF_PHASES]; /* seconds of the last run */
};

/** Local. The kernels, in order, kernels of devices last; NULL past the end. */
const pf_kernel *pf_kernel_at(int index);

/** Local. Name of a phase, as in reports. */
const char *pf_phase_name(pf_phase phase);

/** Local. NULL if the kernel can transform lines of n points (of matrices, both ways); else the
 *  supported sizes, in words. */
const char *pf_kernel_takes(const pf_kernel *kernel, size_t n);

/** Local. 1 if the kernel can transform such lines. */
int pf_kernel_supports(const pf_kernel *kernel, size_t n);

/** Local. Bytes of a line of work memory, rounded up so that lines stay aligned. */
size_t pf_kernel_line_bytes(const pf_kernel_plan *plan);

/** Local. Makes the tables, and work memory for as many lines as run together (none if batch is 0:
 *  the caller then runs single lines by kernel->line with memory of its own).
 *  Errors: MEMORY, UNAVAILABLE; nothing is left then. */
int pf_kernel_make(pf_kernel_plan *plan, const pf_kernel_spec *spec, pfft3d_error *e);

/** Local. Transforms all lines, out of place, and sets plan->phase. */
void pf_kernel_run(pf_kernel_plan *plan, const void *in, void *out);

/** Local. Nonzero if the device has failed, with a line in *e; the results are then invalid. */
int pf_kernel_fault(const pf_kernel_plan *plan, pfft3d_error *e);

/** Local. The pf_device_api of a kernel of devices; -1 for other kernels, and if this build lacks
 * it. */
int pf_kernel_api(const pf_kernel *kernel);

/** Local. "cpu", or the name of the plan's device. */
const char *pf_kernel_device_name(const pf_kernel_plan *plan);

/** Local. Frees what pf_kernel_make() made; *plan may be all zero. */
void pf_kernel_free(pf_kernel_plan *plan);

/** Local. Memory for lines, aligned, on huge pages if it is large; NULL if there is not enough:
 * MEMORY, with figures.  pf_kernel_drop() frees it; it may be NULL. */
void *pf_kernel_take(size_t bytes, pfft3d_error *e);
void pf_kernel_drop(void *memory);

/** Local. Seconds of a clock. */
static inline double pf_kernel_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Local. The tables of roots.c, for kernels that make them in a run. */
void pf_kernel_roots(pfft3d_precision precision, void *table, size_t n, int sign,
                     pf_roots_wanted wanted);

/* In both precisions. */
void pf_roots_double(void *table, size_t n, int sign, pf_roots_wanted wanted);
void pf_roots_single(void *table, size_t n, int sign, pf_roots_wanted wanted);
#define PF_KERNEL_LINE(name)                                 \
  pf_kernel_run_line pf_##name##_double, pf_##name##_single; \
  extern const pf_kernel pf_kernel_##name;
#include "kernels/kernel_list.h"
#undef PF_KERNEL_LINE

#endif
