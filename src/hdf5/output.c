/* SPDX-License-Identifier: BSD-3-Clause
 * Output: a file that is complete, or does not exist.
 *
 * Rank 0 creates the file alone, under a temporary name in the same directory, and reserves all its
 * space before anything is computed: on a full disk a parallel write was seen to hang, or to lose
 * data and report success, which no later check would find.  Then all ranks open and write it. When
 * every rank has closed it, rank 0 renames it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* renameat2 */
#endif
#include "hdf5/output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary.h"

/* ---- The public functions ----------------------------------------------------------------- */

/* Collective. Removes the temporary file, if any, and frees *output. */
static void drop(pfft3d_output **output) {
  pfft3d_output *o = *output;
  *output = NULL;
  if (!o) return;
  if (o->fd >= 0) {
    unlink(o->temporary);
    close(o->fd);
  }
  pf_temporary_drop(o->slot);
  pf_sidecar_release(&o->sidecar);
  pf_io_comm_free(&o->comm);
  free(o);
}

/* Extents of chunks: as given, or at most this many elements along each axis. */
enum { CHUNK = 64, DEFAULT_LEVEL = 4 };

static int read_chunks(const char *text, pfft3d_output *o) {
  int axes = pf_io_axes(o->dims), first = axes - o->dims;
  for (int a = 0; a < axes; a++) o->chunk[a] = o->n[a] < CHUNK ? o->n[a] : CHUNK;
  if (!*text) return 1;
  for (int a = first; a < axes; a++) {
    char *end;
    long long n = isdigit((unsigned char)text[1]) ? strtoll(text + 1, &end, 10) : 0;
    if (*text != (a == first ? '=' : 'x') || n < 1 || n > o->n[a]) return 0;
    o->chunk[a] = (ptrdiff_t)n;
    text = end;
  }
  return !*text;
}

/* Local. "chunks=64x64x64", "gzip:6". */
static int specify_store(const pfft3d_output_spec *spec, pfft3d_output *o, pfft3d_error *e) {
  const char *store = spec->store, *rest = store;
  o->chunked = o->gzip = 0;
  if (!store || strcmp(store, "contiguous") == 0) return PFFT3D_OK;
  PF_CHECK(!o->format->path, e, PFFT3D_ERR_USAGE, "store '%.60s': a %s file is contiguous", store,
           o->format->ending);
  if (strncmp(store, "gzip", 4) == 0) {
    o->gzip = DEFAULT_LEVEL;
    rest += 4;
    if (*rest == ':' && rest[1] >= '1' && rest[1] <= '9') {
      o->gzip = rest[1] - '0';
      rest += 2;
    }
  } else if (strncmp(store, "chunks", 6) == 0) {
    rest += 6;
  }
  o->chunked = rest > store && read_chunks(rest, o);
  if (!o->chunked)
    pf_hint(e, "contiguous, chunks, chunks=64x64x64 (no more than the dataset), gzip, gzip:6");
  PF_CHECK(o->chunked, e, PFFT3D_ERR_USAGE, "store '%.60s': unknown", store);
  return PFFT3D_OK;
}

/* Local. The dataset of a specification, without its path. */
static int specify_dataset(const pfft3d_output_spec *spec, pfft3d_output *o, pfft3d_error *e) {
  PF_CHECK(spec->dims >= 1 && spec->dims <= PF_IO_DIMS, e, PFFT3D_ERR_USAGE,
           "cannot write %d dimensions: 1 to %d are possible", spec->dims, PF_IO_DIMS);
  PF_TRY(pf_io_output_element(spec->precision, spec->numbers, &o->element, e));
  o->dims = spec->dims;
  for (int a = 0; a < pf_io_axes(o->dims); a++) {
    o->n[a] = spec->extent[a];
    PF_CHECK(o->dims <= 3 || o->n[a] >= 1, e, PFFT3D_ERR_USAGE,
             "cannot write %td elements along axis %d", o->n[a], a);
    PF_CHECK(o->n[a] >= 1 && (a >= 3 - o->dims || o->n[a] == 1), e, PFFT3D_ERR_USAGE,
             "cannot write %td x %td x %td as %d dimensions", spec->n[0], spec->n[1], spec->n[2],
             o->dims);
  }
  return specify_store(spec, o, e);
}

