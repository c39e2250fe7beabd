/* SPDX-License-Identifier: BSD-3-Clause
 * Errors and their agreement across ranks.  The idea that every rank must take the same branch, at
 * the price of one reduction per planning step, is FFTW's (any_true in its MPI planner). */
#include "base/status.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/grace.h"
#include "base/mpi.h"

void pf_error_clear(pfft3d_error *e) {
  memset(e, 0, sizeof *e);
}

/* A message is one line, whatever the names in it contain. */
static void one_line(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ') *text = '?';
}

void pf_note(pfft3d_error *e, int status, const char *format, ...) {
  PF_ASSERT(status != PFFT3D_OK);
  if (e && !e->status) {
    va_list args;
    va_start(args, format);
    e->status = status;
    vsnprintf(e->text, sizeof e->text, format, args);
    one_line(e->text);
    va_end(args);
  }
}

void pf_hint(pfft3d_error *e, const char *format, ...) {
  if (!e || e->hint[0]) return;
  va_list args;
  va_start(args, format);
  vsnprintf(e->hint, sizeof e->hint, format, args);
  one_line(e->hint);
  va_end(args);
}

/* After a failure on one rank this rank may be a collective call behind the others, so that what
 * they agree on later may not concern it.  If all ranks have failed, none waits. */
enum { PF_UNSETTLED = INT_MAX };

void pf_failed(int ranks, const char *what, const char *why) {
  char text[MPI_MAX_ERROR_STRING + 64];
  snprintf(text, sizeof text, "%s: %s", what, why);
  pfft3d_internal_failed(ranks, text);
}

void pf_mpi_text(int code, char text[MPI_MAX_ERROR_STRING]) {
  int length;
  text[0] = 0;
  MPI_Error_string(code, text, &length);
  for (char *p = text; *p; p++)
    if (*p == '\n') *p = ' ';
}

/* A call in which ranks do not wait for each other: what they agree on next concerns its failure. */
static int is_local(const char *what) {
  static const char *const part[] = {"_Type_", "_Group_", "_get_", "_set_", "_test_"};
  for (size_t k = 0; k < sizeof part / sizeof *part; k++)
    if (strstr(what, part[k])) return 1;
  return 0;
}

int pf_fail_mpi(pfft3d_error *e, int code, const char *what) {
  char text[MPI_MAX_ERROR_STRING];
  pf_mpi_text(code, text);
  pf_failed(is_local(what) ? 2 : PF_UNSETTLED, what, text);
  return pf_fail(e, PFFT3D_ERR_INTERNAL, "%s failed: %s", what, text);
}

int pf_mpi(pfft3d_error *e, int code, const char *what) {
  if (code != MPI_SUCCESS) pf_fail_mpi(e, code, what);
  return e->status;
}

int pf_run_status(int code) {
  char text[MPI_MAX_ERROR_STRING];
  if (code == MPI_SUCCESS) return PFFT3D_OK;
  pf_mpi_text(code, text);
  pf_failed(PF_UNSETTLED, "a call in a transform", text);
  return PFFT3D_ERR_INTERNAL;
}

/* MPI_Comm_errhandler_function: MPI_ERRORS_RETURN that takes note. */
static void on_error(MPI_Comm *comm, int *code, ...) {
  static _Thread_local int asking; /* this question may fail, too */
  char text[MPI_MAX_ERROR_STRING];
  int ranks = 2;
  if (asking) return;
  asking = 1;
  MPI_Comm_size(*comm, &ranks);
  asking = 0;
  pf_mpi_text(*code, text);
  pf_failed(ranks > 1 ? PF_UNSETTLED : ranks, "a call", text);
}

void pf_errors_return(MPI_Comm comm) {
  MPI_Errhandler handler, ours;
  if (MPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return;
  int theirs = handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN;
  MPI_Errhandler_free(&handler);
  if (theirs) return;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (MPI_Comm_create_errhandler(on_error, &ours) != MPI_SUCCESS) return;
  MPI_Comm_set_errhandler(comm, ours);
  MPI_Errhandler_free(&ours);
}

int pf_mpi_ready(pfft3d_error *e) {
  int begun = 0, ended = 0;
  if (MPI_Initialized(&begun) || !begun)
    return pf_fail(e, PFFT3D_ERR_USAGE, "MPI is not initialised: MPI_Init comes first");
  if (MPI_Finalized(&ended) || ended)
    return pf_fail(e, PFFT3D_ERR_USAGE, "MPI is finalised: MPI_Finalize comes last");
  return PFFT3D_OK;
}

/* Asked once: it does not change. */
static int mpi_is_ours(pfft3d_error *e) {
  static _Atomic int right;
  if (right) return PFFT3D_OK;
  pf_mpi_library running = pf_mpi_running();
  const char *built = pf_mpi_stranger(&running);
  right = !built;
  if (right) return PFFT3D_OK;
  pf_hint(e, "programs and libraries of one process must be built with the same MPI");
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
                 "MPI: this process uses %s%s, libpfft3d was built for %s", running.text,
                 running.family == PF_MPI_ABI ? " with the ABI of MPI 5" : "", built);
}

