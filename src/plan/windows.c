/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that exchanges put into: windows of MPI over all ranks of a plan, one for each memory that
 * any of its exchanges receives in.  Which these are is the same on all ranks; how large, is not.
 */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "plan/plan.h"

/* The buffer begins at a cache line in its window. */
static void place_buffer(pfft3d_plan *p, int s, char *base) {
  size_t bytes = p->geometry.bytes[s], over = (uintptr_t)base % PF_ALIGN;
  if (!bytes || !base) return;
  p->buffer[s] = over ? base + PF_ALIGN - over : base;
  memset(p->buffer[s], 0, bytes); /* first touched by the rank that will read it */
}

/* The unified model is asked for. */
static void check_model(const pfft3d_plan *p, MPI_Win win, pfft3d_error *e) {
  int *model, there = 0;
  if (PF_SIMULATED) return; /* all ranks are in one process, though this MPI does not say so */
  if (pf_mpi(e, MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &there), "MPI_Win_get_attr")) return;
  if (!there || *model != MPI_WIN_UNIFIED)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
            "exchange '%s': this MPI keeps windows apart from memory (MPI_WIN_SEPARATE)",
            p->geometry.exchange->name);
}

/* That MPI has no window here is no failure of the run: a handler of the caller is not asked. */
static void allocate(pfft3d_plan *p, size_t bytes, char **base, MPI_Win *win, pfft3d_error *e) {
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  char text[MPI_MAX_ERROR_STRING];
  int known = MPI_Comm_get_errhandler(p->comm, &handler);
  pf_mpi(e, known, "MPI_Comm_get_errhandler");
  pf_mpi(e, MPI_Comm_set_errhandler(p->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  int code = MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, p->comm, base, win);
  pf_mpi(e, MPI_Comm_set_errhandler(p->comm, handler), "MPI_Comm_set_errhandler");
  if (known == MPI_SUCCESS) MPI_Errhandler_free(&handler);
  if (code == MPI_SUCCESS) return;
  pf_mpi_text(code, text);
  pf_hint(e, "Open MPI over TCP needs mpirun --mca osc pt2pt,sm; other exchanges need no window");
  pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "exchange '%s': no window: MPI_Win_allocate: %s",
          p->geometry.exchange->name, text);
}

/* Where this fails on some ranks only, the others keep their window until the end of the program:
 * freeing it would wait for those that have none. */
static int make_window(pfft3d_plan *p, int s, pfft3d_error *e) {
  pf_remote *r = &p->remote[s];
  size_t bytes = p->geometry.bytes[s];
  char *base = NULL;
  allocate(p, bytes ? bytes + PF_ALIGN : 0, &base, &r->win, e);
  PF_TRY(pf_agree(p->comm, e));
  r->made = 1;
  pf_mpi(e, MPI_Win_set_errhandler(r->win, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  if (!e->status) check_model(p, r->win, e);
  if (!e->status) pf_mpi(e, MPI_Win_lock_all(MPI_MODE_NOCHECK, r->win), "MPI_Win_lock_all");
  if (!e->status) place_buffer(p, s, base);
  r->locked = !e->status;
  return pf_agree(p->comm, e);
}

int pf_plan_windows(pfft3d_plan *p, pfft3d_error *e) {
  const pf_geometry *o = &p->geometry;
  for (int s = 0; s < PF_SLOTS; s++)
    if (pf_geometry_receives(&o->pipeline[0], (pf_slot)s) ||
        pf_geometry_receives(&o->pipeline[1], (pf_slot)s))
      PF_TRY(make_window(p, s, e));
  return PFFT3D_OK;
}

/* Errors go to the handler of the communicator: there is no status, and other ranks wait. */
void pf_plan_free_windows(pfft3d_plan *p) {
  for (int s = 0; s < PF_SLOTS; s++)
    if (p->remote[s].made) {
      int code = p->remote[s].locked ? MPI_Win_unlock_all(p->remote[s].win) : MPI_SUCCESS;
      if (code == MPI_SUCCESS) code = MPI_Win_free(&p->remote[s].win);
      if (code != MPI_SUCCESS) MPI_Comm_call_errhandler(p->comm, code);
      p->remote[s].made = 0;
      p->buffer[s] = NULL;
    }
}
