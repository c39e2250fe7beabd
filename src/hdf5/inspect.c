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
#include <unistd.h>

#include "base/memory.h"
#include "hdf5/scales.h"

/* The chunk cache: consecutive rounds of a box read the same chunks. */
enum { CACHE_SLOTS = 1009, CACHE_BYTES = 1 << 27 };

/* ---- Opening ------------------------------------------------------------------------------ */

/* Adds a hint if the reason is a format that this version does not know. */
static int hint_newer(const char *reason, pfft3d_error *e) {
  if (!strstr(reason, "version")) return 0;
  pf_hint(e,
          "the file is newer than HDF5 %d.%d.%d of this build: libver='v110' in h5py, or "
          "H5Pset_libver_bounds(), writes one that it can read",
          H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
  return 1;
}

/* Other formats: how their files begin, and what makes a file of them that can be read. */
static void hint_format(const char *file, pfft3d_error *e) {
  static const struct {
    const char *begins, *hint;
  } formats[] = {{"CDF", "it is netCDF-3: nccopy -k nc4 makes a file of netCDF-4"},
                 {"SIMPLE  =", "it is FITS: astropy and h5py, or numpy, can write another file"},
                 {"MATLAB 5", "it is a file of MATLAB: save with -v7.3 writes HDF5"},
                 {"PK\003\004", "it is an archive (.npz): numpy.save writes one array"},
                 {"\037\213", "it is compressed: gunzip comes first"},
                 {"", "--raw, or pfft3d_dataset_open(), reads numbers without a header"}};
  char head[16] = "";
  FILE *f = fopen(file, "rb");
  if (!f) return;
  size_t got = fread(head, 1, sizeof head - 1, f), k = 0;
  fclose(f);
  while (strlen(formats[k].begins) > got ||
         memcmp(head, formats[k].begins, strlen(formats[k].begins)) != 0)
    k++;
  pf_hint(e, "%s", formats[k].hint);
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
    hint_format(file, e);
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%.200s': it is not an HDF5 file", file);
    return -1;
  }
  hid_t h = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (h >= 0) return h;
  pf_h5_reason(reason);
  hint_newer(reason, e);
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

/* Nonzero for the coordinates of a dimension of other datasets. */
static int is_scale(hid_t file, const char *name) {
  char class[32] = "";
  pfft3d_error e = {0};
  hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (object < 0) return 0;
  pf_h5_read_text(object, "CLASS", class, sizeof class, &e);
  H5Oclose(object);
  return strcmp(class, "DIMENSION_SCALE") == 0;
}

/* H5Ovisit3() callback: lists datasets, stops after one more than is listed. */
static herr_t list_dataset(hid_t file, const char *name, const object_info *info, void *context) {
  listing *l = context;
  if (info->type != H5O_TYPE_DATASET || is_scale(file, name)) return 0;
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
  hid_t links = d->external ? H5Pcreate(H5P_DATASET_ACCESS) : pf_h5_no_external_links(&external);
  hid_t dataset = -1;
  if (links >= 0 && H5Pset_chunk_cache(links, CACHE_SLOTS, CACHE_BYTES, 1.0) >= 0)
    dataset = H5Dopen2(file, d->path, links);
  if (dataset < 0) {
    pf_h5_reason(reason);
    if (external) pf_hint(e, PF_H5_HINT_EXTERNAL);
    if (external)
      pf_fail(e, PFFT3D_ERR_DATA, "cannot use '%.100s' in '%.100s': it is in another file", d->path,
              d->file);
    else
      pf_fail(e, PFFT3D_ERR_DATA, "%s '%.100s' in '%.100s': %s",
              strstr(reason, "version") ? "cannot read" : "no dataset", d->path, d->file, reason);
    if (!external && !hint_newer(reason, e) && list_datasets(file, &l) && l.count > 0)
      pf_hint(e, "there are%s", l.text);
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
    case H5T_VLEN: return "of variable length";
    case H5T_ARRAY: return "an array";
    default: return "unknown";
  }
}

/* Fills is_complex and type. */
static int inspect_type(hid_t type, pf_dataset *d, pfft3d_error *e) {
  H5T_class_t class = H5Tget_class(type);
  hid_t part = pf_h5_complex_part(type);
  if (class == H5T_INTEGER || class == H5T_FLOAT) {
    pf_h5_describe(type, 0, d->type);
  } else if (part >= 0) {
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

/* ---- All of it ---------------------------------------------------------------------------- */

/* The type of the elements; that of the numbers of an enumeration. */
static hid_t number_type(hid_t dataset) {
  hid_t type = H5Dget_type(dataset), number = -1;
  if (type < 0 || H5Tget_class(type) != H5T_ENUM) return type;
  number = H5Tget_super(type);
  H5Tclose(type);
  return number;
}

/* Inspects an open dataset. */
static int inspect_dataset(hid_t dataset, pf_dataset *d, pf_selection *s, pfft3d_error *e) {
  size_t count = 0;
  hid_t type = number_type(dataset), space = H5Dget_space(dataset);
  if (type < 0 || space < 0)
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read the type of '%.100s' in '%.100s'", d->path, d->file);
  else if (!inspect_shape(space, d, s, &count, e) && !inspect_type(type, d, e) &&
           !pf_h5_check_storage(dataset, type, count, d, e) && !pf_selection_apply(s, 0, d, e) &&
           !pf_h5_read_packing(dataset, type, d, e)) {
    d->stored.number = -1;
    if (!d->external) pf_h5_locate(dataset, type, count, &d->stored); /* else HDF5 finds the file */
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return e->status;
}

/* HDF5 loads filters from d->filters until pf_h5_end(). */
static int allow_filters(const pf_dataset *d, pfft3d_error *e) {
  unsigned known = 0;
  if (!d->filters[0]) return PFFT3D_OK;
  PF_CHECK(access(d->filters, R_OK | X_OK) == 0, e, PFFT3D_ERR_USAGE,
           "cannot use the filters in '%.200s': %s", d->filters, strerror(errno));
  H5PLset_loading_state(H5PL_FILTER_PLUGIN);
  H5PLsize(&known);
  while (known > 0) H5PLremove(--known);
  PF_CHECK(H5PLappend(d->filters) >= 0, e, PFFT3D_ERR_INTERNAL,
           "cannot use the filters in '%.200s'", d->filters);
  return PFFT3D_OK;
}

int pf_h5_inspect(pf_dataset *d, pf_h5_handles *open, pfft3d_error *e) {
  struct stat st;
  open->file = open->dataset = -1;
  PF_TRY(allow_filters(d, e));
  PF_TRY(pf_io_stat(d->file, &st, e));
  pf_io_fingerprint(&st, d->stored.fingerprint);
  open->file = open_serial(d->file, e);
  if (open->file >= 0) open->dataset = open_dataset(open->file, d, e);
  if (open->dataset >= 0 && !inspect_dataset(open->dataset, d, &open->selection, e))
    pf_h5_scale_names(open, d, e);
  if (e->status) pf_h5_close(open);
  return e->status;
}

void pf_h5_close(pf_h5_handles *open) {
  if (open->dataset >= 0) H5Dclose(open->dataset);
  if (open->file >= 0) H5Fclose(open->file);
  open->file = open->dataset = -1;
}
