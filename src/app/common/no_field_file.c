/* SPDX-License-Identifier: BSD-3-Clause
 * Fields in files, in a build without libpfft3d_hdf5: an error. */
#include "app/common/field_file.h"
#include "app/common/message.h"

static int refuse(app *a) {
  app_hint(&a->error, "install it (Debian: libhdf5-openmpi-dev), then configure and build again");
  return app_fail(&a->error, PFFT3D_ERR_UNAVAILABLE,
                  "cannot use files: this build has no parallel HDF5");
}

int field_probe(app *a, const char *name, field_input *in) {
  (void)name, (void)in;
  return refuse(a);
}

int field_read(app *a, field_input *in, pfft3d_numbers numbers, const pfft3d_box *box, void *array,
               const char *otherwise) {
  (void)in, (void)numbers, (void)box, (void)array, (void)otherwise;
  return refuse(a);
}

int field_read_block(app *a, field_input *in, pfft3d_numbers numbers, const pfft3d_block *block,
                     void *array, const char *otherwise) {
  (void)in, (void)numbers, (void)block, (void)array, (void)otherwise;
  return refuse(a);
}

int field_write_block(app *a, field_output *out, const pfft3d_block *block, const void *array) {
  (void)out, (void)block, (void)array;
  return refuse(a);
}

int field_commit(app *a, field_output *out) {
  (void)out;
  return refuse(a);
}

const char *field_path(const pfft3d_dataset_info *info, char path[FIELD_PATH]) {
  (void)info;
  path[0] = 0;
  return path;
}

int field_attribute(app *a, const field_input *in, const char *name, char *text, size_t size) {
  (void)in, (void)name, (void)text, (void)size;
  return refuse(a);
}

int field_create(app *a, const field_input *source, const pfft3d_output_spec *wish,
                 field_output *out) {
  (void)source, (void)wish, (void)out;
  return refuse(a);
}

int field_not_finite(app *a, double count) {
  (void)count;
  return refuse(a);
}

int field_write(app *a, field_output *out, const pfft3d_box *box, const void *array) {
  (void)out, (void)box, (void)array;
  return refuse(a);
}

int field_write_rows(app *a, field_output *out, const rows *r, const void *array, int finite) {
  (void)out, (void)r, (void)array, (void)finite;
  return refuse(a);
}

int field_write_next(app *a, field_output *out, const pfft3d_box *box, const void *array,
                     const field_input *source, const pfft3d_output_spec *next) {
  (void)out, (void)box, (void)array, (void)source, (void)next;
  return refuse(a);
}

void field_close(field_input *in) {
  (void)in;
}

void field_discard(field_output *out) {
  (void)out;
}
