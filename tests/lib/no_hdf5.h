/* SPDX-License-Identifier: BSD-3-Clause
 * The whole of a test of files in a build that has none. */
#include <stdio.h>

int main(void) {
  puts("a build without HDF5");
  return 77;
}
