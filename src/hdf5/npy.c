/* SPDX-License-Identifier: BSD-3-Clause
 * The header of a .npy file: eight bytes, its length, and a dictionary of Python: {'descr': '<f8',
 * 'fortran_order': False, 'shape': (3, 4), }.  Files are not trusted: only this form is read, and
 * every number is checked. */
#include "hdf5/npy.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "hdf5/selection.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, MOST_HEADER = 1 << 16 };

/* The contents of a header. */
typedef struct npy {
  char descr[16];
  int fortran;
  pf_selection shape; /* its dims and n */
} npy;

int pf_npy_is(const char *file) {
  char head[MAGIC];
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int is = fd >= 0 && pread(fd, head, sizeof head, 0) == MAGIC && !memcmp(head, magic, MAGIC);
  if (fd >= 0) close(fd);
  return is;
}

/* ---- The dictionary ----------------------------------------------------------------------- */

static void skip(const char **c) {
  while (isspace((unsigned char)**c)) (*c)++;
}

/* Skips blanks, then a word if it is next; returns nonzero if it was. */
static int word(const char **c, const char *text) {
  skip(c);
  if (strncmp(*c, text, strlen(text)) != 0) return 0;
  *c += strlen(text);
  return 1;
}

/* A string in quotes. */
static int string(const char **c, char *out, size_t size) {
  skip(c);
  char quote = **c;
  const char *end = quote == '\'' || quote == '"' ? strchr(*c + 1, quote) : NULL;
  if (!end || (size_t)(end - *c) > size) return 0;
  snprintf(out, size, "%.*s", (int)(end - *c - 1), *c + 1);
  *c = end + 1;
  return 1;
}

/* "(3, 4)", "(3,)"; dims becomes PF_IO_DIMS + 1 if there are more. */
static int shape(const char **c, pf_selection *s) {
  s->dims = 0;
  if (!word(c, "(")) return 0;
  while (!word(c, ")")) {
    char *end;
    skip(c);
    if (!isdigit((unsigned char)**c)) return 0;
    errno = 0;
    long long n = strtoll(*c, &end, 10);
    *c = end;
    if (errno || s->dims > PF_IO_DIMS) return 0;
    if (s->dims < PF_IO_DIMS) s->n[s->dims] = (ptrdiff_t)n;
    s->dims++;
    if (!word(c, ",") && **c != ')') return 0;
  }
  return 1;
}

/* Reads one entry of the dictionary; returns its bit, 0 if it is none. */
static int entry(const char **c, npy *h) {
  char key[16];
  if (!string(c, key, sizeof key) || !word(c, ":")) return 0;
  if (!strcmp(key, "descr")) {
    skip(c);
    if (**c == '[') return 8; /* a structure: what follows is not read */
    return string(c, h->descr, sizeof h->descr);
  }
  if (!strcmp(key, "shape")) return shape(c, &h->shape) * 2;
  if (strcmp(key, "fortran_order") != 0) return 0;
  h->fortran = word(c, "True");
  return (h->fortran || word(c, "False")) * 4;
}

/* Parses the text; returns 7 if it has all three entries, 8 for a structure. */
static int dictionary(const char *c, npy *h) {
  int found = 0;
  if (!word(&c, "{")) return 0;
  while (!word(&c, "}")) {
    int bit = entry(&c, h);
    if (bit == 8) return 8;
    if (!bit || found & bit) return 0;
    found |= bit;
    if (!word(&c, ",") && *c != '}') return 0;
  }
  skip(&c);
  return *c ? 0 : found;
}

/* ---- The file ----------------------------------------------------------------------------- */

static int fail_header(const pf_dataset *d, pfft3d_error *e) {
  return pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%.200s': its header is not that of a .npy file",
                 d->file);
}

