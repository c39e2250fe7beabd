/* SPDX-License-Identifier: BSD-3-Clause
 * Common parts of tests of files: a temporary directory, numbers that identify their index, and
 * datasets made by serial HDF5, independent of the code under test. */
#ifndef PF_TESTS_FILES_H
#define PF_TESTS_FILES_H

#include <dirent.h>
#include <hdf5.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "hdf5/dataset.h"
#include "hdf5/hooks.h"
#include "pfft3d_hdf5.h"

extern int world_rank, world_size;
extern char directory[256]; /* directory of this run, the same on all ranks */

/* Collective. A path in the directory; up to four may be in use at a time. */
const char *in_directory(const char *name);

/* Local. Number of entries of the directory; *temporary: number of temporary files among them. */
int entries(int *temporary);

/* Local. The program that inspects files in a separate process, or NULL in a build without it. */
const char *probe_program(void);

/* Collective. Begins a test: MPI, a new directory, quiet HDF5; files are inspected by the program
 * of this build. */
void files_begin(int *argc, char ***argv);

/* Collective. Ends a test: removes the directory, which has files and empty directories only. */
int files_end(void);

/* The contents of an array. */
typedef struct elements {
  pfft3d_precision precision;
  pfft3d_numbers numbers;
} elements;

/* Local. Bytes of an element, and the number of elements of a box. */
size_t bytes_of(elements x);
ptrdiff_t box_count(const pfft3d_box *box);

/* Local. Fills, or compares, the elements of a box with numbers that depend on the global index g
 * only, 7 g mod 101 for real parts and -(g mod 13) for imaginary ones, which every type holds
 * exactly; returns how many numbers differ. */
ptrdiff_t box_numbers(const ptrdiff_t n[3], const pfft3d_box *box, elements x, void *array,
                      int is_complex, int compare);

/* How an array is cut over the ranks: in balanced slabs; all of it on the last rank; in pencils
 * along two axes, on a grid that may leave ranks idle; and, for reading only, the same inner part
 * on every rank. */
enum { CUT_SLABS, CUT_LAST, CUT_01, CUT_12, CUT_02, CUTS, CUT_INNER = CUTS, CUTS_READ };

/* Local. The box of a rank. */
pfft3d_box box_of(const ptrdiff_t n[3], int rank, int ranks, int cut);

/* Local. An array for the box, of complex doubles, NULL when it is empty. */
void *box_array(const pfft3d_box *box);

#define MADE_COMPACT ((hsize_t)-1)

/* Specification of a dataset. */
typedef struct made {
  hid_t type; /* a real type; with `names`, the type of a part of a complex number */
  const char *const *names;
  int dims;
  hsize_t n[4];
  hsize_t chunk; /* along every axis; 0 is contiguous, MADE_COMPACT in the header */
  int deflate;
} made;

/* Local. Opens a file, created anew unless `more`. */
hid_t open_file(const char *file, int more);

/* Local. Creates a dataset of these numbers in an open file; returns nonzero on success. */
int make_dataset(hid_t file, const char *path, const made *m);

/* Local. As make_dataset(), in a separate file, which is closed afterwards. */
int make_file(const char *file, const char *path, const made *m);

/* Collective. A small file of bytes, made by rank 0, and its dataset. */
void make_small(const char *file, pfft3d_dataset **d);

/* A dataset without data, of a type and a shape, made as `list` says. */
void make_bare(const char *file, hid_t type, int dims, const hsize_t *n, hid_t list);

/* A dataset with a filter that exists only while the file is made: 299. */
void make_filtered(const char *file);

/* Local. Number of open HDF5 objects of any kind that could leak. */
long open_ids(void);

/* Collective. The handle that the next communicator would get: grows when one leaks. */
long next_communicator(void);

#endif
