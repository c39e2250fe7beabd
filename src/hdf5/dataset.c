/* SPDX-License-Identifier: BSD-3-Clause
 * Input: rank 0 has a dataset inspected, then every rank reads its box.
 *
 * Files are not trusted: a separate process inspects them (hdf5/probe.c).  Data that is contiguous
 * in a common number format is then read as bytes by all ranks together (hdf5/raw.c); for anything
 * else each rank has HDF5 decode its box, again in a separate process. */
#include "hdf5/dataset.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "hdf5/input.h"
#include "hdf5/probe.h"
#include "hdf5/raw.h"

/* ---- Inspection --------------------------------------------------------------------------- */

/* Between pf_h5_begin() and pf_h5_end(); agreed. */
static int probe(MPI_Comm comm, const pfft3d_input_spec *spec, pfft3d_dataset *d, pfft3d_error *e) {
  int rank = 0;
  if (!d) pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory for a dataset");
  MPI_Comm_rank(comm, &rank);
  if (rank == 0 && !e->status) pf_input_inspect(spec, &d->found, e);
  PF_TRY(pf_agree(comm, e));
  int code = MPI_Bcast(&d->found, (int)sizeof d->found, MPI_BYTE, 0, comm);
  pf_mpi(e, code, "MPI_Bcast");
  snprintf(d->path, sizeof d->path, "%s%s", d->found.path, d->found.selection);
  return pf_io_comm(comm, &d->comm, e);
}

/* The specification for this version, see pf_struct_in(). */
static int read_spec(const pfft3d_input_spec *spec, size_t size, pfft3d_input_spec *known,
                     pfft3d_error *e) {
  PF_TRY(pf_struct_in(known, sizeof *known, spec, size, "open a dataset", e));
  if (!known->dims) known->dims = 3;
  PF_CHECK(known->dims >= 1 && known->dims <= PF_IO_DIMS, e, PFFT3D_ERR_USAGE,
           "cannot open a dataset of %d dimensions: 1 to %d are possible", known->dims, PF_IO_DIMS);
  PF_CHECK(known->name, e, PFFT3D_ERR_USAGE, "no file: its name is NULL");
  PF_CHECK(!known->filters || strlen(known->filters) < PF_IO_FILE, e, PFFT3D_ERR_USAGE,
           "cannot use a folder of plugins whose name has %zu bytes: the limit is %d",
           strlen(known->filters), PF_IO_FILE - 1);
  return PFFT3D_OK;
}

int pfft3d_dataset_open(MPI_Comm comm, const pfft3d_input_spec *spec, size_t size,
                        pfft3d_dataset **dataset, pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_input_spec known;
  pf_h5_guard guard;
  pf_error_clear(&e);
  if (dataset) *dataset = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (!dataset) pf_fail(&e, PFFT3D_ERR_USAGE, "cannot probe: no address for the dataset (NULL)");
  read_spec(spec, size, &known, &e);
  if (pf_h5_begin(comm, &guard, &e)) return pf_error_out(&e, error);
  pfft3d_dataset *d = calloc(1, sizeof *d);
  if (d) d->comm = MPI_COMM_NULL;
  if (probe(comm, &known, d, &e))
    free(d);
  else if (dataset)
    *dataset = d;
  pf_h5_end(&guard);
  return pf_error_out(&e, error);
}

int pfft3d_dataset_open_f(const pfft3d_fint *comm, const pfft3d_input_spec *spec, size_t size,
                          pfft3d_dataset **dataset, pfft3d_error *error) {
  return pfft3d_dataset_open(pf_comm_f(comm), spec, size, dataset, error);
}

int pfft3d_dataset_probe(MPI_Comm comm, const char *name, pfft3d_dataset **dataset,
                         pfft3d_error *error) {
  const pfft3d_input_spec spec = {.name = name};
  return pfft3d_dataset_open(comm, &spec, sizeof spec, dataset, error);
}

int pfft3d_dataset_probe_f(const pfft3d_fint *comm, const char *name, pfft3d_dataset **dataset,
                           pfft3d_error *error) {
  return pfft3d_dataset_probe(pf_comm_f(comm), name, dataset, error);
}