int pf_comm_ready(MPI_Comm comm, pfft3d_error *e) {
  int inter = 0;
  PF_TRY(mpi_is_ours(e));
  PF_TRY(pf_mpi_ready(e));
  if (comm == MPI_COMM_NULL) {
    pf_hint(e, "ranks that MPI_Comm_split left out must not call this");
    return pf_fail(e, PFFT3D_ERR_USAGE, "communicator: is MPI_COMM_NULL");
  }
  int code = MPI_Comm_test_inter(comm, &inter);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_test_inter");
  if (!inter) return PFFT3D_OK;
  pf_hint(e, "MPI_Intercomm_merge makes an intra-communicator");
  return pf_fail(e, PFFT3D_ERR_USAGE, "communicator: is an inter-communicator");
}

void pf_comm_free(MPI_Comm *comm) {
  if (*comm != MPI_COMM_NULL && !pf_mpi_ready(NULL)) MPI_Comm_free(comm);
}

void pf_type_free(MPI_Datatype *type) {
  if (*type != MPI_DATATYPE_NULL && !pf_mpi_ready(NULL)) MPI_Type_free(type);
}

void pf_request_free(MPI_Request *request) {
  if (*request != MPI_REQUEST_NULL && !pf_mpi_ready(NULL)) MPI_Request_free(request);
}

MPI_Comm pf_comm_f(const pfft3d_fint *comm) {
#if defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0
  return comm && !pf_mpi_ready(NULL) ? MPI_Comm_fromint(*comm) : MPI_COMM_NULL;
#else
  return comm && !pf_mpi_ready(NULL) ? MPI_Comm_f2c(*comm) : MPI_COMM_NULL;
#endif
}

static int cannot_agree(int code, pfft3d_error *e) {
  char text[MPI_MAX_ERROR_STRING];
  pf_mpi_text(code, text);
  pf_failed(PF_UNSETTLED, "ranks cannot agree", text);
  return pf_fail(e, PFFT3D_ERR_INTERNAL, "ranks cannot agree: MPI failed");
}

int pf_agree_all(MPI_Comm comm, pfft3d_error *e) {
  int rank, ranks, length;
  struct {
    int status, owner;
  } mine, worst; /* MPI_2INT: highest status, then lowest rank */
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  mine.status = e->status;
  mine.owner = rank;
  int code = MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm);
  if (code != MPI_SUCCESS) return cannot_agree(code, e);
  pfft3d_internal_agreed(ranks);
  if (!worst.status) return PFFT3D_OK;

  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int failed = e->status != PFFT3D_OK, total = 0;
  if (rank == worst.owner) {
    MPI_Get_processor_name(host, &length);
    e->rank = rank;
    e->ranks = ranks;
    snprintf(e->host, sizeof e->host, "%.63s", host);
  }
  code = MPI_Bcast(e, (int)sizeof *e, MPI_BYTE, worst.owner, comm);
  if (code == MPI_SUCCESS) code = MPI_Allreduce(&failed, &total, 1, MPI_INT, MPI_SUM, comm);
  if (code != MPI_SUCCESS) return cannot_agree(code, e);
  e->others = total - 1;
  if (total == ranks) pfft3d_internal_agreed(PF_UNSETTLED);
  return e->status;
}

int pf_error_out(const pfft3d_error *from, pfft3d_error *to) {
  if (to) *to = *from;
  return from->status;
}

void pf_struct_out(void *to, size_t size, const void *from, size_t have) {
  memset(to, 0, size);
  memcpy(to, from, size < have ? size : have);
}

int pf_struct_in(void *known, size_t have, const void *spec, size_t size, const char *what,
                 pfft3d_error *e) {
  memset(known, 0, have);
  PF_CHECK(spec, e, PFFT3D_ERR_USAGE, "cannot %s: its specification is NULL", what);
  PF_CHECK(size > 0, e, PFFT3D_ERR_USAGE, "cannot %s: its specification has 0 bytes", what);
  for (size_t k = have; k < size; k++)
    PF_CHECK(!((const char *)spec)[k], e, PFFT3D_ERR_USAGE,
             "cannot %s: its specification is of a later version", what);
  memcpy(known, spec, size < have ? size : have);
  return PFFT3D_OK;
}

int pf_same_hash(MPI_Comm comm, unsigned long long hash, int *same, pfft3d_error *e) {
  unsigned long long range[2] = {hash, ~hash};
  int code = MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_UNSIGNED_LONG_LONG, MPI_MAX, comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  *same = range[0] == ~range[1];
  return PFFT3D_OK;
}

int pf_agree_hash(MPI_Comm comm, unsigned long long hash, const char *what, pfft3d_error *e) {
  int same = 0;
  PF_TRY(pf_same_hash(comm, hash, &same, e));
  if (!same) return pf_fail(e, PFFT3D_ERR_INTERNAL, "ranks disagree on %s", what);
  return PFFT3D_OK;
}
