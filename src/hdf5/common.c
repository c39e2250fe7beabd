/* SPDX-License-Identifier: BSD-3-Clause
 * Names, types, errors, and the state of the HDF5 library during a call. */
#include "hdf5/common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fails unless the HDF5 library at run time is the version of the headers. */
static int check_version(pfft3d_error *e) {
  unsigned major = 0, minor = 0, release = 0;
  if (H5get_libversion(&major, &minor, &release) >= 0 && major == H5_VERS_MAJOR &&
      minor == H5_VERS_MINOR && release == H5_VERS_RELEASE)
    return PFFT3D_OK;
  pf_hint(e, "set LD_LIBRARY_PATH to the HDF5 of the build, or build again");
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
                 "cannot use HDF5: this build is for %d.%d.%d, the library found is %u.%u.%u",
                 H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, major, minor, release);
}

/* Fails unless there is memory for the buffers of HDF5 and MPI-IO (the largest has 32 MiB): both
 * crash when they cannot allocate them.  The memory is not touched. */
static int check_memory(pfft3d_error *e) {
  enum { ROOM = 64 << 20 };
  void *volatile room = malloc(ROOM);
  int there = room != NULL;
  free(room);
  PF_CHECK(there, e, PFFT3D_ERR_MEMORY,
           "not enough memory for HDF5 and MPI-IO: they may need %d MiB", ROOM >> 20);
  return PFFT3D_OK;
}

int pf_h5_begin_local(pf_h5_guard *guard, pfft3d_error *e) {
  unsigned v2 = 0;
  memset(guard, 0, sizeof *guard);
  PF_TRY(check_version(e));
  if (H5Eauto_is_v2(H5E_DEFAULT, &v2) >= 0) {
    if (v2 && H5Eget_auto2(H5E_DEFAULT, &guard->print, &guard->print_data) >= 0) guard->saved = 2;
    if (!v2 && H5Eget_auto1(&guard->print1, &guard->print_data) >= 0) guard->saved = 1;
  }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5PLget_loading_state(&guard->plugins);
  H5PLset_loading_state(0);
  return PFFT3D_OK;
}

int pf_h5_begin(MPI_Comm comm, pf_h5_guard *guard, pfft3d_error *e) {
  int begun = !check_memory(e) && !pf_h5_begin_local(guard, e);
  if (pf_agree(comm, e) && begun) pf_h5_end(guard);
  return e->status;
}

void pf_h5_end(const pf_h5_guard *guard) {
  H5PLset_loading_state(guard->plugins);
  if (guard->saved == 2) H5Eset_auto2(H5E_DEFAULT, guard->print, guard->print_data);
  if (guard->saved == 1) H5Eset_auto1(guard->print1, guard->print_data);
  H5Eclear2(H5E_DEFAULT);
}

/* H5Ewalk2() callback: keeps the first description, ends the walk. */
static herr_t keep_first(unsigned n, const H5E_error2_t *entry, void *out) {
  (void)n;
  if (entry->desc && entry->desc[0]) snprintf(out, PF_IO_REASON, "%s", entry->desc);
  return 1;
}

const char *pf_h5_reason(char out[PF_IO_REASON]) {
  out[0] = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, out);
  if (!out[0]) snprintf(out, PF_IO_REASON, "HDF5 gives no reason");
  return out;
}

int pf_h5_hint_locks(const char *why, pfft3d_error *e) {
  if (!strstr(why, "lock file")) return 0;
  pf_hint(e,
          "another program may be writing it; where the file system knows no locks, set "
          "HDF5_USE_FILE_LOCKING=FALSE");
  return 1;
}

