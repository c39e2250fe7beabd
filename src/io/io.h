/* SPDX-License-Identifier: BSD-3-Clause
 * What this folder offers beyond pfft3d.h, for tests. */
#ifndef PF_IO_IO_H
#define PF_IO_IO_H

#include <stddef.h>

/** Local, but the same on all ranks. How many bytes a rank moves per round at most; 0 restores 1
 *  GiB. So that small files can make many rounds. */
void pf_io_set_round_bytes(size_t bytes);

#endif
