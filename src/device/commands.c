/* SPDX-License-Identifier: BSD-3-Clause
 * Memory, copies and kernels of an OpenCL device. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/opencl.h"

/* ---- memory ---- */

static int too_large(const pf_device *d, size_t bytes, pfft3d_error *e) {
  char want[32], most[32], whole[32], taken[32];
  return pf_fail(
      e, PFFT3D_ERR_MEMORY,
      "device '%s': %s wanted, it has %s, of which %s are in use, and buffers of up to %s",
      d->facts.name, pf_bytes((double)bytes, want), pf_bytes(d->facts.memory, whole),
      pf_bytes(d->taken, taken), pf_bytes(d->facts.piece, most));
}

int pf_device_take(pf_device *d, size_t bytes, int pinned, pf_device_memory *m, pfft3d_error *e) {
  cl_mem_flags flags = CL_MEM_READ_WRITE | (pinned ? CL_MEM_ALLOC_HOST_PTR : 0);
  cl_int code;
  if (!bytes) bytes = 1;
  *m = (pf_device_memory){.device = d, .bytes = bytes};
  if ((double)bytes > d->facts.piece || d->taken + (double)bytes > d->facts.memory)
    return too_large(d, bytes, e);
  m->handle = clCreateBuffer(d->context, flags, bytes, NULL, &code);
  if (!m->handle) {
    *m = (pf_device_memory){.bytes = 0};
    return code == CL_SUCCESS || code == CL_MEM_OBJECT_ALLOCATION_FAILURE
               ? too_large(d, bytes, e)
               : pf_opencl_fail(d, code, "clCreateBuffer", e);
  }
  d->taken += (double)bytes;
  if (!pinned) return PFFT3D_OK;
  m->host = clEnqueueMapBuffer(d->queue[PF_UP], m->handle, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                               bytes, 0, NULL, NULL, &code);
  if (m->host) return PFFT3D_OK;
  pf_device_drop(m);
  return pf_opencl_fail(d, code, "clEnqueueMapBuffer", e);
}

void pf_device_drop(pf_device_memory *m) {
  if (!m->handle) return;
  if (m->host) {
    clEnqueueUnmapMemObject(m->device->queue[PF_UP], m->handle, m->host, 0, NULL, NULL);
    clFinish(m->device->queue[PF_UP]);
  }
  clReleaseMemObject(m->handle);
  m->device->taken -= (double)m->bytes;
  *m = (pf_device_memory){.bytes = 0};
}

/* ---- events ---- */

void pf_device_forget(pf_device_event *event) {
  if (event->handle) clReleaseEvent(event->handle);
  event->handle = NULL;
}

/* What a command waits for. */
static cl_uint waits(const pf_device_event *after, cl_event *list) {
  if (!after || !after->handle) return 0;
  *list = after->handle;
  return 1;
}

/* After a command was queued: remembers its event, or its failure. */
static void queued(pf_device *d, pf_device_queue queue, cl_int code, const char *what,
                   cl_event event, pf_device_event *done) {
  pf_opencl_note(d, code, what);
  if (code != CL_SUCCESS) return;
  if (done) {
    pf_device_forget(done);
    done->handle = event;
  }
  pf_opencl_note(d, clFlush(d->queue[queue]), "clFlush");
}

void pf_device_write(const pf_device_memory *to, const void *from, size_t bytes,
                     const pf_device_event *after, pf_device_event *done) {
  pf_device *d = to->device;
  cl_event list, event = NULL;
  cl_uint count = waits(after, &list);
  if (d->fault) return;
  cl_int code = clEnqueueWriteBuffer(d->queue[PF_UP], to->handle, CL_FALSE, 0, bytes, from, count,
                                     count ? &list : NULL, done ? &event : NULL);
  queued(d, PF_UP, code, "a copy to it", event, done);
}

void pf_device_read(void *to, const pf_device_memory *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done) {
  pf_device *d = from->device;
  cl_event list, event = NULL;
  cl_uint count = waits(after, &list);
  if (d->fault) return;
  cl_int code = clEnqueueReadBuffer(d->queue[PF_DOWN], from->handle, CL_FALSE, 0, bytes, to, count,
                                    count ? &list : NULL, done ? &event : NULL);
  queued(d, PF_DOWN, code, "a copy from it", event, done);
}

