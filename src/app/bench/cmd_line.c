/* SPDX-License-Identifier: BSD-3-Clause
 * line: transforms of one dimension, of synthetic data as bench does, or of a file. */
#include "app/bench/bench.h"
#include "app/common/message.h"
#include "app/files/line_file.h"

static int line_run(app *a) {
  if (a->opt.input[0]) return line_file_run(a);
  const char *of_files = a->opt.output[0]       ? "output"
                         : a->opt.force         ? "force"
                         : a->opt.strict        ? "strict"
                         : a->opt.verify_output ? "verify-output"
                                                : NULL;
  if (of_files) {
    app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s: there is no --input to transform", of_files);
    app_hint(&a->error, "synthetic data is not written; --json keeps the report");
    return a->error.status;
  }
  return bench_run(a);
}

const command cmd_line = {
    .name = "line",
    .alias = "1d",
    .summary = "times, checks and explains transforms of one dimension",
    .options = "size=2^20 order=natural " LINE_OPTIONS PLAN_OPTIONS RUN_OPTIONS TIMELINE_OPTIONS
               "cuts machine device type kind precision wire batch direction norm reps warmup seed "
               "hpcc " INPUT_OPTIONS OUTPUT_OPTIONS "no-verify strict verify-output verbose",
    .about =
        "A line of N points is distributed over the ranks in blocks or cyclically, and is\n"
        "transformed as an array n1 x n2 (transpose) or in log2 P steps (butterfly).\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d line --size 2^24 --layout cyclic --exchange all\n"
        "  mpirun -n 2 pfft3d 1d --size 16M --method butterfly --order scrambled --hpcc\n"
        "  pfft3d line --size 1000003 --type r2c\n"
        "  mpirun -n 2 pfft3d line --size 1000000 --type r2c --kind dct2\n"
        "  mpirun -n 2 pfft3d line --size 4096 --batch 256 --exchange all\n",
    .run = line_run,
};
