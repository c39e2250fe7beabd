/* SPDX-License-Identifier: BSD-3-Clause
 * Relations between options: exclusions and implications. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cli/option_value.h"
#include "app/common/message.h"

/* A process grid implies pencils. */
static int check_pgrid(options *o, pfft3d_error *e) {
  char grid[FILE_SIZE], decomp[FILE_SIZE];
  if (!options_given(o, "pgrid") || options_is(o, "decomp", "pencil")) return PFFT3D_OK;
  if (options_is(o, "decomp", "auto")) return options_put(o, "decomp", "pencil", e);
  app_fail(e, PFFT3D_ERR_USAGE,
           "--pgrid %.40s and --decomp %.20s: only pencils have a grid of ranks",
           options_key(o, "pgrid", grid), options_key(o, "decomp", decomp));
  app_hint(e, "leave out one of them");
  return e->status;
}

/* The first of these options that was given, or NULL. */
static const char *first_given(const options *o, const char *const *names) {
  while (*names && !options_given(o, *names)) names++;
  return *names;
}

/* Lines have other defaults: natural order, and the layout of the other side. */
static int complete_line(options *o, pfft3d_error *e) {
  char layout[FILE_SIZE];
  if (!options_given(o, "order") && options_put(o, "order", "natural", e)) return e->status;
  if (options_given(o, "out-layout")) return PFFT3D_OK;
  return options_put(o, "out-layout", options_key(o, "layout", layout), e);
}

/* Fields and lines have different options. */
static int check_line(options *o, pfft3d_error *e) {
  static const char *const fields[] = {"grid", "decomp", "pgrid", "bricks",
                                       "keep", "sign",   "pad",   NULL};
  static const char *const lines[] = {"layout", "out-layout", "method", NULL};
  const char *of_field = first_given(o, fields), *of_line = first_given(o, lines);
  if (o->size && of_field)
    return app_fail(e, PFFT3D_ERR_USAGE, "--size and --%s: one is of lines, one of fields",
                    of_field);
  if (!o->size && of_line) {
    app_fail(e, PFFT3D_ERR_USAGE, "--%s: only lines have it", of_line);
    app_hint(e, "--size makes it a line");
    return e->status;
  }
  if (!o->size || complete_line(o, e)) return e->status;
  if (!options_is(o, "order", "natural") && options_given(o, "out-layout")) {
    app_fail(e, PFFT3D_ERR_USAGE,
             "--out-layout and --order: a spectrum that is not in natural order has neither "
             "distribution");
    app_hint(e, "leave out one of them");
  }
  return e->status;
}

/* Engines for devices are used only if they are named.  Command kernels has kernels instead. */
static int check_device(const options *o, pfft3d_error *e) {
  int used = o->kernel[0] != 0;
  char device[FILE_SIZE];
  for (int i = 0; i < o->engine.count; i++) used |= options_is_device(o->engine.name[i]);
  if (used || !options_given(o, "device")) return PFFT3D_OK;
  app_fail(e, PFFT3D_ERR_USAGE, "--device %.40s: no engine for devices is named",
           options_key(o, "device", device));
  app_hint(e, "--engine opencl transforms on it");
  return e->status;
}

/* Maps have special options for grids and numbers of ranks. */
static int check_map(const options *o, pfft3d_error *e) {
  static const char *const many[] = {"grids", "rank-counts", NULL};
  static const char *const one[] = {"grid", "size", "ranks", "pgrid", "cuts", "bricks", NULL};
  const char *of_map = first_given(o, many), *of_one = first_given(o, one);
  if (o->map && of_one) {
    app_fail(e, PFFT3D_ERR_USAGE, "--map and --%s: a map is about many grids and numbers of ranks",
             of_one);
    app_hint(e, "--grids and --rank-counts say which, as --grids 64..1024 --rank-counts 1..4096x4");
  } else if (!o->map && of_map) {
    app_fail(e, PFFT3D_ERR_USAGE, "--%s: only maps have it", of_map);
    app_hint(e, "--map makes one");
  }
  return e->status;
}

