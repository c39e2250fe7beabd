/* SPDX-License-Identifier: BSD-3-Clause
 * The devices of OpenCL's platforms: finding, opening, and the names of their errors. */
#include "device/opencl.h"

#include <stdio.h>
#include <string.h>

enum { PLATFORMS = 16 };

static pf_opencl_device devices[PF_DEVICES];
static int count;

/* ---- errors ---- */

static const char *name_of(int code) {
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

static int is_memory(int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

/* ---- finding ---- */

static void read_text(cl_device_id id, cl_device_info key, char *out, size_t size) {
  char text[512] = "";
  clGetDeviceInfo(id, key, sizeof text - 1, text, NULL);
  const char *from = text + strspn(text, " ");
  snprintf(out, size, "%.*s", (int)(size - 1), from);
}

static void read_facts(pf_opencl_device *d, cl_device_type type) {
  pf_device_facts *f = &d->base.facts;
  cl_ulong memory = 0, largest = 0;
  cl_uint units = 0;
  cl_device_fp_config fp64 = 0;
  char name[80] = "", version[40] = "";
  read_text(d->id, CL_DEVICE_NAME, f->name, sizeof f->name);
  read_text(d->id, CL_DRIVER_VERSION, version, sizeof version);
  clGetPlatformInfo(d->platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  clGetDeviceInfo(d->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
  snprintf(f->driver, sizeof f->driver, "%s %s", name, version);
  f->kind = type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "other";
  f->memory = (double)memory;
  f->largest = (double)largest;
  f->units = (int)units;
  f->fp64 = fp64 != 0;
}

/* The devices of one type. */
static void find_type(const cl_platform_id *platform, cl_uint platforms, cl_device_type type) {
  for (cl_uint p = 0; p < platforms; p++) {
    cl_device_id id[PF_DEVICES];
    cl_uint found = 0;
    if (clGetDeviceIDs(platform[p], type, PF_DEVICES, id, &found) != CL_SUCCESS) continue;
    for (cl_uint k = 0; k < found && count < PF_DEVICES; k++) {
      pf_opencl_device *d = &devices[count++];
      d->platform = platform[p];
      d->id = id[k];
      read_facts(d, type);
    }
  }
}

static int find(pf_device **list) {
  static const cl_device_type order[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                         CL_DEVICE_TYPE_CPU};
  cl_platform_id platform[PLATFORMS];
  cl_uint platforms = 0;
  if (clGetPlatformIDs(PLATFORMS, platform, &platforms) != CL_SUCCESS) return 0;
  if (platforms > PLATFORMS) platforms = PLATFORMS;
  for (int k = 0; k < 3; k++) find_type(platform, platforms, order[k]);
  for (int k = 0; k < count; k++) list[k] = &devices[k].base;
  return count;
}

/* ---- opening ---- */

static int open_device(pf_device *base, pfft3d_error *e) {
  pf_opencl_device *d = pf_opencl_of(base);
  const cl_context_properties of[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)d->platform, 0};
  cl_int code;
  cl_context context = clCreateContext(of, 1, &d->id, NULL, NULL, &code);
  if (!context) return pf_driver_fail(base, code, "clCreateContext", e);
  for (int k = 0; k < PF_QUEUES; k++) {
    d->queue[k] = clCreateCommandQueue(context, d->id, 0, &code);
    if (d->queue[k]) continue;
    while (k > 0) clReleaseCommandQueue(d->queue[--k]);
    clReleaseContext(context);
    return pf_driver_fail(base, code, "clCreateCommandQueue", e);
  }
  d->context = context;
  return PFFT3D_OK;
}

const pf_driver pf_driver_opencl = {
    .none =
        "no OpenCL platform on this machine has one (Debian: pocl-opencl-icd makes the "
        "processor a device)",
    .find = find,
    .error = name_of,
    .is_memory = is_memory,
    .open = open_device,
    .take = pf_opencl_take,
    .drop = pf_opencl_drop,
    .write = pf_opencl_write,
    .read = pf_opencl_read,
    .wait_in = pf_opencl_wait_in,
    .mark = pf_opencl_mark,
    .forget = pf_opencl_forget,
    .wait = pf_opencl_wait,
    .finish = pf_opencl_finish,
    .kernel_make = pf_opencl_kernel_make,
    .kernel_drop = pf_opencl_kernel_drop,
    .launch = pf_opencl_launch};
