/* SPDX-License-Identifier: BSD-3-Clause
 * NAS FT: its run, and the output of the original program. */
#ifndef PF_APPS_NAS_NAS_H
#define PF_APPS_NAS_NAS_H

#include <jansson.h>

#include "app/common/app.h"
#include "apps/nas/nas_class.h"

enum { NAS_ORIGINALS = 256 };

/* The output of the original program; with several runs in a file, the run of median time. */
typedef struct nas_original {
  char file[FILE_SIZE], version[32];
  char letter;
  int runs, iterations, ranks; /* ranks or threads; 0: not printed */
  int verified;                /* all runs */
  double seconds, mops;
  int checksums; /* of the last run */
  double checksum[NAS_ITERATIONS][2];
} nas_original;

/** Local. Reads the text output of an NPB run.  Errors: NOINPUT, DATA. */
int nas_original_read(const char *file, nas_original *original, pfft3d_error *e);

/** Local. The entry {"file", "version", "class", ...} of the original. */
json_t *nas_original_report(const nas_original *original);

/** Collective on a->comm. Runs a class with every plan that the options select; adds the entries to
 * "runs".  A check that fails is recorded in a->error; other errors in @p e. */
int nas_run_all(app *a, const nas_class *c, json_t *report, pfft3d_error *e);

/** Local. The report as text. */
void nas_text(const app *a, const json_t *report);

#endif
