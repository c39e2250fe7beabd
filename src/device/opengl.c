/* SPDX-License-Identifier: BSD-3-Clause
 * Devices of OpenGL 4.3 by EGL, without a display or a window: libEGL is loaded when devices are
 * requested, and provides all functions of OpenGL.  A context belongs to one thread at a time; each
 * command makes it current. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/driver.h"
#include "device/load.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

/* clang-format off */
#define EGL_FUNCTIONS(F) \
  F(eglGetProcAddress) F(eglInitialize) F(eglTerminate) F(eglBindAPI) F(eglCreateContext) \
  F(eglMakeCurrent) F(eglGetCurrentContext) F(eglGetError)
#define GL_FUNCTIONS(F) \
  F(glGetString) F(glGetIntegerv) F(glGetInteger64v) F(glGenBuffers) F(glDeleteBuffers) \
  F(glBindBuffer) F(glBufferData) F(glBufferSubData) F(glGetBufferSubData) F(glBindBufferBase) \
  F(glCreateShader) F(glShaderSource) F(glCompileShader) F(glGetShaderInfoLog) F(glDeleteShader) \
  F(glCreateProgram) F(glAttachShader) F(glLinkProgram) F(glGetProgramiv) F(glGetProgramInfoLog) \
  F(glDeleteProgram) F(glUseProgram) F(glUniform1i) F(glUniform1ui) F(glDispatchCompute) \
  F(glMemoryBarrier) F(glFinish) F(glGetError)

static struct {
  EGL_FUNCTIONS(PF_MEMBER)
  GL_FUNCTIONS(PF_MEMBER)
} api;
/* clang-format on */

typedef struct gl_device {
  pf_device base;
  EGLDisplay display;
  EGLContext context;
} gl_device;

static gl_device devices[PF_DEVICES];
static int count;
static char none[400];

enum { LOST = 1 }; /* a code in addition to glGetError()'s: EGL does not make the context current */

static const char *name_of(int code) {
  switch (code) {
    case LOST: return "no context";
    case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
    case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
    case GL_CONTEXT_LOST: return "GL_CONTEXT_LOST";
    default: return "error";
  }
}

static int is_memory(int code) {
  return code == GL_OUT_OF_MEMORY;
}

/* ---- finding ---- */

/* Makes the device's context current in this thread. */
static int enter(pf_device *d) {
  gl_device *g = (gl_device *)d;
  if (api.eglGetCurrentContext() == g->context) return 0;
  if (!api.eglMakeCurrent(g->display, EGL_NO_SURFACE, EGL_NO_SURFACE, g->context)) return LOST;
  return 0;
}

static int load_gl(void) {
  static const pf_symbol symbols[] = {GL_FUNCTIONS(PF_ENTRY)};
  for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
    __eglMustCastToProperFunctionPointerType function = api.eglGetProcAddress(symbols[k].name);
    if (!function) return 0;
    memcpy(symbols[k].pointer, &function, sizeof function);
  }
  return 1;
}

/* OpenGL does not report the size of memory; NVIDIA's does.  Processors and integrated GPUs use the
 * host's memory.  Mesa's llvmpipe answers NVIDIA's query with a wrong number (25.0: 1 KiB). */
