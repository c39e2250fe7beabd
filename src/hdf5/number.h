/* SPDX-License-Identifier: BSD-3-Clause
 * The number formats that files have and that are read without HDF5. */
#ifndef PF_HDF5_NUMBER_H
#define PF_HDF5_NUMBER_H

#include <stddef.h>

enum { PF_IO_TYPE = 64 }; /* bytes of the name of a type */

typedef struct pf_number {
  char kind;    /* 'i': an integer, 'u': one without sign, 'f': a float */
  size_t bytes; /* 1, 2, 4, 8; of a float 2, 4, 8 and those of long double */
  int big;      /* nonzero: big-endian */
} pf_number;

/** Local. The formats by their index: integers of 1 to 8 bytes with and without sign, floats of 2,
 * 4 and 8, in both byte orders, and this processor's long double; NULL for an @p index beyond them.
 */
const pf_number *pf_number_at(int index);

/** Local. The index of a format, where @p kind may also be 'b', a truth value; -1: none. */
int pf_number_index(char kind, size_t bytes, int big);

/** Local. Nonzero on a big-endian processor. */
int pf_number_native_big(void);

/** Local. Converts numbers to doubles, or to floats if @p bytes is that of a float.  In place only
 * if the numbers are not longer than the results. */
void pf_number_convert(const pf_number *format, const void *from, void *to, size_t bytes,
                       ptrdiff_t count);

/** Local. The name of a format, or of complex numbers of it: "uint8", "float64 big-endian",
 *  "complex128"; @p order is the end, such as " big-endian". */
void pf_number_name(char kind, size_t bytes, const char *order, int is_complex,
                    char out[PF_IO_TYPE]);

#endif
