/* SPDX-License-Identifier: BSD-3-Clause
 * Selections: text to elements. */
#include "hdf5/selection.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* An index, a slice, or an ellipsis. */
typedef struct item {
  int ellipsis, colons;
  int given[3]; /* nonzero: the number before the first colon, after it, after the second one */
  ptrdiff_t value[3];
} item;

int pf_selection_split(char *name, char selection[PF_IO_SELECTION], pfft3d_error *e) {
  size_t length = strlen(name);
  char *slash = strrchr(name, '/'), *bracket = strchr(slash ? slash : name, '[');
  selection[0] = 0;
  if (!bracket || bracket == name || name[length - 1] != ']') return PFFT3D_OK;
  PF_CHECK(strlen(bracket) < PF_IO_SELECTION, e, PFFT3D_ERR_USAGE,
           "cannot use a selection of %zu bytes: the limit is %d", strlen(bracket),
           PF_IO_SELECTION - 1);
  snprintf(selection, PF_IO_SELECTION, "%s", bracket);
  *bracket = 0;
  return PFFT3D_OK;
}

/* ---- The text ----------------------------------------------------------------------------- */

static const char *skip(const char *c) {
  while (isspace((unsigned char)*c)) c++;
  return c;
}

/* Reads an item that ends at a comma or a bracket, which *at then points to.  Returns nonzero if it
 * is one. */
static int read_item(const char **at, item *x) {
  const char *c = skip(*at);
  *x = (item){0};
  if (strncmp(c, "...", 3) == 0) {
    x->ellipsis = 1;
    c += 3;
  }
  while (!x->ellipsis) {
    char *end;
    errno = 0;
    long long value = strtoll(c, &end, 10);
    if (errno) return 0;
    x->given[x->colons] = end != c;
    x->value[x->colons] = (ptrdiff_t)value;
    c = skip(end);
    if (*c != ':' || x->colons == 2) break;
    x->colons++;
    c++;
  }
  *at = c = skip(c);
  return (*c == ',' || *c == ']') && (x->ellipsis || x->colons || x->given[0]);
}

/* Reads all items: a slice of all for each dimension that the text does not name. */
static int read_items(const pf_dataset *d, int dims, item list[PF_IO_DIMS], pfft3d_error *e) {
  const char *c = d->selection;
  int count = 0, ellipsis = -1;
  do {
    item x;
    c++;
    int ok = read_item(&c, &x);
    if (!ok) pf_hint(e, "it is a list of indices and slices, as in '[3, :, 10:90:2]'");
    PF_CHECK(ok && (!x.ellipsis || ellipsis < 0), e, PFFT3D_ERR_USAGE,
             "cannot read the selection '%.100s'%s", d->selection,
             ok ? ": it has two ellipses" : "");
    PF_CHECK(count < dims || x.ellipsis, e, PFFT3D_ERR_DATA,
             "cannot select '%.100s' of '%.100s' in '%.100s': it has %d dimension%s", d->selection,
             d->path, d->file, dims, dims == 1 ? "" : "s");
    if (x.ellipsis)
      ellipsis = count;
    else
      list[count++] = x;
  } while (*c == ',');
  PF_CHECK(!c[1], e, PFFT3D_ERR_USAGE, "cannot read the selection '%.100s'", d->selection);
  if (ellipsis < 0) ellipsis = count;
  int after = count - ellipsis;
  memmove(list + dims - after, list + ellipsis, (size_t)after * sizeof *list);
  for (int k = ellipsis; k < dims - after; k++) list[k] = (item){.colons = 1};
  return PFFT3D_OK;
}

/* ---- The elements ------------------------------------------------------------------------- */

/* A bound of a slice, by the rules of numpy: negative ones count from the end. */
static ptrdiff_t bound(const item *x, int which, ptrdiff_t n, ptrdiff_t otherwise) {
  if (!x->given[which]) return otherwise;
  ptrdiff_t value = x->value[which] < 0 ? x->value[which] + n : x->value[which];
  return value < 0 ? 0 : value > n ? n : value;
}

