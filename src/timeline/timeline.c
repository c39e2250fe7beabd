/* SPDX-License-Identifier: BSD-3-Clause
 * Timelines: their life, and their file. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/simulate.h"
#include "base/temporary.h"
#include "timeline/timeline.h"

/* ---- formats ---- */

typedef int writer(const pf_record *r, FILE *f, pfft3d_error *e);
static const struct {
  const char *ending;
  writer *write;
} formats[] = {{".json", pf_timeline_json}, {".svg", pf_timeline_svg}};

static writer *format_of(const char *file) {
  size_t length = strlen(file);
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
    size_t ending = strlen(formats[k].ending);
    if (length > ending && strcasecmp(file + length - ending, formats[k].ending) == 0)
      return formats[k].write;
  }
  return NULL;
}

/* ---- the file, on rank 0 ---- */

/* A file with a temporary name, until it is complete. */
typedef struct output {
  char path[PATH_MAX], temporary[PATH_MAX];
  int slot;
  FILE *f;
} output;

/* Returns 0 or errno. */
static int open_output(output *o, const char *file) {
  struct stat s;
  int there = stat(file, &s) == 0;
  if (there && !S_ISREG(s.st_mode)) return S_ISDIR(s.st_mode) ? EISDIR : EEXIST;
  if (there && access(file, W_OK)) return errno;
  if (there ? !realpath(file, o->path) : strlen(file) >= sizeof o->path) return ENAMETOOLONG;
  if (!there) memcpy(o->path, file, strlen(file) + 1);
  int length =
      snprintf(o->temporary, sizeof o->temporary, "%.4000s.pfft3d-%ld", o->path, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof o->temporary) return ENAMETOOLONG;
  o->slot = pf_temporary_add(o->temporary);
  o->f = fopen(o->temporary, "w");
  if (o->f) return 0;
  int code = errno;
  pf_temporary_drop(o->slot);
  return code;
}

/* Returns 0 or errno. */
static int close_output(output *o, int complete) {
  errno = 0;
  int code = ferror(o->f) || fflush(o->f) ? (errno ? errno : EIO) : 0;
  if (fclose(o->f) && !code) code = errno;
  if (complete && !code && rename(o->temporary, o->path)) code = errno;
  if (!complete || code) unlink(o->temporary);
  pf_temporary_drop(o->slot);
  return code;
}

static void check_file(const char *file, pfft3d_error *e) {
  output o;
  int code = open_output(&o, file);
  if (!code) code = close_output(&o, 0);
  if (code)
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot write the timeline '%.150s': %s", file, strerror(code));
}

/* ---- life ---- */

static void check(const char *file, long events, pfft3d_timeline **timeline, pfft3d_error *e) {
  enum { most = 1 << 26 };
  if (!timeline) pf_fail(e, PFFT3D_ERR_USAGE, "timeline: a pointer is NULL");
  if (!file || !*file) pf_fail(e, PFFT3D_ERR_USAGE, "timeline: no name of a file");
  if (!e->status && file && !format_of(file))
    pf_fail(e, PFFT3D_ERR_USAGE, "timeline '%.100s': a name ends in .json or .svg", file);
  if (events < 1 || events > most)
    pf_fail(e, PFFT3D_ERR_USAGE, "timeline: room for %ld events: must be 1 to %d", events, most);
}

/* Memory for events: memory that has been written to does not cost the first run anything. */
static void fill(pf_timeline *t, const char *file, long events, pfft3d_error *e) {
  t->event = malloc((size_t)events * sizeof *t->event);
  t->file = strdup(file);
  t->room = events;
  if (!t->event || !t->file)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %ld events of a timeline", events);
  else
    memset(t->event, 0, (size_t)events * sizeof *t->event);
}

static int make(MPI_Comm comm, const char *file, long events, pf_timeline **made, pfft3d_error *e) {
  MPI_Comm own;
  pf_timeline *t = *made = calloc(1, sizeof *t);
  if (t) t->comm = MPI_COMM_NULL;
  if (!t) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a timeline");
  int code = MPI_Comm_dup(comm, &own);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_dup");
  pf_errors_return(own);
  if (pf_agree(own, e) || !t) {
    MPI_Comm_free(&own);
    return e->status;
  }
  t->comm = own;
  MPI_Comm_rank(own, &t->rank);
  MPI_Comm_size(own, &t->ranks);
  fill(t, file, events, e);
  if (t->rank == 0 && !e->status) check_file(file, e);
  PF_TRY(pf_agree(own, e));
  pf_timeline_measure(t, &t->start, e);
  return pf_agree(own, e);
}

int pfft3d_timeline_create(MPI_Comm comm, const char *file, long events, pfft3d_timeline **timeline,
                           pfft3d_error *error) {
  pfft3d_error e;
  pf_timeline *made = NULL;
  pf_error_clear(&e);
  if (timeline) *timeline = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  check(file, events, timeline, &e);
  if (!pf_agree(comm, &e)) make(comm, file, events, &made, &e);
  if (made) made->users = 1;
  if (made && e.status) pf_timeline_drop(made);
  if (timeline && !e.status) *timeline = made;
  return pf_error_out(&e, error);
}

int pfft3d_timeline_create_f(const pfft3d_fint *comm, const char *file, long events,
                             pfft3d_timeline **timeline, pfft3d_error *error) {
  return pfft3d_timeline_create(pf_comm_f(comm), file, events, timeline, error);
}

void pfft3d_timeline_destroy(pfft3d_timeline **timeline) {
  if (!timeline) return;
  pf_timeline_drop(*timeline);
  *timeline = NULL;
}

double pfft3d_timeline_events(const pfft3d_timeline *timeline, double *left_out) {
  if (left_out) *left_out = timeline ? timeline->left_out : 0;
  return timeline ? (double)timeline->count : 0;
}

/* ---- writing ---- */

static int write_record(const pf_record *r, pfft3d_error *e) {
  const pf_timeline *t = r->t;
  output o = {.slot = -1};
  int code = t->rank ? 0 : open_output(&o, t->file);
  if (code)
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot write the timeline '%.150s': %s", t->file,
            strerror(code));
  PF_TRY(pf_agree(t->comm, e));
  format_of(t->file)(r, o.f, e);
  pf_agree(t->comm, e);
  if (o.f && (code = close_output(&o, !e->status)))
    pf_fail(e, PFFT3D_ERR_IO, "cannot write the timeline '%.150s': %s", t->file, strerror(code));
  return pf_agree(t->comm, e);
}

int pfft3d_timeline_write(pfft3d_timeline *timeline, pfft3d_error *error) {
  pfft3d_error e;
  pf_record r;
  pf_error_clear(&e);
  if (!timeline) pf_fail(&e, PFFT3D_ERR_USAGE, "timeline: is NULL");
  if (e.status || pf_mpi_ready(&e) || !timeline) return pf_error_out(&e, error);
  if (!pf_record_make(timeline, &r, &e)) write_record(&r, &e);
  pf_record_free(&r);
  return pf_error_out(&e, error);
}
