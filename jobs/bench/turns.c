/* SPDX-License-Identifier: BSD-3-Clause
 * What programs that take turns have in common. */
#include "turns.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int turns_of(int argc, char **argv) {
  const int turns = argc > 1 ? atoi(argv[1]) : 9;
  return turns < 1 || turns > TURNS_MOST ? 9 : turns;
}

void turns_load(const char *when) {
  double load[3] = {-1, -1, -1};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  getloadavg(load, 3);
  if (rank == 0) printf("load average %s%.2f %.2f %.2f\n", when, load[0], load[1], load[2]);
}

double turns_since(double start) {
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

void turns_pair(turns_error *e, double x, double y) {
  const double far = fabs(x - y);
  e->difference = fmax(e->difference, isnan(far) ? INFINITY : far); /* a maximum would hide a NaN */
  e->number = fmax(e->number, fabs(x));
}

double turns_relative(turns_error e) {
  double most[2] = {e.difference, e.number};
  MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most[0] < INFINITY ? most[0] / most[1] : INFINITY;
}
