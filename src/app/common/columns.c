/* SPDX-License-Identifier: BSD-3-Clause
 * Texts that fit the window.  Reports are printed piece by piece; their lines are broken when they
 * are complete, so what prints them needs to know nothing of it: stdout is a file in memory
 * meanwhile. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "app/common/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/common/watch.h"

enum { LEAST = 40, MOST = 10000, DEEPEST = 32 };

static int kept_width; /* while stdout is a file in memory; 0: it is not */

/* Columns of a terminal; 0 if the file is none. */
static int window_of(int file) {
  struct winsize window;
  return file >= 0 && ioctl(file, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

int columns(void) {
  if (kept_width) return kept_width;
  const char *words = getenv("COLUMNS");
  long count = words ? strtol(words, NULL, 10) : 0;
  if (count <= 0) count = window_of(STDOUT_FILENO);
  if (count <= 0) { /* under mpirun stdout is a pipe */
    int file = watch_launcher_open(STDOUT_FILENO);
    count = window_of(file);
    if (file >= 0) close(file);
  }
  if (count <= 0 || count > MOST) return MOST;
  return count < LEAST ? LEAST : (int)count;
}

/* Columns of a text: bytes that continue a character of UTF-8 take none. */
static int columns_of(const char *text, size_t bytes) {
  int count = 0;
  for (size_t i = 0; i < bytes; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
  return count;
}

/* Where lines continue: below the first word after a gap, "  plan       decomp=slab"; else two
 * columns further than the line begins. */
static int indent_of(const char *line, size_t bytes) {
  size_t begin = 0, at;
  while (begin < bytes && line[begin] == ' ') begin++;
  for (at = begin; at + 1 < bytes && at < DEEPEST; at++) {
    if (line[at] != ' ' || line[at + 1] != ' ') continue;
    while (at < bytes && line[at] == ' ') at++;
    return at < DEEPEST ? (int)at : (int)begin + 2;
  }
  return (int)begin + 2;
}

/* Bytes of the first part of a text, which has at most `room` columns if it has a blank there. */
static size_t part_of(const char *text, size_t bytes, int room) {
  size_t best = 0, good = 0, at = strspn(text, " ");
  for (int column = (int)at; at < bytes && (column <= room || !best); at++) {
    if (text[at] == ' ' && at > 0 && text[at - 1] != ' ') {
      best = at;
      if (strchr(",;", text[at - 1])) good = at;
    }
    column += ((unsigned char)text[at] & 0xc0) != 0x80;
  }
  if (at == bytes) return best ? best : bytes;
  return 4 * good > 3 * best ? good : best;
}

static void print_line(const char *line, size_t bytes, int width) {
  int indent = indent_of(line, bytes), before = 0;
  while (before + columns_of(line, bytes) > width) {
    size_t part = part_of(line, bytes, width - before);
    if (part >= bytes) break;
    printf("%*s%.*s\n", before, "", (int)part, line);
    while (part < bytes && line[part] == ' ') part++;
    line += part;
    bytes -= part;
    before = indent;
  }
  printf("%*s%.*s\n", before, "", (int)bytes, line);
}

int columns_wrap(void) {
  int width = columns(), kept = -1;
  int file = width < MOST ? memfd_create("pfft3d-text", MFD_CLOEXEC) : -1;
  if (file >= 0 && fflush(stdout) == 0 && (kept = dup(STDOUT_FILENO)) >= 0)
    dup2(file, STDOUT_FILENO);
  if (file >= 0) close(file);
  if (kept >= 0) kept_width = width;
  return kept; /* without a window, or memory, lines are as long as they are */
}

void columns_end(int kept) {
  if (kept < 0) return;
  fflush(stdout);
  int file = dup(STDOUT_FILENO), width = kept_width;
  dup2(kept, STDOUT_FILENO);
  close(kept);
  kept_width = 0;
  off_t bytes = file < 0 ? 0 : lseek(file, 0, SEEK_END);
  char *text = bytes > 0 ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  if (text != MAP_FAILED) {
    const char *end = text + bytes;
    for (const char *line = text, *next; line < end; line = next + 1) {
      next = memchr(line, '\n', (size_t)(end - line));
      if (!next) next = end;
      print_line(line, (size_t)(next - line), width);
    }
    munmap(text, (size_t)bytes);
  }
  if (file >= 0) close(file);
}
