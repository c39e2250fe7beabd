/* SPDX-License-Identifier: BSD-3-Clause
 * compress: keeps the largest components of a field, or computes the field from them. */
#include "app/common/message.h"
#include "apps/compress/compress.h"

static int missing(app *a, const char *option) {
  app_hint(&a->error, "pfft3d compress --input f.h5 --output c.h5 --share 2.5%%");
  return app_fail(&a->error, PFFT3D_ERR_USAGE, "compress: option --%s is missing", option);
}

static int compress_run(app *a) {
  const options *o = &a->opt;
  if (!o->input[0]) return missing(a, "input");
  if (!o->output[0]) return missing(a, "output");
  if (o->expand && options_given(o, "share"))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--expand and --share: %s",
                    "all components in the file are used");
  if (o->expand) return compress_expand(a);
  if (!options_given(o, "share")) return missing(a, "share");
  return compress_file(a);
}

const command cmd_compress = {
    .name = "compress",
    .summary = "keeps the largest components of a field",
    .options = "plan-budget=0 " INPUT_OPTIONS OUTPUT_OPTIONS
               "share expand precision wire " FIELD_OPTIONS RUN_OPTIONS,
    .about =
        "Transforms a dataset of one to three dimensions and writes the share of the\n"
        "components of its spectrum that are largest, in the datasets `indices` and `values` of\n"
        "the output; --expand makes the field of them again.  Exactly that share of all N\n"
        "components is kept, to the nearest whole number; of equal ones those with the smaller\n"
        "index (k0 n1 + k1) n2 + k2.  Of a real field both mirror images, k and -k, are kept or\n"
        "none: they are stored once, and where the last place is left between two, it stays\n"
        "empty.  No other choice of as many components loses less.  The report says how much of\n"
        "the energy is kept, the peak signal-to-noise ratio (range over rms error; for complex\n"
        "fields the largest modulus over it) and the sizes of the files.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d compress -i head.h5 -o small.h5 --share 2.5%\n"
        "  mpirun -n 2 pfft3d compress --expand -i small.h5 -o again.h5\n",
    .single = 1,
    .run = compress_run,
};
