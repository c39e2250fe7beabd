/* SPDX-License-Identifier: BSD-3-Clause
 * Calls a fuzz target with files and with every beginning of each, for compilers without libFuzzer
 * (which has a main() of its own): replay FILE...  A bad input ends the process; else the last line
 * says how many there were. */
#include <string.h>

#include "fuzz.h"

#ifndef PF_LIBFUZZER
/* In memory of its own length, so that tools see what is read behind the end. */
static void call(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size + !size);
  if (!copy) exit(99);
  memcpy(copy, data, size);
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

static size_t replay(const char *file) {
  static uint8_t data[1 << 16];
  FILE *f = fopen(file, "rb");
  if (!f) {
    fprintf(stderr, "cannot read %s\n", file);
    exit(99);
  }
  size_t size = fread(data, 1, sizeof data, f);
  fclose(f);
  for (size_t part = 0; part <= size; part++) {
    fprintf(stderr, "%zu bytes of %s\n", part, file); /* the last ones named have ended it */
    call(data, part);
  }
  return size + 1;
}

int main(int argc, char **argv) {
  size_t tried = 0;
  for (int k = 1; k < argc; k++) tried += replay(argv[k]);
  printf("tried %zu wrong 0\n", tried);
  return tried == 0;
}
#endif
