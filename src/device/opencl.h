/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of a device, for those who call OpenCL. */
#ifndef PF_DEVICE_OPENCL_H
#define PF_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/device.h"

enum { PF_PROGRAMS = 16 };

typedef struct pf_device_program {
  const char *text;
  char options[64];
  cl_program program;
} pf_device_program;

struct pf_device {
  cl_platform_id platform;
  cl_device_id id;
  cl_context context; /* NULL: not open */
  cl_command_queue queue[PF_QUEUES];
  pf_device_facts facts;
  pf_device_program program[PF_PROGRAMS];
  int programs;
  double taken; /* bytes of memory */
  cl_int fault; /* the first error of a command */
  const char *fault_call;
};

/** Local. Records a failed call; returns the status that goes with the code. */
int pf_opencl_fail(const pf_device *d, cl_int code, const char *what, pfft3d_error *e);

/** Local. Keeps the first failure of a command. */
void pf_opencl_note(pf_device *d, cl_int code, const char *what);

/** Local. OpenCL's name of an error, or "error". */
const char *pf_opencl_error(cl_int code);

#endif
