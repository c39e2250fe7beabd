/* SPDX-License-Identifier: BSD-3-Clause
 * The report as a tree: its beginning, and where it goes in the end. */
#include "app/report/report.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"

/* Where a report of rank 0 really is or will be, and the neighbour that becomes it when it is
 * whole. No neighbour: it is no regular file. */
typedef struct report_place {
  char path[PATH_MAX], neighbour[PATH_MAX];
  int is_new; /* nothing is there: the file that is open is the neighbour */
} report_place;

static report_place json_place, csv_place;

/* A name beside p->path that nothing has, which is removed if the run comes to no end.  In
 * containers a process may have the number of one that was killed, and has left its file. */
static void name_neighbour(report_place *p, watch_slot slot) {
  enum { TRIES = 1000 };
  const char *slash = strrchr(p->path, '/'), *base = slash ? slash + 1 : p->path;
  struct stat s;
  for (int k = 0; k < TRIES; k++) {
    snprintf(p->neighbour, sizeof p->neighbour, "%.*s.%.200s.pfft3d-%ld-%d", (int)(base - p->path),
             p->path, base, (long)getpid(), k);
    if (lstat(p->neighbour, &s)) break;
  }
  watch_file(slot, p->neighbour);
}

/* Under its name there is a whole report, or nothing but an older one, whatever ends the run. */
static FILE *open_place(const char *name, watch_slot slot, report_place *p) {
  struct stat s;
  FILE *f;
  p->is_new = lstat(name, &s) != 0 && errno == ENOENT && name[strlen(name) - 1] != '/' &&
              strlen(name) < sizeof p->path;
  if (p->is_new) {
    snprintf(p->path, sizeof p->path, "%s", name);
    name_neighbour(p, slot);
    f = fopen(p->neighbour, "wx");
    if (!f) watch_file(slot, NULL);
  } else {
    f = fopen(name, "a");
    if (f && fstat(fileno(f), &s) == 0 && S_ISREG(s.st_mode) && realpath(name, p->path))
      name_neighbour(p, slot);
  }
  return f;
}

static FILE *open_file(app *a, const char *option, const char *name, watch_slot slot,
                       report_place *p) {
  if (!name[0] || strcmp(name, "-") == 0) return NULL;
  FILE *f = open_place(name, slot, p);
  if (!f)
    app_fail(&a->error, PFFT3D_ERR_OUTPUT, "cannot write the report of --%s to '%.150s': %s",
             option, name, strerror(errno));
  return f;
}

/* The directory of a name, and the rest of it. */
static const char *split(const char *name, char directory[PATH_MAX]) {
  const char *slash = strrchr(name, '/');
  snprintf(directory, PATH_MAX, "%.*s", slash ? (int)(slash - name) + 1 : 1, slash ? name : ".");
  return slash ? slash + 1 : name;
}

int report_same_file(const char *x, const char *y) {
  char in[2][PATH_MAX];
  struct stat a, b;
  if (strcmp(x, y) == 0) return 1;
  int there[2] = {!stat(x, &a), !stat(y, &b)};
  if ((there[0] && !S_ISREG(a.st_mode)) || (there[1] && !S_ISREG(b.st_mode)))
    return 0; /* devices */
  if (!there[0] && !there[1] && strcmp(split(x, in[0]), split(y, in[1])) == 0) {
    there[0] = !stat(in[0], &a); /* the same name in the same place, once it is there */
    there[1] = !stat(in[1], &b);
  }
  return there[0] && there[1] && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* A report must not take the place of what the run reads or writes. */
static int check_place(app *a, const char *option, const char *name) {
  const options *o = &a->opt;
  const struct {
    const char *name, *what;
  } others[] = {{o->input, "the input"},
                {o->output, "the output"},
                {o->machine_file, "the description of the machine"},
                {o->original, "the output to compare with"},
                {o->wisdom, "the wisdom"}};
  for (size_t k = 0; k < sizeof others / sizeof *others && name[0]; k++) {
    char file[FILE_SIZE], *path = NULL;
    snprintf(file, sizeof file, "%s", others[k].name);
    for (char *c = strstr(file, ":/"); c; c = strstr(c + 1, ":/")) path = c;
    if (path && k < 2) *path = 0; /* FILE:/DATASET */
    if (file[0] && report_same_file(name, file))
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s '%.150s': that is %s", option, name,
                      others[k].what);
  }
  if (strcmp(option, "json") == 0 && name[0] && o->csv[0] && report_same_file(name, o->csv))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--json and --csv: both name '%.100s'", name);
  return PFFT3D_OK;
}

int report_open(app *a) {
  if (check_place(a, "json", a->opt.json) || check_place(a, "csv", a->opt.csv))
    return a->error.status;
  a->json = open_file(a, "json", a->opt.json, WATCH_JSON, &json_place);
  a->csv = open_file(a, "csv", a->opt.csv, WATCH_CSV, &csv_place);
  return a->error.status;
}

/* "Open MPI 4.1.4" or "MPICH 4.0.2" from the long text that MPI_Get_library_version() gives, which
 * begins with "Open MPI v4.1.4, package" or "MPICH Version:", a tab and "4.0.2". */