static double memory_of(int software) {
  enum { DEDICATED_KIB = 0x9047 }; /* of GL_NVX_gpu_memory_info */
  GLint kib = 0;
  if (!software) api.glGetIntegerv(DEDICATED_KIB, &kib);
  if (api.glGetError() == GL_NO_ERROR && kib > 0) return 1024.0 * kib;
  return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

static void read_facts(pf_device_facts *f, int software) {
  GLint64 largest = 0;
  snprintf(f->name, sizeof f->name, "%s", (const char *)api.glGetString(GL_RENDERER));
  snprintf(f->driver, sizeof f->driver, "OpenGL %s", (const char *)api.glGetString(GL_VERSION));
  api.glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
  f->kind = software ? "cpu" : "gpu";
  f->largest = (double)largest;
  f->memory = memory_of(software);
  f->fp64 = 1;                                                  /* since OpenGL 4.0 */
  f->units = software ? (int)sysconf(_SC_NPROCESSORS_ONLN) : 1; /* unknown for a GPU */
}

static void add_display(EGLDisplay display, int software) {
  static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  4,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
  gl_device *g = &devices[count];
  if (count == PF_DEVICES || !display || !api.eglInitialize(display, NULL, NULL)) return;
  g->display = display;
  if (api.eglBindAPI(EGL_OPENGL_API))
    g->context = api.eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
  if (!g->context || enter(&g->base) || !load_gl()) {
    api.eglTerminate(display);
    *g = (gl_device){.context = NULL};
    return;
  }
  read_facts(&g->base.facts, software);
  api.eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  count++;
}

/* Functions of extensions. */
#define EXTENSION(type, name) type name = (type)api.eglGetProcAddress(PF_TEXT_OF(name))

/* EGL's devices, hardware first. */
static void find_displays(void) {
  EXTENSION(PFNEGLQUERYDEVICESEXTPROC, eglQueryDevicesEXT);
  EXTENSION(PFNEGLQUERYDEVICESTRINGEXTPROC, eglQueryDeviceStringEXT);
  EXTENSION(PFNEGLGETPLATFORMDISPLAYEXTPROC, eglGetPlatformDisplayEXT);
  EGLDeviceEXT device[PF_DEVICES];
  EGLint there = 0;
  if (!eglQueryDevicesEXT || !eglQueryDeviceStringEXT || !eglGetPlatformDisplayEXT) return;
  if (!eglQueryDevicesEXT(PF_DEVICES, device, &there)) return;
  for (int software = 0; software < 2; software++)
    for (int k = 0; k < there; k++) {
      const char *has = eglQueryDeviceStringEXT(device[k], EGL_EXTENSIONS);
      if (software == (has && strstr(has, "EGL_MESA_device_software") != NULL))
        add_display(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device[k], NULL), software);
    }
}

static int find(pf_device **list) {
  static const char *const files[] = {"libEGL.so.1", NULL};
  static const pf_symbol symbols[] = {EGL_FUNCTIONS(PF_ENTRY)};
  const char *why = pf_load(files, symbols, sizeof symbols / sizeof *symbols);
  if (why) {
    snprintf(none, sizeof none, "EGL is not on this machine (Debian: libegl1): %s", why);
    return 0;
  }
  find_displays();
  snprintf(none, sizeof none,
           "EGL has none with OpenGL 4.3 (Debian: libgl1-mesa-dri makes the "
           "processor one)");
  for (int k = 0; k < count; k++) list[k] = &devices[k].base;
  return count;
}

static int open_device(pf_device *d, pfft3d_error *e) {
  int code = enter(d);
  return code ? pf_driver_fail(d, code, "eglMakeCurrent", e) : PFFT3D_OK;
}

/* ---- memory ---- */

static GLuint number(const void *handle) {
  return (GLuint)(uintptr_t)handle;
}

/* Returns the last error code, and clears all errors. */
static int last_error(void) {
  return (int)api.glGetError();
}

static int take(pf_device_memory *m, int pinned) {
  GLuint buffer = 0;
  int code = enter(m->device);
  (void)pinned; /* not supported */
  if (code) return code;
  api.glGenBuffers(1, &buffer);
  api.glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  api.glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)m->bytes, NULL, GL_DYNAMIC_COPY);
  code = last_error();
  if (code) api.glDeleteBuffers(1, &buffer);
  m->handle = (void *)(uintptr_t)buffer;
  return code;
}

static void drop(pf_device_memory *m) {
  GLuint buffer = number(m->handle);
  if (!enter(m->device)) api.glDeleteBuffers(1, &buffer);
}

static void copy_up(const pf_device_memory *to, const void *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done) {
  (void)after, (void)done;
  int code = enter(to->device);
  if (!code) {
    api.glBindBuffer(GL_SHADER_STORAGE_BUFFER, number(to->handle));
    api.glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, from);
    code = last_error();
  }
  pf_driver_note(to->device, code, "a copy to it");
}

