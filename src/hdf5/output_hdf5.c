/* SPDX-License-Identifier: BSD-3-Clause
 * Output in HDF5 files: what rank 0 creates, and the parallel write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hdf5/output.h"
#include "hdf5/probe.h"
#include "hdf5/scales.h"

static hid_t type_of(const pf_io_element *x, int in_file) {
  static const char *const names[] = {"r", "i"};
  return pf_h5_type(x->parts == 2 ? names : NULL,
                    in_file ? pf_h5_file_type(x) : pf_h5_memory_type(x));
}

/* How the elements are stored: space is allocated now and not filled, but for compressed chunks,
 * whose bytes are not known.  Without times, so that equal data gives equal files. */
static hid_t storage_of(const pfft3d_output *o) {
  hsize_t chunk[PF_IO_DIMS] = {0};
  for (int k = 0; k < o->dims; k++) chunk[k] = (hsize_t)o->chunk[pf_io_axes(o->dims) - o->dims + k];
  hid_t made = H5Pcreate(H5P_DATASET_CREATE);
  if (made >= 0 && H5Pset_fill_time(made, H5D_FILL_TIME_NEVER) >= 0 &&
      H5Pset_obj_track_times(made, 0) >= 0 &&
      (o->gzip || H5Pset_alloc_time(made, H5D_ALLOC_TIME_EARLY) >= 0) &&
      (!o->chunked || H5Pset_chunk(made, o->dims, chunk) >= 0) &&
      (!o->gzip || (H5Pset_shuffle(made) >= 0 && H5Pset_deflate(made, (unsigned)o->gzip) >= 0)))
    return made;
  if (made >= 0) H5Pclose(made);
  return -1;
}

/* A new dataset with its groups. */
static hid_t create_dataset(hid_t file, const pfft3d_output *o, char reason[PF_IO_REASON]) {
  hsize_t n[PF_IO_DIMS];
  for (int k = 0; k < o->dims; k++) n[k] = (hsize_t)o->n[k + pf_io_axes(o->dims) - o->dims];
  hid_t type = type_of(&o->element, 1), dataset = -1;
  hid_t space = H5Screate_simple(o->dims, n, NULL);
  hid_t groups = H5Pcreate(H5P_LINK_CREATE), made = storage_of(o);
  if (type >= 0 && space >= 0 && groups >= 0 && made >= 0 &&
      H5Pset_create_intermediate_group(groups, 1) >= 0)
    dataset = H5Dcreate2(file, o->path, type, space, groups, made, H5P_DEFAULT);
  if (dataset < 0) pf_h5_reason(reason); /* before the next call clears it */
  if (made >= 0) H5Pclose(made);
  if (groups >= 0) H5Pclose(groups);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return dataset;
}

/* Adds scales, the attributes of the source's dataset and, in a new file, those of its root. */
static int add_known(hid_t file, hid_t dataset, const pfft3d_output *o,
                     const pfft3d_output_spec *spec, pfft3d_error *e) {
  void *image = NULL;
  size_t bytes, room = PF_H5_IMAGE_BYTES;
  hid_t from = -1, group = -1;
  const pf_dataset *source = spec->source ? &spec->source->found : NULL;
  if (!source || source->plain) return pf_h5_scale_write(file, dataset, o->path, spec, -1, e);
  PF_TRY(pf_probe_image(source, &image, &bytes, e));
  if (!pf_h5_open_image(image, bytes, &from, &group, e)) {
    if (!pf_h5_scale_write(file, dataset, o->path, spec, group, e) &&
        !pf_h5_copy_attributes(group, dataset, spec->attributes, &room, e) && !o->into)
      pf_h5_copy_attributes(from, file, NULL, &room, e);
    H5Gclose(group);
    H5Fclose(from);
  }
  free(image);
  return e->status;
}

/* A name that always refers to the open temporary file, even if another file replaces it: HDF5
 * opens by name, follows links, and truncates the file. */