static void mpi_name(char *out, size_t size) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, ",\n")] = 0;
  snprintf(out, size, "%s", text);
  char *version = strstr(out, " Version:");
  if (version) {
    char *figures = version + strlen(" Version:");
    figures += strspn(figures, " \t");
    memmove(version + 1, figures, strlen(figures) + 1);
  }
  for (char *p = out; *p; p++)
    if (p[0] == ' ' && p[1] == 'v' && isdigit((unsigned char)p[2]))
      memmove(p + 1, p + 2, strlen(p + 1));
}

/* Collective. How many nodes the ranks are on, and the most ranks on one of them. */
static void count_nodes(MPI_Comm comm, int *nodes, int *per_node) {
  MPI_Comm node;
  int rank;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, per_node);
  MPI_Comm_free(&node);
  *nodes = rank == 0;
  MPI_Allreduce(MPI_IN_PLACE, nodes, 1, MPI_INT, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, per_node, 1, MPI_INT, MPI_MAX, comm);
}

json_t *report_begin(const app *a) {
  char date[32], host[MPI_MAX_PROCESSOR_NAME] = "", mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  time_t now = time(NULL);
  struct tm utc;
  double load[3] = {0, 0, 0};
  int length, nodes, per_node;
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  MPI_Get_processor_name(host, &length);
  mpi_name(mpi, sizeof mpi);
  count_nodes(a->comm, &nodes, &per_node);
  if (getloadavg(load, 3) != 3) load[0] = load[1] = load[2] = -1;
  return json_pack("{s:s,s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:s,s:s,s:[f,f,f],s:[]}", "schema",
                   REPORT_SCHEMA, "command", a->command->name, "version", pfft3d_version(), "date",
                   date, "host", host, "nodes", nodes, "ranks", a->ranks, "ranks_per_node",
                   per_node, "threads", (int)a->opt.threads, "mpi", mpi, "fftw",
                   pfft3d_build("fftw"), "load_average", load[0], load[1], load[2], "runs");
}

void report_problem(const app *a, json_t *report, const pfft3d_problem *p) {
  char text[96];
  json_object_set_new(report, "seed", json_integer(a->opt.seed));
  json_object_set_new(report, "problem", json_string(pfft3d_problem_print(p, text, sizeof text)));
}

void report_add(json_t *report, json_t *run) {
  json_array_append_new(json_object_get(report, "runs"), run);
}

static void print_json(const json_t *report, FILE *f) {
  json_dumpf(report, f, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  fputc('\n', f);
}

/* Prints and closes; 0 or errno. */
static int print_file(FILE *f, const json_t *report, void (*print)(const json_t *, FILE *)) {
  errno = 0;
  print(report, f);
  int code = fflush(f) != 0 || ferror(f) ? errno : 0;
  if (fclose(f) != 0 && !code) code = errno;
  return code;
}

/* Prints to the neighbour, which becomes the report; 0 or errno. */
static int print_new(FILE *whole, const report_place *p, const json_t *report,
                     void (*print)(const json_t *, FILE *)) {
  int code = print_file(whole, report, print);
  if (!code && rename(p->neighbour, p->path)) code = errno;
  if (code) unlink(p->neighbour);
  return code;
}

/* Replaces a report by a new file with the same rights; 0 or errno. */
static int replace_file(const report_place *p, FILE *old, FILE *whole, const json_t *report,
                        void (*print)(const json_t *, FILE *)) {
  struct stat s;
  int code = fstat(fileno(old), &s) || fchmod(fileno(whole), s.st_mode & 0777) ? errno : 0;
  if (code) {
    fclose(whole);
    unlink(p->neighbour);
  } else {
    code = print_new(whole, p, report, print);
  }
  fclose(old);
  return code;
}

/* Replaces the contents of a file from report_open(), and closes it.  What was there stays until
 * there is something whole to replace it, except where no new file may be made beside it. */
static int finish_file(FILE *f, const report_place *p, const json_t *report,
                       void (*print)(const json_t *, FILE *)) {
  if (p->is_new) return print_new(f, p, report, print);
  if (p->neighbour[0]) {
    FILE *whole = fopen(p->neighbour, "wx");
    if (whole) return replace_file(p, f, whole, report, print);
    int code = errno;
    if (code == EACCES || code == EPERM) code = ftruncate(fileno(f), 0) ? errno : 0;
    if (code) {
      fclose(f);
      return code;
    }
  }
  return print_file(f, report, print);
}

static void end_file(app *a, const char *name, FILE *f, watch_slot slot, const report_place *p,
                     const json_t *report, void (*print)(const json_t *, FILE *)) {
  if (!f) return;
  int code = finish_file(f, p, report, print);
  if (code) {
    app_fail(&a->error, PFFT3D_ERR_IO, "cannot write the report '%.150s': %s", name,
             strerror(code));
    return;
  }
  watch_file(slot, NULL);
}

void report_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report)) {
  app_progress(a, "%s", "");
  if (a->rank == 0) {
    end_file(a, a->opt.json, a->json, WATCH_JSON, &json_place, report, print_json);
    end_file(a, a->opt.csv, a->csv, WATCH_CSV, &csv_place, report, report_csv);
    if (strcmp(a->opt.json, "-") == 0)
      print_json(report, stdout);
    else if (strcmp(a->opt.csv, "-") == 0)
      report_csv(report, stdout);
    else if (!a->opt.quiet)
      text(a, report);
  }
  json_decref(report);
}
