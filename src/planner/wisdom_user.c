/* SPDX-License-Identifier: BSD-3-Clause
 * The user's file of wisdom, which plans ask that are given no other.
 *
 * It is read when the first plan leaves a choice, once in a process, by the process that decides
 * for all ranks; files on the other ranks do not count.  So ranks cannot differ, and no message is
 * sent for it.  A file that cannot be used is no error of a plan, which then decides without it. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planner/wisdom.h"

/* A file that was read.  Threads keep pointers to its wisdom, so it stays until the process ends.
 */
typedef struct user_file {
  struct user_file *next;
  pfft3d_wisdom wisdom;
  char name[];
} user_file;

char *pfft3d_wisdom_file(char *out, size_t size) {
  const char *named = getenv("PFFT3D_WISDOM"),
             *folder[] = {getenv("XDG_CACHE_HOME"), getenv("HOME")};
  static const char *const below[] = {"/pfft3d/wisdom", "/.cache/pfft3d/wisdom"};
  int length = 0;
  if (!out || !size) return NULL;
  out[0] = 0;
  if (named && strcmp(named, "none") == 0) return NULL;
  if (named && named[0]) length = snprintf(out, size, "%s", named);
  for (int k = 0; k < 2 && !length; k++)
    if (folder[k] && folder[k][0] == '/') length = snprintf(out, size, "%s%s", folder[k], below[k]);
  if (length > 0 && (size_t)length < size) return out;
  out[0] = 0;
  return NULL;
}

/* Reads a file; NULL without memory for it. */
static user_file *read_user_file(const char *name) {
  size_t length = strlen(name);
  user_file *f = calloc(1, sizeof *f + length + 1);
  pfft3d_error e = {0};
  if (!f) return NULL;
  memcpy(f->name, name, length);
  pf_wisdom_state state = pf_wisdom_load(name, &f->wisdom, &e);
  char *notice = f->wisdom.notice;
  /* A directory or a file that cannot be opened is as good as none; nor is it worth a word that
   * there is no file, or one that other machines have filled. */
  if (e.status == PFFT3D_ERR_PERMISSION)
    snprintf(notice, sizeof f->wisdom.notice, "%s", e.text);
  else if (e.status || state == PF_WISDOM_ABSENT || state == PF_WISDOM_WHOLE)
    notice[0] = 0;
  return f;
}

const pfft3d_wisdom *pf_wisdom_user(void) {
  static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
  static user_file *files;
  char name[PATH_MAX];
  if (!pfft3d_wisdom_file(name, sizeof name)) return NULL;
  pthread_mutex_lock(&guard);
  user_file *f = files;
  while (f && strcmp(f->name, name) != 0) f = f->next;
  if (!f && (f = read_user_file(name))) {
    f->next = files;
    files = f;
  }
  pthread_mutex_unlock(&guard);
  return f ? &f->wisdom : NULL;
}