/* Reads the header of an open file: *text is to be freed, and *offset is where the array begins. */
static int read_header(int fd, const pf_dataset *d, char **text, long long *offset,
                       pfft3d_error *e) {
  unsigned char head[12];
  if (pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head, magic, MAGIC) != 0)
    return fail_header(d, e);
  PF_CHECK(head[6] >= 1 && head[6] <= 3, e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': version %d of the .npy format is not known (1 to 3 are)", d->file,
           head[6]);
  size_t length = head[8] + 256U * head[9], at = 10;
  if (head[6] > 1) {
    length += ((size_t)head[10] << 16) + ((size_t)head[11] << 24);
    at = 12;
  }
  if (length > MOST_HEADER) return fail_header(d, e);
  *text = calloc(length + 1, 1);
  PF_CHECK(*text, e, PFFT3D_ERR_MEMORY, "no memory for a header");
  if (pread(fd, *text, length, (off_t)at) != (ssize_t)length || strlen(*text) != length)
    return fail_header(d, e);
  *offset = (long long)(at + length);
  return PFFT3D_OK;
}

/* The format of numbers, of pairs of them if *is_complex: its index, or -1. */
static int number_of(const char *descr, int *is_complex) {
  char kind = 0, order = 0, more = 0;
  unsigned bytes = 0;
  if (sscanf(descr, "%c%c%2u%c", &order, &kind, &bytes, &more) != 3) return -1;
  if (!strchr("<>|=", order) || descr[2] == '+' || isspace((unsigned char)descr[2])) return -1;
  int big = order == '>' || (order != '<' && pf_number_native_big());
  *is_complex = kind == 'c';
  return *is_complex ? pf_number_index('f', bytes / 2, big) : pf_number_index(kind, bytes, big);
}

