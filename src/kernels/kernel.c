/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of kernels; plans, and lines shared among threads. */
#include "kernels/kernel.h"

#include <stdint.h>

#include "base/memory.h"
#include "kernels/remote.h"

#define PF_KERNEL_LINE(name) &pf_kernel_##name,
static const pf_kernel *const kernels[] = {
#include "kernels/kernel_list.h"
};
#undef PF_KERNEL_LINE

const pf_kernel *pf_kernel_at(int index) {
  int count = (int)(sizeof kernels / sizeof *kernels);
  return index < 0 || index >= count ? pf_remote_at(index - count) : kernels[index];
}

const char *pf_phase_name(pf_phase phase) {
  static const char *const names[PF_PHASES] = {"bit_reversal", "roots", "butterfly1", "butterfly2",
                                               "transfers"};
  return names[phase];
}

/* Nonzero if n is a product of primes up to `most`. */
static int is_smooth(size_t n, size_t most) {
  for (size_t p = 2; p <= most; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

const char *pf_kernel_takes(const pf_kernel *kernel, size_t n) {
  if (n == 0) return "one point at least";
  if (kernel->longest && n > kernel->longest) return "shorter lines only";
  if (kernel->factors && !is_smooth(n, (size_t)kernel->factors))
    return "products of small primes only";
  return kernel->any_size || (n & (n - 1)) == 0 ? NULL : "powers of two only";
}

int pf_kernel_supports(const pf_kernel *kernel, size_t n) {
  return !pf_kernel_takes(kernel, n);
}

void pf_kernel_roots(pfft3d_precision precision, void *table, size_t n, int sign,
                     pf_roots_wanted wanted) {
  (precision == PFFT3D_DOUBLE ? pf_roots_double : pf_roots_single)(table, n, sign, wanted);
}

/* Asks the system if the size is large. */
static int check_memory(size_t bytes, pfft3d_error *e) {
  const size_t large = (size_t)1 << 26;
  if (bytes < large || !pf_memory_agree(MPI_COMM_SELF, bytes, e)) return PFFT3D_OK;
  if (e) e->hint[0] = 0; /* the hint is for fields, with grids and nodes */
  pf_hint(e, "take fewer points, a smaller batch, or single precision");
  return PFFT3D_ERR_MEMORY;
}

void *pf_kernel_take(size_t bytes, pfft3d_error *e) {
  if (check_memory(bytes, e)) return NULL;
  void *memory = pf_alloc(bytes);
  if (!memory) pf_note(e, PFFT3D_ERR_MEMORY, "no memory for %zu bytes", bytes);
  return memory;
}

void pf_kernel_drop(void *memory) {
  pf_free(memory);
}

static size_t number_bytes(const pf_kernel_plan *plan) {
  return plan->precision == PFFT3D_DOUBLE ? 2 * sizeof(double) : 2 * sizeof(float);
}

size_t pf_kernel_line_bytes(const pf_kernel_plan *plan) {
  size_t bytes = plan->size * number_bytes(plan);
  return (bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
}

/* Lines that are transformed at the same time. */
static size_t lines_together(const pf_kernel_plan *plan) {
  if (!plan->kernel->serial) return plan->batch > 0;
  return (size_t)plan->threads < plan->batch ? (size_t)plan->threads : plan->batch;
}

static int allocate(pf_kernel_plan *plan, pfft3d_error *e) {
  const pf_kernel *k = plan->kernel;
  size_t room = plan->size * number_bytes(plan);
  size_t lines = lines_together(plan) * k->work;
  if (pf_mul(lines + 1, pf_kernel_line_bytes(plan), &plan->bytes))
    return pf_fail(e, PFFT3D_ERR_MEMORY, "kernel '%s': more memory than can be addressed", k->name);
  plan->bytes = lines * pf_kernel_line_bytes(plan) + (k->roots ? room : 0);
  PF_TRY(check_memory(plan->bytes, e));
  if (k->roots) plan->roots = pf_alloc(room);
  if (lines) plan->work = pf_alloc(lines * pf_kernel_line_bytes(plan));
  if ((k->roots && !plan->roots) || (lines && !plan->work))
    return pf_fail(e, PFFT3D_ERR_MEMORY, "kernel '%s': no memory for %zu bytes", k->name,
                   plan->bytes);
  return PFFT3D_OK;
}

static int check_size(const pf_kernel *k, size_t n, pfft3d_error *e) {
  const char *takes = pf_kernel_takes(k, n);
  PF_CHECK(!takes, e, PFFT3D_ERR_UNAVAILABLE, "kernel '%s': %zu points: takes %s", k->name, n,
           takes);
  return PFFT3D_OK;
}

int pf_kernel_make(pf_kernel_plan *plan, const pf_kernel_spec *spec, pfft3d_error *e) {
  const pf_kernel *k = spec->kernel;
  *plan = (pf_kernel_plan){.kernel = k,
                           .precision = spec->precision,
                           .size = spec->size,
                           .rows = spec->rows ? spec->rows : 1,
                           .batch = spec->batch,
                           .sign = spec->sign,
                           .threads = spec->threads,
                           .team = k->serial ? 1 : spec->threads};
  PF_TRY(check_size(k, spec->size, e));
  PF_TRY(check_size(k, plan->rows, e));
  PF_CHECK(plan->rows == 1 || k->remote, e, PFFT3D_ERR_UNAVAILABLE,
           "kernel '%s': transforms lines only", k->name);
  while (((size_t)1 << plan->bits) < spec->size && plan->bits < 62) plan->bits++;
  size_t points;
  if (spec->size > PTRDIFF_MAX / 64 || pf_mul(spec->size, plan->rows, &points) ||
      pf_mul(points, plan->batch, &points) || points > PTRDIFF_MAX / 64)
    return pf_fail(e, PFFT3D_ERR_MEMORY, "kernel '%s': %zu points are too many", k->name,
                   spec->size);
  if (k->remote) return pf_remote_make(plan, spec->device, e);
  if (allocate(plan, e)) {
    pf_kernel_free(plan);
    return e->status;
  }
  pf_kernel_roots(plan->precision, plan->roots, plan->size, plan->sign, k->roots);
  return PFFT3D_OK;
}

/* One line of the batch; `worker` is the index of its work memory. */
static void run_line(pf_kernel_plan *plan, size_t line, size_t worker, const void *in, void *out,
                     double *phase) {
  const pf_kernel *k = plan->kernel;
  size_t offset = line * plan->size * number_bytes(plan);
  char *work = plan->work;
  pf_kernel_line l = {.in = (const char *)in + offset,
                      .out = (char *)out + offset,
                      .work = work ? work + worker * k->work * pf_kernel_line_bytes(plan) : NULL,
                      .phase = phase};
  k->line[plan->precision](plan, &l);
}

/* Lines that run together share the time of a phase. */
void pf_kernel_run(pf_kernel_plan *plan, const void *in, void *out) {
  size_t together = lines_together(plan);
  double phase[PF_PHASES] = {0};
  if (plan->kernel->remote) {
    pf_remote_run(plan, in, out);
    return;
  }
#ifdef _OPENMP
#pragma omp parallel for num_threads((int) together) schedule(static) reduction(+ : phase) if (together > 1)
#endif
  for (size_t worker = 0; worker < together; worker++)
    for (size_t line = worker; line < plan->batch; line += together)
      run_line(plan, line, worker, in, out, phase);
  for (int k = 0; k < PF_PHASES; k++) plan->phase[k] = phase[k] / (double)together;
}

int pf_kernel_fault(const pf_kernel_plan *plan, pfft3d_error *e) {
  return plan->state ? pf_remote_fault(plan, e) : PFFT3D_OK;
}

int pf_kernel_api(const pf_kernel *kernel) {
  const pf_remote *r = kernel->remote;
  return r && (r->run || r->library) && pf_device_has(r->api) ? (int)r->api : -1;
}

const char *pf_kernel_device_name(const pf_kernel_plan *plan) {
  return plan->state ? pf_remote_device_name(plan) : "cpu";
}

void pf_kernel_free(pf_kernel_plan *plan) {
  if (plan->state) pf_remote_free(plan);
  pf_free(plan->roots);
  pf_free(plan->work);
  plan->roots = plan->work = NULL;
}
