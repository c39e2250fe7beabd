/* SPDX-License-Identifier: BSD-3-Clause
 * Checks how pfft3d's own code uses MPI, by LD_PRELOAD, with the program as it is.
 *
 * In front of each collective operation the ranks of the communicator compare, on a duplicate of
 * it, which one each of them calls, with which root, operation and number of bytes; at the end,
 * whether what was made has been freed.  A mistake is one line and the end of the job, with code 90
 * or, for what was not freed, 91.  With PFFT3D_CHECK_SYNC=1 all sends wait for their receiver, as
 * MPI may have them wait: what relies on buffers comes to a stop. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own.h"

enum {
  MISTAKE = 90,
  LEAK = 91,
  COMMS = 0,
  TYPES,
  REQUESTS,
  WINDOWS,
  GROUPS,
  HANDLERS,
  KEYVALS,
  FILES,
  KINDS
};
static const char *const kinds[KINDS] = {"communicators", "datatypes",      "requests", "windows",
                                         "groups",        "error handlers", "keyvals",  "files"};
static long made[KINDS];
static int synchronous, key = MPI_KEYVAL_INVALID;

__attribute__((constructor)) static void begin(void) {
  const char *sync = getenv("PFFT3D_CHECK_SYNC");
  synchronous = sync && sync[0] == '1';
  own_find();
}

#define OURS is_own(__builtin_return_address(0))

/* ---- collective operations ---- */

typedef struct call {
  char name[24];
  long root, op, bytes;
} call;

/* MPICH's launcher drops what it has not passed on when the first rank ends. */
static _Noreturn void end_job(int code) {
  usleep(300 * 1000);
  PMPI_Abort(MPI_COMM_WORLD, code);
  _exit(code);
}

static void mistake(const char *text) {
  fprintf(stderr, "mpi_check: %s\n", text);
  end_job(MISTAKE);
}

static int forget(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)extra;
  PMPI_Comm_free(value);
  free(value);
  return MPI_SUCCESS;
}

/* The duplicate of a communicator, made in front of the first collective call on it. */
static MPI_Comm beside(MPI_Comm comm) {
  MPI_Comm *twin;
  int there;
  if (key == MPI_KEYVAL_INVALID) PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
  PMPI_Comm_get_attr(comm, key, &twin, &there);
  if (there) return *twin;
  twin = malloc(sizeof *twin);
  if (!twin || PMPI_Comm_dup(comm, twin)) mistake("cannot duplicate a communicator");
  PMPI_Comm_set_attr(comm, key, twin);
  return *twin;
}

static long bytes_of(int count, MPI_Datatype type) {
  int size;
  PMPI_Type_size(type, &size);
  return (long)count * size;
}

/* Operations have numbers that all ranks know. */
static long number_of(MPI_Op op) {
  return PMPI_Op_c2f(op);
}

static void compare(const char *name, MPI_Comm comm, long root, long op, long bytes) {
  call mine = {.root = root, .op = op, .bytes = bytes}, first;
  char text[300];
  int rank;
  MPI_Comm twin = beside(comm);
  snprintf(mine.name, sizeof mine.name, "%s", name);
  first = mine;
  PMPI_Comm_rank(twin, &rank);
  PMPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, twin);
  int differs = memcmp(&mine, &first, sizeof mine) != 0, rank_of_it = differs ? rank : -1, last;
  PMPI_Allreduce(&rank_of_it, &last, 1, MPI_INT, MPI_MAX, twin);
  if (last < 0) return;
  snprintf(text, sizeof text,
           "rank 0 calls %s (root %ld, op %ld, %ld bytes), rank %d calls %s (root %ld, op %ld, %ld "
           "bytes)",
           first.name, first.root, first.op, first.bytes, rank, mine.name, mine.root, mine.op,
           mine.bytes);
  if (rank == last) mistake(text);
  PMPI_Barrier(twin); /* until that rank ends the job */
}

