/* SPDX-License-Identifier: BSD-3-Clause
 * The XDMF file of a series of snapshots, which ParaView opens.  Its x runs fastest in memory,
 * which is axis 2 here: there vectors are (w, v, u). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/common/message.h"
#include "apps/turbulence/snapshot.h"

static const char time_mark[] = "<Time Value=\"";

/* The times of snapshots before this one, from the existing list; the caller frees them.  For
 * unknown times they are the snapshots' numbers. */
static double *old_times(const char *list, int count) {
  double *t = calloc((size_t)count + 1, sizeof *t);
  char line[256];
  FILE *file = fopen(list, "r");
  int k = 0;
  for (int i = 0; t && i < count; i++) t[i] = i;
  while (t && file && k < count && fgets(line, sizeof line, file)) {
    const char *at = strstr(line, time_mark);
    if (at) t[k++] = strtod(at + sizeof time_mark - 1, NULL);
  }
  if (file) fclose(file);
  return t;
}

/* A file's name as text of XML. */
static void put_name(FILE *file, const char *name) {
  for (; *name; name++)
    if (strchr("&<>\"", *name))
      fprintf(file, "&#%d;", *name);
    else
      fputc(*name, file);
}

/* The extents of the grid, "N0 N1 N2" or "N0 N1". */
static void put_extents(FILE *file, const flow *f) {
  for (int k = 3 - f->dims; k < 3; k++)
    fprintf(file, "%s%td", k > 3 - f->dims ? " " : "", f->r.problem.n[k]);
}

static void put_array(FILE *file, const char *h5, const char *path, const flow *f) {
  fprintf(file, "<DataItem Dimensions=\"");
  put_extents(file, f);
  fprintf(file, "\" NumberType=\"Float\" Precision=\"%zu\" Format=\"HDF\">", f->real);
  put_name(file, h5);
  fprintf(file, ":/%s</DataItem>\n", path);
}

/* The velocity of three dimensions. */
static void put_velocity(FILE *file, const char *h5, const flow *f) {
  static const char *const paths[] = {"w", "v", "u"};
  fprintf(file,
          "<Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Node\">\n"
          "<DataItem ItemType=\"Function\" Function=\"JOIN($0, $1, $2)\" Dimensions=\"");
  put_extents(file, f);
  fprintf(file, " 3\">\n");
  for (int c = 0; c < 3; c++) put_array(file, h5, paths[c], f);
  fprintf(file, "</DataItem>\n</Attribute>\n");
}

static void put_mesh(FILE *file, double t, const flow *f) {
  const double two_pi = 6.28318530717958647692;
  fprintf(file,
          "<Grid Name=\"flow\" GridType=\"Uniform\">\n%s%.17g\"/>\n"
          "<Topology TopologyType=\"%dDCoRectMesh\" Dimensions=\"",
          time_mark, t, f->dims);
  put_extents(file, f);
  fprintf(file,
          "\"/>\n<Geometry GeometryType=\"ORIGIN_DXDY%s\">\n"
          "<DataItem Dimensions=\"%d\" Format=\"XML\">%s0 0</DataItem>\n"
          "<DataItem Dimensions=\"%d\" Format=\"XML\">",
          f->dims == 3 ? "DZ" : "", f->dims, f->dims == 3 ? "0 " : "", f->dims);
  for (int k = 3 - f->dims; k < 3; k++)
    fprintf(file, "%s%.17g", k > 3 - f->dims ? " " : "", two_pi / (double)f->r.problem.n[k]);
  fprintf(file, "</DataItem>\n</Geometry>\n");
}

static void put_snapshot(FILE *file, const snapshots *s, int number, double t, const flow *f) {
  char name[FILE_SIZE];
  const char *slash = strrchr(snapshot_name(s, number, name), '/'), *h5 = slash ? slash + 1 : name;
  put_mesh(file, t, f);
  for (int k = 0, c; k < flow_grid_names(f); k++) {
    const char *path = flow_grid_name(f, k, &c);
    fprintf(file, "<Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n", path);
    put_array(file, h5, path, f);
    fprintf(file, "</Attribute>\n");
  }
  if (f->dims == 3) put_velocity(file, h5, f);
  fprintf(file, "</Grid>\n");
}

int xdmf_write(const snapshots *s, const flow *f, pfft3d_error *e) {
  char list[PATH_MAX], temporary[PATH_MAX + 16];
  int series = snapshot_series(s), before = series ? s->number : 0;
  snapshot_list(s, list);
  snprintf(temporary, sizeof temporary, "%s.%ld", list, (long)getpid());
  double *t = old_times(list, before);
  FILE *file = t ? fopen(temporary, "w") : NULL;
  int good = file != NULL;
  if (file) {
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
            "<Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (int k = 0; k < before; k++) put_snapshot(file, s, k, t[k], f);
    put_snapshot(file, s, series ? s->number : 0, f->now.t, f);
    fprintf(file, "</Grid>\n</Domain>\n</Xdmf>\n");
    good = !fflush(file) && !ferror(file);
    good = !fclose(file) && good && !rename(temporary, list);
    if (!good) unlink(temporary);
  }
  free(t);
  return good ? PFFT3D_OK
              : app_fail(e, PFFT3D_ERR_IO, "cannot write '%.150s': %s", list, strerror(errno));
}
