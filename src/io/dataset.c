/* SPDX-License-Identifier: BSD-3-Clause
 * Input: a look at a dataset by rank 0, then every rank reads its box.
 *
 * A file may come from anyone.  Rank 0 refuses what is no regular file before it opens anything (a
 * FIFO would block, a device may act), and then whatever would read other files (external storage
 * and links, virtual datasets) or could not be true (more elements than the file can hold), so that
 * no memory is asked for on the word of a file alone. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "io/hdf5_common.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

/* Bytes that one stored byte can stand for: the best that deflate can do. */
enum { DEFLATE_BEST = 1032 };

/* ---- Which dataset ------------------------------------------------------------------------ */

/* The regular file of that name and its size, nothing opened. */
static int look_at_file(const char *file, struct stat *st, pfft3d_error *e) {
  PF_CHECK(stat(file, st) == 0, e, PFFT3D_ERR_NOINPUT, "cannot open '%s': %s", file,
           strerror(errno));
  const char *what = S_ISDIR(st->st_mode)    ? "a directory"
                     : S_ISFIFO(st->st_mode) ? "a FIFO"
                     : S_ISREG(st->st_mode)  ? NULL
                                             : "a device or socket";
  PF_CHECK(!what, e, PFFT3D_ERR_NOINPUT, "cannot open '%s': it is %s, not a regular file", file,
           what);
  PF_CHECK(st->st_size > 0, e, PFFT3D_ERR_DATA, "cannot read '%s': the file is empty", file);
  return PFFT3D_OK;
}

/* Opens the file on this rank alone. */
static hid_t open_serial(const char *file, pfft3d_error *e) {
  char why[PF_IO_WHY];
  FILE *f = fopen(file, "rb"); /* for a reason in the system's own words */
  if (!f) {
    pf_fail(e, PFFT3D_ERR_NOINPUT, "cannot open '%s': %s", file, strerror(errno));
    return -1;
  }
  fclose(f);
  if (H5Fis_hdf5(file) == 0) {
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%s': it is not an HDF5 file", file);
    return -1;
  }
  hid_t h = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (h >= 0) return h;
  pf_h5_why(why);
  if (pf_h5_hint_locks(why, e))
    pf_fail(e, PFFT3D_ERR_NOINPUT, "cannot open '%s': %s", file, why);
  else
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%s' as HDF5: %s", file, why);
  return -1;
}

/* The first datasets of a file. */
enum { LISTED = 4 };
typedef struct listing {
  int count;
  char first[PF_IO_PATH];
  char text[160]; /* " /a /b" */
} listing;

/* H5Ovisit2() callback: notes datasets, ends after one more than can be listed. */
static herr_t note_dataset(hid_t file, const char *name, const H5O_info_t *info, void *context) {
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

/* Opens the dataset d->path, or the only one, whose path is then noted. */
static hid_t open_dataset(hid_t file, pfft3d_dataset *d, pfft3d_error *e) {
  char why[PF_IO_WHY];
  listing l = {0, "", ""};
  int external = 0;
  if (!d->path[0]) {
    if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, note_dataset, &l, H5O_INFO_BASIC) < 0)
      pf_fail(e, PFFT3D_ERR_DATA, "cannot look through '%s': %s", d->file, pf_h5_why(why));
    else if (l.count == 0)
      pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%s': it holds no dataset", d->file);
    else if (l.count > 1) {
      pf_fail(e, PFFT3D_ERR_DATA, "cannot choose: '%s' holds several datasets", d->file);
      pf_hint(e, "name one as FILE:/PATH; there are%s", l.text);
    }
    if (e->status) return -1;
    snprintf(d->path, sizeof d->path, "%s", l.first);
  }
  hid_t links = pf_h5_no_external_links(&external), dataset = -1;
  if (links >= 0) dataset = H5Dopen2(file, d->path, links);
  if (dataset < 0) {
    pf_h5_why(why);
    if (external)
      pf_fail(e, PFFT3D_ERR_DATA, "cannot use '%s' in '%s': it is in another file", d->path,
              d->file);
    else
      pf_fail(e, PFFT3D_ERR_DATA, "no dataset '%s' in '%s': %s", d->path, d->file, why);
    if (!external &&
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, note_dataset, &l, H5O_INFO_BASIC) >= 0 &&
        l.count > 0)
      pf_hint(e, "there are%s", l.text);
  }
  if (links >= 0) H5Pclose(links);
  return dataset;
}

/* ---- What it holds ------------------------------------------------------------------------ */

