/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers and sizes in texts. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "request/text.h"

int pf_number_take(const char **text, long long least, long long most, ptrdiff_t *number) {
  char *end;
  if (**text < '0' || **text > '9') return 0; /* strtoll would take signs and blanks */
  errno = 0;
  long long value = strtoll(*text, &end, 10);
  *text = end;
  *number = (ptrdiff_t)value;
  return !errno && value >= least && value <= most;
}

int pf_sizes_parse(const char **text, pfft3d_problem *p) {
  ptrdiff_t size[3];
  int dims = 0;
  do {
    if (dims == 3 || !pf_number_take(text, 1, PTRDIFF_MAX, &size[dims])) return 0;
    dims++;
  } while (**text == 'x' && (*text)++);
  for (int a = 0; a < 3; a++) p->n[a] = a < 3 - dims ? 1 : size[a - (3 - dims)];
  p->dims = dims;
  return 1;
}
