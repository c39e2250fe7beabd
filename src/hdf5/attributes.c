/* SPDX-License-Identifier: BSD-3-Clause
 * Attributes: the source's are copied to an output, so that nothing known about the data is lost;
 * the caller's are added.  One rank does this. */
#include "hdf5/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nonzero if values of a type are, or contain, sequences or strings of variable length: their size
 * is unknown before they are read. */
static int has_variable_length(hid_t type) {
  H5T_class_t class = H5Tget_class(type);
  int found = class == H5T_VLEN || H5Tis_variable_str(type) > 0;
  if (class == H5T_ARRAY) {
    hid_t of = H5Tget_super(type);
    found = of < 0 || has_variable_length(of);
    if (of >= 0) H5Tclose(of);
  }
  for (int k = 0; class == H5T_COMPOUND && !found && k < H5Tget_nmembers(type); k++) {
    hid_t of = H5Tget_member_type(type, (unsigned)k);
    found = of < 0 || has_variable_length(of);
    if (of >= 0) H5Tclose(of);
  }
  return found;
}

/* Bytes of a value, including its strings of variable length. */
static size_t value_bytes(hid_t type, const void *value, size_t count) {
  size_t bytes = count * H5Tget_size(type);
  int strings = H5Tis_variable_str(type) > 0;
  for (size_t k = 0; strings && k < count; k++) {
    const char *text = ((char *const *)value)[k];
    bytes += text ? strlen(text) : 0;
  }
  return bytes;
}

/* Reads attribute `a` and writes it to a new one of the same name, type and shape. */
static void copy_value(hid_t a, const char *name, hid_t to, size_t *room, pfft3d_error *e) {
  hid_t kept = H5Aget_type(a), space = H5Aget_space(a), made = -1;
  hid_t type = kept >= 0 ? H5Tcopy(kept) : -1; /* a copy belongs to no file */
  hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  size_t size = type >= 0 ? H5Tget_size(type) : 0;
  /* a reference to an object of the source is invalid in another file */
  int refers = type < 0 || H5Tdetect_class(type, H5T_REFERENCE) != 0 ||
               (has_variable_length(type) && H5Tis_variable_str(type) <= 0);
  if (!refers && count >= 0 && size > 0 && (size_t)count <= PF_H5_ATTRIBUTE_BYTES / size) {
    void *value = calloc((size_t)count + 1, size);
    if (!value) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory to copy the attribute '%.200s'", name);
    if (value && (count == 0 || H5Aread(a, type, value) >= 0)) {
      size_t bytes = value_bytes(type, value, (size_t)count);
      if (bytes <= *room && bytes <= PF_H5_ATTRIBUTE_BYTES) {
        *room -= bytes;
        made = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
      }
      if (made >= 0 && count > 0 && H5Awrite(made, type, value) < 0) H5Adelete(to, name);
      if (count > 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
    }
    free(value);
  }
  if (made >= 0) H5Aclose(made);
  if (type >= 0) H5Tclose(type);
  if (kept >= 0) H5Tclose(kept);
  if (space >= 0) H5Sclose(space);
}

typedef struct copying {
  hid_t to;
  const pfft3d_attribute *given;
  size_t *room;
  int image; /* all attributes, for an image */
  pfft3d_error *e;
} copying;

/* Attributes that do not hold for a result: how netCDF ties a dataset to others of its file, and
 * what the stored numbers of the input mean (hdf5/packing.h). */
static int is_of_input(const char *name) {
  static const char *const of_input[] = {"_Netcdf4Coordinates", "_Netcdf4Dimid",  "_nc3_strict",
                                         "_NCProperties",       "CLASS",          "NAME",
                                         "DIMENSION_LIST",      "REFERENCE_LIST", "scale_factor",
                                         "add_offset",          "_FillValue",     "missing_value",
                                         "valid_range",         "valid_min",      "valid_max",
                                         "actual_range",        "_Unsigned"};
  for (size_t k = 0; k < sizeof of_input / sizeof *of_input; k++)
    if (strcmp(name, of_input[k]) == 0) return 1;
  return 0;
}

/* H5Aiterate2() callback. */
static herr_t copy_one(hid_t from, const char *name, const H5A_info_t *info, void *context) {
  const copying *c = context;
  (void)info;
  for (const pfft3d_attribute *g = c->given; g && g->name; g++)
    if (strcmp(g->name, name) == 0) return 0;
  if (H5Aexists(c->to, name) > 0 || (!c->image && is_of_input(name))) return 0;
  hid_t a = H5Aopen(from, name, H5P_DEFAULT);
  if (a >= 0) {
    copy_value(a, name, c->to, c->room, c->e);
    H5Aclose(a);
  }
  return c->e->status ? -1 : 0;
}

static int copy_all(hid_t from, const copying *c) {
  /* first, so that the limit of size does not exclude it: a backward transform needs it */
  if (H5Aexists(from, "problem") > 0) copy_one(from, "problem", NULL, (void *)c);
  H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_one, (void *)c);
  return c->e->status;
}

int pf_h5_copy_attributes(hid_t from, hid_t to, const pfft3d_attribute *given, size_t *room,
                          pfft3d_error *e) {
  return copy_all(from, &(copying){to, given, room, 0, e});
}

int pf_h5_copy_all_attributes(hid_t from, hid_t to, size_t *room, pfft3d_error *e) {
  return copy_all(from, &(copying){to, NULL, room, 1, e});
}

/* Writes one string of fixed length. */
static int write_one(hid_t to, const pfft3d_attribute *given, char reason[PF_IO_REASON]) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), a = -1;
  int ok = type >= 0 && space >= 0 && H5Tset_size(type, strlen(given->value) + 1) >= 0 &&
           H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
  if (ok && H5Aexists(to, given->name) > 0) ok = H5Adelete(to, given->name) >= 0;
  if (ok) a = H5Acreate2(to, given->name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  ok = ok && a >= 0 && H5Awrite(a, type, given->value) >= 0;
  if (!ok) pf_h5_reason(reason); /* before the next call clears it */
  if (a >= 0) H5Aclose(a);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok;
}

int pf_h5_write_attributes(hid_t to, const pfft3d_attribute *given, pfft3d_error *e) {
  char reason[PF_IO_REASON];
  for (const pfft3d_attribute *g = given; g && g->name; g++) {
    if (!g->value) continue;
    PF_CHECK(write_one(to, g, reason), e, PFFT3D_ERR_OUTPUT,
             "cannot write the attribute '%.100s': %s", g->name, reason);
  }
  return PFFT3D_OK;
}
