/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom in the program. A file named by the user must be usable, else the run fails or warns;
 * the file in the user's cache is optional. */
#include "app/common/wisdom.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/common/message.h"
#include "app/common/watch.h"

#define NONE "none" /* --wisdom none: no file */

/* Collective. Stores the name of the file in the options; returns 1 if the user named it. */
static int find_file(app *a) {
  char *file = a->opt.wisdom;
  int named = file[0] != 0;
  if (strcmp(file, NONE) == 0)
    file[0] = 0;
  else if (!named && a->rank == 0)
    pfft3d_wisdom_file(file, FILE_SIZE); /* "" if there is none */
  MPI_Bcast(file, FILE_SIZE, MPI_CHAR, 0, a->comm);
  return named;
}

static void say(const app *a, const char *text) {
  if (a->rank == 0) fprintf(stderr, "pfft3d: notice: %s\n", text);
}

/* Fails because wisdom was required and is missing. */
static int miss(app *a) {
  const char *notice = a->wisdom ? pfft3d_wisdom_notice(a->wisdom) : "";
  app_fail(&a->error, PFFT3D_ERR_WISDOM, "--wisdom-required: %s",
           notice[0]          ? notice
           : a->opt.wisdom[0] ? "the file of wisdom is empty"
                              : "there is no file of wisdom");
  app_hint(&a->error, "'pfft3d tune' with the same options makes some; --wisdom names its file");
  return a->error.status;
}

int wisdom_open(app *a) {
  int reads =
      list_find(a->command->options, "wisdom-required") && !options_given(&a->opt, "deterministic");
  pfft3d_error e = {0};
  int named = find_file(a);
  if (!reads) return PFFT3D_OK;
  if (a->opt.wisdom[0]) {
    watch_kick("reading wisdom");
    if (!pfft3d_wisdom_create(&a->wisdom,
                              &e)) /* out of memory on this rank: it prints the message itself */
      pfft3d_wisdom_read(a->comm, a->opt.wisdom, a->wisdom, &e);
    else
      app_die(a, e.status, "%s", e.text);
  }
  if (e.status && (named || a->opt.wisdom_required)) return app_take(&a->error, &e);
  int count = a->wisdom ? pfft3d_wisdom_count(a->wisdom) : 0;
  if (a->opt.wisdom_required && !count) return miss(a);
  /* no notice if the user has no file yet, or one of an older version */
  int damaged = a->rank == 0 && !count && a->opt.wisdom[0] && access(a->opt.wisdom, F_OK) == 0;
  if (e.status == PFFT3D_ERR_PERMISSION)
    say(a, e.text); /* no notice of other problems with a cache */
  else if (!e.status && a->wisdom && pfft3d_wisdom_notice(a->wisdom)[0] && (named || damaged))
    say(a, pfft3d_wisdom_notice(a->wisdom));
  a->opt.known = count ? a->wisdom : NULL;
  return PFFT3D_OK;
}

void wisdom_close(app *a) {
  a->opt.known = NULL;
  pfft3d_wisdom_destroy(&a->wisdom);
}

/* ---- keeping ---- */

/* Local, rank 0. Creates the directories of the user's own file, accessible to the user only. */
static void make_folders(const char *file) {
  char folder[FILE_SIZE];
  snprintf(folder, sizeof folder, "%s", file);
  for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(folder, 0700); /* failures are detected when the file is written */
    *slash = '/';
  }
}

/* Collective. Writes the wisdom; if it is empty, checks that the file could be written. */
static int write_wisdom(app *a) {
  pfft3d_error e = {0};
  watch_kick("writing wisdom");
  if (!pfft3d_wisdom_write(a->comm, a->opt.wisdom, a->wisdom, &e) &&
      pfft3d_wisdom_count(a->wisdom) && pfft3d_wisdom_notice(a->wisdom)[0])
    say(a, pfft3d_wisdom_notice(a->wisdom));
  return app_take(&a->error, &e);
}

int wisdom_ready(app *a) {
  pfft3d_error e = {0};
  char own[FILE_SIZE] = "";
  if (!a->opt.wisdom[0]) return PFFT3D_OK;
  if (a->rank == 0) pfft3d_wisdom_file(own, sizeof own);
  if (a->rank == 0 && strcmp(own, a->opt.wisdom) == 0) make_folders(own);
  if (pfft3d_wisdom_create(&a->wisdom, &e)) app_die(a, e.status, "%s", e.text);
  return write_wisdom(a);
}

int wisdom_keep(app *a, const pfft3d_request *request, const pfft3d_candidate *best) {
  pfft3d_error e = {0};
  if (!a->opt.wisdom[0]) return PFFT3D_OK;
  pfft3d_wisdom_add(a->comm, request, best, a->wisdom, &e);
  if (app_take(&a->error, &e)) return a->error.status;
  return write_wisdom(a);
}
