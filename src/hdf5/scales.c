/* SPDX-License-Identifier: BSD-3-Clause
 * Dimension scales, by the high-level library of HDF5.  A build without it has none. */
#include "config.h"

#include "hdf5/scales.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PF_HAVE_HDF5_HL
#include <hdf5_hl.h>

/* Coordinates of longer axes are not copied. */
enum { LONGEST = 1 << 16 };

/* ---- Inputs ------------------------------------------------------------------------------- */

/* H5DSiterate_scales() callback: stops at the first one and keeps it open. */
static herr_t first_scale(hid_t dataset, unsigned dim, hid_t scale, void *found) {
  (void)dataset, (void)dim;
  H5Iinc_ref(scale);
  *(hid_t *)found = scale;
  return 1;
}

/* The first scale of a stored dimension, to be closed; -1: it has none. */
static hid_t scale_of(hid_t dataset, int dim) {
  hid_t scale = -1;
  if (H5DSget_num_scales(dataset, (unsigned)dim) > 0)
    H5DSiterate_scales(dataset, (unsigned)dim, NULL, first_scale, &scale);
  return scale;
}

/* A name without its groups. */
static void take_name(const char *path, char name[PF_IO_AXIS]) {
  const char *slash = strrchr(path, '/');
  snprintf(name, PF_IO_AXIS, "%.*s", PF_IO_AXIS - 1, slash ? slash + 1 : path);
}

int pf_h5_scale_names(const pf_h5_handles *open, pf_dataset *d, pfft3d_error *e) {
  const pf_selection *s = &open->selection;
  for (int k = 0; k < s->dims; k++) {
    char path[PF_IO_PATH] = "";
    hid_t scale = s->axis[k] < 0 ? -1 : scale_of(open->dataset, k);
    if (s->axis[k] < 0) continue;
    if (scale >= 0)
      H5Iget_name(scale, path, sizeof path);
    else
      H5DSget_label(open->dataset, (unsigned)k, path, sizeof path);
    take_name(path, d->axis[s->axis[k]]);
    if (scale >= 0) pf_h5_read_text(scale, "units", d->units[s->axis[k]], PF_IO_AXIS, e);
    if (scale >= 0) H5Dclose(scale);
  }
  return e->status;
}

/* The selected coordinates of a scale, as a dataset of a group. */
static void copy_scale(hid_t scale, const pf_selection *s, int dim, hid_t group, size_t *room,
                       pfft3d_error *e) {
  char name[16];
  hsize_t n = 0, start = (hsize_t)s->start[dim], step = (hsize_t)s->step[dim],
          count = (hsize_t)s->count[dim];
  hid_t space = H5Dget_space(scale), type = H5Dget_type(scale), made = -1;
  hid_t memory = H5Screate_simple(1, &count, NULL);
  H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  double *values = count <= LONGEST ? calloc(count, sizeof *values) : NULL;
  int fits = H5Sget_simple_extent_ndims(space) == 1 &&
             H5Sget_simple_extent_dims(space, &n, NULL) == 1 && n == (hsize_t)s->n[dim] &&
             (class == H5T_INTEGER || class == H5T_FLOAT) && H5Dget_storage_size(scale) > 0;
  snprintf(name, sizeof name, "axis%d", s->axis[dim]);
  if (values && fits &&
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &step, &count, NULL) >= 0 &&
      H5Dread(scale, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0)
    made = H5Dcreate2(group, name, H5T_IEEE_F64LE, memory, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (made >= 0) {
    H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    pf_h5_copy_attributes(scale, made, NULL, room, e);
    H5Dclose(made);
  }
  free(values);
  if (memory >= 0) H5Sclose(memory);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
}

void pf_h5_scale_image(const pf_h5_handles *open, hid_t group, size_t *room, pfft3d_error *e) {
  const pf_selection *s = &open->selection;
  for (int k = 0; k < s->dims && !e->status; k++) {
    hid_t scale = s->axis[k] < 0 ? -1 : scale_of(open->dataset, k);
    if (scale < 0) continue;
    copy_scale(scale, s, k, group, room, e);
    H5Dclose(scale);
  }
}

/* ---- Outputs ------------------------------------------------------------------------------ */

/* Axis a of an output. */
typedef struct axis {
  char name[PF_IO_AXIS]; /* "": no scale */
  const char *units, *long_name;
  hsize_t n;
  double *values; /* NULL: none */
  hid_t source;   /* a dataset of an image with attributes; -1: none */
} axis;

static axis axis_of(const pfft3d_output_spec *spec, int a, hid_t from) {
  const pfft3d_axis *x = &spec->axes[a];
  const pfft3d_dataset *source = spec->source;
  axis all = {.n = (hsize_t)spec->extent[a], .source = -1};
  size_t bytes = all.n * sizeof *all.values;
  char image[16];
  if (x->name) {
    snprintf(all.name, sizeof all.name, "%s", x->name);
    all.units = x->units;
    all.long_name = x->long_name;
    if (x->values && (all.values = malloc(bytes))) memcpy(all.values, x->values, bytes);
  } else if (source && source->found.dims == spec->dims && source->found.n[a] == spec->extent[a]) {
    snprintf(all.name, sizeof all.name, "%s", source->found.axis[a]);
    snprintf(image, sizeof image, "axis%d", a);
    if (from >= 0 && H5Lexists(from, image, H5P_DEFAULT) > 0)
      all.source = H5Dopen2(from, image, H5P_DEFAULT);
    if (all.source >= 0 && (all.values = malloc(bytes)) &&
        H5Dread(all.source, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.values) < 0) {
      free(all.values);
      all.values = NULL;
    }
  }
  return all;
}

/* The name of a scale in the group of a dataset. */
static void name_beside(const char *path, const char *name, char out[PF_IO_PATH + PF_IO_AXIS]) {
  const char *slash = strrchr(path, '/');
  snprintf(out, PF_IO_PATH + PF_IO_AXIS, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name);
}

/* A new scale.  One without values is as netCDF-4 writes a dimension without a variable. */
static hid_t create_scale(hid_t file, const char *path, const axis *x) {
  char name[80];
  hid_t space = H5Screate_simple(1, &x->n, NULL), made = H5Pcreate(H5P_DATASET_CREATE), scale = -1;
  snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable.%10llu",
           (unsigned long long)x->n);
  if (space >= 0 && made >= 0 && H5Pset_obj_track_times(made, 0) >= 0)
    scale = H5Dcreate2(file, path, x->values ? H5T_IEEE_F64LE : H5T_IEEE_F32BE, space, H5P_DEFAULT,
                       made, H5P_DEFAULT);
  int ok = scale >= 0 && H5DSset_scale(scale, x->values ? x->name : name) >= 0;
  if (ok && x->values)
    ok = H5Dwrite(scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x->values) >= 0;
  if (made >= 0) H5Pclose(made);
  if (space >= 0) H5Sclose(space);
  if (ok || scale < 0) return scale;
  H5Dclose(scale);
  return -1;
}

