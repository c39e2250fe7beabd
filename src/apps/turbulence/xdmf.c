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

static void put_array(FILE *file, const char *h5, const char *path, const flow *f) {
  const ptrdiff_t *n = f->r.problem.n;
  fprintf(file,
          "<DataItem Dimensions=\"%td %td %td\" NumberType=\"Float\" Precision=\"%zu\" "
          "Format=\"HDF\">",
          n[0], n[1], n[2], f->real);
  put_name(file, h5);
  fprintf(file, ":/%s</DataItem>\n", path);
}

static void put_snapshot(FILE *file, const snapshots *s, int number, double t, const flow *f) {
  static const char *const paths[] = {"u", "v", "w"};
  const ptrdiff_t *n = f->r.problem.n;
  char name[FILE_SIZE];
  const double two_pi = 6.28318530717958647692;
  const char *slash = strrchr(snapshot_name(s, number, name), '/'), *h5 = slash ? slash + 1 : name;
  fprintf(file,
          "<Grid Name=\"flow\" GridType=\"Uniform\">\n%s%.17g\"/>\n"
          "<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%td %td %td\"/>\n"
          "<Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
          "<DataItem Dimensions=\"3\" Format=\"XML\">0 0 0</DataItem>\n"
          "<DataItem Dimensions=\"3\" Format=\"XML\">%.17g %.17g %.17g</DataItem>\n</Geometry>\n",
          time_mark, t, n[0], n[1], n[2], two_pi / (double)n[0], two_pi / (double)n[1],
          two_pi / (double)n[2]);
  for (int c = 0; c < 3; c++) {
    fprintf(file, "<Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n", paths[c]);
    put_array(file, h5, paths[c], f);
    fprintf(file, "</Attribute>\n");
  }
  fprintf(file,
          "<Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Node\">\n"
          "<DataItem ItemType=\"Function\" Function=\"JOIN($0, $1, $2)\" "
          "Dimensions=\"%td %td %td 3\">\n",
          n[0], n[1], n[2]);
  for (int c = 2; c >= 0; c--) put_array(file, h5, paths[c], f);
  fprintf(file, "</DataItem>\n</Attribute>\n</Grid>\n");
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
