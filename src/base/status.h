/* SPDX-License-Identifier: BSD-3-Clause
 * Errors: one struct that travels up, one place where ranks learn of each other's failures. */
#ifndef PF_BASE_STATUS_H
#define PF_BASE_STATUS_H

#include <assert.h>

#include "pfft3d.h"

/** Local. Clears @p e, which may not be NULL. */
void pf_error_clear(pfft3d_error *e);

/** Local. Records a failure in @p e (the first one stays).  The text follows the form "what: why",
 *  with values.  The speaking rank is filled in by pf_agree(). */
void pf_note(pfft3d_error *e, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What pf_note() has done, as compilers and analysers can see. */
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

/** Local. Adds the one line of advice to the failure in @p e. */
void pf_hint(pfft3d_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. MPI's own words for a failure, in one line. */
void pf_mpi_text(int code, char text[MPI_MAX_ERROR_STRING]);

/** Local. Records a failed MPI call with MPI's own words; returns PFFT3D_ERR_INTERNAL. */
int pf_fail_mpi(pfft3d_error *e, int code, const char *what);

/** Local. The same for a call that may have succeeded; returns e->status.  For what is followed by
 *  pf_agree(): a caller whose communicators return errors is told, too. */
int pf_mpi(pfft3d_error *e, int code, const char *what);

/** Local. Makes MPI return the errors of a communicator of the library's own that would end the
 *  program.  A handler that the caller had set stays: it knows better what to do. */
void pf_errors_return(MPI_Comm comm);

/* The work of pf_agree(). */
int pf_agree_all(MPI_Comm comm, pfft3d_error *e);

/** Collective on comm. After the local work of a step: if any rank failed, all ranks leave with
 *  the same error, that of the highest status and then the lowest rank, text included.  Costs one
 *  small Allreduce when all is well.  Returns e->status, not 0 on a rank that failed, as compilers
 *  and analysers can see.
 *  This is the only function by which ranks learn of each other's failures. */
static inline int pf_agree(MPI_Comm comm, pfft3d_error *e) {
  if (!e) __builtin_unreachable();
  int mine = e->status, status = pf_agree_all(comm, e);
  return status ? status : mine;
}

/** Collective on comm. Whether all ranks hold the same number, INTERNAL where not: what they are
 *  about to do together must be the same.  `what` names it. */
int pf_agree_hash(MPI_Comm comm, unsigned long long hash, const char *what, pfft3d_error *e);

/** Local. Copies @p from to the caller's @p to, which may be NULL; returns the status. */
int pf_error_out(const pfft3d_error *from, pfft3d_error *to);

/* Return the status of a call that failed. */
#define PF_TRY(call)                   \
  do {                                 \
    int pf_status_ = (call);           \
    if (pf_status_) return pf_status_; \
  } while (0)

/* A user's mistake: always checked. */
#define PF_CHECK(condition, e, status, ...)                       \
  do {                                                            \
    if (!(condition)) return pf_fail((e), (status), __VA_ARGS__); \
  } while (0)

/* Our own bug. */
#define PF_ASSERT(condition) assert(condition)

#endif
