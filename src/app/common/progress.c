/* SPDX-License-Identifier: BSD-3-Clause
 * The progress line.
 *
 * Under mpirun the stderr of a rank is a pipe, whose text mpirun prints on its own stderr.  That is
 * visible to a rank which mpirun itself has started: /proc/PARENT/fd/2 is then the terminal.  Where
 * the parent is another one (a daemon of another node, hydra's proxy), PFFT3D_PROGRESS=1 says that
 * there is a terminal; PFFT3D_PROGRESS=0 that nothing is wanted. */
#include "app/common/progress.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"

enum { LINE = 128 };

/* The present job; on rank 0. */
static struct {
  char name[LINE];
  double begun, first; /* when it began, and its share then */
  double shown, share; /* when the line was printed last; the share now; 2: there is no job */
  double seconds;      /* that the call may take; 0: unknown */
} job = {.share = 2};

/* ---- terminals ---- */

/* Nonzero if a launcher has started this process, and its stderr is a terminal. */
static int launcher_has_terminal(void) {
  int file = watch_launcher_open(STDERR_FILENO);
  if (file < 0) return 0;
  int terminal = isatty(file);
  close(file);
  return terminal;
}

static int has_terminal(void) {
  static int known = -1;
  const char *wish = getenv("PFFT3D_PROGRESS");
  if (known < 0)
    known =
        wish && *wish ? strcmp(wish, "0") != 0 : isatty(STDERR_FILENO) || launcher_has_terminal();
  return known;
}

static int is_shown(const app *a) {
  return a->rank == 0 && !a->opt.quiet && has_terminal();
}

static void show(const char *text) {
  fprintf(stderr, "\r\033[K%s", text);
  fflush(stderr);
}

void app_progress(const app *a, const char *format, ...) {
  if (!is_shown(a)) return;
  char text[LINE];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  char line[LINE + 16] = "";
  if (!text[0])
    job.share = 2;
  else if (job.share <= 1)
    snprintf(line, sizeof line, "%3.0f %%  %s", 100 * job.share, text);
  else
    snprintf(line, sizeof line, "%s", text);
  show(line);
}

/* ---- shares ---- */

/* Time for people: "45 s", "3:20 min", "2:05 h". */
static const char *time_text(double seconds, char text[32]) {
  long s = (long)(seconds + 0.5);
  if (s < 100)
    snprintf(text, 32, "%ld s", s);
  else if (s < 6000)
    snprintf(text, 32, "%ld:%02ld min", s / 60, s % 60);
  else
    snprintf(text, 32, "%ld:%02ld h", s / 3600, s / 60 % 60);
  return text;
}

/* Prints the line, five times a second at most; the rest is known after a while. */
static void show_share(double share, const char *what) {
  static const double seldom = 0.2, soon = 1;
  double now = MPI_Wtime();
  char line[LINE], rest[32];
  if (job.share > 1) job.begun = now, job.first = share, job.shown = 0;
  job.share = share;
  if (now - job.shown < seldom) return;
  job.shown = now;
  double passed = now - job.begun;
  if (passed < soon || !(share > job.first))
    snprintf(line, sizeof line, "%3.0f %%  %.60s", 100 * share, what);
  else
    snprintf(line, sizeof line, "%3.0f %%  %.60s, %s left", 100 * share, what,
             time_text(passed / (share - job.first) * (1 - share), rest));
  show(line);
}

void app_progress_share(const app *a, double share, const char *format, ...) {
  if (!is_shown(a)) return;
  char what[LINE];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  show_share(!(share > 0) ? 0 : share > 1 ? 1 : share, what);
}

/* ---- long calls of the library ---- */

/* The library's listener, on rank 0. */
static void on_progress(void) {
  double share = pfft3d_progress();
  if (share < 0 && job.seconds > 0) share = (MPI_Wtime() - job.begun) / job.seconds;
  if (share >= 0) show_share(share > 1 ? 1 : share, job.name);
}

void progress_enter(const app *a, double seconds, const char *format, ...) {
  if (!is_shown(a)) return;
  va_list args;
  va_start(args, format);
  vsnprintf(job.name, sizeof job.name, format, args);
  va_end(args);
  job.seconds = seconds;
  job.share = 2;
  show(job.name);
  watch_listen(on_progress);
}

void progress_leave(const app *a) {
  if (!is_shown(a)) return;
  watch_listen(NULL);
  job.share = 2;
}
