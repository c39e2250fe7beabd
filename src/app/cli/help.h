/* SPDX-License-Identifier: BSD-3-Clause
 * Texts on commands and options, all from their tables. */
#ifndef PF_APP_CLI_HELP_H
#define PF_APP_CLI_HELP_H

#include "app/cli/options.h"

/* First word of the command line that requests the reference; not for users, so it is no command.
 * The second word is a format. */
#define HELP_REFERENCE_WORD "reference"

/** Local. Prints the help of the program, or of the named command, on stdout. */
void help_print(const options *o);

/** Local, before MPI_Init(). Prints the reference of options on stdout: items of a list in mdoc(7)
 *  (@p format "man"), or commands and options as a page in Markdown ("markdown").  Returns 0, or
 *  USAGE for another format. */
int help_reference(const char *format);

#endif
