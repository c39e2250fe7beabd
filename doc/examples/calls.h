/* SPDX-License-Identifier: BSD-3-Clause
 * Examples of all functions of the library, in calls.c, calls_tune.c and calls_files.c.  The reference on
 * the site shows, for the functions that a comment "Example:" names, the lines up to the next empty one.
 * expect() ends the program where something is not so. */
#include <mpi.h>
#include <pfft3d.h>
#include <stdio.h>
#include <stdlib.h>

#define expect(condition) ((condition) ? (void)0 : failed(#condition, __FILE__, __LINE__))

static MPI_Comm comm;
static int rank, ranks;
static pfft3d_error error;

static void failed(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: rank %d: not so: %s (%s)\n", file, line, rank, condition, error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
}
