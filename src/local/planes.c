/* SPDX-License-Identifier: BSD-3-Clause
 * Planes pass through a ring of slots, each with pinned memory of the host and memory of
 * the device:
 *
 *     host     read 0   read 1   read 2 | write 0 read 3 | write 1 read 4 | ...
 *     up                copy 0   copy 1   copy 2           copy 3
 *     run                        FFTs 0   FFTs 1           FFTs 2
 *     down                                copy 0           copy 1
 *
 * On the device a plane is a matrix: its rows are the lines that are contiguous in memory; rows of
 * real numbers are padded to half of a spectrum. */
#include "local/planes.h"

#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "device/vkfft.h"
#include "local/sweep.h"

enum { UNFIT = -1 };           /* differs from all statuses */
enum { SLOTS = 3 };            /* number of slots in the ring */
enum { FILLS = 8 };            /* of slots in one run */
enum { FILL_BYTES = 2 << 20 }; /* minimum bytes that fill a slot */

typedef struct slot {
  pf_device_memory host, device;
  pf_device_event up, ran, down;
} slot;

struct pf_planes {
  pf_device *device;
  pf_vkfft *fft[2];
  int row_axis;                      /* the axis along the rows */
  ptrdiff_t rows, columns, per_slot; /* columns: complex numbers of a row */
  size_t plane;                      /* bytes of a plane */
  pfft3d_precision precision;
  slot slot[SLOTS];
};

/* ---- planning ---- */

/* Nonzero if the pass is only a transform, of rows or of columns of the plane. */
static int is_plain(const pf_pass *p, int row_axis) {
  const pf_fft *f = p->fft;
  if (!f || f->kind != PFFT3D_DFT || f->many > 1 || f->element != pf_element(f->precision))
    return 0;
  if (f->real && p->line != row_axis) return 0; /* half spectra only along rows */
  return !p->gap[0].len && !p->gap[1].len && !p->roots && p->cyclic[0] <= 1 && p->cyclic[1] <= 1;
}

static int is_suited(const pf_stage *s, int row_axis) {
  if (!pf_vkfft_is_there() || s->last_lines || !s->passes) return 0;
  for (int k = 0; k < s->passes; k++)
    if (!is_plain(&s->pass[k], row_axis)) return 0;
  return s->passes == 1 ||
         (s->pass[0].line == s->pass[1].tile && s->pass[0].tile == s->pass[1].line);
}

/* The axis that is contiguous in the arrays. */
static int row_axis_of(const pf_stage *s) {
  for (int k = 0; k < s->passes; k++)
    if (s->pass[k].fft && s->pass[k].fft->rows) return s->pass[k].line;
  return s->pass[0].tile;
}

static void measure(const pf_stage *s, pf_planes *p) {
  const pf_pass *first = &s->pass[0];
  int other = first->line == p->row_axis ? first->tile : first->line;
  p->columns = first->from->len[p->row_axis];
  p->rows = first->from->len[other];
  for (int k = 0; k < s->passes; k++) {
    const pf_fft *f = s->pass[k].fft;
    if (s->pass[k].line == p->row_axis) p->columns = f->real ? f->n / 2 + 1 : f->n;
    p->precision = f->precision;
  }
  p->plane = (size_t)(p->rows * p->columns) * pf_element(p->precision);
  ptrdiff_t items = s->planes * s->fields;
  p->per_slot = p->plane ? (ptrdiff_t)((FILL_BYTES - 1) / p->plane) + 1 : 1;
  if (p->per_slot > (items + SLOTS - 1) / SLOTS) p->per_slot = (items + SLOTS - 1) / SLOTS;
}

/* Returns 0, an error, or UNFIT: VkFFT has no kernel for such a matrix, as for some primes along
 * columns. */
static int plan_pass(pf_planes *p, const pf_pass *pass, pf_vkfft **fft, pfft3d_error *e) {
  const pf_fft *f = pass->fft;
  pf_vkfft_spec spec = {.precision = f->precision,
                        .n = (size_t)f->n,
                        .rows = (size_t)p->rows,
                        .columns = (size_t)p->columns,
                        .matrices = (size_t)p->per_slot,
                        .strided = pass->line != p->row_axis,
                        .real = f->real,
                        .sign = f->sign};
  if (f->n == 1) return PFFT3D_OK; /* a transform of one point is the identity */
  pfft3d_error mine;
  pf_error_clear(&mine);
  *fft = pf_vkfft_make(p->device, &spec, &mine);
  if (mine.status == PFFT3D_ERR_UNAVAILABLE) return UNFIT;
  return pf_error_out(&mine, e);
}

static int fill_in(const pf_stage *s, pf_planes *p, pfft3d_error *e) {
  const pf_fft *f = s->pass[0].fft;
  pf_device_wanted device = {.api = PF_OPENCL, .index = f->device, .precision = f->precision};
  PF_TRY(pf_device_open(&device, &p->device, e));
  for (int k = 0; k < s->passes; k++) PF_TRY(plan_pass(p, &s->pass[k], &p->fft[k], e));
  for (int k = 0; k < SLOTS; k++) {
    size_t bytes = (size_t)p->per_slot * p->plane;
    PF_TRY(pf_device_take(p->device, bytes, 0, &p->slot[k].device, e));
    PF_TRY(pf_device_take(p->device, bytes, 1, &p->slot[k].host, e));
  }
  return PFFT3D_OK;
}