int pfft3d_dataset_get_info(const pfft3d_dataset *d, pfft3d_dataset_info *info, size_t size) {
  pfft3d_dataset_info all;
  if (info) memset(info, 0, size);
  if (!d || !info) return PFFT3D_ERR_USAGE;
  memset(&all, 0, sizeof all);
  all.file = d->found.file;
  all.path = d->path;
  all.type = d->found.type;
  all.numbers = d->found.is_complex ? PFFT3D_COMPLEX : PFFT3D_REAL;
  all.dims = d->found.dims;
  for (int a = 0; a < 3 && all.dims <= 3; a++) all.n[a] = d->found.n[a];
  all.nonfinite = d->nonfinite;
  all.scale_factor = d->found.packing.scale;
  all.add_offset = d->found.packing.offset;
  all.missing = d->missing;
  for (int a = 0; a < 3; a++) all.axis[a] = d->found.axis[a];
  all.selection = d->found.selection;
  all.unwritten = d->found.unwritten;
  for (int k = 0; k < all.dims; k++) {
    int a = k + pf_io_axes(all.dims) - all.dims;
    all.extent[k] = d->found.n[a];
    all.dimension[k] = d->found.axis[a];
    all.units[k] = d->found.units[a];
  }
  pf_struct_out(info, size, &all, sizeof all);
  return PFFT3D_OK;
}

void pfft3d_dataset_free(pfft3d_dataset **dataset) {
  if (!dataset || !*dataset) return;
  pf_io_comm_free(&(*dataset)->comm);
  free(*dataset);
  *dataset = NULL;
}

/* USAGE for NULL instead of a dataset, or if its communicator is no longer usable. */
static int check_dataset(const pfft3d_dataset *d, pfft3d_error *e) {
  PF_CHECK(d, e, PFFT3D_ERR_USAGE, "cannot read: the dataset is NULL");
  return pf_mpi_ready(e);
}

/* ---- Reading ------------------------------------------------------------------------------ */

/* How the numbers of a round are unpacked. */
typedef struct unpacking {
  int expand;   /* real numbers were read into an array of complex numbers */
  int parts;    /* parts of an element of the array */
  size_t bytes; /* of a part */
  pf_packing packing;
  double sum[2]; /* elements that are not finite; missing ones */
} unpacking;