/* What each rank sends must be what the other one expects. */
static void compare_pairs(const char *name, MPI_Comm comm, const int *sent,
                          const MPI_Datatype *from, const int *received, const MPI_Datatype *to,
                          int each) {
  int ranks, rank;
  char text[200];
  compare(name, comm, 0, 0, 0);
  MPI_Comm twin = beside(comm);
  PMPI_Comm_size(twin, &ranks);
  PMPI_Comm_rank(twin, &rank);
  long *bytes = calloc(2 * (size_t)ranks, sizeof *bytes);
  if (!bytes) mistake("no memory");
  for (int k = 0; k < ranks; k++) bytes[k] = bytes_of(sent[k], from[each ? k : 0]);
  PMPI_Alltoall(bytes, 1, MPI_LONG, bytes + ranks, 1, MPI_LONG, twin);
  for (int k = 0; k < ranks; k++) {
    long want = bytes_of(received[k], to[each ? k : 0]);
    snprintf(text, sizeof text, "%s: rank %d sends %ld bytes, rank %d expects %ld", name, k,
             bytes[ranks + k], rank, want);
    if (bytes[ranks + k] != want) mistake(text);
  }
  free(bytes);
}

/* COLLECTIVE(name, what is compared, parameters, arguments) */
#define COLLECTIVE(name, check, parameters, arguments) \
  int name parameters {                                \
    if (OURS) check;                                   \
    return P##name arguments;                          \
  }
#define SAME(name, root, op, bytes) compare(name, comm, root, op, bytes)

COLLECTIVE(MPI_Barrier, SAME("MPI_Barrier", 0, 0, 0), (MPI_Comm comm), (comm))
COLLECTIVE(MPI_Bcast, SAME("MPI_Bcast", root, 0, bytes_of(n, t)),
           (void *a, int n, MPI_Datatype t, int root, MPI_Comm comm), (a, n, t, root, comm))
COLLECTIVE(MPI_Allreduce, SAME("MPI_Allreduce", 0, number_of(op), bytes_of(n, t)),
           (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm),
           (a, b, n, t, op, comm))
COLLECTIVE(MPI_Reduce, SAME("MPI_Reduce", root, number_of(op), bytes_of(n, t)),
           (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm comm),
           (a, b, n, t, op, root, comm))
COLLECTIVE(MPI_Allgather, SAME("MPI_Allgather", 0, 0, bytes_of(m, u)),
           (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm comm),
           (a, n, t, b, m, u, comm))
COLLECTIVE(MPI_Alltoall, SAME("MPI_Alltoall", 0, 0, bytes_of(m, u)),
           (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm comm),
           (a, n, t, b, m, u, comm))
COLLECTIVE(MPI_Alltoallv, compare_pairs("MPI_Alltoallv", comm, n, &t, m, &u, 0),
           (const void *a, const int n[], const int i[], MPI_Datatype t, void *b, const int m[],
            const int j[], MPI_Datatype u, MPI_Comm comm),
           (a, n, i, t, b, m, j, u, comm))
COLLECTIVE(MPI_Alltoallw, compare_pairs("MPI_Alltoallw", comm, n, t, m, u, 1),
           (const void *a, const int n[], const int i[], const MPI_Datatype t[], void *b,
            const int m[], const int j[], const MPI_Datatype u[], MPI_Comm comm),
           (a, n, i, t, b, m, j, u, comm))

/* ---- what is made and freed ---- */

#define COUNT(name, kind, by, before, parameters, arguments) \
  int name parameters {                                      \
    int ours = OURS;                                         \
    if (ours) before;                                        \
    int code = P##name arguments;                            \
    if (ours && code == MPI_SUCCESS) made[kind] += by;       \
    return code;                                             \
  }
#define NEW(name, kind, parameters, arguments) COUNT(name, kind, 1, (void)0, parameters, arguments)
#define FREE(name, kind, type)                 COUNT(name, kind, -1, (void)0, (type * object), (object))

COUNT(MPI_Comm_dup, COMMS, 1, SAME("MPI_Comm_dup", 0, 0, 0), (MPI_Comm comm, MPI_Comm *out),
      (comm, out))
COUNT(MPI_Comm_split, COMMS, *out != MPI_COMM_NULL, SAME("MPI_Comm_split", 0, 0, 0),
      (MPI_Comm comm, int color, int rank, MPI_Comm *out), (comm, color, rank, out))