int pf_planes_make(const pf_stage *s, pf_planes **planes, pfft3d_error *e) {
  int row_axis = row_axis_of(s);
  *planes = NULL;
  if (s->planes * s->fields < 1 || !is_suited(s, row_axis)) return PFFT3D_OK;
  pf_planes *p = pf_alloc(sizeof *p);
  if (!p) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of planes");
  p->row_axis = row_axis;
  measure(s, p);
  int status = p->plane ? fill_in(s, p, e) : UNFIT;
  if (!status)
    *planes = p;
  else
    pf_planes_free(p);
  return status == UNFIT ? PFFT3D_OK : status;
}

void pf_planes_free(pf_planes *p) {
  if (!p) return;
  for (int k = 0; k < 2; k++) pf_vkfft_free(p->fft[k]);
  for (int k = 0; k < SLOTS; k++) {
    slot *s = &p->slot[k];
    pf_device_forget(p->device, &s->up);
    pf_device_forget(p->device, &s->ran);
    pf_device_forget(p->device, &s->down);
    pf_device_drop(&s->device);
    pf_device_drop(&s->host);
  }
  pf_free(p);
}

/* ---- running ---- */

ptrdiff_t pf_planes_together(const pf_stage *s) {
  const pf_planes *p = s->on_device;
  return p && !s->pass[0].multiplier ? FILLS * p->per_slot : 0;
}

/* Moves one plane between the views and its memory in a slot. */
static void move_plane(const pf_stage *s, pf_worker *w, ptrdiff_t item, char *memory, int in) {
  const pf_planes *p = s->on_device;
  const pf_pass *pass = &s->pass[in ? 0 : s->passes - 1];
  pf_sweep x;
  pf_sweep_begin(&x, s, pass, w, item);
  const pf_view *v = in ? pass->from : pass->to;
  size_t element = v->narrow ? 2 * v->element : v->element;
  ptrdiff_t row = p->columns * (ptrdiff_t)(pf_element(p->precision) / element);
  int along_rows = pass->line == p->row_axis;
  pf_strided here = {memory, along_rows ? 1 : row, along_rows ? row : 1, element};
  pf_tile all = {pass->line, pass->tile, x.field, x.plane, 0, x.lines};
  /* Real lines of one point, which are not transformed, have no imaginary parts to read. */
  if (in && pass->fft->n == 1 && element < pf_element(p->precision)) memset(memory, 0, p->plane);
  if (x.lines) pf_sweep_move(&x, v, here, &all, in);
}

static double scale_of(const pf_stage *s) {
  double scale = 1;
  for (int k = 0; k < s->passes; k++) scale *= s->pass[k].scale;
  return scale;
}

static void multiply(const pf_planes *p, char *memory, double scale) {
  size_t numbers = 2 * (size_t)(p->rows * p->columns);
  if (scale == 1) return;
  if (p->precision == PFFT3D_DOUBLE)
    for (size_t i = 0; i < numbers; i++) ((double *)(void *)memory)[i] *= scale;
  else
    for (size_t i = 0; i < numbers; i++) ((float *)(void *)memory)[i] *= (float)scale;
}

/* Reads planes into a slot, and queues all that the device does with them. */
static void fill_slot(const pf_stage *s, pf_worker *w, slot *at, ptrdiff_t item, ptrdiff_t count) {
  pf_planes *p = s->on_device;
  char *host = at->host.host;
  size_t bytes = (size_t)count * p->plane;
  for (ptrdiff_t i = 0; i < count; i++) move_plane(s, w, item + i, host + (size_t)i * p->plane, 1);
  pf_device_write(&at->device, host, bytes, NULL, &at->up);
  pf_device_wait_in(p->device, PF_RUN, &at->up);
  for (int k = 0; k < s->passes; k++)
    if (p->fft[k]) pf_vkfft_run(p->fft[k], &at->device);
  pf_device_mark(p->device, PF_RUN, &at->ran);
  pf_device_read(host, &at->device, bytes, &at->ran, &at->down);
}

static void drain_slot(const pf_stage *s, pf_worker *w, slot *at, ptrdiff_t item, ptrdiff_t count) {
  pf_planes *p = s->on_device;
  double scale = scale_of(s);
  pf_device_wait(p->device, &at->down);
  for (ptrdiff_t i = 0; i < count; i++) {
    char *memory = (char *)at->host.host + (size_t)i * p->plane;
    multiply(p, memory, scale);
    move_plane(s, w, item + i, memory, 0);
  }
}

void pf_planes_run(const pf_stage *s, pf_worker *w, ptrdiff_t item, ptrdiff_t count) {
  pf_planes *p = s->on_device;
  ptrdiff_t each = p->per_slot, fills = (count + each - 1) / each;
  for (ptrdiff_t k = 0; k < fills + SLOTS; k++) {
    slot *at = &p->slot[k % SLOTS];
    ptrdiff_t first = k * each, back = first - SLOTS * each;
    if (back >= 0) drain_slot(s, w, at, item + back, count - back < each ? count - back : each);
    if (k < fills) fill_slot(s, w, at, item + first, count - first < each ? count - first : each);
  }
  pf_move_fence();
}
