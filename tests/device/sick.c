/* SPDX-License-Identifier: BSD-3-Clause
 * Loaded in front of OpenCL: a device that lacks something or fails, as PFFT3D_TEST_DEVICE says:
 *   fp64     it has no double precision
 *   memory   it has 4 MiB of memory
 *   full     it says that it has memory, and has none
 *   build    its compiler fails
 *   lost:N   its Nth kernel, and all later ones, fail
 * on all ranks, or on that of PFFT3D_TEST_DEVICE_RANK.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char *sickness(const char *name) {
  const char *is = getenv("PFFT3D_TEST_DEVICE"), *only = getenv("PFFT3D_TEST_DEVICE_RANK");
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  size_t length = strlen(name);
  if (!rank) rank = getenv("PMI_RANK"); /* MPICH */
  if (only && rank && strcmp(only, rank)) return NULL;
  return is && !strncmp(is, name, length) ? is + length : NULL;
}

cl_int clGetDeviceInfo(cl_device_id d, cl_device_info key, size_t size, void *value, size_t *used) {
  cl_int (*real)(cl_device_id, cl_device_info, size_t, void *, size_t *);
  *(void **)&real = dlsym(RTLD_NEXT, "clGetDeviceInfo");
  cl_int code = real(d, key, size, value, used);
  if (code != CL_SUCCESS || !value) return code;
  if (key == CL_DEVICE_DOUBLE_FP_CONFIG && sickness("fp64")) memset(value, 0, size);
  if (key == CL_DEVICE_GLOBAL_MEM_SIZE && sickness("memory")) *(cl_ulong *)value = 4 << 20;
  return code;
}

cl_mem clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *code) {
  cl_mem (*real)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
  *(void **)&real = dlsym(RTLD_NEXT, "clCreateBuffer");
  if (!sickness("full")) return real(c, flags, size, host, code);
  *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return NULL;
}

cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  cl_int (*real)(cl_program, cl_uint, const cl_device_id *, const char *,
                 void(CL_CALLBACK *)(cl_program, void *), void *);
  *(void **)&real = dlsym(RTLD_NEXT, "clBuildProgram");
  return real(p, n, d, sickness("build") ? "-Dfloat2=of -Ddouble2=of" : options, notify, data);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset,
                              const size_t *items, const size_t *group, cl_uint n,
                              const cl_event *list, cl_event *event) {
  static int calls;
  cl_int (*real)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                 const size_t *, cl_uint, const cl_event *, cl_event *);
  const char *at = sickness("lost:");
  *(void **)&real = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
  if (at && ++calls >= atoi(at)) return CL_OUT_OF_RESOURCES;
  return real(q, k, dim, offset, items, group, n, list, event);
}