COUNT(MPI_Comm_split_type, COMMS, *out != MPI_COMM_NULL, SAME("MPI_Comm_split_type", 0, 0, 0),
      (MPI_Comm comm, int type, int rank, MPI_Info info, MPI_Comm *out),
      (comm, type, rank, info, out))
COUNT(MPI_Cart_create, COMMS, *out != MPI_COMM_NULL, SAME("MPI_Cart_create", 0, 0, 0),
      (MPI_Comm comm, int n, const int size[], const int periodic[], int reorder, MPI_Comm *out),
      (comm, n, size, periodic, reorder, out))
FREE(MPI_Comm_free, COMMS, MPI_Comm)
NEW(MPI_Type_contiguous, TYPES, (int n, MPI_Datatype t, MPI_Datatype *out), (n, t, out))
NEW(MPI_Type_create_hindexed, TYPES,
    (int n, const int m[], const MPI_Aint at[], MPI_Datatype t, MPI_Datatype *out),
    (n, m, at, t, out))
NEW(MPI_Type_create_hindexed_block, TYPES,
    (int n, int m, const MPI_Aint at[], MPI_Datatype t, MPI_Datatype *out), (n, m, at, t, out))
NEW(MPI_Type_create_hvector, TYPES,
    (int n, int m, MPI_Aint stride, MPI_Datatype t, MPI_Datatype *out), (n, m, stride, t, out))
NEW(MPI_Type_create_struct, TYPES,
    (int n, const int m[], const MPI_Aint at[], const MPI_Datatype t[], MPI_Datatype *out),
    (n, m, at, t, out))
