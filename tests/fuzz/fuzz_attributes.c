/* SPDX-License-Identifier: BSD-3-Clause
 * Attributes of HDF5 files that are whole: netCDF's, of compressed fields and of snapshots.  The
 * first line says which and the type of the numbers, "n i2"; each other line is an attribute, a
 * text "name=words" or numbers "name:f8=1,2". */
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/options.h"
#include "apps/compress/compress.h"
#include "apps/turbulence/snapshot.h"
#include "fuzz.h"
#include "pfft3d_hdf5.h"

enum { NUMBERS = 6, MOST_POINTS = 100000 };

/* A kind of file: the datasets, of numbers of a type, or complex, of which the first has the
 * attributes; what reads it. */
typedef struct file_kind {
  char letter;
  const char *path[2];
  int complex_from; /* number of the first complex dataset */
  int first;        /* number that is the first one of the datasets */
  hsize_t n[3];
  int dims;
  void (*read)(app *a, const char *file);
} file_kind;

static char points_of_shape; /* nonzero: the shape is too large to be tried here */

static void read_netcdf(app *a, const char *file) {
  char name[FILE_SIZE];
  double x[NUMBERS];
  long found = 0;
  pfft3d_dataset *d = NULL;
  pfft3d_dataset_info info = {0};
  const pfft3d_box box = {.len = {1, 1, NUMBERS}};
  snprintf(name, sizeof name, "%s:/x", file);
  if (!pfft3d_dataset_probe(a->comm, name, &d, &a->error) &&
      !pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_REAL, &box, x, &a->error)) {
    pfft3d_dataset_get_info(d, &info, sizeof info);
    for (int k = 0; k < NUMBERS; k++) found += !isfinite(x[k]);
    MUST((double)found == info.nonfinite && info.missing <= info.nonfinite,
         "%ld are not finite, not %g, %g of them missing", found, info.nonfinite, info.missing);
    MUST(isfinite(info.scale_factor) && isfinite(info.add_offset), "a factor %g, an offset %g",
         info.scale_factor, info.add_offset);
  }
  pfft3d_dataset_free(&d);
}

static void read_compressed(app *a, const char *file) {
  snprintf(a->opt.input, sizeof a->opt.input, "%s", file);
  snprintf(a->opt.output, sizeof a->opt.output, "%s.out.h5", file);
  if (points_of_shape) return;
  int out = dup(1), null = open("/dev/null", O_WRONLY);
  fflush(stdout);
  dup2(null, 1);
  compress_expand(a);
  fflush(stdout);
  dup2(out, 1);
  close(out), close(null);
  unlink(a->opt.output);
}

static void read_snapshot(app *a, const char *file) {
  snapshot_info s;
  if (snapshot_look(a, file, &s)) return;
  const flow_terms *t = &s.terms;
  for (int k = 0; k < 3; k++) MUST(t->n[k] >= 1 && t->n[k] <= 1 << 24, "grid %td", t->n[k]);
  MUST(s.t >= 0 && s.step >= 0 && s.number >= 0 && t->nu >= 0 && t->dealias >= 0 && t->dealias < 3,
       "time %g, step %lld, number %d, nu %g", s.t, s.step, s.number, t->nu);
  MUST(t->scalar.schmidt > 0 && isfinite(t->scalar.gradient) && isfinite(t->force.strength),
       "schmidt %g, strength %g", t->scalar.schmidt, t->force.strength);
}

static const file_kind kinds[] = {
    {'n', {"/x", NULL}, 2, NUMBERS, {NUMBERS}, 1, read_netcdf},
    {'c', {"/indices", "/values"}, 1, 0, {NUMBERS}, 1, read_compressed},
    {'s', {"/spectrum/u", NULL}, 0, 0, {1, 2, 3}, 3, read_snapshot},
};

static hid_t type_of(const char *word) {
  static const char *const name[] = {"i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4"};
  const hid_t type[] = {H5T_STD_I8LE,  H5T_STD_U8BE,  H5T_STD_I16BE, H5T_STD_U16LE, H5T_STD_I32LE,
                        H5T_STD_U32LE, H5T_STD_I64LE, H5T_STD_U64LE, H5T_IEEE_F32LE};
  for (int k = 0; k < 9; k++)
    if (!strncmp(word, name[k], 2)) return type[k];
  return H5T_IEEE_F64LE;
}