/* The shape, and the bytes of the array. */
static int accept_shape(npy *h, pf_dataset *d, pfft3d_error *e) {
  size_t bytes = 2 * sizeof(double), count = 1;
  pf_selection *s = &h->shape;
  PF_CHECK(s->dims >= 1 && s->dims <= PF_IO_DIMS, e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': it has %s", d->file,
           s->dims ? "more than 8 dimensions" : "no dimension, but a single number");
  for (int k = 0; k < s->dims; k++) {
    PF_CHECK(s->n[k] > 0, e, PFFT3D_ERR_DATA, "cannot read '%.200s': dimension %d is 0", d->file,
             k);
    PF_CHECK(!pf_mul(bytes, (size_t)s->n[k], &bytes) && bytes <= PTRDIFF_MAX, e, PFFT3D_ERR_DATA,
             "cannot read '%.200s': its size overflows", d->file);
    count *= (size_t)s->n[k];
  }
  size_t element = pf_number_at(d->stored.number)->bytes * (d->is_complex ? 2 : 1);
  PF_CHECK(!pf_mul(count, element, &bytes) && bytes <= PTRDIFF_MAX, e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': its size overflows", d->file);
  d->stored.bytes = (long long)bytes;
  return PFFT3D_OK;
}

/* Fails unless the file has these bytes; @p all: and no more. */
static int check_bytes(const pf_dataset *d, int all, pfft3d_error *e) {
  char claimed[32], held[32];
  long long file = d->stored.fingerprint[2] - d->stored.offset;
  if (all && file > d->stored.bytes)
    pf_hint(e, "an offset, which may be 0, reads a part of the file from there");
  PF_CHECK(file >= d->stored.bytes && (!all || file == d->stored.bytes), e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': %s %s, the file holds %s", d->file,
           all ? "the shape takes" : "it claims", pf_bytes((double)d->stored.bytes, claimed),
           pf_bytes(file > 0 ? (double)file : 0, held));
  return PFFT3D_OK;
}

/* Describes the selected part of an array whose type and shape are known. */
static int describe(npy *h, const struct stat *st, int all, pf_dataset *d, pfft3d_error *e) {
  pf_io_fingerprint(st, d->stored.fingerprint);
  d->packing = (pf_packing){.scale = 1};
  d->plain = 1;
  d->stored.number = number_of(h->descr, &d->is_complex);
  int objects = strchr(h->descr, 'O') != NULL;
  if (objects) pf_hint(e, "numpy can save it as numbers: a.astype(float)");
  PF_CHECK(d->stored.number >= 0, e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': its type is %s%.16s, not a real or complex number", d->file,
           objects ? "Python objects, " : "", h->descr);
  const pf_number *number = pf_number_at(d->stored.number);
  pf_number_name(number->kind, number->bytes, number->bytes > 1 && number->big ? " big-endian" : "",
                 d->is_complex, d->type);
  PF_TRY(accept_shape(h, d, e));
  PF_TRY(check_bytes(d, all, e));
  return pf_selection_apply(&h->shape, h->fortran, d, e);
}

/* The path of the only array of a file. */
static int take_path(pf_dataset *d, pfft3d_error *e) {
  PF_CHECK(!d->path[0] || !strcmp(d->path, PF_NPY_PATH), e, PFFT3D_ERR_DATA,
           "no dataset '%.100s' in '%.100s': this file has only " PF_NPY_PATH, d->path, d->file);
  snprintf(d->path, sizeof d->path, PF_NPY_PATH);
  return PFFT3D_OK;
}

int pf_npy_inspect(pf_dataset *d, pfft3d_error *e) {
  struct stat st;
  npy h = {.fortran = 0};
  char *text = NULL;
  PF_TRY(take_path(d, e));
  int fd = open(d->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  PF_CHECK(fd >= 0, e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': %s", d->file, strerror(errno));
  if (fstat(fd, &st)) pf_fail(e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s'", d->file);
  if (!e->status) read_header(fd, d, &text, &d->stored.offset, e);
  close(fd);
  int found = e->status ? 0 : dictionary(text, &h);
  free(text);
  PF_TRY(e->status);
  PF_CHECK(found != 8, e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': its type is a structure, not a real or complex number", d->file);
  if (found != 7) return fail_header(d, e);
  return describe(&h, &st, 0, d, e);
}

/* ---- Files without a header ----------------------------------------------------------------- */

/* "256x256x256" */
static int lengths(const char *c, pf_selection *s) {
  char *end;
  s->dims = 0;
  do {
    errno = 0;
    long long n = isdigit((unsigned char)*c) ? strtoll(c, &end, 10) : 0;
    if (n < 1 || errno || s->dims == PF_IO_DIMS) return 0;
    s->n[s->dims++] = (ptrdiff_t)n;
    c = end + 1;
  } while (*end == 'x');
  return !*end;
}

int pf_raw_inspect(const char *layout, long long offset, pf_dataset *d, pfft3d_error *e) {
  struct stat st;
  npy h = {.fortran = 0};
  const char *colon = strchr(layout, ':');
  int swap = layout[0] && strchr("<>", layout[0]);
  PF_TRY(take_path(d, e));
  PF_TRY(pf_io_stat(d->file, &st, e));
  snprintf(h.descr, sizeof h.descr, "%s%.*s", swap ? "" : "<", colon ? (int)(colon - layout) : 0,
           layout);
  if (!colon || colon - layout > 8 || number_of(h.descr, &d->is_complex) < 0 ||
      !lengths(colon + 1, &h.shape)) {
    pf_hint(e, "a type of numpy and the lengths of the axes, as in f8:256x256x256, >c8:64x64");
    return pf_fail(e, PFFT3D_ERR_USAGE, "cannot read the layout '%.100s'", layout);
  }
  d->stored.offset = offset < 0 ? 0 : offset;
  return describe(&h, &st, offset < 0, d, e);
}

/* ---- Headers that are written --------------------------------------------------------------- */

void pf_npy_header(const pf_io_element *x, int dims, const ptrdiff_t *n,
                   char header[PF_NPY_HEADER]) {
  char kind = x->parts == 2 ? 'c' : x->indices ? 'u' : 'f';
  char lengths[24 * PF_IO_DIMS] = "";
  int last = pf_io_axes(dims) - 1;
  for (int a = last + 1 - dims; a <= last; a++)
    snprintf(lengths + strlen(lengths), 24, "%td%s", n[a], a < last ? ", " : dims == 1 ? "," : "");
  memset(header, ' ', PF_NPY_HEADER);
  memcpy(header, magic, MAGIC);
  header[6] = 1;
  header[7] = 0;
  header[8] = (char)(PF_NPY_HEADER - 10);
  header[9] = 0;
  int length = snprintf(header + 10, PF_NPY_HEADER - 10,
                        "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s), }",
                        pf_number_native_big() ? '>' : '<', kind, x->bytes, lengths);
  header[10 + length] = ' '; /* instead of the final 0 */
  header[PF_NPY_HEADER - 1] = '\n';
}
