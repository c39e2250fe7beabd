/* ranks: 1 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The process that inspects files, replaced by programs that do what a crafted file could make it
 * do: die, hang, say nothing, too little, or what cannot be.  Each is one error on all ranks, and
 * leaves no process and no open file behind. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef HAVE_CONFIG_H
#include "base/hooks.h"
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "files.h"

static char script[600], answer[600]; /* a program, and what it says */

/* Collective. Makes the program of which the words are given: sh. */
static void pretend(const char *words) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank == 0) {
    FILE *f = fopen(script, "w");
    CHECK(f && fprintf(f, "#!/bin/sh\n%s\n", words) > 0 && fclose(f) == 0, "%s", script);
    CHECK(chmod(script, 0700) == 0, "chmod");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  pf_io_set_probe(script);
}

/* Collective. One that says this. */
static void pretend_to_say(const void *what, size_t bytes, const void *more, size_t more_bytes) {
  char words[700];
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank == 0) {
    FILE *f = fopen(answer, "w");
    CHECK(f && fwrite(what, 1, bytes, f) == bytes && fwrite(more, 1, more_bytes, f) == more_bytes &&
              fclose(f) == 0,
          "%s", answer);
  }
  snprintf(words, sizeof words, "exec cat %s", answer);
  pretend(words);
}

/* Local. Open files of this process, and whether it has children, ended or not. */
static int open_files(void) {
  int count = 0;
  DIR *d = opendir("/proc/self/fd");
  while (d && readdir(d)) count++;
  if (d) closedir(d);
  return count;
}
static int children(void) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

/* Collective. All ranks have this error. */
static void expect(const char *what, int status, const pfft3d_error *e, int wanted,
                   const char *word) {
  pfft3d_error first = *e;
  CHECK(status == wanted && strstr(e->text, word), "%s: status %d, not %d, no '%s' in: %s", what,
        status, wanted, word, e->text);
  CHECK(!strchr(e->text, '\n') && memchr(e->text, 0, sizeof e->text), "%s: no line", what);
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK(memcmp(&first, e, sizeof first) == 0, "%s: ranks differ: %s", what, e->text);
  CHECK(!children(), "%s: a process is left", what);
}

/* Collective. An inspection by this program fails. */
static void refuse(const char *what, const char *file, const char *word) {
  pfft3d_dataset *d = (pfft3d_dataset *)script; /* not NULL */
  pfft3d_error e;
  int status = pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e);
  expect(what, status, &e, strstr(word, "for 1 s") ? PFFT3D_ERR_WATCHDOG : PFFT3D_ERR_DATA, word);
  CHECK(!d, "%s: a dataset is left", what);
}

/* What programs do that have lost their way, and a word of the message. */
static const struct {
  const char *words, *says;
} lost[] = {
    {"kill -SEGV $$", "signal 11"},
    {"kill -ABRT $$", "signal 6"},
    {"kill -XCPU $$", "too long"},
    {"cat >/dev/null; kill -KILL $$", "signal 9"},
    {"exit 0", "does not answer"},
    {"exit 1", "does not answer"},
    {"printf F", "does not answer"},
    {"printf E; head -c 100 /dev/zero", "does not answer"},
    {"head -c 100000 /dev/zero", "an invalid answer"},
    {"echo nonsense", "an invalid answer"},
    {"yes", "an invalid answer"},
    {"printf F; yes", "cannot"},
    {"printf E; yes", ""},
    {"printf F; head -c 100000 /dev/urandom", "cannot"},
    {"printf F; head -c 100000 /dev/zero", "cannot"},
    {"exec >&-; exec sleep 300", "does not answer"},
    {"exec sleep 300", "for 1 s"},
    {"printf F; exec sleep 300", "for 1 s"},
};

static void test_lost(const char *file, pfft3d_dataset *chunked) {
  pfft3d_box box = box_of(chunked->found.n, world_rank, world_size, CUT_SLABS);
  void *array = box_array(&box);
  for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
    char text[8];
    pfft3d_error e;
    pf_hooks.patience = strstr(lost[k].says, "for 1 s") ? 1 : 0;
    pretend(lost[k].words);
    if (strcmp(lost[k].says, "")) refuse(lost[k].words, file, lost[k].says);
    if (strstr(lost[k].words, "sleep") && k % 2) continue; /* each takes a second */
    int status = pfft3d_dataset_read(chunked, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e);
    CHECK(status != 0, "%s: read", lost[k].words);
    expect(lost[k].words, status, &e, status, "");
    status = pfft3d_dataset_attribute(chunked, "units", text, sizeof text, &e);
    CHECK(status != 0, "%s: attribute", lost[k].words);
    expect(lost[k].words, status, &e, status, "");
  }
  pf_hooks.patience = 0;
  free(array);
}

/* ---- Answers in the right form, of wrong content ------------------------------------------ */

static void test_one_lie(const char *file, const char *what, const pf_dataset *lie) {
  pretend_to_say("F", 1, lie, sizeof *lie);
  refuse(what, file, "cannot");
}

