/* SPDX-License-Identifier: BSD-3-Clause
 * Inspection of a dataset by serial HDF5: its properties, which are checked for consistency.
 *
 * Only regular files are opened (a FIFO would block, a device may act).  Datasets are refused if
 * they refer to other files (external storage and links, virtual datasets) or claim more elements
 * than the file can hold: a small file causes no large allocation. */
#include "hdf5/inspect.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* Limit of chunked data, as a multiple of its bytes in the file: the largest compression ratio of
 * deflate.  Other filters compress constant data more, two filters by the product of their ratios,
 * and chunks that were never written take no space.  The number of chunks is no limit: an entry of
 * their index has a few bytes and may stand for 4 GiB.  So the elements of any file may take this
 * much memory, as complex doubles, and no more. */
enum { DEFLATE_BEST = 1032, CLAIM_BYTES = 1 << 30 };

/* The chunk cache: consecutive rounds of a box read the same chunks. */
enum { CACHE_SLOTS = 1009, CACHE_BYTES = 1 << 27 };

/* ---- Opening ------------------------------------------------------------------------------ */

int pf_io_stat(const char *file, struct stat *st, pfft3d_error *e) {
  PF_CHECK(stat(file, st) == 0, e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': %s", file,
           strerror(errno));
  const char *what = S_ISDIR(st->st_mode)    ? "a directory"
                     : S_ISFIFO(st->st_mode) ? "a FIFO"
                     : S_ISREG(st->st_mode)  ? NULL
                                             : "a device or socket";
  PF_CHECK(!what, e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': it is %s, not a regular file", file,
           what);
  PF_CHECK(st->st_size > 0, e, PFFT3D_ERR_DATA, "cannot read '%.200s': the file is empty", file);
  return PFFT3D_OK;
}

/* Opens the file on this rank only. */
static hid_t open_serial(const char *file, pfft3d_error *e) {
  char reason[PF_IO_REASON];
  FILE *f = fopen(file, "rb"); /* to get the system's reason */
  if (!f) {
    pf_fail(e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': %s", file, strerror(errno));
    return -1;
  }
  fclose(f);
  if (H5Fis_hdf5(file) == 0) {
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%.200s': it is not an HDF5 file", file);
    return -1;
  }
  hid_t h = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (h >= 0) return h;
  pf_h5_reason(reason);
  if (pf_h5_hint_locks(reason, e))
    pf_fail(e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': %s", file, reason);
  else
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%.200s' as HDF5: %s", file, reason);
  return -1;
}

/* Maximum number of datasets of a file that a message lists. */
enum { LISTED = 4 };
typedef struct listing {
  int count;
  char first[PF_IO_PATH];
  char text[160]; /* " /a /b" */
} listing;

#if H5_VERSION_GE(1, 12, 0)
typedef H5O_info2_t object_info;
#else
typedef H5O_info_t object_info;
#define H5Ovisit3 H5Ovisit2 /* its name in HDF5 1.10 */
#endif

/* H5Ovisit3() callback: lists datasets, stops after one more than is listed. */
static herr_t list_dataset(hid_t file, const char *name, const object_info *info, void *context) {
  listing *l = context;
  (void)file;
  if (info->type != H5O_TYPE_DATASET) return 0;
  if (l->count == 0) snprintf(l->first, sizeof l->first, "/%s", name);
  size_t used = strlen(l->text);
  if (++l->count > LISTED) {
    snprintf(l->text + used, sizeof l->text - used, " ...");
    return 1;
  }
  snprintf(l->text + used, sizeof l->text - used, " /%s", name);
  return 0;
}

static int list_datasets(hid_t file, listing *l) {
  *l = (listing){0, "", ""};
  return H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_NATIVE, list_dataset, l, H5O_INFO_BASIC) >= 0;
}

/* H5Lvisit() callback: stops at the first external link and copies its name. */
static herr_t find_external(hid_t group, const char *name, const H5L_info_t *info, void *found) {
  (void)group;
  if (info->type != H5L_TYPE_EXTERNAL) return 0;
  snprintf(found, PF_IO_PATH, "/%s", name);
  return 1;
}

/* Sets d->path to the file's only dataset. */
static int choose_dataset(hid_t file, pf_dataset *d, pfft3d_error *e) {
  char reason[PF_IO_REASON], external[PF_IO_PATH] = "";
  listing l;
  if (!list_datasets(file, &l))
    return pf_fail(e, PFFT3D_ERR_DATA, "cannot list the datasets of '%.200s': %s", d->file,
                   pf_h5_reason(reason));
  if (l.count == 0 && H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, find_external, external) > 0)
    pf_hint(e, "'%.100s' is an external link: name the file that it points to", external);
  PF_CHECK(l.count > 0, e, PFFT3D_ERR_DATA, "cannot read '%.200s': it holds no dataset%s", d->file,
           external[0] ? ", only a link to another file" : "");
  if (l.count > 1) pf_hint(e, "name one as FILE:/PATH; there are%s", l.text);
  PF_CHECK(l.count == 1, e, PFFT3D_ERR_DATA, "cannot choose: '%.200s' holds several datasets",
           d->file);
  snprintf(d->path, sizeof d->path, "%s", l.first);
  return PFFT3D_OK;
}