/* " big-endian" for types of that order, "" for what needs no word. */
static const char *order_word(hid_t type) {
  H5T_order_t order = H5Tget_size(type) > 1 ? H5Tget_order(type) : H5T_ORDER_LE;
  return order == H5T_ORDER_BE ? " big-endian" : order == H5T_ORDER_LE ? "" : " odd-endian";
}

/* What to call a type that is no number. */
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
static int look_at_type(hid_t type, pfft3d_dataset *d, pfft3d_error *e) {
  H5T_class_t class = H5Tget_class(type);
  size_t bits = 8 * H5Tget_size(type);
  if (class == H5T_INTEGER) {
    snprintf(d->type, sizeof d->type, "%sint%zu%s", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "",
             bits, order_word(type));
  } else if (class == H5T_FLOAT) {
    snprintf(d->type, sizeof d->type, "float%zu%s", bits, order_word(type));
  } else if (pf_h5_complex_names(type)) {
    hid_t part = H5Tget_member_type(type, 0);
    d->is_complex = 1;
    snprintf(d->type, sizeof d->type, "complex%zu%s", 16 * H5Tget_size(part), order_word(part));
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
                   "cannot transform '%s' in '%s': its type is %s, not a real or complex number",
                   d->path, d->file, what);
  }
  return PFFT3D_OK;
}

/* Fills dims and n; *count is their product. */
static int look_at_shape(hid_t space, pfft3d_dataset *d, size_t *count, pfft3d_error *e) {
  hsize_t n[3];
  size_t bytes;
  int dims = H5Sget_simple_extent_ndims(space);
  PF_CHECK(dims >= 1 && dims <= 3, e, PFFT3D_ERR_DATA,
           "cannot transform '%s' in '%s': it has %d dimensions, not 1, 2 or 3", d->path, d->file,
           dims < 0 ? 0 : dims);
  PF_CHECK(H5Sget_simple_extent_dims(space, n, NULL) == dims, e, PFFT3D_ERR_DATA,
           "cannot read the size of '%s' in '%s'", d->path, d->file);
  d->dims = dims;
  *count = 1;
  for (int a = 0; a < 3; a++) d->n[a] = 1;
  for (int a = 0; a < dims; a++) {
    PF_CHECK(n[a] > 0, e, PFFT3D_ERR_DATA, "cannot transform '%s' in '%s': dimension %d is 0",
             d->path, d->file, a);
    PF_CHECK(n[a] <= PTRDIFF_MAX && !pf_mul(*count, (size_t)n[a], count) &&
                 !pf_mul(*count, 2 * sizeof(double), &bytes) && bytes <= PTRDIFF_MAX,
             e, PFFT3D_ERR_DATA, "cannot hold '%s' in '%s': its size overflows", d->path, d->file);
    d->n[3 - dims + a] = (ptrdiff_t)n[a];
  }
  return PFFT3D_OK;
}

/* Refuses filters that this HDF5 does not have. */
static int look_at_filters(hid_t made, const pfft3d_dataset *d, pfft3d_error *e) {
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
        "cannot read '%s' in '%s': it needs the filter %d (%.40s), which is not built in", d->path,
        d->file, (int)id, name[0] ? name : "no name");
  }
  return PFFT3D_OK;
}

/* Refuses storage elsewhere, and less of it than `count` elements can need. */
static int look_at_storage(hid_t dataset, hid_t type, size_t count, size_t file_size,
                           const pfft3d_dataset *d, pfft3d_error *e) {
  hid_t made = H5Dget_create_plist(dataset);
  PF_CHECK(made >= 0, e, PFFT3D_ERR_DATA, "cannot read how '%s' in '%s' is stored", d->path,
           d->file);
  H5D_layout_t layout = H5Pget_layout(made);
  int external = H5Pget_external_count(made) != 0;
  int status = look_at_filters(made, d, e);
  H5Pclose(made);
  if (status) return status;
  PF_CHECK(!external && layout != H5D_VIRTUAL, e, PFFT3D_ERR_DATA,
           "cannot use '%s' in '%s': its data is in other files (%s)", d->path, d->file,
           external ? "external storage" : "a virtual dataset");

  char a[32], b[32];
  double claimed = (double)count * (double)H5Tget_size(type);
  double stored = (double)H5Dget_storage_size(dataset), end = stored;
  double best = layout == H5D_CHUNKED ? DEFLATE_BEST : 1;
  haddr_t offset = layout == H5D_CONTIGUOUS ? H5Dget_offset(dataset) : HADDR_UNDEF;
  if (offset != HADDR_UNDEF) end += (double)offset;
  PF_CHECK(stored > 0, e, PFFT3D_ERR_DATA, "cannot read '%s' in '%s': no data was ever written",
           d->path, d->file);
  PF_CHECK(claimed <= best * stored && end <= (double)file_size, e, PFFT3D_ERR_DATA,
           "cannot believe '%s' in '%s': it claims %s, the file holds %s", d->path, d->file,
           pf_bytes(claimed, a),
           pf_bytes(end <= (double)file_size ? stored : (double)file_size, b));
  return PFFT3D_OK;
}

