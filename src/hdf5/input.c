/* SPDX-License-Identifier: BSD-3-Clause
 * A file to read, of any format. */
#include "hdf5/input.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hdf5/npy.h"
#include "hdf5/probe.h"
#include "hdf5/selection.h"

/* HDF5 accepts a path that ends with a slash, but the program would then use it for the output. */
static int check_path(const pf_dataset *d, pfft3d_error *e) {
  size_t length = strlen(d->path);
  if (length > 1 && d->path[length - 1] == '/')
    pf_hint(e, "write FILE:%.*s", (int)length - 1, d->path);
  PF_CHECK(length == 0 || d->path[length - 1] != '/', e, PFFT3D_ERR_DATA,
           "no dataset '%.100s' in '%.100s': a path that ends with '/' is not that of a dataset",
           d->path, d->file);
  return PFFT3D_OK;
}

/* Adds a hint if a name like "x.h5:data" is no file: the path lacks its slash. */
static void hint_slash(const char *file, pfft3d_error *e) {
  const char *colon = access(file, F_OK) ? pf_io_missing_slash(file) : NULL;
  if (colon)
    pf_hint(e, "a path begins with '/': write %.*s:/%s", (int)(colon - file), file, colon + 1);
}

/* Inspects d->file. */
static int inspect_file(const pfft3d_input_spec *spec, pf_dataset *d, pfft3d_error *e) {
  struct stat st;
  PF_TRY(check_path(d, e));
  hint_slash(d->file, e);
  PF_TRY(pf_io_stat(d->file, &st, e));
  int npy = pf_npy_is(d->file);
  if (spec->layout) {
    const char *other = npy ? "a .npy file" : pf_io_is_hdf5(d->file) ? "an HDF5 file" : NULL;
    if (other) pf_hint(e, "it says itself what it holds: no layout is needed");
    PF_CHECK(!other, e, PFFT3D_ERR_DATA, "cannot read '%.200s' as numbers only: it is %s", d->file,
             other);
    return pf_raw_inspect(spec->layout, spec->offset, d, e);
  }
  if (npy) return pf_npy_inspect(d, e);
  return pf_probe_hdf5(d, e);
}

int pf_input_inspect(const pfft3d_input_spec *spec, pf_dataset *d, pfft3d_error *e) {
  pfft3d_error literal = {0};
  memset(d, 0, sizeof *d);
  d->most = spec->dims;
  d->external = spec->external;
  if (spec->filters) snprintf(d->filters, sizeof d->filters, "%s", spec->filters);
  PF_TRY(pf_io_parse_name(spec->name, d->file, d->path, PFFT3D_ERR_NOINPUT, e));
  pf_dataset named = *d; /* brackets may be part of the name */
  if (d->path[0] || access(d->file, F_OK))
    PF_TRY(pf_selection_split(d->path[0] ? d->path : d->file, d->selection, e));
  if (!inspect_file(spec, d, e)) return PFFT3D_OK;
  if (!d->selection[0] || !named.path[0] || inspect_file(spec, &named, &literal)) return e->status;
  *d = named;
  pf_error_clear(e);
  return PFFT3D_OK;
}
