/* SPDX-License-Identifier: BSD-3-Clause
 * The values that the numbers of a dataset stand for. */
#include "hdf5/packing.h"

#include <math.h>

int pf_packing_possible(const pf_packing *p) {
  return isfinite(p->scale) && isfinite(p->offset) && p->wrap >= 0 && p->marks >= 0 &&
         p->marks <= PF_MARKS;
}

pf_packing pf_packing_rounded(const pf_packing *p, size_t bytes) {
  pf_packing rounded = *p;
  for (int k = 0; k < p->marks && bytes == sizeof(float); k++)
    rounded.mark[k] = (double)(float)p->mark[k];
  return rounded;
}

double pf_packing_value(const pf_packing *p, double number, double *missing) {
  int none = 0;
  if (number < 0) number += p->wrap;
  for (int k = 0; k < p->marks; k++) none |= number == p->mark[k];
  double value = number * p->scale + p->offset, ranged = p->ranges_values ? value : number;
  none |= ranged < p->least || ranged > p->most;
  *missing += none;
  return none ? (double)NAN : value;
}
