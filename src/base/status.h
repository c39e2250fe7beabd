/* SPDX-License-Identifier: BSD-3-Clause
 * Errors: one struct that is passed up, and the one function by which ranks agree on a failure. */
#ifndef PF_BASE_STATUS_H
#define PF_BASE_STATUS_H

#include <assert.h>

#include "pfft3d_tune.h"

/** Local. Clears @p e, which may not be NULL. */
void pf_error_clear(pfft3d_error *e);

/** Local. Records a failure in @p e unless it has one.  The text has the form "what: why", with
 *  values.  pf_agree() adds the rank. */
void pf_note(pfft3d_error *e, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Tells compilers and analysers that pf_note() has set the status. */
static inline void pf_noted(const pfft3d_error *e) {
  if (e && !e->status) __builtin_unreachable();
}

/* pf_note() that returns @p status. */
#define pf_fail(e, status, ...)           \
  __extension__({                         \
    int pf_noted_ = (status);             \
    pf_note((e), pf_noted_, __VA_ARGS__); \
    pf_noted((e));                        \
    pf_noted_;                            \
  })

/** Local. Adds a line of advice to the failure in @p e, unless it has one. */
void pf_hint(pfft3d_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. MPI's text for an error code, in one line. */
void pf_mpi_text(int code, char text[MPI_MAX_ERROR_STRING]);

/** Local. A call of MPI has failed on this rank, and others of so many may wait for it
 * (base/grace.h). 2: it is not known how many, or none does; any agreement settles it. */
void pf_failed(int ranks, const char *what, const char *why);

/** Local. The status of a transform after a call of MPI that gave @p code. */
int pf_run_status(int code);

/** Local. Records the failed MPI call @p what with MPI's text; returns PFFT3D_ERR_INTERNAL. */
int pf_fail_mpi(pfft3d_error *e, int code, const char *what);

/** Local. As pf_fail_mpi() if @p code is an error; returns e->status. */
int pf_mpi(pfft3d_error *e, int code, const char *what);

/** Local. For a communicator of the library's own: errors that would abort the program are returned
 *  instead, and noted (pf_failed()).  A function that the caller has set is kept. */
void pf_errors_return(MPI_Comm comm);

/** Local. Errors, USAGE: MPI is not initialised or already finalised; not an intra-communicator. */
int pf_mpi_ready(pfft3d_error *e);
int pf_comm_ready(MPI_Comm comm, pfft3d_error *e);

/** Local. Frees an object of the library; does nothing if it is null, or after MPI_Finalize, when
 *  no MPI function may be called. */
void pf_comm_free(MPI_Comm *comm);
void pf_type_free(MPI_Datatype *type);
void pf_request_free(MPI_Request *request);

/** Local. A communicator by its Fortran handle; MPI_COMM_NULL if @p comm is NULL or MPI is not
 *  running, so that pf_comm_ready() fails. */
MPI_Comm pf_comm_f(const pfft3d_fint *comm);

/* Implements pf_agree(). */
int pf_agree_all(MPI_Comm comm, pfft3d_error *e);

/** Collective on comm. After the local work of a step: if any rank has failed, all ranks get the
 * same error with its text, from the lowest rank with the highest status.  Costs one small
 * Allreduce if no rank has failed.  Returns e->status, which is not 0 on a rank that failed. This
 * is the only function by which ranks learn of each other's failures. */
static inline int pf_agree(MPI_Comm comm, pfft3d_error *e) {
  if (!e) __builtin_unreachable();
  int mine = e->status, status = pf_agree_all(comm, e);
  return status ? status : mine;
}

/** Collective on comm. *same: nonzero if all ranks have the same hash.  Errors: INTERNAL. */
int pf_same_hash(MPI_Comm comm, unsigned long long hash, int *same, pfft3d_error *e);

/** Collective on comm. INTERNAL if ranks hold different numbers: the hash of something that must be
 *  the same on all ranks.  @p what names it. */
int pf_agree_hash(MPI_Comm comm, unsigned long long hash, const char *what, pfft3d_error *e);

/** Local. Copies @p from to the caller's @p to, which may be NULL; returns the status. */
int pf_error_out(const pfft3d_error *from, pfft3d_error *to);

/** Local. Copies a struct of @p have bytes to a caller's of @p size bytes: min(size, have) bytes,
 *  and zeroes the rest. */
void pf_struct_out(void *to, size_t size, const void *from, size_t have);

/** Local. Copies a caller's specification of @p size bytes to a struct of @p have bytes: members
 * that the caller lacks become 0, and members that only it has must be 0.  USAGE: "cannot WHAT:
 * ..."
 */
int pf_struct_in(void *known, size_t have, const void *spec, size_t size, const char *what,
                 pfft3d_error *e);

/* Return the status of a call that failed. */
#define PF_TRY(call)                   \
  do {                                 \
    int pf_status_ = (call);           \
    if (pf_status_) return pf_status_; \
  } while (0)

/* A condition that the user can violate: always checked. */
#define PF_CHECK(condition, e, status, ...)                       \
  do {                                                            \
    if (!(condition)) return pf_fail((e), (status), __VA_ARGS__); \
  } while (0)

/* A condition that only a bug can violate. */
#define PF_ASSERT(condition) assert(condition)

#endif