static int specify_path(const char *path, pfft3d_output *o, pfft3d_error *e) {
  size_t length = strlen(path);
  PF_CHECK(length < sizeof o->path, e, PFFT3D_ERR_USAGE,
           "cannot use a path of %zu bytes: the limit is %d", length, PF_IO_PATH - 1);
  memcpy(o->path, path, length + 1);
  return PFFT3D_OK;
}

/* The format for files of this name. */
static const pf_output_format *format_of(const char *file) {
  const pf_output_format *npy = &pf_output_npy;
  size_t length = strlen(file), ending = strlen(npy->ending);
  return length > ending && !strcmp(file + length - ending, npy->ending) ? npy : &pf_output_hdf5;
}

/* Local. Checks the specification and copies it. */
static int specify(const pfft3d_output_spec *spec, pfft3d_output *o, pfft3d_error *e) {
  PF_TRY(pf_io_parse_name(spec->name, o->file, o->path, PFFT3D_ERR_USAGE, e));
  const char *colon = o->path[0] ? NULL : pf_io_missing_slash(o->file);
  if (colon) pf_hint(e, "write %.*s:/%s", (int)(colon - o->file), o->file, colon + 1);
  PF_CHECK(!colon, e, PFFT3D_ERR_USAGE, "cannot write '%.200s': a path begins with '/'",
           spec->name);
  o->format = format_of(o->file);
  if (o->format->path) {
    PF_CHECK(!o->path[0] || !strcmp(o->path, o->format->path), e, PFFT3D_ERR_USAGE,
             "cannot write '%.200s': a %s file has only the dataset %s", spec->name,
             o->format->ending, o->format->path);
    PF_TRY(specify_path(o->format->path, o, e));
  } else if (!o->path[0] && (spec->path || spec->source)) {
    PF_TRY(specify_path(spec->path ? spec->path : spec->source->found.path, o, e));
  }
  size_t length = strlen(o->path), file = strlen(o->file);
  PF_CHECK(length > 0 && o->path[length - 1] != '/', e, PFFT3D_ERR_USAGE,
           "cannot write '%.200s': the dataset needs a name, as in FILE:/PATH", spec->name);
  PF_CHECK(o->file[file - 1] != '/', e, PFFT3D_ERR_USAGE,
           "cannot write '%.200s': it is a directory", o->file);
  o->overwrite = spec->overwrite;
  o->into = spec->into;
  PF_CHECK(!o->into || !o->format->path, e, PFFT3D_ERR_USAGE,
           "cannot write into '%.200s': a %s file is one array", o->file, o->format->ending);
  return specify_dataset(spec, o, e);
}

/* Local. IO if a write has failed: the contents of the file are then unknown. */
static int check_earlier(const pfft3d_output *o, pfft3d_error *e) {
  PF_CHECK(o->written >= 0, e, PFFT3D_ERR_IO, "cannot write '%.200s': an earlier write failed",
           o->file);
  return PFFT3D_OK;
}

/* Local. As specify(), for another dataset in the same file. */
static int specify_more(const pfft3d_output_spec *spec, pfft3d_output *o, pfft3d_error *e) {
  PF_TRY(check_earlier(o, e));
  PF_CHECK(!o->format->path, e, PFFT3D_ERR_USAGE,
           "cannot add a dataset: '%.200s' is a %s file, which is one array", o->file,
           o->format->ending);
  PF_CHECK(o->written, e, PFFT3D_ERR_USAGE, "cannot add a dataset: '%.200s' was not written",
           o->path);
  PF_CHECK(!spec->name && spec->path && spec->path[0] == '/' &&
               spec->path[strlen(spec->path) - 1] != '/',
           e, PFFT3D_ERR_USAGE, "cannot add a dataset: it needs a path, as '/PATH', and no name");
  PF_TRY(specify_path(spec->path, o, e));
  o->written = 0;
  return specify_dataset(spec, o, e);
}

/* Collective. Rank 0 chooses the names. */
static int share_names(pfft3d_output *o, pfft3d_error *e) {
  char names[sizeof o->file + sizeof o->temporary]; /* following a link changes o->file */
  memcpy(names, o->file, sizeof o->file);
  memcpy(names + sizeof o->file, o->temporary, sizeof o->temporary);
  PF_TRY(pf_mpi(e, MPI_Bcast(names, (int)sizeof names, MPI_BYTE, 0, o->comm), "MPI_Bcast"));
  memcpy(o->file, names, sizeof o->file);
  memcpy(o->temporary, names + sizeof o->file, sizeof o->temporary);
  return PFFT3D_OK;
}