int pf_io_parse_name(const char *name, char file[PF_IO_FILE], char path[PF_IO_PATH], int status,
                     pfft3d_error *e) {
  const char *colon = NULL;
  PF_CHECK(name, e, PFFT3D_ERR_USAGE, "no file: its name is NULL");
  for (const char *c = strstr(name, ":/"); c; c = strstr(c + 1, ":/")) colon = c;
  size_t length = colon ? (size_t)(colon - name) : strlen(name);
  PF_CHECK(length > 0, e, status, "no file: '%.200s' has no file name", name);
  PF_CHECK(length < PF_IO_FILE, e, status, "cannot use a file name of %zu bytes: the limit is %d",
           length, PF_IO_FILE - 1);
  PF_CHECK(!colon || strlen(colon + 1) < PF_IO_PATH, e, status,
           "cannot use a path of %zu bytes in '%.*s': the limit is %d", strlen(colon + 1),
           length < 200 ? (int)length : 200, name, PF_IO_PATH - 1);
  memcpy(file, name, length);
  file[length] = 0;
  snprintf(path, PF_IO_PATH, "%s", colon ? colon + 1 : "");
  return PFFT3D_OK;
}

const char *pf_io_missing_slash(const char *file) {
  static const char *const extensions[] = {".h5", ".hdf5", ".he5", ".hdf", ".nc"};
  const char *slash = strrchr(file, '/'), *colon = strrchr(slash ? slash : file, ':');
  for (size_t k = 0; colon && k < sizeof extensions / sizeof *extensions; k++) {
    size_t length = strlen(extensions[k]);
    if ((size_t)(colon - file) > length && strncmp(colon - length, extensions[k], length) == 0)
      return colon;
  }
  return NULL;
}

hid_t pf_h5_type(const char *const *names, hid_t part) {
  if (!names) return H5Tcopy(part);
  size_t size = H5Tget_size(part);
  hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
  if (type >= 0 &&
      (H5Tinsert(type, names[0], 0, part) < 0 || H5Tinsert(type, names[1], size, part) < 0)) {
    H5Tclose(type);
    type = -1;
  }
  return type;
}

int pf_h5_element_of(pfft3d_precision precision, pfft3d_numbers numbers, pf_h5_element *element,
                     pfft3d_error *e) {
  int single = precision == PFFT3D_SINGLE, real = numbers == PFFT3D_REAL;
  PF_CHECK(single || precision == PFFT3D_DOUBLE, e, PFFT3D_ERR_USAGE, "precision %d: unknown",
           (int)precision);
  PF_CHECK(numbers != PFFT3D_INDICES, e, PFFT3D_ERR_USAGE,
           "cannot read indices: integers are read as real numbers (only outputs have indices)");
  PF_CHECK(real || numbers == PFFT3D_COMPLEX, e, PFFT3D_ERR_USAGE, "numbers %d: unknown",
           (int)numbers);
  element->parts = real ? 1 : 2;
  element->part_bytes = single ? sizeof(float) : sizeof(double);
  element->bytes = (size_t)element->parts * element->part_bytes;
  element->memory = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  element->file = single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  return PFFT3D_OK;
}

int pf_h5_output_element(pfft3d_precision precision, pfft3d_numbers numbers, pf_h5_element *element,
                         pfft3d_error *e) {
  int single = precision == PFFT3D_SINGLE, indices = numbers == PFFT3D_INDICES;
  PF_TRY(pf_h5_element_of(precision, indices ? PFFT3D_REAL : numbers, element, e));
  if (!indices) return PFFT3D_OK; /* they have as many bytes as floats and doubles */
  element->memory = single ? H5T_NATIVE_UINT32 : H5T_NATIVE_UINT64;
  element->file = single ? H5T_STD_U32LE : H5T_STD_U64LE;
  return PFFT3D_OK;
}

/* Half precision, which HDF5 before version 2 has no name for: IEEE 754, 1 + 5 + 10 bits. */
static hid_t half(H5T_order_t order) {
  static hid_t made[2];
  hid_t *type = &made[order == H5T_ORDER_BE];
  if (*type && H5Iis_valid(*type) > 0) return *type;
  *type = H5Tcopy(H5T_IEEE_F32LE);
  if (H5Tset_fields(*type, 15, 10, 5, 0, 10) < 0 || H5Tset_size(*type, 2) < 0 ||
      H5Tset_ebias(*type, 15) < 0 || H5Tset_order(*type, order) < 0)
    return -1;
  return *type;
}

