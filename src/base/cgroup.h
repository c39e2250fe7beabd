/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of memory of a container or of a batch job. */
#ifndef PFFT3D_BASE_CGROUP_H
#define PFFT3D_BASE_CGROUP_H

/** Local. The number in a line "word value unit", or just "value", of a file; 0 if there is none.
 */
double pf_read_number(const char *path, const char *word);

/** Local. Bytes that the control groups of this process leave, of both versions; reclaimable memory
 *  counts as free.  Infinite without a limit.  @p root: "", or a folder with proc/ and sys/ for
 *  tests. */
double pf_cgroup_memory(const char *root);

#endif