void pf_device_wait_in(pf_device *d, pf_device_queue queue, const pf_device_event *after) {
  cl_event list;
  if (d->fault || !waits(after, &list)) return;
  cl_int code = clEnqueueBarrierWithWaitList(d->queue[queue], 1, &list, NULL);
  pf_opencl_note(d, code, "clEnqueueBarrierWithWaitList");
}

void pf_device_mark(pf_device *d, pf_device_queue queue, pf_device_event *done) {
  cl_event event = NULL;
  if (d->fault) return;
  cl_int code = clEnqueueMarkerWithWaitList(d->queue[queue], 0, NULL, &event);
  queued(d, queue, code, "clEnqueueMarkerWithWaitList", event, done);
}

void pf_device_wait(pf_device *d, pf_device_event *event) {
  cl_event handle = event->handle;
  if (!handle) return;
  pf_opencl_note(d, clWaitForEvents(1, &handle), "waiting for it");
  pf_device_forget(event);
}

void pf_device_finish(pf_device *d) {
  for (int k = 0; k < PF_QUEUES && !d->fault; k++)
    pf_opencl_note(d, clFinish(d->queue[k]), "waiting for it");
}

/* ---- kernels ---- */

/* The compiler's first line that says what is wrong. */
static int build_failed(const pf_device *d, cl_program program, cl_int code, const char *name,
                        pfft3d_error *e) {
  char log[4096] = "";
  clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  const char *at = strstr(log, "error");
  at = at ? at : log;
  clReleaseProgram(program);
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "device '%s': kernel '%s' does not build: %s: %.*s",
                 d->facts.name, name, pf_opencl_error(code), (int)strcspn(at, "\n"), at);
}

static int build(pf_device *d, const char *text, const char *options, const char *name,
                 cl_program *program, pfft3d_error *e) {
  cl_int code;
  for (int k = 0; k < d->programs; k++)
    if (d->program[k].text == text && !strcmp(d->program[k].options, options)) {
      *program = d->program[k].program;
      return PFFT3D_OK;
    }
  PF_CHECK(d->programs < PF_PROGRAMS, e, PFFT3D_ERR_INTERNAL, "more than %d programs", PF_PROGRAMS);
  *program = clCreateProgramWithSource(d->context, 1, &text, NULL, &code);
  if (!*program) return pf_opencl_fail(d, code, "clCreateProgramWithSource", e);
  code = clBuildProgram(*program, 1, &d->id, options, NULL, NULL);
  if (code != CL_SUCCESS) return build_failed(d, *program, code, name, e);
  pf_device_program *p = &d->program[d->programs++];
  p->text = text;
  snprintf(p->options, sizeof p->options, "%s", options);
  p->program = *program;
  return PFFT3D_OK;
}

int pf_device_kernel_make(pf_device *d, const char *text, const char *options, const char *name,
                          pf_device_kernel *kernel, pfft3d_error *e) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  cl_program program;
  cl_int code;
  *kernel = (pf_device_kernel){.device = d};
  pthread_mutex_lock(&lock);
  int status = build(d, text, options, name, &program, e);
  pthread_mutex_unlock(&lock);
  if (status) return status;
  kernel->handle = clCreateKernel(program, name, &code);
  if (kernel->handle) return PFFT3D_OK;
  return pf_opencl_fail(d, code, "clCreateKernel", e);
}

void pf_device_kernel_drop(pf_device_kernel *kernel) {
  if (kernel->handle) clReleaseKernel(kernel->handle);
  kernel->handle = NULL;
}

void pf_device_launch(const pf_device_kernel *kernel, const pf_device_argument *arguments,
                      int count, size_t items, size_t group) {
  pf_device *d = kernel->device;
  cl_int code = CL_SUCCESS;
  if (d->fault || !items) return;
  for (int k = 0; k < count && code == CL_SUCCESS; k++) {
    const pf_device_argument *a = &arguments[k];
    code = a->memory
               ? clSetKernelArg(kernel->handle, (cl_uint)k, sizeof(cl_mem), &a->memory->handle)
               : clSetKernelArg(kernel->handle, (cl_uint)k, a->bytes, a->value);
  }
  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel(d->queue[PF_RUN], kernel->handle, 1, NULL, &items, &group, 0,
                                  NULL, NULL);
  pf_opencl_note(d, code, "a kernel");
}