/* Elements of dimension k. */
static int select_along(const item *x, int k, pf_selection *s, const pf_dataset *d,
                        pfft3d_error *e) {
  ptrdiff_t n = s->n[k];
  if (!x->colons) {
    ptrdiff_t index = x->value[0] < 0 ? x->value[0] + n : x->value[0];
    PF_CHECK(index >= 0 && index < n, e, PFFT3D_ERR_DATA,
             "cannot select '%.100s' of '%.100s' in '%.100s': index %td is not in dimension %d, "
             "which has %td",
             d->selection, d->path, d->file, x->value[0], k, n);
    s->start[k] = index;
    s->step[k] = s->count[k] = 1;
    return PFFT3D_OK;
  }
  ptrdiff_t lo = bound(x, 0, n, 0), hi = bound(x, 1, n, n), step = x->given[2] ? x->value[2] : 1;
  PF_CHECK(step >= 1, e, PFFT3D_ERR_USAGE,
           "cannot read the selection '%.100s': a step of %td, the least is 1", d->selection, step);
  PF_CHECK(lo < hi, e, PFFT3D_ERR_DATA,
           "cannot select '%.100s' of '%.100s' in '%.100s': no element of dimension %d, which has "
           "%td",
           d->selection, d->path, d->file, k, n);
  s->start[k] = lo;
  s->step[k] = step;
  s->count[k] = 1 + (hi - 1 - lo) / step;
  return PFFT3D_OK;
}

static int select_all(pf_selection *s, pf_dataset *d, pfft3d_error *e) {
  item list[PF_IO_DIMS];
  for (int k = 0; k < s->dims; k++) list[k] = (item){.colons = 1};
  if (d->selection[0]) PF_TRY(read_items(d, s->dims, list, e));
  d->dims = 0;
  for (int k = 0; k < s->dims; k++) {
    PF_TRY(select_along(&list[k], k, s, d, e));
    s->axis[k] = list[k].colons ? d->dims++ : -1;
  }
  return PFFT3D_OK;
}

/* A dataset with more dimensions than three: a selection that has three, as a hint. */
static void hint_dims(const pf_selection *s, pfft3d_error *e) {
  char text[4 * PF_IO_DIMS] = "";
  for (int k = 0; k < s->dims; k++)
    snprintf(text + strlen(text), 4, "%s%s", k ? "," : "", k < s->dims - 3 ? "0" : ":");
  pf_hint(e, "select some of it, for example '[%s]' after the name", text);
}

int pf_selection_apply(pf_selection *s, int fortran, pf_dataset *d, pfft3d_error *e) {
  ptrdiff_t pitch = 1;
  PF_TRY(select_all(s, d, e));
  PF_CHECK(d->dims >= 1, e, PFFT3D_ERR_DATA,
           "cannot select '%.100s' of '%.100s' in '%.100s': it is a single number", d->selection,
           d->path, d->file);
  if (d->dims > d->most) hint_dims(s, e);
  PF_CHECK(d->dims <= d->most, e, PFFT3D_ERR_DATA,
           "cannot read '%.100s%.100s' in '%.100s': it has %d dimensions, not 1, 2 or 3", d->path,
           d->selection, d->file, d->dims);
  for (int a = 0; a < PF_IO_DIMS; a++) {
    d->n[a] = d->stored.pitch[a] = 1;
    for (int k = 0; k < s->dims; k++) d->stored.pitch[a] *= s->n[k]; /* of missing axes */
  }
  d->stored.first = 0;
  for (int k = 0; k < s->dims; k++) {
    int dim = fortran ? k : s->dims - 1 - k;
    d->stored.first += s->start[dim] * pitch;
    if (s->axis[dim] >= 0) {
      s->axis[dim] += pf_io_axes(d->dims) - d->dims;
      d->n[s->axis[dim]] = s->count[dim];
      d->stored.pitch[s->axis[dim]] = s->step[dim] * pitch;
    }
    pitch *= s->n[dim];
  }
  return PFFT3D_OK;
}
