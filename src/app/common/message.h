/* SPDX-License-Identifier: BSD-3-Clause
 * Errors, warnings and progress, in a uniform format for users. */
#ifndef PF_APP_COMMON_MESSAGE_H
#define PF_APP_COMMON_MESSAGE_H

#include "app/common/app.h"

/** Local. Records a failure "what: why" in @p e (the first one stays). */
void app_note(pfft3d_error *e, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* app_note() that returns e->status. Compilers and analysers can see that it is not 0. */
#define app_fail(e, code, ...)                    \
  __extension__({                                 \
    pfft3d_error *noted_ = (e);                   \
    app_note(noted_, (code), __VA_ARGS__);        \
    if (!noted_->status) __builtin_unreachable(); \
    noted_->status;                               \
  })

/** Local. Adds a hint of one line to the failure in @p e (the first one stays). */
void app_hint(pfft3d_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. Copies a failure from @p from to @p e unless @p e has one already; returns from->status.
 *  Calls of the library clear the error passed to them: use a local one if an earlier failure must
 *  be kept. */
int app_take(pfft3d_error *e, const pfft3d_error *from);

/** Local. Prints @p e, and its hint, on stderr. */
void app_print_error(const pfft3d_error *e);

/** Local. A warning on stderr, by rank 0 only. */
void app_warn(const app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. Prints the progress line if rank 0 has a terminal and --quiet was not given; an empty
 *  text clears it. */
void app_progress(const app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. Ends the run after a failure that other ranks cannot detect: prints a message from this
 *  rank and calls MPI_Abort. Does not return. */
void app_die(const app *a, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** Collective. As app_die() for a failure on all ranks: rank 0 prints the message. */
void app_die_together(const app *a, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** Collective. As app_die() for a failure on some ranks, each of which passes its own in @p e: the
 * first of them prints it.  Returns if no rank has failed. */
void app_die_if_any(const app *a, const pfft3d_error *e);

/** Local. Makes every failing MPI call, also in libraries, end the run as app_die() does. */
void app_handle_mpi_errors(const app *a);

/** Local. Zeroed memory for small tables, for the caller to free(); ends the program with 71 if
 *  there is none. */
void *app_malloc(const app *a, size_t count, size_t size);

#endif
