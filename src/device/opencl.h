/* SPDX-License-Identifier: BSD-3-Clause
 * The internals of a device, for code that calls OpenCL. */
#ifndef PF_DEVICE_OPENCL_H
#define PF_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/driver.h"

enum { PF_PROGRAMS = 16 };

typedef struct pf_opencl_program {
  const pf_device_text *text;
  int version;
  cl_program program;
} pf_opencl_program;

typedef struct pf_opencl_device {
  pf_device base;
  cl_platform_id platform;
  cl_device_id id;
  cl_context context; /* NULL: not open */
  cl_command_queue queue[PF_QUEUES];
  pf_opencl_program program[PF_PROGRAMS];
  int programs;
} pf_opencl_device;

static inline pf_opencl_device *pf_opencl_of(pf_device *d) {
  return (pf_opencl_device *)d;
}

/* The functions of the driver that are in opencl_commands.c. */
int pf_opencl_take(pf_device_memory *m, int pinned);
void pf_opencl_drop(pf_device_memory *m);
void pf_opencl_write(const pf_device_memory *to, const void *from, size_t bytes,
                     const pf_device_event *after, pf_device_event *done);
void pf_opencl_read(void *to, const pf_device_memory *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done);
void pf_opencl_wait_in(pf_device *d, pf_device_queue queue, const pf_device_event *after);
void pf_opencl_mark(pf_device *d, pf_device_queue queue, pf_device_event *done);
void pf_opencl_forget(pf_device_event *event);
void pf_opencl_wait(pf_device *d, pf_device_event *event);
void pf_opencl_finish(pf_device *d);
int pf_opencl_kernel_make(pf_device *d, const pf_device_text *text, int version, const char *name,
                          pf_device_kernel *kernel, pfft3d_error *e);
void pf_opencl_kernel_drop(pf_device_kernel *kernel);
void pf_opencl_launch(const pf_device_kernel *kernel, const pf_device_argument *arguments,
                      int count, size_t items, size_t group);

#endif
