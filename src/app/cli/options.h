/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the command line. */
#ifndef PF_APP_CLI_OPTIONS_H
#define PF_APP_CLI_OPTIONS_H

#include "app/common/app.h"

/* All commands, in the order of command_list.h; the last entry is NULL. */
extern const command *const commands[];

/** Local. Reads the command line into @p o.  Errors: USAGE, one line with the nearest valid
 *  choice. */
int options_parse(int argc, char **argv, options *o, pfft3d_error *e);

/** Local, before MPI_Init(). The options up to the first error on the command line, for settings
 *  that are needed before errors can be reported. */
const options *options_early(int argc, char **argv);

/** Local. Checks --pgrid against the number of ranks, @p ranks or --ranks, and reads the file of
 *  --machine. Errors: USAGE, and those of pfft3d_machine_read(). */
int options_fit(options *o, int ranks, pfft3d_error *e);

/** Local. Warns of a list of grids that was probably meant as one grid. */
void options_warn(const app *a);

/** Local. The entry of option @p name in the list of command @p c, or NULL if the command does not
 *  take it; @p initial, of @p size bytes, returns the command's own default, if it has one. */
const char *command_takes(const command *c, const char *name, char *initial, size_t size);

#endif