/* The rules of HPC Challenge. */
static int check_hpcc(const options *o, pfft3d_error *e) {
  const char *other = options_is(o, "type", "r2c")         ? "--type r2c"
                      : o->direction == DIRECTION_BACKWARD ? "--direction backward"
                      : o->no_verify                       ? "--no-verify"
                      : o->input[0]                        ? "--input"
                      : options_is(o, "wire", "single")    ? "--wire single"
                      : options_number(o, "batch") > 1     ? "--batch"
                      : options_given(o, "kind")           ? "--kind"
                                                           : NULL;
  if (!o->hpcc || !other) return PFFT3D_OK;
  return app_fail(
      e, PFFT3D_ERR_USAGE,
      "--hpcc and %s: it times and checks a forward and a backward transform of complex random "
      "data, in the precision of its arithmetic",
      other);
}

/* All elements of a batch must be countable. */
static int check_batch(const options *o, pfft3d_error *e) {
  ptrdiff_t batch = (ptrdiff_t)options_number(o, "batch");
  for (int i = 0; i < o->grid_list.count; i++) {
    const ptrdiff_t *n = o->grid_list.n[i]; /* the product has been checked */
    ptrdiff_t total;
    if (__builtin_mul_overflow(n[0] * n[1] * n[2], batch, &total))
      return app_fail(e, PFFT3D_ERR_USAGE,
                      "--batch %td: more than %td elements in all fields cannot be numbered", batch,
                      (ptrdiff_t)PTRDIFF_MAX);
  }
  return PFFT3D_OK;
}

/* The size of grid i or of the line.  The size of an input is not known yet: a size with as many
 * axes as the text has values is used instead, and the command checks the values again. */
static pfft3d_problem size_for(const options *o, int i, const char *text) {
  const char *comma = strchr(text, ',');
  pfft3d_problem p = {.n = {2, 2, 2}};
  if (o->size) return (pfft3d_problem){.dims = 1, .n = {1, 1, o->size}};
  if (o->grid_list.count)
    memcpy(p.n, o->grid_list.n[i], sizeof p.n);
  else if (comma && !strchr(comma + 1, ','))
    p.n[0] = 1;
  return p;
}

/* Kinds and kept modes must fit all grids and lines. */
static int check_kinds(const options *o, pfft3d_error *e) {
  for (int i = 0; i < (o->grid_list.count ? o->grid_list.count : 1); i++) {
    pfft3d_problem kinds = size_for(o, i, o->kind), modes = size_for(o, i, o->keep);
    if (!o->axes[0] && options_axes("kind", o->kind, &kinds, e)) break;
    if (options_axes("keep", o->keep, &modes, e)) break;
  }
  return e->status;
}

/* For tests: PFFT3D_TEST_MAX_COUNT limits the elements of one MPI call. */
static int read_max_count(options *o, pfft3d_error *e) {
  const char *text = getenv("PFFT3D_TEST_MAX_COUNT");
  pfft3d_error unsaid = {0};
  if (!text || !options_put(o, "max-count", text, &unsaid)) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE, "PFFT3D_TEST_MAX_COUNT='%.60s': expected a whole number",
                  text);
}

static int check_wisdom(const options *o, pfft3d_error *e) {
  if (!o->wisdom_required || !options_given(o, "deterministic")) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE,
                  "--wisdom-required and --deterministic: fixed choices take no wisdom");
}

/* A picture is always a PNG file, so its name must say so. */
static int check_png(const options *o, pfft3d_error *e) {
  size_t length = strlen(o->png);
  if (!length) return PFFT3D_OK;
  if (strcmp(o->png, "-") == 0)
    return app_fail(e, PFFT3D_ERR_USAGE, "--png -: a picture needs the name of a file");
  if (length >= 4 && strcasecmp(o->png + length - 4, ".png") == 0) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE,
                  "--png '%.100s': pictures are PNG files: a name ends in .png", o->png);
}

