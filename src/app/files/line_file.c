/* SPDX-License-Identifier: BSD-3-Clause
 * line --input: transforms a dataset of one dimension into another. Files are in natural order
 * whatever --layout says, and each rank reads and writes one contiguous part: both sides have
 * block layout. */
#include <string.h>

#include "app/common/message.h"
#include "app/files/file_job.h"
#include "app/files/line_file.h"

/* Refuses options for synthetic data. */
static int check_options(app *a) {
  static const char *const synthetic[] = {"reps", "warmup", "seed", "batch", NULL};
  const options *o = &a->opt;
  for (int i = 0; synthetic[i]; i++)
    if (options_given(o, synthetic[i]))
      app_fail(&a->error, PFFT3D_ERR_USAGE,
               "--%s and --input: a file is transformed once, as it is", synthetic[i]);
  if (options_given(o, "direction") && o->direction == DIRECTION_BOTH)
    app_fail(&a->error, PFFT3D_ERR_USAGE,
             "--direction 'both': files go one way: forward or backward");
  if (!options_is(o, "order", "natural"))
    app_fail(&a->error, PFFT3D_ERR_USAGE, "--order and --input: files are in natural order");
  if (o->method.count != 1)
    app_fail(&a->error, PFFT3D_ERR_USAGE, "line: --method: only one can be used at a time");
  return a->error.status;
}

int line_file_run(app *a) {
  ptrdiff_t n[3] = {1, 1, a->opt.size};
  const file_terms terms = {
      .lines = 1, .option = "size", .n = n, .example = "pfft3d line --input in.h5 --output out.h5"};
  if (!options_given(&a->opt, "size")) memset(n, 0, sizeof n); /* not given: only the default */
  return check_options(a) ? a->error.status : file_job_run(a, &terms);
}