/* Every field of what was found, made wrong. */
static void test_lies(const char *file, const pf_dataset *truth) {
  const ptrdiff_t sizes[] = {0, -1, PTRDIFF_MAX, PTRDIFF_MIN, (ptrdiff_t)1 << 31, 5};
  const int ints[] = {-2, 23, 24, INT_MAX, INT_MIN};
  pfft3d_dataset *d;
  pf_dataset lie;
  pfft3d_error e;
  pretend_to_say("F", 1, truth, sizeof *truth);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e) == 0, "the truth: %s", e.text);
  CHECK(d && memcmp(&d->found, truth, sizeof *truth) == 0, "the truth is another");
  pfft3d_dataset_free(&d);
#define LIE(change)                    \
  do {                                 \
    lie = *truth;                      \
    change;                            \
    test_one_lie(file, #change, &lie); \
  } while (0)
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    for (int a = 0; a < 3; a++) LIE(lie.n[a] = sizes[k]);
    LIE(lie.n[0] = lie.n[1] = lie.n[2] = sizes[k]);
    if (sizes[k]) LIE(lie.stored.offset = (long long)(sizes[k] < 6 ? -1 : sizes[k]));
    LIE(lie.stored.bytes = sizes[k]);
    if (sizes[k]) LIE(lie.stored.first = sizes[k] < 6 ? -1 : sizes[k]);
    for (int a = 0; a < 3; a++)
      if (truth->n[a] > 1) LIE(lie.stored.pitch[a] = sizes[k] == 5 ? 1 << 20 : sizes[k]);
  }
  for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
    LIE(lie.dims = ints[k]);
    LIE(lie.is_complex = ints[k]);
    LIE(lie.stored.number = ints[k]);
  }
  LIE(lie.dims = 0);
  LIE(lie.dims = 4);
  LIE(lie.is_complex = 1);
  LIE(lie.stored.offset += 1 << 20);
  LIE(memset(lie.path, 'x', sizeof lie.path));
  LIE(memset(lie.path, 0, sizeof lie.path));
  LIE(memset(lie.type, 'x', sizeof lie.type));
  LIE(snprintf(lie.type, sizeof lie.type, "a\nb"));
  for (int k = 0; k < 5; k++) LIE(lie.stored.fingerprint[k]++);
#undef LIE
}

/* Errors, and images of attributes. */
static void test_parts(const char *file, const pfft3d_dataset *d) {
  pfft3d_error said, e;
  pfft3d_dataset *none;
  char text[8];
  memset(&said, 'x', sizeof said);
  pretend_to_say("E", 1, &said, sizeof said);
  refuse("an error without end", file, "xxx");
  memset(&said, 0, sizeof said);
  snprintf(said.text, sizeof said.text, "one\ntwo");
  pretend_to_say("E", 1, &said, sizeof said);
  refuse("an error of two lines and no status", file, "one?two");
  said.status = PFFT3D_ERR_NOINPUT;
  pretend_to_say("E", 1, &said, sizeof said);
  int status = pfft3d_dataset_probe(MPI_COMM_WORLD, file, &none, &e);
  expect("an error", status, &e, PFFT3D_ERR_NOINPUT, "one");
  const size_t sizes[] = {0, 1, 100, (size_t)1 << 23, ((size_t)1 << 23) + 1, SIZE_MAX};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    pretend_to_say("I", 1, &sizes[k], sizeof sizes[k]);
    status = pfft3d_dataset_attribute(d, "units", text, sizeof text, &e);
    expect("an image", status, &e, PFFT3D_ERR_DATA, "answer");
  }
}

static void test_all(void) {
  made m = {H5T_IEEE_F64LE, NULL, 3, {4, 3, 2}, 0, 0};
  char plain[600], chunked[600];
  pfft3d_dataset *d, *c;
  pfft3d_error e;
  snprintf(plain, sizeof plain, "%s", in_directory("plain.h5"));
  snprintf(chunked, sizeof chunked, "%s", in_directory("chunked.h5"));
  snprintf(script, sizeof script, "%s", in_directory("program"));
  snprintf(answer, sizeof answer, "%s", in_directory("answer"));
  if (world_rank == 0) {
    CHECK(make_file(plain, "/data", &m), "plain");
    m.chunk = 2;
    CHECK(make_file(chunked, "/data", &m), "chunked");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, plain, &d, &e) == 0, "%s", e.text);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, chunked, &c, &e) == 0, "%s", e.text);
  CHECK(d->found.stored.number >= 0 && c->found.stored.number < 0, "%d", d->found.stored.number);
  int files = open_files();
  test_lost(plain, c);
  test_lies(plain, &d->found);
  test_parts(plain, d);
  pfft3d_dataset_free(&d);
  pfft3d_dataset_free(&c);
  CHECK(open_files() == files, "%d open files, %d before", open_files(), files);
  CHECK(!children(), "a process is left");
}

int main(int argc, char **argv) {
  files_begin(&argc, &argv);
  if (!probe_program()) {
    if (world_rank == 0) puts("no program in this build");
    files_end();
    return 77;
  }
  test_all();
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
