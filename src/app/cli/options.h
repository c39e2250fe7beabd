/* SPDX-License-Identifier: BSD-3-Clause
 * The command line: how it is read. */
#ifndef PF_APP_CLI_OPTIONS_H
#define PF_APP_CLI_OPTIONS_H

#include "app/common/app.h"

/* All commands, in the order of command_list.h; the last entry is NULL. */
extern const command *const commands[];

/** Local. Reads the command line into @p o.  Errors: USAGE, one line with the nearest valid
 *  choice. */
int options_parse(int argc, char **argv, options *o, pfft3d_error *e);

/** Local, before MPI_Init(). The options up to the first error on the command line, for those
 *  that are needed before errors can be reported. */
const options *options_early(int argc, char **argv);

/** Local. Checks --pgrid against the number of ranks, @p ranks or --ranks, and reads the file of
 *  --machine. Errors: USAGE, and those of pfft3d_machine_read(). */
int options_fit(options *o, int ranks, pfft3d_error *e);

/** Local. Whether command @p c takes the option @p name: NULL, or its place in the command's list;
 *  the command's own default is written to @p initial, at most @p size bytes, where it has one. */
const char *command_takes(const command *c, const char *name, char *initial, size_t size);

#endif
