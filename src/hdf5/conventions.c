/* SPDX-License-Identifier: BSD-3-Clause
 * The attributes that say which values the numbers of a dataset stand for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5/inspect.h"

/* An attribute of one or several numbers, or of a text that is one. */
typedef struct numbers {
  int count; /* 0: there are none */
  double value[PF_MARKS];
  int is_text, is_float;
} numbers;

static int read_text(hid_t dataset, const char *name, numbers *found, pfft3d_error *e) {
  char text[64], *end = text;
  PF_TRY(pf_h5_read_text(dataset, name, text, sizeof text, e));
  found->is_text = 1;
  found->value[0] = strtod(text, &end);
  found->count = end > text && !*end;
  return PFFT3D_OK;
}

static int read_numbers(hid_t dataset, const char *name, numbers *found, pfft3d_error *e) {
  *found = (numbers){.count = 0};
  if (H5Aexists(dataset, name) <= 0) return PFFT3D_OK;
  hid_t a = H5Aopen(dataset, name, H5P_DEFAULT);
  hid_t type = a >= 0 ? H5Aget_type(a) : -1, space = a >= 0 ? H5Aget_space(a) : -1;
  H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  found->is_float = class == H5T_FLOAT;
  if (class == H5T_STRING)
    read_text(dataset, name, found, e);
  else if ((class == H5T_INTEGER || class == H5T_FLOAT) && count > 0 && count <= PF_MARKS &&
           H5Aread(a, H5T_NATIVE_DOUBLE, found->value) >= 0)
    found->count = (int)count;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (a >= 0) H5Aclose(a);
  return e->status;
}

/* One number that changes all values, which must not be misread. */
static int read_factor(hid_t dataset, const char *name, double *value, const pf_dataset *d,
                       pfft3d_error *e) {
  numbers found;
  if (H5Aexists(dataset, name) <= 0) return PFFT3D_OK;
  PF_TRY(read_numbers(dataset, name, &found, e));
  if (found.count != 1 || !isfinite(found.value[0])) {
    pf_hint(e, "values are number * scale_factor + add_offset, one finite number each");
    return pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%.100s' in '%.100s': its %s is no number",
                   d->path, d->file, name);
  }
  *value = found.value[0];
  return PFFT3D_OK;
}

static int read_marks(hid_t dataset, const char *name, pf_packing *p, pfft3d_error *e) {
  numbers found;
  PF_TRY(read_numbers(dataset, name, &found, e));
  for (int k = 0; k < found.count && !found.is_text && p->marks < PF_MARKS; k++) {
    double mark = found.value[k];
    if (!isnan(mark)) p->mark[p->marks++] = mark < 0 ? mark + p->wrap : mark; /* NaN stays NaN */
  }
  return PFFT3D_OK;
}

/* What netCDF writes where nothing was written, and no other value is agreed: numbers of each type
 * but bytes (netcdf.h, NC_FILL_...). */
static double default_of(hid_t type) {
  size_t bytes = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT) return (double)9.9692099683868690e+36F;
  int all = (int)(8 * bytes), is_signed = H5Tget_sign(type) != H5T_SGN_NONE;
  if (bytes == 1) return (double)NAN;
  return is_signed ? -ldexp(1, all - 1) + (bytes < 8 ? 1 : 2) : ldexp(1, all) - (bytes < 8 ? 1 : 2);
}

/* A file of netCDF may mark missing numbers by its default, which the dataset then has for filling.
 */
static void read_default(hid_t dataset, hid_t type, pf_packing *p) {
  double value, usual = default_of(type);
  H5D_fill_value_t how = H5D_FILL_VALUE_UNDEFINED;
  if (p->marks > 0 || H5Aexists_by_name(dataset, "/", "_NCProperties", H5P_DEFAULT) <= 0) return;
  hid_t made = H5Dget_create_plist(dataset);
  if (made >= 0 && H5Pfill_value_defined(made, &how) >= 0 && how == H5D_FILL_VALUE_USER_DEFINED &&
      H5Pget_fill_value(made, H5T_NATIVE_DOUBLE, &value) >= 0 && value == usual)
    p->mark[p->marks++] = value < 0 ? value + p->wrap : value;
  if (made >= 0) H5Pclose(made);
}

/* Numbers of another type than the data are limits of values (netCDF user's guide). */
static int read_range(hid_t dataset, int is_float, pf_packing *p, pfft3d_error *e) {
  numbers range, least, most;
  PF_TRY(read_numbers(dataset, "valid_range", &range, e));
  PF_TRY(read_numbers(dataset, "valid_min", &least, e));
  PF_TRY(read_numbers(dataset, "valid_max", &most, e));
  if (range.count == 2) {
    p->least = range.value[0];
    p->most = range.value[1];
  }
  if (least.count == 1 && !least.is_text) p->least = least.value[0];
  if (most.count == 1 && !most.is_text) p->most = most.value[0];
  p->ranges_values = !is_float && (range.is_float || least.is_float || most.is_float);
  if (p->wrap > 0 && !p->ranges_values) {
    if (p->least < 0 && isfinite(p->least)) p->least += p->wrap;
    if (p->most < 0) p->most += p->wrap;
  }
  return PFFT3D_OK;
}

int pf_h5_read_packing(hid_t dataset, hid_t type, pf_dataset *d, pfft3d_error *e) {
  pf_packing *p = &d->packing;
  char text[16];
  int is_float = H5Tget_class(type) == H5T_FLOAT;
  *p = (pf_packing){.scale = 1, .least = -INFINITY, .most = INFINITY};
  if (d->is_complex) return PFFT3D_OK;
  PF_TRY(pf_h5_read_text(dataset, "_Unsigned", text, sizeof text, e));
  if (!strcmp(text, "true") && !is_float && H5Tget_sign(type) != H5T_SGN_NONE)
    p->wrap = ldexp(1, (int)(8 * H5Tget_size(type)));
  PF_TRY(read_factor(dataset, "scale_factor", &p->scale, d, e));
  PF_TRY(read_factor(dataset, "add_offset", &p->offset, d, e));
  PF_TRY(read_marks(dataset, "_FillValue", p, e));
  PF_TRY(read_marks(dataset, "missing_value", p, e));
  read_default(dataset, type, p);
  PF_TRY(read_range(dataset, is_float, p, e));
  p->used = p->scale != 1 || p->offset != 0 || p->wrap != 0 || p->marks > 0 ||
            p->least > -INFINITY || p->most < INFINITY;
  return PFFT3D_OK;
}
