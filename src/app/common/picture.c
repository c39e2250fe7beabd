/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures by gnuplot.  Its script, with the data, is a file without a name that becomes its stdin:
 * with a pipe, this program would be ended by a signal if gnuplot ended first.  The picture has a
 * temporary name until it is complete. */
#include "app/common/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"

static struct { char path[PATH_MAX], temporary[PATH_MAX]; } drawing; /* on rank 0 */

/* ---- gnuplot ---- */

/* A file without a name, inaccessible to others; NULL on failure. */
static FILE *nameless_file(void) {
  char name[PATH_MAX];
  const char *folder = getenv("TMPDIR");
  snprintf(name, sizeof name, "%.4000s/pfft3d-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = mkstemp(name);
  if (file < 0) return NULL;
  unlink(name);
  FILE *f = fdopen(file, "w+");
  if (!f) close(file);
  return f;
}

static int spawn(pid_t *child, int in, int errors) {
  static char *const arguments[] = {"gnuplot", "-d", "-", NULL};
  extern char **environ;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (posix_spawn_file_actions_init(&files)) return ENOMEM;
  int code = posix_spawnattr_init(&attributes);
  if (!code) {
    code = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    if (!code)
      code = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!code) code = posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!code) code = posix_spawnp(child, arguments[0], &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&files);
  return code;
}

/* The last line that is not blank: gnuplot's error message. */
static void last_words(FILE *errors, char *why, size_t size) {
  char line[200];
  rewind(errors);
  while (fgets(line, sizeof line, errors)) {
    size_t end = strcspn(line, "\n"), start = strspn(line, " \t^");
    line[end] = 0;
    if (start < end) snprintf(why, size, "%s", line + start);
  }
}

/* Runs a script; 0, or -1 with the reason. */
static int run_script(FILE *script, char *why, size_t size) {
  int status = 0, code = 0;
  pid_t child;
  FILE *errors = nameless_file();
  snprintf(why, size, "it failed");
  if (!errors || fflush(script) || ferror(script)) code = errno ? errno : EIO;
  if (!code && lseek(fileno(script), 0, SEEK_SET) < 0) code = errno;
  if (!code) code = spawn(&child, fileno(script), fileno(errors));
  if (code) snprintf(why, size, "%s", strerror(code));
  if (!code) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    code = !WIFEXITED(status) || WEXITSTATUS(status);
    if (code) last_words(errors, why, size);
  }
  if (errors) fclose(errors);
  return code ? -1 : 0;
}

/* ---- names ---- */

static int find_gnuplot(pfft3d_error *e) {
  char why[160] = "no temporary file";
  FILE *script = nameless_file();
  if (script) fputs("set terminal pngcairo\n", script);
  int failed = !script || run_script(script, why, sizeof why);
  if (script) fclose(script);
  if (!failed) return PFFT3D_OK;
  app_hint(e, "install it (Debian: gnuplot-nox), or leave out --png");
  return app_fail(e, PFFT3D_ERR_UNAVAILABLE, "cannot draw pictures: gnuplot: %.150s", why);
}

static int make_temporary(const char *file, pfft3d_error *e) {
  struct stat s;
  int there = !stat(file, &s), code = 0;
  snprintf(drawing.path, sizeof drawing.path, "%s", file);
  if (there && !S_ISREG(s.st_mode))
    return app_fail(e, PFFT3D_ERR_OUTPUT, "cannot write the picture '%.150s': no regular file",
                    file);
  if (there && !realpath(file, drawing.path)) code = errno;
  int length = snprintf(drawing.temporary, sizeof drawing.temporary, "%.4000s.pfft3d-%ld",
                        drawing.path, (long)getpid());
  FILE *f = code || length < 0 ? NULL : fopen(drawing.temporary, "w");
  if (!f) {
    code = code ? code : errno;
    drawing.temporary[0] = 0;
    return app_fail(e, PFFT3D_ERR_OUTPUT, "cannot write the picture '%.150s': %s", file,
                    strerror(code));
  }
  fclose(f);
  watch_file(WATCH_PNG, drawing.temporary);
  return PFFT3D_OK;
}

/* Broadcasts rank 0's result. */
static int share(app *a) {
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  return a->error.status;
}

int picture_open(app *a, const char *file) {
  watch_kick("looking for gnuplot");
  if (a->rank == 0 && !find_gnuplot(&a->error)) make_temporary(file, &a->error);
  watch_share(a);
  return share(a);
}

/* ---- scripts ---- */

/* Prints text from outside in quotes of gnuplot. */
static void put_text(FILE *f, const char *text) {
  fputc('\'', f);
  for (; *text; text++) {
    if (*text == '\'') fputc('\'', f);
    fputc((unsigned char)*text < ' ' ? '?' : *text, f);
  }
  fputc('\'', f);
}

static void put_label(FILE *f, const char *what, const char *text, const char *more) {
  if (!text) return;
  fprintf(f, "set %s ", what);
  put_text(f, text);
  fprintf(f, " noenhanced%s\n", more);
}

/* Twice as many pixels as the picture is wide on a page, for screens that show two for one. */
static FILE *begin_script(const picture *p, int width, int height) {
  FILE *f = nameless_file();
  if (!f) return NULL;
  fprintf(
      f,
      "set terminal pngcairo size %d,%d font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 "
      "background '#ffffff'\n",
      2 * width, 2 * height);
  fputs("set output ", f);
  put_text(f, drawing.temporary);
  fputs("\nset tics out nomirror scale 0.6\nset border 3 lw 1.2 lc rgb '#444444'\n", f);
  put_label(f, "title", p->title, " font ',14'");
  put_label(f, "xlabel", p->label[0], "");
  put_label(f, "ylabel", p->label[1], "");
  for (int k = 0; k < 2; k++)
    if (p->logarithmic[k])
      fprintf(f, "set logscale %c\nset format %c '10^{%%T}'\n", "xy"[k], "xy"[k]);
  if (p->logarithmic[0]) fputs("set autoscale xfix\nset offsets graph 0.02,graph 0.02,0,0\n", f);
  return f;
}

