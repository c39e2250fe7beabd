/* SPDX-License-Identifier: BSD-3-Clause
 * Types, errors, and the state of the HDF5 library during a call. */
#include "hdf5/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int pf_h5_begin_local(pf_h5_guard *guard, pfft3d_error *e) {
  unsigned v2 = 0;
  H5E_auto2_t print2 = NULL;
  H5E_auto1_t print1 = NULL;
  memset(guard, 0, sizeof *guard);
  PF_TRY(check_version(e));
  if (H5Eauto_is_v2(H5E_DEFAULT, &v2) >= 0) {
    if (v2 && H5Eget_auto2(H5E_DEFAULT, &print2, &guard->print_data) >= 0) guard->saved = 2;
    if (!v2 && H5Eget_auto1(&print1, &guard->print_data) >= 0) guard->saved = 1;
    guard->print = v2 ? (void (*)(void))print2 : (void (*)(void))print1;
  }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5PLget_loading_state(&guard->plugins);
  H5PLset_loading_state(0);
  return PFFT3D_OK;
}

void pf_h5_end(const pf_h5_guard *guard) {
  H5PLset_loading_state(guard->plugins);
  if (guard->saved == 2) H5Eset_auto2(H5E_DEFAULT, (H5E_auto2_t)guard->print, guard->print_data);
  if (guard->saved == 1) H5Eset_auto1((H5E_auto1_t)guard->print, guard->print_data);
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

/* " big-endian" for types of this byte order, "" for little-endian and single bytes. */
static const char *order_word(hid_t type) {
  H5T_order_t order = H5Tget_size(type) > 1 ? H5Tget_order(type) : H5T_ORDER_LE;
  return order == H5T_ORDER_BE ? " big-endian" : order == H5T_ORDER_LE ? "" : " odd-endian";
}

void pf_h5_describe(hid_t number, int is_complex, char out[PF_IO_TYPE]) {
  char kind = H5Tget_class(number) == H5T_FLOAT     ? 'f'
              : H5Tget_sign(number) == H5T_SGN_NONE ? 'u'
                                                    : 'i';
  pf_number_name(kind, H5Tget_size(number), order_word(number), is_complex, out);
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

hid_t pf_h5_memory_type(const pf_io_element *x) {
  int single = x->part_bytes == sizeof(float);
  if (x->indices) return single ? H5T_NATIVE_UINT32 : H5T_NATIVE_UINT64;
  return single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

hid_t pf_h5_file_type(const pf_io_element *x) {
  int single = x->part_bytes == sizeof(float);
  if (x->indices) return single ? H5T_STD_U32LE : H5T_STD_U64LE;
  return single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
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
