/* SPDX-License-Identifier: BSD-3-Clause
 * Fields in HDF5 files. */
#include "app/common/field_file.h"

#include <math.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/progress.h"
#include "app/common/number.h"
#include "app/common/watch.h"

int field_probe(app *a, const char *name, field_input *in) {
  const options *o = &a->opt;
  char layout[sizeof o->raw + 1];
  watch_kick("looking at the input");
  in->precision = options_precision(o);
  snprintf(layout, sizeof layout, "%s%s", o->big_endian ? ">" : "", o->raw);
  const int raw = o->raw[0] && name != o->with && !in->aside;
  const pfft3d_input_spec spec = {.name = name,
                                  .layout = raw ? layout : NULL,
                                  .offset = raw && options_given(o, "offset") ? o->offset : -1,
                                  .dims = in->dims,
                                  .external = o->external,
                                  .filters = o->filters[0] ? o->filters : NULL};
  watch_slow(name);
  pfft3d_dataset_open(a->comm, &spec, sizeof spec, &in->dataset, &a->error);
  watch_slow(NULL);
  if (a->error.status) return a->error.status;
  pfft3d_dataset_get_info(in->dataset, &in->info, sizeof in->info);
  if (in->info.unwritten)
    app_warn(a, "'%s:%s' has never been written: all its elements are the fill value",
             in->info.file, in->info.path);
  return PFFT3D_OK;
}

/* ---- Values that are not finite ----------------------------------------------------------- */

/* The parts of an array. */
typedef struct parts {
  void *array;
  int single, each; /* parts of an element */
  ptrdiff_t elements;
} parts;

static int is_finite(const parts *p, ptrdiff_t i) {
  int finite = 1;
  for (int k = 0; k < p->each; k++)
    finite = finite && isfinite(number_get(p->array, p->single, i * p->each + k));
  return finite;
}

