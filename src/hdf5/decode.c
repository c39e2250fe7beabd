/* SPDX-License-Identifier: BSD-3-Clause
 * Data that only HDF5 can decode: chunks, filters, unusual number formats. */
#include <string.h>

#include "hdf5/inspect.h"

int pf_h5_decode_begin(const pf_dataset *d, hid_t part, pf_h5_decoding *c, pfft3d_error *e) {
  pf_dataset now = {.most = d->most, .external = d->external};
  memcpy(now.filters, d->filters, sizeof now.filters);
  memcpy(now.file, d->file, sizeof now.file);
  memcpy(now.path, d->path, sizeof now.path);
  memcpy(now.selection, d->selection, sizeof now.selection);
  c->space = c->type = -1;
  PF_TRY(pf_h5_inspect(&now, &c->open, e));
  if (now.dims != d->dims || now.is_complex != d->is_complex ||
      memcmp(now.n, d->n, sizeof now.n) != 0)
    pf_fail(e, PFFT3D_ERR_DATA,
            "cannot read '%.100s' in '%.100s': it has changed since it was opened", d->path,
            d->file);
  hid_t stored = H5Dget_type(c->open.dataset);
  if (stored >= 0) {
    c->space = H5Dget_space(c->open.dataset);
    c->type = pf_h5_like(stored, part);
    H5Tclose(stored);
  }
  if (c->space < 0 || c->type < 0)
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%.100s' in '%.100s'", d->path, d->file);
  if (e->status) pf_h5_decode_end(c);
  return e->status;
}

int pf_h5_decode(const pf_h5_decoding *c, const pf_io_round *p, void *to, pfft3d_error *e) {
  char reason[PF_IO_REASON];
  hsize_t start[PF_IO_DIMS], step[PF_IO_DIMS], size[PF_IO_DIMS];
  const pf_selection *s = &c->open.selection;
  for (int k = 0; k < s->dims; k++) {
    int a = s->axis[k];
    start[k] = (hsize_t)(s->start[k] + (a < 0 ? 0 : s->step[k] * p->start[a]));
    step[k] = (hsize_t)s->step[k];
    size[k] = a < 0 ? 1 : (hsize_t)p->size[a];
  }
  hid_t memory =
      H5Screate_simple(s->dims, size, NULL); /* of the same shape: several times faster */
  int ok = memory >= 0 &&
           H5Sselect_hyperslab(c->space, H5S_SELECT_SET, start, step, size, NULL) >= 0 &&
           H5Dread(c->open.dataset, c->type, memory, c->space, H5P_DEFAULT, to) >= 0;
  if (!ok) pf_fail(e, PFFT3D_ERR_DATA, "cannot read the data: %s", pf_h5_reason(reason));
  if (memory >= 0) H5Sclose(memory);
  return e->status;
}

void pf_h5_decode_end(pf_h5_decoding *c) {
  if (c->type >= 0) H5Tclose(c->type);
  if (c->space >= 0) H5Sclose(c->space);
  pf_h5_close(&c->open);
  c->type = c->space = -1;
}
