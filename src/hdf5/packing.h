/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers in a file that stand for other values, or for none, by the conventions of netCDF: CF
 * 1.11, sections 2.5.1 and 8.1, and appendix A of the netCDF user's guide. */
#ifndef PF_HDF5_PACKING_H
#define PF_HDF5_PACKING_H

#include <stddef.h>

enum { PF_MARKS = 8 };

/* A value is number * scale + offset.  There is none if the number is a mark or out of range. */
typedef struct pf_packing {
  int used;             /* 0: values are the numbers */
  double scale, offset; /* scale_factor, add_offset */
  double wrap;          /* added to negative numbers; _Unsigned */
  int ranges_values;    /* the range is of values, not of numbers */
  double least, most;   /* valid_range, valid_min, valid_max */
  int marks;
  double mark[PF_MARKS]; /* _FillValue, missing_value */
} pf_packing;

/** Local. Nonzero if the members are possible. */
int pf_packing_possible(const pf_packing *p);

/** Local. The same for numbers that are read as @p bytes, 4 or 8, each: marks are rounded. */
pf_packing pf_packing_rounded(const pf_packing *p, size_t bytes);

/** Local. The value of a number; NaN, and *missing is increased, if there is none. */
double pf_packing_value(const pf_packing *p, double number, double *missing);

#endif
