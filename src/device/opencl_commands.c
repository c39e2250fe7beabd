/* SPDX-License-Identifier: BSD-3-Clause
 * Memory, copies and kernels of an OpenCL device. */
#include "device/opencl.h"

/* ---- memory ---- */

int pf_opencl_take(pf_device_memory *m, int pinned) {
  const pf_opencl_device *d = pf_opencl_of(m->device);
  cl_mem_flags flags = CL_MEM_READ_WRITE | (pinned ? CL_MEM_ALLOC_HOST_PTR : 0);
  cl_int code;
  m->handle = clCreateBuffer(d->context, flags, m->bytes, NULL, &code);
  if (!m->handle) return code == CL_SUCCESS ? CL_MEM_OBJECT_ALLOCATION_FAILURE : code;
  if (!pinned) return CL_SUCCESS;
  m->host = clEnqueueMapBuffer(d->queue[PF_UP], m->handle, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                               m->bytes, 0, NULL, NULL, &code);
  if (!m->host) clReleaseMemObject(m->handle);
  return m->host ? CL_SUCCESS : code;
}

void pf_opencl_drop(pf_device_memory *m) {
  const pf_opencl_device *d = pf_opencl_of(m->device);
  if (m->host) {
    clEnqueueUnmapMemObject(d->queue[PF_UP], m->handle, m->host, 0, NULL, NULL);
    clFinish(d->queue[PF_UP]);
  }
  clReleaseMemObject(m->handle);
}

/* ---- events ---- */

void pf_opencl_forget(pf_device_event *event) {
  if (event->handle) clReleaseEvent(event->handle);
  event->handle = NULL;
}

/* The wait list of a command. */
static cl_uint waits(const pf_device_event *after, cl_event *list) {
  if (!after || !after->handle) return 0;
  *list = after->handle;
  return 1;
}

/* After a command was queued: stores its event, or its failure. */
static void queued(pf_opencl_device *d, pf_device_queue queue, cl_int code, const char *what,
                   cl_event event, pf_device_event *done) {
  pf_driver_note(&d->base, code, what);
  if (code != CL_SUCCESS) return;
  if (done) {
    pf_opencl_forget(done);
    done->handle = event;
  }
  pf_driver_note(&d->base, clFlush(d->queue[queue]), "clFlush");
}

void pf_opencl_write(const pf_device_memory *to, const void *from, size_t bytes,
                     const pf_device_event *after, pf_device_event *done) {
  pf_opencl_device *d = pf_opencl_of(to->device);
  cl_event list, event = NULL;
  cl_uint count = waits(after, &list);
  cl_int code = clEnqueueWriteBuffer(d->queue[PF_UP], to->handle, CL_FALSE, 0, bytes, from, count,
                                     count ? &list : NULL, done ? &event : NULL);
  queued(d, PF_UP, code, "a copy to it", event, done);
}

void pf_opencl_read(void *to, const pf_device_memory *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done) {
  pf_opencl_device *d = pf_opencl_of(from->device);
  cl_event list, event = NULL;
  cl_uint count = waits(after, &list);
  cl_int code = clEnqueueReadBuffer(d->queue[PF_DOWN], from->handle, CL_FALSE, 0, bytes, to, count,
                                    count ? &list : NULL, done ? &event : NULL);
  queued(d, PF_DOWN, code, "a copy from it", event, done);
}

void pf_opencl_wait_in(pf_device *d, pf_device_queue queue, const pf_device_event *after) {
  cl_event list;
  if (!waits(after, &list)) return;
  cl_int code = clEnqueueBarrierWithWaitList(pf_opencl_of(d)->queue[queue], 1, &list, NULL);
  pf_driver_note(d, code, "clEnqueueBarrierWithWaitList");
}

void pf_opencl_mark(pf_device *base, pf_device_queue queue, pf_device_event *done) {
  pf_opencl_device *d = pf_opencl_of(base);
  cl_event event = NULL;
  cl_int code = clEnqueueMarkerWithWaitList(d->queue[queue], 0, NULL, &event);
  queued(d, queue, code, "clEnqueueMarkerWithWaitList", event, done);
}

void pf_opencl_wait(pf_device *d, pf_device_event *event) {
  cl_event handle = event->handle;
  pf_driver_note(d, clWaitForEvents(1, &handle), "waiting for it");
}

void pf_opencl_finish(pf_device *d) {
  for (int k = 0; k < PF_QUEUES && !d->fault; k++)
    pf_driver_note(d, clFinish(pf_opencl_of(d)->queue[k]), "waiting for it");
}

/* ---- kernels ---- */

static int build_failed(const pf_opencl_device *d, cl_program program, cl_int code,
                        const char *name, pfft3d_error *e) {
  char log[4096] = "";
  clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  clReleaseProgram(program);
  return pf_driver_build_failed(&d->base, code, name, log, e);
}

static int build(pf_opencl_device *d, const pf_device_text *text, int version, const char *name,
                 cl_program *program, pfft3d_error *e) {
  static const char *const options[PF_TEXTS] = {"", "-DPF_SINGLE", "-DPF_SHORT",
                                                "-DPF_SINGLE -DPF_SHORT"};
  const char *lines = text->opencl;
  cl_int code;
  for (int k = 0; k < d->programs; k++)
    if (d->program[k].text == text && d->program[k].version == version) {
      *program = d->program[k].program;
      return PFFT3D_OK;
    }
  PF_CHECK(d->programs < PF_PROGRAMS, e, PFFT3D_ERR_INTERNAL, "more than %d programs", PF_PROGRAMS);
  *program = clCreateProgramWithSource(d->context, 1, &lines, NULL, &code);
  if (!*program) return pf_driver_fail(&d->base, code, "clCreateProgramWithSource", e);
  code = clBuildProgram(*program, 1, &d->id, options[version], NULL, NULL);
  if (code != CL_SUCCESS) return build_failed(d, *program, code, name, e);
  d->program[d->programs++] = (pf_opencl_program){text, version, *program};
  return PFFT3D_OK;
}

int pf_opencl_kernel_make(pf_device *d, const pf_device_text *text, int version, const char *name,
                          pf_device_kernel *kernel, pfft3d_error *e) {
  cl_program program;
  cl_int code;
  PF_TRY(build(pf_opencl_of(d), text, version, name, &program, e));
  kernel->handle = clCreateKernel(program, name, &code);
  return kernel->handle ? PFFT3D_OK : pf_driver_fail(d, code, "clCreateKernel", e);
}

void pf_opencl_kernel_drop(pf_device_kernel *kernel) {
  clReleaseKernel(kernel->handle);
}

void pf_opencl_launch(const pf_device_kernel *kernel, const pf_device_argument *arguments,
                      int count, size_t items, size_t group) {
  const pf_opencl_device *d = pf_opencl_of(kernel->device);
  cl_int code = CL_SUCCESS;
  for (int k = 0; k < count && code == CL_SUCCESS; k++) {
    const pf_device_argument *a = &arguments[k];
    code = a->memory
               ? clSetKernelArg(kernel->handle, (cl_uint)k, sizeof(cl_mem), &a->memory->handle)
               : clSetKernelArg(kernel->handle, (cl_uint)k, a->bytes, a->value);
  }
  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel(d->queue[PF_RUN], kernel->handle, 1, NULL, &items, &group, 0,
                                  NULL, NULL);
  pf_driver_note(kernel->device, code, "a kernel");
}
