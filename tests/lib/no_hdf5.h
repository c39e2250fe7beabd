/* SPDX-License-Identifier: BSD-3-Clause
 * The main() of a test of files in a build without HDF5. */
#include <stdio.h>

int main(void) {
  puts("a build without HDF5");
  return 77;
}