FREE(MPI_Type_free, TYPES, MPI_Datatype)
COUNT(MPI_Win_allocate, WINDOWS, 1, SAME("MPI_Win_allocate", 0, 0, 0),
      (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
      (size, unit, info, comm, base, win))
COUNT(MPI_Win_create, WINDOWS, 1, SAME("MPI_Win_create", 0, 0, 0),
      (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
      (base, size, unit, info, comm, win))
FREE(MPI_Win_free, WINDOWS, MPI_Win)
NEW(MPI_Comm_group, GROUPS, (MPI_Comm comm, MPI_Group *out), (comm, out))
NEW(MPI_Win_get_group, GROUPS, (MPI_Win win, MPI_Group *out), (win, out))
FREE(MPI_Group_free, GROUPS, MPI_Group)
NEW(MPI_Comm_create_errhandler, HANDLERS, (MPI_Comm_errhandler_function * f, MPI_Errhandler *out),
    (f, out))
NEW(MPI_Comm_get_errhandler, HANDLERS, (MPI_Comm comm, MPI_Errhandler *out), (comm, out))
FREE(MPI_Errhandler_free, HANDLERS, MPI_Errhandler)
NEW(MPI_Comm_create_keyval, KEYVALS,
    (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function *drop, int *out,
     void *extra),
    (copy, drop, out, extra))

/* ---- files ---- */

/* Whose files are open; that of a slot without a file is MPI_FILE_NULL or 0. */
enum { OPEN_FILES = 16 };
static struct {
  MPI_File file;
  MPI_Comm comm;
} open_file[OPEN_FILES];
static int files_open; /* slots that have been used */

static int slot_of(MPI_File file) {
  for (int k = 0; k < files_open; k++)
    if (open_file[k].file == file) return k;
  mistake("a file that is not open");
  return 0;
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *out) {
  int ours = OURS, k = 0;
  if (ours) compare("MPI_File_open", comm, 0, mode, 0);
  int code = PMPI_File_open(comm, name, mode, info, out);
  if (!ours || code != MPI_SUCCESS) return code;
  made[FILES]++;
  while (k < files_open && open_file[k].file != MPI_FILE_NULL) k++;
  if (k == OPEN_FILES) mistake("too many files are open");
  if (k == files_open) files_open++;
  open_file[k].file = *out;
  open_file[k].comm = comm;
  return code;
}

/* What all ranks of a file do together; how much of it may differ. */
static void together(const char *name, MPI_File file) {
  compare(name, open_file[slot_of(file)].comm, 0, 0, 0);
}
#define ON_FILE(name, parameters, arguments) \
  COLLECTIVE(name, together(#name, file), parameters, arguments)
ON_FILE(MPI_File_set_view,
        (MPI_File file, MPI_Offset at, MPI_Datatype t, MPI_Datatype u, const char *how, MPI_Info i),
        (file, at, t, u, how, i))
ON_FILE(MPI_File_read_at_all,
        (MPI_File file, MPI_Offset at, void *a, int n, MPI_Datatype t, MPI_Status *s),
        (file, at, a, n, t, s))

int MPI_File_close(MPI_File *file) {
  if (OURS) {
    int k = slot_of(*file);
    together("MPI_File_close", *file);
    open_file[k].file = MPI_FILE_NULL;
    made[FILES]--;
  }
  return PMPI_File_close(file);
}

/* ---- messages ---- */

#define SEND(name, other, kind, parameters, arguments)                                    \
  int name parameters {                                                                   \
    int ours = OURS, code = ours && synchronous ? P##other arguments : P##name arguments; \
    if (ours && code == MPI_SUCCESS) made[REQUESTS] += kind;                              \
    return code;                                                                          \
  }
#define TO const void *a, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm
SEND(MPI_Send, MPI_Ssend, 0, (TO), (a, n, t, to, tag, comm))
SEND(MPI_Isend, MPI_Issend, 1, (TO, MPI_Request *r), (a, n, t, to, tag, comm, r))
SEND(MPI_Send_init, MPI_Ssend_init, 1, (TO, MPI_Request *r), (a, n, t, to, tag, comm, r))
#define FROM void *a, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm, MPI_Request *r
NEW(MPI_Irecv, REQUESTS, (FROM), (a, n, t, from, tag, comm, r))
NEW(MPI_Recv_init, REQUESTS, (FROM), (a, n, t, from, tag, comm, r))
NEW(MPI_Rput, REQUESTS,
    (const void *a, int n, MPI_Datatype t, int to, MPI_Aint at, int there, MPI_Datatype u,
     MPI_Win win, MPI_Request *r),
    (a, n, t, to, at, there, u, win, r))
FREE(MPI_Request_free, REQUESTS, MPI_Request)

static long open_requests(int count, const MPI_Request *r) {
  long open = 0;
  for (int i = 0; i < count; i++) open += r[i] != MPI_REQUEST_NULL;
  return open;
}

/* Requests that are no more when a call has come back. */
#define FINISH(name, count, parameters, arguments)                \
  int name parameters {                                           \
    int ours = OURS;                                              \
    long before = open_requests(count, r);                        \
    int code = P##name arguments;                                 \
    if (ours) made[REQUESTS] -= before - open_requests(count, r); \
    return code;                                                  \
  }
FINISH(MPI_Wait, 1, (MPI_Request * r, MPI_Status *s), (r, s))
FINISH(MPI_Waitall, n, (int n, MPI_Request r[], MPI_Status *s), (n, r, s))
FINISH(MPI_Test, 1, (MPI_Request * r, int *done, MPI_Status *s), (r, done, s))
FINISH(MPI_Testall, n, (int n, MPI_Request r[], int *done, MPI_Status *s), (n, r, done, s))

/* ---- the end ---- */

int MPI_Finalize(void) {
  int bad = 0;
  /* Two are for good: of machines that were measured, and of decisions that were timed; and two of
   * the drop-in, where it is loaded. */
  const char *loaded = getenv("LD_PRELOAD");
  int for_good = loaded && strstr(loaded, "fftw3_mpi") ? 4 : 2;
  made[KEYVALS] -= made[KEYVALS] < for_good ? made[KEYVALS] : for_good;
  for (int k = 0; k < KINDS && OURS; k++)
    if (made[k]) {
      bad = 1;
      fprintf(stderr, "mpi_check: %ld %s not freed\n", made[k], kinds[k]);
    }
  if (bad) end_job(LEAK);
  return PMPI_Finalize();
}