/* Opens the dataset d->path, or the only one, and sets its path. */
static hid_t open_dataset(hid_t file, pf_dataset *d, pfft3d_error *e) {
  char reason[PF_IO_REASON];
  listing l;
  int external = 0;
  if (!d->path[0] && choose_dataset(file, d, e)) return -1;
  hid_t links = pf_h5_no_external_links(&external), dataset = -1;
  if (links >= 0 && H5Pset_chunk_cache(links, CACHE_SLOTS, CACHE_BYTES, 1.0) >= 0)
    dataset = H5Dopen2(file, d->path, links);
  if (dataset < 0) {
    pf_h5_reason(reason);
    if (external)
      pf_fail(e, PFFT3D_ERR_DATA, "cannot use '%.100s' in '%.100s': it is in another file", d->path,
              d->file);
    else
      pf_fail(e, PFFT3D_ERR_DATA, "no dataset '%.100s' in '%.100s': %s", d->path, d->file, reason);
    if (!external && list_datasets(file, &l) && l.count > 0) pf_hint(e, "there are%s", l.text);
  }
  if (links >= 0) H5Pclose(links);
  return dataset;
}

/* ---- What it holds ------------------------------------------------------------------------ */

/* A name for types that are not numbers. */
static const char *class_word(H5T_class_t class) {
  switch (class) {
    case H5T_TIME: return "a time";
    case H5T_STRING: return "a string";
    case H5T_BITFIELD: return "a bit field";
    case H5T_OPAQUE: return "opaque";
    case H5T_REFERENCE: return "a reference";
    case H5T_ENUM: return "an enumeration";
    case H5T_VLEN: return "of variable length";
    case H5T_ARRAY: return "an array";
    default: return "unknown";
  }
}

/* Fills is_complex and type. */
static int inspect_type(hid_t type, pf_dataset *d, pfft3d_error *e) {
  H5T_class_t class = H5Tget_class(type);
  if (class == H5T_INTEGER || class == H5T_FLOAT) {
    pf_h5_describe(type, 0, d->type);
  } else if (pf_h5_complex_names(type)) {
    hid_t part = H5Tget_member_type(type, 0);
    d->is_complex = 1;
    pf_h5_describe(part, 1, d->type);
    H5Tclose(part);
  } else {
    char what[64];
    if (class == H5T_COMPOUND)
      snprintf(what, sizeof what, "a compound of %d members", H5Tget_nmembers(type));
    else
      snprintf(what, sizeof what, "%s", class_word(class));
    pf_hint(e,
            "complex numbers are a compound of two equal floats named r and i, re and im, or "
            "real and imag");
    return pf_fail(e, PFFT3D_ERR_DATA,
                   "cannot read '%.100s' in '%.100s': its type is %s, not a real or complex number",
                   d->path, d->file, what);
  }
  return PFFT3D_OK;
}

/* Fills dims and n of the stored array; *count is their product. */
static int inspect_shape(hid_t space, const pf_dataset *d, pf_selection *s, size_t *count,
                         pfft3d_error *e) {
  hsize_t n[PF_IO_DIMS];
  size_t bytes;
  int dims = H5Sget_simple_extent_ndims(space);
  PF_CHECK(dims >= 1 && dims <= PF_IO_DIMS, e, PFFT3D_ERR_DATA,
           "cannot read '%.100s' in '%.100s': it has %d dimensions, not 1 to %d", d->path, d->file,
           dims < 0 ? 0 : dims, PF_IO_DIMS);
  PF_CHECK(H5Sget_simple_extent_dims(space, n, NULL) == dims, e, PFFT3D_ERR_DATA,
           "cannot read the size of '%.100s' in '%.100s'", d->path, d->file);
  s->dims = dims;
  *count = 1;
  for (int a = 0; a < dims; a++) {
    PF_CHECK(n[a] > 0, e, PFFT3D_ERR_DATA, "cannot read '%.100s' in '%.100s': dimension %d is 0",
             d->path, d->file, a);
    PF_CHECK(n[a] <= PTRDIFF_MAX && !pf_mul(*count, (size_t)n[a], count) &&
                 !pf_mul(*count, 2 * sizeof(double), &bytes) && bytes <= PTRDIFF_MAX,
             e, PFFT3D_ERR_DATA, "cannot read '%.100s' in '%.100s': its size overflows", d->path,
             d->file);
    s->n[a] = (ptrdiff_t)n[a];
  }
  return PFFT3D_OK;
}

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
    pf_hint(e, "store it with gzip, or without compression");
    return pf_fail(
        e, PFFT3D_ERR_DATA,
        "cannot read '%.100s' in '%.100s': it needs the filter %d (%.40s), which is not built in",
        d->path, d->file, (int)id, name[0] ? name : "no name");
  }
  return PFFT3D_OK;
}

