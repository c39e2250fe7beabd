/* SPDX-License-Identifier: BSD-3-Clause
 * Devices: processors with their own memory and queues, accessed through OpenCL, CUDA or OpenGL.
 * The interface is memory, copies and kernels; names of the APIs stay inside.
 *
 * Commands are queued.  A queue runs them in order, and three queues (up, run, down) let a device
 * copy while it computes (with CUDA and OpenGL all three are one).  The first failure of a command
 * is kept in the device's `fault`, after which no command is queued: callers check it after
 * waiting. */
#ifndef PF_DEVICE_DEVICE_H
#define PF_DEVICE_DEVICE_H

#include <stddef.h>

#include "base/status.h"

typedef struct pf_device pf_device;

/* APIs of devices, in the order of device numbers. */
typedef enum pf_device_api { PF_OPENCL, PF_CUDA, PF_OPENGL, PF_APIS } pf_device_api;

typedef struct pf_device_facts {
  pf_device_api api;
  char name[96], driver[128];
  const char *kind;       /* "gpu", "cpu", "other" */
  double memory, largest; /* bytes of all memory, and of the largest buffer */
  int fp64;               /* supports double precision */
  int units;
} pf_device_facts;

/** Local. "opencl", "cuda", "opengl"; nonzero if this build has the API. */
const char *pf_device_api_name(pf_device_api api);
int pf_device_has(pf_device_api api);

/** Local. The number of devices of one type: of all platforms, GPUs first, CPUs last. */
int pf_device_count(pf_device_api api);

/** Local. The facts of a device; returns 0 if there is no device of this number.  Devices of OpenCL
 * come first: asking for one of them does not load the other APIs. */
int pf_device_facts_of(int index, pf_device_facts *facts);

/* A device: a number, or the first device of an API (index < 0); and what it must support. */
typedef struct pf_device_wanted {
  pf_device_api api;
  int index;
  pfft3d_precision precision;
} pf_device_wanted;

/** Local. Opens a device, once in a process, after a check of its API and precision; it stays open.
 * Errors: UNAVAILABLE (no such device, no fp64), MEMORY. */
int pf_device_open(const pf_device_wanted *wanted, pf_device **device, pfft3d_error *e);

/** Local. Facts of an open device. */
const pf_device_facts *pf_device_about(const pf_device *device);

/* ---- memory ---- */

/* Memory of a device; `host`, if not NULL, is its address on the processor: such memory is pinned,
 * and copies to and from it need no intermediate buffer. */
typedef struct pf_device_memory {
  pf_device *device;
  void *handle, *host;
  size_t bytes;
} pf_device_memory;

/** Local. Errors: MEMORY, with the bytes requested and available.  Argument of pf_device_drop(): *m
 * may be all zero. */
int pf_device_take(pf_device *device, size_t bytes, int pinned, pf_device_memory *m,
                   pfft3d_error *e);
void pf_device_drop(pf_device_memory *m);

/* ---- commands ---- */

typedef enum pf_device_queue { PF_UP, PF_RUN, PF_DOWN, PF_QUEUES } pf_device_queue;

/* An event in a queue, for other queues and the host to wait for; 0: none. */
typedef struct pf_device_event {
  void *handle;
} pf_device_event;

/** Local. Copies from the host to a device's memory, or back, after *after (which may be NULL);
 * *done, unless NULL, is replaced by the event of the copy.  The host's memory is in use until
 * then. */
void pf_device_write(const pf_device_memory *to, const void *from, size_t bytes,
                     const pf_device_event *after, pf_device_event *done);
void pf_device_read(void *to, const pf_device_memory *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done);

/** Local. Later commands of the queue wait for *after; *done is the event of all earlier
 *  commands. */
void pf_device_wait_in(pf_device *device, pf_device_queue queue, const pf_device_event *after);
void pf_device_mark(pf_device *device, pf_device_queue queue, pf_device_event *done);

/** Local. Drops an event that is not waited for. */
void pf_device_forget(pf_device *device, pf_device_event *event);

/** Local. The host waits for an event, which is then reset, or for all queues. */
void pf_device_wait(pf_device *device, pf_device_event *event);
void pf_device_finish(pf_device *device);

/** Local. The first failure of a device since it was opened: 0, or UNAVAILABLE or MEMORY with a
 * line in *e (which may be NULL). */
int pf_device_fault(const pf_device *device, pfft3d_error *e);

/** Local. The failure of the first open device that has failed, or 0. */
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

/* A text of kernels, in each language that has one.  There is a version for each precision and
 * index type; nvcc has compiled them all, the others are compiled at run time. */
enum { PF_TEXT_SINGLE = 1, PF_TEXT_SHORT = 2, PF_TEXTS = 4 };
typedef struct pf_device_text {
  const char *opencl, *opengl;
  const void *cuda[PF_TEXTS];
} pf_device_text;

/** Local. The kernel `name` of a version of a text; OpenCL and CUDA load it once for each device
 * and text (by its address).  Errors: UNAVAILABLE with the compiler's first words, MEMORY. */
int pf_device_kernel_make(pf_device *device, const pf_device_text *text, int version,
                          const char *name, pf_device_kernel *kernel, pfft3d_error *e);
void pf_device_kernel_drop(pf_device_kernel *kernel);

/** Local. Queues a kernel in PF_RUN: `items` work items, a multiple of `group`, in groups of
 *  `group`. */
void pf_device_launch(const pf_device_kernel *kernel, const pf_device_argument *arguments,
                      int count, size_t items, size_t group);

#endif
