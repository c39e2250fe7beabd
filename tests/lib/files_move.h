/* SPDX-License-Identifier: BSD-3-Clause
 * Writing and reading whole datasets, every number compared. */
#ifndef PF_TESTS_FILES_MOVE_H
#define PF_TESTS_FILES_MOVE_H

#include "files.h"

/* Collective. Reads a box into an array with memory for complex doubles, and compares every number;
 * nothing after the box may be written. */
void read_box(const char *name, elements x, pfft3d_dataset *d, const pfft3d_box *box,
              unsigned char *array);

/* Collective on comm. Reads a dataset, cut over the ranks, in both precisions, as complex numbers
 * and as real ones if it is real, and compares every number. */
void read_and_compare(MPI_Comm comm, const char *name, int is_complex, int cut);

/* Collective on comm. Writes the numbers under a name; returns the status. */
int write_numbers(MPI_Comm comm, const pfft3d_output_spec *spec, int cut);

#endif