hid_t pf_h5_number_type(int index) {
  const hid_t numbers[] = {
      H5T_STD_I8LE,       H5T_STD_I16LE,      H5T_STD_I32LE,     H5T_STD_I64LE,  H5T_STD_U8LE,
      H5T_STD_U16LE,      H5T_STD_U32LE,      H5T_STD_U64LE,     H5T_STD_I8BE,   H5T_STD_I16BE,
      H5T_STD_I32BE,      H5T_STD_I64BE,      H5T_STD_U8BE,      H5T_STD_U16BE,  H5T_STD_U32BE,
      H5T_STD_U64BE,      H5T_IEEE_F32LE,     H5T_IEEE_F64LE,    H5T_IEEE_F32BE, H5T_IEEE_F64BE,
      half(H5T_ORDER_LE), half(H5T_ORDER_BE), H5T_NATIVE_LDOUBLE};
  return index >= 0 && (size_t)index < sizeof numbers / sizeof *numbers ? numbers[index] : -1;
}

int pf_h5_number_index(char kind, size_t bytes, int big) {
  H5T_class_t class = kind == 'f' ? H5T_FLOAT : H5T_INTEGER;
  hid_t type;
  for (int k = 0; strchr("fiub", kind) && (type = pf_h5_number_type(k)) >= 0; k++)
    if (H5Tget_class(type) == class && H5Tget_size(type) == bytes &&
        (class == H5T_FLOAT || (H5Tget_sign(type) == H5T_SGN_2) == (kind == 'i')) &&
        (bytes == 1 || (H5Tget_order(type) == H5T_ORDER_BE) == big))
      return k;
  return -1;
}

/* " big-endian" for types of this byte order, "" for little-endian and single bytes. */
static const char *order_word(hid_t type) {
  H5T_order_t order = H5Tget_size(type) > 1 ? H5Tget_order(type) : H5T_ORDER_LE;
  return order == H5T_ORDER_BE ? " big-endian" : order == H5T_ORDER_LE ? "" : " odd-endian";
}

void pf_h5_describe(hid_t number, int is_complex, char out[PF_H5_TYPE]) {
  const char *word = is_complex                            ? "complex"
                     : H5Tget_class(number) == H5T_FLOAT   ? "float"
                     : H5Tget_sign(number) == H5T_SGN_NONE ? "uint"
                                                           : "int";
  size_t bits = (is_complex ? 16 : 8) * H5Tget_size(number);
  snprintf(out, PF_H5_TYPE, "%s%zu%s", word, bits, order_word(number));
}

/* Nonzero if member `index` of a compound is called `name`. */
static int member_is(hid_t type, unsigned index, const char *name) {
  char *have = H5Tget_member_name(type, index);
  int same = have && strcmp(have, name) == 0;
  H5free_memory(have);
  return same;
}

/* The member names of a compound of two equal floats that are called like a complex number; else
 * NULL. */
static const char *const *complex_names(hid_t type) {
  static const char *const names[][2] = {
      {"r", "i"},   {"re", "im"}, {"real", "imag"}, {"real", "imaginary"}, {"R", "I"},
      {"Re", "Im"}, {"RE", "IM"}, {"Real", "Imag"}, {"Real", "Imaginary"}, {"REAL", "IMAG"}};
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return NULL;
  hid_t a = H5Tget_member_type(type, 0), b = H5Tget_member_type(type, 1);
  int fit = a >= 0 && b >= 0 && H5Tget_class(a) == H5T_FLOAT && H5Tequal(a, b) > 0;
  if (a >= 0) H5Tclose(a);
  if (b >= 0) H5Tclose(b);
  for (size_t k = 0; fit && k < sizeof names / sizeof *names; k++)
    for (unsigned first = 0; first < 2; first++) /* in either order */
      if (member_is(type, first, names[k][0]) && member_is(type, !first, names[k][1]))
        return names[k];
  return NULL;
}