/* Collective. Between pf_h5_begin() and pf_h5_end(); agreed.  After a failure the caller drops
 * *output. */
static int create(MPI_Comm comm, const pfft3d_output_spec *spec, pfft3d_output **output,
                  pfft3d_error *e) {
  int rank;
  pfft3d_output *o = calloc(1, sizeof *o);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): pf_h5_begin() ensures it */
  *output = o;
  if (o) {
    o->fd = o->slot = -1;
    o->sidecar = pf_sidecar_none;
    o->comm = MPI_COMM_NULL;
    specify(spec, o, e);
  } else {
    pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory for an output");
  }
  PF_TRY(pf_agree(comm, e));
  PF_TRY(pf_io_comm(comm, &o->comm, e));
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) pf_output_prepare(o, spec, e);
  PF_TRY(pf_agree(comm, e));
  PF_TRY(share_names(o, e));
  /* listed by all ranks before it exists: any rank may be the last to be killed */
  o->slot = pf_temporary_add(o->temporary);
  PF_TRY(pf_sidecar_register(o->comm, o->temporary, 1, &o->sidecar, e));
  if (rank == 0) pf_output_create_file(o, spec, e);
  return pf_agree(comm, e);
}

/* The specification for this version, see pf_struct_in(). */
static int read_spec(const pfft3d_output_spec *spec, size_t size, pfft3d_output_spec *known,
                     pfft3d_error *e) {
  PF_TRY(pf_struct_in(known, sizeof *known, spec, size, "create an output", e));
  for (int a = 0; a < 3 && known->dims <= 3; a++) known->extent[a] = known->n[a];
  return PFFT3D_OK;
}

int pfft3d_output_create(MPI_Comm comm, const pfft3d_output_spec *spec, size_t size,
                         pfft3d_output **output, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pfft3d_output_spec known;
  pf_error_clear(&e);
  if (output) *output = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (!output) pf_fail(&e, PFFT3D_ERR_USAGE, "cannot create an output: no address for it (NULL)");
  read_spec(spec, size, &known, &e);
  if (!pf_h5_begin(comm, &guard, &e)) {
    if (create(comm, &known, output, &e)) drop(output);
    pf_h5_end(&guard);
  }
  return pf_error_out(&e, error);
}

int pfft3d_output_create_f(const pfft3d_fint *comm, const pfft3d_output_spec *spec, size_t size,
                           pfft3d_output **output, pfft3d_error *error) {
  return pfft3d_output_create(pf_comm_f(comm), spec, size, output, error);
}

const char *pfft3d_output_temporary(const pfft3d_output *output) {
  return output ? output->temporary : "";
}

/* USAGE for NULL instead of an output, or if its communicator is no longer usable. */
static int check_output(const pfft3d_output *output, pfft3d_error *e) {
  PF_CHECK(output, e, PFFT3D_ERR_USAGE, "cannot write: the output is NULL");
  return pf_mpi_ready(e);
}

/* Collective. Between pf_h5_begin() and pf_h5_end(); agreed. */
static int add(pfft3d_output *o, const pfft3d_output_spec *spec, pfft3d_error *e) {
  pfft3d_output next = *o;
  if (!e->status) specify_more(spec, &next, e);
  PF_TRY(pf_agree(o->comm, e));
  if (o->fd >= 0) pf_output_add_dataset(&next, spec, e);
  if (next.written < 0) o->written = -1;
  PF_TRY(pf_agree(o->comm, e));
  *o = next;
  return PFFT3D_OK;
}

int pfft3d_output_add(pfft3d_output *output, const pfft3d_output_spec *spec, size_t size,
                      pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pfft3d_output_spec known;
  pf_error_clear(&e);
  if (check_output(output, &e)) return pf_error_out(&e, error);
  read_spec(spec, size, &known, &e);
  if (!pf_h5_begin(output->comm, &guard, &e)) {
    add(output, &known, &e);
    pf_h5_end(&guard);
  }
  return pf_error_out(&e, error);
}