/* The ending of a timeline's name is its format. */
static int check_timeline(const options *o, pfft3d_error *e) {
  const char *ending = strrchr(o->timeline, '.');
  if (!o->timeline[0] && options_given(o, "timeline-events"))
    return app_fail(e, PFFT3D_ERR_USAGE, "--timeline-events: there is no --timeline");
  if (!o->timeline[0]) return PFFT3D_OK;
  if (ending && (strcasecmp(ending, ".json") == 0 || strcasecmp(ending, ".svg") == 0))
    return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE, "--timeline '%.100s': a name ends in .json or .svg",
                  o->timeline);
}

/* Reads the description of the machine; --latency and --bandwidth override its values between
 * nodes. */
static int read_machine(options *o, pfft3d_error *e) {
  pfft3d_machine usual, *m = &o->machine;
  if (o->machine_file[0] && pfft3d_machine_read(o->machine_file, m, e)) return e->status;
  if (o->latency < 0 && o->bandwidth < 0) return PFFT3D_OK;
  pfft3d_machine_init(&usual);
  double given = (double)options_number(o, "node-ranks");
  double ranks = given > 0 ? given : m->node_ranks ? m->node_ranks : 1;
  if (o->latency >= 0) m->start[1] = o->latency;
  if (o->bandwidth >= 0) m->bandwidth[1] = o->bandwidth * ranks; /* per node */
  if (o->machine_file[0]) return PFFT3D_OK;
  if (o->latency < 0) m->start[1] = usual.start[1];
  if (o->bandwidth < 0) m->bandwidth[1] = usual.bandwidth[1];
  m->overlap[1] = usual.overlap[1];
  return PFFT3D_OK;
}

/* Relations between options. */
int options_check(options *o, pfft3d_error *e) {
  options_select(o, 0);
  if (o->quiet && o->verbose)
    return app_fail(e, PFFT3D_ERR_USAGE, "--quiet and --verbose: only one of them makes sense");
  return check_pgrid(o, e) || check_line(o, e) || check_map(o, e) || check_hpcc(o, e) ||
                 check_batch(o, e) || check_kinds(o, e) || check_device(o, e) ||
                 check_wisdom(o, e) || check_png(o, e) || check_timeline(o, e) || read_max_count(o, e)
             ? e->status
             : PFFT3D_OK;
}

void options_warn(const app *a) {
  const extents_list *l = &a->opt.grid_list;
  const ptrdiff_t *n = l->n[0];
  char one[96] = "";
  int alike = !options_given(&a->opt, "input") && (l->count == 2 || l->count == 3) &&
              n[0] == n[1] && n[1] == n[2];
  for (int i = 0; alike && i < l->count; i++) {
    size_t used = strlen(one);
    snprintf(one + used, sizeof one - used, "%s%td", i ? "x" : "", n[0]);
    alike = memcmp(l->n[i], n, sizeof l->n[i]) == 0;
  }
  if (alike)
    app_warn(a, "--grid is a list of the same cube, %d times; one field is --grid %s", l->count,
             one);
}

int options_fit(options *o, int ranks, pfft3d_error *e) {
  char grid[FILE_SIZE];
  long long part[2] = {0, 0}, there = o->ranks ? o->ranks : ranks;
  sscanf(options_key(o, "pgrid", grid), "%lldx%lld", &part[0], &part[1]);
  long long needed = part[0] * part[1];
  if (needed <= there) return read_machine(o, e);
  app_fail(e, PFFT3D_ERR_USAGE, "--pgrid %.40s: %lld ranks are needed, there %s %lld", grid, needed,
           there > 1 ? "are" : "is", there);
  app_hint(e, "%s %lld, or a grid of at most %lld", o->ranks ? "--ranks" : "mpirun -n", needed,
           there);
  return e->status;
}
