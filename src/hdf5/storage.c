/* SPDX-License-Identifier: BSD-3-Clause
 * The storage of a dataset: its limits, and the location of contiguous data. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "hdf5/inspect.h"

/* Limit of chunked data, as a multiple of its bytes in the file: the largest compression ratio of
 * deflate.  Other filters compress constant data more, two filters by the product of their ratios,
 * and chunks that were never written take no space.  The number of chunks is no limit: an entry of
 * their index has a few bytes and may stand for 4 GiB.  So the elements of any file may take this
 * much memory, as complex doubles, and no more. */
enum { DEFLATE_BEST = 1032, CLAIM_BYTES = 1 << 30 };

/* The most parts of a virtual dataset. */
enum { VIRTUAL_PARTS = 4096 };

/* Refuses filters that this HDF5 does not have. */
static int check_filters(hid_t made, const pf_dataset *d, pfft3d_error *e) {
  int filters = H5Pget_nfilters(made);
  for (int k = 0; k < filters; k++) {
    char name[64] = "";
    unsigned flags, config;
    size_t values = 0;
    H5Z_filter_t id =
        H5Pget_filter2(made, (unsigned)k, &flags, &values, NULL, sizeof name, name, &config);
    if (id >= 0 && H5Zfilter_avail(id) > 0) continue;
    pf_hint(e, d->filters[0] ? "the folder of --filters has no plugin for it"
                             : "--filters FOLDER loads plugins; or store it with gzip");
    return pf_fail(
        e, PFFT3D_ERR_DATA,
        "cannot read '%.100s' in '%.100s': it needs the filter %d (%.40s), which is not built in",
        d->path, d->file, (int)id, name[0] ? name : "no name");
  }
  return PFFT3D_OK;
}

/* Nonzero if all parts of a virtual dataset are in this file, in datasets that are not virtual nor
 * in other files. */
static int is_inside(hid_t dataset, hid_t made) {
  size_t parts = 0;
  char file[8], path[PF_IO_PATH];
  hid_t links = pf_h5_no_external_links(NULL), root = H5Iget_file_id(dataset);
  int inside =
      links >= 0 && root >= 0 && H5Pget_virtual_count(made, &parts) >= 0 && parts <= VIRTUAL_PARTS;
  for (size_t k = 0; k < parts && inside; k++) {
    inside = H5Pget_virtual_filename(made, k, file, sizeof file) == 1 && file[0] == '.' &&
             H5Pget_virtual_dsetname(made, k, path, sizeof path) < (ssize_t)sizeof path &&
             !strchr(path, '%');
    hid_t part = inside ? H5Dopen2(root, path, links) : -1;
    hid_t how = part >= 0 ? H5Dget_create_plist(part) : -1;
    inside = how >= 0 && H5Pget_external_count(how) == 0 && H5Pget_layout(how) != H5D_VIRTUAL;
    if (how >= 0) H5Pclose(how);
    if (part >= 0) H5Dclose(part);
  }
  if (root >= 0) H5Fclose(root);
  if (links >= 0) H5Pclose(links);
  return inside;
}

/* Refuses data in other files. */
static int check_place(hid_t dataset, hid_t made, const pf_dataset *d, pfft3d_error *e) {
  int external = H5Pget_external_count(made) != 0;
  int inside = d->external ||
               (!external && (H5Pget_layout(made) != H5D_VIRTUAL || is_inside(dataset, made)));
  if (!inside) pf_hint(e, PF_H5_HINT_EXTERNAL);
  PF_CHECK(inside, e, PFFT3D_ERR_DATA,
           "cannot use '%.100s' in '%.100s': its data is in other files (%s)", d->path, d->file,
           external ? "external storage" : "a virtual dataset");
  return check_filters(made, d, e);
}

int pf_h5_check_storage(hid_t dataset, hid_t type, size_t count, pf_dataset *d, pfft3d_error *e) {
  char a[32], b[32];
  hid_t made = H5Dget_create_plist(dataset);
  PF_CHECK(made >= 0, e, PFFT3D_ERR_DATA, "cannot read how '%.100s' in '%.100s' is stored", d->path,
           d->file);
  H5D_layout_t layout = H5Pget_layout(made);
  int status = check_place(dataset, made, d, e);
  H5Pclose(made);
  if (status || d->external) return status; /* the data may be in a larger file */
  double file_size = (double)d->stored.fingerprint[2];
  double size = (double)H5Tget_size(type), claimed = (double)count * size;
  double stored = (double)H5Dget_storage_size(dataset), end = stored, most = stored;
  d->unwritten = layout != H5D_VIRTUAL && !(stored > 0);
  if (layout == H5D_VIRTUAL) most = DEFLATE_BEST * file_size;
  if (layout == H5D_CHUNKED || d->unwritten)
    most = fmax(DEFLATE_BEST * stored, CLAIM_BYTES * fmin(1, size / (2 * sizeof(double))));
  haddr_t offset = layout == H5D_CONTIGUOUS ? H5Dget_offset(dataset) : HADDR_UNDEF;
  if (offset != HADDR_UNDEF) end += (double)offset;
  if (layout == H5D_CHUNKED && claimed > most)
    pf_hint(e, "if it is right: 'h5repack -l CONTI' writes all of it, without compression");
  PF_CHECK(claimed <= most && end <= file_size, e, PFFT3D_ERR_DATA,
           "cannot read '%.100s' in '%.100s': it claims %s, the file holds %s", d->path, d->file,
           pf_bytes(claimed, a), pf_bytes(end <= file_size ? stored : file_size, b));
  return PFFT3D_OK;
}

void pf_h5_locate(hid_t dataset, hid_t type, size_t count, pf_stored *stored) {
  hid_t made = H5Dget_create_plist(dataset);
  int contiguous = made >= 0 && H5Pget_layout(made) == H5D_CONTIGUOUS;
  hid_t part = pf_h5_complex_part(type);
  if (part < 0) part = H5Tcopy(type);
  hid_t packed = part >= 0 ? pf_h5_like(type, part) : -1;
  haddr_t offset = contiguous ? H5Dget_offset(dataset) : HADDR_UNDEF;
  stored->number = -1;
  if (offset < INT64_MAX && packed >= 0 && H5Tequal(packed, type) > 0) {
    while (pf_h5_number_type(++stored->number) >= 0)
      if (H5Tequal(pf_h5_number_type(stored->number), part) > 0) break;
    if (pf_h5_number_type(stored->number) < 0) stored->number = -1;
  }
  if (stored->number >= 0) {
    stored->offset = (long long)offset;
    stored->bytes = (long long)count * (long long)H5Tget_size(type);
  }
  if (packed >= 0) H5Tclose(packed);
  if (part >= 0) H5Tclose(part);
  if (made >= 0) H5Pclose(made);
}
