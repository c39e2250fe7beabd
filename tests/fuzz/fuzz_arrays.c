/* SPDX-License-Identifier: BSD-3-Clause
 * Files of numpy and of numbers only, and selections.  The first byte says which, a line has the
 * selection, for numbers only another one the layout and the offset; the file follows. */
#define _GNU_SOURCE /* memfd_create */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "hdf5/npy.h"
#include "hdf5/selection.h"

/* The next line, ended by 0. */
static void take_line(bytes *b, char *line, size_t size) {
  size_t length = 0;
  for (unsigned c; b->at < b->end && (c = take_byte(b)) != '\n';)
    if (c && length < size - 1) line[length++] = (char)c;
  line[length] = 0;
}

/* What was accepted is in the file: its last element, too. */
static void check_inside(const pf_dataset *d, size_t size) {
  const pf_number *number = pf_number_at(d->stored.number);
  MUST(number && d->dims >= 1 && d->dims <= d->most, "number %d, %d dims", d->stored.number,
       d->dims);
  size_t element = number->bytes * (d->is_complex ? 2 : 1);
  long double last = d->stored.first;
  for (int a = 0; a < pf_io_axes(d->dims); a++) {
    MUST(d->n[a] >= 1 && d->stored.pitch[a] >= 1, "axis %d: %td by %lld", a, d->n[a],
         d->stored.pitch[a]);
    MUST(a >= 3 - d->dims || d->n[a] == 1, "axis %d of %d: %td", a, d->dims, d->n[a]);
    last += (long double)(d->n[a] - 1) * (long double)d->stored.pitch[a];
  }
  MUST(d->stored.first >= 0 && d->stored.offset >= 0, "%lld, %lld", d->stored.first,
       d->stored.offset);
  MUST((long double)d->stored.offset + (last + 1) * (long double)element <= (long double)size,
       "the last element is behind %zu bytes", size);
  MUST(memchr(d->type, 0, sizeof d->type) && d->type[0], "no type");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int file = -1;
  char name[PF_IO_PATH], layout[256], offset[32];
  bytes b = {data, data + size};
  pf_dataset d = {.most = size % 2 ? 3 : PF_IO_DIMS};
  pfft3d_error e = {0};
  if (file < 0) file = memfd_create("input", 0);
  if (file < 0) exit(77);
  unsigned which = take_byte(&b);
  take_line(&b, name, sizeof name);
  if (pf_selection_split(name, d.selection, &e)) return 0;
  if (which == 'r') {
    take_line(&b, layout, sizeof layout);
    take_line(&b, offset, sizeof offset);
  }
  size_t rest = (size_t)(b.end - b.at);
  if (ftruncate(file, 0) || pwrite(file, b.at, rest, 0) != (ssize_t)rest) exit(99);
  snprintf(d.file, sizeof d.file, "/proc/self/fd/%d", file);
  int status =
      which == 'r' ? pf_raw_inspect(layout, atoll(offset), &d, &e) : pf_npy_inspect(&d, &e);
  if (!status) {
    check_inside(&d, rest);
    return 0;
  }
  MUST(status == e.status && (status == PFFT3D_ERR_DATA || status == PFFT3D_ERR_USAGE),
       "status %d, %d: %s", status, e.status, e.text);
  MUST(e.text[0] && memchr(e.text, 0, sizeof e.text), "status %d without words", status);
  return 0;
}
