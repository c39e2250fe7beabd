/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a stored array that is read: "3,:,10:90:2" in FILE:/PATH[3,:,10:90:2], by the rules
 * of numpy for indices, slices and an ellipsis.  A dimension with an index is not one of the
 * dataset's. */
#ifndef PF_HDF5_SELECTION_H
#define PF_HDF5_SELECTION_H

#include "hdf5/dataset.h"

/* A stored array, and the elements start, start + step, ... of each dimension: `count` of them. */
typedef struct pf_selection {
  int dims;
  ptrdiff_t n[PF_IO_DIMS], start[PF_IO_DIMS], step[PF_IO_DIMS], count[PF_IO_DIMS];
  int axis[PF_IO_DIMS]; /* of the dataset; -1: the dimension has an index */
} pf_selection;

/** Local. Moves the selection at the end of a name, with its brackets, to @p selection, which
 *  becomes "" if there is none.  USAGE if it is too long. */
int pf_selection_split(char *name, char selection[PF_IO_SELECTION], pfft3d_error *e);

/** Local. Completes *s, whose dims and n are given, by d->selection; sets dims and n of the
 *  dataset, and where its elements are, in elements: d->stored.first and pitch; @p fortran: the
 *  first index of the stored array changes fastest.  USAGE; DATA: an index out of range, more than
 *  d->most dimensions. */
int pf_selection_apply(pf_selection *s, int fortran, pf_dataset *d, pfft3d_error *e);

#endif
