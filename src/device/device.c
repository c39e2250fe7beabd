/* SPDX-License-Identifier: BSD-3-Clause
 * Devices of all drivers: their numbers, opening a device, the meaning of errors. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/driver.h"

static const struct {
  const char *name, *title;
  const pf_driver *driver; /* NULL: not in this build */
} apis[PF_APIS] = {[PF_OPENCL] = {"opencl", "OpenCL",
#ifdef PF_HAVE_OPENCL
                                  &pf_driver_opencl
#endif
                   },
                   [PF_CUDA] = {"cuda", "CUDA",
#ifdef PF_HAVE_CUDA
                                &pf_driver_cuda
#endif
                   },
                   [PF_OPENGL] = {"opengl", "OpenGL",
#ifdef PF_HAVE_OPENGL
                                  &pf_driver_opengl
#endif
                   }};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int looked, count;
  pf_device *list[PF_DEVICES];
} found[PF_APIS];

/* ---- finding ---- */

const char *pf_device_api_name(pf_device_api api) {
  return apis[api].name;
}

int pf_device_has(pf_device_api api) {
  return apis[api].driver != NULL;
}

int pf_device_count(pf_device_api api) {
  if (!apis[api].driver) return 0;
  pthread_mutex_lock(&lock);
  if (!found[api].looked) {
    found[api].count = apis[api].driver->find(found[api].list);
    found[api].looked = 1;
    for (int k = 0; k < found[api].count; k++) {
      found[api].list[k]->driver = apis[api].driver;
      found[api].list[k]->facts.api = api;
    }
  }
  pthread_mutex_unlock(&lock);
  return found[api].count;
}

static pf_device *device_at(int index) {
  for (pf_device_api api = 0; api < PF_APIS && index >= 0; api++) {
    int here = pf_device_count(api);
    if (index < here) return found[api].list[index];
    index -= here;
  }
  return NULL;
}

int pf_device_facts_of(int index, pf_device_facts *facts) {
  const pf_device *d = device_at(index);
  if (d) *facts = d->facts;
  return d != NULL;
}

const pf_device_facts *pf_device_about(const pf_device *d) {
  return &d->facts;
}

/* ---- opening ---- */

static int no_such_device(int index, pfft3d_error *e) {
  int there = 0;
  for (pf_device_api api = 0; api < PF_APIS; api++) there += pf_device_count(api);
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
                 "device %d: there %s %d, numbered from 0 (pfft3d info lists them)", index,
                 there > 1 ? "are" : "is", there);
}

int pf_device_open(const pf_device_wanted *w, pf_device **device, pfft3d_error *e) {
  const char *title = apis[w->api].title;
  const pf_driver *driver = apis[w->api].driver;
  PF_CHECK(driver, e, PFFT3D_ERR_UNAVAILABLE, "no device: this build has no %s", title);
  PF_CHECK(pf_device_count(w->api), e, PFFT3D_ERR_UNAVAILABLE, "no device: %s", driver->none);
  pf_device *d = w->index < 0 ? found[w->api].list[0] : device_at(w->index);
  if (!d) return no_such_device(w->index, e);
  PF_CHECK(d->driver == driver, e, PFFT3D_ERR_UNAVAILABLE,
           "device %d: '%s' is reached through %s, not through %s", w->index, d->facts.name,
           apis[d->facts.api].title, title);
  PF_CHECK(w->precision == PFFT3D_SINGLE || d->facts.fp64, e, PFFT3D_ERR_UNAVAILABLE,
           "device '%s': has no double precision; single precision works", d->facts.name);
  pthread_mutex_lock(&lock);
  int status = d->is_open ? PFFT3D_OK : driver->open(d, e);
  d->is_open = !status;
  pthread_mutex_unlock(&lock);
  if (!status) status = pf_device_fault(d, e);
  *device = d;
  return status;
}

int pf_device_lost(pfft3d_error *e) {
  int status = PFFT3D_OK;
  pthread_mutex_lock(&lock);
  for (pf_device_api api = 0; api < PF_APIS; api++)
    for (int k = 0; k < found[api].count && !status; k++)
      status = pf_device_fault(found[api].list[k], e);
  pthread_mutex_unlock(&lock);
  return status;
}

/* ---- memory ---- */