/* Number i of an array of doubles or floats. */
static double get(const unpacking *a, const void *array, ptrdiff_t i) {
  return a->bytes == sizeof(float) ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void put(const unpacking *a, void *array, ptrdiff_t i, double value) {
  if (a->bytes == sizeof(float))
    ((float *)array)[i] = (float)value;
  else
    ((double *)array)[i] = value;
}

/* Replaces numbers by their values, and expands `count` real numbers to as many complex ones in the
 * same memory, from the last to the first so that none is overwritten before it is read; counts
 * non-finite elements. */
static void unpack_elements(void *context, void *elements, ptrdiff_t count) {
  unpacking *a = context;
  ptrdiff_t bad = 0;
  for (ptrdiff_t i = count - 1; i >= 0; i--) {
    if (a->packing.used)
      put(a, elements, i, pf_packing_value(&a->packing, get(a, elements, i), &a->sum[1]));
    if (a->expand) {
      put(a, elements, 2 * i, get(a, elements, i));
      put(a, elements, 2 * i + 1, 0);
    }
    bad += a->parts == 1
               ? !isfinite(get(a, elements, i))
               : !isfinite(get(a, elements, 2 * i)) || !isfinite(get(a, elements, 2 * i + 1));
  }
  a->sum[0] += (double)bad;
}

static int fail_changed(const pf_dataset *d, pfft3d_error *e) {
  return pf_fail(e, PFFT3D_ERR_DATA,
                 "cannot read '%.100s' in '%.100s': it has changed since it was opened", d->path,
                 d->file);
}

/* Local. Fails on rank 0 unless the file is unchanged since the inspection. */
static int check_same_file(MPI_Comm comm, const pf_dataset *d, pfft3d_error *e) {
  struct stat st;
  long long file[5];
  int rank;
  MPI_Comm_rank(comm, &rank);
  PF_TRY(pf_io_stat(d->file, &st, e)); /* on all ranks: only regular files may be opened */
  pf_io_fingerprint(&st, file);
  /* another node may number the same device differently */
  return rank > 0 || memcmp(file, d->stored.fingerprint, sizeof file) == 0 ? PFFT3D_OK
                                                                           : fail_changed(d, e);
}

/* The arguments of a read. */
typedef struct reading {
  const pf_dataset *d;
  pf_io_element element;
  pf_io_box box;
  char *array;
} reading;

/* Local. Checks the arguments and the file. */
static int check_reading(MPI_Comm comm, const reading *r, pfft3d_error *e) {
  const pf_dataset *d = r->d;
  PF_CHECK(r->element.parts == 2 || !d->is_complex, e, PFFT3D_ERR_USAGE,
           "cannot read '%.100s' in '%.100s' as real numbers: they are %s", d->path, d->file,
           d->type);
  PF_TRY(pf_io_check_box(&r->box, r->array, e));
  return check_same_file(comm, d, e);
}

/* Local. Reads this rank's box of data that must be decoded. */
static int read_decoded(const reading *r, unpacking *a, pfft3d_error *e) {
  pf_io_rounds rounds = pf_io_split_box(&r->box, r->element.bytes, SIZE_MAX);
  size_t each = (r->d->is_complex ? 2 : 1) * r->element.part_bytes;
  if (rounds.count == 0) return PFFT3D_OK;
  pf_probe_reader *reader = pf_probe_read_begin(r->d, &r->element, &r->box, &rounds, e);
  if (!reader) return e->status;
  for (ptrdiff_t k = 0; k < rounds.count && !e->status; k++) {
    pf_progress_at(k, rounds.count);
    pf_io_round p = pf_io_round_at(&rounds, &r->box, k);
    char *to = r->array + p.offset * (ptrdiff_t)r->element.bytes;
    if (!pf_probe_read(reader, &p, (size_t)p.count * each, to, e)) unpack_elements(a, to, p.count);
  }
  pf_probe_read_end(&reader);
  return e->status;
}

/* Collective. Between pf_h5_begin() and pf_h5_end(); agreed. */
static int read_box(pfft3d_dataset *dataset, const reading *r, pfft3d_error *e) {
  MPI_Comm comm = dataset->comm;
  const pf_io_element *x = &r->element;
  unpacking a = {.expand = x->parts == 2 && !r->d->is_complex,
                 .parts = x->parts,
                 .bytes = x->part_bytes,
                 .packing = pf_packing_rounded(&r->d->packing, x->part_bytes)};
  double sum[2];
  pf_raw_job raw = {r->d, x, &r->box, r->array, unpack_elements, &a};
  if (!e->status) check_reading(comm, r, e);
  PF_TRY(pf_agree(comm, e));
  if (r->d->stored.number >= 0)
    pf_raw_read(comm, &raw, e);
  else
    read_decoded(r, &a, e);
  if (!e->status) check_same_file(comm, r->d, e);
  PF_TRY(pf_agree(comm, e));
  int code = MPI_Allreduce(a.sum, sum, 2, MPI_DOUBLE, MPI_SUM, comm);
  dataset->nonfinite = sum[0];
  dataset->missing = sum[1];
  return pf_mpi(e, code, "MPI_Allreduce");
}

static int read_any(pfft3d_dataset *dataset, pfft3d_precision precision, pfft3d_numbers numbers,
                    const pfft3d_box *box, const pfft3d_block *block, void *array,
                    pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pf_error_clear(&e);
  if (check_dataset(dataset, &e)) return pf_error_out(&e, error);
  if (!pf_h5_begin(dataset->comm, &guard, &e)) {
    reading r = {.d = &dataset->found, .array = array};
    pf_io_element_of(precision, numbers, &r.element, &e);
    if (!e.status) pf_io_box_of(r.d->dims, r.d->n, box, block, &r.box, &e);
    read_box(dataset, &r, &e);
    pf_h5_end(&guard);
  }
  return pf_error_out(&e, error);
}

int pfft3d_dataset_read(pfft3d_dataset *dataset, pfft3d_precision precision, pfft3d_numbers numbers,
                        const pfft3d_box *box, void *array, pfft3d_error *error) {
  return read_any(dataset, precision, numbers, box, NULL, array, error);
}

int pfft3d_dataset_read_block(pfft3d_dataset *dataset, pfft3d_precision precision,
                              pfft3d_numbers numbers, const pfft3d_block *block, void *array,
                              pfft3d_error *error) {
  return read_any(dataset, precision, numbers, NULL, block, array, error);
}

/* ---- Attributes --------------------------------------------------------------------------- */

int pfft3d_dataset_attribute(const pfft3d_dataset *dataset, const char *name, char *text,
                             size_t size, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  int rank;
  pf_error_clear(&e);
  if (check_dataset(dataset, &e)) return pf_error_out(&e, error);
  if (!name || !text)
    pf_fail(&e, PFFT3D_ERR_USAGE, "cannot read an attribute: its %s is NULL",
            name ? "text" : "name");
  else if (size == 0 || size > INT_MAX)
    pf_fail(&e, PFFT3D_ERR_USAGE, "cannot read an attribute into %zu bytes", size);
  else
    memset(text, 0, size);
  if (pf_h5_begin(dataset->comm, &guard, &e)) return pf_error_out(&e, error);
  MPI_Comm_rank(dataset->comm, &rank);
  if (rank == 0 && !dataset->found.plain) pf_probe_attribute(&dataset->found, name, text, size, &e);
  if (!pf_agree(dataset->comm, &e))
    pf_mpi(&e, MPI_Bcast(text, (int)size, MPI_BYTE, 0, dataset->comm), "MPI_Bcast");
  pf_h5_end(&guard);
  return pf_error_out(&e, error);
}
