/* SPDX-License-Identifier: BSD-3-Clause
 * The clocks of ranks: MPI_Wtime() begins anywhere, and hosts differ.
 *
 * Rank 0 asks each rank for its time, several times, and takes the answer that came back soonest:
 * the other clock was read between question and answer, so its distance is known up to half of that
 * time. Source: Cristian, Probabilistic clock synchronization, Distributed Computing 3, 1989. */
#include "base/simulate.h"
#include "timeline/timeline.h"

enum { ROUNDS = 40, TAG = 79 };

/* The clock of another rank. */
static int ask(MPI_Comm comm, int other, pf_timeline_clock *c) {
  double theirs, shortest = 0;
  int code = MPI_SUCCESS;
  for (int k = 0; k < ROUNDS && code == MPI_SUCCESS; k++) {
    double sent = MPI_Wtime();
    code = MPI_Send(NULL, 0, MPI_DOUBLE, other, TAG, comm);
    if (code == MPI_SUCCESS)
      code = MPI_Recv(&theirs, 1, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE);
    double back = MPI_Wtime();
    if (code != MPI_SUCCESS || (k && back - sent >= shortest)) continue;
    shortest = back - sent;
    *c = (pf_timeline_clock){theirs, (sent + back) / 2 - theirs, shortest / 2};
  }
  return code == MPI_SUCCESS ? MPI_Send(c, 3, MPI_DOUBLE, other, TAG, comm) : code;
}

static int answer(MPI_Comm comm, pf_timeline_clock *c) {
  int code = MPI_SUCCESS;
  for (int k = 0; k < ROUNDS && code == MPI_SUCCESS; k++) {
    code = MPI_Recv(NULL, 0, MPI_DOUBLE, 0, TAG, comm, MPI_STATUS_IGNORE);
    double mine = MPI_Wtime();
    if (code == MPI_SUCCESS) code = MPI_Send(&mine, 1, MPI_DOUBLE, 0, TAG, comm);
  }
  return code == MPI_SUCCESS ? MPI_Recv(c, 3, MPI_DOUBLE, 0, TAG, comm, MPI_STATUS_IGNORE) : code;
}

int pf_timeline_measure(const pf_timeline *t, pf_timeline_clock *c, pfft3d_error *e) {
  pf_timeline_clock other;
  int code = MPI_SUCCESS;
  *c = (pf_timeline_clock){.at = pf_wtime()};
  if (PF_SIMULATED) return PFFT3D_OK; /* one clock */
  if (t->rank) return pf_mpi(e, answer(t->comm, c), "MPI_Recv");
  for (int k = 1; k < t->ranks && code == MPI_SUCCESS; k++) code = ask(t->comm, k, &other);
  return pf_mpi(e, code, "MPI_Send");
}
