/* SPDX-License-Identifier: BSD-3-Clause
 * Buffers that exchanges put into: MPI windows over all ranks of a plan, one for each buffer in
 * which any of its exchanges receives.  The set of buffers is the same on all ranks; their sizes
 * are not. */
#include "exchange/windows.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/simulate.h"

/* The buffer is aligned to a cache line within its window. */
static void place_buffer(pf_exchange_store *s, pf_slot slot, char *base) {
  size_t bytes = s->memory->bytes[slot], over = (uintptr_t)base % PF_ALIGN;
  if (!bytes || !base) return;
  s->buffer[slot] = over ? base + PF_ALIGN - over : base;
  memset(s->buffer[slot], 0, bytes); /* first touch by the rank that reads it */
}

/* Passes store into a window while other ranks put into it: this requires the unified model. */
static void check_model(const pf_exchange_store *s, MPI_Win win, pfft3d_error *e) {
  int *model, there = 0;
  if (PF_SIMULATED) return; /* all ranks are in one process, which this MPI does not report */
  if (pf_mpi(e, MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &there), "MPI_Win_get_attr")) return;
  if (!there || *model != MPI_WIN_UNIFIED)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
            "exchange '%s': this MPI keeps windows apart from memory (MPI_WIN_SEPARATE)",
            s->memory->ops->name);
}

/* A refused window is expected: the caller's error handler is bypassed. */
static void allocate(pf_exchange_store *s, size_t bytes, char **base, MPI_Win *win,
                     pfft3d_error *e) {
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  char text[MPI_MAX_ERROR_STRING];
  int known = MPI_Comm_get_errhandler(s->comm, &handler);
  pf_mpi(e, known, "MPI_Comm_get_errhandler");
  pf_mpi(e, MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  int code = MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, s->comm, base, win);
  pf_mpi(e, MPI_Comm_set_errhandler(s->comm, handler), "MPI_Comm_set_errhandler");
  if (known == MPI_SUCCESS) MPI_Errhandler_free(&handler);
  if (code == MPI_SUCCESS) return;
  pf_mpi_text(code, text);
  pf_hint(e, "Open MPI over TCP needs mpirun --mca osc pt2pt,sm; other exchanges need no window");
  pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "exchange '%s': no window: MPI_Win_allocate: %s",
          s->memory->ops->name, text);
}

/* If this fails on some ranks only, the others keep their window until the end of the program:
 * freeing it is collective. */
int pf_exchange_window_create(pf_exchange_store *s, pf_slot slot, pfft3d_error *e) {
  pf_exchange_window *w = &s->window[slot];
  size_t bytes = s->memory->bytes[slot];
  char *base = NULL;
  allocate(s, bytes ? bytes + PF_ALIGN : 0, &base, &w->win, e);
  PF_TRY(pf_agree(s->comm, e));
  w->made = 1;
  pf_mpi(e, MPI_Win_set_errhandler(w->win, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  if (!e->status) check_model(s, w->win, e);
  if (!e->status) pf_mpi(e, MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win), "MPI_Win_lock_all");
  if (!e->status) place_buffer(s, slot, base);
  w->locked = !e->status;
  return pf_agree(s->comm, e);
}

/* Errors go to the error handler of the communicator: the function has no status, and other ranks
 * wait. */
void pf_exchange_windows_destroy(pf_exchange_store *s) {
  for (int k = 0; k < PF_SLOTS; k++)
    if (s->window[k].made) {
      int code = s->window[k].locked ? MPI_Win_unlock_all(s->window[k].win) : MPI_SUCCESS;
      if (code == MPI_SUCCESS) code = MPI_Win_free(&s->window[k].win);
      if (code != MPI_SUCCESS) MPI_Comm_call_errhandler(s->comm, code);
      s->window[k].made = 0;
      s->buffer[k] = NULL;
    }
}
