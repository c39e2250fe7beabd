/* SPDX-License-Identifier: BSD-3-Clause
 * The context of a run (app) and the description of a command (command). */
#ifndef PF_APP_COMMON_APP_H
#define PF_APP_COMMON_APP_H

#include <pfft3d_tune.h>
#include <stdio.h>

#include "app/common/options.h"

typedef struct command command;

/* One run of the program. Between two steps `opt` and `error` are the same on all ranks. */
typedef struct app {
  MPI_Comm comm;
  int rank, ranks;
  const command *command;         /* the current command */
  const command *const *commands; /* all commands; the last entry is NULL */
  options opt;
  pfft3d_timeline *timeline; /* of --timeline; NULL: none */
  pfft3d_wisdom *wisdom; /* wisdom that was read, or found by tune; NULL: none */
  pfft3d_error error;    /* the first failure; its status is the exit code */
} app;

/* Options that many commands take.  A default that a command has for one of them stands in front:
 * "exchange=all " PLAN_OPTIONS. */
#define PLAN_OPTIONS      "exchange chunk local node-ranks engine threads "
#define FIELD_OPTIONS     PLAN_OPTIONS "decomp pgrid "
#define LINE_OPTIONS      "size layout out-layout method "
#define TRANSFORM_OPTIONS "type kind keep sign precision wire cuts bricks "
#define INPUT_OPTIONS     "input raw offset byte-order external filters fill "
#define OUTPUT_OPTIONS    "output store into force "
#define TIMELINE_OPTIONS  "timeline timeline-events "
#define RUN_OPTIONS       "deterministic wisdom wisdom-required plan-budget json csv watchdog quiet "

struct command {
  const char *name, *summary;
  const char *alias;   /* another name, or NULL */
  const char *options; /* names of the options it takes, some with its own default: "grid=24x18x20
                          exchange=all seed" */
  const char
      *arguments;    /* names of its arguments, "A.json B.json", or NULL; at most MAX_ARGUMENTS */
  const char *about; /* for --help: purpose and examples */
  int single; /* it makes a single plan for one direction: its options take no lists of names */
  int many_threads; /* --threads takes a list */

  /* Local. Name of an additional output file for @p file, or NULL.  NULL: there are none. */
  const char *(*beside)(const options *o, const char *file);

  int own_csv; /* --csv is a table that the command writes itself, not the report */

  /* Collective on a->comm.  Does the work and prints.  Returns a->error.status. */
  int (*run)(app *a);
};

#endif
