/* SPDX-License-Identifier: BSD-3-Clause
 * The attributes and the dimensions of a dataset, on their way from the process that inspects its
 * file to an output: a small HDF5 file in memory. */
#include <stdlib.h>

#include "hdf5/scales.h"

/* The attributes of a source are passed on as an HDF5 file in memory, of at most this size, which
 * grows by steps. */
enum { IMAGE_ROOM = 1 << 20, IMAGE_STEP = 1 << 16 };
#define IMAGE_NAME "pfft3d attributes"

/* Fills an empty file in memory and copies its bytes. */
static int fill_image(const pf_h5_handles *open, hid_t file, void **image, size_t *bytes,
                      pfft3d_error *e) {
  size_t room = IMAGE_ROOM;
  hid_t group = H5Gcreate2(file, PF_H5_IMAGE_GROUP, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return 0;
  if (!pf_h5_copy_all_attributes(open->dataset, group, &room, e))
    pf_h5_copy_all_attributes(open->file, file, &room, e);
  if (!e->status) pf_h5_scale_image(open, group, &room, e);
  H5Gclose(group);
  if (e->status || H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return 0;
  ssize_t size = H5Fget_file_image(file, NULL, 0);
  if (size <= 0 || size > PF_H5_IMAGE_BYTES) return 0;
  *bytes = (size_t)size;
  *image = malloc(*bytes);
  if (!*image) pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory for attributes");
  return *image && H5Fget_file_image(file, *image, *bytes) == size;
}

/* A file access list for a file in memory, with these contents if @p image is not NULL. */
static hid_t in_memory(const void *image, size_t bytes) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (list >= 0 && H5Pset_fapl_core(list, IMAGE_STEP, 0) >= 0 &&
      (!image || H5Pset_file_image(list, (void *)image, bytes) >= 0)) /* makes a copy */
    return list;
  if (list >= 0) H5Pclose(list);
  return -1;
}

int pf_h5_image(pf_dataset *d, void **image, size_t *bytes, pfft3d_error *e) {
  pf_h5_handles open;
  *image = NULL;
  PF_TRY(pf_h5_inspect(d, &open, e));
  hid_t list = in_memory(NULL, 0), file = -1;
  if (list >= 0) file = H5Fcreate(IMAGE_NAME, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  if (file < 0 || !fill_image(&open, file, image, bytes, e))
    pf_fail(e, PFFT3D_ERR_DATA, "cannot read the attributes of '%.100s' in '%.100s'", d->path,
            d->file);
  if (file >= 0) H5Fclose(file);
  if (list >= 0) H5Pclose(list);
  pf_h5_close(&open);
  if (!e->status) return PFFT3D_OK;
  free(*image);
  *image = NULL;
  return e->status;
}

int pf_h5_open_image(const void *image, size_t bytes, hid_t *file, hid_t *group, pfft3d_error *e) {
  hid_t list = in_memory(image, bytes);
  *file = *group = -1;
  if (list >= 0) *file = H5Fopen(IMAGE_NAME, H5F_ACC_RDONLY, list);
  if (*file >= 0) *group = H5Gopen2(*file, PF_H5_IMAGE_GROUP, H5P_DEFAULT);
  if (list >= 0) H5Pclose(list);
  if (*group >= 0) return PFFT3D_OK;
  if (*file >= 0) H5Fclose(*file);
  return pf_fail(e, PFFT3D_ERR_INTERNAL, "cannot read attributes from memory");
}
