/* SPDX-License-Identifier: BSD-3-Clause
 * Drivers: OpenCL, CUDA's driver, or OpenGL.  device.c has the common parts, and calls a driver
 * only for open devices without a fault. */
#ifndef PF_DEVICE_DRIVER_H
#define PF_DEVICE_DRIVER_H

#include <stdatomic.h>

#include "device/device.h"

enum { PF_DEVICES = 64 }; /* at most, of a driver */

/* The first members of a driver's own struct. */
struct pf_device {
  const struct pf_driver *driver;
  pf_device_facts facts;
  int is_open;
  double taken; /* bytes of memory in use; under a lock of device.c */
  /* The first error of a command in any thread; the call is set first. */
  atomic_int fault;
  _Atomic(const char *) fault_call;
};

typedef struct pf_driver {
  const char *none; /* why there is no device, and how to get one */
  /* Fills `list`; returns the number of devices. */
  int (*find)(pf_device **list);
  const char *(*error)(int code);
  int (*is_memory)(int code);
  int (*open)(pf_device *d, pfft3d_error *e);
  /* m->device and m->bytes are set; returns a code. */
  int (*take)(pf_device_memory *m, int pinned);
  void (*drop)(pf_device_memory *m);
  void (*write)(const pf_device_memory *to, const void *from, size_t bytes,
                const pf_device_event *after, pf_device_event *done);
  void (*read)(void *to, const pf_device_memory *from, size_t bytes, const pf_device_event *after,
               pf_device_event *done);
  /* All four NULL: copies are done when they return, and there is one queue. */
  void (*wait_in)(pf_device *d, pf_device_queue queue, const pf_device_event *after);
  void (*mark)(pf_device *d, pf_device_queue queue, pf_device_event *done);
  void (*forget)(pf_device_event *event);
  void (*wait)(pf_device *d, pf_device_event *event);
  void (*finish)(pf_device *d);
  int (*kernel_make)(pf_device *d, const pf_device_text *text, int version, const char *name,
                     pf_device_kernel *kernel, pfft3d_error *e);
  void (*kernel_drop)(pf_device_kernel *kernel);
  void (*launch)(const pf_device_kernel *kernel, const pf_device_argument *arguments, int count,
                 size_t items, size_t group);
} pf_driver;

extern const pf_driver pf_driver_opencl, pf_driver_cuda, pf_driver_opengl;

/** Local. Records a failed call; returns the status for the code. */
int pf_driver_fail(const pf_device *d, int code, const char *what, pfft3d_error *e);

/** Local. Keeps the first failure of a command; 0 is none. */
void pf_driver_note(pf_device *d, int code, const char *what);

/** Local. "device ...: kernel 'name' does not build", with the line of the log that tells why. */
int pf_driver_build_failed(const pf_device *d, int code, const char *name, const char *log,
                           pfft3d_error *e);

#endif
