/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of files share: a directory of their own, numbers that tell where they belong, and
 * datasets made by plain serial HDF5, independent of the code under test. */
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
extern char directory[256]; /* of this run, the same on all ranks */

/* Collective. A path in the directory; four may be in use at a time. */
const char *in_directory(const char *name);

/* Local. How many entries the directory has, and how many of them are temporary files. */
int entries(int *temporary);

/* Local. The program that inspects files in a process of its own, or NULL in a build without. */
const char *probe_program(void);

/* Collective. Begins a test: MPI, a new directory, quiet HDF5; files are inspected by the program
 * of this build. */
void files_begin(int *argc, char ***argv);

/* Collective. Ends it: removes the directory, which has files and empty directories only. */
int files_end(void);

/* What an array holds. */
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

/* What to make a dataset of. */
typedef struct made {
  hid_t type; /* real; or the part of a complex number with `names` */
  const char *const *names;
  int dims;
  hsize_t n[4];
  hsize_t chunk; /* along every axis; 0 is contiguous, MADE_COMPACT in the header */
  int deflate;
} made;

/* Local. Opens a file, created anew unless `more`. */
hid_t open_file(const char *file, int more);

/* Local. Makes a dataset of these numbers in an open file; returns whether it worked. */
int make_dataset(hid_t file, const char *path, const made *m);

/* Local. The same in a file of its own, closed afterwards. */
int make_file(const char *file, const char *path, const made *m);

/* Collective. A small file of bytes, made by rank 0, and its dataset. */
void make_small(const char *file, pfft3d_dataset **d);

/* A dataset without data, of a type and a shape, made as `list` says. */
void make_bare(const char *file, hid_t type, int dims, const hsize_t *n, hid_t list);

/* A dataset with a filter that exists only while the file is made: 299. */
void make_filtered(const char *file);

/* Local. What HDF5 has open, of any kind that a leak could be of. */
long open_ids(void);

/* Collective. The handle that the next communicator would get: grows when one leaks. */
long next_communicator(void);

#endif
