/* SPDX-License-Identifier: BSD-3-Clause
 * The largest difference of two fields, over all their elements:
 *
 *     max_error WANTED GOT      WANTED: raw bytes (uint8);  GOT: as many raw doubles
 *
 * Prints the number of elements and the largest |GOT - WANTED|; status 0 when that is below 1e-9 of
 * the largest value, 1 otherwise.  Independent of pfft3d, so that jobs/local.sh can use it as a
 * check. */
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv) {
  FILE *wanted = argc == 3 ? fopen(argv[1], "rb") : NULL;
  FILE *got = argc == 3 ? fopen(argv[2], "rb") : NULL;
  double got_one, error = 0, largest = 0;
  long elements = 0;
  int byte, bad = 0;

  if (!wanted || !got) {
    fprintf(stderr, "usage: max_error WANTED GOT (two files that can be read)\n");
    return 2;
  }
  while ((byte = getc(wanted)) != EOF) {
    if (fread(&got_one, sizeof got_one, 1, got) != 1) break;
    double difference = fabs(got_one - byte);
    if (!(difference <= HUGE_VAL)) bad = 1; /* NaN would be lost in a maximum */
    error = fmax(error, difference);
    largest = fmax(largest, byte);
    elements++;
  }
  if (byte != EOF || getc(got) != EOF || elements == 0) {
    fprintf(stderr, "max_error: the files differ in length\n");
    return 2;
  }
  printf("max |error| over %ld voxels: %.3g (largest intensity %g)%s\n", elements, error, largest,
         bad ? ", and values that are no numbers" : "");
  return bad || !(error < 1e-9 * largest);
}
