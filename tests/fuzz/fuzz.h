/* SPDX-License-Identifier: BSD-3-Clause
 * What the fuzz targets share.  A target is one function that takes any bytes and ends the process
 * where something is wrong; libFuzzer calls it, or replay.c with the inputs of tests/fuzz/corpus.
 */
#ifndef PF_TESTS_FUZZ_H
#define PF_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The target; the name is libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold for every input, or the input is kept and shown. */
#define MUST(condition, ...)                                                    \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                             \
      fputc('\n', stderr);                                                      \
      abort();                                                                  \
    }                                                                           \
  } while (0)

/* Bytes taken one after another; behind the last one come zeros. */
typedef struct bytes {
  const uint8_t *at, *end;
} bytes;

static inline unsigned take_byte(bytes *b) {
  return b->at < b->end ? *b->at++ : 0;
}

static inline uint64_t take_word(bytes *b) {
  uint64_t word = 0;
  for (int k = 0; k < 8; k++) word = word << 8 | take_byte(b);
  return word;
}

#endif