static int too_large(const pf_device *d, size_t bytes, pfft3d_error *e) {
  char want[32], most[32], whole[32], taken[32];
  pthread_mutex_lock(&lock);
  double now = d->taken;
  pthread_mutex_unlock(&lock);
  return pf_fail(
      e, PFFT3D_ERR_MEMORY,
      "device '%s': %s wanted, it has %s, of which %s are in use, and buffers of up to %s",
      d->facts.name, pf_bytes((double)bytes, want), pf_bytes(d->facts.memory, whole),
      pf_bytes(now, taken), pf_bytes(d->facts.largest, most));
}

/* Counts memory as taken, if enough is free: plans are made and destroyed in several threads. */
static int count_taken(pf_device *d, double bytes) {
  pthread_mutex_lock(&lock);
  int fits = d->taken + bytes <= d->facts.memory;
  if (fits) d->taken += bytes;
  pthread_mutex_unlock(&lock);
  return fits;
}

int pf_device_take(pf_device *d, size_t bytes, int pinned, pf_device_memory *m, pfft3d_error *e) {
  if (!bytes) bytes = 1;
  *m = (pf_device_memory){.bytes = 0};
  if ((double)bytes > d->facts.largest || !count_taken(d, (double)bytes))
    return too_large(d, bytes, e);
  pf_device_memory got = {.device = d, .bytes = bytes};
  int code = d->driver->take(&got, pinned);
  if (code) {
    count_taken(d, -(double)bytes);
    return d->driver->is_memory(code) ? too_large(d, bytes, e)
                                      : pf_driver_fail(d, code, "taking memory", e);
  }
  *m = got;
  return PFFT3D_OK;
}

void pf_device_drop(pf_device_memory *m) {
  if (!m->handle) return;
  m->device->driver->drop(m);
  count_taken(m->device, -(double)m->bytes);
  *m = (pf_device_memory){.bytes = 0};
}

/* ---- commands ---- */

void pf_device_write(const pf_device_memory *to, const void *from, size_t bytes,
                     const pf_device_event *after, pf_device_event *done) {
  if (!to->device->fault) to->device->driver->write(to, from, bytes, after, done);
}

void pf_device_read(void *to, const pf_device_memory *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done) {
  if (!from->device->fault) from->device->driver->read(to, from, bytes, after, done);
}

void pf_device_wait_in(pf_device *d, pf_device_queue queue, const pf_device_event *after) {
  if (!d->fault && d->driver->wait_in && after && after->handle)
    d->driver->wait_in(d, queue, after);
}

void pf_device_mark(pf_device *d, pf_device_queue queue, pf_device_event *done) {
  if (d->fault) return;
  if (d->driver->mark)
    d->driver->mark(d, queue, done);
  else
    done->handle = d; /* an event to wait for */
}

/* Events do not know their device; without the driver's own events they are only marks. */
void pf_device_forget(pf_device *d, pf_device_event *event) {
  if (event->handle && d->driver->forget) d->driver->forget(event);
  event->handle = NULL;
}

void pf_device_wait(pf_device *d, pf_device_event *event) {
  if (!event->handle) return;
  if (d->driver->wait)
    d->driver->wait(d, event);
  else
    pf_device_finish(d);
  pf_device_forget(d, event);
}

void pf_device_finish(pf_device *d) {
  if (!d->fault) d->driver->finish(d);
}

/* ---- kernels ---- */

int pf_device_kernel_make(pf_device *d, const pf_device_text *text, int version, const char *name,
                          pf_device_kernel *kernel, pfft3d_error *e) {
  static pthread_mutex_t compiler = PTHREAD_MUTEX_INITIALIZER;
  *kernel = (pf_device_kernel){.device = d};
  pthread_mutex_lock(&compiler);
  int status = d->driver->kernel_make(d, text, version, name, kernel, e);
  pthread_mutex_unlock(&compiler);
  return status;
}

void pf_device_kernel_drop(pf_device_kernel *kernel) {
  if (kernel->handle) kernel->device->driver->kernel_drop(kernel);
  kernel->handle = NULL;
}

void pf_device_launch(const pf_device_kernel *kernel, const pf_device_argument *arguments,
                      int count, size_t items, size_t group) {
  if (!kernel->device->fault && items)
    kernel->device->driver->launch(kernel, arguments, count, items, group);
}