/* The whole look at a dataset that is open. */
static int look_at_dataset(hid_t dataset, size_t file_size, pfft3d_dataset *d, pfft3d_error *e) {
  size_t count = 0;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  if (type < 0 || space < 0)
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read the type of '%s' in '%s'", d->path, d->file);
  else if (!look_at_shape(space, d, &count, e) && !look_at_type(type, d, e))
    look_at_storage(dataset, type, count, file_size, d, e);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return e->status;
}

/* The probe, on one rank. */
static int probe(const char *name, pfft3d_dataset *d, pfft3d_error *e) {
  struct stat st;
  PF_TRY(pf_io_split(name, d->file, d->path, PFFT3D_ERR_NOINPUT, e));
  PF_TRY(look_at_file(d->file, &st, e));
  hid_t file = open_serial(d->file, e);
  if (file < 0) return e->status;
  hid_t dataset = open_dataset(file, d, e);
  if (dataset >= 0) {
    look_at_dataset(dataset, (size_t)st.st_size, d, e);
    H5Dclose(dataset);
  }
  H5Fclose(file);
  return e->status;
}

int pfft3d_dataset_probe(MPI_Comm comm, const char *name, pfft3d_dataset *d, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  int rank, code;
  pf_error_clear(&e);
  memset(d, 0, sizeof *d);
  MPI_Comm_rank(comm, &rank);
  if (pf_h5_begin(comm, &guard, &e)) return pf_error_out(&e, error);
  if (rank == 0) probe(name, d, &e);
  if (pf_agree(comm, &e))
    memset(d, 0, sizeof *d);
  else if ((code = MPI_Bcast(d, (int)sizeof *d, MPI_BYTE, 0, comm)) != MPI_SUCCESS)
    pf_fail_mpi(&e, code, "MPI_Bcast");
  pf_h5_end(&guard);
  return pf_error_out(&e, error);
}

/* ---- Reading ------------------------------------------------------------------------------ */

/* What to do with the elements of a round. */
typedef struct arrival {
  int expand;   /* real numbers arrive in an array of complex ones */
  int parts;    /* of an element of the array */
  size_t bytes; /* of a part */
  double nonfinite;
} arrival;

