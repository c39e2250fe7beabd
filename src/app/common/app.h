/* SPDX-License-Identifier: BSD-3-Clause
 * What every command gets (app) and what every command is (command). */
#ifndef PF_APP_COMMON_APP_H
#define PF_APP_COMMON_APP_H

#include <pfft3d.h>
#include <stdio.h>

#include "app/common/options.h"

typedef struct command command;

/* One run of the program.  `opt` and `error` are the same on all ranks between two steps. */
typedef struct app {
  MPI_Comm comm;
  int rank, ranks;
  const command *command;         /* the one that runs */
  const command *const *commands; /* all of them, NULL behind the last */
  options opt;
  pfft3d_wisdom *wisdom; /* what was read, or found by tune; NULL: none */
  pfft3d_error error;    /* the first failure; its status is the exit code */
} app;

struct command {
  const char *name, *summary;
  const char *alias;     /* another name, or NULL */
  const char *options;   /* names of the options it takes, with its own default where it has one:
                            "grid=24x18x20 algo=all seed" */
  const char *arguments; /* names of what it takes besides options, "A.json B.json", or NULL; at
                            most MAX_ARGUMENTS */
  const char *about;     /* for --help: what it does, and examples */
  int single;            /* it makes one plan for one direction: options take no lists of names */

  /* Collective on a->comm.  Does the work and prints.  Returns a->error.status. */
  int (*run)(app *a);
};

#endif