static const char *name_of_open(const pfft3d_output *o, char name[64]) {
  struct stat by_fd, by_name;
  snprintf(name, 64, "/proc/self/fd/%d", o->fd);
  int same = fstat(o->fd, &by_fd) == 0 && stat(name, &by_name) == 0 &&
             by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino;
  return same ? name : o->temporary; /* no /proc */
}

/* The first missing link on the path of a new dataset: deleting it later removes the dataset and
 * all groups created for it.  Returns nonzero if there is one. */
static int first_new_link(hid_t file, const char *path, char link[PF_IO_PATH]) {
  snprintf(link, PF_IO_PATH, "%s", path);
  for (char *c = strchr(link + 1, '/'); c; c = strchr(c + 1, '/')) {
    *c = 0;
    if (H5Lexists(file, link, H5P_DEFAULT) == 0) return 1;
    *c = '/';
  }
  return H5Lexists(file, link, H5P_DEFAULT) == 0;
}

/* Opens a file in the oldest format, the default before HDF5 2: all versions can read it, and it
 * has no times, so that the same data gives the same bytes. */
static hid_t open_file(const char *name, int is_new, char reason[PF_IO_REASON]) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  if (list >= 0 && H5Pset_libver_bounds(list, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST) >= 0)
    file = is_new ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list)
                  : H5Fopen(name, H5F_ACC_RDWR, list);
  if (file < 0) pf_h5_reason(reason);
  if (list >= 0) H5Pclose(list);
  return file;
}

/* Writes all parts of a dataset except the data, into a new file or the existing one; removes them
 * after a failure. */
static int create(pfft3d_output *o, const pfft3d_output_spec *spec, int is_new, pfft3d_error *e) {
  char reason[PF_IO_REASON], name[64], link[PF_IO_PATH];
  hid_t file = open_file(name_of_open(o, name), is_new, reason), dataset = -1;
  if (file >= 0 && o->into && o->overwrite && H5Lexists(file, o->path, H5P_DEFAULT) > 0)
    H5Ldelete(file, o->path, H5P_DEFAULT);
  int is_link_new = file >= 0 && first_new_link(file, o->path, link);
  if (o->into && !is_link_new) pf_hint(e, "--force, or overwrite in the library, replaces it");
  if (file >= 0) dataset = create_dataset(file, o, reason);
  if (dataset < 0) {
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot create '%.100s' in '%.100s': %s", o->path, o->file,
            reason);
    pf_h5_hint_locks(reason, e);
  }
  if (!e->status) pf_h5_write_attributes(dataset, spec->attributes, e);
  /* last: attributes of the root are not deleted with the dataset */
  if (!e->status) add_known(file, dataset, o, spec, e);
  if (dataset >= 0) H5Dclose(dataset);
  if (e->status && is_link_new && H5Ldelete(file, link, H5P_DEFAULT) < 0) o->written = -1;
  if (file >= 0 && H5Fclose(file) < 0) {
    o->written = -1; /* the contents of the file are unknown */
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot create '%.200s': %s", o->file, pf_h5_reason(reason));
  }
  return e->status;
}

static int write_box(pfft3d_output *o, const pf_io_box *box, const void *array, long long *rounds,
                     pfft3d_error *e) {
  pf_h5_open h;
  hid_t type = type_of(&o->element, 0);
  pf_h5_data m = {o->dims, box, type, o->element.bytes, array};
  if (type < 0) pf_fail(e, PFFT3D_ERR_INTERNAL, "cannot make an HDF5 type");
  PF_TRY(pf_agree(o->comm, e));
  if (!pf_h5_open_all(o->comm, o->temporary, o->path, &h, e)) {
    pf_h5_write(&h, &m, rounds, e);
    pf_h5_close_all(&h, e);
    pf_agree(o->comm, e);
  }
  H5Tclose(type);
  return e->status;
}

const pf_output_format pf_output_hdf5 = {NULL, NULL, create, write_box};
