/* SPDX-License-Identifier: BSD-3-Clause
 * Errors, warnings and progress, in the one form that users see. */
#ifndef PF_APP_COMMON_MESSAGE_H
#define PF_APP_COMMON_MESSAGE_H

#include "app/common/app.h"

/** Local. Records a failure "what: why" in @p e (the first one stays). */
void app_note(pfft3d_error *e, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* app_note() that returns e->status, which is not 0, as compilers and analysers can see. */
#define app_fail(e, code, ...)                    \
  __extension__({                                 \
    pfft3d_error *noted_ = (e);                   \
    app_note(noted_, (code), __VA_ARGS__);        \
    if (!noted_->status) __builtin_unreachable(); \
    noted_->status;                               \
  })

/** Local. Adds the one line of advice to the failure in @p e. */
void app_hint(pfft3d_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. Records a failure that a library call left in @p from, unless @p e has one already;
 *  returns from->status.  Calls of the library clear the error they are given, so what must not
 *  forget an earlier failure gives them one of its own. */
int app_take(pfft3d_error *e, const pfft3d_error *from);

/** Local. Prints @p e, and its hint, on stderr. */
void app_print_error(const pfft3d_error *e);

/** Local. A warning on stderr, by rank 0 only. */
void app_warn(const app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. The progress line, where rank 0 has a terminal and --quiet was not given; an empty text
 *  clears it. */
void app_progress(const app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Local. The end for a failure that other ranks cannot learn of in another way: a message from
 *  this rank, then MPI_Abort.  Does not return. */
void app_die(const app *a, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** Collective. The same for what all ranks have found: rank 0 says it. */
void app_die_together(const app *a, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** Local. A call of MPI that fails, here or in a library, is the end as by app_die(): what is left
 *  of the run cannot be agreed on. */
void app_handle_mpi_errors(const app *a);

/** Local. Memory for small tables; ends the program with 71 when there is none. */
void *app_malloc(const app *a, size_t count, size_t size);

#endif