static void copy_down(void *to, const pf_device_memory *from, size_t bytes,
                      const pf_device_event *after, pf_device_event *done) {
  (void)after, (void)done;
  int code = enter(from->device);
  if (!code) {
    api.glBindBuffer(GL_SHADER_STORAGE_BUFFER, number(from->handle));
    api.glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    api.glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, to);
    code = last_error();
  }
  pf_driver_note(from->device, code, "a copy from it");
}

static void finish(pf_device *d) {
  int code = enter(d);
  if (!code) {
    api.glFinish();
    code = last_error();
  }
  pf_driver_note(d, code, "waiting for it");
}

/* ---- kernels ---- */

/* One shader: the version, a macro that selects the kernel, and the text. */
static GLuint compile(const char *text, int version, const char *name) {
  char head[128];
  const GLchar *parts[2] = {head, text};
  snprintf(head, sizeof head, "#version 430\n#define PF_KERNEL_%s\n%s#line 1\n", name,
           version & PF_TEXT_SINGLE ? "#define PF_SINGLE\n" : "");
  GLuint shader = api.glCreateShader(GL_COMPUTE_SHADER);
  api.glShaderSource(shader, 2, parts, NULL);
  api.glCompileShader(shader);
  return shader;
}

static int kernel_make(pf_device *d, const pf_device_text *text, int version, const char *name,
                       pf_device_kernel *kernel, pfft3d_error *e) {
  char log[2][1024] = {"", ""};
  GLint linked = 0;
  int code = enter(d);
  if (code) return pf_driver_fail(d, code, "eglMakeCurrent", e);
  GLuint shader = compile(text->opengl, version, name), program = api.glCreateProgram();
  api.glAttachShader(program, shader);
  api.glLinkProgram(program);
  api.glGetProgramiv(program, GL_LINK_STATUS, &linked);
  api.glGetShaderInfoLog(shader, (GLsizei)sizeof log[0], NULL, log[0]);
  api.glGetProgramInfoLog(program, (GLsizei)sizeof log[1], NULL, log[1]);
  api.glDeleteShader(shader); /* deleted together with its program */
  code = last_error();
  if (linked && !code) {
    kernel->handle = (void *)(uintptr_t)program;
    return PFFT3D_OK;
  }
  api.glDeleteProgram(program);
  return pf_driver_build_failed(d, code, name, log[*log[0] ? 0 : 1], e);
}

static void kernel_drop(pf_device_kernel *kernel) {
  if (!enter(kernel->device)) api.glDeleteProgram(number(kernel->handle));
}

/* Memory is bound to the argument's number; values are uniforms: the count, then integers. */
static void set_argument(const pf_device_argument *a, int k) {
  if (a->memory) {
    api.glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)k, number(a->memory->handle));
  } else if (k == 3) {
    api.glUniform1ui(k, *(const unsigned *)a->value);
  } else {
    api.glUniform1i(k, *(const int *)a->value);
  }
}

/* A dimension has at least 65535 groups. */
static void launch(const pf_device_kernel *kernel, const pf_device_argument *arguments, int many,
                   size_t items, size_t group) {
  enum { ROW = 32768 };
  size_t groups = items / group, across = groups < ROW ? groups : ROW;
  int code = enter(kernel->device);
  if (!code) {
    api.glUseProgram(number(kernel->handle));
    for (int k = 0; k < many; k++) set_argument(&arguments[k], k);
    api.glDispatchCompute((GLuint)across, (GLuint)((groups + across - 1) / across), 1);
    api.glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    code = last_error();
  }
  pf_driver_note(kernel->device, code, "a kernel");
}

const pf_driver pf_driver_opengl = {.none = none,
                                    .find = find,
                                    .error = name_of,
                                    .is_memory = is_memory,
                                    .open = open_device,
                                    .take = take,
                                    .drop = drop,
                                    .write = copy_up,
                                    .read = copy_down,
                                    .finish = finish,
                                    .kernel_make = kernel_make,
                                    .kernel_drop = kernel_drop,
                                    .launch = launch};
