/* SPDX-License-Identifier: BSD-3-Clause
 * The devices of OpenCL's platforms: finding, opening, and what their errors mean. */
#include "device/opencl.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { PLATFORMS = 16, DEVICES = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pf_device devices[DEVICES];
static int count = -1; /* -1: nobody has looked */

/* ---- errors ---- */

const char *pf_opencl_error(cl_int code) {
  static const struct {
    cl_int code;
    const char *name;
  } names[] = {{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
               {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
               {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
               {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
               {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
               {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
               {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
               {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
               {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
               {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
               {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
               {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
               {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
               {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (names[k].code == code) return names[k].name;
  return "error";
}

static int is_memory(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

int pf_opencl_fail(const pf_device *d, cl_int code, const char *what, pfft3d_error *e) {
  int status = is_memory(code) ? PFFT3D_ERR_MEMORY : PFFT3D_ERR_UNAVAILABLE;
  pf_note(e, status, "device '%s': %s: %s (%d)", d->facts.name, what, pf_opencl_error(code), code);
  return status;
}

void pf_opencl_note(pf_device *d, cl_int code, const char *what) {
  if (code == CL_SUCCESS || d->fault) return;
  d->fault_call = what;
  d->fault = code;
}

int pf_device_fault(const pf_device *d, pfft3d_error *e) {
  if (!d->fault) return PFFT3D_OK;
  char what[96];
  snprintf(what, sizeof what, "lost during %s", d->fault_call);
  return pf_opencl_fail(d, d->fault, what, e);
}

/* ---- finding ---- */

static void read_text(cl_device_id id, cl_device_info key, char *out, size_t size) {
  char text[512] = "";
  clGetDeviceInfo(id, key, sizeof text - 1, text, NULL);
  const char *from = text + strspn(text, " ");
  snprintf(out, size, "%.*s", (int)(size - 1), from);
}

static void read_facts(pf_device *d, cl_device_type type) {
  pf_device_facts *f = &d->facts;
  cl_ulong memory = 0, piece = 0;
  cl_uint units = 0;
  cl_device_fp_config fp64 = 0;
  char name[80] = "", version[40] = "";
  read_text(d->id, CL_DEVICE_NAME, f->name, sizeof f->name);
  read_text(d->id, CL_DRIVER_VERSION, version, sizeof version);
  clGetPlatformInfo(d->platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof piece, &piece, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
  snprintf(f->driver, sizeof f->driver, "%s %s", name, version);
  f->kind = type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "other";
  f->memory = (double)memory;
  f->piece = (double)piece;
  f->units = (int)units;
  f->fp64 = fp64 != 0;
}

/* The devices of one kind. */
static void find_type(const cl_platform_id *platform, cl_uint platforms, cl_device_type type) {
  for (cl_uint p = 0; p < platforms; p++) {
    cl_device_id id[DEVICES];
    cl_uint found = 0;
    if (clGetDeviceIDs(platform[p], type, DEVICES, id, &found) != CL_SUCCESS) continue;
    for (cl_uint k = 0; k < found && count < DEVICES; k++) {
      pf_device *d = &devices[count++];
      d->platform = platform[p];
      d->id = id[k];
      read_facts(d, type);
    }
  }
}

static void find(void) {
  static const cl_device_type order[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                         CL_DEVICE_TYPE_CPU};
  cl_platform_id platform[PLATFORMS];
  cl_uint platforms = 0;
  if (count >= 0) return;
  count = 0;
  if (clGetPlatformIDs(PLATFORMS, platform, &platforms) != CL_SUCCESS) return;
  if (platforms > PLATFORMS) platforms = PLATFORMS;
  for (int k = 0; k < 3; k++) find_type(platform, platforms, order[k]);
}

int pf_device_count(void) {
  pthread_mutex_lock(&lock);
  find();
  pthread_mutex_unlock(&lock);
  return count;
}

int pf_device_facts_of(int index, pf_device_facts *facts) {
  if (index < 0 || index >= pf_device_count()) return 0;
  *facts = devices[index].facts;
  return 1;
}

const pf_device_facts *pf_device_about(const pf_device *d) {
  return &d->facts;
}

/* ---- opening ---- */

static int open_queues(pf_device *d, pfft3d_error *e) {
  const cl_context_properties of[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)d->platform, 0};
  cl_int code;
  cl_context context = clCreateContext(of, 1, &d->id, NULL, NULL, &code);
  if (!context) return pf_opencl_fail(d, code, "clCreateContext", e);
  for (int k = 0; k < PF_QUEUES; k++) {
    d->queue[k] = clCreateCommandQueue(context, d->id, 0, &code);
    if (d->queue[k]) continue;
    while (k > 0) clReleaseCommandQueue(d->queue[--k]);
    clReleaseContext(context);
    return pf_opencl_fail(d, code, "clCreateCommandQueue", e);
  }
  d->context = context;
  return PFFT3D_OK;
}

int pf_device_open(int index, pfft3d_precision precision, pf_device **device, pfft3d_error *e) {
  int there = pf_device_count();
  PF_CHECK(there, e, PFFT3D_ERR_UNAVAILABLE,
           "no device: no OpenCL platform on this machine has one (Debian: pocl-opencl-icd makes "
           "the processor a device)");
  PF_CHECK(index >= 0 && index<there, e, PFFT3D_ERR_UNAVAILABLE,
                               "device %d: there %s %d, numbered from 0 (pfft3d info lists them)",
                               index, there> 1
               ? "are"
               : "is",
           there);
  pf_device *d = &devices[index];
  PF_CHECK(precision == PFFT3D_SINGLE || d->facts.fp64, e, PFFT3D_ERR_UNAVAILABLE,
           "device '%s': has no double precision; single precision works", d->facts.name);
  pthread_mutex_lock(&lock);
  int status = d->context ? PFFT3D_OK : open_queues(d, e);
  pthread_mutex_unlock(&lock);
  if (!status) status = pf_device_fault(d, e);
  *device = d;
  return status;
}
