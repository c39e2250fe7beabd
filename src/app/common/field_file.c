/* SPDX-License-Identifier: BSD-3-Clause
 * Fields in HDF5 files. */
#include "app/common/field_file.h"

#include <string.h>

#include "app/common/message.h"
#include "app/common/watch.h"

int field_probe(app *a, const char *name, field_input *in) {
  watch_kick("looking at the input");
  in->precision = options_precision(&a->opt);
  if (pfft3d_dataset_probe(a->comm, name, &in->dataset, &a->error)) return a->error.status;
  return pfft3d_dataset_get_info(in->dataset, &in->info, sizeof in->info);
}

const char *field_missing(const pfft3d_dataset_info *info, char out[FIELD_MISSING]) {
  out[0] = 0;
  if (info->missing > 0) snprintf(out, FIELD_MISSING, " (%.0f marked as missing)", info->missing);
  return out;
}

int field_read(app *a, field_input *in, pfft3d_numbers numbers, const pfft3d_box *box, void *array,
               const char *otherwise) {
  pfft3d_dataset_info *info = &in->info;
  watch_kick("reading the input");
  app_progress(a, "reading %s", info->file);
  double start = MPI_Wtime();
  if (pfft3d_dataset_read(in->dataset, in->precision, numbers, box, array, &a->error))
    return a->error.status;
  in->seconds += MPI_Wtime() - start;
  pfft3d_dataset_get_info(in->dataset, info, sizeof *info);
  if (!(info->nonfinite > 0)) return PFFT3D_OK;
  char found[320];
  char missing[FIELD_MISSING];
  snprintf(found, sizeof found, "'%.100s:%.100s' has values that are not finite%s: %.0f of them%s",
           info->file, info->path, in->precision == PFFT3D_SINGLE ? " in single precision" : "",
           info->nonfinite, field_missing(info, missing));
  if (a->opt.strict || !otherwise) return app_fail(&a->error, PFFT3D_ERR_DATA, "%s", found);
  app_warn(a, "%s: %s", found, otherwise);
  return PFFT3D_OK;
}

int field_attribute(app *a, const field_input *in, const char *name, char *text, size_t size) {
  return pfft3d_dataset_attribute(in->dataset, name, text, size, &a->error);
}

int field_create(app *a, const field_input *source, const pfft3d_output_spec *wish,
                 field_output *out) {
  enum { MOST = 16 };
  char place[1600];
  pfft3d_attribute all[MOST] = {{"pfft3d_version", pfft3d_version()}};
  pfft3d_output_spec spec = *wish;
  int count = 1;
  for (const pfft3d_attribute *w = wish->attributes; w && w->name && count < MOST - 2; w++)
    all[count++] = *w;
  if (source) {
    snprintf(place, sizeof place, "%s:%s", source->info.file, source->info.path);
    all[count] = (pfft3d_attribute){"source", place};
    spec.path = wish->path ? wish->path : source->info.path;
    spec.source = source->dataset;
  }
  snprintf(out->name, sizeof out->name, "%s", wish->name ? wish->name : a->opt.output);
  spec.name = out->name;
  spec.precision = options_precision(&a->opt);
  spec.overwrite = a->opt.force;
  spec.attributes = all;
  watch_kick("reserving the output");
  return pfft3d_output_create(a->comm, &spec, sizeof spec, &out->output, &a->error);
}

int field_write(app *a, field_output *out, const pfft3d_box *box, const void *array) {
  watch_kick("writing the output");
  app_progress(a, "writing %s", out->name);
  double start = MPI_Wtime();
  if (pfft3d_output_write(out->output, box, array, &a->error) ||
      pfft3d_output_commit(&out->output, &a->error))
    return a->error.status;
  out->seconds += MPI_Wtime() - start;
  return PFFT3D_OK;
}

int field_not_finite(app *a, double count) {
  char many[40] = "";
  if (count > 0) snprintf(many, sizeof many, ": %.0f of them", count);
  if (options_precision(&a->opt) == PFFT3D_SINGLE)
    app_hint(&a->error, "--precision double has room for larger numbers");
  return app_fail(&a->error, PFFT3D_ERR_CHECK,
                  "the result has values that are not finite%s; the input has none", many);
}

int field_write_rows(app *a, field_output *out, const rows *r, const void *array, int finite) {
  double wrong = finite ? rows_nonfinite(r, options_precision(&a->opt) == PFFT3D_SINGLE, array) : 0;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_SUM, a->comm);
  if (wrong > 0) return field_not_finite(a, wrong);
  return field_write(a, out, &r->part, array);
}

int field_write_next(app *a, field_output *out, const pfft3d_box *box, const void *array,
                     const pfft3d_output_spec *next) {
  watch_kick("writing the output");
  double start = MPI_Wtime();
  if (pfft3d_output_write(out->output, box, array, &a->error) ||
      pfft3d_output_add(out->output, next, sizeof *next, &a->error))
    return a->error.status;
  out->seconds += MPI_Wtime() - start;
  return PFFT3D_OK;
}

void field_close(field_input *in) {
  pfft3d_dataset_free(&in->dataset);
}

void field_discard(field_output *out) {
  pfft3d_output_discard(&out->output);
}