/* Draws a script (NULL: it could not be made) and renames the picture to its final name. */
static void finish(pfft3d_error *e, FILE *script) {
  char why[160] = "no temporary file";
  int failed = !script || run_script(script, why, sizeof why);
  if (script) fclose(script);
  if (!failed && rename(drawing.temporary, drawing.path)) {
    failed = 1;
    snprintf(why, sizeof why, "%s", strerror(errno));
  }
  if (failed)
    app_fail(e, PFFT3D_ERR_IO, "cannot draw the picture '%.120s': gnuplot: %.150s", drawing.path,
             why);
  else
    watch_file(WATCH_PNG, NULL);
}

static int drawable(const picture *p, const picture_line *l, int i) {
  return isfinite(l->x[i]) && isfinite(l->y[i]) && !(p->logarithmic[0] && l->x[i] <= 0) &&
         !(p->logarithmic[1] && l->y[i] <= 0);
}

/* Prints the points; returns the number of points that can be drawn. */
static int put_points(FILE *f, const picture *p, const picture_line *lines, int count) {
  int drawn = 0;
  for (int k = 0; k < count; k++) {
    fprintf(f, "$line%d << END\n", k);
    for (int i = 0; i < lines[k].count; i++)
      if (drawable(p, &lines[k], i))
        fprintf(f, "%.17g %.17g\n", lines[k].x[i], lines[k].y[i]), drawn++;
    fputs("END\n", f);
  }
  return drawn;
}

/* Prints the end of a plot command: a slope through a point above the middle of a line. */
static void put_slope(FILE *f, const picture *p, const picture_line *l) {
  int first = 0, last = l->count - 1;
  while (first < last && !drawable(p, l, first)) first++;
  while (last > first && !drawable(p, l, last)) last--;
  int middle = first + (last - first) / 3;
  if (!p->slope_thirds || last - first < 8 || !drawable(p, l, middle)) return;
  fprintf(
      f,
      ", [x=%.17g:%.17g] %.17g * (x / %.17g)**(%d / 3.) with lines lw 2 dt (6,4) lc rgb '#555555' "
      "title 'slope %d/3' noenhanced",
      l->x[middle] / 3, l->x[middle] * 3, 3 * l->y[middle], l->x[middle], p->slope_thirds,
      p->slope_thirds);
}

/* Prints axes without a line: gnuplot finds no range without points. */
static void put_nothing(FILE *f, const picture *p) {
  fputs("set xrange [1:10]\nset yrange [1:10]\n", f);
  put_label(f, "label 1", p->logarithmic[1] ? "no positive values" : "no values",
            " at graph 0.5,0.5 center");
  fputs("plot NaN notitle\n", f);
}

int picture_draw_lines(app *a, const picture *p, const picture_line *lines, int count) {
  static const char *const colors[] = {"#31688e", "#b02020", "#208040", "#d08020", "#603090"};
  watch_kick("drawing the picture");
  FILE *f = a->rank == 0 ? begin_script(p, 900, 600) : NULL;
  int drawn = f ? put_points(f, p, lines, count) : 0;
  if (f && !drawn) put_nothing(f, p);
  for (int k = 0; drawn && k < count; k++) {
    fprintf(f, "%s$line%d using 1:2 with %s pt 7 ps 0.5 lw 2 lc rgb '%s' ", k ? ", " : "plot ", k,
            lines[k].points ? "points" : "lines", colors[k % 5]);
    fputs(lines[k].name ? "title " : "notitle", f);
    if (lines[k].name) put_text(f, lines[k].name);
    if (lines[k].name) fputs(" noenhanced", f);
  }
  if (drawn) put_slope(f, p, &lines[0]);
  if (a->rank == 0) finish(&a->error, f);
  return share(a);
}

/* Viridis: equal steps look equal, also for colour-blind readers and in grey print. */
static const char *const palettes[] = {
    "defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', 4 '#26838f', 5 '#1f9d8a', "
    "6 '#6cce5a', 7 '#b6de2b', 8 '#fee825')",
    "gray",
    "defined (-2 '#053061', -1 '#4393c3', 0 '#ffffff', 1 '#d6604d', 2 '#67001f')",
};

static void put_map(FILE *f, const picture_map *m) {
  ptrdiff_t count = m->rows * m->columns;
  double most = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    if (fabs(m->values[i]) > most) most = fabs(m->values[i]);
  fprintf(f, "set palette %s\n", palettes[m->palette]);
  if (m->palette == PICTURE_SIGNED && most > 0) fprintf(f, "set cbrange [%g:%g]\n", -most, most);
  put_label(f, "cblabel", m->label, "");
  fputs("$map << END\n", f);
  for (ptrdiff_t i = 0; i < count; i++)
    fprintf(f, "%.6g%c", m->values[i], (i + 1) % m->columns ? ' ' : '\n');
  fprintf(f,
          "END\nunset key\nset size ratio -1\nset autoscale noextend\nset format cb '%%-5g'\n"
          "plot $map matrix using (%.17g + $1 * %.17g):(%.17g + $2 * %.17g):3 with image\n",
          m->first[0], m->step[0], m->first[1], m->step[1]);
}

int picture_draw_map(app *a, const picture *p, const picture_map *map) {
  watch_kick("drawing the picture");
  FILE *f = a->rank == 0 ? begin_script(p, 900, 800) : NULL;
  if (f) put_map(f, map);
  if (a->rank == 0) finish(&a->error, f);
  return share(a);
}