/* Collective. The mean of the finite elements: its parts. */
static int find_mean(app *a, const parts *p, double mean[2]) {
  long double sum[3] = {0, 0, 0};
  for (ptrdiff_t i = 0; i < p->elements; i++) {
    if (!is_finite(p, i)) continue;
    for (int k = 0; k < p->each; k++) sum[k] += number_get(p->array, p->single, i * p->each + k);
    sum[2]++;
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
  if (!(sum[2] > 0))
    return app_fail(&a->error, PFFT3D_ERR_DATA, "--fill mean: the input has no finite value");
  for (int k = 0; k < 2; k++) mean[k] = (double)(sum[k] / sum[2]);
  return PFFT3D_OK;
}

/* Collective. Replaces all elements that are not finite. */
static int fill(app *a, field_input *in, const parts *p, const char *found) {
  double value[2] = {a->opt.fill, 0};
  if (isnan(value[0]) && find_mean(a, p, value)) return a->error.status;
  for (ptrdiff_t i = 0; i < p->elements; i++) {
    if (is_finite(p, i)) continue;
    for (int k = 0; k < p->each; k++) number_set(p->array, p->single, i * p->each + k, value[k]);
  }
  in->filled = in->info.nonfinite;
  in->info.nonfinite = 0;
  if (in->told++) return PFFT3D_OK;
  if (p->each == 2 && value[1] != 0)
    app_warn(a, "%s: they are replaced by %g%+gi", found, value[0], value[1]);
  else
    app_warn(a, "%s: they are replaced by %g", found, value[0]);
  return PFFT3D_OK;
}

/* Fills or refuses values that are not finite, or warns of them, after a read of so many elements.
 */
static int judge(app *a, field_input *in, pfft3d_numbers numbers, ptrdiff_t elements, void *array,
                 const char *otherwise) {
  pfft3d_dataset_info *info = &in->info;
  char found[320], missing[48] = "";
  pfft3d_dataset_get_info(in->dataset, info, sizeof *info);
  if (!(info->nonfinite > 0)) return PFFT3D_OK;
  if (info->missing > 0)
    snprintf(missing, sizeof missing, " (%.0f marked as missing)", info->missing);
  snprintf(found, sizeof found, "'%.100s:%.100s' has values that are not finite%s: %.0f of them%s",
           info->file, info->path, in->precision == PFFT3D_SINGLE ? " in single precision" : "",
           info->nonfinite, missing);
  if (options_given(&a->opt, "fill")) {
    parts p = {.array = array,
               .single = in->precision == PFFT3D_SINGLE,
               .each = numbers == PFFT3D_REAL ? 1 : 2,
               .elements = elements};
    return fill(a, in, &p, found);
  }
  if (a->opt.strict || !otherwise) {
    app_hint(&a->error, "--fill mean or --fill VALUE replaces them");
    return app_fail(&a->error, PFFT3D_ERR_DATA, "%s", found);
  }
  if (!in->told++) app_warn(a, "%s: %s; --fill replaces them", found, otherwise);
  return PFFT3D_OK;
}

static double begin_reading(const app *a, const field_input *in) {
  watch_kick("reading the input");
  progress_enter(a, 0, "reading %.80s", in->info.file);
  return MPI_Wtime();
}

int field_read(app *a, field_input *in, pfft3d_numbers numbers, const pfft3d_box *box, void *array,
               const char *otherwise) {
  double start = begin_reading(a, in);
  pfft3d_dataset_read(in->dataset, in->precision, numbers, box, array, &a->error);
  progress_leave(a);
  if (a->error.status) return a->error.status;
  in->seconds += MPI_Wtime() - start;
  return judge(a, in, numbers, box->len[0] * box->len[1] * box->len[2], array, otherwise);
}

int field_read_block(app *a, field_input *in, pfft3d_numbers numbers, const pfft3d_block *block,
                     void *array, const char *otherwise) {
  ptrdiff_t elements = 1;
  double start = begin_reading(a, in);
  pfft3d_dataset_read_block(in->dataset, in->precision, numbers, block, array, &a->error);
  progress_leave(a);
  if (a->error.status) return a->error.status;
  in->seconds += MPI_Wtime() - start;
  for (int k = 0; k < in->info.dims; k++) elements *= block->len[k];
  return judge(a, in, numbers, elements, array, otherwise);
}

const char *field_path(const pfft3d_dataset_info *info, char path[FIELD_PATH]) {
  size_t length = strlen(info->path) - strlen(info->selection);
  snprintf(path, FIELD_PATH, "%.*s", (int)length, info->path);
  return path;
}

int field_attribute(app *a, const field_input *in, const char *name, char *text, size_t size) {
  return pfft3d_dataset_attribute(in->dataset, name, text, size, &a->error);
}

enum { MOST_ATTRIBUTES = 16 };

/* Texts that a specification refers to. */
typedef struct spec_room {
  char place[1600];
  pfft3d_attribute all[MOST_ATTRIBUTES];
} spec_room;

/* What @p wish says, with the version and all that is known from the source. */
static pfft3d_output_spec complete(const app *a, const field_input *source,
                                   const pfft3d_output_spec *wish, spec_room *r) {
  static const pfft3d_axis of_source[8];
  pfft3d_output_spec spec = *wish;
  int count = 0;
  memset(r->all, 0, sizeof r->all);
  r->all[count++] = (pfft3d_attribute){"pfft3d_version", pfft3d_version()};
  for (const pfft3d_attribute *w = wish->attributes; w && w->name && count < MOST_ATTRIBUTES - 2;
       w++)
    r->all[count++] = *w;
  if (source) {
    snprintf(r->place, sizeof r->place, "%s:%s", source->info.file, source->info.path);
    r->all[count] = (pfft3d_attribute){"source", r->place};
    spec.source = source->dataset;
    if (!spec.axes) spec.axes = of_source;
  }
  spec.precision = options_precision(&a->opt);
  spec.store = a->opt.store[0] ? a->opt.store : NULL;
  spec.attributes = r->all;
  return spec;
}

int field_create(app *a, const field_input *source, const pfft3d_output_spec *wish,
                 field_output *out) {
  spec_room room;
  pfft3d_output_spec spec = complete(a, source, wish, &room);
  snprintf(out->name, sizeof out->name, "%s", wish->name ? wish->name : a->opt.output);
  spec.name = out->name;
  spec.overwrite = a->opt.force;
  spec.into = a->opt.into;
  watch_kick("reserving the output");
  return pfft3d_output_create(a->comm, &spec, sizeof spec, &out->output, &a->error);
}

static double begin_writing(const app *a, const field_output *out) {
  watch_kick("writing the output");
  progress_enter(a, 0, "writing %.80s", out->name);
  return MPI_Wtime();
}

int field_write_block(app *a, field_output *out, const pfft3d_block *block, const void *array) {
  double start = begin_writing(a, out);
  pfft3d_output_write_block(out->output, block, array, &a->error);
  progress_leave(a);
  out->seconds += MPI_Wtime() - start;
  return a->error.status;
}

int field_commit(app *a, field_output *out) {
  double start = begin_writing(a, out);
  pfft3d_output_commit(&out->output, &a->error);
  progress_leave(a);
  out->seconds += MPI_Wtime() - start;
  return a->error.status;
}

int field_write(app *a, field_output *out, const pfft3d_box *box, const void *array) {
  double start = begin_writing(a, out);
  pfft3d_output_write(out->output, box, array, &a->error);
  progress_leave(a);
  if (a->error.status) return a->error.status;
  out->seconds += MPI_Wtime() - start;
  return field_commit(a, out);
}

int field_not_finite(app *a, double count) {
  char many[40] = "";
  if (count > 0) snprintf(many, sizeof many, ": %.0f of them", count);
  const char *hint = "sums are larger than the largest number: divide the input before";
  if (options_is(&a->opt, "wire", "single")) hint = "--wire double has room for larger numbers";
  if (options_precision(&a->opt) == PFFT3D_SINGLE)
    hint = "--precision double has room for larger numbers";
  app_hint(&a->error, "%s", hint);
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
                     const field_input *source, const pfft3d_output_spec *next) {
  spec_room room;
  pfft3d_output_spec spec = source ? complete(a, source, next, &room) : *next;
  double start = begin_writing(a, out);
  if (pfft3d_output_write(out->output, box, array, &a->error) ||
      pfft3d_output_add(out->output, &spec, sizeof spec, &a->error))
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