/* Attaches an axis to a dimension; a dataset of this name that is there already is left alone. */
static int attach(hid_t file, hid_t dataset, const char *path, const axis *x, int dim,
                  pfft3d_error *e) {
  char reason[PF_IO_REASON], name[PF_IO_PATH + PF_IO_AXIS];
  size_t room = PF_H5_IMAGE_BYTES;
  const pfft3d_attribute given[] = {{"units", x->units}, {"long_name", x->long_name}, {NULL, NULL}};
  name_beside(path, x->name, name);
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) return PFFT3D_OK;
  hid_t scale = create_scale(file, name, x);
  int ok = scale >= 0 && H5DSattach_scale(dataset, scale, (unsigned)dim) >= 0;
  if (!ok)
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot write the dimension '%.60s': %s", x->name,
            pf_h5_reason(reason));
  if (ok) pf_h5_write_attributes(scale, given, e);
  if (ok && !e->status && x->source >= 0) pf_h5_copy_attributes(x->source, scale, NULL, &room, e);
  if (scale >= 0) H5Dclose(scale);
  return e->status;
}

int pf_h5_scale_write(hid_t file, hid_t dataset, const char *path, const pfft3d_output_spec *spec,
                      hid_t from, pfft3d_error *e) {
  int axes = pf_io_axes(spec->dims), first = axes - spec->dims;
  for (int a = first; a < axes && spec->axes && !e->status; a++) {
    axis x = axis_of(spec, a, from);
    if (x.name[0]) attach(file, dataset, path, &x, a - first, e);
    if (x.source >= 0) H5Dclose(x.source);
    free(x.values);
  }
  return e->status;
}

#else
int pf_h5_scale_names(const pf_h5_handles *open, pf_dataset *d, pfft3d_error *e) {
  (void)open, (void)d;
  return e->status;
}

void pf_h5_scale_image(const pf_h5_handles *open, hid_t group, size_t *room, pfft3d_error *e) {
  (void)open, (void)group, (void)room, (void)e;
}

int pf_h5_scale_write(hid_t file, hid_t dataset, const char *path, const pfft3d_output_spec *spec,
                      hid_t from, pfft3d_error *e) {
  (void)file, (void)dataset, (void)path, (void)spec, (void)from;
  return e->status;
}

#endif