/* Collective. Between pf_h5_begin() and pf_h5_end(); agreed.  Failures before the file is opened
 * change nothing. */
static int write_box(pfft3d_output *o, const pfft3d_box *given, const pfft3d_block *block,
                     const void *array, pfft3d_error *e) {
  pf_io_box box;
  long long rounds = 0;
  check_earlier(o, e);
  if (o->fd >= 0) pf_output_check(o, PFFT3D_ERR_IO, e);
  if (!pf_io_box_of(o->dims, o->n, given, block, &box, e)) pf_io_check_box(&box, array, e);
  PF_TRY(pf_agree(o->comm, e));
  o->format->write(o, &box, array, &rounds, e);
  o->written = e->status ? -1 : o->written || rounds > 0;
  return e->status;
}

static int write_any(pfft3d_output *output, const pfft3d_box *box, const pfft3d_block *block,
                     const void *array, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pf_error_clear(&e);
  if (check_output(output, &e)) return pf_error_out(&e, error);
  if (!pf_h5_begin(output->comm, &guard, &e)) {
    write_box(output, box, block, array, &e);
    pf_h5_end(&guard);
  }
  return pf_error_out(&e, error);
}

int pfft3d_output_write(pfft3d_output *output, const pfft3d_box *box, const void *array,
                        pfft3d_error *error) {
  return write_any(output, box, NULL, array, error);
}

int pfft3d_output_write_block(pfft3d_output *output, const pfft3d_block *block, const void *array,
                              pfft3d_error *error) {
  return write_any(output, NULL, block, array, error);
}

/* Nonzero if the file that is added to is still the one that was copied. */
static int is_same(const pfft3d_output *o) {
  struct stat st;
  long long now[5];
  if (stat(o->file, &st)) return 0;
  pf_io_fingerprint(&st, now);
  return memcmp(now, o->copied, sizeof now) == 0;
}

/* Renames the file; replaces an existing one only on request.  0 or errno. */
static int rename_to_final(const pfft3d_output *o) {
  struct stat st;
  if (o->copied[0] ? is_same(o) : o->overwrite && !o->into)
    return rename(o->temporary, o->file) ? errno : 0;
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->file, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  if (link(o->temporary, o->file) == 0) {
    unlink(o->temporary);
    return 0;
  }
  if (errno == EEXIST) return errno;
  /* neither is supported here: check, then rename */
  if (lstat(o->file, &st) == 0) return EEXIST;
  return rename(o->temporary, o->file) ? errno : 0;
}

/* Rank 0's part of the commit; closes the file. */
static int finish_file(pfft3d_output *o, pfft3d_error *e) {
  char directory[PF_IO_FILE];
  int code = fsync(o->fd) ? errno : 0;
  PF_CHECK(!code, e, PFFT3D_ERR_IO, "cannot write '%.200s': %s", o->file, strerror(code));
  PF_TRY(pf_output_check(o, PFFT3D_ERR_IO, e));
  code = rename_to_final(o);
  if (code == EEXIST)
    pf_hint(e, o->copied[0] ? "it changed while this one was written"
                            : "it appeared while this one was written");
  PF_CHECK(!code, e, PFFT3D_ERR_OUTPUT, "cannot name the output '%.200s': %s", o->file,
           strerror(code));
  close(o->fd);
  o->fd = -1;
  pf_output_directory(o->file, directory);
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)!fsync(fd); /* the result does not matter: the file is complete */
    close(fd);
  }
  return PFFT3D_OK;
}

int pfft3d_output_commit(pfft3d_output **output, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (check_output(output ? *output : NULL, &e)) return pf_error_out(&e, error);
  check_earlier(*output, &e);
  if (!(*output)->written)
    pf_fail(&e, PFFT3D_ERR_IO, "cannot finish '%.100s': '%.100s' was not written", (*output)->file,
            (*output)->path);
  pf_agree((*output)->comm,
           &e); /* every rank has written and closed the file before it is renamed */
  if (!e.status) {
    if ((*output)->fd >= 0) finish_file(*output, &e);
    pf_agree((*output)->comm, &e);
  }
  drop(output);
  return pf_error_out(&e, error);
}

void pfft3d_output_discard(pfft3d_output **output) {
  if (output) drop(output);
}
