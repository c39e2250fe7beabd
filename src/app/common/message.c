/* SPDX-License-Identifier: BSD-3-Clause
 * Errors, warnings and progress: one message, from one rank, on stderr. */
#include "app/common/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/common/watch.h"

void app_note(pfft3d_error *e, int status, const char *format, ...) {
  if (e->status) return;
  va_list args;
  va_start(args, format);
  e->status = status;
  vsnprintf(e->text, sizeof e->text, format, args);
  va_end(args);
}

void app_hint(pfft3d_error *e, const char *format, ...) {
  if (e->hint[0]) return;
  va_list args;
  va_start(args, format);
  vsnprintf(e->hint, sizeof e->hint, format, args);
  va_end(args);
}

int app_take(pfft3d_error *e, const pfft3d_error *from) {
  if (!e->status) *e = *from;
  return from->status;
}

/* Replaces control characters: words of users and names of files must not control the terminal. */
static char *plain_line(char *line) {
  for (char *p = line; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 127) *p = '?';
  return line;
}

void app_print_error(const pfft3d_error *e) {
  char where[128] = "", line[1024];
  pfft3d_error plain = *e;
  /* the rank is of interest only if not all ranks failed */
  if (e->ranks > 0 && e->others < e->ranks - 1)
    snprintf(where, sizeof where, " [rank %d of %d, %s]", e->rank, e->ranks, e->host);
  int n = snprintf(line, sizeof line, "pfft3d: error: %s%s\n", plain_line(plain.text), where);
  if (e->hint[0] && n > 0 && (size_t)n < sizeof line)
    snprintf(line + n, sizeof line - (size_t)n, "pfft3d: hint: %s\n", plain_line(plain.hint));
  fputs(line, stderr); /* a single write, so that output of other ranks cannot split it */
}

void app_warn(const app *a, const char *format, ...) {
  if (a->rank != 0) return;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  app_progress(a, "%s", "");
  fprintf(stderr, "pfft3d: warning: %s\n", plain_line(text));
}

/* Ends the run. Rank 0 is told that the message has been printed. */
static _Noreturn void die(const app *a, pfft3d_error *e, int status) {
  app_print_error(e);
  watch_tell();
  watch_remove();
  MPI_Abort(a->comm, status);
  _exit(status); /* MPI_Abort may return */
}

/* Adds this rank and its host to the message. */
static void add_place(const app *a, pfft3d_error *e) {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  e->rank = a->rank;
  e->ranks = a->ranks;
  MPI_Get_processor_name(host, &length);
  snprintf(e->host, sizeof e->host, "%.63s", host);
}

void app_die(const app *a, int status, const char *format, ...) {
  pfft3d_error e = {.others = 0};
  va_list args;
  va_start(args, format);
  vsnprintf(e.text, sizeof e.text, format, args);
  va_end(args);
  add_place(a, &e);
  die(a, &e, status);
}

void app_die_together(const app *a, int status, const char *format, ...) {
  pfft3d_error e = {.ranks = a->ranks, .others = a->ranks - 1};
  va_list args;
  va_start(args, format);
  vsnprintf(e.text, sizeof e.text, format, args);
  va_end(args);
  if (a->rank > 0)
    MPI_Barrier(a->comm); /* waits until rank 0, which does not enter it, has ended all ranks */
  die(a, &e, status);
}

void app_die_if_any(const app *a, const pfft3d_error *e) {
  int failed = e->status != 0, first = failed ? a->rank : a->ranks, count;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, a->comm);
  if (first == a->ranks) return;
  MPI_Allreduce(&failed, &count, 1, MPI_INT, MPI_SUM, a->comm);
  if (a->rank != first) MPI_Barrier(a->comm); /* as above */
  pfft3d_error mine = *e;
  mine.others = count - 1;
  add_place(a, &mine);
  die(a, &mine, mine.status);
}

static const app *running;

/* MPI_Comm_errhandler_function: after a failure of MPI ranks can no longer agree on anything. */
static void on_mpi_error(MPI_Comm *comm, int *code, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  (void)comm;
  MPI_Error_string(*code, text, &length);
  app_die(running, PFFT3D_ERR_INTERNAL, "MPI failed while %s: %.200s", watch_phase(), text);
}

void app_handle_mpi_errors(const app *a) {
  MPI_Errhandler handler;
  running = a;
  if (MPI_Comm_create_errhandler(on_mpi_error, &handler) != MPI_SUCCESS)
    return; /* MPI's own handler ends the run */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
}

void *app_malloc(const app *a, size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (!p)
    app_die(a, PFFT3D_ERR_MEMORY, "out of memory: cannot get a table of %zu x %zu bytes", count,
            size);
  return p;
}
