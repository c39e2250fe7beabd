/* SPDX-License-Identifier: BSD-3-Clause
 * The algorithms of fft.cl and fft.comp as lists of launches, and libraries to compare with. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "kernels/remote.h"

#include <string.h>

/* ---- launches: each moves the lines from x to y or back ---- */

static size_t items_of(const pf_remote_pass *pass, int few) {
  return ((size_t)1 << (pass->bits - few)) * pass->count;
}

static void move_on(pf_kernel_plan *p) {
  pf_remote_plan *s = p->state;
  s->in_y = !s->in_y;
}

static void run_stockham2(pf_kernel_plan *p, const pf_remote_pass *pass) {
  for (int done = pass->inner; done < pass->bits; done++) {
    pf_remote_launch(p, 0, pass, done, items_of(pass, 1), PF_GROUP);
    move_on(p);
  }
}

/* Nonzero for a processor if there are many lines that fit its caches: one item per line. */
static int by_lines(const pf_kernel_plan *p, const pf_remote_pass *pass) {
  enum { FEWEST = 16, LONGEST = 14 };
  const pf_remote_plan *s = p->state;
  return p->kernel->remote->launch[2] && strcmp(pf_device_about(s->device)->kind, "cpu") == 0 &&
         !pass->inner && pass->count >= FEWEST && pass->bits <= LONGEST;
}

static void run_stockham4(pf_kernel_plan *p, const pf_remote_pass *pass) {
  if (by_lines(p, pass)) {
    pf_remote_launch(p, 2, pass, pass->inner, pass->count, 1);
    if ((pass->bits + 1) / 2 % 2) move_on(p);
    return;
  }
  for (int done = pass->inner, few; done < pass->bits; done += few) {
    few = pass->bits - done > 1 ? 2 : 1;
    pf_remote_launch(p, 2 - few, pass, done, items_of(pass, few), PF_GROUP);
    move_on(p);
  }
}

static void run_multistage(pf_kernel_plan *p, const pf_remote_pass *pass) {
  for (int done = pass->inner, few; done < pass->bits; done += few) {
    few = pass->bits - done < 3 ? pass->bits - done : 3;
    pf_remote_launch(p, few - 1, pass, done, items_of(pass, few), PF_GROUP);
    move_on(p);
  }
}

/* After the bit reversal in place: `from` and `to` are the same then. */
static void run_radix2(pf_kernel_plan *p, const pf_remote_pass *pass) {
  pf_remote_plan *s = p->state;
  double start = pf_kernel_clock();
  pf_remote_launch(p, 0, pass, 0, items_of(pass, 0), PF_GROUP);
  pf_device_finish(s->device);
  p->phase[PF_BIT_REVERSAL] += pf_kernel_clock() - start;
  for (int done = pass->inner; done < pass->bits; done++)
    pf_remote_launch(p, 1, pass, done, items_of(pass, 1), PF_GROUP);
  move_on(p);
}

/* One launch: a group has as many points as the longest line. */
static void run_line(pf_kernel_plan *p, const pf_remote_pass *pass) {
  pf_remote_launch(p, 0, pass, 0, pass->count << pass->bits, p->kernel->longest);
  move_on(p);
}

/* ---- the list ---- */

#define PHASES (1u << PF_BUTTERFLY1 | 1u << PF_TRANSFERS)
#define IS(...)        \
  &(const pf_remote) { \
    __VA_ARGS__        \
  }
#define NAMES(...) \
  { __VA_ARGS__ }

#define RADIX2(id, prefix)                                                                        \
  {                                                                                               \
    .name = prefix "-radix2", .summary = "bit reversal, then radix 2 in place, a launch a stage", \
    .roots = PF_STAGE_ROOTS, .phases = PHASES | 1u << PF_BIT_REVERSAL,                            \
    .remote = IS(.api = id, .launch = NAMES("bit_reversal", "radix2"), .run = run_radix2)         \
  }
#define STOCKHAM2(id, prefix)                                                      \
  {                                                                                \
    .name = prefix "-stockham2", .summary = "Stockham, radix 2, a launch a stage", \
    .roots = PF_STAGE_ROOTS, .phases = PHASES,                                     \
    .remote = IS(.api = id, .launch = NAMES("stockham2"), .run = run_stockham2)    \
  }
#define STOCKHAM4(id, prefix, whole)                                                          \
  {                                                                                           \
    .name = prefix "-stockham4", .summary = "Stockham, radix 4, a launch a stage",            \
    .roots = PF_STAGE_ROOTS, .phases = PHASES,                                                \
    .remote =                                                                                 \
        IS(.api = id, .launch = NAMES("stockham4", "stockham2", whole), .run = run_stockham4) \
  }
#define MULTISTAGE(id, prefix)                                                                  \
  {                                                                                             \
    .name = prefix "-multistage",                                                               \
    .summary = "kernels of 8, 4 and 2 points in registers, roots on the fly", .phases = PHASES, \
    .remote = IS(.api = id, .launch = NAMES("multistage2", "multistage4", "multistage8"),       \
                 .run = run_multistage)                                                         \
  }
#define LINE(id, prefix)                                                             \
  {                                                                                  \
    .name = prefix "-line", .summary = "Stockham, radix 4, a launch for all stages", \
    .roots = PF_STAGE_ROOTS, .longest = 2048, .phases = PHASES,                      \
    .remote = IS(.api = id, .launch = NAMES("line"), .run = run_line)                \
  }
#define OTHER(id, called, text, own, most)                                               \
  {                                                                                      \
    .name = called, .summary = text ", to compare with", .any_size = 1, .factors = most, \
    .loose = 4, .phases = PHASES, .remote = IS(.api = id, .library = own)                \
  }

/* Libraries that this build lacks are listed all the same, so that the error tells why. */
#ifdef PF_HAVE_VKFFT
#define VKFFT &pf_library_vkfft
#else
#define VKFFT NULL
#endif
#ifdef PF_HAVE_CLFFT
#define CLFFT &pf_library_clfft
#else
#define CLFFT NULL
#endif
#ifdef PF_HAVE_CUDA
#define CUFFT &pf_library_cufft
#else
#define CUFFT NULL
#endif

static const pf_kernel kernels[] = {RADIX2(PF_OPENCL, "opencl"),
                                    STOCKHAM2(PF_OPENCL, "opencl"),
                                    STOCKHAM4(PF_OPENCL, "opencl", "stockham4_line"),
                                    MULTISTAGE(PF_OPENCL, "opencl"),
                                    OTHER(PF_OPENCL, "vkfft", "VkFFT", VKFFT, 0),
                                    OTHER(PF_OPENCL, "clfft", "clFFT", CLFFT, 13),
                                    RADIX2(PF_CUDA, "cuda"),
                                    STOCKHAM2(PF_CUDA, "cuda"),
                                    STOCKHAM4(PF_CUDA, "cuda", NULL),
                                    MULTISTAGE(PF_CUDA, "cuda"),
                                    OTHER(PF_CUDA, "cufft", "cuFFT", CUFFT, 0),
                                    RADIX2(PF_OPENGL, "glsl"),
                                    STOCKHAM2(PF_OPENGL, "glsl"),
                                    STOCKHAM4(PF_OPENGL, "glsl", NULL),
                                    LINE(PF_OPENGL, "glsl")};

const pf_kernel *pf_remote_at(int index) {
  int count = (int)(sizeof kernels / sizeof *kernels);
  return index >= 0 && index < count ? &kernels[index] : NULL;
}