/* Refuses data in other files, and less data than `count` elements need. */
static int check_storage(hid_t dataset, hid_t type, size_t count, const pf_dataset *d,
                         pfft3d_error *e) {
  hid_t made = H5Dget_create_plist(dataset);
  PF_CHECK(made >= 0, e, PFFT3D_ERR_DATA, "cannot read how '%.100s' in '%.100s' is stored", d->path,
           d->file);
  H5D_layout_t layout = H5Pget_layout(made);
  int external = H5Pget_external_count(made) != 0;
  int status = check_filters(made, d, e);
  H5Pclose(made);
  if (status) return status;
  PF_CHECK(!external && layout != H5D_VIRTUAL, e, PFFT3D_ERR_DATA,
           "cannot use '%.100s' in '%.100s': its data is in other files (%s)", d->path, d->file,
           external ? "external storage" : "a virtual dataset");

  char a[32], b[32];
  double file_size = (double)d->stored.fingerprint[2];
  double size = (double)H5Tget_size(type), claimed = (double)count * size;
  double stored = (double)H5Dget_storage_size(dataset), end = stored, most = stored;
  if (layout == H5D_CHUNKED)
    most = fmax(DEFLATE_BEST * stored, CLAIM_BYTES * fmin(1, size / (2 * sizeof(double))));
  haddr_t offset = layout == H5D_CONTIGUOUS ? H5Dget_offset(dataset) : HADDR_UNDEF;
  if (offset != HADDR_UNDEF) end += (double)offset;
  PF_CHECK(stored > 0, e, PFFT3D_ERR_DATA,
           "cannot read '%.100s' in '%.100s': no data was ever written", d->path, d->file);
  if (layout == H5D_CHUNKED && claimed > most)
    pf_hint(e, "if it is right: 'h5repack -l CONTI' writes all of it, without compression");
  PF_CHECK(claimed <= most && end <= file_size, e, PFFT3D_ERR_DATA,
           "cannot read '%.100s' in '%.100s': it claims %s, the file holds %s", d->path, d->file,
           pf_bytes(claimed, a), pf_bytes(end <= file_size ? stored : file_size, b));
  return PFFT3D_OK;
}

/* ---- Where it is stored ------------------------------------------------------------------- */

void pf_io_fingerprint(const struct stat *st, long long file[5]) {
  file[0] = (long long)st->st_dev;
  file[1] = (long long)st->st_ino;
  file[2] = (long long)st->st_size;
  file[3] = (long long)st->st_mtim.tv_sec;
  file[4] = (long long)st->st_mtim.tv_nsec;
}

/* The location of contiguous data in one of the formats of pf_h5_number_type(). */
static void locate(hid_t dataset, hid_t type, size_t count, pf_stored *stored) {
  hid_t made = H5Dget_create_plist(dataset);
  int contiguous = made >= 0 && H5Pget_layout(made) == H5D_CONTIGUOUS;
  const char *const *names = pf_h5_complex_names(type);
  hid_t part = names ? H5Tget_member_type(type, 0) : H5Tcopy(type);
  hid_t packed = part >= 0 ? pf_h5_type(names, part) : -1;
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

/* Inspects an open dataset. */
static int inspect_dataset(hid_t dataset, pf_dataset *d, pf_selection *s, pfft3d_error *e) {
  size_t count = 0;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  if (type < 0 || space < 0)
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read the type of '%.100s' in '%.100s'", d->path, d->file);
  else if (!inspect_shape(space, d, s, &count, e) && !inspect_type(type, d, e) &&
           !check_storage(dataset, type, count, d, e) && !pf_selection_apply(s, 0, d, e) &&
           !pf_h5_read_packing(dataset, type, d, e))
    locate(dataset, type, count, &d->stored);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return e->status;
}

int pf_h5_inspect(pf_dataset *d, pf_h5_handles *open, pfft3d_error *e) {
  struct stat st;
  open->file = open->dataset = -1;
  PF_TRY(pf_io_stat(d->file, &st, e));
  pf_io_fingerprint(&st, d->stored.fingerprint);
  open->file = open_serial(d->file, e);
  if (open->file >= 0) open->dataset = open_dataset(open->file, d, e);
  if (open->dataset >= 0) inspect_dataset(open->dataset, d, &open->selection, e);
  if (e->status) pf_h5_close(open);
  return e->status;
}

void pf_h5_close(pf_h5_handles *open) {
  if (open->dataset >= 0) H5Dclose(open->dataset);
  if (open->file >= 0) H5Fclose(open->file);
  open->file = open->dataset = -1;
}
