/* SPDX-License-Identifier: BSD-3-Clause
 * Devices: processors that have memory and queues of their own and are reached through OpenCL, CUDA
 * or OpenGL.  Who uses one sees memory, copies and kernels; the names of these stay inside.
 *
 * Commands are queued.  A queue works them off in order, and three queues (up, run, down) let a
 * device copy while it computes (with CUDA and OpenGL all three are one).  The first failure of a
 * command is kept in the device's `fault`, after which no command is queued any more: who waits
 * asks for it. */
#ifndef PF_DEVICE_DEVICE_H
#define PF_DEVICE_DEVICE_H

#include <stddef.h>

#include "base/status.h"

typedef struct pf_device pf_device;

/* What devices are reached through, in the order of their numbers. */
typedef enum pf_device_api { PF_OPENCL, PF_CUDA, PF_OPENGL, PF_APIS } pf_device_api;

typedef struct pf_device_facts {
  pf_device_api api;
  char name[96], driver[128];
  const char *kind;     /* "gpu", "cpu", "other" */
  double memory, piece; /* bytes, and of the largest buffer */
  int fp64;             /* computes in double precision */
  int units;
} pf_device_facts;

/** Local. "opencl", "cuda", "opengl"; whether this build has it. */
const char *pf_device_api_name(pf_device_api api);
int pf_device_has(pf_device_api api);

/** Local. The number of devices of one kind: of all platforms, GPUs first, CPUs last. */
int pf_device_count(pf_device_api api);

/** Local. What a device is; returns 0 where there is none of this number.  Those of OpenCL come
 * first: who asks for one of them does not wake the others. */
int pf_device_facts_of(int index, pf_device_facts *facts);

/* Which device: a number, or the first one of an API (index < 0); what it must be able to do. */
typedef struct pf_device_wanted {
  pf_device_api api;
  int index;
  pfft3d_precision precision;
} pf_device_wanted;

/** Local. Checks that a device is there, reached in this way, and computes in this precision, and
 * opens it, once in a process; it stays open.  Errors: UNAVAILABLE (no such device, no fp64),
 * MEMORY. */
int pf_device_open(const pf_device_wanted *wanted, pf_device **device, pfft3d_error *e);

/** Local. Facts of an open device. */
const pf_device_facts *pf_device_about(const pf_device *device);

/* ---- memory ---- */

/* Memory of a device; `host`, if not NULL, is where the processor sees it: such memory is pinned,
 * and copies to and from it need no stop in between. */
typedef struct pf_device_memory {
  pf_device *device;
  void *handle, *host;
  size_t bytes;
} pf_device_memory;

/** Local. Errors: MEMORY, with what is wanted and what there is.  Of pf_device_drop(), *m may be
 * all zero. */
int pf_device_take(pf_device *device, size_t bytes, int pinned, pf_device_memory *m,
                   pfft3d_error *e);
void pf_device_drop(pf_device_memory *m);

/* ---- commands ---- */

typedef enum pf_device_queue { PF_UP, PF_RUN, PF_DOWN, PF_QUEUES } pf_device_queue;

/* Something that has been queued, for other queues and the host to wait for; 0 is nothing. */
typedef struct pf_device_event {
  void *handle;
} pf_device_event;

/** Local. Copies from the host to a device's memory, or back, after *after (which may be NULL) is
 * done; *done, unless NULL, replaces an event.  The host's memory is in use until then. */
void pf_device_write(const pf_device_memory *to, const void *from, size_t bytes,
                     const pf_device_event *after, pf_device_event *done);
void pf_device_read(void *to, const pf_device_memory *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done);

/** Local. What is queued next waits for *after; *done is when all is done that was queued before.
 */
void pf_device_wait_in(pf_device *device, pf_device_queue queue, const pf_device_event *after);
void pf_device_mark(pf_device *device, pf_device_queue queue, pf_device_event *done);

/** Local. Drops an event that nobody waits for. */
void pf_device_forget(pf_device *device, pf_device_event *event);

/** Local. The host waits for an event, which is nothing then, or for all queues. */
void pf_device_wait(pf_device *device, pf_device_event *event);
void pf_device_finish(pf_device *device);

/** Local. What a device has failed at since it was opened: 0, or UNAVAILABLE or MEMORY and a line
 * in *e (which may be NULL) that says what. */
int pf_device_fault(const pf_device *device, pfft3d_error *e);

/** Local. Likewise of the first open device that has failed, if there is one. */
int pf_device_lost(pfft3d_error *e);

/* ---- kernels ---- */

typedef struct pf_device_kernel {
  pf_device *device;
  void *handle;
} pf_device_kernel;

/* An argument of a kernel: memory, or a value of some bytes. */
typedef struct pf_device_argument {
  const pf_device_memory *memory;
  const void *value;
  size_t bytes;
} pf_device_argument;

/* A text of kernels, in each language that it is there in.  It has a version for every precision
 * and way of counting; nvcc has compiled them all, the others are compiled where they run. */
enum { PF_TEXT_SINGLE = 1, PF_TEXT_SHORT = 2, PF_TEXTS = 4 };
typedef struct pf_device_text {
  const char *opencl, *opengl;
  const void *cuda[PF_TEXTS];
} pf_device_text;

/** Local. The kernel `name` of a version of a text, which OpenCL and CUDA load once for each device
 * and text (by its address).  Errors: UNAVAILABLE with the compiler's first words, MEMORY. */
int pf_device_kernel_make(pf_device *device, const pf_device_text *text, int version,
                          const char *name, pf_device_kernel *kernel, pfft3d_error *e);
void pf_device_kernel_drop(pf_device_kernel *kernel);

/** Local. Queues a kernel in PF_RUN: `items` work items in groups of `group`, of which items is a
 *  multiple. */
void pf_device_launch(const pf_device_kernel *kernel, const pf_device_argument *arguments,
                      int count, size_t items, size_t group);

#endif