static void put(hid_t dataset, const char *name, hid_t type, hsize_t count, hid_t memory,
                const void *data) {
  if (!*name || H5Aexists(dataset, name) > 0) return;
  hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  hid_t a = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (a >= 0) H5Awrite(a, memory, data), H5Aclose(a);
  H5Sclose(space);
}

/* The attribute of a line. */
static void put_line(hid_t dataset, char *line) {
  char *value = strchr(line, '='), *type = strchr(line, ':');
  if (!value) return;
  *value++ = 0;
  if (!strcmp(line, "shape")) {
    double points = 1;
    for (char *at = value; *at; at += *at != 0) points *= fmax(strtod(at, &at), 1);
    points_of_shape = !(points <= MOST_POINTS);
  }
  if (type && type < value) {
    double x[8];
    hsize_t count = 0;
    *type++ = 0;
    for (char *at = value; count < 8; at++) {
      x[count++] = strtod(at, &at);
      if (*at != ',') break;
    }
    put(dataset, line, type_of(type), count, H5T_NATIVE_DOUBLE, x);
  } else {
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, strlen(value) + 1);
    put(dataset, line, text, 0, text, value);
    H5Tclose(text);
  }
}

static hid_t make_dataset(hid_t file, const file_kind *kind, int k, hid_t real) {
  static const double data[2 * NUMBERS] = {0, 1, 2, 3, 5, 7, 1e30, -32767, -1, 99, 3, 0};
  hid_t both = H5Tcreate(H5T_COMPOUND, 16), parents = H5Pcreate(H5P_LINK_CREATE);
  H5Tinsert(both, "r", 0, H5T_NATIVE_DOUBLE), H5Tinsert(both, "i", 8, H5T_NATIVE_DOUBLE);
  H5Pset_create_intermediate_group(parents, 1);
  hid_t type = k >= kind->complex_from ? both : real,
        memory = k >= kind->complex_from ? both : H5T_NATIVE_DOUBLE;
  hid_t space = H5Screate_simple(kind->dims, kind->n, NULL);
  hid_t d = H5Dcreate2(file, kind->path[k], type, space, parents, H5P_DEFAULT, H5P_DEFAULT);
  if (d >= 0) H5Dwrite(d, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data + kind->first);
  H5Sclose(space), H5Pclose(parents), H5Tclose(both);
  return d;
}

static app *start(void) {
  static app a = {.ranks = 1};
  static char *words[] = {"pfft3d",  "compress", "--expand", "-i",   "x",          "-o", "y",
                          "--force", "--quiet",  "--wisdom", "none", "--watchdog", "0"};
  if (a.commands) {
    a.error = (pfft3d_error){0};
    return &a;
  }
  MPI_Init(NULL, NULL);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  a.comm = MPI_COMM_SELF;
  a.commands = commands;
  MUST(!options_parse(sizeof words / sizeof *words, words, &a.opt, &a.error), "%s", a.error.text);
  a.command = commands[a.opt.command];
  return &a;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[2048], name[64], *rest = text;
  if (size >= sizeof text) return -1;
  memcpy(text, data, size);
  text[size] = 0;
  app *a = start();
  const file_kind *kind = &kinds[0];
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (text[0] == kinds[k].letter) kind = &kinds[k];
  char *line = strsep(&rest, "\n");
  snprintf(name, sizeof name, "/dev/shm/pfft3d-fuzz-%d.h5", (int)getpid());
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) exit(99);
  points_of_shape = 0;
  hid_t first = make_dataset(file, kind, 0, type_of(strlen(line) > 2 ? line + 2 : ""));
  if (kind->path[1]) H5Dclose(make_dataset(file, kind, 1, H5T_IEEE_F64LE));
  while ((line = strsep(&rest, "\n"))) put_line(first, line);
  H5Dclose(first);
  H5Fclose(file);
  kind->read(a, name);
  unlink(name);
  const pfft3d_error *e = &a->error;
  MUST(!e->status || e->text[0], "status %d without words", e->status);
  MUST(e->status == PFFT3D_OK || e->status == PFFT3D_ERR_DATA || e->status == PFFT3D_ERR_NOINPUT ||
           e->status == PFFT3D_ERR_CHECK || e->status == PFFT3D_ERR_OUTPUT,
       "status %d: %s", e->status, e->text);
  return 0;
}