/* Number i of an array, a double or a float, read and written. */
static double get(const arrival *a, const void *array, ptrdiff_t i) {
  return a->bytes == sizeof(float) ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void put(const arrival *a, void *array, ptrdiff_t i, double value) {
  if (a->bytes == sizeof(float))
    ((float *)array)[i] = (float)value;
  else
    ((double *)array)[i] = value;
}

/* Where they are expanded, makes complex numbers of `count` real ones at the start of their own
 * space, from the last one down so that none is overwritten before it is read; counts what is not
 * finite. */
static void arrive(void *context, void *piece, ptrdiff_t count) {
  arrival *a = context;
  ptrdiff_t bad = 0;
  for (ptrdiff_t i = count - 1; i >= 0; i--) {
    if (a->expand) {
      put(a, piece, 2 * i, get(a, piece, i));
      put(a, piece, 2 * i + 1, 0);
    }
    bad += a->parts == 1 ? !isfinite(get(a, piece, i))
                         : !isfinite(get(a, piece, 2 * i)) || !isfinite(get(a, piece, 2 * i + 1));
  }
  a->nonfinite += (double)bad;
}

/* Fails unless the dataset that is open now is still the one of the probe; *memory is the type to
 * read it as, of numbers of type `part`. */
static int check_again(const pf_h5_open *o, const pfft3d_dataset *d, hid_t part, hid_t *memory,
                       pfft3d_error *e) {
  hsize_t n[3] = {0, 0, 0};
  hid_t type = H5Dget_type(o->dataset);
  const char *const *names = type >= 0 ? pf_h5_complex_names(type) : NULL;
  int same = type >= 0 && H5Sget_simple_extent_ndims(o->space) == d->dims &&
             H5Sget_simple_extent_dims(o->space, n, NULL) == d->dims && d->is_complex == !!names;
  for (int a = 0; a < d->dims && same; a++) same = n[a] == (hsize_t)d->n[3 - d->dims + a];
  if (type >= 0) H5Tclose(type);
  *memory = -1;
  PF_CHECK(same, e, PFFT3D_ERR_DATA, "cannot read '%s' in '%s': it has changed since it was opened",
           d->path, d->file);
  *memory = pf_h5_type(names, part);
  PF_CHECK(*memory >= 0, e, PFFT3D_ERR_INTERNAL, "cannot make an HDF5 type");
  return PFFT3D_OK;
}

/* Everything between the opening and the end. */
static int read_box(MPI_Comm comm, pfft3d_dataset *d, const pf_h5_element *x, const pfft3d_box *box,
                    void *array, pfft3d_error *e) {
  pf_h5_open o;
  arrival a = {x->parts == 2 && !d->is_complex, x->parts, x->part_bytes, 0};
  pf_h5_move m = {d->n, d->dims, box, -1, x->bytes, arrive, &a};
  PF_CHECK(d->dims >= 1 && d->dims <= 3, e, PFFT3D_ERR_USAGE, "cannot read: nothing was probed");
  PF_CHECK(x->parts == 2 || !d->is_complex, e, PFFT3D_ERR_USAGE,
           "cannot read '%s' in '%s' as real numbers: they are %s", d->path, d->file, d->type);
  pf_h5_check_box(d->n, box, array, e);
  PF_TRY(pf_h5_open_all(comm, d->file, d->path, 0, PFFT3D_ERR_NOINPUT, &o, e));
  check_again(&o, d, x->memory, &m.type, e);
  if (!pf_agree(comm, e)) {
    pf_h5_transfer(&o, &m, 0, array, e);
    pf_h5_close_all(&o, 0, e);
    if (!pf_agree(comm, e)) {
      int code = MPI_Allreduce(&a.nonfinite, &d->nonfinite, 1, MPI_DOUBLE, MPI_SUM, comm);
      if (code != MPI_SUCCESS) pf_fail_mpi(e, code, "MPI_Allreduce");
    }
  } else {
    pf_h5_close_all(&o, 0, e);
  }
  if (m.type >= 0) H5Tclose(m.type);
  return e->status;
}

int pfft3d_dataset_read(MPI_Comm comm, pfft3d_dataset *d, pfft3d_precision precision,
                        pfft3d_numbers numbers, const pfft3d_box *box, void *array,
                        pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pf_h5_element x;
  pf_error_clear(&e);
  if (!pf_h5_begin(comm, &guard, &e)) {
    if (!pf_h5_element_of(precision, numbers, &x, &e)) read_box(comm, d, &x, box, array, &e);
    pf_h5_end(&guard);
  }
  return pf_error_out(&e, error);
}

/* ---- Attributes --------------------------------------------------------------------------- */

/* The attribute, on one rank, from the file as the probe found it. */
static int read_attribute(const pfft3d_dataset *d, const char *name, char *text, size_t size,
                          pfft3d_error *e) {
  struct stat st;
  pfft3d_dataset again = *d;
  PF_TRY(look_at_file(d->file, &st, e));
  hid_t file = open_serial(d->file, e), dataset = -1;
  if (file < 0) return e->status;
  dataset = open_dataset(file, &again, e);
  if (dataset >= 0) {
    pf_h5_read_text(dataset, name, text, size);
    H5Dclose(dataset);
  }
  H5Fclose(file);
  return e->status;
}

int pfft3d_dataset_attribute(MPI_Comm comm, const pfft3d_dataset *d, const char *name, char *text,
                             size_t size, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  int rank, code;
  pf_error_clear(&e);
  MPI_Comm_rank(comm, &rank);
  if (pf_h5_begin(comm, &guard, &e)) return pf_error_out(&e, error);
  if (size == 0 || size > INT_MAX)
    pf_fail(&e, PFFT3D_ERR_USAGE, "cannot read an attribute into %zu bytes", size);
  else
    memset(text, 0, size);
  if (rank == 0 && !e.status) read_attribute(d, name, text, size, &e);
  if (!pf_agree(comm, &e) && (code = MPI_Bcast(text, (int)size, MPI_BYTE, 0, comm)) != MPI_SUCCESS)
    pf_fail_mpi(&e, code, "MPI_Bcast");
  pf_h5_end(&guard);
  return pf_error_out(&e, error);
}

#endif