hid_t pf_h5_complex_part(hid_t type) {
#if H5_VERSION_GE(2, 0, 0)
  if (H5Tget_class(type) == H5T_COMPLEX) return H5Tget_super(type);
#endif
  return complex_names(type) ? H5Tget_member_type(type, 0) : -1;
}

hid_t pf_h5_like(hid_t type, hid_t part) {
#if H5_VERSION_GE(2, 0, 0)
  if (H5Tget_class(type) == H5T_COMPLEX) return H5Tcomplex_create(part);
#endif
  return pf_h5_type(complex_names(type), part);
}

/* H5Pset_elink_cb() callback: records that there is an external link and refuses to follow it. */
static herr_t refuse_link(const char *group_file, const char *group, const char *file,
                          const char *object, unsigned *flags, hid_t access, void *refused) {
  (void)group_file, (void)group, (void)file, (void)object, (void)flags, (void)access;
  if (refused) *(int *)refused = 1;
  return -1;
}

hid_t pf_h5_no_external_links(int *refused) {
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  if (list >= 0 && H5Pset_elink_cb(list, refuse_link, refused) < 0) {
    H5Pclose(list);
    list = -1;
  }
  return list;
}

int pf_io_comm(MPI_Comm comm, MPI_Comm *plain, pfft3d_error *e) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  *plain = MPI_COMM_NULL;
  /* unlike a dup, a split drops the topology and the attributes */
  pf_mpi(e, MPI_Comm_split(comm, 0, rank, plain), "MPI_Comm_split");
  if (*plain != MPI_COMM_NULL) pf_errors_return(*plain);
  if (pf_agree(comm, e)) pf_comm_free(plain);
  return e->status;
}

void pf_io_comm_free(MPI_Comm *comm) {
  pf_comm_free(comm);
  *comm = MPI_COMM_NULL;
}

int pf_io_check_access(const char *file, int writing, int status, pfft3d_error *e) {
  if (!e->status && access(file, writing ? W_OK : R_OK)) {
    pf_fail(e, status, "cannot open '%.200s': %s", file, strerror(errno));
    pf_hint(e, "every rank must see the file under this name: use a shared file system");
  }
  return e->status;
}

/* ---- Attributes of text ------------------------------------------------------------------- */

/* Reads the attribute `a`, a single string of type `kept`. */
static void read_string(hid_t a, hid_t kept, char *text, size_t size, pfft3d_error *e) {
  size_t length = H5Tget_size(kept);
  hid_t type = H5Tcopy(kept);
  char *value = NULL;
  if (type >= 0 && H5Tis_variable_str(kept) > 0) {
    if (H5Aread(a, type, &value) >= 0 && value) snprintf(text, size, "%s", value);
    H5free_memory(value);
  } else if (type >= 0 && length > 0 && length <= PF_H5_ATTRIBUTE_BYTES) {
    value = calloc(length + 1, 1); /* the string may lack its final 0 */
    if (!value) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory to read an attribute");
    if (value && H5Aread(a, type, value) >= 0) snprintf(text, size, "%s", value);
    free(value);
  }
  if (type >= 0) H5Tclose(type);
}

int pf_h5_read_text(hid_t object, const char *name, char *text, size_t size, pfft3d_error *e) {
  text[0] = 0;
  if (H5Aexists(object, name) <= 0) return PFFT3D_OK;
  hid_t a = H5Aopen(object, name, H5P_DEFAULT);
  hid_t type = a >= 0 ? H5Aget_type(a) : -1, space = a >= 0 ? H5Aget_space(a) : -1;
  if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
      H5Sget_simple_extent_npoints(space) == 1)
    read_string(a, type, text, size, e);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (a >= 0) H5Aclose(a);
  return e->status;
}
